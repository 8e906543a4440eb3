"""`tablier games`: which games there are, their sizes and their options."""

from __future__ import annotations

import argparse
import json
from typing import Any

import tablier
from tablier.cli.arguments import add_json, new_parser

EXAMPLE = "example:\n  tablier games\n  tablier games pig\n  tablier games --json"


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "games", "list the games, their sizes and their options", EXAMPLE)
    parser.add_argument("name", nargs="?", help="tell all about one game")
    add_json(parser)
    parser.set_defaults(run=run)


def facts(name: str) -> dict[str, Any]:
    """What the command shows of a game."""
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
    rows = [facts(name) for name in names]
    if args.json:
        print(json.dumps(rows, indent=2))
        return 0
    from tablier.cli.terminal.screen import Screen

    screen = Screen()
    for row in rows:
        size = f"{row['chance_outcomes'] or 'no'} chance outcomes, a state of {row['state_bytes']} bytes"
        screen.text(f"{row['name']}: {row['title']}, {row['players']} players, {row['actions']} actions, {size}")
        for option in row["options"]:
            text = f"{option['name']} = {option['default']}: {option['doc']} ({option['accepts']})"
            screen.text(text, indent="  ", hanging=" " * 6)
    if args.name:
        screen.line()
        for line in tablier.load_game(args.name).help().splitlines():
            screen.text(line)
    return 0
