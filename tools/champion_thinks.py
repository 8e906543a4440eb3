"""Makes docs/champion.md: what the champion thinks of openings, of leaving, of the corner and the jans, and of luck.

python tools/champion_thinks.py [--games 300] [--plies 3] [--only openings,leaving,worth,first,luck] [--output DIR]

Sections that are not asked for keep their text. All games and searches are deterministic, so the page changes only with
the network. It takes a few minutes on one core.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import random
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from leave_picture import draw_leaving

from tablier import models
from tablier._core import Game, State, trictrac
from tablier.analysis import luck_of_game, make_judge, offers_choice
from tablier.arena import play_match, wilson
from tablier.candidate import Candidate
from tablier.games import Home, home_of
from tablier.messages import render
from tablier.players import Player, make_player
from tablier.registry import load_game
from tablier.trictrac import Position

ROOT = Path(__file__).parent.parent
NAME = "trictrac"
PICTURE = "images/leave-or-hold.svg"
QUICK = "champion:plies=1"
"""Plays the games that are sampled and counted."""
VARIED = "level:n=3"
"""Plays the games in which positions are valued: its mistakes bring positions that good players avoid."""
BEGINNING = """# What the champion thinks

The champion's opinion about the game, in points and in the chance to win. Points are those that a player gains over the
opponent from here on, twelve to a hole; the later a point is won, the less it counts (4% per
decision). The network is `{network}` (checksum {checksum}); the page was made on {date}.
"""


@dataclass
class Study:
    """What the sections share."""

    args: argparse.Namespace
    game: Game = field(default_factory=lambda: load_game(NAME))
    games: dict[str, list[list[int]]] = field(default_factory=dict)
    """Games of players against themselves."""

    def __post_init__(self) -> None:
        self.home = home_of(self.game)
        self.deep: Player = make_player(f"champion:plies={self.args.plies}", self.game)
        self.two: Player = make_player("champion:plies=2", self.game)

    def played(self, by: str = QUICK) -> list[list[int]]:
        """Returns the games of a player, and plays them when they are first needed."""
        found, player = self.games.setdefault(by, []), make_player(by, self.game)
        while len(found) < self.args.games:
            dice, state = random.Random(len(found)), self.game.new_initial_state()
            actions: list[int] = []
            while not state.is_terminal():
                legal = state.legal_actions()
                actions.append(dice.choice(legal) if state.is_chance_node() else player.choose(state))
                state.apply_action(actions[-1])
            found.append(actions)
        return found

    def states(self, by: str = QUICK) -> Iterator[State]:
        """Yields the states of all games of a player."""
        for actions in self.played(by):
            yield from _replayed(self.game, actions)

    def opening(self) -> tuple[Player, Home, State]:
        """Returns a player, the home and the start of a game in which White throws first."""
        game = load_game(NAME, first_throw="white")
        return make_player(f"champion:plies={self.args.plies}", game), home_of(game), game.new_initial_state()

    def move(self, state: State, action: int) -> str:
        """Returns a move as people write it."""
        return render(self.home.action(state, action), "en")


def worth(one: Candidate) -> str:
    """Returns a value in points with its win chance."""
    return f"{one.value:+.2f} ({one.win_chance or 0:.1%})"


# --- openings ---------------------------------------------------------------------------------------------------------


def openings(study: Study) -> str:
    """Ranks the 21 opening throws with their best plays, and finds the usual reply to each throw."""
    player, home, state = study.opening()
    found, replies = [], defaultdict[str, Counter[str]](Counter)
    for outcome, facts in home.throws(state):
        after = state.child(outcome)
        ranked = player.explain(after)
        found.append((ranked[0].value, facts["dice"], after, ranked))
        before = after.child(ranked[0].action)
        for answer, thrown in home.throws(before):
            decision = before.child(answer)
            best = player.explain(decision)[0]
            replies[_dice(thrown["dice"])][render(home.action(decision, best.action), "en")] += 1
    lines = [
        "| throw | best play | value | second | value | third | value |",
        "|---|---|---|---|---|---|---|",
    ]
    for _, dice, after, ranked in sorted(found, key=lambda one: -one[0]):
        cells = [cell for one in ranked[:3] for cell in (study.move(after, one.action), worth(one))]
        lines.append(f"| {_dice(dice)} | " + " | ".join((cells + [""] * 6)[:6]) + " |")
    lines += ["", "The reply to each throw, after the 21 openings above: how often each play is the best one.", ""]
    lines += ["| throw | usual reply | openings | other replies |", "|---|---|---|---|"]
    for dice, plays in replies.items():
        (usual, count), *others = plays.most_common()
        rest = ", ".join(f"{play} ({n})" for play, n in others)
        lines.append(f"| {dice} | {usual} | {count} of {plays.total()} | {rest} |")
    return "\n".join(lines)


def _dice(dice: Sequence[int]) -> str:
    return "-".join(map(str, sorted(dice, reverse=True)))


# --- leaving ----------------------------------------------------------------------------------------------------------


def leaving(study: Study) -> str:
    """Finds when the champion leaves, by the holes of both players and by the points that it would keep."""
    asked = [state for state in study.states() if offers_choice(state)]
    asked = random.Random(1).sample(asked, min(len(asked), 2 * study.args.games))
    by_holes: dict[tuple[int, int], list[float]] = defaultdict(list)
    by_points: dict[tuple[int, int], list[float]] = defaultdict(list)
    for state in asked:
        mine = state.current_player()
        points = Position.of(state).points
        by_points[min(10, points[mine]) // 4 * 4, min(10, points[1 - mine]) // 4 * 4].append(_gain(study, state))
        for holes, other in study.home.at_other_scores(state):
            by_holes[holes].append(_gain(study, other))
    if not asked:
        return "No game had such a decision."
    picture = study.args.output / PICTURE
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_text(draw_leaving({holes: _share(gains) for holes, gains in by_holes.items()}), encoding="utf-8")
    leaves = _share([gain for gains in by_points.values() for gain in gains])
    lines = [
        f"{len(asked):,} decisions to leave or to hold from {len(study.played()):,} games.",
        f"Leaving is best in {leaves:.1%} of them.",
        "The picture shows the same decisions at other numbers of holes.",
        "",
        f"![How often leaving is best, by the holes of both players]({PICTURE})",
        "",
        "| own points kept | opponent's points | decisions | leaves | gain of leaving, points |",
        "|---|---|---|---|---|",
    ]
    for (mine, theirs), gains in sorted(by_points.items()):
        mean = statistics.fmean(gains)
        lines.append(
            f"| {mine} to {mine + 3} | {theirs} to {theirs + 3} | {len(gains)} | {_share(gains):.0%} | {mean:+.2f} |"
        )
    return "\n".join(lines)


def _gain(study: Study, state: State) -> float:
    """Returns how much better leaving is than the best way to hold, in points."""
    sides: dict[int, float] = {}
    for one in study.two.explain(state):
        sides.setdefault(study.home.branch(state, one.action), one.value)
    return sides[1] - sides[0] if len(sides) == 2 else 0.0


def _share(gains: Sequence[float]) -> float:
    return sum(gain > 0 for gain in gains) / len(gains)


# --- corner and jans --------------------------------------------------------------------------------------------------

SAMPLED = 0.3
"""Share of the decisions that are valued."""
FEATURES = ("corner", "full small jan", "full big jan", "ten points on the board", "ten pips")


def _features(board: Sequence[int]) -> list[float]:
    """Returns the features of one side, whose men are positive and in whose numbering the board is."""
    men = [max(0, count) for count in board]
    full = [float(all(count >= 2 for count in men[begin : begin + 6])) for begin in (0, 6)]
    return [float(men[11] >= 2), *full, 0.0, sum(count * place for place, count in enumerate(men)) / 10]


def values(study: Study) -> str:
    """Estimates by regression what the corner and the jans are worth."""
    rows, targets, draw = [], [], random.Random(2)
    for state in study.states(VARIED):
        if state.current_player() < 0 or len(state.legal_actions()) < 2 or draw.random() > SAMPLED:
            continue
        parts, player = trictrac.parts(state), state.current_player()
        mine, theirs = (_features(parts.board_from(side)) for side in (player, 1 - player))
        points = Position.of(state).points
        mine[3], theirs[3] = points[player] / 10, points[1 - player] / 10
        rows.append([1.0, *np.subtract(mine, theirs)])
        targets.append(study.two.explain(state)[0].value)
    inputs, outputs = np.array(rows), np.array(targets)
    weights, *_ = np.linalg.lstsq(inputs, outputs, rcond=None)
    left = outputs - inputs @ weights
    errors = np.sqrt(np.maximum(0, np.diag(np.linalg.pinv(inputs.T @ inputs))) * left.var())
    lines = [
        f"A linear regression of the champion's value on {len(rows):,} decisions from games of `{VARIED}`.",
        "Each number is what something is worth to a player whose opponent does not have it, if all else is equal.",
        "",
        "| what | points | standard error |",
        "|---|---|---|",
    ]
    for place, name in enumerate(FEATURES, 1):
        found = f"{weights[place]:+.2f} | {errors[place]:.2f}" if inputs[:, place].any() else "never seen | "
        lines.append(f"| {name} | {found} |")
    share = 1 - left.var() / outputs.var()
    told = f"The five explain {share:.0%} of the variance of the values."
    return "\n".join([*lines, "", told, "", small_jan(study)])


def small_jan(study: Study) -> str:
    """Compares set-up positions with a full small jan with the same men, one of them out of place."""
    draw, gaps = random.Random(3), []
    for _ in range(study.args.games):
        spare = [draw.randrange(8) for _ in range(3)]
        full = [2 * (place < 6) + spare.count(place) for place in range(8)]
        gap = draw.choice([place for place in range(6) if full[place] == 2])
        open_ = [count - (place == gap) + (place == (gap + 1 if gap < 5 else 4)) for place, count in enumerate(full)]
        theirs = [-4, -2, -2, -2, -2, -1, -1, -1]
        found = []
        for men in (full, open_):
            with contextlib.suppress(ValueError):
                found.append(_before_throw(study, Position(board=[*men, *[0] * 8, *theirs[::-1]]).state(study.game)))
        if len(found) == 2:
            gaps.append(found[0] - found[1])
    if len(gaps) < 2:
        return ""
    mean, error = statistics.fmean(gaps), statistics.stdev(gaps) / len(gaps) ** 0.5
    return (
        f"In {len(gaps):,} set-up positions, a full small jan is worth {mean:+.2f} points more\n"
        f"(standard error {error:.2f}) than the same men with one of them a field away."
    )


def _before_throw(study: Study, state: State) -> float:
    """Returns the mean over all throws of what White gains over Black, the throw included."""
    total = 0.0
    for outcome, facts in study.home.throws(state):
        after = state.child(outcome)
        gained = (after.returns()[0] - state.returns()[0]) - (after.returns()[1] - state.returns()[1])
        total += facts["weight"] * (gained + study.two.explain(after)[0].value)
    return total / 36


# --- first throw and luck ---------------------------------------------------------------------------------------------


def first(study: Study) -> str:
    """Measures the advantage of the first throw."""
    player, home, state = study.opening()
    best = [(facts["weight"], player.explain(state.child(outcome))[0]) for outcome, facts in home.throws(state)]
    points = sum(weight * one.value for weight, one in best) / 36
    chance = sum(weight * (one.win_chance or 0) for weight, one in best) / 36
    wins, games = 0, len(study.played())
    for actions in study.played():
        states = list(_replayed(study.game, actions))
        starts = next(state.current_player() for state in states if state.current_player() >= 0)
        wins += states[-1].returns()[starts] > states[-1].returns()[1 - starts]
    low, high = wilson(wins, games)
    return (
        f"Before the first throw, the player who throws it expects {points:+.2f} points and wins {chance:.1%}.\n"
        f"In {games:,} games of `{QUICK}` against itself, that player won {wins / games:.1%} ({low:.1%} to {high:.1%})."
    )


def _replayed(game: Game, actions: Sequence[int]) -> Iterator[State]:
    state = game.new_initial_state()
    yield state
    for action in actions:
        state = state.child(action)
        yield state


def luck(study: Study) -> str:
    """Measures how much of a game's result the dice decide."""
    judge = make_judge(study.game)
    results, dice = [], []
    for actions in study.played():
        found = luck_of_game(study.game, actions, judge)
        assert found.result is not None
        results.append(found.result[0])
        dice.append(found.total[0])
    share = float(np.corrcoef(results, dice)[0, 1] ** 2)
    lines = [
        f"In {len(results):,} games of `{QUICK}` against itself, luck explains {share:.0%} of the variance of results.",
        f"One standard deviation of luck is {statistics.pstdev(dice):.0%} of a win, measured by `{judge.name}`.",
        "",
        f"`{QUICK}` against weaker players:",
        "",
        "| opponent | wins | 95% interval | games until the better player leads with 95% |",
        "|---|---|---|---|",
    ]
    for opponent in ("greedy", "heuristic", "level:n=6"):
        score = play_match(study.game, QUICK, opponent, study.args.games, seed=1)
        edge, spread = score.rate - 0.5, (score.rate * (1 - score.rate)) ** 0.5
        needed = f"{max(1, round((1.645 * spread / edge) ** 2)):,}" if edge > 0.005 else "-"
        low, high = score.interval
        lines.append(f"| `{opponent}` | {score.rate:.1%} | {low:.1%} to {high:.1%} | {needed} |")
    return "\n".join(lines)


SECTIONS: dict[str, tuple[str, Callable[[Study], str]]] = {
    "openings": ("Opening throws and replies", openings),
    "leaving": ("When to leave", leaving),
    "worth": ("The corner and the jans", values),
    "first": ("The first throw", first),
    "luck": ("Luck", luck),
}


def main() -> int:
    """Writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=300, help="games of the network against itself (default 300)")
    parser.add_argument("--plies", type=int, default=3, help="depth of the search (default 3)")
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections to make (default: all)")
    parser.add_argument("--output", type=Path, default=ROOT / "docs", help="folder of the page (default docs)")
    args = parser.parse_args()
    wanted = args.only.split(",")
    if unknown := set(wanted) - set(SECTIONS):
        parser.error(f"no section is called {', '.join(sorted(unknown))}; choose from {', '.join(SECTIONS)}")
    path, study = args.output / "champion.md", Study(args)
    old = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:] if path.is_file() else []
    kept = {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in old}
    network = models.network(NAME)
    assert network is not None
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    text = BEGINNING.format(network=network.name, checksum=models.checksum(network), date=date)
    for name, (title, make) in SECTIONS.items():
        body = kept.get(title, "Not made yet.")
        if name in wanted:
            print(f"{name} ...", file=sys.stderr, flush=True)
            command = f"python tools/champion_thinks.py --games {args.games} --plies {args.plies} --only {name}"
            body = f"`{command}`\n\n{make(study)}"
        text += f"\n## {title}\n\n{body}\n"
    path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
