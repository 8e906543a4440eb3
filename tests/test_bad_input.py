"""Bad input raises a clear error and changes nothing."""

import numpy as np
import pytest

import tablier
import tablier.testing
from tablier import _core


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tablier.load_game("chess"), ValueError, "no game is called 'chess'; registered: .*pig.*tic_tac_toe"),
        (lambda: tablier.load_game(3), TypeError, "a game's name must be a str"),
        (lambda: tablier.load_game("pig", winscore=3), ValueError, "no option 'winscore'; accepted: win_score"),
        (lambda: tablier.load_game("tic_tac_toe", size=4), ValueError, "it has no options"),
        (lambda: tablier.load_game("pig", win_score=0), ValueError, "an integer from 1 to 1000000, not 0"),
        (lambda: tablier.load_game("pig", win_score=2**70), ValueError, "an integer from 1 to 1000000"),
        (lambda: tablier.load_game("pig", win_score="50"), TypeError, "an integer from 1 to 1000000, not '50'"),
        (lambda: tablier.load_game("pig", win_score=True), TypeError, "not True"),
        (lambda: tablier.load_game("pig", win_score=1.5), TypeError, r"not 1\.5"),
    ],
)
def test_games_and_options(call, error, words):
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize("action", [2, -1, 6, 10**30, -(10**30)])
def test_an_action_that_is_not_legal(pig, action):
    state = pig.new_initial_state()
    before = state.serialize()
    with pytest.raises(ValueError, match=r"action"):
        state.apply_action(action)
    assert state.serialize() == before


@pytest.mark.parametrize("action", ["0", 0.0, None, True, [0]])
def test_an_action_that_is_no_integer(pig, action):
    with pytest.raises(TypeError, match="action must be an integer, not"):
        pig.new_initial_state().apply_action(action)


def test_the_error_names_the_action_who_is_to_move_and_what_is_legal(tic_tac_toe):
    state = tic_tac_toe.new_initial_state().child(4)
    with pytest.raises(ValueError, match="tic_tac_toe: action 4 is not legal with player 1 to move; legal: 0, 1, 2"):
        state.apply_action(4)


def test_a_finished_game_accepts_nothing():
    state = tablier.load_game("pig", win_score=2).new_initial_state().child(0).child(1).child(1)
    with pytest.raises(ValueError, match="the game is over"):
        state.apply_action(0)


def test_numpy_integers_are_integers(pig):
    state = pig.new_initial_state()
    state.apply_action(np.int64(0))
    state.apply_action(np.uint8(3))
    assert state.features(np.int32(0)).shape == (3,)


@pytest.mark.parametrize("player", [2, -1])
def test_a_player_that_does_not_exist(pig, player):
    for method in ("features", "observation", "player_return"):
        with pytest.raises(ValueError, match="player must be from 0 to 1"):
            getattr(pig.new_initial_state(), method)(player)


def test_masks_at_a_chance_node(pig):
    state = pig.new_initial_state().child(0)
    assert state.legal_actions_mask().tolist() == state.legal_actions_mask(-1).tolist() == [True] * 6
    assert state.legal_actions_mask(0).tolist() == [False] * 2
    large = np.zeros(64, bool)
    with pytest.raises(TypeError, match="shape"):
        state.legal_actions_mask(-1, out=large[:2])
    assert not large.any()
    full = np.ones(6, bool)
    with pytest.raises(TypeError, match="player must be an integer"):
        state.legal_actions_mask("x", out=full)
    assert full.all()


def test_arguments_that_are_no_game(pig):
    with pytest.raises(TypeError, match="game must be a tablier.Game.*not str"):
        tablier.BatchEnv("pig", 4)
    with pytest.raises(TypeError, match="a game from load_game"):
        tablier.testing.check_game("pig")


def test_chance_outcomes_need_a_chance_node(pig):
    with pytest.raises(ValueError, match="chance node"):
        pig.new_initial_state().chance_outcomes()


def read_only(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros(4, np.float32), r"shape \(4,\); expected \(3,\)"),
        (np.zeros((3, 1), np.float32), r"shape \(3, 1\); expected \(3,\)"),
        (np.zeros(3, np.float64), "expected float32"),
        (np.zeros(3, ">f4"), "expected float32"),
        (np.zeros(6, np.float32)[::2], "C-contiguous"),
        (np.zeros(3, "datetime64[s]"), "unsupported dtype"),
        (read_only(np.zeros(3, np.float32)), "read-only"),
        ([0.0, 0.0, 0.0], "must be a NumPy array"),
    ],
)
def test_arrays_to_fill(pig, array, words):
    with pytest.raises(TypeError, match=words):
        pig.new_initial_state().features(0, out=array)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"n": 0}, ValueError, "n must be from 1"),
        ({"n": -5}, ValueError, "n must be from 1"),
        ({"n": 1.5}, TypeError, "n must be an integer"),
        ({"n": 1, "threads": 0}, ValueError, "threads must be from 1 to 1024, not 0"),
        ({"n": 1, "threads": -2}, ValueError, "threads must be from 1"),
        ({"n": 1, "seed": -1}, ValueError, "seed must be from 0"),
        ({"n": 1, "seed": 2**64}, ValueError, "seed must be from 0"),
        ({"n": 1, "seed": "x"}, TypeError, "seed must be an integer"),
    ],
)
def test_sizes_of_playouts_and_batches(pig, arguments, error, words):
    with pytest.raises(error, match=words):
        pig.random_playouts(**arguments)
    with pytest.raises(error, match=words):
        tablier.BatchEnv(pig, **arguments)


def test_max_steps(pig):
    with pytest.raises(ValueError, match="max_steps must be from 1"):
        pig.random_playouts(1, max_steps=0)


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"actions": np.zeros(3, np.int32)}, r"'actions' has shape \(3,\); expected \(4,\)"),
        ({"actions": np.zeros(4, np.int16)}, "'actions' must have dtype int32 or int64"),
        ({"actions": [0, 0, 0, 0]}, "'actions' must be a NumPy array"),
        ({"features": np.zeros((4, 3))}, "'features' has dtype .* expected float32"),
        ({"legal_mask": np.zeros((4, 6), bool)}, r"'legal_mask' has shape \(4, 6\); expected \(4, 2\)"),
        ({"legal_mask": np.zeros((4, 2), np.uint8)}, "expected bool"),
        ({"done": np.zeros(4, np.int8)}, "'done' .* expected bool"),
        ({"current_player": np.zeros(4, np.int64)}, "expected int32"),
        ({"rewards": np.zeros((2, 4), np.float32).T}, "C-contiguous"),
    ],
)
def test_arrays_of_a_batch(pig, arrays, words):
    env = tablier.BatchEnv(pig, 4)
    before = env.save()
    with pytest.raises(TypeError, match=words):
        env.step(**{"actions": np.zeros(4, np.int32), **arrays})
    assert env.save() == before


def test_slots_and_states_of_a_batch(pig, tic_tac_toe):
    env = tablier.BatchEnv(pig, 4)
    for i in (-1, 4):
        with pytest.raises(IndexError, match="games are 0 to 3"):
            env.state(i)
    with pytest.raises(ValueError, match="a different game"):
        env.set_state(0, tic_tac_toe.new_initial_state())
    with pytest.raises(ValueError, match="different options"):
        env.set_state(0, tablier.load_game("pig", win_score=50).new_initial_state())
    short = tablier.load_game("pig", win_score=2)
    with pytest.raises(ValueError, match="over"):
        tablier.BatchEnv(short, 1).set_state(0, short.new_initial_state().child(0).child(3).child(1))


def test_bytes_that_are_no_saved_batch(pig):
    env = tablier.BatchEnv(pig, 4)
    saved = env.save()
    for data in (b"", saved[:-1], saved + b"x", b"x" * len(saved), saved * 2, tablier.BatchEnv(pig, 2).save()):
        with pytest.raises(ValueError, match="not a saved"):
            env.restore(data)
        assert env.save() == saved


def test_a_python_game_that_lacks_something():
    class Half(tablier.PythonGame):
        name = "half"

    with pytest.raises(TypeError, match=r"Half lacks .*title.*state_words.*apply"):
        tablier.register(Half)
    with pytest.raises(TypeError, match="subclass of tablier.PythonGame"):
        tablier.register(int)


def test_a_name_that_is_taken_or_no_name(race):
    from race import Race

    with pytest.raises(ValueError, match="already registered"):
        tablier.register(Race)
    with pytest.raises(ValueError, match="already registered"):
        tablier.register(type("Second", (Race,), {"name": "pig"}))
    with pytest.raises(ValueError, match="must start with a lower-case letter"):
        tablier.register(type("Loud", (Race,), {"name": "Race Car"}))
    with pytest.raises(ValueError, match="already registered"):
        tablier.register(type("Second", (Race,), {"name": "pig"}), replace=True)


def test_a_python_game_may_be_registered_again():
    from race import Race

    one = tablier.register(type("One", (Race,), {"name": "again", "title": "One"}))
    game = tablier.load_game("again")
    tablier.register(type("Two", (one,), {"title": "Two"}), replace=True)
    assert (game.title, tablier.load_game("again").title) == ("One", "Two")


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"title": None}, "title must be a str"),
        ({"observation_shape": 3}, "observation_shape must be a tuple of integers"),
        ({"observation_shape": (0,)}, "positive dimensions"),
        ({"zero_sum": "yes"}, "zero_sum must be a bool"),
        ({"min_utility": "a"}, "min_utility must be a number"),
        ({"state_words": 65}, "state_words must be from 1 to 64"),
        ({"num_actions": 0}, "num_actions must be from 1"),
        ({"options": {"length": tablier.Option(1.5)}}, "must be 64-bit integers"),
        ({"options": {"length": tablier.Option(1, max=10**30)}}, "must be 64-bit integers"),
        ({"options": {"a b": tablier.Option(1)}}, "usable as a keyword"),
        ({"options": {"name": tablier.Option(1)}}, "usable as a keyword"),
        ({"options": {f"o{i}": tablier.Option(1) for i in range(65)}}, "at most 64 are allowed"),
    ],
)
def test_facts_of_a_python_game_that_make_no_sense(attributes, words):
    from race import Race

    with pytest.raises((TypeError, ValueError), match=words):
        tablier.register(type("Odd", (Race,), {"name": "odd", **attributes}))


def test_work_without_an_end_is_refused():
    with pytest.raises(ValueError, match="games must be from 1 to 10000"):
        tablier.load_game("pig")._behaviour(2**31 - 1, 0)
    with pytest.raises(ValueError, match="at least one number"):
        _core.nets.pack(np.zeros((2**40, 0), np.float32), 0)


@pytest.mark.parametrize(
    ("method", "value", "words"),
    [
        ("observation", [0.5, 0, 0], "integers from 0 to 255"),
        ("observation", [[1], [2], [3]], "must return an array of shape"),
        ("observation", [256, 0, 0], "integers from 0 to 255"),
        ("features", [1, 2], "must return an array of shape"),
        ("to_string", 5, "a str"),
        ("to_string", "\ud800", "UTF-8"),
        ("to_string", "x" * 5000, "fewer than string_buffer_size"),
    ],
)
def test_methods_of_a_python_game_that_return_nonsense(method, value, words):
    from race import Race

    state = _core.load_python(type("Odd", (Race,), {method: lambda *_: value})(), {}).new_initial_state()
    with pytest.raises(TypeError, match=words):
        str(state) if method == "to_string" else getattr(state, method)(0)


def test_a_state_of_a_python_game_has_the_words_it_names(race):
    assert race.state_size() == 4


def test_options_of_a_python_game(race):
    with pytest.raises(ValueError, match="an integer from 1 to 100"):
        tablier.load_game("race", length=101)
    with pytest.raises(ValueError, match="is not one of"):
        tablier.Option("red", choices=("blue", "green")).row("colour")


@pytest.mark.parametrize("choice", ["red,length=3", "", " red", "red\n", "re\ud800d"])
def test_choices_can_be_written_in_a_list_of_options(choice):
    with pytest.raises(ValueError, match="a choice must be printable and without commas"):
        tablier.Option("blue", choices=("blue", choice)).row("colour")
