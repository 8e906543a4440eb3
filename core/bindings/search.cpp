// Binds tablier._core.search. The public interface is tablier.search and tablier.evaluators.
#include "search.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "busy.h"
#include "objects.h"

namespace tablier {

using namespace nb::literals;

namespace {

// A row of search/settings.h.
struct SettingObject {
  std::string name, doc;
  nb::object default_value, least, most;  // the last two are None for flags and choices
  std::vector<std::string> choices;
};

template <class Target>
SettingObject to_object(const search::SettingRow<Target>& row) {
  using search::SettingKind;
  const auto number = [&row](double value) -> nb::object {
    if (row.kind == SettingKind::kInteger) return nb::int_(static_cast<std::int64_t>(value));
    return nb::float_(value);
  };
  SettingObject result{std::string(row.name),
                       std::string(row.doc),
                       nb::none(),
                       nb::none(),
                       nb::none(),
                       {row.choices.begin(), row.choices.end()}};
  if (row.kind == SettingKind::kFlag) {
    result.default_value = nb::bool_(row.default_value != 0);
  } else if (row.kind == SettingKind::kChoice) {
    result.default_value = nb::cast(result.choices[static_cast<std::size_t>(row.default_value)]);
  } else {
    result.default_value = number(row.default_value);
    result.least = number(row.least);
    result.most = number(row.most);
  }
  return result;
}

template <class Rows>
nb::list to_objects(const Rows& rows) {
  nb::list list;
  for (const auto& row : rows) list.append(to_object(row));
  return list;
}

void bind_settings(nb::module_& module) {
  nb::class_<SettingObject>(module, "Setting", "A search setting: its meaning, default and accepted values.")
      .def_ro("name", &SettingObject::name, "The name of the field in the config.")
      .def_ro("doc", &SettingObject::doc, "What the setting does, in English.")
      .def_prop_ro(
          "default", [](const SettingObject& self) { return self.default_value; },
          nb::sig("def default(self) -> int | float | bool | str"), "The default value.")
      .def_prop_ro(
          "least", [](const SettingObject& self) { return self.least; },
          nb::sig("def least(self) -> int | float | None"), "The smallest accepted value; None for flags and choices.")
      .def_prop_ro(
          "most", [](const SettingObject& self) { return self.most; }, nb::sig("def most(self) -> int | float | None"),
          "The largest accepted value; None for flags and choices.")
      .def_prop_ro(
          "choices", [](const SettingObject& self) { return nb::tuple(nb::cast(self.choices)); },
          nb::sig("def choices(self) -> tuple[str, ...]"),
          "The accepted values of a choice; empty for other settings.");
  module.def(
      "search_settings", [] { return to_objects(search::kSearchSettings); },
      nb::sig("def search_settings() -> list[Setting]"), "Returns the settings of `tablier.search.SearchConfig`.");
  module.def(
      "expectimax_settings", [] { return to_objects(search::kExpectimaxSettings); },
      nb::sig("def expectimax_settings() -> list[Setting]"),
      "Returns the settings of `tablier.search.ExpectimaxConfig`.");
}

nb::tuple to_tuple(const double* values, int n) { return nb::tuple(to_list(values, n)); }

void bind_root_view(nb::module_& module) {
  nb::class_<CandidateObject>(module, "Candidate",
                              "A legal action of a searched position, and what the search found about it.")
      .def_prop_ro(
          "action", [](const CandidateObject& self) { return self.found.action; }, "The action number.")
      .def_prop_ro(
          "visits", [](const CandidateObject& self) { return self.found.visits; },
          "The number of simulations through this action.")
      .def_prop_ro(
          "prior", [](const CandidateObject& self) { return self.found.prior; }, "The prior probability.")
      .def_prop_ro(
          "policy", [](const CandidateObject& self) { return self.found.policy; },
          "The probability in the policy improved by the search.")
      .def_prop_ro(
          "returns", [](const CandidateObject& self) { return to_tuple(self.found.value, self.players); },
          nb::sig("def returns(self) -> tuple[float, ...]"),
          "The expected future reward of each player after this action; the root's value if it was not visited.")
      .def_prop_ro(
          "solved", [](const CandidateObject& self) { return self.found.solved; }, "Whether the value is exact.");
  using R = RootObject;
  nb::class_<R>(module, "RootView", "The result of a search.")
      .def_prop_ro(
          "candidates",
          [](const R& self) {
            nb::list list;
            for (const auto& one : self.view.candidates) list.append(CandidateObject{one, self.players});
            return list;
          },
          nb::sig("def candidates(self) -> list[Candidate]"), "The legal actions, in ascending order.")
      .def_prop_ro(
          "best",
          [](const R& self) { return self.view.candidates.empty() ? -1 : self.view.candidates[self.view.best].action; },
          "The action to play; -1 if there is none.")
      .def_prop_ro(
          "value", [](const R& self) { return to_tuple(self.view.value, self.players); },
          nb::sig("def value(self) -> tuple[float, ...]"), "The expected future reward of each player.")
      .def_prop_ro(
          "simulations", [](const R& self) { return self.view.simulations; },
          "The number of simulations of this search.")
      .def_prop_ro(
          "reused", [](const R& self) { return self.view.reused; },
          "The number of visits reused from an earlier search.")
      .def_prop_ro(
          "nodes", [](const R& self) { return self.view.nodes; }, "The number of nodes in the tree.")
      .def_prop_ro(
          "bytes", [](const R& self) { return self.view.bytes; }, "The memory used by the tree, in bytes.")
      .def_prop_ro(
          "solved", [](const R& self) { return self.view.solved; }, "Whether the value is exact.")
      .def_prop_ro(
          "full", [](const R& self) { return self.view.full; },
          "Whether the search ended early because the tree reached its memory limit.");
}

}  // namespace

std::vector<double> to_link(const GameObject& game, nb::handle given) {
  if (!given.is_valid() || given.is_none()) return {};
  const int size = game.any->link_size();
  if (size == 0)
    throw nb::value_error(("the game " + std::string(game.facts().name) + " has no link to win chances").c_str());
  Held held;
  const double* numbers = held.take<double>(given, "link", {size}, false);
  if (!std::all_of(numbers, numbers + size, [](double x) { return std::isfinite(x); })) {
    throw nb::value_error("the array 'link' contains a number that is not finite");
  }
  return {numbers, numbers + size};
}

void bind_search(nb::module_& parent) {
  auto module =
      parent.def_submodule("search", "Searches in C++. Use `tablier.search` and `tablier.evaluators` instead.");
  bind_settings(module);
  bind_root_view(module);
  bind_pool(module);
  bind_expectimax(module);
  bind_rollouts(module);
  module.def(
      "open_loop",
      [](nb::handle given, nb::handle config, const StateObject& state, nb::handle seed, double seconds) {
        const auto game = to_game(given);
        expect_game(*game, state);
        const auto settings = to_config(*game->any, config);
        if (settings.evaluator == search::Evaluator::kCaller || settings.evaluator == search::Evaluator::kNetwork) {
          throw nb::value_error("open-loop search accepts only the evaluators uniform, rollout, heuristic and points");
        }
        const auto number = to_seed(seed);
        const Words root = state.words;  // another thread may play in this state meanwhile
        search::RootView view;
        {
          const Released released;
          Patience patience(seconds);
          view = game->any->search_open_loop(game->facts(), root.data(), settings, number,
                                             [&] { return patience.over(); });
        }
        return RootObject{std::move(view), game->facts().num_players};
      },
      "game"_a, "config"_a, "state"_a, "seed"_a = 0, "seconds"_a = 1e18,
      nb::sig(
          "def open_loop(game: tablier._core.Game, config: tablier.search.SearchConfig, state: tablier._core.State, "
          "seed: int = 0, seconds: float = 1e18) -> RootView"),
      "Runs an open-loop search, in which one plan covers all rolls. Used for comparison.\n"
      "\n"
      "Args:\n"
      "    game: The game of the state.\n"
      "    config: The settings; the evaluator must run in C++.\n"
      "    state: The position to search.\n"
      "    seed: Seed of the dice and rollouts, from 0 to 2**64 - 1.\n"
      "    seconds: Time limit.\n"
      "\n"
      "Raises:\n"
      "    ValueError: If the state belongs to a different game, or the evaluator does not run in C++.");
  module.def(
      "words",
      [](const StateObject& state) {
        const auto* data = state.words.data();
        return to_array(std::vector<std::uint64_t>(data, data + state.words.count()),
                        nb::make_tuple(state.words.count()));
      },
      "state"_a, nb::sig("def words(state: tablier._core.State) -> numpy.typing.NDArray[numpy.uint64]"),
      "Returns the words of a state as an array of shape [state_size].");
  module.def(
      "has_heuristic", [](nb::handle game) { return to_game(game)->any->has_estimate(); }, "game"_a,
      nb::sig("def has_heuristic(game: tablier._core.Game) -> bool"), "Returns whether the game has a heuristic.");
  module.def(
      "first_invalid",
      [](nb::handle given, nb::handle states) {
        const auto game = to_game(given);
        const auto n = rows_of(states);
        const CallerArray held(states, "states", false);
        const Word* words = held.expect<std::uint64_t>({n, game->any->state_words()});
        const Released released;
        return first_invalid(*game, words, n);
      },
      "game"_a, "states"_a,
      nb::sig("def first_invalid(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64]) -> int"),
      "Returns the row of the first state in [n, state_size] that is not valid in this game, or -1.");
  module.def(
      "win_chance",
      [](const StateObject& state, nb::handle player, double margin, nb::handle link) {
        const GameObject& game = *state.game;
        const auto seat = static_cast<int>(to_number(player, "player", 0, game.facts().num_players - 1));
        const auto numbers = to_link(game, link);
        if (numbers.empty()) throw nb::type_error("the array 'link' is required");
        if (game.any->current_player(state.words.data()) == kTerminal) throw nb::value_error("the game is over");
        return game.any->win_chance(state.words.data(), seat, margin, numbers.data());
      },
      "state"_a, "player"_a, "margin"_a, "link"_a,
      nb::sig("def win_chance(state: tablier._core.State, player: int, margin: float, link: "
              "numpy.typing.NDArray[numpy.float64]) -> float"),
      "Returns the probability that a player wins, given the margin of points that they can expect from a state on.\n"
      "\n"
      "Args:\n"
      "    state: A state that is not terminal.\n"
      "    player: The player.\n"
      "    margin: What the player can expect to gain on the opponent, in points.\n"
      "    link: The numbers of the game (`Home.win_link`).\n"
      "\n"
      "Raises:\n"
      "    TypeError: If `link` has the wrong shape or dtype.\n"
      "    ValueError: If the game has no such numbers or is over, or `player` is out of range.");
  module.def(
      "evaluate",
      [](nb::handle given, nb::handle evaluator, nb::handle states, nb::handle seed, nb::handle threads,
         nb::handle players) {
        const auto game = to_game(given);
        const auto native = to_native(*game, evaluator);
        const Positions at(*game, states, players, "players", Positions::kOptional);
        const auto number = to_seed(seed);
        std::vector<float> values(at.count() * static_cast<std::size_t>(game->facts().num_players));
        Workers workers(static_cast<int>(to_number(threads, "threads", 1, kMaxThreads)));
        {
          const Released released;
          game->any->evaluate(game->facts(), native.config, at.states(), at.viewers(), at.count(), number, workers,
                              values.data());
        }
        return to_array(values, nb::make_tuple(at.n, game->facts().num_players));
      },
      "game"_a, "evaluator"_a, "states"_a, "seed"_a = 0, "threads"_a = 1, "players"_a = nb::none(),
      nb::sig("def evaluate(game: tablier._core.Game, evaluator: tablier.evaluators.native.NativeEvaluator, states: "
              "numpy.typing.NDArray[numpy.uint64], seed: int = 0, threads: int = 1, players: "
              "numpy.typing.NDArray[numpy.int32] | None = None) -> numpy.typing.NDArray[numpy.float32]"),
      "Evaluates states with a native evaluator.\n"
      "\n"
      "Args:\n"
      "    game: The game of the states.\n"
      "    evaluator: An evaluator that runs in C++.\n"
      "    states: [n, state_size] positions.\n"
      "    seed: Seed of rollouts, from 0 to 2**64 - 1.\n"
      "    threads: Number of threads, from 1 to 1024.\n"
      "    players: [n] player who sees a position before a roll, for networks; None means player 0.\n"
      "\n"
      "Returns:\n"
      "    A float32 array [n, num_players]: the expected future reward of each player.\n"
      "\n"
      "Raises:\n"
      "    TypeError: If `states` has the wrong shape or dtype.\n"
      "    ValueError: If a state is not valid in this game, or the evaluator does not run in C++.");
  module.def(
      "show",
      [](nb::handle given, nb::handle states, nb::handle players, nb::handle features, nb::handle mask,
         nb::handle threads) {
        const auto game = to_game(given);
        const Facts& facts = game->facts();
        const Positions at(*game, states, players, "players",
                           features.is_none() ? Positions::kOptional : Positions::kRequired);
        Held held[2];
        float* seen = held[0].take<float>(features, "features", feature_rows(facts, at.n));
        auto* legal =
            reinterpret_cast<std::uint8_t*>(held[1].take<bool>(mask, "legal_mask", {at.n, facts.num_actions}));
        Workers workers(static_cast<int>(to_number(threads, "threads", 1, kMaxThreads)));
        const Released released;
        game->any->show(facts, at.states(), at.viewers(), at.count(), workers, seen, legal);
      },
      "game"_a, "states"_a, "players"_a, "features"_a = nb::none(), "legal_mask"_a = nb::none(), "threads"_a = 1,
      nb::sig(
          "def show(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], players: "
          "numpy.typing.NDArray[numpy.int32], features: numpy.typing.NDArray[numpy.float32] | None = None, legal_mask: "
          "numpy.typing.NDArray[numpy.bool_] | None = None, threads: int = 1) -> None"),
      "Writes the network input of states.\n"
      "\n"
      "Args:\n"
      "    game: The game of the states.\n"
      "    states: [n, state_size] positions.\n"
      "    players: [n] player who sees each position.\n"
      "    features: [n, *features_shape] output, or None.\n"
      "    legal_mask: [n, num_distinct_actions] output, or None; all False where no player is to move.\n"
      "    threads: Number of threads, from 1 to 1024.\n"
      "\n"
      "Raises:\n"
      "    TypeError: If an array has the wrong shape or dtype.\n"
      "    ValueError: If a state is not valid in this game or a player does not exist.");
  module.def(
      "after",
      [](nb::handle given, nb::handle states, nb::handle actions, nb::handle players, nb::handle rewards) {
        const auto game = to_game(given);
        Positions at(*game, states, nb::none(), "players", Positions::kOptional);
        const auto words = static_cast<std::size_t>(game->any->state_words());
        const int seats = game->facts().num_players;
        Held held[4];
        Word* changed = held[0].take<std::uint64_t>(states, "states", {at.n, game->any->state_words()});
        const std::int32_t* chosen = held[1].take<std::int32_t>(actions, "actions", {at.n}, false);
        std::int32_t* who = held[2].take<std::int32_t>(players, "players", {at.n});
        float* brought = held[3].take<float>(rewards, "rewards", {at.n, seats});
        if (!chosen || !who) throw nb::type_error("arrays 'actions' and 'players' are required");
        double before[kMaxPlayers] = {}, after[kMaxPlayers] = {};
        for (Py_ssize_t i = 0; i < at.n; ++i) {
          Word* state = at.states() + static_cast<std::size_t>(i) * words;
          const Action action = chosen[i];
          const int mover = game->any->current_player(state);
          if (mover < 0 || !game->any->is_legal(state, action)) {
            throw nb::value_error(
                ("row " + std::to_string(i) + ": action " + std::to_string(action) + " is not legal").c_str());
          }
          game->any->returns(state, before);
          game->any->apply(state, action);
          game->any->returns(state, after);
          for (int p = 0; p < seats && brought; ++p) brought[i * seats + p] = static_cast<float>(after[p] - before[p]);
          const int next = game->any->current_player(state);
          who[i] = next >= 0 ? next : next == kChance ? mover : -1;
        }
        std::copy_n(at.states(), at.count() * words, changed);
      },
      "game"_a, "states"_a, "actions"_a, "players"_a, "rewards"_a = nb::none(),
      nb::sig("def after(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64], actions: "
              "numpy.typing.NDArray[numpy.int32], players: numpy.typing.NDArray[numpy.int32], rewards: "
              "numpy.typing.NDArray[numpy.float32] | None = None) -> None"),
      "Replaces each state by its afterstate: plays one action and no dice.\n"
      "\n"
      "Args:\n"
      "    game: The game of the states.\n"
      "    states: [n, state_size] positions, changed in place.\n"
      "    actions: [n] action to play in each.\n"
      "    players: [n] output: the next player to decide or, before a roll, the player who moved; -1 if\n"
      "        the game is over.\n"
      "    rewards: [n, num_players] output, or None: rewards of the action.\n"
      "\n"
      "Raises:\n"
      "    TypeError: If an array has the wrong shape or dtype.\n"
      "    ValueError: If a state is not valid in this game or an action is not legal. The states are\n"
      "        unchanged.");
}

}  // namespace tablier
