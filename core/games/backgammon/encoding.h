// Observations and features of a state, in the viewer's own numbering.
#pragma once

#include "state.h"

namespace tablier::backgammon {

inline constexpr int kObservation = 32;
inline constexpr int kClassic = 198;

// 24 points (the viewer's men positive), men on the bar, men borne off (viewer's, opponent's), dice, phase, and whether
// the viewer throws or moves next, or has won.
inline void observe(const Core& state, int player, std::int8_t* out) {
  const Men &mine = state.men[player], &theirs = state.men[1 - player];
  const auto put = [&out](int value) { *out++ = static_cast<std::int8_t>(value); };
  for (int point = 1; point <= kPoints; ++point) put(mine.count(point) - theirs.count(kBar - point));
  for (const int place : {kBar, kOff}) {
    put(mine.count(place));
    put(theirs.count(place));
  }
  put(state.dice[0]);
  put(state.dice[1]);
  put(static_cast<int>(state.phase));
  put(state.phase != Phase::kOpening && state.player == player);
}

namespace detail {

// Four features of a point: one man or more, two or more, three or more, and further men / 12.
inline constexpr auto kPointFeatures = [] {
  std::array<std::array<float, 4>, 16> table{};
  for (int n = 1; n < 16; ++n) {
    for (int k = 0; k < 3; ++k) table[n][k] = n > k;
    table[n][3] = n > 3 ? static_cast<float>(n - 3) / 12 : 0;
  }
  return table;
}();

}  // namespace detail

// The 198 features of TD-Gammon (G. Tesauro, "Practical issues in temporal difference learning", Machine Learning 8,
// 1992), scaled to 0 .. 1: four per point for the viewer's men and then for the opponent's; then for each of them men
// on the bar / 15 and men borne off / 15; and whether the viewer, or the opponent, is to throw or move.
inline void classic_features(const Core& state, int player, float* out) {
  const Men* sides[2] = {&state.men[player], &state.men[1 - player]};
  for (int side = 0; side < 2; ++side) {
    for (int point = 1; point <= kPoints; ++point) {
      const int count = sides[side]->count(side == 0 ? point : kBar - point);
      std::memcpy(out, detail::kPointFeatures[static_cast<std::size_t>(count)].data(), 16);
      out += 4;
    }
  }
  for (const Men* side : sides) {
    *out++ = static_cast<float>(side->count(kBar)) / 15;
    *out++ = static_cast<float>(side->count(kOff)) / 15;
  }
  const bool turn = state.phase != Phase::kOpening && state.phase != Phase::kOver;
  *out++ = turn && state.player == player;
  *out++ = turn && state.player != player;
}

}  // namespace tablier::backgammon
