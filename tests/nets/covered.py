"""The games and the shapes of networks that the tests of core/nets go through."""

from liars_dice import LiarsDice
from race import Race

import tablier

GAMES = {
    "tic_tac_toe": ("tic_tac_toe", {}),
    "pig": ("pig", {}),
    "pig-short": ("pig", {"win_score": 20}),
    "trictrac": ("trictrac", {}),
    "trictrac-markov": ("trictrac", {"encoding": "markov"}),
    "trictrac-expert": ("trictrac", {"encoding": "expert"}),
    "trictrac-short": ("trictrac", {"encoding": "markov", "holes_to_win": 3, "utility": "win"}),
    "trictrac-schools": ("trictrac", {"schools": True, "holes_to_win": 6}),
    "trictrac-old": (
        "trictrac",
        {"encoding": "markov", "explicit_roll": True, "jan_de_rencontre": True, "first_throw": "fresh_roll"},
    ),
    "trictrac-stakes": ("trictrac", {"encoding": "markov", "stake_rule": "double", "swap_colours_on_exit": True}),
    "scored": ("trictrac_a_ecrire", {"marques": 2}),
    "scored-three": ("trictrac_a_ecrire", {"marques": 3, "players": 3}),
    "scored-bounded": ("trictrac_a_ecrire", {"marques": 2, "encoding": "bounded"}),
    "scored-expert": ("trictrac_a_ecrire", {"marques": 4, "encoding": "expert"}),
    "scored-three-expert": ("trictrac_a_ecrire", {"marques": 3, "players": 3, "encoding": "expert"}),
    "backgammon": ("backgammon", {}),
    "backgammon-expert": ("backgammon", {"encoding": "expert"}),
    "backgammon-hyper": ("backgammon", {"encoding": "expert", "start": "hyper", "scoring": "win_loss"}),
    "race": ("race", {}),
    "liars_dice": ("liars_dice", {}),
}
CODED = [
    name
    for name, (game, options) in GAMES.items()
    if game in ("backgammon", "trictrac") or options.get("encoding") in ("bounded", "expert")
]
"""Games that define codes of their own."""
SHAPES = {
    "one unit": {"width": 1, "hidden": ()},
    "no hidden layer": {"width": 65, "hidden": (), "outputs": 16},
    "odd": {"width": 63, "hidden": (17, 1, 31), "outputs": 3},
    "usual": {"width": 128, "hidden": (16,)},
    "policy": {"width": 100, "hidden": (16,), "policy": True},
    "extreme": {"width": 96, "hidden": (33, 16), "policy": True, "extreme": True},
    "extreme ceiling": {"width": 40, "hidden": (8,), "extreme": True, "ceiling": 32767, "policy": True},
    "ceiling of one": {"width": 64, "hidden": (16, 16), "ceiling": 1},
    "features": {"width": 72, "hidden": (12,), "features": True},
    "version 2": {"width": 130, "hidden": (16,), "policy": True, "version": 2},
}
WIDEST = {"width": 1024, "hidden": (256, 256, 256)}


def load(name):
    """Returns a game of the list; those in Python are registered first."""
    game, options = GAMES[name]
    for definition in (Race, LiarsDice):
        if definition.name == game:
            tablier.register(definition, replace=True)
    return tablier.load_game(game, **options)
