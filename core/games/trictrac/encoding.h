// Observations and features of a state. The first 36 bytes and 217 features are fixed by the contract, section 5.
#pragma once

#include <algorithm>

#include "expert.h"

namespace tablier::trictrac {

inline constexpr int kObservation = 36;
inline constexpr int kFeatures = 217;
inline constexpr int kMarkov = 231;  // the 217, and everything else that affects the future, apart from schools
inline constexpr int kExpert = kMarkov + 2 * kExpertFeaturesPerSide;  // the 231, and what expert.h counts

inline constexpr Mask kQuarters[4] = {kSmallJan, kBigJan, kTheirBig, kReturnJan};

inline void observe(const Core& state, int player, std::int8_t* out) {
  const Men &mine = state.men[player], &theirs = state.men[1 - player];
  for (int field = 0; field < kFields; ++field) {
    out[field] = static_cast<std::int8_t>(mine.count(field) - theirs.count(kFields - 1 - field));
  }
  out[24] = static_cast<std::int8_t>(state.player);
  out[25] = static_cast<std::int8_t>(state.stage);
  out[26] = static_cast<std::int8_t>(state.dice[0]);
  out[27] = static_cast<std::int8_t>(state.dice[1]);
  out += 28;
  for (const int who : {player, 1 - player}) {
    *out++ = static_cast<std::int8_t>(state.points[who]);
    *out++ = static_cast<std::int8_t>(std::min<int>(state.holes[who], 127));
    *out++ = can_bredouille(state, who);
    *out++ = can_big_bredouille(state, who);
  }
}

// The number of features under these rules.
inline int features_of(const Core& state) {
  return on(state, kExpertFeatures) ? kExpert : on(state, kMarkovFeatures) ? kMarkov : kFeatures;
}

namespace detail {

// Four features per field: at least one, two and three men, and further men / 12.
inline void men_features(const std::uint8_t* counts, float* out) {
  static constexpr auto kTable = [] {
    std::array<std::array<float, 4>, 16> table{};
    for (int n = 1; n < 16; ++n) {
      if (n <= 3) table[n][n - 1] = 1;
      if (n > 3) table[n][3] = static_cast<float>(n - 3) / 12;
    }
    return table;
  }();
  for (int field = 0; field < kFields; ++field) std::memcpy(out + 4 * field, kTable[counts[field]].data(), 16);
}

inline void counts_of(const Men& men, std::uint8_t* out) {
  for (int group = 0; group < 3; ++group) {
    const std::uint64_t eight = men.counts(group);
    std::memcpy(out + 8 * group, &eight, 8);
  }
}

}  // namespace detail

inline void features(const Core& state, int player, float* out) {
  const Men &mine = state.men[player], &theirs = state.men[1 - player];
  std::uint8_t counts[kFields];
  detail::counts_of(mine, counts);
  detail::men_features(counts, out);
  detail::counts_of(theirs, counts);
  std::reverse(counts, counts + kFields);
  detail::men_features(counts, out + 96);
  out[192] = static_cast<float>(state.dice[0]) / 6;
  out[193] = static_cast<float>(state.dice[1]) / 6;
  out[194] = state.player;
  out[195] = static_cast<float>(state.stage) / 5;
  float* next = out + 196;
  for (const int who : {player, 1 - player}) {
    *next++ = static_cast<float>(state.points[who]) / 12;
    *next++ = static_cast<float>(std::min<int>(state.holes[who], 12)) / 12;
    *next++ = can_bredouille(state, who);
    *next++ = can_big_bredouille(state, who);
  }
  // The opponent's men in the player's numbering.
  const Mask made[2] = {mine.made(), mirrored(theirs.made())};
  for (const Mask side : made) {
    for (const Mask quarter : kQuarters) *next++ = (side & quarter) == quarter;
  }
  *next++ = (mine.some() & ~kReturnJan) == 0;
  *next++ = (theirs.some() & ~kReturnJan) == 0;
  *next++ = mine.count(kCorner) >= 2;
  *next++ = theirs.count(kCorner) >= 2;
  *next++ = std::min(static_cast<float>(throws_of(state, player)) / 3, 1.0f);
  if (!on(state, kMarkovFeatures)) return;

  // The remaining features make the encoding Markov without schools: nothing else in the state affects the future.
  const bool moving = player == state.player;
  *next++ = moving;
  *next++ = static_cast<float>(state.due[moving ? 0 : 1]) / 24;
  *next++ = static_cast<float>(state.due[moving ? 1 : 0]) / 24;
  *next++ = std::min(static_cast<float>(throws_of(state, 1 - player)) / 3, 1.0f);
  *next++ = throws_of(state, player) == 2;  // the next throw can score six tables
  *next++ = throws_of(state, 1 - player) == 2;
  *next++ = has(state.runs, kFirstHole, player);
  *next++ = has(state.runs, kFirstHole, 1 - player);
  *next++ = has(state.facts, kCornerFresh, player);
  *next++ = has(state.facts, kCornerFresh, 1 - player);
  *next++ = state.facts & kDrawing;
  *next++ = static_cast<float>(state.holes[player]) / state.rules.holes_to_win;
  *next++ = static_cast<float>(state.holes[1 - player]) / state.rules.holes_to_win;
  *next++ = static_cast<float>(state.rencontre) / 255;
  if (!on(state, kExpertFeatures)) return;
  std::uint8_t codes[2 * kExpertCodes];
  write_expert_codes(state, player, codes);
  decode_expert_side(codes + kExpertCodes, decode_expert_side(codes, next));
}

}  // namespace tablier::trictrac
