"""Networks: they learn, and onnxruntime gives the same outputs as torch."""

import numpy as np
import pytest
import torch

import tablier
from tablier.evaluators import Leaves, OnnxEvaluator, TorchEvaluator
from tablier.learn.data.targets import masked_cross_entropy
from tablier.learn.networks.nets import Net, optimizer_tensors, put_optimizer, put_weights, to_onnx, weights_of
from tablier.learn.runs.files import RunError

torch.set_num_threads(1)  # more threads are very slow on shared cores


@pytest.mark.parametrize("kind", ["mlp", "resnet"])
@pytest.mark.parametrize("policy", [True, False])
def test_torch_and_onnxruntime_agree(kind, policy, tmp_path):
    game = tablier.load_game("trictrac", utility="win", encoding="markov")
    torch.manual_seed(1)
    net = Net(231, game.num_distinct_actions() if policy else 0, kind, width=32, blocks=2, scale=3.0)
    torch.nn.init.normal_(net.value.weight)
    (tmp_path / "net.onnx").write_bytes(to_onnx(net, game))
    env = tablier.BatchEnv(game, 50, seed=3)
    states = np.stack([tablier._core.search.words(env.state(i)) for i in range(50)])
    leaves = Leaves.of(game, states, np.arange(50, dtype=np.int32) % 2)
    ours, theirs = (
        TorchEvaluator(game, net).evaluate(leaves),
        OnnxEvaluator(game, tmp_path / "net.onnx").evaluate(leaves),
    )
    assert np.abs(ours[1] - theirs[1]).max() < 1e-5
    assert np.abs(ours[1]).max() > 0.1
    if policy:
        assert np.abs(ours[0] - theirs[0]).max() < 1e-5
    else:
        assert ours[0] is theirs[0] is None


@pytest.mark.parametrize("kind", ["mlp", "resnet"])
def test_a_network_overfits_one_batch(kind):
    torch.manual_seed(0)
    net = Net(20, 5, kind, width=32, blocks=2)
    optimizer = torch.optim.AdamW(net.parameters(), 3e-3)
    features, values = torch.rand(64, 20), torch.rand(64, 1) * 2 - 1
    legal = torch.rand(64, 5) < 0.7
    legal[:, 0] = True
    policy = torch.nn.functional.one_hot(legal.float().multinomial(1).squeeze(1), 5).float()
    for _ in range(400):
        logits, seen = net(features)
        loss = masked_cross_entropy(logits, legal, policy).mean() + ((seen - values) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.02


def test_weights_and_optimizer_come_back():
    torch.manual_seed(0)
    nets = [Net(4, 0, width=8, blocks=1) for _ in range(2)]
    optimizers = [torch.optim.AdamW(net.parameters(), 1e-2) for net in nets]

    def update(i):
        loss = nets[i](torch.ones(3, 4))[1].sum()
        optimizers[i].zero_grad()
        loss.backward()
        optimizers[i].step()

    update(0)
    update(0)
    put_weights(nets[1], weights_of(nets[0]))
    put_optimizer(optimizers[1], optimizer_tensors(optimizers[0]))
    update(0)
    update(1)
    first, second = weights_of(nets[0]), weights_of(nets[1])
    assert all((first[name] == second[name]).all() for name in first)


def test_weights_of_another_shape_are_refused():
    with pytest.raises(RunError, match="do not fit this network: entry.weight is"):
        put_weights(Net(4, 0, width=8), weights_of(Net(5, 0, width=8)))
