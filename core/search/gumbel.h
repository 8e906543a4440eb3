// The Gumbel root: sequential halving allocates few simulations to few actions, and the resulting policy improves on
// the priors (I. Danihelka, A. Guez, J. Schrittwieser, D. Silver: "Policy improvement by planning with Gumbel", ICLR
// 2022). The tree below the root is searched as usual (mcts.h).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "../rng.h"
#include "config.h"

namespace tablier::search {

// One action at the root.
struct Considered {
  double logit = 0;   // of the prior
  double gumbel = 0;  // noise; 0 if disabled
  double q = 0;       // 0 .. 1; meaningless without visits
  std::int64_t visits = 0;
};

// The schedule of sequential halving: for each simulation, the visit count of the action to visit next. In every round
// the remaining actions get equal visits; then the lower half drops out, until two are left.
class Halving {
 public:
  Halving() = default;
  Halving(int actions, std::int64_t simulations)
      : kept_(actions),
        rounds_(std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(actions - 1))))),
        whole_(simulations) {
    begin_round();
  }

  std::int64_t visits() const { return visits_; }

  void next() {
    if (++turn_ < kept_) return;
    turn_ = 0;
    ++visits_;
    if (--left_ > 0) return;
    kept_ = std::min(kept_, std::max(2, kept_ / 2));
    begin_round();
  }

 private:
  void begin_round() { left_ = std::max<std::int64_t>(1, whole_ / (static_cast<std::int64_t>(rounds_) * kept_)); }

  int kept_ = 1, rounds_ = 1, turn_ = 0;
  std::int64_t whole_ = 0, left_ = 0, visits_ = 0;
};

// The weight of a value in 0 .. 1 relative to a logit.
inline double q_weight(const Config& config, std::span<const Considered> actions) {
  std::int64_t most = 0;
  for (const Considered& action : actions) most = std::max(most, action.visits);
  return (config.c_visit + static_cast<double>(most)) * config.c_scale;
}

// The action to visit next: the best of those with exactly `visits` visits.
inline std::size_t next_considered(const Config& config, std::span<const Considered> actions, std::int64_t visits) {
  const double weight = q_weight(config, actions);
  std::size_t best = actions.size();
  double best_score = 0;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].visits != visits) continue;
    const double score = actions[i].gumbel + actions[i].logit + weight * actions[i].q;
    if (best == actions.size() || score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return best;
}

// softmax(logits + weighted values), the training target. An unvisited action gets the paper's v_mix: the mean of the
// root's value and those of visited actions, weighted by their priors.
inline void improved_policy(const Config& config, std::span<const Considered> actions, double root_q, double* policy) {
  double prior_seen = 0, weighted = 0, whole = 0, visits = 0;
  for (const Considered& action : actions) whole += std::exp(action.logit);
  for (const Considered& action : actions) {
    if (action.visits == 0) continue;
    prior_seen += std::exp(action.logit) / whole;
    weighted += std::exp(action.logit) / whole * action.q;
    visits += static_cast<double>(action.visits);
  }
  const double mean = prior_seen > 0 ? (root_q + visits * weighted / prior_seen) / (visits + 1) : root_q;
  const double weight = q_weight(config, actions);
  double most = -1e300, sum = 0;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    policy[i] = actions[i].logit + weight * (actions[i].visits > 0 ? actions[i].q : mean);
    most = std::max(most, policy[i]);
  }
  for (std::size_t i = 0; i < actions.size(); ++i) sum += policy[i] = std::exp(policy[i] - most);
  for (std::size_t i = 0; i < actions.size(); ++i) policy[i] /= sum;
}

}  // namespace tablier::search
