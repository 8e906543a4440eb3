// Computes a network on positions of a game, one after another. Each player's view has an accumulator that follows
// from position to position, so a position costs only what differs from the one before.
#pragma once

#include <bit>
#include <cstring>

#include "codes.h"

namespace tablier::nets {

// For one thread. It allocates nothing; the network must outlive it.
template <Game G>
class Inference {
 public:
  Inference(const G& game, const Facts& facts, const Network& network)
      : game_(game), facts_(facts), network_(network) {}

  // The value of a position for `viewer`.
  double value(const typename G::State& state, int viewer, bool alike = false) {
    read(state, viewer, alike);
    return network_.value(outputs_);
  }

  // Computes the network; outputs() and logit() then refer to this position. `alike` means that the last position this
  // viewer read was the afterstate before (ListsAfterstates).
  void read(const typename G::State& state, int viewer, bool alike = false) {
    View& view = views_[viewer];
    Change changes[kMaxInputs];
    int count = 0;
    if constexpr (ListsAfterstates<G>) {
      if (alike && !network_.reads_features()) {
        game_.recode(view.state, state, viewer, network_.plan().inputs,
                     [&](int i, int code) { put(view, i, code, changes, count); });
      } else {
        count = compare(state, viewer, view, changes);
      }
      view.state = state;
    } else {
      count = compare(state, viewer, view, changes);
    }
    network_.kernels().forward(network_.plan(), changes, count, view.accumulator, activations_, outputs_);
  }

  const std::int32_t* outputs() const { return outputs_; }  // [network.outputs()]
  float logit(Action action) const { return network_.logit(activations_, action); }
  const Network& network() const { return network_; }

 private:
  struct View {
    alignas(64) std::int16_t accumulator[kMaxWidth];
    alignas(64) std::uint8_t codes[kMaxInputs + 8];
    typename G::State state;
    bool known = false;
  };

  void put(View& view, int i, int code, Change* changes, int& count) const {
    const Plan& plan = network_.plan();
    if (view.codes[i] == code) return;
    changes[count++] = {plan.first_row[i] + view.codes[i] * plan.width, plan.first_row[i] + code * plan.width};
    view.codes[i] = static_cast<std::uint8_t>(code);
  }

  // Lists what differs from the last position of the view, which it replaces.
  int compare(const typename G::State& state, int viewer, View& view, Change* changes) {
    const Plan& plan = network_.plan();
    alignas(64) std::uint8_t codes[kMaxInputs + 8];
    std::memset(codes + plan.inputs / 8 * 8, 0, 8);
    write_codes(game_, facts_, network_, state, viewer, codes);
    int count = view.known ? differences(plan, view.codes, codes, changes) : kMaxInputs;
    if (2 * count > plan.inputs) {  // starting afresh needs one row per code, a change two
      std::memcpy(view.accumulator, plan.bias, sizeof(std::int16_t) * static_cast<std::size_t>(plan.width));
      for (count = 0; count < plan.inputs; ++count)
        changes[count] = {0, plan.first_row[count] + codes[count] * plan.width};
    }
    std::memcpy(view.codes, codes, (static_cast<std::size_t>(plan.inputs) + 7) / 8 * 8);
    view.known = true;
    return count;
  }

  // Compares eight codes at a time. Codes past the last are equal.
  static int differences(const Plan& plan, const std::uint8_t* before, const std::uint8_t* after, Change* out) {
    static_assert(std::endian::native == std::endian::little);
    int count = 0;
    for (int at = 0; at < plan.inputs; at += 8) {
      std::uint64_t old, now;
      std::memcpy(&old, before + at, 8);
      std::memcpy(&now, after + at, 8);
      for (std::uint64_t left = old ^ now; left != 0;) {
        const int byte = std::countr_zero(left) / 8, i = at + byte;
        out[count++] = {plan.first_row[i] + before[i] * plan.width, plan.first_row[i] + after[i] * plan.width};
        left &= ~(std::uint64_t{255} << (8 * byte));
      }
    }
    return count;
  }

  const G& game_;
  const Facts& facts_;
  const Network& network_;
  View views_[seats<G>];
  alignas(64) std::int16_t activations_[kMaxWidth];
  alignas(64) std::int32_t outputs_[kMaxOutputs];
};

}  // namespace tablier::nets
