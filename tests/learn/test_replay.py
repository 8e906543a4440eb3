"""The replay buffer returns what was added, from memory and from disk."""

import numpy as np
import pytest

import tablier
from tablier._core import search
from tablier.learn.data.positions import Positions
from tablier.learn.data.replay import Replay
from tablier.learn.data.valued import Valued
from tablier.learn.runs.files import LostError, RunError, give_up

PIG = tablier.load_game("pig")


def sample(replay, n, draw, game=PIG):
    return replay.rows.show(game, replay.draw(n, draw))


def some(first, n):
    """Positions whose values are their indices; those with an even index have a policy."""
    states = np.repeat(search.words(PIG.new_initial_state())[None], n, axis=0)
    numbers = np.arange(first, first + n)
    counts = np.where(numbers % 2 == 0, 2, 0)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    shares = np.stack([numbers, 1 - numbers], axis=1)[counts > 0].ravel()
    players = np.zeros(n, np.int32)
    return Positions(
        states,
        players,
        numbers.astype(np.float32),
        offsets.astype(np.int64),
        np.tile(np.int32([0, 1]), int((counts > 0).sum())),
        shares.astype(np.float32),
    )


def test_the_oldest_are_forgotten_and_policies_stay_with_their_rows():
    replay = Replay(Positions, PIG, 10)
    for step in range(1, 5):
        replay.add(step, some(4 * step, 4))
    assert len(replay) == 10
    batch = sample(replay, 10, np.random.default_rng(0))
    assert sorted(batch.values) == list(range(10, 20))
    for value, policy in zip(batch.values, batch.policy, strict=True):
        assert policy.tolist() == ([value, 1 - value] if value % 2 == 0 else [0, 0])
    assert batch.legal.all()


def test_a_batch_holds_no_position_twice():
    replay = Replay(Positions, PIG, 100)
    replay.add(1, some(0, 50))
    draw = np.random.default_rng(1)
    for _ in range(20):
        values = sample(replay, 30, draw).values
        assert len(set(values)) == 30
    assert len(sample(replay, 80, draw).values) == 50


def test_shards_bring_back_what_the_checkpoint_had_seen(tmp_path):
    before = Replay(Positions, PIG, 10, tmp_path)
    for step in range(1, 4):
        before.add(step, some(4 * step, 4))
    rows = sample(before, 10, np.random.default_rng(7)).values.tolist()
    before.add(4, some(16, 4))
    (tmp_path / ".step-00000005.safetensors.tmp").write_bytes(b"half")
    after = Replay(Positions, PIG, 10, tmp_path)
    after.resume(3)
    assert sample(after, 10, np.random.default_rng(7)).values.tolist() == rows
    assert [path.name for path in sorted(tmp_path.iterdir())] == [f"step-0000000{i}.safetensors" for i in (1, 2, 3)]


def test_shards_that_nobody_needs_are_removed(tmp_path):
    replay = Replay(Positions, PIG, 8, tmp_path)
    for step in range(1, 8):
        replay.add(step, some(4 * step, 4))
        replay.forget(step - 2)
    assert sorted(int(path.stem[5:]) for path in tmp_path.iterdir()) == [4, 5, 6, 7]  # a checkpoint at 5 needs 4 and 5


def test_spoiled_and_missing_shards_are_refused(tmp_path):
    replay = Replay(Positions, PIG, 100, tmp_path)
    for step in (1, 2, 3):
        replay.add(step, some(step, 4))
    middle = tmp_path / "step-00000002.safetensors"
    whole = middle.read_bytes()
    middle.unlink()
    with pytest.raises(RunError, match="step-00000002.safetensors does not exist"):
        Replay(Positions, PIG, 100, tmp_path).resume(3)
    middle.write_bytes(whole[:-4])
    with pytest.raises(RunError, match="step-00000002.safetensors is damaged"):
        Replay(Positions, PIG, 100, tmp_path).resume(3)
    middle.write_bytes(whole)
    with pytest.raises(RunError, match="of another game: states"):
        Replay(Positions, tablier.load_game("tic_tac_toe"), 100, tmp_path).resume(3)


def test_a_shard_that_was_given_up_leaves_a_gap(tmp_path):
    replay = Replay(Positions, PIG, 8, tmp_path)
    for step in range(1, 5):
        replay.add(step, some(4 * step, 4))
        replay.forget(step)
    assert [path.name[5:13] for path in sorted(tmp_path.iterdir())] == ["00000003", "00000004"]
    give_up(tmp_path / "step-00000003.safetensors")
    after = Replay(Positions, PIG, 8, tmp_path)
    after.resume(4)
    assert after.rows.values.tolist() == [16, 17, 18, 19]
    after.add(5, some(20, 4))
    after.forget(5)
    assert after.rows.values.tolist() == list(range(16, 24))
    assert [path.name[5:13] for path in sorted(tmp_path.iterdir())] == ["00000004", "00000005"]


def test_a_folder_that_lost_everything_gives_an_empty_buffer(tmp_path):
    with pytest.raises(LostError) as caught:
        Replay(Positions, PIG, 8, tmp_path).resume(4)
    for path in caught.value.paths:
        give_up(path)
    replay = Replay(Positions, PIG, 8, tmp_path)
    replay.resume(4)
    assert len(replay) == 0


def test_later_shards_stay_until_all_is_read(tmp_path):
    replay = Replay(Positions, PIG, 100, tmp_path)
    for step in (1, 2, 3):
        replay.add(step, some(step, 4))
    first = tmp_path / "step-00000001.safetensors"
    whole = first.read_bytes()
    first.write_bytes(b"")
    with pytest.raises(RunError, match="step-00000001.safetensors is damaged"):
        Replay(Positions, PIG, 100, tmp_path).resume(2)
    assert len(list(tmp_path.iterdir())) == 3
    first.write_bytes(whole)
    Replay(Positions, PIG, 100, tmp_path).resume(2)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("name", "options"),
    [("trictrac", {"utility": "win", "encoding": "markov"}), ("backgammon", {"encoding": "expert"})],
)
def test_the_mirror_shows_what_the_other_colour_would_see(name, options):
    game = tablier.load_game(name, **options)
    env = tablier.BatchEnv(game, 40, seed=3)
    for _ in range(30):
        env.step(env.arrays().legal_mask.argmax(axis=1))
    states = [env.state(i) for i in range(40)]
    rows = np.stack([search.words(state) for state in states])
    players = np.int32([state.current_player() for state in states])
    nothing = np.zeros(41, np.int64), np.zeros(0, np.int32), np.zeros(0, np.float32)
    replay = Replay(Positions, game, 40)
    replay.add(1, Positions(rows, players, np.arange(40, dtype=np.float32), *nothing))
    draw = np.random.default_rng(0)
    batch = sample(replay, 40, draw, game)
    batch.mirror(game, draw)
    as_they_are = as_mirrored = 0
    for value, seen, legal in zip(batch.values, batch.features, batch.legal, strict=True):
        state = states[int(value)]
        listed = np.flatnonzero(legal).tolist()
        as_they_are += bool((seen == state.features()).all()) and listed == state.legal_actions()
        mirrored = state.mirrored()
        as_mirrored += bool((seen == mirrored.features()).all()) and listed == mirrored.legal_actions()
    assert as_they_are + as_mirrored == 40
    assert min(as_they_are, as_mirrored) > 5


@pytest.mark.parametrize(
    ("game", "inputs", "targets", "fault"),
    [
        ("backgammon", np.zeros((2, 29), np.uint8), [0, 1], ""),
        ("backgammon", np.full((2, 29), 255, np.uint8), [0, 1], "a code is out of range"),
        ("pig", np.zeros((2, 3), np.float32), [0, 1], ""),
        ("pig", np.zeros((2, 3), np.float32), [0, np.nan], "a number is not finite"),
        ("pig", np.full((2, 3), np.inf, np.float32), [0, 1], "a number is not finite"),
        ("pig", np.zeros((2, 3), np.float32), [0], "array lengths do not match"),
    ],
)
def test_positions_with_values_are_checked(game, inputs, targets, fault):
    assert Valued(inputs, np.float32(targets)).fault(tablier.load_game(game)) == fault
