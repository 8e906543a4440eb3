"""Misuse that must not crash: reentrant calls, inconsistent games, arguments that change the state."""

import numpy as np
import pytest
from race import Race

import tablier
from tablier._core import search as native
from tablier.search import ExpectimaxConfig, SearchConfig

BUSY = "in use by another thread"
TWO_ANSWERS = "different results for the same state|must return distinct actions"


class Meddling(Race):
    """A race that calls `meddle` when its features are computed, deep inside another call."""

    name = "meddling"
    meddle = None

    def features(self, state, player):
        call, type(self).meddle = type(self).meddle, None
        if call:
            call()
        return super().features(state, player)


class Fickle(Race):
    """An inconsistent race: every second call says that the dice are to be rolled instead of naming the player."""

    name = "fickle"
    asked = None  # number of calls, or None while behaving normally

    def current_player(self, state):
        cls = type(self)
        if cls.asked is None:
            return super().current_player(state)
        cls.asked += 1
        return tablier.CHANCE if cls.asked % 2 == 0 else 0

    def legal_actions(self, state):
        return super().legal_actions(state) if type(self).asked is None else range(6)


class Growing(Race):
    """A race that returns one more legal action on each call."""

    name = "growing"
    asked = None

    def legal_actions(self, state):
        cls = type(self)
        if cls.asked is None or not state[3]:
            return super().legal_actions(state)
        cls.asked += 1
        return [0] if cls.asked == 1 else [0, 1]


@pytest.fixture
def games():
    for game in (Meddling, Fickle, Growing):
        tablier.register(game)
    return {name: tablier.load_game(name) for name in ("meddling", "fickle", "growing")}


@pytest.fixture(autouse=True)
def at_rest():
    yield
    Meddling.meddle = Fickle.asked = Growing.asked = None


def meddled(call, work):
    """Whether `call`, made in the middle of `work`, was refused as expected."""
    seen = []

    def meddle():
        with pytest.raises(RuntimeError, match=BUSY):
            call()
        seen.append(True)

    Meddling.meddle = meddle
    work()
    return seen == [True]


# --- one call at a time -----------------------------------------------------------------------------------------------

POOL = {
    "len of decisions": lambda pool, game: pool.decisions,
    "busy": lambda pool, game: pool.busy,
    "solved": lambda pool, game: pool.solved,
    "stop": lambda pool, game: pool.stop(),
    "tree": lambda pool, game: pool.tree(0),
    "look": lambda pool, game: pool.look(0),
    "take_finished": lambda pool, game: pool.take_finished(),
    "run": lambda pool, game: pool.run(0.1),
    "play_games": lambda pool, game: pool.play_games(0, 1),
    "resume": lambda pool, game: pool.resume(None, np.zeros((1, 2), np.float32)),
    "set_root": lambda pool, game: pool.set_root(0, game.new_initial_state().child(3)),
    "where": lambda pool, game: pool.where(np.zeros((1, 4), np.uint64), np.zeros(1, np.int64)),
    "collect": lambda pool, game: pool.collect(player=np.zeros(1, np.int32)),
}


@pytest.mark.parametrize("call", POOL)
def test_a_pool_at_work_is_not_disturbed(games, call):
    game = games["meddling"]
    pool = native.Pool(game, SearchConfig(n_simulations=20), 1)
    pool.set_root(0, game.new_initial_state().child(3))
    features = np.zeros((1, 3), np.float32)
    assert meddled(lambda: POOL[call](pool, game), lambda: pool.collect(features=features))
    assert pool.busy, "the work went on"


EXPECTIMAX = {
    "len": lambda search, states: len(search),
    "ranking": lambda search, states: search.ranking(0),
    "values": lambda search, states: search.values(),
    "begin": lambda search, states: search.begin(states),
    "deepen": lambda search, states: search.deepen(),
    "drop": lambda search, states: search.drop(),
    "give": lambda search, states: search.give(np.zeros((2, 2), np.float32)),
    "show": lambda search, states: search.show(0, None, None, None, np.zeros(1, np.int32)),
}


@pytest.mark.parametrize("call", EXPECTIMAX)
def test_an_expectimax_at_work_is_not_disturbed(games, call):
    game = games["meddling"]
    search = native.Expectimax(game, ExpectimaxConfig(plies=1))
    states = native.words(game.new_initial_state().child(3))[None, :]
    search.begin(states)
    assert search.deepen()
    n = len(search)
    features = np.zeros((n, 3), np.float32)
    assert meddled(lambda: EXPECTIMAX[call](search, states), lambda: search.show(0, features, None, None, None))
    assert len(search) == n


BATCH = {
    "state": lambda env: env.state(0),
    "set_state": lambda env: env.set_state(0, env.game.new_initial_state().child(2)),
    "step": lambda env: env.step(np.zeros(2, np.int32)),
    "observe": lambda env: env.observe(current_player=np.zeros(2, np.int32)),
    "reset": lambda env: env.reset(),
    "save": lambda env: env.save(),
    "words": lambda env: env.words(np.zeros((2, 4), np.uint64)),
}


@pytest.mark.parametrize("call", BATCH)
def test_a_batch_at_work_is_not_disturbed(games, call):
    env = tablier.BatchEnv(games["meddling"], 2, seed=1)
    features = np.zeros((2, 3), np.float32)
    before = env.save()
    assert meddled(lambda: BATCH[call](env), lambda: env.observe(features=features))
    assert env.save() == before


# --- inconsistent games -----------------------------------------------------------------------------------------------


def test_a_mask_is_never_written_past_its_row(games):
    env = tablier.BatchEnv(games["fickle"], 1, seed=1)
    room = np.zeros((3, 2), bool)
    Fickle.asked = 0
    with pytest.raises((TypeError, ValueError), match=TWO_ANSWERS):
        env.observe(legal_mask=room[1:2])
    Fickle.asked = None
    assert not room.any()


def test_nor_is_that_of_a_single_state(games):
    state = games["fickle"].new_initial_state().child(3)
    room = np.zeros(6, bool)
    Fickle.asked = 0
    with pytest.raises((TypeError, ValueError), match=TWO_ANSWERS):
        state.legal_actions_mask(out=room[:2])
    assert not room.any()


def test_nor_those_of_leaves(games):
    game = games["fickle"]
    pool = native.Pool(game, SearchConfig(n_simulations=4), 1)
    pool.set_root(0, game.new_initial_state().child(3))
    room = np.zeros((3, 2), bool)
    Fickle.asked = 1  # the tree only asks for the actions
    with pytest.raises((TypeError, ValueError), match=TWO_ANSWERS):
        pool.collect(legal_mask=room[1:2])
    Fickle.asked = None
    assert not room.any()


def test_rows_of_afterstates_are_counted_once(games):
    env = tablier.BatchEnv(games["growing"], 1, seed=1)
    after = {
        "offsets": np.zeros(2, np.int64),
        "actions": np.zeros(1, np.int32),
        "player": np.zeros(1, np.int32),
        "features": np.zeros((1, 3), np.float32),
        "rewards": np.zeros((1, 2), np.float32),
    }
    Growing.asked = 0
    with pytest.raises(ValueError, match=TWO_ANSWERS):
        env.afterstates(**after)


def test_rows_of_afterstates_do_not_depend_on_what_becomes_of_the_callers_offsets(games):
    """The first row's features are computed after the offsets are written; here the offsets are overwritten then."""
    env = tablier.BatchEnv(games["meddling"], 2, seed=1)
    offsets, actions = np.zeros(3, np.int64), np.full(6, 9, np.int32)
    arrays = {
        "player": np.zeros(6, np.int32),
        "features": np.zeros((6, 3), np.float32),
        "rewards": np.zeros((6, 2), np.float32),
    }
    Meddling.meddle = lambda: offsets.fill(10**9)
    assert env.afterstates(offsets=offsets, actions=actions, **arrays) == 4
    assert actions.tolist() == [0, 1, 0, 1, 9, 9]


# --- arguments that change the state ----------------------------------------------------------------------------------


class Sly:
    """A number that plays an action when it is read."""

    def __init__(self, number, state, action):
        self.number, self.state, self.action = number, state, action

    def __index__(self):
        self.state.apply_action(self.action)
        return self.number


def test_the_mask_is_that_of_the_state_after_its_arguments_are_read(pig):
    rolling = pig.new_initial_state().child(0)
    mask = rolling.legal_actions_mask(Sly(0, rolling, 3))  # after the roll the player has two actions
    assert mask.tolist() == [True, True]
    deciding = pig.new_initial_state()
    mask = deciding.legal_actions_mask(Sly(tablier.CHANCE, deciding, 0))  # before the roll the die has six faces
    assert mask.tolist() == [True] * 6
    deciding = pig.new_initial_state()
    assert deciding.legal_actions(Sly(tablier.CHANCE, deciding, 0)) == list(range(6))


def test_so_is_the_text_of_an_action(pig):
    state = pig.new_initial_state().child(0)
    with pytest.raises(ValueError, match="action must be from 0 to 1, not 5"):
        state.action_to_string(Sly(5, state, 3))
