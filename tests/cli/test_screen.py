"""Output fits the screen: its width is respected, words are not split, and headings label every number."""

import io
import re

import pytest
from terminal import Terminal, tablier

from tablier.candidate import Candidate
from tablier.cli.terminal.opinions import show_opinions
from tablier.cli.terminal.screen import Screen
from tablier.registry import load_game


@pytest.mark.parametrize(
    "arguments",
    [
        ["games"],
        ["games", "trictrac"],
        ["simulate", "--seed", "5", "--players", "heuristic", "--options", "schools=true,holes_to_win=1"],
    ],
)
def test_lines_end_between_words_where_the_screen_ends(arguments):
    wide, narrow = tablier(*arguments).stdout, tablier(*arguments, env={"COLUMNS": "60"}).stdout
    assert max(map(len, wide.splitlines())) > 60
    assert max(map(len, narrow.splitlines())) < 60
    assert narrow.split() == wide.split(), "the same words"


def test_lines_end_between_words_in_a_terminal():
    screen = Terminal("play", "--seed", "7", "--against", "heuristic", env={"COLUMNS": "50"})
    screen.until("White 5-1 > ")
    screen.typed("help\n")
    shown = re.sub(r"\x1b\[[0-9;?]*[a-z]", "", screen.until("White 5-1 > "))
    assert max(len(line.rstrip()) for line in shown.splitlines()) < 50
    screen.typed("quit\n")
    screen.until("Save the game?")
    screen.typed("\n")
    assert screen.code() == 0


def test_a_word_that_is_longer_than_the_screen_stays_whole(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    stream = io.StringIO()
    Screen(stream=stream).text(f"See {'x' * 50} for more.", indent="  ")
    assert stream.getvalue() == f"  See\n  {'x' * 50}\n  for more.\n"


def test_points_in_a_hint_have_a_unit():
    stream = io.StringIO()
    state = load_game("pig").new_initial_state()
    show_opinions(Screen(stream=stream), state, [Candidate(1, "roll", 0.5, win_chance=0.5, points=-19.7)])
    heading, row = stream.getvalue().splitlines()
    assert heading.split("   ")[-1] == "points, next throw"
    assert row.endswith(" -19.7")
