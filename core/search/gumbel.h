// Gumbel's root: few simulations are shared among few actions by sequential halving, and the policy that follows from
// what they found is an improvement on the priors (I. Danihelka, A. Guez, J. Schrittwieser, D. Silver: "Policy
// improvement by planning with Gumbel", ICLR 2022).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "../rng.h"
#include "config.h"

namespace tablier::search {

// What the root knows of one action.
struct Considered {
  double logit = 0;   // of the prior
  double gumbel = 0;  // the noise; 0 when there is none
  double q = 0;       // 0 .. 1; meaningless without visits
  std::int64_t visits = 0;
};

// How many visits the action has that is visited next, for each simulation in turn. In every round the actions that are
// still considered are visited equally often; then the lower half (rounded down) drops out, until two are left.
inline std::vector<std::int64_t> halving_schedule(int actions, std::int64_t simulations) {
  std::vector<std::int64_t> schedule;
  schedule.reserve(static_cast<std::size_t>(simulations));
  if (actions <= 1) {
    for (std::int64_t i = 0; i < simulations; ++i) schedule.push_back(i);
    return schedule;
  }
  const int rounds = std::bit_width(static_cast<unsigned>(actions - 1));
  std::int64_t visits = 0;
  const auto left = [&] { return simulations - static_cast<std::int64_t>(schedule.size()); };
  for (int kept = actions; left() > 0; kept = std::max(2, kept / 2)) {
    const std::int64_t each = std::max<std::int64_t>(1, simulations / (rounds * kept));
    for (std::int64_t k = 0; k < each && left() > 0; ++k, ++visits) {
      for (int i = 0; i < kept && left() > 0; ++i) schedule.push_back(visits);
    }
  }
  return schedule;
}

// How much a value of 0 .. 1 weighs beside a logit.
inline double q_weight(const Config& config, std::span<const Considered> actions) {
  std::int64_t most = 0;
  for (const Considered& action : actions) most = std::max(most, action.visits);
  return (config.c_visit + static_cast<double>(most)) * config.c_scale;
}

// The action to visit next: the best of those that have just so many visits.
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

// softmax(logits + weighted values): the policy that learning imitates. An action without visits counts as the mean of
// the root's own value and the visited ones', weighted by their priors (the paper's v_mix).
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
