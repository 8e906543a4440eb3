"""Saved states with schools: every state that games reach is accepted, and every accepted state is playable."""

import random
import struct

import careful
import pytest
from drawn import parts
from test_serialize import forge

import tablier

GAMES = [
    ("trictrac", {"schools": True}, 8),
    ("trictrac_a_ecrire", {"schools": True, "marques": 2}, 11),
]


@pytest.mark.parametrize(("name", "options", "words"), GAMES)
def test_every_state_of_careful_games_is_saved_and_told_apart(name, options, words):
    game = tablier.load_game(name, **options)
    assert game.state_size() == words
    texts = {}
    for seed in range(4):
        for state in careful.play(game, random.Random(seed))[1]:
            assert game.deserialize(state.serialize()) == state
            assert texts.setdefault(str(state), state) == state


@pytest.mark.parametrize(("name", "options", "words"), GAMES)
def test_whatever_is_accepted_can_be_played(name, options, words):
    """Changes bytes of the score and of the claims under a valid checksum."""
    rng, game = random.Random(1), tablier.load_game(name, **options)
    states = [state for seed in range(4) for state in careful.play(game, random.Random(seed))[1]]
    states = rng.sample(states, 100) + [state for state in states if parts(state).failed]
    accepted = 0
    for _ in range(3000):
        data = rng.choice(states).serialize()
        start = len(data) - 24 - 8 * words
        raw = bytearray(data[start : start + 8 * words])
        for _ in range(rng.choice((1, 1, 2))):
            raw[rng.randrange(38, 64)] = rng.choice((rng.randrange(256), rng.randrange(26)))
        try:
            state = game.deserialize(forge(data, list(struct.unpack(f"<{words}Q", raw))))
        except ValueError:
            continue
        accepted += 1
        for _ in range(8):
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))
            assert game.deserialize(state.serialize()) == state
    assert accepted > 20
