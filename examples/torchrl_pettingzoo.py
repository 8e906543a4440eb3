"""Two TorchRL policies learn tic-tac-toe by playing each other through `PettingZooWrapper`.

    pip install 'tablier[pettingzoo]' torchrl
    python examples/torchrl_pettingzoo.py

Each player is a group of its own: `player_0` and `player_1` have their own network, observations and rewards. The
environment selects whose turn it is: `(group, "mask")` is true for the player who decides, and `(group, "action_mask")`
tells what is legal. Prints how many games the first policy wins against a random player before and after training.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import torch
from tensordict import TensorDict
from tensordict.nn import InteractionType, TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor

from tablier.adapters.pettingzoo import env as pettingzoo_env

GROUPS = ("player_0", "player_1")


def make_env(seed: int) -> PettingZooWrapper:
    """Tic-tac-toe with one group of tensors for each player."""
    return PettingZooWrapper(pettingzoo_env("tic_tac_toe"), use_mask=True, seed=seed)


def make_network() -> nn.Module:
    """From two planes of marks to the logits of the squares."""
    return nn.Sequential(nn.Flatten(-3), nn.Linear(18, 64), nn.ReLU(), nn.Linear(64, 9))


def indifferent(observation: torch.Tensor) -> torch.Tensor:
    """The logits of a player who chooses at random."""
    return torch.zeros(*observation.shape[:-3], 9)


def make_actor(group: str, network: Callable[[torch.Tensor], torch.Tensor]) -> ProbabilisticActor:
    """One player's policy over their legal actions."""
    return ProbabilisticActor(
        TensorDictModule(network, [(group, "observation", "observation")], [(group, "logits")]),
        in_keys={"logits": (group, "logits"), "mask": (group, "action_mask")},
        out_keys=[(group, "action")],
        distribution_class=MaskedCategorical,
        default_interaction_type=InteractionType.RANDOM,
    )


def loss_of(actor: ProbabilisticActor, group: str, game: TensorDict) -> torch.Tensor:
    """REINFORCE: makes the decisions of a game more likely if the player won it, less likely if they lost."""
    decided = game[group, "mask"].squeeze(-1)
    result = game["next", group, "reward"].sum()
    chances = actor.get_dist(game).log_prob(game[group, "action"]).squeeze(-1)
    loss: torch.Tensor = -result * chances[decided].sum()
    return loss


def train(env: PettingZooWrapper, actors: dict[str, ProbabilisticActor], games: int) -> None:
    """Plays so many games and learns after every sixteen."""
    policy = TensorDictSequential(*actors.values())
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for start in range(0, games, 16):
        with torch.no_grad():
            played = [env.rollout(1000, policy) for _ in range(min(16, games - start))]
        losses = [loss_of(actor, group, game) for game in played for group, actor in actors.items()]
        optimizer.zero_grad()
        torch.stack(losses).mean().backward()
        optimizer.step()


def wins(actor: ProbabilisticActor, games: int, seed: int) -> int:
    """Games that the first player wins of so many against a random player."""
    env = make_env(seed)
    policy = TensorDictSequential(actor, make_actor(GROUPS[1], indifferent))
    with torch.no_grad():
        return sum(bool(env.rollout(1000, policy)["next", GROUPS[0], "reward"].sum() > 0) for _ in range(games))


def main() -> None:
    """Plays, trains, and plays again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500, help="games to learn from")
    parser.add_argument("--test-games", type=int, default=100, help="games to play before and after")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    actors = {group: make_actor(group, make_network()) for group in GROUPS}
    print(f"before: won {wins(actors[GROUPS[0]], arguments.test_games, seed=1)} of {arguments.test_games} games")
    train(make_env(arguments.seed), actors, arguments.games)
    print(
        f"after {arguments.games} games: won {wins(actors[GROUPS[0]], arguments.test_games, seed=1)} "
        f"of {arguments.test_games} games"
    )


if __name__ == "__main__":
    main()
