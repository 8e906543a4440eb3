// Codes for what an experienced player counts: the race, shots, points made, primes, men far back. The encoding
// "expert" adds them to those of codes.h.
#pragma once

#include "state.h"

namespace tablier::backgammon {

// Codes of one player.
enum ExpertCode : int {
  kPipsCode,     // half the pips left
  kHomeCode,     // 3 * home points made + opposing men on the bar, up to 2
  kPrimeCode,    // 4 * length of the longest prime + opposing men behind it, up to 3
  kAnchorCode,   // 6 * foremost point made from 18 back (1 .. 7; 0: none) + men in the opposing home, up to 5
  kShotsCode,    // throws of the opponent, of 36, that hit a single man
  kLossCode,     // mean pips that these hits cost, in steps of 1/2
  kEnterCode,    // throws, of 36, that bring in a man from the bar; 37 if there is none
  kFreedomCode,  // throws, of 36, that the man furthest back can play alone; 37 if all men are home
  kDeepCode,     // men on the first two points
  kBlockedCode,  // numbers that no man can play
  kHoldCode,     // throws, of 36, that an opposing man could play alone from the most blocked of its places 18 to 24
  kMobileCode,   // throws that each man outside the home could play alone, summed, in steps of 8
  kTimeCode,     // pips left until a home point or an anchor must be given up, in steps of 4
  kExpertCodes,
};
inline constexpr std::array<std::uint16_t, kExpertCodes> kExpertSizes = {128, 21, 28, 48, 37, 49, 38,
                                                                         38,  16, 7,  37, 68, 48};

// Features of one player: 4 + 12 + 9 + 12 + 3 + 2 + 3 + 3 + 2 + 1 + 3 + 2 + 2.
inline constexpr int kExpertFeaturesPerSide = 58;

namespace detail {

inline constexpr int kNoMan = 37;

// For each set of open points among the twelve in front of a man (bit 12 - k: k pips ahead): the throws, of 36, that
// the man can play alone; two moves of a doublet are enough.
inline constexpr auto kFreeThrows = [] {
  std::array<std::uint8_t, 4096> table{};
  for (unsigned open = 0; open < 4096; ++open) {
    const auto is_open = [open](int ahead) { return (open >> (12 - ahead) & 1) != 0; };
    int throws = 0;
    for (int a = 1; a <= 6; ++a) {
      for (int b = a; b <= 6; ++b) {
        if ((is_open(a) || is_open(b)) && is_open(a + b)) throws += a == b ? 1 : 2;
      }
    }
    table[open] = static_cast<std::uint8_t>(throws);
  }
  return table;
}();

// Beyond the last point everything is open.
inline int free_throws(Mask open, int from) {
  return kFreeThrows[(std::uint64_t{open & kBoard} << 12 | 0x1fff) >> from & 0xfff];
}

// The fewest free throws that an opposing man can have on its places 18 to 24, whether there is one or not.
inline int hold(Mask their_open) {
  int fewest = 36;
  for (int from = 18; from <= 24; ++from) fewest = std::min(fewest, free_throws(their_open, from));
  return fewest;
}

inline int mobility(const Men& men, Mask open) {
  int sum = 0;
  for (Mask left = men.some() & kOutside; left != 0; left &= left - 1) {
    const int place = std::countr_zero(left);
    sum += men.count(place) * free_throws(open, place);
  }
  return sum;
}

// The pips that a player can play before they must give up a home point or an anchor: all men that are on their way
// home, and the third and further men on points of either home.
inline int spare_pips(const Men& men) {
  constexpr Mask kOnTheWay = kOutside & ~kTheirHome;
  int sum = 0;
  for (Mask left = men.some() & ~bit(kOff); left != 0; left &= left - 1) {
    const int place = std::countr_zero(left), count = men.count(place);
    const bool on_the_way = kOnTheWay >> place & 1;
    const int spare = on_the_way ? count : count == 1 ? 1 : count - 2;
    sum += spare * (place > 6 ? place - 6 : place - 1);
  }
  return sum;
}

struct Shots {
  int throws = 0;  // of 36
  int loss = 0;    // pips lost, summed over the 36 throws; at each, the man that would lose most if hit
};

// The throws of a player with men on `some` that hit one of `blots`. All places are the hitter's, so that a man hit on
// q loses q pips.
inline Shots shots(const Men& men, Mask open, Mask blots) {
  Shots result;
  if (blots == 0) return result;
  const Mask some = men.some() & ~bit(kOff);
  const int on_bar = men.count(kBar);
  const auto note = [&result](Mask hit, int weight) {
    if (hit == 0) return;
    result.throws += weight;
    result.loss += weight * highest(hit);
  };
  Mask landed[7];  // where each number can be played first
  for (int d = 1; d <= 6; ++d) landed[d] = (on_bar ? bit(kBar - d) : some >> d) & open;
  const Mask others = on_bar == 1 ? some & ~bit(kBar) : 0;  // may move once the man is in
  for (int a = 1; a <= 6; ++a) {
    for (int b = 1; b < a; ++b) {
      Mask reached = landed[a] | landed[b];
      if (on_bar <= 1) {
        reached |= (landed[a] >> b | landed[b] >> a) & open;
        if (landed[a]) reached |= others >> b & open;
        if (landed[b]) reached |= others >> a & open;
      }
      note(reached & blots, 2);
    }
    Mask reached = landed[a], last = landed[a];
    for (int left = on_bar <= 1 ? 3 : 4 - on_bar; left > 0; --left) {
      last = (last >> a | (landed[a] ? others >> a : 0)) & open;
      reached |= last;
    }
    note(reached & blots, 1);
  }
  return result;
}

// The longest row of points made, and how many opposing men are behind it.
struct Prime {
  int length = 0, behind = 0;
};
inline Prime longest_prime(Mask made, const Men& opponent) {
  Prime prime;
  Mask row = made & kBoard, last = 0;
  for (; row != 0; row &= row >> 1) {
    ++prime.length;
    last = row;
  }
  if (prime.length == 0) return prime;
  const int first = highest(last);  // the foremost row: it has the most room behind it
  // Opposing men that must still pass it are on lower places of this player; 25 - p is the opponent's.
  const Mask lower = (bit(first) - 1) & kBoard;
  prime.behind = opponent.total(mirrored(lower) | bit(kBar));
  return prime;
}

inline void expert_side(const Men& mine, const Men& theirs, std::uint8_t* out) {
  const auto put = [out](ExpertCode code, int value) {
    out[code] = static_cast<std::uint8_t>(std::clamp(value, 0, kExpertSizes[code] - 1));
  };
  const Mask made = mine.made() & kBoard, some = mine.some() & ~bit(kOff);
  const Ground ground(theirs), their_ground(mine);
  put(kPipsCode, pips(mine) / 2);
  put(kHomeCode, 3 * std::popcount(made & kHome) + std::min(theirs.count(kBar), 2));
  const Prime prime = longest_prime(made, theirs);
  put(kPrimeCode, 4 * std::min(prime.length, 6) + std::min(prime.behind, 3));
  const Mask anchors = made & (kTheirHome | bit(18));
  const int anchor = anchors ? std::countr_zero(anchors) - 17 : 0;
  put(kAnchorCode, 6 * anchor + std::min(mine.total(kTheirHome), 5));
  const Shots against = shots(theirs, their_ground.open, their_ground.blots);
  put(kShotsCode, against.throws);
  put(kLossCode, against.loss / 18);
  const int shut = 6 - std::popcount(ground.open & kTheirHome);
  put(kEnterCode, some & bit(kBar) ? 36 - shut * shut : kNoMan);
  const int back = some ? highest(some) : 0;
  put(kFreedomCode, back > 6 ? free_throws(ground.open, back) : kNoMan);
  put(kDeepCode, mine.total(bit(1) | bit(2)));
  int blocked = 0;
  for (int d = 1; d <= 6; ++d) blocked += sources(some, ground.open, d) == 0;
  put(kBlockedCode, blocked);
  put(kHoldCode, hold(their_ground.open));
  put(kMobileCode, mobility(mine, ground.open) / 8);
  put(kTimeCode, spare_pips(mine) / 4);
}

}  // namespace detail

// Writes the codes of the viewer and then those of the opponent.
inline void write_expert_codes(const Men& mine, const Men& theirs, std::uint8_t* out) {
  detail::expert_side(mine, theirs, out);
  detail::expert_side(theirs, mine, out + kExpertCodes);
}

// Writes the features of one player with these codes, and returns where the next feature goes.
inline float* decode_expert_side(const std::uint8_t* codes, float* out) {
  const auto piece = [codes](ExpertCode code, int from, int to) {
    return static_cast<float>(std::clamp(codes[code] - from, 0, to - from)) / static_cast<float>(to - from);
  };
  *out++ = piece(kPipsCode, 0, 25);
  *out++ = piece(kPipsCode, 25, 50);
  *out++ = piece(kPipsCode, 50, 90);
  *out++ = piece(kPipsCode, 90, 127);
  const int home = codes[kHomeCode] / 3, victims = codes[kHomeCode] % 3;
  for (int n = 1; n <= 6; ++n) *out++ = home >= n;
  for (int n = 1; n <= 6; ++n) *out++ = home >= n ? static_cast<float>(victims) / 2 : 0;
  const int length = codes[kPrimeCode] / 4, behind = codes[kPrimeCode] % 4;
  for (int n = 3; n <= 6; ++n) *out++ = length >= n;
  for (int n = 3; n <= 6; ++n) *out++ = length >= n ? static_cast<float>(behind) / 3 : 0;
  *out++ = static_cast<float>(behind) / 3;
  const int anchor = codes[kAnchorCode] / 6, back = codes[kAnchorCode] % 6;
  for (int n = 1; n <= 7; ++n) *out++ = anchor == n;
  for (int n = 1; n <= 5; ++n) *out++ = back >= n;
  *out++ = piece(kShotsCode, 0, 6);
  *out++ = piece(kShotsCode, 6, 18);
  *out++ = piece(kShotsCode, 18, 36);
  *out++ = piece(kLossCode, 0, 12);
  *out++ = piece(kLossCode, 12, 48);
  for (const ExpertCode code : {kEnterCode, kFreedomCode}) {
    const bool none = codes[code] == detail::kNoMan;
    *out++ = none;
    *out++ = none ? 0 : piece(code, 0, 18);
    *out++ = none ? 0 : piece(code, 18, 36);
  }
  *out++ = piece(kDeepCode, 0, 4);
  *out++ = piece(kDeepCode, 4, 15);
  *out++ = static_cast<float>(codes[kBlockedCode]) / 6;
  *out++ = piece(kHoldCode, 0, 9);
  *out++ = piece(kHoldCode, 9, 18);
  *out++ = piece(kHoldCode, 18, 36);
  *out++ = piece(kMobileCode, 0, 24);
  *out++ = piece(kMobileCode, 24, 67);
  *out++ = piece(kTimeCode, 0, 12);
  *out++ = piece(kTimeCode, 12, 47);
  return out;
}

}  // namespace tablier::backgammon
