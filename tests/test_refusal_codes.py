"""Errors from the core that people read: a code and parameters, the catalogue's English text, and French."""

import pickle

import pytest

import tablier
from tablier._core.search import Pool
from tablier.evaluators import HeuristicEvaluator
from tablier.games import home_type
from tablier.messages import MessageError, render
from tablier.search import SearchConfig


def load(name, **options):
    return lambda: tablier.load_game(name, **options)


def play(action, *before, **options):
    def refused():
        state = tablier.load_game("pig", **options).new_initial_state()
        for one in before:
            state.apply_action(one)
        state.apply_action(action)

    return refused


REFUSED = {
    "option.unknown": load("pig", winscore=3),
    "option.none": load("tic_tac_toe", size=4),
    "option.value": load("pig", win_score=0),
    "option.value (choice)": load("trictrac", first_throw="black"),
    "trictrac.contradiction.fill_school_without_schools": load("trictrac", fill_school="double"),
    "trictrac.contradiction.markov_with_schools": load("trictrac", schools=True, encoding="markov"),
    "trictrac_a_ecrire.contradiction.fill_school_without_schools": load("trictrac_a_ecrire", fill_school="double"),
    "trictrac_a_ecrire.contradiction.odd_marques": load("trictrac_a_ecrire", marques=3),
    "trictrac_a_ecrire.contradiction.marques_of_three": load("trictrac_a_ecrire", marques=4, players=3),
    "action.illegal": play(2),
    "action.illegal (dice)": play(6, 0),
    "action.over": play(0, 0, 1, 1, win_score=2),
    "game.no_heuristic": lambda: HeuristicEvaluator(tablier.load_game("pig")),
    "game.no_heuristic (search)": lambda: Pool(tablier.load_game("pig"), SearchConfig(evaluator="heuristic"), 1, 0),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_can_be_said_in_every_language(case):
    with pytest.raises(MessageError) as refusal:
        REFUSED[case]()
    error = refusal.value
    assert error.code == case.partition(" ")[0]
    home_type(error.params["game"])  # loads the game's messages
    assert render(error.message, "en") == str(error)
    assert render(error.message, "fr") != str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.params) == (str(error), error.code, error.params)


def test_the_parameters_are_what_the_text_names():
    with pytest.raises(MessageError) as refusal:
        tablier.load_game("pig", win_score=0)
    params = refusal.value.params
    assert (params["game"], params["name"], params["given"]) == ("pig", "win_score", "0")
    assert (params["accepted"].key, params["accepted"].params) == (
        "option.accepts.integer",
        {"least": 1, "most": 1000000},
    )
