"""Binary files that are nearly right: saved states and networks. They are read, or refused with a ValueError."""

import sys
from pathlib import Path

import pytest
from changing import changed, said
from hypothesis import given
from hypothesis import strategies as st

import tablier
from tablier._core import nets, search
from tablier.evaluators import OnnxEvaluator

TESTS = Path(__file__).parent.parent
sys.path.append(str(TESTS / "nets"))  # network_files writes networks number by number
from forging import forge  # noqa: E402
from network_files import positions, random_network, resealed  # noqa: E402

GAMES = {name: tablier.load_game(name) for name in tablier._core.native_games()}
NETWORKS = {
    name: random_network(GAMES[name], 1, width=4, hidden=(4,), policy=name == "pig")
    for name in ("pig", "tic_tac_toe", "backgammon")
}
NETWORKS_IN_ONNX = TESTS / "formats/v0.1/networks"
ONNX = [NETWORKS_IN_ONNX / f"policy-{name}.onnx" for name in ("pig", "tic-tac-toe")]


def saved_states():
    found = []
    for game in GAMES.values():
        state = game.new_initial_state()
        for _ in range(6):
            found.append(state.serialize())
            state = state.child(state.legal_actions()[0])
    return found


@given(changed(saved_states()), st.sampled_from(sorted(GAMES)))
def test_saved_states(data, name):
    try:
        state = GAMES[name].deserialize(data)
    except ValueError:
        return
    assert GAMES[name].deserialize(state.serialize()) == state


@given(st.data(), st.sampled_from(sorted(GAMES)))
def test_saved_states_with_other_words(data, name):
    """The checksum is right, as a malicious sender would write it."""
    state = GAMES[name].new_initial_state()
    for _ in range(data.draw(st.integers(0, 30))):
        if not state.is_terminal():
            state = state.child(data.draw(st.sampled_from(state.legal_actions())))
    words = [int(word) for word in search.words(state)]
    for _ in range(data.draw(st.integers(0, 3))):
        words[data.draw(st.integers(0, len(words) - 1))] ^= 1 << data.draw(st.integers(0, 63))
    try:
        found = GAMES[name].deserialize(forge(state.serialize(), words))
    except ValueError:
        return
    for action in found.legal_actions()[:5]:
        assert found.get_game().deserialize(found.child(action).serialize()) == found.child(action)


@given(st.data(), st.sampled_from(sorted(NETWORKS)), st.booleans())
def test_networks_of_the_core(data, name, whole):
    """Changed bytes with a wrong checksum or with the right one."""
    made = NETWORKS[name]
    file = data.draw(changed([made.file]))
    if whole:
        try:
            file = resealed(file, made.description)
        except ValueError:  # there is no checksum left to replace
            return
    try:
        network = nets.Network(file)
        network.compute(made.game, *positions(made.game, 3))
    except ValueError as error:
        said(error)


def test_the_networks_that_are_changed_can_be_read():
    for made in NETWORKS.values():
        nets.Network(made.file).compute(made.game, *positions(made.game, 3))


WRONG_ONNX = [
    ("pig", "policy-pig.onnx", b'"options": {}', b'"options": []'),
    ("pig", "policy-pig.onnx", b'"options": {}', b'"options": {,'),
    ("pig", "policy-pig.onnx", b'"game": "pig"', b'"game": 12345'),
    ("pig", "policy-pig.onnx", b"features", b"featurez"),
    ("pig", "policy-pig.onnx", b"logits", b"logitz"),
    ("trictrac", "value-markov.onnx", b'"markov"', b"12345678"),
    ("trictrac", "value-markov.onnx", b'"markov"', b'"markow"'),
    ("trictrac", "value-scored.onnx", b"238", b"239"),
]
"""Networks that are wrong in a part that chance seldom meets: what is replaced by what in the file for a game."""


def test_wrong_networks_in_onnx(tmp_path):
    for game, name, right, wrong in WRONG_ONNX:
        content = (NETWORKS_IN_ONNX / name).read_bytes()
        assert right in content
        (tmp_path / name).write_bytes(content.replace(right, wrong))
        with pytest.raises(ValueError, match=".") as error:
            OnnxEvaluator(GAMES[game], tmp_path / name)
        said(error.value)


@given(data=st.data())
def test_networks_in_onnx(data, tmp_path_factory):
    path = data.draw(st.sampled_from(ONNX))
    copy = tmp_path_factory.getbasetemp() / "changed.onnx"
    copy.write_bytes(data.draw(changed([path.read_bytes()])))
    for game in (GAMES["pig"], GAMES["tic_tac_toe"]):
        try:
            OnnxEvaluator(game, copy)
        except ValueError as error:
            said(error)
