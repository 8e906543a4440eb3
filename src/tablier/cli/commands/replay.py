"""`tablier replay`: a recorded game, step by step."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_json, add_lang, new_parser, read_record

if TYPE_CHECKING:
    from tablier._core import State
    from tablier.cli.terminal.screen import Screen
    from tablier.cli.terminal.tellers import Teller

EXAMPLE = """in a terminal: Enter goes on, b goes back, a number jumps to that step, q ends

example:
  tablier replay game.txt
  tablier replay game.txt --all --from 10 --to 20
  tablier replay game.txt --json"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "replay", "show a recorded game step by step", EXAMPLE)
    parser.add_argument("file", metavar="FILE", help="a record, as text or JSON")
    parser.add_argument("--all", action="store_true", help="all at once (as when the output is no terminal)")
    parser.add_argument("--from", dest="begin", type=int, default=0, metavar="STEP", help="begin there (default 0)")
    parser.add_argument("--to", dest="end", type=int, default=None, metavar="STEP", help="end there")
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier import records
    from tablier.cli.terminal.phrases import counted, phrase
    from tablier.cli.terminal.screen import Screen
    from tablier.cli.terminal.tellers import language, make_teller

    game, actions, header = read_record(args.file)
    states = [game.new_initial_state()]
    for action in actions:
        states.append(states[-1].child(action))
    last = len(actions) if args.end is None else args.end
    if not 0 <= args.begin <= last <= len(actions):
        raise ValueError(f"the record has the steps 0 to {len(actions)}; --from and --to lie between them")
    lang = language(args.lang)
    teller, screen = make_teller(game, lang), Screen()
    if args.json:
        steps = [_step(states, actions, step, teller) for step in range(args.begin, last + 1)]
        facts = {"game": game.name, "options": game.options(), "header": header, "steps": steps}
        print(json.dumps(facts, ensure_ascii=False))
        return 0
    seats = {key: teller.seat(seat) for seat, key in enumerate(records.seat_keys(game))}
    names = "".join(f", {seats.get(key, key)} {value}" for key, value in header.items())
    screen.text(phrase(lang, "steps", game.title, names, counted(lang, len(actions), "step")), "bold")
    shown = Replay(states, actions, teller, screen, lang)
    if args.all or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for step in range(args.begin, last + 1):
            shown.show(step)
    else:
        shown.walk(args.begin, last)
    return 0


def _step(states: list[State], actions: tuple[int, ...], step: int, teller: Teller) -> dict[str, Any]:
    told = teller.tell(states[step - 1], actions[step - 1], states[step]) if step else ""
    action = actions[step - 1] if step else None
    return {"step": step, "action": action, "text": told, "why": _why(states, step, teller), "state": str(states[step])}


def _why(states: list[State], step: int, teller: Teller) -> list[str]:
    """The reasons for the points of a throw that was just made."""
    return teller.why(states[step]) if step and states[step - 1].is_chance_node() else []


class Replay:
    """The steps of a game on a screen."""

    def __init__(
        self, states: list[State], actions: tuple[int, ...], teller: Teller, screen: Screen, lang: str
    ) -> None:
        self._states, self._actions, self._teller, self._screen, self._lang = states, actions, teller, screen, lang

    def show(self, step: int) -> None:
        """Tells a step; the board is drawn after moves, since the dice change nothing on it."""
        states, screen = self._states, self._screen
        if step:
            text = self._teller.tell(states[step - 1], self._actions[step - 1], states[step])
            screen.text(f"{step:>4}. {text}", hanging=" " * 6)
            for line in _why(states, step, self._teller):
                screen.text(line, indent=" " * 8)
        moved = step == 0 or not states[step - 1].is_chance_node()
        if moved or states[step].is_terminal():
            before = states[step - 1] if step else None
            for row in self._teller.board(states[step], 0, before, screen.colour):
                screen.line(*row)
        if states[step].is_terminal():
            screen.line((self._teller.result(states[step]), "bold"))

    def walk(self, step: int, last: int) -> None:
        """Shows steps as the person asks for them."""
        from tablier.cli.terminal.phrases import phrase

        self._screen.line((phrase(self._lang, "keys"), "dim"))
        self.show(step)
        first = step
        while True:
            try:
                typed = input(f"{phrase(self._lang, 'step of', step, last)} > ").strip().lower()
            except EOFError:
                return
            if typed in ("q", "quit"):
                return
            wanted = (
                int(typed)
                if typed.isdecimal() and len(typed) < 10
                else step + {"": 1, "b": -1, "back": -1}.get(typed, 0)
            )
            if wanted == step or not first <= wanted <= last:
                if typed == "" and step == last:
                    return
                self._screen.line((phrase(self._lang, "keys"), "dim"))
                continue
            step = wanted
            self.show(step)
