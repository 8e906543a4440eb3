// The board of backgammon as one player sees it, and where a number can be played.
//
// A place is the number of pips that a man on it is away from being borne off: 1 .. 24 are the points in the player's
// own numbering, kBar is the bar, and kOff holds the men borne off. So a number d always takes a man from p to p - d,
// from the bar too. Place p of one player is place 25 - p of the other.
#pragma once

#include <algorithm>

#include "../men.h"

namespace tablier::backgammon {

inline constexpr int kOff = 0;
inline constexpr int kPoints = 24;
inline constexpr int kBar = 25;
inline constexpr int kPlaces = 26;

inline constexpr Mask kAllPlaces = (1u << kPlaces) - 1;
inline constexpr Mask kBoard = kAllPlaces & ~(1u << kOff) & ~(1u << kBar);  // points 1 .. 24
inline constexpr Mask kHome = 0x7e;                                         // points 1 .. 6
inline constexpr Mask kOutside = kAllPlaces & ~kHome & ~(1u << kOff);       // a man here forbids bearing off
inline constexpr Mask kTheirHome = 0x3f << 19;                              // points 19 .. 24

constexpr Mask bit(int place) { return Mask{1} << place; }

// The same places in the other player's numbering.
constexpr Mask mirrored(Mask places) {
  places = ((places & 0x55555555) << 1) | ((places >> 1) & 0x55555555);
  places = ((places & 0x33333333) << 2) | ((places >> 2) & 0x33333333);
  places = ((places & 0x0f0f0f0f) << 4) | ((places >> 4) & 0x0f0f0f0f);
  places = ((places & 0x00ff00ff) << 8) | ((places >> 8) & 0x00ff00ff);
  return (places << 16 | places >> 16) >> (31 - kBar);
}

inline int highest(Mask places) { return 31 - std::countl_zero(places); }

// Where a man lands.
inline int landing(int from, int die) { return from > die ? from - die : kOff; }

// The points on which the opponent's men do not prevent landing, and those with a single man of theirs. Neither changes
// for the rest of the turn, except that a hit man is gone.
struct Ground {
  Mask open, blots;

  explicit Ground(const Men& opponent) {
    const Mask made = mirrored(opponent.made()), some = mirrored(opponent.some());
    open = kBoard & ~made;
    blots = some & ~made & kBoard;
  }
};

// The places from which a number can be played by a player with men on `some`.
inline Mask sources(Mask some, Mask open, int die) {
  if (some & bit(kBar)) return open >> (kBar - die) & 1 ? bit(kBar) : 0;
  Mask from = some & (open << die) & kBoard;
  if ((some & kOutside) == 0) {
    from |= some & bit(die);
    // A higher number than any man needs bears off the man furthest back.
    const Mask home = some & kHome;
    if (home != 0 && home < bit(die)) from |= bit(highest(home));
  }
  return from;
}

// `some` after a man has moved; `made` are the places that had two men or more.
inline Mask after_move(Mask some, Mask made, int from, int die) {
  return (some & ~(bit(from) & ~made)) | bit(landing(from, die));
}

// The number of pips that a player needs to bear off all men.
inline int pips(const Men& men) {
  int sum = 0;
  for (int k = 0; k < 4; ++k) {
    int plane = 0;
    for (Mask left = men.plane[k] & ~bit(kOff); left != 0; left &= left - 1) plane += std::countr_zero(left);
    sum += plane << k;
  }
  return sum;
}

}  // namespace tablier::backgammon
