"""GNU Backgammon as a player and judge. What needs the program is skipped without it (`make gnubg` installs it)."""

import itertools
import random
import stat
from pathlib import Path

import gnubg_judge
import gnubg_match
import gnubg_moves
import numpy as np
import pytest
from positions import setup

import tablier
from tablier._core import backgammon
from tablier.games.backgammon import gnubg
from tablier.games.backgammon.gnubg.turns import EQUITY, GnubgEngine, best_turns, losses, luck_of_throws
from tablier.games.backgammon.whole_turns import best_by_action, dice_of, words_of
from tablier.messages import MessageError
from tablier.players import make_player

GAME = tablier.load_game("backgammon")
needs_program = pytest.mark.skipif(gnubg.program() is None, reason="GNU Backgammon is not installed (make gnubg)")


class Racer:
    """Answers like the program, but values a position by its pips: it shows how answers are read."""

    def evaluate(self, boards, plies=0, prune=True):
        ahead = (boards.astype(int) @ np.arange(1, 26)) @ (1, -1)
        return np.column_stack([np.zeros((len(boards), 5)), ahead / 100]).astype(np.float32)

    def play(self, boards, dice, plies=0):
        return np.array([self._best(board, throw) for board, throw in zip(boards, dice.tolist(), strict=True)])

    def _best(self, board, throw):
        text = [" ".join(f"{'bar' if p == 24 else p + 1}:{n}" for p, n in enumerate(side) if n) for side in board]
        state = setup(GAME, text[1], text[0], dice=tuple(throw))
        _, _, after = backgammon.turns(GAME, words_of([state]))
        ends = backgammon.sides(GAME, after)
        return ends[self.evaluate(ends)[:, EQUITY].argmin()]


def decisions(seed, n):
    """Returns decisions of random games, at the start of a turn."""
    return gnubg_moves.random_positions("standard", random.Random(seed), n)


def test_a_turn_is_found_by_the_position_after_it():
    states = decisions(seed=1, n=60)
    for state, turn in zip(states, best_turns(Racer(), GAME, words_of(states)).tolist(), strict=True):
        for action in turn:
            if action >= 0:
                state.apply_action(action)
        assert not (state.current_player() >= 0)  # the whole turn was played


def test_the_second_half_of_a_doublet_is_played_as_planned():
    player = GnubgEngine(Racer(), GAME, 0)
    state = setup(GAME, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5", dice=(4, 4))
    both = best_turns(Racer(), GAME, words_of([state]))[0].tolist()
    played = []
    while state.current_player() == 0:
        played.append(player.choose(state))
        state.apply_action(played[-1])
    assert played == both


def test_a_second_half_that_was_not_planned_is_valued():
    state = setup(GAME, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5", dice=(4, 4))
    half = state.child(state.legal_actions()[0])
    engine = GnubgEngine(Racer(), GAME, 0)
    values = engine.values(half)
    assert values[engine.choose(half)] == max(values.values())
    assert set(values) == set(half.legal_actions())


@pytest.mark.parametrize("dice", [(6, 3), (5, 5)])
def test_an_action_is_worth_the_best_turn_that_it_starts(dice):
    state = setup(GAME, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5", dice=dice)
    _, _, after = backgammon.turns(GAME, words_of([state]))
    values = best_by_action(state, after, np.arange(len(after), dtype=float))
    assert set(values) == set(state.legal_actions())
    assert max(values.values()) == len(after) - 1


def test_losses_are_measured_from_the_best_turn():
    engine, states = Racer(), decisions(seed=2, n=40)
    words = words_of(states)
    first, _, after = backgammon.turns(GAME, words)
    equity = -engine.evaluate(backgammon.sides(GAME, after))[:, EQUITY]
    for pick in (0, -1):
        rows = [range(first[i], first[i + 1])[pick] for i in range(len(states))]
        lost, choices = losses(engine, GAME, words, after[rows])
        expected = [equity[first[i] : first[i + 1]].max() - equity[row] for i, row in enumerate(rows)]
        assert lost == pytest.approx(expected, abs=1e-6)
        assert choices.tolist() == np.diff(first).tolist()


def test_a_match_pairs_the_dice_and_swaps_the_seats():
    player = make_player("random:seed=4", GAME)
    games = gnubg_match.play_pairs(GAME, player, lambda states: best_turns(Racer(), GAME, words_of(states)), [7, 8], 3)
    assert [one.seat for one in games] == [0, 1, 0, 1]
    assert all(one.state.is_terminal() for one in games)
    rolls = [[outcome for _, outcome in one.throws] for one in games]
    shared = min(map(len, rolls[:2]))
    assert rolls[0][:shared] == rolls[1][:shared]
    assert rolls[0][:5] != rolls[2][:5]


def test_a_match_goes_on_where_it_was_stopped(tmp_path):
    path, settings = tmp_path / "match.jsonl", {"player": "random", "seed": 1}
    journal = gnubg_match.Journal(path, settings)
    journal.add(0, [[1.0, 0.5], [-1.0, -0.5], [2.0, 1.0], [0.0, 0.0]])
    with path.open("a") as file:
        file.write('{"block": 1, "ga')
    again = gnubg_match.Journal(path, settings)
    assert again.blocks == journal.blocks
    assert again.mean(False).mean == 0.5
    assert again.mean(True).mean == 0.25
    with pytest.raises(SystemExit, match="other settings"):
        gnubg_match.Journal(path, {"player": "greedy", "seed": 1})


def test_the_turns_of_a_game_follow_each_other():
    turns = gnubg_judge.turns_of_game(GAME, make_player("random:seed=1", GAME), random.Random(2))
    assert turns[-1][1].is_terminal()
    for (before, after), (then, _) in itertools.pairwise(turns):
        assert before.current_player() >= 0
        assert then in [after.child(outcome) for outcome in after.legal_actions()]


def test_without_the_program_the_player_says_what_to_install(monkeypatch):
    monkeypatch.setattr(gnubg, "program", lambda: None)
    monkeypatch.setattr(gnubg, "_shared", None)
    with pytest.raises(MessageError, match="apt-get install gnubg"):
        make_player("gnubg:plies=2", GAME)


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("pig", {}, "does not know the game pig"),
        ("backgammon", {"start": "hyper"}, "fifteen men"),
        ("backgammon", {"scoring": "win_loss"}, "scoring=full"),
    ],
)
def test_other_games_are_refused(name, options, says):
    with pytest.raises(MessageError, match=says):
        make_player("gnubg", tablier.load_game(name, **options))


def test_a_program_that_ends_at_once_is_reported(monkeypatch, tmp_path):
    path = tmp_path / "gnubg"
    path.write_text("#!/bin/sh\necho noise\nexit 3\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(gnubg, "program", lambda: str(path))
    before = open_files()
    with pytest.raises(MessageError, match="does not answer"):
        gnubg.Gnubg()
    assert open_files() == before


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture(scope="module")
def program():
    with gnubg.Gnubg() as engine:
        yield engine


@needs_program
def test_the_program_knows_the_opening_moves(program):
    states = [setup(GAME, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5", dice=dice) for dice in ((3, 1), (4, 2), (6, 1))]
    turns = best_turns(program, GAME, words_of(states))
    texts = [state.action_to_string(turn[0]) for state, turn in zip(states, turns.tolist(), strict=True)]
    assert texts == ["8/5 6/5", "8/4 6/4", "13/7 8/7"]


@needs_program
def test_the_program_has_the_same_legal_plays(program):
    _, _, different = gnubg_moves.compare(program, decisions(seed=3, n=100))
    assert different == []


@needs_program
def test_luck_averages_to_zero(program):
    before = setup(GAME, "24:2 13:4 8:4 6:5", "24:1 22:1 13:5 8:3 6:5")
    after = [before.child(outcome) for outcome in before.legal_actions()]
    luck = luck_of_throws(program, GAME, words_of(after), np.zeros(36, np.bool_))
    assert luck.mean() == pytest.approx(0, abs=1e-5)
    assert luck.std() > 0.05


@needs_program
def test_several_processes_give_the_same_answers(program):
    words = words_of(decisions(seed=4, n=50))
    sides = backgammon.sides(GAME, words)
    with gnubg.Gnubg(2) as two:
        assert two.evaluate(sides).tolist() == program.evaluate(sides).tolist()
        assert two.play(sides, dice_of(words)).tolist() == program.play(sides, dice_of(words)).tolist()


@needs_program
def test_the_player_plays_what_it_values_most():
    player = make_player("gnubg", GAME)
    for state in decisions(seed=5, n=10):
        ranked = player.explain(state)
        assert {one.action for one in ranked} == set(state.legal_actions())
        best = {one.action for one in ranked if one.value > ranked[0].value - 1e-6}
        assert player.choose(state) in best
