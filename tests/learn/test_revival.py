"""Dead units of a core network get new weights, and its values stay the same."""

import numpy as np
import pytest
import torch

from tablier.learn.networks.core_net import CoreNet
from tablier.learn.networks.revival import revive

POSITIONS = torch.from_numpy(np.random.default_rng(0).random((200, 12), np.float32))
ZERO, ONE, READ = 3, 5, 0.7
"""A unit that is always 0, one that is always 1, and the weight with which the next layers read them."""


def network(policy=0):
    """Returns a network with one dead unit of each kind in its first two layers, and its optimizer after a step."""
    torch.manual_seed(1)
    net = CoreNet(12, policy, 16, (8, 8))
    torch.nn.init.normal_(net.value.weight, 0, 0.3)
    optimizer = torch.optim.AdamW(net.parameters(), 1e-3)
    logits, values = net(POSITIONS)
    (values.square().mean() + (0 if logits is None else logits.square().mean())).backward()
    optimizer.step()
    with torch.no_grad():
        for layer, reader in ((net.entry, net.hidden[0]), (net.hidden[0], net.hidden[1])):
            layer.weight[[ZERO, ONE]] = 0
            layer.bias[ZERO], layer.bias[ONE] = -1, 2
            reader.weight[:, [ZERO, ONE]] = READ
    return net, optimizer


def dead(net):
    """Returns the number of units whose activation is the same everywhere."""
    count, x = 0, POSITIONS
    with torch.no_grad():
        for layer in (net.entry, *net.hidden):
            x = torch.clamp(layer(x), 0, 1)
            count += int((x.std(dim=0) < 1e-6).sum())
    return count


@pytest.mark.parametrize("policy", [0, 4])
def test_revived_units_are_alive_and_change_no_output(policy):
    net, optimizer = network(policy)
    before = [None if x is None else x.detach().clone() for x in net(POSITIONS)]
    found = dead(net)
    assert found >= 4
    assert revive([net], optimizer, POSITIONS, np.random.default_rng(0)) == found
    assert dead(net) == 0
    for old, new in zip(before, net(POSITIONS), strict=True):
        assert old is None or torch.allclose(old, new, atol=1e-5)


def test_revived_units_learn():
    net, optimizer = network()
    revive([net], optimizer, POSITIONS, np.random.default_rng(0))
    optimizer.zero_grad()
    net(POSITIONS)[1].square().mean().backward()
    optimizer.step()
    assert net.hidden[0].weight[:, ZERO].abs().max() > 0
    assert net.hidden[0].weight[:, ONE].abs().max() > 0


def test_the_optimizer_forgets_what_it_knew_of_them_only():
    net, optimizer = network()
    before = {key: value["exp_avg_sq"].clone() for key, value in optimizer.state.items()}
    revive([net], optimizer, POSITIONS, np.random.default_rng(0))
    moments = optimizer.state[net.entry.weight]["exp_avg_sq"]
    assert (moments[[ZERO, ONE]] == 0).all()
    alive = [i for i in range(16) if (moments[i] != 0).any()]
    assert alive
    assert (moments[alive] == before[net.entry.weight][alive]).all()
    assert (optimizer.state[net.hidden[0].weight]["exp_avg_sq"][:, [ZERO, ONE]] == 0).all()


def test_an_average_gets_the_same_units():
    net, optimizer = network()
    mean, _ = network()
    revive([net, mean], optimizer, POSITIONS, np.random.default_rng(0))
    assert (mean.entry.weight[[ZERO, ONE]] == net.entry.weight[[ZERO, ONE]]).all()
    assert torch.allclose(mean(POSITIONS)[1], net(POSITIONS)[1])


def test_a_network_without_dead_units_stays_as_it_is():
    net, optimizer = network()
    revive([net], optimizer, POSITIONS, np.random.default_rng(0))
    before = {name: weight.clone() for name, weight in net.state_dict().items()}
    assert revive([net], optimizer, POSITIONS, np.random.default_rng(1)) == 0
    assert all((net.state_dict()[name] == weight).all() for name, weight in before.items())
