// Codes for what an experienced player counts: the prospects of the next throw, and what each jan still lacks. The
// encoding "expert" adds them to those of codes.h. They cost more than all other codes together.
#pragma once

#include <algorithm>
#include <array>

#include "prospects.h"
#include "state.h"

namespace tablier::trictrac {

// Codes of one player. Means are over the 36 throws of the player's next turn (prospects.h).
enum ExpertCode : int {
  kPointsCode,          // mean points they mark, in steps of 1/18
  kLatePointsCode,      // the same times their points, in steps of 2/3
  kHolesWonCode,        // mean holes they win, in steps of 1/36
  kScoresCode,          // throws that mark anything
  kBreaksCode,          // the same times half the points of the opponent's run, which they would break
  kGivenCode,           // mean points that the opponent marks, in steps of 1/18
  kLateGivenCode,       // the same times the opponent's points, in steps of 2/3
  kCornerThrowsCode,    // throws that can take the corner
  kBlockedCode,         // 2 * numbers that no man can play + whether only they hold their corner
  kSmallCode,           // men that the small jan lacks; kImpossible if it can no longer be filled
  kBigCode,             // the big jan
  kReturnCode,          // the return jan
  kSpareCode,           // pips of the men outside a full jan: the further they are, the sooner it breaks
  kCornerDistanceCode,  // half the pips while they do not hold their corner
  kExpertCodes,
};
inline constexpr int kImpossible = 13;
inline constexpr int kMostSpare = 63;

inline constexpr std::array<std::uint16_t, kExpertCodes> kExpertSizes = {256,
                                                                         256,
                                                                         256,
                                                                         37,
                                                                         256,
                                                                         256,
                                                                         256,
                                                                         37,
                                                                         14,
                                                                         kImpossible + 1,
                                                                         kImpossible + 1,
                                                                         kImpossible + 1,
                                                                         3 * (kMostSpare + 1) + 1,
                                                                         182};

// Features of one player: 3 + 1 + 1 + 1 + 1 + 2 + 1 + 1 + 2 + 3 * 6 + 3 + 1.
inline constexpr int kExpertFeaturesPerSide = 35;

namespace detail {

inline void expert_side(const Core& state, int player, const View& view, std::uint8_t* out) {
  const auto put = [out](ExpertCode code, int value) {
    out[code] = static_cast<std::uint8_t>(std::clamp(value, 0, kExpertSizes[code] - 1));
  };
  const int points = state.points[player], others = state.points[1 - player];
  const ThrowCounts next =
      throw_counts(view, points, has(state.runs, kPointsRun, player), throws_of(state, player) + 1);
  put(kPointsCode, next.points / 2);
  put(kLatePointsCode, next.points * points / 24);
  put(kHolesWonCode, next.holes);
  put(kScoresCode, next.scores);
  put(kBreaksCode, has(state.runs, kPointsRun, 1 - player) ? next.scores * others / 2 : 0);
  put(kGivenCode, next.given / 2);
  put(kLateGivenCode, next.given * others / 24);
  put(kCornerThrowsCode, next.corner);
  put(kBlockedCode, 2 * next.blocked + (view.corner >= 2 && !view.they_hold_corner()));
  const Fillable can = fillable(view.men);
  const int gone = pips(view.men);
  const auto jan = [&](ExpertCode code, Mask fields, bool possible, int base, int kind) {
    const int lacks = possible ? missing(view, fields) : kImpossible;
    put(code, lacks);
    if (lacks == 0) put(kSpareCode, 1 + kind * (kMostSpare + 1) + std::clamp(gone - base, 0, kMostSpare));
  };
  out[kSpareCode] = 0;
  // The pips of the twelve men of a full jan are known; the rest belong to the other three.
  jan(kSmallCode, kSmallJan, can.small, 30, 0);
  jan(kBigCode, kBigJan, can.big, 102, 1);
  jan(kReturnCode, kReturnJan, view.men.total() == kMen, 246, 2);
  put(kCornerDistanceCode, view.corner == 0 ? gone / 2 : 0);
}

}  // namespace detail

// Writes the codes of the viewer and then those of the opponent.
inline void write_expert_codes(const Core& state, int player, std::uint8_t* out) {
  const Men &mine = state.men[player], &theirs = state.men[1 - player];
  detail::expert_side(state, player, View(mine, theirs), out);
  detail::expert_side(state, 1 - player, View(theirs, mine), out + kExpertCodes);
}

// Writes the features of one player with these codes, and returns where the next feature goes.
inline float* decode_expert_side(const std::uint8_t* codes, float* out) {
  const auto share = [codes](ExpertCode code, int most) {
    return static_cast<float>(codes[code]) / static_cast<float>(most);
  };
  const auto piece = [codes](ExpertCode code, int from, int to) {
    return static_cast<float>(std::clamp(codes[code] - from, 0, to - from)) / static_cast<float>(to - from);
  };
  *out++ = piece(kPointsCode, 0, 36);
  *out++ = piece(kPointsCode, 36, 108);
  *out++ = piece(kPointsCode, 108, 255);
  *out++ = share(kLatePointsCode, 128);
  *out++ = share(kHolesWonCode, 72);
  *out++ = share(kScoresCode, 36);
  *out++ = share(kBreaksCode, 198);
  *out++ = piece(kGivenCode, 0, 36);
  *out++ = piece(kGivenCode, 36, 255);
  *out++ = share(kLateGivenCode, 128);
  *out++ = share(kCornerThrowsCode, 36);
  const int blocked = codes[kBlockedCode] / 2;
  *out++ = static_cast<float>(blocked) / 6;
  *out++ = codes[kBlockedCode] & 1;
  for (const ExpertCode code : {kSmallCode, kBigCode, kReturnCode}) {
    const int lacks = codes[code];
    for (int n = 0; n < 5; ++n) *out++ = lacks == n;
    *out++ = lacks >= 5 && lacks != kImpossible;
  }
  const int spare = codes[kSpareCode] - 1;
  for (int kind = 0; kind < 3; ++kind) {
    *out++ =
        spare >= 0 && spare / (kMostSpare + 1) == kind ? static_cast<float>(spare % (kMostSpare + 1)) / kMostSpare : 0;
  }
  *out++ = share(kCornerDistanceCode, 181);
  return out;
}

}  // namespace tablier::trictrac
