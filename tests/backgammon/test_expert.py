"""What the encoding "expert" counts, on positions that can be checked by hand or by trying every throw."""

import random

import numpy as np
import pytest

import tablier
from tablier._core import backgammon, nets, search

GAME = tablier.load_game("backgammon", encoding="expert")
CODES = [
    "pips",
    "home",
    "prime",
    "anchor",
    "shots",
    "loss",
    "enter",
    "freedom",
    "deep",
    "blocked",
    "hold",
    "mobile",
    "time",
]
SIDES = 32
"""The first code of the viewer; those of the opponent follow."""


def position(mine, theirs, bar=(0, 0)):
    """Returns a position before player 0's throw; men are given by their own points, the rest is borne off."""
    parts = backgammon.Parts()
    board = [0] * 24
    for point, count in mine.items():
        board[point - 1] += count
    for point, count in theirs.items():
        board[24 - point] -= count
    parts.board, parts.bar = board, bar
    parts.off = (15 - sum(mine.values()) - bar[0], 15 - sum(theirs.values()) - bar[1])
    return backgammon.compose(GAME, parts)


def codes(state, player=0):
    """Returns the codes of a player, by name."""
    row = nets.codes(GAME, search.words(state)[None], np.array([player], np.int32))[0].tolist()
    return dict(zip(CODES, row[SIDES:], strict=False))


# The number of throws that hit a single man this many pips away, with nothing in between: every book has this table.
SHOTS = {1: 11, 2: 12, 3: 14, 4: 15, 5: 15, 6: 17, 7: 6, 8: 6, 9: 5, 10: 3, 11: 2, 12: 3, 15: 1, 16: 1, 18: 1, 13: 0}


@pytest.mark.parametrize("pips", SHOTS)
def test_shots_at_one_man(pips):
    state = position({20: 1}, {5 + pips: 1})  # the opponent's point p is 25 - p here
    assert codes(state)["shots"] == SHOTS[pips]
    assert codes(state)["loss"] == SHOTS[pips] * 5 // 18  # a man on 20 that is hit has lost five pips


def test_points_in_between_block_shots():
    assert codes(position({20: 1, 18: 2}, {9: 1}))["shots"] == 13  # four pips away, without 2-2 and 1-1
    assert codes(position({20: 1, 18: 2, 17: 2}, {9: 1}))["shots"] == 13  # 3-1 by way of 19
    assert codes(position({20: 1, 19: 2, 18: 2, 17: 2}, {9: 1}))["shots"] == 11


def hits(state, player):
    """Counts the throws of `player` with which a legal turn hits a man."""
    found = 0
    for throw in range(36):
        decision = state.child(throw)
        _, turns, _ = backgammon.turns(GAME, search.words(decision)[None])
        before = backgammon.parts(state).bar[1 - player]
        for first, second in turns.tolist():
            after = decision.child(first)
            after = after if second < 0 else after.child(second)
            if backgammon.parts(after).bar[1 - player] > before:
                found += 1
                break
    return found


def random_positions(n, seed=3):
    """Returns positions before the throw from random games, without men on the bar."""
    draw, found, state = random.Random(seed), [], GAME.new_initial_state()
    while len(found) < n:
        if state.is_terminal():
            state = GAME.new_initial_state()
        parts = backgammon.parts(state)
        if state.is_chance_node() and not parts.opening and parts.bar == (0, 0) and draw.random() < 0.1:
            found.append(state.clone())
        state.apply_action(draw.choice(state.legal_actions()))
    return found


def test_shots_are_the_throws_that_hit():
    """A throw that must be played otherwise, because both numbers count, is the only difference."""
    seen = []
    for state in random_positions(60):
        player = backgammon.parts(state).player
        seen.append(codes(state, 1 - player)["shots"] - hits(state, player))
    assert min(seen) >= 0
    assert sum(difference > 0 for difference in seen) <= 3


def free(mine, theirs, point):
    """Counts the throws that one man on `point` can play alone, by trying them."""
    blocked = {25 - place for place, count in theirs.items() if count > 1}
    return sum(
        (point - a not in blocked or point - b not in blocked) and point - a - b not in blocked
        for a in range(1, 7)
        for b in range(1, 7)
    )


@pytest.mark.parametrize("seed", range(5))
def test_freedom_hold_and_mobility_count_free_throws(seed):
    draw = random.Random(seed)
    points = draw.sample(range(2, 18), 5)
    theirs = dict.fromkeys(points, 2)
    mine = {24: 2, 3: 4} | dict.fromkeys(draw.sample([25 - p for p in range(2, 18) if p not in points], 5), 1)
    state = position(mine, theirs)
    seen, other = codes(state), codes(state, 1)
    assert seen["freedom"] == free(mine, theirs, 24)
    assert other["hold"] == min(free(mine, theirs, point) for point in range(18, 25))
    assert seen["mobile"] == sum(count * free(mine, theirs, p) for p, count in mine.items() if p > 6) // 8


def test_entering():
    theirs = {6: 2, 5: 2, 4: 2}
    assert codes(position({13: 2}, theirs, bar=(1, 0)))["enter"] == 27
    assert codes(position({13: 2}, {6: 2}, bar=(1, 0)))["enter"] == 35
    assert codes(position({13: 2}, theirs))["enter"] == 37


def test_points_primes_and_anchors():
    seen = codes(position({8: 2, 7: 2, 6: 2, 5: 2, 4: 2, 21: 2, 2: 1}, {24: 2, 22: 1, 13: 3}))
    assert seen["home"] == 3 * 3
    assert seen["prime"] == 4 * 5 + 3  # a prime of five, three men behind it
    assert seen["anchor"] == 6 * 4 + 2  # 21 is the fourth point from 18; two men in the opposing home
    assert seen["deep"] == 1
    assert seen["pips"] == (16 + 14 + 12 + 10 + 8 + 42 + 2) // 2


def test_time_counts_pips_that_break_no_point():
    # 13: twice 7 pips to the 6 point; the third man on 6: five pips; single men on 24 and 3: 18 and 2.
    assert codes(position({13: 2, 6: 3, 24: 1, 3: 1}, {13: 2}))["time"] == (14 + 5 + 18 + 2) // 4


def test_blocked_numbers():
    assert codes(position({24: 2}, {6: 2, 5: 2, 4: 2, 3: 2}))["blocked"] == 4  # only 1 and 6 are open
