// Many games stepped at once, for learners that choose the actions of all of them together.
//
// Every slot is always at a decision: chance nodes are resolved by the slot's own dice, and a finished game is replaced
// at once by a new one. Slot i draws from stream (seed, i), whatever the number of threads.
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

// Arrays of the caller, each with room for every slot; a null pointer means "not wanted".
struct BatchView {
  float* features = nullptr;               // [n, features...], seen by the player to move
  std::uint8_t* mask = nullptr;            // [n, num_actions], 1 = legal
  std::int32_t* current_player = nullptr;  // [n]
  float* rewards = nullptr;                // [n, players], collected by this step
  std::uint8_t* done = nullptr;            // [n], 1 = this step ended the game; the slot now holds a new one
};

// What each action of each slot leads to, before the dice: the rows of slot i are offsets[i] .. offsets[i + 1].
struct AfterView {
  std::size_t rows = 0;             // room
  std::int64_t* offsets = nullptr;  // [n + 1]
  std::int32_t* actions = nullptr;  // [rows]
  std::int32_t* player = nullptr;   // [rows], who sees it: the next to decide or, before dice, who moved; -1: over
  float* features = nullptr;        // [rows, features...], seen by `player`; zeros when the game is over
  float* rewards = nullptr;         // [rows, players], collected by the action itself
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

  void reset(std::uint64_t seed) {
    all_or_nothing([&] { reset_all(seed); });
  }

  // Puts state_at(i) and rngs[i] into every slot. The states must be at a decision.
  template <class StateAt>
  void assign(StateAt state_at, const Rng* rngs) {
    for (std::size_t i = 0; i < size(); ++i) {
      states_[i] = state_at(i);
      rngs_[i] = rngs[i];
    }
  }

  // Takes a copy of one action per slot for the next step (the caller's array may change meanwhile). Returns the first
  // slot whose action is not legal, or size(); only then may step() follow.
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

  // Returns how many rows there are. If they are more than there is room for, only the offsets were written. The
  // offsets that the rows are written by are our own: the caller's array may change meanwhile.
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

  // Chance nodes are resolved with the slot's dice. False if the game would be over: then nothing changes.
  bool set_state(std::size_t i, State state) {
    Rng rng = rngs_[i];
    if (!advance(state, rng)) return false;
    states_[i] = state;
    rngs_[i] = rng;
    return true;
  }

  const Rng& rng(std::size_t i) const { return rngs_[i]; }

 private:
  static constexpr std::size_t kSlice = 128;

  // A game in Python may raise half way: then everything is as it was before.
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

  // Rolls until a player must decide; false if the game ended.
  bool advance(State& state, Rng& rng) const {
    Action outcomes[G::kMaxActions];
    int player;
    while ((player = game_.current_player(state)) == kChance) {
      game_.apply(state, outcomes[rng.below(actions_of(game_, facts_, state, kChance, outcomes))]);
    }
    return player != kTerminal;
  }

  void deal(std::size_t i) {
    for (int attempt = 0; attempt < 10'000; ++attempt) {
      states_[i] = start_;
      if (advance(states_[i], rngs_[i])) return;
    }
    throw std::runtime_error("the game ends before any player has decided something: it cannot be batched");
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
    const bool over = !advance(states_[i], rngs_[i]);
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
  Facts facts_;  // as configured
  State start_;
  std::vector<State> states_;
  std::vector<Rng> rngs_;
  std::vector<Action> chosen_;
  std::vector<std::int64_t> offsets_;  // of afterstates()
  Workers workers_;
};

}  // namespace tablier
