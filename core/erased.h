// Static inside, erased outside: one abstract class through which bindings, the C interface and plugins reach any game.
//
// Calls that cross it are coarse (a whole batch, a whole playout run) or are made once per step of a single game; hot
// loops are templates on the other side of it. Erased<G> is the only implementation, for games in C++ and in Python.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "game.h"
#include "kernels/batch.h"
#include "kernels/playout.h"

namespace tablier {

class AnyBatch {
 public:
  virtual ~AnyBatch() = default;
  virtual std::size_t size() const = 0;
  virtual void reset(std::uint64_t seed) = 0;
  virtual std::size_t choose(const std::int32_t* actions) = 0;
  virtual std::size_t choose(const std::int64_t* actions) = 0;
  virtual void step(const BatchView& out) = 0;
  virtual void observe(const BatchView& out) = 0;
  virtual void get_state(std::size_t i, Word* state) const = 0;
  virtual bool set_state(std::size_t i, const Word* state) = 0;
  virtual Rng& rng(std::size_t i) = 0;
};

class AnyGame {
 public:
  virtual ~AnyGame() = default;

  virtual const Facts& facts() const = 0;
  virtual int state_words() const = 0;
  virtual int max_actions() const = 0;  // room that legal_actions() may use

  virtual void init(std::span<const std::int64_t> options, Word* state) const = 0;
  virtual int current_player(const Word* state) const = 0;
  virtual int legal_actions(const Word* state, Action* out) const = 0;
  virtual bool is_legal(const Word* state, Action action) const = 0;
  virtual void apply(Word* state, Action action) const = 0;
  virtual void returns(const Word* state, double* out) const = 0;
  virtual void observation(const Word* state, int player, std::uint8_t* out) const = 0;
  virtual void features(const Word* state, int player, float* out) const = 0;
  virtual void to_string(const Word* state, char* out) const = 0;
  virtual void action_to_string(const Word* state, Action action, char* out) const = 0;
  virtual const char* invalid(const Word* state) const = 0;
  virtual bool same_rules(const Word* state, const Word* other) const = 0;
  virtual bool mirror(Word* state) const = 0;  // false: the game has no mirror

  virtual std::uint64_t play_out_many(const Word* start, std::uint64_t first, std::size_t n, std::uint64_t seed,
                                      std::uint64_t max_steps, Workers& workers, double* returns,
                                      std::uint32_t* lengths, PlayoutTotals& totals) const = 0;
  virtual std::uint64_t behaviour(const Word* start, int games, std::uint64_t seed) const = 0;
  virtual std::unique_ptr<AnyBatch> batch(const Word* start, std::size_t n, std::uint64_t seed, int threads) const = 0;
};

// A state is copied in and out of the caller's words: they are storage, not an object of type State.
template <Game G>
typename G::State load(const Word* words) {
  typename G::State state;
  std::memcpy(&state, words, sizeof state);
  return state;
}

template <Game G>
void store(const typename G::State& state, Word* words) {
  std::memcpy(words, &state, sizeof state);
}

template <Game G>
class ErasedBatch final : public AnyBatch {
 public:
  template <class... Args>
  explicit ErasedBatch(Args&&... args) : batch_(std::forward<Args>(args)...) {}

  std::size_t size() const override { return batch_.size(); }
  void reset(std::uint64_t seed) override { batch_.reset(seed); }
  std::size_t choose(const std::int32_t* actions) override { return batch_.choose(actions); }
  std::size_t choose(const std::int64_t* actions) override { return batch_.choose(actions); }
  void step(const BatchView& out) override { batch_.step(out); }
  void observe(const BatchView& out) override { batch_.observe(out); }
  void get_state(std::size_t i, Word* state) const override { store<G>(batch_.state(i), state); }
  bool set_state(std::size_t i, const Word* state) override { return batch_.set_state(i, load<G>(state)); }
  Rng& rng(std::size_t i) override { return batch_.rng(i); }

 private:
  Batch<G> batch_;
};

template <Game G>
class Erased final : public AnyGame {
 public:
  template <class... Args>
  explicit Erased(Args&&... args) : game_(std::forward<Args>(args)...) {}

  const Facts& facts() const override { return game_.facts; }
  int state_words() const override { return tablier::state_words<G>; }
  int max_actions() const override { return G::kMaxActions; }

  void init(std::span<const std::int64_t> options, Word* state) const override {
    typename G::State fresh{};
    game_.init(options, fresh);
    store<G>(fresh, state);
  }
  int current_player(const Word* state) const override { return game_.current_player(load<G>(state)); }
  int legal_actions(const Word* state, Action* out) const override { return game_.legal_actions(load<G>(state), out); }
  bool is_legal(const Word* state, Action action) const override {
    return tablier::is_legal(game_, load<G>(state), action);
  }
  void apply(Word* state, Action action) const override {
    auto changed = load<G>(state);
    game_.apply(changed, action);
    store<G>(changed, state);
  }
  void returns(const Word* state, double* out) const override { game_.returns(load<G>(state), out); }
  void observation(const Word* state, int player, std::uint8_t* out) const override {
    game_.observation(load<G>(state), player, out);
  }
  void features(const Word* state, int player, float* out) const override {
    game_.features(load<G>(state), player, out);
  }
  void to_string(const Word* state, char* out) const override { game_.to_string(load<G>(state), out); }
  void action_to_string(const Word* state, Action action, char* out) const override {
    game_.action_to_string(load<G>(state), action, out);
  }
  const char* invalid(const Word* state) const override { return game_.invalid(load<G>(state)); }
  bool same_rules(const Word* state, const Word* other) const override {
    if constexpr (CarriesRules<G>) return game_.same_rules(load<G>(state), load<G>(other));
    (void)state, (void)other;
    return true;
  }
  bool mirror(Word* state) const override {
    if constexpr (Mirrorable<G>) {
      auto changed = load<G>(state);
      game_.mirror(changed);
      store<G>(changed, state);
      return true;
    }
    (void)state;
    return false;
  }

  std::uint64_t play_out_many(const Word* start, std::uint64_t first, std::size_t n, std::uint64_t seed,
                              std::uint64_t max_steps, Workers& workers, double* returns, std::uint32_t* lengths,
                              PlayoutTotals& totals) const override {
    return tablier::play_out_many(game_, load<G>(start), first, n, seed, max_steps, workers, returns, lengths, totals);
  }
  std::uint64_t behaviour(const Word* start, int games, std::uint64_t seed) const override {
    return tablier::behaviour(game_, load<G>(start), games, seed);
  }
  std::unique_ptr<AnyBatch> batch(const Word* start, std::size_t n, std::uint64_t seed, int threads) const override {
    return std::make_unique<ErasedBatch<G>>(game_, load<G>(start), n, seed, threads);
  }

 private:
  G game_;
};

}  // namespace tablier
