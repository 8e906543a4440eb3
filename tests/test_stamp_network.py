"""A network exported by another framework can play once it is stamped."""

import math

import pytest

import tablier
from tablier.evaluators import stamp_network
from tablier.players import make_player

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
GAME = tablier.load_game("tic_tac_toe")
FEATURES = math.prod(GAME.features_shape())


def exported(path, inputs=FEATURES, names=("features", "value")):
    """Writes a linear network as another framework might export it."""
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    weight = numpy_helper.from_array(torch.zeros(inputs, 1).numpy(), "weight")
    tensor = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n", None]) for name in names]
    node = helper.make_node("MatMul", [names[0], "weight"], [names[1]])
    graph = helper.make_graph([node], "other", tensor[:1], tensor[1:], [weight])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


def test_a_stamped_network_plays(tmp_path):
    path = exported(tmp_path / "net.onnx")
    with pytest.raises(ValueError, match="net.onnx"):
        make_player(f"gumbel:sims=8,net={path}", GAME)
    assert stamp_network(path, GAME) == path
    state = GAME.new_initial_state()
    assert make_player(f"gumbel:sims=8,net={path}", GAME).choose(state) in state.legal_actions()


def test_a_stamped_copy_leaves_the_original(tmp_path):
    path = exported(tmp_path / "net.onnx")
    before = path.read_bytes()
    stamp_network(path, GAME, tmp_path / "copy.onnx")
    assert path.read_bytes() == before
    make_player(f"gumbel:sims=8,net={tmp_path}/copy.onnx", GAME)


@pytest.mark.parametrize(
    "settings",
    [{"inputs": 5}, {"names": ("x", "value")}, {"names": ("features", "y")}],
    ids=["wrong size", "wrong input", "wrong output"],
)
def test_a_network_that_does_not_fit_is_refused_and_not_changed(tmp_path, settings):
    path = exported(tmp_path / "net.onnx", **settings)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="net.onnx"):
        stamp_network(path, GAME)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_not_a_network_is_refused(tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes(b"\x08not a network at all")
    with pytest.raises(ValueError, match="net.onnx"):
        stamp_network(path, GAME)
    with pytest.raises(FileNotFoundError):
        stamp_network(tmp_path / "missing.onnx", GAME)
