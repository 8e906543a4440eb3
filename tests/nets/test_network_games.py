"""`BatchEnv.play` against a slow version of its documentation in Python, and whatever it is given wrong."""

import numpy as np
import pytest
from covered import SHAPES, load
from network_files import features_of, positions, random_network, room

import tablier
from tablier._core import nets, search


class Slow:
    """Plays one game with a network, as the docstring of `BatchEnv.play` says."""

    def __init__(self, game, network, scale):
        self.game, self.network, self.scale = game, network, scale
        self.evaluations = 0

    def margin(self, state):
        returns = state.returns()
        return (returns[0] - returns[1]) / 2

    def viewer(self, state, mover):
        player = state.current_player()
        return mover if player == tablier.CHANCE else player if player >= 0 else -1

    def to_come(self, state, mover):
        viewer = self.viewer(state, mover)
        if viewer < 0:
            return 0.0
        self.evaluations += 1
        outputs = self.network.compute(self.game, search.words(state)[None], np.array([viewer], np.int32))[0]
        return (1 - 2 * viewer) * self.scale * float(outputs[0, 0])

    def choose(self, state):
        """Returns the best action and its value for player 0; the first of several."""
        mover = state.current_player()
        worth = []
        for action in state.legal_actions():
            child = state.child(action)
            worth.append(self.margin(child) - self.margin(state) + self.to_come(child, mover))
        at = int(np.argmax(worth) if mover == 0 else np.argmin(worth))
        return state.legal_actions()[at], worth[at]

    def expected(self, after, mover):
        if after.is_terminal():
            return 0.0
        if not after.is_chance_node():
            return self.choose(after)[1]
        whole = 0.0
        for outcome, p in after.chance_outcomes():
            state = after.child(outcome)
            decides = state.current_player() >= 0
            value = self.choose(state)[1] if decides else self.to_come(state, mover)
            whole += p * (self.margin(state) - self.margin(after) + value)
        return whole


def follow(slow, env, moves, expected):
    """Replays one game of a batch with a second batch, which has the same dice; returns the arrays of its moves."""
    told = {name: [] for name in ("features", "viewer", "before", "after", "over", "expected", "best")}
    for _ in range(moves):
        state = env.state(0)
        mover = state.current_player()
        action, best = slow.choose(state)
        after = state.child(action)
        viewer = slow.viewer(after, mover)
        rewards, done = np.zeros((1, 2), np.float32), np.zeros(1, np.bool_)
        seen = np.zeros(slow.game.features_shape(), np.float32) if viewer < 0 else after.features(viewer)
        told["features"].append(seen)
        told["viewer"].append(viewer)
        told["best"].append(best)
        told["before"].append(slow.margin(after) - slow.margin(state))
        if expected:
            told["expected"].append(slow.expected(after, mover))
        env.step(np.array([action], np.int32), rewards=rewards, done=done)
        told["after"].append((rewards[0, 0] - rewards[0, 1]) / 2 - told["before"][-1])
        told["over"].append(bool(done[0]))
    told["best"].append(slow.choose(env.state(0))[1])
    return {name: np.array(values) for name, values in told.items() if values}


@pytest.mark.parametrize("name", ["trictrac-short", "trictrac-markov", "pig-short"])
def test_codes_are_the_features_as_the_network_reads_them(name):
    game = load(name)
    network = nets.Network(random_network(game, seed=5).file)
    env, other = (tablier.BatchEnv(game, 4, seed=9) for _ in range(2))
    arrays = room(env, 200)
    codes = np.ones((4, 200, len(network.sizes)), np.uint8)
    env.play(network, **arrays, codes=codes)
    alive = arrays["viewer"] >= 0
    assert not codes[~alive].any()
    assert (codes[alive] < network.sizes).all()
    if nets.code_sizes(game):
        seen = arrays["features"][alive]
        assert (nets.decode(game, codes[alive]) == seen.reshape(len(seen), -1)).all()
    del arrays["features"]
    alone = codes.copy()
    other.play(network, **arrays, codes=alone)
    assert (alone == codes).all()


CASES = {
    "pig": ("pig-short", 60, True),
    "tic_tac_toe": ("tic_tac_toe", 40, True),
    "trictrac": ("trictrac-short", 400, False),
    "trictrac with averages": ("trictrac-markov", 12, True),
    "explicit rolls": ("trictrac-old", 60, False),
    "schools": ("trictrac-schools", 100, False),
    "a game that is not zero-sum": ("scored", 40, False),
    "a game in Python": ("race", 60, True),
}


@pytest.mark.parametrize("case", CASES)
def test_it_does_what_its_documentation_says(case):
    name, moves, expected = CASES[case]
    game = load(name)
    numbers = random_network(game, seed=5)
    network = nets.Network(numbers.file)
    slow = Slow(game, network, numbers.tensors["scales"][0])
    fast, step_by_step = (tablier.BatchEnv(game, 1, seed=9) for _ in range(2))
    arrays = room(fast, moves, expected)
    evaluations = fast.play(network, **arrays)
    told = follow(slow, step_by_step, moves, expected)
    for name, array in told.items():
        if name in ("viewer", "over", "features"):
            assert (arrays[name][0] == array).all(), name
        else:
            assert arrays[name][0] == pytest.approx(array, rel=1e-5, abs=1e-5), name
    assert not arrays["explored"].any()
    assert (evaluations == slow.evaluations) or expected  # equal rolls are evaluated once
    assert (search.words(fast.state(0)) == search.words(step_by_step.state(0))).all()


def decisions_near_home(game, n, seed):
    """Returns decisions of random games of Trictrac in which all men of the mover are in their last quarter."""
    filled, draw, found = 32, np.random.default_rng(seed), []
    state = game.new_initial_state()
    while len(found) < n:
        if state.is_terminal():
            state = game.new_initial_state()
        player = state.current_player()
        if player >= 0:
            codes = nets.codes(game, search.words(state)[None], np.array([player], np.int32))
            if codes[0, filled] & 16:
                found.append(state.clone())
        state.apply_action(int(draw.choice(state.legal_actions())))
    return found


def best_by_hand(game, network, scales, state):
    """Returns the value of the best action for the mover, each afterstate computed from scratch."""
    worth = []
    mover = state.current_player()
    for action in state.legal_actions():
        child = state.child(action)
        viewer = mover if child.is_chance_node() else child.current_player()
        outputs = network.compute(game, search.words(child)[None], np.array([viewer], np.int32))[0][0]
        value = float(outputs @ scales[: len(outputs)])
        gained = np.subtract(child.returns(), state.returns())
        worth.append((1 - 2 * mover) * (gained[0] - gained[1]) / 2 + (value if viewer == mover else -value))
    return max(worth)


@pytest.mark.parametrize("kernels", nets.kernels())
@pytest.mark.parametrize("shape", ["odd", "usual", "features"])
def test_bearing_off_is_computed_from_the_position_before_the_move(shape, kernels):
    """Men leave the board, a man moves twice, and two men meet: cases that random games rarely have."""
    game = load("trictrac-markov")
    numbers = random_network(game, seed=6, **SHAPES[shape])
    network = nets.Network(numbers.file, kernels)
    env = tablier.BatchEnv(game, 1, seed=1)
    for state in decisions_near_home(game, 15, seed=2):
        env.set_state(0, state)
        arrays = room(env, 1)
        env.play(network, **arrays)
        best = best_by_hand(game, network, numbers.tensors["scales"], state)
        assert arrays["best"][0, 0] * (1 - 2 * state.current_player()) == pytest.approx(best, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("inputs", [1, 10, 31, 33, 38, 50, 66])
def test_a_network_may_read_only_the_first_codes(inputs):
    game = load("trictrac-expert")
    whole = random_network(game, seed=8)
    sizes = whole.tensors["sizes"][:inputs]
    numbers = whole.planned(n2=inputs).but(sizes=sizes, rows=whole.tensors["rows"][: sizes.sum()])
    network = nets.Network(numbers.file)
    env = tablier.BatchEnv(game, 1, seed=3)
    for _ in range(20):
        state, arrays = env.state(0), room(env, 1)
        codes = np.ones((1, 1, inputs), np.uint8)
        env.play(network, **arrays, codes=codes)
        best = best_by_hand(game, network, numbers.tensors["scales"], state)
        assert arrays["best"][0, 0] * (1 - 2 * state.current_player()) == pytest.approx(best, rel=1e-5, abs=1e-5)
        assert (codes[0, 0] < sizes).all()


@pytest.mark.parametrize("name", ["pig-short", "tic_tac_toe", "race"])
def test_games_end_and_new_ones_begin(name):
    env = tablier.BatchEnv(load(name), 8, seed=1)
    arrays = room(env, 200)
    env.play(nets.Network(random_network(env.game).file), **arrays, epsilon=0.5)
    over = arrays["over"]
    assert over.any()
    assert (arrays["viewer"][over] <= 1).all()
    ended = arrays["viewer"] < 0
    assert (over[ended]).all()
    assert (arrays["features"][ended] == 0).all()


def test_averages_discount_the_reply_but_not_the_roll():
    """Whatever the roll pays is not discounted, so the average is a line through what is left at discount 0."""
    game = load("trictrac-markov")
    network = nets.Network(random_network(game, seed=3).file)
    seen = []
    for discount in (0.0, 0.5, 1.0):
        env = tablier.BatchEnv(game, 16, seed=4)
        arrays = room(env, 10, True)
        env.play(network, **arrays, discount=discount)
        seen.append(arrays["expected"])
    assert seen[1] == pytest.approx((seen[0] + seen[2]) / 2, rel=1e-4, abs=1e-4)
    assert seen[0].any()
    assert (seen[0] != seen[2]).mean() > 0.9


@pytest.mark.parametrize("discount", [-0.1, 1.1, float("nan")])
def test_a_discount_out_of_range_is_refused(discount):
    env = tablier.BatchEnv(load("pig"), 2, seed=1)
    with pytest.raises(ValueError, match="discount must be from 0 to 1"):
        env.play(nets.Network(random_network(env.game).file), **room(env, 2), discount=discount)


def test_random_moves_are_as_frequent_as_epsilon():
    env = tablier.BatchEnv(load("pig"), 32, seed=1)
    network = nets.Network(random_network(env.game).file)
    for epsilon, low, high in ((0.0, 0, 0), (0.25, 0.22, 0.28), (1.0, 1, 1)):
        arrays = room(env, 200)
        env.play(network, **arrays, epsilon=epsilon)
        assert low <= arrays["explored"].mean() <= high


def test_a_random_move_is_played_instead_of_the_best():
    game = load("tic_tac_toe")
    network = nets.Network(random_network(game, seed=3).file)
    features = []
    for epsilon in (0.0, 1.0):
        env = tablier.BatchEnv(game, 64, seed=1)
        arrays = room(env, 1)
        env.play(network, **arrays, epsilon=epsilon)
        features.append(len(np.unique(arrays["features"].reshape(64, -1), axis=0)))
    assert features[0] == 1
    assert features[1] == 9


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("name", ["pig", "trictrac-short", "scored", "race"])
def test_the_number_of_threads_does_not_matter(name, threads):
    game = load(name)
    network = nets.Network(random_network(game, seed=2).file)
    found = []
    for count in (1, threads):
        env = tablier.BatchEnv(game, 37, seed=6, threads=count)
        arrays = room(env, 15, expected=name != "race")
        evaluations = env.play(network, **arrays, epsilon=0.1)
        found.append((evaluations, env.save(), {name: array.tobytes() for name, array in arrays.items()}))
    assert found[0] == found[1]


def test_no_moves_still_tell_the_best_value():
    env = tablier.BatchEnv(load("pig"), 3)
    arrays, before = room(env, 0), env.save()
    assert env.play(nets.Network(random_network(env.game).file), **arrays) == 6
    assert arrays["best"].shape == (3, 1)
    assert env.save() == before


WRONG = {
    "features": (np.zeros((2, 5, 4), np.float32), np.zeros((2, 5, 3), np.float64), np.zeros((2, 5), np.float32)),
    "viewer": (np.zeros((2, 5), np.int64), np.zeros((3, 5), np.int32), np.zeros(5, np.int32), [[0] * 5] * 2, 3),
    "before": (np.zeros((2, 6), np.float32), np.zeros((2, 5), np.int32), [0.0], "x"),
    "after": (np.zeros((5, 2), np.float32).T[:, ::2], np.asfortranarray(np.zeros((2, 5), np.float32))),
    "over": (np.zeros((2, 5), np.uint8), np.zeros((2, 4), np.bool_)),
    "best": (np.zeros((2, 5), np.float32), np.zeros((2, 7), np.float32)),
    "explored": (np.zeros((2, 5), np.bool_), np.broadcast_to(np.zeros((1, 6), np.bool_), (2, 6))),
    "expected": (np.zeros((2, 6), np.float32), np.zeros((2, 5), np.float64)),
}


@pytest.mark.parametrize(("name", "array"), [(name, array) for name, arrays in WRONG.items() for array in arrays])
def test_a_wrong_array_is_refused_before_anything_is_played(name, array):
    env = tablier.BatchEnv(load("pig"), 2, seed=1)
    before = env.save()
    with pytest.raises(TypeError, match=name):
        env.play(nets.Network(random_network(env.game).file), **{**room(env, 5, expected=True), name: array})
    assert env.save() == before


@pytest.mark.parametrize("epsilon", [-0.1, 1.1, float("nan"), float("inf")])
def test_an_epsilon_that_is_no_probability_is_refused(epsilon):
    env = tablier.BatchEnv(load("pig"), 2)
    with pytest.raises(ValueError, match="epsilon must be from 0 to 1"):
        env.play(nets.Network(random_network(env.game).file), **room(env, 2), epsilon=epsilon)


def test_a_game_for_three_is_refused():
    env = tablier.BatchEnv(load("scored-three"), 2)
    with pytest.raises(ValueError, match="needs a game for two players"):
        env.play(nets.Network(random_network(env.game).file), **room(env, 2))


def test_a_network_must_be_one():
    env = tablier.BatchEnv(load("pig"), 2)
    for network in (None, b"", "net"):
        with pytest.raises(TypeError):
            env.play(network, **room(env, 2))


def test_computing_positions_that_are_not_valid_is_refused():
    game = load("trictrac")
    network = nets.Network(random_network(game).file)
    states, players = positions(game, 4)
    with pytest.raises(ValueError, match="state"):
        network.compute(game, np.full_like(states, 2**62), players)
    with pytest.raises(ValueError, match="players"):
        network.compute(game, states, players - 3)
    with pytest.raises(TypeError, match="players"):
        network.compute(game, states, players[:2])
    assert network.compute(game, states[:0], players[:0])[0].shape == (0, 1)
    assert features_of(game, states, players).shape == (4, 217)
