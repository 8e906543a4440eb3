"""Streams of games on a place: staleness is bounded, every game is counted, and bad results are thrown away."""

import json
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tablier.learn import open_run, run_training
from tablier.learn.data.place import Spread
from tablier.learn.runs.checkpoint import load
from tablier.learn.runs.run import metrics

TD = {"game": "tic_tac_toe", "steps": 12, "games": 8, "moves": 4, "width": 8, "net": "core", "tensorboard": False}
TD["checkpoint_every"] = 4


@dataclass
class Tally:
    games: int = 0
    node: str = "here"
    busy: float = 0.0


class Threads:
    """A place in this process. Every worker is a thread, and `spoil` may change a result."""

    def __init__(self, workers, spoil=lambda number, result: result):
        self.workers, self._spoil = workers, spoil
        self._pool = ThreadPoolExecutor(workers)
        self.tally, self.rejected, self.calls = Tally(), [], 0

    def submit(self, work, /, *args):
        self.calls += 1
        return self._pool.submit(lambda number: self._spoil(number, work(*args)), self.calls)

    def reject(self, future, work, /, *args, reason):
        self.rejected.append(reason)
        return self.submit(work, *args)

    def tally_of(self, future):
        return self.tally

    def rows(self):
        return [vars(self.tally).copy()]


class Backwards(Threads):
    """Finishes the newest work first, and only when somebody asks for older work that one, too."""

    def __init__(self, workers):
        super().__init__(workers)
        self.waiting = []

    def submit(self, work, /, *args):
        future = Late(self, work, args)
        self.waiting.append(future)
        self.waiting[-1].play()
        return future


class Late(Future):
    def __init__(self, place, work, args):
        super().__init__()
        self._place, self._work, self._args = place, work, args

    def play(self):
        """Plays at once unless it is one of the first two, which stay behind as long as possible."""
        if len(self._place.waiting) > 2:
            self.set_result(self._work(*self._args))

    def result(self, timeout=None):
        if not self.done():
            self.set_result(self._work(*self._args))
        return super().result(timeout)


def train(folder, spread, resume=False, **settings):
    with open_run(folder, "td", settings if resume else {**TD, **settings}, resume, spread) as run:
        return run_training(run, show=False)


AZ = {"game": "pig", "options": "win_score=20", "steps": 3, "games": 6, "moves": 4, "sims": 4, "width": 8, "blocks": 1}
AZ |= {"tensorboard": False, "checkpoint_every": 1}


@pytest.mark.parametrize("net", ["resnet", "core"])
def test_alphazero_plays_the_same_games_elsewhere(net, tmp_path):
    for name, spread in (("here", None), ("there", Spread(Threads(3)))):
        with open_run(tmp_path / name, "alphazero", {**AZ, "net": net}, spread=spread) as run:
            run_training(run, show=False)
    assert same(arrays(tmp_path / "here", 3), arrays(tmp_path / "there", 3))
    assert all(row["produced"] == row["games"] + row["lost"] for row in metrics(tmp_path / "there"))


BATCHED = ("dqn", "ppo", "sac")
SMALL = {"game": "pig", "options": "win_score=20", "target": "win", "games": 6, "moves": 4, "width": 8, "blocks": 1}
SMALL |= {"steps": 6, "batch": 16, "tensorboard": False, "checkpoint_every": 1}


def learn(folder, algorithm, spread, resume=False, **settings):
    with open_run(folder, algorithm, settings if resume else {**SMALL, **settings}, resume, spread) as run:
        return run_training(run, show=False)


@pytest.mark.parametrize("algorithm", BATCHED)
def test_ppo_dqn_and_sac_move_from_one_machine_to_workers_and_back(algorithm, tmp_path):
    learn(tmp_path / "here", algorithm, None)
    folder = tmp_path / "there"
    learn(folder, algorithm, None, steps=1)
    learn(folder, algorithm, Spread(Threads(3), synchronous=True), resume=True, steps=3)
    learn(folder, algorithm, Spread(Threads(2), synchronous=True), resume=True, steps=5)
    learn(folder, algorithm, None, resume=True, steps=6)
    assert same(arrays(tmp_path / "here", 6), arrays(folder, 6))


def test_games_against_a_player_are_the_same_elsewhere(tmp_path):
    settings = {"against": "random", "games": 80, "steps": 2}
    learn(tmp_path / "here", "ppo", None, **settings)
    learn(tmp_path / "there", "ppo", Spread(Threads(2), synchronous=True), **settings)
    assert same(arrays(tmp_path / "here", 2), arrays(tmp_path / "there", 2))


@pytest.mark.parametrize("algorithm", BATCHED)
def test_counters_of_ppo_dqn_and_sac_balance(algorithm, tmp_path):
    folder = tmp_path / "run"
    places = Threads(3), Threads(1)
    settings = {"game": "tic_tac_toe", "options": "", "moves": 9}  # so that every game ends in every batch
    learn(folder, algorithm, Spread(places[0]), steps=9, **settings)
    learn(folder, algorithm, Spread(places[1]), resume=True, steps=12)
    learn(folder, algorithm, None, resume=True, steps=14)
    rows = metrics(folder)
    assert [row["step"] for row in rows] == list(range(1, 15))
    assert all(row["produced"] == row["games"] + row["lost"] for row in rows[:12])
    assert rows[11]["produced"] == sum(place.tally.games for place in places) > 0
    assert max(row["staleness"] for row in rows[:9]) <= 6
    assert rows[11]["positions"] == 12 * 6 * 9


def arrays(folder, step=12):
    config = json.loads((folder / "checkpoints" / f"step-{step:08d}" / "state.json").read_text())
    return load(folder, step, config["made_for"]).weights


def same(one, other):
    return all(np.array_equal(one[name], other[name]) for name in one) and one.keys() == other.keys()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "alone"
    train(folder, None)
    return arrays(folder)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_synchronous_run_equals_that_of_one_machine(alone, workers, tmp_path):
    train(tmp_path / "run", Spread(Threads(workers), synchronous=True))
    assert same(arrays(tmp_path / "run"), alone)


def test_a_synchronous_run_moves_from_one_machine_to_workers_and_back(alone, tmp_path):
    folder = tmp_path / "run"
    train(folder, None, steps=4)
    train(folder, Spread(Threads(3), synchronous=True), resume=True, steps=6)
    train(folder, Spread(Threads(2), synchronous=True), resume=True, steps=8)
    train(folder, None, resume=True, steps=12)
    assert same(arrays(folder), alone)


def test_a_game_that_travels_as_codes_is_the_same_elsewhere(tmp_path):
    settings = {"game": "trictrac", "options": "holes_to_win=1", "steps": 3, "moves": 8}
    places = Threads(2), Threads(2, spoiled(changed("codes", lambda codes: codes + np.uint8(200))))
    train(tmp_path / "here", None, **settings)
    for number, place in enumerate(places):
        train(tmp_path / f"there{number}", Spread(place, synchronous=True), **settings)
        assert same(arrays(tmp_path / "here", 3), arrays(tmp_path / f"there{number}", 3))
    assert places[1].rejected == ["its features are damaged"]


@pytest.mark.parametrize("synchronous", [True, False])
def test_counters_balance_in_every_row(synchronous, tmp_path):
    place = Threads(2)
    train(tmp_path / "run", Spread(place, synchronous))
    rows = metrics(tmp_path / "run")
    assert len(rows) == 12
    assert all(row["produced"] == row["games"] + row["lost"] for row in rows)
    assert rows[-1]["produced"] == place.tally.games > 0


def test_counters_balance_on_another_number_of_workers_and_on_one_machine(tmp_path):
    folder = tmp_path / "run"
    train(folder, Spread(Threads(3)), steps=5)
    train(folder, Spread(Threads(1)), resume=True, steps=7)
    train(folder, None, resume=True, steps=9)
    train(folder, Spread(Threads(2)), resume=True, steps=12)
    rows = [row for row in metrics(folder) if "produced" in row]
    assert [row["step"] for row in rows] == [1, 2, 3, 4, 5, 6, 7, 10, 11, 12]
    assert all(row["produced"] == row["games"] + row["lost"] for row in rows)


def test_staleness_is_bounded_even_if_old_work_comes_last(tmp_path):
    train(tmp_path / "run", Spread(Backwards(2), staleness=5), steps=30)
    stale = [row["staleness"] for row in metrics(tmp_path / "run")]
    assert max(stale) == 5


def test_no_more_is_in_progress_than_staleness_allows(tmp_path):
    train(tmp_path / "run", Spread(Threads(4), staleness=2))
    assert max(row["staleness"] for row in metrics(tmp_path / "run")) <= 2


def spoiled(how):
    """Returns a function that spoils the third result."""
    return lambda number, result: how(result) if number == 3 else result


GARBAGE = {
    "no moves": (lambda piece: b"garbage", "bytes instead of moves"),
    "not finite": (
        lambda piece: replace(piece, arrays={**piece.arrays, "best": piece.arrays["best"] * np.float32(np.nan)}),
        "best is not finite",
    ),
    "shape": (
        lambda piece: replace(piece, arrays={**piece.arrays, "over": piece.arrays["over"][:1]}),
        "over is missing or has the wrong type or shape",
    ),
    "features": (
        lambda piece: replace(piece, arrays={**piece.arrays, "packed": piece.arrays["packed"][:-1]}),
        "its features are damaged",
    ),
    "count": (lambda piece: replace(piece, games=piece.games + 1), "it reports"),
    "games": (lambda piece: replace(piece, saved=piece.saved[:-1]), "its games are damaged"),
}


def test_nothing_but_garbage_is_one_line_and_the_run_stays_sound(tmp_path):
    place = Threads(1, lambda number, result: b"garbage" if number > 8 else result)
    with pytest.raises(ValueError, match="3 unusable results in a row for the same work: bytes instead of moves"):
        train(tmp_path / "run", Spread(place))
    train(tmp_path / "run", None, resume=True)
    assert len(metrics(tmp_path / "run")) == 12


def changed(name, how):
    """Returns a function that changes an array of a piece."""
    return lambda piece: replace(piece, arrays={**piece.arrays, name: how(piece.arrays[name])})


GARBAGE_DECISIONS = {
    "illegal": (changed("actions", lambda actions: actions + 9), "an action is not legal"),
    "turn": (changed("turns", lambda turns: turns + np.int8(3)), "a player or turn is out of range"),
    "positions": (changed("states", lambda states: ~states), "its positions are damaged"),
    "not finite": (changed("values", lambda values: values * np.float32(np.inf)), "values is not finite"),
    "count": (lambda piece: replace(piece, games=piece.games + 1), "it reports"),
}


@pytest.mark.parametrize(("how", "told"), GARBAGE_DECISIONS.values(), ids=GARBAGE_DECISIONS)
def test_garbage_instead_of_decisions_is_a_named_loss(how, told, tmp_path):
    place = Threads(1, spoiled(how))
    learn(tmp_path / "run", "ppo", Spread(place))
    (reason,) = place.rejected
    assert reason.startswith(told)
    assert all(row["produced"] == row["games"] + row["lost"] for row in metrics(tmp_path / "run"))


@pytest.mark.parametrize(("how", "told"), GARBAGE.values(), ids=GARBAGE)
@pytest.mark.parametrize("synchronous", [True, False])
def test_garbage_is_a_named_loss_and_changes_no_result(alone, how, told, synchronous, tmp_path):
    place = Threads(1, spoiled(how))
    train(tmp_path / "run", Spread(place, synchronous))
    (reason,) = place.rejected
    assert reason.startswith(told)
    rows = metrics(tmp_path / "run")
    assert all(row["produced"] == row["games"] + row["lost"] for row in rows)
    if synchronous:
        assert same(arrays(tmp_path / "run"), alone)
