"""How training ends early: Ctrl-C, NaN, and a full disk while writing events."""

import errno
import math
import os
import signal
import threading

import numpy as np
import pytest
from killing import train
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from tablier.cli import main
from tablier.learn import open_run, run_training
from tablier.learn.algorithms import alphazero
from tablier.learn.algorithms.td import TD
from tablier.learn.runs import events, loop
from tablier.learn.runs.checkpoint import folder_of, load, steps_of
from tablier.learn.runs.files import RunError
from tablier.learn.runs.run import metrics

SETTINGS = {"game": "tic_tac_toe", "steps": 8, "games": 4, "moves": 4, "width": 8, "epsilon": 0.1}
SETTINGS |= {"tensorboard": False, "checkpoint_every": 100}


def press():
    """Sends Ctrl-C to this process."""
    os.kill(os.getpid(), signal.SIGINT)


def weights(folder):
    return (folder_of(folder, steps_of(folder)[-1]) / "weights.safetensors").read_bytes()


def course(folder):
    return [(row["step"], row["loss"]) for row in metrics(folder)]


@pytest.fixture
def pressed_in_step_5(monkeypatch):
    """Presses Ctrl-C in a step, after the networks have changed."""
    step = TD.step

    def stepping(self, number):
        notes = step(self, number)
        if number == 5:
            press()
        return notes

    monkeypatch.setattr(TD, "step", stepping)


def test_ctrl_c_saves_the_last_completed_step(tmp_path, pressed_in_step_5, monkeypatch):
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "stopped", "td", SETTINGS)
    assert signal.getsignal(signal.SIGINT) is handler
    assert steps_of(tmp_path / "stopped") == [4]
    assert [row["step"] for row in metrics(tmp_path / "stopped")] == [1, 2, 3, 4]
    monkeypatch.undo()
    train(tmp_path / "short", "td", {**SETTINGS, "steps": 4})
    assert (tmp_path / "stopped/best.onnx").read_bytes() == (tmp_path / "short/best.onnx").read_bytes()
    assert train(tmp_path / "stopped", "td", {}, resume=True) == 8
    train(tmp_path / "whole", "td", SETTINGS)
    assert weights(tmp_path / "stopped") == weights(tmp_path / "whole")
    assert course(tmp_path / "stopped") == course(tmp_path / "whole")


def test_ctrl_c_is_one_line(tmp_path, pressed_in_step_5, capsys):
    words = [f"--{name}={value}" for name, value in SETTINGS.items()]
    assert main(["train", "td", "--run", str(tmp_path / "run"), "--minutes=0", "--eval_every=0", *words]) == 130
    assert capsys.readouterr().err == f"\nstopped; continue with: tablier train td --run {tmp_path / 'run'} --resume\n"


def test_ctrl_c_cuts_no_checkpoint_in_two(tmp_path, monkeypatch):
    fsync = os.fsync
    calls = []

    def pressing(number):
        calls.append(number)
        if len(calls) > 4:  # config.json and an empty metrics.jsonl exist by now
            press()
        fsync(number)

    monkeypatch.setattr(os, "fsync", pressing)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "run", "td", {**SETTINGS, "checkpoint_every": 1})
    monkeypatch.undo()
    assert len(calls) > 6
    assert steps_of(tmp_path / "run") == [1]
    assert len(metrics(tmp_path / "run")) == 1
    assert (tmp_path / "run/best.onnx").exists()
    assert not list((tmp_path / "run").rglob(".*.tmp"))


def test_ctrl_c_ends_the_games_of_alphazero(tmp_path, monkeypatch):
    """Games are stopped at once, not finished: that would take thousands of network calls here."""
    asked, stops = [], []
    close, frozen = alphazero.Groups.close, alphazero.frozen
    closing, started = threading.Event(), threading.Barrier(2)

    def closes(self):
        closing.set()
        stops.append(len(asked))
        close(self)

    def slow(net, game):
        ask = frozen(net, game)

        def asking(*given):
            asked.append(0)
            if not closing.is_set():  # Ctrl-C while a thread is being started would leave one that cannot be joined
                presses = started.wait(120) == 0
                for _ in range(12):  # a signal is lost if it comes just before the main thread begins to wait
                    if presses:
                        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
                    if closing.wait(10):
                        break
                assert closing.is_set()
            return ask(*given)

        return asking

    monkeypatch.setattr(alphazero.Groups, "close", closes)
    monkeypatch.setattr(alphazero, "frozen", slow)
    settings = {"games": 8, "sims": 64, "moves": 0, "width": 8, "steps": 2, "tensorboard": False, "net": "resnet"}
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "run", "alphazero", settings)
    assert stops
    assert len(asked) < 20
    for one in threading.enumerate():
        if one.name.startswith("self-play"):  # it was just starting
            one.join()


def poison(learner):
    with np.errstate(all="ignore"):
        for weight in learner._weights:
            weight.data.fill_(float("nan"))


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_loss_that_is_no_number_ends_the_run_before_it_is_saved(tmp_path, monkeypatch, when):
    step = TD.step

    def stepping(self, number):
        if number == 5 and when == "before":
            poison(self)
        notes = step(self, number)
        if number == 5:
            poison(self)
        return notes

    monkeypatch.setattr(TD, "step", stepping)
    with pytest.raises(RunError, match="the loss is not finite at step 5, .* smaller --lr than 0.001"):
        train(tmp_path / "run", "td", {**SETTINGS, "checkpoint_every": 2})
    assert steps_of(tmp_path / "run") == [2, 4]
    assert all(np.isfinite(array).all() for array in load(tmp_path / "run", 4, {}).weights.values())


@pytest.mark.parametrize("algorithm", ["dqn", "ppo", "sac", "td"])
def test_a_learning_rate_that_is_far_too_high_gives_no_traceback(tmp_path, algorithm, capsys, monkeypatch):
    monkeypatch.setattr(loop, "PLAIN_SECONDS", math.inf)  # no progress lines, however slow the machine is
    words = "--game tic_tac_toe --games 16 --moves 16 --lr 10 --steps 10 --batch 64 --checkpoint_every 2 --width 8"
    words += " --minutes 0 --eval_every 0 --tensorboard false --lr_half_life 0 --blocks 8"
    code = main(["train", algorithm, "--run", str(tmp_path / "run"), *words.split()])
    told = capsys.readouterr().err
    assert (code, told) == (0, "") or (code == 2 and "the loss is not finite at step" in told and told.count("\n") == 1)
    for step in steps_of(tmp_path / "run"):
        assert all(np.isfinite(array).all() for array in load(tmp_path / "run", step, {}, False).weights.values())


def scalars(folder, name="loss"):
    found = EventAccumulator(str(folder / "tensorboard"))
    found.Reload()
    return [(one.step, pytest.approx(one.value)) for one in found.Scalars(name)]


def test_events_say_what_the_metrics_say(tmp_path):
    settings = {**SETTINGS, "tensorboard": True, "checkpoint_every": 2}
    train(tmp_path / "run", "td", {**settings, "steps": 4})
    train(tmp_path / "run", "td", {"steps": 8}, resume=True)
    assert scalars(tmp_path / "run") == course(tmp_path / "run")
    assert "games/s" in metrics(tmp_path / "run")[0]


def test_events_that_a_crash_lost_are_written_when_the_run_goes_on(tmp_path, monkeypatch):
    settings = {**SETTINGS, "tensorboard": True, "checkpoint_every": 2}
    with monkeypatch.context() as lost:
        lost.setattr(events.Events, "add", lambda *_: None)
        train(tmp_path / "run", "td", {**settings, "steps": 2})
    train(tmp_path / "run", "td", {"steps": 4}, resume=True)
    assert scalars(tmp_path / "run") == course(tmp_path / "run")


def test_a_disk_without_room_for_events_ends_only_the_events(tmp_path, monkeypatch, capsys):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(events.Events, "add", full)
    monkeypatch.setattr(events.Events, "close", full)
    with open_run(tmp_path / "run", "td", {**SETTINGS, "tensorboard": True, "checkpoint_every": 2}) as run:
        assert run_training(run, show=False) == 8
    told = capsys.readouterr().err
    assert told.startswith("TensorBoard events disabled")
    assert told.count("\n") == 1
    assert len(metrics(tmp_path / "run")) == 8
    with open_run(tmp_path / "run", "td", {}, resume=True) as again:  # the lock was released
        assert again is not run
