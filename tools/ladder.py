"""Makes docs/ladder.md: every rung from `random` to the champion, with intervals, on paired dice.

python tools/ladder.py [--games 1000] [--champion-games 200] [--workers 2] [--file runs/ladder.sqlite]

The games are kept in the file of a tournament (docs/arena.md), so the command resumes where it was stopped. It fails if
the lower bound of a rung's 95% interval is 50% or less.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from tablier.arena import ArenaFile, Ladder, LocalWorkers, Meeting, Setup, draw_ladder, make_ladder, wilson
from tablier.arena.tournament import Pairing, run_tournament
from tablier.cli.entrants import find_entrant
from tablier.players.level import LEVELS
from tablier.registry import DEFAULT_GAME, load_game

ROOT = Path(__file__).parent.parent
ONE_PLY = "champion:plies=1"
"""Also the highest level."""
BEGINNING = """# The ladder

Who beats whom, from `random` to the champion. The games are on paired dice: each set of dice is played twice, with the
seats swapped. `make ladder` makes this page again; this one is of {date}, made by

```
{command}
```

## The rungs
"""
RUNGS = """
Wins with Wilson's 95% interval. A rung is proven if the interval is above 50%.
`{one_ply}` is the champion's network one ply deep, and level 8.

| player | against | games | wins | 95% interval | proven |
|---|---|---|---|---|---|
"""
RATINGS = """
## Ratings

Bradley-Terry ratings in Elo points from all games of this page, with `{anchor}` at 0. A lead of 100 points means an
expected score of 64%. Milliseconds are wall-clock time per decision on the machine that played.

![The ladder](images/ladder.svg)

| player | rating | 95% interval | games | ms per decision |
|---|---|---|---|---|
"""
LEVELS_TOLD = """
The levels, `level:n=1` to `level:n={levels}`, are the champion's network with noise. [Playing](playing.md) names them.
"""


def rungs(champion: str) -> list[tuple[str, str]]:
    """Returns the pairs to be proven: the stronger player first."""
    known = ["random", "greedy", "heuristic", ONE_PLY, champion]
    levels = ["random", *(f"level:n={n}" for n in range(1, LEVELS)), ONE_PLY]
    return [(better, worse) for chain in (known, levels) for worse, better in pairwise(chain)]


def links() -> list[tuple[str, str]]:
    """Returns pairs that tie the two chains together, so that their ratings compare."""
    return [("greedy", "level:n=2"), ("heuristic", "level:n=6")]


def play(args: argparse.Namespace) -> Ladder:
    """Plays the games that are missing, and rates the players."""
    game = load_game(args.game)
    args.file.parent.mkdir(parents=True, exist_ok=True)
    setup = Setup(game.name, game.options(), args.seed, 60.0, None)
    opened = ArenaFile.resume if args.file.exists() else ArenaFile.create
    with TemporaryDirectory() as place, opened(args.file, setup) as file:
        pairs = [*rungs(args.champion), *links()]
        names = dict.fromkeys(name for pair in pairs for name in pair)
        entrants = {name: find_entrant(name, game, Path(place)) for name in names}
        for slow in (False, True):
            pairings: list[Pairing] = []
            for one, other in pairs:
                if (args.champion in (one, other)) == slow:
                    first, second = sorted((one, other))
                    pairings.append((entrants[first], entrants[second]))
            games = args.champion_games if slow else args.games
            run_tournament(
                file,
                pairings,
                games,
                LocalWorkers(args.workers),
                progress=lambda now: print(f"\r{now.done} of {now.wanted} games", end="", file=sys.stderr),
            )
        print(file=sys.stderr)
        return make_ladder(list(file.games()), "random")


def page(ladder: Ladder, args: argparse.Namespace) -> tuple[str, int]:
    """Returns the page and the number of rungs that are not proven."""
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    command = " ".join(["python", "tools/ladder.py", *sys.argv[1:]])
    text = BEGINNING.format(command=command, date=date) + RUNGS.format(one_ply=ONE_PLY)
    weak = 0
    for better, worse in rungs(args.champion):
        met = ladder.meetings.get((better, worse), Meeting())
        low, high = wilson(met.score, met.games)
        weak += low <= 0.5
        proven = "yes" if low > 0.5 else "no"
        share = f"{met.score / max(1, met.games):.1%} | {low:.1%} to {high:.1%} | {proven}"
        text += f"| `{better}` | `{worse}` | {met.games:,} | {share} |\n"
    text += RATINGS.format(anchor=ladder.anchor)
    for one in ladder.standings:
        low, high = one.interval
        text += f"| `{one.name}` | {one.rating:.0f} | {low:.0f} to {high:.0f} | {one.games:,} | {one.ms:.2f} |\n"
    return text + LEVELS_TOLD.format(levels=LEVELS), weak


def main() -> int:
    """Plays and writes the page and its picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game", default=DEFAULT_GAME, help=f"the game (default {DEFAULT_GAME})")
    parser.add_argument("--games", type=int, default=1000, help="games per pair (default 1000)")
    parser.add_argument("--champion", default="champion", help="the champion, such as champion:ms=50")
    parser.add_argument("--champion-games", type=int, default=200, help="games per pair with it (default 200)")
    parser.add_argument("--workers", type=int, default=2, help="worker processes (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the dice (default 1)")
    parser.add_argument("--file", type=Path, default=Path("runs/ladder.sqlite"), help="the tournament")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "ladder.md", help="the page")
    args = parser.parse_args()
    ladder = play(args)
    text, weak = page(ladder, args)
    args.output.write_text(text, encoding="utf-8")
    picture = args.output.parent / "images" / "ladder.svg"
    picture.parent.mkdir(exist_ok=True)
    picture.write_text(draw_ladder(ladder), encoding="utf-8")
    print(f"written to {args.output.name}; rungs not proven: {weak}")
    return 1 if weak else 0


if __name__ == "__main__":
    sys.exit(main())
