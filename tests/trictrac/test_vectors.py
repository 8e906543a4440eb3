"""The 458 positions, throws and figures printed in books between 1776 and 2013 (vectors.md), one test each.

Of the 40 vectors of kind "game" the 21 about marking and the 7 about the order of a game are played in real states. The
other 12 concern the scored game (rules.md, 15): ecrire-simple, ecrire-petite, ecrire-grande, ecrire-lafosse-a to -g,
ecrire-refait and ecrire-refait-condition. Their figures are checked against the engine's scored game and the oracle's
formula. No vector concerns schools other than leave-opp, whose hole may also come from a school.
"""

import json
from pathlib import Path

import pytest
from drawn import (
    BLACK,
    HOLD_OR_GO,
    MOVE,
    ROLL_WAITING,
    WHITE,
    after,
    by_the_rules,
    in_a_marque,
    leave,
    may_leave,
    men,
    parts,
    play,
    set_up,
    throw,
)
from oracle import START, consolation, is_refait, marque_payment

import tablier
from tablier._core import trictrac
from tablier.trictrac import Position

VECTORS = [json.loads(line) for line in (Path(__file__).parent / "vectors.jsonl").read_text().splitlines()]
KEYS = {
    "player_points",
    "opponent_points",
    "player_points_at_least",
    "jans",
    "fills",
    "jan",
    "legal_includes",
    "legal_excludes",
    "unique_result",
    "unplayed_numbers",
}


def of_kind(*kinds):
    return [pytest.param(v, id=v["id"]) for v in VECTORS if v["kind"] in kinds]


def games(wanted):
    return [pytest.param(v, id=v["id"]) for v in VECTORS if v["kind"] == "game" and wanted(v)]


def scored_game_vectors():
    """Returns (id, winner's holes, loser's holes, grade, tokens the loser pays) for each vector of the scored game.

    The grade is "single", "petite" or "grande"; these figures leave out the tail, bets and refaits.
    """
    grades = {"petite": "petite", "grande": "grande"}
    return [
        (
            v["id"],
            v["context"]["winner_holes"],
            v["context"]["loser_holes"],
            grades.get(v["context"]["bredouille"], "single"),
            v["expect"]["tokens"],
        )
        for v in VECTORS
        if "tokens" in v["expect"]
    ]


def test_there_are_458():
    assert len(VECTORS) == 458
    assert len({v["id"] for v in VECTORS}) == 458


@pytest.mark.parametrize("vector", of_kind("points", "legal"))
def test_printed_position(vector):
    expect = vector["expect"]
    assert set(expect) <= KEYS, "a key that nobody checks"
    check_position(vector["board"], *vector["dice"], vector["context"].get("roll_index", 4), expect)
    check_position(vector["board"], *reversed(vector["dice"]), vector["context"].get("roll_index", 4), expect)


def check_position(men, d1, d2, throw_index, expect):
    player, opponent, jans = trictrac.score(by_the_rules(), men, d1, d2, throw_index)
    finals = [final for final, _, _ in trictrac.plays(by_the_rules(), men, d1, d2)]
    assert player == expect.get("player_points", player), jans
    assert opponent == expect.get("opponent_points", opponent), jans
    assert player >= expect.get("player_points_at_least", 0), jans
    for name, ways in expect.get("jans", {}).items():
        assert jans.get(name, 0) == ways, name
    if "fills" in expect:
        names = ["fill_" + expect["jan"]] if "jan" in expect else ["fill_small", "fill_big", "fill_return"]
        assert any(name in jans for name in names) == expect["fills"]
    for play_ in expect.get("legal_includes", []):
        assert after(men, *play_) in finals
    for play_ in expect.get("legal_excludes", []):
        assert after(men, *play_) not in finals
    if "unique_result" in expect:
        assert finals == [after(men, *expect["unique_result"])]
    if "unplayed_numbers" in expect:
        assert jans.get("helpless", 0) == expect["unplayed_numbers"]


# --- marking: each pair of amounts by a throw that really gives them ------------------------------------------------

WORTH = {  # (to the mover, to the opponent): position, dice
    (0, 12): ("9:5 10:3 11:4 12:3 | 13:2 14:2 15:2 16:2 17:3 18:2 19:1 20:1", (5, 4)),
    (0, 18): ("3:2 7:1 8:2 9:2 10:3 11:3 12:2 | 13:2 14:2 15:2 16:2 17:2 18:2 22:1 23:1 24:1", (6, 6)),
    (2, 2): ("5:1 12:14 | 13:2 14:1 24:12", (6, 2)),
    (2, 6): ("10:9 11:6 | 13:3 14:1 15:4 16:4 17:1 18:1 19:1", (2, 5)),
    (4, 0): ("1:13 12:2 | 23:2 24:13", (3, 1)),
    (4, 2): ("7:1 12:14 | 13:2 14:1 24:12", (2, 5)),
    (4, 4): ("10:15 | 11:1 17:7 18:7", (1, 1)),
    (6, 12): ("6:2 7:2 8:2 9:2 10:2 11:3 12:2 | 13:2 14:2 15:2 16:2 17:3 18:2 19:1 20:1", (6, 6)),
    (8, 6): ("7:2 8:2 9:1 10:2 11:2 12:6 | 13:2 14:3 15:3 17:1 18:2 19:3 20:1", (5, 5)),
    (12, 0): ("7:3 8:3 9:3 10:2 11:1 12:3 | 3:12", (1, 3)),
    (12, 6): ("7:2 8:2 9:2 10:2 11:2 12:5 | 1:7 2:5 15:2 19:1", (4, 4)),
    (16, 0): ("7:2 8:2 9:4 10:2 11:2 12:3 | 18:1 24:14", (3, 3)),
    (18, 0): ("3:3 7:1 8:1 9:3 10:2 11:3 12:2 | 16:1 17:1 24:13", (5, 4)),
    (20, 0): ("1:13 9:1 10:1 | 14:1 15:1 17:1 19:1 20:1 22:1 24:9", (5, 5)),
    (28, 0): ("6:1 7:3 8:2 9:2 10:2 11:3 12:2 | 5:9 15:1 16:1 21:1 22:3", (4, 4)),
    (82, 0): (
        "2:1 3:1 7:2 8:1 9:1 10:2 11:2 12:2 16:1 17:1 18:1 | 4:1 5:6 14:1 15:1 19:1 20:1 21:1 22:1 23:1 24:1",
        (6, 6),
    ),
    (38, 0): ("2:1 4:1 5:2 7:2 8:2 9:2 10:1 11:2 12:2 | 14:1 16:1 17:1 20:1 22:1 23:1 24:9", (6, 5)),
}


FROM_THE_OTHERS_THROW = {"score-s54"}  # "18 from zero by false hits"


@pytest.mark.parametrize("first", [WHITE, BLACK], ids=["white", "black"])
@pytest.mark.parametrize("vector", games(lambda v: "marks" in v["context"]))
def test_marking(vector, first):
    """Player 0 of the vector plays White in one run and Black in the other."""
    context, expect = vector["context"], vector["expect"]
    amounts = [0, 0]
    for one in context["marks"]:
        amounts[one["player"]] = one["points"]
    mover = context["marks"][0]["player"]
    if vector["id"] in FROM_THE_OTHERS_THROW:
        mover = 1 - mover
    position, dice = WORTH[amounts[mover], amounts[1 - mover]]
    seat = [first, 1 - first]  # of the vector's players 0 and 1

    def by_seat(pair):
        return (pair[first], pair[1 - first])

    state = set_up(
        position,
        points=by_seat(context["points_before"]),
        points_run=by_seat(context["uninterrupted_before"]),
        mover=seat[mover],
        holes_to_win=100,
    )
    throw(state, *dice)
    assert parts(state).due == (amounts[mover], amounts[1 - mover])
    play(state)
    assert parts(state).holes == by_seat(expect["holes_gained"])
    assert parts(state).points == by_seat(expect["points_after"])


# --- the order of a game ----------------------------------------------------------------------------------------------

GIVES_4 = ("4:1 5:1 12:2 1:* | 17:1 18:1 21:1 22:2 23:1 24:*", (5, 1))
COSTS_4 = ("1:7 6:2 7:2 11:2 12:2 | 13:2 14:2 17:2 18:2 19:1 22:1 23:1 24:4", (6, 1))
LAST_TWO = "23:1 24:1 | 3:3 5:3"


def hole_by_own_throw():
    position, dice = GIVES_4
    return throw(set_up(position, points=(8, 0), points_run=(True, False)), *dice)


def leave_own():
    state = hole_by_own_throw()
    assert parts(state).holes == (2, 0)
    assert parts(state).stage == HOLD_OR_GO
    assert may_leave(state)
    assert len(state.legal_actions()) > 1, "they may also hold"


def leave_opp():
    position, dice = COSTS_4
    state = throw(set_up(position, points=(0, 8), points_run=(False, True)), *dice)
    assert parts(state).stage == MOVE
    play(state)
    assert parts(state).holes == (0, 2)
    assert parts(state).stage == ROLL_WAITING
    assert parts(state).player == BLACK


def leave_effect():
    vector = next(v for v in VECTORS if v["id"] == "lafosse-18-66")
    state = Position(board=vector["board"], points=(2, 4), points_run=(False, True), holes=(3, 1)).state()
    throw(state, 6, 6)
    assert parts(state).due == (14, 18)
    assert parts(state).holes == (4, 1)
    leave(state)
    facts = parts(state)
    assert facts.points == (0, 0)
    assert facts.points_run == (False, False)
    assert facts.holes == (4, 1)
    assert facts.board == START
    assert facts.player == WHITE
    assert facts.throws == (0, 0)
    assert state.is_chance_node()


def exit_effect():
    last_man_off((2, 1), 4)
    last_man_off((2, 2), 6)


def last_man_off(dice, gain):
    state = throw(set_up(LAST_TWO, points=(2, 6), points_run=(False, True), holes=(3, 4)), *dice)
    assert parts(state).points == (2 + gain, 6)
    play(state, (23, 25), (24, 25))
    facts = parts(state)
    assert facts.points == (2 + gain, 6)
    assert facts.holes == (3, 4)
    assert facts.board == START
    assert facts.player == WHITE
    assert facts.throws == (0, 0)
    assert state.is_chance_node()


def exit_hole():
    state = throw(set_up(LAST_TWO, points=(10, 6), points_run=(False, True), holes=(3, 4)), 2, 1)
    assert parts(state).points == (2, 0)
    assert may_leave(state)
    leave(state)
    assert parts(state).points == (0, 0)
    assert men(state) == list(START)
    assert parts(state).player == WHITE


def first_roll():
    state = tablier.load_game("trictrac").new_initial_state()
    throw(state, 3, 3)
    assert state == tablier.load_game("trictrac").new_initial_state()
    throw(state, 2, 5)
    assert parts(state).player == BLACK
    assert parts(state).dice == (2, 5)
    assert parts(state).stage == MOVE


def win_opp_dice():
    position, dice = COSTS_4
    state = throw(set_up(position, points=(0, 8), points_run=(False, True), holes=(11, 11)), *dice)
    assert not state.is_terminal()
    play(state)
    assert state.is_terminal()
    assert parts(state).winner == BLACK


FLOW = {
    "leave-own": leave_own,
    "leave-opp": leave_opp,
    "leave-effect": leave_effect,
    "exit-effect": exit_effect,
    "exit-hole": exit_hole,
    "first-roll": first_roll,
    "win-opp-dice": win_opp_dice,
}


@pytest.mark.parametrize("check", [pytest.param(check, id=name) for name, check in FLOW.items()])
def test_order_of_a_game(check):
    check()


def test_every_game_vector_has_its_test():
    scored = {name for name, *_ in scored_game_vectors()} | {"ecrire-refait", "ecrire-refait-condition"}
    marks = {v["id"] for v in VECTORS if "marks" in v["context"]}
    assert set(FLOW) | scored | marks == {v["id"] for v in VECTORS if v["kind"] == "game"}


# --- the scored game -------------------------------------------------------------------------------------------------


def end_of_marque(holes, run=False, refaits=0, **options):
    """Returns the scored game just after White left with these holes."""
    state = tablier.load_game("trictrac_a_ecrire", first_throw="white", **options).new_initial_state()
    return leave(in_a_marque(state, holes, (run, False), refaits))


@pytest.mark.parametrize(
    ("winner", "loser", "grade", "tokens"), [pytest.param(*v[1:], id=v[0]) for v in scored_game_vectors()]
)
def test_price_of_a_marque(winner, loser, grade, tokens):
    assert marque_payment(winner, loser, grade) == tokens
    assert end_of_marque((winner, loser), run=grade != "single").rewards()[0] == tokens


@pytest.mark.parametrize("growth", ["linear", "doubling"])
def test_ecrire_refait(growth):
    """The consolation after one and after two void marqués: 9 v 8 pays one token and the consolation."""
    expect = next(v for v in VECTORS if v["id"] == "ecrire-refait")["expect"]
    for refaits, tokens in zip((1, 2), expect[f"consolation_{growth}"], strict=True):
        assert consolation(refaits, growth) == tokens
        paid = end_of_marque((9, 8), refaits=refaits, refait_consolation=growth).rewards()[0]
        assert paid == 9 + tokens - 8


def test_ecrire_refait_condition():
    """Equal holes, both at least six, make the marqué void."""
    assert is_refait((7, 7))
    assert not is_refait((5, 5))
    assert not is_refait((7, 6))
    state = end_of_marque((7, 7))
    assert state.rewards() == [0, 0]
    assert "refaits 1" in str(state)
