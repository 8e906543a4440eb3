"""Makes a referee: decisions on which good players disagree, with every action rolled out.

    python tools/make_referee.py FILE --policy expectimax:plies=1,net=best.safetensors

The decisions come from games between different players. A decision is taken if the judges choose different actions, at
most `PER_GAME` from one game. Rare kinds of decision have a quota, so that each can be scored on its own. Training
never sees them: it plays its own games, from its own seeds.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence

from tqdm import tqdm

import tablier
from tablier._core import Game, State
from tablier.analysis import make_policy, roll_out_candidates
from tablier.analysis.referee import Case, Referee
from tablier.games import home_of
from tablier.games.home import MOVE
from tablier.players import make_player

PER_GAME = 4
LOOKED_AT = 0.15
"""Share of the decisions of a game that the judges look at, so that those taken are spread over the game."""
QUOTAS = {"hold_or_leave": 0.2, "bearing_off": 0.1}
"""Shares of the rare kinds of decision; the rest are moves."""
RANDOM_MOVES = 0.05
"""Share of random moves in the games, which lead to positions that good play avoids."""


def kind_of(state: State) -> str:
    """Returns the kind of a decision: `move`, `hold_or_leave` or `bearing_off`."""
    home = home_of(state.get_game())
    kind = home.decision_kind(state)
    if kind == MOVE and any(to == 0 for action in state.legal_actions() for _, to in home.moves(state, action) or []):
        return "bearing_off"
    return kind


class Disputed:
    """Finds decisions on which judges disagree, in games between random pairs of players.

    Args:
        game: the game.
        players: player strings.
        judges: player strings.
        seed: seed of the games.
    """

    def __init__(self, game: Game, players: Sequence[str], judges: Sequence[str], seed: int) -> None:
        self._game, self._draw = game, random.Random(seed)
        self._players = [make_player(player, game, seed=seed) for player in players]
        self._judges = [make_player(judge, game) for judge in judges]

    def find(self, count: int) -> Iterator[tuple[State, str]]:
        """Yields `count` decisions with their kinds."""
        left = {kind: round(share * count) for kind, share in QUOTAS.items()}
        left[MOVE] = count - sum(left.values())
        while any(left.values()):
            for state, kind in self._of_game(left):
                if left.get(kind, 0) > 0:
                    left[kind] -= 1
                    yield state, kind

    def _of_game(self, left: dict[str, int]) -> list[tuple[State, str]]:
        draw, state, taken = self._draw, self._game.new_initial_state(), []
        players = [draw.choice(self._players) for _ in range(2)]
        while not state.is_terminal():
            legal = state.legal_actions()
            if state.is_chance_node() or len(legal) == 1 or draw.random() < RANDOM_MOVES:
                state.apply_action(draw.choice(legal))
                continue
            kind = kind_of(state)
            looks = left.get(kind, 0) > 0 and (kind != MOVE or draw.random() < LOOKED_AT)
            if looks and len({judge.choose(state.clone()) for judge in self._judges}) > 1:
                taken.append((state.clone(), kind))
            state.apply_action(players[state.current_player()].choose(state.clone()))
        draw.shuffle(taken)
        return taken[:PER_GAME]


def main() -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="the file to write")
    parser.add_argument("--game", default="trictrac")
    parser.add_argument("--policy", required=True, help="plays the rollouts")
    parser.add_argument("--players", nargs="+", default=["heuristic", "greedy"], help="play the games")
    parser.add_argument(
        "--judges", nargs="+", default=["heuristic"], help="disagree about the decisions; with the policy"
    )
    parser.add_argument("--count", type=int, default=10_000, help="number of decisions")
    parser.add_argument("--games", type=int, default=144, help="games per action at most")
    parser.add_argument("--decisions", type=int, default=6, help="length of a rollout")
    parser.add_argument("--seed", type=int, default=20_261_117)
    parser.add_argument("--again", metavar="FILE", help="roll out the decisions of another referee instead")
    args = parser.parse_args()
    game = tablier.load_game(args.game)
    policy = make_policy(game, args.policy)
    if args.again:
        earlier = Referee.read(args.again).cases
        decisions = iter([(case.state, case.kind) for case in earlier[:: max(1, len(earlier) // args.count)]])
    else:
        judges = [args.policy, *args.judges]
        decisions = Disputed(game, [args.policy, *args.players], judges, args.seed).find(args.count)
    cases = []
    for number, (state, kind) in enumerate(tqdm(decisions, total=args.count, unit="decision")):
        found = roll_out_candidates(
            state, policy, games=args.games, decisions=args.decisions, seed=args.seed + number, portion=36
        )
        losses = {one.action: (max(0.0, one.behind), one.behind_error) for one in found}
        cases.append(Case(state, kind, {action: losses[action] for action in state.legal_actions()}))
    about = {
        "policy": args.policy,
        "unit": "win_chance" if found[0].by_chance else "points",
        "games": args.games,
        "decisions": args.decisions,
        "seed": args.seed,
    }
    Referee(game, about, cases).save(args.file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
