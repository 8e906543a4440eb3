// A position as codes, the small whole numbers that a network in the core reads (core/nets), and the features as a
// function of the codes: 29 here, and more for the encoding "expert". Every feature depends on one code alone.
#pragma once

#include "encoding.h"
#include "expert.h"

namespace tablier::backgammon {

// The order of the codes. A pair is the viewer's and then the opponent's.
enum Code : int {
  kPointCode = 0,  // 24 points: the viewer's men, or 15 + the opponent's
  kBarCode = 24,   // men on the bar
  kOffCode = 26,   // men borne off
  kTurnCode = 28,  // 1 if the viewer throws or moves, 2 if the opponent does, else 0
  kCodes,          // the features of the encoding "classic" depend on the codes before
  kDiceCode =
      kCodes,  // 0: none; otherwise 1 + 27 * the opponent moves + throw (0 .. 20), or 21 .. 26 in the second half
  kSeatCode,   // the viewer's seat, which the numbers of actions depend on
  kLeadCode,   // 65 * the men have passed each other + half the lead in pips, from -32 to 32
  kSideCodes,  // expert.h
  kAllCodes = kSideCodes + 2 * kExpertCodes,
};

inline constexpr auto kCodeSizes = [] {
  std::array<std::uint16_t, kAllCodes> sizes{};
  for (std::size_t i = 0; i < kPoints; ++i) sizes[kPointCode + i] = 31;
  for (std::size_t side = 0; side < 2; ++side) {
    sizes[kBarCode + side] = sizes[kOffCode + side] = 16;
    for (std::size_t i = 0; i < kExpertCodes; ++i) sizes[kSideCodes + side * kExpertCodes + i] = kExpertSizes[i];
  }
  sizes[kTurnCode] = 3;
  sizes[kDiceCode] = 55;
  sizes[kSeatCode] = 2;
  sizes[kLeadCode] = 130;
  return sizes;
}();

// Two more features per point and player (four men or more, six or more); 3 per bar, 3 per men borne off; 13 for the
// dice, 1 for the seat, 7 for the lead.
inline constexpr int kMorePerPoint = 2;
inline constexpr int kExpertStart = kClassic + 2 * kPoints * kMorePerPoint;
inline constexpr int kSeatFeature = kExpertStart + 12 + 13;
inline constexpr int kExpert = kSeatFeature + 1 + 7 + 2 * kExpertFeaturesPerSide;

namespace detail {

inline int turn_code(const Core& state, int player) {
  if (state.phase == Phase::kOpening || state.phase == Phase::kOver) return 0;
  return state.player == player ? 1 : 2;
}

inline int dice_code(const Core& state, int player) {
  if (!moving(state)) return 0;
  const int high = std::max(state.dice[0], state.dice[1]), low = std::min(state.dice[0], state.dice[1]);
  const int thrown = state.phase == Phase::kSecondHalf ? 20 + high : high * (high - 1) / 2 + low - 1;
  return 1 + 27 * (state.player != player) + thrown;
}

// Whether a man of each player has still to pass a man of the other.
inline bool in_contact(const Men& mine, const Men& theirs) {
  const Mask some = mine.some() & ~bit(kOff), others = mirrored(theirs.some() & ~bit(kOff));
  return some != 0 && others != 0 && highest(some) > std::countr_zero(others);
}

inline int lead_code(const Men& mine, const Men& theirs) {
  const int lead = std::clamp((pips(theirs) - pips(mine)) / 2, -32, 32);
  return (in_contact(mine, theirs) ? 0 : 65) + 32 + lead;
}

}  // namespace detail

// Writes the codes after kDiceCode that depend on the men alone, kLeadCode first.
inline void write_men_codes(const Men& mine, const Men& theirs, std::uint8_t* out) {
  out[0] = static_cast<std::uint8_t>(detail::lead_code(mine, theirs));
  write_expert_codes(mine, theirs, out + 1);
}

// Writes the first kCodes, and the others if `count` is larger.
inline void write_codes(const Core& state, int player, int count, std::uint8_t* out) {
  const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
  const Men &mine = state.men[player], &theirs = state.men[1 - player];
  for (int point = 1; point <= kPoints; ++point) {
    const int others = theirs.count(kBar - point);
    out[kPointCode + point - 1] = byte(others > 0 ? 15 + others : mine.count(point));
  }
  for (int side = 0; side < 2; ++side) {
    const Men& men = side == 0 ? mine : theirs;
    out[kBarCode + side] = byte(men.count(kBar));
    out[kOffCode + side] = byte(men.count(kOff));
  }
  out[kTurnCode] = byte(detail::turn_code(state, player));
  if (count <= kCodes) return;
  out[kDiceCode] = byte(detail::dice_code(state, player));
  out[kSeatCode] = byte(player);
  write_men_codes(mine, theirs, out + kLeadCode);
}

namespace detail {

// The features of the dice: for each player and each number how many of the four possible moves are left, and the
// second half of a doublet.
inline float* dice_features(int code, float* out) {
  for (int i = 0; i < 13; ++i) out[i] = 0;
  if (code == 0) return out + 13;
  const int side = (code - 1) / 27, thrown = (code - 1) % 27;
  if (thrown > 20) {
    out[6 * side + thrown - 21] = 0.5f;
    out[12] = 1;
    return out + 13;
  }
  int high = 1;
  while (high * (high + 1) / 2 <= thrown) ++high;
  const int low = thrown - high * (high - 1) / 2 + 1;
  out[6 * side + high - 1] += high == low ? 0.5f : 0.25f;
  out[6 * side + low - 1] += high == low ? 0.5f : 0.25f;
  return out + 13;
}

inline float* lead_features(int code, float* out) {
  const bool race = code >= 65;
  const float lead = static_cast<float>(code % 65 - 32) / 32;
  *out++ = race;
  for (const bool when : {false, true}) {
    *out++ = race == when ? std::max(lead, 0.0f) : 0;
    *out++ = race == when ? std::max(-lead, 0.0f) : 0;
    *out++ = race == when && lead > 0;
  }
  return out;
}

}  // namespace detail

// The features of a position with these codes.
inline void decode_features(const std::uint8_t* codes, Encoding encoding, float* out) {
  std::uint8_t men[2][kPoints];
  for (int i = 0; i < kPoints; ++i) {
    const int code = codes[kPointCode + i];
    men[0][i] = static_cast<std::uint8_t>(code <= 15 ? code : 0);
    men[1][i] = static_cast<std::uint8_t>(code > 15 ? code - 15 : 0);
  }
  for (const auto& side : men) {
    for (const std::uint8_t count : side) {
      std::memcpy(out, detail::kPointFeatures[count].data(), 16);
      out += 4;
    }
  }
  for (int side = 0; side < 2; ++side) {
    *out++ = static_cast<float>(codes[kBarCode + side]) / 15;
    *out++ = static_cast<float>(codes[kOffCode + side]) / 15;
  }
  *out++ = codes[kTurnCode] == 1;
  *out++ = codes[kTurnCode] == 2;
  if (encoding == Encoding::kClassic) return;
  for (const auto& side : men) {
    for (const std::uint8_t count : side) {
      *out++ = count >= 4;
      *out++ = count >= 6;
    }
  }
  for (int side = 0; side < 2; ++side) {
    for (int n = 1; n <= 3; ++n) *out++ = codes[kBarCode + side] >= n;
    for (const int n : {1, 8, 12}) *out++ = codes[kOffCode + side] >= n;
  }
  out = detail::dice_features(codes[kDiceCode], out);
  *out++ = codes[kSeatCode];
  out = detail::lead_features(codes[kLeadCode], out);
  decode_expert_side(codes + kSideCodes + kExpertCodes, decode_expert_side(codes + kSideCodes, out));
}

inline void features(const Core& state, int player, float* out) {
  if (state.rules.encoding == Encoding::kClassic) return classic_features(state, player, out);
  std::uint8_t codes[kAllCodes];
  write_codes(state, player, kAllCodes, codes);
  decode_features(codes, state.rules.encoding, out);
}

}  // namespace tablier::backgammon
