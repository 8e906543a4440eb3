"""Records that are nearly right. Each is read, or refused with a ValueError that says why.

What is read can be written in every format, and read again.
"""

from pathlib import Path

import pytest
from changing import changed, composed, said, spliced, spliced_json
from hypothesis import given
from known_games import KEPT, random_actions
from wrong_records import MONEY, OPENED, WRONG, WRONG_MATCHES, WRONG_TRICTRAC

import tablier
from tablier import records
from tablier.backgammon import dump_match, load_match
from tablier.trictrac import Record, RecordError

TESTS = Path(__file__).parent.parent
HEADER = {"date": "2026-11-17", "White": 'a "b" \\ c'}
BEGUN = [tablier.load_game(name) for name in tablier.registered_games()]
ENDED = [
    tablier.load_game(name, **options)
    for name, options in (
        ("pig", {"win_score": 10}),
        ("tic_tac_toe", {}),
        ("backgammon", {"start": "hyper"}),
        ("trictrac", {"holes_to_win": 1, "last_throw_carries_over": True, "jan_de_rencontre": True}),
        ("trictrac_a_ecrire", {"marques": 3, "players": 3}),
    )
]
GAMES = [(game, random_actions(game, count)) for count in (12, 50) for game in BEGUN]
GAMES += [(game, random_actions(game, 10_000)) for game in ENDED]
RECORDS = [records.dump(game, actions, HEADER, as_json=as_json) for game, actions in GAMES for as_json in (False, True)]
RECORDS += [text for text in KEPT if len(text) < 2_000]
OBJECTS = [text for text in RECORDS if text.startswith("{")]
BEGINS = ["", '[Game "pig"]\n', '[Game "trictrac"]\n', '[Game "trictrac"]\n[Option first_throw "white"]\n']
KNOWN = [
    '[Game "pig"]\n', '[Game "trictrac"]\n', '[Option schools "true"]\n', '[Option holes_to_win "x"]\n', "[\n", "x\n",
    '[Option x "1"]\n', '[White "a"]\n', "unfinished\n", "unfinished, White rolls\n", "tokens 1 2\n", "null", "{}",
    "setting 2, White begins\n", "White wins, stake 1\n", "pass", "leave", "hold", "|", "...", "claims nothing", "\n",
    '"format"', '"game"', '"options"', '"header"', "corrects", "[]",
]  # fmt: skip
KEYS = ["x", "name", "game", "options", "format", "version", "header"]

SHORT = [
    dump_match(load_match(records.dump(game, random_actions(game, count), HEADER, form=form)) * 2, form)
    for start in ("standard", "nackgammon", "hyper", "long")
    for game in [tablier.load_game("backgammon", start=start)]
    for form in ("mat", "sgf")
    for count in (9, 10_000 if start == "hyper" else 30)
]
SHORT += [dump_match(load_match(SHORT[0])[:1] + load_match(SHORT[-1])[:1]), '; [Game "1"]\n' + SHORT[0]]
PLAYED = [path.read_text() for path in sorted((TESTS / "backgammon/games").iterdir())]
MATCHES_BEGIN = [" 3 point match\n", MONEY, OPENED, "(;GM[6]", "(;GM[6];W[31hefe]", "(;GM[6]MI[length:5])"]
KNOWN_IN_MATCHES = [
    " 3 point match\n", " Game 2\n", " White : 0   Black : 1\n", ";\n", '; [Variation "Hypergammon3"]\n', "x\n",
    '; [Game "1"]\n', '; [Event "x"]\n', "  1) Doubles => 2\n", "66:", "11:\n", "Cannot Move", "off", "bar", "13/7(2)",
    "13/7/1", "42: Cannot Move\n", "  9) x 31:\n", "  9) 31: 31: 31:\n", "  9) x\n", "  9)\n", "      Wins 2 points\n",
    "\t\t\t\t\t\tWins 1 point\n", "(;FF[4]GM[6];W[31hefe])", "GM[5]", "AE[a]", "RU[Hypergammon3]", "RU[x:Nackgammon]",
    "RE[W+1]", "RE[B+3R]", "RE[x]", "MI[length:3][game:0][ws:1][bs:0]", "MI[x]", "PB[\\\\\\]]", ";B[drop]", ";W[11]",
    ";B[66]", ";W[31", "W[xy]", "W[31eh]", "W[31xzyx]", "(", ")", "()", ";", "W", "[x]",
]  # fmt: skip


def test_the_records_that_are_changed_can_be_read():
    for text in (*RECORDS, *KEPT):
        read_and_written(text)
    for text in (*PLAYED, *SHORT):
        assert len(load_match(text)) == 2
        with pytest.raises(ValueError, match="2 games"):
            records.load(text)


@pytest.mark.parametrize("reader", [records.load, Record.parse, Record.from_json])
def test_wrong_records(reader):
    for text in WRONG:
        with pytest.raises(ValueError, match=".") as error:
            reader(text)
        said(error.value)


def test_wrong_records_of_trictrac_are_refused_for_different_reasons():
    reasons = []
    for text in WRONG_TRICTRAC:
        with pytest.raises(RecordError) as error:
            Record.from_json(text)
        reasons.append(str(error.value))
    assert len(set(reasons)) == len(reasons) - 1  # a key too many, and throws that are no list, have the same


def test_wrong_records_of_matches():
    for text in WRONG_MATCHES:
        with pytest.raises(ValueError, match=".") as error:
            load_match(text)
        said(error.value)


def test_a_field_too_many_is_refused_in_every_line():
    lines = next(text for text in RECORDS if text.startswith('[Game "trictrac"]')).splitlines()
    for number, line in enumerate(lines):
        with pytest.raises(ValueError, match="."):
            records.load("\n".join([*lines[:number], f"{line} | x", *lines[number + 1 :]]))


def reached(game, actions):
    """Returns the last state: formats may order moves in their way, and leave out equal dice of the opening."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def read_and_written(text):
    """Reads a record and checks that it is read again from every format in which it is written."""
    game, actions, header = records.load_header(text)
    for as_json in (False, True):
        assert records.load_header(records.dump(game, actions, header, as_json=as_json)) == (game, actions, header)
    for form in records.formats(game):
        other, found = records.load(records.dump(game, actions, header, form=form))  # the game may count otherwise
        assert reached(other, found) == reached(other, actions)


def read_or_refused(text):
    try:
        records.load(text)
    except ValueError as error:
        said(error)
    else:
        read_and_written(text)


@given(changed(RECORDS) | spliced(RECORDS, KNOWN) | composed(BEGINS, KNOWN) | spliced_json(OBJECTS, KEYS))
def test_records(text):
    read_or_refused(text)


@given(changed([text.encode() for text in RECORDS]))
def test_records_as_bytes(data):
    read_or_refused(data)


@given(changed(SHORT) | spliced(SHORT, KNOWN_IN_MATCHES) | composed(MATCHES_BEGIN, KNOWN_IN_MATCHES))
def test_records_of_matches(text):
    try:
        games = load_match(text)
    except ValueError as error:
        return said(error)
    for form in ("mat", "sgf"):
        again = load_match(dump_match(games, form))
        assert [reached(one.game, one.actions) for one in again] == [reached(one.game, one.actions) for one in games]
    return None
