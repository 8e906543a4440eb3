// tablier._core.search.Pool: many searches side by side. tablier.search is the door.
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
  std::unique_ptr<AnyPool> pool;
  std::size_t rows = 0;  // of the last collect()
  mutable bool in_use = false;

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
  Held held[2];
  const auto given = rows_of(logits);
  const Busy busy(self.in_use, "pool");
  const auto rows = static_cast<Py_ssize_t>(self.rows), needed = static_cast<Py_ssize_t>(self.pool->decisions());
  const auto policies = given >= needed && given < rows ? given : rows;
  const float* policy = held[0].take<float>(logits, "logits", {policies, facts.num_actions}, false);
  const float* worth = held[1].take<float>(values, "values", {rows, facts.num_players}, false);
  if (!worth) throw nb::type_error("array 'values' is needed");
  {
    const nb::gil_scoped_release released;
    self.pool->resume(policy, static_cast<std::size_t>(policies), worth);
  }
  self.rows = 0;
}

void play_on(PoolObject& self, nb::handle states, nb::handle ages, nb::handle first, nb::handle moves) {
  const auto n = static_cast<Py_ssize_t>(self.pool->size());
  Held held[2];
  const Word* words = held[0].take<std::uint64_t>(states, "states", {n, self.game->any->state_words()}, false);
  const std::int64_t* old = held[1].take<std::int64_t>(ages, "ages", {n}, false);
  if (!words || !old) throw nb::type_error("arrays 'states' and 'ages' are needed");
  const auto from = to_number(first, "first", 0, std::int64_t{1} << 61);
  const auto count = to_number(moves, "moves", 1, std::int64_t{1} << 40);
  expect_states(*self.game, words, n);
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (old[i] < 0) throw nb::value_error("array 'ages' holds a number below 0");
  }
  const Busy busy(self.in_use, "pool");
  self.rows = 0;
  const nb::gil_scoped_release released;
  self.pool->play_on(words, old, static_cast<std::uint64_t>(from), count);
}

void where(PoolObject& self, nb::handle states, nb::handle ages) {
  const auto n = static_cast<Py_ssize_t>(self.pool->size());
  Held held[2];
  Word* words = held[0].take<std::uint64_t>(states, "states", {n, self.game->any->state_words()});
  std::int64_t* old = held[1].take<std::int64_t>(ages, "ages", {n});
  if (!words || !old) throw nb::type_error("arrays 'states' and 'ages' are needed");
  const Busy busy(self.in_use, "pool");
  self.pool->where(words, old);
}

constexpr double kForever = 1e17;

// Until all searches are finished or the time is over. Ctrl-C is heard every few milliseconds.
bool run(PoolObject& self, double seconds) {
  using Clock = std::chrono::steady_clock;
  const Busy busy(self.in_use, "pool");
  const auto start = Clock::now();
  while (self.pool->busy()) {
    const double left = seconds - std::chrono::duration<double>(Clock::now() - start).count();
    if (left <= 0 || (seconds < kForever && self.pool->solved())) return false;
    {
      const nb::gil_scoped_release released;
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
          "solved", [](const P& self) { return Busy(self.in_use, "pool"), self.pool->solved(); },
          "Whether all that is still searched is solved.")
      .def_prop_ro(
          "busy", [](const P& self) { return Busy(self.in_use, "pool"), self.pool->busy(); },
          "Whether some search is not finished.")
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
            self.rows = 0;
            const nb::gil_scoped_release released;
            self.pool->play_games(static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(games), most);
          },
          "first"_a, "count"_a, "max_moves"_a = 0,
          nb::sig("def play_games(self, first: int, count: int, max_moves: int = 0) -> None"),
          "Games first .. first + count - 1 are played by searching for both sides; max_moves cuts them.")
      .def("play_on", &play_on, "states"_a, "ages"_a, "first"_a, "moves"_a,
           nb::sig("def play_on(self, states: numpy.typing.NDArray[numpy.uint64], ages: "
                   "numpy.typing.NDArray[numpy.int64], first: int, moves: int) -> None"),
           "Every game goes on from states [n, words] by so many decisions, with the dice of games first .. first + n\n"
           "- 1; new games follow those that end, and what is not over then is cut. `ages` are decisions taken so far.")
      .def("where", &where, "states"_a, "ages"_a,
           nb::sig("def where(self, states: numpy.typing.NDArray[numpy.uint64], ages: "
                   "numpy.typing.NDArray[numpy.int64]) -> None"),
           "Writes where the games are now.")
      .def(
          "collect", &collect, nb::kw_only(), "features"_a = nb::none(), "legal_mask"_a = nb::none(),
          "player"_a = nb::none(), "states"_a = nb::none(), "slots"_a = nb::none(),
          nb::sig("def collect(self, *, features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: "
                  "numpy.typing.NDArray[numpy.bool_] | None = None, player: numpy.typing.NDArray[numpy.int32] | None = "
                  "None, states: numpy.typing.NDArray[numpy.uint64] | None = None, slots: "
                  "numpy.typing.NDArray[numpy.int32] | None = None) -> int"),
          "Goes on until every search waits for a leaf or is finished, and writes leaves into the first rows of the\n"
          "arrays. Returns how many; 0 only when no search waits.")
      .def_prop_ro(
          "decisions", [](const P& self) { return Busy(self.in_use, "pool"), self.pool->decisions(); },
          "How many of the rows that collect() wrote need a policy; they are the first ones.")
      .def("resume", &resume, "logits"_a.none(), "values"_a,
           nb::sig("def resume(self, logits: numpy.typing.NDArray[numpy.float32] | None, values: "
                   "numpy.typing.NDArray[numpy.float32]) -> None"),
           "The evaluations of the rows that collect() wrote; logits may end where no policy is needed.")
      .def("run", &run, "seconds"_a = 1e18, nb::sig("def run(self, seconds: float = 1e18) -> bool"),
           "Searches with the config's own evaluator. True when all is finished, False when the time was over first.")
      .def(
          "stop",
          [](P& self) {
            const Busy busy(self.in_use, "pool");
            self.pool->stop();
            self.rows = 0;
          },
          nb::sig("def stop(self) -> None"), "Ends all searches with what they have.")
      .def(
          "look",
          [](P& self, nb::handle i, double temperature) {
            const auto slot = self.slot(i);
            const Busy busy(self.in_use, "pool");
            return RootObject{self.pool->look(slot, temperature), self.game->facts().num_players};
          },
          "i"_a, "temperature"_a = 0.0, nb::sig("def look(self, i: int, temperature: float = 0.0) -> RootView"),
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

}  // namespace tablier
