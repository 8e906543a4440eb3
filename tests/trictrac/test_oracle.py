"""The engine against the oracle: 20,000 positions and some hundred games. oracle_run.py compares a million."""

import itertools
import random

import pytest
from comparison import (
    GAME_OPTIONS,
    POSITION_OPTIONS,
    play_in_step,
    play_on_in_step,
    position_differences,
    positions_of_games,
    random_options,
    synthetic_positions,
)
from oracle import DEFAULT
from oracle.positions import THEMES

import tablier


def differences(positions, count):
    found = []
    for (board, dice, throw_index, _), options in zip(
        itertools.islice(positions, count), itertools.cycle(POSITION_OPTIONS), strict=False
    ):
        found += position_differences(board, dice, throw_index, options)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_synthetic_positions(seed):
    assert differences(synthetic_positions(random.Random(seed)), 1000) == []


@pytest.mark.parametrize("seed", range(8))
def test_positions_of_random_games(seed):
    assert differences(positions_of_games(random.Random(seed)), 1000) == []


@pytest.mark.parametrize("theme", [theme for theme, _ in THEMES], ids=lambda theme: theme.__name__)
def test_every_throw_of_a_theme(theme):
    rng = random.Random(7)
    for _ in range(3):
        board = theme(rng)
        for dice in itertools.product(range(1, 7), repeat=2):
            assert position_differences(board, dice, 3, DEFAULT) == []


@pytest.mark.parametrize("name", GAME_OPTIONS)
def test_a_game_in_step(name):
    for seed in range(2):
        play_in_step(GAME_OPTIONS[name], seed, max_throws=400)


@pytest.mark.parametrize("seed", range(20))
def test_a_game_in_step_with_any_options(seed):
    play_in_step(random_options(random.Random(seed)), seed, max_throws=300)


@pytest.mark.parametrize("seed", range(10))
def test_played_on_in_step_from_synthetic_positions(seed):
    """From these positions players fill jans, bear off and end settings and games within a few throws."""
    rng = random.Random(seed)
    for number in range(60):
        play_on_in_step(random_options(rng), f"{seed} {number}")


def test_every_option_of_the_ordinary_game_is_played_in_step():
    options = set(tablier.load_game("trictrac").options()) - {"schools", "fill_school"}
    assert {name for chosen in GAME_OPTIONS.values() for name in chosen} == options
