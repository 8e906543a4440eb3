// tablier._core.search: pools of searches and expectimax. What people use is in tablier.search and tablier.evaluators.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <optional>

#include "arrays.h"
#include "busy.h"
#include "objects.h"

namespace tablier {

using namespace nb::literals;
using search::AnyExpectimax;
using search::AnyPool;

namespace {

template <class T>
T setting(nb::handle config, const char* name) {
  try {
    return nb::cast<T>(config.attr(name));
  } catch (const nb::cast_error&) {
    throw nb::type_error((std::string("the setting '") + name + "' has the wrong type").c_str());
  }
}

// The place of a word in a list of words.
template <class E>
E choice(nb::handle config, const char* name, std::initializer_list<std::string_view> words) {
  const auto given = setting<std::string>(config, name);
  int i = 0;
  std::string known;
  for (const std::string_view word : words) {
    if (word == given) return static_cast<E>(i);
    known += (i++ ? ", " : "") + std::string(word);
  }
  throw nb::value_error(("'" + given + "' is no " + name + "; there are " + known).c_str());
}

search::Objective objective(nb::handle config) {
  return choice<search::Objective>(config, "objective", {"own", "margin"});
}

void set_evaluator(const AnyGame& game, nb::handle given, search::Config& config) {
  config.evaluator =
      choice<search::Evaluator>(given, "evaluator", {"caller", "uniform", "rollout", "heuristic", "points"});
  config.rollouts = setting<int>(given, "rollouts");
  if (config.evaluator == search::Evaluator::kEstimate && !game.has_estimate()) {
    throw nb::value_error(("the game " + std::string(game.facts().name) + " has no heuristic").c_str());
  }
}

// One of our own evaluators: an object with the attributes `native`, its name, and `rollouts`.
search::Config to_native(const AnyGame& game, nb::handle evaluator) {
  search::Config config;
  set_evaluator(game, evaluator, config);
  if (config.evaluator == search::Evaluator::kCaller) throw nb::value_error("this evaluator is not one of our own");
  return config;
}

// From a tablier.search.SearchConfig, whose ranges are checked where it is made.
search::Config to_config(const AnyGame& game, nb::handle given) {
  search::Config config;
  config.simulations = setting<std::int64_t>(given, "n_simulations");
  config.c_puct = setting<double>(given, "c_puct");
  config.dirichlet_alpha = setting<double>(given, "dirichlet_alpha");
  config.dirichlet_eps = setting<double>(given, "dirichlet_eps");
  config.temperature = setting<double>(given, "temperature");
  config.temperature_moves = setting<int>(given, "temperature_moves");
  config.root = choice<search::Root>(given, "root", {"puct", "gumbel"});
  config.considered = setting<int>(given, "considered");
  config.c_visit = setting<double>(given, "c_visit");
  config.c_scale = setting<double>(given, "c_scale");
  config.gumbel_noise = setting<bool>(given, "gumbel_noise");
  config.chance = choice<search::Chance>(given, "chance", {"quota", "sampled", "open_loop"});
  config.objective = objective(given);
  set_evaluator(game, given, config);
  config.prior_scale = setting<double>(given, "prior_scale");
  config.sweep = setting<bool>(given, "sweep");
  config.memory = static_cast<std::size_t>(setting<std::int64_t>(given, "memory_mb")) << 20;
  return config;
}

std::shared_ptr<GameObject> to_game(nb::handle given) {
  if (nb::isinstance<GameObject>(given)) return nb::cast<std::shared_ptr<GameObject>>(given);
  const auto type = nb::cast<std::string>(given.type().attr("__name__"));
  throw nb::type_error(("game must be a tablier.Game, made by tablier.load_game(), not " + type).c_str());
}

void expect_game(const GameObject& game, const StateObject& state) {
  if (!game.same_rules(*state.game)) throw nb::value_error("the state belongs to another game or other options");
}

template <class T>
nb::object to_array(const std::vector<T>& values, const nb::tuple& shape) {
  nb::object array = new_array(shape, Dtype<T>::name);
  const CallerArray buffer(array, "result", true);
  if (!values.empty()) std::memcpy(buffer.data(), values.data(), values.size() * sizeof(T));
  return array;
}

nb::list to_list(const double* values, int n) {
  nb::list list;
  for (int i = 0; i < n; ++i) list.append(values[i]);
  return list;
}

// An optional array of the caller.
class Held {
 public:
  template <class T>
  T* take(nb::handle array, const char* name, const std::vector<Py_ssize_t>& shape, bool writable = true) {
    if (array.is_none()) return nullptr;
    return array_.emplace(array, name, writable).template expect<T>(shape);
  }

 private:
  std::optional<CallerArray> array_;
};

Py_ssize_t rows_of(nb::handle array) { return array.is_none() ? -1 : nb::cast<Py_ssize_t>(array.attr("__len__")()); }

std::vector<Py_ssize_t> feature_rows(const Facts& facts, Py_ssize_t rows) {
  auto shape = dims(facts.features);
  shape.insert(shape.begin(), rows);
  return shape;
}

// --- Pool ---

struct PoolObject {
  std::shared_ptr<const GameObject> game;
  std::unique_ptr<AnyPool> pool;
  std::size_t rows = 0;  // of the last collect()
  bool in_use = false;

  std::size_t slot(nb::handle i) const {
    return static_cast<std::size_t>(to_number(i, "i", 0, static_cast<std::int64_t>(pool->size()) - 1));
  }
};

PoolObject make_pool(nb::handle given, nb::handle config, nb::handle n, nb::handle seed, nb::handle threads) {
  auto game = to_game(given);
  const auto settings = to_config(*game->any, config);
  const auto count = static_cast<std::size_t>(to_number(n, "n", 1, 1'000'000));
  const auto first_seed = to_seed(seed);
  const auto workers = static_cast<int>(to_number(threads, "threads", 1, kMaxThreads));
  auto pool = game->any->pool(game->facts(), game->start.data(), settings, count, first_seed, workers);
  return {std::move(game), std::move(pool)};
}

std::size_t collect(PoolObject& self, nb::handle features, nb::handle mask, nb::handle player, nb::handle states,
                    nb::handle slots) {
  const Facts& facts = self.game->facts();
  Py_ssize_t rows = -1;
  for (const nb::handle array : {features, mask, player, states, slots}) {
    const auto n = rows_of(array);
    if (n >= 0) rows = rows < 0 ? n : std::min(rows, n);
  }
  if (rows < 0) throw nb::value_error("collect() needs at least one array to write to");
  Held held[5];
  search::LeafView view;
  view.rows = static_cast<std::size_t>(rows);
  view.features = held[0].take<float>(features, "features", feature_rows(facts, rows));
  view.mask = reinterpret_cast<std::uint8_t*>(held[1].take<bool>(mask, "legal_mask", {rows, facts.num_actions}));
  view.player = held[2].take<std::int32_t>(player, "player", {rows});
  view.states = held[3].take<std::uint64_t>(states, "states", {rows, self.game->any->state_words()});
  view.slots = held[4].take<std::int32_t>(slots, "slots", {rows});
  const Busy busy(self.in_use, "pool");
  if (self.rows > 0) throw std::runtime_error("the leaves of the last collect() still wait for resume()");
  const nb::gil_scoped_release released;
  return self.rows = self.pool->collect(view);
}

void resume(PoolObject& self, nb::handle logits, nb::handle values) {
  const Facts& facts = self.game->facts();
  const auto rows = static_cast<Py_ssize_t>(self.rows);
  Held held[2];
  const float* policy = held[0].take<float>(logits, "logits", {rows, facts.num_actions}, false);
  const float* worth = held[1].take<float>(values, "values", {rows, facts.num_players}, false);
  if (!worth) throw nb::type_error("array 'values' is needed");
  const Busy busy(self.in_use, "pool");
  {
    const nb::gil_scoped_release released;
    self.pool->resume(policy, worth);
  }
  self.rows = 0;
}

// Until all searches are finished or the time is over. Ctrl-C is heard every few milliseconds.
bool run(PoolObject& self, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Busy busy(self.in_use, "pool");
  const auto start = Clock::now();
  const auto elapsed = [](Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
  };
  for (std::int64_t portion = 16; self.pool->busy();) {
    const auto begin = Clock::now();
    {
      const nb::gil_scoped_release released;
      self.pool->run(portion);
    }
    if (PyErr_CheckSignals() != 0) {
      self.pool->stop();
      throw nb::python_error();
    }
    const double took = elapsed(begin), left = seconds - elapsed(start);
    if (left <= 0) return false;
    const double wanted = std::min(0.01, left / 2);
    portion = std::clamp<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(portion) * wanted / (took + 1e-9)),
                                       1, 4 * portion);
  }
  return true;
}

nb::dict to_dict(const Facts& facts, const search::RootView& view) {
  nb::list candidates;
  for (const auto& one : view.candidates) {
    candidates.append(nb::make_tuple(one.action, one.visits, one.prior, one.policy,
                                     to_list(one.value, facts.num_players), one.solved));
  }
  nb::dict result;
  result["candidates"] = candidates;
  result["simulations"] = view.simulations;
  result["reused"] = view.reused;
  result["nodes"] = view.nodes;
  result["bytes"] = view.bytes;
  result["value"] = to_list(view.value, facts.num_players);
  result["solved"] = view.solved;
  result["full"] = view.full;
  result["best"] = view.best;
  return result;
}

nb::dict to_dict(const GameObject& game, const search::PlayedGame& played) {
  const auto rows = played.actions.size();
  const auto players = game.facts().num_players;
  nb::dict result;
  result["number"] = played.number;
  result["cut"] = played.cut;
  result["states"] = to_array(played.states, nb::make_tuple(rows, game.any->state_words()));
  result["players"] = to_array(played.players, nb::make_tuple(rows));
  result["actions"] = to_array(played.actions, nb::make_tuple(rows));
  result["values"] = to_array(played.values, nb::make_tuple(rows, players));
  result["collected"] = to_array(played.collected, nb::make_tuple(rows, players));
  result["offsets"] = to_array(played.offsets, nb::make_tuple(rows + 1));
  result["policy_actions"] = to_array(played.policy_actions, nb::make_tuple(played.policy_actions.size()));
  result["policy"] = to_array(played.policy, nb::make_tuple(played.policy.size()));
  result["returns"] = to_list(played.returns.data(), players);
  return result;
}

nb::list tree_rows(const PoolObject& self, nb::handle i, nb::handle limit) {
  nb::list result;
  const auto most = static_cast<std::size_t>(to_number(limit, "limit", 1, std::int64_t{1} << 40));
  for (const auto& row : self.pool->rows(self.slot(i), most)) {
    result.append(nb::make_tuple(row.parent, row.action, row.player, row.visits, row.prior,
                                 to_list(row.value, self.game->facts().num_players), row.solved));
  }
  return result;
}

// --- Expectimax ---

struct ExpectimaxObject {
  std::shared_ptr<const GameObject> game;
  std::unique_ptr<AnyExpectimax> search;
  bool in_use = false;
};

ExpectimaxObject make_expectimax(nb::handle given, nb::handle config, nb::handle threads) {
  auto game = to_game(given);
  search::ExpectimaxConfig settings;
  settings.plies = setting<int>(config, "plies");
  settings.keep = setting<int>(config, "keep");
  settings.margin = setting<double>(config, "margin");
  settings.objective = objective(config);
  const auto workers = static_cast<int>(to_number(threads, "threads", 1, kMaxThreads));
  auto search = game->any->expectimax(game->facts(), settings, workers);
  return {std::move(game), std::move(search)};
}

void bind_pool(nb::module_& module) {
  using P = PoolObject;
  nb::class_<P>(module, "Pool", "Many searches side by side, or games that play themselves.")
      .def(
          "__init__",
          [](P* self, nb::handle game, nb::handle config, nb::handle n, nb::handle seed, nb::handle threads) {
            new (self) P(make_pool(game, config, n, seed, threads));
          },
          "game"_a, "config"_a, "n"_a, "seed"_a = 0, "threads"_a = 1,
          nb::sig(
              "def __init__(self, game: tablier._core.Game, config: tablier.search.SearchConfig, n: int, seed: int = "
              "0, threads: int = 1) -> None"))
      .def("__len__", [](const P& self) { return self.pool->size(); })
      .def_prop_ro(
          "busy", [](const P& self) { return self.pool->busy(); }, "Whether some search is not finished.")
      .def(
          "set_root",
          [](P& self, nb::handle i, const StateObject& state, bool reuse) {
            expect_game(*self.game, state);
            const auto slot = self.slot(i);
            const Busy busy(self.in_use, "pool");
            self.pool->set_root(slot, state.words.data(), reuse);
            self.rows = 0;
          },
          "i"_a, "state"_a, "reuse"_a = true,
          nb::sig("def set_root(self, i: int, state: tablier._core.State, reuse: bool = True) -> None"),
          "Search i begins with this position, keeping what its tree knows about it.")
      .def(
          "play_games",
          [](P& self, nb::handle first, nb::handle count, nb::handle max_moves) {
            const auto from = to_number(first, "first", 0, std::int64_t{1} << 61);
            const auto games = to_number(count, "count", 1, std::int64_t{1} << 61);
            const auto most = to_number(max_moves, "max_moves", 0, std::int64_t{1} << 40);
            const Busy busy(self.in_use, "pool");
            const nb::gil_scoped_release released;
            self.pool->play_games(static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(games), most);
          },
          "first"_a, "count"_a, "max_moves"_a = 0,
          nb::sig("def play_games(self, first: int, count: int, max_moves: int = 0) -> None"),
          "Games first .. first + count - 1 are played by searching for both sides; max_moves cuts them.")
      .def(
          "collect", &collect, nb::kw_only(), "features"_a = nb::none(), "legal_mask"_a = nb::none(),
          "player"_a = nb::none(), "states"_a = nb::none(), "slots"_a = nb::none(),
          nb::sig("def collect(self, *, features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: "
                  "numpy.typing.NDArray[numpy.bool_] | None = None, player: numpy.typing.NDArray[numpy.int32] | None = "
                  "None, states: numpy.typing.NDArray[numpy.uint64] | None = None, slots: "
                  "numpy.typing.NDArray[numpy.int32] | None = None) -> int"),
          "Goes on until every search waits for a leaf or is finished, and writes leaves into the first rows of the\n"
          "arrays. Returns how many; 0 only when no search waits.")
      .def("resume", &resume, "logits"_a.none(), "values"_a,
           nb::sig("def resume(self, logits: numpy.typing.NDArray[numpy.float32] | None, values: "
                   "numpy.typing.NDArray[numpy.float32]) -> None"),
           "The evaluations of the rows that collect() wrote.")
      .def("run", &run, "seconds"_a = 1e18, nb::sig("def run(self, seconds: float = 1e18) -> bool"),
           "Searches with the config's own evaluator. True when all is finished, False when the time was over first.")
      .def(
          "stop", [](P& self) { self.pool->stop(), self.rows = 0; }, nb::sig("def stop(self) -> None"),
          "Ends all searches with what they have.")
      .def(
          "look",
          [](P& self, nb::handle i, double temperature) {
            const Busy busy(self.in_use, "pool");
            return to_dict(self.game->facts(), self.pool->look(self.slot(i), temperature));
          },
          "i"_a, "temperature"_a = 0.0,
          nb::sig("def look(self, i: int, temperature: float = 0.0) -> dict[str, typing.Any]"),
          "What search i has found out.")
      .def(
          "tree", &tree_rows, "i"_a, "limit"_a = 1000,
          nb::sig(
              "def tree(self, i: int, limit: int = 1000) -> list[tuple[int, int, int, int, float, list[float], bool]]"),
          "Nodes of a tree, parents first: parent's row, action, player, visits, prior, values since the beginning of\n"
          "the game, solved.")
      .def(
          "take_finished",
          [](P& self) {
            const Busy busy(self.in_use, "pool");
            nb::list result;
            for (const auto& played : self.pool->take_finished()) result.append(to_dict(*self.game, played));
            return result;
          },
          nb::sig("def take_finished(self) -> list[dict[str, typing.Any]]"),
          "Games that ended since the last call, by number.");
}

void bind_expectimax(nb::module_& module) {
  using E = ExpectimaxObject;
  nb::class_<E>(module, "Expectimax", "Full-width search, all leaves of a ply in one batch.")
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
            const auto n = rows_of(states);
            Held held[2];
            const Word* words =
                held[0].take<std::uint64_t>(states, "states", {n, self.game->any->state_words()}, false);
            const std::int32_t* who = held[1].take<std::int32_t>(viewers, "player", {n}, false);
            const Busy busy(self.in_use, "Expectimax");
            self.search->begin(words, who, static_cast<std::size_t>(n));
          },
          "states"_a, "player"_a = nb::none(),
          nb::sig("def begin(self, states: numpy.typing.NDArray[numpy.uint64], player: "
                  "numpy.typing.NDArray[numpy.int32] | None = None) -> None"),
          "The positions to search; `player` says from whose side those before the dice are seen.")
      .def(
          "deepen",
          [](E& self) {
            const Busy busy(self.in_use, "Expectimax");
            const nb::gil_scoped_release released;
            return self.search->deepen();
          },
          "Makes the leaves of the next ply. False if there is none.")
      .def("__len__", [](const E& self) { return self.search->leaves(); })
      .def(
          "show",
          [](E& self, nb::handle begin, nb::handle features, nb::handle states, nb::handle viewers) {
            const auto rows = std::max({rows_of(features), rows_of(states), rows_of(viewers)});
            const auto leaves = static_cast<std::int64_t>(self.search->leaves());
            const auto from = to_number(begin, "begin", 0, leaves);
            if (rows < 0 || rows > leaves - from)
              throw nb::value_error("the arrays have more rows than there are leaves");
            Held held[3];
            float* seen = held[0].take<float>(features, "features", feature_rows(self.game->facts(), rows));
            Word* words = held[1].take<std::uint64_t>(states, "states", {rows, self.game->any->state_words()});
            std::int32_t* who = held[2].take<std::int32_t>(viewers, "player", {rows});
            const Busy busy(self.in_use, "Expectimax");
            const nb::gil_scoped_release released;
            self.search->show(static_cast<std::size_t>(from), static_cast<std::size_t>(from + rows), seen, words, who);
          },
          "begin"_a, "features"_a.none(), "states"_a.none(), "player"_a.none(),
          nb::sig(
              "def show(self, begin: int, features: numpy.typing.NDArray[numpy.float32] | None, states: "
              "numpy.typing.NDArray[numpy.uint64] | None, player: numpy.typing.NDArray[numpy.int32] | None) -> None"),
          "Writes leaves from number `begin` on into the arrays.")
      .def(
          "give",
          [](E& self, nb::handle values) {
            Held held;
            const float* given = held.take<float>(
                values, "values", {static_cast<Py_ssize_t>(self.search->leaves()), self.game->facts().num_players},
                false);
            if (!given) throw nb::type_error("array 'values' is needed");
            const Busy busy(self.in_use, "Expectimax");
            const nb::gil_scoped_release released;
            self.search->give(given);
          },
          "values"_a, nb::sig("def give(self, values: numpy.typing.NDArray[numpy.float32]) -> None"))
      .def(
          "give_native",
          [](E& self, nb::handle evaluator, nb::handle seed) {
            const auto config = to_native(*self.game->any, evaluator);
            const auto number = to_seed(seed);
            const Busy busy(self.in_use, "Expectimax");
            const nb::gil_scoped_release released;
            self.search->give_native(config, number);
          },
          "evaluator"_a, "seed"_a = 0,
          nb::sig("def give_native(self, evaluator: tablier.evaluators.native.NativeEvaluator, seed: int = 0) -> None"),
          "The leaves' values by an evaluator that runs in C++.")
      .def(
          "ranking",
          [](const E& self, std::size_t root) {
            nb::list result;
            for (const auto& one : self.search->ranking(root)) {
              result.append(nb::make_tuple(one.action, to_list(one.value, self.game->facts().num_players), one.plies));
            }
            return result;
          },
          "root"_a = 0, nb::sig("def ranking(self, root: int = 0) -> list[tuple[int, list[float], int]]"),
          "Actions of a root, the best first: action, values to come, plies looked at.")
      .def(
          "values",
          [](const E& self, std::size_t n) {
            std::vector<double> out(n * static_cast<std::size_t>(self.game->facts().num_players));
            self.search->values(out.data());
            std::vector<float> narrow(out.begin(), out.end());
            return to_array(narrow, nb::make_tuple(n, self.game->facts().num_players));
          },
          "n"_a, nb::sig("def values(self, n: int) -> numpy.typing.NDArray[numpy.float32]"),
          "Values to come of the n roots.");
}

}  // namespace

void bind_search(nb::module_& parent) {
  auto module = parent.def_submodule("search", "Searches in C++; tablier.search is the door.");
  bind_pool(module);
  bind_expectimax(module);
  module.def(
      "open_loop",
      [](nb::handle given, nb::handle config, const StateObject& state, nb::handle seed) {
        const auto game = to_game(given);
        expect_game(*game, state);
        const auto settings = to_config(*game->any, config);
        if (settings.evaluator == search::Evaluator::kCaller) {
          throw nb::value_error("open-loop search takes the evaluators uniform, rollout and heuristic");
        }
        const auto number = to_seed(seed);
        search::RootView view;
        {
          const nb::gil_scoped_release released;
          view = game->any->search_open_loop(game->facts(), state.words.data(), settings, number);
        }
        return to_dict(game->facts(), view);
      },
      "game"_a, "config"_a, "state"_a, "seed"_a = 0,
      nb::sig(
          "def open_loop(game: tablier._core.Game, config: tablier.search.SearchConfig, state: tablier._core.State, "
          "seed: int = 0) -> dict[str, typing.Any]"));
  module.def(
      "words",
      [](const StateObject& state) {
        const auto* data = state.words.data();
        return to_array(std::vector<std::uint64_t>(data, data + state.words.count()),
                        nb::make_tuple(state.words.count()));
      },
      "state"_a, nb::sig("def words(state: tablier._core.State) -> numpy.typing.NDArray[numpy.uint64]"),
      "The words of a state.");
  module.def(
      "has_heuristic", [](nb::handle game) { return to_game(game)->any->has_estimate(); }, "game"_a,
      nb::sig("def has_heuristic(game: tablier._core.Game) -> bool"));
  module.def(
      "evaluate",
      [](nb::handle given, nb::handle evaluator, nb::handle states, nb::handle seed, nb::handle threads) {
        const auto game = to_game(given);
        const auto config = to_native(*game->any, evaluator);
        const auto n = rows_of(states);
        Held held;
        const Word* words = held.take<std::uint64_t>(states, "states", {n, game->any->state_words()}, false);
        const auto number = to_seed(seed);
        std::vector<float> values(static_cast<std::size_t>(n * game->facts().num_players));
        Workers workers(static_cast<int>(to_number(threads, "threads", 1, kMaxThreads)));
        {
          const nb::gil_scoped_release released;
          game->any->evaluate(game->facts(), config, words, static_cast<std::size_t>(n), number, workers,
                              values.data());
        }
        return to_array(values, nb::make_tuple(n, game->facts().num_players));
      },
      "game"_a, "evaluator"_a, "states"_a, "seed"_a = 0, "threads"_a = 1,
      nb::sig("def evaluate(game: tablier._core.Game, evaluator: tablier.evaluators.native.NativeEvaluator, states: "
              "numpy.typing.NDArray[numpy.uint64], seed: int = 0, threads: int = 1) -> "
              "numpy.typing.NDArray[numpy.float32]"),
      "Returns to come of n states by an evaluator that runs in C++.");
  module.def(
      "show",
      [](nb::handle given, nb::handle states, nb::handle players, nb::handle features, nb::handle mask,
         nb::handle threads) {
        const auto game = to_game(given);
        const Facts& facts = game->facts();
        const auto n = rows_of(states);
        Held held[4];
        const Word* words = held[0].take<std::uint64_t>(states, "states", {n, game->any->state_words()}, false);
        const std::int32_t* who = held[1].take<std::int32_t>(players, "players", {n}, false);
        float* seen = held[2].take<float>(features, "features", feature_rows(facts, n));
        auto* legal = reinterpret_cast<std::uint8_t*>(held[3].take<bool>(mask, "legal_mask", {n, facts.num_actions}));
        if (!words || (seen && !who)) throw nb::type_error("arrays 'states' and 'players' are needed");
        for (Py_ssize_t i = 0; i < n && who; ++i) {
          if (who[i] < 0 || who[i] >= facts.num_players)
            throw nb::value_error("array 'players' names a player who is not there");
        }
        Workers workers(static_cast<int>(to_number(threads, "threads", 1, kMaxThreads)));
        const nb::gil_scoped_release released;
        game->any->show(facts, words, who, static_cast<std::size_t>(n), workers, seen, legal);
      },
      "game"_a, "states"_a, "players"_a, "features"_a = nb::none(), "legal_mask"_a = nb::none(), "threads"_a = 1,
      nb::sig(
          "def show(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], players: "
          "numpy.typing.NDArray[numpy.int32], features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: "
          "numpy.typing.NDArray[numpy.bool_] | None = None, threads: int = 1) -> None"),
      "Writes what the players see of n states.");
}

}  // namespace tablier
