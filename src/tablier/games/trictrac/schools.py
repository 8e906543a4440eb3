"""What came of a throw that was marked and claimed by the players themselves (option `schools`; docs/rules.md, 13).

The engine settles claims (core/games/trictrac/schools.h); here is told who was right, so that people hear of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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

NAMES = {"en": ("White", "Black"), "fr": ("Blanc", "Noir")}
_SETTLING = (SchoolStep.CLAIM_AGAINST_OTHER, SchoolStep.CLAIM_AFTER_GO, SchoolStep.CLAIM_AFTER_WIN)

_PHRASES = {
    "right": (
        "{claimant} is right: {due} were due and {said} marked. {accused} keeps {keeps}, {claimant} marks {school}.",
        "{claimant} a raison : {due} étaient dus et {said} marqués. {accused} en garde {keeps}, "
        "{claimant} marque {school}.",
    ),
    "neglected": (
        "{claimant} is right: a filling was neglected. {accused} keeps {keeps}, {claimant} marks {school}.",
        "{claimant} a raison : on a omis de remplir. {accused} garde {keeps}, {claimant} marque {school}.",
    ),
    "wrong": (
        "{claimant} is wrong: {due} were due and {said} marked. {accused} marks {school} for the false school.",
        "{claimant} a tort : {due} étaient dus et {said} marqués. {accused} marque {school} pour la fausse école.",
    ),
    "too little": (
        "{claimant} is wrong: {due} were due and {said} marked, and a school is claimed whole. Nothing comes of it.",
        "{claimant} a tort : {due} étaient dus et {said} marqués, et une école se réclame entière. Il n'en est rien.",
    ),
    "corrected": ("{accused} marks {keeps}, as is due.", "{accused} marque {keeps}, comme il est dû."),
    "marked": ("{accused} marked {said}; {due} were due.", "{accused} a marqué {said} ; {due} étaient dus."),
}


@dataclass(frozen=True)
class Verdict:
    """What came of one claim."""

    kind: str
    """right, neglected, wrong, "too little" or corrected."""
    claimant: int
    """Whose claim it was: White 0, Black 1."""
    due: int
    said: int
    """What was due to the accused, and what he marked."""
    keeps: int
    """What he marks for the throw now that it is settled."""
    school: int
    """Points that the claimant marks if he is right, else the accused."""

    def text(self, lang: str = "en") -> str:
        """A sentence or two."""
        return _phrase(lang, self.kind, **{**vars(self), **_names(lang, 1 - self.claimant)})


def claimable(state: State) -> int:
    """The points of the school that may be claimed in this decision; 0: all is right."""
    parts = trictrac.parts(state)
    if parts.school == SchoolStep.CLAIM_AGAINST_OTHER:
        return abs(parts.due[1] - parts.declared[1])
    return _truth(state, parts)[3]


def verdicts(before: State, action: int) -> list[Verdict]:
    """The claims that an action settles: those of the throw, once the mover has said whether he claims anything."""
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


def marked(steps: Sequence[tuple[State, int]], lang: str = "en") -> list[str]:
    """How a throw was marked, from its steps (the states after the dice, and the action of each), a line each."""
    lines = []
    for state, action in steps:
        parts = trictrac.parts(state)
        if parts.school == SchoolStep.DECLARE:
            other = parts.stage != Stage.MARK_POINTS
            due, said = parts.due[other], trictrac.amount(action)
            if due or said:
                accused = parts.player ^ other
                lines.append(_phrase(lang, "marked", due=due, said=said, **_names(lang, accused)))
        lines += [verdict.text(lang) for verdict in verdicts(state, action)]
    return lines


def _truth(state: State, parts: Parts) -> tuple[int, int, int, int, bool]:
    """Of the mover: due, marked, entitled to, what the other wins by claiming it, whether he neglected to fill."""
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
    return [Verdict("wrong" if false else "too little", claimant, due, said, said, false)]


def _names(lang: str, accused: int) -> dict[str, str]:
    return {"accused": NAMES[lang][accused], "claimant": NAMES[lang][1 - accused]}


def _phrase(lang: str, key: str, **values: object) -> str:
    return _PHRASES[key][lang == "fr"].format(**values)
