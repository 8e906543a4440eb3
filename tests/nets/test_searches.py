"""Search with a core network: the same for any number of threads, and as with an evaluator in Python."""

import numpy as np
import pytest
from covered import load
from network_files import positions, random_network

import tablier
from tablier._core import nets
from tablier._core.search import words
from tablier.evaluators import CoreEvaluator, ExpectimaxEvaluator, Leaves
from tablier.search import ExpectimaxConfig, Search, SearchConfig, SelfPlay

ARRAYS = ("states", "players", "actions", "values", "collected", "offsets", "policy_actions", "policy")


class Asked:
    """The same values, but asked for in Python, leaf by leaf of a stored ply."""

    def __init__(self, evaluator):
        self.evaluator, self.rows = evaluator, 0

    def evaluate(self, leaves):
        self.rows += len(leaves)
        return self.evaluator.evaluate(leaves)


def exact(game, seed=3, **shape):
    """Returns a network whose values are exact as float32, so that search in floats and in doubles must agree."""
    numbers = random_network(game, seed, **shape)
    output = {"output.weight": numbers.tensors["output.weight"] >> 5, "output.bias": np.zeros(1, np.int32)}
    return numbers.but(**output, scales=np.array([2.0**-22, 2.0**-22]))


def looked(game, evaluator, states, players, threads=1, **settings):
    search = ExpectimaxEvaluator(game, evaluator, ExpectimaxConfig(**settings), threads)
    plies = search.look(states, players)
    values = search.evaluate(Leaves.of(game, states, players))[1]
    return plies, values.tolist(), [search.ranking(i) for i in range(len(states))]


DEPTHS = [
    ("pig", {"plies": 1}, 40),
    ("pig", {"plies": 2}, 40),
    ("pig", {"plies": 3}, 40),
    ("tic_tac_toe", {"plies": 3}, 10),
    ("trictrac-markov", {"plies": 1}, 20),
    ("trictrac-markov", {"plies": 2, "keep": 3}, 6),
    ("trictrac-markov", {"plies": 2, "keep": 2, "margin": 0.1}, 6),
    ("trictrac-markov", {"plies": 3, "keep": 1, "margin": 0.0}, 1),
    ("trictrac-old", {"plies": 3, "keep": 1, "margin": 0.0}, 1),
    ("trictrac-short", {"plies": 2, "keep": 2}, 6),
    ("scored", {"plies": 2, "keep": 2, "objective": "margin"}, 4),
    ("race", {"plies": 3}, 6),
]


@pytest.mark.parametrize(("name", "settings", "n"), DEPTHS, ids=str)
def test_the_last_ply_is_the_same_streamed_or_stored(name, settings, n):
    game = load(name)
    core = CoreEvaluator(game, exact(game).file)
    states, players = positions(core.searched.game, n, seed=11)
    asked = Asked(core)
    streamed = looked(core.searched.game, core, states, players, **settings)
    assert streamed == looked(core.searched.game, asked, states, players, **settings)
    assert asked.rows > n
    assert len({tuple(value) for value in streamed[1]}) > n // 3


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize(
    ("name", "settings"), [("pig", {"plies": 3}), ("trictrac-markov", {"plies": 2, "keep": 3}), ("race", {"plies": 2})]
)
def test_expectimax_does_not_depend_on_threads(name, settings, threads):
    game = load(name)
    core = CoreEvaluator(game, random_network(game).file)
    states, players = positions(core.searched.game, 12, seed=12)
    alone = looked(core.searched.game, core, states, players, 1, **settings)
    assert alone == looked(core.searched.game, core, states, players, threads, **settings)


def games(game, evaluator, count=7, moves=20, **settings):
    config = SearchConfig(n_simulations=16, root=settings.pop("root", "puct")).self_play(game)
    found = SelfPlay(game, evaluator, config, seed=4, **settings).play(count, max_moves=moves)
    found = sorted(found, key=lambda one: one.number)
    return [(one.returns, [getattr(one, name).tobytes() for name in ARRAYS]) for one in found]


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize("policy", [False, True], ids=["values", "policy"])
@pytest.mark.parametrize("name", ["pig", "trictrac-markov", "tic_tac_toe"])
def test_self_play_does_not_depend_on_threads(name, policy, root):
    game = load(name)
    core = CoreEvaluator(game, random_network(game, policy=policy).file)
    alone = games(core.searched.game, core, root=root)
    for settings in ({"threads": 2}, {"threads": 4}, {"games_at_once": 1}, {"games_at_once": 3, "threads": 2}):
        assert games(core.searched.game, core, root=root, **settings) == alone


@pytest.mark.parametrize("kernels", nets.kernels()[1:])
def test_self_play_does_not_depend_on_the_instruction_set(kernels):
    game = load("trictrac-markov")
    file = random_network(game, policy=True, width=100).file
    assert games(game, CoreEvaluator(game, file, kernels=kernels)) == games(game, CoreEvaluator(game, file))


@pytest.mark.parametrize("threads", [2, 4])
def test_evaluation_does_not_depend_on_threads(threads):
    game = load("trictrac-markov")
    file = random_network(game, policy=True).file
    leaves = Leaves.of(game, *positions(game, 1000, seed=13))
    one, more = (CoreEvaluator(game, file, threads=count).evaluate(leaves) for count in (1, threads))
    assert (one[0] == more[0]).all()
    assert (one[1] == more[1]).all()


def test_values_are_those_of_the_outputs_by_seat():
    game = load("trictrac-markov")
    numbers = random_network(game)
    env = tablier.BatchEnv(game, 200, seed=14)
    players = env.arrays().current_player
    states = np.array([words(env.state(i)) for i in range(200)])
    logits, values = CoreEvaluator(game, numbers.file).evaluate(Leaves.of(game, states, players))
    own = nets.Network(numbers.file).compute(game, states, players)[0][:, 0] * numbers.tensors["scales"][0]
    assert logits is None
    assert values[np.arange(200), players] == pytest.approx(own, rel=1e-6)
    assert (values[:, 0] == -values[:, 1]).all()
    assert set(players.tolist()) == {0, 1}


def test_a_search_with_a_policy_uses_its_priors():
    game = load("trictrac-markov")
    core = CoreEvaluator(game, random_network(game, policy=True, seed=8).file)
    state = game.new_initial_state().child(13)
    found = Search(game, core, SearchConfig(n_simulations=1)).run(state)
    rows, players = words(state).reshape(1, -1), np.array([state.current_player()], np.int32)
    logits = core.network.compute(game, rows, players)[1][0]
    legal = np.array([one.action for one in found.candidates])
    shares = np.exp(logits[legal] - logits[legal].max())
    assert [one.prior for one in found.candidates] == pytest.approx((shares / shares.sum()).tolist(), abs=1e-6)
