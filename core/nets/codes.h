// A position as codes: the small whole numbers that a network reads.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "../game.h"
#include "network.h"

namespace tablier::nets {

// Rounds a feature from 0 to 1 to one of `size` levels.
inline std::uint8_t level_of(float feature, std::int32_t size) {
  const float most = static_cast<float>(size - 1);
  const float scaled = feature > 0 ? std::min(feature * most + 0.5f, most) : 0;  // NaN becomes 0
  return static_cast<std::uint8_t>(scaled);
}

// Writes those codes of a position that the network reads, as `viewer` sees it. Every code is below its size.
template <Game G>
void write_codes(const G& game, const Facts& facts, const Network& network, const typename G::State& state, int viewer,
                 std::uint8_t* out) {
  if constexpr (Coded<G>) {
    if (!network.reads_features()) {
      std::uint8_t codes[kMaxInputs];  // a game may write more than the network reads
      game.codes(state, viewer, network.plan().inputs, codes);
      std::memcpy(out, codes, static_cast<std::size_t>(network.plan().inputs));
      return;
    }
  }
  float features[kMaxInputs];
  game.features(state, viewer, features);
  const auto count = static_cast<std::size_t>(facts.features.size());
  for (std::size_t i = 0; i < count; ++i) out[i] = level_of(features[i], network.sizes()[i]);
}

// Why a network cannot read the positions of a game, or an empty string.
template <Game G>
std::string misfit(const G& game, const Facts& facts, const Network& network) {
  if (network.actions() != 0 && network.actions() != facts.num_actions) return "it has another number of actions";
  if (network.reads_features()) {
    const bool fits = static_cast<int>(network.sizes().size()) == facts.features.size();
    return fits ? "" : "it has another number of features";
  }
  if constexpr (Coded<G>) {
    const std::span<const std::uint16_t> sizes = game.code_sizes();  // a network may read only the first few
    const auto read = network.sizes();
    const bool fits = read.size() <= sizes.size() && std::equal(read.begin(), read.end(), sizes.begin());
    return fits ? "" : "its codes are not those of the game";
  }
  (void)game;
  return "the game has no codes";
}

}  // namespace tablier::nets
