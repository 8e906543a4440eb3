"""Why a move is not legal: each rule of docs/rules.md is named by a position in which only that rule forbids a step."""

import random

import pytest

import tablier
from tablier.games import home_of
from tablier.games.trictrac.lessons.drawn import board
from tablier.games.trictrac.steps import orders
from tablier.messages import render
from tablier.players import make_player
from tablier.trictrac import Position

HOME = home_of(tablier.load_game("trictrac"))
THEIRS = "24:13 23:1 22:1"
"""Black after one move."""


def told(drawing, dice, *tried):
    """Returns why the last of some steps is not legal, for White, who has thrown; the drawing lists the men."""
    state = Position(board=board(drawing)).throw(*dice)
    steps = {step[:2] for found in orders(state).values() for order in found for step in order[:1]}
    assert len(tried) > 1 or tried[0] not in steps, "the step is legal"
    return [render(text, "en") for text in HOME.why_not(state, tried)]


@pytest.mark.parametrize(
    ("drawing", "dice", "tried", "rule"),
    [
        # 3: where a man may stop
        ("1:9 10:2 12:4 | 24:12 23:2 15:1", (5, 2), [(10, 15)], "An opposing man blocks field 15."),
        ("1:9 10:2 12:4 | 24:12 15:3", (5, 2), [(10, 15)], "3 opposing men block field 15."),
        (f"1:13 8:2 | {THEIRS}", (5, 2), [(8, 13)], "Field 13 is the opponent's rest corner."),
        ("1:9 10:2 12:4 | 24:11 14:2 17:2", (5, 2), [(12, 19)], "opposing men block both: 14 17"),
        (f"1:13 4:2 | {THEIRS}", (5, 2), [(4, 3)], "Men only move forward."),
        (f"1:13 4:2 | {THEIRS}", (5, 2), [(4, 8)], "No number of this throw leads from field 4 to field 8."),
        (f"1:13 4:2 | {THEIRS}", (5, 2), [(3, 5)], "There is no man on field 3."),
        (f"1:13 4:2 | {THEIRS}", (5, 2), [(24, 5)], "belong to the other player"),
        (f"1:13 4:2 | {THEIRS}", (5, 2), [(1, 3), (1, 6), (4, 6)], "Both numbers have been played."),
        # 3.1: both numbers
        (
            "7:1 8:2 9:2 10:4 11:4 12:2 | 13:6 14:2 15:3 16:2 17:2",
            (5, 2),
            [(7, 9)],
            "After this 2, the 5 could not be played.",
        ),
        # 3.2: to fill and to keep
        (f"1:4 2:2 3:2 4:2 5:2 6:1 8:2 | {THEIRS}", (5, 1), [(2, 7)], "This throw can fill the small jan, so it must."),
        (
            f"1:5 2:2 3:2 4:2 5:2 6:2 | {THEIRS}",
            (6, 5),
            [(2, 8)],
            "This throw can keep the small jan full, so it must.",
        ),
        # 4: the corner
        (f"1:13 7:1 4:1 | {THEIRS}", (5, 2), [(7, 12)], "The rest corner is taken by two men in the same throw"),
        ("1:9 5:2 6:2 12:2 | 13:5 14:5 15:5", (4, 3), [(12, 16)], "The last two men leave the rest corner"),
        (f"1:11 8:2 11:1 9:1 | {THEIRS}", (3, 2), [(11, 12)], "To take the corner by power, two men must"),
        (f"1:10 5:1 6:1 7:1 8:2 | {THEIRS}", (6, 5), [(8, 12)], "taken by effect with this throw"),
        # 5: forbidden jans
        (f"1:9 11:2 12:4 | {THEIRS}", (6, 3), [(11, 17)], "Field 17 is in the opponent's big jan."),
        # 6: bearing off
        ("18:1 22:14 | 1:15", (3, 2), [(22, 0)], "one is on field 18"),
        ("20:1 22:2 23:12 | 1:15", (5, 4), [(23, 0)], "A 4 is too large for this man."),
    ],
)
def test_the_rule_that_forbids_a_step(drawing, dice, tried, rule):
    (found,) = told(drawing, dice, *tried)
    assert rule.replace("'", "\u2019") in found


def test_a_man_that_cannot_move_is_told_why_for_each_number():
    assert told("1:9 10:2 12:4 | 24:11 14:2 17:2", (5, 2), (12, None)) == [
        "By 5: 2 opposing men block field 17.",
        "By 2: 2 opposing men block field 14.",
    ]


def test_every_illegal_step_of_real_games_has_a_rule():
    """No step of two hundred decisions is refused without a rule of its own."""
    game = tablier.load_game("trictrac")
    player, dice = make_player("heuristic", game), random.Random(5)
    state, vague, asked = game.new_initial_state(), [], 0
    for _ in range(400):
        if state.is_terminal():
            state = game.new_initial_state()
        if state.is_chance_node():
            state = state.child(dice.choice(state.legal_actions()))
            continue
        plays = [order for found in orders(state).values() for order in found if order]
        now = Position.of(state)
        men = now.board if now.player == 0 else [-count for count in reversed(now.board)]
        legal = {order[0][:2] for order in plays}
        for start in range(1, 25) if plays else ():
            for number in set(now.dice):
                to = start + number if start + number < 25 else 0
                if men[start - 1] > 0 and (start, to) not in legal:
                    (why,) = HOME.why_not(state, [(start, to)])
                    asked += 1
                    assert render(why, "fr") != render(why, "en")
                    if why.key.endswith(("no_play", "no_number", "excess_last")):
                        vague.append((now.id(), start, to))
        state = state.child(player.choose(state))
    assert asked > 200
    assert vague == []
