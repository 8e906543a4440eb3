"""Growing networks: a run that starts from another one computes the same values, and then learns."""

import numpy as np
import pytest
import safetensors.numpy
import torch
from killing import train, train_killed

import tablier
from tablier.learn.networks.core_net import CoreNet
from tablier.learn.networks.growth import grow, read_start
from tablier.learn.networks.nets import weights_of
from tablier.learn.runs.checkpoint import folder_of, steps_of
from tablier.learn.runs.files import RunError

SETTINGS = {"game": "pig", "options": "win_score=20", "net": "core", "games": 16, "moves": 8, "tensorboard": False}


def values(net, features):
    with torch.no_grad():
        return net(features)[1]


def random_net(*sizes, seed=0):
    torch.manual_seed(seed)
    net = CoreNet(sizes[0], 0, sizes[1], sizes[2:])
    torch.nn.init.normal_(net.value.weight)
    return net


@pytest.mark.parametrize("sizes", [(5, 8, 4), (5, 20, 4), (9, 8, 4), (7, 16, 12)], ids=str)
def test_a_grown_network_computes_the_same(sizes):
    small, large = random_net(5, 8, 4, seed=1), random_net(*sizes, seed=2)
    grow(large, weights_of(small))
    features = torch.rand(100, sizes[0])
    assert torch.allclose(values(large, features), values(small, features[:, :5]), atol=1e-6)


def test_new_units_can_learn():
    small, large = random_net(5, 8, 4, seed=1), random_net(5, 16, 4, seed=2)
    grow(large, weights_of(small))
    values(large, torch.rand(3, 5))
    large(torch.rand(50, 5))[1].sum().backward()
    assert (large.hidden[0].weight.grad[:, 8:] != 0).any()


@pytest.mark.parametrize(("sizes", "why"), [((5, 4, 4), "larger weights"), ((5, 8), "other layers")], ids=str)
def test_weights_that_do_not_fit_are_refused(sizes, why):
    with pytest.raises(RunError, match=why):
        grow(random_net(*sizes), weights_of(random_net(5, 8, 4)))


def test_a_run_starts_from_another(tmp_path):
    train(tmp_path / "small", "td", SETTINGS | {"steps": 3, "width": 16, "hidden": 8})
    train(tmp_path / "large", "td", SETTINGS | {"steps": 1, "start": str(tmp_path / "small"), "lr": 1e-8, "width": 32})
    game = tablier.load_game("pig", win_score=20)
    small, large = (read_start(tmp_path / name) for name in ("small", "large"))
    assert large["entry.weight"].shape == (32, game.features_shape()[0])
    assert np.allclose(large["entry.weight"][:16], small["entry.weight"], atol=1e-4)
    assert np.allclose(large["hidden.0.weight"][:8, 16:], 0, atol=1e-4)


def test_a_run_that_started_from_another_survives_kills_and_its_source(tmp_path):
    train(tmp_path / "small", "td", SETTINGS | {"steps": 2, "width": 16})
    settings = SETTINGS | {"steps": 8, "checkpoint_every": 2, "start": str(tmp_path / "small"), "width": 32}
    train(tmp_path / "whole", "td", settings)
    assert train_killed(tmp_path / "killed", "td", settings, seed=1, most=2) == 2
    ends = [
        folder_of(run, steps_of(run)[-1]) / "weights.safetensors" for run in (tmp_path / "whole", tmp_path / "killed")
    ]
    assert ends[0].read_bytes() == ends[1].read_bytes()


def test_a_start_that_does_not_exist_is_refused_before_anything_is_written(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").write_bytes(b"no tensors")
    for name, why in (("none", "does not exist"), ("empty", "no checkpoint"), ("broken", "damaged")):
        with pytest.raises(RunError, match=why):
            train(tmp_path / "run", "td", SETTINGS | {"steps": 1, "start": str(tmp_path / name)})
        assert not (tmp_path / "run").exists()


def test_weights_of_another_kind_are_refused(tmp_path):
    path = tmp_path / "other.safetensors"
    path.write_bytes(safetensors.numpy.save({"entry.weight": np.zeros((2, 2), np.float32)}))
    with pytest.raises(RunError, match="other layers"):
        train(tmp_path / "run", "td", SETTINGS | {"steps": 1, "start": str(path)})
