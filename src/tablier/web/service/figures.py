"""The figures of a reviewed game that a library remembers, and statistics over the games of a library."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any

from tablier._core import Game
from tablier.analysis import band_name, band_of, is_judged
from tablier.games import Facts, Home, home_of
from tablier.messages import Text, everywhere
from tablier.web.service.view import Words

DIGITS = 4
"""Digits after the point of what is stored."""


def figures(game: Game, actions: Sequence[int], review: Facts) -> list[Facts]:
    """Returns the figures of every seat of a game.

    Args:
        game: the game.
        actions: all actions from the start, chance outcomes included.
        review: the review of these actions, as it is stored: the rating of each seat, and the mistakes.

    Returns:
        For each seat its rating, the points made and missed by kind, how often it took each side of a first choice and
        how often that was a mistake, and its markings: how many, how many of them wrong, and by how many points.
    """
    home, state = home_of(game), game.new_initial_state()
    found: list[Facts] = [
        {"made": Counter(), "missed": Counter(), "choices": {}, "marking": [0, 0, 0.0]}
        for _ in range(game.num_players())
    ]
    mistakes = {one["version"]: one["best"]["action"] for one in review["mistakes"]}
    for version, action in enumerate(actions):
        after, seat = state.child(action), state.current_player()
        for other, kind, points in home.points_made(state, action, after):
            found[other]["made"][kind] += points
        if seat >= 0 and is_judged(state):
            best = mistakes.get(version)
            kind, side = home.decision_kind(state), home.branch(state, action)
            if home.branch_name(kind, side) is not None:
                tally = found[seat]["choices"].setdefault(kind, {}).setdefault(str(side), [0, 0])
                tally[0] += 1
                tally[1] += best is not None and home.branch(state, best) != side
            if best is not None:
                found[seat]["missed"].update(home.points_missed(state, best, action))
        elif seat >= 0 and len(state.legal_actions()) > 1:
            off, marking = home.points_off(state, action), found[seat]["marking"]
            found[seat]["marking"] = [marking[0] + 1, marking[1] + (off > 0), marking[2] + off]
        state = after
    rated = review["players"] or [{} for _ in found]
    return [_rounded(one | _rating(rating)) for one, rating in zip(found, rated, strict=True)]


def _rating(rated: Facts) -> Facts:
    return {name: rated.get(name) for name in ("decisions", "mean", "luck")}


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_rounded(one) for one in value]
    return round(value, DIGITS) if isinstance(value, float) else value


def statistics(home: Home, games: Iterable[tuple[str, Facts]]) -> Facts:
    """Sums up games, oldest first, as (table, facts): results, error rates, points by kind, and first choices."""
    played = [(tid, one, one["figures"]["seats"]) for tid, one in games if one["seat"] is not None and one["figures"]]
    mine = [(tid, one, seats[one["seat"]]) for tid, one, seats in played]
    rated = [(tid, one, own) for tid, one, own in mine if own["decisions"]]
    decisions = sum(own["decisions"] for _, _, own in rated)
    mean = sum(own["decisions"] * own["mean"] for _, _, own in rated) / decisions if decisions else None
    unit = rated[-1][1]["figures"]["unit"] if rated else "win"
    marking = [sum(own["marking"][n] for _, _, own in mine) for n in range(3)]
    return {
        "analysed": len(mine),
        "unit": unit,
        "mean": mean,
        "level": level(mean, unit),
        "rates": [{"table": tid, "at": one["ended"], "mean": own["mean"]} for tid, one, own in rated],
        "points": _points(home, mine, played),
        "choices": _choices(home, [own for _, _, own in mine]),
        "marking": {"n": marking[0], "wrong": marking[1], "points": marking[2]} if marking[0] else None,
    }


def level(mean: float | None, unit: str) -> Words | None:
    """Returns the name of the level of an error rate; None if there is none, or if its unit is not the win chance."""
    return everywhere(band_name(band_of(mean))) if mean is not None and unit == "win" else None


def _points(home: Home, mine: list[Any], played: list[Any]) -> list[Facts]:
    """Returns the points by kind, the most frequent first: made, missed, and made by the opponents."""
    made, missed, against = Counter[str](), Counter[str](), Counter[str]()
    for _, _, own in mine:
        made.update(own["made"])
        missed.update(own["missed"])
    for _, one, seats in played:
        for seat, other in enumerate(seats):
            if seat != one["seat"]:
                against.update(other["made"])
    kinds = sorted({*made, *missed, *against}, key=lambda kind: (-made[kind], -missed[kind], kind))
    return [
        {
            "kind": kind,
            "title": everywhere(home.points_name(kind)),
            "made": made[kind],
            "missed": missed[kind],
            "against": against[kind],
        }
        for kind in kinds
    ]


def _choices(home: Home, mine: list[Facts]) -> list[Facts]:
    """Returns each kind of first choice: how often a side was taken, and how often that was a mistake."""
    total: dict[str, dict[str, list[int]]] = {}
    for own in mine:
        for kind, sides in own["choices"].items():
            for side, (taken, wrong) in sides.items():
                tally = total.setdefault(kind, {}).setdefault(side, [0, 0])
                tally[0] += taken
                tally[1] += wrong
    return [
        {
            "kind": kind,
            "title": everywhere(home.kind_name(kind)),
            "sides": [
                {"title": everywhere(title), "taken": taken, "wrong": wrong}
                for title, (taken, wrong) in _named(home, kind, sides)
            ],
        }
        for kind, sides in total.items()
    ]


def _named(home: Home, kind: str, sides: dict[str, list[int]]) -> Iterator[tuple[Text, list[int]]]:
    """Yields the name of each side of a choice and its numbers, which are 0 for a side that was never taken."""
    for side in count():
        if (title := home.branch_name(kind, side)) is None:
            return
        yield title, sides.get(str(side), [0, 0])
