"""The shipped networks of backgammon are its champions."""

import random

import numpy as np
import pytest
import torch

import tablier
from tablier import models
from tablier._core import backgammon
from tablier.games import home_of
from tablier.learn.networks.core_net import CoreNet, to_core
from tablier.players import default_opponent, make_player


@pytest.fixture
def ship(tmp_path, monkeypatch):
    """Returns a function that ships a small network under a name."""
    monkeypatch.setattr(models, "FOLDER", tmp_path)

    def write(name, **options):
        game = tablier.load_game("backgammon", encoding="expert", **options)
        torch.manual_seed(3)
        net = CoreNet(int(np.prod(game.features_shape())), 0, 16, (8,))
        torch.nn.init.normal_(net.value.weight)
        (tmp_path / f"{name}.safetensors").write_bytes(to_core(net, game))

    return write


@pytest.mark.parametrize(
    "options", [{}, {"start": "nackgammon"}, {"scoring": "win_loss", "encoding": "classic"}], ids=str
)
def test_it_plays_every_game_of_fifteen_men(ship, options):
    ship("backgammon")
    game = tablier.load_game("backgammon", **options)
    assert default_opponent(game) == "champion"
    player, draw, state = make_player("champion:plies=1", game), random.Random(2), game.new_initial_state()
    for _ in range(100):
        chance = state.is_chance_node()
        state.apply_action(draw.choice(state.legal_actions()) if chance else player.choose(state))
    assert not state.is_terminal()


def test_hypergammon_has_a_network_of_its_own(ship):
    game = tablier.load_game("backgammon", start="hyper")
    ship("backgammon")
    assert home_of(game).champion() is None
    ship("hypergammon", start="hyper")
    assert home_of(game).champion().network.name == "hypergammon.safetensors"
    assert home_of(tablier.load_game("backgammon")).champion().network.name == "backgammon.safetensors"


def test_it_bears_off_by_the_tables(ship):
    ship("backgammon")
    game = tablier.load_game("backgammon")
    parts = backgammon.Parts()
    parts.board = [2, 0, 0, 2, 0, 1] + 12 * [0] + [0, -2, 0, 0, -3, 0]
    parts.off, parts.dice, parts.moves_left = (10, 10), (2, 1), 2
    state = backgammon.compose(game, parts)
    best = make_player("champion:plies=1", game).explain(state)[0]
    assert best.value == pytest.approx(backgammon.known_equity(state), abs=1e-6)
