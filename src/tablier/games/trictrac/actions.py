"""Texts for actions: throws, moves in the mover's field numbers, choices, declarations and claims."""

from __future__ import annotations

from collections.abc import Sequence

from tablier._core import State
from tablier._core.trictrac import CLAIM, CORRECT, FILL, LEAVE, ROLL, SchoolStep, amount, is_move, parts, throw
from tablier.games.trictrac.sides import points_of
from tablier.games.trictrac.steps import OFF, steps
from tablier.messages import Message, Text


def action_text(state: State, action: int) -> Text:
    """Returns the text of a throw, a move ("1-5 1-3", "1-5-8", "22-off") or a choice."""
    if state.is_chance_node():
        first, second = throw(action)
        return Message("trictrac.action.dice", first=first, second=second)
    if is_move(action):
        return _move_text(state, action)
    if action in (ROLL, LEAVE):
        return Message("trictrac.action.roll" if action == ROLL else "trictrac.action.leave")
    return _marking_text(state, action)


def moves_text(moves: Sequence[tuple[int, int]], other_side: bool = False) -> Text:
    """Returns moves as text in the mover's field numbers, or in the opponent's; 25 is off the board."""
    shown = [(25 - start, 25 - end if end < OFF else end) if other_side else (start, end) for start, end in moves]
    return [path_text([start, end]) for start, end in shown]


def path_text(fields: Sequence[int]) -> Text:
    """Returns the path of a man from field to field as text; 0 and 25 are off the board."""
    if fields[-1] in (0, OFF):
        return Message("trictrac.action.off", fields="-".join(map(str, fields[:-1])))
    return "-".join(map(str, fields))


def _move_text(state: State, action: int) -> Text:
    paths: list[list[int]] = []
    for start, end, _ in steps(state, action):
        if paths and paths[-1][-1] == start:  # one man plays both numbers
            paths[-1].append(end)
        else:
            paths.append([start, end])
    return [path_text(path) for path in paths] or Message("trictrac.action.pass")


def _marking_text(state: State, action: int) -> Message:
    """Returns the text of a declaration, a claim or a decision on a filling (docs/rules.md, 13)."""
    if action < CLAIM:
        said = amount(action)
        points = points_of(said)
        return Message("trictrac.action.declare", points=points) if said else Message("trictrac.action.declare_nothing")
    if action < CORRECT:
        return Message("trictrac.action.claim", points=points_of(amount(action)))
    if action == CORRECT:
        return Message("trictrac.action.correct")
    if action == FILL:
        return Message("trictrac.action.fill")
    deciding = parts(state).school == SchoolStep.DECIDE_FILLING
    return Message("trictrac.action.let_stand" if deciding else "trictrac.action.claim_nothing")
