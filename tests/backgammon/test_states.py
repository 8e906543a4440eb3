"""States from outside: what is accepted, what is refused and why, and the parts of a state."""

import numpy as np
import pytest
from forging import forge
from positions import setup

import tablier
from tablier._core import backgammon
from tablier._core.search import words
from tablier.testing import check_game, random_nodes


@pytest.fixture
def game():
    return tablier.load_game("backgammon")


@pytest.mark.parametrize(
    "options", [{"encoding": "expert"}, {"start": "hyper", "scoring": "gammons"}, {"start": "long"}]
)
def test_every_variant_keeps_the_contract(options):
    check_game(tablier.load_game("backgammon", **options), games=3)


@pytest.mark.parametrize("start", ["standard", "nackgammon", "hyper", "long"])
def test_a_state_is_made_again_from_its_parts(start):
    game = tablier.load_game("backgammon", start=start)
    for seed in range(3):
        for state in random_nodes(game, seed):
            assert backgammon.compose(game, backgammon.parts(state)) == state


def test_the_parts_of_a_state(game):
    state = setup(game, "bar:1 24:1 6:5", "21:1 6:14", dice=(4, 4))
    parts = backgammon.parts(state)
    assert parts.board[5] == 5
    assert parts.board[3] == -1
    assert parts.board[18] == -14
    assert (parts.bar, parts.off, parts.dice, parts.player, parts.moves_left) == ((1, 0), (8, 0), (4, 4), 0, 4)
    assert parts.winner is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"bar": (1, 0)}, "fifteen men"),
        ({"bar": (-1, 0), "off": (1, 0)}, "0 to 15 men"),
        ({"dice": (7, 1), "moves_left": 2, "opening": False}, "a die shows 1 to 6"),
        ({"dice": (2, 1), "moves_left": 4, "opening": False}, "only a doublet"),
        ({"dice": (2, 0), "moves_left": 2, "opening": False}, "dice do not fit"),
        ({"dice": (2, 2), "moves_left": 3, "opening": False}, "two or four moves"),
        ({"moves_left": 2}, "nobody has moves left"),
        ({"player": 1}, "opening throw comes before"),
        ({"player": 2}, "player must be 0 or 1"),
        ({"winner": 0}, "winner disagree"),
        ({"winner": 1}, "must be the winner"),
    ],
)
def test_impossible_parts_are_refused_with_the_reason(game, change, reason):
    parts = backgammon.parts(game.new_initial_state())
    for name, value in change.items():
        setattr(parts, name, value)
    with pytest.raises(ValueError, match=reason):
        backgammon.compose(game, parts)


def test_the_second_half_of_a_doublet_follows_two_moves():
    game = tablier.load_game("backgammon", start="long")
    setup(game, "12:2 24:13", "24:15", dice=(6, 6), moves_left=2)
    setup(game, "18:1 24:13 12:1", "24:15", dice=(3, 3), moves_left=2)
    for men in ("24:15", "23:1 24:14", "18:1 24:14"):
        with pytest.raises(ValueError, match="two moves of the doublet cannot lead"):
            setup(game, men, "24:15", dice=(6, 6), moves_left=2)


def test_both_players_cannot_be_shut_out(game):
    closed = "bar:1 6:3 5:3 4:2 3:2 2:2 1:2"
    with pytest.raises(ValueError, match="shut out"):
        setup(game, closed, closed)
    setup(game, closed, "bar:1 6:3 5:3 4:2 3:2 2:4")


def load(game, words):
    return game.deserialize(forge(game.new_initial_state().serialize(), [int(word) for word in words]))


def test_both_players_cannot_hold_a_point(game):
    planes = words(setup(game, "6:15", "18:15")).copy().view(np.uint32)
    planes[4:8] <<= 1  # the four planes of player 1: all men from 18 to 19, which is player 0's 6
    with pytest.raises(ValueError, match="both players have men on one point"):
        load(game, planes.view(np.uint64))


def test_whatever_is_accepted_can_be_played(game):
    draw, accepted = np.random.default_rng(5), 0
    nodes = [state for seed in range(4) for state in random_nodes(game, seed)]
    for _ in range(800):
        changed = words(nodes[draw.integers(len(nodes))]).copy()
        if draw.random() < 0.5:  # the dice, the player, the phase, the options and an unused byte are the last word
            changed[4] ^= np.uint64(1) << np.uint64(draw.integers(64))
        else:
            first, second = draw.choice(26, 2, replace=False)
            swapped = changed.view(np.uint32)
            for plane in range(8):
                bits = int(swapped[plane])
                if (bits >> first ^ bits >> second) & 1 and plane < 4:
                    swapped[plane] = bits ^ (1 << int(first)) ^ (1 << int(second))
        try:
            state = load(game, changed)
        except ValueError:
            continue
        accepted += 1
        for _ in range(60):
            if state.is_terminal():
                break
            state.apply_action(int(draw.choice(state.legal_actions())))
            assert load(game, words(state)) == state
    assert 80 < accepted < 780
