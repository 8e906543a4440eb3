"""Rollouts: exact where they can be, the same for any number of threads, unbiased, and firm about bad input."""

import json

import numpy as np
import pytest

import tablier
from tablier._core import search
from tablier.analysis import (
    RolloutSettings,
    compare_sides,
    make_policy,
    offers_choice,
    roll_out,
    roll_out_candidates,
)
from tablier.cli import main
from tablier.evaluators import ExpectimaxEvaluator
from tablier.games import home_of
from tablier.search import ExpectimaxConfig

PORTION = RolloutSettings().portion
POSITION = "//4AAAH//AAAAADPgG"  # Trictrac, before a throw


@pytest.fixture(scope="module")
def middle():
    """A decision of Trictrac after forty random actions, in a short game."""
    game = tablier.load_game("trictrac", holes_to_win=3, first_throw="white")
    draw = np.random.default_rng(5)
    state, actions = game.new_initial_state(), 0
    while actions < 40 or state.current_player() < 0 or len(state.legal_actions()) < 8:
        state.apply_action(int(draw.choice(state.legal_actions())))
        actions += 1
    return state


def rows(policy, state):
    return search.words(policy.searched.of(state))[None], np.array([max(0, state.current_player())], np.int32)


@pytest.mark.parametrize("name", ["expectimax:plies=1,eval=points", "heuristic"])
def test_one_decision_has_no_luck_left(middle, name):
    """After one throw and one decision every adjusted result is the mean over all throws, which expectimax computes."""
    policy = make_policy(middle.get_game(), name)
    state = policy.searched.of(middle).child(middle.legal_actions()[-1])
    assert state.is_chance_node()
    states, players = search.words(state)[None], np.array([middle.current_player()], np.int32)
    objective = policy.searched.objective
    rewards, luck, ended = search.rollouts(
        policy.searched.game, policy.evaluator, states, players, 50, decisions=1, objective=objective
    )
    exact = ExpectimaxEvaluator(policy.searched.game, policy.evaluator, ExpectimaxConfig(1, 10**6, 0, objective))
    exact.look(states, players)
    assert np.allclose(rewards - luck, exact._search.values()[0], atol=1e-5)
    assert rewards.std() > 0
    assert not ended.all()


def test_any_number_of_threads_plays_the_same_games(middle):
    policy = make_policy(middle.get_game())
    states, players = rows(policy, middle)
    found = [
        search.rollouts(policy.searched.game, policy.evaluator, states, players, 20, seed=3, threads=threads)
        for threads in (1, 2, 4)
    ]
    for other in found[1:]:
        assert all((one == two).all() for one, two in zip(found[0], other, strict=True))


def test_games_are_numbered(middle):
    """Ten games at once are the same as four and then six."""
    policy = make_policy(middle.get_game())
    states, players = rows(policy, middle)
    game, evaluator = policy.searched.game, policy.evaluator
    whole = search.rollouts(game, evaluator, states, players, 10, seed=1)[0]
    parts = [
        search.rollouts(game, evaluator, states, players, n, first=first, seed=1)[0] for first, n in ((0, 4), (4, 6))
    ]
    assert (np.concatenate(parts, axis=1) == whole).all()


def test_luck_is_unbiased_and_adjusting_for_it_pays(middle):
    policy = make_policy(middle.get_game())
    states, players = rows(policy, middle)
    rewards, luck, ended = search.rollouts(
        policy.searched.game, policy.evaluator, states, players, 600, seed=2, threads=2
    )
    assert ended.all()
    assert (np.abs(rewards) == 1).all()
    mine = luck[0, :, players[0]]
    assert abs(mine.mean()) < 3 * mine.std() / np.sqrt(len(mine))
    adjusted = (rewards - luck)[0, :, players[0]]
    assert rewards[0, :, players[0]].var() > 4 * adjusted.var()
    without = search.rollouts(policy.searched.game, policy.evaluator, states, players, 9, luck=False)
    assert (without[1] == 0).all()


NETWORK = f"expectimax:plies=1,net={home_of(tablier.load_game('trictrac')).champion().network}"


@pytest.mark.parametrize("by", ["", ",by=win"])
@pytest.mark.slow
def test_a_network_lowers_the_variance_ten_times(by):
    """From the start of a game to twelve holes, played out, in points and in win chances."""
    start = tablier.load_game("trictrac", first_throw="white").new_initial_state()
    found = roll_out(start, NETWORK + by, RolloutSettings(games=216, seed=1))
    assert found.ended == found.games
    assert found.by_chance == bool(by)
    assert found.reduction > 10
    luck_error = (found.plain_error**2 + found.error**2) ** 0.5
    assert abs(found.plain - found.value) < 3 * luck_error


def test_enough_ends_a_rollout(middle):
    few = roll_out_candidates(middle, settings=RolloutSettings(8 * 36, 4, portion=36, clearly=100, enough=1.0))
    assert {one.games for one in few} == {36}
    many = roll_out_candidates(middle, settings=RolloutSettings(8 * 36, 4, portion=36, clearly=100))
    assert {one.games for one in many} == {8 * 36}


def test_settings_out_of_range():
    for wrong in ({"games": 0}, {"decisions": -1}, {"seed": -1}, {"threads": -1}, {"portion": 0}):
        with pytest.raises(ValueError, match="must be at least"):
            RolloutSettings(**wrong)


def test_candidates_share_their_dice_and_the_worst_are_dropped(middle):
    found = roll_out_candidates(middle, settings=RolloutSettings(3 * PORTION, 6, threads=2))
    assert sorted(one.action for one in found) == middle.legal_actions()
    assert [one.behind for one in found] == sorted(one.behind for one in found)
    assert found[0].behind == found[0].behind_error == 0
    assert found[0].games >= found[-1].games
    assert found[-1].games == PORTION
    assert found == roll_out_candidates(middle, settings=RolloutSettings(3 * PORTION, 6, threads=1))
    assert all(one.error < one.plain_error for one in found)


def test_a_position_can_be_rolled_out_by_itself(middle):
    """It is worth as much as its best move, which the policy plays first."""
    whole = roll_out(middle, settings=RolloutSettings(PORTION, 6))
    best = roll_out_candidates(middle, "", RolloutSettings(PORTION, 5), [middle_choice(middle)])[0]
    assert whole.action is None
    assert abs(whole.value - best.value) < 4 * (whole.error + best.error)


def middle_choice(state):
    return tablier.players.make_player("heuristic", state.get_game()).choose(state)


@pytest.mark.parametrize(
    "policy", ["random", "greedy", "expectimax", "expectimax:plies=2", "mcts", "expectimax:plies=1,ms=5"]
)
def test_players_that_cannot_be_a_policy(middle, policy):
    """`expectimax` is one of them, because it looks two plies ahead by default."""
    with pytest.raises(ValueError, match="cannot play rollouts"):
        make_policy(middle.get_game(), policy)


def test_bad_input(middle):
    policy = make_policy(middle.get_game())
    game, evaluator = policy.searched.game, policy.evaluator
    states, players = rows(policy, middle)
    for wrong in ((states[:, :3], players), (states, players[:0]), (states.astype(np.int64), players), (None, players)):
        with pytest.raises(TypeError):
            search.rollouts(game, evaluator, *wrong, 5)
    for settings in ({"games": 0}, {"decisions": -1}, {"threads": 0}, {"seed": -1}, {"objective": "x"}):
        with pytest.raises(ValueError, match=r"\w"):
            search.rollouts(game, evaluator, states, players, **({"games": 5} | settings))
    with pytest.raises(ValueError, match="valid state"):
        search.rollouts(game, evaluator, np.full_like(states, 2**63), players, 5)
    with pytest.raises(ValueError, match="player number"):
        search.rollouts(game, evaluator, states, players + 2, 5)
    with pytest.raises(ValueError, match="is not legal"):
        roll_out_candidates(middle, actions=[0])
    before = middle.get_game().new_initial_state()
    with pytest.raises(ValueError, match="dice"):
        roll_out_candidates(before)
    over = tablier.load_game("tic_tac_toe").new_initial_state()
    for action in (0, 3, 1, 4, 2):
        over.apply_action(action)
    with pytest.raises(ValueError, match="over"):
        roll_out(over, "expectimax:plies=1,eval=points")


def test_the_command(capsys):
    assert main(["rollout", POSITION, "--decisions", "4", "--games", "36"]) == 0
    assert "the position" in capsys.readouterr().out
    assert main(["rollout", "nothing"]) == 2
    assert main(["rollout", POSITION, "--policy", "random"]) == 2
    assert "cannot play rollouts" in capsys.readouterr().err


def test_the_command_compares_moves(capsys, middle):
    from tablier.trictrac import Position

    position = Position.of(middle).id()
    assert main(["rollout", position, "--decisions", "4", "--games", "36", "--top", "3", "--json"]) == 0
    assert capsys.readouterr().out.count("win_chance") == 3


@pytest.fixture(scope="module")
def hold_or_leave():
    """A decision of a game to twelve holes in which the mover has just won a hole."""
    return tablier.trictrac.Position.from_id("ybbtAAGqLa2ABdQFMc").state()


def test_both_sides_of_a_choice(hold_or_leave):
    assert offers_choice(hold_or_leave)
    found = compare_sides(hold_or_leave, settings=RolloutSettings(36, 4))
    holding, leaving = found.sides
    assert leaving.text == "leave"
    assert holding.games == leaving.games == 36
    assert min(holding.behind, leaving.behind) == 0
    assert found.difference == pytest.approx(holding.value - leaving.value, abs=1e-9)
    assert found.error > 0


def test_a_choice_at_other_scores(hold_or_leave):
    others = home_of(hold_or_leave.get_game()).at_other_scores(hold_or_leave)
    assert len(others) > 20
    for (mine, theirs), state in others:
        parts = tablier.trictrac.Position.of(state)
        assert (parts.holes[state.current_player()], parts.holes[1 - state.current_player()]) == (mine, theirs)
        assert state.legal_actions() == hold_or_leave.legal_actions()


def test_a_move_is_no_such_choice(hold_or_leave):
    move = hold_or_leave.child(hold_or_leave.legal_actions()[-1])
    while offers_choice(move) or move.current_player() < 0:
        move.apply_action(move.legal_actions()[-1])
    with pytest.raises(ValueError, match="not one between holding and leaving"):
        compare_sides(move)


def test_the_command_reports_on_scores(capsys):
    command = ["rollout", "ybbtAAGqLa2ABdQFMc", "--games", "3", "--decisions", "1"]
    assert main([*command, "--scores"]) == 0
    assert "breaks even at" in capsys.readouterr().out
    assert main([*command, "--scores", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["scores"]) > 20
    assert main(["rollout", POSITION, "--scores"]) == 2


def test_the_hole_table_is_plausible():
    chance = tablier.trictrac.hole_chance
    for needed in range(1, 13):
        for other in range(1, 13):
            assert chance(needed, other) + chance(other, needed, throws=False) == pytest.approx(1)
            if needed < 12:
                assert chance(needed, other) > chance(needed + 1, other)
            if other < 12:
                assert chance(needed, other) < chance(needed, other + 1)
        assert 0.5 < chance(needed, needed) < 0.6
    for wrong in ((0, 1), (1, 13), (-1, 5)):
        with pytest.raises(ValueError, match="from 1 to 12"):
            chance(*wrong)
