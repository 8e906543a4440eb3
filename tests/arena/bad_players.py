"""Players that fail, for `--import`: each worker process registers them again."""

import contextlib
import os
import pickle
import stat
import sys
import time
from pathlib import Path

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


class ExitsAtOnce(RandomPlayer):
    def __init__(self, game, seed: int = 0):
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


def leave_a_child():
    """Leaves a process behind that has the same files open, and its id in a folder that the environment names."""
    if (child := os.fork()) == 0:
        while True:
            time.sleep(10**6)
    (Path(os.environ["TEST_CHILDREN"]) / str(child)).touch()


class ForksAndDies(RandomPlayer):
    def choose(self, state):
        leave_a_child()
        os._exit(3)


class ForksAndExits(RandomPlayer):
    def choose(self, state):
        leave_a_child()
        sys.exit(4)


class Waits(RandomPlayer):
    def choose(self, state):
        leave_a_child()
        time.sleep(10**6)


class Doubles(RandomPlayer):
    """Plays on in two processes."""

    def choose(self, state):
        os.fork()
        return state.legal_actions()[0]


class Scribbles(RandomPlayer):
    """Writes to the pipe to the parent process, and to whatever else is open."""

    text = b"hello, world"

    def choose(self, state):
        for number in range(3, 200):
            with contextlib.suppress(OSError):
                if stat.S_ISSOCK(os.fstat(number).st_mode):
                    os.write(number, self.text)
        return state.legal_actions()[0]


class Pickles(Scribbles):
    """Writes messages that can be read."""

    text = len(pickle.dumps("hello")).to_bytes(4, "big") + pickle.dumps("hello")


class Nibbles(Scribbles):
    """Writes the beginning of a message and never answers."""

    text = b"\0"

    def choose(self, state):
        super().choose(state)
        time.sleep(10**6)


for player in list(vars().values()):
    if isinstance(player, type) and player.__module__ == __name__:
        PLAYERS[player.__name__.lower()] = player
