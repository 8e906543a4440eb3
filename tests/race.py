"""A small dice game in Python, for tests: a race along a track with one die."""

import tablier


class Race(tablier.PythonGame):
    """Each turn a player moves by their roll or discards it; the first to reach or pass `length` wins."""

    name = "race"
    title = "Race"
    help = "Roll, then keep (0) or discard (1) the roll; the first to reach the end of the track wins."
    num_actions = 2
    max_chance_outcomes = 6
    state_words = 4  # position of player 0, position of player 1, player to move, die (0: not rolled yet)
    observation_shape = (3,)
    features_shape = (3,)
    options = {"length": tablier.Option(12, min=1, max=100, doc="fields to the end")}

    def initial(self, length):
        return (length, length, 0, 0)  # fields left to go

    def current_player(self, state):
        if min(state[:2]) == 0:
            return tablier.TERMINAL
        return state[2] if state[3] else tablier.CHANCE

    def legal_actions(self, state):
        return [0, 1] if state[3] else range(6)

    def apply(self, state, action):
        to_go, player, die = list(state[:2]), state[2], state[3]
        if not die:
            return (*to_go, player, action + 1)
        if action == 0:
            to_go[player] = max(0, to_go[player] - die)
        return (*to_go, 1 - player, 0)

    def returns(self, state):
        return [1, -1] if state[0] == 0 else [-1, 1] if state[1] == 0 else [0, 0]

    def observation(self, state, player):
        return [state[player], state[1 - player], state[3]]

    def features(self, state, player):
        return [x / 100 for x in self.observation(state, player)]

    def to_string(self, state):
        return f"to go {state[0]} {state[1]}, player {state[2]}, die {state[3] or '-'}"

    def action_to_string(self, state, action):
        return ["keep", "discard"][action] if state[3] else f"die {action + 1}"

    def invalid(self, state):
        return None if min(state) >= 0 and max(state[:2]) <= 100 and state[2] < 2 and state[3] < 7 else "out of range"
