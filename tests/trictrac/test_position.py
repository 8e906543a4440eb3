"""Positions and ids: set up, read, written, refused."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablier
from tablier.testing import random_nodes
from tablier.trictrac import START, Position

PLAIN = [9, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -7]


@pytest.mark.parametrize("seed", range(10))
def test_every_state_of_a_game_can_be_set_up_again(seed):
    game = tablier.load_game("trictrac", holes_to_win=20)
    for state in random_nodes(game, seed):
        if state.current_player() >= 0:
            assert Position.of(state).state(game) == state


@pytest.mark.parametrize("seed", range(10))
def test_an_id_tells_board_dice_and_score(seed):
    for state in random_nodes(tablier.load_game("trictrac"), seed):
        position = Position.of(state)
        text = position.id()
        assert len(text) == 18
        read = Position.from_id(text)
        for name in ("board", "dice", "points", "holes", "points_run", "holes_run", "player", "stage"):
            assert getattr(read, name) == getattr(position, name)
        assert read.id() == text


def test_the_bits_of_an_id_are_where_the_contract_puts_them():
    position = Position(
        board=PLAIN, dice=(6, 5), points=(2, 4), holes=(3, 1), points_run=(False, True), holes_run=(True, False),
        player=1, stage="Move",
    )  # fmt: skip
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bits = "".join(f"{alphabet.index(letter):06b}" for letter in position.id())
    assert bits[:24] == "1" * 9 + "0" + "00" + "10" + "10" + "0" + "10" + "10" + "000"
    assert bits[77] == "1"  # Black moves
    assert bits[78:81] == "100"  # stage 4
    assert bits[81:87] == "110101"  # 6, 5
    assert bits[87:97] == "0010" + "0011" + "0" + "1"
    assert bits[97:107] == "0100" + "0001" + "1" + "0"
    assert bits[107] == "0"


def test_many_holes_are_written_as_fifteen():
    assert Position.from_id(Position(holes=(40, 0), holes_run=(True, False)).id()).holes == (15, 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "18 characters"),
        ("A" * 17, "18 characters"),
        (None, "18 characters"),
        ("-" * 18, "base64"),
        ("/" * 18, "breaks off"),
        ("A" * 17 + "B", "after its end"),
        ("//8AAAH//AAAAAABgG", "more than fifteen"),
    ],
)
def test_an_id_that_is_none(text, reason):
    with pytest.raises(ValueError, match=reason):
        Position.from_id(text)


@settings(max_examples=500)
@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", min_size=18, max_size=18))
def test_a_hostile_id_is_refused_or_means_a_position(text):
    try:
        position = Position.from_id(text)
        state = position.state()
    except ValueError:
        return
    assert Position.of(state).board == position.board


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"board": [16, *START[1:]]}, "fifteen"),
        ({"board": [15, 1, *START[2:]]}, "more than fifteen"),
        ({"board": [14, *[0] * 10, 1, *START[12:]]}, "rest corner holds one man"),
        ({"board": [13, *[0] * 11, 2, *START[13:]]}, "opposing rest corner"),
        ({"board": [5, *START[1:]]}, "borne off while others"),
        ({"board": [*[0] * 23, -15]}, "no man on the board"),
        ({"board": [1] * 23}, "24 integers"),
        ({"board": [1.0] * 24}, "24 integers"),
        ({"dice": (7, 1), "stage": "Move"}, "dice are two numbers"),
        ({"dice": (0, 1), "stage": "Move"}, "dice"),
        ({"dice": (3, 1)}, "dice do not fit"),
        ({"stage": "Move"}, "dice do not fit"),
        ({"points": (3, 0)}, "even"),
        ({"points": (12, 0)}, "points are two numbers"),
        ({"points_run": (True, False)}, "without points"),
        ({"points": (2, 2), "points_run": (True, True)}, "both players have a run"),
        ({"holes": (12, 0)}, "winner disagree"),
        ({"holes_run": (True, False)}, "without holes"),
        ({"holes": (1, 1), "holes_run": (True, True)}, "both players have a run"),
        ({"first_hole": 1, "holes": (1, 0)}, "without holes"),
        ({"throws": (0, 0), "dice": (3, 1), "stage": "Move"}, "not counted"),
        ({"stage": "HoldOrGoChoice", "dice": (3, 2)}, "only after a hole by this throw"),
        ({"points": None}, "points are two numbers"),
        ({"points_run": 5}, "points_run are two numbers"),
        ({"corner_just_taken": (1,)}, "corner_just_taken are two numbers"),
        ({"drawing": True}, "the draw comes before everything else"),
        ({"stage": "Sleep"}, "one of RollWaiting"),
        ({"stage": "RollDice"}, "explicit_roll"),
        ({"stage": "MarkPoints", "dice": (3, 1)}, "school"),
        ({"player": 2}, "players are 0"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(parts, reason):
    with pytest.raises(ValueError, match=reason):
        Position(**parts).state()


def test_the_draw_is_part_of_a_position():
    state = tablier.load_game("trictrac").new_initial_state()
    assert Position.of(state).drawing
    assert Position.of(state).state() == state


def test_numpy_numbers_are_numbers():
    import numpy as np

    from tablier.trictrac import plays, score_throw

    board = np.array(PLAIN, np.int8)
    assert score_throw(board, np.array([6, 5])).player_points == 20
    assert len(plays(board, (np.int64(6), np.int32(5)))) == len(plays(PLAIN, (6, 5)))
    assert Position(board=board, points=np.array([2, 4])).points == (2, 4)
    with pytest.raises(ValueError, match="dice are two numbers"):
        plays(PLAIN, (True, 5))
    with pytest.raises(ValueError, match="at most fifteen"):
        plays([2**40, *PLAIN[1:]], (1, 2))
    with pytest.raises(ValueError, match="no man on the board"):
        score_throw([0] * 23 + [-15], (1, 2))


@pytest.mark.parametrize(
    ("rule", "parts", "stake"),
    [
        ("single", {}, 1),
        ("double", {}, 2),
        ("double", {"holes": (2, 3), "first_hole": 1, "holes_run": (True, False)}, 1),
        ("quadruple", {}, 4),
        ("quadruple", {"holes": (2, 0)}, 3),
        ("quadruple", {"holes": (2, 3), "first_hole": 1}, 2),
        ("quadruple", {"holes": (7, 3), "first_hole": 1}, 1),
    ],
)
def test_resigning_costs_the_largest_stake_that_can_still_be_lost(rule, parts, stake):
    from tablier.trictrac import resignation_stake

    assert resignation_stake(Position(**parts).state(stake_rule=rule), 0) == stake


def test_a_position_is_of_one_game():
    game = tablier.load_game("trictrac", holes_to_win=3)
    assert Position(holes=(2, 0)).state(game).get_game() == game
    with pytest.raises(ValueError, match="not both"):
        Position().state(game, holes_to_win=3)
    with pytest.raises(ValueError, match="set up in the game 'trictrac'"):
        Position().state(tablier.load_game("pig"))
    with pytest.raises(ValueError, match="not a state of Trictrac"):
        Position.of(tablier.load_game("pig").new_initial_state())


def test_a_throw_of_a_position_is_scored():
    """Lepeintre 1818, fig. 5: 6-5 gives 20 points."""
    state = Position(board=PLAIN, dice=(6, 5), stage="Move").state()
    assert "worth 20 to White and 0 to Black" in str(state)


def test_options_that_contradict_each_other_are_refused():
    with pytest.raises(ValueError, match="fill_school says nothing without schools"):
        tablier.load_game("trictrac", fill_school="double")
    with pytest.raises(ValueError, match="marques must be even"):
        tablier.load_game("trictrac_a_ecrire", marques=7)


def test_a_state_of_the_ordinary_game_has_64_bytes():
    assert tablier.load_game("trictrac").state_size() == 8


@pytest.mark.parametrize("seed", range(3))
def test_whatever_bits_are_turned_in_a_state_it_is_refused_or_playable(seed):
    """A hostile sender knows the checksum: every word is changed at random and the sum made right."""
    from test_serialize import forge

    game = tablier.load_game("trictrac")
    rng = random.Random(seed)
    nodes = list(random_nodes(game, seed))
    accepted = 0
    for _ in range(3000):
        data = rng.choice(nodes).serialize()
        words = [int.from_bytes(data[-88 + 8 * i : -80 + 8 * i], "little") for i in range(8)]
        word = rng.randrange(8)
        words[word] ^= 1 << rng.randrange(64)
        try:
            state = game.deserialize(forge(data, words))
        except ValueError:
            continue
        accepted += 1
        for _ in range(200):
            if state.is_terminal():
                break
            state.features(0), state.observation(1), str(state)
            state.apply_action(rng.choice(state.legal_actions()))
    assert accepted > 0
