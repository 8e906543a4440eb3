// Which kernels this processor can run.
#pragma once

#include <string_view>
#include <vector>

#include "plan.h"

namespace tablier::nets {

// The kernels that this processor can run, fastest first. The last are a scalar reference, which the others must equal.
const std::vector<const Kernels*>& available_kernels();

// The kernels with this name, or nullptr if there are none that this processor can run.
const Kernels* kernels_named(std::string_view name);

}  // namespace tablier::nets
