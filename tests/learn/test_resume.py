"""Runs resume only from their own intact checkpoints; without one, nothing is lost."""

import hashlib
import json
import shutil

import numpy as np
import pytest
import safetensors.numpy
from killing import train

from tablier.cli import main
from tablier.learn import open_run
from tablier.learn.runs import checkpoint, files
from tablier.learn.runs.checkpoint import folder_of, load, steps_of, thin_out
from tablier.learn.runs.files import DamagedError, RunError
from tablier.learn.runs.run import metrics

TD = {"game": "tic_tac_toe", "steps": 6, "games": 4, "moves": 4, "width": 8, "tensorboard": False}
TD["checkpoint_every"] = 3


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "finished"
    train(folder, "td", TD)
    return folder


@pytest.fixture
def done(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "done")


def change(folder, **values):
    """Overwrites entries in the last checkpoint's state.json."""
    path = folder_of(folder, 6) / "state.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def spoil(folder, name, how):
    """Changes arrays in the last checkpoint and updates the checksum to match."""
    path = folder_of(folder, 6) / name
    tensors = dict(safetensors.numpy.load_file(path))
    how(tensors)
    data = safetensors.numpy.save(tensors)
    path.write_bytes(data)
    sums = json.loads((folder_of(folder, 6) / "state.json").read_text())["sums"]
    change(folder, sums={**sums, name: hashlib.sha256(data).hexdigest()})


def everything(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_damaged_checkpoint_is_passed_over_told_and_kept(done, capsys):
    path = folder_of(done, 6) / "training.safetensors"
    path.write_bytes(spoiled := path.read_bytes()[:-1])
    assert train(done, "td", {"steps": 9}, resume=True) == 9
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "training.safetensors is damaged" in told
    assert "renamed to step-00000006.damaged, resuming from step 3" in told
    kept = folder_of(done, 6).with_name("step-00000006.damaged")
    assert (kept / "training.safetensors").read_bytes() == spoiled
    assert steps_of(done) == [3, 6, 9]
    assert [row["step"] for row in metrics(done)] == list(range(1, 10))


def test_two_damaged_ones_have_two_names(done):
    for _ in range(2):
        (folder_of(done, 6) / "state.json").unlink()
        assert train(done, "td", {}, resume=True) == 6
    names = sorted(path.name for path in (done / "checkpoints").iterdir())
    assert names == ["step-00000003", "step-00000006", "step-00000006.damaged", "step-00000006.damaged1"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"format": 2}, "has format 2; this version reads 1"),
        ({"made_for": {"algorithm": "ppo"}}, "was written for algorithm 'ppo'"),
        ({"step": 7}, "was renamed: it was written at step 7"),
    ],
)
def test_a_newer_checkpoint_of_something_else_is_not_passed_over(done, values, message):
    change(done, **values)
    before = everything(done)
    with pytest.raises(RunError, match=message):
        train(done, "td", {}, resume=True)
    assert everything(done) == before


def test_a_disk_that_fails_is_not_taken_for_damage(done, monkeypatch):
    read_regular = files.read_regular

    def failing(path, most):
        if "step-00000006" in str(path):
            raise OSError(5, "Input/output error")
        return read_regular(path, most)

    before = everything(done)
    monkeypatch.setattr(files, "read_regular", failing)
    with pytest.raises(RunError, match=r"step-00000006/state.json cannot be read: Input/output error"):
        train(done, "td", {}, resume=True)
    monkeypatch.undo()
    assert everything(done) == before


def test_nothing_is_changed_before_the_learner_took_the_checkpoint(tmp_path):
    settings = {**TD, "batch": 8, "game": "tic_tac_toe"}
    train(tmp_path / "run", "dqn", {**settings, "steps": 8})
    shutil.rmtree(folder_of(tmp_path / "run", 8))  # leaves shards 7 and 8, metrics up to 8, and a checkpoint at step 6
    spoil(tmp_path / "run", "training.safetensors", lambda tensors: tensors.pop("games"))
    before = everything(tmp_path / "run")
    with pytest.raises(RunError, match="does not contain this run's games"):
        train(tmp_path / "run", "dqn", {}, resume=True)
    assert everything(tmp_path / "run") == before


def test_new_settings_are_not_written_if_every_checkpoint_is_damaged(done):
    for path in (done / "checkpoints").rglob("*.*"):
        path.write_bytes(b"not a checkpoint")
    before = everything(done)
    assert main(["train", "td", "--run", str(done), "--resume", "--steps", "9"]) == 2
    assert everything(done) == before


@pytest.mark.parametrize(
    "name", ["checkpoints/step-00000006/state.json", "metrics.jsonl", "workers.jsonl", "best.safetensors", "best.onnx"]
)
def test_nothing_is_changed_if_a_file_cannot_be_read(name, tmp_path, capsys):
    train(tmp_path, "td", {**TD, "net": "core"})
    metrics_file = tmp_path / "metrics.jsonl"
    metrics_file.write_bytes(metrics_file.read_bytes() + b"an unfinished line")  # which resuming would drop
    (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / name).mkdir()
    before = everything(tmp_path)
    assert main(["train", "td", "--run", str(tmp_path), "--resume", "--steps", "9"]) == 2
    assert name in capsys.readouterr().err
    assert everything(tmp_path) == before


def test_new_settings_are_kept_by_a_run_that_resumes(done):
    with open_run(done, "td", {"steps": 9}, resume=True) as run:
        assert json.loads((done / "config.json").read_text())["steps"] == 6
        run.resume()
    assert json.loads((done / "config.json").read_text())["steps"] == 9
    assert train(done, "td", {}, resume=True) == 9


def test_metrics_without_any_checkpoint_are_not_thrown_away(done):
    shutil.rmtree(done / "checkpoints")
    (done / "checkpoints").mkdir()
    before = everything(done)
    with pytest.raises(RunError, match="has metrics but no checkpoint"):
        train(done, "td", {}, resume=True)
    assert everything(done) == before


def test_the_network_is_written_if_a_crash_kept_it_from_the_file(done):
    path = done / "best.onnx"
    whole = path.read_bytes()
    path.unlink()
    train(done, "td", {}, resume=True)
    assert path.read_bytes() == whole
    path.write_bytes(b"an older one")
    train(done, "td", {}, resume=True)
    assert path.read_bytes() == whole


def nan(tensors):
    for name in tensors:
        tensors[name] = np.full_like(tensors[name], np.nan)


def set_to(name, value):
    return lambda tensors: tensors.__setitem__(name, np.float32(value))


HOSTILE = [
    ("weights.safetensors", nan, "is not finite float32"),
    (
        "weights.safetensors",
        lambda t: t.update({k: v.astype(np.float64) for k, v in t.items()}),
        "is not finite float32",
    ),
    ("training.safetensors", lambda t: t.pop("optimizer.0.step"), "step of weight 0 is invalid"),
    ("training.safetensors", lambda t: t.pop("optimizer.1.exp_avg"), "exp_avg of weight 1 is invalid"),
    ("training.safetensors", set_to("optimizer.0.exp_avg", [[0.0]]), "exp_avg of weight 0 is invalid"),
    ("training.safetensors", set_to("optimizer.0.step", [-1.0]), "step of weight 0 is invalid"),
    ("training.safetensors", set_to("optimizer.0.step", [np.inf]), "step of weight 0 is invalid"),
    ("training.safetensors", set_to("optimizer.99.step", [1.0]), "unknown entry optimizer.99.step"),
    ("training.safetensors", set_to("optimizer.x", [1.0]), "unknown entry optimizer.x"),
    ("training.safetensors", set_to("newest.value.bias", [np.nan]), "value.bias is not finite float32"),
    ("training.safetensors", lambda t: t.pop("newest.value.bias"), "the weights do not fit"),
    ("training.safetensors", lambda t: t.update(games=t["games"][::-1].copy()), "does not contain this run's games"),
]


@pytest.mark.parametrize(("name", "how", "message"), HOSTILE)
def test_hostile_arrays_are_refused_in_one_line(done, name, how, message, capsys):
    spoil(done, name, how)
    assert main(["train", "td", "--run", str(done), "--resume", "--steps", "9"]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


ROW = {"step": 6, "seconds": 1.0}


@pytest.mark.parametrize(
    "values",
    [
        {"counters": {}},
        {"counters": {"seconds": "x"}},
        {"counters": {"seconds": 1.0, "games": None}},
        {"counters": {"seconds": float("inf")}},
        {"counters": [1]},
        {"pending": [1]},
        {"pending": [{}]},
        {"pending": {}},
        {"pending": [{**ROW, "step": 7}]},
        {"pending": [{**ROW, "step": "6"}]},
        {"pending": [{**ROW, "loss": "low"}]},
        {"pending": [{**ROW, "loss": float("nan")}]},
        {"sums": []},
        {"made_for": 3},
    ],
)
def test_a_hostile_list_is_damage(done, values, capsys):
    change(done, **values)
    with pytest.raises(DamagedError, match=r"state.json is damaged: "):
        load(done, 6, {})
    shutil.rmtree(folder_of(done, 3))
    assert main(["train", "td", "--run", str(done), "--resume", "--steps", "9"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_checkpoint_is_removed_at_once_or_not_at_all(done, monkeypatch):
    """The remains of a checkpoint whose removal was interrupted by a kill do not count as a checkpoint."""
    for step in (7, 8, 9):
        shutil.copytree(folder_of(done, 6), folder_of(done, step))

    class Killed(BaseException):
        pass

    def killed(path, ignore_errors=False):
        if path.exists():
            (path / "state.json").unlink()
            raise Killed

    monkeypatch.setattr(checkpoint.shutil, "rmtree", killed)
    with pytest.raises(Killed):
        thin_out(done, 3)
    monkeypatch.undo()
    assert steps_of(done) == [3, 6, 8, 9]
    assert all((folder_of(done, step) / "state.json").exists() for step in steps_of(done))
    files.remove_leftovers(done / "checkpoints")
    assert sorted((done / "checkpoints").iterdir()) == [folder_of(done, step) for step in (3, 6, 8, 9)]


def test_a_checkpoint_that_is_gone_is_left_out_of_an_evaluation(done, capsys):
    (folder_of(done, 3) / "state.json").unlink()
    words = ["eval", str(done), "--games", "2", "--opponents", "random", "--processes", "1"]
    assert main(words) == 0
    out, told = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == ["step", "6"]
    assert "skipped step 3" in told
    assert told.count("\n") == 1
    (folder_of(done, 6) / "state.json").unlink()
    assert main(words) == 2
    assert "step-00000006/state.json does not exist" in capsys.readouterr().err


def test_a_checkpoint_that_is_damaged_is_not_left_out(done, capsys):
    (folder_of(done, 3) / "weights.safetensors").write_bytes(b"")
    assert main(["eval", str(done), "--games", "2", "--opponents", "random", "--processes", "1"]) == 2
    assert "weights.safetensors is damaged" in capsys.readouterr().err


@pytest.mark.parametrize("how", ["cut", "gone"])
def test_a_damaged_replay_is_passed_over_like_its_checkpoint(how, tmp_path, capsys):
    small = {"game": "pig", "steps": 6, "games": 4, "moves": 4, "width": 8, "replay": 40, "batch": 4}
    settings = {**small, "tensorboard": False, "checkpoint_every": 3}
    train(tmp_path / "whole", "dqn", settings)
    broken = shutil.copytree(tmp_path / "whole", tmp_path / "broken")
    shard = broken / "replay" / "step-00000006.safetensors"
    shard.write_bytes(shard.read_bytes()[:-20]) if how == "cut" else shard.unlink()
    capsys.readouterr()
    assert train(broken, "dqn", {}, resume=True) == 6
    assert "resuming from step 3" in capsys.readouterr().err
    whole, again = (folder_of(folder, 6) / "weights.safetensors" for folder in (tmp_path / "whole", broken))
    assert whole.read_bytes() == again.read_bytes()
