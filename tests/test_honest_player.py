"""Players of Trictrac with schools: they mark what is due and make only true claims."""

import random

import pytest

import tablier
from tablier._core import trictrac
from tablier._core.trictrac import DECLARE, LEAVE, NO_CLAIM, SchoolStep, Stage
from tablier.analysis import candidates, decisions
from tablier.games.trictrac.honest import HonestPlayer, is_judged
from tablier.players import make_player
from tablier.trictrac import Position

SCHOOLS = tablier.load_game("trictrac", schools=True, holes_to_win=4)


def play(game, choose, seed):
    """Plays a game and yields (state, action), dice included."""
    rng, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal():
        action = rng.choice(state.legal_actions()) if state.is_chance_node() else choose(state)
        yield state, action
        state = state.child(action)


@pytest.mark.parametrize("name", ["heuristic", "greedy", "gumbel:sims=16", "mcts:sims=16", "expectimax:plies=2"])
def test_nothing_can_be_claimed_between_honest_players(name):
    player, declared = make_player(name, SCHOOLS, seed=1), 0
    for state, action in play(SCHOOLS, player.choose, 3):
        parts = trictrac.parts(state)
        if parts.school == SchoolStep.DECLARE:
            due = parts.due[parts.stage == Stage.MARK_THEIR_POINTS]
            assert state.action_to_string(action) == f"declare {due}"
            declared += due > 0
        elif parts.school:
            assert state.action_to_string(action) == "claim nothing"
    assert declared > 5


def test_an_honest_player_claims_against_a_careless_one():
    player, rng, claimed = make_player("heuristic", SCHOOLS), random.Random(1), 0

    def choose(state):
        school = trictrac.parts(state).school
        if state.current_player() == 0 and school == SchoolStep.DECLARE:
            return trictrac.declaration(rng.choice([0, 0, 2, 4]))  # ignores what is due
        return player.choose(state)

    for seed in range(3):
        for state, action in play(SCHOOLS, choose, seed):
            parts = trictrac.parts(state)
            if parts.school > SchoolStep.DECLARE and state.current_player() == 1 and not parts.failed:
                accused = parts.school == SchoolStep.CLAIM_AGAINST_OTHER
                wrong = abs(parts.due[accused] - parts.declared[accused])
                assert state.action_to_string(action) == (f"claim {wrong}" if wrong else "claim nothing")
                claimed += wrong > 0
    assert claimed > 5


@pytest.mark.parametrize("double", ["single", "double"])
def test_a_neglected_filling_is_claimed(double):
    """A true claim gains points: no false school is ever called."""
    game = tablier.load_game("trictrac", schools=True, fill_school=double)
    player, rng, failed = make_player("heuristic", game), random.Random(2), 0

    def choose(state):
        if trictrac.parts(state).school == SchoolStep.NONE and rng.random() < 0.5:
            return rng.choice([action for action in state.legal_actions() if action != LEAVE])
        return player.choose(state)

    for seed in range(15):
        for state, action in play(game, choose, seed):
            parts = trictrac.parts(state)
            if parts.school == SchoolStep.CLAIM_AGAINST_MOVER and parts.failed:
                failed += 1
                after = trictrac.parts(state.child(action))
                assert after.school == SchoolStep.DECIDE_FILLING, (
                    "the claim is right, so it is asked whether the filling is made"
                )
    assert failed > 1


def test_moves_are_those_of_the_game_without_schools():
    plain = tablier.load_game("trictrac", holes_to_win=4)
    honest, usual = make_player("heuristic", SCHOOLS), make_player("heuristic", plain)
    with_schools = [
        action
        for state, action in play(SCHOOLS, honest.choose, 5)
        if state.is_chance_node() or trictrac.parts(state).school == SchoolStep.NONE
    ]
    assert with_schools == [action for _, action in play(plain, usual.choose, 5)]


def test_a_person_who_marked_wrongly_gets_the_same_hint():
    start = SCHOOLS.new_initial_state().child(13)
    truly, falsely = start.child(DECLARE), start.child(DECLARE + 1)
    assert [one.win_chance for one in candidates(truly)] == [one.win_chance for one in candidates(falsely)]


def test_what_is_right_is_the_first_opinion():
    state = SCHOOLS.new_initial_state().child(13)
    first, second = candidates(state)[:2]
    assert (first.text, first.value) == ("declare 0", 0)
    assert (second.text, second.value) == ("declare 2", -2)
    assert sorted(one.action for one in candidates(state)) == state.legal_actions()
    while trictrac.parts(state).school <= SchoolStep.DECLARE:
        state = state.child(state.legal_actions()[0])
    assert [one.text for one in candidates(state)[:3]] == ["claim nothing", "correct it", "claim 2"]


def test_a_game_is_judged_by_its_moves():
    player = make_player("greedy", SCHOOLS, seed=2)
    steps = list(play(SCHOOLS, player.choose, 7))
    judged = list(decisions(SCHOOLS, [action for _, action in steps]))
    states = [state for state, _ in steps]
    assert judged
    assert all(trictrac.parts(states[one.index]).school == SchoolStep.NONE for one in judged)
    assert all(one.best.win_chance is not None for one in judged)


def test_every_decision_of_careless_people_can_be_judged():
    """Whatever they mark or fail to fill, every legal action has an opinion."""
    rng = random.Random(4)

    def careless(state):
        legal = state.legal_actions()
        school = trictrac.parts(state).school
        if school > 1 and rng.random() < 0.9:
            return NO_CLAIM  # makes no claim and lets it stand
        return rng.choice(legal[:3]) if school == 1 else rng.choice(legal)

    player = make_player("heuristic", SCHOOLS)
    seen = 0
    for seed in range(15):
        for state, _ in play(SCHOOLS, careless, seed):
            if state.is_player_node():
                seen += 1
                assert sorted(one.action for one in player.explain(state)) == state.legal_actions()
                assert player.choose(state) in state.legal_actions()
    assert seen > 200


def test_the_scored_game_has_honest_players_too():
    game = tablier.load_game("trictrac_a_ecrire", schools=True, marques=2)
    player = make_player("mcts:sims=4", game)
    assert isinstance(player, HonestPlayer)
    assert sum(1 for _ in play(game, player.choose, 1)) > 50


@pytest.mark.parametrize("kind", ["expectimax:plies=1,", "gumbel:sims=8,", "policy:"])
def test_a_network_for_the_ordinary_game_plays_with_schools(kind, tmp_path):
    from tablier.learn.networks.nets import Net, to_onnx

    game = tablier.load_game("trictrac", utility="win")
    (tmp_path / "net.onnx").write_bytes(to_onnx(Net(217, 514, "mlp", 16, 1), game))
    player = make_player(f"{kind}net={tmp_path}/net.onnx", SCHOOLS)
    assert sum(state.is_player_node() for state, _ in play(SCHOOLS, player.choose, 2)) > 50


def test_random_players_stay_random():
    assert not isinstance(make_player("random", SCHOOLS), HonestPlayer)


def test_every_move_is_thought_about_as_without_schools():
    """The throws of the setting are reconstructed correctly, early and late: no move uses the fallback."""
    honest, draw, seen = make_player("heuristic", SCHOOLS), random.Random(3), 0

    def choose(state):
        return draw.choice(state.legal_actions()) if is_judged(state) else honest.choose(state)

    for seed in range(6):
        for state, _ in play(SCHOOLS, choose, seed):
            if state.is_chance_node() or not is_judged(state) or len(state.legal_actions()) == 1:
                continue
            position = Position.of(state)
            if position.school is not None and position.stage in ("HoldOrGoChoice", "Move"):
                seen += 1
                assert honest._without_schools(state) is not None, position
    assert seen > 100
