"""Explains how a throw was marked and how claims were settled (option `schools`; docs/rules.md, 13).

The engine settles claims (core/games/trictrac/schools.h); this module explains the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tablier._core import State, trictrac
from tablier._core.trictrac import (
    CORRECT,
    CORRECTION_CLAIMED,
    NO_CLAIM,
    NOTHING_CLAIMED,
    Parts,
    SchoolStep,
    Stage,
)
from tablier.games.trictrac.sides import points_of, side_name
from tablier.messages import Message, Text

Kind = Literal["right", "neglected", "wrong", "too_much", "too_little", "corrected", "nothing_wrong"]
_SETTLING = (SchoolStep.CLAIM_AGAINST_OTHER, SchoolStep.CLAIM_AFTER_GO, SchoolStep.CLAIM_AFTER_WIN)


@dataclass(frozen=True)
class Verdict:
    """How a claim was settled."""

    kind: Kind
    claimant: int
    """The player who claimed: White 0, Black 1."""
    due: int
    """Points due to the accused."""
    said: int
    """Points the accused marked."""
    keeps: int
    """Points the accused keeps for the throw."""
    school: int
    """Points for the claimant if the claim is right, otherwise for the accused."""

    @property
    def text(self) -> Message:
        """The verdict in a sentence or two."""
        numbers: dict[str, Text | float] = {"due": self.due, "keeps": self.keeps, "school": self.school}
        numbers["said"] = points_of(self.said)
        return Message(f"trictrac.school.{self.kind}", **_sides(1 - self.claimant), **numbers)


def claimable(state: State) -> int:
    """Returns the points that the player to move can rightfully claim; 0 if the marking is correct."""
    parts = trictrac.parts(state)
    if parts.school == SchoolStep.CLAIM_AGAINST_OTHER:
        return abs(parts.due[1] - parts.declared[1])
    return _truth(state, parts)[3]


def automatic(state: State) -> int | None:
    """Returns the empty marking or claim for a throw that gives nobody points; None if a player has to be asked."""
    if state.current_player() < 0:
        return None
    parts = trictrac.parts(state)
    if any(parts.due) or any(parts.declared) or parts.claim not in (0, NOTHING_CLAIMED):
        return None
    return {
        SchoolStep.DECLARE: trictrac.declaration(0),
        SchoolStep.CLAIM_AGAINST_MOVER: NO_CLAIM,
        SchoolStep.CLAIM_AGAINST_OTHER: NO_CLAIM,
    }.get(parts.school)


def verdicts(before: State, action: int) -> list[Verdict]:
    """Returns the verdicts on the claims that an action settles: both players' claims on the throw, or none."""
    parts = trictrac.parts(before)
    school, mover = parts.school, parts.player
    if school not in _SETTLING:
        return []
    said_so = {NO_CLAIM: NOTHING_CLAIMED, CORRECT: CORRECTION_CLAIMED}
    claim = said_so.get(action, trictrac.amount(action))
    if school != SchoolStep.CLAIM_AGAINST_OTHER:
        return _judged(claim, 1 - mover, *_truth(before, parts))
    due, said = parts.due[1], parts.declared[1]
    own = _judged(parts.claim, 1 - mover, *_truth(before, parts))
    return own + _judged(claim, mover, due, said, due, abs(due - said), False)


def marked(steps: Sequence[tuple[State, int]]) -> list[Text]:
    """Describes how a throw was marked, one line per marking and claim.

    Args:
        steps: the states since the throw, each with the action taken in it.
    """
    lines: list[Text] = []
    for state, action in steps:
        parts = trictrac.parts(state)
        if parts.school == SchoolStep.DECLARE:
            other = parts.stage != Stage.MARK_POINTS
            due, said = parts.due[other], trictrac.amount(action)
            if due or said:
                accused = side_name(parts.player ^ other)
                lines.append(Message("trictrac.school.marked", accused=accused, due=due, said=said))
        lines += [verdict.text for verdict in verdicts(state, action)]
    return lines


def _truth(state: State, parts: Parts) -> tuple[int, int, int, int, bool]:
    """Returns the mover's points due, marked and deserved, the correct claim, and whether a filling was neglected."""
    due, said, fill = parts.due[0], parts.declared[0], parts.fill_due
    if not parts.failed:
        return due, said, due, abs(due - said), False
    entitled = due - fill
    if said <= entitled:
        return due, said, entitled, due - said, True
    double = state.get_game().options()["fill_school"] == "double"
    return due, said, entitled, said - entitled + (fill if double else 0), True


def _judged(
    claim: int, claimant: int, due: int, said: int, entitled: int, school: int, neglected: bool
) -> list[Verdict]:
    if claim == NOTHING_CLAIMED:
        return []
    if claim == CORRECTION_CLAIMED:
        kind: Kind = "nothing_wrong" if said == entitled else "corrected"
        return [Verdict(kind, claimant, due, said, entitled, 0)]
    if school and claim == school:
        return [Verdict("neglected" if neglected else "right", claimant, due, said, min(said, entitled), school)]
    false = max(0, claim - school)
    kind = "too_little" if not false else "too_much" if school else "wrong"
    return [Verdict(kind, claimant, due, said, said, false)]


def _sides(accused: int) -> dict[str, Text]:
    return {"accused": side_name(accused), "claimant": side_name(1 - accused)}
