"""Full-width search against brute force in Python, and evaluators built from evaluators."""

import numpy as np
import pytest
from playing import play, random_states

import tablier
from tablier._core import search as _search
from tablier._core.search import words
from tablier.evaluators import (
    CachedEvaluator,
    ExpectimaxEvaluator,
    HeuristicEvaluator,
    Leaves,
    OnnxEvaluator,
    RolloutEvaluator,
    SearchedGame,
    TorchEvaluator,
    UniformEvaluator,
)
from tablier.evaluators.network import describe
from tablier.search import ExpectimaxConfig, Search, SearchConfig

ALL = 10**6


class Guess:
    """An evaluator that computes a pseudo-random value from the words of the state."""

    def __init__(self):
        self.rows = []

    def evaluate(self, leaves):
        self.rows += zip(leaves.states.tolist(), leaves.player.tolist(), leaves.legal_mask.sum(axis=1), strict=True)
        return None, np.array([self.values(row) for row in leaves.states], np.float32)

    def values(self, row):
        own = float((row * np.arange(1, len(row) + 1, dtype=np.uint64)).sum() % np.uint64(101)) / 101 - 0.5
        return [own, -own]

    def of(self, state):
        return self.values(words(state))


class Heuristic:
    """Trictrac's heuristic, evaluated one position at a time."""

    def __init__(self, game):
        self.evaluator, self.game = HeuristicEvaluator(game), game

    def of(self, state):
        row = words(state).reshape(1, -1)
        return self.evaluator.evaluate(Leaves.of(self.game, row, np.zeros(1, np.int32)))[1][0].tolist()


def brute_force(state, plies, guess):
    """Returns the future values of a position over every action and every roll, `plies` decisions deep."""
    if state.is_terminal():
        return [0.0, 0.0]
    if state.is_chance_node():
        if plies == 0:
            return guess.of(state)
        whole = np.zeros(2)
        for outcome, p in state.chance_outcomes():
            whole += p * np.array(after(state, outcome, plies, guess))
        return whole.tolist()
    if plies == 0:
        return guess.of(state)
    player = state.current_player()
    return max((after(state, action, plies - 1, guess) for action in state.legal_actions()), key=lambda v: v[player])


def after(state, action, plies, guess):
    child = state.child(action)
    gained = np.array(child.returns()) - np.array(state.returns())
    return (gained + np.array(brute_force(child, plies, guess))).tolist()


def ranking(game, evaluator, state, **settings):
    search = ExpectimaxEvaluator(game, evaluator, ExpectimaxConfig(**settings))
    search.look(SearchedGame(game).row(state))
    return search.ranking()


def trictrac_positions():
    game = tablier.load_game("trictrac", utility="win")
    rng = np.random.default_rng(3)
    positions = []
    while len(positions) < 4:
        state = game.new_initial_state()
        for _ in range(rng.integers(10, 60)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal() and not state.is_chance_node() and len(state.legal_actions()) > 1:
            positions.append(state)
    return game, positions


# --- against brute force ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_pig_by_brute_force(plies):
    game = tablier.load_game("pig", win_score=20)
    for actions in ([], [0, 4], [0, 5, 0, 5, 1], [0, 5, 0, 5, 0, 5]):
        state = play(game, actions)
        found = ranking(game, Guess(), state, plies=plies, keep=ALL)
        for action, value, depth in found:
            assert value == pytest.approx(after(state, action, plies - 1, Guess()), abs=1e-5)
            assert depth == plies
        assert found[0][1][state.current_player()] == max(v[state.current_player()] for _, v, _ in found)


def test_one_ply_is_greedy_over_afterstates_at_trictrac():
    game, positions = trictrac_positions()
    guess = Heuristic(game)
    for state in positions:
        for action, value, _ in ranking(game, HeuristicEvaluator(game), state, plies=1):
            assert value == pytest.approx(after(state, action, 0, guess), abs=1e-5)


def test_two_plies_at_trictrac_by_brute_force():
    game, positions = trictrac_positions()
    guess = Guess()
    for state in positions[:2]:
        found = {a: v for a, v, _ in ranking(game, Guess(), state, plies=2, keep=ALL)}
        for action in state.legal_actions()[:2]:
            assert found[action] == pytest.approx(after(state, action, 1, guess), abs=1e-5)


def test_points_won_on_the_way_count():
    game = tablier.load_game("trictrac", utility="score")
    _, positions = trictrac_positions()
    for state in positions:
        scored = SearchedGame(game, utility="score")
        state = tablier._core.trictrac.transfer(scored.game, state)
        for action, value, _ in ranking(game, UniformEvaluator(game), state, plies=1):
            gained = np.array(state.child(action).returns()) - np.array(state.returns())
            assert value == pytest.approx(gained.tolist())


# --- which actions are searched deeper --------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", [1, 2, 5])
def test_the_best_so_many_are_looked_at_deeper(keep):
    game, positions = trictrac_positions()
    for state in positions:
        shallow = ranking(game, Guess(), state, plies=1)
        player = state.current_player()
        least = sorted((v[player] for _, v, _ in shallow), reverse=True)[:keep][-1]
        deeper = {a for a, _, depth in ranking(game, Guess(), state, plies=2, keep=keep) if depth == 2}
        assert deeper == {a for a, v, _ in shallow if v[player] >= least}


def test_all_within_the_margin_are_looked_at_deeper():
    game, positions = trictrac_positions()
    for state in positions:
        shallow = ranking(game, Guess(), state, plies=1)
        player = state.current_player()
        best = max(v[player] for _, v, _ in shallow)
        deeper = {a for a, _, depth in ranking(game, Guess(), state, plies=2, keep=1, margin=0.25) if depth == 2}
        assert deeper == {a for a, v, _ in shallow if v[player] >= best - 0.25}


def test_those_looked_at_deeper_come_first():
    game, positions = trictrac_positions()
    depths = [depth for _, _, depth in ranking(game, HeuristicEvaluator(game), positions[0], plies=2, keep=2)]
    assert depths == sorted(depths, reverse=True)
    assert set(depths) <= {1, 2}


def test_time_ends_the_search_between_plies_but_never_before_the_first():
    game, positions = trictrac_positions()
    search = ExpectimaxEvaluator(game, HeuristicEvaluator(game), ExpectimaxConfig(plies=4, keep=3))
    assert search.look(SearchedGame(game).row(positions[0]), seconds=1e-9) >= 1
    assert search.ranking()


def test_time_ends_a_ply_of_rollouts_between_games():
    game = tablier.load_game("trictrac")
    searched = _search.Expectimax(game, ExpectimaxConfig(plies=1))
    rollouts = RolloutEvaluator(game)
    state = next(state for state in random_states(game, 1) if len(state.legal_actions()) > 16)
    searched.begin(words(state).reshape(1, -1))
    assert not searched.deepen_native(rollouts, seconds=0.0)
    assert searched.ranking() == []
    assert searched.deepen_native(rollouts)
    assert len(searched.ranking()) == len(state.legal_actions())


# --- what evaluators receive ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig"])
def test_leaves_are_seen_by_who_is_to_decide_or_decided_last(name):
    game = tablier.load_game(name)
    guess = Guess()
    root = game.new_initial_state()
    ranking(game, guess, root, plies=1)
    shown = {tuple(state): (player, legal) for state, player, legal in guess.rows}
    for action in root.legal_actions():
        child = root.child(action)
        player, legal = shown[tuple(words(child).tolist())]
        assert player == (root.current_player() if child.is_chance_node() else child.current_player())
        assert legal == (0 if child.is_chance_node() else len(child.legal_actions()))


# --- evaluators of evaluators -----------------------------------------------------------------------------------------


def test_expectimax_over_an_evaluator_is_an_evaluator():
    """Pig before a roll at 0 : 0 with 5 points: the mean, over the faces, of the best action's value."""
    game = tablier.load_game("pig", win_score=20)
    dice = play(game, [0, 4, 0])
    guess = Guess()
    faces = []
    for outcome in range(6):
        thrown = dice.child(outcome)
        player = thrown.current_player()
        faces.append(max((guess.of(thrown.child(action)) for action in (0, 1)), key=lambda v: v[player]))
    deep = ExpectimaxEvaluator(game, Guess(), ExpectimaxConfig(plies=1))
    leaves = Leaves.of(game, words(dice).reshape(1, -1), np.zeros(1, np.int32))
    logits, values = deep.evaluate(leaves)
    assert logits is None
    assert values[0].tolist() == pytest.approx(np.mean(faces, axis=0).tolist(), abs=1e-6)


def test_a_batch_is_valued_like_its_rows():
    game = tablier.load_game("pig", win_score=20)
    states = [play(game, actions) for actions in ([], [0], [0, 3], [0, 3, 0], [0, 5, 1])]
    rows = np.stack([words(state) for state in states])
    deep = ExpectimaxEvaluator(game, Guess(), ExpectimaxConfig(plies=2))
    together = deep.evaluate(Leaves.of(game, rows, np.zeros(len(rows), np.int32)))[1]
    for state, values in zip(states, together, strict=True):
        assert values.tolist() == pytest.approx(brute_force(state, 2, Guess()), abs=1e-5)


def test_a_tree_grows_over_expectimax():
    game = tablier.load_game("pig", win_score=20)
    deep = ExpectimaxEvaluator(game, UniformEvaluator(game), ExpectimaxConfig(plies=1))
    found = Search(game, deep, SearchConfig(n_simulations=50)).run(game.new_initial_state())
    assert found.best in (0, 1)


def test_a_finished_game_has_nothing_to_come():
    game = tablier.load_game("tic_tac_toe")
    over = play(game, [0, 3, 1, 4, 2])
    deep = ExpectimaxEvaluator(game, UniformEvaluator(game), ExpectimaxConfig(plies=2))
    leaves = Leaves.of(game, words(over).reshape(1, -1), np.zeros(1, np.int32))
    assert deep.evaluate(leaves)[1].tolist() == [[0, 0]]


class Counting(Guess):
    asked = 0

    def evaluate(self, leaves):
        self.asked += len(leaves)
        return super().evaluate(leaves)


def test_a_cache_asks_once_and_answers_the_same():
    game = tablier.load_game("pig", win_score=20)
    rows = np.stack([words(play(game, actions)) for actions in ([], [0], [0, 3], [0])])
    leaves = Leaves.of(game, rows, np.zeros(4, np.int32))
    cache = CachedEvaluator(inner := Counting())
    expected = Guess().evaluate(leaves)[1]
    for _ in range(3):
        assert (cache.evaluate(leaves)[1] == expected).all()
    assert inner.asked == cache.misses == 3
    assert cache.hits == 9


def test_a_cache_forgets_the_least_recently_used():
    game = tablier.load_game("pig", win_score=20)
    one, two, three = (
        Leaves.of(game, words(play(game, actions)).reshape(1, -1), np.zeros(1, np.int32))
        for actions in ([], [0], [0, 3])
    )
    cache = CachedEvaluator(inner := Counting(), capacity=2)
    for leaves in (one, two, one, three, one):
        cache.evaluate(leaves)
    assert inner.asked == 3
    cache.evaluate(two)
    assert inner.asked == 4


def test_a_search_with_a_cache_grows_the_same_tree():
    game = tablier.load_game("pig", win_score=20)
    config = SearchConfig(n_simulations=200)
    plain, cached = Search(game, Guess(), config), Search(game, CachedEvaluator(Guess()), config)
    assert plain.run(game.new_initial_state()) == cached.run(game.new_initial_state())


# --- networks ---------------------------------------------------------------------------------------------------------


def network(path, game, outputs, value, logits=None, metadata=None):
    """Writes a network with value = features @ value and, if given, logits = features @ logits."""
    import onnx
    from onnx import helper, numpy_helper

    size = int(np.prod(game.features_shape()))
    weights = [numpy_helper.from_array(np.asarray(value, np.float32).reshape(size, outputs), "w")]
    nodes = [helper.make_node("MatMul", ["features", "w"], ["value"])]
    given = [helper.make_tensor_value_info("value", 1, ["n", outputs])]
    if logits is not None:
        actions = game.num_distinct_actions()
        weights.append(numpy_helper.from_array(np.asarray(logits, np.float32).reshape(size, actions), "u"))
        nodes.append(helper.make_node("MatMul", ["features", "u"], ["logits"]))
        given.append(helper.make_tensor_value_info("logits", 1, ["n", actions]))
    graph = helper.make_graph(nodes, "net", [helper.make_tensor_value_info("features", 1, ["n", size])], given, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    for key, text in (describe(game) if metadata is None else metadata).items():
        model.metadata_props.add(key=key, value=text)
    onnx.save(model, path)
    return path


def pig_leaves(game):
    """One decision of each player; the features are own score, other's score and turn total, over 100."""
    states = [play(game, [0, 4]), play(game, [0, 5, 1, 0, 3])]
    rows = np.stack([words(state) for state in states])
    return Leaves.of(game, rows, np.array([0, 1], np.int32))


def test_one_value_is_the_players_own_and_the_other_has_the_opposite(tmp_path, pig):
    """Value = turn total: 0.05 for player 0 in the first row, 0.04 for player 1 in the second."""
    evaluator = OnnxEvaluator(pig, network(tmp_path / "net.onnx", pig, 1, [0, 0, 1]))
    logits, values = evaluator.evaluate(pig_leaves(pig))
    assert logits is None
    assert values == pytest.approx(np.array([[0.05, -0.05], [-0.04, 0.04]]))


def test_two_values_begin_with_the_player_himself(tmp_path, pig):
    """First value = 10 * turn total, for the player; second = turn total, for the other."""
    evaluator = OnnxEvaluator(pig, network(tmp_path / "net.onnx", pig, 2, [[0, 0], [0, 0], [10, 1]]))
    values = evaluator.evaluate(pig_leaves(pig))[1]
    assert values == pytest.approx(np.array([[0.5, 0.05], [0.04, 0.4]]))


def test_logits_are_the_priors_of_the_search(tmp_path, pig):
    """The logit of roll is 20 * turn total, which is 1 at 5 points; that of hold is 0."""
    path = network(tmp_path / "net.onnx", pig, 1, [0, 0, 0], [[0, 0], [0, 0], [20, 0]])
    found = Search(pig, OnnxEvaluator(pig, path), SearchConfig(n_simulations=4)).run(play(pig, [0, 4]))
    assert [one.prior for one in found.candidates] == pytest.approx([np.e / (1 + np.e), 1 / (1 + np.e)], abs=1e-5)


def test_a_torch_module_answers_like_the_same_network_in_a_file(tmp_path, pig):
    torch = pytest.importorskip("torch")
    value, logits = np.arange(3.0), np.arange(6.0).reshape(3, 2)

    class Module(torch.nn.Module):
        def forward(self, features):
            return features @ torch.tensor(logits).float(), features @ torch.tensor(value).float()[:, None]

    leaves = pig_leaves(pig)
    file = OnnxEvaluator(pig, network(tmp_path / "net.onnx", pig, 1, value, logits))
    for one, two in zip(TorchEvaluator(pig, Module()).evaluate(leaves), file.evaluate(leaves), strict=True):
        assert one == pytest.approx(two, abs=1e-6)
