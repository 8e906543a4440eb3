"""Values that a game knows replace those of a network, in search, rollouts and self-play."""

import numpy as np
import pytest
from network_files import random_network

import tablier
from tablier._core import backgammon, nets, search
from tablier.evaluators import CoreEvaluator
from tablier.players import make_player

GAME = tablier.load_game("backgammon")


def home(mine, theirs, dice=None, player=0):
    """Returns a position with these men on points 1 to 24 of their own numbering, the rest borne off."""
    parts = backgammon.Parts()
    board = [0] * 24
    for point, count in mine.items():
        board[point - 1] += count
    for point, count in theirs.items():
        board[24 - point] -= count
    parts.board = board if player == 0 else [-count for count in reversed(board)]
    off = (15 - sum(mine.values()), 15 - sum(theirs.values()))
    parts.off = off if player == 0 else off[::-1]
    parts.player = player
    if dice:
        parts.dice, parts.moves_left = dice, 4 if dice[0] == dice[1] else 2
    return backgammon.compose(GAME, parts)


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    path = tmp_path_factory.mktemp("networks") / "random.safetensors"
    path.write_bytes(random_network(GAME, seed=3).file)
    return path


def test_a_position_that_the_game_knows_is_not_asked_of_the_network(network):
    states = [home({1: 2, 4: 2}, {2: 3, 5: 2}), home({13: 1, 4: 2}, {2: 3, 5: 2})]
    rows = np.array([search.words(state) for state in states])
    known, unknown = search.evaluate(GAME, CoreEvaluator(GAME, str(network)), rows, 0, 1, np.zeros(2, np.int32))[:, 0]
    assert known == pytest.approx(backgammon.known_equity(states[0]), abs=1e-6)
    net = nets.Network(network.read_bytes())
    outputs, _ = net.compute(GAME, rows, np.zeros(2, np.int32))
    assert unknown != pytest.approx(known)
    assert np.sign(unknown) == np.sign(outputs[1, 0])


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("dice", [(2, 1), (3, 3)])
def test_a_decision_is_worth_its_best_play(network, dice, player):
    decision = home({1: 2, 4: 2, 6: 1}, {2: 3, 5: 2}, dice, player)
    best = make_player(f"expectimax:plies=1,net={network}", GAME).explain(decision)[0]
    assert best.value == pytest.approx(backgammon.known_equity(decision) * (1 - 2 * player), abs=1e-6)


def test_a_man_that_comes_home_makes_the_value_known(network):
    decision = home({7: 1, 1: 2}, {2: 3, 5: 2}, (6, 1))
    ranked = make_player(f"expectimax:plies=1,net={network}", GAME).explain(decision)
    for one in ranked:
        after = backgammon.known_equity(decision.child(one.action))
        assert after is None or one.value == pytest.approx(after, abs=1e-6)
    assert any(backgammon.known_equity(decision.child(one.action)) is not None for one in ranked)
