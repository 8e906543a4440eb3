"""Lessons: an interactive path from the first move to schools.

`path.json` lists the lessons and their steps: a position, a throw and a question. The words are in the messages
`trictrac.lesson.<lesson>.<step>`; the engine fills in their numbers and works out the right answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tablier._core import Game, State
from tablier._core.trictrac import LEAVE, is_move, outcome, parts
from tablier.games.exercise import Exercise, Lesson
from tablier.games.home import Facts
from tablier.games.trictrac import scene
from tablier.games.trictrac.lessons.drawn import board
from tablier.games.trictrac.plays import plays
from tablier.games.trictrac.position import Position
from tablier.games.trictrac.sides import holes_of, points_of
from tablier.messages import Message, Text
from tablier.registry import load_game

PATH = Path(__file__).with_name("path.json")
MOST_POINTS, MOST_HOLES = 16, 4
"""The largest answers offered; a larger right answer extends the list."""
HOLD, AWAY = 0, 1
NOBODY, YOU, OPPONENT, BOTH = range(4)
WHO = ("nobody", "you", "opponent", "both")
GAME = "trictrac"


@dataclass(frozen=True)
class Throw:
    """A position, the throw, and the position after it."""

    before: State
    after: State
    outcome: int

    @classmethod
    def of(cls, step: Mapping[str, Any], game: Game) -> Throw:
        """Sets up the position of a step; the person is White, and `player` is the one who throws."""
        player = step.get("player", 0)
        men = board(step["board"])
        given = ("points", "holes", "points_run", "throws")
        facts: dict[str, Any] = {name: tuple(step[name]) for name in given if name in step}
        placed = Position(men if player == 0 else [-n for n in reversed(men)], player=player, **facts)
        before, dice = placed.state(game), outcome(*step["dice"])
        return cls(before, before.child(dice), dice)

    @property
    def player(self) -> int:
        """The player who threw."""
        return parts(self.before).player

    @property
    def due(self) -> tuple[int, int]:
        """The points of the throw, for the player who threw and for the other."""
        return parts(self.after).due

    @property
    def holes(self) -> int:
        """The holes that the throw wins for the player who threw."""
        return parts(self.after).holes[self.player] - parts(self.before).holes[self.player]

    @property
    def left(self) -> int:
        """The points of the player who threw, once they are marked."""
        return parts(self.after).points[self.player]

    def unmarked(self) -> Facts:
        """Returns the scene with the dice on the board and the points not yet marked."""
        thrown: Facts = {"player": self.player, "dice": parts(self.after).dice, "jans": []}
        shown = scene.scene(self.before, scene.Memory(thrown))
        return shown | {"dice": thrown["dice"], "stage": "mark"}


def numbers(throw: Throw, step: Mapping[str, Any]) -> dict[str, int]:
    """Returns the numbers that the words of a step can use, from the engine."""
    first, second = parts(throw.after).dice
    mine, theirs = throw.due
    marked = step.get("marked", 0)
    return {
        "a": first,
        "b": second,
        "sum": first + second,
        "points": mine,
        "theirs": theirs,
        "holes": throw.holes,
        "left": throw.left,
        "marked": marked,
        "school": abs(mine - marked),
        "behind": sum(max(n, 0) for n in parts(throw.before).board_from(throw.player)[:6]),
    }


def move_answers(throw: Throw, step: Mapping[str, Any]) -> frozenset[int]:
    """Returns the moves that lead to a position that the step asks for; without a wish, every move."""
    state = throw.after
    legal = frozenset(action for action in state.legal_actions() if is_move(action))
    if not (wanted := step.get("plays")):
        return legal
    now = parts(state)
    found = {play.moves: play.action for play in plays(now.board_from(now.player), now.dice)}
    asked = {tuple(sorted(map(tuple, moves))) for moves in wanted}
    return frozenset(action for moves, action in found.items() if tuple(sorted(moves)) in asked)


def _amounts(words: Callable[[int], Text], most: int, step: int, right: int) -> dict[int, Text]:
    return {amount: words(amount) for amount in range(0, max(most, right) + step, step)}


def _points_marked(throw: Throw, step: Mapping[str, Any]) -> tuple[dict[int, Text], int]:
    right = throw.due[0]
    return _amounts(points_of, MOST_POINTS, 2, right), right


def _points_given(throw: Throw, step: Mapping[str, Any]) -> tuple[dict[int, Text], int]:
    right = throw.due[1]
    return _amounts(points_of, MOST_POINTS // 2, 2, right), right


def _holes_won(throw: Throw, step: Mapping[str, Any]) -> tuple[dict[int, Text], int]:
    return _amounts(holes_of, MOST_HOLES, 1, throw.holes), throw.holes


def _points_left(throw: Throw, step: Mapping[str, Any]) -> tuple[dict[int, Text], int]:
    return _amounts(points_of, 10, 2, throw.left), throw.left


def _who_marks(throw: Throw, step: Mapping[str, Any]) -> tuple[dict[int, Text], int]:
    mine, theirs = throw.due
    names: dict[int, Text] = {n: Message(f"trictrac.lesson.who.{name}") for n, name in enumerate(WHO)}
    return names, (YOU if mine else NOBODY) + (OPPONENT if theirs else NOBODY)


def _hold_or_leave(throw: Throw, step: Mapping[str, Any]) -> tuple[dict[int, Text], int]:
    if LEAVE not in throw.after.legal_actions():
        raise ValueError(f"step {step['name']}: the throw does not offer to hold or leave")
    names: dict[int, Text] = {HOLD: Message("trictrac.lesson.hold"), AWAY: Message("trictrac.lesson.leave")}
    return names, {"hold": HOLD, "leave": AWAY}[step["right"]]


def _school(throw: Throw, step: Mapping[str, Any]) -> tuple[dict[int, Text], int]:
    right = abs(throw.due[0] - step["marked"])
    return _amounts(lambda n: Message("trictrac.lesson.claim", n=n) if n else _NO_CLAIM, 10, 2, right), right


_NO_CLAIM = Message("trictrac.lesson.no_claim")

PICKS = {
    "points": _points_marked,
    "theirs": _points_given,
    "holes": _holes_won,
    "left": _points_left,
    "who": _who_marks,
    "leave": _hold_or_leave,
    "school": _school,
}
"""What a step can ask, besides a move: returns the answers offered and the right one."""

SCORES = ("holes", "left", "leave")
"""The questions for which the score matters."""


def exercise(lesson: str, step: Mapping[str, Any], game: Game) -> Exercise:
    """Builds the exercise of a step.

    Raises:
        ValueError: no game can reach the position, or it does not fit the question.
    """
    throw, asked = Throw.of(step, game), step["ask"]
    key, said = f"trictrac.lesson.{lesson}.{step['name']}", numbers(throw, step)
    words = {name: Message(f"{key}.{name}", **said) for name in ("ask", "why", "hint")}
    thrown, memory = scene.log(throw.before, throw.outcome, throw.after, scene.Memory())
    if asked == "move":
        shown = scene.scene(throw.after, memory)
        right = move_answers(throw, step)
        return Exercise(step["name"], throw.after, "move", words["ask"], right, shown, thrown, **_told(words))
    options, answer = PICKS[asked](throw, step)
    shown = scene.scene(throw.after, memory) if asked == "leave" else throw.unmarked()
    told = _told(words) | {"score": asked in SCORES}
    right = frozenset({answer})
    return Exercise(step["name"], throw.after, "pick", words["ask"], right, shown, thrown, options, **told)


def _told(words: Mapping[str, Message]) -> dict[str, Any]:
    return {name: words[name] for name in ("why", "hint")}


def raw() -> list[dict[str, Any]]:
    """Reads `path.json`."""
    found: list[dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))
    return found


@cache
def lessons() -> tuple[Lesson, ...]:
    """Returns the lessons in the order of the path."""
    game = load_game(GAME)
    return tuple(
        Lesson(
            name=(name := one["name"]),
            title=Message(f"trictrac.lesson.{name}.title"),
            about=Message(f"trictrac.lesson.{name}.about"),
            steps=tuple(exercise(name, step, game) for step in one["steps"]),
        )
        for one in raw()
    )
