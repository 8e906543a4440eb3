// A position as codes, the small whole numbers that a network in the core reads (core/nets), and the features as a
// function of the codes: 38 here, and those of expert.h for the encoding "expert". Every feature depends on one code
// alone. Facts that change together share a code, because every code that changes costs time.
#pragma once

#include "encoding.h"

namespace tablier::trictrac {

// The order of the codes. A pair is the viewer's and then the opponent's.
enum Code : int {
  kFieldCode = 0,  // 24 fields: the viewer's men, or 15 + the opponent's
  kDiceCode = 24,  // 7 * first die + second die
  kStageCode,      // 8 * stage + 4 * drawing + 2 * the viewer moves + colour of the mover
  kScoreCode,      // 16 * points + bits: bredouille, big bredouille, first hole, corner just taken
  kHolesCode = 28,
  kProgressCode = 30,  // holes / holes_to_win in steps of 1 / kProgress
  kFilledCode = 32,    // bits: the four quarters that are filled, all men in the last quarter
  kThrowsCode = 34,    // 10 * the viewer's throws + the opponent's
  kDueCode,
  kRencontreCode = 37,
  kCodes,
};
inline constexpr int kProgress = 252;  // a multiple of the usual numbers of holes, so that progress is exact
inline constexpr int kMostDue = 63;

inline constexpr int kAllCodes = kCodes + 2 * kExpertCodes;

// The features of the encodings other than "expert" depend on the first kCodes alone.
inline constexpr auto kCodeSizes = [] {
  std::array<std::uint16_t, kAllCodes> sizes{};
  const auto set = [&sizes](std::size_t first, std::size_t count, std::uint16_t size) {
    for (std::size_t i = first; i < first + count; ++i) sizes[i] = size;
  };
  set(kFieldCode, kFields, 31);
  set(kDiceCode, 1, 49);
  set(kStageCode, 1, 48);
  set(kScoreCode, 2, 256);
  set(kHolesCode, 2, 13);
  set(kProgressCode, 2, kProgress + 1);
  set(kFilledCode, 2, 32);
  set(kThrowsCode, 1, 100);
  set(kDueCode, 2, kMostDue + 1);
  set(kRencontreCode, 1, 256);
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t i = 0; i < kExpertCodes; ++i) sizes[kCodes + side * kExpertCodes + i] = kExpertSizes[i];
  }
  return sizes;
}();

inline std::uint64_t reversed_bytes(std::uint64_t x) {
  x = (x >> 8 & 0x00ff00ff00ff00ff) | (x & 0x00ff00ff00ff00ff) << 8;
  x = (x >> 16 & 0x0000ffff0000ffff) | (x & 0x0000ffff0000ffff) << 16;
  return x >> 32 | x << 32;
}

namespace detail {

// `made` is in the viewer's numbering, `some` in the player's own.
inline int filled_code(Mask made, Mask some) {
  int code = ((some & ~kReturnJan) == 0) << 4;
  for (int quarter = 0; quarter < 4; ++quarter) {
    code |= ((made & kQuarters[quarter]) == kQuarters[quarter]) << quarter;
  }
  return code;
}

inline int score_code(const Core& state, int who) {
  return 16 * std::min<int>(state.points[who], 15) + can_bredouille(state, who) + 2 * can_big_bredouille(state, who) +
         4 * has(state.runs, kFirstHole, who) + 8 * has(state.facts, kCornerFresh, who);
}

}  // namespace detail

// Writes the first kCodes, and the others if `count` is larger.
inline void write_codes(const Core& state, int player, int count, std::uint8_t* out) {
  const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
  const Men &mine = state.men[player], &theirs = state.men[1 - player];
  for (int group = 0; group < 3; ++group) {  // eight fields at a time, one per byte; a field holds one player's men
    const std::uint64_t own = mine.counts(group), other = reversed_bytes(theirs.counts(2 - group));
    const std::uint64_t some = (other + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101;
    const std::uint64_t eight = (own + other + 15 * some) & 0x1f1f1f1f1f1f1f1f;
    std::memcpy(out + kFieldCode + 8 * group, &eight, 8);
  }
  const bool moving = player == state.player;
  out[kDiceCode] = byte(7 * std::min<int>(state.dice[0], 6) + std::min<int>(state.dice[1], 6));
  out[kStageCode] = byte(8 * std::min(static_cast<int>(state.stage), 5) + 4 * (state.facts & kDrawing) + 2 * moving +
                         (state.player & 1));
  const Mask made[2] = {mine.made(), mirrored(theirs.made())}, some[2] = {mine.some(), theirs.some()};
  const int to_win = std::max<int>(state.rules.holes_to_win, 1);
  for (int side = 0; side < 2; ++side) {
    const int who = side == 0 ? player : 1 - player, holes = state.holes[who];
    out[kScoreCode + side] = byte(detail::score_code(state, who));
    out[kHolesCode + side] = byte(std::min(holes, 12));
    out[kProgressCode + side] = byte(to_win == 12 ? std::min(21 * holes, kProgress)
                                                  : std::min((kProgress * holes + to_win / 2) / to_win, kProgress));
    out[kFilledCode + side] = byte(detail::filled_code(made[side], some[side]));
    out[kDueCode + side] = byte(std::min<int>(state.due[(side == 0) == moving ? 0 : 1], kMostDue));
  }
  out[kThrowsCode] = byte(10 * std::min(throws_of(state, player), 9) + std::min(throws_of(state, 1 - player), 9));
  out[kRencontreCode] = state.rencontre;
  if (count > kCodes) write_expert_codes(state, player, out + kCodes);
}

// The first `count` features of a position with these codes (encoding.h).
inline void decode_features(const std::uint8_t* codes, int count, float* out) {
  std::uint8_t own[kFields], other[kFields];
  for (int field = 0; field < kFields; ++field) {
    own[field] = codes[field] <= 15 ? codes[field] : 0;
    other[field] = static_cast<std::uint8_t>(codes[field] > 15 ? codes[field] - 15 : 0);
  }
  detail::men_features(own, out);
  detail::men_features(other, out + 96);
  float* next = out + 192;
  const auto bit = [codes](int code, int number) { return static_cast<float>(codes[code] >> number & 1); };
  const int first = codes[kDiceCode] / 7, second = codes[kDiceCode] % 7, stage = codes[kStageCode] / 8;
  *next++ = static_cast<float>(first) / 6;
  *next++ = static_cast<float>(second) / 6;
  *next++ = bit(kStageCode, 0);
  *next++ = static_cast<float>(stage) / 5;
  for (int side = 0; side < 2; ++side) {
    const int points = codes[kScoreCode + side] / 16;
    *next++ = static_cast<float>(points) / 12;
    *next++ = static_cast<float>(codes[kHolesCode + side]) / 12;
    *next++ = bit(kScoreCode + side, 0);
    *next++ = bit(kScoreCode + side, 1);
  }
  for (int side = 0; side < 2; ++side) {
    for (int quarter = 0; quarter < 4; ++quarter) *next++ = bit(kFilledCode + side, quarter);
  }
  *next++ = bit(kFilledCode, 4);
  *next++ = bit(kFilledCode + 1, 4);
  *next++ = own[kCorner] >= 2;
  *next++ = other[kFields - 1 - kCorner] >= 2;
  const int throws = codes[kThrowsCode] / 10, their_throws = codes[kThrowsCode] % 10;
  *next++ = std::min(static_cast<float>(throws) / 3, 1.0f);
  if (count < kMarkov) return;
  *next++ = bit(kStageCode, 1);
  *next++ = static_cast<float>(codes[kDueCode]) / 24;
  *next++ = static_cast<float>(codes[kDueCode + 1]) / 24;
  *next++ = std::min(static_cast<float>(their_throws) / 3, 1.0f);
  *next++ = throws == 2;
  *next++ = their_throws == 2;
  for (int number = 2; number < 4; ++number) {
    for (int side = 0; side < 2; ++side) *next++ = bit(kScoreCode + side, number);
  }
  *next++ = bit(kStageCode, 2);
  *next++ = static_cast<float>(codes[kProgressCode]) / kProgress;
  *next++ = static_cast<float>(codes[kProgressCode + 1]) / kProgress;
  *next++ = static_cast<float>(codes[kRencontreCode]) / 255;
  if (count < kExpert) return;
  decode_expert_side(codes + kCodes + kExpertCodes, decode_expert_side(codes + kCodes, next));
}

}  // namespace tablier::trictrac
