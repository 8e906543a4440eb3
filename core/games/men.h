// The men of one player as bit planes. Games with up to fifteen men a side and up to 32 places for them share it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tablier {

using Mask = std::uint32_t;  // a set of places

// kSpread[b] is the eight bits of b in eight bytes, lowest first.
inline constexpr auto kSpread = [] {
  std::array<std::uint64_t, 256> table{};
  for (unsigned b = 0; b < 256; ++b) {
    for (unsigned i = 0; i < 8; ++i) table[b] |= std::uint64_t{(b >> i) & 1} << (8 * i);
  }
  return table;
}();

inline constexpr std::uint64_t kOnes = 0x0101010101010101;

// The number of men on each place, 0 to 15, in four bit planes: bit i of plane k is bit k of the count on place i.
// Adding, removing, "at least one" and "at least two" take a few word operations for all places at once.
struct Men {
  Mask plane[4];

  constexpr bool operator==(const Men&) const = default;

  constexpr Mask some() const { return plane[0] | plane[1] | plane[2] | plane[3]; }  // one man or more
  constexpr Mask made() const { return plane[1] | plane[2] | plane[3]; }             // two or more
  constexpr Mask three() const { return (plane[0] & plane[1]) | plane[2] | plane[3]; }

  constexpr int count(int place) const {
    return static_cast<int>(((plane[0] >> place) & 1) | ((plane[1] >> place) & 1) << 1 |
                            ((plane[2] >> place) & 1) << 2 | ((plane[3] >> place) & 1) << 3);
  }
  constexpr int total(Mask places = ~Mask{0}) const {
    return std::popcount(plane[0] & places) + 2 * std::popcount(plane[1] & places) +
           4 * std::popcount(plane[2] & places) + 8 * std::popcount(plane[3] & places);
  }

  // Adds one man to each of these places, none of which may hold 15.
  constexpr void add(Mask places) {
    for (Mask& p : plane) {
      const Mask carry = p & places;
      p ^= places;
      places = carry;
    }
  }
  // Removes one man from each of these places, none of which may be empty.
  constexpr void remove(Mask places) {
    for (Mask& p : plane) {
      p ^= places;
      places &= p;
    }
  }

  // The counts of places 8 * group .. 8 * group + 7, one per byte.
  constexpr std::uint64_t counts(int group) const {
    std::uint64_t sum = 0;
    for (int k = 0; k < 4; ++k) sum += kSpread[(plane[k] >> (8 * group)) & 0xff] << k;
    return sum;
  }
};

static_assert(std::endian::native == std::endian::little);

}  // namespace tablier
