// The contract between a game and everything that uses one.
//
// A game is data plus functions over bytes: a trivially copyable State, a literal of Facts, and functions that read or
// change a State and never allocate. A State holds no history and no random generator: whoever plays the game samples
// the chance actions, and apply() is deterministic.
//
// What this file is not: it knows no particular game, and nothing about threads, Python or search.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tablier {

using Word = std::uint64_t;  // States are stored, saved and exchanged as 64-bit words.
using Action = std::int32_t;

// What current_player() answers when nobody is to decide. The numbers are OpenSpiel's.
inline constexpr int kChance = -1;
inline constexpr int kTerminal = -4;

inline constexpr int kMaxPlayers = 8;

struct Shape {
  int rank = 0;
  int dims[4] = {0, 0, 0, 0};

  constexpr int size() const {
    int product = rank == 0 ? 0 : 1;
    for (int i = 0; i < rank; ++i) product *= dims[i];
    return product;
  }
};

enum class OptionKind { kInteger, kFlag, kChoice };

// One rule option. A value is always an integer: a flag is 0 or 1, a choice is an index into `choices`.
struct Option {
  std::string_view name;
  OptionKind kind = OptionKind::kInteger;
  std::int64_t default_value = 0;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::span<const std::string_view> choices = {};
  std::string_view doc = {};

  constexpr std::int64_t least() const { return kind == OptionKind::kInteger ? min : 0; }
  constexpr std::int64_t largest() const {
    if (kind == OptionKind::kInteger) return max;
    return kind == OptionKind::kFlag ? 1 : static_cast<std::int64_t>(choices.size()) - 1;
  }
};

// Options that exclude each other: a short name of the problem, and the problem in English. Both are empty if all is
// well.
struct Contradiction {
  std::string_view slug = {}, text = {};

  explicit constexpr operator bool() const { return !slug.empty(); }
};

enum class Utility { kZeroSum, kGeneralSum };
enum class RewardModel { kTerminal, kEveryStep };

struct Facts {
  std::string_view name;   // how load_game() finds it
  std::string_view title;  // how people call it
  std::string_view help;   // the rules and the actions, for a person who wants to play
  int num_players = 2;
  int num_actions = 0;          // of the players; actions are 0 .. num_actions - 1
  int max_chance_outcomes = 0;  // at chance nodes outcomes are 0 .. max_chance_outcomes - 1; 0: no dice
  int max_game_length = 0;      // decisions and rolls; 0: no bound
  double min_utility = -1;
  double max_utility = 1;
  Utility utility = Utility::kZeroSum;
  RewardModel reward_model = RewardModel::kTerminal;
  Shape observation = {};
  bool observation_is_signed = false;  // the bytes are int8, not uint8
  Shape features = {};
  int observation_colour = -1;  // the entry, if any, that names the player to move by number: mirroring turns it round
  int features_colour = -1;
  int string_buffer_size = 0;  // enough for any state's or action's text, the final 0 included
  std::span<const Option> options = {};
  // Options that were dropped since they changed nothing: files that name them still open, and they are passed over.
  std::span<const Option> retired = {};
  // The names of the options in the order in which states of format 1 were saved; by default that of `options`.
  std::span<const std::string_view> format1_options = {};

  // The most entries legal_actions() can write, for a player or for the dice.
  constexpr int max_actions() const { return num_actions > max_chance_outcomes ? num_actions : max_chance_outcomes; }
};

// Every chance node lists outcomes of equal probability (contract, section 4), so no probabilities are stored:
// each of the n outcomes that legal_actions() lists has probability 1/n.
template <class G>
concept Game =
    std::is_trivially_copyable_v<typename G::State> && sizeof(typename G::State) % sizeof(Word) == 0 &&
    requires(const G& game, const typename G::State& state, typename G::State& changed, Action action, Action* actions,
             double* scores, std::uint8_t* bytes, float* floats, char* text, std::span<const std::int64_t> options) {
      { game.facts } -> std::convertible_to<const Facts&>;
      { G::kMaxActions } -> std::convertible_to<int>;  // size of an action buffer on the stack
      { game.init(options, changed) };
      { game.current_player(state) } -> std::same_as<int>;
      { game.legal_actions(state, actions) } -> std::same_as<int>;  // ascending; 0 entries when terminal
      { game.apply(changed, action) };                              // unchecked: the action must be legal
      { game.returns(state, scores) };                              // rewards collected since the start, one per player
      { game.observation(state, 0, bytes) };
      { game.features(state, 0, floats) };
      { game.to_string(state, text) };                       // tells two different states apart
      { game.action_to_string(state, action, text) };        // at a chance node: names the outcome
      { game.invalid(state) } -> std::same_as<const char*>;  // why no game can reach it, or nullptr
    };

// Optional: exchanges the two players' seats in a position. False, and nothing changes, where that makes no sense.
template <class G>
concept Mirrorable = Game<G> && requires(const G& game, typename G::State& state) {
  { game.mirror(state) } -> std::same_as<bool>;
};

// Optional: facts that depend on the options (sizes never grow beyond kMaxActions), and options that exclude each
// other.
template <class G>
concept Describes = Game<G> && requires(const G& game, std::span<const std::int64_t> options) {
  { game.describe(options) } -> std::same_as<Facts>;
  { game.contradiction(options) } -> std::same_as<Contradiction>;
};

// Optional: a test of one action that is cheaper than listing them all.
template <class G>
concept TestsActions = Game<G> && requires(const G& game, const typename G::State& state, Action action) {
  { game.is_legal(state, action) } -> std::same_as<bool>;
};

// For games whose states carry rule options: whether two states were made under the same ones.
template <class G>
concept CarriesRules = Game<G> && requires(const G& game, const typename G::State& state) {
  { game.same_rules(state, state) } -> std::same_as<bool>;
};

// Optional: makes a state that an earlier version saved one of this version, as when an option was retired.
template <class G>
concept Upgrades = Game<G> && requires(const G& game, typename G::State& changed) {
  { game.upgrade(changed) };
};

// Optional: throws that come to the same, such as (5, 2) and (2, 5). A search looks at one of each class only.
template <class G>
concept MergesChance = Game<G> && requires(const G& game, const typename G::State& state, typename G::State& changed,
                                           Action* outcomes, int* weights) {
  // One outcome of each class and how many outcomes the class has. The weights sum to the number of outcomes.
  { game.chance_classes(state, outcomes, weights) } -> std::same_as<int>;
  { game.canonical(changed) };  // the state, had the outcome been thrown that stands for its class
};

// The classes of throws; without the concept each outcome is one.
template <Game G>
int chance_classes(const G& game, const typename G::State& state, Action* outcomes, int* weights) {
  if constexpr (MergesChance<G>) {
    return game.chance_classes(state, outcomes, weights);
  } else {
    const int count = game.legal_actions(state, outcomes);
    for (int i = 0; i < count; ++i) weights[i] = 1;
    return count;
  }
}

// Optional: a quick guess of what each player will still collect from here.
template <class G>
concept Estimates = Game<G> && requires(const G& game, const typename G::State& state, double* to_come) {
  { game.estimate(state, to_come) };
};

// Optional, for the conformance kit: states that `player` cannot tell from this one. What they see must be the same in
// all of them. No kernel calls it, so it may allocate.
template <class G>
concept HidesInformation = Game<G> && requires(const G& game, const typename G::State& state, int player) {
  { game.indistinguishable(state, player) } -> std::same_as<std::vector<typename G::State>>;
};

// The most players a game can have: room for a value of each.
template <Game G>
inline constexpr int seats = [] {
  if constexpr (requires { G::kSeats; }) {
    return G::kSeats;
  } else {
    return G::facts.num_players;
  }
}();

template <Game G>
inline constexpr int state_words = sizeof(typename G::State) / sizeof(Word);

inline constexpr int kMaxOptions = 64;

// Each option has a name of its own, something to choose, and a default among it.
constexpr bool well_declared(std::span<const Option> options, std::span<const Option> retired) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option& option = options[i];
    if (option.name.empty() || option.doc.empty() || option.least() >= option.largest()) return false;
    if (option.default_value < option.least() || option.default_value > option.largest()) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (options[j].name == option.name) return false;
    }
    for (const Option& old : retired) {
      if (old.name == option.name) return false;
    }
  }
  return true;
}

// Checked at compile time for every game that is registered or exported.
template <Game G>
constexpr bool sound() {
  static_assert(std::has_unique_object_representations_v<typename G::State>, "padding would break equality of states");
  static_assert(G::facts.max_actions() <= G::kMaxActions, "kMaxActions is the size of every action buffer");
  static_assert(G::facts.num_players >= 1 && G::facts.num_players <= kMaxPlayers);
  static_assert(G::facts.options.size() <= kMaxOptions);
  static_assert(well_declared(G::facts.options, G::facts.retired));
  static_assert(G::facts.observation.size() > 0 && G::facts.features.size() > 0 && G::facts.string_buffer_size > 0);
  return true;
}

template <Game G>
bool is_legal(const G& game, const typename G::State& state, Action action) {
  if constexpr (TestsActions<G>) {
    return game.is_legal(state, action);
  } else {
    Action actions[G::kMaxActions];
    const int count = game.legal_actions(state, actions);
    for (int i = 0; i < count; ++i) {
      if (actions[i] == action) return true;
    }
    return false;
  }
}

inline constexpr const char* kTwoAnswers =
    "the game gave two answers to one question; its functions may depend on their arguments only";

// A game in Python (kMayThrow) may answer one question in two ways. Where an earlier answer decided how much room there
// is, the next one is compared with it, so that nothing is written past that room.
template <Game G>
void expect_same([[maybe_unused]] bool same) {
  if constexpr (requires { G::kMayThrow; }) {
    if (!same) throw std::invalid_argument(kTwoAnswers);
  }
}

// The legal actions of a state in which `player`, or the dice, are to decide: as many, and as small, as the facts say.
template <Game G>
int actions_of(const G& game, const Facts& facts, const typename G::State& state, int player, Action* out) {
  const int count = game.legal_actions(state, out);
  if constexpr (requires { G::kMayThrow; }) {
    const int width = player == kChance ? facts.max_chance_outcomes : facts.num_actions;
    expect_same<G>(count > 0 && out[count - 1] < width);  // they ascend
  }
  (void)facts, (void)player;
  return count;
}

// The actions action_at(0) .. action_at(count - 1) as a row of `width` bytes, 1 = legal.
template <class ActionAt>
void write_mask(int count, ActionAt action_at, int width, std::uint8_t* row) {
  std::memset(row, 0, static_cast<std::size_t>(width));
  for (int i = 0; i < count; ++i) row[action_at(i)] = 1;
}

// The legal actions of a state as a row of num_actions bytes; all 0 where no player decides.
template <Game G>
void write_mask(const G& game, const Facts& facts, const typename G::State& state, int player, std::uint8_t* row) {
  Action actions[G::kMaxActions];
  const int count = player >= 0 ? actions_of(game, facts, state, player, actions) : 0;
  write_mask(count, [&actions](int i) { return actions[i]; }, facts.num_actions, row);
}

}  // namespace tablier

// The last line of a game's file. It registers the game in registry.cpp, exports it in a plugin (plugin.h), and
// elsewhere only checks that the contract is fulfilled.
#ifndef TABLIER_GAME
#define TABLIER_GAME(G) static_assert(::tablier::sound<G>())
#endif
