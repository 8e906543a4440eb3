"""`tablier referee`: scores players on decisions whose actions were rolled out."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_json, add_lang, new_parser
from tablier.messages import Message, Number, Text, language, say
from tablier.registry import DEFAULT_GAME

if TYPE_CHECKING:
    from tablier.analysis.referee import Referee, Score, Verdict
    from tablier.cli.terminal.screen import Screen

EXAMPLE = """The loss of a choice is how much worse it is than the best action, by rollouts. A choice is right if it
cannot be told from the best one. tools/make_referee.py makes a referee.

example:
  tablier referee heuristic greedy
  tablier referee heuristic expectimax:plies=1,net=best.safetensors --file referee.npz --json"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "referee", "score players on rolled-out decisions", EXAMPLE)
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="player string")
    parser.add_argument("--file", metavar="FILE", help=f"the referee (default: that of {DEFAULT_GAME})")
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.analysis.referee import Referee
    from tablier.cli.terminal.screen import Screen, progress
    from tablier.games import home_of
    from tablier.players import make_player
    from tablier.registry import load_game

    screen = Screen(language(args.lang))
    path = args.file or home_of(load_game(DEFAULT_GAME)).referee()
    assert path is not None
    referee = Referee.read(path)
    for player in args.players:
        make_player(player, referee.game)  # report a wrong string before the first player is scored
    scores = []
    with progress(len(args.players) * len(referee.cases), say(screen.lang, "terminal.unit.action")) as advance:
        for player in args.players:
            scores.append(referee.score(player, lambda _: advance(1)))
    scores.sort(key=lambda score: score.total.loss)
    if args.json:
        print(json.dumps({"policy": referee.about["policy"], "scores": [asdict(score) for score in scores]}))
    else:
        _show(screen, referee, scores)
    return 0


def _show(screen: Screen, referee: Referee, scores: list[Score]) -> None:
    from tablier.games import home_of

    home, unit = home_of(referee.game), str(referee.about["unit"])
    decisions = Number(len(referee.cases), ",d")
    facts = {"game": home.title, "policy": referee.about["policy"], "unit": Message(f"referee.unit.{unit}")}
    screen.say("referee.about", decisions=decisions, **facts)
    form = ".3%" if unit == "win_chance" else ".3f"
    kinds = sorted(scores[0].kinds)
    names: list[Text] = [home.kind_name(kind) for kind in kinds]
    columns = ("player", "loss", "interval", "right", "right_interval")
    table: list[list[Text]] = [[*(Message(f"referee.column.{column}") for column in columns), *names]]
    for score in scores:
        of_kinds: list[Text] = [Number(score.kinds[kind].loss, form) for kind in kinds]
        table.append([score.player, *_cells(score.total, form, screen.lang), *of_kinds])
    screen.table(table, right=tuple(range(1, 5 + len(kinds))))


def _cells(verdict: Verdict, form: str, lang: str) -> list[Text]:
    from tablier.messages import number

    def between(low: float, high: float, form: str) -> str:
        return f"{number(lang, low, form)} … {number(lang, high, form)}"

    shares = between(*verdict.right_interval, ".1%")
    return [Number(verdict.loss, form), between(*verdict.interval, form), Number(verdict.right, ".1%"), shares]
