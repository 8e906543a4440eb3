"""Arguments that change during a call: each is read once, and what was checked is what is used."""

import numpy as np
import pytest
from race import Race

import tablier
from tablier import _core
from tablier._core import search as native
from tablier.evaluators import HeuristicEvaluator, UniformEvaluator
from tablier.search import ExpectimaxConfig, SearchConfig


class Spoiling:
    """A number that fills arrays with garbage when it is read."""

    def __init__(self, number, *arrays):
        self.number, self.arrays = number, arrays

    def __index__(self):
        for array in self.arrays:
            array.fill(np.iinfo(array.dtype).max)
        return self.number


def position(game):
    """Returns the words of a state in which a player is to move, and the player, as arrays of one row."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(1)
    return native.words(state)[None, :].copy(), np.array([state.current_player()], np.int32)


CALLS = {
    "rollouts": lambda game, states, players, bad: native.rollouts(
        game, UniformEvaluator(game), states, players, bad(2), seed=1
    )[0],
    "evaluate": lambda game, states, players, bad: native.evaluate(
        game, HeuristicEvaluator(game), states, bad(1), players=players
    ),
    "show": lambda game, states, players, bad: shown(game, states, players, bad(1)),
}


def shown(game, states, players, threads):
    features = np.zeros((1, *game.features_shape()), np.float32)
    native.show(game, states, players, features=features, threads=threads)
    return features


@pytest.mark.parametrize("call", CALLS)
def test_positions_are_those_that_were_checked(call):
    game = tablier.load_game("trictrac")
    expected = CALLS[call](game, *position(game), lambda number: number)
    states, players = position(game)
    found = CALLS[call](game, states, players, lambda number: Spoiling(number, states, players))
    assert (states == 2**64 - 1).all()
    assert np.array_equal(found, expected)


def test_states_stay_if_a_later_action_is_not_legal(pig):
    states = np.concatenate([position(pig)[0]] * 2)
    before = states.copy()
    with pytest.raises(ValueError, match="row 1: action 9 is not legal"):
        native.after(pig, states, np.array([0, 9], np.int32), np.zeros(2, np.int32))
    assert np.array_equal(states, before)


def test_arrays_that_are_missing(pig):
    states, players = position(pig)
    for call in (
        lambda: native.Expectimax(pig, ExpectimaxConfig(plies=1)).begin(None),
        lambda: native.Pool(pig, SearchConfig(), 1).play_on(None, np.zeros(1, np.int64), 0, 1),
        lambda: native.Pool(pig, SearchConfig(), 1).play_on(states, None, 0, 1),
        lambda: native.evaluate(pig, UniformEvaluator(pig), None),
        lambda: native.rollouts(pig, UniformEvaluator(pig), states, None, 1),
        lambda: native.show(pig, states, None, features=np.zeros((1, 3), np.float32)),
        lambda: native.after(pig, states, None, players),
        lambda: native.first_invalid(pig, None),
    ):
        with pytest.raises(TypeError):
            call()


def test_options_are_a_copy_of_the_callers():
    """The value deletes itself: what is left of it must not be read."""

    class Vanishing:
        def __index__(self):
            options.clear()
            return -1

    options = {"win_score": Vanishing()}
    with pytest.raises(ValueError, match="an integer from 1 to 1000000, not <test_changing"):
        _core.load_native("pig", options)


def test_packed_rows_whose_size_overflows():
    for n, width in ((2**63, 2), (2**62, 4), (1, 2**63), (2**64 - 1, 2**64 - 1), (2**63, 0)):
        with pytest.raises((ValueError, MemoryError)):
            _core.nets.unpack(b"\x01\x00\x00\x80\x3f", n, width)
    assert _core.nets.unpack(b"", 0, 5).shape == (0, 5)
    assert _core.nets.unpack(b"\x01\x00\x00\x80\x3f", 1, 2).tolist() == [[1.0, 0.0]]


def test_a_plugin_comes_only_from_a_library():
    with pytest.raises(TypeError):
        _core.Plugin()
    with pytest.raises(TypeError), pytest.warns(RuntimeWarning, match="uninitialized"):
        _core.Plugin.__new__(_core.Plugin).load({})


# --- games of one name ------------------------------------------------------------------------------------------------


def test_states_of_an_earlier_game_of_this_name_with_another_size():
    class Small(Race):
        name = "resized"

    class Large(Race):
        name = "resized"
        state_words = 64

        def initial(self, **options):
            return super().initial(**options) + (0,) * 60

        def apply(self, state, action):
            return super().apply(state, action) + (0,) * 60

    tablier.register(Small)
    small = tablier.load_game("resized")
    tablier.register(Large, replace=True)
    large = tablier.load_game("resized")
    state = small.new_initial_state()
    assert small != large
    assert state != large.new_initial_state()
    with pytest.raises(ValueError, match="a different game"):
        native.Pool(large, SearchConfig(), 1).set_root(0, state)
    with pytest.raises(ValueError, match="a different game"):
        tablier.BatchEnv(large, 1).set_state(0, state)


@pytest.mark.parametrize("row", [(), ("a", 0, 1), ("a", 2, 5, 0, 0, ["x"], ""), ("a", 9, 0, 0, 1, [], "")])
def test_option_rows_of_a_python_game_are_checked(row):
    class Odd(Race):
        name = "odd_options"

        def _option_rows(self):
            return [row]

    with pytest.raises((TypeError, ValueError), match="option"):
        _core.load_python(Odd(), {})


def test_a_python_game_whose_bytes_are_none():
    class Odd(Race):
        name = "odd_bytes"

        def _features_bytes(self, state, player):
            return [0.0]

    with pytest.raises(TypeError, match=r"features\(\) must return an array"):
        _core.load_python(Odd(), {}).new_initial_state().features()


# --- Trictrac ---------------------------------------------------------------------------------------------------------


def test_men_and_moves_that_do_not_exist():
    state = tablier.load_game("trictrac", first_throw="white").new_initial_state().child(7)
    spell, named_men = _core.trictrac.spell, _core.trictrac.named_men
    for die in (-5, 0, 7, 2**31 - 1, -(2**31)):
        with pytest.raises(ValueError, match="a die shows 1 to 6"):
            spell(state, [(1, die)])
    for action in (-1, 0, 1, 514, 2**31 - 1, -(2**31)):
        with pytest.raises(ValueError, match="not a move"):
            named_men(state, action)
