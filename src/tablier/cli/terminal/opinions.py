"""Opinions as a table for people, and as rows for programs."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from tablier.cli.terminal.phrases import phrase
from tablier.cli.terminal.screen import Screen
from tablier.players import Opinion


def show_opinions(screen: Screen, opinions: Sequence[Opinion], lang: str = "en") -> None:
    """A table: the move, how often it wins (or its value), what the next throw brings, visits and priors if known."""
    chance = opinions[0].win_chance is not None
    heading = [phrase(lang, "move"), phrase(lang, "chance" if chance else "value")]
    points = any(opinion.points for opinion in opinions)
    visits = opinions[0].visits is not None
    heading += [phrase(lang, "points")] * points + [phrase(lang, "visits"), phrase(lang, "prior")] * visits
    rows = [heading]
    for opinion in opinions:
        worth = f"{opinion.win_chance:.1%}" if opinion.win_chance is not None else f"{opinion.value:+.2f}"
        row = [opinion.text, worth]
        if points:
            row.append(f"{opinion.points or 0:+.1f}")
        if visits:
            row += [str(opinion.visits), f"{opinion.prior or 0:.1%}"]
        rows.append(row)
    screen.table(rows, ["bold green", *[""] * (len(rows) - 2)], right=tuple(range(1, len(heading))))


def as_row(opinion: Opinion) -> dict[str, Any]:
    """An opinion for JSON, without what is not known."""
    return {key: value for key, value in dataclasses.asdict(opinion).items() if value is not None}
