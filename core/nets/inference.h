// Computes a network on positions of a game. Each player's view has an accumulator that follows from position to
// position, so a position costs only what differs from the one before. The afterstates of a decision are computed
// several at a time, each by what differs from the position before the move.
#pragma once

#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "codes.h"

namespace tablier::nets {

// For one thread. It allocates nothing; the network must outlive it.
template <Game G>
class Inference {
 public:
  using State = typename G::State;

  Inference(const G& game, const Facts& facts, const Network& network)
      : game_(game), facts_(facts), network_(network) {}

  // The value of a position for `viewer`.
  double value(const State& state, int viewer) {
    read(state, viewer);
    return network_.value(outputs_);
  }

  // Computes the network; outputs() and logit() then refer to this position.
  void read(const State& state, int viewer) {
    move_to(state, viewer);
    const std::int32_t none = 0;
    const Near here{views_[viewer].accumulator, nullptr, &none};
    network_.kernels().forward(network_.plan(), here, 1, activations_, outputs_);
  }

  // Values afterstates of a decision of `mover`, which list(note) lists by calling note(action, after), as
  // for_each_afterstate() does. Calls visit(actions, like, values), in the same order, for some actions at a time,
  // whose afterstates have the same returns and the same player to act as the state `like`. A value is that of the
  // player next to decide or, before a roll, of the mover; 0 if the game is over.
  template <class List, class Visit>
  void afterstates(List list, int mover, Visit visit) {
    Waiting waiting(network_.plan(), views_[mover]);
    const int codes = network_.reads_features() ? 0 : network_.plan().inputs;
    list([&](Action action, const auto& after) {
      const State* near = codes > 0 ? after.near(codes) : nullptr;
      if (near) {
        if (!waiting.near) move_to(waiting.near.emplace(*near), mover);
        after.recode(codes, waiting.put);
        waiting.add(action);
        if (waiting.is_full()) finish(waiting, visit);
        return;
      }
      finish(waiting, visit);
      waiting.near.reset();  // its accumulator moves on
      const int player = game_.current_player(after.state());
      const double value = player == kTerminal ? 0 : this->value(after.state(), player >= 0 ? player : mover);
      visit(std::span(&action, 1), after.state(), &value);
    });
    finish(waiting, visit);
  }

  const std::int32_t* outputs() const { return outputs_; }  // [network.outputs()]
  float logit(Action action) const { return network_.logit(activations_, action); }
  const Network& network() const { return network_; }

 private:
  struct View {
    alignas(64) std::int16_t accumulator[kMaxWidth];
    alignas(64) std::uint8_t codes[kMaxInputs + 8];
    std::int32_t rows[kMaxInputs];  // of the codes
    bool known = false;
  };

  // Lists the changes that Afterstate::recode() describes.
  struct Put {
    const std::int32_t *rows, *first_row;
    std::int32_t width, steps;
    Change* next;

    void operator()(int index, int code) {
      *next = {rows[index], first_row[index] + code * width};
      next += next->gone != next->come;
    }
    void step(int from, int to, int less, int more) {
      *next++ = {steps + rows[from] + (less - 1) * width, steps + rows[to] + more * width};
    }
    void fall(int from, int less) { *next++ = {steps + rows[from] + (less - 1) * width, 0}; }
  };

  // Afterstates that are to be computed together.
  struct Waiting {
    static constexpr int kMost = 32;
    View& view;
    std::optional<State> near;  // the view is at this state; a copy, since list() ends before the last are computed
    int count = 0;
    const Change* last;  // behind it, there may be no room for the changes of one more afterstate
    Put put;
    Action actions[kMost];
    std::int32_t ends[kMost];
    Change changes[kMaxInputs + 8 * kMost];

    Waiting(const Plan& plan, View& of)
        : view(of),
          last(std::end(changes) - plan.inputs - 1),
          put{of.rows, plan.first_row, plan.width, plan.steps, changes} {}

    void add(Action action) {
      actions[count] = action;
      ends[count++] = static_cast<std::int32_t>(put.next - changes);
    }
    bool is_full() const { return count == kMost || put.next > last; }
  };

  template <class Visit>
  void finish(Waiting& waiting, Visit& visit) const {
    if (waiting.count == 0 || !waiting.near) return;
    alignas(64) std::int16_t activations[kTogether * kMaxWidth];
    alignas(64) std::int32_t outputs[Waiting::kMost * kMaxOutputs];
    double values[Waiting::kMost];
    const Plan& plan = network_.plan();
    const Near near{waiting.view.accumulator, waiting.changes, waiting.ends};
    network_.kernels().forward(plan, near, waiting.count, activations, outputs);
    network_.values(outputs, waiting.count, values);
    visit(std::span(waiting.actions, static_cast<std::size_t>(waiting.count)), *waiting.near, values);
    waiting.count = 0;
    waiting.put.next = waiting.changes;
  }

  // Moves the accumulator of a view to a position.
  void move_to(const State& state, int viewer) {
    View& view = views_[viewer];
    Change changes[kMaxInputs];
    const int count = compare(state, viewer, view, changes);
    network_.kernels().update(network_.plan(), changes, count, view.accumulator);
  }

  // Lists what differs from the last position of the view, which it replaces.
  int compare(const State& state, int viewer, View& view, Change* changes) {
    const Plan& plan = network_.plan();
    alignas(64) std::uint8_t codes[kMaxInputs + 8];
    std::memset(codes + plan.inputs / 8 * 8, 0, 8);
    write_codes(game_, facts_, network_, state, viewer, codes);
    int count = view.known ? differences(plan, view, codes, changes) : kMaxInputs;
    if (2 * count > plan.inputs) {  // starting afresh needs one row per code, a change two
      std::memcpy(view.accumulator, plan.bias, sizeof(std::int16_t) * static_cast<std::size_t>(plan.width));
      for (count = 0; count < plan.inputs; ++count) {
        view.rows[count] = plan.first_row[count] + codes[count] * plan.width;
        changes[count] = {0, view.rows[count]};
      }
    }
    std::memcpy(view.codes, codes, (static_cast<std::size_t>(plan.inputs) + 7) / 8 * 8);
    view.known = true;
    return count;
  }

  // Compares eight codes at a time, and changes the rows. Codes past the last are equal.
  static int differences(const Plan& plan, View& view, const std::uint8_t* after, Change* out) {
    static_assert(std::endian::native == std::endian::little);
    constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
    int count = 0;
    for (int base = 0; base < plan.inputs; base += 64) {
      std::uint64_t differ = 0;  // bit i: code base + i
      for (int at = base; at < plan.inputs && at < base + 64; at += 8) {
        std::uint64_t old, now;
        std::memcpy(&old, view.codes + at, 8);
        std::memcpy(&now, after + at, 8);
        const std::uint64_t left = old ^ now, bits = (((left & kLow) + kLow) | left) >> 7 & 0x0101010101010101;
        differ |= (bits * 0x0102040810204080 >> 56) << (at - base);
      }
      for (; differ != 0; differ &= differ - 1) {
        const int i = base + std::countr_zero(differ);
        const std::int32_t row = plan.first_row[i] + after[i] * plan.width;
        out[count++] = {std::exchange(view.rows[i], row), row};
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
