"""Error ratings and luck: what they add up to, and that luck is fair."""

import random

import numpy as np
import pytest

import tablier
from tablier import records, trictrac
from tablier.analysis import (
    band_of,
    decisions,
    error_ratings,
    luck_of_game,
    make_judge,
    make_points_judge,
)
from tablier.arena import play_game, play_match
from tablier.cli import main
from tablier.evaluators import HeuristicEvaluator, SearchedGame
from tablier.messages import MessageError
from tablier.players import make_player


def a_game(game, *players, seed=1):
    steps = []
    made = [make_player(name, game, seed=number) for number, name in enumerate(players)]
    play_game(game, made, random.Random(seed), lambda state, action: steps.append((state.clone(), action)))
    return [action for _, action in steps], [step for step in steps if step[0].is_chance_node()]


@pytest.fixture(scope="module")
def short():
    return tablier.load_game("trictrac", holes_to_win=2)


class Explains:
    """A player that can explain and nothing more."""

    def __init__(self, game):
        self._player = make_player("heuristic", game)

    def choose(self, state):
        return self._player.choose(state)

    def explain(self, state):
        return self._player.explain(state)


@pytest.mark.parametrize("judge", [None, "heuristic", Explains])
def test_the_luck_of_all_throws_adds_up_to_zero(judge, short):
    """This makes luck-adjusted results unbiased, whatever the judge is worth."""
    _, throws = a_game(short, "heuristic", "greedy")
    by = make_judge(short, judge(short) if judge is Explains else judge)
    for state, _ in throws[:40:8]:
        luck = by.luck([(state, outcome) for outcome in state.legal_actions()])
        assert luck.mean(axis=0) == pytest.approx([0, 0], abs=1e-4)


def test_luck_and_errors_are_two_views_of_one_game(short):
    actions, throws = a_game(short, "heuristic", "greedy")
    luck = luck_of_game(short, actions)
    assert len(luck.throws) == len(throws)
    assert luck.total[0] == pytest.approx(-luck.total[1])
    assert np.add(luck.adjusted, luck.total) == pytest.approx(luck.result)
    assert sum(luck.result) == 1
    assert luck_of_game(short, actions[:9]).adjusted is None


def test_an_evaluator_judges_as_the_player_that_uses_it(short):
    actions, _ = a_game(short, "heuristic", "greedy")
    evaluator = HeuristicEvaluator(SearchedGame(short, utility="win").game)
    assert luck_of_game(short, actions, evaluator).total == pytest.approx(luck_of_game(short, actions).total)
    assert luck_of_game(short, actions, "heuristic").total == pytest.approx(luck_of_game(short, actions).total)


def test_luck_in_points_belongs_to_the_points_of_the_game(short):
    actions, _ = a_game(short, "heuristic", "greedy")
    luck = luck_of_game(short, actions, make_points_judge(short))
    returns = records.load(records.dump(short, actions))[0].new_initial_state()
    for action in actions:
        returns.apply_action(action)
    first, second = returns.returns()
    assert luck.result == (first - second, second - first)
    assert make_points_judge(tablier.load_game("pig")) is None


def test_results_without_luck_vary_less_and_have_the_same_mean(short):
    score = play_match(short, "heuristic", "mcts:sims=40", 60, judge="heuristic")
    assert score.adjusted.games == 60
    low, high = score.adjusted.interval()
    assert score.interval[0] < low < high < score.interval[1]
    assert high - low < 0.5 * (score.interval[1] - score.interval[0])


def test_with_schools_luck_is_that_of_correct_marking():
    plain, schools = (tablier.load_game("trictrac", holes_to_win=2, schools=on) for on in (False, True))
    totals = []
    for game in (plain, schools):
        actions, _ = a_game(game, "heuristic", "heuristic")
        totals.append(luck_of_game(game, actions).total)
    assert totals[0] == pytest.approx(totals[1], abs=1e-5)


def test_markings_are_rated_in_points():
    game = tablier.load_game("trictrac", holes_to_win=1, schools=True)
    actions, _ = a_game(game, "heuristic", "random", seed=5)
    honest, wild = error_ratings(game, decisions(game, actions, "heuristic"), actions)
    assert (honest.marking.errors, honest.marking.lost) == (0, 0)
    assert wild.marking.errors > 0
    assert wild.marking.lost >= wild.marking.errors


def test_holding_and_the_move_are_rated_apart():
    """Leaving wins outright less than holding here or the other way round: the two costs add up to the whole."""
    board = [9, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -7]
    start = trictrac.Position(board=board).throw(6, 5)
    game = start.get_game()
    for action in start.legal_actions():
        (decision,) = decisions(game, [action], "heuristic", start=start)
        rating = error_ratings(game, [decision], [action], start=start)[0]
        assert (rating.decisions, rating.lost) == (1, decision.cost)
        assert sum(tally.lost for tally in rating.kinds.values()) == pytest.approx(decision.cost)
        assert "hold_or_leave" in rating.kinds
        assert ("move" in rating.kinds) == (action != 1)


def test_ratings_add_up(tic_tac_toe):
    played = [0, 1, 4]
    first, second = error_ratings(tic_tac_toe, decisions(tic_tac_toe, played), played)
    assert (first + second).mean == pytest.approx((first.lost + second.lost) / 3)
    assert (second.band, (first + second).kinds["move"].decisions) == ("novice", 3)
    assert [band_of(mean) for mean in (0, 0.001, 0.05)] == ["world_class", "expert", "novice"]


def test_judges_that_cannot_be(short):
    with pytest.raises(MessageError, match="random cannot rate moves"):
        make_judge(short, "random")
    with pytest.raises(MessageError, match="does not estimate win probabilities"):
        make_judge(short, "greedy").luck([(short.new_initial_state(), 1)])


def test_a_record_carries_ratings_and_luck(tmp_path, capsys, short):
    actions, _ = a_game(short, "heuristic", "greedy")
    path, rated = tmp_path / "game.txt", tmp_path / "rated.txt"
    path.write_text(records.dump(short, actions, {"White": "heuristic"}))
    assert main(["analyze", str(path), "--player", "heuristic", "--annotate", str(rated)]) == 0
    shown = capsys.readouterr().out
    assert "error rating " in shown
    assert "luck-adjusted result" in shown
    game, again, header = records.load_header(rated.read_text())
    assert (game.options(), list(again)) == (short.options(), actions)
    assert float(header["WhiteErrorRating"]) == 0
    assert float(header["WhiteLuck"]) == -float(header["BlackLuck"])
    assert (header["White"], header["Analyst"], header["LuckJudge"]) == ("heuristic", "heuristic", "heuristic")
