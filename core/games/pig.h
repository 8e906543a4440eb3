// Pig: a race to 100 points with one die (J. Scarne, 1945; analysed by T. Neller and C. Presser, "Optimal play of the
// dice game Pig", The UMAP Journal 25(1), 2004).
//
// On their turn a player rolls as often as they like. A 1 loses the turn total and passes the die; any other face is
// added to the turn total; "hold" banks the turn total and passes the die. The first to bank `win_score` points wins.
#pragma once

#include <algorithm>
#include <cstdio>

#include "../game.h"

namespace tablier {

struct Pig {
  struct State {
    Word scores[2];  // banked
    Word turn_total;
    Word phase;      // player * 2 + (1 while the die rolls); kOver + player once that player has won
    Word win_score;  // the option; states are self-contained
  };

  static constexpr Option kOptions[] = {
      {.name = "win_score", .default_value = 100, .min = 1, .max = 1'000'000, .doc = "points needed to win"},
  };

  static constexpr std::string_view kFormat1Options[] = {"win_score"};

  static constexpr Facts facts{
      .name = "pig",
      .title = "Pig",
      .help =
          "A race to 100 points with one die. On your turn, roll as often as you like: a 1 loses the turn total\n"
          "and passes the die, any other face is added to the turn total. Hold banks the turn total\n"
          "and passes the die. The first to bank win_score points wins; points beyond that are not counted.\n"
          "Actions: 0 roll, 1 hold. At a chance node outcome i is the face i + 1, each 1/6.",
      .num_actions = 2,
      .max_chance_outcomes = 6,
      .observation = {1, {3}},
      .features = {1, {3}},
      .string_buffer_size = 128,
      .options = kOptions,
      .format1_options = kFormat1Options,
  };
  static constexpr int kMaxActions = 6;
  static constexpr Action kRoll = 0;
  static constexpr Action kHold = 1;

  static void init(std::span<const std::int64_t> options, State& state) {
    state = {};
    state.win_score = static_cast<Word>(options[0]);
  }

  static int current_player(const State& state) {
    if (state.phase >= kOver) return kTerminal;
    return state.phase & 1 ? kChance : static_cast<int>(state.phase >> 1);
  }

  static int legal_actions(const State& state, Action* out) {
    if (state.phase >= kOver) return 0;
    const int count = state.phase & 1 ? 6 : 2;
    for (int i = 0; i < 6; ++i) out[i] = i;  // a constant count avoids the loop; the buffer has room for six
    return count;
  }

  static bool is_legal(const State& state, Action action) {
    return state.phase < kOver && action >= 0 && action < (state.phase & 1 ? 6 : 2);
  }

  static void apply(State& state, Action action) {
    const Word player = state.phase >> 1;
    if (state.phase & 1) {
      const bool one = action == 0;
      const Word total = std::min(state.turn_total + static_cast<Word>(action) + 1, missing(state, player));
      state.turn_total = one ? 0 : total;
      state.phase = (one ? 1 - player : player) * 2;
    } else if (action == kRoll) {
      state.phase |= 1;
    } else {
      state.scores[player] += state.turn_total;
      state.turn_total = 0;
      state.phase = state.scores[player] >= state.win_score ? kOver + player : (1 - player) * 2;
    }
  }

  static void returns(const State& state, double* out) {
    out[0] = state.phase == kOver ? 1 : state.phase == kOver + 1 ? -1 : 0;
    out[1] = 0 - out[0];
  }

  // Own score, opponent's score, turn total, each capped at 255.
  static void observation(const State& state, int player, std::uint8_t* out) {
    const Word values[3] = {state.scores[player], state.scores[1 - player], state.turn_total};
    for (int i = 0; i < 3; ++i) out[i] = static_cast<std::uint8_t>(std::min<Word>(values[i], 255));
  }

  // The same values as fractions of win_score.
  static void features(const State& state, int player, float* out) {
    const float scale = 1.0f / static_cast<float>(state.win_score);
    out[0] = static_cast<float>(state.scores[player]) * scale;
    out[1] = static_cast<float>(state.scores[1 - player]) * scale;
    out[2] = static_cast<float>(state.turn_total) * scale;
  }

  static void to_string(const State& state, char* out) {
    const int player = static_cast<int>(state.phase >= kOver ? state.phase - kOver : state.phase >> 1);
    const char* doing = state.phase >= kOver ? "has won" : state.phase & 1 ? "rolls" : "to decide";
    std::snprintf(out, facts.string_buffer_size, "scores %llu %llu, turn total %llu, player %d %s",
                  static_cast<unsigned long long>(state.scores[0]), static_cast<unsigned long long>(state.scores[1]),
                  static_cast<unsigned long long>(state.turn_total), player, doing);
  }

  static void action_to_string(const State& state, Action action, char* out) {
    if (state.phase & 1 && state.phase < kOver) {
      std::snprintf(out, facts.string_buffer_size, "die %d", action + 1);
    } else {
      std::snprintf(out, facts.string_buffer_size, "%s", action == kRoll ? "roll" : "hold");
    }
  }

  static const char* invalid(const State& state) {
    if (state.phase > kOver + 1) return "the phase is out of range";
    if (state.win_score < 1 || state.win_score > 1'000'000) return "win_score is out of range";
    for (Word player = 0; player < 2; ++player) {
      if (state.scores[player] > state.win_score || unreachable(state.scores[player], state.win_score)) {
        return "a score cannot be reached";
      }
      if ((state.scores[player] == state.win_score) != (state.phase == kOver + player)) {
        return "the scores and the winner disagree";
      }
    }
    if (state.phase < kOver && (state.turn_total > missing(state, state.phase >> 1) ||
                                unreachable(state.turn_total, missing(state, state.phase >> 1)))) {
      return "the turn total cannot be reached";
    }
    return state.phase >= kOver && state.turn_total != 0 ? "the game is over but the turn total is not 0" : nullptr;
  }

  static bool same_rules(const State& a, const State& b) { return a.win_score == b.win_score; }

  static bool mirror(State& state) {
    std::swap(state.scores[0], state.scores[1]);
    state.phase = state.phase >= kOver ? kOver + 1 - (state.phase - kOver) : state.phase ^ 2;
    return true;
  }

 private:
  static constexpr Word kOver = 4;  // and 5

  static Word missing(const State& state, Word player) { return state.win_score - state.scores[player]; }

  // A single point cannot be scored, because a 1 loses the turn, unless one point was all that was missing.
  static bool unreachable(Word points, Word goal) { return points == 1 && goal != 1; }
};

}  // namespace tablier

TABLIER_GAME(tablier::Pig);
