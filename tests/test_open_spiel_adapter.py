"""Tablier's games in OpenSpiel: its own checks, and its algorithms as clients."""

import random
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, expected_game_score, mcts, minimax, random_agent
from open_spiel.python.algorithms import generate_playthrough as spiel_playthrough
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation
from open_spiel.python.policy import UniformRandomPolicy
from open_spiel.python.tests import games_sim_test

import tablier
import tablier.adapters.open_spiel as adapter
from tablier import _core

GAMES = [f"tablier_{name}" for name in _core.native_games()] + ["python_trictrac"]
PARAMETERS = [
    "python_trictrac(max_turns=50)",
    "python_trictrac(utility=win)",
    "python_trictrac(observation=observation)",
    "python_trictrac(explicit_roll=True,first_throw=draw)",
    "python_trictrac(schools=True,holes_to_win=60)",
    "python_trictrac(encoding=markov,bearing_off=by_default_only)",
    "tablier_pig(win_score=20)",
    "tablier_trictrac_a_ecrire(marques=2)",
    "tablier_trictrac_a_ecrire(marques=3,players=3)",
    "tablier_trictrac_a_ecrire(marques=2,schools=True)",
]


def test_python_trictrac_is_what_the_contract_says():
    game = pyspiel.load_game("python_trictrac")
    kind = game.get_type()
    assert kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert kind.utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert kind.reward_model == pyspiel.GameType.RewardModel.REWARDS
    assert (kind.provides_observation_string, kind.provides_observation_tensor) == (True, True)
    assert (game.num_players(), game.num_distinct_actions(), game.max_chance_outcomes()) == (2, 514, 36)
    assert game.get_parameters()["max_turns"] == 1000
    state = game.new_initial_state()
    assert state.is_chance_node()
    state.apply_action(0)
    assert state.current_player() == 0  # White throws first
    assert len(state.observation_tensor()) == 217
    short = pyspiel.load_game("python_trictrac(observation=observation)").new_initial_state()
    assert len(short.observation_tensor(1)) == 36


def test_utility_win_is_zero_sum_with_rewards_at_the_end():
    kind = pyspiel.load_game("python_trictrac(utility=win)").get_type()
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL


@pytest.mark.parametrize("name", GAMES + PARAMETERS)
def test_open_spiels_random_simulation(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_open_spiels_python_simulation(name, capsys):
    """Clones, history, OpenSpiel's serialisation and pickle, as OpenSpiel's test suite checks its own games."""
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(name))


@pytest.mark.parametrize("name", GAMES)
def test_open_spiels_playthrough(name):
    text = spiel_playthrough.playthrough(f"{name}()", action_sequence=None, seed=1)
    assert f'GameType.short_name = "{name}"' in text
    assert "None" not in text.split("# State")[1]


@pytest.mark.parametrize("name", ["python_trictrac", "tablier_pig"])
def test_observers(name):
    game = pyspiel.load_game(name)
    observation = make_observation(game)
    state = game.new_initial_state()
    rng = random.Random(1)
    for _ in range(40):
        if state.is_terminal():
            break
        for player in (0, 1):
            observation.tensor.fill(-1)
            observation.set_from(state, player)
            assert observation.tensor.tolist() == pytest.approx(state.observation_tensor(player))
            assert observation.string_from(state, player) == state.observation_string(player) != ""
        state.apply_action(rng.choice(state.legal_actions()))
    assert make_observation(game, INFO_STATE_OBS_TYPE).string_from(state, 0)


def test_returns_are_the_sum_of_rewards_at_decisions():
    game = pyspiel.load_game("python_trictrac")
    rng = random.Random(5)
    for _ in range(5):
        state, total = game.new_initial_state(), np.zeros(2)
        while True:
            if not state.is_chance_node():
                total += state.rewards()
                assert total.tolist() == state.returns()
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))


def test_max_turns_stops_a_game():
    state = pyspiel.load_game("python_trictrac(max_turns=10)").new_initial_state()
    decisions = 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        state.apply_action(state.legal_actions()[0])
    assert decisions == 10
    assert state.legal_actions() == []
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_a_game_that_was_stopped_does_not_go_on():
    state = pyspiel.load_game("python_trictrac(max_turns=1)").new_initial_state()
    state.apply_action(9)
    state.apply_action(state.legal_actions()[0])
    before = str(state), state.history(), state.returns()
    assert state.is_terminal()
    with pytest.raises(ValueError, match="action 7 is refused: the game is over"):
        state.apply_action(7)
    with pytest.raises(ValueError, match="needs a chance node"):
        state.chance_outcomes()
    assert (str(state), state.history(), state.returns()) == before


@pytest.mark.parametrize("name", ["python_trictrac", "tablier_pig"])
def test_the_longest_game_has_a_number_of_moves(name):
    game = pyspiel.load_game(f"{name}(max_turns=1000000000)")
    assert 10**9 <= game.max_move_number() < 2**31
    assert 10**9 <= game.max_history_length() < 2**31
    for turns in (10**9 + 1, 2**31 - 1):
        with pytest.raises(ValueError, match=f"max_turns must be at most 1000000000, not {turns}"):
            pyspiel.load_game(f"{name}(max_turns={turns})")


def play(game, bots, seed):
    rng = np.random.RandomState(seed)
    return evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)


def random_bot(player, seed):
    return pyspiel.make_uniform_random_bot(player, seed)


def test_the_python_mcts_plays_whole_games():
    game = pyspiel.load_game("python_trictrac(utility=win,holes_to_win=3)")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 4, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    returns = play(game, [bot, random_bot(1, 2)], 3)
    assert sorted(returns) == [-1, 1]


def test_the_cpp_mcts_plays_whole_games():
    """Through evaluate_bots: in OpenSpiel 2.0.2 MCTSBot.step() crashes on any game in Python, even OpenSpiel's own."""
    game = pyspiel.load_game("python_trictrac(utility=win,holes_to_win=3)")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, 4, 100, False, 1, False)
    returns = pyspiel.evaluate_bots(game.new_initial_state(), [random_bot(0, 2), bot], 3)
    assert sorted(returns) == [-1, 1]


def test_expectiminimax_solves_a_short_race():
    game = pyspiel.load_game("tablier_pig(win_score=4)")
    state = game.new_initial_state()
    value, action = minimax.expectiminimax(state, 6, lambda _: 0.0, 0)
    assert action == 0  # roll
    assert 0 < value < 1


def random_score(state):
    """Returns player 0's average score when both play at random."""
    if state.is_terminal():
        return state.returns()[0]
    return np.mean([random_score(state.child(action)) for action in state.legal_actions()])


def test_expected_score_of_random_tic_tac_toe(tic_tac_toe):
    """Starts from a mark in the centre and one next to it: the whole tree has 72 times as many games."""
    game = pyspiel.load_game("tablier_tic_tac_toe")
    theirs, ours = game.new_initial_state(), tic_tac_toe.new_initial_state()
    for action in (4, 1):
        theirs.apply_action(action)
        ours.apply_action(action)
    score = expected_game_score.policy_value(theirs, [UniformRandomPolicy(game)] * 2)
    assert score.tolist() == pytest.approx([random_score(ours), -random_score(ours)])


@pytest.mark.parametrize("name", ["python_trictrac", "tablier_pig"])
def test_rl_environment(name):
    environment = rl_environment.Environment(pyspiel.load_game(name))
    environment.seed(1)
    agents = [random_agent.RandomAgent(i, environment.action_spec()["num_actions"]) for i in (0, 1)]
    step = environment.reset()
    for _ in range(500):
        if step.last():
            step = environment.reset()
        mover = step.observations["current_player"]
        step = environment.step([agents[mover].step(step).action])


def test_dqn_in_pytorch_trains():
    from open_spiel.python.pytorch import dqn

    environment = rl_environment.Environment(pyspiel.load_game("python_trictrac(utility=win,holes_to_win=1)"))
    size = environment.observation_spec()["info_state"][0]
    actions = environment.action_spec()["num_actions"]
    agents = [
        dqn.DQN(i, size, actions, hidden_layers_sizes=[32], replay_buffer_capacity=1000, batch_size=16,
                min_buffer_size_to_learn=32, learn_every=8)
        for i in (0, 1)
    ]  # fmt: skip
    environment.seed(1)
    for _ in range(100):  # until both have learned something; each game has about thirty decisions
        if all(agent.loss is not None for agent in agents):
            break
        step = environment.reset()
        while not step.last():
            mover = step.observations["current_player"]
            step = environment.step([agents[mover].step(step).action])
        for agent in agents:
            agent.step(step)
    assert all(np.isfinite(float(agent.loss)) for agent in agents)


def test_an_illegal_action_is_refused():
    state = pyspiel.load_game("python_trictrac").new_initial_state()
    state.apply_action(0)
    with pytest.raises((ValueError, pyspiel.SpielError, RuntimeError), match="action 300 is not legal"):
        state.apply_action(300)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("python_trictrac(max_turns=0)", "max_turns must be at least 1"),
        ("python_trictrac(observation=pixels)", "features, observation"),
        ("python_trictrac(holes_to_win=0)", "an integer from 1 to 100"),
        ("python_trictrac(utility=fame)", "one of score, win"),
    ],
)
def test_wrong_parameters_are_refused(name, words):
    with pytest.raises((ValueError, RuntimeError, pyspiel.SpielError), match=words):
        pyspiel.load_game(name)


def test_a_python_game_can_be_registered_too(race):
    adapter.register_all()
    pyspiel.random_sim_test(pyspiel.load_game("tablier_race"), num_sims=2, serialize=True, verbose=False)


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_importing_prints_nothing_and_ends_cleanly():
    result = run(
        "import tablier.adapters.open_spiel, pyspiel; pyspiel.load_game('python_trictrac').new_initial_state()"
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_without_open_spiel_the_error_names_the_extra():
    result = run("import sys; sys.modules['pyspiel'] = None\nimport tablier.adapters.open_spiel")
    assert "pip install 'tablier[openspiel]'" in result.stderr
    assert tablier.registered_games()
