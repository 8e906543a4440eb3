"""Plays the same games here and in OpenSpiel, and compares every decision.

OpenSpiel lists every spelling of a play; here one action stands for each resulting position. At each decision:

- every action here is legal there, and both lists reach the same positions, each once here;
- every action legal there is accepted here and leads to the same position;
- at the end the returns agree.

The results are in docs/backgammon.md.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

import tablier

FACES = [(a, b) for a in range(1, 7) for b in range(1, 7)]


@dataclass
class Report:
    """What a comparison has seen. `differences` counts them by kind; `first` holds the first of each kind."""

    games: int = 0
    decisions: int = 0
    actions: int = 0
    spellings: int = 0
    second_halves: int = 0
    passes: int = 0
    ends: Counter[float] = field(default_factory=Counter)
    differences: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    def differ(self, kind: str, detail: object) -> None:
        """Counts a difference."""
        self.differences[kind] += 1
        self.first.setdefault(kind, str(detail))


def spiel_game(hyper: bool = False) -> Any:
    """Returns OpenSpiel's game with full scoring and no early end."""
    return pyspiel.load_game(
        "backgammon",
        {"scoring_type": "full_scoring", "hyper_backgammon": hyper, "max_player_turns": 1_000_000},
    )


def spiel_rolls(state: Any) -> dict[tuple[int, int, bool], int]:
    """Returns the outcomes of OpenSpiel's chance node by die, die and, in the opening, whether player 0 starts."""
    rolls = {}
    for outcome, _ in state.chance_outcomes():
        text = state.action_to_string(pyspiel.PlayerId.CHANCE, outcome)
        one, two = map(int, re.search(r"roll: (\d)(\d)", text).groups())  # type: ignore[union-attr]
        rolls[max(one, two), min(one, two), "O starts" not in text] = outcome
    return rolls


def spiel_rows(states: list[Any]) -> list[bytes]:
    """Returns each of OpenSpiel's states as bytes: men, bars, men borne off, dice, who is to act, which half."""
    seen = np.array([state.observation_tensor(0) for state in states])
    counts = seen[:, :192].reshape(-1, 48, 4)
    men = counts @ (1, 2, 3, 1) + 3 * (counts[:, :, 3] > 0)
    turns = np.array([_turn(state, state.is_terminal()) for state in states])
    halves = np.array([turn >= 0 and "Extra turn: 1" in str(state) for turn, state in zip(turns, states, strict=True)])
    dice = np.where(turns[:, None] >= 0, seen[:, 198:200], 0)  # OpenSpiel keeps those of the last throw of a game
    return _rows(men, seen[:, (192, 195, 193, 196)], dice, turns[:, None], halves[:, None])


def our_rows(states: list[tablier.State]) -> list[bytes]:
    """Returns the same for states of ours."""
    seen = np.array([state.observation(0) for state in states])
    points = seen[:, 23::-1]  # player 0's 24 point is point 0 there
    turns = np.array([_turn(state, state.is_terminal()) for state in states])
    men = np.hstack([np.maximum(points, 0), np.maximum(-points, 0)])
    return _rows(men, seen[:, 24:28], np.sort(seen[:, 28:30]), turns[:, None], seen[:, 30:31] == 3)


def _turn(state: Any, over: bool) -> int:
    return -4 if over else -1 if state.is_chance_node() else state.current_player()


def _rows(*columns: NDArray[Any]) -> list[bytes]:
    return [row.tobytes() for row in np.hstack([column.astype(np.int8) for column in columns])]


def compare_decision(ours: tablier.State, theirs: Any, report: Report) -> None:
    """Compares the actions of a decision and the positions they lead to."""
    listed, spelled = ours.legal_actions(), theirs.legal_actions()
    report.decisions += 1
    report.actions += len(listed)
    report.spellings += len(spelled)
    report.second_halves += int(ours.observation(0)[30]) == 3
    report.passes += listed == [1351]
    there = dict(zip(spelled, spiel_rows([theirs.child(action) for action in spelled]), strict=True))
    accepted, children = [], []
    for action in sorted({*listed, *spelled}):
        child = ours.clone()
        try:
            child.apply_action(action)
        except ValueError:
            report.differ("a spelling of theirs is refused here", f"{ours}\n{action}")
            continue
        accepted.append(action)
        children.append(child)
    here = dict(zip(accepted, our_rows(children), strict=True))
    ends = {here[action] for action in listed}
    if len(ends) != len(listed):
        report.differ("two actions here lead to one position", ours)
    for action in set(listed) - set(spelled):
        report.differ("an action here is illegal there", f"{ours}\n{action}")
    if set(there.values()) - ends:
        report.differ("positions that can be reached only there", ours)
    if ends - set(there.values()):
        report.differ("positions that can be reached only here", ours)
    for action in set(accepted) & set(spelled):
        if here[action] != there[action]:
            report.differ("a spelling leads to different positions", f"{ours}\n{action}")


def _first_roll_and_later() -> dict[bool, dict[tuple[int, int, bool], int]]:
    state = spiel_game().new_initial_state()
    opening = spiel_rolls(state)
    state.apply_action(0)
    state.apply_action(state.legal_actions()[0])
    return {True: opening, False: spiel_rolls(state)}


ROLLS = _first_roll_and_later()
"""OpenSpiel's outcomes, in the opening (True) and later (False)."""


def play(start: str, seed: int, report: Report, steps: int = 100_000) -> None:
    """Plays one random game in lock step."""
    draw = random.Random(seed)
    game = tablier.load_game("backgammon", start=start)
    ours, theirs = game.new_initial_state(), spiel_game(start == "hyper").new_initial_state()
    report.games += 1
    for _ in range(steps):
        if ours.is_terminal() or theirs.is_terminal():
            break
        if ours.is_chance_node():
            outcome = draw.randrange(36)
            one, two = FACES[outcome]
            opening = bool(ours.observation(0)[30] == 0)
            ours.apply_action(outcome)
            if opening and one == two:
                continue
            first = one > two if opening else True
            theirs.apply_action(ROLLS[opening][max(one, two), min(one, two), first])
            continue
        compare_decision(ours, theirs, report)
        action = draw.choice(theirs.legal_actions())
        if action not in ours.legal_actions() and draw.random() < 0.5:
            action = draw.choice(ours.legal_actions())
        ours.apply_action(action)
        theirs.apply_action(action)
        if our_rows([ours]) != spiel_rows([theirs]):
            report.differ("the positions differ", ours)
            return
    if not (ours.is_terminal() and theirs.is_terminal()):
        report.differ("one game is over, the other is not", ours)
        return
    report.ends[abs(ours.returns()[0])] += 1
    if start != "hyper" and ours.returns() != theirs.returns():
        report.differ("the returns differ", f"{ours}\n{ours.returns()} {theirs.returns()}")
    if start == "hyper" and any(theirs.returns()):
        report.differ("OpenSpiel scores hypergammon, which 2.0.2 does not", f"{theirs.returns()}")


def summary(start: str, report: Report) -> str:
    """Describes a comparison in a sentence."""
    ends = ", ".join(f"{count:,} won by {points:g}" for points, count in sorted(report.ends.items()))
    return (
        f"{start}: {report.games:,} games ({ends}), {report.decisions:,} decisions "
        f"({report.second_halves:,} second halves of doublets, {report.passes:,} passes), "
        f"{report.actions:,} actions for {report.spellings:,} spellings, "
        f"{sum(report.differences.values())} differences"
    )


def main() -> int:
    """Runs the comparison and returns the exit code: 1 if anything differs."""
    parser = argparse.ArgumentParser(description="Compares backgammon with OpenSpiel.")
    parser.add_argument("--games", type=int, default=10_000, help="games of each start position")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game")
    parser.add_argument("--starts", default="standard,hyper", help="start positions that OpenSpiel knows")
    parser.add_argument("--every", type=int, default=500, help="games between lines of progress")
    arguments = parser.parse_args()
    differ = False
    for start in arguments.starts.split(","):
        report = Report()
        for i in range(arguments.games):
            play(start, arguments.seed + i, report)
            if report.games % arguments.every == 0 and report.games < arguments.games:
                print(f"  so far {summary(start, report)}", file=sys.stderr, flush=True)
        print(summary(start, report), flush=True)
        for kind, count in report.differences.items():
            differ = True
            print(f"  {kind}: {count:,}; the first:\n{report.first[kind]}")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
