"""Runs training in a child process that can be killed without warning."""

import math
import os
import signal
import time

import torch

from tablier.learn import open_run, run_training
from tablier.learn.runs.run import metrics


def train(folder, algorithm, settings, resume=False):
    with open_run(folder, algorithm, settings, resume) as run:
        return run_training(run, show=False)


def train_and_kill(folder, algorithm, settings, resume, seconds, steps=0):
    """Kills the training so many seconds after its metrics tell of `steps` steps; returns whether it still ran."""
    torch.set_num_threads(1)
    child = os.fork()
    if child == 0:
        try:
            train(folder, algorithm, settings, resume)
        finally:
            os._exit(0)
    end = math.inf
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return False
        if end == math.inf and len(metrics(folder)) >= steps:
            end = time.monotonic() + seconds
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True
