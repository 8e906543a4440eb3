"""Files that cannot be used are refused, with the reason; nothing in them is trusted."""

import resource
import struct

import numpy as np
import pytest
from covered import load
from network_files import INT32, description_of, positions, random_network, resealed, room, sealed

import tablier
from tablier._core import nets
from tablier.evaluators import CoreEvaluator, Leaves
from tablier.messages import MessageError, catalogue, said
from tablier.players import make_player

SLUGS = ("header", "arrays", "checksum", "kind", "version", "range", "overflow")


@pytest.fixture(params=[1, 2])
def network(request):
    return random_network(tablier.load_game("pig"), width=2, hidden=(2,), policy=True, version=request.param)


@pytest.fixture
def compact():
    return random_network(tablier.load_game("pig"), width=2, hidden=(2,), version=2)


def reason(data):
    """Returns the short name of the reason for which bytes are refused, or None."""
    try:
        nets.Network(data)
    except nets.BadFile as error:
        slug = str(error).partition(":")[0]
        assert slug in SLUGS
        return slug
    return None


def with_header(data, change):
    """Returns a file with a changed header, padded as the format asks, and the length that goes with it."""
    length = int.from_bytes(data[:8], "little")
    header = change(data[8 : 8 + length].rstrip(b" "))
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + data[8 + length :]


def test_a_whole_file_is_accepted(network):
    assert reason(network.file) is None


def test_a_file_that_ends_early_is_refused_wherever_it_ends(network):
    data = network.file
    assert [end for end in range(len(data)) if reason(data[:end]) is None] == []
    assert reason(b"") == reason(data[:7]) == reason(data[:100]) == "header"


def test_bytes_after_the_end_are_refused(network):
    assert reason(network.file + b"\0") is not None


@pytest.mark.parametrize("bits", [1, 2, 4, 8, 16, 32, 64, 128, 255])
def test_a_change_of_any_byte_is_found(network, bits):
    data = network.file
    for at in range(len(data)):
        spoiled = bytearray(data)
        spoiled[at] ^= bits
        assert reason(bytes(spoiled)) is not None, (at, data[max(0, at - 20) : at + 20])


PLANS = [
    ({"n0": 0}, "version"),
    ({"n0": 3}, "version"),
    ({"n0": -1}, "version"),
    ({"n2": 0}, "range"),
    ({"n2": 513}, "range"),
    ({"n2": INT32.min}, "range"),
    ({"n2": 4}, "arrays"),
    ({"n3": 0}, "range"),
    ({"n3": -1}, "range"),
    ({"n3": 1025}, "range"),
    ({"n3": INT32.max}, "range"),
    ({"n3": 1024}, "arrays"),
    ({"n4": 0}, "range"),
    ({"n4": 32768}, "range"),
    ({"n4": INT32.min}, "range"),
    ({"n5": 0}, "range"),
    ({"n5": 17}, "range"),
    ({"n5": 2}, "arrays"),
    ({"n6": -1}, "range"),
    ({"n6": 65537}, "range"),
    ({"n6": 65536}, "arrays"),
    ({"n7": -1}, "range"),
    ({"n7": 4}, "range"),
    ({"n7": INT32.max}, "range"),
    ({"n7": 0}, "arrays"),
    ({"n7": 2}, "arrays"),
    ({"n8": 0}, "range"),
    ({"n8": 257}, "range"),
    ({"n8": 3}, "arrays"),
    ({"n9": -1}, "range"),
    ({"n9": 31}, "range"),
    ({"n10": 0}, "range"),
    ({"n10": 32768}, "range"),
]


@pytest.mark.parametrize(("numbers", "slug"), PLANS)
def test_a_number_of_the_plan_out_of_range(network, numbers, slug):
    assert reason(network.planned(**numbers).file) == slug


@pytest.mark.parametrize("length", [0, 1, 7, 8, 10, 12, 64, 65, 10**5])
def test_a_plan_of_another_length(network, length):
    plan = np.resize(network.tensors["plan"], length).astype(np.int32)
    assert reason(network.but(plan=plan).file) == ("version" if length == 0 else "arrays")


@pytest.mark.parametrize("size", [0, -1, 257, INT32.min, INT32.max])
def test_a_number_of_values_out_of_range(network, size):
    sizes = network.tensors["sizes"].copy()
    sizes[1] = size
    assert reason(network.but(sizes=sizes).file) == "range"


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("scale", [np.nan, np.inf, -np.inf, 1e300, -1e21])
def test_a_scale_that_is_no_number_or_out_of_range(network, scale, place):
    scales = network.tensors["scales"].copy()
    scales[place] = scale
    assert reason(network.but(scales=scales).file) == "range"


FIRST = {1: ("rows",), 2: ("counts", "features", "values", "weights")}
"""The arrays of the first layer, by version."""


@pytest.mark.parametrize("version", FIRST)
def test_an_array_that_is_missing_or_of_another_type_or_size(version):
    network = random_network(tablier.load_game("pig"), width=2, hidden=(2,), version=version)
    for name in ("plan", "sizes", "bias", "scales", "output.weight", "output.bias", *FIRST[version]):
        array = network.tensors[name]
        missing = "kind" if name == "plan" else "arrays"
        assert reason(network.but(**{name: None}).file) == missing
        assert reason(network.but(**{name: array.astype(np.int64)}).file) == "arrays"
        assert reason(network.but(**{name: array.ravel()[:-1]}).file) == "arrays"
        longer = np.append(array.ravel(), array.ravel()[:1])
        assert reason(network.but(**{name: longer}).file) == "arrays"


@pytest.mark.parametrize(
    ("numbers", "slug"),
    [
        ({"n11": 0}, "range"),
        ({"n11": 4097}, "range"),
        ({"n11": INT32.max}, "range"),
        ({"n11": 39}, "arrays"),
        ({"n12": -1}, "range"),
        ({"n12": 31}, "range"),
        ({"n12": 0}, "overflow"),
        ({"n12": 30}, None),
        ({"n0": 1}, "arrays"),
    ],
)
def test_a_number_of_features_or_a_shift_out_of_range(compact, numbers, slug):
    assert reason(compact.planned(**numbers).file) == slug


@pytest.mark.parametrize("array", ["counts", "features"])
@pytest.mark.parametrize("number", [-1, 41, INT32.min, INT32.max])
def test_a_count_or_a_feature_out_of_range(compact, array, number):
    numbers = compact.tensors[array].copy()
    numbers[0] = number
    assert reason(compact.but(**{array: numbers}).file) == "range"


@pytest.mark.parametrize("name", ["hidden.0.weight", "hidden.0.bias", "policy.weight", "policy.bias"])
def test_an_array_of_an_optional_layer_is_missing(network, name):
    assert reason(network.but(**{name: None}).file) == "arrays"


def first_layer(network, bias, rows):
    """Returns a network in which the last value of each code has one of the rows, and all others have zeros."""
    sizes = network.tensors["sizes"]
    last = np.zeros((sizes.sum(), 1), np.int32)
    last[np.cumsum(sizes) - 1, 0] = rows
    changed = network.but(bias=np.full(2, bias, np.int16))
    if network.tensors["plan"][0] == 1:
        return changed.but(rows=np.repeat(last, 2, axis=1).astype(np.int16))
    weights = np.ones((40, 2), np.int16)
    ones = np.ones(len(sizes), np.int32)
    return changed.planned(n12=0).but(counts=ones, features=0 * ones, values=last, weights=weights)


@pytest.mark.parametrize(
    ("bias", "rows", "slug"),
    [
        (32767, (0, 0, 0), None),
        (32765, (1, 1, 0), None),
        (32765, (1, 1, 1), "overflow"),
        (-32768, (0, 0, 0), None),
        (-32766, (-1, -1, 0), None),
        (-32766, (-1, -1, -1), "overflow"),
        (0, (32767, 1, 0), "overflow"),
        (-1, (32767, 1, 0), None),
        (0, (-32768, -1, 0), "overflow"),
    ],
)
def test_the_first_layer_may_reach_the_ends_of_int16_and_no_further(network, bias, rows, slug):
    assert reason(first_layer(network, bias, rows).file) == slug


@pytest.mark.parametrize(("row", "slug"), [(32767, None), (32768, "overflow"), (-32768, None), (-32769, "overflow")])
def test_a_row_of_features_may_reach_the_ends_of_int16_and_no_further(compact, row, slug):
    assert reason(first_layer(compact, 0, (row, 0, 0)).file) == slug
    assert reason(first_layer(compact, 0, (INT32.max, INT32.min, 0)).file) == "overflow"


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_sums_of_features_do_not_overflow(sign):
    """4,096 products of the largest integers: they cancel out but for the last."""
    game = tablier.load_game("pig")
    network = random_network(game, width=2, hidden=(), version=2)
    values = np.full((network.tensors["sizes"][0], 4096), sign * INT32.max, np.int32)
    values[:, 2048:] *= -1
    values[:, -1] += sign * 7
    other = network.planned(n8=4096, n9=0).but(
        counts=np.array([4096, 0, 0], np.int32),
        features=np.arange(4096, dtype=np.int32),
        values=values,
        weights=np.full((4096, 2), -32768, np.int16),
    )
    assert reason(other.file) == "overflow"
    fitting = other.planned(n9=4)
    assert reason(fitting.file) is None
    states, players = positions(game, 20)
    outputs = nets.Network(fitting.file).compute(game, states, players)[0]
    assert (outputs == fitting.compute(states, players)[0]).all()
    assert (fitting.rows[0] == sign * -7 * 2**11).all()


@pytest.mark.parametrize(
    ("weight", "bias", "slug"),
    [
        ((32767, 0), INT32.max - 32767**2, None),
        ((32767, 0), INT32.max - 32767**2 + 1, "overflow"),
        ((-32768, 0), INT32.min + 32768 * 32767, None),
        ((-32768, 0), INT32.min + 32768 * 32767 - 1, "overflow"),
        ((32767, 32767), 131069, None),
        ((32767, 32767), 131070, "overflow"),
        ((0, 0), INT32.max, None),
        ((0, 0), INT32.min, None),
    ],
)
@pytest.mark.parametrize("layer", ["hidden.0", "output", "policy"])
def test_a_sum_may_reach_the_ends_of_int32_and_no_further(network, layer, weight, bias, slug):
    units = len(network.tensors[f"{layer}.bias"])
    arrays = {f"{layer}.weight": np.tile(np.int16(weight), (units, 1)), f"{layer}.bias": np.full(units, bias, np.int32)}
    assert reason(network.planned(n4=32767, n10=32767).but(**still(network) | arrays).file) == slug


def still(network):
    """Returns layers of zeros, so that a larger ceiling fits."""
    names = [name for name in network.tensors if name.rpartition(".")[0]]
    return {name: np.zeros_like(network.tensors[name]) for name in names}


def test_logits_fit_even_before_their_bias_is_added(network):
    """The products are summed first. A bias of the other sign must not hide that this sum overflows."""
    wide = random_network(network.game, width=3, hidden=(2,), policy=True)
    arrays = still(wide) | {"policy.bias": np.full(2, INT32.min, np.int32)}
    arrays["policy.weight"] = np.full((2, 3), 32767, np.int16)
    assert reason(wide.planned(n4=32767).but(**arrays).file) == "overflow"


HEADERS = [
    (lambda h: b"", "header"),
    (lambda h: b"{", "header"),
    (lambda h: b"{}", "header"),
    (lambda h: b"[]", "header"),
    (lambda h: h[:-1], "header"),
    (lambda h: h + b"}", "header"),
    (lambda h: h + b"x", "header"),
    (lambda h: b"{" * 10**5, "header"),
    (lambda h: b'{"a":' * 10**5, "header"),
    (lambda h: b'{"a":{"shape":' + b"[" * 10**5, "header"),
    (lambda h: b'{"' + b"a" * 10**6, "header"),
    (lambda h: b'{"__metadata__":3}', "header"),
    (lambda h: b'{"__metadata__":{"tablier":3}}', "header"),
    (lambda h: h.replace(b'"tablier"', b'"tablies"', 1), "kind"),
    (lambda h: h.replace(b'"crc32"', b'"crc33"', 1), "checksum"),
    (lambda h: h.replace(b'"I16"', b'"F16"', 1), "arrays"),
    (lambda h: h.replace(b'"I16"', b"16", 1), "header"),
    (lambda h: h.replace(b'"shape":[', b'"shape":[-', 1), "header"),
    (lambda h: h.replace(b'"shape":[', b'"shape":[1.', 1), "header"),
    (lambda h: h.replace(b'"shape":[', b'"shape":[7,', 1), "arrays"),
    (lambda h: h.replace(b'"data_offsets":[', b'"data_offsets":[0,', 1), "header"),
    (lambda h: h.replace(b'"data_offsets":[', b'"data_offsets":[' + b"9" * 15 + b",", 1), "header"),
    (lambda h: h.replace(b'"data_offsets":[', b'"data_offsets":[' + b"9" * 30, 1), "header"),
    (lambda h: h.replace(b'"data_offsets"', b'"data_offsetz"', 1), "header"),
    (lambda h: h.replace(b'"sizes"', b'"bias"', 1), "header"),
    (lambda h: h.replace(b'"bias":', b'"more":{"dtype":"I16","shape":[1],"data_offsets":[0,2]},"bias":', 1), "header"),
    (lambda h: h.replace(b'"bias"', b'"bi\\u0061s"', 1), "header"),
    (lambda h: h.replace(b'"dtype":"I16"', b'"dtype":"I16","dtype":"I16"', 1), "header"),
]


@pytest.mark.parametrize(("change", "slug"), HEADERS, ids=range(len(HEADERS)))
def test_a_hostile_header(network, change, slug):
    assert reason(with_header(network.file, change)) == slug


@pytest.mark.parametrize("length", [0, 1, 2**20, 2**20 + 1, 2**31, 2**32, 2**63, 2**64 - 1, 2**64 - 8])
def test_a_header_length_that_cannot_be(network, length):
    assert reason(struct.pack("<Q", length) + network.file[8:]) == "header"


def offsets(data, name):
    start = data.index(f'"{name}":'.encode())
    begin = data.index(b'"data_offsets":[', start) + 16
    return begin, data.index(b"]", begin)


@pytest.mark.parametrize("shift", [-2, 2, 10**6])
def test_arrays_that_overlap_or_leave_the_file(network, shift):
    data = network.file
    begin, end = offsets(data, "bias")
    first, last = (int(number) + shift for number in data[begin:end].split(b","))
    moved = with_header(data, lambda h: h[: begin - 8] + f"{first},{last}".encode() + h[end - 8 :])
    assert reason(resealed(moved, network.description)) == "header"


def memory_of(call, *args):
    """Returns what a call returns, and by how many kB it raised the peak of the memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = call(*args)
    return result, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


def test_a_small_file_cannot_ask_for_much_memory(network):
    """512 codes of 256 values and 1024 units would be 268 MB; the size of the array is compared first."""
    plan = network.planned(n2=512, n3=1024).tensors["plan"]
    asked = network.but(plan=plan, sizes=np.full(512, 256, np.int32)).file
    slug, kilobytes = memory_of(reason, asked)
    assert slug == "arrays"
    assert kilobytes < 100_000


def test_features_cannot_ask_for_much_memory(compact):
    """A whole file whose codes have no features: only its rows would be large."""
    sizes, nothing = np.full(512, 256, np.int32), np.zeros(0, np.int32)
    large = compact.planned(n2=512, n3=1024, n11=1).but(sizes=sizes, counts=np.zeros(512, np.int32))
    large = large.but(features=nothing, values=nothing, weights=np.zeros((1, 1024), np.int16))
    slug, kilobytes = memory_of(reason, large.file)
    assert slug == "range"
    assert kilobytes < 100_000


@pytest.mark.parametrize(
    "description",
    ["", "{", "[]", "3", "null", '"x"', "{}", '{"options": 3}', '{"options": "x"}', "[" * 10**5, '{"options": [[1]]}'],
)
def test_a_description_that_is_not_one(network, description):
    with pytest.raises(MessageError, match="network is not a Tablier network"):
        CoreEvaluator(network.game, sealed(network.tensors, description))


@pytest.mark.parametrize(
    ("changes", "what"),
    [({"game": "chess"}, "game = 'chess'"), ({"features": 4}, "features = 4"), ({"actions": None}, "actions = None")],
)
def test_a_description_of_something_else(network, changes, what):
    other = sealed(network.tensors, description_of(network.game, **changes))
    with pytest.raises(MessageError, match=f"network was made for {what}"):
        CoreEvaluator(network.game, other)


@pytest.mark.parametrize("value", [3, None, [], {}, "no such", 1e400, "classic\n"])
def test_a_description_with_an_option_that_is_not_one(value):
    network = random_network(load("trictrac"))
    other = sealed(network.tensors, description_of(network.game, options={"encoding": value, "utility": "win"}))
    with pytest.raises(MessageError, match="is not a Tablier network|must be one of classic, markov, expert"):
        CoreEvaluator(network.game, other)


@pytest.mark.parametrize(("made_for", "used_by"), [("pig", "tic_tac_toe"), ("trictrac", "pig"), ("pig", "trictrac")])
def test_a_network_for_another_game(made_for, used_by):
    data = random_network(load(made_for)).file
    with pytest.raises(MessageError, match=f"was made for game = '{made_for}', not '{used_by}'"):
        CoreEvaluator(load(used_by), data)


def test_the_core_itself_refuses_a_network_for_another_game():
    network, game = nets.Network(random_network(load("pig")).file), load("tic_tac_toe")
    env = tablier.BatchEnv(game, 1)
    states = np.zeros((1, 1), np.uint64)
    with pytest.raises(ValueError, match="does not fit tic_tac_toe: it has another number of features"):
        network.compute(game, states, np.zeros(1, np.int32))
    with pytest.raises(ValueError, match="does not fit tic_tac_toe"):
        env.play(network, **room(env, moves=1))


def test_a_network_that_fits_by_features_plays_the_encoding_it_was_trained_for():
    """Its description brings the encoding, so a file for `markov` plays a game loaded with `classic`."""
    game = tablier.load_game("trictrac", encoding="classic")
    markov = tablier.load_game("trictrac", encoding="markov")
    evaluator = CoreEvaluator(game, random_network(markov, features=True).file)
    assert evaluator.searched.game.features_shape() == (231,)


def test_another_number_of_features_of_the_same_game():
    classic, markov = (tablier.load_game("trictrac", encoding=encoding) for encoding in ("classic", "markov"))
    network = random_network(classic, features=True)
    evaluator = CoreEvaluator(markov, sealed(network.tensors, description_of(markov)))
    with pytest.raises(ValueError, match="does not fit trictrac: it has another number of features"):
        evaluator.evaluate(Leaves.of(markov, *positions(markov, 1)))


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_reason_has_a_sentence(slug, language):
    assert f"network.reason.{slug}" in catalogue.templates(language)


def test_a_damaged_file_is_refused_by_name_in_both_languages(network, tmp_path):
    path = tmp_path / "net.safetensors"
    path.write_bytes(network.file[:-1])
    with pytest.raises(MessageError) as refused:
        make_player(f"expectimax:plies=1,net={path}", network.game)
    assert str(path) in str(refused.value)
    assert "the header is damaged" in str(refused.value)
    assert "tête est endommagé" in said(refused.value, "fr")


def test_a_file_that_is_missing_is_refused_by_name(network, tmp_path):
    with pytest.raises(MessageError, match="there is no network file at .*net.safetensors"):
        CoreEvaluator(network.game, tmp_path / "net.safetensors")


def test_kernels_that_do_not_exist(network):
    with pytest.raises(ValueError, match="this processor has no kernels 'sse9'"):
        nets.Network(network.file, "sse9")
