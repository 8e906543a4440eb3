"""A network of PyTorch as integers: what PyTorch computes with them is what the core computes, close to the floats."""

import numpy as np
import pytest
import safetensors.numpy
import torch
from covered import GAMES, load
from network_files import expanded, features_of, positions
from race import Race

import tablier
from tablier._core import nets
from tablier.learn.networks.core_inputs import inputs_of
from tablier.learn.networks.core_net import CoreNet, integer_outputs, to_core
from tablier.learn.runs.files import RunError

torch.set_num_threads(1)
READABLE = [name for name in GAMES if name not in ("scored", "scored-three")]


def trained_like(game, seed=1, policy=False, **shape):
    """Returns a network whose weights are spread as after training: the first layers small, the outputs larger."""
    torch.manual_seed(seed)
    net = CoreNet(int(np.prod(game.features_shape())), game.num_distinct_actions() if policy else 0, **shape)
    with torch.no_grad():
        net.entry.weight.mul_(4)
        for layer in net.hidden:
            layer.weight.mul_(2)
        net.value.weight.normal_(0, 0.5)
        net.value.bias.fill_(-0.1)
    net.clip_weights()
    return net


def codes_of(game, states, players, file):
    """Returns what a network reads of positions, from the sizes in its file."""
    if nets.code_sizes(game):
        return nets.codes(game, states, players)
    most = (safetensors.numpy.load(file)["sizes"] - 1).astype(np.float32)
    return np.floor(np.clip(features_of(game, states, players) * most + np.float32(0.5), 0, most)).astype(np.uint8)


@pytest.mark.parametrize("shape", [{}, {"width": 70, "hidden": ()}, {"width": 33, "hidden": (17, 5, 9)}], ids=str)
@pytest.mark.parametrize("name", READABLE)
def test_the_integers_of_torch_are_those_of_the_core(name, shape):
    game = load(name)
    file = to_core(trained_like(game, **shape), game)
    states, players = positions(game, 500, seed=2)
    expected = integer_outputs(file, codes_of(game, states, players, file)).numpy()
    for kernels in nets.kernels():
        assert (nets.Network(file, kernels).compute(game, states, players)[0] == expected).all()
    assert len(np.unique(expected)) > 3


@pytest.mark.parametrize("width", [1, 70, 512])
@pytest.mark.parametrize("name", READABLE)
def test_rows_are_those_of_the_floats(name, width):
    """The core adds up the rows from the integers in the file; here they are computed from the floats."""
    game = load(name)
    net = trained_like(game, width=width)
    arrays, inputs = safetensors.numpy.load(to_core(net, game)), inputs_of(game)
    entry = net.entry.weight.detach().double().numpy() * arrays["plan"][4]
    floats = [values.astype(np.float64) @ entry[:, features].T for features, values in inputs.blocks]
    assert np.abs(expanded(arrays) - np.rint(np.concatenate(floats))).max() <= 1


def values_of(net, file, game, states, players):
    """Returns the values of PyTorch in floats, and those of the core."""
    with torch.inference_mode():
        floats = net(torch.from_numpy(features_of(game, states, players)))[1].numpy().ravel()
    scale = safetensors.numpy.load(file)["scales"][0]
    return floats, nets.Network(file).compute(game, states, players)[0].ravel() * scale


@pytest.mark.parametrize("name", ["trictrac", "trictrac-markov", "pig", "tic_tac_toe"])
def test_integers_are_close_to_floats(name):
    game = load(name)
    net = trained_like(game, width=128, hidden=(16,))
    floats, values = values_of(net, to_core(net, game), game, *positions(game, 5000, seed=3))
    assert np.abs(values - floats).max() < 0.01 * floats.std()
    assert floats.std() > 0.05


def test_integers_choose_the_moves_of_the_floats():
    """The two best moves must be nearly equal where they do not."""
    game = load("trictrac-markov")
    net = trained_like(game, width=128, hidden=(16,))
    file = to_core(net, game)
    env = tablier.BatchEnv(game, 32, seed=4)
    arrays, draw = env.arrays(), np.random.default_rng(4)
    decisions = same = 0
    for _ in range(20):
        for i in range(len(env)):
            state = env.state(i)
            children = [state.child(action) for action in state.legal_actions()]
            states = np.array([tablier._core.search.words(child) for child in children])
            players = np.full(len(states), state.current_player(), np.int32)
            floats, values = values_of(net, file, game, states, players)
            decisions += 1
            same += floats.argmax() == values.argmax()
            assert floats.max() - floats[values.argmax()] < 0.005
        env.step((draw.random(arrays.legal_mask.shape) * arrays.legal_mask).argmax(axis=1), **vars(arrays))
    assert decisions == 640
    assert same / decisions > 0.985


def test_logits_are_close_to_floats():
    game = load("trictrac-markov")
    net = trained_like(game, policy=True)
    states, players = positions(game, 300, seed=5)
    with torch.inference_mode():
        floats = net(torch.from_numpy(features_of(game, states, players)))[0].numpy()
    logits = nets.Network(to_core(net, game)).compute(game, states, players)[1]
    assert np.abs(logits - floats).max() < 0.01 * floats.std()


def test_the_largest_weights_fit():
    """All weights at the limit of `clip_weights`: the scales become coarser, and no sum can overflow."""
    game = load("trictrac-markov")
    for sign in (1, -1):
        net = CoreNet(231, game.num_distinct_actions(), 1024, (256, 256, 256))
        with torch.no_grad():
            for weight in net.parameters():
                weight.fill_(100.0 * sign)
        net.clip_weights()
        nets.Network(to_core(net, game))


def test_weights_that_no_scale_can_hold_are_refused():
    game = load("pig")
    net = CoreNet(3, 0)
    with torch.no_grad():
        net.entry.weight.fill_(1e9)
    with pytest.raises(RunError, match="the weights of this network are too large for the core"):
        to_core(net, game)


def test_features_that_are_not_fractions_are_refused():
    game = load("scored")
    with pytest.raises(RunError, match="for trictrac_a_ecrire: its features are not fractions from 0 to 1"):
        to_core(CoreNet(int(np.prod(game.features_shape())), 0), game)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_not_finite_are_refused(value):
    net = CoreNet(3, 0)
    with torch.no_grad():
        net.value.bias.fill_(value)
    with pytest.raises(FloatingPointError, match="a weight is not finite"):
        to_core(net, load("pig"))


def test_the_same_network_is_the_same_file():
    game = load("pig")
    net = trained_like(game)
    assert len({to_core(net, game, steps=3) for _ in range(20)}) == 1


def test_a_game_that_is_registered_again_is_read_anew():
    """A cell of a notebook that runs twice may change the features of its game."""

    class Longer(Race):
        features_shape = (4,)

        def features(self, state, player):
            return [*super().features(state, player), 1.0]

    for definition, features in ((Race, 3), (Longer, 4)):
        tablier.register(definition, replace=True)
        file = to_core(CoreNet(features, 0), tablier.load_game("race"))
        assert len(nets.Network(file).sizes) == features


def test_other_programs_can_read_the_file(tmp_path):
    game = load("pig")
    net = trained_like(game)
    (tmp_path / "net.safetensors").write_bytes(to_core(net, game, note='a "fact", été'))
    with safetensors.safe_open(tmp_path / "net.safetensors", "np") as file:
        assert set(file.metadata()) == {"tablier", "crc32"}
        assert file.get_tensor("plan")[0] == 2
        assert "\\u00e9t\\u00e9" in file.metadata()["tablier"]
    assert nets.Network((tmp_path / "net.safetensors").read_bytes()).outputs == 1
