"""Games that fit on a page, solved by hand."""

import tablier
from tablier import _core


class Table(tablier.PythonGame):
    """A game listed position by position: `nodes` maps a number to (player, {action: number}, returns)."""

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
    """A general-sum game with points before the end, dice, and a player who decides twice in a row.

    0: player 0 takes 1 point and decides again (action 0), or lets player 1 decide (action 1).
    1: player 0 rolls a four-sided die (0), or ends the game with 3 points for themselves and 6 for the other (1).
    2: player 1 ends the game with (1, 4) (action 0) or with (7, 5) (action 1).
    3: the die. One side pays (8, 0), one (0, 4), one nothing, and one lets player 1 choose at 8: (2, 3) or (6, 2).

    Maximising one's own points: at 8 player 1 takes 3, so the die is worth
    ((8 + 0 + 2 + 0) / 4, (0 + 4 + 3 + 0) / 4) = (2.5, 1.75). At 1 player 0 prefers 3 to 2.5, so taking the point is
    worth (1 + 3, 6). At 2 player 1 takes 5 rather than 4. At 0 player 0 prefers 7 to 4: action 1, worth (7, 5).

    Maximising the margin: at 8 player 1 prefers 3 - 2 to 2 - 6. The die is still worth (2.5, 1.75), a margin of 0.75
    rather than 3 - 6, so taking the point is worth (3.5, 1.75). At 2 player 1 prefers 4 - 1 to 5 - 7. At 0 player 0
    prefers 3.5 - 1.75 to 1 - 4: action 0, worth (3.5, 1.75).
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
    """The player sees a coin toss and then calls it (action 0), or takes a sure 0.2 (action 1).

    A correct call wins 1, a wrong one loses 1. A player who sees the coin always wins, so action 0 is worth 1. A player
    who must call before the toss wins half the time: action 0 is then worth 0, and 0.2 is better.
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
    """Loads the game without registering its name."""
    return _core.load_python(game(), {})
