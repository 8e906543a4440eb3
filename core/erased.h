// Type-erased games: the interface through which bindings and plugins use any game.
//
// Calls through it are coarse (a whole batch, a whole playout run) or happen once per step of a single game. Hot loops
// do not belong here: they are templates over the game. Erased<G> is the only implementation, also for Python games.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "game.h"
#include "kernels/batch.h"
#include "kernels/playout.h"
#include "nets/self_play.h"
#include "search/expectimax.h"
#include "search/open_loop.h"
#include "search/pool.h"
#include "search/rollouts.h"

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
  virtual std::size_t afterstates(const AfterView& out) = 0;
  virtual std::int64_t play(const nets::Network& network, const nets::PlayView& out) = 0;
  virtual void get_state(std::size_t i, Word* state) const = 0;
  virtual bool set_state(std::size_t i, const Word* state) = 0;
  virtual Rng rng(std::size_t i) const = 0;
  virtual void assign(const Word* states, const Rng* rngs) = 0;  // sets every slot; each state must be at a decision
};

class AnyGame {
 public:
  virtual ~AnyGame() = default;

  virtual const Facts& facts() const = 0;  // under the default options
  virtual Facts describe(std::span<const std::int64_t> options) const = 0;
  virtual Contradiction contradiction(std::span<const std::int64_t> options) const = 0;
  virtual int state_words() const = 0;
  virtual int max_actions() const = 0;  // buffer size for legal_actions()

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
  virtual void upgrade(Word* state) const = 0;  // from an earlier version
  virtual bool has_mirror() const = 0;
  virtual bool mirror(Word* state) const = 0;  // false if the position has no mirror image
  virtual Action mirror_action(Action action) const = 0;

  virtual std::uint64_t play_out_many(const Facts& facts, const Word* start, std::uint64_t first, std::size_t n,
                                      std::uint64_t seed, std::uint64_t max_steps, Workers& workers, double* returns,
                                      std::uint32_t* lengths, PlayoutTotals& totals) const = 0;
  virtual std::uint64_t behaviour(const Facts& facts, const Word* start, int games, std::uint64_t seed) const = 0;
  virtual std::unique_ptr<AnyBatch> batch(const Facts& facts, const Word* start, std::size_t n, std::uint64_t seed,
                                          int threads) const = 0;

  virtual std::unique_ptr<search::AnyPool> pool(const Facts& facts, const Word* start, const search::Config& config,
                                                std::size_t n, std::uint64_t seed, int threads) const = 0;
  virtual std::unique_ptr<search::AnyExpectimax> expectimax(const Facts& facts, const search::ExpectimaxConfig& config,
                                                            int threads) const = 0;
  virtual search::RootView search_open_loop(const Facts& facts, const Word* state, const search::Config& config,
                                            std::uint64_t seed, const search::Stop& stop) const = 0;
  virtual int chance_classes(const Word* state, Action* outcomes, int* weights) const = 0;
  virtual void canonical(Word* state) const = 0;
  virtual bool has_estimate() const = 0;
  virtual void estimate(const Word* state, double* to_come) const = 0;  // requires has_estimate()
  // The states that `player` cannot tell from this one, concatenated.
  virtual std::vector<Word> indistinguishable(const Word* state, int player) const = 0;
  // Writes the future rewards of n states, [n, players], as the evaluator of the config expects them. `viewers` may be
  // null: player 0 before a roll.
  virtual void evaluate(const Facts& facts, const search::Config& config, const Word* states,
                        const std::int32_t* viewers, std::size_t n, std::uint64_t seed, Workers& workers,
                        float* values) const = 0;
  // The size of the numbers that LinksMargins needs; 0 if the game cannot turn margins into chances.
  virtual int link_size() const = 0;
  // The probability that a player wins; requires link_size() > 0.
  virtual double win_chance(const Word* state, int player, double margin, const double* link) const = 0;
  // Rolls out n positions (search/rollouts.h).
  virtual void roll_out(const Facts& facts, const search::Config& evaluator, const search::RolloutConfig& config,
                        const Word* states, const std::int32_t* viewers, std::size_t n, Workers& workers,
                        const search::RolloutView& out) const = 0;
  // Why a network cannot read this game's positions, or an empty string.
  virtual std::string misfit(const Facts& facts, const nets::Network& network) const = 0;
  // Computes a network on n positions in their order; writes [n, outputs] and [n, actions].
  virtual void infer(const Facts& facts, const nets::Network& network, const Word* states, const std::int32_t* viewers,
                     std::size_t n, std::int32_t* outputs, float* logits) const = 0;
  virtual std::vector<std::int32_t> code_sizes(const Facts& facts) const = 0;  // empty if the game has no codes
  virtual void codes(const Facts& facts, const Word* states, const std::int32_t* viewers, std::size_t n,
                     std::uint8_t* out) const = 0;
  virtual void decode(const Word* start, const std::uint8_t* codes, float* features) const = 0;
  virtual void show(const Facts& facts, const Word* states, const std::int32_t* players, std::size_t n,
                    Workers& workers, float* features, std::uint8_t* mask) const = 0;
};

// The words in use. A game whose states need fewer words than the State type has room for defines words().
template <Game G>
int words_of(const G& game) {
  if constexpr (requires { game.words(); }) return game.words();
  (void)game;
  return state_words<G>;
}

// States are copied in and out: the caller's words are storage, not an object of type State.
template <Game G>
typename G::State load(const G& game, const Word* words) {
  typename G::State state{};
  std::memcpy(&state, words, sizeof(Word) * static_cast<std::size_t>(words_of(game)));
  return state;
}

template <Game G>
void store(const G& game, const typename G::State& state, Word* words) {
  std::memcpy(words, &state, sizeof(Word) * static_cast<std::size_t>(words_of(game)));
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
  std::size_t afterstates(const AfterView& out) override { return batch_.afterstates(out); }
  std::int64_t play(const nets::Network& network, const nets::PlayView& out) override {
    if constexpr (seats<G> >= 2) return nets::play(batch_, batch_.facts(), network, out);
    (void)network, (void)out;
    return 0;
  }
  void get_state(std::size_t i, Word* state) const override { store(batch_.game(), batch_.state(i), state); }
  bool set_state(std::size_t i, const Word* state) override { return batch_.set_state(i, load(batch_.game(), state)); }
  Rng rng(std::size_t i) const override { return batch_.rng(i); }
  void assign(const Word* states, const Rng* rngs) override {
    const auto words = static_cast<std::size_t>(words_of(batch_.game()));
    batch_.assign([&](std::size_t i) { return load(batch_.game(), states + i * words); }, rngs);
  }

 private:
  Batch<G> batch_;
};

template <Game G>
class Erased final : public AnyGame {
 public:
  template <class... Args>
  explicit Erased(Args&&... args) : game_(std::forward<Args>(args)...) {}

  const Facts& facts() const override { return game_.facts; }
  Facts describe(std::span<const std::int64_t> options) const override {
    if constexpr (Describes<G>) return game_.describe(options);
    (void)options;
    return game_.facts;
  }
  Contradiction contradiction(std::span<const std::int64_t> options) const override {
    if constexpr (Describes<G>) return game_.contradiction(options);
    (void)options;
    return {};
  }
  int state_words() const override { return words_of(game_); }
  int max_actions() const override { return G::kMaxActions; }

  void init(std::span<const std::int64_t> options, Word* state) const override {
    typename G::State fresh{};
    game_.init(options, fresh);
    store(game_, fresh, state);
  }
  int current_player(const Word* state) const override { return game_.current_player(load(game_, state)); }
  int legal_actions(const Word* state, Action* out) const override {
    return game_.legal_actions(load(game_, state), out);
  }
  bool is_legal(const Word* state, Action action) const override {
    return tablier::is_legal(game_, load(game_, state), action);
  }
  void apply(Word* state, Action action) const override {
    auto changed = load(game_, state);
    game_.apply(changed, action);
    store(game_, changed, state);
  }
  void returns(const Word* state, double* out) const override { game_.returns(load(game_, state), out); }
  void observation(const Word* state, int player, std::uint8_t* out) const override {
    game_.observation(load(game_, state), player, out);
  }
  void features(const Word* state, int player, float* out) const override {
    game_.features(load(game_, state), player, out);
  }
  void to_string(const Word* state, char* out) const override { game_.to_string(load(game_, state), out); }
  void action_to_string(const Word* state, Action action, char* out) const override {
    game_.action_to_string(load(game_, state), action, out);
  }
  const char* invalid(const Word* state) const override { return game_.invalid(load(game_, state)); }
  bool same_rules(const Word* state, const Word* other) const override {
    if constexpr (CarriesRules<G>) return game_.same_rules(load(game_, state), load(game_, other));
    (void)state, (void)other;
    return true;
  }
  void upgrade(Word* state) const override {
    if constexpr (Upgrades<G>) {
      auto changed = load(game_, state);
      game_.upgrade(changed);
      store(game_, changed, state);
    }
    (void)state;
  }
  bool has_mirror() const override {
    if constexpr (requires { game_.has_mirror(); }) return game_.has_mirror();
    return Mirrorable<G>;
  }
  bool mirror(Word* state) const override {
    if constexpr (Mirrorable<G>) {
      auto changed = load(game_, state);
      if (!game_.mirror(changed)) return false;
      store(game_, changed, state);
      return true;
    }
    (void)state;
    return false;
  }
  Action mirror_action(Action action) const override {
    if constexpr (MirrorsActions<G>) return game_.mirror_action(action);
    return action;
  }

  std::uint64_t play_out_many(const Facts& facts, const Word* start, std::uint64_t first, std::size_t n,
                              std::uint64_t seed, std::uint64_t max_steps, Workers& workers, double* returns,
                              std::uint32_t* lengths, PlayoutTotals& totals) const override {
    return tablier::play_out_many(game_, facts, load(game_, start), first, n, seed, max_steps, workers, returns,
                                  lengths, totals);
  }
  std::uint64_t behaviour(const Facts& facts, const Word* start, int games, std::uint64_t seed) const override {
    return tablier::behaviour(game_, facts, load(game_, start), games, seed);
  }
  std::unique_ptr<AnyBatch> batch(const Facts& facts, const Word* start, std::size_t n, std::uint64_t seed,
                                  int threads) const override {
    return std::make_unique<ErasedBatch<G>>(game_, facts, load(game_, start), n, seed, threads);
  }

  std::unique_ptr<search::AnyPool> pool(const Facts& facts, const Word* start, const search::Config& config,
                                        std::size_t n, std::uint64_t seed, int threads) const override {
    return std::make_unique<search::Pool<G>>(game_, facts, load(game_, start), config, n, seed, threads, words(),
                                             &load<G>, &store<G>);
  }
  std::unique_ptr<search::AnyExpectimax> expectimax(const Facts& facts, const search::ExpectimaxConfig& config,
                                                    int threads) const override {
    return std::make_unique<search::Expectimax<G>>(game_, facts, config, threads, words(), &load<G>, &store<G>);
  }
  search::RootView search_open_loop(const Facts& facts, const Word* state, const search::Config& config,
                                    std::uint64_t seed, const search::Stop& stop) const override {
    search::OpenLoop<G> search(game_, facts, config);
    Rng rng{stream_key(seed, 0)};
    return search.view(load(game_, state), rng, stop);
  }
  int chance_classes(const Word* state, Action* outcomes, int* weights) const override {
    return tablier::chance_classes(game_, load(game_, state), outcomes, weights);
  }
  void canonical(Word* state) const override {
    if constexpr (MergesChance<G>) {
      auto changed = load(game_, state);
      game_.canonical(changed);
      store(game_, changed, state);
    }
    (void)state;
  }
  bool has_estimate() const override {
    if constexpr (requires { game_.has_estimate(); }) return game_.has_estimate();
    return Estimates<G>;
  }
  void estimate(const Word* state, double* to_come) const override {
    if constexpr (Estimates<G>) game_.estimate(load(game_, state), to_come);
    (void)state, (void)to_come;
  }
  std::vector<Word> indistinguishable(const Word* state, int player) const override {
    std::vector<Word> found;
    if constexpr (HidesInformation<G>) {
      for (const auto& other : game_.indistinguishable(load(game_, state), player)) {
        found.resize(found.size() + words());
        store(game_, other, found.data() + found.size() - words());
      }
    }
    (void)state, (void)player;
    return found;
  }
  void evaluate(const Facts& facts, const search::Config& config, const Word* states, const std::int32_t* viewers,
                std::size_t n, std::uint64_t seed, Workers& workers, float* values) const override {
    const std::size_t slice = config.evaluator == search::Evaluator::kRollout ? 1 : 64;
    workers.run(n, slice, [&](std::size_t begin, std::size_t end) {
      search::Judge<G> judge(game_, facts, config);
      for (std::size_t i = begin; i < end; ++i) {
        Rng rng{stream_key(seed, i)};
        double to_come[seats<G>];
        const auto state = load(game_, states + i * words());
        const int player = game_.current_player(state);
        judge(state, player >= 0 ? player : viewers ? viewers[i] : 0, rng, to_come);
        float* row = values + i * static_cast<std::size_t>(facts.num_players);
        for (int p = 0; p < facts.num_players; ++p) row[p] = static_cast<float>(to_come[p]);
      }
    });
  }
  int link_size() const override {
    if constexpr (LinksMargins<G>) return G::kLinkSize;
    return 0;
  }
  double win_chance(const Word* state, int player, double margin, const double* link) const override {
    if constexpr (LinksMargins<G>) return game_.win_chance(load(game_, state), player, margin, link);
    (void)state, (void)player, (void)margin, (void)link;
    return 0.5;
  }
  void roll_out(const Facts& facts, const search::Config& evaluator, const search::RolloutConfig& config,
                const Word* states, const std::int32_t* viewers, std::size_t n, Workers& workers,
                const search::RolloutView& out) const override {
    const auto position_at = [&](std::size_t i) { return load(game_, states + i * words()); };
    search::roll_out_many(game_, facts, evaluator, config, position_at, viewers, n, workers, out);
  }
  std::string misfit(const Facts& facts, const nets::Network& network) const override {
    return nets::misfit(game_, facts, network);
  }
  void infer(const Facts& facts, const nets::Network& network, const Word* states, const std::int32_t* viewers,
             std::size_t n, std::int32_t* outputs, float* logits) const override {
    nets::Inference<G> inference(game_, facts, network);
    for (std::size_t i = 0; i < n; ++i) {
      inference.read(load(game_, states + i * words()), viewers[i]);
      outputs = std::copy_n(inference.outputs(), network.outputs(), outputs);
      for (int a = 0; a < network.actions(); ++a) *logits++ = inference.logit(a);
    }
  }
  std::vector<std::int32_t> code_sizes(const Facts& facts) const override {
    if constexpr (Coded<G>) {
      const std::span<const std::uint16_t> sizes = game_.code_sizes();
      return {sizes.begin(), sizes.begin() + game_.code_count(facts)};
    }
    (void)facts;
    return {};
  }
  void codes(const Facts& facts, const Word* states, const std::int32_t* viewers, std::size_t n,
             std::uint8_t* out) const override {
    if constexpr (Coded<G>) {
      const int count = game_.code_count(facts);
      std::vector<std::uint8_t> row(std::span<const std::uint16_t>(game_.code_sizes()).size());
      for (std::size_t i = 0; i < n; ++i) {
        game_.codes(load(game_, states + i * words()), viewers[i], count, row.data());
        out = std::copy_n(row.data(), count, out);
      }
    }
    (void)facts, (void)states, (void)viewers, (void)n, (void)out;
  }
  void decode(const Word* start, const std::uint8_t* codes, float* features) const override {
    if constexpr (Coded<G>) game_.decode(load(game_, start), codes, features);
    (void)start, (void)codes, (void)features;
  }
  void show(const Facts& facts, const Word* states, const std::int32_t* players, std::size_t n, Workers& workers,
            float* features, std::uint8_t* mask) const override {
    const auto width = static_cast<std::size_t>(facts.features.size()),
               actions = static_cast<std::size_t>(facts.num_actions);
    workers.run(n, 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto state = load(game_, states + i * words());
        if (features) game_.features(state, players[i], features + i * width);
        if (mask) write_mask(game_, facts, state, game_.current_player(state), mask + i * actions);
      }
    });
  }

 private:
  std::size_t words() const { return static_cast<std::size_t>(words_of(game_)); }

  G game_;
};

}  // namespace tablier
