"""Simulations prove what the statistics promise: the coverage of intervals and the error rates of tests."""

import math

import numpy as np
import pytest

from tablier.arena import GameResult, PairedMean, SequentialTest, StoredGame, draw_ladder, make_ladder
from tablier.arena.bradley_terry import ELO, BradleyTerry
from tablier.arena.means import mean_over, student_quantile
from tablier.arena.standings import as_csv, as_json
from tablier.messages import MessageError

RUNS = 200


def binomial_bound(share, runs, z=3.0):
    """Returns how far an observed share may be from the true one by chance."""
    return z * math.sqrt(share * (1 - share) / runs)


def tournament(draw, strengths, games):
    n = len(strengths)
    scores = np.zeros((n, n))
    for one in range(n):
        for other in range(one):
            share = 1 / (1 + math.exp(strengths[other] - strengths[one]))
            scores[one, other] = draw.binomial(games, share)
            scores[other, one] = games - scores[one, other]
    return scores


@pytest.mark.parametrize("strengths", [(0, 0.2, 0.4, -0.1), (0, 3, 3.3, 4), (0, 8, 8.2, 8.5)], ids=str)
def test_intervals_of_ratings_cover_the_truth(strengths):
    """Also where nobody ever loses to the anchor: the upper end is then infinite."""
    draw, hits, ahead = np.random.default_rng(7), [], []
    for _ in range(RUNS // 4):
        fit = BradleyTerry(tournament(draw, strengths, 60))
        for one in (1, 2, 3):
            low, high = fit.interval(one)
            hits.append(low <= ELO * strengths[one] <= high)
        low, high = fit.interval(3, 2)
        ahead.append(low <= ELO * (strengths[3] - strengths[2]) <= high)
    assert np.mean(hits) >= 0.95 - binomial_bound(0.95, len(hits) / 2)  # intervals of one tournament are correlated
    assert np.mean(ahead) >= 0.95 - binomial_bound(0.95, len(ahead))


def test_a_rating_by_hand():
    """60 of 80, and half a win for each: 400 * log10(60.5 / 20.5) = 188."""
    fit = BradleyTerry(np.array([[0.0, 20.0], [60.0, 0.0]]))
    assert fit.ratings[1] == pytest.approx(400 * math.log10(60.5 / 20.5), abs=0.01)
    low, high = fit.interval(1)
    assert low < 400 * math.log10(3) < high


def test_a_rating_without_a_lost_game_has_no_upper_end():
    fit = BradleyTerry(np.array([[0.0, 0.0], [50.0, 0.0]]))
    low, high = fit.interval(1)
    assert 300 < low < fit.ratings[1] < high == math.inf


def test_a_rating_lies_in_its_interval_however_weak_the_anchor():
    """Ten players, nine of which hardly ever lose to the anchor."""
    strengths = (0.0, 6.0, *np.linspace(8, 9, 8))
    draw = np.random.default_rng(3)
    for _ in range(5):
        fit = BradleyTerry(tournament(draw, strengths, 300))
        for one in range(1, 10):
            low, high = fit.interval(one)
            assert low < fit.ratings[one] < high


@pytest.mark.parametrize("pairs", [5, 40])
def test_intervals_of_means_cover_the_truth(pairs):
    """The games of a pair share their luck with opposite signs, as on paired dice."""
    draw, hits = np.random.default_rng(3), 0
    for _ in range(1000):
        luck = draw.normal(size=pairs)
        games = {k: [1 + luck[k] + draw.normal(), 1 - luck[k] + draw.normal()] for k in range(pairs)}
        low, high = PairedMean.of(games).interval()
        hits += low <= 1 <= high
    assert abs(hits / 1000 - 0.95) < binomial_bound(0.95, 1000)


def test_student_quantiles_are_those_of_scipy():
    from scipy.stats import t

    for degrees in (1, 2, 3, 5, 10, 100):
        assert student_quantile(0.975, degrees) == pytest.approx(t.ppf(0.975, degrees), rel=2e-3)


def test_a_single_game_at_the_end_counts():
    by_hand = PairedMean.of({0: [1.0, 3.0], 1: [2.0]})
    assert (by_hand.games, by_hand.pairs, by_hand.mean) == (3, 2, 2.0)
    assert by_hand.standard_error == 0
    assert mean_over([PairedMean.of({0: [1.0]}), by_hand]).interval() == (-math.inf, math.inf)


def wins(draw, share, pairs):
    return (draw.random((pairs, 2)) < share).astype(float).tolist()


def adjusted(draw, share, pairs):
    return draw.normal(share, 0.3, (pairs, 2)).tolist()


@pytest.mark.parametrize(("scores", "name"), [(wins, "verdict"), (adjusted, "adjusted_verdict")])
@pytest.mark.parametrize("truth", ["low", "high"])
def test_error_rates_of_the_sequential_test(scores, name, truth):
    test = SequentialTest(0.5, 0.6, alpha=0.05, beta=0.1)
    draw, wrong = np.random.default_rng(11), 0
    for _ in range(RUNS):
        verdict = getattr(test, name)(scores(draw, getattr(test, truth), 1500))
        assert verdict.accepted is not None
        wrong += verdict.accepted != getattr(test, truth)
    stated = test.alpha if truth == "low" else test.beta
    assert wrong / RUNS <= stated + binomial_bound(stated, RUNS, 2)


@pytest.mark.parametrize("wrong", [{"low": 0.6, "high": 0.5}, {"low": 0.0}, {"alpha": 0.5}, {"beta": 0.0}])
def test_impossible_hypotheses_are_refused(wrong):
    with pytest.raises(ValueError, match="must"):
        SequentialTest(**wrong)


# --- the ladder -----------------------------------------------------------------------------------------------------


def games_of(first, second, scores, luck=0.1):
    return [
        StoredGame(first, second, GameResult(number, score, 10 * score - 5, luck * score, luck))
        for number, score in enumerate(scores)
    ]


def test_a_ladder_by_hand():
    games = games_of("random", "good", [0, 0, 0, 1]) + games_of("good", "best", [0, 1, 0, 0])
    games += [StoredGame("best", "random", GameResult.failure(0, 0, "crashed", "boom"))]
    ladder = make_ladder(games)
    assert [one.name for one in ladder.standings] == ["best", "good", "random"]
    best, good, random = ladder.standings
    assert (ladder.anchor, random.rating) == ("random", 0)
    assert (best.games, best.score, best.failures) == (5, 3, 1)
    assert best.points.games == 4, "a game that a player could not finish has no margin"
    assert good.points.mean == pytest.approx((5 + 5 + 5 - 5 - 5 + 5 - 5 - 5) / 8)
    assert good.adjusted.mean == pytest.approx((3 + 0.1 + 1 - 0.1) / 8)
    assert ladder.meetings["random", "good"].score == 1
    assert make_ladder(games, "best").standings[0].rating == 0
    assert as_json(ladder)["players"][0]["player"] == "best"
    assert len(as_csv(ladder).splitlines()) == 4
    assert "Cotes" in draw_ladder(ladder, "fr")


@pytest.mark.parametrize(
    ("games", "anchor", "code"),
    [
        ([], None, "ladder.no_games"),
        (games_of("a", "b", [1]), "c", "ladder.no_anchor"),
        (games_of("a", "b", [1]) + games_of("c", "d", [1]), None, "ladder.unlinked"),
    ],
)
def test_ladders_that_cannot_be(games, anchor, code):
    with pytest.raises(MessageError) as error:
        make_ladder(games, anchor)
    assert error.value.code == code
