// Native evaluators: playouts, estimates and expected points, computed inside the search. Networks are evaluated by the
// caller (pool.h).
#pragma once

#include <cmath>

#include "../kernels/playout.h"
#include "../rng.h"
#include "tree.h"

namespace tablier::search {

// Writes the mean future rewards over `games` random playouts to `to_come`, which must start at zero.
template <Game G>
void roll_out(const G& game, int players, const typename G::State& state, int games, std::uint64_t max_steps, Rng& rng,
              double* to_come) {
  double start[seats<G>], end[seats<G>];
  game.returns(state, start);
  PlayoutTotals unused;
  for (int i = 0; i < games; ++i) {
    typename G::State copy = state;
    play_out(game, copy, rng, max_steps, unused);
    game.returns(copy, end);
    for (int p = 0; p < players; ++p) to_come[p] += end[p] - start[p];
  }
  for (int p = 0; p < players; ++p) to_come[p] /= games;
}

// The expected reward of the next roll.
template <Game G>
void next_roll(const G& game, int players, const typename G::State& state, double* to_come) {
  if (game.current_player(state) != kChance) return;
  Action outcomes[G::kMaxActions];
  int weights[G::kMaxActions];
  const int count = chance_classes(game, state, outcomes, weights);
  double start[seats<G>], end[seats<G>], whole = 0;
  game.returns(state, start);
  for (int i = 0; i < count; ++i) {
    typename G::State next = state;
    game.apply(next, outcomes[i]);
    game.returns(next, end);
    for (int p = 0; p < players; ++p) to_come[p] += weights[i] * (end[p] - start[p]);
    whole += weights[i];
  }
  for (int p = 0; p < players; ++p) to_come[p] /= whole;
}

// The future rewards that a native evaluator expects; zero if the game is over.
template <Game G>
void judge(const G& game, int players, const Config& config, const typename G::State& state, Rng& rng,
           double* to_come) {
  std::fill_n(to_come, seats<G>, 0.0);
  if (game.current_player(state) == kTerminal) return;
  switch (config.evaluator) {
    case Evaluator::kRollout:
      return roll_out(game, players, state, config.rollouts, Config::kMostSteps, rng, to_come);
    case Evaluator::kPoints:
      return next_roll(game, players, state, to_come);
    case Evaluator::kEstimate:
      if constexpr (Estimates<G>) game.estimate(state, to_come);
      return;
    default:
      return;
  }
}

// Evaluates new nodes of a tree natively; estimates also set the priors of the actions.
template <Game G>
class Native {
 public:
  Native(const G& game, const Facts& facts, const Config& config)
      : game_(game),
        players_(facts.num_players),
        rolls_(static_cast<std::size_t>(facts.max_chance_outcomes)),
        config_(config) {}

  void operator()(Tree<G>& tree, Index leaf, Rng& rng) const {
    if (config_.sweep && tree.node(leaf).player == kChance && tree.has_room(rolls_)) return sweep(tree, leaf, rng);
    double to_come[seats<G>];
    if (tree.node(leaf).player >= 0 && by_actions()) {
      judge_by_actions(tree, leaf, rng, to_come);
    } else {
      judge(game_, players_, config_, tree.node(leaf).state, rng, to_come);
    }
    tree.evaluate(leaf, to_come);
  }

 private:
  bool by_actions() const {
    return config_.evaluator == Evaluator::kEstimate || config_.evaluator == Evaluator::kPoints;
  }

  // Evaluates all rolls at once. Otherwise the first rolls visited, lucky or not, would bias the actions above.
  void sweep(Tree<G>& tree, Index leaf, Rng& rng) const {
    tree.expand(leaf);
    for (Index i = 0; i < tree.node(leaf).count; ++i) {
      const Index child = tree.add_child(leaf, i);
      if (tree.node(child).solved) continue;
      double to_come[seats<G>];
      if (tree.node(child).player >= 0 && by_actions()) {
        judge_by_actions(tree, child, rng, to_come);
      } else {
        judge(game_, players_, config_, tree.node(child).state, rng, to_come);
      }
      tree.evaluate(child, to_come);
    }
    tree.evaluate_by_rolls(leaf);
  }

  // Values a decision by its best action, and derives the priors from the values of all actions.
  void judge_by_actions(Tree<G>& tree, Index leaf, Rng& rng, double* best) const {
    tree.expand(leaf);
    const int player = tree.node(leaf).player;
    const auto& state = tree.node(leaf).state;
    const auto edges = tree.edges(tree.node(leaf));
    double value[seats<G>], start[seats<G>], collected[seats<G>];
    game_.returns(state, start);
    double most = -std::numeric_limits<double>::infinity(), least = -most;
    for (auto& edge : edges) {
      auto next = state;
      game_.apply(next, edge.action);
      game_.returns(next, collected);
      judge(game_, players_, config_, next, rng, value);
      for (int p = 0; p < players_; ++p) value[p] += collected[p] - start[p];
      const double worth = tree.worth(value, player);
      edge.prior = static_cast<float>(worth);
      least = std::min(least, worth);
      if (worth > most) {
        most = worth;
        std::copy_n(value, players_, best);
      }
    }
    const double scale = most > least ? config_.prior_scale / (most - least) : 0;
    float whole = 0;
    for (auto& edge : edges) {
      edge.prior = static_cast<float>(std::exp(scale * (edge.prior - most)));
      whole += edge.prior;
    }
    for (auto& edge : edges) edge.prior /= whole;
  }

  const G& game_;
  int players_;
  std::size_t rolls_;
  const Config& config_;
};

}  // namespace tablier::search
