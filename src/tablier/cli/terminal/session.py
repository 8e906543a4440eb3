"""The conversation of `tablier play`: shows the board, reads what a person types, tells what happens."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

from tablier import records
from tablier._core import State, trictrac
from tablier.analysis import candidates, default_analyst, make_analyst
from tablier.cli.terminal.opinions import show_opinions
from tablier.cli.terminal.phrases import COMMANDS, HELP, SCHOOLS_HELP, TRICTRAC_HELP, phrase
from tablier.cli.terminal.rules import in_full, in_short
from tablier.cli.terminal.screen import Screen, Segment
from tablier.cli.terminal.table import Table
from tablier.cli.terminal.tellers import Teller, TrictracTeller, marking
from tablier.games import home_of
from tablier.games.trictrac.record import GAMES as TRICTRAC
from tablier.players import Player

HINTS = 5


class Session:
    """One game between a terminal and whoever sits on the other side."""

    def __init__(self, table: Table, teller: Teller, screen: Screen, names: list[str], lang: str = "en") -> None:
        self.table, self.teller, self.screen, self.lang = table, teller, screen, lang
        self._names = names
        self._people = [seat for seat, player in enumerate(table.players) if player is None]
        self._analyst: Player | None = None
        self._saved: tuple[Path, list[int]] | None = None
        self._shown: State | None = None  # the board that was drawn last,
        self._at = -1  # after how many actions,
        self._drawn: list[list[Segment]] = []  # and what it looked like

    def run(self) -> int:
        """Plays to the end, or until the person has enough; returns the exit code."""
        try:
            while self._go_on():
                pass
        except EOFError:
            self.screen.line()
            self._farewell()
        except KeyboardInterrupt:
            self.screen.line()
            self._farewell()
            return 130
        return 0

    def _go_on(self) -> bool:
        state = self.table.state
        if state.is_terminal():
            return self._after_the_end()
        if state.is_chance_node():
            self._step(self.table.throw())
            return True
        player, legal = self.table.players[state.current_player()], state.legal_actions()
        if player is not None:
            self._step(player.choose(state))
        elif len(legal) == 1:
            self._step(legal[0], forced=True)
        else:
            return self._decide()
        return True

    def _step(self, action: int, forced: bool = False) -> None:
        before = self.table.state
        self.table.play(action)
        viewer = self._people[0] if len(self._people) == 1 else None
        text = self.teller.tell(before, action, self.table.state, viewer)
        self.screen.text(f"{text} {phrase(self.lang, 'only')}" if forced else text)

    def _viewer(self) -> int:
        """From whose side the board is seen: the person's, of several his who is to move."""
        player = self.table.state.current_player()
        return player if player in self._people else self._people[0] if self._people else 0

    def _show(self, again: bool = True) -> None:
        """Draws the board; if not `again`, only when it looks otherwise than before: marking moves no man."""
        state = self.table.state
        drawn = self.teller.board(state, self._viewer(), None, self.screen.colour)
        if again or drawn != self._drawn:
            before = self._shown if len(self._people) == 1 else None
            self.screen.line()
            for line in self.teller.board(state, self._viewer(), before, self.screen.colour):
                self.screen.line(*line)
            self._shown, self._drawn = state, drawn
        self._at = len(self.table.actions)

    # --- what a person types ------------------------------------------------------------------------------------------

    def _decide(self) -> bool:
        if self._at != len(self.table.actions):
            self._show(again=False)
            if not isinstance(self.teller, TrictracTeller):
                self._list()
        typed = self._ask(self.teller.prompt(self.table.state))
        outcome = self._command(typed)
        if outcome is None:
            try:
                action = self.teller.read(self.table.state, typed)
            except ValueError as error:
                self._complain(str(error))
            else:
                self._step(action)
        return outcome is not False

    def _after_the_end(self) -> bool:
        if self._at != len(self.table.actions):
            self._show()
            self.screen.line((self.teller.result(self.table.state), "bold"))
        try:
            typed = self._ask(phrase(self.lang, "over prompt"))
        except EOFError:
            return False
        if not typed:
            return False
        outcome = self._command(typed)
        if outcome is None:
            self._complain(phrase(self.lang, "over prompt"))
        return outcome is not False

    def _command(self, typed: str) -> bool | None:
        """Does a command; None if it is none, False if the person has enough."""
        word, _, rest = typed.strip().partition(" ")
        name = next((name for name, words in COMMANDS.items() if word.lower() in words), None)
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

    def _ask(self, prompt: str) -> str:
        if sys.stdin.isatty():
            return input(f"{prompt} > ").strip()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self.screen.line(f"{prompt} > {line.strip()}")  # so that what is written reads like the conversation it was
        return line.strip()

    def _complain(self, text: str) -> None:
        self.screen.text(text, "yellow", indent="  ")

    def _help(self) -> None:
        game = self.table.game
        if game.name in TRICTRAC:
            for paragraph in in_short(game.name, game.options(), self.lang):
                self.screen.text(paragraph, indent="  ")
            self.screen.line()
        words = TRICTRAC_HELP[self.lang] if game.name in TRICTRAC else game.help()
        if game.options().get("schools"):
            words += f"\n{SCHOOLS_HELP[self.lang]}"
        for line in f"{words}\n{HELP[self.lang]}".splitlines():
            if game.name in TRICTRAC or not line.startswith((*COMMANDS["why"], *COMMANDS["rules"])):
                table = re.match(r" *\S+( \S+)*  +", line)
                self.screen.text(line, indent="  ", hanging=" " * (2 + len(table.group()) if table else 2))

    def _rules(self) -> None:
        if self.table.game.name not in TRICTRAC:
            for line in self.table.game.help().splitlines():
                self.screen.text(line, indent="  ")
            return
        for title, paragraphs in in_full(self.lang):
            self.screen.line()
            if title:
                self.screen.line((f"  {title}", "bold"))
            for paragraph in paragraphs:
                self.screen.text(paragraph, indent="  ")

    def _list(self) -> None:
        if self.table.state.is_terminal():
            return
        choices = self.teller.choices(self.table.state)
        cells = [f"{typed:>3}  {meaning}" for typed, meaning in choices]
        width = max(map(len, cells)) + 3
        columns = max(1, min(4, ((self.screen.width or 80) - 4) // width)) if len(cells) > 6 else 1
        rows = -(-len(cells) // columns)
        for row in range(rows):
            self.screen.line("  " + "".join(cell.ljust(width) for cell in cells[row::rows]))

    def _hint(self) -> None:
        if self.table.state.is_terminal():
            return
        if self._analyst is None:
            self._analyst = make_analyst(self.table.game, default_analyst(self.table.game))  # who waits wants it soon
        opinions = candidates(self.table.state, self._analyst)
        if not home_of(self.table.game).is_judged(self.table.state):
            self.screen.line(
                f"  {marking(opinions[0].action, self.lang)}"
            )  # there is a right answer and nothing to weigh
        else:
            show_opinions(self.screen, opinions[:HINTS], self.lang)

    def _count(self, word: str, text: str) -> int | None:
        """The number after a word, 1 if there is none; None, and a complaint, if that is no number."""
        number = text.strip() or "1"
        if number.isdecimal() and int(number[:9]) > 0:
            return int(number[:9])
        self._complain(phrase(self.lang, "no number", word, number))
        return None

    def _undo(self, word: str, how_many: str) -> None:
        count = self._count(word, how_many)
        if count is None:
            return
        if not self.table.undo(count):
            there = len(self.table.decisions())
            self._complain(phrase(self.lang, "undo few", there, count) if there else phrase(self.lang, "no undo"))
            return
        self.screen.text(phrase(self.lang, "undone") if count == 1 else phrase(self.lang, "undone many", count))
        self._shown, self._at, self._drawn = None, -1, []

    def _why(self, word: str, which: str) -> None:
        """The last throw that brought points, or the `which`-last. With schools only throws that are over."""
        if self.table.game.name not in TRICTRAC:
            self._complain(phrase(self.lang, "no why here"))
            return
        states = self.table.states
        throws = [index + 1 for index, state in enumerate(states[:-1]) if state.is_chance_node()]
        ends = [*throws[1:], len(states)]
        if self.table.game.options()["schools"] and not self.table.state.is_terminal():
            throws = throws[:-1]
        scored = []
        for begin, end in zip(throws, ends, strict=False):
            steps = list(zip(states[begin : end - 1], self.table.actions[begin : end - 1], strict=True))
            if lines := self.teller.why(states[begin], steps):
                scored.append((states[begin], lines))
        if not scored:
            self._complain(phrase(self.lang, "no why"))
            return
        number = self._count(word, which)
        if number is None:
            return
        if number > len(scored):
            self._complain(phrase(self.lang, "why few", word, len(scored)))
            return
        state, lines = scored[-number]
        parts = trictrac.parts(state)
        who = ("White", "Black") if self.lang == "en" else ("Blanc", "Noir")
        self.screen.text(phrase(self.lang, "why throw", who[parts.player], *parts.dice), indent="  ")
        for line in lines:
            self.screen.text(line, indent="    ")

    # --- records and the end ------------------------------------------------------------------------------------------

    def _save(self, name: str) -> bool:
        if not name:
            self._complain(phrase(self.lang, "save how"))
            return False
        path = Path(name).expanduser()
        if path.exists() and (self._saved is None or self._saved[0] != path):
            self._complain(phrase(self.lang, "save exists", name))
            return False
        header = dict(zip(records.seat_keys(self.table.game), self._names, strict=True))
        header |= {"Date": date.today().isoformat(), "Seed": str(self.table.seed)}
        try:
            text = records.dump(self.table.game, self.table.actions, header, as_json=path.suffix == ".json")
            path.write_text(text)
        except (OSError, ValueError) as error:
            self._complain(f"{name}: {getattr(error, 'strerror', None) or error}")
            return False
        self._saved = (path, list(self.table.actions))
        self.screen.line(phrase(self.lang, "saved", name))  # commands are to be copied whole
        return True

    def _unsaved(self) -> bool:
        saved = self._saved is not None and self._saved[1] == self.table.actions
        return not (saved or self.table.state.is_terminal())

    def _leave_word(self) -> None:
        self.screen.text(phrase(self.lang, "not over" if self._unsaved() else "bye"))

    def _farewell(self) -> None:
        """Offers to save where there is somebody to answer."""
        if self._unsaved() and sys.stdin.isatty():
            try:
                name = input(f"{phrase(self.lang, 'save now')} > ").strip()
                if name and self._save(name):
                    return
            except (EOFError, KeyboardInterrupt):
                self.screen.line()
        self._leave_word()
