// Reads the rows of weights of the first layer from a file: one row for each value of each code.
//
// Version 1 stores the rows. Version 2 stores the weights of each feature, and how much of each feature a value of a
// code adds. The rows are then sums of products of integers, so that every machine computes the same ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tensor_file.h"

namespace tablier::nets {

struct FirstLayer {
  std::span<const std::int32_t> sizes;  // the number of values of each code
  std::int32_t width;
  std::int32_t features, shift;  // of version 2: the number of features, and what the sums are shifted by
};

// Returns [sum of sizes, width]. Throws BadFile if the arrays are not those of the layer, or a row overflows.
std::vector<std::int16_t> read_rows(const TensorFile& file, int version, const FirstLayer& layer);

}  // namespace tablier::nets
