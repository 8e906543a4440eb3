"""Batches of games that step together, and those of envpool and pgx, if they are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np

import tablier
from tablier.bench.timing import Job

STEPS = 64
"""Steps of a job."""


def stepper(name: str, threads: int, encode: bool, n: int) -> Job:
    """Steps games of ours.

    It replays random actions drawn in advance, which the same seed makes legal again, so that drawing takes no time.

    Args:
        name: the game.
        threads: number of threads.
        encode: whether all arrays are written.
        n: number of games.
    """
    env = tablier.BatchEnv(tablier.load_game(name), n, seed=1, threads=threads)
    arrays = env.arrays()
    rng, rows = np.random.default_rng(1), []
    for _ in range(STEPS):
        rows.append((rng.random(arrays.legal_mask.shape, np.float32) * arrays.legal_mask).argmax(axis=1))
        env.step(rows[-1], legal_mask=arrays.legal_mask)
    wanted = vars(arrays) if encode else {}

    def step() -> int:
        env.reset()
        for row in rows:
            env.step(row, **wanted)
        return len(rows) * n

    return step


def _pgx(name: str, n: int) -> Job:
    """Steps games of pgx, which returns features and masks with every step. Dice and actions are drawn in advance."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), n))
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    draw = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.log(mask.astype(jax.numpy.float32))))
    keys = [jax.random.split(jax.random.key(1 + i), n) for i in range(STEPS)]
    state, rows = start, []
    for i, key in enumerate(keys):
        rows.append(draw(jax.random.key(1000 + i), state.legal_action_mask))
        state = step(state, rows[-1], key)

    def run() -> int:
        state = start
        for row, key in zip(rows, keys, strict=True):
            state = step(state, row, key)
        state.observation.block_until_ready()
        return STEPS * n

    return run


def _envpool(name: str, n: int) -> Job:
    """Steps games of envpool, which returns features and masks with every step. The first legal action is played."""
    import envpool

    env = envpool.make(f"{name.title()}-v1", env_type="gymnasium", num_envs=n, num_threads=1, seed=1)
    _, start = env.reset()
    last = {"mask": start["legal_action_mask"]}

    def run() -> int:
        for _ in range(STEPS):
            *_, facts = env.step(last["mask"].argmax(axis=1).astype(np.int32))
            last["mask"] = facts["legal_action_mask"]
        return STEPS * n

    return run


RIVALS: dict[str, Callable[[str, int], Job]] = {"envpool": _envpool, "pgx": _pgx}
"""Libraries that are measured too, if they are installed."""


def batch_jobs(name: str, n: int) -> dict[str, Job]:
    """Returns jobs that step n games with features and masks: ours, and those of the libraries that are installed."""
    rivals = {rival: make for rival, make in RIVALS.items() if importlib.util.find_spec(rival)}
    return {"tablier": stepper(name, 1, True, n), **{rival: make(name, n) for rival, make in rivals.items()}}
