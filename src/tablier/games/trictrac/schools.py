"""What came of a throw that was marked and claimed by the players themselves (option `schools`; docs/rules.md, 13).

The engine settles claims (core/games/trictrac/schools.h); this module tells people who was right.
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
from tablier.games.trictrac.sides import side_name
from tablier.messages import Message, Text

_SETTLING = (SchoolStep.CLAIM_AGAINST_OTHER, SchoolStep.CLAIM_AFTER_GO, SchoolStep.CLAIM_AFTER_WIN)


@dataclass(frozen=True)
class Verdict:
    """What came of one claim."""

    kind: Literal["right", "neglected", "wrong", "too_little", "corrected"]
    claimant: int
    """Whose claim it was: White 0, Black 1."""
    due: int
    said: int
    """What was due to the accused, and what they marked."""
    keeps: int
    """What the accused marks for the throw now that it is settled."""
    school: int
    """Points for the claimant if they are right, else for the accused."""

    @property
    def text(self) -> Message:
        """A sentence or two."""
        numbers = {"due": self.due, "said": self.said, "keeps": self.keeps, "school": self.school}
        return Message(f"trictrac.school.{self.kind}", **_sides(1 - self.claimant), **numbers)


def claimable(state: State) -> int:
    """The points of the school that may be claimed in this decision; 0 if everything is right."""
    parts = trictrac.parts(state)
    if parts.school == SchoolStep.CLAIM_AGAINST_OTHER:
        return abs(parts.due[1] - parts.declared[1])
    return _truth(state, parts)[3]


def verdicts(before: State, action: int) -> list[Verdict]:
    """The claims that an action settles: those of the throw, once the mover has said whether they claim anything."""
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
    """How a throw was marked, from its steps (the states after the dice, and the action of each), a line each."""
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
    """Of the mover: due, marked, entitled to, what the other wins by claiming it, whether a filling was neglected."""
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
        return [Verdict("corrected", claimant, due, said, entitled, 0)]
    if school and claim == school:
        return [Verdict("neglected" if neglected else "right", claimant, due, said, min(said, entitled), school)]
    false = max(0, claim - school)
    return [Verdict("wrong" if false else "too_little", claimant, due, said, said, false)]


def _sides(accused: int) -> dict[str, Text]:
    return {"accused": side_name(accused), "claimant": side_name(1 - accused)}
