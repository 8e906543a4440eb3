// The settings of a search as plain data. settings.h declares their names, ranges and meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tablier::nets {
class Network;
}

namespace tablier::search {

// How a search handles chance. The last two exist for comparison (docs/search.md).
enum class Chance : std::uint8_t {
  kQuota,     // explicit nodes; visits the roll furthest behind its share, backs up the expectation
  kSampled,   // explicit nodes; samples rolls, backs up the mean
  kOpenLoop,  // no chance nodes; an edge stands for an action whatever was rolled
};

enum class Root : std::uint8_t { kPuct, kGumbel };

// What a player maximizes. In zero-sum games both are the same.
enum class Objective : std::uint8_t {
  kOwn,     // their own return
  kMargin,  // their own return minus the mean of the others'
};

// The quantity that `player` maximizes, given the values of all players.
inline double worth(Objective objective, const double* value, int player, int players) {
  if (objective == Objective::kOwn || players == 1) return value[player];
  double others = 0;
  for (int p = 0; p < players; ++p) others += p == player ? 0 : value[p];
  return value[player] - others / (players - 1);
}

// Where leaf evaluations come from.
enum class Evaluator : std::uint8_t {
  kCaller,    // the caller, through collect() and resume()
  kUniform,   // value 0 and a uniform policy
  kRollout,   // the mean of random playouts
  kEstimate,  // the game's estimate(), of afterstates or after each action
  kPoints,    // the expected reward of the next roll
  kNetwork,   // a network of the core (core/nets)
};

// Where the priors come from if the evaluator is a network of the core.
enum class Prior : std::uint8_t {
  kPolicy,       // the network's policy if it has one, otherwise as below
  kAfterstates,  // the values of the afterstates, softened by prior_scale; a decision has the value of the best
};

// Polled during long work; true ends it.
using Stop = std::function<bool()>;

// Settings with their defaults.
struct Config {
  std::int64_t simulations = 200;
  double c_puct = 1.5;
  double dirichlet_alpha = 1;
  double dirichlet_eps = 0;
  double temperature = 0;
  int temperature_moves = 30;
  Root root = Root::kPuct;
  int considered = 16;
  double c_visit = 50;
  double c_scale = 1;
  bool gumbel_noise = false;
  Chance chance = Chance::kQuota;
  Objective objective = Objective::kOwn;
  Evaluator evaluator = Evaluator::kCaller;
  bool sweep = false;
  int rollouts = 1;
  Prior prior = Prior::kPolicy;
  double prior_scale = 5;
  int memory_mb = 256;
  std::uint64_t most_steps = 100'000;  // in a random playout

  const nets::Network* network = nullptr;  // for Evaluator::kNetwork; the caller keeps it alive
  // The numbers that LinksMargins needs, for a network that predicts margins in a game that pays for the win. The
  // caller keeps them alive.
  const double* link = nullptr;

  std::size_t memory() const { return static_cast<std::size_t>(memory_mb) << 20; }
};

struct ExpectimaxConfig {
  int plies = 2;
  int keep = 8;
  double margin = 0;
  Objective objective = Objective::kOwn;

  static constexpr std::size_t kMostLeaves = 50'000'000;  // in one ply
};

}  // namespace tablier::search
