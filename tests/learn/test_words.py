"""State words from outside, read from a file or passed by a caller: the engine never uses an invalid state."""

import numpy as np
import pytest
from killing import train

import tablier
from tablier._core import search
from tablier.evaluators import HeuristicEvaluator
from tablier.learn.data.batched_games import GamesConfig, game_of
from tablier.learn.data.replay import Replay
from tablier.learn.data.selfplay import Groups
from tablier.learn.data.transitions import Transitions
from tablier.learn.runs.files import DamagedError, RunError, read, summed_bytes, tensor_bytes, tensors_of
from tablier.search import ExpectimaxConfig, SearchConfig

GAMES = ("pig", "tic_tac_toe", "trictrac", "trictrac_a_ecrire")
OFF = {"game": "tic_tac_toe", "steps": 4, "games": 8, "moves": 8, "batch": 16, "width": 8, "tensorboard": False}
OFF["checkpoint_every"] = 2


def some(game, n=50):
    """Returns states from the middle of games."""
    env = tablier.BatchEnv(game, n, seed=1)
    for _ in range(3):
        env.step(env.arrays().legal_mask.argmax(axis=1))
    words = np.zeros((n, game.state_size()), np.uint64)
    env.words(words)
    return words


def noise(shape):
    return np.random.default_rng(2).integers(0, 2**64, shape, np.uint64)


def shown(game, words):
    features = np.zeros((len(words), *game.features_shape()), np.float32)
    search.show(game, words, np.zeros(len(words), np.int32), features)


def gone_on(game, words, ages=0):
    pool = search.Pool(game, SearchConfig(n_simulations=2, evaluator="uniform"), len(words))
    pool.play_on(words, np.full(len(words), ages, np.int64), 0, 1)


def after(game, words):
    search.after(game, words, np.zeros(len(words), np.int32), np.zeros(len(words), np.int32))


def looked_ahead(game, words):
    search.Expectimax(game, ExpectimaxConfig()).begin(words)


def judged(game, words):
    search.evaluate(game, HeuristicEvaluator(game), words)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("door", [shown, gone_on, after, looked_ahead])
def test_no_door_lets_in_what_is_no_state(name, door):
    game = tablier.load_game(name)
    words = some(game)
    words[7] = noise(words[7].shape)
    with pytest.raises(ValueError, match="row 7 of array 'states' is not a valid state of this game"):
        door(game, words)


def test_a_heuristic_is_not_asked_about_what_is_no_state():
    game = tablier.load_game("trictrac")
    with pytest.raises(ValueError, match="row 0 of array 'states' is not a valid state"):
        judged(game, noise((3, game.state_size())))


def test_numbers_out_of_range_are_told():
    game = tablier.load_game("trictrac")
    begin = search.Expectimax(game, ExpectimaxConfig()).begin
    with pytest.raises(ValueError, match="array 'player' contains a player number that is out of range"):
        begin(some(game, 2), np.int32([0, 9]))
    with pytest.raises(ValueError, match="array 'ages' contains a negative number"):
        gone_on(game, some(game, 2), ages=-1)


@pytest.mark.parametrize("name", GAMES)
def test_the_first_that_is_no_state_is_found(name):
    game = tablier.load_game(name)
    words = some(game)
    assert search.first_invalid(game, words) == -1
    words[31] = words[40] = noise(words[0].shape)
    assert search.first_invalid(game, words) == 31
    assert search.first_invalid(game, words[:0]) == -1


def test_states_of_other_rules_are_found():
    game, other = tablier.load_game("trictrac"), tablier.load_game("trictrac", holes_to_win=3)
    assert search.first_invalid(game, some(game)) == -1
    assert search.first_invalid(other, some(game)) == 0


def test_a_game_in_python_says_itself_what_is_no_state(race):
    game = race
    words = np.stack([search.words(game.new_initial_state())] * 3)
    assert search.first_invalid(game, words) == -1
    words[2] = 2**62
    assert search.first_invalid(game, words) == 2


def test_before_the_dice_and_at_the_end_there_are_states_too():
    game = tablier.load_game("trictrac", holes_to_win=1)
    state, draw, words, kinds = game.new_initial_state(), np.random.default_rng(0), [], set()
    while True:
        words.append(search.words(state))
        kinds.add("end" if state.is_terminal() else "dice" if state.is_chance_node() else "decision")
        if state.is_terminal():
            break
        state.apply_action(draw.choice(state.legal_actions()))
    assert kinds == {"end", "dice", "decision"}
    assert search.first_invalid(game, np.stack(words)) == -1


@pytest.fixture
def dqn(tmp_path):
    train(tmp_path / "run", "dqn", OFF)
    return tmp_path / "run"


def spoil(folder, change):
    """Changes the arrays of a shard and updates its checksum to match."""
    path = folder / "replay" / "step-00000003.safetensors"
    tensors = tensors_of(read(path), path)
    change(tensors)
    path.write_bytes(summed_bytes(tensors))


def put(name, row, value):
    return lambda tensors: tensors[name].__setitem__(row, value)


def take_twice(tensors):
    """Replaces a state by its successor, so that its action is played twice."""
    row = np.flatnonzero(tensors["turns"])[0]
    tensors["states"][row] = tensors["next_states"][row]


WRONG = [
    (put("states", 5, 2**64 - 1), "row 5 is not a state of tic_tac_toe"),
    (put("next_states", 6, 2**64 - 1), "row 6 is not a state of tic_tac_toe"),
    (put("rewards", 0, np.nan), "a reward is not finite"),
    (put("actions", 0, 9), "an action, player or turn is out of range"),
    (take_twice, "an action is not legal"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_a_shard_with_wrong_rows_is_not_learned_from(dqn, change, message, capsys):
    spoil(dqn, change)
    replay = Replay(Transitions, game_of(GamesConfig(game="tic_tac_toe")), 10**6, dqn / "replay")
    with pytest.raises(DamagedError, match=f"step-00000003.safetensors is damaged: {message}"):
        replay.resume(4)
    assert train(dqn, "dqn", {"steps": 6}, resume=True) == 6
    told = capsys.readouterr().err
    assert f"step-00000003.safetensors is damaged: {message}" in told
    assert "resuming from step 2" in told


def test_any_bit_of_a_shard_that_flips_is_noticed(dqn):
    path = dqn / "replay" / "step-00000003.safetensors"
    whole = path.read_bytes()
    draw = np.random.default_rng(3)
    game = game_of(GamesConfig(game="tic_tac_toe"))

    def rows():
        replay = Replay(Transitions, game, 10**6, dqn / "replay")
        replay.resume(4)
        return tensor_bytes(vars(replay.rows))

    written, noticed = rows(), 0
    for place in draw.integers(0, len(whole), 200):
        data = bytearray(whole)
        data[place] ^= 1 << int(draw.integers(8))
        path.write_bytes(data)
        try:
            assert rows() == written  # the flipped bit is not read
        except DamagedError:
            noticed += 1
    assert noticed > 150


def test_shards_without_a_sum_are_still_read(dqn):
    path = dqn / "replay" / "step-00000003.safetensors"
    path.write_bytes(tensor_bytes(tensors_of(read(path), path)))
    assert train(dqn, "dqn", {"steps": 6}, resume=True) == 6


@pytest.mark.parametrize("name", ["states", "ages"])
def test_games_in_progress_that_cannot_be_are_refused(name):
    groups = Groups(tablier.load_game("trictrac"), 5, 0, 1)
    tensors = groups.tensors()
    groups.put(tensors)
    tensors[name][3] = np.full_like(tensors[name][3], -1 if name == "ages" else 2**64 - 1)
    with pytest.raises(RunError, match="the checkpoint contains invalid games"):
        groups.put(tensors)
