"""The networks that ship with the package, and their cards."""

from pathlib import Path

import pytest

import tablier
from tablier import models
from tablier.evaluators import CoreEvaluator
from tablier.games import home_of

PACKAGE = Path(tablier.__file__).parent


def test_all_networks_together_are_small():
    assert sum(path.stat().st_size for path in PACKAGE.rglob("*.safetensors")) <= 4_000_000


@pytest.mark.parametrize("name", models.names())
def test_every_network_has_a_card_and_fits_its_game(name):
    card = models.card(name)
    assert set(models.FACTS) <= set(card)
    assert card["weaknesses"]
    assert card["command"].startswith(("tablier ", "python "))
    game = tablier.load_game(card["game"], **card.get("options", {}))
    CoreEvaluator(game, models.network(name))  # checks the checksum


def test_the_network_named_after_a_game_is_its_champion():
    for name in tablier.registered_games():
        champion = home_of(tablier.load_game(name)).champion()
        if champion and champion.network:
            assert champion.network == models.network(name)
            assert models.card(name)["purpose"] == "champion"


def test_a_network_that_does_not_exist():
    assert models.network("nobody") is None
    with pytest.raises(KeyError):
        models.card("nobody")
