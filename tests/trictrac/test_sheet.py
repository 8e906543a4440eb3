"""The score sheet of the scored game: the payments of the books, and an account that adds up."""

import random

import pytest

import tablier
from tablier._core import trictrac
from tablier.games import home_of
from tablier.games.trictrac.sheet import _consolation, _factor
from tablier.messages import Message, render

TAILS = [Message(f"trictrac.sheet.{name}") for name in ("tail", "final_tail", "bets")]
"""Rows that only pass tokens from one player to another by the end of the game."""


def played(seed, **options):
    """Plays a random game; yields its home, the lines of the sheet so far and the state after each marqué."""
    game = tablier.load_game("trictrac_a_ecrire", **options)
    home, state, lines, chance = home_of(game), game.new_initial_state(), [], random.Random(seed)
    while not state.is_terminal():
        legal = state.legal_actions()
        action = trictrac.LEAVE if trictrac.LEAVE in legal and chance.random() < 0.5 else chance.choice(legal)
        before, state = state, state.child(action)
        if (line := home.sheet_line(before, action, state)) is not None:
            lines.append(line)
            yield home, list(lines), before, state


@pytest.mark.parametrize(
    "options",
    [
        {"marques": 24},
        {"marques": 4, "final_tail": 100, "tail_tokens_per_loss": 1},
        {"marques": 3, "players": 3, "refait_consolation": "linear"},
        {"marques": 4, "bredouille_progression": "every six holes", "bets": False},
    ],
    ids=str,
)
def test_every_line_is_what_is_paid_and_the_account_adds_up(options):
    refaits = 0
    for seed in range(6):
        for home, lines, before, state in played(seed, **options):
            old, new = trictrac.parts(before).account, trictrac.parts(state).account
            last = lines[-1]
            refaits += last["refait"]
            if not last["refait"] and not state.is_terminal():
                assert new.tokens[last["winner"]] - old.tokens[last["winner"]] == last["paid"]
            sheet = home.sheet(lines, state)
            *_, total = sheet["rows"]
            assert total["cells"] == list(new.tokens)
            sums = [row["cells"] for row in sheet["rows"] if row["kind"] == "sum"]
            assert [sum(column) for column in zip(*sums, strict=True)] == total["cells"]
            if state.is_terminal():
                assert sum(total["cells"]) == 0
                assert all(sum(row["cells"]) == 0 for row in sheet["rows"] if row["label"] in TAILS)
    assert refaits or options["marques"] < 24


@pytest.mark.parametrize(
    ("holes", "other", "run", "paid"),
    [(9, 8, False, 3), (9, 8, True, 14), (11, 6, True, 20), (12, 6, True, 50), (18, 6, True, 74), (6, 1, True, 15)],
)
def test_the_payments_of_the_books(holes, other, run, paid):
    """Lelasseux-Lafosse 222 to 224, and Lepeintre (docs/rules.md, 15.5)."""
    options = tablier.load_game("trictrac_a_ecrire").options()
    factor = _factor(holes, run, options)
    assert factor * (holes + _consolation(0, options)) - other == paid


def test_a_sheet_in_words():
    game = tablier.load_game("trictrac_a_ecrire")
    line = {"refait": False, "winner": 1, "loser": 0, "holes": 12, "other": 6, "factor": 4, "consolation": 4}
    lines = [{"holes": 8, "refait": True}, {**line, "idle": None, "paid": 58}]
    rows = home_of(game).sheet(lines, game.new_initial_state())["rows"]
    assert [render(row["text"], "en") for row in rows[:2]] == [
        "refait: 8 holes each",
        "12 holes to 6, grande bredouille, consolation 4",
    ]
    assert [row["label"] for row in rows[:2]] == ["1", "1"]  # the marqué is played again
    assert [row["cells"] for row in rows[:2]] == [[None, None], [None, 58]]
    ordinary = tablier.load_game("trictrac")
    assert home_of(ordinary).sheet([], ordinary.new_initial_state()) is None
