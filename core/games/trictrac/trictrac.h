// Trictrac, the classic French game of the 17th to 19th centuries, by the rules of docs/rules.md.
//
// Two players move fifteen men each by the throws of two dice. The aim is not to get home first but to score on the
// way: for hitting single men (without moving), for filling a quarter of the board and keeping it full, and for some
// rare positions. Twelve points are a hole, or two if the opponent scored nothing meanwhile, and twelve holes win.
// After winning a hole with their own throw a player may leave: the men are set up again, and the player throws.
//
// rules.h    the rule options
// board.h    the men as bitboards        actions.h  the action numbers
// legal.h    every legal play of a throw (plays.h, far_from_home.h, near_home.h)
// scoring.h  the score of a throw        state.h    the state in 64 bytes, points and holes
// flow.h     the order of play           schools.h  marking and claiming as decisions
// encoding.h observations and features   text.h     text for people
// codes.h    a position as codes, for networks in the core (afterstates.h)
// validity.h which states are possible (men_validity.h, score_validity.h, throw_validity.h, school_validity.h)
// a_ecrire.h the scored game (account.h: seats and payments; account_codes.h, account_validity.h)
// parts.h    a state as plain values, and back
// heuristic.h a fast estimate of a position (prospects.h, heuristic_weights.h, heuristic_fit.h)
#pragma once

#include "../../game.h"
#include "afterstates.h"
#include "codes.h"
#include "encoding.h"
#include "flow.h"
#include "heuristic.h"
#include "schools.h"
#include "text.h"
#include "validity.h"
#include "win_link.h"

namespace tablier {
struct Trictrac {
  using State = trictrac::Core;

  static constexpr auto kOptions = options_of(trictrac::kOrdinaryRows);
  static constexpr std::string_view kFormat1[] = {"holes_to_win",
                                                  "first_throw",
                                                  "forbidden_test",
                                                  "bearing_off",
                                                  "last_throw_carries_over",
                                                  "fill_way_rule",
                                                  "mezeas_next_throw_only",
                                                  "pile_de_misere",
                                                  "jan_de_rencontre",
                                                  "margot_la_fendue",
                                                  "stake_rule",
                                                  "swap_colours_on_exit",
                                                  "schools",
                                                  "fill_school",
                                                  "explicit_roll",
                                                  "utility",
                                                  "encoding"};

  static constexpr Facts facts{
      .name = "trictrac",
      .title = "Trictrac",
      .help =
          "Two players, fifteen men each, two dice. You score points for hitting single men (without moving), for\n"
          "filling and keeping a quarter of the board, and for rare positions. Twelve points are a hole, two if the\n"
          "opponent scored none meanwhile; twelve holes win. After a hole with your own throw you may leave: the men "
          "go\n"
          "back, points are lost, holes stay, and you throw first. Full rules: docs/rules.md.\n"
          "Actions: 0 roll (with explicit_roll), 1 leave, 2 + 16 * c1 + c2 move with the first die first,\n"
          "258 + 16 * c1 + c2 with the second die first. c1 and c2 count your men from your talon; a stack is named\n"
          "by its last man, and 0 is a number that is not played. At a chance node, outcome i is the throw\n"
          "(i // 6 + 1, i % 6 + 1), each 1/36.",
      .num_actions = trictrac::kMoveActions,
      .max_chance_outcomes = trictrac::kThrowCount,
      .min_utility = 0,
      .max_utility = 12 * 255 + 11,
      .utility = Utility::kGeneralSum,
      .reward_model = RewardModel::kEveryStep,
      .observation = {1, {trictrac::kObservation}},
      .observation_is_signed = true,
      .features = {1, {trictrac::kFeatures}},
      .observation_colour = 24,
      .features_colour = 194,
      .string_buffer_size = 2048,
      .options = kOptions,
      .retired = trictrac::kRetiredOptions,
      .format1_options = kFormat1,
  };
  static constexpr int kMaxActions = trictrac::kSchoolActions;

  static trictrac::Rules rules(std::span<const std::int64_t> options) {
    trictrac::Rules rules{};
    write_options(trictrac::kOrdinaryRows, options, rules);
    return rules;
  }

  static Facts describe(std::span<const std::int64_t> options) {
    using namespace trictrac;
    const Rules chosen = rules(options);
    Facts result = facts;
    if (chosen.switches & kSchools) result.num_actions = kSchoolActions;
    if (chosen.switches & kMarkovFeatures) result.features.dims[0] = kMarkov;
    if (chosen.switches & kExpertFeatures) result.features.dims[0] = kExpert;
    if (chosen.switches & kUtilityWin) {
      result.utility = Utility::kZeroSum;
      result.reward_model = RewardModel::kTerminal;
      result.max_utility = most_stake(chosen.stake_rule);
      result.min_utility = -result.max_utility;
    }
    return result;
  }

  static Contradiction contradiction(std::span<const std::int64_t> options) {
    using namespace trictrac;
    const Rules chosen = rules(options);
    if (chosen.switches & kMarkovFeatures && chosen.switches & kSchools) {
      return {"markov_with_schools", "the encodings 'markov' and 'expert' do not cover schools"};
    }
    return rules_contradiction(chosen);
  }

  static void init(std::span<const std::int64_t> options, State& state) { trictrac::start_game(state, rules(options)); }

  static int current_player(const State& state) {
    using namespace trictrac;
    if (over(state)) return kTerminal;
    if (state.stage == Stage::kRollWaiting) return kChance;
    return state.school == School::kNone ? state.player : decider(state);
  }

  static int legal_actions(const State& state, Action* out) {
    using namespace trictrac;
    if (over(state)) return 0;
    switch (state.stage) {
      case Stage::kRollWaiting:
        std::memcpy(out, kThrows.data(), sizeof kThrows);
        return kThrowCount;
      case Stage::kRollDice:
        out[0] = kRoll;
        return 1;
      case Stage::kMarkPoints:
      case Stage::kMarkTheirPoints:
        return school_actions(state, out);
      case Stage::kHoldOrGo:
      case Stage::kMove:
        break;
    }
    ActionSet listed;
    if (state.stage == Stage::kHoldOrGo) listed.add(kGo);
    trictrac::legal_actions(view_of(state), state.dice[0], state.dice[1], state.rules.bearing_off, must_fill(state),
                            [&listed](int action) { listed.add(action); });
    int count = 0;
    listed.for_each([&](int action) { out[count++] = action; });
    return count;
  }

  static constexpr auto kThrows = [] {
    std::array<Action, trictrac::kThrowCount> outcomes{};
    for (int i = 0; i < trictrac::kThrowCount; ++i) outcomes[static_cast<std::size_t>(i)] = i;
    return outcomes;
  }();

  // Any spelling of a legal play is accepted, not only the one that legal_actions() lists.
  static bool is_legal(const State& state, Action action) {
    using namespace trictrac;
    if (over(state) || action < 0) return false;
    switch (state.stage) {
      case Stage::kRollWaiting:
        return action < kThrowCount;
      case Stage::kRollDice:
        return action == kRoll;
      case Stage::kMarkPoints:
      case Stage::kMarkTheirPoints:
        return school_action_is_legal(state, action);
      case Stage::kHoldOrGo:
        if (action == kGo) return true;
        break;
      case Stage::kMove:
        break;
    }
    if (!is_move(action)) return false;
    const View view = view_of(state);
    Plays plays;
    legal_plays(view, state.dice[0], state.dice[1], state.rules.bearing_off, plays, must_fill(state));
    for (int i = 0; i < plays.count; ++i) {
      if (plays.play[i].action == action) return true;
    }
    return spells(view, state.dice[0], state.dice[1], state.rules.bearing_off, plays, action);
  }

  static void apply(State& state, Action action) {
    using namespace trictrac;
    switch (state.stage) {
      case Stage::kRollWaiting: {
        const auto [d1, d2] = throw_of(action);
        return roll(state, d1, d2);
      }
      case Stage::kRollDice:
        state.stage = Stage::kRollWaiting;
        return;
      case Stage::kMarkPoints:
      case Stage::kMarkTheirPoints:
        return apply_school_action(state, action);
      case Stage::kHoldOrGo:
      case Stage::kMove:
        break;
    }
    if (on(state, kSchools)) return act_with_schools(state, action);
    if (action == kGo) return leave(state);
    play(state, Move(state.men[state.player], state.dice[0], state.dice[1], action).men);
  }

  template <class Visit>
  static void afterstates(const State& state, Visit visit) {
    using namespace trictrac;
    const bool moves = state.stage == Stage::kMove || state.stage == Stage::kHoldOrGo;
    if (moves && !on(state, kSchools)) return trictrac::afterstates(state, visit);
    Action actions[kMaxActions];
    const int count = legal_actions(state, actions);
    for (int i = 0; i < count; ++i) {
      State after = state;
      apply(after, actions[i]);
      visit(actions[i], Afterstate<State>{after});
    }
  }

  static void returns(const State& state, double* out) {
    using namespace trictrac;
    if (on(state, kUtilityWin)) {
      const double won = over(state) ? stake(state) : 0;
      out[0] = winner(state) == 0 ? won : 0 - won;
      out[1] = 0 - out[0];
    } else {
      for (int player = 0; player < 2; ++player) out[player] = score_of(state, player);
    }
  }

  // The order of the dice matters only in the draw, where each player has one die. Throws alternate around the mean of
  // seven, so that a search that has visited only the first few has seen high and low throws equally.
  static constexpr std::array<Action, 21> kThrowClasses = [] {
    constexpr int dice[] = {61, 52, 43, 62, 51, 53, 42, 63, 41, 54, 32, 64, 31, 65, 21, 44, 33, 55, 22, 66, 11};
    std::array<Action, 21> outcomes{};
    for (std::size_t i = 0; i < 21; ++i) outcomes[i] = trictrac::outcome_of(dice[i] / 10, dice[i] % 10);
    return outcomes;
  }();
  static int chance_classes(const State& state, Action* outcomes, int* weights) {
    if (state.facts & trictrac::kDrawing) {
      std::fill_n(weights, trictrac::kThrowCount, 1);
      return legal_actions(state, outcomes);
    }
    std::copy(kThrowClasses.begin(), kThrowClasses.end(), outcomes);
    for (int i = 0; i < 21; ++i) weights[i] = i < 15 ? 2 : 1;  // doublets come last
    return 21;
  }
  static void canonical(State& state) {
    if (state.dice[0] < state.dice[1]) std::swap(state.dice[0], state.dice[1]);
  }

  static void estimate(const State& state, double* to_come) { trictrac::estimate(state, to_come); }

  static constexpr int kLinkSize = trictrac::kLinkSize;
  static double win_chance(const State& state, int player, double margin, const double* link) {
    return trictrac::win_chance(state, player, margin, link);
  }

  static void observation(const State& state, int player, std::uint8_t* out) {
    trictrac::observe(state, player, reinterpret_cast<std::int8_t*>(out));
  }
  static void features(const State& state, int player, float* out) { trictrac::features(state, player, out); }

  static std::span<const std::uint16_t> code_sizes() { return trictrac::kCodeSizes; }
  static int code_count(const Facts& chosen) {
    return chosen.features.size() == trictrac::kExpert ? trictrac::kAllCodes : trictrac::kCodes;
  }
  static void codes(const State& state, int player, int count, std::uint8_t* out) {
    trictrac::write_codes(state, player, count, out);
  }
  static void decode(const State& start, const std::uint8_t* codes, float* features) {
    trictrac::decode_features(codes, features_of(start), features);
  }

  static void to_string(const State& state, char* out) { trictrac::draw_text(state, out, facts.string_buffer_size); }

  static void action_to_string(const State& state, Action action, char* out) {
    trictrac::name_action(state, action, out, facts.string_buffer_size);
  }

  static bool bounded(const State& state, const Facts& chosen) {
    return trictrac::bounded(state) && trictrac::features_of(state) <= chosen.features.size();
  }
  static const char* invalid(const State& state) {
    return on(state, trictrac::kScoredGame) ? "the game is not the ordinary one" : trictrac::invalid(state);
  }
  static bool same_rules(const State& a, const State& b) {
    return without_retired(a.rules) == without_retired(b.rules);
  }
  static void upgrade(State& state) { state.rules = without_retired(state.rules); }
  static bool mirror(State& state) { return trictrac::mirror(state); }
};

}  // namespace tablier

TABLIER_GAME(tablier::Trictrac);
