"""The interactive session of `tablier play`: shows the board, reads moves and commands, reports what happens."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from tablier._core import State
from tablier.analysis import candidates, default_analyst, make_analyst
from tablier.cli.terminal.ongoing_game import OngoingGame
from tablier.cli.terminal.opinions import show_opinions
from tablier.cli.terminal.saving import SavedGame
from tablier.cli.terminal.screen import Screen
from tablier.games import Home, Segment
from tablier.messages import Message, MessageError, Text, accepted, reason_of, render
from tablier.players import Player

HINTS = 5
COMMANDS = ("help", "rules", "moves", "board", "hint", "undo", "why", "save", "quit")
"""Commands that can be typed instead of a move; `terminal.command.*` lists their names in each language."""


class Session:
    """One game played in a terminal."""

    def __init__(self, game: OngoingGame, home: Home, screen: Screen, names: list[str]) -> None:
        self.game, self.home, self.screen = game, home, screen
        self._people = [seat for seat, player in enumerate(game.players) if player is None]
        self._analyst: Player | None = None
        self._file = SavedGame(game, names)
        self._shown: State | None = None  # the state that was drawn last,
        self._at = -1  # after how many actions,
        self._drawn: list[list[Segment]] = []  # and what it looked like

    def run(self) -> int:
        """Plays until the game ends or the user quits; returns the exit code."""
        try:
            while self._advance():
                pass
        except EOFError:
            self.screen.line()
            self._farewell()
        except KeyboardInterrupt:
            self.screen.line()
            self._farewell()
            return 130
        return 0

    def _advance(self) -> bool:
        state = self.game.state
        if state.is_terminal():
            return self._after_the_end()
        if state.is_chance_node():
            self._step(self.game.throw())
            return True
        player, legal = self.game.players[state.current_player()], state.legal_actions()
        if player is not None:
            self._step(player.choose(state))
        elif len(legal) == 1:
            self._step(legal[0], forced=True)
        else:
            return self._decide()
        return True

    def _step(self, action: int, forced: bool = False) -> None:
        before = self.game.state
        self.game.play(action)
        viewer = self._people[0] if len(self._people) == 1 else None
        told = self.home.tell(before, action, self.game.state, viewer)
        self.screen.text([told, Message("terminal.only")] if forced else told)

    def _viewer(self) -> int:
        """Returns the player from whose side the board is shown: the person to move, or else the first person."""
        player = self.game.state.current_player()
        return player if player in self._people else self._people[0] if self._people else 0

    def _board(self, before: State | None) -> list[list[Segment]]:
        return self.home.board(self.game.state, self._viewer(), self.screen.lang, before, self.screen.colour)

    def _show(self, again: bool = True) -> None:
        """Draws the board; unless `again`, only if it has changed, since marking points moves no man."""
        drawn = self._board(None)
        if again or drawn != self._drawn:
            self.screen.line()
            for line in self._board(self._shown if len(self._people) == 1 else None):
                self.screen.line(*line)
            self._shown, self._drawn = self.game.state, drawn
        self._at = len(self.game.actions)

    # --- input --------------------------------------------------------------------------------------------------------

    def _decide(self) -> bool:
        if self._at != len(self.game.actions):
            self._show(again=False)
            if self.home.lists_choices:
                self._list()
        typed = self._ask(self.home.prompt(self.game.state))
        outcome = self._command(typed)
        if outcome is None:
            try:
                actions = self.home.read_turn(self.game.state, typed)
            except ValueError as error:
                self._complain(reason_of(error))
            else:
                for action in actions:
                    self._step(action)
        return outcome is not False

    def _after_the_end(self) -> bool:
        if self._at != len(self.game.actions):
            self._show()
            self.screen.text(self.home.result(self.game.state), "bold")
        try:
            typed = self._ask(Message("terminal.over"))
        except EOFError:
            return False
        if not typed:
            return False
        outcome = self._command(typed)
        if outcome is None:
            self._complain(Message("terminal.over"))
        return outcome is not False

    def _command(self, typed: str) -> bool | None:
        """Runs a command; returns None if the input is not one, False if the user quits."""
        word, _, rest = typed.strip().partition(" ")
        name = next((name for name in COMMANDS if word.lower() in accepted(f"terminal.command.{name}")), None)
        if name is None:
            return None
        if name == "quit":
            self._farewell()
            return False
        actions: dict[str, Callable[[], object]] = {
            "help": self._help,
            "rules": self._rules,
            "moves": self._list,
            "board": self._show,
            "hint": self._hint,
            "undo": lambda: self._undo(word, rest),
            "why": lambda: self._why(word, rest),
            "save": lambda: self._save(rest.strip()),
        }
        actions[name]()
        return True

    def _ask(self, prompt: Text) -> str:
        asked = f"{render(prompt, self.screen.lang)} > "
        if sys.stdin.isatty():
            return input(asked).strip()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self.screen.line(f"{asked}{line.strip()}")  # echo the input, so that the output reads like the session
        return line.strip()

    def _complain(self, text: Text) -> None:
        self.screen.text(text, "yellow", indent="  ")

    def _help(self) -> None:
        why = [Message("terminal.help.why")] if self.home.explains else []
        for text in [*self.home.help(), *why, Message("terminal.help")]:
            for line in render(text, self.screen.lang).split("\n\n"):
                columns = re.match(r" *\S+( \S+)*  +", line)
                self.screen.text(line, indent="  ", hanging=" " * (2 + len(columns.group()) if columns else 2))

    def _rules(self) -> None:
        for title, paragraphs in self.home.rules():
            self.screen.line()
            if title:
                self.screen.text(title, "bold", indent="  ")
            for paragraph in paragraphs:
                for part in render(paragraph, self.screen.lang).split("\n\n"):
                    self.screen.text(part, indent="  ")

    def _list(self) -> None:
        if self.game.state.is_terminal():
            return
        lang = self.screen.lang
        choices = [
            (render(typed, lang), render(meaning, lang)) for typed, meaning in self.home.choices(self.game.state)
        ]
        cells = [f"{typed:>3}  {meaning}" for typed, meaning in choices]
        width = max(map(len, cells)) + 3
        columns = max(1, min(4, ((self.screen.width or 80) - 4) // width)) if len(cells) > 6 else 1
        rows = -(-len(cells) // columns)
        for row in range(rows):
            self.screen.line("  " + "".join(cell.ljust(width) for cell in cells[row::rows]))

    def _hint(self) -> None:
        state = self.game.state
        if state.is_terminal():
            return
        if self._analyst is None:
            self._analyst = make_analyst(
                self.game.game, default_analyst(self.game.game)
            )  # the user is waiting: prefer a fast one
        opinions = candidates(state, self._analyst)
        if self.home.is_judged(state):
            show_opinions(self.screen, state, opinions[:HINTS])
        else:  # there is one right answer
            self.screen.text(self.home.action(state, opinions[0].action), indent="  ")

    def _count(self, word: str, text: str) -> int | None:
        """Parses the number after a command, 1 by default; complains and returns None if it is invalid."""
        number = text.strip() or "1"
        if number.isdecimal() and int(number[:9]) > 0:
            return int(number[:9])
        self._complain(Message("terminal.number", command=word, typed=number))
        return None

    def _undo(self, word: str, how_many: str) -> None:
        count = self._count(word, how_many)
        if count is None:
            return
        if not self.game.undo(count):
            there = len(self.game.decisions())
            few = Message("terminal.undo.few", n=there, wanted=count)
            self._complain(few if there else Message("terminal.undo.none"))
            return
        self.screen.say("terminal.undone", n=count)
        self._shown, self._at, self._drawn = None, -1, []

    def _why(self, word: str, which: str) -> None:
        """Explains the last throw that scored, or the `which`-th last."""
        if not self.home.explains:
            self._complain(Message("terminal.why.never"))
            return
        scored = self._scored()
        if not scored:
            self._complain(Message("terminal.why.none"))
            return
        number = self._count(word, which)
        if number is None:
            return
        if number > len(scored):
            self._complain(Message("terminal.why.few", command=word, most=len(scored)))
            return
        state, lines = scored[-number]
        self.screen.text(self.home.thrown(state), indent="  ")
        for line in lines:
            self.screen.text(line, indent="    ")

    def _scored(self) -> list[tuple[State, list[Text]]]:
        """Returns the throws that scored, with explanations, except one that is still secret."""
        states = self.game.states
        throws = [index + 1 for index, state in enumerate(states[:-1]) if state.is_chance_node()]
        ends = [*throws[1:], len(states)]
        if self.home.is_secret(self.game.state):
            throws = throws[:-1]
        scored = []
        for begin, end in zip(throws, ends, strict=False):
            steps = list(zip(states[begin : end - 1], self.game.actions[begin : end - 1], strict=True))
            if lines := self.home.why(states[begin], steps):
                scored.append((states[begin], lines))
        return scored

    # --- saving and quitting ------------------------------------------------------------------------------------------

    def _save(self, name: str) -> bool:
        try:
            self._file.save(name)
        except MessageError as error:
            self._complain(error.message)
            return False
        self.screen.line(
            render(Message("terminal.saved", file=name), self.screen.lang)
        )  # not wrapped, so that the command can be copied
        return True

    def _farewell(self) -> None:
        """Offers to save the game if stdin is a terminal."""
        unsaved = not (self._file.is_current() or self.game.state.is_terminal())
        if unsaved and sys.stdin.isatty():
            try:
                name = input(f"{render(Message('terminal.save.now'), self.screen.lang)} > ").strip()
                if name and self._save(name):
                    return
            except (EOFError, KeyboardInterrupt):
                self.screen.line()
        self.screen.say("terminal.not_saved" if unsaved else "terminal.bye")
