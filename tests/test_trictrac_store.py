"""The class specified in contract.md, section 9."""

import copy
import doctest
import pickle
import random

import pytest

import tablier
from tablier import _core
from tablier.adapters import trictrac_store
from tablier.adapters.trictrac_store import TricTrac

GAME = tablier.load_game("trictrac", first_throw="white")


def play(game, rng, steps=10**9):
    """Plays random moves as a training script does, and yields before each one."""
    while not game.is_game_ended() and (steps := steps - 1) >= 0:
        yield game
        if game.needs_roll():
            game.apply_dice_roll((rng.randint(1, 6), rng.randint(1, 6)))
        else:
            game.apply_action(rng.choice(game.get_legal_actions(game.current_player_idx())))


def at_move():
    game = TricTrac()
    game.apply_dice_roll((6, 1))
    return game


def at_roll():
    return TricTrac()


def ended():
    game = TricTrac()
    for _ in play(game, random.Random(1)):
        pass
    return game


def test_the_examples_of_the_docstring():
    assert doctest.testmod(trictrac_store) == (0, 4)


def test_white_begins_with_a_roll():
    game = TricTrac()
    assert (game.needs_roll(), game.is_game_ended(), game.current_player_idx()) == (True, False, 0)
    assert game.get_players_scores() == [0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_it_agrees_with_the_engine_in_whole_games(seed):
    game, state = TricTrac(), GAME.new_initial_state()
    rng = random.Random(seed)
    while not state.is_terminal():
        mover = _core.trictrac.parts(state).player
        assert type(game.current_player_idx()) is int
        assert game.current_player_idx() == mover
        assert game.needs_roll() == state.is_chance_node()
        if state.is_chance_node():
            assert game.get_legal_actions(0) == game.get_legal_actions(1) == []
            outcome = rng.randrange(36)
            state.apply_action(outcome)
            assert game.apply_dice_roll((outcome // 6 + 1, outcome % 6 + 1)) is None
        else:
            actions = game.get_legal_actions(mover)
            assert actions == state.legal_actions() == sorted(actions)
            assert game.get_legal_actions(1 - mover) == []
            action = rng.choice(actions)
            assert game.action_to_string(mover, action) == f"{mover}:{state.action_to_string(action)}"
            state.apply_action(action)
            assert game.apply_action(action) is None
        parts = _core.trictrac.parts(state)
        scores = [12 * holes + points for holes, points in zip(parts.holes, parts.points, strict=True)]
        assert game.get_players_scores() == scores == [game.get_score(1), game.get_score(2)]
        assert all(type(score) is int for score in scores)
        for seat in (0, 1):
            assert game.get_tensor(seat) == state.observation(seat).tolist()
        assert str(game) == str(state)
    assert game.is_game_ended()
    assert not game.needs_roll()
    assert game.current_player_idx() in (0, 1)
    assert game.get_legal_actions(0) == game.get_legal_actions(1) == []


def test_a_training_loop():
    """A typical training script: collects (tensor, action, reward) for both players, each from their own side."""
    rng = random.Random(3)
    for _ in range(10):
        game, memory, scores = TricTrac(), [], [0, 0]
        for _ in play(game, rng):
            now = game.get_players_scores()
            if not game.needs_roll():
                player = game.current_player_idx()
                memory.append((game.get_tensor(player), [now[i] - scores[i] for i in (0, 1)]))
                scores = now
        memory.append(
            (game.get_tensor(0), [now - before for now, before in zip(game.get_players_scores(), scores, strict=True)])
        )
        assert [sum(rewards[i] for _, rewards in memory) for i in (0, 1)] == game.get_players_scores()
        assert all(len(tensor) == 36 and all(type(x) is int for x in tensor) for tensor, _ in memory)
        assert max(game.get_players_scores()) >= 144


def test_the_tensor_is_in_the_players_perspective():
    game = at_move()
    white, black = game.get_tensor(0), game.get_tensor(1)
    assert white[:24] == [-n for n in reversed(black[:24])]
    assert white[0] == black[0] == 15
    assert white[24:28] == black[24:28] == [0, 4, 6, 1]
    assert white[28:32] == black[32:36]


def test_texts():
    game = at_move()
    for seat, name in enumerate(("White", "Black")):
        text = game.get_observation_string(seat)
        assert str(game) in text
        assert text.endswith(f"seen by player {seat} ({name})")
    assert "White has thrown 6 1" in str(game)


@pytest.mark.parametrize("make", [at_roll, at_move, ended])
def test_every_action_has_a_text_at_any_time(make):
    game = make()
    for player in (0, 1):
        texts = [game.action_to_string(player, action) for action in range(514)]
        assert all(text.startswith(f"{player}:") and len(text) > 2 for text in texts)
        assert texts[:2] == [f"{player}:roll", f"{player}:leave"]
    assert at_roll().action_to_string(1, 300) == "1:move 300"


@pytest.mark.parametrize("player", [-4, -1, 2, 7, "0", None, 1.5, [0]])
@pytest.mark.parametrize("make", [at_roll, at_move, ended])
def test_legal_actions_never_raise(make, player):
    assert make().get_legal_actions(player) == []


REFUSED = [
    (at_roll, "apply_action", 256, "a roll is due"),
    (at_move, "apply_action", 0, "action 0 is not legal"),
    (at_move, "apply_action", 1, "action 1 is not legal"),
    (at_move, "apply_action", -1, "action -1 is not legal"),
    (at_move, "apply_action", 514, "action 514 is not legal"),
    (at_move, "apply_action", 10**30, "does not fit into 64 bits"),
    (ended, "apply_action", 256, "the game is over"),
    (at_move, "apply_dice_roll", (1, 2), "no roll is due"),
    (ended, "apply_dice_roll", (1, 2), "no roll is due"),
    *[
        (at_roll, "apply_dice_roll", d, "two numbers from 1 to 6")
        for d in [(0, 1), (1, 7), (1,), (1, 2, 3), 5, "ab", None]
    ],
    (at_roll, "apply_dice_roll", (1.0, 2), "two numbers from 1 to 6"),
    *[(at_move, "get_score", p, "player 1 or 2") for p in (0, 3, -1, "1", None)],
    *[(at_move, method, 2, "0 \\(White\\) or 1") for method in ("get_tensor", "get_observation_string")],
]


@pytest.mark.parametrize(("make", "method", "argument", "words"), REFUSED)
def test_what_is_refused_changes_nothing(make, method, argument, words):
    game = make()
    before = game._state.serialize()
    with pytest.raises(ValueError, match=words):
        getattr(game, method)(argument)
    assert game._state.serialize() == before


@pytest.mark.parametrize("action", ["256", None, 2.5, True])
def test_an_action_is_an_integer(action):
    game = at_move()
    before = str(game)
    with pytest.raises(TypeError, match="must be an integer"):
        game.apply_action(action)
    assert str(game) == before


@pytest.mark.parametrize(("player", "action"), [(2, 5), (-1, 5), (0, 514), (0, -1)])
def test_an_action_without_text(player, action):
    with pytest.raises(ValueError, match="must be"):
        at_move().action_to_string(player, action)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_copies_go_their_own_way(duplicate):
    game = at_move()
    before = str(game)
    twin = duplicate(game)
    assert str(twin) == before
    for _ in play(twin, random.Random(2), steps=20):
        pass
    assert str(game) == before != str(twin)


def test_a_roll_may_end_the_game():
    """Earlier bindings crashed here, as the contract notes."""
    rng, ends = random.Random(0), set()
    while len(ends) < 2:
        game, rolled = TricTrac(), None
        for _ in play(game, rng):
            rolled = game.needs_roll()
        ends.add(rolled)
        assert game.get_legal_actions(game.current_player_idx()) == []
