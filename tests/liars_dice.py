"""Liar's dice for two players with one die each, in Python: a small game with hidden information, for tests."""

import tablier

BIDS = 12
CHALLENGE = BIDS


class LiarsDice(tablier.PythonGame):
    """Each player sees only their own die. A bid says "at least n dice show this face", and bids must rise."""

    name = "liars_dice"
    title = "Liar's dice"
    help = "Actions 0 to 5 bid one die of face 1 to 6, 6 to 11 bid two dice; 12 challenges the last bid."
    num_actions = 13
    max_chance_outcomes = 6
    max_game_length = 15
    state_words = 5  # die of player 0, die of player 1 (0: not rolled yet), last bid + 1, player to move, challenged
    observation_shape = (5,)
    features_shape = (5,)

    def initial(self):
        return (0, 0, 0, 0, 0)

    def current_player(self, state):
        if state[4]:
            return tablier.TERMINAL
        return state[3] if state[1] else tablier.CHANCE

    def legal_actions(self, state):
        if not state[1]:
            return range(6)
        return [*range(state[2], BIDS), *([CHALLENGE] if state[2] else [])]

    def apply(self, state, action):
        first, second, bid, player, _ = state
        if not first:
            return (action + 1, 0, 0, 0, 0)
        if not second:
            return (first, action + 1, 0, 0, 0)
        if action == CHALLENGE:
            return (first, second, bid, player, 1)
        return (first, second, action + 1, 1 - player, 0)

    def returns(self, state):
        if not state[4]:
            return [0, 0]
        dice, face = divmod(state[2] - 1, 6)
        holds = state[:2].count(face + 1) > dice
        winner = 1 - state[3] if holds else state[3]  # the player to move made the challenge
        return [1, -1] if winner == 0 else [-1, 1]

    def observation(self, state, player):
        other = state[1 - player] if state[4] else 0  # a challenge reveals both dice
        return [state[player], other, state[2], state[3], state[4]]

    def features(self, state, player):
        return [x / 12 for x in self.observation(state, player)]

    def to_string(self, state):
        return f"dice {state[0]} {state[1]}, bid {state[2]}, player {state[3]}, challenged {state[4]}"

    def action_to_string(self, state, action):
        if self.current_player(state) == tablier.CHANCE:
            return f"die {action + 1}"
        return "challenge" if action == CHALLENGE else f"{action // 6 + 1} of face {action % 6 + 1}"

    def indistinguishable(self, state, player):
        hidden = state[1 - player]
        if not hidden or state[4]:
            return
        for die in range(1, 7):
            yield tuple(die if word == 1 - player else state[word] for word in range(self.state_words))
