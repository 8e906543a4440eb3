"""Runs: killed and resumed, and what is rejected."""

import errno
import json
import os
import shutil

import pytest
from killing import train, train_killed

from tablier.cli import main
from tablier.learn import ALGORITHMS, open_run
from tablier.learn.runs import files
from tablier.learn.runs.checkpoint import folder_of, load, steps_of
from tablier.learn.runs.files import RunError
from tablier.learn.runs.run import metrics

TD = {"game": "tic_tac_toe", "steps": 30, "games": 16, "moves": 12, "width": 16, "epsilon": 0.1, "tensorboard": False}
TD["checkpoint_every"] = 3


def weights(folder):
    (step,) = steps_of(folder)[-1:]
    return (folder_of(folder, step) / "weights.safetensors").read_bytes()


def course(folder):
    """Returns the metrics without those that depend on the clock."""
    return [{name: x for name, x in row.items() if "/s" not in name and name != "seconds"} for row in metrics(folder)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "finished"
    train(folder, "td", {**TD, "steps": 6})
    return folder


@pytest.fixture
def done(finished, tmp_path):
    return shutil.copytree(finished, tmp_path / "whole")


@pytest.mark.slow
def test_a_run_killed_at_random_moments_ends_with_the_same_weights(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    train(whole, "td", TD)
    assert train_killed(killed, "td", TD, seed=5) >= 6
    assert weights(killed) == weights(whole)
    assert course(killed) == course(whole)
    assert [row["step"] for row in metrics(killed)] == list(range(1, 31))
    assert (killed / "best.onnx").read_bytes() == (whole / "best.onnx").read_bytes()


def test_metrics_that_a_crash_kept_from_the_file_are_added(done):
    rows = metrics(done)
    path = done / "metrics.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:4]) + b'{"step": 5, "lo')
    assert len(metrics(done)) == 4
    with open_run(done, "td", {}, resume=True) as run:
        assert run.resume().step == 6
    assert metrics(done) == rows


def test_a_spoiled_checkpoint_is_not_loaded_but_the_one_before(done):
    path = folder_of(done, 6) / "weights.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with open_run(done, "td", {}, resume=True) as run:
        assert run.resume().step == 3
    assert metrics(done)[-1]["step"] == 3


@pytest.mark.parametrize("spoil", ["weights.safetensors", "training.safetensors", "state.json"])
@pytest.mark.parametrize("how", [b"", b"{}", b"\xff" * 100, b"[" * 100_000, (2**60).to_bytes(8, "little") + b"{}"])
def test_spoiled_and_hostile_files_are_refused(done, spoil, how, capsys):
    shutil.rmtree(folder_of(done, 3))
    (folder_of(done, 6) / spoil).write_bytes(how)
    before = sorted((path, path.read_bytes()) for path in done.rglob("*.safetensors"))
    assert main(["train", "td", "--run", str(done), "--resume", "--steps", "9"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert spoil in error or "format None" in error
    assert sorted((path, path.read_bytes()) for path in done.rglob("*.safetensors")) == before


def test_a_checkpoint_of_something_else_is_refused(done, tmp_path):
    other = tmp_path / "other"
    train(other, "td", {**TD, "steps": 3, "game": "pig"})
    shutil.rmtree(folder_of(other, 3))
    shutil.copytree(folder_of(done, 6), folder_of(other, 6))
    with pytest.raises(RunError, match="was written for game 'tic_tac_toe'; this run needs 'pig'"):
        train(other, "td", {"steps": 9}, resume=True)
    with pytest.raises(RunError, match="was written for algorithm 'td'; this run needs 'ppo'"):
        load(done, 6, {"algorithm": "ppo"})
    state = folder_of(done, 6) / "state.json"
    state.write_text(state.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(RunError, match="has format 2; this version reads 1"):
        load(done, 6, {})


def test_a_checkpoint_of_another_encoding_is_refused(tmp_path):
    """Features of another encoding mean different things, even when there are equally many."""
    settings = {"games": 2, "moves": 2, "steps": 1, "width": 8, "tensorboard": False}
    train(tmp_path / "markov", "td", {**settings, "encoding": "markov"})
    train(tmp_path / "classic", "td", {**settings, "encoding": "classic"})
    shutil.rmtree(folder_of(tmp_path / "classic", 1))
    shutil.copytree(folder_of(tmp_path / "markov", 1), folder_of(tmp_path / "classic", 1))
    with pytest.raises(RunError, match="was written for options .*'encoding': 'markov'.*; this run needs .*'classic'"):
        train(tmp_path / "classic", "td", {"steps": 2}, resume=True)


def test_a_run_in_use_is_refused(done):
    with open_run(done, "td", {}, resume=True), pytest.raises(RunError, match="is in use by another process"):
        open_run(done, "td", {}, resume=True)
    with open_run(done, "td", {}, resume=True):
        pass


def test_a_run_is_not_overwritten(done):
    with pytest.raises(RunError, match="add --resume to continue it"):
        open_run(done, "td", TD)
    with pytest.raises(RunError, match="width is 16 in this run and cannot change"):
        open_run(done, "td", {"width": 32}, resume=True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"speed": 1}, "unknown setting 'speed'; choose from game, "),
        ({"lr": -1.0}, "lr must be from 1e-08 to 10, not -1"),
        ({"lr": float("nan")}, "lr must be from"),
        ({"net": "transformer"}, "net must be one of auto, core, mlp, resnet"),
        ({"width": 1.5}, "width must be of type int, not 1.5"),
        ({"options": "win_score"}, "an option is written key=value"),
    ],
)
def test_bad_settings_are_refused_before_anything_is_written(settings, message, tmp_path):
    with pytest.raises(RunError, match=message):
        open_run(tmp_path / "run", "td", settings)
    assert not (tmp_path / "run").exists()


def test_a_hostile_config_is_refused(done):
    config = json.loads((done / "config.json").read_text())
    (done / "config.json").write_text(json.dumps({**config, "backdoor": 1}))
    with pytest.raises(RunError, match="config.json: unknown setting 'backdoor'"):
        open_run(done, "td", {}, resume=True)
    (done / "config.json").write_text(json.dumps({**config, "algorithm": ["td"]}))
    with pytest.raises(RunError, match="is a run of"):
        open_run(done, "td", {}, resume=True)


def test_settings_are_accepted_under_their_former_names(tmp_path):
    with open_run(tmp_path / "run", "td", {**TD, "trace": 0.5, "average": 0.9}) as run:
        assert (run.config.td_lambda, run.config.ema_decay) == (0.5, 0.9)
    path = tmp_path / "run" / "config.json"
    saved = json.loads(path.read_text())
    assert (saved["td_lambda"], "trace" in saved) == (0.5, False)
    saved["trace"] = saved.pop("td_lambda")
    path.write_text(json.dumps(saved))
    with open_run(tmp_path / "run", "td", {"trace": 0.5, "steps": 40}, resume=True) as run:
        assert (run.config.td_lambda, run.config.steps) == (0.5, 40)
        run.resume()
    assert json.loads(path.read_text())["td_lambda"] == 0.5
    with pytest.raises(RunError, match="td_lambda is 0.5 in this run and cannot change"):
        open_run(tmp_path / "run", "td", {"trace": 0.7}, resume=True)


def test_a_setting_under_both_names_is_refused(tmp_path):
    with pytest.raises(RunError, match="trace is given twice: it is the former name of td_lambda"):
        open_run(tmp_path / "run", "td", {**TD, "td_lambda": 0.5, "trace": 0.7})


FORMER = {
    "td": {"trace": "td_lambda", "average": "ema_decay", "explore": "epsilon"},
    "alphazero": {"trace": "td_lambda", "stretch": "moves", "reuse": "samples_per_insert"},
    "ppo": {"trace": "gae_lambda", "entropy": "entropy_weight", "norm": "max_grad_norm"},
    "dqn": {
        "reuse": "samples_per_insert",
        "keep": "polyak",
        "norm": "max_grad_norm",
        "explore": "epsilon",
        "explore_least": "epsilon_min",
        "explore_half_life": "epsilon_half_life",
    },
    "sac": {
        "reuse": "samples_per_insert",
        "keep": "polyak",
        "norm": "max_grad_norm",
        "entropy": "target_entropy",
    },
}


@pytest.mark.parametrize("algorithm", FORMER)
def test_the_command_line_accepts_former_names(algorithm, capsys):
    config = ALGORITHMS[algorithm].config
    assert config.former_names() == FORMER[algorithm]
    for former, present in FORMER[algorithm].items():
        value = 3 if former in ("stretch", "explore_half_life") else 0.125
        assert main(["train", algorithm, "--settings", "--json", f"--{former}", str(value)]) == 0
        assert json.loads(capsys.readouterr().out)[present] == value


def test_an_unknown_algorithm_is_refused(tmp_path):
    with pytest.raises(RunError, match="unknown algorithm 'sarsa'; choose from alphazero, dqn, ppo, sac, td"):
        open_run(tmp_path / "run", "sarsa", {})


def test_a_full_disk_is_told_and_nothing_is_lost(done, monkeypatch, capsys):
    before = weights(done), metrics(done)
    fsync = os.fsync
    room = [4]

    def full(number):
        room[0] -= 1
        if room[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(number)

    monkeypatch.setattr(files.os, "fsync", full)
    assert main(["train", "td", "--run", str(done), "--resume", "--steps", "30"]) == 2
    assert "no space left for" in capsys.readouterr().err
    monkeypatch.undo()
    assert not list(done.rglob(".*.tmp"))
    assert (weights(done), metrics(done)) == before
    assert train(done, "td", {"steps": 9}, resume=True) == 9


def test_the_commands(tmp_path, capsys):
    run = str(tmp_path / "runs" / "ttt")
    words = "--game tic_tac_toe --steps 4 --games 16 --moves 8 --width=16 --tensorboard true --checkpoint-every 2"
    words += " --eval_every 4 --eval_games 4 --opponent random"
    assert main(["train", "td", "--run", run, "--preset", "quick", *words.split(), "--strength", "4"]) == 0
    out = capsys.readouterr().out
    assert "step 4 after" in out
    assert f"tablier play --against expectimax:plies=1,net={run}/best.safetensors --game tic_tac_toe" in out
    assert "win_rate" in metrics(tmp_path / "runs" / "ttt")[-1]
    assert list((tmp_path / "runs" / "ttt" / "tensorboard").iterdir())
    assert main(["eval", run, "--games", "4", "--opponents", "random,step-2", "--processes", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    picture = tmp_path / "strength.png"
    assert main(["eval", run, "--games", "2", "--opponents", "random", "--processes", "1", "--plot", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main(["eval", run, "--opponents", "step-3"]) == 2
    assert main(["runs", str(tmp_path / "runs"), "--plot", str(tmp_path / "curve.png")]) == 0
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert main(["runs", run]) == 0
    assert "td, tic_tac_toe, step 4" in capsys.readouterr().out
    assert main(["train", "td", "--run", run, "--learning", "3"]) == 2
    assert "unknown setting '--learning'" in capsys.readouterr().err
    assert main(["train", "sarsa"]) == 2
    assert main(["train", "td", "--settings"]) == 0
    assert "--td-lambda 0.2: lambda" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("algorithm", "settings", "message"),
    [
        ("ppo", {"against": "nobody"}, "nobody"),
        ("td", {"eval_every": 2, "opponent": "nobody"}, "nobody"),
        ("td", {"eval_every": 2, "opponent": "policy:net=nothing.onnx"}, "nothing.onnx"),
        ("alphazero", {"target": "mix", "moves": 4}, "use whole games"),
    ],
)
def test_players_that_do_not_exist_are_refused_before_anything_is_written(algorithm, settings, message, tmp_path):
    with pytest.raises((ValueError, OSError), match=message):
        open_run(tmp_path / "run", algorithm, {"game": "tic_tac_toe", **settings})
    assert not (tmp_path / "run").exists()


def test_a_run_that_goes_on_refuses_them_too_and_stays_as_it_was(done):
    before = (done / "config.json").read_bytes()
    with pytest.raises(ValueError, match="nobody"):
        open_run(done, "td", {"eval_every": 2, "opponent": "nobody"}, resume=True)
    assert (done / "config.json").read_bytes() == before
    assert train(done, "td", {"steps": 7}, resume=True) == 7


def test_a_folder_whose_network_no_player_could_name_is_refused(tmp_path):
    with pytest.raises(RunError, match="contains a comma"):
        open_run(tmp_path / "lr=1,width=2", "td", TD)
    assert not list(tmp_path.iterdir())
    train(tmp_path / "lr=1:{width}", "td", {**TD, "steps": 3, "eval_every": 3, "eval_games": 2})
