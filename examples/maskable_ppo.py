"""sb3-contrib's MaskablePPO learns Trictrac against one of our players, then plays fresh games.

    pip install 'tablier[gymnasium]' sb3-contrib
    python examples/maskable_ppo.py

It needs one core. Action masks make this feasible: about ten of the 514 actions are legal at a time. The reward is the
change of the score (own points minus the opponent's, in holes), a signal after every throw instead of once per game. So
the policy also learns whether to hold after winning a hole or to leave, which resets the board.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

from tablier.adapters.gymnasium import make_env


class ScoreDifference(gymnasium.Wrapper):
    """Rewards the learner's points minus the opponent's, 1 for a hole."""

    def step(self, action: Any) -> Any:
        """Steps the environment and replaces the reward."""
        observation, _, terminated, truncated, info = self.env.step(action)
        own, other = info["rewards"][info["player"]], info["rewards"][1 - info["player"]]
        return observation, float(own - other) / 12, terminated, truncated, info


class Progress(BaseCallback):
    """Prints a line per minute and stops the training when the time is up."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.minutes, self.start, self.printed = minutes, time.monotonic(), 0

    def _on_step(self) -> bool:
        minutes = (time.monotonic() - self.start) / 60
        if minutes >= self.printed + 1:
            self.printed = int(minutes)
            paid = [episode["r"] for episode in self.model.ep_info_buffer or []]
            print(
                f"minute {self.printed}: {self.num_timesteps:,} decisions, {np.mean(paid):+.2f} holes per game",
                flush=True,
            )
        return minutes < self.minutes


def train(arguments: argparse.Namespace) -> MaskablePPO:
    """Trains for `steps` decisions or `minutes`, whichever comes first."""

    def make() -> Monitor:
        return Monitor(
            ScoreDifference(make_env("trictrac", opponent=arguments.opponent, seat="random", utility="score"))
        )

    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([make] * arguments.envs),
        learning_rate=lambda left: 1e-3 * left + 5e-5,
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        gamma=0.995,
        gae_lambda=0.9,
        ent_coef=0.005,
        policy_kwargs={"net_arch": [256, 256], "activation_fn": torch.nn.ReLU},
        seed=arguments.seed,
        device="cpu",
    )
    return model.learn(arguments.steps, callback=Progress(arguments.minutes))


def wins(model: MaskablePPO, opponent: str, games: int, seed: int) -> int:
    """Counts wins in alternating seats, with the most likely action at every decision."""
    won = 0
    envs = [make_env("trictrac", opponent=opponent, seat=seat) for seat in (0, 1)]
    for number in range(games):
        env = envs[number % 2]
        observation, info = env.reset(seed=seed + number)
        reward, over = 0.0, False
        while not over:
            action, _ = model.predict(observation, action_masks=info["action_mask"], deterministic=True)
            observation, gained, terminated, truncated, info = env.step(np.int64(action))
            reward = float(gained)
            over = terminated or truncated
        won += reward > 0
    return won


def main() -> None:
    """Trains, then plays fresh games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=1_000_000, help="maximum number of decisions (default 1,000,000)")
    parser.add_argument("--minutes", type=float, default=9.0, help="maximum training time (default 9)")
    parser.add_argument("--envs", type=int, default=32, help="parallel environments (default 32)")
    parser.add_argument("--games", type=int, default=1000, help="games of the final test (default 1000)")
    parser.add_argument("--opponent", default="random", help="player to train and test against (default random)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the training (default 0)")
    parser.add_argument("--save", help="file to save the model to")
    arguments = parser.parse_args()

    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)
    start = time.monotonic()
    model = train(arguments)
    print(f"trained on {model.num_timesteps:,} decisions in {(time.monotonic() - start) / 60:.1f} minutes")
    if arguments.save:
        model.save(arguments.save)
    won = wins(model, arguments.opponent, arguments.games, seed=1_000_000)
    rate = won / arguments.games
    half = 1.96 * math.sqrt(rate * (1 - rate) / arguments.games)
    print(f"won {won} of {arguments.games} games against {arguments.opponent}: {rate:.1%} +- {half:.1%}")


if __name__ == "__main__":
    main()
