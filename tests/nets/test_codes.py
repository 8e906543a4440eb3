"""Codes: every position has valid ones, and the features follow from them, each from one code."""

import numpy as np
import pytest
from covered import CODED, GAMES, load
from network_files import features_of, positions

import tablier
from tablier import _core
from tablier._core import nets, search

EXACT = (1, 2, 3, 4, 6, 7, 9, 12, 14, 18, 36)
"""Numbers of holes whose fractions the codes represent exactly."""


def expect_exact(game, states, players):
    codes = nets.codes(game, states, players)
    assert (codes < np.array(nets.code_sizes(game))).all()
    assert (nets.decode(game, codes) == features_of(game, states, players)).all()


@pytest.mark.parametrize("name", CODED)
def test_features_are_decoded_exactly(name):
    game = load(name)
    for seed in range(4):
        expect_exact(game, *positions(game, 4000, seed))


@pytest.mark.parametrize("holes", EXACT)
def test_the_share_of_holes_is_exact_for_the_usual_numbers(holes):
    game = tablier.load_game("trictrac", encoding="markov", holes_to_win=holes)
    expect_exact(game, *positions(game, 3000, holes))


@pytest.mark.parametrize("holes", [5, 8, 10, 11, 13, 20, 100])
def test_the_share_of_holes_is_rounded_for_others(holes):
    game = tablier.load_game("trictrac", encoding="markov", holes_to_win=holes)
    states, players = positions(game, 3000, holes)
    error = np.abs(nets.decode(game, nets.codes(game, states, players)) - features_of(game, states, players))
    shares = slice(228, 230)
    assert error[:, shares].max() <= 0.5 / 252 + 1e-6
    error[:, shares] = 0
    assert error.max() == 0


def test_holes_beyond_the_end_of_the_game_count_as_the_end():
    """The last hole may be won double. No network values such a position."""
    game = tablier.load_game("trictrac", encoding="markov", holes_to_win=1)
    draw, shares = np.random.default_rng(0), []
    for _ in range(20):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(int(draw.choice(state.legal_actions())))
        states = np.repeat(search.words(state)[None], 2, axis=0)
        players = np.arange(2, dtype=np.int32)
        features = features_of(game, states, players)
        shares.append(features[:, 228:230].max())
        features[:, 228:230] = np.minimum(features[:, 228:230], 1)
        assert (nets.decode(game, nets.codes(game, states, players)) == features).all()
    assert max(shares) > 1


def chosen():
    """Returns every choice of every option of Trictrac, the others being the default; `markov` unless with schools."""
    for name, default, _, _, _, _, choices in tablier.load_game("trictrac")._option_docs():
        for value in choices or ((True, False) if isinstance(default, bool) else ()):
            options = {"fill_school": {"schools": True}}.get(name, {}) | {name: value}
            yield options if options.get("schools") else {"encoding": "markov"} | options


@pytest.mark.parametrize("options", [*chosen()], ids=str)
def test_features_are_decoded_exactly_under_every_option(options):
    game = tablier.load_game("trictrac", **options)
    expect_exact(game, *positions(game, 600))


@pytest.mark.parametrize("name", CODED)
def test_each_feature_depends_on_one_code(name):
    """Decoding is a sum over the codes, which is what a first layer of rows can compute."""
    game = load(name)
    sizes = nets.code_sizes(game)
    draw = np.random.default_rng(1)
    base = nets.decode(game, np.zeros((1, len(sizes)), np.uint8)).astype(np.float64)
    for _ in range(50):
        codes = draw.integers(0, sizes).astype(np.uint8)
        alone = np.diag(codes).astype(np.uint8)
        parts = nets.decode(game, alone).astype(np.float64) - base
        assert np.count_nonzero(parts, axis=0).max() <= 1
        assert (base + parts.sum(axis=0) == nets.decode(game, codes[None])).all()


@pytest.mark.parametrize("name", CODED)
def test_codes_of_any_valid_state_are_below_their_sizes(name):
    """States with a few random bits changed; those that validation accepts must have codes too."""
    game, draw = load(name), np.random.default_rng(7)
    sizes = np.array(nets.code_sizes(game))
    states, players = positions(game, 3000, seed=8)
    accepted = 0
    for _ in range(6):
        mutated = states.copy()
        rows = np.arange(len(mutated))
        for _ in range(int(draw.integers(1, 3))):
            columns = draw.integers(mutated.shape[1], size=len(rows))
            mutated[rows, columns] ^= np.uint64(1) << draw.integers(64, size=len(rows), dtype=np.uint64)
        valid = np.array([search.first_invalid(game, mutated[i : i + 1]) == -1 for i in rows])
        accepted += int(valid.sum())
        codes = nets.codes(game, mutated[valid], players[valid])
        assert (codes < sizes).all()
        assert (nets.decode(game, codes) == features_of(game, mutated[valid], players[valid])).all()
    assert accepted > 50


@pytest.mark.parametrize("name", sorted(set(GAMES) - set(CODED)))
def test_other_games_have_no_codes(name):
    game = load(name)
    assert nets.code_sizes(game) == []
    assert nets.codes(game, *positions(game, 3)).shape == (3, 0)


def scored_states(players, games=6):
    """Yields every thirtieth state of random scored games, with a viewer."""
    game = tablier.load_game("trictrac_a_ecrire", marques=6, players=players, encoding="bounded")
    draw = np.random.default_rng(players)
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(int(draw.choice(state.legal_actions())))
            if draw.random() < 1 / 30:
                yield state, int(draw.integers(players))


@pytest.mark.parametrize("players", [2, 3])
def test_the_account_is_in_the_features_of_the_scored_game(players):
    seen = set()
    for state, viewer in scored_states(players):
        account = _core.trictrac.parts(state).account
        features = state.features(viewer)
        assert (features.min(), features.max()) == (0, 1)
        row = features[231:]
        others = [(viewer + k) % players for k in range(1, players)]
        everyone = [viewer, *others]
        left = 6 - account.played
        expected = [account.played / 6, left == 1, left == 2, min(left, 12) / 12]
        expected += [account.refaits >= 1, account.refaits >= 2, min(account.refaits, 8) / 8]
        assert row[:7] == pytest.approx(np.array(expected, float))
        lost = row[14 : 14 + 2 * players]
        assert lost[0::2] == pytest.approx([min(account.lost[p] * players / 12, 1) for p in everyone], abs=0.002)
        assert list(lost[1::2]) == [account.lost[p] > 6 / players for p in everyone]
        leads = [account.tokens[viewer] - account.tokens[p] for p in others]
        told = row[14 + 2 * players :][: 3 * len(leads)]
        assert told[0::3] == pytest.approx([min(max(128 + lead, 0), 255) / 255 for lead in leads])
        assert list(told[1::3]) == [lead > 0 for lead in leads]
        assert list(told[2::3]) == [lead < 0 for lead in leads]
        if players == 3:
            assert list(row[-3:]) == [account.seats[p] == 2 for p in everyone]
        seen.add((account.played, leads[0] > 0))
    assert len(seen) > 4


@pytest.mark.parametrize("name", ["trictrac_a_ecrire", "pig"])
def test_features_without_codes_cannot_be_decoded(name):
    """The scored game has codes, but not for its default encoding: there is no row of codes to read."""
    with pytest.raises(ValueError, match="have no codes"):
        nets.decode(tablier.load_game(name), np.zeros((3, 0), np.uint8))


def test_a_code_out_of_range_is_refused():
    game = load("trictrac")
    for i, size in enumerate(nets.code_sizes(game)):
        codes = np.zeros((1, len(nets.code_sizes(game))), np.int64)
        codes[0, i] = size
        if size < 256:
            with pytest.raises(ValueError, match="contains a code that is out of range"):
                nets.decode(game, codes.astype(np.uint8))


def test_wrong_arrays_are_refused():
    game = load("trictrac")
    states, players = positions(game, 3)
    n = len(nets.code_sizes(game))
    for codes in (np.zeros((2, n - 1), np.uint8), np.zeros((2, n), np.int32), np.zeros(n, np.uint8)):
        with pytest.raises(TypeError, match="codes"):
            nets.decode(game, codes)
    for wrong in ((states[:, :-1], players), (states, players[:2]), (states.astype(np.int64), players)):
        with pytest.raises(TypeError):
            nets.codes(game, *wrong)
    with pytest.raises(ValueError, match="players"):
        nets.codes(game, states, players + 2)
    with pytest.raises(ValueError, match="valid"):
        nets.codes(game, np.full_like(states, 2**63), players)
    assert nets.decode(game, np.zeros((0, n), np.uint8)).shape == (0, 217)
    assert _core.nets.codes(game, states[:0], players[:0]).shape == (0, n)
