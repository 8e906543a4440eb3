"""Benchmarks of games, playouts and batches, compared with open_spiel if it is installed."""

from __future__ import annotations

import importlib.util
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import tablier
from tablier.bench.batched import batch_jobs, stepper
from tablier.bench.timing import Job, Row, human, one_core, rates

COMPARED = {"backgammon": 100, "tic_tac_toe": 20_000, "pig": 2_000}
"""Games that open_spiel also has, with the number of random games per job."""


def measure(progress: Callable[[str], None] = lambda _: None) -> list[Row]:
    """Measures everything in this file. `progress` is called with a description of the next measurement."""
    rows = []
    for name in tablier.registered_games():
        progress(f"random playouts of {name}")
        rows.append(playouts(name))
        progress(f"the plain Python loop of {name}")
        rows.append(python_loop(name))
    progress("two threads")
    rows.append(two_threads("trictrac"))
    progress("BatchEnv of pig and of trictrac")
    rows += batches("pig", 16_384) + batches("trictrac", 2_048)
    progress("batches of backgammon")
    rows.append(compared_batches("backgammon", 256))
    progress("copies of a state, import")
    rows += [copies(), import_time()]
    return rows


def _pyspiel() -> Any:
    if importlib.util.find_spec("pyspiel") is None:
        return None
    import pyspiel

    return pyspiel


def playouts(name: str) -> Row:
    """Measures random games in C++ on one core."""
    game = tablier.load_game(name)
    portion = COMPARED.get(name, 1_000)
    one = game.random_playouts(1_000)
    jobs: dict[str, Job] = {"tablier": lambda: game.random_playouts(portion).games}
    pyspiel = _pyspiel()
    if pyspiel and name in COMPARED:
        theirs = pyspiel.load_game(name)
        evaluator = pyspiel.RandomRolloutEvaluator(portion, 1)
        searcher = pyspiel.MCTSBot(theirs, evaluator, 1.4, 1, 100, False, 1, False)
        bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(2)]

        decision = theirs.new_initial_state()
        while decision.is_chance_node():  # MCTSBot crashes there
            decision.apply_action(decision.legal_actions()[0])

        def search_once() -> int:
            searcher.step(decision)
            return portion

        def evaluate_bots() -> int:
            for seed in range(100):
                pyspiel.evaluate_bots(theirs.new_initial_state(), bots, seed)
            return 100

        jobs |= {"MCTSBot rollouts": search_once, "evaluate_bots": evaluate_bots}
    with one_core():
        seen = rates(jobs)
    decisions, rolls = one.decisions / one.games, one.rolls / one.games
    rate = seen.pop("tablier")
    note = f"{decisions:.1f} decisions and {rolls:.1f} rolls a game, {human(rate * decisions)} decisions/s"
    return Row(f"{name}: random playouts", "games", rate, seen, note)


def two_threads(name: str) -> Row:
    """Measures random games on two threads, compared with one."""
    game = tablier.load_game(name)
    jobs: dict[str, Job] = {
        "one": lambda: game.random_playouts(2_000).games,
        "two": lambda: game.random_playouts(4_000, threads=2).games,
    }
    seen = rates(jobs)
    return Row(f"{name}: random playouts, 2 threads", "games", seen["two"], {"1 thread": seen["one"]})


def _play_in_python(game: Any, games: int) -> int:
    choose = random.Random(1).choice
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                action, _ = choose(state.chance_outcomes())
            else:
                action = choose(state.legal_actions())
            state.apply_action(action)
    return games


def python_loop(name: str) -> Row:
    """Measures random games played from Python, one call per step, with the same code for both libraries."""
    portion = max(1, COMPARED.get(name, 200) // 20)
    game = tablier.load_game(name)
    jobs: dict[str, Job] = {"tablier": lambda: _play_in_python(game, portion)}
    pyspiel = _pyspiel()
    if pyspiel and name in COMPARED:
        theirs = pyspiel.load_game(name)
        jobs["open_spiel"] = lambda: _play_in_python(theirs, portion)
    with one_core():
        seen = rates(jobs)
    return Row(f"{name}: Python loop", "games", seen.pop("tablier"), seen)


def batches(name: str, n: int) -> list[Row]:
    """Measures batch stepping; a step is one decision with the rolls that follow it."""
    with one_core():
        alone = rates({"bare": stepper(name, 1, False, n), "encoded": stepper(name, 1, True, n)})
    pair = rates({"one": stepper(name, 1, False, n), "two": stepper(name, 2, False, n)})
    encoded = rates({"one": stepper(name, 1, True, n), "two": stepper(name, 2, True, n)})
    return [
        Row(f"{name}: BatchEnv", "steps", alone["bare"]),
        Row(f"{name}: BatchEnv, all arrays written", "steps", alone["encoded"]),
        Row(f"{name}: BatchEnv, 2 threads", "steps", pair["two"], {"1 thread": pair["one"]}),
        Row(f"{name}: BatchEnv, all arrays, 2 threads", "steps", encoded["two"], {"1 thread": encoded["one"]}),
    ]


def compared_batches(name: str, n: int) -> Row:
    """Measures batch stepping on one core with all arrays, compared with other libraries if they are installed."""
    with one_core():
        seen = rates(batch_jobs(name, n))
    note = "a step of envpool and pgx moves one man" if len(seen) > 1 else ""
    return Row(f"{name}: BatchEnv, all arrays written", "steps", seen.pop("tablier"), seen, note)


def copies() -> Row:
    """Measures copying a state from Python."""
    state = tablier.load_game("pig").new_initial_state()

    def clone() -> int:
        for _ in range(10_000):
            state.clone()
        return 10_000

    with one_core():
        return Row("pig: clone() from Python", "copies", rates({"clone": clone})["clone"])


def import_time() -> Row:
    """Measures `import tablier` in a fresh interpreter, without the startup time of the interpreter."""

    def run(code: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
        return time.perf_counter() - start

    spans = [(run("import tablier"), run("pass")) for _ in range(5)]
    span = min(with_it for with_it, _ in spans) - min(
        alone for _, alone in spans
    )  # the minimum is least disturbed by other load
    return Row("import tablier", "imports", 1 / span, note=f"{1000 * span:.0f} ms")
