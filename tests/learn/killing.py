"""Runs training in a child process that can be killed without warning."""

import os
import signal
import time

import torch

from tablier.learn import open_run, run_training


def train(folder, algorithm, settings, resume=False):
    with open_run(folder, algorithm, settings, resume) as run:
        return run_training(run, show=False)


def train_and_kill(folder, algorithm, settings, resume, seconds):
    """Kills the training after so many seconds; returns whether it was still running."""
    torch.set_num_threads(1)
    child = os.fork()
    if child == 0:
        try:
            train(folder, algorithm, settings, resume)
        finally:
            os._exit(0)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return False
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True
