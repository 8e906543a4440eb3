// A network as plain data, and the signatures of the functions that compute it. Files compiled for different processors
// include this one, so it contains no inline functions.
//
// All arithmetic is on integers, so results are the same for every order of updates, number of threads and processor:
//   accumulator  int16: the bias plus one row of weights for each code of the position
//   activation   int16: the accumulator clipped to 0 .. ceiling
//   layer        int32: bias plus products of activations and int16 weights, then >> shift and clipped to 0 .. ceiling
//   output       int32: the sums of the last layer
// network.cpp checks that no sum can overflow.
#pragma once

#include <cstdint>

namespace tablier::nets {

inline constexpr int kMaxInputs = 512;  // a multiple of 8
inline constexpr int kMaxWidth = 1024;  // of the accumulator
inline constexpr int kMaxHidden = 256;  // of a layer after it
inline constexpr int kMaxLayers = 4;    // the output layer included
inline constexpr int kMaxOutputs = 16;
inline constexpr int kWidthStep = 128;  // the accumulator is padded with zeros to a multiple of this
inline constexpr int kHiddenStep = 16;  // so are the outputs of a layer, except a single one of the output layer

inline constexpr int kTogether = 4;  // positions that share the loading of weights

// Weights are interleaved in pairs of inputs: [inputs / 2][outputs][2]. The number of inputs is a multiple of 16.
struct Layer {
  std::int32_t inputs, outputs;
  const std::int16_t* weights;
  const std::int32_t* bias;
  std::int32_t shift, ceiling;  // not used by the output layer
};

struct Plan {
  std::int32_t inputs, width;
  const std::int32_t* first_row;  // [inputs]: where in `rows` the row of code 0 of each input begins
  const std::int16_t* rows;       // [2 * rows, width]: row 0 is zero
  std::int32_t steps;             // where the second half begins: what each row lacks to the next code's, modulo 2^16
  const std::int16_t* bias;       // [width]
  std::int32_t ceiling;
  std::int32_t layers;
  Layer layer[kMaxLayers];
};

// A code that changed: where in `rows` the row to subtract and the row to add begin. Row 0 changes nothing.
struct Change {
  std::int32_t gone, come;
};

// Positions as changes from one that is near to all of them. Position i has changes[i ? ends[i - 1] : 0] ..
// changes[ends[i] - 1].
struct Near {
  const std::int16_t* accumulator;  // of the position near to them
  const Change* changes;
  const std::int32_t* ends;
};

// All arrays of numbers are aligned to 64 bytes.
struct Kernels {
  const char* name;
  // Applies the changes to the accumulator.
  void (*update)(const Plan& plan, const Change* changes, int count, std::int16_t* accumulator);
  // Writes the outputs of `count` positions, [count, outputs of the last layer]. `activations` has room for kTogether
  // rows of `width`; the first is that of the first position if there is only one.
  void (*forward)(const Plan& plan, const Near& near, int count, std::int16_t* activations, std::int32_t* outputs);
  // The sum of the products of two rows of `width` numbers, a multiple of 16.
  std::int32_t (*dot)(const std::int16_t* activations, const std::int16_t* weights, int width);
};

}  // namespace tablier::nets
