// Backgammon without the doubling cube, by the rules of docs/backgammon.md.
//
// board.h       one player's places, and where a number can be played
// actions.h     the action numbers, those of OpenSpiel     plays.h  the legal plays of a throw
// rules.h       the options                                state.h  the state in 40 bytes and the order of play
// encoding.h    observations and features                  text.h   text for people
// codes.h       a position as codes, for networks in the core (expert.h, afterstates.h)
// validity.h    which states are possible                  parts.h  a state as plain values, and back
// bear_off.h    exact play when both players are home (known.h)
// turns.h       whole turns, for comparison with others    hyper.h  exact play of hypergammon
#pragma once

#include "../../game.h"
#include "afterstates.h"
#include "known.h"
#include "text.h"
#include "validity.h"

namespace tablier {

struct Backgammon {
  using State = backgammon::Core;

  static constexpr auto kOptions = options_of(backgammon::kRuleRows);

  static constexpr Facts facts{
      .name = "backgammon",
      .title = "Backgammon",
      .help =
          "Two players bring fifteen men home by the throws of two dice and bear them off; the first to bear off all\n"
          "men wins. A single man can be hit, and starts again from the bar. A win counts 1, a gammon (the opponent\n"
          "has borne off no man) 2, a backgammon (and has a man on the bar or in the winner's home) 3. There is no\n"
          "doubling cube. Each player throws one die to open; the higher one starts and plays both.\n"
          "Actions: first + 26 * second, where first and second are the points that men leave: 0 .. 23 (player 0\n"
          "moves up, player 1 down), 24 the bar, 25 no move; + 676 if the lower die is played first; 1351 passes.\n"
          "A doublet is two turns of two moves. At a chance node, outcome i is the throw (i // 6 + 1, i % 6 + 1),\n"
          "each 1/36; in the opening, player 0's die and player 1's.",
      .num_actions = backgammon::kActions,
      .max_chance_outcomes = backgammon::kThrowCount,
      .min_utility = -3,
      .max_utility = 3,
      .observation = {1, {backgammon::kObservation}},
      .observation_is_signed = true,
      .features = {1, {backgammon::kClassic}},
      .string_buffer_size = 1024,
      .options = kOptions,
  };
  static constexpr int kMaxActions = backgammon::kActions;

  static backgammon::Rules rules(std::span<const std::int64_t> options) {
    backgammon::Rules rules{};
    write_options(backgammon::kRuleRows, options, rules);
    return rules;
  }

  static Facts describe(std::span<const std::int64_t> options) {
    const backgammon::Rules chosen = rules(options);
    Facts result = facts;
    result.max_utility = backgammon::most_points(chosen.scoring);
    result.min_utility = -result.max_utility;
    if (chosen.encoding == backgammon::Encoding::kExpert) {
      result.features.dims[0] = backgammon::kExpert;
      result.features_colour = backgammon::kSeatFeature;
    }
    return result;
  }
  static Contradiction contradiction(std::span<const std::int64_t>) { return {}; }

  static void init(std::span<const std::int64_t> options, State& state) {
    backgammon::start_game(state, rules(options));
  }

  static int current_player(const State& state) {
    if (state.phase == backgammon::Phase::kOver) return kTerminal;
    return backgammon::moving(state) ? state.player : kChance;
  }

  static int legal_actions(const State& state, Action* out) {
    using namespace backgammon;
    if (state.phase == Phase::kOver) return 0;
    if (!moving(state)) {
      std::memcpy(out, kThrows.data(), sizeof kThrows);
      return kThrowCount;
    }
    ActionSet listed(state.player);
    list_actions(state, listed);
    int count = 0;
    listed.for_each([&](int action) { out[count++] = action; });
    return count;
  }

  static constexpr auto kThrows = [] {
    std::array<Action, backgammon::kThrowCount> outcomes{};
    for (int i = 0; i < backgammon::kThrowCount; ++i) outcomes[static_cast<std::size_t>(i)] = i;
    return outcomes;
  }();

  // Any spelling of a legal play is accepted, not only the one that legal_actions() lists.
  static bool is_legal(const State& state, Action action) {
    using namespace backgammon;
    if (state.phase == Phase::kOver || action < 0) return false;
    if (!moving(state)) return action < kThrowCount;
    return action < kActions && is_legal_play(state.men[state.player], state.men[1 - state.player], state.dice[0],
                                              state.dice[1], state.player, action);
  }

  static void apply(State& state, Action action) {
    if (backgammon::moving(state)) return backgammon::apply_play(state, action);
    backgammon::apply_throw(state, action);
  }

  template <class Visit>
  static void afterstates(const State& state, Visit visit) {
    using namespace backgammon;
    ActionSet listed(state.player);
    const Moving afterwards(state, list_actions(state, listed));
    listed.for_each([&](int action) { visit(action, AfterPlay(afterwards, action)); });
  }

  static bool starts_turn(const State& state) {
    return state.phase == backgammon::Phase::kMove && backgammon::doublet(state);
  }
  static bool finishes_turn(const State& state) { return state.phase == backgammon::Phase::kSecondHalf; }
  // The four moves of a doublet lead to the same position in any order. So the second half moves no man from further
  // back than the first did.
  template <class Visit>
  static void rest_of_turn(const State& state, Action first, Visit visit) {
    using namespace backgammon;
    const int last = Spelling(first, state.player).second;
    ActionSet listed(state.player);
    const Moving afterwards(state, list_actions(state, listed, last));
    listed.for_each([&](int action) { visit(action, AfterPlay(afterwards, action)); });
  }

  static void returns(const State& state, double* out) {
    const double won = state.phase == backgammon::Phase::kOver ? backgammon::points_won(state) : 0;
    out[0] = state.player == 0 ? won : 0 - won;
    out[1] = 0 - out[0];
  }

  // Throws alternate around the mean of seven, so that a search that has visited only the first few has seen high and
  // low throws equally. In the opening the order decides who starts, and doublets change nothing.
  static constexpr std::array<Action, 21> kThrowClasses = [] {
    constexpr int dice[] = {61, 52, 43, 62, 51, 53, 42, 63, 41, 54, 32, 64, 31, 65, 21, 44, 33, 55, 22, 66, 11};
    std::array<Action, 21> outcomes{};
    for (std::size_t i = 0; i < 21; ++i) outcomes[i] = backgammon::outcome_of(dice[i] / 10, dice[i] % 10);
    return outcomes;
  }();
  static int chance_classes(const State& state, Action* outcomes, int* weights) {
    using namespace backgammon;
    int count = 0;
    const auto put = [&](Action outcome, int weight) {
      outcomes[count] = outcome;
      weights[count++] = weight;
    };
    const bool opening = state.phase == Phase::kOpening;
    for (int i = 0; i < 15; ++i) {
      const auto [high, low] = throw_of(kThrowClasses[static_cast<std::size_t>(i)]);
      put(outcome_of(high, low), opening ? 1 : 2);
      if (opening) put(outcome_of(low, high), 1);
    }
    if (opening) {
      put(outcome_of(1, 1), 6);
    } else {
      for (int i = 15; i < 21; ++i) put(kThrowClasses[static_cast<std::size_t>(i)], 1);
    }
    return count;
  }
  static void canonical(State& state) {
    if (state.dice[0] < state.dice[1]) std::swap(state.dice[0], state.dice[1]);
  }

  static void observation(const State& state, int player, std::uint8_t* out) {
    backgammon::observe(state, player, reinterpret_cast<std::int8_t*>(out));
  }
  static void features(const State& state, int player, float* out) { backgammon::features(state, player, out); }

  static std::span<const std::uint16_t> code_sizes() { return backgammon::kCodeSizes; }
  static int code_count(const Facts& chosen) {
    return chosen.features.size() == backgammon::kExpert ? backgammon::kAllCodes : backgammon::kCodes;
  }
  static void codes(const State& state, int player, int count, std::uint8_t* out) {
    backgammon::write_codes(state, player, count, out);
  }
  static void decode(const State& start, const std::uint8_t* codes, float* features) {
    backgammon::decode_features(codes, start.rules.encoding, features);
  }

  static bool known_value(const State& state, double* to_come) { return backgammon::known_value(state, to_come); }
  static bool knows_ahead(const State& state) { return backgammon::nearly_home(state); }

  static void to_string(const State& state, char* out) { backgammon::draw_text(state, out, facts.string_buffer_size); }
  static void action_to_string(const State& state, Action action, char* out) {
    backgammon::name_action(state, action, out, facts.string_buffer_size);
  }

  static bool bounded(const State& state, const Facts& chosen) {
    const bool expert = state.rules.encoding == backgammon::Encoding::kExpert;
    return !backgammon::out_of_range(state) && (!expert || chosen.features.size() >= backgammon::kExpert);
  }
  static const char* invalid(const State& state) { return backgammon::invalid(state); }
  static bool same_rules(const State& a, const State& b) { return a.rules == b.rules; }
  static bool mirror(State& state) { return backgammon::mirror(state); }
  static Action mirror_action(Action action) { return backgammon::mirrored_action(action); }

 private:
  // Lists the plays whose first man is on `furthest` or nearer. Returns whether each play has two moves.
  static bool list_actions(const State& state, backgammon::ActionSet& listed, int furthest = backgammon::kBar) {
    using namespace backgammon;
    bool any = false, two = false;
    list_plays(state.men[state.player], state.men[1 - state.player], state.dice[0], state.dice[1],
               [&](bool low_first, int first, int second) {
                 any = true;
                 two = second >= 0;
                 if (first > furthest) return;
                 two ? listed.add(low_first, first, second) : listed.add(low_first, first);
               });
    if (!any) listed.add_pass();
    return two;
  }
};

}  // namespace tablier

TABLIER_GAME(tablier::Backgammon);
