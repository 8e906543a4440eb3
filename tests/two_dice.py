"""A race with two dice in Python, for tests; the order of the dice does not matter."""

import tablier

FACES = range(1, 7)


class TwoDice(tablier.PythonGame):
    """Each turn a player moves by the first die, the second or both; the first to finish the track wins.

    Search sees all 36 throws.
    """

    name = "two_dice"
    title = "Two dice"
    help = "Move by the first die (0), by the second (1) or by both (2); you may not run past the end."
    num_actions = 4
    max_chance_outcomes = 36
    state_words = 5  # fields left for player 0, for player 1, player to move, the two dice (0: not rolled yet)
    observation_shape = (4,)
    features_shape = (4,)
    options = {"length": tablier.Option(8, min=1, max=100, doc="fields to the end")}

    def initial(self, length):
        return (length, length, 0, 0, 0)

    def current_player(self, state):
        if min(state[:2]) == 0:
            return tablier.TERMINAL
        return state[2] if state[3] else tablier.CHANCE

    def legal_actions(self, state):
        if not state[3]:
            return range(36)
        moves = [0, 2] if state[3] == state[4] else [0, 1, 2]
        return [action for action in moves if self.steps(state, action) <= state[state[2]]] or [3]

    def steps(self, state, action):
        return (state[3], state[4], state[3] + state[4], 0)[action]

    def apply(self, state, action):
        to_go, player = list(state[:2]), state[2]
        if not state[3]:
            return (*to_go, player, action // 6 + 1, action % 6 + 1)
        to_go[player] -= self.steps(state, action)
        return (*to_go, 1 - player, 0, 0)

    def returns(self, state):
        return [1, -1] if state[0] == 0 else [-1, 1] if state[1] == 0 else [0, 0]

    def observation(self, state, player):
        return [state[player], state[1 - player], *state[3:]]

    def features(self, state, player):
        return [x / 100 for x in self.observation(state, player)]

    def to_string(self, state):
        return f"to go {state[0]} {state[1]}, player {state[2]}, dice {state[3]} {state[4]}"

    def action_to_string(self, state, action):
        return ["first", "second", "both", "stay"][action] if state[3] else f"{action // 6 + 1} and {action % 6 + 1}"

    def estimate(self, state):
        lead = (state[1] - state[0]) / 100
        return [lead, -lead]


class MergedDice(TwoDice):
    """The same game, but search sees 21 throws, the higher die first."""

    name = "merged_dice"

    def chance_classes(self, state):
        return [(6 * high + low, 1 if high == low else 2) for high in range(6) for low in range(high + 1)]

    def canonical(self, state):
        return (*state[:3], *sorted(state[3:], reverse=True))
