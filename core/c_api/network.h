// What the functions for networks in tablier.h keep in the caller's memory. write_sizes.cpp reads their sizes from
// here.
#pragma once

#include <memory>
#include <memory_resource>
#include <new>

#include "../erased.h"

struct tablier_network;
struct tablier_inference;

namespace tablier {

// The part of an inference that depends on the game.
struct CInferences {
  std::size_t size;  // of the memory, with room to align it
  tablier_inference* (*start)(const tablier_network& network, void* memory);
  bool (*infer)(tablier_inference& inference, const Word* state, int player, double* value, float* logits);
};

}  // namespace tablier

struct tablier_network {
  tablier_network(std::span<const std::uint8_t> file, const tablier::nets::Kernels& kernels, void* rest,
                  std::size_t rest_bytes)
      : memory(rest, rest_bytes, std::pmr::null_memory_resource()), network(file, kernels, &memory) {}

  std::pmr::monotonic_buffer_resource memory;  // behind this object; used only to load
  tablier::nets::Network network;
  tablier::Facts facts;  // under the options of the caller
  const tablier::CInferences* inferences = nullptr;
};

struct tablier_inference {
  const tablier_network* network;
};

namespace tablier {

template <Game G>
struct CInference : tablier_inference {
  explicit CInference(const tablier_network& of) : tablier_inference{&of}, inference(game, of.facts, of.network) {}

  static constexpr std::size_t size() { return sizeof(CInference) + alignof(CInference); }

  static tablier_inference* start(const tablier_network& network, void* memory) {
    std::size_t bytes = size();
    return new (std::align(alignof(CInference), sizeof(CInference), memory, bytes)) CInference(network);
  }
  // False if these words are not safe to compute with.
  static bool infer(tablier_inference& given, const Word* words, int player, double* value, float* logits) {
    auto& self = static_cast<CInference&>(given);
    const auto state = load(self.game, words);
    if (!bounded(self.game, given.network->facts, state)) return false;
    self.inference.read(state, player);
    if (value) {
      const bool over = self.game.current_player(state) == kTerminal;
      *value = over ? 0 : given.network->network.value(self.inference.outputs());
    }
    if (!logits) return true;
    for (int action = 0; action < given.network->network.actions(); ++action) {
      logits[action] = self.inference.logit(action);
    }
    return true;
  }

  [[no_unique_address]] G game;
  nets::Inference<G> inference;
};

template <Game G>
inline constexpr CInferences c_inferences = {CInference<G>::size(), &CInference<G>::start, &CInference<G>::infer};

}  // namespace tablier
