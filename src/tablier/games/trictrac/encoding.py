"""Bounds on the entries of Trictrac's encodings (docs/contract.md, section 5).

core/games/trictrac/encoding.h writes the values. Where the rules set no limit, the bound is what a state can store.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tablier._core import Game

Range = tuple[float, float]
"""The minimum and maximum of an entry."""

MEN: Range = (-15, 15)
COLOUR = FLAG = FRACTION = (0, 1)
STAGE: Range = (0, 5)
DIE: Range = (0, 6)
POINTS: Range = (0, 10)  # even, and twelve make a hole
COUNT: Range = (0, 127)
SCORE = (POINTS, COUNT, FLAG, FLAG)  # points, holes, can_bredouille, can_big_bredouille
BYTE = 255
TOKENS = 10_000_000 / 100
CLASSIC = 217
LATE: Range = (0, BYTE / 128)
EXPERT = (*[FRACTION] * 3, LATE, (0, BYTE / 72), FRACTION, (0, BYTE / 198), FRACTION, FRACTION, LATE, *[FRACTION] * 25)


def features_bounds(game: Game) -> tuple[Sequence[float], Sequence[float]]:
    """Returns the minimum and maximum of each entry of `State.features()`."""
    options, players = game.options(), game.num_players()
    scored = "marques" in options
    if scored and options["encoding"] != "markov":
        size = int(np.prod(game.features_shape()))
        return [0.0] * size, [1.0] * size
    entries: list[Range] = [FRACTION] * CLASSIC
    if scored or options.get("encoding") in ("markov", "expert"):
        due, holes = (0, BYTE / 24), (0, BYTE / int(options.get("holes_to_win", 12)))
        entries += [FLAG, due, due, FRACTION, *[FLAG] * 7, holes, holes, FRACTION]
    if options.get("encoding") == "expert":
        entries += [*EXPERT, *EXPERT]
    if scored:
        entries += [FRACTION, (0, BYTE / 4), FLAG]
        entries += [*[FRACTION] * players, *[(-TOKENS, TOKENS)] * players]
        entries += [FLAG] * players if players == 3 else []
    low, high = zip(*entries, strict=True)
    return low, high


def observation_bounds(game: Game) -> tuple[Sequence[float], Sequence[float]]:
    """Returns the minimum and maximum of each entry of `State.observation()`."""
    entries = [*[MEN] * 24, COLOUR, STAGE, DIE, DIE, *SCORE, *SCORE]
    if "marques" in game.options():
        players = game.num_players()
        entries += [COUNT] * (2 + players)
        entries += [(0, 2)] if players == 3 else []
    low, high = zip(*entries, strict=True)
    return low, high
