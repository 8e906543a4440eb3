"""Games in Python that raise, lie or never let anybody decide, and calls in the wrong order: errors, never a crash."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tablier
from tablier import _core
from tablier._core import search as native
from tablier.evaluators import HeuristicEvaluator, UniformEvaluator
from tablier.search import ExpectimaxConfig, SearchConfig, SelfPlay

TWO_ANSWERS = "different results for the same state"


class Taking(tablier.PythonGame):
    """Take one or two of six; who takes the last one wins. A state is (number left, player)."""

    name, title, num_actions, state_words, observation_shape, features_shape = "taking", "Taking", 2, 2, (1,), (1,)

    def initial(self):
        return 6, 0

    def current_player(self, state):
        return state[1] if state[0] > 0 else tablier.TERMINAL

    def legal_actions(self, state):
        return [0, 1] if state[0] > 1 else [0]

    def apply(self, state, action):
        return state[0] - action - 1, 1 - state[1]

    def returns(self, state):
        return [0, 0] if state[0] > 0 else [1, -1] if state[1] == 1 else [-1, 1]

    def observation(self, state, player):
        return [0]

    def features(self, state, player):
        return [0.0]

    def to_string(self, state):
        return str(state)


class Raising(Taking):
    """Raises in the method `where` the next time it is called, once `calls` of them have passed."""

    where, calls = "", 0

    def _pass(self, name):
        cls = type(self)
        if name == cls.where:
            cls.calls -= 1
            if cls.calls < 0:
                cls.where = ""
                raise KeyboardInterrupt

    def current_player(self, state):
        self._pass("current_player")
        return super().current_player(state)

    def apply(self, state, action):
        self._pass("apply")
        return super().apply(state, action)

    def returns(self, state):
        self._pass("returns")
        return super().returns(state)

    def features(self, state, player):
        self._pass("features")
        return super().features(state, player)

    def estimate(self, state):
        self._pass("estimate")
        return [state[0] / 10, -state[0] / 10]


def load(game):
    return _core.load_python(game(), {})


def words(game):
    return native.words(game.new_initial_state())[None]


@pytest.fixture
def raising():
    Raising.where, Raising.calls = "", 0
    return load(Raising)


def fail(where, calls=0):
    Raising.where, Raising.calls = where, calls


# --- pools ---


def test_run_needs_an_evaluator():
    game = load(Taking)
    pool = native.Pool(game, SearchConfig(), 1)
    pool.set_root(0, game.new_initial_state())
    with pytest.raises(ValueError, match="no evaluator"):
        pool.run(1.0)


def test_run_waits_for_resume():
    game = load(Taking)
    pool = native.Pool(game, SearchConfig(evaluator="uniform", n_simulations=20), 1)
    pool.set_root(0, game.new_initial_state())
    assert pool.collect(player=np.zeros(1, np.int32)) == 1
    with pytest.raises(RuntimeError, match="call resume"):
        pool.run(1.0)
    pool.resume(None, np.zeros((1, 2), np.float32))
    assert pool.run()


def test_leaves_are_evaluated_once_even_if_the_game_raises(raising):
    pool = native.Pool(raising, SearchConfig(n_simulations=20), 2)
    for i in range(2):
        pool.set_root(i, raising.new_initial_state())
    rows = pool.collect(player=np.zeros(4, np.int32))
    fail("apply")
    with pytest.raises(KeyboardInterrupt):
        pool.resume(None, np.zeros((rows, 2), np.float32))
    with pytest.raises(TypeError, match="expected \\(0, 2\\)"):
        pool.resume(None, np.zeros((rows, 2), np.float32))
    while left := pool.collect(player=np.zeros(4, np.int32)):
        pool.resume(None, np.zeros((left, 2), np.float32))
    assert not pool.busy


def test_leaves_that_could_not_be_shown_are_collected_again(raising):
    pool = native.Pool(raising, SearchConfig(n_simulations=20), 3)
    for i in range(3):
        pool.set_root(i, raising.new_initial_state())
    fail("features", 1)
    with pytest.raises(KeyboardInterrupt):
        pool.collect(features=np.zeros((3, 1), np.float32))
    pool.resume(None, np.zeros((0, 2), np.float32))
    assert pool.collect(features=np.zeros((3, 1), np.float32)) == 3


def test_a_root_that_cannot_be_set_is_not_searched(raising):
    pool = native.Pool(raising, SearchConfig(evaluator="uniform", n_simulations=500), 1)
    pool.set_root(0, raising.new_initial_state())
    later = raising.new_initial_state().child(1)
    fail("current_player")
    with pytest.raises(KeyboardInterrupt):
        pool.set_root(0, later, reuse=False)
    assert not pool.busy
    with pytest.raises(ValueError, match="nothing was searched"):
        pool.look(0)


class Rolling(Taking):
    """Nothing but dice."""

    name, max_chance_outcomes = "rolling", 2

    def current_player(self, state):
        return tablier.CHANCE if state[0] > 0 else tablier.TERMINAL


class Over(Taking):
    name = "over"

    def initial(self):
        return 0, 0


@pytest.mark.parametrize("game", [Rolling, Over])
def test_games_in_which_nobody_decides_are_not_played_for_ever(game):
    game = load(game)
    play = SelfPlay(game, UniformEvaluator(game), SearchConfig(), games_at_once=1)
    with pytest.raises(ValueError, match="no player had a decision in 1000 games"):
        list(play.play(100_000))
    pool = native.Pool(game, SearchConfig(evaluator="uniform"), 1)
    with pytest.raises(ValueError, match="no player had a decision"):
        pool.play_on(words(game), np.zeros(1, np.int64), 0, 1)


def test_a_game_that_first_says_that_it_is_over():
    seen = {(6, 0)}

    class Lying(Taking):
        def current_player(self, state):
            if state in seen:
                return super().current_player(state)
            seen.add(state)
            return tablier.TERMINAL

    pool = native.Pool(load(Lying), SearchConfig(evaluator="uniform", n_simulations=3), 1)
    pool.play_games(0, 1)
    with pytest.raises(ValueError, match=TWO_ANSWERS):
        pool.run()


def test_a_state_whose_canonical_form_is_another_kind_of_state():
    class Merging(Taking):
        """(0, 0) leads to the decision (1, 0). The roll (2, 0) claims to be the same."""

        max_chance_outcomes = 4096
        first = 0

        def initial(self):
            return type(self).first, 0

        def current_player(self, state):
            return {2: tablier.CHANCE, 8: tablier.TERMINAL}.get(state[0], 0)

        def legal_actions(self, state):
            return [0, 4095] if state[0] == 2 else [0, 1]

        def apply(self, state, action):
            return (1, action) if state[0] == 0 else (8, int(action > 0))

        def returns(self, state):
            return [0, 0]

        def canonical(self, state):
            return (1, 0) if state[0] == 2 else state

    game = load(Merging)
    pool = native.Pool(game, SearchConfig(n_simulations=50), 1)
    pool.set_root(0, game.new_initial_state())
    for policy in (1, 0):  # the root, and a leaf that owes its policy
        assert pool.collect(player=np.zeros(1, np.int32)) == 1
        pool.resume(np.zeros((policy, 2), np.float32), np.zeros((1, 2), np.float32))
    Merging.first = 2
    pool.set_root(0, load(Merging).new_initial_state())
    buffer = np.zeros(8192, bool)
    pool.collect(legal_mask=buffer[:2].reshape(1, 2))
    assert not buffer[2:].any()


# --- full-width search ---


def test_positions_are_begun_together_or_not_at_all(raising):
    search = native.Expectimax(raising, ExpectimaxConfig(plies=1))
    search.begin(words(raising))
    fail("returns", 1)
    with pytest.raises(KeyboardInterrupt):
        search.begin(np.repeat(words(raising), 3, axis=0))
    assert len(search.values()) == 1


def test_a_ply_that_was_interrupted_is_searched_again(raising):
    evaluator = HeuristicEvaluator(raising)

    def ranking(*failures):
        search = native.Expectimax(raising, ExpectimaxConfig(plies=3))
        search.begin(words(raising))
        for calls in failures:
            fail("estimate", calls)
            with pytest.raises(KeyboardInterrupt):
                search.deepen_native(evaluator)
        assert search.deepen_native(evaluator)
        return search.ranking(0)

    assert ranking(0, 1) == ranking()


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_returns_are_finite(number):
    class Endless(Taking):
        def returns(self, state):
            return [number, 0]

    game = load(Endless)
    with pytest.raises(TypeError, match=r"taking.returns\(\) must return finite numbers"):
        game.new_initial_state().returns()
    with pytest.raises(TypeError, match="finite"):
        native.Expectimax(game, ExpectimaxConfig(plies=3)).begin(words(game))


def test_links_to_win_chances_are_finite():
    game = tablier.load_game("trictrac", utility="win")
    with pytest.raises(ValueError, match="'link' contains a number that is not finite"):
        native.win_chance(game.new_initial_state(), 0, 0.0, np.full(288, np.nan))


# --- games that call the core ---


def test_a_game_that_calls_itself_through_the_core():
    class Recursive(Taking):
        def legal_actions(self, state):
            start.clone().apply_action(0)
            return super().legal_actions(state)

    start = load(Recursive).new_initial_state()
    with pytest.raises(RecursionError, match="again and again"):
        start.legal_actions()


@pytest.mark.parametrize("name", ["backgammon", "trictrac", "pig"])
def test_a_game_cannot_take_the_name_of_a_compiled_one(name):
    class Impostor(Taking):
        def __init__(self):
            self.name = name

    with pytest.raises(ValueError, match=f"{name} is the name of a compiled game"):
        load(Impostor)


class Clearing:
    """A number that empties a list when it is read."""

    def __init__(self, numbers):
        self.numbers = numbers

    def __index__(self):
        self.numbers.clear()
        return 0

    def __float__(self):
        return float(self.__index__())


def test_lists_that_change_while_they_are_read():
    men = [0, 0, 0]
    men += [Clearing(men), 10**6, 10**6]
    with pytest.raises(ValueError, match="0 to 15 men"):
        _core.backgammon.bear_off_throws(men)
    board = [0] * 11
    board += [Clearing(board), *[10**6 + i for i in range(12)]]
    parts = _core.trictrac.Parts()
    parts.board = board
    assert parts.board == (*[0] * 12, *[10**6 + i for i in range(12)])

    class Shrinking(Taking):
        def returns(self, state):
            numbers = []
            numbers += [Clearing(numbers), 0.5]
            return numbers

    assert load(Shrinking).new_initial_state().returns() == [0, 0.5]


# --- words ---


def test_long_values_are_cut_between_letters():
    with pytest.raises(ValueError, match="€€€\\.\\.\\."):
        tablier.load_game("trictrac", first_throw="€" * 80)
    with pytest.raises(TypeError, match="€€€\\.\\.\\."):
        tablier.load_game("pig", win_score="€" * 80)


def test_objects_that_were_never_initialised():
    game = tablier.load_game("pig")
    empty = _core.Game.__new__(_core.Game)
    with pytest.warns(RuntimeWarning), pytest.raises(TypeError, match="not initialised"):
        tablier.BatchEnv(empty, 1)
    for states in (5, 1.5, object()):
        with pytest.raises(TypeError):
            native.evaluate(game, UniformEvaluator(game), states)


# --- the end of the interpreter ---


NATIVE = """
import threading
import tablier
from tablier._core import search
from tablier.search import SearchConfig

game = tablier.load_game("trictrac")
pool = search.Pool(game, SearchConfig(evaluator="uniform", n_simulations=10**9), 1)
pool.set_root(0, game.new_initial_state())
threading.Thread(target=pool.run, daemon=True).start()
try:
    while True:
        pool.busy
except RuntimeError as error:
    assert "in use by another thread" in str(error)
"""
IN_PYTHON = """
import threading
from test_hostile_games import Taking, load

class Telling(Taking):
    def legal_actions(self, state):
        asked.set()
        return super().legal_actions(state)

asked, game = threading.Event(), load(Telling)
threading.Thread(target=lambda: game.random_playouts(10**9, threads=2), daemon=True).start()
asked.wait()
"""


@pytest.mark.parametrize("program", [NATIVE, IN_PYTHON])
def test_a_daemon_thread_at_work_when_the_program_ends(program):
    """Each program ends as soon as its thread is inside the core."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parent)
    assert (done.returncode, done.stderr) == (0, "")
