"""Every state that the engine makes can be saved and read back, under all options; so can its mirror image."""

import random

import pytest

import tablier
from tablier import _core

GAMES_PER_OPTION, STEPS = 3, 60
"""Each option value also starts one game per outcome of the first throw."""


def values_of(row):
    """Returns values of an option to try, from a row of `Game._option_docs()`: all, or the limits of an integer."""
    _, default, _, _, least, most, choices = row
    if isinstance(default, bool):
        return [False, True]
    return choices or sorted({least, min(least + 1, most), default, most})


def option_sets(name, draw):
    """Returns the defaults, each value of each option alone, and as many random combinations; never a conflict."""
    rows = tablier.load_game(name)._option_docs()
    sets = [{}] + [{row[0]: value} for row in rows for value in values_of(row)]
    sets += [{row[0]: draw.choice(values_of(row)) for row in rows if draw.random() < 0.4} for _ in sets]
    return [options for options in sets if loads(name, options)]


def loads(name, options):
    try:
        tablier.load_game(name, **options)
    except ValueError:  # options that contradict each other
        return False
    return True


def check(state):
    game = state.get_game()
    images = [state, state.mirrored()] if state.has_mirror() else [state]
    for image in [*images, state._canonical()]:
        assert game.deserialize(image.serialize()) == image
    if state.has_mirror():
        assert images[1].mirrored() == state


def play(state, draw, steps):
    for _ in range(steps):
        check(state)
        if state.is_terminal():
            return
        state.apply_action(draw.choice(state.legal_actions()))
    check(state)


@pytest.mark.parametrize("name", _core.native_games())
def test_every_state_can_be_saved_and_read_back(name):
    draw = random.Random(20240611)
    for options in option_sets(name, draw):
        game = tablier.load_game(name, **options)
        start = game.new_initial_state()
        for _ in range(GAMES_PER_OPTION):
            play(start.clone(), draw, STEPS)
        for outcome in start.legal_actions() if start.is_chance_node() else ():
            play(start.child(outcome), draw, 8)


@pytest.mark.parametrize("outcome", range(36))
def test_any_first_throw_is_kept_for_the_jan_de_rencontre(outcome):
    game = tablier.load_game("trictrac", jan_de_rencontre=True, first_throw="white")
    play(game.new_initial_state().child(outcome), random.Random(outcome), 12)


def test_the_scored_game_that_white_begins_has_no_mirror_image_in_its_first_marque():
    game = tablier.load_game("trictrac_a_ecrire", first_throw="white")
    assert not game.new_initial_state().has_mirror()
    with pytest.raises(ValueError, match="no mirror image"):
        game.new_initial_state().mirrored()
