"""Records of any game: written, read back, or rejected with a reason."""

import json
import random
import re

import pytest

import tablier
from tablier import records


def random_actions(game, seed, most=10**6):
    rng = random.Random(seed)
    state, actions = game.new_initial_state(), []
    while not state.is_terminal() and len(actions) < most:
        actions.append(rng.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    return actions


GAMES = [
    ("pig", {"win_score": 30}),
    ("tic_tac_toe", {}),
    ("trictrac", {"holes_to_win": 2}),
    ("trictrac", {"holes_to_win": 1, "schools": True}),
    ("trictrac_a_ecrire", {"marques": 2}),
]


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("most", [0, 7, 10**6])
def test_what_was_written_is_read_back(name, options, as_json, most):
    game = tablier.load_game(name, **options)
    actions = random_actions(game, 3, most)
    text = records.dump(game, actions, as_json=as_json)
    for form in (text, text.encode()):
        again, played = records.load(form)
        assert again == game
        final, replayed = game.new_initial_state(), again.new_initial_state()
        for a, b in zip(actions, played, strict=True):
            final.apply_action(a)
            replayed.apply_action(b)
        assert replayed == final


def test_a_game_in_python_has_records(race):
    actions = random_actions(race, 1)
    assert records.load(records.dump(race, actions)) == (race, tuple(actions))


def test_trictrac_may_come_in_the_small_form_too():
    game, actions = records.load('{"game": "trictrac", "options": {"holes_to_win": 3}, "actions": [13]}')
    assert (game.options()["holes_to_win"], actions) == (3, (13,))


def test_the_header_of_trictrac_is_kept():
    game = tablier.load_game("trictrac")
    assert records.load_header(records.dump(game, [13], {"White": "me"}))[2] == {"White": "me"}


def test_the_header_of_other_games_is_kept(pig):
    text = records.dump(pig, [0, 4], {"Player0": "me", "Seed": "7"})
    assert records.load_header(text) == (pig, (0, 4), {"Player0": "me", "Seed": "7"})
    with pytest.raises(ValueError, match="a header key must be a single word"):
        records.dump(pig, [0, 4], {"two words": "me"})


def plain(**changes):
    return json.dumps({"game": "pig", "options": {}, "actions": [0, 4, 1]} | changes)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the record is empty"),
        ("hello", "a record starts with"),
        ("{", "this is not valid JSON"),
        ("{" * 100_000, "this is not valid JSON"),
        ("[" * 100_000, "a record starts with"),
        ('[Game "chess"]', "no game is called 'chess'"),
        ('[Game "pig"]', "pig has no text notation"),
        ("{}", "a record must have the keys game, options, actions"),
        ('{"game": "pig", "game": "pig"}', "the same key twice"),
        ('{"game": "pig", "options": {}, "actions": [NaN]}', "action 0: an action must be a number"),
        ('{"game": "pig", "options": {}, "actions": [' + "9" * 5000 + "]}", "this is not valid JSON"),
        (plain(game="chess"), "no game is called 'chess'"),
        (plain(game=7), "the name of a game must be text"),
        (plain(game="pig\n"), "printable"),
        (plain(game="x" * 100_000), "no game is called"),
        (plain(options=[]), "options must map names"),
        (plain(options={"win_score": None}), "options must map names"),
        (plain(options={"win_score": 0}), "win_score"),
        (plain(options={"win_score": 10**30}), "win_score"),
        (plain(options={"colour": 1}), "colour"),
        (plain(options={"name": "pig"}), "no option 'name'"),
        (plain(options={"\x1b[31m": 1}), "printable"),
        (plain(actions={}), "actions must be a list"),
        (plain(actions=[0, 6]), "action 1: "),
        (plain(actions=[True]), "action 0: an action must be a number, not True"),
        (plain(actions=[[0]]), "action 0: "),
        (plain(actions=[10**30]), "action 0: "),
        (plain(actions=[0, 0] * 60_000), "at most 100000 actions"),
        (plain(more=1), "a record must have the keys"),
        (plain(header=7), "the header must map keys to text"),
        (plain(header={"Player0": "\x1b[31m"}), "must be one line of at most 500 printable characters"),
        ('{"format": "tablier-record"}', "the name of a game must be text, not None"),
        ('{"format": "tablier-record", "game": "trictrac"}', "version 1 can be read"),
        ('{"format": "other", "game": "trictrac"}', "this is not a game record"),
        ('{"format": "tablier-record", "game": "pig"}', "pig has no text notation"),
        (b"\xff\xfe", "UTF-8 text"),
        ("x" * 5_000_000, "at most 4000000 characters"),
        ("{" + " " * 2_000_000 + "}", "at most 1000000 characters"),
        (None, "a record must be text"),
    ],
)
def test_hostile_text_is_refused_with_a_reason(text, words):
    with pytest.raises(ValueError, match=re.escape(words)) as error:
        records.load(text)
    assert len(str(error.value)) < 600
    assert "\x1b" not in str(error.value)


def test_actions_that_are_not_legal_are_not_written(pig):
    with pytest.raises(ValueError, match="action 1: "):
        records.dump(pig, [0, 9])
