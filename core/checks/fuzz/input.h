// What all fuzz targets share: reading an input, buffers whose ends AddressSanitizer guards, and failing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "../../game.h"

namespace tablier::fuzz {

[[noreturn]] inline void broken(std::string_view where, const char* what, std::string_view why = "") {
  std::fprintf(stderr, "%.*s: %s: %.*s\n", static_cast<int>(where.size()), where.data(), what,
               static_cast<int>(why.size()), why.data());
  std::abort();
}

// The bytes of an input; 0 when they are used up.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  bool more() const { return !left_.empty(); }
  unsigned byte() {
    if (left_.empty()) return 0;
    const unsigned first = left_.front();
    left_ = left_.subspan(1);
    return first;
  }
  unsigned number() {
    unsigned result = 0;
    for (int i = 0; i < 3; ++i) result = result << 8 | byte();
    return result;
  }
  unsigned below(std::size_t n) { return static_cast<unsigned>(number() % n); }
  std::span<const std::uint8_t> rest() const { return left_; }

 private:
  std::span<const std::uint8_t> left_;
};

// A buffer of exactly this size, on the heap.
template <class T>
std::unique_ptr<T[]> room(std::int64_t size) {
  return std::make_unique<T[]>(static_cast<std::size_t>(size));
}

// A value for each option, of which many are the defaults.
inline std::vector<std::int64_t> choose_options(std::span<const Option> options, Input& in) {
  std::vector<std::int64_t> values;
  for (const Option& option : options) {
    const unsigned chosen = in.byte();
    const auto span = static_cast<std::uint64_t>(option.largest() - option.least()) + 1;
    const auto value = option.least() + static_cast<std::int64_t>(chosen % span);
    values.push_back(chosen % 4 == 0 ? option.default_value : value);
  }
  return values;
}

// Flips up to six bits of the words, or replaces them all, as the input says. Returns whether anything was done.
inline bool change_words(Input& in, int count, Word* words) {
  const unsigned flips = in.byte() % 8;
  if (flips == 7) {
    for (int i = 0; i < count; ++i) words[i] = in.number() * 0x9e3779b97f4a7c15;
    return true;
  }
  for (unsigned i = 0; i < flips; ++i) {
    const unsigned at = in.below(64 * static_cast<std::size_t>(count));
    words[at / 64] ^= Word{1} << at % 64;
  }
  return flips > 0;
}

// Replaces up to three bytes of the words by other small numbers, as most fields of a state are.
inline void change_bytes(Input& in, int count, Word* words) {
  for (unsigned left = in.byte() % 4; left > 0; --left) {
    const unsigned at = in.below(8 * static_cast<std::size_t>(count)), shift = at % 8 * 8;
    words[at / 8] = (words[at / 8] & ~(Word{0xff} << shift)) | Word{in.byte() % 32} << shift;
  }
}

}  // namespace tablier::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
