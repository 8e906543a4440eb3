"""The search tree: counted, summed by hand, and compared with golden trees."""

import json
import resource
from pathlib import Path

import numpy as np
import pytest
from playing import play

import tablier
from tablier.evaluators import HeuristicEvaluator, RolloutEvaluator, UniformEvaluator
from tablier.search import Search, SearchConfig

TREES = Path(__file__).parent / "trees"
START = {"tic_tac_toe": [], "pig": [0, 4], "trictrac": [8]}
EVALUATORS = {"tic_tac_toe": RolloutEvaluator, "pig": UniformEvaluator, "trictrac": HeuristicEvaluator}


class Guess:
    """An evaluator that computes a reproducible value from the words of the state."""

    def evaluate(self, leaves):
        mix = (leaves.states * np.arange(1, leaves.states.shape[1] + 1, dtype=np.uint64)).sum(axis=1)
        own = (mix % np.uint64(101)).astype(np.float32) / 101 - 0.5
        return None, np.stack([own, -own], axis=1)

    def of(self, state):
        from tablier._core import search

        words = search.words(state)
        return float((words * np.arange(1, len(words) + 1, dtype=np.uint64)).sum() % np.uint64(101)) / 101 - 0.5


def start(name):
    game = tablier.load_game(name)
    return game, play(game, START[name])


def searched(name, simulations, evaluator=None, **settings):
    game, state = start(name)
    evaluator = evaluator or EVALUATORS[name](game)
    search = Search(game, evaluator, SearchConfig(n_simulations=simulations, **settings), seed=3)
    return search, search.run(state), state


def with_children(rows):
    """Returns, for each row, the indices of its children."""
    children = [[] for _ in rows]
    for i, row in enumerate(rows):
        if row["parent"] >= 0:
            children[row["parent"]].append(i)
    return children


def states_of(rows, root):
    """Returns the position of every row."""
    states = [root]
    for row in rows[1:]:
        states.append(states[row["parent"]].child(row["action"]))
    return states


# --- counting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", ["puct", "gumbel"])
@pytest.mark.parametrize("name", START)
def test_visits_sum_to_the_simulations(name, root):
    _, found, _ = searched(name, 300, root=root)
    assert found.simulations == 300
    assert found.reused == 0
    assert sum(one.visits for one in found.candidates) == 300


@pytest.mark.parametrize("name", START)
def test_candidates_are_the_legal_actions(name):
    _, found, state = searched(name, 50)
    assert [one.action for one in found.candidates] == state.legal_actions()
    assert found.best in state.legal_actions()


@pytest.mark.parametrize("name", START)
def test_every_node_is_reached_by_a_legal_action(name):
    search, _, state = searched(name, 400)
    rows = search.tree(10_000)
    positions = states_of(rows, state)  # child() raises on an illegal action
    for row, position in zip(rows, positions, strict=True):
        assert row["player"] == position.current_player()


@pytest.mark.parametrize("name", START)
def test_a_node_was_visited_once_for_itself_and_once_for_each_visit_below(name):
    search, found, _ = searched(name, 400)
    rows = search.tree(10_000)
    assert len(rows) == found.nodes
    for row, below in zip(rows, with_children(rows), strict=True):
        if below and not (row["solved"] and row["parent"] >= 0):
            assert row["visits"] == 1 + sum(rows[i]["visits"] for i in below)


@pytest.mark.parametrize("name", ["pig", "trictrac"])
def test_rolls_have_their_shares_as_nearly_as_whole_numbers_can(name):
    search, _, _ = searched(name, 5000)
    rows = search.tree(100_000)
    looked = 0
    for row, below in zip(rows, with_children(rows), strict=True):
        if row["player"] != tablier.CHANCE or row["solved"]:
            continue
        visits = row["visits"] - 1
        seen = {i: rows[i]["visits"] for i in below}
        for i, n in seen.items():
            looked += 1
            assert abs(n - visits * rows[i]["prior"]) <= 2
    assert looked > 100


def test_rolls_that_differ_only_in_order_are_one():
    search, _, _ = searched("trictrac", 5000)
    rows = search.tree(100_000)
    widest = max((below for row, below in zip(rows, with_children(rows), strict=True) if row["player"] == -1), key=len)
    assert len(widest) == 21
    assert sorted(round(36 * rows[i]["prior"]) for i in widest) == [1] * 6 + [2] * 15


# --- values -----------------------------------------------------------------------------------------------------------


def test_a_decision_is_worth_the_mean_of_its_visits():
    """Its own evaluation counts as one visit."""
    search, _, state = searched("pig", 60, Guess())
    rows = search.tree()
    positions = states_of(rows, state)
    for row, below, position in zip(rows, with_children(rows), positions, strict=True):
        if row["player"] >= 0 and not row["solved"]:
            whole = Guess().of(position) + sum(rows[i]["visits"] * rows[i]["value"][0] for i in below)
            assert row["value"][0] == pytest.approx(whole / row["visits"], abs=1e-5)


@pytest.mark.parametrize("name", ["pig", "trictrac"])
def test_an_afterstate_stands_in_for_the_rolls_not_yet_seen(name):
    search, _, state = searched(name, 60, Guess())
    rows = search.tree()
    positions = states_of(rows, state)
    partly = 0
    for row, below, position in zip(rows, with_children(rows), positions, strict=True):
        if row["player"] == tablier.CHANCE and not row["solved"]:
            unseen = 1 - sum(rows[i]["prior"] for i in below)
            partly += bool(below) and unseen > 0.01
            own = Guess().of(position) + position.returns()[0]
            value = unseen * own + sum(rows[i]["prior"] * rows[i]["value"][0] for i in below)
            assert row["value"][0] == pytest.approx(value, abs=1e-5)
    assert partly > 0


def test_a_tree_of_one_simulation_by_hand():
    """The root is evaluated, then its best action: the first, since all priors are equal and nothing was visited."""
    search, found, state = searched("pig", 1, Guess())
    assert [(row["parent"], row["action"], row["visits"]) for row in search.tree()] == [(-1, -1, 2), (0, 0, 1)]
    own, rolled = Guess().of(state), Guess().of(state.child(0))
    assert found.value[0] == pytest.approx((own + rolled) / 2, abs=1e-6)


# --- golden trees -----------------------------------------------------------------------------------------------------


def written(name):
    search, found, _ = searched(name, 120)
    rows = [
        [row["parent"], row["action"], row["player"], row["visits"], row["solved"]]
        + [round(x, 4) for x in (row["prior"], *row["value"])]
        for row in search.tree(60)
    ]
    return {"best": found.best, "nodes": found.nodes, "rows": rows}


@pytest.mark.parametrize("name", START)
def test_a_tree_grows_as_it_always_did(name):
    golden = json.loads((TREES / f"{name}.json").read_text())
    assert written(name) == golden, "see `make golden`"


@pytest.mark.parametrize("chance", ["quota", "sampled"])
@pytest.mark.parametrize("name", START)
def test_the_same_seed_grows_the_same_tree(name, chance):
    noisy = {"dirichlet_eps": 0.25, "chance": chance}
    one, two = (searched(name, 200, **noisy) for _ in range(2))
    assert one[1] == two[1]
    assert one[0].tree(10_000) == two[0].tree(10_000)


def test_another_seed_grows_another_tree():
    game, state = start("tic_tac_toe")
    one, two = (
        Search(game, RolloutEvaluator(game), SearchConfig(n_simulations=200), seed=s).run(state).value for s in (1, 2)
    )
    assert one != two


# --- reuse after moves and rolls --------------------------------------------------------------------------------------


def subtree(rows, top):
    """Returns the rows below a row as nested (action, visits, value), independent of the arena's order."""
    children = with_children(rows)

    def nested(i):
        return (rows[i]["visits"], rows[i]["value"], {rows[j]["action"]: nested(j) for j in children[i]})

    return nested(top)


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "trictrac"])
def test_after_a_move_and_a_roll_the_old_subtree_is_the_new_tree(name):
    search, _, state = searched(name, 3000)
    rows = search.tree(100_000)
    children = with_children(rows)
    at, position = 0, state
    while not at or position.is_chance_node():  # the move, then every roll
        at = max(children[at], key=lambda i: rows[i]["visits"])
        position = position.child(rows[at]["action"])
    before = subtree(rows, at)
    search._pool.set_root(0, position, True)
    assert subtree(search.tree(100_000), 0) == before
    again = search.run(position)
    assert again.reused == before[0] - 1 > 0
    assert sum(one.visits for one in again.candidates) == again.simulations + again.reused
    assert [one.action for one in again.candidates] == position.legal_actions()


@pytest.mark.parametrize("dice", [(1, 4), (4, 1)])
def test_dice_in_either_order_find_what_is_known_of_them(dice):
    """Outcome 6 a + b is the throw (a + 1, b + 1): 2 and 5, or 5 and 2."""
    game = tablier.load_game("trictrac")
    state = play(game, [8])
    search = Search(game, HeuristicEvaluator(game), SearchConfig(n_simulations=4000))
    after = state.child(search.run(state).best)
    assert after.is_chance_node()
    outcome = 6 * dice[0] + dice[1]
    position = after.child(outcome)
    found = search.run(position)
    assert found.reused > 0
    assert [one.action for one in found.candidates] == position.legal_actions()
    for row in search.tree(5000)[1:]:
        assert row["visits"] > 0
    states_of(search.tree(5000), position)  # raises if any action is illegal


@pytest.mark.parametrize("outcome", [8, 13])
def test_the_same_position_again_goes_on_where_it_was(outcome):
    """The throws 2 3 and 3 2."""
    game = tablier.load_game("trictrac")
    state = play(game, [outcome])
    search = Search(game, HeuristicEvaluator(game), SearchConfig(n_simulations=32))
    search.run(state)
    assert search.run(state).reused == 32


def test_without_reuse_every_search_begins_anew():
    game, state = start("tic_tac_toe")
    search = Search(game, UniformEvaluator(game), SearchConfig(n_simulations=100), reuse=False)
    search.run(state)
    assert search.run(state).reused == 0


def test_an_evaluator_that_fails_leaves_no_trace():
    """The leaf that was waiting for it was never evaluated; the next search must not pass through it."""
    game = tablier.load_game("pig", win_score=20)

    class Fails(Guess):
        calls = 0

        def evaluate(self, leaves):
            self.calls += 1
            if self.calls == 7:
                raise RuntimeError("once")
            return super().evaluate(leaves)

    search = Search(game, Fails(), SearchConfig(n_simulations=80))
    with pytest.raises(RuntimeError, match="once"):
        search.run(game.new_initial_state())
    search.run(game.new_initial_state())
    rows = search.tree()
    for row, below in zip(rows, with_children(rows), strict=True):
        if not row["solved"]:
            assert row["visits"] == 1 + sum(rows[i]["visits"] for i in below)


# --- memory -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["pig", "trictrac"])
def test_a_tree_keeps_within_its_bound_and_still_answers(name):
    game, state = start(name)
    search = Search(game, EVALUATORS[name](game), SearchConfig(n_simulations=10**7, memory_mb=8))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = search.run(state)
    assert found.full
    assert found.bytes <= 8 << 20
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 16
    assert found.best in state.legal_actions()
    position = state.child(found.best)
    while position.is_chance_node():
        position = position.child(position.legal_actions()[-1])
    after = search.run(position)
    assert after.simulations > 0
    assert after.best in position.legal_actions()


def test_a_tree_that_is_full_goes_on_when_it_may_forget():
    game, state = start("trictrac")
    config = SearchConfig(n_simulations=10**6, memory_mb=2)
    search = Search(game, HeuristicEvaluator(game), config, reuse=False)
    assert search.run(state).full
    assert search.run(state).simulations > 0


def test_before_the_first_search_there_is_no_tree():
    game, _ = start("pig")
    assert Search(game, UniformEvaluator(game)).tree() == []


if __name__ == "__main__":  # run by `make golden`
    TREES.mkdir(exist_ok=True)
    for name in START:
        tree = json.dumps(written(name)).replace("[[", "[\n[").replace("], [", "],\n[")
        (TREES / f"{name}.json").write_text(tree + "\n")
