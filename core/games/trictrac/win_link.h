// Turns an expected margin of points into the probability of winning the game, by the holes that each player needs.
//
// The numbers come from the caller, who derives them from the hole table (games/trictrac/hole_table.py): two for each
// pair of needs, the log-odds at a margin of zero and what a point adds to them.
#pragma once

#include <algorithm>
#include <cmath>

#include "state.h"

namespace tablier::trictrac {

inline constexpr int kLinkHoles = 12;  // the most holes that a player can need
inline constexpr int kLinkSize = 2 * kLinkHoles * kLinkHoles;

// The probability that `player` wins a game that is not over. `margin` is what they can expect to gain on the opponent
// from now on, in points.
inline double win_chance(const Core& state, int player, double margin, const double* link) {
  const auto needed = [&state](int p) { return std::clamp(state.rules.holes_to_win - state.holes[p], 1, kLinkHoles); };
  const double* row = link + 2 * ((needed(player) - 1) * kLinkHoles + needed(1 - player) - 1);
  const double lead = state.points[player] - state.points[1 - player] + margin;
  return 1 / (1 + std::exp(-(row[0] + row[1] * lead)));
}

}  // namespace tablier::trictrac
