#include "network.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "expect.h"
#include "first_layer.h"

namespace tablier::nets {

namespace {

constexpr int kVersion = 2;                 // the newest
constexpr std::int64_t kMaxRows = 1 << 19;  // so that an offset fits into 32 bits: 2 * 2^19 rows of 2^10 numbers
constexpr double kMaxScale = 1e20;          // the product with any sum is finite, also as a float

std::int32_t padded(std::int32_t size, std::int32_t step) { return (size + step - 1) / step * step; }

std::size_t product(std::int32_t a, std::int32_t b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

// Guards against every change of a bit: the sum covers the description and all arrays.
void check_sum(const TensorFile& file, std::string_view description) {
  const auto* text = reinterpret_cast<const std::uint8_t*>(description.data());
  char sum[9];
  std::snprintf(sum, sizeof sum, "%08x", crc32(file.data(), crc32({text, description.size()})));
  const auto found = file.metadata().find("crc32");
  expect(found != file.metadata().end() && found->second == sum, "checksum", "the checksum is wrong");
}

// The largest sum of a unit: its inputs are from 0 to `ceiling`.
void check_sums(std::span<const std::int16_t> weights, std::span<const std::int32_t> bias, std::int32_t ceiling) {
  const std::size_t inputs = bias.empty() ? 0 : weights.size() / bias.size();
  for (std::size_t j = 0; j < bias.size(); ++j) {
    std::int64_t high = bias[j], low = bias[j];
    for (std::size_t i = 0; i < inputs; ++i) {
      const std::int64_t most = std::int64_t{weights[j * inputs + i]} * ceiling;
      high += std::max<std::int64_t>(most, 0);
      low += std::min<std::int64_t>(most, 0);
    }
    expect(high <= std::numeric_limits<std::int32_t>::max() && low >= std::numeric_limits<std::int32_t>::min(),
           "overflow", "a sum of a layer could overflow");
  }
}

}  // namespace

// The array `plan` holds: version, whether it reads features, inputs, width, ceiling, outputs, actions, the number of
// hidden layers, and for each of these its width, shift and ceiling. Version 2 adds the number of features and the
// shift of the first layer.
Network::Network(std::span<const std::uint8_t> bytes, const Kernels& kernels, std::pmr::memory_resource* memory)
    : kernels_(&kernels),
      description_(memory),
      sizes_(memory),
      first_row_(memory),
      rows_(memory),
      bias_(memory),
      weights_(memory),
      layer_bias_(memory),
      scales_(memory),
      policy_rows_(memory),
      policy_bias_(memory) {
  const TensorFile file(bytes);
  const auto described = file.metadata().find("tablier");
  expect(described != file.metadata().end() && file.has("plan"), "kind", "the file is not a network for the core");
  description_ = described->second;
  check_sum(file, description_);

  const auto numbers = file.read<std::int32_t>("plan", std::min<std::size_t>(file.bytes_of("plan") / 4, 64));
  const int version = numbers.empty() ? 0 : numbers[0];
  expect(version >= 1 && version <= kVersion, "version", "the version of the file is unknown");
  expect(numbers.size() >= 8, "arrays", "the array 'plan' is too short");
  reads_features_ = numbers[1] != 0;
  expect_range(plan_.inputs = numbers[2], 1, kMaxInputs, "the number of inputs");
  const std::int32_t width = numbers[3], outputs = numbers[5], hidden = numbers[7];
  expect_range(width, 1, kMaxWidth, "the width");
  expect_range(plan_.ceiling = numbers[4], 1, 32767, "the ceiling of the first layer");
  expect_range(outputs, 1, kMaxOutputs, "the number of outputs");
  expect_range(actions_ = numbers[6], 0, 1 << 16, "the number of actions");
  expect_range(hidden, 0, kMaxLayers - 1, "the number of hidden layers");
  const std::size_t planned = 8 + 3 * static_cast<std::size_t>(hidden), more = version > 1 ? 2 : 0;
  expect(numbers.size() == planned + more, "arrays", "the array 'plan' has the wrong size");

  const auto sizes = file.read<std::int32_t>("sizes", static_cast<std::size_t>(plan_.inputs));
  sizes_.assign(sizes.begin(), sizes.end());
  first_row_.reserve(sizes_.size());
  plan_.width = padded(width, kWidthStep);
  std::int64_t rows = 1;  // row 0 is zero
  for (const std::int32_t size : sizes_) {
    expect_range(size, 1, 256, "the number of values of a code");
    first_row_.push_back(static_cast<std::int32_t>(rows * plan_.width));
    rows += size;
  }
  expect(rows <= kMaxRows, "range", "the network has too many rows");
  plan_.first_row = first_row_.data();
  FirstLayer first{sizes_, width, 0, 0};
  if (version > 1) first.features = numbers[planned], first.shift = numbers[planned + 1];
  const auto given = read_rows(file, version, first);
  const auto bias = file.read<std::int16_t>("bias", static_cast<std::size_t>(width));
  plan_.steps = static_cast<std::int32_t>(rows * plan_.width);
  rows_ = Aligned<std::int16_t>(memory, 2 * static_cast<std::size_t>(plan_.steps));
  bias_ = Aligned<std::int16_t>(memory, static_cast<std::size_t>(plan_.width));
  for (std::int64_t row = 1; row < rows; ++row) {
    std::copy_n(given.data() + (row - 1) * width, width, rows_.data() + row * plan_.width);
  }
  for (std::int32_t at = 0; at + plan_.width < plan_.steps; ++at) {
    rows_.data()[plan_.steps + at] = static_cast<std::int16_t>(rows_.data()[at + plan_.width] - rows_.data()[at]);
  }
  std::copy(bias.begin(), bias.end(), bias_.data());
  plan_.rows = rows_.data();
  plan_.bias = bias_.data();
  check_accumulator();

  std::int32_t inputs = width, ceiling = plan_.ceiling;
  plan_.layers = hidden + 1;
  for (std::int32_t l = 0; l <= hidden; ++l) {
    const bool last = l == hidden;
    const std::int32_t units = last ? outputs : numbers[8 + 3 * static_cast<std::size_t>(l)];
    expect_range(units, 1, last ? kMaxOutputs : kMaxHidden, "the width of a layer");
    const std::string name = last ? "output" : "hidden." + std::to_string(l);
    const auto weights = file.read<std::int16_t>(name + ".weight", product(units, inputs));
    auto sums = file.read<std::int32_t>(name + ".bias", static_cast<std::size_t>(units));
    check_sums(weights, sums, ceiling);

    Layer& layer = plan_.layer[l];
    layer.inputs = l == 0 ? plan_.width : padded(inputs, kHiddenStep);
    layer.outputs = last && units == 1 ? 1 : padded(units, kHiddenStep);
    Aligned<std::int16_t> stored(memory, product(layer.inputs, layer.outputs));
    for (std::int32_t j = 0; j < units; ++j) {
      for (std::int32_t i = 0; i < inputs; ++i) {
        stored.data()[(i / 2 * layer.outputs + j) * 2 + i % 2] =
            weights[product(j, inputs) + static_cast<std::size_t>(i)];
      }
    }
    sums.resize(static_cast<std::size_t>(layer.outputs));
    weights_.push_back(std::move(stored));
    layer_bias_.emplace_back(sums.begin(), sums.end());
    if (!last) {
      expect_range(layer.shift = numbers[9 + 3 * static_cast<std::size_t>(l)], 0, 30, "the shift of a layer");
      expect_range(layer.ceiling = numbers[10 + 3 * static_cast<std::size_t>(l)], 1, 32767, "the ceiling of a layer");
    }
    inputs = units;
    ceiling = layer.ceiling;
  }
  for (std::int32_t l = 0; l <= hidden; ++l) {
    plan_.layer[l].weights = weights_[static_cast<std::size_t>(l)].data();
    plan_.layer[l].bias = layer_bias_[static_cast<std::size_t>(l)].data();
  }

  const auto scales = file.read<double>("scales", static_cast<std::size_t>(outputs) + 1);
  for (const double scale : scales) expect(std::abs(scale) <= kMaxScale, "range", "a scale is out of range");
  policy_scale_ = scales.back();
  scales_.assign(scales.begin(), scales.end() - 1);
  if (actions_ == 0) return;
  const auto policy = file.read<std::int16_t>("policy.weight", product(actions_, width));
  const auto policy_bias = file.read<std::int32_t>("policy.bias", static_cast<std::size_t>(actions_));
  check_sums(policy, policy_bias, plan_.ceiling);
  check_sums(policy, std::vector<std::int32_t>(policy_bias.size()), plan_.ceiling);  // the bias is added last
  policy_bias_.assign(policy_bias.begin(), policy_bias.end());
  policy_rows_.resize(static_cast<std::size_t>(actions_) * static_cast<std::size_t>(plan_.width));
  for (int a = 0; a < actions_; ++a) {
    std::copy_n(policy.data() + std::int64_t{a} * width, width, policy_rows_.data() + std::int64_t{a} * plan_.width);
  }
}

// A position has one value of each code, so the extremes of a sum are known.
void Network::check_accumulator() const {
  const auto width = static_cast<std::size_t>(plan_.width);
  std::vector<std::int32_t> high(plan_.bias, plan_.bias + width), low = high;
  std::vector<std::int16_t> most(width), least(width);
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    const std::int16_t* row = plan_.rows + first_row_[i];
    std::copy_n(row, width, most.begin());
    std::copy_n(row, width, least.begin());
    for (std::int32_t value = 1; value < sizes_[i]; ++value) {
      row += width;
      for (std::size_t unit = 0; unit < width; ++unit) {
        most[unit] = std::max(most[unit], row[unit]);
        least[unit] = std::min(least[unit], row[unit]);
      }
    }
    for (std::size_t unit = 0; unit < width; ++unit) {
      high[unit] += most[unit];
      low[unit] += least[unit];
    }
  }
  const bool fits = std::ranges::max(high) <= 32767 && std::ranges::min(low) >= -32768;
  expect(fits, "overflow", "a sum of the first layer could overflow");
}

}  // namespace tablier::nets
