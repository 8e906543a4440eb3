"""Properties of every position and every game: rules.md 16, and the encodings of contract.md."""

import random

import encoder
import numpy as np
import pytest
from comparison import positions_of_games, random_action, synthetic_positions, untouched
from drawn import GO, HOLD_OR_GO, board, by_the_rules, drawing, leave, men, parts, set_up, throw
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracle import DEFAULT, START, Options, legal_plays, mirror
from oracle.positions import random_position
from oracle.validity import plausible, valid
from spelling import legal_spellings

import tablier
from tablier._core import trictrac
from tablier._core.trictrac import DECLARE, declaration

SEEDS = st.integers(0, 2**32 - 1)
DIE = st.integers(1, 6)


@st.composite
def any_boards(draw):
    """Boards that the engine accepts, most of which no game can reach."""
    fields = list(range(1, 25))
    mine = draw(st.lists(st.sampled_from([f for f in fields if f != 13]), min_size=1, max_size=15))
    free = [f for f in fields if f not in mine and f != 12]
    theirs = draw(st.lists(st.sampled_from(free), min_size=1, max_size=15))
    result = [0] * 24
    for f in mine:
        result[f - 1] += 1
    for f in theirs:
        result[f - 1] -= 1
    for corner in (11, 12):
        if abs(result[corner]) == 1:
            result[corner] = 0
    if not valid(result):
        result = [15] + [0] * 22 + [-15]
    return tuple(result)


@st.composite
def thick_boards(draw):
    """Boards of the oracle's themes, which games can reach once both sides have moved."""
    men = random_position(random.Random(draw(SEEDS)))[0]
    assume(not untouched(men))
    return men


BOARDS = st.one_of(any_boards(), thick_boards())


def engine_plays(men, d1, d2):
    return [tuple(final) for final, _, _ in trictrac.plays(by_the_rules(), men, d1, d2)]


def engine_score(men, d1, d2, throw_index=4):
    game = by_the_rules(pile_de_misere=True, margot_la_fendue=True)
    return trictrac.score(game, men, d1, d2, throw_index)


# --- one throw (rules.md, 16) -----------------------------------------------------------------------------------------


@given(BOARDS, DIE, DIE)
@settings(max_examples=400, deadline=None)
def test_a_play_leaves_a_possible_position(men, d1, d2):
    total = sum(n for n in men if n > 0)
    for final in engine_plays(men, d1, d2):
        left = sum(n for n in final if n > 0)
        assert final[11] != 1
        assert final[12] <= 0
        assert total - 2 <= left <= total
        assert [n for n in final if n < 0] == [n for n in men if n < 0]
        assert all((x < 0) == (y < 0) for x, y in zip(men, final, strict=True)), "men share a field"


@given(BOARDS, DIE, DIE)
@settings(max_examples=300, deadline=None)
def test_there_is_always_a_play_and_no_two_end_alike(men, d1, d2):
    finals = engine_plays(men, d1, d2)
    assert finals
    assert len(set(finals)) == len(finals)


@given(BOARDS, DIE, DIE)
@settings(max_examples=400, deadline=None)
def test_points_are_even_and_add_up_by_the_tariff(men, d1, d2):
    player, opponent, jans = engine_score(men, d1, d2)
    tariff = trictrac.tariff()
    sums = [0, 0]
    for name, ways in jans.items():
        simple, doublet, to_opponent = tariff[name]
        sums[to_opponent] += ways * (doublet if d1 == d2 else simple)
    assert [player, opponent] == sums
    assert player % 2 == opponent % 2 == 0


@given(BOARDS, DIE, DIE, st.integers(1, 4))
@settings(max_examples=300, deadline=None)
def test_the_order_of_the_dice_does_not_matter(men, d1, d2, throw_index):
    assert engine_score(men, d1, d2, throw_index) == engine_score(men, d2, d1, throw_index)
    assert sorted(engine_plays(men, d1, d2)) == sorted(engine_plays(men, d2, d1))


@given(BOARDS, DIE, DIE)
@settings(max_examples=400, deadline=None)
def test_a_man_is_not_hit_truly_and_falsely_at_once(men, d1, d2):
    """Rules.md, 9.2: all opposing blots but one are removed, so the events concern a single man."""
    for field, n in enumerate(men):
        if n == -1:
            alone = tuple(m if m != -1 or f == field else 0 for f, m in enumerate(men))
            _, _, jans = engine_score(alone, d1, d2)
            assert not (
                any(name in jans for name in ("hit_small", "hit_big"))
                and any(name in jans for name in ("false_small", "false_big"))
            )


@given(thick_boards(), DIE, DIE)
@settings(max_examples=200, deadline=None)
def test_a_mirrored_position_gives_mirrored_scores(men, d1, d2):
    white = throw(set_up(drawing(men), holes_to_win=100), d1, d2)
    black = throw(set_up(drawing(men), holes_to_win=100, mover=1), d1, d2)
    assert white.mirrored() == black
    assert parts(white).due == parts(black).due
    assert parts(white).board == parts(black).board_from(1)
    assert white.legal_actions() == black.legal_actions()


@given(thick_boards(), DIE, DIE)
@settings(max_examples=200, deadline=None)
def test_the_points_of_a_throw_do_not_depend_on_the_move(men, d1, d2):
    state = throw(set_up(drawing(men), holes_to_win=100), d1, d2)
    results = [state.child(action) for action in state.legal_actions() if action != GO]
    assert len({(parts(s).points, parts(s).holes) for s in results}) == 1


# --- whole games ------------------------------------------------------------------------------------------------------


@given(SEEDS)
@settings(max_examples=8, deadline=None)
def test_a_game_keeps_its_invariants(seed):
    rng = random.Random(seed)
    state = tablier.load_game("trictrac").new_initial_state()
    for _ in range(600):
        if state.is_terminal():
            break
        state.apply_action(rng.randrange(36) if state.is_chance_node() else random_action(rng, state, 0.1, 0.5))
        facts = parts(state)
        assert all(p % 2 == 0 and p <= 10 for p in facts.points)
        assert facts.board[11] >= 0
        assert facts.board[11] != 1
        assert facts.board[12] <= 0
        assert facts.board[12] != -1
        if not state.is_terminal():
            assert plausible(facts.board)
    else:
        assert not state.is_terminal()


@pytest.mark.parametrize("options", [{}, {"explicit_roll": True, "stake_rule": "quadruple", "utility": "win"}])
@pytest.mark.parametrize("seed", range(4))
def test_a_mirrored_game_gives_mirrored_results(seed, options):
    rng = random.Random(seed)
    state = tablier.load_game("trictrac", first_throw="white", **options).new_initial_state()
    other = state.mirrored()
    while not state.is_terminal():
        assert state.mirrored() == other
        assert state.legal_actions() == other.legal_actions()
        assert state.returns() == other.returns()[::-1]
        action = rng.randrange(36) if state.is_chance_node() else random_action(rng, state, 0.2, 0.5)
        state.apply_action(action)
        other.apply_action(action)
    assert other.is_terminal()
    assert parts(state).winner == 1 - parts(other).winner
    assert parts(state).stake == parts(other).stake


# --- action numbers (contract, section 3) -----------------------------------------------------------------------------


def at_throw(men, dice, **options):
    return throw(set_up(drawing(men), holes_to_win=100, **options), *dice)


def accepted(state):
    """Returns those of the 514 actions that can be applied, apart from leaving."""
    found = set()
    for action in range(514):
        try:
            state.child(action)
        except ValueError:
            continue
        found.add(action)
    return found - {GO}


def listed(state):
    return [action for action in state.legal_actions() if action != GO]


def smallest(legal):
    """Returns the smallest action number for each final position."""
    best = {}
    for action, final in sorted(legal.items()):
        best.setdefault(final, action)
    return sorted(best.values())


def check_spellings(men, dice, mover, options):
    state = at_throw(men, dice, mover=mover, bearing_off=options.bearing_off)
    legal = legal_spellings(men, dice, options)
    allowed = accepted(state)
    where = f"{drawing(men)} {dice} {options.bearing_off}"
    assert allowed == set(legal), where
    assert listed(state) == smallest(legal), where
    for action in allowed:
        final = legal.get(action)
        if final and any(n > 0 for n in final):
            assert tuple(parts(state.child(action)).board) == (mirror(final) if mover else final), where


@pytest.mark.parametrize("seed", range(4))
def test_exactly_the_spellings_of_legal_plays_are_accepted(seed):
    rng = random.Random(seed)
    sources = (synthetic_positions(rng), positions_of_games(rng))
    checked = 0
    while checked < 100:
        men, dice, _, _ = next(sources[checked % 4 == 3])
        if untouched(men):
            continue
        options = Options(bearing_off=rng.choice(("paris", "paris", "by_default_only")))
        mover = rng.randrange(2)
        check_spellings(men, dice, mover, options)
        checked += 1


ONE_NUMBER = {
    "the lower number is blocked": ("22:3 | 2:4 6:3 9:1 11:2 16:2 18:1 19:1 24:1", (4, 2)),
    "the corner by power although it is held": ("11:8 12:7 | 13:2 14:2 15:2 16:2 17:3 18:2 19:1 23:1", (1, 2)),
    "nothing can be played": ("12:15 | 13:2 14:3 15:2 16:4 17:2 18:2", (1, 1)),
    "excess though men stand behind": ("19:5 23:5 | 8:1 9:1 10:2 13:2 15:1 17:2 20:2 21:2 22:2", (3, 2)),
    "the last man leaves by one number": ("22:1 | 1:2 2:2 4:3 6:1", (4, 3)),
    "the last man leaves by the second die": ("24:1 | 3:4 4:2 6:1 11:1 13:2 22:5", (3, 5)),
    "one number of a doublet": ("19:2 20:1 | 5:1 7:1 14:1 15:1 16:6 17:1 21:3 23:1", (4, 4)),
    "one number of a doublet, far from home": ("6:1 9:1 12:13 | 13:2 14:2 15:2 16:3 17:2 18:4", (4, 4)),
}


@pytest.mark.parametrize("name", ONE_NUMBER)
def test_exactly_the_spellings_of_a_single_number_are_accepted(name):
    position, dice = ONE_NUMBER[name]
    check_spellings(tuple(board(position)), dice, 0, DEFAULT)


@pytest.mark.parametrize("seed", range(2))
def test_whatever_is_accepted_leads_to_a_legal_position(seed):
    """Holds for every listed action, and also where a number stays unplayed."""
    rng = random.Random(seed)
    sources = (synthetic_positions(rng), positions_of_games(rng))
    for i in range(150):
        men, dice, _, _ = next(sources[i % 4 == 3])
        if untouched(men):
            continue
        state = at_throw(men, dice)
        finals = legal_plays(men, dice)
        actions = listed(state)
        assert len(actions) == len(finals)
        assert actions == sorted(set(actions))
        assert set(actions) <= set(legal_spellings(men, dice))
        boards = {START if not any(n > 0 for n in final) else final for final in finals}
        assert {tuple(parts(state.child(action)).board) for action in accepted(state)} == boards


def test_a_refused_action_is_named_and_changes_nothing():
    state = at_throw(board("1:15 | 24:15"), (6, 5))
    before = state.serialize()
    for action in (0, GO, 3, 514, 100_000):
        with pytest.raises(ValueError, match=str(action)):
            state.apply_action(action)
    assert state.serialize() == before


def test_leaving_is_action_1_and_comes_first():
    state = throw(set_up("1:13 12:2 | 23:2 24:13", points=(8, 0), points_run=(True, False)), 3, 1)
    assert parts(state).stage == HOLD_OR_GO
    assert state.legal_actions()[0] == GO
    assert men(leave(state)) == list(START)


def test_rolling_is_action_0_with_explicit_roll():
    state = tablier.load_game("trictrac", first_throw="white", explicit_roll=True).new_initial_state()
    assert state.legal_actions() == [0]
    state.apply_action(0)
    assert state.is_chance_node()


def test_a_move_names_the_men_from_the_talon_on():
    """On the talon the last man is the fifteenth; after the first move, the man that moved is."""
    state = at_throw(board("1:15 | 24:15"), (5, 4))
    two_men, one_man = 2 + 16 * 15 + 14, 2 + 16 * 15 + 15
    assert state.legal_actions() == [two_men, one_man]
    assert trictrac.moves(state, two_men) == [(1, 6), (1, 5)]
    assert trictrac.moves(state, one_man) == [(1, 10)]


def test_the_corner_by_power_is_named_as_if_the_men_landed_on_13():
    state = at_throw(board("1:11 8:2 9:2 | 23:2 24:13"), (5, 4))
    power = 2 + 16 * 13 + 14  # the last man on 8, then the last on 9, where one man now stands on 13
    assert power in state.legal_actions()
    assert trictrac.moves(state, power) == [(8, 12), (9, 12)]


# --- perft ------------------------------------------------------------------------------------------------------------

PERFT = {  # position: distinct positions after 1, 2, ... alternating throws with all dice, counted by the oracle
    "1:15 | 24:15": [30, 900, 9780],
    "1:5 6:2 8:2 9:2 10:2 11:2 | 14:2 15:2 16:2 17:2 19:2 24:5": [164, 27024],
    "1:1 5:2 7:2 8:2 9:2 10:2 11:2 12:2 | 13:2 14:2 15:2 16:2 17:2 18:2 20:2 24:1": [66, 4356],
    "12:2 19:2 20:2 21:2 22:3 23:2 24:2 | 1:3 2:2 4:2 5:2 7:3 13:3": [61, 10019],
    "19:1 20:2 22:3 24:1 | 1:2 2:1 4:3 5:1 23:1": [51, 2835],
}


@pytest.mark.parametrize("position", PERFT)
def test_perft(position):
    level, counts = {tuple(board(position))}, []
    for _ in PERFT[position]:
        following = set()
        for before in level:
            if any(n > 0 for n in before):
                for d1 in range(1, 7):
                    for d2 in range(1, d1 + 1):
                        following.update(mirror(final) for final in engine_plays(before, d1, d2))
        level = following
        counts.append(len(level))
    assert counts == PERFT[position]


# --- encodings (contract, section 5) ----------------------------------------------------------------------------------


def check_encodings(state):
    for player in (0, 1):
        seen, features = state.observation(player), state.features(player)
        assert seen.dtype == np.int8
        assert seen.tolist() == encoder.observation(state, player)
        assert features.dtype == np.float32
        assert features.shape == (217,)
        np.testing.assert_array_equal(features, np.array(encoder.features(state, player), np.float32))
        assert features.min() >= 0
        assert features.max() <= 1


@pytest.mark.parametrize("options", [{}, {"holes_to_win": 20, "explicit_roll": True}, {"schools": True}])
@pytest.mark.parametrize("seed", range(3))
def test_encodings_in_games(seed, options):
    rng = random.Random(seed)
    state = tablier.load_game("trictrac", **options).new_initial_state()
    for _ in range(300):
        check_encodings(state)
        if state.is_terminal():
            break
        actions = state.legal_actions()
        if not state.is_chance_node() and actions[0] >= DECLARE:  # mark correctly or a little wrong, rarely claim
            due = parts(state).due
            actions = [declaration(due[0]), declaration(due[1])] if actions[0] == DECLARE else [actions[0], actions[-1]]
        state.apply_action(rng.choice(actions))


@given(thick_boards(), DIE, DIE, st.integers(0, 1), st.integers(0, 15), st.integers(0, 5))
@settings(max_examples=150, deadline=None)
def test_encodings_of_any_position(men, d1, d2, mover, holes, points):
    state = set_up(
        drawing(men),
        points=(2 * points, 4),
        points_run=(True, False) if points else None,
        holes=(holes, 1),
        mover=mover,
        holes_to_win=99,
    )
    check_encodings(state)
    check_encodings(throw(state, d1, d2))


def test_holes_beyond_twelve_count_as_twelve_in_the_features():
    state = set_up("1:15 | 24:15", holes=(30, 13), holes_to_win=99)
    assert state.features(0)[[197, 201]].tolist() == [1, 1]
    assert state.observation(0)[[29, 33]].tolist() == [30, 13]
