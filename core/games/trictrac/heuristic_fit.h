// Self-play of the heuristic, for fitting its weights (tools/fit_heuristic.py), and a breakdown of its estimate.
#pragma once

#include <vector>

#include "../../rng.h"
#include "trictrac.h"

namespace tablier::trictrac {

// The terms of a position, White's minus Black's. `men` and `score` are already weighted, in points.
struct Opinion {
  float terms[kTerms];
  float men, score;
};

inline Opinion opinion_of(const Core& core) {
  const Sides sides(core);
  const int white = core.player;  // White's index in `sides`
  Opinion opinion{};
  for (int i = 0; i < kTerms; ++i) opinion.terms[i] = sides.terms[white][i] - sides.terms[1 - white][i];
  const float sign = core.player == 0 ? 1.0f : -1.0f;
  const Weights& weights = kFitted[sides.phase];
  const float mine = men_value(core.men[core.player], weights.men[0]);
  const float theirs = men_value(core.men[1 - core.player], weights.men[1]);
  opinion.men = sign * (mine + theirs);
  opinion.score = sign * weights.score[score_state(core)];
  return opinion;
}

// Facts about a position before a throw, one int32 column each.
struct FitFacts {
  std::int32_t player;    // who throws
  std::int32_t holes[2];  // White's, Black's
  std::int32_t margin;    // score margin, White's minus Black's
  std::int32_t winner;    // if this throw ended the game, else -1
  std::int32_t phase;
};
inline constexpr int kFitFacts = sizeof(FitFacts) / sizeof(std::int32_t);

class HeuristicGames {
 public:
  HeuristicGames(const Weights* weights, double noise) : weights_{weights, weights}, noise_(noise) {}

  // Plays games to `holes_to_win` holes for `throws` throws in all. Row i describes the position before throw i; its
  // product with the weights is the advantage.
  void play(int throws, int holes_to_win, std::uint64_t seed, float* rows, FitFacts* facts) const {
    Rng rng{stream_key(seed, 0)};
    Core state = new_game(holes_to_win, rng);
    decide(state, rng);
    for (int i = 0; i < throws; ++i, rows += kWeights, ++facts) {
      const int phase = write_row(state, rows);
      *facts = {state.player, {state.holes[0], state.holes[1]}, score_of(state, 0) - score_of(state, 1), -1, phase};
      throw_both(state, rng);
      decide(state, rng);
      if (!over(state)) continue;
      facts->winner = winner(state);
      state = new_game(holes_to_win, rng);
      decide(state, rng);
    }
  }

  // The number of games to twelve holes that the first weights win against the second, with alternating seats.
  static int match(const Weights* one, const Weights* two, int games, std::uint64_t seed) {
    int won = 0;
    for (int i = 0; i < games; ++i) {
      const bool changed = i % 2;
      HeuristicGames players(one, 0);
      players.weights_[changed] = one;
      players.weights_[!changed] = two;
      Rng rng{stream_key(seed, static_cast<std::uint64_t>(i))};
      Core state = new_game(12, rng);
      for (players.decide(state, rng); !over(state); players.decide(state, rng)) throw_both(state, rng);
      won += winner(state) == changed;
    }
    return won;
  }

 private:
  static void throw_both(Core& state, Rng& rng) {
    const int second = 1 + rng.below(6);
    roll(state, 1 + rng.below(6), second);
  }

  // A new game after the draw, before the first move.
  static Core new_game(int holes_to_win, Rng& rng) {
    Core state;
    Rules rules{};
    rules.holes_to_win = static_cast<std::uint8_t>(holes_to_win);
    start_game(state, rules);
    while (state.facts & kDrawing) throw_both(state, rng);
    return state;
  }

  static int write_row(const Core& state, float* row) {
    const Sides sides(state);
    std::memset(row, 0, kWeights * sizeof(float));
    std::memcpy(row, sides.terms, sizeof sides.terms);
    float* men = row + 2 * kTerms;
    for (int side = 0; side < 2; ++side, men += kFields * 3) {
      const Men& here = state.men[side == 0 ? state.player : 1 - state.player];
      for (int field = 0; field < kFields; ++field) {
        const int count = here.count(field);
        men[3 * field] = count > 0;
        men[3 * field + 1] = count > 1;
        men[3 * field + 2] = static_cast<float>(count > 2 ? count - 2 : 0);
      }
    }
    men[score_state(state)] = 1;
    return sides.phase;
  }

  // Decides until the next throw, or the end.
  void decide(Core& state, Rng& rng) const {
    while (state.stage != Stage::kRollWaiting && !over(state)) play_best(state, weights_[state.player], rng);
  }

  // Plays the best move by the state after it or, with probability noise_, a random one.
  void play_best(Core& state, const Weights* weights, Rng& rng) const {
    Plays plays;
    legal_plays(view_of(state), state.dice[0], state.dice[1], state.rules.bearing_off, plays);
    const bool any = static_cast<double>(rng.next() >> 11) * 0x1p-53 < noise_;
    Core best{};
    double most = -1e30;
    const auto consider = [&](const Core& after) {
      const double value = any ? static_cast<double>(rng.next() >> 11) : worth(after, weights, state.player);
      if (value > most) most = value, best = after;
    };
    for (int i = 0; i < plays.count; ++i) {
      Core after = state;
      trictrac::play(after, plays.play[i].men);
      consider(after);
    }
    if (state.stage == Stage::kHoldOrGo) {
      Core after = state;
      leave(after);
      consider(after);
    }
    state = best;
  }

  // The value of a state for a player: the score plus the expected future.
  static double worth(const Core& after, const Weights* weights, int player) {
    double returns[2];
    Trictrac::returns(after, returns);
    const double margin = returns[0] - returns[1] + estimate_margin(after, weights) * (on(after, kUtilityWin) ? 2 : 1);
    return player == 0 ? margin : -margin;
  }

  const Weights* weights_[2];  // White's, Black's
  double noise_;
};

}  // namespace tablier::trictrac
