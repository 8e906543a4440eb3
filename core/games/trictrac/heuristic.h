// A fast estimate of a position, for search and for a player that looks one move ahead.
//
// The advantage of the player about to throw, in points (twelve per hole), is a weighted sum of
//   - the terms below for each player, with separate weights, because it matters who throws first;
//   - the men on each field: one, two, and further men;
//   - the score: a table over both players' points and whose run is unbroken.
// The weights depend on the phase, that is, on which jans each player can still fill. tools/fit_heuristic.py fits them
// (heuristic_weights.h) to games of self-play; docs/strength.md has the method and the results. The advantage covers
// the future of a game without end, so holes already won do not count. estimate() converts it to the utility of the
// game.
#pragma once

#include <cmath>

#include "flow.h"
#include "prospects.h"

namespace tablier::trictrac {

// Terms of one player. Those about the next throw are means over the 36 throws (prospects.h).
enum Aspect : std::uint8_t {
  kMeanPoints,        // points the player marks with their next throw
  kMeanPointsLate,    // the same, times their points / 12: a hole is near
  kMeanHoles,         // holes they win with it
  kBreaksRun,         // probability that they mark, times the points / 12 of the opponent's run that this would break
  kMeanGiven,         // points the opponent marks: false hits, unplayable numbers, contre-jans
  kMeanGivenLate,     // the same, times the opponent's points / 12
  kCornerChance,      // probability that they can take their corner
  kBlockedNumbers,    // share of the six numbers that no man can play
  kSmallFull,         // small jan: lacks no man, one, two, three or four, or more but can still be filled
  kSmallLacks1,       //
  kSmallLacks2,       //
  kSmallLacks4,       //
  kSmallPossible,     //
  kBigFull,           // big jan: the same
  kBigLacks1,         //
  kBigLacks2,         //
  kBigLacks4,         //
  kBigPossible,       //
  kReturnFull,        // return jan: the same; it can be filled while no man is borne off
  kReturnLacks1,      //
  kReturnLacks2,      //
  kReturnLacks4,      //
  kReturnPossible,    //
  kSmallSpare,        // pips / 10 of the three men outside a full small jan: the further they are, the sooner it breaks
  kBigSpare,          // outside a full big jan
  kReturnSpare,       // outside a full return jan
  kFarWithoutCorner,  // pips / 100 while they do not hold their corner
  kCornerAlone,       // they hold their corner and the opponent does not
  kPips,              // pips / 100 of all men, including those borne off
  kHome,              // all their men are in the return jan
  kOffBoard,          // men borne off / 15
  kPassable,          // the opponent can no longer fill their big jan
  kReturnPassable,    // nor their small jan
  kTerms
};

inline constexpr const char* kTermNames[kTerms] = {
    "mean_points",     "mean_points_late",   "mean_holes",      "breaks_run",  "mean_given",
    "mean_given_late", "corner_chance",      "blocked_numbers", "small_full",  "small_lacks_1",
    "small_lacks_2",   "small_lacks_4",      "small_possible",  "big_full",    "big_lacks_1",
    "big_lacks_2",     "big_lacks_4",        "big_possible",    "return_full", "return_lacks_1",
    "return_lacks_2",  "return_lacks_4",     "return_possible", "small_spare", "big_spare",
    "return_spare",    "far_without_corner", "corner_alone",    "pips",        "home",
    "off_board",       "passable",           "return_passable"};

inline constexpr int kScoreStates = 6 * 6 * 3;

struct Weights {
  float term[2][kTerms];      // the player about to throw, the opponent
  float men[2][kFields][3];   // for each field: one man, a second, further men
  float score[kScoreStates];  // points / 2 of the thrower and of the opponent, whose run (0: nobody's)
};

inline constexpr int kWeights = 2 * kTerms + 2 * kFields * 3 + kScoreStates;
static_assert(sizeof(Weights) == kWeights * sizeof(float));

// Each phase has its own weights. Its index is 3 * stage of the player about to throw + stage of the opponent.
enum Stages : std::uint8_t { kPast, kMiddle, kEarly };  // can fill neither jan, only the big one, the small one
inline constexpr int kPhases = 9;

inline int stage_of(Fillable can) { return can.small ? kEarly : can.big ? kMiddle : kPast; }

}  // namespace tablier::trictrac

#include "heuristic_weights.h"

namespace tablier::trictrac {

namespace detail {

inline void jan_terms(float* terms, Aspect full, int lacks, bool possible) {
  if (!possible) return;
  constexpr int kStep[13] = {0, 1, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4};
  terms[full + kStep[lacks]] = 1;
}

}  // namespace detail

// Writes the terms of `player` in a position before a throw.
inline void side_terms(const Core& state, int player, const View& view, Fillable own, Fillable theirs, float* terms) {
  const int points = state.points[player], others = state.points[1 - player];
  const Prospects next = prospects(view, points, has(state.runs, kPointsRun, player), throws_of(state, player) + 1);
  std::memset(terms, 0, kTerms * sizeof(float));
  constexpr float kTwelfth = 1.0f / 12;
  terms[kMeanPoints] = next.points;
  terms[kMeanPointsLate] = next.points * static_cast<float>(points) * kTwelfth;
  terms[kMeanHoles] = next.holes;
  if (has(state.runs, kPointsRun, 1 - player)) terms[kBreaksRun] = next.scores * static_cast<float>(others) * kTwelfth;
  terms[kMeanGiven] = next.given;
  terms[kMeanGivenLate] = next.given * static_cast<float>(others) * kTwelfth;
  terms[kCornerChance] = next.corner;
  terms[kBlockedNumbers] = next.blocked * (1.0f / 6);

  const int total = view.men.total(), gone = pips(view.men);
  detail::jan_terms(terms, kSmallFull, missing(view, kSmallJan), own.small);
  detail::jan_terms(terms, kBigFull, missing(view, kBigJan), own.big);
  detail::jan_terms(terms, kReturnFull, missing(view, kReturnJan), total == kMen);
  // The pips of the twelve men of a full jan are known; the rest belong to the other three.
  if (terms[kSmallFull] != 0) terms[kSmallSpare] = static_cast<float>(gone - 30) * 0.1f;
  if (terms[kBigFull] != 0) terms[kBigSpare] = static_cast<float>(gone - 102) * 0.1f;
  if (terms[kReturnFull] != 0) terms[kReturnSpare] = static_cast<float>(gone - 246) * 0.1f;
  terms[kPips] = static_cast<float>(gone) * 0.01f;
  if (view.corner == 0) terms[kFarWithoutCorner] = terms[kPips];
  terms[kCornerAlone] = view.corner >= 2 && !view.they_hold_corner();
  terms[kHome] = (view.some & ~kReturnJan) == 0;
  terms[kOffBoard] = static_cast<float>(kMen - total) * (1.0f / kMen);
  terms[kPassable] = !theirs.big;
  terms[kReturnPassable] = !theirs.small;
}

// The index into Weights::score.
inline int score_state(const Core& state) {
  const int thrower = state.player, other = 1 - thrower;
  const int run = has(state.runs, kPointsRun, thrower) ? 1 : has(state.runs, kPointsRun, other) ? 2 : 0;
  return (state.points[thrower] / 2 * 6 + state.points[other] / 2) * 3 + run;
}

// The terms of both players, the one about to throw first.
struct Sides {
  float terms[2][kTerms];
  int phase;

  explicit Sides(const Core& state) {
    const Men &one = state.men[state.player], &two = state.men[1 - state.player];
    const Fillable first = fillable(one), second = fillable(two);
    phase = 3 * stage_of(first) + stage_of(second);
    side_terms(state, state.player, View(one, two), first, second, terms[0]);
    side_terms(state, 1 - state.player, View(two, one), second, first, terms[1]);
  }
};

// Four independent sums, which the processor can overlap.
inline float dot(const float (&a)[kTerms], const float (&b)[kTerms]) {
  float sums[4] = {};
  for (int i = 0; i + 4 <= kTerms; i += 4) {
    for (int k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (int i = kTerms / 4 * 4; i < kTerms; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

inline float men_value(const Men& men, const float (&weights)[kFields][3]) {
  const Mask made = men.made();
  float one = 0, second = 0, more = 0;
  for (Mask left = men.some(); left != 0; left &= left - 1) one += weights[std::countr_zero(left)][0];
  for (Mask left = made; left != 0; left &= left - 1) second += weights[std::countr_zero(left)][1];
  for (Mask left = men.three(); left != 0; left &= left - 1) {
    const int field = std::countr_zero(left);
    more += weights[field][2] * static_cast<float>(men.count(field) - 2);
  }
  return one + second + more;
}

// The advantage of the player about to throw (state.player), in points.
inline float advantage(const Core& state, const Weights* phases = kFitted) {
  const Sides sides(state);
  const Weights& weights = phases[sides.phase];
  float sum = weights.score[score_state(state)];
  for (int side = 0; side < 2; ++side) {
    sum += dot(weights.term[side], sides.terms[side]);
    sum += men_value(state.men[side == 0 ? state.player : 1 - state.player], weights.men[side]);
  }
  return sum;
}

// White's probability of winning when White needs `white` more holes, Black `black`, and White is `points` ahead.
inline double win_chance(double white, double black, double points) {
  const double lead = black - white + kLinkAdvantage * points / 12;
  return 1 / (1 + std::exp(-kLinkSlope * lead / std::sqrt(white + black + kLinkSpread)));
}

namespace detail {

// White's advantage in utility, before a throw of state.player.
inline double future(const Core& state, const Weights* weights) {
  const float thrower = advantage(state, weights);
  const double points = state.player == 0 ? thrower : -thrower;
  const int goal = state.rules.holes_to_win;
  const double white = goal > state.holes[0] ? goal - state.holes[0] : 1;
  const double black = goal > state.holes[1] ? goal - state.holes[1] : 1;
  if (!on(state, kUtilityWin)) return points;
  return 2 * win_chance(white, black, points) - 1;
}

inline double score_margin(const Core& state) { return score_of(state, 0) - score_of(state, 1); }

// The same after the throw, before the move. Approximates: the men do not move, the opponent marks what the throw gives
// them, and throws next.
inline double future_of_move(Core state, const Weights* weights) {
  const double before = score_margin(state);
  const bool win = on(state, kUtilityWin);
  const int mover = state.player;
  if (state.school == School::kDeclare && state.stage == Stage::kMarkPoints) mark_own(state, state.due[0]);
  if (!over(state)) {
    mark(state, 1 - mover, state.due[1]);
    win_if_enough(state, 1 - mover);
  }
  const double paid = win ? 0 : score_margin(state) - before;
  if (over(state)) return win ? (winner(state) == 0 ? 1 : -1) : paid;
  state.player = static_cast<std::uint8_t>(1 - mover);
  return paid + future(state, weights);
}

}  // namespace detail

// The expected future utility of White minus that of Black; 0 if the game is over.
inline double estimate_margin(const Core& state, const Weights* weights = kFitted) {
  if (over(state) || (state.facts & kDrawing)) return 0;
  const bool rolling = state.stage == Stage::kRollWaiting || state.stage == Stage::kRollDice;
  if (rolling) return detail::future(state, weights);
  const double held = detail::future_of_move(state, weights);
  if (state.stage != Stage::kHoldOrGo) return held;
  Core left = state;
  leave(left);
  const double paid = on(state, kUtilityWin) ? 0 : detail::score_margin(left) - detail::score_margin(state);
  const double gone = paid + detail::future(left, weights);
  return state.player == 0 ? std::max(held, gone) : std::min(held, gone);
}

// The expected future utility of each player. With utility "score", only the difference is meaningful.
inline void estimate(const Core& state, double* values) {
  const double margin = estimate_margin(state);
  values[0] = on(state, kUtilityWin) ? margin : margin / 2;
  values[1] = -values[0];
}

}  // namespace tablier::trictrac
