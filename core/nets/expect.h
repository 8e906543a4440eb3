// Checks of what a file contains; a failure names the reason.
#pragma once

#include <cstdint>
#include <string>

#include "tensor_file.h"

namespace tablier::nets {

inline void expect(bool right, const char* slug, const char* text) {
  if (!right) throw BadFile(slug, text);
}

inline void expect_range(std::int32_t value, std::int32_t low, std::int32_t high, const char* what) {
  if (value >= low && value <= high) return;
  throw BadFile("range", std::string(what) + " must be from " + std::to_string(low) + " to " + std::to_string(high) +
                             ", not " + std::to_string(value));
}

}  // namespace tablier::nets
