// A play, the list of plays, and the conditions of the rest corner and of full jans. rules.md, 3, 4 and 8. legal.h
// lists the plays of a throw.
#pragma once

#include "actions.h"

namespace tablier::trictrac {

enum class BearingOff : std::uint8_t { kParis, kByDefaultOnly };

// Two moves, one after the other; to kOff if the man is borne off. A move that is not made ends where it starts.
struct Moves {
  std::uint8_t from[2], to[2];
};

struct Play {
  std::uint16_t action;  // the smallest of its spellings
  std::uint8_t excess;   // men borne off by excess numbers
  Moves moves;           // of one way to play it
  Men men;               // position after the play
};

// The plays of a throw, one for each final position.
struct Plays {
  static constexpr int kMost = 256;  // 15 x 15 pairs of men, 15 men alone, and the corner by power

  int count = 0;
  int unplayed = 0;    // numbers that cannot be played (rules.md, 3.1)
  bool fills = false;  // a play can end with a full jan; only such plays are listed
  bool out = false;    // a play can bear off the last man; only such plays are listed
  Play play[kMost];

  void push(int action, const Men& men, Moves moves, int excess = 0) {
    play[count++] = {static_cast<std::uint16_t>(action), static_cast<std::uint8_t>(excess), moves, men};
  }
};

inline bool has_full_jan(const Men& men) {
  const Mask made = men.made();
  return (made & kSmallJan) == kSmallJan || (made & kBigJan) == kBigJan || (made & kReturnJan) == kReturnJan;
}

// The number of men that a jan needs to be full (rules.md, 8).
inline int missing(const View& view, Mask jan) {
  return 2 * std::popcount(jan & ~view.some) + std::popcount(jan & view.some & ~view.made);
}

// The jan that needs at most two men, or -1. Fifteen men allow only one.
inline int nearly_full(const View& view) {
  for (int jan = 0; jan < 3; ++jan) {
    if (missing(view, kJans[jan]) <= 2) return jan;
  }
  return -1;
}

namespace detail {

inline constexpr Moves kNoMoves = {};

inline Moves moves_of(int from1, int to1, int from2, int to2) {
  const auto byte = [](int field) { return static_cast<std::uint8_t>(field); };
  return {{byte(from1), byte(from2)}, {byte(to1), byte(to2)}};
}
inline Moves move_of(int from, int to) { return moves_of(from, to, from, from); }

inline Men moved(Men men, Mask from, Mask to) {
  men.remove(from);
  men.add(to);
  return men;
}

// Whether the corner can be taken by effect, which excludes taking it by power (rules.md, 4.2 and 4.4).
inline bool by_effect(const View& view, int a, int b) {
  if (view.corner != 0) return false;
  return a == b ? (view.made >> (kCorner - a)) & 1 : view.has(kCorner - a) && view.has(kCorner - b);
}

inline bool by_power(const View& view, int a, int b) {
  if (view.corner != 0 || view.they_hold_corner() || by_effect(view, a, b)) return false;
  return a == b ? (view.made >> (kOpposing - a)) & 1 : view.has(kOpposing - a) && view.has(kOpposing - b);
}

// The fields from which a number may be played alone under the corner rule (rules.md, 4.1).
inline Mask single_sources(const View& view, int d) {
  Mask from = view.some & (view.stop >> d);
  if (view.corner == 0) from &= ~bit(kCorner - d);
  if (view.corner == 2) from &= ~bit(kCorner);
  return from;
}

}  // namespace detail
}  // namespace tablier::trictrac
