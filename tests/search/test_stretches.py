"""Self-play in several calls: games resume where they stopped, and finished games are replaced."""

import numpy as np
import pytest
from test_pool import Blind, assert_same

import tablier
from tablier._core import search
from tablier.evaluators import Leaves, NetworkEvaluator
from tablier.search import SearchConfig, SelfPlay


def pool_of(game, n=6, evaluator=None, **settings):
    config = SearchConfig(n_simulations=8, root="gumbel").self_play(game)
    return SelfPlay(game, evaluator or Blind(), config, games_at_once=n, seed=4, **settings)


def start(game, n=6):
    return np.tile(search.words(game.new_initial_state()), (n, 1)), np.zeros(n, np.int64)


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "trictrac"])
@pytest.mark.parametrize("settings", [{"threads": 2}, {"batch": 4}])
def test_stretches_do_not_depend_on_how_they_are_computed(name, settings):
    game = tablier.load_game(name)
    ways = []
    for one in ({}, settings):
        states, ages = start(game)
        pool = pool_of(game, **one)
        played = [stretch for step in range(3) for stretch in pool.play_on(states, ages, 6 * step, 7)]
        ways.append((sorted(played, key=lambda stretch: (stretch.number, stretch.cut)), states, ages))
    assert_same(ways[0][0], ways[1][0])
    assert (ways[0][1] == ways[1][1]).all()
    assert (ways[0][2] == ways[1][2]).all()


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "trictrac"])
def test_every_game_takes_so_many_decisions_and_goes_on_from_there(name):
    game = tablier.load_game(name)
    states, ages = start(game)
    pool = pool_of(game)
    for step in range(4):
        before, old = states.copy(), ages.copy()
        played = list(pool.play_on(states, ages, 6 * step, 11))
        for i in range(6):
            mine = [one for one in played if one.number == 6 * step + i]
            assert sum(len(one.actions) for one in mine) == 11
            assert sum(one.cut for one in mine) <= 1
            first = next(one for one in mine if len(mine) == 1 or (one.states[0] == mine[0].states[0]).all())
            if game.new_initial_state().current_player() >= 0 or old[i]:
                assert (first.states[0] == before[i]).all()
            last = [len(one.actions) for one in mine if one.cut]
            assert ages[i] == (last[0] + (old[i] if len(mine) == 1 else 0) if last else 0)


def test_a_first_stretch_is_the_beginning_of_the_whole_game():
    game = tablier.load_game("trictrac", utility="win", holes_to_win=1)
    whole = sorted(pool_of(game).play(6), key=lambda one: one.number)
    states, ages = start(game)
    parts = sorted(pool_of(game).play_on(states, ages, 0, 12), key=lambda one: (one.number, one.cut))
    for game_played in whole:
        part = next(one for one in parts if one.number == game_played.number)
        n = min(len(part.actions), len(game_played.actions))
        for name in ("states", "players", "actions", "values", "collected"):
            assert getattr(part, name)[:n].tobytes() == getattr(game_played, name)[:n].tobytes(), name


def test_arrays_of_another_shape_are_refused():
    game = tablier.load_game("pig")
    states, ages = start(game)
    with pytest.raises(TypeError, match="states"):
        list(pool_of(game).play_on(states[:3], ages, 0, 5))
    with pytest.raises(ValueError, match="moves"):
        list(pool_of(game).play_on(states, ages, 0, 0))


@pytest.mark.parametrize(("name", "root"), [("trictrac", "gumbel"), ("pig", "puct"), ("tic_tac_toe", "gumbel")])
def test_policies_may_come_only_where_a_search_goes_on(name, root):
    """Each node is evaluated twice then, first for its value only: the games are identical to the last bit.

    In Trictrac all logits are equal: a throw reached with the dice in the other order has different actions, and its
    policy is requested for those.
    """
    game = tablier.load_game(name, **({"utility": "win"} if name == "trictrac" else {}))
    width = game.num_distinct_actions()
    asked = {"policies": 0, "values": 0}

    def all_logits(features, decisions):
        value = np.sin(features.sum(axis=1, keepdims=True)).astype(np.float32)
        slope = np.float32(name != "trictrac")
        return np.cos(features[:, :1] + np.arange(width, dtype=np.float32)) * slope, value

    def few_logits(features, decisions):
        asked["policies"] += decisions
        asked["values"] += len(features) - decisions
        logits, value = all_logits(features, decisions)
        return logits[:decisions], value

    played = []
    config = SearchConfig(n_simulations=24, root=root).self_play(game)
    for network in (all_logits, few_logits):
        states, ages = start(game)
        evaluator = NetworkEvaluator(game, lambda features, n, network=network: network(features.copy(), n))
        pool = SelfPlay(game, evaluator, config, games_at_once=6, seed=4)
        played.append(sorted(pool.play_on(states, ages, 0, 12), key=lambda one: (one.number, one.cut)))
    assert_same(*played)
    assert asked["policies"] > 0
    if name == "trictrac":
        assert asked["policies"] < asked["values"] / 3


def test_without_a_pool_all_rows_may_need_a_policy():
    game = tablier.load_game("tic_tac_toe")
    asked = []
    evaluator = NetworkEvaluator(game, lambda features, n: (asked.append(n), (None, np.zeros((len(features), 1))))[1])
    leaves = Leaves.empty(game, 3)
    evaluator.evaluate(leaves)
    assert asked == [3]


def test_games_that_were_never_played_are_at_their_start():
    """With fewer games than places, the rest are in a state of the game too, which can be played on."""
    game = tablier.load_game("backgammon")
    pool = pool_of(game, n=2)
    assert len(list(pool.play(1, max_moves=1))) == 1
    expected, (states, ages) = start(game, 2), start(game, 2)
    states[:], ages[:] = 0, 1
    pool._pool.where(states, ages)
    assert np.array_equal(states[1], expected[0][1])
    assert ages[1] == 0
