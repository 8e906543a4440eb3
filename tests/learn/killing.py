"""Trains in a child process that is killed without warning, at a point that is the same on every machine.

A run is nothing but its folder, so what a kill leaves behind depends only on the file operations before it. The child
counts them and sends itself SIGKILL before the requested one.
"""

import multiprocessing
import os
import random
import signal
import sys
import threading

from tqdm import tqdm

from tablier.learn import open_run, run_training
from tablier.learn.runs.run import metrics

CHANGES = ("open", "os.mkdir", "os.remove", "os.rename", "os.rmdir")
"""Python audit events that may change a folder, or are about to."""
_children = multiprocessing.get_context("forkserver")  # forking this process would copy the locks of its threads
_children.set_forkserver_preload(
    ["torch._dynamo", "torch.onnx", "onnx", "onnxruntime", "tablier.learn.algorithms.alphazero"]
)


def train(folder, algorithm, settings, resume=False):
    with open_run(folder, algorithm, settings, resume) as run:
        return run_training(run, show=False)


def train_killed(folder, algorithm, settings, seed, most=10):
    """Trains to the end in one child after another; returns how many were killed, at most `most`.

    The seed determines the file operation before which each child dies. Acknowledged metrics must survive.
    """
    draw, kills, acknowledged = random.Random(seed), 0, 0
    while True:
        resume = (folder / "config.json").exists()
        operation = draw.randint(1, 45) if kills < most else 0
        arguments = (folder, algorithm, {} if resume else settings, resume, operation)
        child = _children.Process(target=_train_until, args=arguments, daemon=True)
        child.start()
        child.join()
        assert child.exitcode in (0, -signal.SIGKILL)
        assert len(metrics(folder)) >= acknowledged
        if child.exitcode == 0:
            return kills
        kills, acknowledged = kills + 1, len(metrics(folder))


def _train_until(folder, algorithm, settings, resume, operation):
    left = operation

    def count(event, args):
        nonlocal left
        if event in CHANGES and isinstance(args[0], str | os.PathLike) and os.fspath(args[0]).startswith(str(folder)):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    tqdm.set_lock(threading.RLock())  # the default is a semaphore, which a killed process leaves behind
    sys.addaudithook(count)
    train(folder, algorithm, settings, resume)
