"""Every state of every game survives a round trip through Position; a changed position is refused or playable."""

import random
from dataclasses import fields, replace

import careful
import pytest
from comparison import random_options

import tablier
from tablier.games.trictrac.marking import SCHOOLS
from tablier.trictrac import STAGES, Account, Position, School, Score

KINDS = ["ordinary", "ordinary schools", "scored", "scored schools", "three", "three schools"]


def random_game(rng, kind):
    """Returns a game of this kind with random options."""
    options = random_options(rng)
    if "schools" in kind:
        options |= {"schools": True, "fill_school": rng.choice(("single", "double"))}
    if kind.startswith("ordinary"):
        return tablier.load_game("trictrac", **options)
    for name in ("holes_to_win", "stake_rule", "utility"):
        del options[name]
    return tablier.load_game(
        "trictrac_a_ecrire",
        **options,
        players=3 if kind.startswith("three") else 2,
        marques=3 if kind.startswith("three") else 2,
        refait_consolation=rng.choice(("doubling", "linear")),
        next_marque_first=rng.choice(("alternate", "winner")),
        bredouille_progression=rng.choice(("2 and 4", "every six holes")),
        tail_tokens_per_loss=rng.choice((1, 2)),
        bets=rng.random() < 0.5,
        final_tail=rng.choice((0, 7, 100)),
    )


def action_of(rng, state):
    return rng.choice(state.legal_actions()) if rng.random() < 0.1 else careful.choose(rng, state, leaver=0.3)


def states_of_a_game(rng, kind, most=1500):
    game = random_game(rng, kind)
    state = game.new_initial_state()
    states = [state.clone()]
    while not state.is_terminal() and len(states) < most:
        state.apply_action(action_of(rng, state))
        states.append(state.clone())
    return game, states


def words(state):
    """Returns the bytes of a state without the rewards of the last action, which no position includes."""
    return state.serialize()[: -8 * (state.get_game().num_players() + 1)]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_every_state_can_be_set_up_again(kind, seed):
    game, states = states_of_a_game(random.Random(seed), kind)
    assert states[-1].is_terminal()
    for state in states:
        position = Position.of(state)
        again = position.state(game)
        assert words(again) == words(state)
        assert again == state
        assert Position.of(again) == position


# --- one field is changed ---------------------------------------------------------------------------------------------


def number(rng, value, most):
    return rng.choice((rng.randrange(most + 1), min(value + 2, most), max(value - 2, 0), most - value))


def pair(rng, value, most):
    one, two = value or (0, 0)
    return rng.choice(((two, one), (number(rng, one, most), two), (one, number(rng, two, most))))


def flags(rng, value):
    return rng.choice([pair for pair in ((False, False), (True, False), (False, True), (True, True)) if pair != value])


def changed_board(rng, board):
    """Returns the board with one man moved, borne off or added."""
    men = list(board)
    start, end = rng.randrange(24), rng.randrange(24)
    side = 1 if men[start] > 0 else -1
    men[start] -= side
    if rng.random() < 0.9:
        men[end] += side
    return men


def changed_score(rng, name, value):
    if name in ("points", "holes"):
        return pair(rng, value, 11 if name == "points" else 14)
    return flags(rng, value) if name.endswith("run") else rng.choice((None, 0, 1))


def changed_school(rng, school):
    if school is None:
        return School(asks=rng.choice(SCHOOLS))
    name = rng.choice([f.name for f in fields(School)])
    value = getattr(school, name)
    if name == "before":
        part = rng.choice([f.name for f in fields(Score)])
        return replace(school, before=replace(value, **{part: changed_score(rng, part, getattr(value, part))}))
    if name == "asks":
        return rng.choice((None, replace(school, asks=rng.choice(SCHOOLS))))
    if name == "claim":
        return replace(school, claim=rng.choice((None, "correct", 2, 3, 4, 126)))
    if name in ("failed", "hole_settled"):
        return replace(school, **{name: not value})
    change = number if name == "fill_due" else pair
    return replace(school, **{name: change(rng, value, 24)})


def changed_account(rng, account):
    if account is None:
        return Account()
    name = rng.choice(("tokens", "lost", "refaits", "first"))
    value = getattr(account, name)
    if name == "refaits":
        return replace(account, refaits=number(rng, value, 255))
    if name == "first":
        return replace(account, first=1 - value)
    entries = list(value)
    entries[rng.randrange(len(entries))] += rng.choice((-1, 1, 2, 50, 10**6))
    return replace(account, **{name: tuple(entries)})


def changed(rng, position):
    name = rng.choice([f.name for f in fields(Position)])
    value = getattr(position, name)
    if name == "board":
        return replace(position, board=changed_board(rng, value))
    if name in ("points", "holes", "points_run", "holes_run", "first_hole"):
        return replace(position, **{name: changed_score(rng, name, value)})
    if name in ("dice", "throws", "due", "first_throw"):
        most = {"dice": 6, "throws": 9, "due": 24, "first_throw": 6}[name]
        return replace(position, **{name: pair(rng, value, most)})
    if name in ("player", "drawing", "swapped"):
        return replace(position, **{name: 1 - value})
    if name == "stage":
        return replace(position, stage=rng.choice(STAGES))
    if name == "corner_just_taken":
        return replace(position, corner_just_taken=flags(rng, value))
    if name == "winner":
        return replace(position, winner=rng.choice((None, 0, 1)))
    change = changed_school if name == "school" else changed_account
    return replace(position, **{name: change(rng, value)})


def play_on(rng, game, state, most):
    """Plays on and checks that every state can be saved, read and set up."""
    for _ in range(most):
        if state.is_terminal():
            return
        state.apply_action(action_of(rng, state))
        assert game.deserialize(state.serialize()) == state
        assert Position.of(state).state(game) == state
        assert str(state)
        assert sum(abs(n) for n in state.observation(0)[:24]) <= 30


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_position_is_refused_or_plays_on(kind):
    rng = random.Random(kind)
    accepted = refused = finished = 0
    while accepted + refused < 600:
        game, states = states_of_a_game(rng, kind, most=rng.choice((30, 300)))
        for state in rng.choices(states, k=20):
            before = state.serialize()
            try:
                position = changed(rng, Position.of(state))
                new = position.state(game)
            except ValueError:
                refused += 1
                continue
            assert state.serialize() == before
            accepted += 1
            assert Position.of(new).state(game) == new
            play_on(rng, game, new, most=3000 if accepted % 10 == 0 else 20)
            finished += new.is_terminal()
    assert accepted > 20
    assert finished > 2
    assert refused > 300
