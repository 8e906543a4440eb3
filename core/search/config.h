// What a search is asked to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace tablier::search {

// How a search goes through the dice. The last two exist for comparison (docs/search.md).
enum class Chance : std::uint8_t {
  kQuota,     // explicit nodes: the roll that is most behind its share next, backed up as an expectation
  kSampled,   // explicit nodes: rolls drawn at random, backed up as a mean
  kOpenLoop,  // no nodes for rolls: an edge stands for an action whatever was rolled
};

enum class Root : std::uint8_t { kPuct, kGumbel };

// Whose gain a player seeks. In zero-sum games both are the same.
enum class Objective : std::uint8_t {
  kOwn,     // his own return
  kMargin,  // his own less the mean of the others'
};

// What a player seeks to have more of, of the values of all players.
inline double worth(Objective objective, const double* value, int player, int players) {
  if (objective == Objective::kOwn || players == 1) return value[player];
  double others = 0;
  for (int p = 0; p < players; ++p) others += p == player ? 0 : value[p];
  return value[player] - others / (players - 1);
}

// Who evaluates leaves.
enum class Evaluator : std::uint8_t {
  kCaller,    // whoever calls collect() and resume()
  kUniform,   // nobody: every value 0, every action alike
  kRollout,   // the mean of random games
  kEstimate,  // the game's own estimate(), of what is left by the dice or by each action
  kPoints,    // what the dice bring next, on average
};

// Asked now and then during long work: true ends it.
using Stop = std::function<bool()>;

// Defaults. What each setting means and which values it takes is declared in settings.h.
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
  double prior_scale = 5;
  int memory_mb = 256;

  static constexpr std::uint64_t kMostSteps = 100'000;  // of a random game

  std::size_t memory() const { return static_cast<std::size_t>(memory_mb) << 20; }
};

struct ExpectimaxConfig {
  int plies = 2;
  int keep = 8;
  double margin = 0;
  Objective objective = Objective::kOwn;

  static constexpr std::size_t kMostLeaves = 50'000'000;  // of one ply
};

}  // namespace tablier::search
