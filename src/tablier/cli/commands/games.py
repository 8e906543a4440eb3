"""`tablier games`: lists the games, their sizes and their options."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

import tablier
from tablier.cli.arguments import add_json, add_lang, new_parser
from tablier.messages import Message, Text, language

if TYPE_CHECKING:
    from tablier.cli.terminal.screen import Screen
    from tablier.games import Home

EXAMPLE = "example:\n  tablier games\n  tablier games pig\n  tablier games --json"


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "games", "list the games and their options", EXAMPLE)
    parser.add_argument("name", nargs="?", help="show only this game, with its full description")
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def facts(name: str) -> dict[str, Any]:
    """Returns the properties of a game as a JSON-compatible dictionary."""
    game = tablier.load_game(name)
    return {
        "name": name,
        "title": game.title,
        "players": game.num_players(),
        "actions": game.num_distinct_actions(),
        "chance_outcomes": game.max_chance_outcomes(),
        "max_game_length": game.max_game_length(),
        "state_bytes": 8 * game.state_size(),
        "observation_shape": list(game.observation_shape()),
        "features_shape": list(game.features_shape()),
        "options": [
            {"name": option, "default": default, "accepts": accepts, "doc": doc}
            for option, default, accepts, doc, *_ in game._option_docs()
        ],
    }


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    names = [args.name] if args.name else tablier.registered_games()
    if args.json:
        print(json.dumps([facts(name) for name in names], indent=2))
        return 0
    from tablier.cli.terminal.screen import Screen
    from tablier.games import home_of

    screen = Screen(language(args.lang))
    for name in names:
        home = home_of(tablier.load_game(name))
        _show(screen, home)
        if args.name:
            _explain(screen, home)
    return 0


def _show(screen: Screen, home: Home) -> None:
    game = home.game
    outcomes = game.max_chance_outcomes()
    screen.say(
        "terminal.games.line",
        name=game.name,
        title=home.title,
        players=Message("terminal.games.players", n=game.num_players()),
        actions=game.num_distinct_actions(),
        outcomes=Message("terminal.games.outcomes", n=outcomes) if outcomes else Message("terminal.games.no_chance"),
        bytes=8 * game.state_size(),
    )
    for name, default, _, doc, least, most, choices in game._option_docs():
        about, accepts = home.option(name, doc), _accepts(default, least, most, choices)
        line = Message("terminal.games.option", name=name, default=str(default), about=about, accepts=accepts)
        screen.text(line, indent="  ", hanging=" " * 6)


def _explain(screen: Screen, home: Home) -> None:
    """Prints a summary of the rules, and how actions are numbered."""
    for text in (home.summary(), home.numbering()):
        if text:
            screen.line()
            screen.text(text)


def _accepts(default: int | bool | str, least: int, most: int, choices: list[str]) -> Text:
    if isinstance(default, bool):
        return Message("option.accepts.flag")
    if isinstance(default, int):
        return Message("option.accepts.integer", least=least, most=most)
    return Message("option.accepts.choice", choices=", ".join(choices))
