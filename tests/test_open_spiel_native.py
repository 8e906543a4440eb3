"""The native OpenSpiel game `trictrac`: OpenSpiel's own tests, agreement with the other two, and its C++ clients."""

import json
import random
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import numpy as np
import open_spiel_plugin
import pyspiel
import pytest
from absl import flags
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, mcts, minimax, random_agent
from open_spiel.python.algorithms import generate_playthrough as spiel_playthrough
from open_spiel.python.observation import make_observation
from open_spiel.python.tests import games_sim_test

import tablier
import tablier.adapters.open_spiel_native as native
from tablier.adapters.open_spiel import TablierState
from tablier.adapters.open_spiel_plugin import PLACE, SOURCES, game_files, source_package

ROOT = Path(__file__).parent.parent
VECTORS = [json.loads(line) for line in (ROOT / "tests/trictrac/vectors.jsonl").read_text().splitlines()]
PARAMETERS = [
    "first_throw=draw,explicit_roll=True",
    "schools=True,holes_to_win=30,fill_school=double",
    "observation=observation,stake_rule=quadruple,first_throw=fresh_roll",
    "encoding=markov,bearing_off=by_default_only,last_throw_carries_over=True,swap_colours_on_exit=True",
    "jan_de_rencontre=True,pile_de_misere=True,margot_la_fendue=True,mezeas_next_throw_only=True,max_turns=60",
]


def run(*arguments):
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True)


def test_the_game_is_what_the_contract_says():
    game = pyspiel.load_game("trictrac")
    kind = game.get_type()
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert kind.reward_model == pyspiel.GameType.RewardModel.TERMINAL
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    assert (game.num_players(), game.num_distinct_actions(), game.max_chance_outcomes()) == (2, 514, 36)
    assert game.observation_tensor_shape() == [217]
    python = pyspiel.load_game("python_trictrac")
    retired = python.rules._retired_options()
    expected = {name: value for name, value in python.get_parameters().items() if name not in retired}
    assert game.get_parameters() == {**expected, "utility": "win"}
    assert pyspiel.load_game("trictrac(observation=observation)").observation_tensor_shape() == [36]


def test_the_header_names_every_parameter():
    header = (SOURCES / "trictrac.h").read_text()
    named = re.findall(r'^//   "(\w+)"', header, re.MULTILINE)
    assert sorted(named) == sorted(pyspiel.load_game("trictrac").get_parameters())


def test_trictrac_test():
    """OpenSpiel's own C++ tests, and ours."""
    result = run(open_spiel_plugin.__file__)
    assert (result.returncode, result.stdout.splitlines()[-1:]) == (0, ["trictrac_test: all passed"]), result.stderr


def test_open_spiels_api_test(tmp_path):
    """integration_tests/api_test.py over every game of ours."""
    with tarfile.open(source_package(native.installed().version, native.show_progress)) as package:
        member = next(m for m in package if m.name.endswith("open_spiel/integration_tests/api_test.py"))
        (tmp_path / "api_test.py").write_bytes(package.extractfile(member).read())
    ours = [*(f"tablier_{name}" for name in tablier._core.native_games()), "python_trictrac", "trictrac"]
    code = f"""
import runpy, sys
import tablier.adapters.open_spiel, tablier.adapters.open_spiel_native
sys.argv = ["api_test.py", "--test_only_games=({"|".join(ours)})$"]
sys.path.insert(0, {str(tmp_path)!r})
runpy.run_path({str(tmp_path / "api_test.py")!r}, run_name="__main__")
"""
    result = run("-c", code)
    assert result.returncode == 0, result.stderr
    assert f"Ran {5 * len(ours)} tests" in result.stderr


def in_lock_step(states, rng):
    """Plays a random game in several states at once and compares all that can be seen at every step."""
    ours, *others = states
    while True:
        player = ours.current_player()
        for other in others:
            assert other.current_player() == player
            assert other.is_terminal() == ours.is_terminal()
            assert other.returns() == ours.returns()
            assert other.rewards() == ours.rewards()
            assert str(other) == str(ours)
            assert other.legal_actions() == ours.legal_actions()
            if player >= 0 or ours.is_terminal():
                for seat in (0, 1):
                    assert other.observation_tensor(seat) == ours.observation_tensor(seat)
                assert other.observation_string(0) == ours.observation_string(0)
        if ours.is_terminal():
            return
        if player < 0:
            assert all(other.chance_outcomes() == ours.chance_outcomes() for other in others)
        action = rng.choice(ours.legal_actions())
        words = ours.action_to_string(player, action)
        assert all(other.action_to_string(player, action) == words for other in others)
        for state in states:
            state.apply_action(action)


@pytest.mark.parametrize("parameters", ["", *PARAMETERS])
def test_lock_step_with_python_trictrac(parameters):
    """1,000 games by default; 20 for each set of other rules."""
    native_game = pyspiel.load_game(f"trictrac(utility=score{',' if parameters else ''}{parameters})")
    python_game = pyspiel.load_game(f"python_trictrac({parameters})")
    rng = random.Random(1)
    for _ in range(20 if parameters else 1000):
        in_lock_step([native_game.new_initial_state(), python_game.new_initial_state()], rng)


def test_lock_step_with_tablier_itself():
    game = pyspiel.load_game("trictrac(utility=score)")
    rules = tablier.load_game("trictrac", first_throw="white")
    rng = random.Random(2)
    for _ in range(1000):
        ours, theirs = game.new_initial_state(), rules.new_initial_state()
        while not theirs.is_terminal():
            assert ours.legal_actions() == theirs.legal_actions()
            assert ours.current_player() == theirs.current_player()
            action = rng.choice(theirs.legal_actions())
            assert ours.action_to_string(action) == theirs.action_to_string(action)
            ours.apply_action(action)
            theirs.apply_action(action)
            assert ours.returns() == theirs.returns()
        assert ours.is_terminal()
        assert str(ours) == str(theirs)
        assert ours.observation_tensor(1) == theirs.features(1).tolist()


def test_win_and_score_are_the_same_game():
    win, score = (pyspiel.load_game(f"trictrac(utility={name})").new_initial_state() for name in ("win", "score"))
    rng = random.Random(3)
    while not score.is_terminal():
        assert win.returns() == [0, 0]
        action = rng.choice(score.legal_actions())
        win.apply_action(action)
        score.apply_action(action)
    assert sorted(win.returns()) == [-1, 1]
    assert (win.returns()[0] > 0) == (score.returns()[0] > score.returns()[1])


@pytest.mark.parametrize(
    "vector", [pytest.param(v, id=v["id"]) for v in VECTORS if "player_points" in v["expect"] and v["board"]]
)
def test_figures_printed_in_books(vector):
    """Sets the position up and throws. Both scores are 0 before, so the points make holes in a run."""
    throws = min(vector["context"].get("roll_index", 10) - 1, 9)
    game = pyspiel.load_game("trictrac(utility=score)")
    first, second = vector["dice"]
    state = game.new_initial_state(json.dumps({"board": vector["board"], "throws": [throws, throws]}))
    state.apply_action(6 * (first - 1) + second - 1)
    points = vector["expect"]["player_points"]
    assert state.returns()[0] == 24 * (points // 12) + points % 12


@pytest.mark.parametrize("name", ["trictrac", "trictrac(utility=score)"])
def test_open_spiels_simulations(name, capsys):
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    games_sim_test.GamesSimTest().sim_game(game)


def test_undo_from_python():
    state = pyspiel.load_game("trictrac(utility=score)").new_initial_state()
    rng, texts = random.Random(4), []
    for _ in range(60):
        texts.append((str(state), state.rewards(), state.current_player()))
        state.apply_action(rng.choice(state.legal_actions()))
    for text, rewards, player in reversed(texts):
        state.undo_action(player, state.history()[-1])
        assert (str(state), state.rewards(), state.current_player()) == (text, rewards, player)


def test_the_playthrough_is_current():
    """`make golden` writes it."""
    flags.FLAGS.mark_as_parsed()  # replay() reads one
    expected, actual = spiel_playthrough.replay(str(ROOT / "integrations/open_spiel/playthroughs/trictrac.txt"))
    assert actual == expected


def files_added_by(patch):
    """Returns the text of every file that a patch adds, by path."""
    files = {}
    for part in patch.split("diff --git ")[1:]:
        if "\nnew file mode" in part.split("\n+++ ")[0]:
            path = re.search(r"^\+\+\+ b/(.+)$", part, re.MULTILINE)[1]
            body = part.split("\n@@", 1)[1].split("\n", 1)[1]
            files[path] = "".join(f"{line[1:]}\n" for line in body.splitlines() if line.startswith("+"))
    return files


def test_the_patch_is_current():
    """It contains the game and the engine as they are. `make golden` writes it; `make open-spiel` checks the rest."""
    home = ROOT / "integrations/open_spiel"
    expected = {f"{PLACE}/{place}": file.read_text() for place, file in game_files().items()}
    expected[f"{PLACE}/trictrac_test.cc"] = (SOURCES / "trictrac_test.cc").read_text()
    playthrough = (home / "playthroughs/trictrac.txt").read_text()
    expected["open_spiel/integration_tests/playthroughs/trictrac.txt"] = playthrough
    added = files_added_by((home / "open_spiel-2.0.2.patch").read_text())
    assert sorted(added) == sorted(expected)
    assert [path for path, text in expected.items() if added[path] != text] == [], "run make golden"


def test_observers():
    game = pyspiel.load_game("trictrac")
    observation = make_observation(game)
    single = make_observation(game, None, {"name": "single_tensor"})
    state = game.new_initial_state().child(8)
    for player in (0, 1):
        observation.set_from(state, player)
        single.set_from(state, player)
        assert observation.tensor.tolist() == single.tensor.tolist() == state.observation_tensor(player)
        assert observation.string_from(state, player) == state.observation_string(player)


def search_bot(game, simulations=20):
    return pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, simulations, 100, False, 1, False)


def test_mcts_steps_through_whole_games():
    """MCTSBot.step(), which crashes on every game in Python."""
    game = pyspiel.load_game("trictrac")
    rng = random.Random(5)
    wins = 0
    for _ in range(6):
        state, bot = game.new_initial_state(), search_bot(game, 50)
        while not state.is_terminal():
            ours = state.current_player() == 0
            state.apply_action(bot.step(state) if ours else rng.choice(state.legal_actions()))
        wins += state.returns()[0] > 0
    assert wins >= 5


def test_evaluate_bots():
    game = pyspiel.load_game("trictrac(holes_to_win=3)")
    bots = [search_bot(game), pyspiel.make_uniform_random_bot(1, 2)]
    assert sorted(pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)) == [-1, 1]
    python_bot = mcts.MCTSBot(game, 1.4, 4, mcts.RandomRolloutEvaluator(1), random_state=np.random.RandomState(1))
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), [python_bot, bots[1]], np.random.RandomState(1))
    assert sorted(returns) == [-1, 1]


def test_ismcts_is_for_hidden_information_only():
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 5.0, 10)
    state = pyspiel.load_game("trictrac").new_initial_state().child(8)
    with pytest.raises(RuntimeError, match="kImperfectInformation"):
        bot.step(state)


def test_expectiminimax_agrees_with_python_trictrac():
    def lead(state):
        return state.returns()[0] - state.returns()[1]

    values = []
    for name in ("trictrac(utility=score)", "python_trictrac"):
        state = pyspiel.load_game(name).new_initial_state().child(8)
        values.append(minimax.expectiminimax(state, 2, lead, 0))
    assert values[0] == values[1]


def test_rl_environment():
    environment = rl_environment.Environment("trictrac(holes_to_win=2)")
    environment.seed(1)
    agents = [random_agent.RandomAgent(i, environment.action_spec()["num_actions"]) for i in (0, 1)]
    games = 0
    step = environment.reset()
    while games < 10:
        if step.last():
            games += 1
            assert sorted(step.rewards) == [-1, 1]
            step = environment.reset()
        step = environment.step([agents[step.observations["current_player"]].step(step).action])


def test_dqn_learns_from_it():
    from open_spiel.python.pytorch import dqn

    environment = rl_environment.Environment("trictrac(holes_to_win=1)")
    environment.seed(1)
    agents = [
        dqn.DQN(i, 217, 514, hidden_layers_sizes=[16], replay_buffer_capacity=500, batch_size=16,
                min_buffer_size_to_learn=32, learn_every=8)
        for i in (0, 1)
    ]  # fmt: skip
    for _ in range(100):
        if all(agent.loss is not None for agent in agents):
            break
        step = environment.reset()
        while not step.last():
            step = environment.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    assert all(np.isfinite(float(agent.loss)) for agent in agents)


def test_ppo_learns_from_it():
    from open_spiel.python.pytorch import ppo
    from open_spiel.python.vector_env import SyncVectorEnv

    environments = SyncVectorEnv([rl_environment.Environment("trictrac(holes_to_win=1)")])
    agents = [
        ppo.PPO((217,), 514, 2, player_id=i, steps_per_batch=16, num_minibatches=2, agent_fn=ppo.PPOAgent)
        for i in (0, 1)
    ]
    before = [[weights.clone() for weights in agent.parameters()] for agent in agents]
    steps, collected = environments.reset(), [0, 0]
    while min(collected) < 16:
        mover = steps[0].observations["current_player"]
        if collected[mover] == 16:
            agents[mover].learn(steps)
            collected[mover] = 0
        chosen = agents[mover].step(steps)
        steps, rewards, done, _ = environments.step(chosen, reset_if_done=True)
        agents[mover].post_step([reward[mover] for reward in rewards], done)
        collected[mover] += 1
    for agent, old in zip(agents, before, strict=True):
        agent.learn(steps)
        assert any(not new.equal(weights) for new, weights in zip(agent.parameters(), old, strict=True))


def test_a_state_saved_by_the_other_game_is_refused():
    python = pyspiel.load_game("python_trictrac").new_initial_state()
    assert isinstance(python, TablierState)
    with pytest.raises(RuntimeError, match="does not begin with 'trictrac state, format 1'"):
        pyspiel.load_game("trictrac").deserialize_state(python.serialize())


def test_structs_and_json():
    game = pyspiel.load_game("trictrac")
    state = game.new_initial_state().child(8)
    fields = json.loads(state.to_json())
    assert (fields["dice"], fields["stage"], fields["mover"]) == ([2, 3], "Move", 0)
    assert state.to_struct().to_json() == state.to_json()
    copy = game.new_initial_state(state.to_json())
    assert str(copy) == str(state)
    assert copy.legal_actions() == state.legal_actions()
