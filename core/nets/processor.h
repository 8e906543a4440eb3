// What an x86-64 processor and its system support, for kernels.cpp. The builtins of the compilers would do the same,
// but clang-cl does not link them.
#pragma once

#include <cpuid.h>

#include <cstdint>

namespace tablier::nets {

class Processor {
 public:
  Processor() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !bit(c, 27)) return;  // the system saves no registers beyond SSE
    std::uint32_t low = 0, high = 0;
    __asm__ __volatile__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    saved_ = low;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
      ebx_ = b;
      ecx_ = c;
    }
  }

  bool has_avx2() const { return saves(0x06) && bit(ebx_, 5); }

  // The foundation, BW, VL and VNNI.
  bool has_avx512() const { return saves(0xe6) && bit(ebx_, 16) && bit(ebx_, 30) && bit(ebx_, 31) && bit(ecx_, 11); }

 private:
  static bool bit(std::uint32_t word, int number) { return (word >> number & 1) != 0; }
  bool saves(std::uint32_t registers) const { return (saved_ & registers) == registers; }

  std::uint32_t saved_ = 0;          // the registers that the system saves: XCR0
  std::uint32_t ebx_ = 0, ecx_ = 0;  // the extended features: leaf 7
};

}  // namespace tablier::nets
