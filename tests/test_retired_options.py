"""Options dropped because they had no effect: files that name them still open, and the options are ignored."""

import pickle
import struct

import pytest

import tablier
from tablier.registry import parse_options
from tablier.trictrac import Record

RETIRED = {"forbidden_test": "material", "fill_way_rule": "nominal"}
GAMES = ("trictrac", "trictrac_a_ecrire")


@pytest.mark.parametrize("name", GAMES)
def test_load_game_passes_them_over(name):
    game = tablier.load_game(name, **RETIRED)
    assert game == tablier.load_game(name)
    assert not set(RETIRED) & set(game.options())
    assert set(game._retired_options()) == set(RETIRED)
    assert tablier.load_game(name, **parse_options("fill_way_rule=effective,forbidden_test=material")) == game


def test_their_values_are_still_checked():
    with pytest.raises(ValueError, match="must be one of effective, nominal, not 'loose'"):
        tablier.load_game("trictrac", fill_way_rule="loose")
    with pytest.raises(TypeError, match="must be one of material, not True"):
        tablier.load_game("trictrac", forbidden_test=True)


def test_they_are_not_offered():
    with pytest.raises(ValueError, match="accepted: (?!.*forbidden_test)"):
        tablier.load_game("trictrac", forbiden_test="material")


def test_a_record_may_name_them():
    text = """[Game "trictrac"]
[Option holes_to_win "3"]
[Option fill_way_rule "nominal"]

draw 5-3, White begins
1. White 5-3: ...
unfinished
"""
    record = Record.parse(text)
    assert record.options == {"holes_to_win": 3}
    assert "fill_way_rule" not in record.text()


# --- states of format 1, whose headers hold values without names ------------------------------------------------------

OLD_VALUES = {
    "trictrac": [12, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    "trictrac_a_ecrire": [12, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2],
}
FILL_WAY_RULE = 1 << 1
"""The rules bit that nominal set; the rules are the last two of the six bytes after the men."""


def old_bytes(state, values, bit=FILL_WAY_RULE):
    """Returns a state as version 0.1 wrote it."""
    mask, gamma = 2**64 - 1, 0x9E3779B97F4A7C15

    def mix(x):
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
        return x ^ (x >> 31)

    name = state.get_game().name.encode()
    data = state.serialize()
    words = bytearray(data[-8 - 8 * state.num_players() - 8 * state.get_game().state_size() :])
    words[36] |= bit
    body = b"TBLR\x01" + bytes([len(name)]) + name + bytes([len(values)]) + struct.pack(f"<{len(values)}q", *values)
    body += struct.pack("<H", state.get_game().state_size()) + bytes(words[:-8])
    total = len(body)
    for byte in body:
        total = (mix(total ^ byte) + gamma) & mask
    return body + struct.pack("<Q", total)


@pytest.mark.parametrize("name", GAMES)
def test_an_old_state_opens_as_one_of_this_version(name):
    game = tablier.load_game(name)
    state = game.new_initial_state().child(13)
    assert game.deserialize(old_bytes(state, OLD_VALUES[name])) == state
    assert game.deserialize(game.deserialize(old_bytes(state, OLD_VALUES[name])).serialize()) == state
    assert pickle.loads(pickle.dumps(state)) == state


def test_an_old_batch_opens():
    game = tablier.load_game("trictrac", first_throw="white")
    env = tablier.BatchEnv(game, 2, seed=5)
    values = OLD_VALUES["trictrac"].copy()
    values[1] = 2
    saved = env.save()
    row = len(saved) // 2
    dice = [saved[i * row : i * row + 16] for i in range(2)]
    again = tablier.BatchEnv(game, 2, seed=6)
    again.restore(b"".join(dice[i] + old_bytes(env.state(i), values) for i in range(2)))
    assert [again.state(i) for i in range(2)] == [env.state(i) for i in range(2)]
    assert again.save() == saved


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({0: 11}, "a different value of option 'holes_to_win'"),
        ({5: 2}, "an invalid value"),
        ({2: 1}, "an invalid value"),
        ({12: 7}, "an invalid value"),
    ],
)
def test_old_headers_are_checked(change, reason):
    state = tablier.load_game("trictrac").new_initial_state()
    values = [change.get(i, value) for i, value in enumerate(OLD_VALUES["trictrac"])]
    with pytest.raises(ValueError, match=reason):
        state.get_game().deserialize(old_bytes(state, values))


def test_old_headers_of_another_length_are_refused():
    state = tablier.load_game("trictrac").new_initial_state()
    with pytest.raises(ValueError, match="the wrong number of options"):
        state.get_game().deserialize(old_bytes(state, OLD_VALUES["trictrac"][:-1]))


def test_a_bit_that_never_was_an_option_is_refused():
    state = tablier.load_game("trictrac").new_initial_state()
    with pytest.raises(ValueError, match="not a saved state"):
        state.get_game().deserialize(old_bytes(state, OLD_VALUES["trictrac"], bit=1 << 3))
