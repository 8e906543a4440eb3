"""Positions and ids: set up, read, written, refused."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablier
from tablier.testing import random_nodes
from tablier.trictrac import START, Account, Position, School

PLAIN = [9, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -7]


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
        ("/" * 18, "ends in the middle"),
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
        ({"dice": (7, 1), "stage": "Move"}, "dice must be two numbers"),
        ({"dice": (0, 1), "stage": "Move"}, "dice"),
        ({"dice": (3, 1)}, "dice do not fit"),
        ({"stage": "Move"}, "dice do not fit"),
        ({"points": (3, 0)}, "even"),
        ({"points": (12, 0)}, "points must be two numbers"),
        ({"points_run": (True, False)}, "without points"),
        ({"points": (2, 2), "points_run": (True, True)}, "both players have a run"),
        ({"points": (2, 2)}, "those marked last are a run"),
        ({"points": (4, 0), "points_run": (False, False)}, "as long as the other player has none"),
        ({"holes": (12, 0)}, "cannot have been won at this stage"),
        ({"holes": (12, 0), "winner": 1}, "winner disagree"),
        ({"winner": 0}, "winner disagree"),
        ({"winner": 2}, "winner must be a number"),
        ({"holes_run": (True, False)}, "without holes"),
        ({"holes": (1, 1), "holes_run": (True, True)}, "both players have a run"),
        ({"holes": (3, 0), "holes_run": (False, False)}, "until the other wins one"),
        ({"holes": (3, 2), "first_hole": 1, "holes_run": (False, True)}, "until the other wins one"),
        ({"holes": (1, 3), "first_hole": 0, "holes_run": (False, False)}, "as long as the other player wins none"),
        ({"first_hole": 1, "holes": (1, 0)}, "without holes"),
        ({"throws": (0, 0), "dice": (3, 1), "stage": "Move"}, "not counted"),
        ({"throws": (0, 0), "board": PLAIN}, "no throw of their player is counted"),
        ({"throws": (3, 3), "board": PLAIN}, "further than the throws can take them"),
        ({"throws": (5, 7), "board": PLAIN}, "throw in turn"),
        ({"throws": (5, 4), "board": PLAIN}, "throw in turn"),
        ({"throws": (4, 4)}, "all their men are still on the talon"),
        ({"board": [*PLAIN[:11], 0, *PLAIN[12:15], -1, 2, -1, 0, *PLAIN[19:]]}, "can still fill"),
        ({"board": PLAIN, "corner_just_taken": (False, True)}, "just taken holds two men"),
        ({"board": PLAIN, "dice": (6, 5), "stage": "Move"}, "do not include the points of the throw"),
        (
            {"board": PLAIN, "dice": (6, 5), "points": (8, 0), "stage": "Move"},
            "do not include the points of the throw",
        ),
        ({"board": PLAIN, "dice": (6, 5), "points": (8, 0), "holes": (1, 0), "stage": "HoldOrGoChoice"}, "no score"),
        ({"board": PLAIN, "dice": (6, 5), "points": (2, 0), "due": (2, 0), "stage": "Move"}, "not those of the throw"),
        ({"board": PLAIN, "due": (2, 0)}, "due before the throw"),
        ({"first_throw": (3, 1)}, "kept without the option"),
        ({"swapped": True}, "only with the option"),
        ({"stage": "HoldOrGoChoice", "dice": (3, 2)}, "only after a hole by this throw"),
        ({"points": None}, "points must be two numbers"),
        ({"points_run": 5}, "points_run must be two numbers"),
        ({"corner_just_taken": (1,)}, "corner_just_taken must be two numbers"),
        ({"drawing": True, "player": 1}, "the draw comes before everything else"),
        ({"drawing": 2}, "drawing must be a number"),
        ({"stage": "Sleep"}, "one of RollWaiting"),
        ({"stage": "RollDice"}, "explicit_roll"),
        ({"stage": "MarkPoints", "dice": (3, 1)}, "only with schools"),
        ({"school": School()}, "school without the option"),
        ({"school": "declare"}, "school must be None or a School"),
        ({"player": 2}, "player must be a number"),
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
    with pytest.raises(ValueError, match="dice must be two numbers"):
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
    with pytest.raises(ValueError, match="only the scored game"):
        Position(account=Account()).state(game)
    with pytest.raises(ValueError, match="set up in games of Trictrac only"):
        Position().state(tablier.load_game("pig"))
    with pytest.raises(ValueError, match="not a state of Trictrac"):
        Position.of(tablier.load_game("pig").new_initial_state())


def test_a_throw_of_a_position_is_scored():
    """Lepeintre 1818, fig. 5: 6-5 gives 20 points."""
    state = Position(board=PLAIN).throw(6, 5)
    assert Position.of(state).points == (8, 0)
    assert Position.of(state).holes == (2, 0)
    assert "worth 20 to White and 0 to Black" in str(state)


def test_a_position_is_thrown_for_once():
    assert Position(board=PLAIN, stage="RollDice").throw(6, 5, explicit_roll=True).current_player() == 0
    with pytest.raises(ValueError, match="already been thrown"):
        Position.of(Position(board=PLAIN).throw(6, 5)).throw(6, 5)
    with pytest.raises(ValueError, match="dice must be two numbers from 1 to 6"):
        Position(board=PLAIN).throw(0, 5)


def test_what_is_not_given_follows_from_the_rest():
    position = Position(points=(4, 0), holes=(2, 0))
    assert (position.points_run, position.holes_run, position.first_hole) == ((True, False), (True, False), 0)
    assert Position(holes=(1, 4)).holes_run == (False, True)
    assert Position(holes=(2, 4), holes_run=(True, False)).first_hole == 1
    assert Position().throws == (0, 0)
    assert Position(board=PLAIN).throws == (9, 9)
    assert Position(board=[*START[:22], -1, -14], dice=(3, 1), stage="Move").throws == (1, 1)
    assert Position(board=[14, 1, *START[2:]], player=1).throws == (1, 0)


def test_a_finished_game_can_be_set_up():
    won = Position(board=PLAIN, points=(8, 2), holes=(11, 3)).throw(6, 5)
    assert Position.of(won).winner == 0
    by_hand = Position(board=PLAIN, dice=(6, 5), points=(4, 0), holes=(14, 3), stage="MarkPoints", throws=(9, 9))
    assert by_hand.state().is_terminal()
    assert by_hand.state() == won


def test_the_first_throw_is_kept_for_the_second():
    state = Position(first_throw=(0, 0)).throw(2, 4, jan_de_rencontre=True, first_throw="white")
    assert Position.of(state).first_throw == (4, 2)
    with pytest.raises(ValueError, match="comes with the draw"):
        Position(first_throw=(0, 0)).state(jan_de_rencontre=True)
    second = Position([14, 0, 0, 0, 0, 0, 1, *START[7:]], player=1, first_throw=(2, 4))
    state = second.throw(4, 2, jan_de_rencontre=True)
    assert Position.of(state).points == (0, 4)
    assert Position.of(state).due == (4, 0)
    assert Position.of(state).state(jan_de_rencontre=True) == state
    for first, reason in ((None, "kept until the second"), ((0, 0), "already thrown"), ((3, 3), "cannot be the first")):
        with pytest.raises(ValueError, match=reason):
            replace(second, first_throw=first).state(jan_de_rencontre=True)
    with pytest.raises(ValueError, match="only until the second"):
        Position(board=PLAIN, first_throw=(3, 1)).state(jan_de_rencontre=True)


def test_options_that_contradict_each_other_are_refused():
    with pytest.raises(ValueError, match="fill_school has no effect without schools"):
        tablier.load_game("trictrac", fill_school="double")
    with pytest.raises(ValueError, match="marques must be even"):
        tablier.load_game("trictrac_a_ecrire", marques=7)


def test_a_state_of_the_ordinary_game_has_64_bytes():
    assert tablier.load_game("trictrac").state_size() == 8


@pytest.mark.parametrize("seed", range(3))
def test_whatever_bits_are_turned_in_a_state_it_is_refused_or_playable(seed):
    """A hostile sender can compute the checksum: a random bit is flipped and the checksum made to match."""
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
