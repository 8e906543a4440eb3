"""Makes the puzzles of Trictrac: throws to count, plays to find, whether to hold or leave, and book positions.

    python tools/make_puzzles.py --seed 1 tests/trictrac/vectors.jsonl src/tablier/games/trictrac/puzzles/puzzles.json

Throws to count come from games of the heuristic against itself; the engine counts them. Plays and choices come from the
referee (`tablier.analysis.referee`), whose decisions are from games and were rolled out by two policies: a decision is
taken if both agree on the best move and every other one is clearly worse. Difficulty is what weaker players miss. Book
positions are those of the file of printed positions, with their sources. The same seed makes the same file.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import tablier
from tablier._core import trictrac
from tablier.analysis.referee import CERTAIN, Case, Referee
from tablier.games import home_of
from tablier.players import Player, make_player
from tablier.trictrac import score_throw

EACH = {"count": 30, "play": 30, "leave": 20}
"""Puzzles per level."""
CLEARLY = 0.03
"""The second best move loses at least this much win probability."""
WEAK = {"play": ("greedy", "heuristic"), "leave": ("level:n=3", "heuristic")}
"""A decision is of level 1 if the first of these players gets it right, of level 2 if the second does, else 3."""
GAMES = 80
BOOKS = {
    "Lepeintre": "Lepeintre, Cours complet de trictrac (1818)",
    "Guiton": "Guiton, Traité complet (1822)",
    "Lelasseux-Lafosse": "Lelasseux-Lafosse, Le jeu de trictrac rendu facile (1852)",
    "Fallavel": "Fallavel, Le Jeu du trictrac (1776)",
}
PER_FIGURE = 4
Row = dict[str, Any]


def drawing(board: Sequence[int]) -> str:
    """Draws a board as `games/trictrac/lessons/drawn.py` reads it."""
    mine = " ".join(f"{n + 1}:{count}" for n, count in enumerate(board) if count > 0)
    return f"{mine} | " + " ".join(f"{n + 1}:{-count}" for n, count in enumerate(board) if count < 0)


def count_level(ways: dict[str, int], points: tuple[int, int]) -> int:
    """Grades a throw by what there is to see."""
    total = sum(ways.values())
    hidden = points[1] > 0 or len(ways) > 2 or total > 3
    return 3 if hidden else 2 if total > 1 else 1


def throws_to_count(seed: int) -> list[Row]:
    """Collects throws that score, from games."""
    game = tablier.load_game("trictrac")
    player, dice = make_player("heuristic", game), random.Random(seed)
    found: dict[str, Row] = {}
    for _ in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node():
                state = state.child(int(player.choose(state)))
                continue
            state = state.child(dice.choice(state.legal_actions()))
            now = trictrac.parts(state)
            if state.is_terminal() or not any(now.dice) or now.throws[now.player] == 3:  # six tables need the history
                continue
            board = now.board_from(now.player)
            score = score_throw(board, now.dice)
            if score.player_points:
                level = count_level(score.ways(), (score.player_points, score.opponent_points))
                found[drawing(board)] = {"board": drawing(board), "dice": list(now.dice), "level": level}
    return list(found.values())


def is_clear(case: Case) -> bool:
    """Whether both policies agree on the best move, and it is clearly the best."""
    if case.again is None or len(case.losses) < 2:
        return False
    (_, best), (second, other), *_ = sorted((loss, action) for action, (loss, _) in case.losses.items())
    error = case.losses[other][1]
    again = sorted((loss, action) for action, (loss, _) in case.again.items())
    return second >= CLEARLY and second > 2 * CERTAIN * error and again[0][1] == best


def is_clear_side(case: Case) -> bool:
    """The same for the choice to hold or leave."""
    if case.again is None:
        return False
    sides, again = side_losses(case.losses), side_losses(case.again)
    error = max(case.losses[action][1] for action in case.losses)
    gap = abs(sides[0] - sides[1])
    return gap >= CLEARLY and gap > 2 * CERTAIN * error and (sides[0] < sides[1]) == (again[0] < again[1])


def side_losses(losses: dict[int, tuple[float, float]]) -> list[float]:
    """Returns what holding and leaving lose."""
    return [
        min(loss for action, (loss, _) in losses.items() if (action == trictrac.LEAVE) == leaves)
        for leaves in (False, True)
    ]


def graded(kind: str, case: Case, players: Sequence[Player]) -> int:
    """Returns the level of a decision."""
    home = home_of(case.state.get_game())
    for level, player in enumerate(players, 1):
        action = int(player.choose(case.state.clone()))
        chosen = case.losses.get(action)
        if kind == "leave":
            best = min(case.losses, key=lambda one: case.losses[one][0])
            if home.branch(case.state, action) == home.branch(case.state, best):
                return level
        elif chosen is not None and chosen[0] == 0:
            return level
    return 1 + len(players)


def decisions(kind: str, referee: Referee) -> Iterable[Row]:
    """Yields the clear decisions of a kind."""
    players = [make_player(name, referee.game) for name in WEAK[kind]]
    for case in referee.cases:
        is_choice = case.kind == "hold_or_leave"
        if is_choice != (kind == "leave") or not (is_clear_side(case) if is_choice else is_clear(case)):
            continue
        if is_choice:
            losses = {str(side): round(loss, 3) for side, loss in enumerate(side_losses(case.losses))}
        else:
            losses = {str(action): round(loss, 3) for action, (loss, _) in sorted(case.losses.items())}
        row: Row = {"state": base64.b64encode(case.state.serialize()).decode(), "losses": losses}
        if is_choice:
            row["hold"] = min((loss, action) for action, (loss, _) in case.losses.items() if action != trictrac.LEAVE)[
                1
            ]
        yield row | {"level": graded(kind, case, players)}


def from_books(path: Path, chosen: random.Random) -> list[Row]:
    """Selects printed positions whose throw is to be counted, a few of each figure."""
    figures: dict[str, list[Row]] = defaultdict(list)
    seen = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        book = next((full for name, full in BOOKS.items() if one["source"].startswith(name)), None)
        if one["kind"] != "points" or one["tier"] != "A" or book is None or "roll_index" in one["context"]:
            continue
        figure = re.search(r"figs? \d+(?:-\d+)?|fig\. \d+|no\. [\d-]+", one["source"])
        source = f"{book}, {figure[0]}" if figure else book
        key = (tuple(one["board"]), tuple(sorted(one["dice"])))
        if key in seen:
            continue
        seen.add(key)
        score = score_throw(one["board"], one["dice"])
        level = count_level(score.ways(), (score.player_points, score.opponent_points))
        figures[source].append(
            {"board": drawing(one["board"]), "dice": one["dice"], "level": level, "source": source, "id": one["id"]}
        )
    rows = [row for source in sorted(figures) for row in _some(figures[source], PER_FIGURE, chosen)]
    return sorted(rows, key=lambda row: (row["level"], row["id"]))


def _some(rows: list[Row], count: int, chosen: random.Random) -> list[Row]:
    return rows if len(rows) <= count else chosen.sample(rows, count)


def select(rows: Iterable[Row], each: int, chosen: random.Random) -> list[Row]:
    """Selects some puzzles of each level, easiest first."""
    levels: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        levels[row["level"]].append(row)
    return [row for level in sorted(levels) for row in _some(levels[level], each, chosen)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Makes the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vectors", type=Path, help="printed positions, one JSON object per line")
    parser.add_argument("file", type=Path, help="the file to write")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games and of the selection (default: 1)")
    args = parser.parse_args(arguments)
    chosen = random.Random(args.seed)
    path = home_of(tablier.load_game("trictrac")).referee()
    assert path is not None
    referee = Referee.read(path)
    made = {
        "count": select(throws_to_count(args.seed), EACH["count"], chosen),
        "play": select(decisions("play", referee), EACH["play"], chosen),
        "leave": select(decisions("leave", referee), EACH["leave"], chosen),
        "book": from_books(args.vectors, chosen),
    }
    rows = [
        f' "{kind}": [\n  ' + ",\n  ".join(json.dumps(row) for row in found) + "\n ]" for kind, found in made.items()
    ]
    about = json.dumps({"seed": args.seed, "policy": referee.about["policy"]})
    args.file.write_text(f'{{\n "about": {about},\n' + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    for kind, found in made.items():
        levels = [sum(row["level"] == level for row in found) for level in (1, 2, 3)]
        print(f"{kind}: {len(found)} puzzles, by level {levels}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
