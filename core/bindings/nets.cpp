// Binds tablier._core.nets: networks that C++ computes itself (core/nets). tablier.evaluators is the public interface.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "../nets/kernels.h"
#include "../nets/sparse.h"
#include "../nets/tensor_file.h"
#include "arrays.h"
#include "objects.h"
#include "search.h"

namespace tablier {

using namespace nb::literals;
using nets::Network;

namespace {

nb::tuple compute(const Network& network, nb::handle given, nb::handle states, nb::handle players) {
  const auto game = to_game(given);
  expect_fit(*game, network);
  const Positions at(*game, states, players);
  const std::size_t n = at.count();
  std::vector<std::int32_t> outputs(n * static_cast<std::size_t>(network.outputs()));
  std::vector<float> logits(n * static_cast<std::size_t>(network.actions()));
  {
    const Released released;
    game->any->infer(game->facts(), network, at.states(), at.viewers(), n, outputs.data(), logits.data());
  }
  return nb::make_tuple(to_array(outputs, nb::make_tuple(n, network.outputs())),
                        to_array(logits, nb::make_tuple(n, network.actions())));
}

nb::object codes(nb::handle given, nb::handle states, nb::handle players) {
  const auto game = to_game(given);
  const Positions at(*game, states, players);
  const auto inputs = game->any->code_sizes(game->facts()).size();
  std::vector<std::uint8_t> out(at.count() * inputs);
  game->any->codes(game->facts(), at.states(), at.viewers(), at.count(), out.data());
  return to_array(out, nb::make_tuple(at.n, inputs));
}

nb::object decode(nb::handle given, nb::handle codes) {
  const auto game = to_game(given);
  const auto sizes = game->any->code_sizes(game->facts());
  if (sizes.empty()) throw nb::value_error("the features of this game, under its options, have no codes");
  const auto n = rows_of(codes);
  Held held;
  const auto* rows = held.take<std::uint8_t>(codes, "codes", {n, static_cast<Py_ssize_t>(sizes.size())}, false);
  const auto width = static_cast<std::size_t>(game->facts().features.size());
  std::vector<float> features(static_cast<std::size_t>(std::max<Py_ssize_t>(n, 0)) * width);
  for (Py_ssize_t i = 0; i < n; ++i) {
    const std::uint8_t* row = rows + i * static_cast<Py_ssize_t>(sizes.size());
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (row[k] >= sizes[k]) throw nb::value_error("array 'codes' contains a code that is out of range");
    }
    game->any->decode(game->start.data(), row, features.data() + static_cast<std::size_t>(i) * width);
  }
  return to_array(features, nb::make_tuple(n, width));
}

nb::bytes pack(nb::handle rows, std::size_t width) {
  if (width == 0) throw nb::value_error("rows need at least one number");
  const auto n = rows_of(rows);
  Held held;
  const auto* numbers = held.take<float>(rows, "rows", {n, static_cast<Py_ssize_t>(width)}, false);
  if (!numbers) throw nb::type_error("the array 'rows' is required");
  std::string packed;
  {
    const Released released;
    packed = nets::pack_rows(numbers, static_cast<std::size_t>(n), width);
  }
  return nb::bytes(packed.data(), packed.size());
}

nb::object unpack(const nb::bytes& data, std::size_t n, std::size_t width) {
  // Every row has a bit per number, so sizes that the data cannot have are found before memory is taken for them.
  const std::size_t mask = width / 8 + (width % 8 != 0);
  if (mask == 0 || n > data.size() / mask) throw nb::value_error("not packed rows of this number and width");
  std::vector<float> rows(n * width);
  const std::string_view packed(data.c_str(), data.size());
  bool whole;
  {
    const Released released;
    whole = nets::unpack_rows(packed, rows.data(), n, width);
  }
  if (!whole) throw nb::value_error("not packed rows of this number and width");
  return to_array(rows, nb::make_tuple(n, width));
}

}  // namespace

void expect_fit(const GameObject& game, const Network& network) {
  const std::string why = game.any->misfit(game.facts(), network);
  if (!why.empty())
    throw nb::value_error(("the network does not fit " + std::string(game.facts().name) + ": " + why).c_str());
}

std::shared_ptr<Network> attach(const GameObject& game, search::Config& config, nb::handle network) {
  if (config.evaluator != search::Evaluator::kNetwork) return nullptr;
  std::shared_ptr<Network> found;
  if (!network.is_valid() || !nb::try_cast(network, found) || !found) {
    throw nb::type_error("the evaluator 'network' needs a Network");
  }
  expect_fit(game, *found);
  config.network = found.get();
  return found;
}

void bind_nets(nb::module_& parent) {
  nb::module_ module = parent.def_submodule("nets", "Networks that the core computes itself, in integer arithmetic.");
  const nb::exception<nets::BadFile> registered(module, "BadFile", PyExc_ValueError);
  nb::class_<Network>(module, "Network",
                      "A network in memory. It is immutable, and any number of threads may use it.\n"
                      "\n"
                      "Args:\n"
                      "    data: The bytes of a network file.\n"
                      "    kernels: Name of the instruction set to use; empty for the fastest.\n"
                      "\n"
                      "Raises:\n"
                      "    BadFile: If the bytes are not a network, are damaged, or describe one that could overflow.\n"
                      "    ValueError: If this processor cannot run the kernels.")
      .def(
          "__init__",
          [](Network* self, const nb::bytes& data, const std::string& kernels) {
            const nets::Kernels* chosen =
                kernels.empty() ? nets::available_kernels().front() : nets::kernels_named(kernels);
            if (!chosen) throw nb::value_error(("this processor has no kernels '" + kernels + "'").c_str());
            new (self) Network({reinterpret_cast<const std::uint8_t*>(data.c_str()), data.size()}, *chosen);
          },
          "data"_a, "kernels"_a = "", nb::sig("def __init__(self, data: bytes, kernels: str = '') -> None"))
      .def_prop_ro("description", &Network::description, "What the file says of the network, as JSON.")
      .def_prop_ro(
          "sizes",
          [](const Network& network) {
            return std::vector<std::int32_t>(network.sizes().begin(), network.sizes().end());
          },
          "The number of values of each code.")
      .def_prop_ro("reads_features", &Network::reads_features, "Whether the codes are features rounded to levels.")
      .def_prop_ro(
          "width", [](const Network& network) { return network.plan().width; },
          "Units of the first layer, padded to a multiple of 64.")
      .def_prop_ro("outputs", &Network::outputs, "The number of outputs of the value head.")
      .def_prop_ro("actions", &Network::actions, "The number of logits; 0 without a policy.")
      .def_prop_ro(
          "kernels", [](const Network& network) { return std::string(network.kernels().name); },
          "Name of the instruction set in use.")
      .def("compute", &compute, "game"_a, "states"_a, "players"_a,
           nb::sig("def compute(self, game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], players: "
                   "numpy.typing.NDArray[numpy.int32]) -> tuple[numpy.typing.NDArray[numpy.int32], "
                   "numpy.typing.NDArray[numpy.float32]]"),
           "Computes the network on positions, each by what differs from the position before it.\n"
           "\n"
           "Args:\n"
           "    game: The game of the positions.\n"
           "    states: [n, state_size] positions.\n"
           "    players: [n] player who sees each position.\n"
           "\n"
           "Returns:\n"
           "    The sums of the output layer, [n, outputs], and the logits, [n, actions].\n"
           "\n"
           "Raises:\n"
           "    TypeError: If an array has the wrong shape or dtype.\n"
           "    ValueError: If the network does not fit the game, or a state or a player is not valid.");
  module.def(
      "kernels",
      [] {
        std::vector<std::string> names;
        for (const nets::Kernels* kernels : nets::available_kernels()) names.emplace_back(kernels->name);
        return names;
      },
      "Returns the names of the instruction sets that this processor can use, fastest first.");
  module.def(
      "code_sizes",
      [](nb::handle game) {
        const auto given = to_game(game);
        return given->any->code_sizes(given->facts());
      },
      "game"_a, nb::sig("def code_sizes(game: tablier._core.Game) -> list[int]"),
      "Returns the number of values of each code of a game; empty if the game has no codes.");
  module.def("codes", &codes, "game"_a, "states"_a, "players"_a,
             nb::sig("def codes(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], players: "
                     "numpy.typing.NDArray[numpy.int32]) -> numpy.typing.NDArray[numpy.uint8]"),
             "Returns the codes of positions, [n, codes].\n"
             "\n"
             "Args:\n"
             "    game: The game of the positions.\n"
             "    states: [n, state_size] positions.\n"
             "    players: [n] player who sees each position.");
  module.def("decode", &decode, "game"_a, "codes"_a,
             nb::sig("def decode(game: tablier._core.Game, codes: numpy.typing.NDArray[numpy.uint8]) -> "
                     "numpy.typing.NDArray[numpy.float32]"),
             "Returns the features of positions with these codes, [n, features].\n"
             "\n"
             "Raises:\n"
             "    ValueError: If the features of the game have no codes, or a code is out of range.");
  module.def("pack", &pack, "rows"_a, "width"_a,
             nb::sig("def pack(rows: numpy.typing.NDArray[numpy.float32], width: int) -> bytes"),
             "Packs rows of which most numbers are zero, [n, width], without loss.\n"
             "\n"
             "Raises:\n"
             "    ValueError: If the width is 0.");
  module.def("unpack", &unpack, "data"_a, "n"_a, "width"_a,
             nb::sig("def unpack(data: bytes, n: int, width: int) -> numpy.typing.NDArray[numpy.float32]"),
             "Returns the n rows that `pack` packed, [n, width].\n"
             "\n"
             "Raises:\n"
             "    ValueError: If the data is damaged.");
}

}  // namespace tablier
