// A network loaded from a file, ready to be computed on this processor. docs/networks.md describes the file.
//
// A network reads a position as codes, small whole numbers such as the men on a field; each value of each code has a
// row of weights (plan.h). Networks of games that define no codes read features rounded to levels (codes.h).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan.h"

namespace tablier::nets {

// Memory aligned for vector instructions.
template <class T>
class Aligned {
 public:
  explicit Aligned(std::pmr::memory_resource* memory, std::size_t count = 0)
      : bytes_(count * sizeof(T) + kAlignment, memory) {}
  T* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    return reinterpret_cast<T*>(bytes_.data() + (kAlignment - address % kAlignment) % kAlignment);
  }

 private:
  static constexpr std::size_t kAlignment = 64;
  std::pmr::vector<std::uint8_t> bytes_;
};

class Network {
 public:
  // Keeps everything in `memory`, and nothing of the file. Throws BadFile (tensor_file.h) if the bytes are not a
  // network, are damaged, or could overflow.
  Network(std::span<const std::uint8_t> file, const Kernels& kernels,
          std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  const Plan& plan() const { return plan_; }
  const Kernels& kernels() const { return *kernels_; }
  std::string_view description() const { return description_; }   // JSON: the game, its options, how it was trained
  std::span<const std::int32_t> sizes() const { return sizes_; }  // [inputs]: the number of values of each code
  bool reads_features() const { return reads_features_; }         // codes are features rounded to levels

  // The value, given the sums of the output layer.
  double value(const std::int32_t* outputs) const {
    double value = 0;
    for (std::size_t i = 0; i < scales_.size(); ++i) value += scales_[i] * outputs[i];
    return value;
  }
  // The values of `count` positions, given the outputs of the kernels.
  void values(const std::int32_t* outputs, int count, double* values) const {
    const double scale = scales_[0];
    const int stride = plan_.layer[plan_.layers - 1].outputs;
    if (scales_.size() == 1) {
      for (int i = 0; i < count; ++i) values[i] = 0 + scale * outputs[i];  // never -0, like value()
    } else {
      for (int i = 0; i < count; ++i) values[i] = value(outputs + i * stride);
    }
  }
  int outputs() const { return static_cast<int>(scales_.size()); }

  int actions() const { return actions_; }  // 0: the network has no policy
  float logit(const std::int16_t* activations, int action) const {
    const std::int16_t* row = policy_rows_.data() + action * static_cast<std::int64_t>(plan_.width);
    const std::int32_t sum = kernels_->dot(activations, row, plan_.width);
    return static_cast<float>(policy_scale_ * (sum + policy_bias_[static_cast<std::size_t>(action)]));
  }

 private:
  void check_accumulator() const;

  Plan plan_{};
  const Kernels* kernels_;
  std::pmr::string description_;
  std::pmr::vector<std::int32_t> sizes_, first_row_;
  bool reads_features_ = false;
  mutable Aligned<std::int16_t> rows_, bias_;
  std::pmr::vector<Aligned<std::int16_t>> weights_;
  std::pmr::vector<std::pmr::vector<std::int32_t>> layer_bias_;
  std::pmr::vector<double> scales_;
  int actions_ = 0;
  double policy_scale_ = 1;
  std::pmr::vector<std::int16_t> policy_rows_;
  std::pmr::vector<std::int32_t> policy_bias_;
};

}  // namespace tablier::nets
