"""Proof that the dice were fixed before the game: a hash of their seed from the start, the seed itself at the end."""

from __future__ import annotations

import hashlib
from typing import Any

from tablier._core import Game

GIVEN = "given "
"""How seeds begin that the table's creator chose. A hash would not hide them, so there is none."""


def commitment(seed: str) -> str | None:
    """Returns the SHA-256 of a table's seed; None if the table has no secret seed."""
    return None if not seed or seed.startswith(GIVEN) else hashlib.sha256(seed.encode()).hexdigest()


def draw(seed: str, version: int, outcomes: int) -> int:
    """Returns which of the equally likely outcomes a seed gives at a version of the table.

    It is the SHA-256 of "<seed> <version>", read as a number, modulo the number of outcomes.
    """
    return int.from_bytes(hashlib.sha256(f"{seed} {version}".encode()).digest()) % outcomes


def first_stray(seed: str, rolls: list[dict[str, Any]]) -> int | None:
    """Returns the version of the first of a game's rolls that does not follow from a seed; None if all do."""
    for roll in rolls:
        if draw(seed, roll["version"], roll["outcomes"]) != roll["outcome"]:
            return int(roll["version"])
    return None


def rolls(game: Game, actions: list[int]) -> list[dict[str, Any]]:
    """Returns every roll of a game: its version, how many outcomes it had, and which one it was, counted from 0."""
    state, found = game.new_initial_state(), []
    for version, action in enumerate(actions):
        if state.is_chance_node():
            outcomes = state.legal_actions()
            found.append({"version": version, "outcomes": len(outcomes), "outcome": outcomes.index(action)})
        state = state.child(action)
    return found
