"""Shows evaluated moves as a table, or as rows for JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from tablier._core import State
from tablier.candidate import Candidate
from tablier.cli.terminal.screen import Screen
from tablier.games import home_of
from tablier.messages import Message, Number, Text


def show_opinions(screen: Screen, state: State, opinions: Sequence[Candidate]) -> None:
    """Shows a table of moves: win probability (or value), expected points, and visits and priors if known."""
    home = home_of(state.get_game())
    wins = opinions[0].win_chance is not None
    points = any(opinion.points for opinion in opinions)
    visits = opinions[0].visits is not None
    columns = ["move", "win" if wins else "value", *["points"] * points, *["visits", "prior"] * visits]
    rows: list[list[Text]] = [[Message(f"terminal.column.{column}") for column in columns]]
    for opinion in opinions:
        row: list[Text] = [home.action(state, opinion.action), worth(opinion)]
        if points:
            row.append(Number(opinion.points or 0, "+.1f"))
        if visits:
            row += [str(opinion.visits), Number(opinion.prior or 0, ".1%")]
        rows.append(row)
    screen.table(rows, ["bold green", *[""] * (len(rows) - 2)], right=tuple(range(1, len(columns))))


def worth(opinion: Candidate) -> Number:
    """Returns the win probability, or the value if it is unknown."""
    return Number(opinion.value, "+.2f") if opinion.win_chance is None else Number(opinion.win_chance, ".1%")


def as_row(opinion: Candidate) -> dict[str, Any]:
    """Returns a candidate as a JSON-compatible dictionary, without unknown fields."""
    return {key: value for key, value in dataclasses.asdict(opinion).items() if value is not None}
