// Chooses kernels for this processor at run time, and holds the scalar reference.
#include "kernels.h"

#include <algorithm>

#if defined(TABLIER_X86_KERNELS)
#include "processor.h"
#endif

namespace tablier::nets {

#if defined(TABLIER_X86_KERNELS)
namespace avx512 {
extern const Kernels kernels;
}
namespace avx2 {
extern const Kernels kernels;
}
#endif
namespace baseline {
extern const Kernels kernels;
}

namespace {

// The definition of the arithmetic, one number at a time.
void reference_update(const Plan& plan, const Change* changes, int count, std::int16_t* accumulator) {
  for (int i = 0; i < plan.width; ++i) {
    auto sum = static_cast<std::uint16_t>(accumulator[i]);
    for (int c = 0; c < count; ++c) {
      sum = static_cast<std::uint16_t>(sum + plan.rows[changes[c].come + i] - plan.rows[changes[c].gone + i]);
    }
    accumulator[i] = static_cast<std::int16_t>(sum);
  }
}

void reference_layers(const Plan& plan, const std::int16_t* activations, std::int32_t* outputs) {
  std::int16_t hidden[2][kMaxHidden];
  const std::int16_t* in = activations;
  for (int l = 0; l < plan.layers; ++l) {
    const Layer& layer = plan.layer[l];
    for (int j = 0; j < layer.outputs; ++j) {
      std::int32_t sum = layer.bias[j];
      for (int i = 0; i < layer.inputs; ++i) sum += in[i] * layer.weights[(i / 2 * layer.outputs + j) * 2 + i % 2];
      if (l + 1 == plan.layers) {
        outputs[j] = sum;
      } else {
        hidden[l % 2][j] = static_cast<std::int16_t>(std::clamp(sum >> layer.shift, 0, layer.ceiling));
      }
    }
    in = hidden[l % 2];
  }
}

void reference_forward(const Plan& plan, const Near& near, int count, std::int16_t* activations,
                       std::int32_t* outputs) {
  for (int n = 0; n < count; ++n) {
    const int first = n > 0 ? near.ends[n - 1] : 0;
    std::copy_n(near.accumulator, plan.width, activations);
    reference_update(plan, near.changes + first, near.ends[n] - first, activations);
    for (int i = 0; i < plan.width; ++i) {
      activations[i] = static_cast<std::int16_t>(std::clamp<int>(activations[i], 0, plan.ceiling));
    }
    reference_layers(plan, activations, outputs);
    outputs += plan.layer[plan.layers - 1].outputs;
  }
}

std::int32_t reference_dot(const std::int16_t* activations, const std::int16_t* weights, int width) {
  std::int32_t sum = 0;
  for (int i = 0; i < width; ++i) sum += activations[i] * weights[i];
  return sum;
}

constexpr Kernels kReference = {"reference", reference_update, reference_forward, reference_dot};

}  // namespace

const std::vector<const Kernels*>& available_kernels() {
  static const std::vector<const Kernels*> found = [] {
    std::vector<const Kernels*> kernels;
#if defined(TABLIER_X86_KERNELS)
    const Processor processor;
    if (processor.has_avx512()) kernels.push_back(&avx512::kernels);
    if (processor.has_avx2()) kernels.push_back(&avx2::kernels);
#endif
    kernels.push_back(&baseline::kernels);
    kernels.push_back(&kReference);
    return kernels;
  }();
  return found;
}

const Kernels* kernels_named(std::string_view name) {
  for (const Kernels* kernels : available_kernels()) {
    if (kernels->name == name) return kernels;
  }
  return nullptr;
}

}  // namespace tablier::nets
