"""A value network learns from random games of Pig, played through TorchRL's `OpenSpielEnv`, who is going to win.

    pip install 'tablier[openspiel]' torchrl
    python examples/torchrl_open_spiel.py

`OpenSpielEnv` throws the die at chance nodes and keeps random actions legal. It takes the game's `returns()` for the
reward of every step, so choose games that pay at the end: Pig does, and so does Trictrac as
`python_trictrac(utility=win)`. Prints the mean squared error on fresh games before and after training. A network that
knows nothing and always answers 0 has an error of 1.
"""

from __future__ import annotations

import argparse

import torch
from torch import nn
from torchrl.envs import OpenSpielEnv

import tablier.adapters.open_spiel  # noqa: F401  (registers the games)


def make_env(seed: int) -> OpenSpielEnv:
    """A race to 50 points."""
    env = OpenSpielEnv("tablier_pig(win_score=50)", categorical_actions=True)
    env.set_seed(seed)
    return env


def play(env: OpenSpielEnv, games: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What both players saw at every decision of so many random games, and their results: +1 or -1."""
    seen, results = [], []
    for _ in range(games):
        game = env.rollout(10_000)
        seen.append(game["agents", "observation"].flatten(0, 1))
        results.append(game["next", "agents", "reward"][-1].repeat(len(game), 1))
    return torch.cat(seen), torch.cat(results)


def train(network: nn.Module, seen: torch.Tensor, results: torch.Tensor, steps: int) -> None:
    """Fits the network to the results, on minibatches of 256 positions."""
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    for _ in range(steps):
        rows = torch.randint(len(seen), (256,))
        loss = nn.functional.mse_loss(network(seen[rows]), results[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def error(network: nn.Module, seen: torch.Tensor, results: torch.Tensor) -> float:
    """The mean squared error of the network's predictions."""
    with torch.no_grad():
        return float(nn.functional.mse_loss(network(seen), results))


def main() -> None:
    """Plays, trains, and measures on other games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=60, help="games to learn from; half as many to measure on")
    parser.add_argument("--steps", type=int, default=500, help="minibatches to learn from")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    env = make_env(arguments.seed)
    training, fresh = play(env, arguments.games), play(env, max(1, arguments.games // 2))
    network = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh())
    before = error(network, *fresh)
    train(network, *training, arguments.steps)
    print(f"mean squared error on fresh games: {before:.2f} before, {error(network, *fresh):.2f} after")


if __name__ == "__main__":
    main()
