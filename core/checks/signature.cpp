// Prints hashes of what the core computes, for builds and numbers of threads to be compared: signature THREADS.
//
// The first lines are those of `tablier bench --signature`, the behaviour of each game. The lines after them are hashes
// of playouts, batches, searches, rollouts and games of networks, by game.
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../nets/kernels.h"
#include "../options.h"
#include "../registry.h"
#include "network_file.h"

namespace tablier {

namespace {

constexpr std::uint64_t kSeed = 2024;

class Hash {
 public:
  void add(std::uint64_t value) { hash_ = mix(hash_ ^ value) + kGoldenGamma; }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(float value) { add(std::uint64_t{std::bit_cast<std::uint32_t>(value)}); }
  void add(std::int32_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  void add(std::uint8_t value) { add(std::uint64_t{value}); }
  template <class T>
  void add_all(const std::vector<T>& values) {
    for (const T& value : values) add(value);
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = kGoldenGamma;
};

// A game under its default options.
struct Subject {
  explicit Subject(const Registered& entry)
      : game(*entry.game), facts(game.describe(default_options(game.facts()))), start(words()) {
    game.init(default_options(game.facts()), start.data());
  }
  std::size_t words() const { return static_cast<std::size_t>(game.state_words()); }
  std::size_t players() const { return static_cast<std::size_t>(facts.num_players); }

  const AnyGame& game;
  Facts facts;
  std::vector<Word> start;
};

void playouts(const Subject& of, int threads, Hash& hash) {
  constexpr std::size_t kGames = 60;
  std::vector<double> returns(kGames * of.players());
  std::vector<std::uint32_t> lengths(kGames);
  PlayoutTotals totals;
  Workers workers(threads);
  of.game.play_out_many(of.facts, of.start.data(), 0, kGames, kSeed, 10'000, workers, returns.data(), lengths.data(),
                        totals);
  hash.add_all(returns);
  for (const auto length : lengths) hash.add(std::uint64_t{length});
  hash.add(totals.decisions);
}

// Positions of games in a batch, after some random steps.
std::vector<Word> batch(const Subject& of, int threads, Hash& hash) {
  constexpr std::size_t kGames = 40;
  const auto batch = of.game.batch(of.facts, of.start.data(), kGames, kSeed, threads);
  std::vector<float> features(kGames * static_cast<std::size_t>(of.facts.features.size())),
      rewards(kGames * of.players());
  std::vector<std::uint8_t> mask(kGames * static_cast<std::size_t>(of.facts.num_actions)), done(kGames);
  std::vector<std::int32_t> player(kGames), chosen(kGames);
  std::vector<Action> actions(static_cast<std::size_t>(of.game.max_actions()));
  std::vector<Word> states(kGames * of.words());
  Rng rng{kSeed};
  for (int step = 0; step < 30; ++step) {
    for (std::size_t i = 0; i < kGames; ++i) {
      Word* state = states.data() + i * of.words();
      batch->get_state(i, state);
      chosen[i] = actions[static_cast<std::size_t>(rng.below(of.game.legal_actions(state, actions.data())))];
    }
    batch->choose(chosen.data());
    batch->step({features.data(), mask.data(), player.data(), rewards.data(), done.data()});
  }
  hash.add_all(features);
  hash.add_all(mask);
  hash.add_all(rewards);
  for (std::size_t i = 0; i < kGames; ++i) batch->get_state(i, states.data() + i * of.words());
  hash.add_all(states);
  return states;
}

void self_play(const Subject& of, const search::Config& config, int threads, Hash& hash) {
  const auto pool = of.game.pool(of.facts, of.start.data(), config, 6, kSeed, threads);
  pool->play_games(0, 6, 12);
  while (pool->busy()) pool->run(0.05);
  for (const auto& game : pool->take_finished()) {
    hash.add(game.number);
    hash.add_all(game.states);
    hash.add_all(game.actions);
    hash.add_all(game.values);
    hash.add_all(game.policy);
  }
}

void full_width(const Subject& of, const search::Config& config, const std::vector<Word>& states, int threads,
                Hash& hash) {
  const std::size_t count = 6;
  search::ExpectimaxConfig deep;
  deep.keep = 3;
  const auto search = of.game.expectimax(of.facts, deep, threads);
  search->begin(states.data(), nullptr, count);
  while (search->deepen_native(config, kSeed, [] { return false; })) {
  }
  std::vector<double> values(count * of.players());
  search->values(values.data());
  hash.add_all(values);
  for (const auto& ranked : search->ranking(0)) hash.add(ranked.action);
}

void rollouts(const Subject& of, const search::Config& config, const std::vector<Word>& states, int threads,
              Hash& hash) {
  constexpr std::size_t kPositions = 4, kGames = 4;
  search::RolloutConfig how;
  how.games = kGames;
  how.decisions = 10;
  how.seed = kSeed;
  std::vector<double> rewards(kPositions * kGames * of.players()), luck(rewards.size());
  std::vector<std::uint8_t> ended(kPositions * kGames);
  const std::vector<std::int32_t> viewers(kPositions);
  Workers workers(threads);
  of.game.roll_out(of.facts, config, how, states.data(), viewers.data(), kPositions, workers,
                   {rewards.data(), luck.data(), ended.data()});
  hash.add_all(rewards);
  hash.add_all(luck);
  hash.add_all(ended);
}

// A network with random weights: the same bytes in every build.
std::vector<std::uint8_t> network_file(const Subject& of) {
  static constexpr std::uint8_t kRecipe[] = {1, 0, 31, 1, 0, 200, 1, 2, 3, 15, 8};
  fuzz::Input in(kRecipe, std::size(kRecipe));
  return fuzz::make_network(in, of.game, of.facts).sealed(of.facts.name);
}

void print(std::string_view what, std::string_view game, std::uint64_t hash) {
  std::printf("%016llx  %s%.*s\n", static_cast<unsigned long long>(hash), std::string(what).c_str(),
              static_cast<int>(game.size()), game.data());
}

void print_all(const Subject& of, int threads) {
  const auto show = [&of](std::string_view what, auto compute) {
    Hash hash;
    compute(hash);
    print(what, of.facts.name, hash.value());
  };
  std::vector<Word> states;
  show("playouts of ", [&](Hash& hash) { playouts(of, threads, hash); });
  show("batch of ", [&](Hash& hash) { states = batch(of, threads, hash); });
  const nets::Network network(network_file(of), *nets::available_kernels().front());
  search::Config config;
  config.simulations = 24;
  config.dirichlet_eps = 0.25;
  config.temperature = 1;
  for (const auto evaluator : {search::Evaluator::kRollout, search::Evaluator::kPoints, search::Evaluator::kNetwork}) {
    config.evaluator = evaluator;
    config.network = evaluator == search::Evaluator::kNetwork ? &network : nullptr;
    config.root = evaluator == search::Evaluator::kPoints ? search::Root::kGumbel : search::Root::kPuct;
    config.gumbel_noise = true;
    show("self-play of ", [&](Hash& hash) { self_play(of, config, threads, hash); });
  }
  show("expectimax of ", [&](Hash& hash) { full_width(of, config, states, threads, hash); });
  show("rollouts of ", [&](Hash& hash) { rollouts(of, config, states, threads, hash); });
}

}  // namespace
}  // namespace tablier

int main(int argc, char** argv) {
  using namespace tablier;
  const int threads = argc > 1 ? static_cast<int>(std::strtol(argv[1], nullptr, 10)) : 1;
  std::uint64_t all = 0;
  for (const auto& entry : registered_games()) {
    const Subject of(entry);
    const auto behaviour = of.game.behaviour(of.facts, of.start.data(), 200, kSeed);
    print("", of.facts.name, behaviour);
    all = all * 0x100000001B3 + behaviour;
  }
  print("", "all", all);
  for (const auto& entry : registered_games()) print_all(Subject(entry), threads);
}
