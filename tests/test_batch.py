import multiprocessing
import threading

import numpy as np
import pytest

import tablier
from tablier import _core

RECORDED_ENDS = [
    (80, 2),
    (89, 0),
    (92, 1),
    (164, 2),
    (176, 0),
    (176, 1),
    (251, 0),
    (254, 2),
    (266, 1),
    (347, 0),
    (347, 2),
    (350, 1),
]


def run(env, steps, seed=1):
    """Steps with random legal actions; returns a copy of every output."""
    rng, arrays, seen = np.random.default_rng(seed), env.arrays(), []
    for _ in range(steps):
        actions = (rng.random(arrays.legal_mask.shape) * arrays.legal_mask).argmax(axis=1)
        env.step(actions, **vars(arrays))
        seen.append({name: array.copy() for name, array in vars(arrays).items()})
    return seen


def same(one, two):
    return all((a[name] == b[name]).all() for a, b in zip(one, two, strict=True) for name in a)


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig"])
def test_results_do_not_depend_on_threads(name):
    game = tablier.load_game(name)
    one = run(tablier.BatchEnv(game, 1000, seed=4), 60)
    assert same(one, run(tablier.BatchEnv(game, 1000, seed=4, threads=2), 60))
    assert same(one, run(tablier.BatchEnv(game, 1000, seed=4, threads=5), 60))
    assert not same(one, run(tablier.BatchEnv(game, 1000, seed=5), 60)) or name == "tic_tac_toe"


def test_every_game_is_at_a_decision(pig):
    env = tablier.BatchEnv(pig, 64, seed=1)
    for step in run(env, 200):
        assert set(step["current_player"]) <= {0, 1}
        assert step["legal_mask"].any(axis=1).all()


def test_a_finished_game_is_replaced_at_once(tic_tac_toe):
    env = tablier.BatchEnv(tic_tac_toe, 1)
    arrays = env.arrays()
    for square in [0, 3, 1, 4]:
        env.step(np.array([square]), **vars(arrays))
        assert not arrays.done[0]
        assert (arrays.rewards == 0).all()
    env.step(np.array([2]), **vars(arrays))
    assert arrays.done[0]
    assert arrays.rewards[0].tolist() == [1, -1]
    assert env.state(0) == tic_tac_toe.new_initial_state()
    assert arrays.legal_mask.all()
    assert arrays.current_player[0] == 0


def test_rewards_of_the_dice_belong_to_the_step():
    game = tablier.load_game("pig", win_score=2)
    env = tablier.BatchEnv(game, 500, seed=1)
    rewards, done = np.zeros((500, 2), np.float32), np.zeros(500, bool)
    env.step(np.zeros(500, np.int32))
    env.step(np.ones(500, np.int32), rewards=rewards, done=done)
    assert done.any()
    assert (np.abs(rewards).sum(axis=1) == 2 * done).all()


def test_only_the_given_arrays_are_written(pig):
    env = tablier.BatchEnv(pig, 8)
    done = np.ones(8, bool)
    env.step(np.zeros(8, np.int64), done=done)
    assert not done.any()
    env.observe()


def test_arrays_may_be_rows_of_a_larger_one(pig):
    env = tablier.BatchEnv(pig, 8, seed=2)
    history = np.full((3, 8, 3), -1, np.float32)
    env.observe(features=history[1])
    assert (history[0] == -1).all()
    assert (history[1] == 0).all()


def test_states_can_be_read_and_written(pig):
    env = tablier.BatchEnv(pig, 4, seed=1)
    state = pig.new_initial_state().child(0).child(5)
    env.set_state(2, state)
    assert env.state(2) == state
    assert env.state(1) == pig.new_initial_state()
    rolling = state.child(0)
    env.set_state(3, rolling)  # the slot's own dice decide
    assert env.state(3).current_player() in (0, 1)


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "race"])
def test_a_saved_batch_goes_on_as_if_nothing_had_happened(name, race):
    env = tablier.BatchEnv(tablier.load_game(name), 50, seed=7)
    run(env, 30)
    saved = env.save()
    expected = run(env, 30, seed=2)
    other = tablier.BatchEnv(tablier.load_game(name), 50, seed=99, threads=2)
    other.restore(saved)
    assert same(expected, run(other, 30, seed=2))


def test_reset_starts_anew(pig):
    env = tablier.BatchEnv(pig, 20, seed=3)
    first = run(env, 20)
    env.reset()  # the same dice as before
    assert same(first, run(env, 20))
    env.reset(seed=4)
    assert not same(first, run(env, 20))


def test_an_illegal_action_steps_no_game(tic_tac_toe):
    env = tablier.BatchEnv(tic_tac_toe, 300, threads=2)
    env.step(np.full(300, 4))
    before = env.save()
    actions = np.zeros(300, np.int64)
    for bad in (4, 9, -1, 2**40):
        actions[[250, 270]] = bad
        with pytest.raises(ValueError, match=f"game 250: action {bad} is not legal"):
            env.step(actions)
        assert env.save() == before


def test_a_python_game_that_raises_steps_no_game(race):
    from race import Race

    class Fragile(Race):
        broken = False

        def apply(self, state, action):
            if Fragile.broken and state[0] == 6:
                raise RuntimeError("the board fell off the table")
            return super().apply(state, action)

    env = tablier.BatchEnv(_core.load_python(Fragile(), {}), 200, seed=1, threads=2)
    env.step(np.zeros(200, np.int32))
    env.step(np.zeros(200, np.int32))
    before = env.save()
    Fragile.broken = True
    with pytest.raises(RuntimeError, match="fell off"):
        env.step(np.zeros(200, np.int32))
    Fragile.broken = False
    assert env.save() == before
    env.step(np.zeros(200, np.int32))


def test_a_reset_that_fails_changes_nothing():
    from race import Race

    class Broken(Race):
        broken = False

        def current_player(self, state):
            if Broken.broken:
                raise RuntimeError("no more games today")
            return super().current_player(state)

    env = tablier.BatchEnv(_core.load_python(Broken(), {}), 20, seed=1)
    env.step(np.zeros(20, np.int32))
    before = env.save()
    Broken.broken = True
    with pytest.raises(RuntimeError, match="no more games"):
        env.reset(seed=9)
    Broken.broken = False
    assert env.save() == before


def test_a_second_thread_gets_an_error_and_not_a_crash(pig):
    env = tablier.BatchEnv(pig, 50_000)
    actions = np.zeros(50_000, np.int32)
    problems = []

    def step():
        for _ in range(50):
            try:
                env.step(actions)
            except RuntimeError as error:
                problems.append(str(error))

    threads = [threading.Thread(target=step) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(problems) <= {"this BatchEnv is in use by another thread"}
    env.step(actions)


def test_a_batch_in_use_refuses_every_other_call():
    """While one thread is blocked inside a step, nothing else may touch the games."""
    from race import Race

    inside, go_on = threading.Event(), threading.Event()

    class Slow(Race):
        slow = False

        def apply(self, state, action):
            if Slow.slow and state[3]:
                inside.set()
                go_on.wait(120)
            return super().apply(state, action)

    game = _core.load_python(Slow(), {})
    env = tablier.BatchEnv(game, 4, seed=1)
    state, saved = env.state(0), env.save()
    Slow.slow = True
    worker = threading.Thread(target=env.step, args=(np.zeros(4, np.int32),))
    worker.start()
    assert inside.wait(120)
    for call in (
        lambda: env.step(np.zeros(4, np.int32)),
        env.reset,
        env.save,
        env.observe,
        lambda: env.state(0),
        lambda: env.set_state(0, state),
        lambda: env.restore(saved),
    ):
        with pytest.raises(RuntimeError, match="in use by another thread"):
            call()
    go_on.set()
    worker.join()
    Slow.slow = False
    env.step(np.zeros(4, np.int32))


def test_every_outcome_comes_equally_often():
    from race import Race

    class Watched(Race):
        seen = np.zeros(6, int)

        def apply(self, state, action):
            if not state[3]:
                Watched.seen[action] += 1
            return super().apply(state, action)

    env = tablier.BatchEnv(_core.load_python(Watched(), {}), 300, seed=5)
    for _ in range(100):
        env.step(np.zeros(300, np.int32))
    expected = Watched.seen.sum() / 6
    assert ((Watched.seen - expected) ** 2 / expected).sum() < 25  # chi-square with 5 degrees of freedom: p = 1 / 7,000


def test_a_seeded_run_is_the_recorded_one(pig):
    """Recorded numbers, over several games in each slot: a slot's dice never start over."""
    env = tablier.BatchEnv(pig, 3, seed=1)
    done = np.zeros(3, bool)
    ends = []
    for step in range(600):
        env.step(np.full(3, step % 3 == 2, np.int64), done=done)
        ends += [(step, int(i)) for i in np.flatnonzero(done)]
    assert ends[:12] == RECORDED_ENDS


def _step_in_child(env, queue):
    env.step(np.zeros(len(env), np.int32))
    queue.put(env.save())


def test_a_batch_with_threads_survives_a_fork(pig):
    env = tablier.BatchEnv(pig, 1000, seed=1, threads=2)
    env.step(np.zeros(1000, np.int32))
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_step_in_child, args=(env, queue), daemon=True)
    child.start()
    in_child = queue.get()
    child.join()
    assert child.exitcode == 0
    env.step(np.zeros(1000, np.int32))
    assert env.save() == in_child
