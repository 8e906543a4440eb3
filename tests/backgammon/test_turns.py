"""Whole turns, compared with a search through every order of moves, and pinned counts of positions."""

import random

import pytest
from positions import men_of, turn, turn_here

import tablier
from tablier import _core

THROWS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def thrown(state, dice):
    """Returns the state after a throw; from the opening, player 0 has it, doublets included."""
    parts = _core.backgammon.parts(state)
    parts.opening, parts.dice, parts.moves_left = False, dice, 4 if dice[0] == dice[1] else 2
    return _core.backgammon.compose(state.get_game(), parts)


def expect_the_same(state):
    player = state.current_player()
    mine, theirs = men_of(state) if player == 0 else men_of(state)[::-1]
    dice = tuple(int(die) for die in state.observation(0)[28:30])
    assert turn_here(state) == turn(mine, theirs, dice), str(state)


@pytest.mark.parametrize("start", ["standard", "nackgammon", "hyper", "long"])
def test_every_first_throw_leads_to_the_positions_that_the_rules_allow(start):
    state = tablier.load_game("backgammon", start=start).new_initial_state()
    for dice in THROWS:
        expect_the_same(thrown(state, dice))


@pytest.mark.parametrize(("start", "games", "share"), [("standard", 12, 0.15), ("hyper", 60, 1), ("long", 4, 0.1)])
def test_every_turn_of_random_games_leads_to_the_positions_that_the_rules_allow(start, games, share):
    """A doublet is compared over both its halves: the first two moves never cost a later one."""
    game, draw, seen = tablier.load_game("backgammon", start=start), random.Random(3), 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if not state.is_chance_node() and state.observation(0)[30] == 2 and draw.random() < share:
                expect_the_same(state)
                seen += 1
            state.apply_action(draw.choice(state.legal_actions()))
    assert seen > 30


def count(mine, theirs, depth, ends_of):
    """Counts the positions after `depth` turns with every throw; the positions after a throw are ends_of(...)."""
    ends = [end for dice in THROWS for end in ends_of(mine, theirs, dice)]
    return len(ends) if depth == 1 else sum(count(theirs, mine, depth - 1, ends_of) for mine, theirs in ends)


@pytest.mark.parametrize(
    ("start", "depth", "positions"),
    [
        ("standard", 1, 447),
        ("nackgammon", 1, 547),
        ("hyper", 1, 195),
        ("long", 1, 59),
        ("standard", 2, 202_782),
        ("hyper", 2, 38_017),
        ("long", 2, 3_484),
    ],
)
def test_the_number_of_positions_is_known(start, depth, positions):
    game = tablier.load_game("backgammon", start=start)

    def here(mine, theirs, dice):
        parts = _core.backgammon.Parts()
        parts.board = [mine[point] - theirs[25 - point] for point in range(1, 25)]
        parts.bar, parts.off = (mine[25], theirs[25]), (mine[0], theirs[0])
        return turn_here(thrown(_core.backgammon.compose(game, parts), dice))

    men = men_of(game.new_initial_state())
    assert count(*men, depth, here) == positions
    if (start, depth) != ("standard", 2):  # by brute force that one takes a minute
        assert count(*men, depth, turn) == positions
