"""Parts of Trictrac for tablier.trictrac."""

from collections.abc import Sequence
from typing import Any

import tablier._core


def plays(board: Sequence[int], d1: int, d2: int, by_default_only: bool) -> list[tuple[list[int], list[tuple[int, int]], int]]: ...

def score(board: Sequence[int], d1: int, d2: int, throw_index: int, by_default_only: bool, pile_de_misere: bool, margot_la_fendue: bool) -> tuple[int, int, dict[str, int]]: ...

def tariff() -> dict[str, tuple[int, int, bool]]:
    """
    Of each jan: its value, its value on a doublet, whether it goes to the opponent.
    """

def moves(state: tablier._core.State, action: int) -> list[tuple[int, int]]: ...

def parts(state: tablier._core.State) -> dict[str, Any]: ...

def compose(game: tablier._core.Game, parts: dict[str, Any]) -> tablier._core.State: ...

def transfer(game: tablier._core.Game, state: tablier._core.State) -> tablier._core.State: ...

def estimate(state: tablier._core.State) -> list[float]:
    """What each player will still win from here, by the heuristic."""

def heuristic_terms(state: tablier._core.State) -> dict[str, float]:
    """The terms of the heuristic, White's less Black's."""

def heuristic_weights() -> list[float]:
    """
    Of each phase the weights, in the order of the columns of heuristic_games().
    """

def heuristic_match(one: Sequence[float], two: Sequence[float], games: int, seed: int) -> int:
    """How many games the first weights win against the second."""

def heuristic_games(weights: Sequence[float], throws: int, holes_to_win: int, noise: float, seed: int) -> tuple[Any, Any]:
    """
    Self-play for the fit of the weights: the rows of positions, and facts beside them.
    """
