"""`tablier replay`: shows a recorded game step by step."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_json, add_lang, given_path, new_parser, read_record
from tablier.messages import Message, MessageError, Text, accepted, language, listed, render

if TYPE_CHECKING:
    from tablier._core import State
    from tablier.cli.terminal.screen import Screen
    from tablier.games import Home

EXAMPLE = """keys in a terminal: Enter for the next step, b for the previous one, a number to jump to a step, q to quit

example:
  tablier replay game.txt
  tablier replay game.txt --all --from 10 --to 20
  tablier replay game.txt --json"""
HEADINGS = {"Date": "terminal.replay.date", "Seed": "terminal.replay.seed"}
"""Header keys with a translated name."""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "replay", "show a recorded game step by step", EXAMPLE)
    parser.add_argument("file", type=given_path, metavar="FILE", help="game record, text or JSON")
    parser.add_argument(
        "--all", action="store_true", help="show all steps at once (always, if the output is not a terminal)"
    )
    parser.add_argument(
        "--from", dest="begin", type=int, default=0, metavar="STEP", help="first step to show (default 0)"
    )
    parser.add_argument(
        "--to",
        dest="end",
        type=int,
        default=None,
        metavar="STEP",
        help="last step to show (default: the last of the game)",
    )
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.cli.terminal.screen import Screen
    from tablier.games import home_of

    game, actions, header = read_record(args.file)
    last = len(actions) if args.end is None else args.end
    if not 0 <= args.begin <= last <= len(actions):
        raise MessageError.of("terminal.wrong.steps", last=len(actions))
    states = [game.new_initial_state()]
    for action in actions:
        states.append(states[-1].child(action))
    screen = Screen(language(args.lang))
    shown = Replay(states, actions, home_of(game), screen)
    if args.json:
        steps = [shown.facts(step) for step in range(args.begin, last + 1)]
        facts = {"game": game.name, "options": game.options(), "header": header, "steps": steps}
        print(json.dumps(facts, ensure_ascii=False))
        return 0
    shown.begin(header)
    if args.all or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for step in range(args.begin, last + 1):
            shown.show(step)
    else:
        shown.walk(args.begin, last)
    return 0


class Replay:
    """Shows the steps of a game on a screen."""

    def __init__(self, states: list[State], actions: tuple[int, ...], home: Home, screen: Screen) -> None:
        self._states, self._actions, self._home, self._screen = states, actions, home, screen

    def begin(self, header: Mapping[str, str]) -> None:
        """Shows the name of the game, its header and its length."""
        steps = Message("terminal.steps", n=len(self._actions))
        about = listed(self._home.title, *(self._heading(key, value) for key, value in header.items()))
        self._screen.text(Message("terminal.replay.begin", about=about, steps=steps), "bold")

    def _heading(self, key: str, value: str) -> Text:
        from tablier.cli.terminal.seating import player_name

        keys = self._home.seat_keys()
        if key in keys:
            side = self._home.side(keys.index(key))
            return Message("terminal.replay.header", name=side, value=player_name(value))
        return Message(HEADINGS[key], value=value) if key in HEADINGS else f"{key} {value}"

    def facts(self, step: int) -> dict[str, Any]:
        """Returns a step as a JSON-compatible dictionary."""
        state, lang = self._states[step], self._screen.lang
        why = [render(line, lang) for line in self._why(step)]
        action = self._actions[step - 1] if step else None
        return {"step": step, "action": action, "text": render(self._told(step), lang), "why": why, "state": str(state)}

    def show(self, step: int) -> None:
        """Shows a step; draws the board only after a move, because dice do not change it."""
        states, screen = self._states, self._screen
        if step:
            screen.text(self._told(step), indent=f"{step:>4}. ", hanging=" " * 6)
            for line in self._why(step):
                screen.text(line, indent=" " * 8)
        moved = step == 0 or not states[step - 1].is_chance_node()
        if moved or states[step].is_terminal():
            before = states[step - 1] if step else None
            for row in self._home.board(states[step], 0, screen.lang, before, screen.colour):
                screen.line(*row)
        if states[step].is_terminal():
            screen.text(self._home.result(states[step]), "bold")

    def walk(self, step: int, last: int) -> None:
        """Shows the steps interactively."""
        keys = Message("terminal.replay.keys")
        self._screen.text(keys, "dim")
        self.show(step)
        first = step
        while True:
            place = Message("terminal.replay.step_of", step=step, last=last)
            try:
                typed = input(f"{render(place, self._screen.lang)} > ").strip().lower()
            except EOFError:
                return
            if typed in accepted("terminal.command.quit") or (not typed and step == last):
                return
            wanted = _wanted(typed, step)
            if wanted == step or not first <= wanted <= last:
                self._screen.text(keys, "dim")
                continue
            step = wanted
            self.show(step)

    def _told(self, step: int) -> Text:
        states = self._states
        return self._home.tell(states[step - 1], self._actions[step - 1], states[step]) if step else ""

    def _why(self, step: int) -> list[Text]:
        """Returns the reasons for the points of a throw, if this step is one."""
        return self._home.why(self._states[step]) if step and self._states[step - 1].is_chance_node() else []


def _wanted(typed: str, step: int) -> int:
    """Returns the step to go to; the current one if the input is invalid."""
    if typed.isdecimal() and len(typed) < 10:
        return int(typed)
    if typed in accepted("terminal.command.back"):
        return step - 1
    return step if typed else step + 1
