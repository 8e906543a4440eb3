"""Network files written number by number, and what they compute, in NumPy: the tests compare the core with this."""

import json
import zlib
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import safetensors.numpy

import tablier
from tablier._core import nets, search
from tablier.evaluators.network import describe

INT32 = np.iinfo(np.int32)
AFTER = (40, 20)
"""What ends the plan of a random network of version 2: the number of features, and the shift."""


@dataclass(frozen=True)
class Numbers:
    """The arrays of a network file and its description."""

    game: tablier.Game
    tensors: dict[str, np.ndarray]
    description: str

    @property
    def file(self):
        """The bytes of the file, with a correct checksum whatever the arrays are."""
        return sealed(self.tensors, self.description)

    def but(self, **arrays):
        """Returns a copy with other arrays; None removes one."""
        tensors = {name: array for name, array in (self.tensors | arrays).items() if array is not None}
        return Numbers(self.game, tensors, self.description)

    def planned(self, **numbers):
        """Returns a copy with other numbers in the array `plan`, such as n4=0."""
        plan = self.tensors["plan"].copy()
        for place, number in numbers.items():
            plan[int(place[1:])] = number
        return self.but(plan=plan)

    def codes(self, states, players):
        """Returns what the network reads of positions, [n, inputs]."""
        if not self.tensors["plan"][1]:
            return nets.codes(self.game, states, players)
        features = features_of(self.game, states, players)
        most = (self.tensors["sizes"] - 1).astype(np.float32)
        levels = np.minimum(features * most + np.float32(0.5), most)
        return np.where(features > 0, levels, 0).astype(np.uint8)

    @cached_property
    def rows(self):
        """The rows of the first layer, [sum of sizes, width]."""
        return self.tensors["rows"].astype(np.int64) if self.tensors["plan"][0] == 1 else expanded(self.tensors)

    def compute(self, states, players):
        """Returns the outputs and the logits, computed with 64-bit integers."""
        whole = {name: array.astype(np.int64) for name, array in self.tensors.items() if name != "scales"}
        plan = whole["plan"]
        firsts = np.cumsum(whole["sizes"]) - whole["sizes"]
        rows = firsts + self.codes(states, players)
        sums = np.array([self.rows[row].sum(axis=0) for row in rows]) + whole["bias"]
        first = x = np.clip(sums, 0, plan[4])
        for i in range(plan[7]):
            _, shift, ceiling = plan[8 + 3 * i : 11 + 3 * i]
            x = np.clip((x @ whole[f"hidden.{i}.weight"].T + whole[f"hidden.{i}.bias"]) >> shift, 0, ceiling)
        outputs = x @ whole["output.weight"].T + whole["output.bias"]
        if not plan[6]:
            return outputs, np.zeros((len(rows), 0), np.float32)
        logits = first @ whole["policy.weight"].T + whole["policy.bias"]
        return outputs, (self.tensors["scales"][-1] * logits).astype(np.float32)


def sealed(tensors, description):
    """Returns the bytes of a file with these arrays and their checksum."""
    return resealed(safetensors.numpy.save(tensors, {"tablier": description, "crc32": "0" * 8}), description)


def resealed(data, description):
    """Returns a file with the checksum of its present arrays."""
    length = int.from_bytes(data[:8], "little")
    crc = zlib.crc32(data[8 + length :], zlib.crc32(description.encode()))
    at = data.index(b'"crc32":"') + 9
    return data[:at] + f"{crc:08x}".encode() + data[at + 8 :]


def random_network(game, seed=0, width=32, hidden=(16,), policy=False, **how):
    """Returns a network with random weights, whose units are neither always 0 nor always at their ceiling.

    Args:
        game: The game that it is for.
        seed: Seed of the weights.
        width: Units of the first layer.
        hidden: Units of the hidden layers.
        policy: Whether it has logits.
        **how: `features=True` reads features, although the game has codes; `extreme=True` makes weights as large as
            possible, and chooses half the biases such that a sum reaches the largest or smallest integer; `ceiling` is
            that of every layer; `outputs` is their number; `version=2` stores features instead of rows.
    """
    features, extreme = how.get("features", False), how.get("extreme", False)
    ceiling, outputs, version = how.get("ceiling", 4096), how.get("outputs", 1), how.get("version", 1)
    draw = np.random.default_rng(seed)
    sizes = [] if features else nets.code_sizes(game)
    plan = [
        version,
        int(not sizes),
        0,
        width,
        ceiling,
        outputs,
        game.num_distinct_actions() if policy else 0,
        len(hidden),
    ]
    sizes = np.array(sizes or draw.integers(2, 257, int(np.prod(game.features_shape()))), np.int32)
    plan[2] = len(sizes)
    limit = 65534 // (2 * len(sizes)) if extreme else min(32767 // (len(sizes) + 1), 2 * ceiling)
    tensors = {"sizes": sizes}
    if version == 1:
        rows = draw.integers(-limit, limit + 1, (int(sizes.sum()), width))
        tensors["rows"] = rows.astype(np.int16)
    else:
        tensors |= _features(draw, sizes, width, limit)
        rows = expanded(tensors | {"plan": np.array([*plan, *AFTER])})
    tensors["bias"] = _bias(draw, rows, sizes, ceiling, extreme).astype(np.int16)
    for i, (inputs, units) in enumerate(pairwise((width, *hidden))):
        tensors |= _layer(draw, f"hidden.{i}", inputs, units, ceiling, extreme)
        spread = np.abs(tensors[f"hidden.{i}.weight"]).mean() * inputs**0.5 * ceiling
        reached = INT32.max if extreme else spread
        plan += [units, int(np.clip(np.log2(max(reached / ceiling, 1)), 0, 30)), ceiling]
    tensors |= _layer(draw, "output", (width, *hidden)[-1], outputs, ceiling, extreme)
    if policy:
        tensors |= _layer(draw, "policy", width, plan[6], ceiling, extreme, alone=True)
    plan += AFTER if version == 2 else ()
    tensors |= {"plan": np.array(plan, np.int32), "scales": np.array([1e-6] * outputs + [1e-5])}
    return Numbers(game, tensors, describe(game)["tablier"])


def _features(draw, sizes, width, limit):
    """Returns the arrays of a first layer of version 2, whose rows are from -limit to limit."""
    features, shift = AFTER
    counts = draw.integers(0, 5, len(sizes))
    counts[0] = 3
    largest = (limit << shift) // (4 * 32767)
    return {
        "counts": counts.astype(np.int32),
        "features": draw.integers(0, features, counts.sum()).astype(np.int32),
        "values": draw.integers(-largest, largest + 1, (sizes * counts).sum()).astype(np.int32),
        "weights": draw.integers(-32767, 32768, (features, width)).astype(np.int16),
    }


def expanded(tensors):
    """Returns the rows of a first layer of version 2, in Python's integers."""
    width, shift = (int(tensors["plan"][i]) for i in (3, -1))
    weights = tensors["weights"].reshape(-1, width).astype(object)
    rows, features, values = [], iter(tensors["features"].tolist()), iter(tensors["values"].ravel().tolist())
    for size, count in zip(tensors["sizes"].tolist(), tensors["counts"].tolist(), strict=True):
        listed = [next(features) for _ in range(count)]
        for _ in range(size):
            row = sum((next(values) * weights[feature] for feature in listed), np.zeros(width, object))
            rows.append(row + (1 << shift >> 1) >> shift)
    return np.array(rows).astype(np.int64)


def _bias(draw, rows, sizes, ceiling, extreme):
    """Returns biases such that the sums fit into int16."""
    firsts = np.cumsum(sizes) - sizes
    low = np.minimum.reduceat(rows, firsts).sum(axis=0)
    high = np.maximum.reduceat(rows, firsts).sum(axis=0)
    least, most = np.maximum(-32768 - low, -32768), np.minimum(32767 - high, 32767)
    bias = np.clip(draw.integers(-ceiling // 2, ceiling, rows.shape[1]), least, most)
    return _pushed(draw, bias, least, most) if extreme else bias


def _layer(draw, name, inputs, units, ceiling, extreme, alone=False):
    """Returns a layer whose sums fit into int32; `alone`: also without the bias."""
    limit = min(32767, INT32.max // (ceiling * inputs) // (1 if extreme else 8))
    weight = draw.integers(-limit, limit + 1, (units, inputs))
    low = np.minimum(weight, 0).sum(axis=1) * ceiling
    high = np.maximum(weight, 0).sum(axis=1) * ceiling
    bias = draw.integers(-(10**6), 10**6, units)
    if extreme:
        bias = _pushed(draw, bias, np.maximum(INT32.min - low, INT32.min), np.minimum(INT32.max - high, INT32.max))
    return {f"{name}.weight": weight.astype(np.int16), f"{name}.bias": bias.astype(np.int32)}


def _pushed(draw, bias, least, most):
    """Returns biases of which one in four is the least and one in four the most."""
    kind = draw.integers(0, 4, len(bias))
    return np.select([kind == 0, kind == 1], [least, most], bias)


def features_of(game, states, players):
    """Returns the features of positions, [n, features]."""
    features = np.zeros((len(states), *game.features_shape()), np.float32)
    search.show(game, states, players, features)
    return features.reshape(len(states), -1)


def positions(game, n, seed=0):
    """Returns n positions of random play, decisions and afterstates, and who sees them."""
    env = tablier.BatchEnv(game, min(64, 1 + n // 32), seed=seed)
    arrays, draw = env.arrays(), np.random.default_rng(seed)
    size = len(search.words(game.new_initial_state()))
    states, players, found = [], [], 0
    while found < n:
        now = np.zeros((len(env), size), np.uint64)
        env.words(now)
        ranks = draw.random(arrays.legal_mask.shape, np.float32) * arrays.legal_mask
        actions = ranks.argmax(axis=1).astype(np.int32)
        then, seen = now.copy(), np.zeros(len(env), np.int32)
        search.after(game, then, actions, seen)
        viewers = draw.integers(game.num_players(), size=len(env), dtype=np.int32)
        for rows, who in ((now, viewers), (then[seen >= 0], seen[seen >= 0])):
            states.append(rows)
            players.append(who)
            found += len(rows)
        env.step(actions, **vars(arrays))
    return np.concatenate(states)[:n], np.concatenate(players)[:n]


def room(env, moves, expected=False):
    """Returns arrays for `BatchEnv.play`."""
    n, shape = len(env), env.game.features_shape()
    names = ("before", "after", "expected") if expected else ("before", "after")
    arrays = {name: np.zeros((n, moves), np.float32) for name in names}
    arrays |= {"features": np.zeros((n, moves, *shape), np.float32), "viewer": np.zeros((n, moves), np.int32)}
    arrays |= {"over": np.zeros((n, moves), np.bool_), "best": np.zeros((n, moves + 1), np.float32)}
    return arrays | {"explored": np.zeros((n, moves + 1), np.bool_)}


def description_of(made_for, /, **other):
    """Returns the description in a file for this game, with other entries."""
    return json.dumps(json.loads(describe(made_for)["tablier"]) | other)
