// Steps many games at once, for learners that choose actions in batches. It chooses no actions itself.
//
// Every slot is always at a decision: its dice resolve chance nodes, and a finished game is replaced by a new one at
// once. Slot i draws from stream (seed, i), whatever the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "../game.h"
#include "../rng.h"
#include "workers.h"

namespace tablier {

// The caller's arrays, one row per slot. Null pointers are skipped.
struct BatchView {
  float* features = nullptr;               // [n, features...], as the player to move sees them
  std::uint8_t* mask = nullptr;            // [n, num_actions], 1 = legal
  std::int32_t* current_player = nullptr;  // [n]
  float* rewards = nullptr;                // [n, players], from this step
  std::uint8_t* done = nullptr;            // [n], 1 = this step ended the game and the slot has a new one
};

// The afterstates of each action, before the next roll. The rows of slot i are offsets[i] .. offsets[i + 1] - 1.
struct AfterView {
  std::size_t rows = 0;             // capacity of the arrays
  std::int64_t* offsets = nullptr;  // [n + 1]
  std::int32_t* actions = nullptr;  // [rows]
  std::int32_t* player = nullptr;   // [rows], next to decide or, before a roll, the mover; -1 if the game is over
  float* features = nullptr;        // [rows, features...], as `player` sees them; zeros if the game is over
  float* rewards = nullptr;         // [rows, players], from the action itself
};

template <Game G>
class Batch {
 public:
  using State = typename G::State;

  Batch(const G& game, const Facts& facts, const State& start, std::size_t n, std::uint64_t seed, int threads)
      : game_(game), facts_(facts), start_(start), states_(n), rngs_(n), chosen_(n), workers_(threads) {
    reset(seed);
  }

  std::size_t size() const { return states_.size(); }

  const G& game() const { return game_; }
  const Facts& facts() const { return facts_; }

  void reset(std::uint64_t seed) {
    all_or_nothing([&] { reset_all(seed); });
  }

  // Sets every slot to state_at(i) and rngs[i]. The states must be at a decision.
  template <class StateAt>
  void assign(StateAt state_at, const Rng* rngs) {
    for (std::size_t i = 0; i < size(); ++i) {
      states_[i] = state_at(i);
      rngs_[i] = rngs[i];
    }
  }

  // Copies one action per slot for the next step, since the caller's array may change meanwhile. Returns the first slot
  // with an illegal action, or size() if there is none; only then may step() follow.
  template <class Int>
  std::size_t choose(const Int* actions) {
    std::atomic<std::size_t> first = size();
    workers_.run(size(), kSlice, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Int action = actions[i];
        if (action >= 0 && action < static_cast<Int>(facts_.num_actions) &&
            is_legal(game_, states_[i], static_cast<Action>(action))) {
          chosen_[i] = static_cast<Action>(action);
          continue;
        }
        std::size_t seen = first;
        while (i < seen && !first.compare_exchange_weak(seen, i)) {
        }
        return;
      }
    });
    return first;
  }

  // Applies the chosen actions.
  void step(const BatchView& out) {
    all_or_nothing([&] { step_all(out); });
  }

  void observe(const BatchView& out) {
    workers_.run(size(), kSlice, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) show(i, out);
    });
  }

  // Returns the number of rows. If it exceeds out.rows, only the offsets are written. Rows are placed by a private copy
  // of the offsets, since the caller's array may change meanwhile.
  std::size_t afterstates(const AfterView& out) {
    offsets_.assign(size() + 1, 0);
    workers_.run(size(), kSlice, [&](std::size_t begin, std::size_t end) {
      Action actions[G::kMaxActions];
      for (std::size_t i = begin; i < end; ++i) offsets_[i + 1] = game_.legal_actions(states_[i], actions);
    });
    for (std::size_t i = 0; i < size(); ++i) offsets_[i + 1] += offsets_[i];
    std::copy(offsets_.begin(), offsets_.end(), out.offsets);
    const auto rows = static_cast<std::size_t>(offsets_[size()]);
    if (rows > out.rows) return rows;
    workers_.run(size(), kSlice, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) show_afterstates(i, out);
    });
    return rows;
  }

  const State& state(std::size_t i) const { return states_[i]; }

  // Calls work(begin, end) for slices of the slots, in parallel, for kernels that play in a way of their own. A slot is
  // changed through state(i) and rng(i), and must be at a decision again at the end.
  template <class Work>
  void visit(std::size_t slice, Work work) {
    all_or_nothing([&] { workers_.run(size(), slice, work); });
  }
  State& state(std::size_t i) { return states_[i]; }
  Rng& rng(std::size_t i) { return rngs_[i]; }
  // Rolls until a player is to move. Returns false if the game is over.
  bool roll(State& state, Rng& rng) const {
    Action outcomes[G::kMaxActions];
    int player;
    while ((player = game_.current_player(state)) == kChance) {
      game_.apply(state, outcomes[rng.below(actions_of(game_, facts_, state, kChance, outcomes))]);
    }
    return player != kTerminal;
  }
  // Starts a new game in a slot.
  void deal(std::size_t i) {
    for (int attempt = 0; attempt < 10'000; ++attempt) {
      states_[i] = start_;
      if (roll(states_[i], rngs_[i])) return;
    }
    throw std::runtime_error("the game ends before any player can decide; it cannot run in a batch");
  }

  // Resolves chance nodes with the slot's dice. Returns false and changes nothing if the game would be over.
  bool set_state(std::size_t i, State state) {
    Rng rng = rngs_[i];
    if (!roll(state, rng)) return false;
    states_[i] = state;
    rngs_[i] = rng;
    return true;
  }

  const Rng& rng(std::size_t i) const { return rngs_[i]; }

 private:
  static constexpr std::size_t kSlice = 128;

  // Rolls back if a Python game raises halfway.
  template <class Work>
  void all_or_nothing(Work work) {
    if constexpr (requires { G::kMayThrow; }) {
      auto states = states_;
      auto rngs = rngs_;
      try {
        work();
      } catch (...) {
        states_.swap(states);
        rngs_.swap(rngs);
        throw;
      }
    } else {
      work();
    }
  }

  void reset_all(std::uint64_t seed) {
    workers_.run(size(), kSlice, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        rngs_[i] = {stream_key(seed, i)};
        deal(i);
      }
    });
  }

  void step_all(const BatchView& out) {
    workers_.run(size(), kSlice, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        step_one(i, chosen_[i], out);
        show(i, out);
      }
    });
  }

  void step_one(std::size_t i, Action action, const BatchView& out) {
    const int players = facts_.num_players;
    double before[kMaxPlayers] = {}, after[kMaxPlayers] = {};
    if (out.rewards) game_.returns(states_[i], before);
    game_.apply(states_[i], action);
    const bool over = !roll(states_[i], rngs_[i]);
    if (out.rewards) {
      game_.returns(states_[i], after);
      float* rewards = out.rewards + i * static_cast<std::size_t>(players);
      for (int p = 0; p < players; ++p) rewards[p] = static_cast<float>(after[p] - before[p]);
    }
    if (out.done) out.done[i] = over;
    if (over) deal(i);
  }

  void show(std::size_t i, const BatchView& out) const {
    const State& state = states_[i];
    const int player = game_.current_player(state);
    expect_same<G>(player >= 0);
    if (out.current_player) out.current_player[i] = player;
    if (out.features) {
      game_.features(state, player, out.features + i * static_cast<std::size_t>(facts_.features.size()));
    }
    if (out.mask) {
      write_mask(game_, facts_, state, player, out.mask + i * static_cast<std::size_t>(facts_.num_actions));
    }
  }

  void show_afterstates(std::size_t i, const AfterView& out) const {
    const auto seats = static_cast<std::size_t>(facts_.num_players);
    const auto width = static_cast<std::size_t>(facts_.features.size());
    const int mover = game_.current_player(states_[i]);
    double before[kMaxPlayers] = {}, after[kMaxPlayers] = {};
    game_.returns(states_[i], before);
    Action actions[G::kMaxActions];
    const int count = game_.legal_actions(states_[i], actions);
    expect_same<G>(count == offsets_[i + 1] - offsets_[i]);
    auto row = static_cast<std::size_t>(offsets_[i]);
    for (int k = 0; k < count; ++k, ++row) {
      State next = states_[i];
      game_.apply(next, actions[k]);
      const int player = game_.current_player(next);
      const int viewer = player >= 0 ? player : player == kChance ? mover : -1;
      out.actions[row] = actions[k];
      out.player[row] = viewer;
      if (viewer >= 0) {
        game_.features(next, viewer, out.features + row * width);
      } else {
        std::fill_n(out.features + row * width, width, 0.0f);
      }
      game_.returns(next, after);
      for (std::size_t p = 0; p < seats; ++p) out.rewards[row * seats + p] = static_cast<float>(after[p] - before[p]);
    }
  }

  const G& game_;
  Facts facts_;  // under the options in force
  State start_;
  std::vector<State> states_;
  std::vector<Rng> rngs_;
  std::vector<Action> chosen_;
  std::vector<std::int64_t> offsets_;  // used by afterstates()
  Workers workers_;
};

}  // namespace tablier
