"""TorchRL's PPO learns tic-tac-toe through `GymEnv`, against a random player.

    pip install 'tablier[gymnasium]' torchrl
    python examples/torchrl_gymnasium.py

`GymEnv` reads the mask of legal actions from the environment's info, `ActionMask` keeps random actions legal, and
`MaskedCategorical` does the same for the policy. Prints how many games the policy wins before and after training.
"""

from __future__ import annotations

import argparse

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymEnv, TransformedEnv, set_exploration_type
from torchrl.envs.gym_like import default_info_dict_reader
from torchrl.envs.utils import ExplorationType
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import tablier.adapters.gymnasium  # noqa: F401  (registers the games)


def make_env(seed: int) -> TransformedEnv:
    """An environment whose tensordicts hold the mask as `action_mask`."""
    env = GymEnv("tablier/TicTacToe-v0", opponent="random", seat="random", categorical_action_encoding=True)
    mask = Binary(env.action_spec.space.n, dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec=[mask]))
    env = TransformedEnv(env, Compose(DTypeCastTransform(torch.int8, torch.bool, ["action_mask"]), ActionMask()))
    env.set_seed(seed)
    return env


def make_networks(env: TransformedEnv) -> tuple[ProbabilisticActor, ValueOperator]:
    """A policy over the legal actions, and a value function."""
    inputs, actions = env.observation_spec["observation"].shape.numel(), env.action_spec.space.n
    policy = nn.Sequential(nn.Flatten(-3), nn.Linear(inputs, 64), nn.ReLU(), nn.Linear(64, actions))
    value = nn.Sequential(nn.Flatten(-3), nn.Linear(inputs, 64), nn.ReLU(), nn.Linear(64, 1))
    actor = ProbabilisticActor(
        TensorDictModule(policy, ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    return actor, ValueOperator(value, in_keys=["observation"])


def train(env: TransformedEnv, actor: ProbabilisticActor, critic: ValueOperator, frames: int) -> None:
    """Proximal policy optimization on so many decisions."""
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimizer = torch.optim.Adam(loss.parameters(), lr=3e-3)
    size = min(frames, 1000)
    collector = Collector(env, actor, frames_per_batch=size, total_frames=frames, auto_register_policy_transforms=True)
    for data in collector:
        for _ in range(4):
            advantage(data)
            for rows in torch.randperm(len(data)).split(250):
                losses = loss(data[rows])
                optimizer.zero_grad()
                sum(value for name, value in losses.items() if name.startswith("loss_")).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()


def wins(actor: ProbabilisticActor, games: int, seed: int) -> int:
    """Games won of so many, with the most likely action at every decision."""
    env = make_env(seed)
    with torch.no_grad(), set_exploration_type(ExplorationType.MODE):
        return sum(bool(env.rollout(1000, actor)["next", "reward"][-1] > 0) for _ in range(games))


def main() -> None:
    """Plays, trains, and plays again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=10_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=200, help="games to play before and after")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    env = make_env(arguments.seed)
    actor, critic = make_networks(env)
    print(f"before: won {wins(actor, arguments.games, seed=1)} of {arguments.games} games")
    train(env, actor, critic, arguments.frames)
    print(
        f"after {arguments.frames:,} decisions: won {wins(actor, arguments.games, seed=1)} of {arguments.games} games"
    )


if __name__ == "__main__":
    main()
