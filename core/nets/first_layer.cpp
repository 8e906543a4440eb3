#include "first_layer.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "expect.h"

namespace tablier::nets {

namespace {

constexpr std::int32_t kMaxFeatures = 1 << 12;

// A small file must not ask for much memory: 64 MB for the rows, at most.
constexpr std::int64_t kMostExpanded = 1 << 25;

// Adds up the rows of one code after another. No sum overflows: it has at most kMaxFeatures products of 32 and
// 16 bits.
class Expansion {
 public:
  Expansion(const FirstLayer& layer, std::span<const std::int16_t> weights)
      : layer_(layer),
        weights_(weights),
        width_(static_cast<std::size_t>(layer.width)),
        half_(layer.shift > 0 ? std::int64_t{1} << (layer.shift - 1) : 0),
        sums_(width_) {}

  // Writes the row of a value that adds `values` to `features`.
  void row(std::span<const std::int32_t> features, const std::int32_t* values, std::int16_t* out) {
    std::ranges::fill(sums_, half_);
    for (std::size_t i = 0; i < features.size(); ++i) {
      if (values[i] != 0) add(values[i], weights_.data() + static_cast<std::size_t>(features[i]) * width_);
    }
    for (std::size_t unit = 0; unit < width_; ++unit) {
      const std::int64_t sum = sums_[unit] >> layer_.shift;
      highest_ = std::max(highest_, sum);
      lowest_ = std::min(lowest_, sum);
      out[unit] = static_cast<std::int16_t>(sum);
    }
  }

  bool fits() const {
    using Limits = std::numeric_limits<std::int16_t>;
    return lowest_ >= Limits::min() && highest_ <= Limits::max();
  }

 private:
  void add(std::int64_t value, const std::int16_t* weights) {
    for (std::size_t unit = 0; unit < width_; ++unit) sums_[unit] += value * weights[unit];
  }

  const FirstLayer& layer_;
  std::span<const std::int16_t> weights_;
  std::size_t width_;
  std::int64_t half_, highest_ = 0, lowest_ = 0;
  std::vector<std::int64_t> sums_;
};

std::vector<std::int16_t> expanded_rows(const TensorFile& file, const FirstLayer& layer) {
  expect_range(layer.features, 1, kMaxFeatures, "the number of features");
  expect_range(layer.shift, 0, 30, "the shift of the first layer");
  const auto counts = file.read<std::int32_t>("counts", layer.sizes.size());
  std::size_t listed = 0, values = 0, rows = 0;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    expect_range(counts[code], 0, layer.features, "the number of features of a code");
    const auto size = static_cast<std::size_t>(layer.sizes[code]), count = static_cast<std::size_t>(counts[code]);
    listed += count;
    values += size * count;
    rows += size;
  }
  const auto width = static_cast<std::size_t>(layer.width);
  expect(rows * width <= kMostExpanded, "range", "the rows of the network are too large");
  const auto features = file.read<std::int32_t>("features", listed);
  for (const std::int32_t feature : features) expect_range(feature, 0, layer.features - 1, "a feature of a code");
  const auto table = file.read<std::int32_t>("values", values);
  const auto weights = file.read<std::int16_t>("weights", static_cast<std::size_t>(layer.features) * width);

  std::vector<std::int16_t> result(rows * width);
  Expansion expansion(layer, weights);
  std::int16_t* row = result.data();
  const std::int32_t* value = table.data();
  const std::int32_t* feature = features.data();
  for (std::size_t code = 0; code < counts.size(); ++code) {
    const auto count = static_cast<std::size_t>(counts[code]);
    for (std::int32_t i = 0; i < layer.sizes[code]; ++i, row += width, value += count) {
      expansion.row({feature, count}, value, row);
    }
    feature += count;
  }
  expect(expansion.fits(), "overflow", "a row of the first layer could overflow");
  return result;
}

}  // namespace

std::vector<std::int16_t> read_rows(const TensorFile& file, int version, const FirstLayer& layer) {
  if (version > 1) return expanded_rows(file, layer);
  const auto rows = std::accumulate(layer.sizes.begin(), layer.sizes.end(), std::int64_t{0});
  return file.read<std::int16_t>("rows", static_cast<std::size_t>(rows * layer.width));
}

}  // namespace tablier::nets
