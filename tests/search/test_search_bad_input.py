"""Bad input is rejected with a clear message, and searches stop when asked to."""

import subprocess
import sys
import time

import numpy as np
import pytest
from interrupting import interrupt_at_work
from playing import play
from test_expectimax import network

import tablier
from tablier.evaluators import (
    CachedEvaluator,
    HeuristicEvaluator,
    Leaves,
    OnnxEvaluator,
    RolloutEvaluator,
    UniformEvaluator,
    make_evaluator,
)
from tablier.messages import MessageError
from tablier.players import make_player
from tablier.search import ExpectimaxConfig, Search, SearchConfig, SelfPlay


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"n_simulations": 0}, ValueError, "n_simulations must be from 1 to 1e\\+09, not 0"),
        ({"n_simulations": -5}, ValueError, "n_simulations must be from"),
        ({"n_simulations": 10**13}, ValueError, "n_simulations must be from"),
        ({"n_simulations": 2.5}, TypeError, "n_simulations must be of type int, not 2.5"),
        ({"n_simulations": "many"}, TypeError, "n_simulations"),
        ({"n_simulations": True}, TypeError, "n_simulations"),
        ({"c_puct": -1.0}, ValueError, "c_puct must be from 0"),
        ({"c_puct": float("nan")}, ValueError, "c_puct"),
        ({"c_puct": float("inf")}, ValueError, "c_puct"),
        ({"dirichlet_eps": 1.5}, ValueError, "dirichlet_eps must be from 0 to 1"),
        ({"dirichlet_alpha": 0.0}, ValueError, "dirichlet_alpha"),
        ({"temperature": -0.1}, ValueError, "temperature"),
        ({"considered": 0}, ValueError, "considered"),
        ({"memory_mb": 0}, ValueError, "memory_mb must be from 1"),
        ({"rollouts": 0}, ValueError, "rollouts"),
        ({"gumbel_noise": 1}, TypeError, "gumbel_noise"),
        ({"root": 3}, TypeError, "root"),
    ],
)
def test_settings_out_of_range(settings, error, words):
    with pytest.raises(error, match=words):
        SearchConfig(**settings)


@pytest.mark.parametrize("setting", ["root", "chance", "objective"])
def test_words_that_mean_nothing_are_named_with_those_that_do(pig, setting):
    with pytest.raises(ValueError, match=f"{setting} must be one of .*, not 'sideways'"):
        Search(pig, UniformEvaluator(pig), SearchConfig(**{setting: "sideways"}))


@pytest.mark.parametrize("settings", [{"plies": 0}, {"plies": 9}, {"keep": 0}, {"margin": -1.0}])
def test_expectimax_settings_out_of_range(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        ExpectimaxConfig(**settings)


def test_a_finished_game_is_not_searched(tic_tac_toe):
    with pytest.raises(ValueError, match="the game is over"):
        Search(tic_tac_toe, UniformEvaluator(tic_tac_toe)).run(play(tic_tac_toe, [0, 3, 1, 4, 2]))


@pytest.mark.parametrize("other", [("tic_tac_toe", {}), ("pig", {"win_score": 50})])
def test_a_state_of_another_game_is_refused(pig, other):
    name, options = other
    state = tablier.load_game(name, **options).new_initial_state()
    with pytest.raises(ValueError, match="a different game or to different options"):
        Search(pig, UniformEvaluator(pig)).run(state)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_time_that_is_none(pig, seconds):
    with pytest.raises(ValueError, match="seconds must be positive and finite"):
        Search(pig, UniformEvaluator(pig)).run(pig.new_initial_state(), seconds=seconds)


def test_what_is_no_game(pig):
    with pytest.raises(TypeError, match="game"):
        Search("pig", UniformEvaluator(pig))


def test_open_loop_plays_no_games(pig):
    with pytest.raises(ValueError, match='does not support chance="open_loop"'):
        SelfPlay(pig, UniformEvaluator(pig), SearchConfig(chance="open_loop"))


@pytest.mark.parametrize("settings", [{"games_at_once": 0}, {"threads": 0}, {"games_at_once": -3}])
def test_pools_of_nothing(pig, settings):
    with pytest.raises(ValueError, match="from 1|at least|1 to"):
        SelfPlay(pig, UniformEvaluator(pig), SearchConfig(), **settings)


def test_a_count_of_games_below_one(pig):
    with pytest.raises(ValueError, match="count"):
        list(SelfPlay(pig, UniformEvaluator(pig), SearchConfig(), games_at_once=1).play(-1))


# --- evaluators that return bad values --------------------------------------------------------------------------------


def zeros(n, width=2):
    return np.zeros((n, width), np.float32)


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (lambda n: None, TypeError, "must return \\(logits or None, values\\)"),
        (lambda n: zeros(n), TypeError, "must return"),
        (lambda n: (None, None), TypeError, "the values of Odd must be an array"),
        (lambda n: (None, [[0.0, 0.0]] * n), TypeError, "the values of Odd must be an array"),
        (lambda n: (None, zeros(n).astype(int)), TypeError, "must be an array of float32, not int64"),
        (lambda n: (None, zeros(n + 1)), ValueError, "have shape"),
        (lambda n: (None, np.zeros(n, np.float32)), ValueError, "have shape"),
        (lambda n: (None, zeros(n, 3)), TypeError, "'values' has shape \\(1, 3\\); expected \\(1, 2\\)"),
        (lambda n: (zeros(n, 7), zeros(n)), ValueError, "the logits of Odd have shape"),
        (lambda n: (None, zeros(n) + np.nan), ValueError, "not finite"),
        (lambda n: (None, zeros(n) + np.inf), ValueError, "not finite"),
        (lambda n: (zeros(n) + np.nan, zeros(n)), ValueError, "logit of the legal action 0 is not finite"),
        (lambda n: (zeros(n) - np.inf, zeros(n)), ValueError, "logit of the legal action 0 is not finite"),
    ],
)
def test_evaluators_that_answer_nonsense(pig, answer, error, words):
    class Odd:
        def evaluate(self, leaves):
            return answer(len(leaves))

    with pytest.raises(error, match=words):
        Search(pig, Odd()).run(pig.new_initial_state())


def test_logits_of_illegal_actions_are_not_looked_at(tic_tac_toe):
    class Masked:
        def evaluate(self, leaves):
            return np.where(leaves.legal_mask, 0, -np.inf).astype(np.float32), zeros(len(leaves))

    assert Search(tic_tac_toe, Masked()).run(play(tic_tac_toe, [4])).best != 4


def test_double_precision_is_taken_too(pig):
    class Double:
        def evaluate(self, leaves):
            return None, np.zeros((len(leaves), 2))

    assert Search(pig, Double()).run(pig.new_initial_state()).best in (0, 1)


def test_leaves_of_a_player_who_is_not_there(pig):
    from tablier._core.search import words

    with pytest.raises(ValueError, match="player"):
        Leaves.of(pig, words(pig.new_initial_state()).reshape(1, -1), np.array([2], np.int32))


def test_a_cache_of_nothing(pig):
    with pytest.raises(ValueError, match="at least 1"):
        CachedEvaluator(UniformEvaluator(pig), capacity=0)


def test_rollouts_below_one(pig):
    with pytest.raises(ValueError, match="rollouts must be from 1"):
        RolloutEvaluator(pig, rollouts=0)


def test_a_heuristic_that_the_game_has_not(pig):
    with pytest.raises(ValueError, match="the game pig has no heuristic"):
        HeuristicEvaluator(pig)


# --- strings and files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("description", "words"),
    [
        (
            "genius",
            "no player is called 'genius'; choose one of "
            "champion, expectimax, gnubg, greedy, gumbel, heuristic, human, level, mcts, policy",
        ),
        ("mcts:depth=3", "the player 'mcts' has no setting 'depth'; its settings are sims, ms, eval, net"),
        ("mcts:sims=many", "the setting 'sims' of 'mcts' must be a whole number, not 'many'"),
        ("mcts:sims=-4", "the setting 'sims' of 'mcts' must be from 0 to 1000000000, not -4"),
        ("mcts:c=nan", "must be a number, not 'nan'"),
        ("mcts:c=1e9", "the setting 'c' of 'mcts' must be from 0 to 1000000, not 1e9"),
        ("mcts:sims", "the setting 'sims' of 'mcts' needs a value"),
        ("mcts:memory=0", "the setting 'memory' of 'mcts' must be from 1"),
        ("mcts:sims=99999999999999", "the setting 'sims' of 'mcts' must be from"),
        ("mcts:eval=wisdom", "no evaluator is called 'wisdom'; choose one of heuristic, points, rollout, uniform"),
        ("expectimax:plies=0", "the setting 'plies' of 'expectimax' must be from 1 to 8, not 0"),
        ("expectimax:plies=99", "the setting 'plies' of 'expectimax' must be from 1 to 8, not 99"),
        ("mcts:eval=rollout,net=x.onnx", "either eval=rollout or net=x.onnx, not both"),
        ("heuristic", "the game pig has no heuristic"),
        ("mcts:eval=heuristic", "the game pig has no heuristic"),
    ],
)
def test_descriptions_that_mean_no_player(pig, description, words):
    with pytest.raises(ValueError, match=words):
        make_player(description, pig)


@pytest.mark.parametrize("ending", ["onnx", "safetensors"])
def test_a_network_file_whose_name_no_file_can_have(pig, ending):
    with pytest.raises(MessageError, match=f"aaa.{ending} cannot be read: file name too long"):
        make_player(f"policy:net={'a' * 400}.{ending}", pig)


def test_a_network_that_is_not_there(pig, tmp_path):
    with pytest.raises(MessageError, match="there is no network file at"):
        make_player(f"mcts:net={tmp_path / 'none.onnx'}", pig)


@pytest.mark.parametrize("content", [b"", b"hello", bytes(range(256)) * 40, b"\x08\x08\x12\x00" * 1000])
def test_a_file_that_is_no_network(pig, tmp_path, content):
    (path := tmp_path / "net.onnx").write_bytes(content)
    with pytest.raises(ValueError, match="is not a Tablier network"):
        OnnxEvaluator(pig, path)


@pytest.mark.parametrize("text", ["", "[]", "7", "{}", '{"game": "pig"}', '{"game": "pig", "options": 3}'])
def test_a_network_whose_metadata_are_none(pig, tmp_path, text):
    path = network(tmp_path / "net.onnx", pig, 1, [0, 0, 1], metadata={"tablier": text})
    with pytest.raises(ValueError, match="is not a Tablier network|was made for"):
        OnnxEvaluator(pig, path)


def test_a_network_for_another_game(pig, tic_tac_toe, tmp_path):
    path = network(tmp_path / "net.onnx", pig, 1, [0, 0, 1])
    with pytest.raises(ValueError, match="was made for game = 'pig', not 'tic_tac_toe'"):
        OnnxEvaluator(tic_tac_toe, path)


def test_a_network_finds_the_encoding_it_was_made_for(tmp_path):
    """The caller chooses the rules; the network's encoding and utility apply."""
    markov = tablier.load_game("trictrac", encoding="markov", utility="win")
    size = int(np.prod(markov.features_shape()))
    path = network(tmp_path / "net.onnx", markov, 1, np.zeros(size))
    _, searched = make_evaluator(tablier.load_game("trictrac", holes_to_win=3), net=str(path))
    assert searched.game.options()["encoding"] == "markov"
    assert searched.game.options()["holes_to_win"] == 3


def test_a_network_with_a_strange_number_of_values(pig, tmp_path):
    path = network(tmp_path / "net.onnx", pig, 3, np.zeros(9))
    with pytest.raises(ValueError, match="3 values"):
        Search(pig, OnnxEvaluator(pig, path)).run(pig.new_initial_state())


# --- time -------------------------------------------------------------------------------------------------------------


def trictrac(outcome=13):
    game = tablier.load_game("trictrac")
    return game, play(game, [outcome])


TIMED = ["mcts:ms=50", "mcts:ms=50,eval=rollout", "gumbel:ms=50,sims=1000000000"]
"""Players whose trees would take at least 15 seconds to fill their memory."""


@pytest.mark.parametrize("description", TIMED)
def test_a_player_keeps_to_its_time(description):
    game, state = trictrac()
    found = make_player(description, game).search(state)
    assert found.simulations > 0
    assert not found.full


def test_a_player_who_would_look_ahead_for_days_keeps_to_its_time():
    game, state = trictrac()
    assert make_player("expectimax:ms=50,plies=8,keep=100", game).choose(state) in state.legal_actions()


def test_a_player_with_a_network_takes_its_time_and_no_more(tmp_path):
    game, state = trictrac()
    path = network(tmp_path / "net.onnx", game, 1, np.zeros(int(np.prod(game.features_shape()))))
    player = make_player(f"mcts:ms=50,net={path}", game)
    start = time.monotonic()
    assert not player.search(state).full
    assert time.monotonic() - start > 0.04


def test_a_solved_position_needs_no_more_time(tic_tac_toe):
    search = Search(tic_tac_toe, UniformEvaluator(tic_tac_toe), SearchConfig(n_simulations=10**9))
    found = search.run(play(tic_tac_toe, [0, 3, 1, 4]), seconds=3600)
    assert found.solved
    assert found.simulations < 10**9


LONG = {
    "native search": "Search(game, HeuristicEvaluator(game), endless).run(state)",
    "rollouts": "Search(game, RolloutEvaluator(game), endless).run(state)",
    "python evaluator": "Search(game, Python(), endless).run(state)",
    "expectimax": "ExpectimaxEvaluator(game, RolloutEvaluator(game), deep).look(SearchedGame(game).row(state))",
    "expectimax of a python evaluator": "ExpectimaxEvaluator(game, Python(), deep).look(SearchedGame(game).row(state))",
    "open loop": "Search(game, RolloutEvaluator(game), replace(endless, chance='open_loop')).run(state)",
    "self-play": "list(SelfPlay(game, RolloutEvaluator(game), SearchConfig(n_simulations=2000)).play(10**6))",
}

SCRIPT = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would ignore it
import sys, time, numpy as np, tablier
from dataclasses import replace
from tablier.evaluators import *
from tablier.search import *
class Python:
    def evaluate(self, leaves):
        return None, np.zeros((len(leaves), 2), np.float32)
game = tablier.load_game("trictrac")
state = game.new_initial_state().child(13)
endless = SearchConfig(n_simulations=10**9, memory_mb=1000)
deep = ExpectimaxConfig(plies=5, keep=20)
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("work", LONG)
def test_ctrl_c_ends_a_long_search(work):
    """Uninterrupted, each takes at least a minute, most of them hours, and then prints nothing."""
    code = SCRIPT.format(work=LONG[work])
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            interrupt_at_work(process)
            assert process.stdout.readline() == "interrupted\n"
        finally:
            process.kill()
