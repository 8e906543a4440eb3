"""The heuristic: properties that hold for any weights, preferences of the fitted weights, and its counts."""

import itertools
import random

import pytest
from drawn import board

import tablier
from tablier._core import trictrac
from tablier.players import make_player
from tablier.trictrac import Position, score_throw

THROWS = list(itertools.product(range(1, 7), repeat=2))


def choose(state):
    """Returns the action with the best outcome according to the heuristic."""
    player = state.current_player()

    def worth(action):
        child = state.child(action)
        values = [paid + hoped for paid, hoped in zip(child.returns(), trictrac.estimate(child), strict=True)]
        return values[player] - values[1 - player]

    return max(state.legal_actions(), key=worth)


def states_of_games(games, seed, choice=0.5, **options):
    """Yields the states of games in which a share `choice` of the decisions is the heuristic's and the rest random."""
    rng = random.Random(seed)
    for _ in range(games):
        state = tablier.load_game("trictrac", **options).new_initial_state()
        while not state.is_terminal():
            yield state.clone()
            actions = state.legal_actions()
            best = not state.is_chance_node() and rng.random() < choice
            state.apply_action(choose(state) if best else rng.choice(actions))
        yield state.clone()


def before_throw(drawn, player=0, points=(0, 0), holes=(0, 0), **options):
    """Returns the state before a throw; the mover of the drawing is White."""
    return Position(board=board(drawn), player=player, points=points, holes=holes).state(**options)


def margin(drawn, **how):
    values = trictrac.estimate(before_throw(drawn, **how))
    return values[0] - values[1]


def turned(counts):
    """Returns the board from the other side."""
    return [-n for n in reversed(counts)]


def mean(counts, throw=4):
    """Returns the mover's mean points over the 36 throws, by the rules."""
    return sum(score_throw(counts, dice, throw).player_points for dice in THROWS) / 36


# --- for any weights --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"utility": "win"}, {"schools": True}, {"explicit_roll": True}])
def test_zero_sum_and_mirrored(options):
    choice = 0 if "schools" in options else 0.5  # the heuristic does not choose how to mark
    for state in states_of_games(3, 1, choice, **options):
        one, two = trictrac.estimate(state)
        assert one == -two
        if options.get("utility") == "win":
            assert -1 <= one <= 1
        if not state.has_mirror():
            continue
        twin = state.mirrored()
        assert trictrac.estimate(twin) == pytest.approx([two, one], abs=1e-4)
        terms, mirrored = trictrac.heuristic_terms(state), trictrac.heuristic_terms(twin)
        assert mirrored == pytest.approx({name: -value for name, value in terms.items()}, abs=1e-4)


def test_the_end_has_no_future():
    for state in states_of_games(3, 2):
        if state.is_terminal():
            assert trictrac.estimate(state) == [0, 0]


def test_the_draw_favours_nobody():
    assert trictrac.estimate(tablier.load_game("trictrac").new_initial_state()) == [0, 0]


def test_only_for_the_ordinary_game():
    for name in ("trictrac_a_ecrire", "pig"):
        with pytest.raises(ValueError, match="not a state of 'trictrac'"):
            trictrac.estimate(tablier.load_game(name).new_initial_state())


def test_points_that_the_throw_gives_the_other_are_counted():
    """Black is two points short of winning, and all of White's numbers lead to fields that Black holds."""
    men = board("12:15 | 13:2 14:2 15:2 16:2 17:2 18:5")
    assert score_throw(men, (6, 5)).opponent_points == 4
    score = {"points": (0, 10), "holes": (0, 11), "points_run": (False, True)}
    state = Position(board=men, dice=(6, 5), stage="Move", **score).state(utility="win")
    assert trictrac.estimate(state) == [-1, 1]
    state = Position(board=men, dice=(6, 5), stage="Move", **score).state()
    assert trictrac.estimate(state) == [-8, 8]  # ten points become two holes and two points: a gain of 16, half each


# --- the fitted weights -----------------------------------------------------------------------------------------------


def test_a_full_jan_is_worth_more_than_none():
    full = margin("1:3 7:2 8:2 9:2 10:2 11:2 12:2 | 13:2 18:2 24:11", player=1)
    gap = margin("1:3 6:2 7:2 8:2 9:2 10:2 12:2 | 13:2 18:2 24:11", player=1)
    assert full > gap + 4


def test_a_man_alone_within_reach_costs():
    together = margin("1:7 5:2 7:2 8:2 12:2 | 13:2 14:2 15:2 16:2 24:7", player=1)
    alone = margin("1:7 5:2 7:3 8:1 12:2 | 13:2 14:2 15:2 16:2 24:7", player=1)
    assert together > alone


def test_the_corner_is_worth_something():
    taken = margin("1:9 6:2 7:2 12:2 | 23:2 24:13", player=1)
    before = margin("1:9 6:2 7:2 11:2 | 23:2 24:13", player=1)
    assert taken > before


@pytest.mark.parametrize("utility", ["score", "win"])
def test_points_and_holes_ahead(utility):
    # Points already paid count separately; in the estimate alone, ten points beat none on the same board.
    start = "1:15 | 24:15"
    assert margin(start, player=0, utility=utility) > margin(start, player=1, utility=utility)
    if utility == "win":
        leads = [margin(start, holes=(h, 5), utility=utility) for h in range(12)]
        assert leads == sorted(leads)
        assert leads[11] > 0.8


# --- counts against the rules -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawn", "points"),
    [
        # Half-field 11 is filled by a man from 7 (4), 6 (5) or 2 (9). Brute force checks all, arithmetic also the last.
        ("2:1 6:1 7:3 8:2 9:2 10:2 11:1 12:2 1:* | 13:2 24:13", None),
        ("1:3 7:2 8:2 9:2 10:2 11:2 12:2 | 13:2 24:13", None),  # keeping
        ("1:1 5:2 7:2 8:2 9:2 10:2 11:4 | 13:2 24:13", None),  # the corner completes the big jan
        ("5:3 6:2 7:2 8:2 9:1 10:1 11:2 12:2 | 13:2 24:13", None),  # two half-fields
        ("10:15 | 16:1 24:14", (10 * 2 + 4 + 2 * (2 + 2) + 4) / 36),  # a 6; 5-1, 4-2 and 3-3 by the sum
    ],
)
def test_mean_points_of_a_throw(drawn, points):
    state = before_throw(drawn)
    exact = mean(board(drawn)) - mean(turned(board(drawn)))
    assert trictrac.heuristic_terms(state)["mean_points"] == pytest.approx(exact, abs=1e-4)
    if points is not None:
        assert mean(board(drawn)) == pytest.approx(points)


def test_counts_in_positions_of_games():
    """Hits are exact; filling and unplayable numbers are approximated and may be wrong in a few percent."""
    seen = wrong = 0
    for state in itertools.islice(states_of_games(20, 5, choice=0.9), 0, None, 7):
        position = Position.of(state)
        if not state.is_chance_node() or position.drawing:
            continue
        white, black = (throws + 1 for throws in position.throws)
        exact = mean(position.board, white) - mean(turned(position.board), black)
        seen += 1
        wrong += abs(trictrac.heuristic_terms(state)["mean_points"] - exact) > 1e-3
    assert seen > 100
    assert wrong / seen < 0.05


# --- strength ---------------------------------------------------------------------------------------------------------


def test_it_beats_greedy():
    greedy = make_player("greedy", game := tablier.load_game("trictrac"), seed=1)
    rng, won = random.Random(1), 0
    for seat in [0, 1] * 20:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.randrange(36))
            else:
                state.apply_action(choose(state) if state.current_player() == seat else greedy.choose(state))
        won += trictrac.parts(state).winner == seat
    assert won >= 34
