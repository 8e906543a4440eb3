"""Tournaments under faults: games that are in the file stay there, and the others are played again."""

import shutil
from dataclasses import replace
from pathlib import Path

from training import check_end
from workshop import Fault, Workshop

from tablier.arena import ArenaFile

GAMES = 6


class Tournament:
    """A small tournament, and its games if nothing happens."""

    def __init__(self, workshop: Workshop, folder: Path) -> None:
        self._workshop, self._folder = workshop, folder
        whole = folder / "whole"
        whole.mkdir(parents=True)
        outcome = self._live(whole)
        assert outcome.code == 0, outcome.err
        self.operations = outcome.operations
        self.path = whole / "arena.sqlite"
        self.games = games_of(self.path)

    def _live(self, place, at=0, how=0):
        return self._workshop.live("arena", place, str(place / "arena.sqlite"), str(GAMES), at=at, how=how)

    def disturb(self, name: str, faults: list[Fault]) -> int:
        """Plays a new tournament whose lives end as listed, then without faults; returns how many had a fault."""
        place = self._folder / name
        place.mkdir()
        promised, met = set(), 0
        for at, how in faults:
            outcome = self._live(place, at, how)
            check_end(outcome, how)
            met += outcome.killed or outcome.code != 0
            promised |= {(first, second, int(number)) for first, second, number in outcome.said("stored")}
            if promised:
                kept = {(first, second, one.number) for first, second, one in games_of(place / "arena.sqlite")}
                assert kept >= promised, f"stored and lost: {promised - kept}"
        outcome = self._live(place)
        assert outcome.code == 0, outcome.err
        assert games_of(place / "arena.sqlite") == self.games
        shutil.rmtree(place)
        return met


def games_of(path: Path) -> list:
    """Returns the games in a file without what depends on the clock."""
    with ArenaFile.read(path) as file:
        return [(game.first, game.second, replace(game.result, seconds=(0.0, 0.0))) for game in file.games()]
