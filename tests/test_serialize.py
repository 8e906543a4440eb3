import random

import pytest
from forging import forge
from hypothesis import given, settings
from hypothesis import strategies as st

import tablier
from tablier.testing import random_nodes


def test_a_state_is_never_read_under_other_rules(pig, tic_tac_toe):
    data = pig.new_initial_state().serialize()
    with pytest.raises(ValueError, match="belongs to 'pig', not to tic_tac_toe"):
        tic_tac_toe.deserialize(data)
    with pytest.raises(ValueError, match="a different value of option 'win_score'"):
        tablier.load_game("pig", win_score=50).deserialize(data)


@pytest.mark.parametrize("name", ["pig", "tic_tac_toe", "race"])
def test_every_truncation_is_refused(name, race):
    game = tablier.load_game(name)
    data = list(random_nodes(game, seed=3))[-2].serialize()
    for length in range(len(data)):
        with pytest.raises(ValueError, match="not a saved state"):
            game.deserialize(data[:length])
    with pytest.raises(ValueError, match="extra data at the end"):
        game.deserialize(data + b"\0")


@pytest.mark.parametrize("name", ["pig", "tic_tac_toe"])
def test_every_flipped_bit_is_refused(name):
    game = tablier.load_game(name)
    data = list(random_nodes(game, seed=3))[-3].serialize()
    for position in range(8 * len(data)):
        changed = bytearray(data)
        changed[position // 8] ^= 1 << position % 8
        with pytest.raises(ValueError, match="not a saved state"):
            game.deserialize(bytes(changed))


@given(st.binary(max_size=200))
def test_foreign_bytes_are_refused(data):
    with pytest.raises(ValueError, match="not a saved state"):
        tablier.load_game("pig").deserialize(data)


def test_forging_works_for_a_true_state(pig):
    state = pig.new_initial_state()
    assert forge(state.serialize(), [0, 0, 0, 0, 100]) == state.serialize()
    assert str(pig.deserialize(forge(state.serialize(), [20, 30, 4, 2, 100]))).startswith("scores 20 30")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([0, 0, 0, 6, 100], "phase"),
        ([0, 0, 0, 2**63, 100], "phase"),
        ([100, 0, 0, 0, 100], "winner disagree"),
        ([0, 0, 0, 4, 100], "winner disagree"),
        ([1, 0, 0, 0, 100], "cannot be reached"),
        ([0, 0, 1, 0, 100], "cannot be reached"),
        ([0, 0, 2**50, 0, 100], "cannot be reached"),
        ([90, 0, 11, 0, 100], "cannot be reached"),
        ([101, 0, 0, 4, 100], "cannot be reached"),
        ([0, 0, 0, 0, 50], "disagree on the rules"),
        ([0, 0, 0, 0, 0], "win_score"),
        ([100, 0, 5, 4, 100], "the turn total is not 0"),
    ],
)
def test_a_pig_position_that_no_game_reaches(pig, words, reason):
    with pytest.raises(ValueError, match=reason):
        pig.deserialize(forge(pig.new_initial_state().serialize(), words))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([512, 0, 1], "outside the board"),
        ([1, 1, 0], "both marks"),
        ([7, 0, 2], "in turn"),
        ([7, 0o70, 2], "after a complete line"),
        ([1, 0, 0], "player to move"),
        ([0, 0, 99], "player to move"),
    ],
)
def test_a_tic_tac_toe_position_that_no_game_reaches(tic_tac_toe, words, reason):
    with pytest.raises(ValueError, match=reason):
        tic_tac_toe.deserialize(forge(tic_tac_toe.new_initial_state().serialize(), words))


@settings(max_examples=200)
@given(st.lists(st.integers(0, 2**64 - 1), min_size=5, max_size=5))
def test_whatever_is_accepted_can_be_played(words):
    game = tablier.load_game("pig")
    words[4] = 100
    try:
        state = game.deserialize(forge(game.new_initial_state().serialize(), words))
    except ValueError:
        return
    rng = random.Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))


def test_equal_states_have_equal_hashes_and_other_rules_are_other_states(pig):
    one, two = pig.new_initial_state(), tablier.load_game("pig").new_initial_state()
    assert one == two
    assert len({one, two}) == 1
    assert one != tablier.load_game("pig", win_score=50).new_initial_state()
    assert one != one.child(0)
    assert one != "pig"
    assert one != None  # noqa: E711
    assert pig != None  # noqa: E711
    assert None not in [one]
    assert pig == tablier.load_game("pig")
    assert pig != tablier.load_game("pig", win_score=50)
