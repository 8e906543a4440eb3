"""What a Python game can provide to search: equivalent throws, canonical states, and an estimate."""

from collections import Counter

import numpy as np
import pytest
from playing import play
from race import Race
from two_dice import MergedDice, TwoDice

import tablier
from tablier import _core
from tablier._core import search as _search
from tablier.evaluators import ExpectimaxEvaluator, HeuristicEvaluator, SearchedGame, UniformEvaluator
from tablier.players import make_player
from tablier.search import ExpectimaxConfig, Search, SearchConfig

ALL = 10**6


def load(definition, length=8):
    return _core.load_python(definition(), {"length": length})


def throw(first, second):
    return 6 * (first - 1) + second - 1


def expectimax(game, state, plies):
    search = ExpectimaxEvaluator(game, HeuristicEvaluator(game), ExpectimaxConfig(plies=plies, keep=ALL))
    search.look(SearchedGame(game).row(state))
    return {action: value for action, value, _ in search.ranking()}


@pytest.mark.parametrize("plies", [1, 2])
def test_expectimax_finds_the_same_values_with_merged_throws(plies):
    found = []
    for definition in (TwoDice, MergedDice):
        game = load(definition)
        found.append([expectimax(game, play(game, [throw(*dice)]), plies) for dice in ((5, 2), (2, 5), (1, 1))])
    for plain, merged in zip(*found, strict=True):
        assert plain.keys() == merged.keys()
        for action, value in plain.items():
            assert merged[action] == pytest.approx(value, abs=1e-6)


def test_a_tree_finds_the_same_value_with_merged_throws_in_fewer_nodes():
    results = []
    for definition in (TwoDice, MergedDice):
        game = load(definition, length=2)
        search = Search(game, UniformEvaluator(game), SearchConfig(n_simulations=3000))
        results.append(search.run(play(game, [throw(1, 3)])))
    plain, merged = results
    assert merged.value == pytest.approx(plain.value, abs=0.005)
    assert merged.nodes < plain.nodes


def test_the_tree_of_a_throw_serves_its_other_order():
    """Search has only seen 5 and 2; the actual throw is 2 and 5."""
    reused = {}
    for definition in (TwoDice, MergedDice):
        game = load(definition)
        state = play(game, [throw(6, 1)])
        search = Search(game, HeuristicEvaluator(game), SearchConfig(n_simulations=400))
        search.run(state)
        state.apply_action(2)
        state.apply_action(throw(2, 5))
        reused[definition] = search.run(state).reused
        assert search.run(state).best in state.legal_actions()
    assert reused[MergedDice] > reused[TwoDice]


def test_an_estimate_makes_the_heuristic_player():
    game = load(TwoDice)
    assert _search.has_heuristic(game)
    assert play(game, [throw(5, 2), 2])._estimate() == [0.07, -0.07]
    player = make_player("heuristic", game)
    assert player.choose(play(game, [throw(5, 2)])) == 2


def test_without_an_estimate_there_is_no_heuristic():
    game = _core.load_python(Race(), {})
    assert not _search.has_heuristic(game)
    assert game.new_initial_state()._estimate() is None
    with pytest.raises(ValueError, match="heuristic"):
        HeuristicEvaluator(game)


def test_by_default_every_outcome_is_a_class_and_every_state_canonical():
    state = load(TwoDice).new_initial_state()
    assert state._chance_classes() == [(outcome, 1) for outcome in range(36)]
    assert state.child(throw(2, 5))._canonical() == state.child(throw(2, 5))
    assert load(MergedDice).new_initial_state()._chance_classes()[:3] == [(0, 1), (6, 2), (7, 1)]
    with pytest.raises(ValueError, match="chance node"):
        state.child(0)._chance_classes()


@pytest.mark.parametrize(
    "classes",
    [
        [],
        [(0, 35)],
        [(0, 37)],
        [(0, 36), (1, 1)],
        [(0, 0), (1, 36)],
        [(0, -1), (1, 37)],
        [(0, 18), (0, 18)],
        [(36, 36)],
        [(-1, 36)],
        [(0, 2**40)],
        [(2**40, 36)],
        [(outcome % 36, 1) for outcome in range(10_000)],
        [(0, 36, 0)],
        [[0, 36]],
        [(0.0, 36)],
        [(0, 36.0)],
        ["ab"],
        36,
        None,
    ],
    ids=lambda classes: str(classes)[:20],
)
def test_wrong_classes_are_refused_before_search_uses_them(classes):
    class Wrong(TwoDice):
        def chance_classes(self, state):
            return classes

    game = load(Wrong)
    state = play(game, [throw(5, 2)])
    with pytest.raises(TypeError, match="chance_classes|iterable"):
        expectimax(game, state, 2)
    with pytest.raises(TypeError, match="chance_classes|iterable"):
        Search(game, HeuristicEvaluator(game), SearchConfig(n_simulations=50)).run(state)


@pytest.mark.parametrize("canonical", [None, (1, 2), (1, 2, 3, 4, 5.0), (1, 2, 3, 4, 2**64), [1, 2, 3, 4, 5]])
def test_a_wrong_canonical_state_is_refused(canonical):
    class Wrong(TwoDice):
        def canonical(self, state):
            return canonical

    with pytest.raises(TypeError, match=r"canonical\(\) must return a tuple of 5 integers"):
        load(Wrong).new_initial_state()._canonical()


@pytest.mark.parametrize("estimate", [None, [], [0.5], [0, 0, 0], [0] * 1000, ["a", "b"], [float("nan"), 0]])
def test_a_wrong_estimate_is_refused(estimate):
    class Wrong(TwoDice):
        def estimate(self, state):
            return estimate

    game = load(Wrong)
    with pytest.raises(TypeError, match=r"estimate\(\) must return"):
        make_player("heuristic", game).choose(play(game, [throw(5, 2)]))


class Fickle(TwoDice):
    """Reports a decision as a chance node on every second call."""

    def __init__(self):
        self.asked = Counter()

    def current_player(self, state):
        player = super().current_player(state)
        self.asked[state] += player >= 0
        return tablier.CHANCE if self.changed(state) else player

    def legal_actions(self, state):
        return range(36) if self.changed(state) else super().legal_actions(state)

    def changed(self, state):
        return self.asked[state] > 0 and self.asked[state] % 2 == 0


def test_search_refuses_a_game_that_changes_its_mind():
    game = load(Fickle)
    search = Search(game, UniformEvaluator(game), SearchConfig(n_simulations=500))
    with pytest.raises(ValueError, match="different results for the same state"):
        search.run(play(game, [throw(5, 2)]))


def observe(env):
    env.arrays()


def look_ahead(env):
    rows = 8 * 36
    env.afterstates(
        offsets=np.zeros(9, np.int64),
        actions=np.zeros(rows, np.int32),
        player=np.zeros(rows, np.int32),
        features=np.zeros((rows, 4), np.float32),
        rewards=np.zeros((rows, 2), np.float32),
    )


@pytest.mark.parametrize("use", [observe, look_ahead])
def test_a_batch_refuses_a_game_that_changes_its_mind(use):
    env = tablier.BatchEnv(load(Fickle), 8, seed=1)
    with pytest.raises(ValueError, match="different results for the same state"):
        [use(env) for _ in range(3)]
