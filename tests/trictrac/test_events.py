"""The events that a page announces, found in whole games played by random players."""

import random

import pytest

import tablier
from tablier._core.trictrac import LEAVE, parts
from tablier.games import home_of
from tablier.messages import render


def played(seed, game="trictrac", **options):
    """Plays a random game that leaves when it can; yields each step with its line of the log."""
    rules = tablier.load_game(game, **options)
    home, state, memory, draw = home_of(rules), rules.new_initial_state(), None, random.Random(seed)
    while not state.is_terminal():
        legal = state.legal_actions()
        action = LEAVE if not state.is_chance_node() and LEAVE in legal and draw.random() < 0.5 else draw.choice(legal)
        after = state.child(action)
        line, memory = home.log(state, action, after, memory)
        yield state, action, after, line
        state = after


def told(line):
    return line["event"] and render(line["event"]["text"], "en")


@pytest.mark.parametrize("seed", range(4))
def test_every_hole_is_announced_and_nothing_without_a_reason(seed):
    for before, action, after, line in played(seed):
        was, now = parts(before), parts(after)
        kinds = line["event"] and line["event"]["kind"]
        leaves = not before.is_chance_node() and action == LEAVE
        if after.is_terminal():
            assert kinds == "end"
        elif leaves:
            assert kinds == "leave"
            assert line["event"]["sums_up"]
        elif now.holes != was.holes:
            assert kinds in ("hole", "setting")
            assert "hole" in told(line)
        elif line["event"]:
            assert "flag" in told(line) or line["reset"]
        assert line["reset"] == (leaves or (kinds == "setting"))


def test_leaving_tells_the_holes_that_allowed_it():
    lines = [line for seed in range(4) for *_, line in played(seed)]
    texts = {told(line) for line in lines if line["event"] and line["event"]["kind"] == "leave"}
    assert "White wins 1 hole and leaves: new setting." in texts
    assert "Black wins 2 holes, bredouille, and leaves: new setting." in texts


def test_the_flag_is_announced_when_it_is_taken_and_when_it_is_lost():
    texts = " ".join(told(line) for seed in range(4) for *_, line in played(seed) if line["event"])
    assert "takes the flag." in texts
    assert "loses the flag." in texts


def test_the_end_tells_each_player_their_own_result():
    *_, (_, _, after, _) = played(1)
    home, now = home_of(after.get_game()), parts(after)
    mine, theirs = now.holes[now.winner], now.holes[1 - now.winner]
    assert render(home.result_for(after, now.winner), "en") == f"You won, {mine} holes to {theirs}."
    lost = render(home.result_for(after, 1 - now.winner), "en")
    assert lost.startswith("You lost, ")
    assert lost.endswith(f" to {mine}.")


def test_each_marque_of_the_scored_game_ends_with_its_tokens():
    lines = [line for *_, line in played(2, "trictrac_a_ecrire", marques=2)]
    ends = [line for line in lines if line["event"] and line["event"]["kind"] in ("marque", "end")]
    assert len(ends) >= 2
    assert any("wins the marqué and" in told(line) for line in ends)


def test_a_settled_school_is_announced_with_its_verdict():
    lines = [line for *_, line in played(2, schools=True)]
    verdicts = [told(line) for line in lines if line["event"] and line["event"]["kind"] == "school"]
    assert any(" is right: " in text or " claims too " in text for text in verdicts)
