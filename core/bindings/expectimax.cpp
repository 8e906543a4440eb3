// Binds tablier._core.search.Expectimax (search/expectimax.h). tablier.evaluators.ExpectimaxEvaluator is the public
// interface.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "busy.h"
#include "objects.h"
#include "search.h"

namespace tablier {

using namespace nb::literals;

using search::AnyExpectimax;

namespace {

struct ExpectimaxObject {
  std::shared_ptr<const GameObject> game;
  std::unique_ptr<AnyExpectimax> search;
  mutable bool in_use = false;
};

ExpectimaxObject make_expectimax(nb::handle given, nb::handle config, nb::handle threads) {
  auto game = to_game(given);
  const auto settings = to_settings(search::kExpectimaxSettings, config);
  const auto workers = static_cast<int>(to_number(threads, "threads", 1, kMaxThreads));
  auto search = game->any->expectimax(game->facts(), settings, workers);
  return {std::move(game), std::move(search)};
}

}  // namespace

void bind_expectimax(nb::module_& module) {
  using E = ExpectimaxObject;
  nb::class_<E>(module, "Expectimax",
                "Searches all actions and rolls to a fixed depth, one batch of leaves per ply.\n"
                "\n"
                "Call `begin()`, then for each ply `deepen()` and `give()`, or `deepen_native()`, then `values()` or\n"
                "`ranking()`. One thread may use the object at a time; a second one gets RuntimeError.\n"
                "\n"
                "Args:\n"
                "    game: The game to search.\n"
                "    config: The settings.\n"
                "    threads: Number of threads, from 1 to 1024.\n"
                "\n"
                "Raises:\n"
                "    TypeError: If an argument or a setting has the wrong type.\n"
                "    ValueError: If an argument or a setting is out of range.")
      .def(
          "__init__",
          [](E* self, nb::handle game, nb::handle config, nb::handle threads) {
            new (self) E(make_expectimax(game, config, threads));
          },
          "game"_a, "config"_a, "threads"_a = 1,
          nb::sig(
              "def __init__(self, game: tablier._core.Game, config: tablier.search.ExpectimaxConfig, threads: int = 1) "
              "-> None"))
      .def(
          "begin",
          [](E& self, nb::handle states, nb::handle viewers) {
            const Positions at(*self.game, states, viewers, "player", Positions::kOptional);
            const Busy busy(self.in_use, "Expectimax");
            self.search->begin(at.states(), at.viewers(), at.count());
          },
          "states"_a, "player"_a = nb::none(),
          nb::sig("def begin(self, states: numpy.typing.NDArray[numpy.uint64], player: "
                  "numpy.typing.NDArray[numpy.int32] | None = None) -> None"),
          "Starts a search of n positions.\n"
          "\n"
          "Args:\n"
          "    states: [n, state_size] positions.\n"
          "    player: [n] player who sees a position before a roll, or None.\n"
          "\n"
          "Raises:\n"
          "    TypeError: If an array has the wrong shape or dtype.\n"
          "    ValueError: If a state is not valid in this game or a player does not exist.")
      .def(
          "deepen",
          [](E& self, double seconds) {
            const Busy busy(self.in_use, "Expectimax");
            const Released released;
            Patience patience(seconds);
            return self.search->deepen([&] { return patience.over(); });
          },
          "seconds"_a = 1e18, nb::sig("def deepen(self, seconds: float = 1e18) -> bool"),
          "Creates the leaves of the next ply.\n"
          "\n"
          "Args:\n"
          "    seconds: Time limit.\n"
          "\n"
          "Returns:\n"
          "    False if there is no further ply, or no time for it.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If the ply would have too many leaves.")
      .def(
          "drop",
          [](E& self) {
            const Busy busy(self.in_use, "Expectimax");
            self.search->drop();
          },
          "Discards the leaves of the last ply; the results of the earlier plies remain.")
      .def("__len__", [](const E& self) { return Busy(self.in_use, "Expectimax"), self.search->leaves(); })
      .def(
          "show",
          [](E& self, nb::handle begin, nb::handle features, nb::handle mask, nb::handle states, nb::handle viewers) {
            const auto rows = std::max({rows_of(features), rows_of(mask), rows_of(states), rows_of(viewers)});
            const auto from = to_integer(begin, "begin");
            const Busy busy(self.in_use, "Expectimax");
            const auto leaves = static_cast<std::int64_t>(self.search->leaves());
            expect_number(from, "begin", 0, leaves);
            if (rows < 0 || rows > leaves - from)
              throw nb::value_error("the arrays have more rows than there are leaves");
            Held held[4];
            const Facts& facts = self.game->facts();
            float* seen = held[0].take<float>(features, "features", feature_rows(facts, rows));
            auto* legal =
                reinterpret_cast<std::uint8_t*>(held[3].take<bool>(mask, "legal_mask", {rows, facts.num_actions}));
            Word* words = held[1].take<std::uint64_t>(states, "states", {rows, self.game->any->state_words()});
            std::int32_t* who = held[2].take<std::int32_t>(viewers, "player", {rows});
            const Released released;
            self.search->show(static_cast<std::size_t>(from), static_cast<std::size_t>(from + rows), seen, legal, words,
                              who);
          },
          "begin"_a, "features"_a.none(), "legal_mask"_a.none(), "states"_a.none(), "player"_a.none(),
          nb::sig(
              "def show(self, begin: int, features: numpy.typing.NDArray[numpy.float32] | None, legal_mask: "
              "numpy.typing.NDArray[numpy.bool_] | None, states: "
              "numpy.typing.NDArray[numpy.uint64] | None, player: numpy.typing.NDArray[numpy.int32] | None) -> None"),
          "Writes leaves into arrays with the same number of rows. Each array may be None.\n"
          "\n"
          "Args:\n"
          "    begin: Number of the first leaf.\n"
          "    features: [rows, *features_shape], as `player` sees the leaf.\n"
          "    legal_mask: [rows, num_distinct_actions] legal actions.\n"
          "    states: [rows, state_size] position of the leaf.\n"
          "    player: [rows] player who sees the leaf.\n"
          "\n"
          "Raises:\n"
          "    TypeError: If an array has the wrong shape or dtype.\n"
          "    ValueError: If there are not enough leaves.")
      .def(
          "give",
          [](E& self, nb::handle values) {
            Held held;
            const Busy busy(self.in_use, "Expectimax");
            const float* given = held.take<float>(
                values, "values", {static_cast<Py_ssize_t>(self.search->leaves()), self.game->facts().num_players},
                false);
            if (!given) throw nb::type_error("array 'values' is required");
            const Released released;
            self.search->give(given);
          },
          "values"_a, nb::sig("def give(self, values: numpy.typing.NDArray[numpy.float32]) -> None"),
          "Sets the values of all leaves of the last ply.\n"
          "\n"
          "Args:\n"
          "    values: [leaves, num_players] expected future reward of each player.\n"
          "\n"
          "Raises:\n"
          "    TypeError: If the array has the wrong shape or dtype.\n"
          "    ValueError: If a value is not finite.")
      .def(
          "deepen_native",
          [](E& self, nb::handle evaluator, nb::handle seed, double seconds) {
            const auto native = to_native(*self.game, evaluator);
            const auto number = to_seed(seed);
            const Busy busy(self.in_use, "Expectimax");
            const Released released;
            Patience patience(seconds);
            return self.search->deepen_native(native.config, number, [&] { return patience.over(); });
          },
          "evaluator"_a, "seed"_a = 0, "seconds"_a = 1e18,
          nb::sig("def deepen_native(self, evaluator: tablier.evaluators.native.NativeEvaluator, seed: int = 0, "
                  "seconds: float = 1e18) -> bool"),
          "Searches one ply deeper with a native evaluator: `deepen()` and `give()` in one call.\n"
          "\n"
          "Args:\n"
          "    evaluator: An evaluator that runs in C++.\n"
          "    seed: Seed of rollouts, from 0 to 2**64 - 1.\n"
          "    seconds: Time limit.\n"
          "\n"
          "Returns:\n"
          "    False if there is no further ply, or no time for it; the ply is then discarded.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If the evaluator does not run in C++, or the ply would have too many leaves.")
      .def(
          "ranking",
          [](const E& self, nb::handle i) {
            const auto root = to_integer(i, "root");
            const Busy busy(self.in_use, "Expectimax");
            expect_number(root, "root", 0, static_cast<std::int64_t>(self.search->roots()) - 1);
            nb::list result;
            for (const auto& one : self.search->ranking(static_cast<std::size_t>(root))) {
              result.append(nb::make_tuple(one.action, to_list(one.value, self.game->facts().num_players), one.plies));
            }
            return result;
          },
          "root"_a = 0, nb::sig("def ranking(self, root: int = 0) -> list[tuple[int, list[float], int]]"),
          "Returns (action, expected future reward of each player, plies searched) for a root, best action first.")
      .def(
          "values",
          [](const E& self) {
            const Busy busy(self.in_use, "Expectimax");
            const std::size_t n = self.search->roots();
            std::vector<double> out(n * static_cast<std::size_t>(self.game->facts().num_players));
            self.search->values(out.data());
            std::vector<float> narrow(out.begin(), out.end());
            return to_array(narrow, nb::make_tuple(n, self.game->facts().num_players));
          },
          nb::sig("def values(self) -> numpy.typing.NDArray[numpy.float32]"),
          "Returns a float32 array [n, num_players]: the expected future reward of each player at each root.");
}

}  // namespace tablier
