"""Matches: paired dice, confidence intervals, and results that do not depend on the number of processes."""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from interrupting import until_children_work

import tablier
from tablier.arena import MatchResult, play_game, play_match, random_opening, wilson


class Cautious:
    """Holds with ten points in this turn, or enough to win."""

    def choose(self, state):
        mine, _, turn = state.observation().tolist()
        return int(turn >= 10 or mine + turn >= 100)


def test_wilson_by_hand():
    """8 of 10: centre (0.8 + 0.19208) / 1.38416 = 0.71674, radius 1.96 / 1.38416 * sqrt(0.016 + 0.009604) = 0.22658."""
    assert wilson(8, 10) == pytest.approx((0.49016, 0.94332), abs=1e-4)
    assert wilson(0, 0) == (0, 1)


def test_who_watches_sees_every_state_and_action(pig):
    seen = []
    returns, decisions, seconds = play_game(
        pig,
        [Cautious(), Cautious()],
        random.Random(1),
        lambda state, action: seen.append((state.current_player(), action)),
    )
    assert sorted(returns) == [-1, 1]
    assert sum(decisions) == sum(player >= 0 for player, _ in seen)
    assert all(time >= 0 for time in seconds)


def test_equal_players_share_every_pair(pig):
    """With the same dice and swapped seats, two identical players win one game each."""
    score = play_match(pig, Cautious(), Cautious(), 20)
    assert (score.games, score.wins, score.draws) == (20, 10, 0)


class Lowest:
    """Takes the first legal action and records the states it saw."""

    def __init__(self):
        self.seen = set()

    def choose(self, state):
        self.seen.add(state.serialize())
        return state.legal_actions()[0]


def test_openings_let_players_who_never_waver_play_different_games(tic_tac_toe):
    games = {}
    for openings in (0, 40):
        player = Lowest()
        score = play_match(tic_tac_toe, player, player, 40, openings=openings)
        assert score.rate == 0.5  # both seats get the same opening
        games[openings] = len(player.seen)
    assert games[0] == 7  # the same game every time
    assert games[40] > 40


def test_openings_are_of_the_seed(tic_tac_toe):
    seen = []
    for seed in (1, 1, 2):
        player = Lowest()
        play_match(tic_tac_toe, player, player, 10, seed=seed, openings=10)
        seen.append(player.seen)
    assert seen[0] == seen[1]
    assert seen[0] != seen[2]


@pytest.mark.parametrize(("ways", "moves"), [(0, 0), (1, 0), (9, 1), (10, 2), (72, 2), (73, 3), (10**9, 8)])
def test_an_opening_is_long_enough_and_ends_no_game(tic_tac_toe, ways, moves):
    for seed in range(20):
        opening = random_opening(tic_tac_toe, random.Random(seed), ways)
        state = tic_tac_toe.new_initial_state()
        for action in opening:
            state.apply_action(action)
        assert not state.is_terminal()
        assert len(opening) == moves if moves < 8 else len(opening) >= 5


def test_dice_are_opening_enough(pig):
    plain, opened = (play_match(pig, "greedy", "random", 20, seed=5, openings=n) for n in (0, 20))
    assert (plain.wins, plain.decisions) == (opened.wins, opened.decisions)


def test_openings_are_the_same_in_other_processes(tic_tac_toe):
    one, two = (play_match(tic_tac_toe, "greedy", "random", 24, processes=n, openings=24) for n in (1, 2))
    assert (one.wins, one.draws, one.decisions) == (two.wins, two.draws, two.decisions)
    assert one.decisions != play_match(tic_tac_toe, "greedy", "random", 24).decisions


def test_processes_change_nothing():
    game = tablier.load_game("trictrac")
    one, two = (play_match(game, "heuristic", "random", 24, seed=3, processes=n) for n in (1, 2))
    assert (one.wins, one.margin, one.decisions) == (two.wins, two.margin, two.decisions)


def test_a_draw_counts_half():
    assert MatchResult("a", "b", games=4, wins=1, draws=2).rate == 0.5


@pytest.mark.parametrize(
    ("name", "options", "games", "words"),
    [
        ("trictrac_a_ecrire", {"players": 3, "marques": 3}, 2, "needs a two-player game"),
        ("pig", {}, 0, "games must be at least 1"),
    ],
)
def test_matches_that_cannot_be(name, options, games, words):
    with pytest.raises(ValueError, match=words):
        play_match(tablier.load_game(name, **options), "random", "random", games)


def test_players_in_other_processes_are_strings(pig):
    with pytest.raises(TypeError, match="players must be strings"):
        play_match(pig, Cautious(), "random", 2, processes=2)


def run(*args):
    return subprocess.run([sys.executable, "-m", "tablier", "match", *args], capture_output=True, text=True)


def test_the_command():
    done = run("greedy", "random", "--game", "pig", "--games", "30", "--json")
    assert done.returncode == 0, done.stderr
    score = json.loads(done.stdout)
    assert score["games"] == 30
    assert score["low"] <= score["rate"] <= score["high"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["genius", "random"], "no player is called 'genius'; choose one of champion, expectimax, gnubg, greedy"),
        (["mcts:depth=3", "random"], "no setting 'depth'; its settings are sims, ms"),
        (["heuristic", "random", "--game", "pig"], "the game pig has no heuristic"),
        (["random", "random", "--game", "chess"], "no game is called 'chess'"),
    ],
)
def test_mistakes_are_told_in_one_line(args, words):
    done = run(*args, "--games", "2")
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("match exits random --games 2 --processes 1", "the player exits ended the program"),
        ("match exits random --games 2 --processes 2", "the player exits ended the program"),
        ("simulate --players random,exits --games 2", "the player exits ended the program"),
        ("match exitsatonce random --games 2", "a player or a game ended the program"),
    ],
)
def test_a_player_that_exits_does_not_end_a_command_in_silence(command, words):
    bad = str(Path(__file__).parent / "bad_players.py")
    arguments = [*command.split(), "--game", "pig", "--import", bad]
    done = subprocess.run([sys.executable, "-m", "tablier", *arguments], capture_output=True, text=True)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_ctrl_c_ends_a_match_in_several_processes():
    """A terminal signals every process; the workers would otherwise finish the games they have."""
    code = """if True:
        import signal, sys
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would ignore it
        from tablier.cli import main
        if __name__ == "__main__":
            print("ready", flush=True)
            sys.exit(main("match mcts:sims=3000 greedy --games 40000 --processes 2".split()))
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], start_new_session=True, **pipes) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            until_children_work(process)
            os.killpg(process.pid, signal.SIGINT)
            _, errors = process.communicate()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert "Traceback" not in errors
