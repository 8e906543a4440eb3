// Which scores are possible, and which can follow from a throw. rules.md, 10 and 12.
#pragma once

#include "flow.h"

namespace tablier::trictrac {

// Why these points, holes and runs are impossible, or nullptr.
inline const char* impossible_score(const Core& state) {
  if (state.runs >= 64) return "the runs are out of range";
  for (int p = 0; p < 2; ++p) {
    const int points = state.points[p], other = state.points[1 - p];
    const bool run = has(state.runs, kPointsRun, p);
    if (points > 11 || points % 2 != 0) return "points are even and at most 10";
    if (run && points == 0) return "a run of points without points";
    // Only the opponent's points break a run, and both players' points are reset together.
    if (points > 0 && other == 0 && !run) return "points are a run as long as the other player has none";
    if (has(state.runs, kHolesRun, p) && state.holes[p] == 0) return "a run of holes without holes";
    if (has(state.runs, kFirstHole, p) && state.holes[p] == 0)
      return "the first hole was won by a player without holes";
  }
  if (has(state.runs, kPointsRun, 0) && has(state.runs, kPointsRun, 1)) return "both players have a run of points";
  if (state.points[0] == 2 && state.points[1] == 2 && !(state.runs & (kPointsRun | kPointsRun << 1))) {
    return "of two points each those marked last are a run";
  }
  const int first = has(state.runs, kFirstHole, 1) ? 1 : 0, second = 1 - first;
  const bool any = state.holes[0] + state.holes[1] > 0;
  if (has(state.runs, kFirstHole, 0) + has(state.runs, kFirstHole, 1) != any)
    return "one player must have won the first hole";
  if (!any) return nullptr;
  if (has(state.runs, kHolesRun, 0) && has(state.runs, kHolesRun, 1)) return "both players have a run of holes";
  if (has(state.runs, kHolesRun, first) != (state.holes[second] == 0))
    return "who won the first hole has a run of holes until the other wins one";
  if (state.holes[first] == 1 && state.holes[second] > 0 && !has(state.runs, kHolesRun, second))
    return "holes are a run as long as the other player wins none";
  return nullptr;
}

inline bool same_score(const Core& a, const Core& b) {
  return std::memcmp(a.points, b.points, sizeof a.points) == 0 && std::memcmp(a.holes, b.holes, sizeof a.holes) == 0 &&
         a.runs == b.runs;
}

// Whether a player has enough holes to win the ordinary game.
inline bool has_won(const Core& state, int player) {
  return !on(state, kScoredGame) && state.holes[player] >= state.rules.holes_to_win;
}

// Marks the points of the throw: the mover's and, after the move, the opponent's. Returns whether the last marking made
// a hole.
inline bool mark_throw(Core& score, const Core& state) {
  const bool hole = mark(score, state.player, state.due[0]);
  return state.stage == Stage::kMarkTheirPoints ? mark(score, 1 - state.player, state.due[1]) : hole;
}

// Whether marking the throw on some earlier score leads to this one. All stages that call this, except kMove, require
// that it made a hole.
inline bool follows_from_a_score(const Core& state) {
  const auto leads_here = [&state](const Core& before) {
    if (impossible_score(before) || has_won(before, 0) || has_won(before, 1)) return false;
    Core after = before;
    return mark_throw(after, state) == (state.stage != Stage::kMove) && same_score(after, state);
  };
  constexpr int kPointRuns[] = {0, kPointsRun, kPointsRun << 1};
  for (int points = 0; points < 36; ++points) {
    for (const int run : kPointRuns) {
      Core before = state;
      before.points[0] = static_cast<std::uint8_t>(2 * (points / 6));
      before.points[1] = static_cast<std::uint8_t>(2 * (points % 6));
      before.holes[0] = before.holes[1] = 0;
      before.runs = static_cast<std::uint8_t>(run);
      Core after = before;  // the gain does not depend on the holes
      mark_throw(after, state);
      if (after.points[0] != state.points[0] || after.points[1] != state.points[1]) continue;
      if (after.holes[0] > state.holes[0] || after.holes[1] > state.holes[1]) continue;
      for (int p = 0; p < 2; ++p) before.holes[p] = static_cast<std::uint8_t>(state.holes[p] - after.holes[p]);
      for (int flags = 0; flags < 16; ++flags) {  // runs of holes, and the first hole
        before.runs = static_cast<std::uint8_t>(run | flags << 2);
        if (leads_here(before)) return true;
      }
    }
  }
  return false;
}

}  // namespace tablier::trictrac
