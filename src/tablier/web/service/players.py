"""Players that clients can request: player strings with limits, and networks by run name, never by path."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tablier._core import Game
from tablier._core import search as _search
from tablier.games import home_of
from tablier.messages import Message, MessageError, everywhere
from tablier.players import OUTSIDE, PLAYERS, Player, Setting, settings_of, strings
from tablier.players.champion import NAME as CHAMPION
from tablier.players.level import LEVELS, has_levels
from tablier.players.lookahead import quick_player
from tablier.web.service.runs import Runs

HUMAN, RECORD = "human", "record"
"""The seat of a person, and a seat of an uploaded game, which nobody plays."""
TRAINED = {"td": "expectimax:plies=1,net={}", "alphazero": "gumbel:sims=200,net={}"}
"""Player strings for networks, by training algorithm. Other networks play their policy without search."""
EASY = (("random", "first_steps"), ("greedy", "easy"))
WITH_HEURISTIC = (
    *EASY,
    ("heuristic", "fair"),
    ("gumbel:sims=800", "good"),
    ("expectimax:plies=3,keep=3", "strong"),
    ("gumbel:sims=10000", "patient"),
)
WITHOUT = (*EASY, ("mcts:sims=200", "good"), ("mcts:sims=5000", "strong"))
"""Suggested players and their levels, easiest first, in the order of docs/strength.md."""


@dataclass(frozen=True)
class Maker:
    """Builds players with a time limit per decision."""

    runs: Runs
    """The runs whose networks can be used."""
    think: float
    """The time limit, in seconds."""

    @cached_property
    def kinds(self) -> Mapping[str, Mapping[str, Setting]]:
        """The kinds of players and their settings, within the limits of this server."""
        most = {"ms": 1000 * self.think}
        return {
            kind: {
                name: setting.on_shared_server(most.get(name, math.inf)) for name, setting in settings_of(kind).items()
            }
            for kind in sorted(set(PLAYERS) - {HUMAN, *OUTSIDE})
        }

    def searches(self, text: str) -> bool:
        """Returns whether a player searches and so uses its time limit."""
        return "ms" in self.kinds[text.partition(":")[0]]

    def make(self, text: str, game: Game, seed: int, share: float = 1.0) -> Player:
        """Builds the player that a string describes.

        Args:
            text: the player string, such as `gumbel:sims=200`.
            game: the game to play.
            seed: the seed to use if the string has none.
            share: the fraction of the time limit that the player gets.

        Raises:
            MessageError: the string is not valid, or exceeds the limits of this server.
        """
        kind, given = strings.parse(text, self.kinds)
        known = self.kinds[kind]
        settings: dict[str, Any] = {name: setting.default for name, setting in known.items()} | given
        if net := settings.get("net"):
            settings["net"] = str(self.runs.network(net))
        if "ms" in known:  # bound every search by the time limit
            settings["ms"] = math.ceil(share * settings["ms"])
            settings["at_most"] = share * self.think
        if "seed" in known and "seed" not in given:
            settings["seed"] = seed
        try:  # the home wraps even the random player: with schools it should mark honestly
            return home_of(game).player(lambda played: PLAYERS[kind](played, **settings), quick_player)
        except MessageError as error:
            if "network" in error.params:  # do not reveal the path
                raise MessageError.of(error.code, **{**error.params, "network": str(net or kind)}) from None
            raise

    def levels(self, game: Game) -> list[dict[str, Any]]:
        """Returns the suggested players, easiest first, followed by the networks trained for the game."""
        champion = home_of(game).champion()
        found: tuple[tuple[str, str], ...] = WITH_HEURISTIC if _search.has_heuristic(game) else WITHOUT
        if has_levels(game):
            found = tuple((f"level:n={n}", f"name.{n}") for n in range(1, LEVELS + 1))
        levels: list[dict[str, Any]] = []
        for player, level in found:
            kind, settings = strings.parse(player, self.kinds)
            about = Message(f"level.about.{kind}", **{"n": settings.get("sims", 0), **settings})
            levels.append(_level(player, Message(f"level.{level}"), about, len(levels) + 1))
        if champion:
            about = Message("level.about.exact" if champion.values else "level.about.champion")
            levels.append(_level(CHAMPION, Message("level.champion"), about, len(levels) + 1))
        for name, algorithm in self.runs.networks(game.name):
            player = TRAINED.get(algorithm, "policy:net={}").format(name)
            about = Message("level.about.trained", name=name, algorithm=algorithm)
            levels.append(_level(player, Message("level.trained", name=name), about))
        return levels


def _level(player: str, title: Message, about: Message, rank: int | None = None) -> dict[str, Any]:
    return {"player": player, "title": everywhere(title), "about": everywhere(about), "rank": rank}
