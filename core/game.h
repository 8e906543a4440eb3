// The contract between a game and everything that uses it.
//
// A game is data plus functions over bytes: a trivially copyable State, a Facts literal, and functions that read or
// change a State and never allocate. A State holds no history and no random generator: the caller samples chance
// actions, and apply() is deterministic.
//
// This file contains no particular game, and nothing about threads, Python or search.
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

// Returned by current_player() when no player is to move. The values are OpenSpiel's.
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

// A conflict between options: a short name for the message key, and the English text. Both are empty if there is none.
struct Contradiction {
  std::string_view slug = {}, text = {};

  explicit constexpr operator bool() const { return !slug.empty(); }
};

enum class Utility { kZeroSum, kGeneralSum };
enum class RewardModel { kTerminal, kEveryStep };

struct Facts {
  std::string_view name;   // accepted by load_game()
  std::string_view title;  // shown to people
  std::string_view help;   // the rules and the action numbers, for people
  int num_players = 2;
  int num_actions = 0;          // player actions are 0 .. num_actions - 1
  int max_chance_outcomes = 0;  // chance outcomes are 0 .. max_chance_outcomes - 1; 0: no dice
  int max_game_length = 0;      // decisions and rolls; 0: no limit
  double min_utility = -1;
  double max_utility = 1;
  Utility utility = Utility::kZeroSum;
  RewardModel reward_model = RewardModel::kTerminal;
  Shape observation = {};
  bool observation_is_signed = false;  // the bytes are int8, not uint8
  Shape features = {};
  int observation_colour = -1;  // entry with the number of the player to move, which mirroring flips; -1: none
  int features_colour = -1;
  int string_buffer_size = 0;  // enough for the text of any state or action, with the final 0
  std::span<const Option> options = {};
  // Options that were removed because they had no effect. Files that name them still load; the values are ignored.
  std::span<const Option> retired = {};
  // The order of options in states saved in format 1; empty means the order of `options`.
  std::span<const std::string_view> format1_options = {};

  // The maximum number of entries that legal_actions() writes, for a player or for chance.
  constexpr int max_actions() const { return num_actions > max_chance_outcomes ? num_actions : max_chance_outcomes; }
};

// The outcomes of a chance node are equally likely (contract, section 4): each of the n outcomes that legal_actions()
// lists has probability 1/n.
template <class G>
concept Game =
    std::is_trivially_copyable_v<typename G::State> && sizeof(typename G::State) % sizeof(Word) == 0 &&
    requires(const G& game, const typename G::State& state, typename G::State& changed, Action action, Action* actions,
             double* scores, std::uint8_t* bytes, float* floats, char* text, std::span<const std::int64_t> options) {
      { game.facts } -> std::convertible_to<const Facts&>;
      { G::kMaxActions } -> std::convertible_to<int>;  // size of action buffers on the stack
      { game.init(options, changed) };
      { game.current_player(state) } -> std::same_as<int>;
      { game.legal_actions(state, actions) } -> std::same_as<int>;  // ascending; none if terminal
      { game.apply(changed, action) };                              // unchecked: the action must be legal
      { game.returns(state, scores) };                              // total reward of each player so far
      { game.observation(state, 0, bytes) };
      { game.features(state, 0, floats) };
      { game.to_string(state, text) };                       // different states have different texts
      { game.action_to_string(state, action, text) };        // or of an outcome, at a chance node
      { game.invalid(state) } -> std::same_as<const char*>;  // why it is unreachable, or nullptr
    };

// Optional: swaps the seats of the two players. Returns false and changes nothing if the position has no mirror image.
template <class G>
concept Mirrorable = Game<G> && requires(const G& game, typename G::State& state) {
  { game.mirror(state) } -> std::same_as<bool>;
};

// Required of a Mirrorable game whose actions name a seat's own places: the action that has the same effect in the
// mirror image. Outcomes of rolls stay the same. Applying it twice gives the action itself.
template <class G>
concept MirrorsActions = Mirrorable<G> && requires(const G& game, Action action) {
  { game.mirror_action(action) } -> std::same_as<Action>;
};

// Optional: facts that depend on the options (but never exceed kMaxActions), and conflicts between options.
template <class G>
concept Describes = Game<G> && requires(const G& game, std::span<const std::int64_t> options) {
  { game.describe(options) } -> std::same_as<Facts>;
  { game.contradiction(options) } -> std::same_as<Contradiction>;
};

// Optional: tests one action faster than listing them all.
template <class G>
concept TestsActions = Game<G> && requires(const G& game, const typename G::State& state, Action action) {
  { game.is_legal(state, action) } -> std::same_as<bool>;
};

// Required if states store rule options: whether two states have the same ones.
template <class G>
concept CarriesRules = Game<G> && requires(const G& game, const typename G::State& state) {
  { game.same_rules(state, state) } -> std::same_as<bool>;
};

// Optional: converts a state saved by an earlier version, for example after an option was retired.
template <class G>
concept Upgrades = Game<G> && requires(const G& game, typename G::State& changed) {
  { game.upgrade(changed) };
};

// Optional: merges equivalent rolls, such as (5, 2) and (2, 5). Search visits only one roll of each class.
template <class G>
concept MergesChance = Game<G> && requires(const G& game, const typename G::State& state, typename G::State& changed,
                                           Action* outcomes, int* weights) {
  // Writes one outcome of each class and the size of the class. The sizes add up to the number of outcomes.
  { game.chance_classes(state, outcomes, weights) } -> std::same_as<int>;
  { game.canonical(changed) };  // replaces the last roll by the representative of its class
};

// The classes of a roll. Without MergesChance every outcome is its own class.
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

// Optional: a fast estimate of the future reward of each player.
template <class G>
concept Estimates = Game<G> && requires(const G& game, const typename G::State& state, double* to_come) {
  { game.estimate(state, to_come) };
};

// Optional: the game knows what some positions are worth, exactly or nearly so, such as the end of a race. Search and
// self-play with a network or a heuristic then use these values.
template <class G>
concept KnowsValues = Game<G> && requires(const G& game, const typename G::State& state, double* to_come) {
  // Writes the future reward of each player if all play their best. Returns false, and writes nothing, if it is not
  // known. The game is not over.
  { game.known_value(state, to_come) } -> std::same_as<bool>;
  // A quick test: false if the value of neither this state nor any of its afterstates is known.
  { game.knows_ahead(state) } -> std::same_as<bool>;
};

template <Game G>
bool known_value(const G& game, const typename G::State& state, double* to_come) {
  if constexpr (KnowsValues<G>) return game.known_value(state, to_come);
  (void)game, (void)state, (void)to_come;
  return false;
}

template <Game G>
bool knows_ahead(const G& game, const typename G::State& state) {
  if constexpr (KnowsValues<G>) return game.knows_ahead(state);
  (void)game, (void)state;
  return false;
}

// Optional: a player may act twice in one turn, without a roll in between. Networks and estimates then value the
// position between the two actions by the best way to finish the turn, and not directly.
template <class G>
concept SplitsTurns = Game<G> && requires(const G& game, const typename G::State& state, Action action) {
  // Whether the player to decide may have to act a second time in this turn.
  { game.starts_turn(state) } -> std::same_as<bool>;
  // Whether the player to decide has already acted in this turn.
  { game.finishes_turn(state) } -> std::same_as<bool>;
  // Calls visit(action, after), as for_each_afterstate() does, for actions that finish the turn after `action`. Those
  // that lead to the same position as another first action with another second one may be left out, if that other pair
  // is listed.
  {
    game.rest_of_turn(state, action, [](Action, const auto&) {})
  };
};

template <Game G>
bool starts_turn(const G& game, const typename G::State& state) {
  if constexpr (SplitsTurns<G>) return game.starts_turn(state);
  (void)game, (void)state;
  return false;
}

template <Game G>
bool finishes_turn(const G& game, const typename G::State& state) {
  if constexpr (SplitsTurns<G>) return game.finishes_turn(state);
  (void)game, (void)state;
  return false;
}

// Optional: turns the margin of points that a player can expect from a position into the probability that they win.
template <class G>
concept LinksMargins = Game<G> && requires(const G& game, const typename G::State& state, const double* link) {
  { G::kLinkSize } -> std::convertible_to<int>;  // how many numbers `link` has; their meaning is the game's own
  { game.win_chance(state, 0, 0.0, link) } -> std::same_as<double>;
};

// Optional: a position as a row of small whole numbers, for networks in the core (core/nets). Features must be a sum of
// functions of one code each, plus a constant.
template <class G>
concept Coded = Game<G> && requires(const G& game, const Facts& facts, const typename G::State& state, int player,
                                    int count, std::uint8_t* codes, const std::uint8_t* given, float* features) {
  { game.code_sizes() } -> std::convertible_to<std::span<const std::uint16_t>>;  // the number of values of each code
  { game.code_count(facts) } -> std::same_as<int>;  // how many of the first codes the features depend on
  // Writes at least the first `count` codes, each below its size. There is room for all.
  { game.codes(state, player, count, codes) };
  { game.decode(state, given, features) };  // the features; `state` is any state, for the rules it carries
};

// Optional: lists the afterstates of a decision faster than apply() makes them, and says in which codes they differ.
template <class G>
concept ListsAfterstates = Coded<G> && requires(const G& game, const typename G::State& state) {
  // Calls visit(action, after) for each legal action, in ascending order. `after` has the functions of Afterstate.
  {
    game.afterstates(state, [](Action, const auto&) {})
  };
};

// An afterstate, valid only during the visit. This is the plain one, of games without ListsAfterstates.
template <class State>
struct Afterstate {
  const State& after;

  const State& state() const { return after; }
  // A state with the same returns, the same win_chance() and the same player to act, in which the mover sees nearly the
  // same of the first `count` codes; nullptr if there is none. It need not occur in the game, but all afterstates of a
  // decision that have any have the same.
  const State* near(int) const { return nullptr; }
  // Says in which of the first `count` codes of the mover's view the afterstate differs from near(), which is not null:
  //   put(index, code)                 this code, which may also be that of near()
  //   put.step(from, to, less, more)   one code falls by 1, another rises by 1
  //   put.fall(from, less)             one code falls by 1
  // `less` and `more` are by how much the steps before have changed these codes. No code is both put and in a step, and
  // there are no more calls than codes. It is faster if all afterstates have equally many steps, even if one changes
  // nothing: from == to, with more = less - 1.
  template <class Put>
  void recode(int, Put&) const {}
};

// Optional, for the conformance kit: states that `player` cannot tell from this one, which checks that the player sees
// the same in all of them. No kernel calls it, so it may allocate.
template <class G>
concept HidesInformation = Game<G> && requires(const G& game, const typename G::State& state, int player) {
  { game.indistinguishable(state, player) } -> std::same_as<std::vector<typename G::State>>;
};

// The maximum number of players, for arrays with one entry per player.
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

// Whether each option has a unique name, at least two values, and a valid default.
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

// Compile-time checks of every game that is registered or exported.
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

// Optional, for games whose invalid() is slow, and required of games in the tree whose facts depend on options: whether
// words from outside are safe to compute with. On such a state, possible or not, no function reads or writes outside of
// the buffers that `facts` declares, nor does it after any legal action.
template <class G>
concept BoundsStates = Game<G> && requires(const typename G::State& state, const Facts& facts) {
  { G::bounded(state, facts) } -> std::same_as<bool>;
};

template <Game G>
bool bounded(const G& game, const Facts& facts, const typename G::State& state) {
  if constexpr (BoundsStates<G>) return G::bounded(state, facts);
  (void)facts;
  return game.invalid(state) == nullptr;
}

inline constexpr const char* kTwoAnswers =
    "the game returned different results for the same state; its functions must depend only on their arguments";

// A Python game (kMayThrow) may be inconsistent between two calls. Where the first result fixed the size of a buffer,
// the second is compared with it, so that nothing is written past the end.
template <Game G>
void expect_same([[maybe_unused]] bool same) {
  if constexpr (requires { G::kMayThrow; }) {
    if (!same) throw std::invalid_argument(kTwoAnswers);
  }
}

// The legal actions of a state in which `player` or chance acts. For Python games, checks that they fit the facts.
template <Game G>
int actions_of(const G& game, const Facts& facts, const typename G::State& state, int player, Action* out) {
  const int count = game.legal_actions(state, out);
  if constexpr (requires { G::kMayThrow; }) {
    const int width = player == kChance ? facts.max_chance_outcomes : facts.num_actions;
    expect_same<G>(count > 0 && out[count - 1] < width);  // they are ascending
  }
  (void)facts, (void)player;
  return count;
}

// Calls visit(action, after) for each legal action of a state in which `player` decides. `after` has the functions of
// Afterstate.
template <Game G, class Visit>
void for_each_afterstate(const G& game, const Facts& facts, const typename G::State& state, int player, Visit visit) {
  if constexpr (ListsAfterstates<G>) {
    game.afterstates(state, visit);
  } else {
    Action actions[G::kMaxActions];
    const int count = actions_of(game, facts, state, player, actions);
    for (int i = 0; i < count; ++i) {
      typename G::State after = state;
      game.apply(after, actions[i]);
      visit(actions[i], Afterstate<typename G::State>{after});
    }
  }
}

// Writes the actions action_at(0) .. action_at(count - 1) as a mask of `width` bytes, 1 = legal.
template <class ActionAt>
void write_mask(int count, ActionAt action_at, int width, std::uint8_t* row) {
  std::memset(row, 0, static_cast<std::size_t>(width));
  for (int i = 0; i < count; ++i) row[action_at(i)] = 1;
}

// Writes the legal actions as a mask of num_actions bytes; all 0 if no player is to move.
template <Game G>
void write_mask(const G& game, const Facts& facts, const typename G::State& state, int player, std::uint8_t* row) {
  Action actions[G::kMaxActions];
  const int count = player >= 0 ? actions_of(game, facts, state, player, actions) : 0;
  write_mask(count, [&actions](int i) { return actions[i]; }, facts.num_actions, row);
}

}  // namespace tablier

// The last line of a game's file. It registers the game (registry.cpp) or exports it from a plugin (plugin.h);
// elsewhere it only checks the contract.
#ifndef TABLIER_GAME
#define TABLIER_GAME(G) static_assert(::tablier::sound<G>())
#endif
