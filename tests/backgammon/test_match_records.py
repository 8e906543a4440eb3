"""Records of other programs: match text and SGF, read, written, and refused with the line and the reason."""

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import tablier
from tablier import records
from tablier.backgammon import GameRecord, dump_match, load_match
from tablier.messages import MessageError, said

GAMES = Path(__file__).parent / "games"  # a match that GNU Backgammon 1.07 played and wrote in both formats
GNUBG = shutil.which("gnubg") or ("/usr/games/gnubg" if Path("/usr/games/gnubg").is_file() else None)
FORMS = ("mat", "sgf")


def saved(form):
    return (GAMES / f"match.{form}").read_text(encoding="utf-8")


def played(start="standard", seed=1, most=None):
    """Returns a random game and its actions, without equal dice in the opening, which records leave out."""
    game, chance = tablier.load_game("backgammon", start=start), random.Random(seed)
    state, actions = game.new_initial_state().child(2), [2]
    while not state.is_terminal() and (most is None or len(actions) < most):
        actions.append(chance.choice(state.legal_actions()))
        state = state.child(actions[-1])
    return game, tuple(actions)


def states(game, actions):
    """Returns the states after each turn: actions may be spelled otherwise within one."""
    state, found = game.new_initial_state(), []
    for action in actions:
        state = state.child(action)
        if state.is_chance_node() or state.is_terminal():
            found.append(state)
    return found


def test_a_match_by_another_program_is_read_the_same_in_both_formats():
    mat, sgf = (load_match(saved(form)) for form in FORMS)
    assert [(one.length, one.score, one.number, len(one.actions)) for one in mat] == [
        (3, (0, 0), 1, 97),
        (3, (0, 2), 2, 134),
    ]
    assert [one.actions for one in mat] == [one.actions for one in sgf]
    assert mat[0].header | {"White": "gnubg", "Black": "second"} == mat[0].header
    first = mat[0].game.new_initial_state()
    for action in mat[0].actions:
        first.apply_action(action)
    assert first.is_terminal()
    assert first.returns() == [-2, 2]


@pytest.mark.parametrize("form", FORMS)
def test_a_match_comes_back_as_it_was_written(form):
    games = load_match(saved("mat"))
    again = load_match(dump_match(games, form))
    assert [one.actions for one in again] == [one.actions for one in games]
    assert [(one.length, one.score, one.number) for one in again] == [(3, (0, 0), 1), (3, (0, 2), 2)]
    assert dump_match(again, form) == dump_match(load_match(dump_match(again, form)), form)


@pytest.mark.parametrize("start", ["standard", "nackgammon", "hyper", "long"])
@pytest.mark.parametrize("form", FORMS)
def test_a_game_of_any_start_comes_back(form, start):
    game, actions = played(start)
    header = {"White": "one: two", "Black": "B ] \\ b", "Date": "2025-01-02"}
    text = records.dump(game, actions, header, form=form)
    again, found, told = records.load_header(text)
    assert again.options()["start"] == start
    assert states(again, found) == states(game, actions)
    assert told["Date"] == "2025-01-02"
    assert told["Black"] == "B ] \\ b"
    assert told["White"] == ("one two" if form == "mat" else "one: two")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scoring", ["gammons", "win_loss"])
def test_games_are_written_with_the_points_that_other_programs_count(form, scoring):
    games = (played("hyper", seed) for seed in range(100))
    game, actions = next(found for found in games if max(states(*found)[-1].returns()) == 3)
    text = records.dump(tablier.load_game("backgammon", start="hyper", scoring=scoring), actions, form=form)
    assert text == records.dump(game, actions, form=form)
    assert states(*records.load(text)) == states(game, actions)


@pytest.mark.parametrize("form", FORMS)
def test_games_of_a_match_can_start_from_different_positions(form):
    games = [GameRecord(*played(start), {}) for start in ("hyper", "hyper", "standard", "nackgammon")]
    again = load_match(dump_match(games, form))
    assert [one.game.options()["start"] for one in again] == ["hyper", "hyper", "standard", "nackgammon"]
    assert dump_match(again, form) == dump_match(load_match(dump_match(again, form)), form)


@pytest.mark.parametrize("form", FORMS)
def test_a_record_can_end_anywhere(form):
    game, actions = played(seed=3)
    state, halves = game.new_initial_state(), 0
    for most, action in enumerate(actions[:80], 1):
        state = state.child(action)
        if state.current_player() >= 0 and state.action_to_string(state.legal_actions()[0]) == "pass":
            continue  # a forced pass is played, because other programs write nothing for it
        halves += state.current_player() >= 0 and "two more moves" in str(state)
        again, found = records.load(records.dump(game, actions[:most], form=form))
        last = again.new_initial_state()
        for one in found:
            last.apply_action(one)
        assert last == state
    assert halves


@pytest.mark.parametrize("length", range(20, 40))
def test_long_names_are_read_back(length):
    names = {"White": "w" * length, "Black": "b" * length}
    (again,) = load_match(dump_match([GameRecord(tablier.load_game("backgammon"), (), names)]))
    assert {key: again.header[key] for key in names} == names


def test_equal_dice_in_the_opening_are_left_out():
    game = tablier.load_game("backgammon")
    _, found = records.load(records.dump(game, [0, 7, 12], form="sgf"))
    assert found == (12,)


def test_records_of_one_game_only_are_loaded_as_a_game():
    with pytest.raises(MessageError, match="2 games"):
        records.load(saved("mat"))


HEAD = " 0 point match\n\n Game 1\n White : 0                      Black : 0\n"
SPELLED = {
    "one man in one step": HEAD + "  1) 65: 24/13                   31: 8/5 6/5",
    "with words": HEAD + "  1) 65: 24/18/13                 31: 6/5 8/5",
    "in capitals": "\ufeff" + HEAD.upper() + "  1) 65: 24/18 18/13              31: 8/5 6/5\r\n",
}


@pytest.mark.parametrize("name", SPELLED)
def test_other_spellings_are_read(name):
    (one,) = load_match(SPELLED[name])
    assert len(one.actions) == 4
    assert states(one.game, one.actions) == states(*wanted())


def wanted():
    (one,) = load_match(HEAD + "  1) 65: 24/18 18/13              31: 8/5 6/5")
    return one.game, one.actions


def test_the_player_on_the_right_can_start():
    (one,) = load_match(HEAD + "  1)                              31: 8/5 6/5\n  2) 11: 8/7(2) 6/5(2)\n")
    assert one.actions[0] == 2  # White's die 1, Black's die 3


REFUSED = {
    HEAD + "  1) 31: 8/3": (5, "not a legal play of 3 and 1"),
    HEAD + "  1) 31: 8/5 6/5                 31: 7/4 6/5": (5, "no man on 7"),
    HEAD + "  1) 31: 8/5 6/5                 31: 8/5": (5, "play more"),
    HEAD + "  1) 31: 8/5 6/5                 31: Cannot Move": (5, "can move, and must"),
    HEAD + "  1) 33: 8/5(2) 6/3(2)": (5, "cannot be a doublet"),
    HEAD + "  1) 31: 8/5 6/5\n  2) 42: 8/4 6/4": (6, "Black's turn"),
    HEAD + "  1) 31:                         42: 8/4 6/4": (5, "not played to its end"),
    HEAD + "  1) 31: 8/5 6/5                 Doubles => 2": (5, "without the doubling cube"),
    HEAD + "  1) what is this": (5, "not a turn"),
    HEAD + "and this": (5, "not a turn"),
    " 3 point match\n  1) 31: 8/5 6/5": (2, "a game begins"),
    '; [Variation "Chess"]\n' + HEAD: (1, "variation"),
    "(;GM[6]PW[a]PB[b]\n;W[31hefe]\n;W[31hefe])": (3, "Black's turn"),
    "(;GM[6]PW[a]\n;W[31heff])": (2, "not a move"),
    "(;GM[6]PW[a]\n;W[31gdfe])": (2, "no man on 7"),
    "(;GM[6]\n;W[31hefe]\n;B[double])": (3, "without the doubling cube"),
    "(;GM[6]\nAE[a:y]AW[a])": (2, "set up by hand"),
    "(;GM[6]RU[Hypergammon1])": (1, "variation"),
    "(;GM[6];W[31hefe]) nonsense": (1, "not SGF"),
    "(;GM[6];W)": (1, "not SGF"),
}


@pytest.mark.parametrize(("text", "line", "reason"), [(text, *told) for text, told in REFUSED.items()])
def test_wrong_records_are_refused_with_the_line_and_the_reason(text, line, reason):
    with pytest.raises(MessageError, match=f"^line {line}, .*{re.escape(reason)}") as caught:
        load_match(text)
    assert said(caught.value, "fr").startswith(f"ligne {line}, ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(;GM[6];W[31hefe]", "ends within a game"),
        (" 3 point match\n", "no game"),
        ("hello", "not a record of backgammon"),
        ("(;GM[1];W[aa])", "not a record of backgammon"),
    ],
)
def test_what_is_no_record_is_refused(text, reason):
    with pytest.raises(MessageError, match=reason):
        load_match(text)


def test_a_result_that_the_rules_contradict_is_refused():
    text = saved("mat").replace("Wins 2 points", "Wins 3 points")
    with pytest.raises(MessageError, match=r"line 30, .*Black wins 2"):
        load_match(text)
    text = saved("sgf").replace("RE[B+2]", "RE[W+2]")
    with pytest.raises(MessageError, match="Black wins 2"):
        load_match(text)


def test_only_known_formats_are_written():
    game, actions = played()
    assert records.formats(game) == FORMS
    with pytest.raises(MessageError, match="'pgn' is not a format for backgammon"):
        records.dump(game, actions, form="pgn")
    with pytest.raises(MessageError, match="formats of other programs: none"):
        records.dump(tablier.load_game("pig"), [0], form="mat")
    with pytest.raises(MessageError, match="no game"):
        dump_match([])
    with pytest.raises(MessageError, match="action 1"):
        dump_match([GameRecord(game, (12, 3), {})])


@pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")
@pytest.mark.parametrize("form", FORMS)
def test_gnu_backgammon_reads_what_is_written(tmp_path, form):
    game, actions = played(seed=6)
    (tmp_path / f"game.{form}").write_text(records.dump(game, actions, form=form), encoding="utf-8")
    load = "import mat game.mat" if form == "mat" else "load match game.sgf"
    typed = f"{load}\nsave match again.sgf\nquit\ny\n"
    subprocess.run([GNUBG, "-t", "-q"], input=typed, capture_output=True, text=True, cwd=tmp_path, check=False)
    (again,) = load_match((tmp_path / "again.sgf").read_text(encoding="utf-8"))
    assert states(again.game, again.actions) == states(game, actions)
