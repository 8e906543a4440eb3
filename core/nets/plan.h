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

// Weights are interleaved in groups of eight inputs: [inputs / 8][outputs][8]. The number of inputs is a multiple of 8.
struct Layer {
  std::int32_t inputs, outputs;
  const std::int16_t* weights;
  const std::int32_t* bias;
  std::int32_t shift, ceiling;  // not used by the output layer
};

struct Plan {
  std::int32_t inputs, width;
  const std::int32_t* first_row;  // [inputs]: where in `rows` the row of code 0 of each input begins
  const std::int16_t* rows;       // [rows, width]: row 0 is zero
  const std::int16_t* bias;       // [width]
  std::int32_t ceiling;
  std::int32_t layers;
  Layer layer[kMaxLayers];
};

// A code that changed: where in `rows` the row to subtract and the row to add begin. Row 0 changes nothing.
struct Change {
  std::int32_t gone, come;
};

struct Kernels {
  const char* name;
  // Applies the changes to the accumulator, and writes the activations [width] and the outputs [kMaxOutputs]. All
  // arrays are aligned to 64 bytes.
  void (*forward)(const Plan& plan, const Change* changes, int count, std::int16_t* accumulator,
                  std::int16_t* activations, std::int32_t* outputs);
  // The sum of the products of two rows of `width` numbers, a multiple of 16.
  std::int32_t (*dot)(const std::int16_t* activations, const std::int16_t* weights, int width);
};

}  // namespace tablier::nets
