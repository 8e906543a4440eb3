"""Exercises: a position with a question and its right answers. Lessons and puzzles consist of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tablier._core import State
from tablier.messages import Text

Question = Literal["move", "pick"]
"""What the person does: make a move on the board, or pick one of the listed answers."""


@dataclass(frozen=True)
class Exercise:
    """A position with a question.

    An answer is an action of `state` if the question is `move`, otherwise one of the keys of `options`.
    """

    name: str
    """The name of the exercise, unique within its lesson or among the puzzles of a game."""
    state: State
    """The decision, after the throw."""
    question: Question
    ask: Text
    right: frozenset[int]
    """The right answers."""
    scene: Mapping[str, Any]
    """The scene to show with the question (`Home.scene`)."""
    thrown: Mapping[str, Any]
    """The log line of the throw (`Home.log`). It can give the answer away, so it is shown afterwards."""
    options: Mapping[int, Text] = field(default_factory=dict)
    """The answers to pick from."""
    viewer: int = 0
    """The seat of the person."""
    why: Text = ""
    """What a right answer teaches."""
    hint: Text = ""
    """Help after a wrong answer."""
    score: bool = False
    """Whether the score matters and is shown with the question."""
    source: Text = ""
    """Where the position is from."""
    losses: Mapping[int, float] = field(default_factory=dict)
    """What each answer loses compared with the best one, in win probability; empty if answers are simply right or
    wrong."""
    actions: Mapping[int, int] = field(default_factory=dict)
    """The actions that answers to pick stand for, if they do."""

    def action(self, answer: int) -> int | None:
        """Returns the action that an answer stands for, or None."""
        return answer if self.question == "move" else self.actions.get(answer)


@dataclass(frozen=True)
class Lesson:
    """A few exercises about one subject."""

    name: str
    title: Text
    about: Text
    steps: Sequence[Exercise]


@dataclass(frozen=True)
class Puzzle:
    """An exercise without help, in a set of its kind."""

    name: str
    """Unique among the puzzles of the game."""
    level: int
    """Its difficulty, from 1."""
    exercise: Callable[[], Exercise]
    """Builds the exercise."""


@dataclass(frozen=True)
class PuzzleSet:
    """Puzzles of one kind."""

    name: str
    title: Text
    about: Text
    puzzles: Sequence[Puzzle]
