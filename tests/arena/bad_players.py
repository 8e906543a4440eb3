"""Players that fail, for `--import`: each worker process registers them again."""

import os
import time

from tablier.players import PLAYERS
from tablier.players.random import RandomPlayer


class Raises(RandomPlayer):
    def choose(self, state):
        raise RuntimeError("out of ideas")


class Dies(RandomPlayer):
    def choose(self, state):
        os._exit(3)


class Sleeps(RandomPlayer):
    def choose(self, state):
        time.sleep(10**6)


class Cheats(RandomPlayer):
    def choose(self, state):
        return 10**6


class Meddles(RandomPlayer):
    """Moves on the board it was shown."""

    def choose(self, state):
        action = state.legal_actions()[0]
        state.apply_action(action)
        return action


class Breaks(RandomPlayer):
    def __init__(self, game, seed: int = 0):
        raise OSError("no file")


class Holds(RandomPlayer):
    """Never makes progress in pig."""

    def choose(self, state):
        return 1


for player in (Raises, Dies, Sleeps, Cheats, Meddles, Breaks, Holds):
    PLAYERS[player.__name__.lower()] = player
