// Positions whose value is known without a network: both players have all men home.
#pragma once

#include "bear_off.h"
#include "state.h"

namespace tablier::backgammon {

// Whether one action more could bring the last men home. A man on the bar is not home.
inline bool nearly_home(const Core& state) { return state.men[0].total(kOutside) + state.men[1].total(kOutside) <= 2; }

// Whether the tables apply. With three men a side, a player with all of them left could lose a gammon, which the tables
// know only for fifteen.
inline bool is_bear_off(const Core& state) {
  const Mask some[] = {state.men[0].some(), state.men[1].some()};
  if ((some[0] | some[1]) & kOutside) return false;
  return men_of(state.rules.start) == BearOff::kMen || (some[0] & some[1] & bit(kOff));
}

// The expected points of `player`, from the start of the game to its end, in a position in which is_bear_off().
inline double bear_off_value(const Core& state, int player) {
  if (state.phase == Phase::kOver) return state.player == player ? points_won(state) : -points_won(state);
  if (state.phase == Phase::kThrow) {
    const int mine = BearOff::index(state.men[state.player]), theirs = BearOff::index(state.men[1 - state.player]);
    const double value = BearOff::tables().equity(mine, theirs, state.rules.scoring != Scoring::kWinLoss);
    return state.player == player ? value : -value;
  }
  double best = -most_points(Scoring::kFull);
  list_plays(state.men[state.player], state.men[1 - state.player], state.dice[0], state.dice[1],
             [&](bool low_first, int first, int second) {
               Core after = state;
               apply_play(after, action_of(low_first, first, second, state.player));
               best = std::max(best, bear_off_value(after, state.player));
             });
  return state.player == player ? best : -best;
}

// KnowsValues in game.h.
inline bool known_value(const Core& state, double* to_come) {
  if (!is_bear_off(state)) return false;
  to_come[0] = bear_off_value(state, 0);
  to_come[1] = -to_come[0];
  return true;
}

}  // namespace tablier::backgammon
