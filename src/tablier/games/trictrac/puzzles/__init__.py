"""Puzzles: throws to count, plays to find, whether to hold or leave, and positions from books.

`tools/make_puzzles.py` writes `puzzles.json`. Throws are counted by the engine when they are shown. Plays and choices
come with what each answer loses, from rollouts.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from tablier._core import State
from tablier._core.trictrac import LEAVE, parts
from tablier.games.exercise import Exercise, Puzzle, PuzzleSet
from tablier.games.home import Facts
from tablier.games.trictrac import scene, telling
from tablier.games.trictrac.lessons import AWAY, HOLD, PICKS, Throw
from tablier.games.trictrac.sides import side_name
from tablier.messages import Message, Text
from tablier.registry import load_game

FILE = Path(__file__).with_name("puzzles.json")
SETS = ("count", "play", "leave", "book")
GAME = "trictrac"
GOOD_ENOUGH = 0.005
"""A move that loses less than this is accepted."""


def raw() -> dict[str, Any]:
    """Reads `puzzles.json`."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


@cache
def puzzle_sets() -> tuple[PuzzleSet, ...]:
    """Returns the puzzles by kind, the easiest of each kind first."""
    rows = raw()
    return tuple(
        PuzzleSet(
            name=kind,
            title=Message(f"trictrac.puzzle.{kind}.title"),
            about=Message(f"trictrac.puzzle.{kind}.about"),
            puzzles=tuple(_puzzle(kind, number, row) for number, row in enumerate(rows[kind], 1)),
        )
        for kind in SETS
    )


def _puzzle(kind: str, number: int, row: Mapping[str, Any]) -> Puzzle:
    name = f"{kind}-{number}"
    make = _count if "board" in row else partial(_decision, kind)
    return Puzzle(name, row["level"], partial(make, name, row))


def _count(name: str, row: Mapping[str, Any]) -> Exercise:
    throw = Throw.of(row, load_game(GAME))
    options, answer = PICKS["points"](throw, row)
    line, _ = scene.log(throw.before, throw.outcome, throw.after, scene.Memory())
    first, second = row["dice"]
    return Exercise(
        name=name,
        state=throw.after,
        question="pick",
        ask=Message("trictrac.puzzle.count.ask", first=first, second=second),
        right=frozenset({answer}),
        scene=throw.unmarked(),
        thrown=line,
        options=options,
        source=row.get("source", ""),
    )


def _decision(kind: str, name: str, row: Mapping[str, Any]) -> Exercise:
    state = load_game(GAME).deserialize(base64.b64decode(row["state"]))
    losses = {int(answer): loss for answer, loss in row["losses"].items()}
    who, (first, second) = parts(state).player, parts(state).dice
    thrown = _thrown(state)
    picks = kind == "leave"
    options: dict[int, Text] = {HOLD: Message("trictrac.lesson.hold"), AWAY: Message("trictrac.lesson.leave")}
    return Exercise(
        name=name,
        state=state,
        question="pick" if picks else "move",
        ask=Message(f"trictrac.puzzle.{kind}.ask", who=side_name(who), first=first, second=second),
        right=frozenset(answer for answer, loss in losses.items() if loss < GOOD_ENOUGH),
        scene=scene.scene(state, scene.Memory({key: thrown[key] for key in ("player", "dice", "jans")})),
        thrown=thrown,
        options=options if picks else {},
        viewer=who,
        score=True,
        losses=losses,
        actions={HOLD: row["hold"], AWAY: LEAVE} if picks else {},
    )


def _thrown(state: State) -> Facts:
    """Returns the log line of the throw on the board."""
    thrown = scene.throw_of(state)
    assert thrown is not None
    now = parts(state)
    line = {"kind": "throw", "colour": now.player, "text": telling.thrown(state)}
    return thrown | line | {"points": now.points, "holes": now.holes}
