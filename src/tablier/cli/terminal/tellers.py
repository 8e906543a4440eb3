"""How a game is shown and told to people, and how they say what they play: Trictrac its own way, the others alike."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Protocol

from tablier._core import Game, State, trictrac
from tablier._core.trictrac import CLAIM, CORRECT, FILL, LEAVE, NO_CLAIM, SchoolStep, Stage
from tablier.cli.terminal.phrases import phrase
from tablier.cli.terminal.screen import Segment
from tablier.games.trictrac.record import GAMES as TRICTRAC
from tablier.games.trictrac.schools import NAMES, marked
from tablier.games.trictrac.telling import moves_text, tell, why
from tablier.games.trictrac.terminal import board_lines, changed_fields
from tablier.games.trictrac.typed import read_move

HOLD_WORDS = ("hold", "tenir", "tiens")
LEAVE_WORDS = ("leave", "go", "s'en aller", "sen aller", "m'en vais")
NOTHING_WORDS = ("", "nothing", "none", "rien", "pass", "passe", "no", "non")


def language(given: str | None, environment: Mapping[str, str] | None = None) -> str:
    """`en` or `fr`: as asked for, else as the locale says."""
    if given:
        return given
    settings = os.environ if environment is None else environment
    locale = next((settings[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if settings.get(key)), "")
    return "fr" if locale.lower().startswith("fr") else "en"


def marking(action: int, lang: str) -> str:
    """What a player says about points, nearly as he types it."""
    if action < CLAIM:
        return phrase(lang, "mark so many", trictrac.amount(action))
    if action < CORRECT:
        return phrase(lang, "claim so many", trictrac.amount(action))
    return phrase(lang, "correct" if action == CORRECT else "nothing")


class Teller(Protocol):
    """What the commands ask of a game."""

    def seat(self, player: int) -> str:
        """What a seat is called."""
        ...

    def board(self, state: State, viewer: int, before: State | None, colour: bool) -> list[list[Segment]]:
        """The position in lines; what changed since `before` may be marked."""
        ...

    def tell(self, before: State, action: int, after: State, viewer: int | None = None) -> str:
        """What an action, or the dice, did."""
        ...

    def prompt(self, state: State) -> str:
        """What to ask a person for."""
        ...

    def choices(self, state: State) -> list[tuple[str, str]]:
        """What may be typed, and what it means."""
        ...

    def read(self, state: State, text: str) -> int:
        """The legal action that a text means; ValueError tells why there is none."""
        ...

    def why(self, state: State, steps: Sequence[tuple[State, int]] = ()) -> list[str]:
        """Why the throw on the board brings points, and how it was marked in the `steps` that followed, if it was."""
        ...

    def result(self, state: State) -> str:
        """How a game ended."""
        ...


def make_teller(game: Game, lang: str = "en") -> Teller:
    """The teller of a game."""
    return TrictracTeller(game, lang) if game.name in TRICTRAC else AnyTeller(lang)


class AnyTeller:
    """Tells any game by the texts that its states and actions have. Actions are named by their numbers."""

    def __init__(self, lang: str = "en") -> None:
        self._lang = lang

    def seat(self, player: int) -> str:
        """Seats are numbered."""
        return phrase(self._lang, "player", player)

    def board(self, state: State, viewer: int, before: State | None, colour: bool) -> list[list[Segment]]:
        """The state's text."""
        return [[(f"   {line}", "")] for line in str(state).splitlines()]

    def tell(self, before: State, action: int, after: State, viewer: int | None = None) -> str:
        """The action's text, and who played it."""
        text, player = before.action_to_string(action), before.current_player()
        return f"{text[0].upper()}{text[1:]}." if player < 0 else f"{self.seat(player).capitalize()}: {text}."

    def prompt(self, state: State) -> str:
        """Who is to move."""
        return self.seat(state.current_player())

    def choices(self, state: State) -> list[tuple[str, str]]:
        """The numbers of the actions and their texts."""
        return [(str(action), state.action_to_string(action)) for action in state.legal_actions()]

    def read(self, state: State, text: str) -> int:
        """A number, or a text, or the beginning of just one."""
        legal, wanted = state.legal_actions(), _plain(text)
        texts = {action: _plain(state.action_to_string(action)) for action in legal}
        if text.isdecimal() and int(text) in legal:
            return int(text)
        meant = [action for action in legal if wanted and texts[action] == wanted]
        meant = meant or [action for action in legal if wanted and texts[action].startswith(wanted)]
        if len(meant) != 1:
            raise ValueError(phrase(self._lang, "not a choice", text))
        return meant[0]

    def why(self, state: State, steps: Sequence[tuple[State, int]] = ()) -> list[str]:
        """Points need no reasons here."""
        return []

    def result(self, state: State) -> str:
        """Who has most."""
        returns = state.returns()
        best = [player for player, value in enumerate(returns) if value == max(returns)]
        if len(best) > 1:
            return phrase(self._lang, "drawn")
        return phrase(self._lang, "wins", self.seat(best[0]).capitalize())


class TrictracTeller:
    """Tells Trictrac in its own words, and reads moves as field numbers."""

    def __init__(self, game: Game, lang: str = "en") -> None:
        self._lang = lang
        self._schools = bool(game.options()["schools"])
        self._three = game.num_players() == 3

    def seat(self, player: int) -> str:
        """White and Black; three players are numbered."""
        return phrase(self._lang, "player", player) if self._three else NAMES[self._lang][player]

    def board(self, state: State, viewer: int, before: State | None, colour: bool) -> list[list[Segment]]:
        """The board from the viewer's side."""
        side = trictrac.parts(state).seats[viewer]
        side = side if side < 2 else 0
        marked = changed_fields(before, state, side) if before is not None else ()
        return board_lines(state, side, marked, colour, self._lang)

    def tell(self, before: State, action: int, after: State, viewer: int | None = None) -> str:
        """A sentence or two; the other's move also in the viewer's numbers."""
        text = tell(before, action, after, self._lang)
        player = before.current_player()
        parts = trictrac.parts(before)
        if viewer is None or player in (-1, viewer) or parts.school or action <= LEAVE:
            return text
        moves = moves_text(trictrac.moves(before, action), other_side=True)
        return f"{text} {phrase(self._lang, 'your side', moves)}" if moves else text

    def prompt(self, state: State) -> str:
        """Who has thrown what, and what he is asked for."""
        parts = trictrac.parts(state)
        name = NAMES[self._lang][parts.seats[state.current_player()]]
        dice, thrower = f"{parts.dice[0]}-{parts.dice[1]}", NAMES[self._lang][parts.player]
        asked = f"{name} {dice}" if name == thrower else phrase(self._lang, "after", name, thrower, dice)
        if parts.school:
            if parts.school in (SchoolStep.DECLARE, SchoolStep.DECIDE_FILLING):
                declaring = parts.school == SchoolStep.DECLARE
                return f"{asked}, {phrase(self._lang, 'how many' if declaring else 'filled')}"
            against = (
                parts.school == SchoolStep.CLAIM_AGAINST_OTHER
            )  # the claim: against the other of the mover, else against him
            accused = NAMES[self._lang][parts.player ^ against]
            return phrase(self._lang, "claim", asked, accused, parts.declared[against])
        return f"{asked}, {phrase(self._lang, 'hold or leave')}" if parts.stage == Stage.HOLD_OR_GO else asked

    def choices(self, state: State) -> list[tuple[str, str]]:
        """The plays, numbered; in schools what may be said."""
        legal = state.legal_actions()
        school = trictrac.parts(state).school
        if school == SchoolStep.DECLARE:
            return [("0, 2, 4 ... 126", phrase(self._lang, "points you mark"))]
        if school == SchoolStep.DECIDE_FILLING:
            return [(state.action_to_string(action), "") for action in legal]
        if school:
            return [
                (phrase(self._lang, "nothing"), phrase(self._lang, "nothing means")),
                (phrase(self._lang, "correct"), phrase(self._lang, "correct means")),
                ("2, 4 ... 126", phrase(self._lang, "claim means")),
            ]
        moves = [action for action in legal if action != LEAVE]
        listed = [(str(number), state.action_to_string(action)) for number, action in enumerate(moves, 1)]
        return ([(phrase(self._lang, "leave"), phrase(self._lang, "leave means"))] if LEAVE in legal else []) + listed

    def read(self, state: State, text: str) -> int:
        """Field numbers, the number of a listed play, `leave`; in schools points and claims."""
        words = " ".join(text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
        legal = state.legal_actions()
        if school := trictrac.parts(state).school:
            return self._read_school(school, words, legal)
        if words in LEAVE_WORDS:
            if LEAVE in legal:
                return LEAVE
            raise ValueError(phrase(self._lang, "cannot leave"))
        if words in HOLD_WORDS:
            raise ValueError(phrase(self._lang, "you hold" if LEAVE in legal else "nothing to hold"))
        number = words.removeprefix("#")
        if number.isdecimal():
            moves = [action for action in legal if action != LEAVE]
            if 1 <= int(number[:9]) <= len(moves):
                return moves[int(number) - 1]
            raise ValueError(phrase(self._lang, "not listed", len(moves)))
        try:
            return read_move(state, words, self._lang)
        except ValueError as error:
            raise ValueError(phrase(self._lang, "see moves", error)) from None

    def _read_school(self, school: SchoolStep, words: str, legal: list[int]) -> int:
        last = words.split(" ")[-1]
        if last.isdecimal():
            amount = int(last[:9])
            claim = trictrac.claim(amount) if amount else NO_CLAIM
            action = trictrac.declaration(amount) if school == SchoolStep.DECLARE else claim
            if amount % 2 == 0 and action in legal:
                return action
            raise ValueError(phrase(self._lang, "even"))
        if last in NOTHING_WORDS:
            return trictrac.declaration(0) if school == SchoolStep.DECLARE else NO_CLAIM
        if words.startswith("corr") or words.startswith("rect"):
            if CORRECT in legal:
                return CORRECT
        elif (words.startswith("fill") or words.startswith("rempl")) and FILL in legal:
            return FILL
        raise ValueError(phrase(self._lang, "not a school", words))

    def why(self, state: State, steps: Sequence[tuple[State, int]] = ()) -> list[str]:
        """The jans of the throw; with schools also what was marked and claimed."""
        return why(state, self._lang) + (marked(steps, self._lang) if self._schools else [])

    def result(self, state: State) -> str:
        """Who has won: the last sentence of the telling says it, so only the seats of the scored game are new."""
        parts = trictrac.parts(state)
        if parts.account:
            return ", ".join(f"{self.seat(player)} {tokens}" for player, tokens in enumerate(parts.account.tokens))
        return phrase(self._lang, "wins", NAMES[self._lang][parts.winner or 0])


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
