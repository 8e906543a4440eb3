"""Long hostile text: records and typed moves are refused in time proportional to their length.

Nothing here looks at the clock. With a pattern that backtracks, a text of a million characters takes hours, and the
timeout of the suite ends the test.
"""

import random
import re
from functools import partial

import pytest

import tablier
from tablier import records
from tablier.backgammon import load_match
from tablier.games import home_of
from tablier.games.backgammon import match_text
from tablier.games.backgammon.typed import read_paths
from tablier.messages import MessageError, said
from tablier.players import make_player
from tablier.record_format import HEADER_LENGTH

SIZES = (1_000, 30_000, 1_000_000)
REPEATED = {
    "spaces": " ",
    "wide spaces": "\N{NO-BREAK SPACE}",
    "digits": "1",
    "brackets": "(",
    "colons": ":",
    "scores": ":1  ",
    "quotes": '"',
    "backslashes": "\\",
    "points": "1/",
}
GAME = " 3 point match\n Game 1\n"
MATCH_STARTS = {
    "length": " 3",
    "after the length": " 3 point match",
    "number of the game": " 3 point match\nGame",
    "after the number": " 3 point match\nGame 1",
    "line": GAME,
    "first name": GAME + "a",
    "first score": GAME + "a:1",
    "second name": GAME + "a:1  b",
    "second score": GAME + "a:1  b:1",
    "number of the turn": GAME + " 1",
    "turn": GAME + " 1)",
    "result in a turn": GAME + " 1) Wins",
    "points in a turn": GAME + " 1) Wins 1",
    "result": GAME + "Wins",
    "points": GAME + "Wins 1",
    "dice": GAME + " 1) 31:",
    "move": GAME + " 1) 31: 8/5",
    "comment": ";",
    "value of a tag": ';[a "',
    "after a tag": ';[a "b"]',
}
OTHER_STARTS = {
    "SGF": "(",
    "SGF node": "(;GM[6]",
    "SGF value": "(;GM[6]PW[",
    "SGF move": "(;GM[6];W[31",
    "SGF rules": "(;GM[6]RU[",
    "name of the game": '[Game "',
    "text": '[Game "trictrac"]\n',
    "tag": '[Game "trictrac"]\n[White "',
    "option": '[Game "trictrac"]\n[Option holes_to_win "',
    "throw": '[Game "trictrac"]\ndraw 5-3, White begins\n1. White 5-3:',
    "JSON": "{",
    "JSON value": '{"game":',
    "JSON actions": '{"game":"pig","options":{},"actions":[',
}


def repeated(text, size):
    return text * (size // len(text))


def refused(read, text):
    """Returns the reason for which a text is refused."""
    with pytest.raises(ValueError, match=r"\S") as caught:
        read(text)
    return str(caught.value)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("what", REPEATED)
@pytest.mark.parametrize("start", MATCH_STARTS | OTHER_STARTS)
def test_records_with_a_long_run_of_characters_are_refused(start, what, size):
    text = (MATCH_STARTS | OTHER_STARTS)[start] + repeated(REPEATED[what], size)
    for end in ("x", "\nx", '"]x', ")]x"):
        refused(records.load, text + end)


@pytest.mark.parametrize("what", REPEATED)
@pytest.mark.parametrize("start", MATCH_STARTS)
def test_long_lines_of_match_text_could_be_read_without_the_limit(monkeypatch, start, what):
    """The patterns themselves must not backtrack, whatever the limit is."""
    monkeypatch.setattr(match_text, "MAX_LINE", 10**9)
    for end in ("x", '"]x'):
        refused(load_match, MATCH_STARTS[start] + repeated(REPEATED[what], SIZES[-1]) + end + "\nx")


def long_moves(what):
    """Yields typed moves with a long run of characters in different places."""
    for start in ("8/5", "8/5("):
        for end in ("x", "(x"):
            yield start + repeated(REPEATED[what], SIZES[-1]) + end


@pytest.mark.parametrize("what", REPEATED)
@pytest.mark.parametrize("name", ["backgammon", "trictrac"])
def test_long_typed_moves_are_refused(name, what):
    game = tablier.load_game(name)
    state, home = game.new_initial_state(), home_of(game)
    while state.is_chance_node():
        state = state.child(state.legal_actions()[-2])
    for text in long_moves(what):
        refused(partial(home.read, state), text)


@pytest.mark.parametrize("what", REPEATED)
def test_long_moves_of_a_record_are_refused(what):
    for text in long_moves(what):
        refused(read_paths, text)


@pytest.mark.parametrize("gap", [" ", "\t", "\N{NO-BREAK SPACE}", " " * 100])
def test_space_before_the_count_of_a_move_is_ignored(gap):
    assert read_paths(f"13/7{gap}(2){gap}8/7{gap}") == read_paths("13/7(2) 8/7")


def test_a_line_of_match_text_has_a_maximum_length():
    line = "a" * (match_text.MAX_LINE + 1)
    with pytest.raises(MessageError, match=r"^line 3, 'aaa.*\.\.\.': a line can have at most 2000") as caught:
        load_match(GAME + line)
    assert "this one has 2001" in str(caught.value)
    assert "une ligne compte au plus 2000 caractères" in said(caught.value, "fr")
    with pytest.raises(MessageError, match="not a turn"):
        load_match(GAME + line[1:])


def test_the_longest_names_fit_on_a_line():
    header = {"White": "w" * HEADER_LENGTH, "Black": "b" * HEADER_LENGTH}
    (one,) = load_match(f"{GAME} {header['White']} : 12345     {header['Black']} : 12345")
    assert one.header == header


def test_comments_can_be_longer_than_other_lines():
    (one,) = load_match(f'; {"a" * 10_000}\n;[Event "{"e" * 10_000}"]\n{GAME}')
    assert one.header == {"Event": "e" * HEADER_LENGTH}


def test_the_header_of_match_text_has_a_maximum_number_of_keys():
    tags = [f'; [key{number} "x"]\n' for number in range(match_text.MAX_TAGS + 1)]
    (one,) = load_match("".join(tags[:-1] * 2) + GAME)
    assert len(one.header) == match_text.MAX_TAGS
    with pytest.raises(MessageError, match=r"^line 101, .* at most 100 header keys") as caught:
        load_match("".join(tags) + GAME)
    assert "au plus 100 rubriques" in said(caught.value, "fr")


def test_match_text_that_could_not_be_read_back_is_not_written():
    game, keys = tablier.load_game("backgammon"), [f"key{number}" for number in range(match_text.MAX_TAGS + 1)]
    header = dict.fromkeys(["White", "Black", *keys[:-1]], "x")
    assert load_match(records.dump(game, [], header, form="mat"))[0].header == header
    with pytest.raises(MessageError, match="at most 100 header keys"):
        records.dump(game, [], dict.fromkeys(keys, "x"), form="mat")


def test_match_text_has_a_maximum_number_of_games(monkeypatch):
    monkeypatch.setattr(match_text, "MAX_GAMES", 3)
    assert len(load_match("Game 1\n" * 3)) == 3
    with pytest.raises(MessageError, match=r"^line 4, .* at most 3 games") as caught:
        load_match("Game 1\n" * 4)
    assert "au plus 3 parties" in said(caught.value, "fr")


PLAYERS = re.compile(r"\s*(.*?)\s*:\s*(\d{1,5})\s{2,}(.*?)\s*:\s*(\d{1,5})\s*")
"""The line with the players, as a pattern that is easy to read but takes cubic time."""


def test_players_are_read_as_the_plain_pattern_reads_them():
    draw, names = random.Random(5), 0
    pieces = ["a", ":", " ", "  ", "1", "23", ": 0  ", " : ", "\N{NO-BREAK SPACE}", "123456"]
    for _ in range(5_000):
        line = "a" + "".join(draw.choice(pieces) for _ in range(draw.randrange(4, 14)))
        if not (found := PLAYERS.fullmatch(line)):
            assert "not a turn" in refused(load_match, GAME + line)
        elif f"{found[1]}{found[3]}".isprintable():
            (one,) = load_match(GAME + line)
            assert (one.header["White"], one.header["Black"]) == (found[1], found[3])
            assert one.score == (int(found[2]), int(found[4]))
            names += 1
    assert names > 200


@pytest.mark.parametrize("word", ["Wins", "wins", "WINS", "Win\N{LATIN SMALL LETTER LONG S}"])
def test_a_result_is_read_in_any_case(word):
    """The long s equals s when case is ignored, but not after str.lower()."""
    text = (f"{GAME}  1) 31: 8/5 6/5\n{' ' * indent}{word} 1 point" for indent in (0, 6, 34))
    assert [len(load_match(one)[0].actions) for one in text] == [2, 2, 2]


def test_a_move_is_not_chosen_by_the_first_digits_of_a_long_number():
    game = tablier.load_game("trictrac")
    state = game.new_initial_state()
    while state.is_chance_node():
        state = state.child(state.legal_actions()[-2])
    with pytest.raises(MessageError, match="a single number picks a move"):
        home_of(game).read(state, "0000000019")


@pytest.mark.parametrize("text", ["mcts:c=" + "1" * 1_000_000 + "x", "mcts:c=" + "1." * 500_000])
def test_long_player_strings_are_refused(text):
    with pytest.raises(MessageError):
        make_player(text, tablier.load_game("pig"))
