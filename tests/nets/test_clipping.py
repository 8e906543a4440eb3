"""Activations of core networks in training: clipped as in the core, but never without a gradient."""

import pytest
import torch

from tablier.learn.networks.core_net import CoreNet, clip


def test_values_are_clipped():
    x = torch.tensor([-2.0, 0.0, 0.25, 1.0, 3.0], requires_grad=True)
    assert clip(x).tolist() == [0, 0, 0.25, 1, 1]


@pytest.mark.parametrize(("bias", "wanted"), [(-3.0, 10.0), (3.0, -10.0)], ids=["below", "above"])
def test_a_unit_that_is_clipped_everywhere_moves_back(bias, wanted):
    torch.manual_seed(1)
    net, rows = CoreNet(4, 0, width=8, hidden=(4,)), torch.rand(64, 4)
    torch.nn.init.constant_(net.value.weight, 0.5)
    torch.nn.init.constant_(net.hidden[0].weight, 0.3)
    with torch.no_grad():
        net.entry.bias[0] = bias
    first = net.entry(rows)[:, 0]
    assert bool((first <= 0).all() if bias < 0 else (first >= 1).all())
    ((net(rows)[1] - wanted) ** 2).mean().backward()
    step = -float(net.entry.bias.grad[0])
    assert step * bias < 0
