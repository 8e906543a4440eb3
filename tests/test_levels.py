"""Levels: the table of the noise, and what a level does with it. Strength is measured by tools/calibrate_levels.py."""

import json
import random

import pytest
from playing import random_states

import tablier
from tablier import models
from tablier.games import home_of
from tablier.games.champion import Champion
from tablier.games.trictrac.home import TrictracHome
from tablier.messages import say
from tablier.players import make_player
from tablier.players.level import LEVELS, Level, NoisyPlayer, has_levels, read_levels


@pytest.fixture(scope="module")
def game():
    return tablier.load_game("trictrac")


@pytest.fixture(scope="module")
def champion(game):
    return home_of(game).champion()


@pytest.fixture(scope="module")
def states(game):
    found = [state for state in random_states(game, 5) if len(state.legal_actions()) > 2]
    return random.Random(5).sample(found, 12)


def test_the_table_falls_from_level_to_level(champion):
    levels = read_levels(champion.levels)
    noises = [level.noise for level in levels]
    assert len(levels) == LEVELS
    assert noises == sorted(noises, reverse=True)
    assert len(set(noises)) == LEVELS
    assert levels[-1] == Level(plies=1, noise=0.0)


def test_the_table_says_how_it_was_made(champion):
    """It belongs to the network next to it: python tools/calibrate_levels.py makes a new one."""
    about = json.loads(champion.levels.read_text())["about"]
    assert about["network"] == models.checksum(champion.network)
    assert about["command"].startswith("python tools/calibrate_levels.py")
    assert about["date"]


def test_the_noise_depends_on_the_seed_and_the_state_alone(game, states):
    one, two, other = (make_player(f"level:n=2,seed={seed}", game) for seed in (1, 1, 2))
    backwards = [two.explain(state) for state in reversed(states)]
    assert [one.explain(state) for state in states] == backwards[::-1]
    assert any(one.choose(state) != other.choose(state) for state in states)
    assert all(one.choose(state) == one.explain(state)[0].action for state in states)


def test_no_noise_is_the_network(game, champion, states):
    plain = NoisyPlayer(game, champion, Level(1, 0.0))
    assert [plain.choose(state) for state in states] == [
        make_player("champion:plies=1", game).choose(s) for s in states
    ]
    assert [make_player("level:n=8", game).choose(state) for state in states] == [
        make_player("champion:plies=1", game).choose(state) for state in states
    ]


def test_noise_has_the_spread_that_it_says(game, champion, states):
    noisy, plain = (NoisyPlayer(game, champion, Level(1, noise)) for noise in (5.0, 0.0))
    gaps = []
    for state in states:
        values = {one.action: one.value for one in plain.ranking(state)}
        gaps += [one.value - values[one.action] for one in noisy.ranking(state)]
    assert len(gaps) > 50
    assert 3.5 < (sum(gap * gap for gap in gaps) / len(gaps)) ** 0.5 < 6.5
    assert abs(sum(gaps) / len(gaps)) < 2


def test_the_weakest_level_still_avoids_the_worst(game, champion, states):
    """It is not random: its moves lose less than the average move."""
    plain, weak = NoisyPlayer(game, champion, Level(1, 0.0)), make_player("level:n=1", game)
    chosen = average = 0.0
    for seed in range(10):
        weak = make_player(f"level:n=1,seed={seed}", game)
        for state in states:
            values = {one.action: one.value for one in plain.ranking(state)}
            chosen += values[weak.choose(state)]
            average += sum(values.values()) / len(values)
    assert chosen > average


@pytest.mark.parametrize("text", ["level:n=0", "level:n=9", "level:n=-1", "level:n=100000"])
def test_a_level_out_of_range(game, text):
    with pytest.raises(ValueError, match="the setting 'n' of 'level' must be from 1 to 8"):
        make_player(text, game)


def test_a_game_without_levels(game):
    pig = tablier.load_game("pig")
    assert has_levels(game)
    assert not has_levels(pig)
    with pytest.raises(ValueError, match="the game pig has no levels; choose champion"):
        make_player("level:n=3", pig)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"levels": 3}', '{"levels": []}', '{"levels": [{"plies": 1, "noise": -1}]}', "\0"]
)
def test_a_damaged_table_is_refused(game, champion, tmp_path, monkeypatch, text):
    path = tmp_path / "levels.json"
    path.write_text(text)
    monkeypatch.setattr(TrictracHome, "champion", lambda self: Champion(network=champion.network, levels=path))
    with pytest.raises(ValueError, match="levels"):
        make_player("level:n=3", game)


def test_levels_have_names_in_every_language():
    for lang in ("en", "fr"):
        names = [say(lang, f"level.name.{n}") for n in range(1, LEVELS + 1)] + [say(lang, "level.champion")]
        assert len(set(names)) == LEVELS + 1
