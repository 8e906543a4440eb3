"""Asks a rollout policy which of two players decides better, on the turns of each.

    python tools/style_bias.py heuristic expectimax:plies=1,net=tools/referee/second.safetensors

The two players meet in games. At a sample of the decisions on which they disagree, both actions are rolled out on the
same dice. A player usually looks better on its own turns, where its earlier moves have led to positions that it
understands. So a referee is fair to two styles of play only if its decisions come from turns of both.
"""

from __future__ import annotations

import argparse
import math
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np

import tablier
from tablier.analysis import RolloutSettings, make_policy, roll_out_candidates
from tablier.players import make_player

SHIPPED = "expectimax:plies=1,net=src/tablier/models/trictrac.safetensors,by=win"
LOOKED_AT = 0.1
"""Share of the decisions of a game that are looked at."""


@dataclass(frozen=True)
class Question:
    """Whom to compare, and how."""

    players: tuple[str, str]
    policy: str
    settings: RolloutSettings

    def answers(self, seed: int, count: int) -> list[tuple[int, float]]:
        """Returns `count` disputed decisions: whose turn it is, and how much better the first player's action is."""
        game, draw = tablier.load_game("trictrac"), random.Random(seed)
        policy, players = make_policy(game, self.policy), [make_player(one, game) for one in self.players]
        found: list[tuple[int, float]] = []
        while len(found) < count:
            state, first = game.new_initial_state(), draw.randrange(2)
            while not state.is_terminal():
                legal = state.legal_actions()
                if state.is_chance_node() or len(legal) == 1:
                    state.apply_action(draw.choice(legal))
                    continue
                mover = state.current_player() ^ first
                if draw.random() < LOOKED_AT:
                    own = [player.choose(state.clone()) for player in players]
                    if own[0] != own[1]:
                        rolled = {
                            one.action: one.value for one in roll_out_candidates(state, policy, self.settings, own)
                        }
                        found.append((mover, rolled[own[0]] - rolled[own[1]]))
                state.apply_action(players[mover].choose(state.clone()))
        return found


def main() -> None:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs=2, metavar="PLAYER")
    parser.add_argument("--policy", default=SHIPPED, help=f"rolls out (default {SHIPPED})")
    parser.add_argument("--count", type=int, default=600, help="disputed decisions (default 600)")
    parser.add_argument("--games", type=int, default=36, help="games per action (default 36)")
    parser.add_argument("--decisions", type=int, default=6, help="length of a rollout (default 6)")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    settings = RolloutSettings(args.games, args.decisions, threads=1, portion=args.games)
    question = Question(tuple(args.players), args.policy, settings)
    shares = [args.count // args.processes] * args.processes
    with ProcessPoolExecutor(args.processes, mp_context=get_context("spawn")) as pool:
        answers = [one for part in pool.map(question.answers, range(args.processes), shares) for one in part]
    for words, movers in (
        ("all turns", (0, 1)),
        (f"turns of {args.players[0]}", (0,)),
        (f"turns of {args.players[1]}", (1,)),
    ):
        lead = np.array([value for mover, value in answers if mover in movers])
        error = lead.std(ddof=1) / math.sqrt(len(lead))
        print(f"{words}: {args.players[0]} decides better by {lead.mean():+.5f} (standard error {error:.5f})")


if __name__ == "__main__":
    main()
