"""`tablier referee`: scores players on decisions whose actions were rolled out."""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablier.cli.arguments import add_json, add_lang, given_path, new_parser
from tablier.cli.entrants import find_entrant
from tablier.cli.extras import extra
from tablier.messages import Message, MessageError, Number, Text, language, say
from tablier.registry import DEFAULT_GAME

if TYPE_CHECKING:
    from tablier.analysis.referee import Referee, Score, Verdict
    from tablier.arena import Ladder
    from tablier.cli.terminal.screen import Screen

EXAMPLE = """The loss of a choice is how much worse it is than the best action, by rollouts. A choice is right if it
cannot be told from the best one. Players are sorted by their loss as a share of what random choices lose.
tools/make_referee.py makes a referee. With --matches, the order of the players is compared with their
results in a tournament.

example:
  tablier referee heuristic greedy
  tablier referee heuristic expectimax:plies=1,net=best.safetensors --file referee.npz --json
  tablier referee --matches first.sqlite"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser."""
    parser = new_parser(subparsers, "referee", "score players on rolled-out decisions", EXAMPLE)
    parser.add_argument(
        "players",
        nargs="*",
        metavar="PLAYER",
        help="player string, network file, run or checkpoint (default: the\nplayers of --matches)",
    )
    parser.add_argument(
        "--file", type=given_path, metavar="FILE", help=f"the referee (default: that of {DEFAULT_GAME})"
    )
    parser.add_argument(
        "--matches", type=given_path, metavar="ARENA", help="a tournament of `tablier arena` to compare the order with"
    )
    add_lang(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    from tablier.analysis.referee import Referee
    from tablier.cli.terminal.screen import Screen, progress
    from tablier.games import home_of
    from tablier.registry import load_game

    screen = Screen(language(args.lang))
    path = args.file or home_of(load_game(DEFAULT_GAME)).referee()
    assert path is not None
    referee = Referee.read(path)
    ladder = _ladder(args.matches, referee) if args.matches else None
    names = args.players or [one.name for one in ladder.standings] if ladder else args.players
    if not names:
        raise MessageError.of("referee.no_players")
    scores = []
    with tempfile.TemporaryDirectory() as place:
        entrants = [find_entrant(name, referee.game, Path(place)) for name in names]
        with progress(len(names) * len(referee.cases), say(screen.lang, "terminal.unit.action")) as advance:
            for one in entrants:
                scores.append(replace(referee.score(one.plays, lambda _: advance(1)), player=one.name))
    scores.sort(key=lambda score: score.relative.loss)
    if args.json:
        told = {"policy": referee.about["policy"], "again": referee.about.get("again", {}).get("policy")}
        rows = [asdict(score) | _rating(ladder, score.player) for score in scores]
        print(json.dumps({**told, "scores": rows} | (_agreement(ladder, scores) if ladder else {})))
    else:
        _show(screen, referee, scores, ladder)
    return 0


def _ladder(file: str, referee: Referee) -> Ladder:
    from tablier.arena import ArenaFile, make_ladder

    with ArenaFile.read(file) as arena:
        if arena.setup.game != referee.game.name:
            raise MessageError.of("referee.other_game", file=file, found=arena.setup.game, game=referee.game.name)
        with extra("arena"):
            return make_ladder(list(arena.games()))


def _rating(ladder: Ladder | None, player: str) -> dict[str, Any]:
    found = [one for one in ladder.standings if one.name == player] if ladder else []
    return {"rating": found[0].rating, "rating_interval": found[0].interval} if found else {}


def _agreement(ladder: Ladder, scores: list[Score]) -> dict[str, int]:
    """Counts the pairs of players whose matches have a clear winner, and those in which the referee agrees.

    `agreed` counts both policies equally, as the order of the table does; `agreed_first` and `agreed_again` are by one.
    """
    from tablier.arena import wilson

    counts = {"pairs": 0, "clear": 0, "agreed": 0, "agreed_first": 0, "agreed_again": 0}
    for one, other in itertools.combinations(scores, 2):
        meeting = ladder.meetings.get((one.player, other.player))
        if meeting is None or meeting.games == 0:
            continue
        counts["pairs"] += 1
        low, high = wilson(meeting.score, meeting.games)
        if low <= 0.5 <= high:
            continue
        counts["clear"] += 1
        counts["agreed"] += (low > 0.5) == (one.relative.loss < other.relative.loss)
        counts["agreed_first"] += (low > 0.5) == (one.total.loss < other.total.loss)
        if one.again and other.again:
            counts["agreed_again"] += (low > 0.5) == (one.again.loss < other.again.loss)
    return counts


def _show(screen: Screen, referee: Referee, scores: list[Score], ladder: Ladder | None) -> None:
    from tablier.games import home_of

    home, unit = home_of(referee.game), str(referee.about["unit"])
    decisions = Number(len(referee.cases), ",d")
    facts = {"game": home.title, "policy": referee.about["policy"], "unit": Message(f"referee.unit.{unit}")}
    screen.say("referee.about", decisions=decisions, **facts)
    form = _form(unit)
    kinds = sorted(scores[0].kinds)
    names: list[Text] = [home.kind_name(kind) for kind in kinds]
    columns = ("player", "relative", "interval", "loss", "interval", "right", "right_interval")
    table: list[list[Text]] = [[*(Message(f"referee.column.{column}") for column in columns), *names]]
    for score in scores:
        of_kinds: list[Text] = [Number(score.kinds[kind].loss, form) for kind in kinds]
        relative = _cells(score.relative, ".1%", screen.lang)[:2]
        table.append([score.player, *relative, *_cells(score.total, form, screen.lang), *of_kinds])
    if again := referee.about.get("again"):
        form = _form(again["unit"])
        table[0] += [Message("referee.column.again"), Message("referee.column.interval")]
        for row, score in zip(table[1:], scores, strict=True):
            row += _cells(score.again, form, screen.lang)[:2] if score.again else []
    if ladder:
        table[0].append(Message("referee.column.rating"))
        for row, score in zip(table[1:], scores, strict=True):
            rating = _rating(ladder, score.player).get("rating")
            row.append("" if rating is None else Number(rating, ".0f"))
    screen.table(table, right=tuple(range(1, len(table[0]))))
    screen.say("referee.relative")
    if again:
        screen.say("referee.again", policy=again["policy"], unit=Message(f"referee.unit.{again['unit']}"))
    if ladder:
        counts = _agreement(ladder, scores)
        screen.say("referee.matches", pairs=counts["pairs"], clear=counts["clear"], agreed=counts["agreed"])
        if again:
            first, second = counts["agreed_first"], counts["agreed_again"]
            screen.say("referee.matches_again", first=first, second=second, clear=counts["clear"])


def _form(unit: str) -> str:
    return ".3%" if unit == "win_chance" else ".3f"


def _cells(verdict: Verdict, form: str, lang: str) -> list[Text]:
    from tablier.messages import number

    def between(low: float, high: float, form: str) -> str:
        return f"{number(lang, low, form)} … {number(lang, high, form)}"

    shares = between(*verdict.right_interval, ".1%")
    return [Number(verdict.loss, form), between(*verdict.interval, form), Number(verdict.right, ".1%"), shares]
