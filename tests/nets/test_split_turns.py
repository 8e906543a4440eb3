"""A doublet is two actions of one turn: search and self-play with a network value the first by the best second one."""

import numpy as np
import pytest
from network_files import random_network, room

import tablier
from tablier._core import backgammon, nets, search
from tablier.evaluators import CoreEvaluator
from tablier.players import make_player

GAME = tablier.load_game("backgammon", encoding="expert")


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("networks") / "random.safetensors"
    path.write_bytes(random_network(GAME, seed=3).file)
    return path


def values(network, states, mover):
    """Returns what positions before a throw, or after the game, are worth to the player who moved."""
    rows = np.array([search.words(state) for state in states])
    viewers = np.full(len(states), mover, np.int32)
    found = search.evaluate(GAME, CoreEvaluator(GAME, str(network)), rows, 0, 1, viewers)[:, mover]
    return np.array([state.returns()[mover] for state in states]) + found


def best_turn(network, decision):
    """Returns the value of the best whole turn for the mover, by the list of all positions that it can lead to."""
    _, turns, _ = backgammon.turns(GAME, search.words(decision)[None])
    halves = [(decision.child(first), second) for first, second in turns.tolist()]
    after = [state if second < 0 else state.child(second) for state, second in halves]
    return values(network, after, decision.current_player()).max()


def decisions(n, doublets, seed=5):
    """Returns decisions of random games, only those at the start of a doublet or only others."""
    draw, found, state = np.random.default_rng(seed), [], GAME.new_initial_state()
    while len(found) < n:
        if state.is_terminal():
            state = GAME.new_initial_state()
        if (
            state.current_player() >= 0
            and (backgammon.parts(state).moves_left == 4) == doublets
            and draw.random() < 0.2
        ):
            found.append(state.clone())
        state.apply_action(int(draw.choice(state.legal_actions())))
    return found


def test_each_first_half_is_worth_its_best_second_half(network):
    for decision in decisions(10, doublets=True):
        mover = decision.current_player()
        ranked = make_player(f"expectimax:plies=1,net={network}", GAME).explain(decision)
        assert [one.action for one in ranked] != []
        for one in ranked:
            half = decision.child(one.action)
            after = (
                [half.child(action) for action in half.legal_actions()] if half.current_player() == mover else [half]
            )
            assert one.value == pytest.approx(values(network, after, mover).max(), abs=1e-5)
        assert ranked[0].value == pytest.approx(best_turn(network, decision), abs=1e-5)


def test_a_ply_deeper_a_doublet_is_one_turn(network):
    for decision in decisions(2, doublets=False):
        player = make_player(f"expectimax:plies=2,keep=2,net={network}", GAME)
        mover, best = decision.current_player(), player.explain(decision)[0]
        after = decision.child(best.action)
        replies = [-best_turn(network, after.child(throw)) for throw in after.legal_actions()]
        assert best.value == pytest.approx(np.mean(replies), abs=1e-5), mover


def test_self_play_chooses_the_best_turn(network):
    env, net, doublets = tablier.BatchEnv(GAME, 1, seed=9), nets.Network(network.read_bytes()), 0
    arrays = room(env, 1)
    for _ in range(150):
        state = env.state(0)
        sign = 1 - 2 * state.current_player()
        env.play(net, **arrays)
        best = best_turn(network, state)
        assert sign * arrays["best"][0, 0] == pytest.approx(best, abs=1e-5)
        now = backgammon.parts(env.state(0))
        if now.moves_left == 2 and now.dice[0] == now.dice[1]:
            assert sign * arrays["best"][0, 1] == pytest.approx(best, abs=1e-5)  # the first half allows the second
            doublets += 1
    assert doublets > 5
