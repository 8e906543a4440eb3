"""Margins of points become chances to win the game, by the hole table."""

import random

import numpy as np
import pytest

import tablier
from tablier._core import search
from tablier.evaluators import CoreEvaluator, make_evaluator
from tablier.games import home_of
from tablier.games.trictrac.hole_table import win_link
from tablier.players import make_player
from tablier.search import Search, SearchConfig
from tablier.trictrac import Position, hole_chance

NETWORK = str(home_of(tablier.load_game("trictrac")).champion().network)


def level(states):
    """An evaluator that expects nothing from the start of a setting."""
    return np.zeros(len(states))


@pytest.fixture(scope="module")
def link():
    return win_link(tablier.load_game("trictrac"), level)


def mean_chance(mine, theirs):
    return (hole_chance(mine, theirs) + hole_chance(mine, theirs, throws=False)) / 2


def test_without_a_lead_the_chance_is_that_of_the_table(link):
    for mine, theirs in ((12, 12), (1, 12), (5, 2), (1, 1)):
        state = Position(holes=(12 - mine, 12 - theirs)).state()
        assert search.win_chance(state, 0, 0.0, link) == pytest.approx(mean_chance(mine, theirs))
        assert search.win_chance(state, 1, 0.0, link) == pytest.approx(1 - mean_chance(mine, theirs))


def test_what_an_evaluator_expects_of_every_start_is_no_lead():
    """A network may expect more for a player who is behind, because the game then lasts longer."""
    link = win_link(tablier.load_game("trictrac"), lambda states: np.arange(len(states), dtype=float))
    state = Position(holes=(12 - 3, 12 - 7)).state()
    expected = ((3 - 1) * 12 + (7 - 1) - ((7 - 1) * 12 + (3 - 1))) / 2
    assert search.win_chance(state, 0, expected, link) == pytest.approx(mean_chance(3, 7))


def test_points_count_more_when_few_holes_are_left(link):
    gains = []
    for needed in (12, 6, 3, 1):
        state = Position(holes=(12 - needed, 12 - needed)).state()
        chances = [search.win_chance(state, 0, margin, link) for margin in (-12, 0, 4, 12, 500)]
        assert chances == sorted(chances)
        assert 0 < chances[0] < chances[-1] <= 1
        gains.append(chances[3] - chances[1])
    assert gains == sorted(gains)


def test_points_in_this_hole_are_part_of_the_lead(link):
    ahead, level_state = Position(points=(8, 0)).state(), Position().state()
    assert search.win_chance(ahead, 0, 0.0, link) == pytest.approx(search.win_chance(level_state, 0, 8.0, link))


def test_games_that_the_table_does_not_cover():
    assert win_link(tablier.load_game("trictrac", holes_to_win=13), level) is None
    assert win_link(tablier.load_game("trictrac", holes_to_win=3), level) is not None
    assert home_of(tablier.load_game("trictrac_a_ecrire")).win_link(level) is None
    for options in ({"holes_to_win": 20}, {"stake_rule": "quadruple"}):
        with pytest.raises(ValueError, match="by=win"):
            make_player(f"expectimax:plies=1,net={NETWORK},by=win", tablier.load_game("trictrac", **options))


def test_wrong_goals():
    game = tablier.load_game("trictrac")
    with pytest.raises(ValueError, match="the only one is `by=win`"):
        make_player(f"expectimax:net={NETWORK},by=points", game)
    with pytest.raises(ValueError, match="by=win"):
        make_player("expectimax:eval=points,by=win", game)
    make_player("expectimax:eval=heuristic,by=win", game)  # it values wins anyway


def test_wrong_links(link):
    state = Position().state()
    with pytest.raises(TypeError):
        search.win_chance(state, 0, 0.0, link[:5])
    with pytest.raises(TypeError):
        search.win_chance(state, 0, 0.0, None)
    with pytest.raises(ValueError, match="player"):
        search.win_chance(state, 2, 0.0, link)
    with pytest.raises(ValueError, match="no link"):
        search.win_chance(tablier.load_game("pig").new_initial_state(), 0, 0.0, link)


def test_a_margin_network_shows_win_chances():
    """The order of the moves is that of the margins; chances are those that the link gives for them."""
    state = Position(holes=(10, 9)).throw(6, 5)
    found = make_player(f"expectimax:plies=1,net={NETWORK}", state.get_game()).explain(state)
    chances = [one.win_chance for one in found]
    assert all(0 < chance < 1 for chance in chances)
    assert chances == sorted(chances, reverse=True)
    assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)


def test_a_margin_network_can_play_for_the_win():
    """With by=win, search values afterstates by the link; the value of a move is that of its afterstate."""
    state = Position(holes=(11, 9)).throw(3, 1)
    game = state.get_game()
    evaluator, searched = make_evaluator(game, net=NETWORK, by="win")
    assert isinstance(evaluator, CoreEvaluator)
    assert searched.game.max_utility() == 1
    plain = CoreEvaluator(game, NETWORK)
    for one in make_player(f"expectimax:plies=1,net={NETWORK},by=win", game).explain(state):
        after = plain.searched.of(state).child(one.action)
        row, viewer = search.words(after)[None], np.array([state.current_player()], np.int32)
        margin = float(np.subtract(*search.evaluate(plain.searched.game, plain, row, players=viewer)[0]))
        expected = search.win_chance(after, 0, margin, plain.searched.link)
        assert one.win_chance == pytest.approx(expected, abs=1e-6)


def a_decision(choices):
    """Returns a position of a random game with at least so many legal actions."""
    draw, state = random.Random(1), tablier.load_game("trictrac").new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) < choices:
        state = state.child(draw.choice(state.legal_actions()))
    return state


def searched_by_win(state, link=None):
    """Searches a position with a margin network that plays for the win."""
    evaluator = CoreEvaluator(state.get_game(), NETWORK, by="win")
    if link is not None:
        evaluator.link = link
    state = evaluator.searched.of(state)
    return Search(state.get_game(), evaluator, SearchConfig(8, prior="afterstates")).run(state)


def test_a_tree_search_plays_for_the_win_too():
    found = searched_by_win(a_decision(10))
    assert all(-1 < one.value < 1 for one in found.candidates)


def test_actions_with_nearly_the_same_chance_share_the_prior():
    """Their chances differ, but by less than a prior can show."""
    found = searched_by_win(a_decision(10), np.tile([1.0, 1e-12], 144))
    share = 1 / len(found.candidates)
    assert [one.prior for one in found.candidates] == pytest.approx([share] * len(found.candidates))
