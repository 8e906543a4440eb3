"""Golden files of seeded games: no rule changes by accident under any option."""

import random
from pathlib import Path

import careful
import pytest
from drawn import FORCE_CORRECT, GO, HAVE_IT_FILLED, PASS, parts

import tablier
from tablier._core.trictrac import SchoolStep, Stage, claim, declaration
from tablier.testing import playthrough
from tablier.trictrac import Record, replay

GAMES = Path(__file__).parent / "games"

VARIANTS = {
    "plain-1": ("trictrac", {}, 14),
    "plain-2": ("trictrac", {}, 15),
    "plain-3": ("trictrac", {}, 16),
    "long": ("trictrac", {"holes_to_win": 60}, 7),
    "short": ("trictrac", {"holes_to_win": 2}, 21),
    "fresh-roll": ("trictrac", {"first_throw": "fresh_roll"}, 6),
    "white-begins": ("trictrac", {"first_throw": "white"}, 23),
    "old-bearing-off": ("trictrac", {"bearing_off": "by_default_only", "holes_to_win": 60}, 12),
    "carries-over": ("trictrac", {"last_throw_carries_over": True, "holes_to_win": 60}, 3),
    "mezeas-next": ("trictrac", {"mezeas_next_throw_only": True}, 10),
    "pile": ("trictrac", {"pile_de_misere": True}, 13),
    "rencontre": ("trictrac", {"jan_de_rencontre": True, "holes_to_win": 1}, 18),
    "margot": ("trictrac", {"margot_la_fendue": True}, 8),
    "double-stake": ("trictrac", {"stake_rule": "double", "utility": "win"}, 4),
    "quadruple-stake": ("trictrac", {"stake_rule": "quadruple", "utility": "win"}, 17),
    "swap-colours": ("trictrac", {"swap_colours_on_exit": True, "holes_to_win": 60}, 22),
    "explicit-roll": ("trictrac", {"explicit_roll": True}, 5),
    "markov": ("trictrac", {"encoding": "markov"}, 9),
    "schools": ("trictrac", {"schools": True, "holes_to_win": 100}, 19),
    "schools-double": ("trictrac", {"schools": True, "fill_school": "double", "holes_to_win": 100}, 20),
    "a-ecrire": ("trictrac_a_ecrire", {"marques": 2}, 0),
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
        2,
    ),
    "a-ecrire-board-options": (
        "trictrac_a_ecrire",
        {
            "marques": 2,
            "encoding": "bounded",
            "first_throw": "fresh_roll",
            "bearing_off": "by_default_only",
            "last_throw_carries_over": True,
            "mezeas_next_throw_only": True,
            "pile_de_misere": True,
            "jan_de_rencontre": True,
            "margot_la_fendue": True,
            "explicit_roll": True,
        },
        1,
    ),
    "a-ecrire-three": ("trictrac_a_ecrire", {"marques": 3, "players": 3}, 0),
    "a-ecrire-schools": ("trictrac_a_ecrire", {"marques": 2, "schools": True, "fill_school": "double"}, 0),
}

# Games of players who know what is due and sometimes err (careful.py), saved as records.
CAREFUL = {
    "careful-schools": ("trictrac", {"schools": True}, 0),
    "careful-schools-double": ("trictrac", {"schools": True, "fill_school": "double", "holes_to_win": 40}, 7),
    "careful-schools-options": (
        "trictrac",
        {"schools": True, "last_throw_carries_over": True, "explicit_roll": True, "bearing_off": "by_default_only"},
        2,
    ),
    "careful-a-ecrire-schools": ("trictrac_a_ecrire", {"marques": 2, "schools": True}, 7),
    "careful-three-schools": ("trictrac_a_ecrire", {"marques": 3, "players": 3, "schools": True}, 3),
    "careful-three": ("trictrac_a_ecrire", {"marques": 6, "players": 3, "next_marque_first": "winner"}, 1),
}


def written(name):
    game, options, seed = VARIANTS[name]
    return playthrough(tablier.load_game(game, **options), seed=seed, detailed=0)


def played_carefully(name):
    """Returns the game, its actions and its states."""
    loaded, options, seed = CAREFUL[name]
    game = tablier.load_game(loaded, **options)
    return game, *careful.play(game, random.Random(seed))


def recorded(name):
    game, actions, _ = played_carefully(name)
    return Record.from_actions(game, actions).text()


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_is_played_as_it_always_was(name):
    assert written(name) == (GAMES / f"{name}.txt").read_text(), "see `make golden`"


@pytest.mark.parametrize("name", CAREFUL)
def test_a_careful_game_is_played_as_it_always_was(name):
    text = (GAMES / f"{name}.txt").read_text()
    assert recorded(name) == text, "see `make golden`"
    assert replay(text).text() == text


def test_careful_games_come_to_everything_that_can_be_said_in_schools():
    said = set()
    for name in CAREFUL:
        _, actions, states = played_carefully(name)
        for state, after, action in zip(states[:-1], states[1:], actions, strict=True):
            before = parts(state)
            school = before.school
            if school == SchoolStep.DECLARE:
                right = declaration(before.due[before.stage == Stage.MARK_THEIR_POINTS])
                said.add(("declares", (action > right) - (action < right)))
            elif school == SchoolStep.DECIDE_FILLING:
                said.add(("filling", action == HAVE_IT_FILLED))
            elif school:
                truth = careful.true_school(before)
                right = truth > 0 and action == claim(truth)
                said.add((school, {PASS: "nothing", FORCE_CORRECT: "corrects"}.get(action, right)))
            elif before.failed:
                said.add("fills after all")
            elif action == GO:
                said.add("leaves")
            if school == SchoolStep.CLAIM_AFTER_GO and parts(after).dice != (0, 0):
                said.add("must play")
    asked = (SchoolStep.CLAIM_AGAINST_MOVER, SchoolStep.CLAIM_AGAINST_OTHER, SchoolStep.CLAIM_AFTER_GO)
    claims = {(school, said) for school in asked for said in ("nothing", "corrects", True, False)}
    assert said >= claims | {("filling", True), ("filling", False), "fills after all", "leaves", "must play"}
    assert said >= {("declares", sign) for sign in (-1, 0, 1)}


def test_every_option_is_played_at_least_once():
    for game in ("trictrac", "trictrac_a_ecrire"):
        used = {option for name, options, _ in VARIANTS.values() if name == game for option in options}
        assert used == set(tablier.load_game(game).options())
    assert len(VARIANTS) >= 20


if __name__ == "__main__":  # make golden
    GAMES.mkdir(exist_ok=True)
    for name in VARIANTS:
        (GAMES / f"{name}.txt").write_text(written(name))
    for name in CAREFUL:
        (GAMES / f"{name}.txt").write_text(recorded(name))
