"""A run continues without what was lost: replay shards that all checkpoints share, lines of metrics and of workers."""

import json

import pytest
from killing import train

from tablier.learn.runs.checkpoint import folder_of, steps_of
from tablier.learn.runs.run import metrics

DQN = {"game": "pig", "steps": 6, "games": 4, "moves": 4, "width": 8, "replay": 1000, "batch": 4}
DQN |= {"tensorboard": False, "checkpoint_every": 3}


def flip_a_bit(path):
    data = bytearray(path.read_bytes())
    data[-40] ^= 4
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("algorithm", "settings"),
    [
        ("dqn", DQN),
        ("alphazero", {**DQN, "sims": 2, "net": "mlp", "moves": 2}),
    ],
)
def test_a_shard_that_both_checkpoints_need(algorithm, settings, tmp_path, capsys):
    train(tmp_path, algorithm, settings)
    flip_a_bit(tmp_path / "replay/step-00000002.safetensors")
    (tmp_path / "replay/step-00000003.safetensors").unlink()
    capsys.readouterr()
    assert train(tmp_path, algorithm, {"steps": 9}, resume=True) == 9
    told = capsys.readouterr().err
    assert "step-00000002.safetensors is lost; step-00000002.safetensors.damaged stands in for it" in told
    assert "step-00000003.safetensors is lost" in told
    assert "resuming from step 6 without these positions" in told
    assert [row["step"] for row in metrics(tmp_path)] == list(range(1, 10))
    assert train(tmp_path, algorithm, {"steps": 12}, resume=True) == 12, "and nothing is told twice"
    assert capsys.readouterr().err == ""


def test_a_checkpoint_with_a_whole_replay_is_preferred(tmp_path, capsys):
    train(tmp_path, "dqn", DQN)
    flip_a_bit(tmp_path / "replay/step-00000005.safetensors")
    assert train(tmp_path, "dqn", {}, resume=True) == 6
    assert "renamed to step-00000006.damaged, resuming from step 3" in capsys.readouterr().err


def test_a_damaged_checkpoint_and_a_lost_shard(tmp_path, capsys):
    train(tmp_path, "dqn", DQN)
    flip_a_bit(tmp_path / "replay/step-00000001.safetensors")
    flip_a_bit(folder_of(tmp_path, 6) / "training.safetensors")
    assert train(tmp_path, "dqn", {}, resume=True) == 6
    told = capsys.readouterr().err
    assert "resuming from step 3 without these positions" in told
    assert "renamed to step-00000006.damaged, resuming from step 3" in told
    assert steps_of(tmp_path) == [3, 6]


@pytest.mark.parametrize("line", [b"3", b"{", b"[" * 100_000, b'{"step": "3", "seconds": 1}', b"\xff"])
def test_lines_that_are_damaged(line, tmp_path, capsys):
    settings = {"game": "tic_tac_toe", "steps": 3, "games": 4, "moves": 4, "width": 8, "tensorboard": False}
    train(tmp_path, "td", settings)
    path = tmp_path / "metrics.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], line + b"\n", *lines[1:]]))
    row = json.dumps({"step": 2, "since": 0}).encode()
    (tmp_path / "workers.jsonl").write_bytes(row + b"\n" + line + b"\n" + row)
    capsys.readouterr()
    assert train(tmp_path, "td", {"steps": 4}, resume=True) == 4
    told = capsys.readouterr().err
    assert "metrics.jsonl: dropped 1 damaged lines, first line 2" in told
    assert "workers.jsonl: dropped 1 damaged lines" in told
    assert [one["step"] for one in metrics(tmp_path)] == [1, 2, 3, 4]
    assert (tmp_path / "workers.jsonl").read_bytes() == row + b"\n"
