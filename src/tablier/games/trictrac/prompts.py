"""Prompts, choices and help for players at a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tablier._core import Game, State, trictrac
from tablier._core.trictrac import LEAVE, MOST_DECLARED, SchoolStep, Stage
from tablier.games.trictrac.actions import action_text
from tablier.games.trictrac.sides import side_name
from tablier.messages import Message, Text

_AGAINST_OTHER = SchoolStep.CLAIM_AGAINST_OTHER
_SECTIONS = Path(__file__).parent / "page" / "sections.json"


def prompt(state: State) -> Text:
    """Returns the throw and the decision that the player to move has to take."""
    parts = trictrac.parts(state)
    side = parts.seats[state.current_player()]
    if parts.dice == (0, 0):
        return Message("trictrac.prompt.dice", who=side_name(side))
    dice = f"{parts.dice[0]}-{parts.dice[1]}"
    asked = Message("trictrac.prompt", who=side_name(side), dice=dice)
    if side != parts.player:
        asked = Message("trictrac.prompt.after", who=side_name(side), other=side_name(parts.player), dice=dice)
    if parts.school == SchoolStep.DECLARE:
        return Message("trictrac.prompt.mark", asked=asked)
    if parts.school == SchoolStep.DECIDE_FILLING:
        return Message("trictrac.prompt.fill", asked=asked)
    if parts.school:
        against_other = (
            parts.school == _AGAINST_OTHER
        )  # the claim is against the mover's opponent, else against the mover
        accused = side_name(parts.player ^ against_other)
        points = parts.declared[against_other]
        return Message("trictrac.prompt.claim", asked=asked, accused=accused, points=points)
    return Message("trictrac.prompt.hold_or_leave", asked=asked) if parts.stage == Stage.HOLD_OR_GO else asked


def choices(state: State) -> list[tuple[Text, Text]]:
    """Returns what can be typed and what it means: numbered plays or, with schools, declarations and claims."""
    legal, school = state.legal_actions(), trictrac.parts(state).school
    if school == SchoolStep.DECLARE:
        return [(f"0, 2, 4 ... {MOST_DECLARED}", Message("trictrac.choice.points"))]
    if school == SchoolStep.DECIDE_FILLING:
        return [
            (Message("trictrac.word.fill"), Message("trictrac.action.fill")),
            (Message("trictrac.word.nothing"), Message("trictrac.action.let_stand")),
        ]
    if school:
        return [
            (Message("trictrac.word.nothing"), Message("trictrac.choice.nothing")),
            (Message("trictrac.word.correct"), Message("trictrac.choice.correct")),
            (f"2, 4 ... {MOST_DECLARED}", Message("trictrac.choice.claim")),
        ]
    moves = [action for action in legal if action != LEAVE]
    listed: list[tuple[Text, Text]] = [
        (str(number), action_text(state, action)) for number, action in enumerate(moves, 1)
    ]
    leave: tuple[Text, Text] = (Message("trictrac.action.leave"), Message("trictrac.choice.leave"))
    return [leave, *listed] if LEAVE in legal else listed


def summary(game: Game) -> Text:
    """Returns a summary of the rules, with the goal under the game's options."""
    options = game.options()
    scored = "marques" in options
    goal = (
        Message("trictrac.goal.marques") if scored else Message("trictrac.goal.holes", n=int(options["holes_to_win"]))
    )
    return Message("trictrac.help", goal=goal)


def typing_help(game: Game) -> list[Text]:
    """Where to read more, and what can be typed under the game's options."""
    schools = [Message("trictrac.help.schools")] if game.options()["schools"] else []
    return [Message("trictrac.help.more"), "", Message("trictrac.help.typing"), *schools]


def rules() -> Iterator[tuple[Text, list[Text]]]:
    """Yields the sections of the rules, each with its heading and text."""
    for name in _section_names():
        yield Message(f"trictrac.rules.{name}.title"), [Message(f"trictrac.rules.{name}")]


@cache
def _section_names() -> list[str]:
    """Returns the sections in the order of the web page."""
    sections = json.loads(_SECTIONS.read_text(encoding="utf-8"))
    return [section["name"] for section in sections]
