"""Search settings are declared once, in C++; Python offers exactly those."""

import dataclasses

import pytest

from tablier._core import search as native
from tablier.players import settings_of
from tablier.search import EXPECTIMAX_SETTINGS, SETTINGS, ExpectimaxConfig, SearchConfig, range_of

CONFIGS = ((SearchConfig, SETTINGS), (ExpectimaxConfig, EXPECTIMAX_SETTINGS))


@pytest.mark.parametrize(("config", "settings"), CONFIGS, ids=["search", "expectimax"])
def test_a_config_has_a_field_of_the_right_type_for_every_setting(config, settings):
    kinds = {"int": int, "float": float, "bool": bool, "str": str}
    fields = {one.name: one for one in dataclasses.fields(config)}
    assert list(fields) == list(settings)
    for name, setting in settings.items():
        assert kinds[fields[name].type] is type(setting.default)
        assert getattr(config(), name) == setting.default
        assert setting.doc in config.__doc__


@pytest.mark.parametrize(("config", "settings"), CONFIGS, ids=["search", "expectimax"])
def test_a_setting_takes_the_ends_of_its_range_and_nothing_beyond(config, settings):
    for name, setting in settings.items():
        if setting.least is None:
            continue
        low, high = range_of(setting)
        for value in (low, high):
            assert getattr(config(**{name: value}), name) == value
        for value in (low - 1, 2 * high + 1):
            with pytest.raises(ValueError, match=f"{name} must be from"):
                config(**{name: value})


def test_cpp_checks_what_did_not_come_through_a_config(pig):
    class Loose(SearchConfig):
        def __post_init__(self):
            pass

    for settings, error, words in (
        ({"memory_mb": 0}, ValueError, "'memory_mb' is out of range"),
        ({"c_puct": float("nan")}, ValueError, "'c_puct' is out of range"),
        ({"c_puct": "much"}, TypeError, "'c_puct' has the wrong type"),
        ({"root": 3}, TypeError, "'root' has the wrong type"),
        ({"root": "sideways"}, ValueError, "is not a valid root; accepted: puct, gumbel"),
    ):
        with pytest.raises(error, match=words):
            native.Pool(pig, Loose(**settings), 1)


def test_only_numbers_have_a_range():
    with pytest.raises(TypeError, match="root is not a number"):
        range_of(SETTINGS["root"])


def test_players_take_the_defaults_and_the_ranges_of_the_search():
    mcts, expectimax = settings_of("mcts"), settings_of("expectimax")
    assert mcts["prior"].default == SearchConfig.prior_scale == 5.0
    assert (mcts["prior"].bounds.least, mcts["prior"].bounds.most) == range_of(SETTINGS["prior_scale"])
    assert (expectimax["plies"].bounds.least, expectimax["plies"].bounds.most) == (1, 8)
