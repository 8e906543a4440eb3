// A counter-based random generator: the n-th number of a stream is a pure function of (key, n). Deriving a key splits
// off a stream, a generator is saved as two words, and results do not depend on threads or machines. Not for
// cryptography.
//
// The mixing function is the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
// generators", OOPSLA 2014).
#pragma once

#include <cstdint>

namespace tablier {

constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15ULL;

// The key of stream `index` under `seed`. Two rounds decorrelate neighbouring seeds and indices.
constexpr std::uint64_t stream_key(std::uint64_t seed, std::uint64_t index) {
  return mix(mix(seed + kGoldenGamma) ^ (index * kGoldenGamma + 0x632be59bd9b4e019ULL));
}

struct Rng {
  std::uint64_t key = 0;
  std::uint64_t count = 0;  // numbers drawn so far

  constexpr std::uint64_t next() { return mix(key + kGoldenGamma * ++count); }

  // Uniform in 0 .. n-1, n > 0. The bias of multiply-shift is below n / 2^64, which no run can detect.
  constexpr int below(int n) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<int>((static_cast<Wide>(next()) * static_cast<std::uint64_t>(n)) >> 64);
  }

  // Uniform in the open interval (0, 1), so its logarithm is finite.
  constexpr double unit() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1p-53; }
};

}  // namespace tablier
