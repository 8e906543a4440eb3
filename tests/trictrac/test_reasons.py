"""Reasons for a better move: what the next throws show, against counts by hand."""

import pytest
from drawn import board

from tablier._core import trictrac
from tablier.games.trictrac.reasons import Outlook, _differences, reasons
from tablier.messages import render
from tablier.trictrac import Position


def thrown(drawing, dice, **facts):
    return Position(board=board(drawing), **facts).throw(*dice)


def play(state, *moves):
    """Returns the action that makes these moves."""
    found = [action for action in state.legal_actions() if trictrac.is_move(action)]
    (action,) = [one for one in found if sorted(trictrac.moves(state, one)) == sorted(moves)]
    return action


def told(state, better, worse, lang="en"):
    return [render(reason, lang) for reason in reasons(state, better, worse)]


def test_men_exposed_are_counted_in_throws():
    """One play makes fields 6 and 7, the other leaves single men on 4, 6 and 7."""
    state = thrown("1:11 5:2 6:1 7:1 | 13:2 24:13", (1, 2))
    safe, loose = play(state, (5, 7), (5, 6)), play(state, (1, 4))
    after = [Outlook.of(state.child(action), 0) for action in (safe, loose)]
    assert after[0].hits < after[1].hits
    (line,) = [text for text in told(state, safe, loose) if "hits" in text]
    assert line == f"Black hits with {after[0].hits} throws out of 36, against {after[1].hits}."


def test_hits_are_throws_out_of_36():
    """White's single man on field 3 is ten fields from Black's corner: 6-4, twice, and 5-5."""
    state = thrown("1:13 10:1 11:1 | 13:2 24:13", (2, 1))
    after = state.child(play(state, (1, 3), (10, 11)))
    assert Outlook.of(after, 0).hits == 3


def test_the_corner_is_a_reason():
    state = thrown("1:12 6:1 7:1 8:1 | 19:1 21:1 22:2 24:11", (4, 6))
    corner, other = play(state, (8, 12), (6, 12)), play(state, (1, 11))
    assert "White holds the corner after it, and not after the other move." in told(state, corner, other)
    assert any(line.startswith("Blanc tient alors son coin") for line in told(state, corner, other, "fr"))


def test_leaving_spares_what_the_throw_gives_the_opponent():
    state = thrown(
        "1:1 6:1 7:2 8:3 9:2 10:2 11:2 12:2 | 13:2 14:2 16:2 17:3 18:3 19:1 22:2", (5, 2), points=(8, 0), holes=(7, 8)
    )
    hold = next(action for action in state.legal_actions() if trictrac.is_move(action))
    lines = told(state, trictrac.LEAVE, hold)
    assert lines[0] == "By leaving, Black marks nothing for this throw, which gives them 4 points."
    assert any("too little left" in line for line in lines)
    assert any("more to gain" in line for line in told(state, hold, trictrac.LEAVE))


CURLED = "\N{RIGHT SINGLE QUOTATION MARK}"


def outlook(hoped=0.0, given=0.0):
    return Outlook(hits=0, exposed=0, given=given, hoped=hoped, jans=0, corner=False)


def differences(good, bad, lang):
    return [render(reason, lang).replace(CURLED, "'") for reason in _differences(good, bad, 0)]


def test_a_throw_that_helps_the_other_side_is_told_as_points_given():
    """No reader meets a negative number of points."""
    good, bad = outlook(hoped=-0.4, given=-1.5), outlook(hoped=-2.6, given=1.04)
    assert differences(good, bad, "en") == [
        "Black's next throw gives White 1.5 points on average; after the other move, it gains 1.0 points.",
        "White's next throw gives Black 0.4 points on average; after the other move, it gives Black 2.6 points.",
    ]
    assert differences(good, bad, "fr") == [
        "En moyenne, le prochain coup de Noir donne 1,5 point à Blanc ; sinon, il lui rapporte 1,0 point.",
        "En moyenne, le prochain coup de Blanc donne 0,4 point à Noir ; sinon, il donne 2,6 points à Noir.",
    ]


def test_a_throw_that_brings_next_to_nothing_brings_nothing():
    lines = [differences(outlook(hoped=-0.04), outlook(hoped=-3), lang)[0] for lang in ("en", "fr")]
    assert lines == [
        "White's next throw gains nothing on average; after the other move, it gives Black 3.0 points.",
        "En moyenne, le prochain coup de Blanc ne rapporte rien ; sinon, il donne 3,0 points à Noir.",
    ]


def test_a_move_is_not_better_than_itself():
    state = thrown("1:15 | 24:15", (5, 3))
    action = state.legal_actions()[0]
    assert reasons(state, action, action) == []


@pytest.mark.parametrize("player", [0, 1])
def test_the_names_are_those_of_the_players(player):
    men = board("1:12 6:1 7:1 8:1 | 19:1 21:1 22:2 24:11")
    state = Position(board=men if player == 0 else [-n for n in reversed(men)], player=player).throw(4, 6)
    lines = told(state, play(state, (8, 12), (6, 12)), play(state, (1, 11)))
    assert lines[0].startswith(f"{('White', 'Black')[player]} holds the corner")
