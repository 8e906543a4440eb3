"""Ids of positions: those of GNU Backgammon and XGID, known ones, round trips, and refusals that say what is wrong."""

import base64
import random
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import tablier
from tablier.backgammon import START, Match, Position
from tablier.games import home_of
from tablier.messages import MessageError, said

GAME = tablier.load_game("backgammon")
GNUBG = shutil.which("gnubg") or ("/usr/games/gnubg" if Path("/usr/games/gnubg").is_file() else None)
AFTER_31 = (-2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2)  # White has played 8/5 6/5

# Each line was written by GNU Backgammon 1.07 for the XGID beside it.
PRINTED = {
    "4HPwATDgc/ABMA:cIkKAAAAAAAE": "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10",
    "4HNwABj4HHwABA:UYkKAAAAAAAE": "XGID=b-----E-C---cE---c-e----A-:1:1:1:52:0:0:0:0:10",
}


def bits_of(men):
    """Returns the men of a player by GNU Backgammon's definition: ones per point, ended by a zero; then the bar."""
    return "".join("1" * count + "0" for count in men)


def test_the_start_has_its_known_id():
    assert Position().position_id() == "4HPwATDgc/ABMA"
    assert Position.from_id("4HPwATDgc/ABMA").board == START


def test_the_start_by_the_definition_of_the_id():
    """Two sides of 25 places in unary, packed with the lowest bit of each byte first, in base64."""
    own = [0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, *[0] * 10, 2, 0]
    bits = (bits_of(own) + bits_of(own)).ljust(80, "0")
    number = int(bits[::-1], 2).to_bytes(10, "little")
    assert base64.b64encode(number).decode().rstrip("=") == Position().position_id()


def test_men_of_the_player_who_waits_come_first():
    """GNU Backgammon prints this id after 8/5 6/5, with the opponent on roll."""
    after = Position(board=AFTER_31, player=1)
    assert after.position_id() == "sGfwATDgc/ABMA"
    assert Position.from_id("sGfwATDgc/ABMA:MAEAAAAAAAAA") == after


@pytest.mark.parametrize(("gnubg", "xgid"), PRINTED.items())
def test_both_notations_name_the_same_position(gnubg, xgid):
    position = Position.from_id(xgid)
    assert Position.from_id(gnubg) == position
    assert (position.id(), position.xgid()) == (gnubg, xgid)


def test_a_match_and_a_cube_are_read_and_written():
    text = "XGID=-b----E-C---dE---c-e----B-:1:-1:-1:61:2:3:0:7:10"
    position = Position.from_id(text)
    assert position.match == Match(7, (2, 3), False, 2, 1)
    assert (position.player, position.dice, position.off) == (1, (6, 1), (0, 1))
    assert position.xgid() == text
    assert Position.from_id(position.id()) == position
    assert position.state().current_player() == 1


def within_doublet(position):
    return position.moves_left == 2 and position.dice[0] == position.dice[1]


def positions(start):
    """Yields the positions of a few random games."""
    game, chance = tablier.load_game("backgammon", start=start), random.Random(5)
    for _ in range(3):
        state = game.new_initial_state()
        while not state.is_terminal():
            yield state
            state = state.child(chance.choice(state.legal_actions()))
        yield state


@pytest.mark.parametrize(("start", "men"), [("standard", 15), ("nackgammon", 15), ("long", 15), ("hyper", 3)])
def test_every_position_comes_back_from_its_ids(start, men):
    halves = 0
    for state in positions(start):
        position = Position.of(state)
        assert position.state(state.get_game()) == state
        if within_doublet(position):
            halves += 1
            for write in (position.id, position.xgid):
                with pytest.raises(MessageError, match="doublet"):
                    write()
            continue
        assert Position.from_id(position.id(), men) == position
        if not position.opening:
            assert Position.from_id(position.xgid(), men) == position
    assert halves


def test_the_opening_throw_has_a_match_id_but_no_xgid():
    opening = Position.of(GAME.new_initial_state())
    assert opening.id() == "4HPwATDgc/ABMA:cAgAAAAAAAAE"
    with pytest.raises(MessageError, match="opening throw"):
        opening.xgid()


WRONG = {
    "4HPwATDgc/ABM": "is not a position id",
    "4HPwATDgc/ABM_": "is not a position id",
    "4HPwATDgc/ABMB": "data after its end",
    "/////////////w": "in the middle of the board",
    "AAAAAAAAAAAAAA": "nobody has a man",
    "//8AAAAAAAAAAA": "16 men on the board",
    "4HPwATDgc/ABMA:cAkAAAAAAAAI": "data after its end",
    "4HPwATDgc/ABMA:cBkAAAAAAAAA": "about the cube",
    "4HPwATDgc/ABMA:cAkDAAAAAAAA": "impossible dice",
    "4HPwATDgc/ABMA:YAkAAAAAAAAA": "impossible owner",
    "XGID=-b----E-C---eE---c-e----B:0:0:1:52:0:0:0:0:10": "26 characters",
    "XGID=-b----E-C---eE---c-e----P-:0:0:1:52:0:0:0:0:10": "26 characters",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:52": "10 fields",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:72:0:0:0:0:10": "impossible dice",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10": "about the cube",
    "XGID=-b----E-C---eE---c-e----B-:0:0:0:52:0:0:0:0:10": "impossible turn",
    "XGID=-b----E-C---eE---c-e----B-:0:2:1:52:0:0:0:0:10": "impossible owner",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:7:0:0:5:10": "score 7-0",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:1:5:10": "Crawford",
    "XGID=-b----E-C---eE---c-e----B-:x:0:1:52:0:0:0:0:10": "impossible cube",
    "XGID=A-----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10": "bar",
    "XGID=-b----E-C---eE---c-e---AE-:0:0:1:52:0:0:0:0:10": "19 men",
}


@pytest.mark.parametrize(("text", "reason"), WRONG.items())
def test_wrong_ids_are_refused_with_the_reason(text, reason):
    with pytest.raises(MessageError, match=re.escape(reason)) as caught:
        Position.from_id(text)
    assert said(caught.value, "fr") != str(caught.value)


def test_men_of_both_on_one_point_are_refused():
    mine = [0] * 25
    mine[4], mine[5] = 7, 8
    theirs = [0] * 25
    theirs[24 - 5], theirs[0] = 2, 13  # their point 20 is my point 5
    bits = (bits_of(theirs) + bits_of(mine)).ljust(80, "0")
    letters = base64.b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode().rstrip("=")
    with pytest.raises(MessageError, match="point 5"):
        Position.from_id(letters)


def test_a_position_no_game_can_reach_is_refused():
    home = home_of(GAME)
    with pytest.raises(MessageError, match="cannot occur in a game: both players are shut out"):
        home.read_position("XGID=aBBBBBB------------bbbbbbA:0:0:1:00:0:0:0:0:10")
    assert home.read_position("anything else") is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"board": [0] * 23},
        {"board": [16, *[0] * 23]},
        {"bar": (1,)},
        {"bar": (-1, 0)},
        {"dice": (7, 1)},
        {"player": 2},
        {"off": (1, 0)},
        {"dice": "31"},
        {"moves_left": "x"},
        {"moves_left": 5},
        {"opening": 2},
        {"board": [0] * 24, "bar": (0, 0)},
    ],
)
def test_impossible_fields_are_refused(wrong):
    with pytest.raises(ValueError, match=r"must be|men|nobody"):
        Position(**wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        {"length": 2**15},  # an id has 15 bits for it
        {"length": None},
        {"length": 3, "score": (3, 0)},
        {"score": (0, -1)},
        {"score": None},
        {"cube": 3},
        {"cube": 2**11},
        {"owner": 0},
        {"cube": 2, "owner": 2},
        {"crawford": True},
        {"crawford": "x"},
    ],
)
def test_impossible_matches_are_refused(wrong):
    with pytest.raises(ValueError, match=r"must (be|have)|impossible|Crawford"):
        Match(**wrong)


def test_a_throw_from_a_position():
    state = Position(board=AFTER_31, player=1).throw(6, 2)
    assert state.current_player() == 1
    assert Position.of(state).dice == (6, 2)
    with pytest.raises(MessageError, match="already been thrown"):
        Position(dice=(3, 1)).throw(1, 2)


def test_hypergammon_has_three_men():
    start = tablier.load_game("backgammon", start="hyper").new_initial_state().child(12)
    position = Position.of(start)
    again = Position.from_id(position.id(), men=3)
    assert again.state().get_game().options()["start"] == "hyper"
    assert home_of(start.get_game()).read_position(position.xgid()) == start


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_writes_the_same_ids(tmp_path):
    every = [Position.of(state) for state in list(positions("standard"))[5:200:12]]
    fit = [one for one in every if one.winner is None and not within_doublet(one)]
    found = [replace(one, dice=tuple(sorted(one.dice, reverse=True))) for one in fit]  # as GNU Backgammon orders them
    lines = ["set player 0 human", "set player 1 human", "new game", "set jacoby off"]
    for position in found:
        lines += [f"set xgid {position.xgid()}", "show board"]
    typed = "\n".join([*lines, "quit", "y", ""])
    shown = subprocess.run([GNUBG, "-t", "-q"], input=typed, capture_output=True, text=True, cwd=tmp_path).stdout
    printed = re.findall(r"Position ID: (\S+)\s+Match ID\s+: (\S+)", shown)
    wanted = [tuple(position.id().split(":")) for position in found]
    assert len(found) > 3
    assert [one for one in wanted if one not in printed] == []
