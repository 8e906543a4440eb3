// A position as 46 codes, the small whole numbers that a network in the core reads (core/nets), and the features as a
// function of the codes. Every feature depends on one code alone.
#pragma once

#include "encoding.h"

namespace tablier::trictrac {

// The order of the codes. A pair is the viewer's and then the opponent's.
enum Code : int {
  kFieldCode = 0,  // 24 fields: the viewer's men, or 15 + the opponent's
  kDiceCode = 24,
  kColourCode = 26,
  kStageCode,
  kMovingCode,
  kPointsCode,
  kRunsCode = 31,  // bits: bredouille, big bredouille, first hole, corner just taken
  kHolesCode = 33,
  kProgressCode = 35,  // holes / holes_to_win in steps of 1 / kProgress
  kQuartersCode = 37,  // bits: the quarters that are filled
  kHomeCode = 39,      // bits: all the viewer's men are in the last quarter, all the opponent's
  kThrowsCode = 40,
  kDueCode = 42,
  kDrawingCode = 44,
  kRencontreCode,
  kCodes,
};
inline constexpr int kProgress = 252;  // a multiple of the usual numbers of holes, so that progress is exact

inline constexpr auto kCodeSizes = [] {
  std::array<std::uint16_t, kCodes> sizes{};
  const auto set = [&sizes](int first, int count, int size) {
    for (int i = 0; i < count; ++i) sizes[static_cast<std::size_t>(first + i)] = static_cast<std::uint16_t>(size);
  };
  set(kFieldCode, kFields, 31);
  set(kDiceCode, 2, 7);
  set(kColourCode, 1, 2);
  set(kStageCode, 1, 6);
  set(kMovingCode, 1, 2);
  set(kPointsCode, 2, 16);
  set(kRunsCode, 2, 16);
  set(kHolesCode, 2, 13);
  set(kProgressCode, 2, kProgress + 1);
  set(kQuartersCode, 2, 16);
  set(kHomeCode, 1, 4);
  set(kThrowsCode, 2, 16);
  set(kDueCode, 2, 64);
  set(kDrawingCode, 1, 2);
  set(kRencontreCode, 1, 256);
  return sizes;
}();

inline std::uint64_t reversed_bytes(std::uint64_t x) {
  x = (x >> 8 & 0x00ff00ff00ff00ff) | (x & 0x00ff00ff00ff00ff) << 8;
  x = (x >> 16 & 0x0000ffff0000ffff) | (x & 0x0000ffff0000ffff) << 16;
  return x >> 32 | x << 32;
}

inline void write_codes(const Core& state, int player, std::uint8_t* out) {
  const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
  const Men &mine = state.men[player], &theirs = state.men[1 - player];
  for (int group = 0; group < 3; ++group) {  // eight fields at a time, one per byte; a field holds one player's men
    const std::uint64_t own = mine.counts(group), other = reversed_bytes(theirs.counts(2 - group));
    const std::uint64_t some = (other + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
    const std::uint64_t eight = (own + other + 15 * some) & 0x1f1f1f1f1f1f1f1f;
    std::memcpy(out + kFieldCode + 8 * group, &eight, 8);
  }
  const bool moving = player == state.player;
  out[kDiceCode] = std::min<std::uint8_t>(state.dice[0], 6);
  out[kDiceCode + 1] = std::min<std::uint8_t>(state.dice[1], 6);
  out[kColourCode] = state.player & 1;
  out[kStageCode] = byte(std::min(static_cast<int>(state.stage), 5));
  out[kMovingCode] = moving;
  const Mask made[2] = {mine.made(), mirrored(theirs.made())};
  const int to_win = std::max<int>(state.rules.holes_to_win, 1);
  for (int side = 0; side < 2; ++side) {
    const int who = side == 0 ? player : 1 - player;
    out[kPointsCode + side] = std::min<std::uint8_t>(state.points[who], 15);
    out[kRunsCode + side] = byte(can_bredouille(state, who) | can_big_bredouille(state, who) << 1 |
                                 has(state.runs, kFirstHole, who) << 2 | has(state.facts, kCornerFresh, who) << 3);
    out[kHolesCode + side] = std::min<std::uint8_t>(state.holes[who], 12);
    out[kProgressCode + side] = byte(std::min((kProgress * state.holes[who] + to_win / 2) / to_win, kProgress));
    int filled = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
      filled |= ((made[side] & kQuarters[quarter]) == kQuarters[quarter]) << quarter;
    }
    out[kQuartersCode + side] = byte(filled);
    out[kThrowsCode + side] = byte(throws_of(state, who));
    out[kDueCode + side] = std::min<std::uint8_t>(state.due[(side == 0) == moving ? 0 : 1], 63);
  }
  out[kHomeCode] = byte(((mine.some() & ~kReturnJan) == 0) | ((theirs.some() & ~kReturnJan) == 0) << 1);
  out[kDrawingCode] = (state.facts & kDrawing) != 0;
  out[kRencontreCode] = state.rencontre;
}

// The features of a position with these codes (encoding.h).
inline void decode_features(const std::uint8_t* codes, bool markov, float* out) {
  std::uint8_t own[kFields], other[kFields];
  for (int field = 0; field < kFields; ++field) {
    own[field] = codes[field] <= 15 ? codes[field] : 0;
    other[field] = static_cast<std::uint8_t>(codes[field] > 15 ? codes[field] - 15 : 0);
  }
  detail::men_features(own, out);
  detail::men_features(other, out + 96);
  float* next = out + 192;
  *next++ = static_cast<float>(codes[kDiceCode]) / 6;
  *next++ = static_cast<float>(codes[kDiceCode + 1]) / 6;
  *next++ = codes[kColourCode];
  *next++ = static_cast<float>(codes[kStageCode]) / 5;
  const auto bit = [codes](int code, int number) { return static_cast<float>(codes[code] >> number & 1); };
  for (int side = 0; side < 2; ++side) {
    *next++ = static_cast<float>(codes[kPointsCode + side]) / 12;
    *next++ = static_cast<float>(codes[kHolesCode + side]) / 12;
    *next++ = bit(kRunsCode + side, 0);
    *next++ = bit(kRunsCode + side, 1);
  }
  for (int side = 0; side < 2; ++side) {
    for (int quarter = 0; quarter < 4; ++quarter) *next++ = bit(kQuartersCode + side, quarter);
  }
  *next++ = bit(kHomeCode, 0);
  *next++ = bit(kHomeCode, 1);
  *next++ = own[kCorner] >= 2;
  *next++ = other[kFields - 1 - kCorner] >= 2;
  *next++ = std::min(static_cast<float>(codes[kThrowsCode]) / 3, 1.0f);
  if (!markov) return;
  *next++ = codes[kMovingCode];
  *next++ = static_cast<float>(codes[kDueCode]) / 24;
  *next++ = static_cast<float>(codes[kDueCode + 1]) / 24;
  *next++ = std::min(static_cast<float>(codes[kThrowsCode + 1]) / 3, 1.0f);
  *next++ = codes[kThrowsCode] == 2;
  *next++ = codes[kThrowsCode + 1] == 2;
  for (int number = 2; number < 4; ++number) {
    for (int side = 0; side < 2; ++side) *next++ = bit(kRunsCode + side, number);
  }
  *next++ = codes[kDrawingCode];
  *next++ = static_cast<float>(codes[kProgressCode]) / kProgress;
  *next++ = static_cast<float>(codes[kProgressCode + 1]) / kProgress;
  *next++ = static_cast<float>(codes[kRencontreCode]) / 255;
}

}  // namespace tablier::trictrac
