"""TD with a core network: games in progress survive a kill, and a checkpoint of them is validated."""

import hashlib
import json

import numpy as np
import pytest
import safetensors.numpy
from killing import train, train_killed

import tablier
from tablier._core.nets import Network
from tablier.cli import main
from tablier.evaluators import CoreEvaluator
from tablier.learn.networks.core_net import CoreNet, to_core
from tablier.learn.runs.checkpoint import folder_of, steps_of
from tablier.learn.runs.run import metrics

SETTINGS = {"game": "pig", "options": "win_score=20", "net": "core", "steps": 12, "games": 16, "moves": 8, "width": 16}
SETTINGS |= {"epsilon": 0.1, "tensorboard": False, "checkpoint_every": 3}


def last(folder):
    return folder_of(folder, steps_of(folder)[-1])


def trained(folder):
    """Returns everything that a run ends with."""
    files = [last(folder) / "weights.safetensors", last(folder) / "training.safetensors"]
    return [path.read_bytes() for path in (*files, folder / "best.safetensors", folder / "best.onnx")]


REPLAYED = {"exact": True, "replay": 500, "epochs": 2, "revive": 2}


@pytest.mark.parametrize(
    "settings", [{"exact": False}, {"exact": True}, {"threads": 2, "blocks": 2}, REPLAYED], ids=str
)
@pytest.mark.slow
def test_a_run_that_is_killed_ends_with_the_same_weights(settings, tmp_path):
    train(tmp_path / "whole", "td", SETTINGS | settings)
    assert train_killed(tmp_path / "killed", "td", SETTINGS | settings, seed=2, most=3) == 3
    assert trained(tmp_path / "killed") == trained(tmp_path / "whole")


@pytest.mark.parametrize("threads", [2, 4])
def test_training_does_not_depend_on_the_threads_that_play(threads, tmp_path):
    for count in (1, threads):
        train(tmp_path / str(count), "td", SETTINGS | {"threads": count, "steps": 4})
    assert trained(tmp_path / "1") == trained(tmp_path / str(threads))


@pytest.mark.parametrize(("game", "options"), [("pig", "win_score=20"), ("backgammon", "start=hyper")])
def test_a_run_with_a_replay_buffer_resumes_with_its_positions(game, options, tmp_path):
    """Pig has no codes, backgammon has. The games are short, so that some end and there is something to learn."""
    settings = SETTINGS | REPLAYED | {"game": game, "options": options}
    train(tmp_path / "whole", "td", settings | {"steps": 10})
    train(tmp_path / "parts", "td", settings | {"steps": 7})
    assert train(tmp_path / "parts", "td", {"steps": 10}, resume=True) == 10
    assert all(row["loss"] > 0 for row in metrics(tmp_path / "whole")[-4:])
    assert not list((tmp_path / "parts" / "replay").glob("*.damaged"))
    assert trained(tmp_path / "parts") == trained(tmp_path / "whole")


def test_learning_starts_once_the_replay_buffer_is_full_enough(tmp_path):
    settings = SETTINGS | REPLAYED | {"learning_starts": 3 * 16 * 8 - 40, "steps": 5, "checkpoint_every": 1}
    train(tmp_path, "td", settings)
    weights = [(folder_of(tmp_path, step) / "weights.safetensors").read_bytes() for step in steps_of(tmp_path)]
    assert ["loss" in row for row in metrics(tmp_path)] == [False, False, True, True, True]
    assert weights[0] == weights[1] != weights[2] != weights[3]


def test_only_a_core_network_has_a_replay_buffer(tmp_path, capsys):
    words = ["train", "td", "--game", "pig", "--net", "mlp", "--replay", "100", "--run", str(tmp_path / "run")]
    assert main(words) == 2
    assert "only a core network can have a replay buffer" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_the_network_of_a_run_is_one_for_the_core(tmp_path):
    train(tmp_path / "run", "td", SETTINGS)
    game = tablier.load_game("pig", win_score=20)
    assert CoreEvaluator(game, tmp_path / "run" / "best.safetensors").network.outputs == 1


def spoil(folder, change):
    """Changes arrays of the last checkpoint and updates the checksum to match."""
    path, state = last(folder) / "training.safetensors", last(folder) / "state.json"
    tensors = dict(safetensors.numpy.load_file(path))
    change(tensors)
    data = safetensors.numpy.save(tensors)
    path.write_bytes(data)
    told = json.loads(state.read_text())
    told["sums"][path.name] = hashlib.sha256(data).hexdigest()
    state.write_text(json.dumps(told))


def flipped(tensors):
    tensors["acting"] = tensors["acting"].copy()
    tensors["acting"][-1] ^= 1


def of_another_game(tensors):
    file = to_core(CoreNet(18, 0), tablier.load_game("tic_tac_toe"))
    tensors["acting"] = np.frombuffer(file, np.uint8)


DAMAGE = {
    "missing": lambda tensors: tensors.pop("acting"),
    "empty": lambda tensors: tensors.update(acting=np.zeros(0, np.uint8)),
    "cut": lambda tensors: tensors.update(acting=tensors["acting"][:-8].copy()),
    "flipped": flipped,
    "no network": lambda tensors: tensors.update(acting=np.zeros(1000, np.uint8)),
    "of another game": of_another_game,
    "games missing": lambda tensors: tensors.pop("games"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_games_that_cannot_be_resumed_are_refused_in_one_line(damage, tmp_path, capsys):
    train(tmp_path / "run", "td", SETTINGS | {"steps": 3})
    spoil(tmp_path / "run", DAMAGE[damage])
    assert main(["train", "td", "--run", str(tmp_path / "run"), "--resume", "--steps", "6"]) == 2
    told = capsys.readouterr().err
    wanted = "the network does not fit pig" if damage == "of another game" else "does not contain this run's games"
    assert wanted in told
    assert told.count("\n") == 1


def test_the_network_that_plays_is_in_the_checkpoint(tmp_path):
    train(tmp_path / "run", "td", SETTINGS | {"steps": 3})
    acting = safetensors.numpy.load_file(last(tmp_path / "run") / "training.safetensors")["acting"]
    assert json.loads(Network(acting.tobytes()).description)["game"] == "pig"
