// Binds tablier._core.search.Pool, many searches at once (search/pool.h). tablier.search is the public interface.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "arrays.h"
#include "busy.h"
#include "objects.h"
#include "search.h"

namespace tablier {

using namespace nb::literals;

using search::AnyPool;

namespace {

struct PoolObject {
  std::shared_ptr<const GameObject> game;
  std::shared_ptr<nets::Network> network;  // used by the pool, or null
  std::vector<double> link;                // the same, or empty
  std::unique_ptr<AnyPool> pool;
  mutable bool in_use = false;

  void expect_resumed() const {
    if (pool->collected() > 0) throw std::runtime_error("call resume() for the leaves of the last collect() first");
  }
  std::size_t slot(nb::handle i) const {
    return static_cast<std::size_t>(to_number(i, "i", 0, static_cast<std::int64_t>(pool->size()) - 1));
  }
};

PoolObject make_pool(nb::handle given, nb::handle config, nb::handle n, nb::handle seed, nb::handle threads,
                     nb::handle net, nb::handle link) {
  auto game = to_game(given);
  auto settings = to_config(*game->any, config);
  auto network = attach(*game, settings, net);
  auto numbers = to_link(*game, link);
  if (!numbers.empty()) settings.link = numbers.data();  // which stay where they are when the vector is moved
  const auto count = static_cast<std::size_t>(to_number(n, "n", 1, 1'000'000));
  const auto first_seed = to_seed(seed);
  const auto workers = static_cast<int>(to_number(threads, "threads", 1, kMaxThreads));
  auto pool = game->any->pool(game->facts(), game->start.data(), settings, count, first_seed, workers);
  return {std::move(game), std::move(network), std::move(numbers), std::move(pool)};
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
  self.expect_resumed();
  const Released released;
  return self.pool->collect(view);
}

void resume(PoolObject& self, nb::handle logits, nb::handle values) {
  const Facts& facts = self.game->facts();
  Held held[2];
  const auto given = rows_of(logits);
  const Busy busy(self.in_use, "pool");
  const auto rows = static_cast<Py_ssize_t>(self.pool->collected()),
             needed = static_cast<Py_ssize_t>(self.pool->decisions());
  const auto policies = given >= needed && given < rows ? given : rows;
  const float* policy = held[0].take<float>(logits, "logits", {policies, facts.num_actions}, false);
  const float* worth = held[1].take<float>(values, "values", {rows, facts.num_players}, false);
  if (!worth) throw nb::type_error("array 'values' is required");
  const Released released;
  self.pool->resume(policy, static_cast<std::size_t>(policies), worth);
}

void play_on(PoolObject& self, nb::handle states, nb::handle ages, nb::handle first, nb::handle moves) {
  const auto n = static_cast<Py_ssize_t>(self.pool->size());
  const auto from = to_number(first, "first", 0, std::int64_t{1} << 61);
  const auto count = to_number(moves, "moves", 1, std::int64_t{1} << 40);
  const Positions at(*self.game, states, nb::none(), "players", Positions::kOptional);
  if (at.n != n) throw nb::type_error(("array 'states' must have " + std::to_string(n) + " rows").c_str());
  const CallerArray given(ages, "ages", false);
  const std::int64_t* first_age = given.expect<std::int64_t>({n});
  const std::vector<std::int64_t> old(first_age, first_age + n);
  if (std::any_of(old.begin(), old.end(), [](std::int64_t age) { return age < 0; })) {
    throw nb::value_error("array 'ages' contains a negative number");
  }
  const Busy busy(self.in_use, "pool");
  const Released released;
  self.pool->play_on(at.states(), old.data(), static_cast<std::uint64_t>(from), count);
}

void where(PoolObject& self, nb::handle states, nb::handle ages) {
  const auto n = static_cast<Py_ssize_t>(self.pool->size());
  Held held[2];
  Word* words = held[0].take<std::uint64_t>(states, "states", {n, self.game->any->state_words()});
  std::int64_t* old = held[1].take<std::int64_t>(ages, "ages", {n});
  if (!words || !old) throw nb::type_error("arrays 'states' and 'ages' are required");
  const Busy busy(self.in_use, "pool");
  self.pool->where(words, old);
}

constexpr double kForever = 1e17;

// Runs until all searches are finished or the time is up, and checks for Ctrl-C every 10 ms.
bool run(PoolObject& self, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Busy busy(self.in_use, "pool");
  self.expect_resumed();
  const auto start = Clock::now();
  while (self.pool->busy()) {
    const double left = seconds - std::chrono::duration<double>(Clock::now() - start).count();
    if (left <= 0 || (seconds < kForever && self.pool->solved())) return false;
    {
      const Released released;
      self.pool->run(std::min(0.01, left));
    }
    if (PyErr_CheckSignals() != 0) {
      self.pool->stop();
      throw nb::python_error();
    }
  }
  return true;
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
  const auto slot = self.slot(i);
  const Busy busy(self.in_use, "pool");
  for (const auto& row : self.pool->rows(slot, most)) {
    result.append(nb::make_tuple(row.parent, row.action, row.player, row.visits, row.prior,
                                 to_list(row.value, self.game->facts().num_players), row.solved));
  }
  return result;
}

}  // namespace

void bind_pool(nb::module_& module) {
  using P = PoolObject;
  nb::class_<P>(module, "Pool",
                "Runs many searches at once, for given positions or for games of self-play.\n"
                "\n"
                "Call `collect()` and `resume()` in a loop to evaluate leaves outside, or `run()` to use the\n"
                "evaluator of the config. Results depend neither on the number of threads nor on how leaves are\n"
                "split into batches. One thread may use a pool at a time; a second one gets RuntimeError.\n"
                "\n"
                "Args:\n"
                "    game: The game to search.\n"
                "    config: The settings of every search.\n"
                "    n: Number of searches or concurrent games, from 1 to 1,000,000.\n"
                "    seed: Seed of noise and dice, from 0 to 2**64 - 1.\n"
                "    threads: Number of threads, from 1 to 1024.\n"
                "    network: The network, if the evaluator is one.\n"
                "    link: The numbers that turn its margins into win chances (`Home.win_link`).\n"
                "\n"
                "Raises:\n"
                "    TypeError: If an argument or a setting has the wrong type.\n"
                "    ValueError: If an argument or a setting is out of range, or the network does not fit the game.")
      .def(
          "__init__",
          [](P* self, nb::handle game, nb::handle config, nb::handle n, nb::handle seed, nb::handle threads,
             nb::handle network,
             nb::handle link) { new (self) P(make_pool(game, config, n, seed, threads, network, link)); },
          "game"_a, "config"_a, "n"_a, "seed"_a = 0, "threads"_a = 1, "network"_a = nb::none(), "link"_a = nb::none(),
          nb::sig(
              "def __init__(self, game: tablier._core.Game, config: tablier.search.SearchConfig, n: int, seed: int = "
              "0, threads: int = 1, network: tablier._core.nets.Network | None = None, link: "
              "numpy.typing.NDArray[numpy.float64] | None = None) -> None"))
      .def("__len__", [](const P& self) { return self.pool->size(); })
      .def_prop_ro(
          "solved", [](const P& self) { return Busy(self.in_use, "pool"), self.pool->solved(); },
          "Whether the root of every unfinished search is solved.")
      .def_prop_ro(
          "busy", [](const P& self) { return Busy(self.in_use, "pool"), self.pool->busy(); },
          "Whether any search is unfinished.")
      .def(
          "set_root",
          [](P& self, nb::handle i, const StateObject& state, bool reuse) {
            expect_game(*self.game, state);
            const auto slot = self.slot(i);
            const Busy busy(self.in_use, "pool");
            self.pool->set_root(slot, state.words.data(), reuse);
          },
          "i"_a, "state"_a, "reuse"_a = true,
          nb::sig("def set_root(self, i: int, state: tablier._core.State, reuse: bool = True) -> None"),
          "Starts search i at a position.\n"
          "\n"
          "Args:\n"
          "    i: Number of the search, from 0 to n - 1.\n"
          "    state: The position to search.\n"
          "    reuse: Whether to keep the part of the tree below this position, if the tree contains it.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If `i` is out of range or the state belongs to a different game.")
      .def(
          "play_games",
          [](P& self, nb::handle first, nb::handle count, nb::handle max_moves) {
            const auto from = to_number(first, "first", 0, std::int64_t{1} << 61);
            const auto games = to_number(count, "count", 1, std::int64_t{1} << 61);
            const auto most = to_number(max_moves, "max_moves", 0, std::int64_t{1} << 40);
            const Busy busy(self.in_use, "pool");
            const Released released;
            self.pool->play_games(static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(games), most);
          },
          "first"_a, "count"_a, "max_moves"_a = 0,
          nb::sig("def play_games(self, first: int, count: int, max_moves: int = 0) -> None"),
          "Starts self-play: every decision of every player is searched.\n"
          "\n"
          "Args:\n"
          "    first: Number of the first game; games first .. first + count - 1 are played.\n"
          "    count: Number of games.\n"
          "    max_moves: Decisions after which a game is cut; 0 for no limit.")
      .def("play_on", &play_on, "states"_a, "ages"_a, "first"_a, "moves"_a,
           nb::sig("def play_on(self, states: numpy.typing.NDArray[numpy.uint64], ages: "
                   "numpy.typing.NDArray[numpy.int64], first: int, moves: int) -> None"),
           "Continues n games of self-play by a fixed number of decisions each.\n"
           "\n"
           "A game that ends is followed by a new one; games that are not over at the end are cut.\n"
           "\n"
           "Args:\n"
           "    states: [n, state_size] where each game continues.\n"
           "    ages: [n] decisions already taken in each game.\n"
           "    first: Number of the first game; slot i uses the random numbers of game first + i.\n"
           "    moves: Decisions to take in each slot.\n"
           "\n"
           "Raises:\n"
           "    TypeError: If an array is missing or has the wrong shape or dtype.\n"
           "    ValueError: If a state is not valid in this game, or an age is negative.")
      .def("where", &where, "states"_a, "ages"_a,
           nb::sig("def where(self, states: numpy.typing.NDArray[numpy.uint64], ages: "
                   "numpy.typing.NDArray[numpy.int64]) -> None"),
           "Writes the current position of every game.\n"
           "\n"
           "Args:\n"
           "    states: [n, state_size] positions.\n"
           "    ages: [n] decisions taken so far in each game.")
      .def(
          "collect", &collect, nb::kw_only(), "features"_a = nb::none(), "legal_mask"_a = nb::none(),
          "player"_a = nb::none(), "states"_a = nb::none(), "slots"_a = nb::none(),
          nb::sig("def collect(self, *, features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: "
                  "numpy.typing.NDArray[numpy.bool_] | None = None, player: numpy.typing.NDArray[numpy.int32] | None = "
                  "None, states: numpy.typing.NDArray[numpy.uint64] | None = None, slots: "
                  "numpy.typing.NDArray[numpy.int32] | None = None) -> int"),
          "Advances every search until it waits for a leaf or is finished, and writes out waiting leaves.\n"
          "\n"
          "Every array is optional, but at least one is needed, and all must have the same number of rows.\n"
          "Rows that need a policy come first (`decisions`).\n"
          "\n"
          "Args:\n"
          "    features: [rows, *features_shape], as `player` sees the leaf.\n"
          "    legal_mask: [rows, num_distinct_actions] legal actions; all False at chance nodes.\n"
          "    player: [rows] player who sees the leaf.\n"
          "    states: [rows, state_size] position of the leaf.\n"
          "    slots: [rows] search that the leaf belongs to.\n"
          "\n"
          "Returns:\n"
          "    The number of leaves written; 0 only when no search is waiting.\n"
          "\n"
          "Raises:\n"
          "    TypeError: If an array has the wrong shape or dtype.\n"
          "    ValueError: If no array is given.\n"
          "    RuntimeError: If the leaves of the last call have not been resumed.")
      .def_prop_ro(
          "decisions", [](const P& self) { return Busy(self.in_use, "pool"), self.pool->decisions(); },
          "The number of rows from the last `collect()` that need a policy; these rows come first.")
      .def("resume", &resume, "logits"_a.none(), "values"_a,
           nb::sig("def resume(self, logits: numpy.typing.NDArray[numpy.float32] | None, values: "
                   "numpy.typing.NDArray[numpy.float32]) -> None"),
           "Passes on the evaluations of the leaves from the last `collect()`.\n"
           "\n"
           "Args:\n"
           "    logits: [rows, num_distinct_actions] policy logits, or only the first `decisions` rows; None\n"
           "        for a uniform policy.\n"
           "    values: [rows, num_players] expected future reward of each player.\n"
           "\n"
           "Raises:\n"
           "    TypeError: If an array has the wrong shape or dtype.\n"
           "    ValueError: If a value or the logit of a legal action is not finite.")
      .def("run", &run, "seconds"_a = 1e18, nb::sig("def run(self, seconds: float = 1e18) -> bool"),
           "Searches with the native evaluator of the config.\n"
           "\n"
           "Args:\n"
           "    seconds: Time limit.\n"
           "\n"
           "Returns:\n"
           "    True if all searches finished, False if the time was up first or all remaining roots are solved.")
      .def(
          "stop",
          [](P& self) {
            const Busy busy(self.in_use, "pool");
            self.pool->stop();
          },
          nb::sig("def stop(self) -> None"), "Ends all searches; their results so far remain.")
      .def(
          "look",
          [](P& self, nb::handle i, double temperature) {
            const auto slot = self.slot(i);
            const Busy busy(self.in_use, "pool");
            return RootObject{self.pool->look(slot, temperature), self.game->facts().num_players};
          },
          "i"_a, "temperature"_a = 0.0, nb::sig("def look(self, i: int, temperature: float = 0.0) -> RootView"),
          "Returns the result of search i so far.\n"
          "\n"
          "Args:\n"
          "    i: Number of the search, from 0 to n - 1.\n"
          "    temperature: 0 selects the best action as `best`; above 0 it is drawn in proportion to\n"
          "        visits ** (1 / temperature).\n"
          "\n"
          "Raises:\n"
          "    ValueError: If nothing has been searched yet.")
      .def(
          "tree", &tree_rows, "i"_a, "limit"_a = 1000,
          nb::sig(
              "def tree(self, i: int, limit: int = 1000) -> list[tuple[int, int, int, int, float, list[float], bool]]"),
          "Returns the top of the tree of search i, parents before children.\n"
          "\n"
          "Args:\n"
          "    i: Number of the search, from 0 to n - 1.\n"
          "    limit: Maximum number of nodes.\n"
          "\n"
          "Returns:\n"
          "    For each node: row of its parent (-1 for the root), action, player, visits, prior, values\n"
          "    (total reward of each player since the start of the game), and whether it is solved.")
      .def(
          "take_finished",
          [](P& self) {
            const Busy busy(self.in_use, "pool");
            nb::list result;
            for (const auto& played : self.pool->take_finished()) result.append(to_dict(*self.game, played));
            return result;
          },
          nb::sig("def take_finished(self) -> list[dict[str, typing.Any]]"),
          "Returns the games of self-play that ended since the last call, sorted by number.\n"
          "\n"
          "Returns:\n"
          "    A dict for each game. Arrays have one row per decision: `states`, `players`, `actions`,\n"
          "    `values` (expected future rewards; NaN for a forced move) and `collected` (rewards so far).\n"
          "    The policy of row t is entries offsets[t] to offsets[t + 1] - 1 of `policy_actions` and\n"
          "    `policy`. `number`, `returns` and `cut` describe the whole game.");
}

}  // namespace tablier
