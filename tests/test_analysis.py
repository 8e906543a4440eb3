"""Analysis of games by a strong player."""

import random

import pytest

import tablier
from tablier import _core, trictrac
from tablier.analysis import candidates, decisions, default_analyst, mistakes, steady_analyst
from tablier.players import Opinion, make_player


def random_actions(game, seed):
    rng = random.Random(seed)
    state, actions = game.new_initial_state(), []
    while not state.is_terminal():
        actions.append(rng.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    return actions


class Judge:
    """Values the first legal action at 1 and each later one a tenth lower."""

    def choose(self, state):
        return state.legal_actions()[0]

    def explain(self, state):
        return [
            Opinion(action, state.action_to_string(action), 1 - i / 10, win_chance=1 - i / 10)
            for i, action in enumerate(state.legal_actions())
        ]


def test_tic_tac_toe_is_judged_exactly(tic_tac_toe):
    """The edge next to a corner loses to the centre; every later move keeps that result."""
    game = [0, 1, 4, 8, 3, 5, 6]
    judged = list(decisions(tic_tac_toe, game))
    assert [d.index for d in judged] == [0, 1, 2, 3, 4, 5, 6]
    assert [d.player for d in judged] == [0, 1, 0, 1, 0, 1, 0]
    assert [round(d.cost, 3) for d in judged] == [0, 0.5, 0, 0, 0, 0, 0]
    assert [round(d.win_chance, 3) for d in judged] == [0.5, 0.5, 1, 1, 1, 1, 1]
    (worst,) = mistakes(judged)
    assert (worst.index, worst.played, worst.best.action) == (1, 1, 4)


def test_a_whole_game_of_trictrac():
    game = tablier.load_game("trictrac", holes_to_win=3)
    actions = random_actions(game, 5)
    judged = list(decisions(game, actions, "expectimax:plies=2,keep=1000"))
    state, choices = game.new_initial_state(), []
    for index, action in enumerate(actions):
        if state.is_player_node() and len(state.legal_actions()) > 1:
            choices.append((index, state.current_player(), action))
        state.apply_action(action)
    assert [(d.index, d.player, d.played) for d in judged] == choices
    assert all(d.cost >= 0 and 0 <= d.win_chance <= 1 for d in judged)
    assert all(d.opinion.win_chance <= d.best.win_chance for d in judged)
    assert sum(d.cost for d in judged) > 0.5, "a random player makes mistakes"
    ranked = mistakes(judged, least=0.05)
    assert [d.cost for d in ranked] == sorted((d.cost for d in judged if d.cost >= 0.05), reverse=True)


def test_a_good_player_loses_less_than_a_random_one():
    game = tablier.load_game("trictrac", holes_to_win=1)
    rng, good, bad = random.Random(1), make_player("expectimax:plies=2", game), make_player("random", game, seed=1)
    costs = [0.0, 0.0]
    for _ in range(3):
        state, actions = game.new_initial_state(), []
        while not state.is_terminal():
            player = state.current_player()
            actions.append(
                rng.choice(state.legal_actions()) if player < 0 else (good if player == 0 else bad).choose(state)
            )
            state.apply_action(actions[-1])
        for decision in decisions(game, actions, "expectimax:plies=2,keep=1000"):
            costs[decision.player] += decision.cost
    assert costs[0] < 0.1 * costs[1]


def test_another_spelling_of_a_move_is_the_same_move():
    """Only 4-6 with the first die first is listed; the other order reaches the same position."""
    game = tablier.load_game("trictrac", first_throw="white")
    start = game.new_initial_state().child(6 * 3 + 5)
    listed = {str(start.child(action)): action for action in start.legal_actions()}
    spelled = next(action for action in range(2, 514) if action not in start.legal_actions() and _legal(start, action))
    same = listed[str(start.child(spelled))]
    one = next(decisions(game, [23, spelled]))
    two = next(decisions(game, [23, same]))
    assert (one.played, one.opinion.action, one.cost) == (spelled, same, two.cost)


def _legal(state, action):
    try:
        state.child(action)
    except ValueError:
        return False
    return True


def test_who_has_no_opinions_does_not_judge(tic_tac_toe):
    with pytest.raises(ValueError, match="random cannot rate moves"):
        decisions(tic_tac_toe, [0, 1], make_player("random", tic_tac_toe))


def test_a_game_may_begin_anywhere():
    board = [9, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -7]
    start = trictrac.Position(board=board).throw(6, 5)
    (one,) = decisions(start.get_game(), [1], start=start)
    assert (one.index, one.opinion.text) == (0, "leave")
    assert start.current_player() == 0, "the state that was given is as it was"
    assert candidates(start)[0] == one.best


@pytest.mark.parametrize(("seat", "chance"), [(0, 1.0), (1, 0.0)])
def test_the_chance_is_that_of_seat_0(tic_tac_toe, seat, chance):
    judged = list(decisions(tic_tac_toe, [0, 1], Judge()))
    assert judged[seat].win_chance == chance


def test_the_cost_is_the_distance_to_the_best(tic_tac_toe):
    (one,) = decisions(tic_tac_toe, [3], Judge())
    assert one.cost == pytest.approx(0.3)
    assert one.best.action == 0


def test_an_action_that_a_search_never_visited_is_not_called_good(tic_tac_toe):
    """The search reports the position's value for it, 0.6 here."""

    class Tree(Judge):
        def explain(self, state):
            chances = [(0, 50, 0.7), (1, 30, 0.65), (2, 20, 0.4)] + [(action, 0, 0.6) for action in range(3, 9)]
            return [Opinion(action, "", 0.0, visits, win_chance=chance) for action, visits, chance in chances]

    costs = [next(decisions(tic_tac_toe, [action], Tree())).cost for action in (0, 1, 2, 3)]
    assert costs == pytest.approx([0, 0.05, 0.3, 0.3])


@pytest.mark.parametrize("name", _core.native_games())
def test_every_game_has_an_analyst(name):
    game = tablier.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(13)
    opinions = candidates(state, default_analyst(game).replace("sims=20000", "sims=50"))
    assert sorted(opinion.action for opinion in opinions) == state.legal_actions()


@pytest.mark.parametrize("name", _core.native_games())
def test_the_analyst_of_the_command_line_does_not_look_at_the_clock(name):
    game = tablier.load_game(name)
    assert steady_analyst(game) == steady_analyst(game)
    assert ",ms=" not in steady_analyst(game)
    assert steady_analyst(game).partition(":")[0] == default_analyst(game).partition(":")[0]


def test_a_game_is_judged_alike_every_time():
    game = tablier.load_game("pig", win_score=30)
    actions = random_actions(game, 3)[:20]
    assert list(decisions(game, actions)) == list(decisions(game, actions))


@pytest.mark.parametrize(
    ("actions", "words"),
    [([0, 0], "action 1: "), ([0, 1, 99], "action 2: "), (["x"], "action 0: "), ([0, 3, 1, 4, 2, 8], "action 5: ")],
)
def test_an_action_that_is_not_legal_is_named_before_any_thought(tic_tac_toe, actions, words):
    with pytest.raises(ValueError, match=words):
        decisions(tic_tac_toe, actions, "mcts:sims=100000000")


def test_nobody_decides_at_the_dice_or_at_the_end(tic_tac_toe):
    with pytest.raises(ValueError, match="the dice have not been thrown yet"):
        candidates(tablier.load_game("trictrac").new_initial_state())
    over = tic_tac_toe.new_initial_state()
    for action in (0, 3, 1, 4, 2):
        over.apply_action(action)
    with pytest.raises(ValueError, match="the game is over"):
        candidates(over)


def test_a_player_without_reasons_is_no_analyst(tic_tac_toe):
    class Silent:
        def choose(self, state):
            return state.legal_actions()[0]

    with pytest.raises(ValueError, match="Silent cannot rate moves"):
        decisions(tic_tac_toe, [0], Silent())
