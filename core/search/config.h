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

struct Config {
  std::int64_t simulations = 200;
  double c_puct = 1.5;
  double dirichlet_alpha = 1;
  double dirichlet_eps = 0;    // 0: no noise at the root
  double temperature = 0;      // of the first move of a game; 0: always the best move
  int temperature_moves = 30;  // over which it falls to 0
  Root root = Root::kPuct;
  int considered = 16;  // actions that Gumbel's root looks at
  double c_visit = 50;  // Gumbel: how fast values outweigh priors
  double c_scale = 1;
  bool gumbel_noise = false;
  Chance chance = Chance::kQuota;
  Objective objective = Objective::kOwn;
  Evaluator evaluator = Evaluator::kCaller;
  bool sweep = false;                 // our own evaluator looks at all rolls of a new chance node at once
  int rollouts = 1;                   // games per leaf
  std::uint64_t max_steps = 100'000;  // of one such game
  double prior_scale = 8;  // estimate(): how sharply priors follow the values of actions (of 1 over the range seen)
  std::size_t memory = std::size_t{256} << 20;  // bytes of one tree
};

}  // namespace tablier::search
