"""Exact play of hypergammon: one sweep of the solver against the game itself, and small games solved to the end."""

import random

import numpy as np
import pytest
from positions import setup

import tablier
from tablier._core import backgammon
from tablier._core.search import words
from tablier.games.backgammon import hypergammon
from tablier.games.backgammon.hypergammon import Hypergammon, positions, solve

GAME = tablier.load_game("backgammon", start="hyper")
COUNT = backgammon.hyper_count(3)


def sides(state):
    return backgammon.sides(GAME, words(state).reshape(1, -1))


def numbers(state):
    """Returns the numbers of the opponent's position and of the one of the player to act."""
    return positions(sides(state))[0].tolist()


@pytest.fixture(scope="module")
def table():
    """A table of equities that nothing has computed: a sweep must follow from whatever it finds."""
    return np.random.default_rng(5).uniform(-1, 1, (COUNT, COUNT)).astype(np.float32)


def random_states(seed, n):
    """Yields states of random games before a throw."""
    draw = random.Random(seed)
    while n:
        state = GAME.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node() and not backgammon.parts(state).opening and draw.random() < 0.2:
                yield state.clone()
                n -= 1
                if not n:
                    return
            state.apply_action(draw.choice(state.legal_actions()))


def test_every_position_has_its_own_number():
    rng = np.random.default_rng(1)
    places = np.sort(rng.integers(0, 26, (5000, 3)), axis=1)
    men = np.zeros((5000, 26), np.uint8)
    for row, chosen in zip(men, places, strict=True):
        np.add.at(row, chosen, 1)
    found = positions(men[:, 1:])
    assert found.min() >= 0
    assert found.max() < COUNT
    assert len(set(found.tolist())) == len({tuple(row) for row in places.tolist()})


@pytest.mark.parametrize("scoring", ["full", "gammons", "win_loss"])
def test_a_sweep_agrees_with_the_game(table, scoring):
    game = tablier.load_game("backgammon", start="hyper", scoring=scoring)
    exact = Hypergammon(table, scoring)
    for state in random_states(seed=7, n=12):
        other, mine = numbers(state)
        state = backgammon.compose(game, backgammon.parts(state))
        total = 0.0
        for outcome in state.legal_actions():
            total += max(exact.values(state.child(outcome)).values())
        swept = table.copy()
        backgammon.hyper_sweep(swept, 3, hypergammon.POINTS[scoring], mine, mine + 1)
        assert swept[other, mine] == pytest.approx(total / 36, abs=1e-5)
        assert (np.delete(swept, mine, axis=1) == np.delete(table, mine, axis=1)).all()


def test_one_man_each():
    equities = solve(men=1)
    ace, bar = 1, 25
    # The last man always bears off from the ace point. The loser has borne off none, and may still be far behind.
    assert equities[ace, ace] == pytest.approx(2)
    assert equities[bar, ace] == pytest.approx(3)
    # From the 6 point: 6-x (11), 5-1, 4-2 (4), 3-3, 2-2, and sums of seven and more without a six: 5-2, 5-3, 5-4, 4-3
    # (8), 5-5, 4-4: 27 throws of 36. Otherwise the other bears off.
    assert equities[ace, 6] == pytest.approx((27 * 2 - 9 * 2) / 36)
    assert np.abs(equities).max() <= 3


def test_solving_ends_where_nothing_changes():
    equities = solve(men=1, enough=1e-6)
    assert backgammon.hyper_sweep(equities, 1, 3, 0, len(equities)) <= 1e-6


def test_equities_are_player_zeros(table):
    exact = Hypergammon(table)
    assert exact.equity(GAME.new_initial_state()) == 0
    state = setup(GAME, "24:1 6:1", "20:1 3:1")
    other, mine = numbers(state)
    assert exact.equity(state) == pytest.approx(float(table[other, mine]))
    assert exact.equity(setup(GAME, "24:1 6:1", "20:1 3:1", player=1)) == pytest.approx(-float(table[other, mine]))


@pytest.mark.parametrize("dice", [(6, 1), (4, 4), (2, 2)])
def test_the_best_action_has_the_highest_value(table, dice):
    exact = Hypergammon(table)
    state = setup(GAME, "24:1 8:1 5:1", "22:2 6:1", dice=dice)
    values = exact.values(state)
    assert set(values) == set(state.legal_actions())
    assert values[exact.best(state)] == max(values.values())
    for action, value in values.items():
        assert value == pytest.approx(exact.equity(state.child(action)))


def test_a_win_counts_what_the_rules_say(table):
    exact = Hypergammon(table)
    for other, points in (("6:2", 1), ("6:3", 2), ("19:1 6:2", 3), ("bar:1 6:2", 3)):
        assert max(exact.values(setup(GAME, "1:1", other, dice=(2, 1))).values()) == points


def test_states_of_other_games_are_refused(table):
    exact = Hypergammon(table)
    with pytest.raises(ValueError, match="hypergammon"):
        exact.equity(tablier.load_game("backgammon").new_initial_state())
    with pytest.raises(ValueError, match="no player"):
        exact.values(setup(GAME, "1:1", "6:2"))


def test_a_missing_table_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("TABLIER_CACHE", str(tmp_path))
    with pytest.raises(ValueError, match=r"hypergammon-full\.npy"):
        Hypergammon.load()
    path = hypergammon.table_file()
    path.parent.mkdir()
    np.save(path, np.zeros((COUNT, COUNT), np.float32))
    assert Hypergammon.load().equity(setup(GAME, "1:1", "6:2")) == 0


@pytest.mark.parametrize("wrong", [{"men": 4}, {"points": 0}, {"begin": 5, "end": 4}, {"end": 27}])
def test_a_sweep_refuses_wrong_numbers(wrong):
    given = {"men": 1, "points": 3, "begin": 0, "end": 26} | wrong
    with pytest.raises(ValueError, match="must be"):
        backgammon.hyper_sweep(np.zeros((26, 26), np.float32), **given)


def test_a_sweep_refuses_a_table_of_another_size():
    with pytest.raises(TypeError, match="shape"):
        backgammon.hyper_sweep(np.zeros((26, 26), np.float32), 2, 3, 0, 1)
