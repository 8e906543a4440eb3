"""Self-play: games are legal, recorded correctly, and the same however they are computed."""

import numpy as np
import pytest
from small_games import Bargain, load

import tablier
from tablier.evaluators import HeuristicEvaluator, RolloutEvaluator, UniformEvaluator
from tablier.search import Search, SearchConfig, SelfPlay

ARRAYS = ("states", "players", "actions", "values", "collected", "offsets", "policy_actions", "policy")


class Blind:
    """Values and logits that depend only on the position."""

    def evaluate(self, leaves):
        mix = (leaves.states % np.uint64(97)).sum(axis=1).astype(np.float32) / 97
        own = np.sin(mix)
        logits = np.cos(mix[:, None] + np.arange(leaves.legal_mask.shape[1], dtype=np.float32))
        return logits, np.stack([own, -own], axis=1)


def played(game, evaluator, count=9, max_moves=0, simulations=16, root="puct", sweep=False, **settings):
    config = SearchConfig(n_simulations=simulations, root=root, sweep=sweep).self_play(game)
    games = list(SelfPlay(game, evaluator, config, seed=4, **settings).play(count, max_moves=max_moves))
    return sorted(games, key=lambda one: one.number)


def assert_same(one, two):
    assert [a.number for a in one] == [b.number for b in two]
    for a, b in zip(one, two, strict=True):
        assert (a.cut, a.returns) == (b.cut, b.returns)
        for name in ARRAYS:
            assert getattr(a, name).tobytes() == getattr(b, name).tobytes(), name


@pytest.mark.parametrize("settings", [{"threads": 2}, {"threads": 3}, {"games_at_once": 1}, {"games_at_once": 64}])
@pytest.mark.parametrize(
    ("name", "root"), [("tic_tac_toe", "puct"), ("pig", "gumbel"), ("trictrac", "puct"), ("trictrac", "gumbel")]
)
def test_games_of_a_native_evaluator_do_not_depend_on_how_they_are_computed(name, root, settings):
    game = tablier.load_game(name)
    shared = {"max_moves": 30, "root": root}
    expected = played(game, RolloutEvaluator(game), games_at_once=7, **shared)
    assert_same(expected, played(game, RolloutEvaluator(game), **{"games_at_once": 7, **settings}, **shared))


@pytest.mark.parametrize(
    "settings",
    [{"threads": 2}, {"threads": 3}, {"games_at_once": 1}, {"games_at_once": 64}, {"batch": 3}, {"batch": 64}],
)
@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "trictrac"])
def test_games_of_a_python_evaluator_do_not_depend_on_how_they_are_computed(name, settings):
    game = tablier.load_game(name)
    expected = played(game, Blind(), games_at_once=7, max_moves=25)
    assert_same(expected, played(game, Blind(), **{"games_at_once": 7, **settings}, max_moves=25))


@pytest.mark.parametrize("settings", [{"threads": 2}, {"games_at_once": 64}])
def test_nor_when_all_rolls_are_looked_at_at_once(settings):
    game = tablier.load_game("trictrac")
    shared = {"max_moves": 20, "sweep": True}
    expected = played(game, HeuristicEvaluator(game), games_at_once=7, **shared)
    assert_same(expected, played(game, HeuristicEvaluator(game), **{"games_at_once": 7, **settings}, **shared))


def test_a_long_run_loses_no_game():
    game = tablier.load_game("trictrac")
    assert len(played(game, RolloutEvaluator(game), count=40, max_moves=40, games_at_once=8)) == 40


def test_a_game_has_its_number_whichever_games_are_played_with_it():
    game = tablier.load_game("tic_tac_toe")
    config = SearchConfig(n_simulations=16).self_play(game)
    some = list(SelfPlay(game, UniformEvaluator(game), config, games_at_once=2, seed=4).play(3, first=5))
    whole = played(game, UniformEvaluator(game), games_at_once=4)
    assert_same(sorted(some, key=lambda one: one.number), whole[5:8])


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "trictrac"])
def test_games_are_legal_and_recorded_rightly(name):
    """Replays each game: every recorded action is legal, and some roll of the dice leads to the next record."""
    game = tablier.load_game(name)
    for one in played(game, RolloutEvaluator(game), count=4, games_at_once=3):
        assert not one.cut
        assert len(one.offsets) == len(one.actions) + 1
        state = game.new_initial_state()
        for t, words in enumerate(one.states):
            state = reached(state, words)
            assert state is not None, f"decision {t} does not follow from the one before"
            assert state.current_player() == one.players[t]
            assert one.collected[t].tolist() == pytest.approx(state.returns())
            legal = state.legal_actions()
            assert one.actions[t] in legal
            share = slice(one.offsets[t], one.offsets[t + 1])
            assert set(one.policy_actions[share].tolist()) <= set(legal)
            assert one.policy[share].sum() == pytest.approx(1, abs=1e-5)
            assert bool(np.isnan(one.values[t]).any()) == (len(legal) == 1)
            state.apply_action(one.actions[t])
        ends = [end for end in after_dice(state) if end.is_terminal()]
        assert one.returns in [end.returns() for end in ends]


def after_dice(state):
    """Returns every state that the dice can lead to."""
    if not state.is_chance_node():
        return [state]
    return [end for outcome in state.legal_actions() for end in after_dice_once(state.child(outcome))]


def after_dice_once(state, depth=2):
    if not state.is_chance_node() or depth == 0:
        return [state]
    return [end for outcome in state.legal_actions() for end in after_dice_once(state.child(outcome), depth - 1)]


def reached(state, words):
    from tablier._core import search

    return next((end for end in after_dice(state) if (search.words(end) == words).all()), None)


def test_max_moves_cuts_games():
    game = tablier.load_game("trictrac")
    games = played(game, UniformEvaluator(game), count=3, max_moves=5, games_at_once=2)
    assert all(one.cut and len(one.actions) == 5 for one in games)


def test_a_game_that_ends_by_its_last_move_is_not_cut():
    game = tablier.load_game("tic_tac_toe")
    for one in played(game, UniformEvaluator(game), max_moves=9):
        assert not one.cut


def test_temperature_and_noise_make_games_differ():
    game = tablier.load_game("tic_tac_toe")
    games = played(game, UniformEvaluator(game), count=20)
    assert len({one.actions.tobytes() for one in games}) > 10


def test_without_either_they_are_all_the_same():
    game = tablier.load_game("tic_tac_toe")
    play = SelfPlay(game, UniformEvaluator(game), SearchConfig(n_simulations=16), games_at_once=4)
    assert len({one.actions.tobytes() for one in play.play(8)}) == 1


def test_a_game_in_python_plays_itself(race):
    games = played(race, RolloutEvaluator(race), count=4, simulations=8, games_at_once=2, threads=2)
    assert_same(games, played(race, RolloutEvaluator(race), count=4, simulations=8, games_at_once=4))
    assert all(sorted(one.returns) == [-1, 1] for one in games)


def test_points_on_the_way_are_recorded():
    game = load(Bargain)
    config = SearchConfig(n_simulations=100, objective="margin")
    (one,) = SelfPlay(game, UniformEvaluator(game), config, games_at_once=1).play(1)
    assert one.actions.tolist()[:2] == [0, 0]
    assert one.collected.tolist()[:2] == [[0, 0], [1, 0]]
    assert one.values.tolist()[0] == [3.5, 1.75]
    assert one.values.tolist()[1] == [2.5, 1.75]


def test_a_pool_plays_on_after_its_evaluator_failed():
    game = tablier.load_game("pig", win_score=20)

    class Fails(Blind):
        calls = 0

        def evaluate(self, leaves):
            self.calls += 1
            if self.calls == 200:
                raise RuntimeError("once")
            return super().evaluate(leaves)

    config = SearchConfig(n_simulations=8).self_play(game)
    pool = SelfPlay(game, Fails(), config, games_at_once=4, seed=4)
    with pytest.raises(RuntimeError, match="once"):
        list(pool.play(50))
    again = sorted(pool.play(6), key=lambda one: one.number)
    assert_same(again, sorted(SelfPlay(game, Blind(), config, games_at_once=4, seed=4).play(6), key=lambda g: g.number))


def test_a_pool_plays_on_after_it_was_left():
    game = tablier.load_game("tic_tac_toe")
    config = SearchConfig(n_simulations=8).self_play(game)
    pool = SelfPlay(game, Blind(), config, games_at_once=4, seed=4)
    next(games := pool.play(40))
    games.close()
    assert sorted(one.number for one in pool.play(3, first=100)) == [100, 101, 102]


@pytest.mark.parametrize(
    "answer",
    [
        lambda n: (None, np.full((n, 2), np.nan, np.float32)),
        lambda n: (None, np.zeros((n, 3), np.float32)),
        lambda n: (np.full((n, 2), np.inf, np.float32), np.zeros((n, 2), np.float32)),
        lambda n: None,
    ],
)
def test_nonsense_is_refused_and_the_pool_stays_usable(answer):
    game = tablier.load_game("pig", win_score=20)

    class Nonsense:
        broken = True

        def evaluate(self, leaves):
            return answer(len(leaves)) if self.broken else (None, np.zeros((len(leaves), 2), np.float32))

    pool = SelfPlay(game, evaluator := Nonsense(), SearchConfig(n_simulations=4), games_at_once=2)
    with pytest.raises((ValueError, TypeError)):
        list(pool.play(2))
    evaluator.broken = False
    assert len(list(pool.play(2, max_moves=10))) == 2


class Fragile(Bargain):
    """Raises when asked for the actions of one position, while `broken` is set."""

    name = "fragile"
    broken = True

    def legal_actions(self, state):
        if state[0] == 8 and Fragile.broken:
            raise ZeroDivisionError("the rules divide by zero")
        return super().legal_actions(state)


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_python_game_raises_comes_out_of_the_pool(threads):
    game = load(Fragile)
    Fragile.broken = True
    config = SearchConfig(n_simulations=50, objective="margin")
    pool = SelfPlay(game, UniformEvaluator(game), config, games_at_once=3, threads=threads)
    with pytest.raises(ZeroDivisionError, match="the rules divide by zero"):
        list(pool.play(5))
    Fragile.broken = False
    assert len(list(pool.play(5))) == 5


def test_what_a_python_game_raises_comes_out_of_a_search_which_then_goes_on():
    game = load(Fragile)
    Fragile.broken = True
    search = Search(game, UniformEvaluator(game), SearchConfig(n_simulations=400, objective="margin"))
    with pytest.raises(ZeroDivisionError):
        search.run(game.new_initial_state())
    Fragile.broken = False
    found = search.run(game.new_initial_state())
    assert found.best == 0
    assert found.value == pytest.approx((3.5, 1.75), abs=0.2)
    assert sum(one.visits for one in found.candidates) == found.simulations + found.reused
