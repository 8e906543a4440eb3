// Gives libFuzzer, which only changes inputs that it knows, one in eight that is random throughout: a game of its own,
// in which situations come up that small changes of other games take long to reach.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../../rng.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  tablier::Rng rng{seed};
  if (rng.below(8) > 0) return LLVMFuzzerMutate(data, size, most);
  std::generate_n(data, most, [&rng] { return static_cast<std::uint8_t>(rng.below(256)); });
  return most;
}
