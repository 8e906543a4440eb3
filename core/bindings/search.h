// Shared by the bindings of search: settings from Python objects, checks of arrays, time limits.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "../search/settings.h"
#include "arrays.h"
#include "gil.h"
#include "objects.h"

namespace tablier {

// Reads a setting from the attribute of a tablier.search.SearchConfig or ExpectimaxConfig.
template <class Target>
double setting_value(const search::SettingRow<Target>& row, nb::handle given) {
  const std::string name(row.name);
  const nb::object value = given.attr(name.c_str());
  const auto wrong_type = [&name] { return nb::type_error(("the setting '" + name + "' has the wrong type").c_str()); };
  if (row.kind != search::SettingKind::kChoice) {
    double number = 0;
    if (!nb::try_cast(value, number)) throw wrong_type();
    if (number >= row.least && number <= row.most) return number;
    throw nb::value_error(("the setting '" + name + "' is out of range").c_str());
  }
  std::string word;
  if (!nb::try_cast(value, word)) throw wrong_type();
  const auto found = std::find(row.choices.begin(), row.choices.end(), word);
  if (found != row.choices.end()) return static_cast<double>(found - row.choices.begin());
  throw nb::value_error(("'" + word + "' is not a valid " + name + "; accepted: " + comma_list(row.choices)).c_str());
}

template <class Target, std::size_t N>
Target to_settings(const std::array<search::SettingRow<Target>, N>& rows, nb::handle given) {
  Target target;
  for (const auto& row : rows) row.write(target, setting_value(row, given));
  return target;
}

inline void expect_evaluator(const AnyGame& game, const search::Config& config) {
  if (config.evaluator == search::Evaluator::kEstimate && !game.has_estimate()) {
    const std::string name(game.facts().name);
    throw Refusal("the game " + name + " has no heuristic", "game.no_heuristic", {{"game", name}});
  }
}

// Raises ValueError if a network cannot read the positions of a game.
void expect_fit(const GameObject& game, const nets::Network& network);

// Sets the network of a config whose evaluator is one, and returns it for the caller to keep alive. Raises TypeError if
// there is none, ValueError if it does not fit the game.
std::shared_ptr<nets::Network> attach(const GameObject& game, search::Config& config, nb::handle network);

// The numbers that turn margins into chances; empty for None. Raises TypeError or ValueError if they do not fit.
std::vector<double> to_link(const GameObject& game, nb::handle given);

// The config of a native evaluator: an object with the attributes `evaluator` (its name), `rollouts`, `network` and
// `link`.
struct NativeConfig {
  search::Config config;
  std::shared_ptr<nets::Network> network;
  std::vector<double> link;
};
inline NativeConfig to_native(const GameObject& object, nb::handle evaluator) {
  const AnyGame& game = *object.any;
  search::Config config;
  for (const auto& row : search::kSearchSettings) {
    if (row.name == "evaluator" || row.name == "rollouts") row.write(config, setting_value(row, evaluator));
  }
  expect_evaluator(game, config);
  if (config.evaluator == search::Evaluator::kCaller)
    throw nb::value_error("the evaluator does not run in C++; pass a native one, such as uniform or rollout");
  auto network = attach(object, config, nb::getattr(evaluator, "network", nb::none()));
  auto link = to_link(object, nb::getattr(evaluator, "link", nb::none()));
  if (!link.empty()) config.link = link.data();
  return {config, std::move(network), std::move(link)};  // moving a vector keeps its data where they are
}

inline search::Config to_config(const AnyGame& game, nb::handle given) {
  const auto config = to_settings(search::kSearchSettings, given);
  expect_evaluator(game, config);
  return config;
}

inline std::shared_ptr<GameObject> to_game(nb::handle given) {
  if (nb::isinstance<GameObject>(given)) return nb::cast<std::shared_ptr<GameObject>>(given);
  const auto type = nb::cast<std::string>(given.type().attr("__name__"));
  throw nb::type_error(("game must be a tablier.Game from tablier.load_game(), not " + type).c_str());
}

inline void expect_game(const GameObject& game, const StateObject& state) {
  if (!game.same_rules(*state.game))
    throw nb::value_error("the state belongs to a different game or to different options");
}

// The first of n states that is not valid under the rules of this game, or -1. Callable without the GIL.
inline Py_ssize_t first_invalid(const GameObject& game, const Word* states, Py_ssize_t n) {
  for (Py_ssize_t i = 0; i < n; ++i) {
    const Word* state = states + i * game.any->state_words();
    if (game.any->invalid(state) || !game.any->same_rules(state, game.start.data())) return i;
  }
  return -1;
}

inline Py_ssize_t rows_of(nb::handle array) {
  if (array.is_none()) return -1;
  const Py_ssize_t rows = PyObject_Size(array.ptr());
  if (rows < 0) throw nb::python_error();
  return rows;
}

// Positions of the caller, with the player who sees each.
//
// Games trust their states, so these are copies, validated as such: converting the other arguments may run Python code
// that changes the caller's arrays, and so may other threads once the GIL is released.
class Positions {
 public:
  enum Players { kRequired, kOptional };  // kOptional: `players` may be None; then viewers() is null

  Positions(const GameObject& game, nb::handle states, nb::handle players, const char* players_name = "players",
            Players needed = kRequired)
      : n(rows_of(states)) {
    const auto words = static_cast<Py_ssize_t>(game.any->state_words());
    const CallerArray given(states, "states", false);
    const Word* first = given.expect<std::uint64_t>({n, words});
    states_.assign(first, first + n * words);
    if (needed == kRequired || !players.is_none()) {
      const CallerArray seats(players, players_name, false);
      const std::int32_t* seat = seats.expect<std::int32_t>({n});
      viewers_.assign(seat, seat + n);
    }
    expect_players(game.facts(), players_name);
    expect_states(game);
  }

  const Word* states() const { return states_.data(); }
  Word* states() { return states_.data(); }
  const std::int32_t* viewers() const { return viewers_.empty() ? nullptr : viewers_.data(); }
  std::size_t count() const { return static_cast<std::size_t>(n); }

  const Py_ssize_t n;

 private:
  void expect_states(const GameObject& game) const {
    Py_ssize_t wrong = -1;
    {
      const Released released;
      wrong = first_invalid(game, states_.data(), n);
    }
    if (wrong >= 0)
      throw nb::value_error(
          ("row " + std::to_string(wrong) + " of array 'states' is not a valid state of this game").c_str());
  }
  void expect_players(const Facts& facts, const char* name) const {
    const auto wrong = [&facts](std::int32_t player) { return player < 0 || player >= facts.num_players; };
    if (std::any_of(viewers_.begin(), viewers_.end(), wrong))
      throw nb::value_error(
          ("array '" + std::string(name) + "' contains a player number that is out of range").c_str());
  }

  std::vector<Word> states_;
  std::vector<std::int32_t> viewers_;
};

template <class T>
nb::object to_array(const std::vector<T>& values, const nb::tuple& shape) {
  nb::object array = new_array(shape, Dtype<T>::name);
  const CallerArray buffer(array, "result", true);
  if (!values.empty()) std::memcpy(buffer.data(), values.data(), values.size() * sizeof(T));
  return array;
}

inline nb::list to_list(const double* values, int n) {
  nb::list list;
  for (int i = 0; i < n; ++i) list.append(values[i]);
  return list;
}

// An optional array of the caller, held while it is used.
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

inline std::vector<Py_ssize_t> feature_rows(const Facts& facts, Py_ssize_t rows) {
  auto shape = dims(facts.features);
  shape.insert(shape.begin(), rows);
  return shape;
}

// Ends long work when the time is up, and checks for Ctrl-C every few milliseconds. Called without the GIL.
class Patience {
 public:
  explicit Patience(double seconds) : seconds_(seconds) {}

  bool over() {
    const double now = elapsed();
    if (now > seconds_) return true;
    if (now - asked_ < 0.005) return false;
    asked_ = now;
    const Acquired held;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return false;
  }

 private:
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  double seconds_, asked_ = 0;
};

// The results of a search. `players` is the number of entries in each value.
struct RootObject {
  search::RootView view;
  int players;
};
struct CandidateObject {
  search::Candidate found;
  int players;
};

void bind_pool(nb::module_& module);
void bind_expectimax(nb::module_& module);
void bind_rollouts(nb::module_& module);

}  // namespace tablier
