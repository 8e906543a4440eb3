"""`tablier games`: which games there are, their sizes and their options."""

from __future__ import annotations

import argparse
import json
from typing import Any

import tablier

EXAMPLE = "example:\n  tablier games\n  tablier games pig"


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = subparsers.add_parser(
        "games",
        help="list the games and their options",
        epilog=EXAMPLE,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("name", nargs="?", help="tell all about one game")
    parser.add_argument("--json", action="store_true", help="print JSON")
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
        "state_bytes": 8 * game.state_size(),
        "observation_shape": list(game.observation_shape()),
        "features_shape": list(game.features_shape()),
        "options": [
            {"name": option, "default": default, "accepts": accepts, "doc": doc}
            for option, default, accepts, doc in game._option_docs()
        ],
    }


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    names = [args.name] if args.name else tablier.registered_games()
    rows = [facts(name) for name in names]
    if args.json:
        print(json.dumps(rows, indent=2))
        return 0
    for row in rows:
        print(f"{row['name']}: {row['title']}, {row['players']} players, {row['actions']} actions, ", end="")
        print(f"{row['chance_outcomes'] or 'no'} chance outcomes, a state of {row['state_bytes']} bytes")
        for option in row["options"]:
            print(f"  {option['name']} = {option['default']}: {option['doc']} ({option['accepts']})")
    if args.name:
        print("\n" + tablier.load_game(args.name).help())
    return 0
