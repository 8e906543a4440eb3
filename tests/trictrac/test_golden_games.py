"""Seeded games, written down once: no rule changes by accident under any option."""

from pathlib import Path

import pytest

import tablier
from tablier.testing import playthrough

GAMES = Path(__file__).parent / "games"

VARIANTS = {
    "plain-1": ("trictrac", {}),
    "plain-2": ("trictrac", {}),
    "plain-3": ("trictrac", {}),
    "long": ("trictrac", {"holes_to_win": 60}),
    "short": ("trictrac", {"holes_to_win": 2}),
    "fresh-roll": ("trictrac", {"first_throw": "fresh_roll"}),
    "white-begins": ("trictrac", {"first_throw": "white"}),
    "old-bearing-off": ("trictrac", {"bearing_off": "by_default_only", "holes_to_win": 60}),
    "carries-over": ("trictrac", {"last_throw_carries_over": True, "holes_to_win": 60}),
    "nominal": ("trictrac", {"fill_way_rule": "nominal", "forbidden_test": "material", "holes_to_win": 40}),
    "mezeas-next": ("trictrac", {"mezeas_next_throw_only": True}),
    "pile": ("trictrac", {"pile_de_misere": True}),
    "rencontre": ("trictrac", {"jan_de_rencontre": True, "holes_to_win": 1}),
    "margot": ("trictrac", {"margot_la_fendue": True}),
    "double-stake": ("trictrac", {"stake_rule": "double", "utility": "win"}),
    "quadruple-stake": ("trictrac", {"stake_rule": "quadruple", "utility": "win"}),
    "swap-colours": ("trictrac", {"swap_colours_on_exit": True, "holes_to_win": 60}),
    "explicit-roll": ("trictrac", {"explicit_roll": True}),
    "markov": ("trictrac", {"encoding": "markov"}),
    "schools": ("trictrac", {"schools": True, "holes_to_win": 100}),
    "schools-double": ("trictrac", {"schools": True, "fill_school": "double", "holes_to_win": 100}),
    "a-ecrire": ("trictrac_a_ecrire", {"marques": 2}),
    "a-ecrire-house-rules": (
        "trictrac_a_ecrire",
        {
            "marques": 4,
            "refait_consolation": "linear",
            "next_marque_first": "winner",
            "bredouille_progression": "every six holes",
            "tail_tokens_per_loss": 1,
            "bets": False,
            "final_tail": 12,
            "swap_colours_on_exit": True,
        },
    ),
    "a-ecrire-board-options": (
        "trictrac_a_ecrire",
        {
            "marques": 2,
            "first_throw": "fresh_roll",
            "forbidden_test": "material",
            "bearing_off": "by_default_only",
            "last_throw_carries_over": True,
            "fill_way_rule": "nominal",
            "mezeas_next_throw_only": True,
            "pile_de_misere": True,
            "jan_de_rencontre": True,
            "margot_la_fendue": True,
            "explicit_roll": True,
        },
    ),
}


def written(name):
    game, options = VARIANTS[name]
    return playthrough(tablier.load_game(game, **options), seed=sorted(VARIANTS).index(name), detailed=0)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_is_played_as_it_always_was(name):
    assert written(name) == (GAMES / f"{name}.txt").read_text(), "see `make golden`"


def test_every_option_is_played_at_least_once():
    for game in ("trictrac", "trictrac_a_ecrire"):
        used = {option for name, options in VARIANTS.values() if name == game for option in options}
        assert used == set(tablier.load_game(game).options())
    assert len(VARIANTS) >= 20


if __name__ == "__main__":  # make golden
    GAMES.mkdir(exist_ok=True)
    for name in VARIANTS:
        (GAMES / f"{name}.txt").write_text(written(name))
