"""OpenSpiel's DQN (PyTorch) learns a short game of Trictrac through the registered `python_trictrac`.

    python examples/open_spiel_dqn.py [episodes]

Two agents learn by playing each other. After every tenth of the episodes, one of them is tested against a random
player. Needs the extras `openspiel` and `train`.
"""

import sys
from typing import Any

import numpy as np
import pyspiel
import torch
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import random_agent
from open_spiel.python.pytorch import dqn

import tablier.adapters.open_spiel  # noqa: F401  (registers the games)


def play(environment: rl_environment.Environment, agents: list[Any], evaluating: bool) -> list[float]:
    """Plays an episode and returns its final rewards."""
    step = environment.reset()
    while not step.last():
        mover = step.observations["current_player"]
        step = environment.step([agents[mover].step(step, is_evaluation=evaluating).action])
    for agent in agents:
        agent.step(step, is_evaluation=evaluating)
    return list(step.rewards)


def main(episodes: int) -> None:
    """Trains, and prints the win rate after every tenth of the episodes."""
    torch.set_num_threads(1)
    environment = rl_environment.Environment(pyspiel.load_game("python_trictrac(utility=win,holes_to_win=4)"))
    size = environment.observation_spec()["info_state"][0]
    actions = environment.action_spec()["num_actions"]
    agents = [dqn.DQN(i, size, actions, hidden_layers_sizes=[128, 128], learn_every=16) for i in (0, 1)]
    opponent = random_agent.RandomAgent(1, actions)
    for episode in range(1, episodes + 1):
        play(environment, agents, evaluating=False)
        if episode % max(1, episodes // 10) == 0:
            wins = np.mean([play(environment, [agents[0], opponent], evaluating=True)[0] > 0 for _ in range(100)])
            print(f"{episode} episodes: wins {wins:.0%} of 100 games as White against random")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
