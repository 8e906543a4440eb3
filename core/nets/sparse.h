// Packs rows of features, most of which are zero, so that they travel in a tenth of the bytes. Lossless.
//
// A packed row is a bit per number (1: its bits are not all zero, low bit first) and then those numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tablier::nets {

inline std::string pack_rows(const float* rows, std::size_t n, std::size_t width) {
  const std::size_t mask = (width + 7) / 8;
  std::string out;
  out.reserve(n * (mask + width / 2));
  std::string row(mask + 4 * width, '\0');
  for (std::size_t i = 0; i < n; ++i, rows += width) {
    std::memset(row.data(), 0, mask);
    char* end = row.data() + mask;
    for (std::size_t k = 0; k < width; ++k) {
      const auto bits = std::bit_cast<std::uint32_t>(rows[k]);
      if (bits == 0) continue;
      row[k / 8] = static_cast<char>(row[k / 8] | (1 << (k % 8)));
      std::memcpy(end, &bits, 4);
      end += 4;
    }
    out.append(row.data(), static_cast<std::size_t>(end - row.data()));
  }
  return out;
}

// Writes n rows, which must be zero before. Returns false if the data does not have exactly these rows.
inline bool unpack_rows(std::string_view data, float* rows, std::size_t n, std::size_t width) {
  const std::size_t mask = (width + 7) / 8;
  for (std::size_t i = 0; i < n; ++i, rows += width) {
    if (data.size() < mask) return false;
    const std::string_view bits = data.substr(0, mask);
    data.remove_prefix(mask);
    for (std::size_t byte = 0; byte < mask; ++byte) {
      for (auto left = static_cast<unsigned char>(bits[byte]); left != 0;
           left &= static_cast<unsigned char>(left - 1)) {
        const std::size_t k = 8 * byte + static_cast<std::size_t>(std::countr_zero(left));
        if (k >= width || data.size() < 4) return false;
        std::memcpy(rows + k, data.data(), 4);
        data.remove_prefix(4);
      }
    }
  }
  return data.empty();
}

}  // namespace tablier::nets
