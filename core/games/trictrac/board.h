// The men of one player as bitboards, and the position as the mover sees it. Scores and stages are in state.h.
//
// Fields are indices 0 .. 23 here (field 1 of the rules is index 0), always in the numbering of the player: index 0 is
// their talon, index 11 their rest corner; bit i of a mask is field i + 1. rules.md, 1.
#pragma once

#include <cstring>

#include "../men.h"

namespace tablier::trictrac {

using tablier::Mask, tablier::Men;

inline constexpr int kFields = 24;
inline constexpr int kOff = 24;  // "the exit counts as field 25"
inline constexpr int kTalon = 0;
inline constexpr int kCorner = 11;    // own rest corner, field 12
inline constexpr int kOpposing = 12;  // the opponent's, field 13
inline constexpr int kMen = 15;

inline constexpr Mask kBoard = 0xffffff;
inline constexpr Mask kSmallJan = 0x00003f;                         // fields 1-6
inline constexpr Mask kBigJan = 0x000fc0;                           // fields 7-12
inline constexpr Mask kTheirBig = 0x03f000;                         // fields 13-18
inline constexpr Mask kReturnJan = 0xfc0000;                        // fields 19-24
inline constexpr Mask kJans[3] = {kSmallJan, kBigJan, kReturnJan};  // the jans that can be filled (rules.md, 8)

constexpr Mask bit(int field) { return Mask{1} << field; }

// Field f of one player is field 25 - f of the other (rules.md, 1).
constexpr Mask mirrored(Mask fields) {
  fields = ((fields & 0x555555) << 1) | ((fields >> 1) & 0x555555);
  fields = ((fields & 0x333333) << 2) | ((fields >> 2) & 0x333333);
  fields = ((fields & 0x0f0f0f) << 4) | ((fields >> 4) & 0x0f0f0f);
  return ((fields & 0xff) << 16) | (fields & 0xff00) | (fields >> 16);
}

constexpr Men men_at_talon() {
  Men men{};
  for (Mask& p : men.plane) p = bit(kTalon);  // all fifteen
  return men;
}

// The sum of field indices over all men; a man borne off counts 24.
inline int pips(const Men& men) {
  constexpr std::uint64_t kIndex = 0x0001020304050607;  // the top byte of a product is 0 * first + 1 * second + ...
  int sum = 0;
  for (int group = 0; group < 3; ++group) {
    const std::uint64_t counts = men.counts(group);
    sum += static_cast<int>((counts * kIndex) >> 56) + 8 * group * static_cast<int>((counts * kOnes) >> 56);
  }
  return sum + kOff * (kMen - men.total());
}

// Whether a player can still fill their small or big jan (rules.md, 5). `men` is in the player's numbering.
struct Fillable {
  bool small, big;
};

inline Fillable fillable(const Men& men) {
  constexpr std::uint64_t kHigh = 0x80 * kOnes;
  // Multiplying by kOnes puts the sum of bytes 0 .. k - 1, the men on fields 1 .. k, into byte k - 1.
  const std::uint64_t first = men.counts(0);
  const std::uint64_t upto8 = first * kOnes;
  const std::uint64_t on6 = (upto8 >> 40) & 0xff;
  // c(k), the men on fields 1 .. k, must be >= 2k for k = 1 .. 6; bytes 6 and 7 have no condition.
  const bool small = (((upto8 | kHigh) - 0x00000c0a08060402) & kHigh) == kHigh;
  // c(k) >= 2(k - 6) for k = 7 .. 12.
  const std::uint64_t next = (first >> 48) | (men.counts(1) << 16 & 0x0000ffffffff0000);
  const std::uint64_t upto12 = next * kOnes + on6 * kOnes;
  const bool big = (((upto12 | kHigh) - 0x00000c0a08060402) & kHigh) == kHigh;
  return {small, big};
}

// The number of men on a field and behind it. Actions name a stack by this ordinal of its last man.
class Ordinals {
 public:
  explicit Ordinals(const Men& men) {
    std::uint64_t before = 0;
    for (int group = 0; group < 3; ++group) {
      const std::uint64_t sums = men.counts(group) * kOnes + before * kOnes;
      std::memcpy(of_ + 8 * group, &sums, 8);  // little-endian, so the first byte is the first field
      before = sums >> 56;
    }
  }
  int operator[](int field) const { return of_[field]; }

  // The field of the stack whose last man has this ordinal, or -1.
  static int field(const Men& men, int ordinal) {
    int seen = 0;
    for (Mask left = men.some(); left != 0; left &= left - 1) {
      const int field = std::countr_zero(left);
      seen += men.count(field);
      if (seen >= ordinal) return seen == ordinal ? field : -1;
    }
    return -1;
  }

 private:
  std::uint8_t of_[kFields];
};

// A position from the mover's side, with the masks that the rules need. All masks are in the mover's numbering.
struct View {
  Men men;           // the mover's
  Mask some, made;   // the mover's fields with one man or more, with two or more
  Mask theirs;       // fields with opposing men
  Mask theirs_made;  // fields with two opposing men or more
  Mask rest;         // where a man may rest between two numbers (rules.md, 3)
  Mask stop;         // where a man may stop, apart from the corner rule
  int corner;        // men on the mover's rest corner

  View(const Men& mover, const Men& opponent)
      : men(mover),
        some(mover.some()),
        made(mover.made()),
        theirs(mirrored(opponent.some())),
        theirs_made(mirrored(opponent.made())),
        rest(kBoard & ~theirs),
        corner(mover.count(kCorner)) {
    const Fillable can = fillable(opponent);
    stop = rest & ~bit(kOpposing) & ~(can.small ? kReturnJan : 0) & ~(can.big ? kTheirBig : 0);
  }

  bool has(int field) const { return (some >> field) & 1; }
  bool they_hold_corner() const { return (theirs >> kOpposing) & 1; }
};

}  // namespace tablier::trictrac
