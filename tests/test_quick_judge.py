"""The judge of reviews: luck in seconds, in every game where chance has a say."""

import pytest

import tablier
from tablier import models
from tablier.analysis import luck_of_game, make_quick_judge


@pytest.mark.parametrize(
    ("game", "options", "name"),
    [
        ("trictrac", {}, "heuristic"),
        ("pig", {}, "champion:plies=1"),
        ("trictrac_a_ecrire", {}, "champion:plies=1"),
        ("backgammon", {}, "champion:plies=1"),
        ("backgammon", {"start": "hyper"}, "champion:plies=1"),
    ],
)
def test_games_with_dice_have_a_quick_judge(game, options, name):
    assert make_quick_judge(tablier.load_game(game, **options)).name == name


def test_random_games_judge_without_a_network(monkeypatch, tmp_path):
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    assert make_quick_judge(tablier.load_game("backgammon")).name == "rollouts"


@pytest.mark.parametrize(
    ("game", "options"), [("tic_tac_toe", {}), ("trictrac_a_ecrire", {"players": 3, "marques": 3})]
)
def test_there_is_no_luck_without_dice_or_without_a_measure(game, options):
    assert make_quick_judge(tablier.load_game(game, **options)) is None


def test_a_good_throw_is_luck_in_hypergammon():
    """White throws 6-6 first and runs; Black throws 2-1."""
    game = tablier.load_game("backgammon", start="hyper")
    state, actions = game.new_initial_state(), []

    def play(action):
        actions.append(action)
        state.apply_action(action)

    play(5 * 6 + 0)  # White 6, Black 1: White begins
    while state.current_player() == 0:
        play(state.legal_actions()[0])
    play(0 * 6 + 1)
    while state.current_player() == 1:
        play(state.legal_actions()[0])
    play(5 * 6 + 5)
    found = luck_of_game(game, actions, make_quick_judge(game))
    assert found.unit == "value"
    assert found.total == pytest.approx((-found.total[1], found.total[1]))
    assert found.throws[-1].luck[0] > 0
