"""Games that fit on a page, solved by hand."""

import tablier
from tablier import _core


class Table(tablier.PythonGame):
    """A game written down position by position: `nodes` maps a number to (player, {action: number}, returns)."""

    num_actions = 2
    state_words = 1
    observation_shape = (1,)
    features_shape = (1,)
    nodes = {}

    def initial(self):
        return (0,)

    def current_player(self, state):
        return self.nodes[state[0]][0]

    def legal_actions(self, state):
        return sorted(self.nodes[state[0]][1])

    def apply(self, state, action):
        return (self.nodes[state[0]][1][action],)

    def returns(self, state):
        return self.nodes[state[0]][2]

    def observation(self, state, player):
        return [state[0]]

    def features(self, state, player):
        return [state[0]]

    def to_string(self, state):
        return f"position {state[0]}"


OVER, DICE = tablier.TERMINAL, tablier.CHANCE


class Bargain(Table):
    """Two players who both may gain, points on the way, dice, and one who decides twice in a row.

    0: player 0 takes 1 point and decides again (action 0), or lets player 1 decide (action 1).
    1: player 0 throws a die of four sides (0), or ends it with 3 points for himself and 6 for the other (1).
    2: player 1 ends it with (1, 4) (action 0) or with (7, 5) (action 1).
    3: the die. One side brings (8, 0), one (0, 4), one nothing, and one lets player 1 choose: 8 is (2, 3) or (6, 2).

    Each his own: at 8 player 1 takes 3, so the die is worth ((8 + 0 + 2 + 0) / 4, (0 + 4 + 3 + 0) / 4) = (2.5, 1.75).
    At 1 player 0 prefers 3 to 2.5, so taking the point is worth (1 + 3, 6). At 2 player 1 takes 5 rather than 4. At 0
    player 0 prefers 7 to 4: action 1, worth (7, 5).

    Each the margin over the other: at 8 player 1 prefers 3 - 2 to 2 - 6. The die is still worth (2.5, 1.75), a margin
    of 0.75 rather than 3 - 6, so taking the point is worth (3.5, 1.75). At 2 player 1 prefers 4 - 1 to 5 - 7. At 0
    player 0 prefers 3.5 - 1.75 to 1 - 4: action 0, worth (3.5, 1.75).
    """

    name = "bargain"
    title = "Bargain"
    max_chance_outcomes = 4
    min_utility, max_utility = 0.0, 9.0
    zero_sum = False
    terminal_rewards = False
    nodes = {
        0: (0, {0: 1, 1: 2}, [0, 0]),
        1: (0, {0: 3, 1: 4}, [1, 0]),
        2: (1, {0: 11, 1: 12}, [0, 0]),
        3: (DICE, {0: 5, 1: 6, 2: 7, 3: 8}, [1, 0]),
        4: (OVER, {}, [4, 6]),
        5: (OVER, {}, [9, 0]),
        6: (OVER, {}, [1, 4]),
        7: (OVER, {}, [1, 0]),
        8: (1, {0: 9, 1: 10}, [1, 0]),
        9: (OVER, {}, [3, 3]),
        10: (OVER, {}, [7, 2]),
        11: (OVER, {}, [1, 4]),
        12: (OVER, {}, [7, 5]),
    }


class Match(Table):
    """A coin is thrown and may be named after it was seen (action 0), or 0.2 is taken for sure (action 1).

    Naming it rightly wins 1, wrongly loses 1. Who sees the coin always wins, so action 0 is worth 1. Who must decide on
    a name before the throw wins every other time: for him it is worth 0, and 0.2 is better.
    """

    name = "match_the_coin"
    title = "Match the coin"
    max_chance_outcomes = 2
    nodes = {
        0: (0, {0: 1, 1: 2}, [0, 0]),
        1: (DICE, {0: 3, 1: 4}, [0, 0]),
        2: (OVER, {}, [0.2, -0.2]),
        3: (0, {0: 5, 1: 6}, [0, 0]),
        4: (0, {0: 6, 1: 5}, [0, 0]),
        5: (OVER, {}, [1, -1]),
        6: (OVER, {}, [-1, 1]),
    }


def load(game):
    """The game; nobody else can load it by its name."""
    return _core.load_python(game(), {})
