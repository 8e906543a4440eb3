"""Players that fail, for `--import`: each worker process registers them again."""

import os
import sys
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


class Exits(RandomPlayer):
    def choose(self, state):
        sys.exit(0)


class Interrupts(RandomPlayer):
    def choose(self, state):
        raise KeyboardInterrupt


class Mute(RandomPlayer):
    """Raises an error that cannot be described."""

    def choose(self, state):
        class Untold(Exception):
            def __str__(self):
                raise ValueError("no text")

        raise Untold


class Shapeless(RandomPlayer):
    """Chooses something that cannot be described."""

    def choose(self, state):
        class Nothing:
            def __repr__(self):
                raise SystemExit

        return Nothing()


class Scrawls(RandomPlayer):
    """Raises an error whose text no file or terminal can take."""

    def choose(self, state):
        raise RuntimeError("\udcff\x00\x1b[31m")


class Large(RandomPlayer):
    def choose(self, state):
        return 10**5000


class Wavers(RandomPlayer):
    """Chooses something that is another number each time it is looked at."""

    def choose(self, state):
        class Either:
            left = [10**6, state.legal_actions()[0]]

            def __index__(self):
                return self.left.pop()

        return Either()


class Closes(RandomPlayer):
    """Closes all files, also the pipe to the parent process."""

    def choose(self, state):
        os.closerange(0, 200)
        return state.legal_actions()[0]


for player in list(vars().values()):
    if isinstance(player, type) and player.__module__ == __name__:
        PLAYERS[player.__name__.lower()] = player
