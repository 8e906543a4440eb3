// Native evaluators: playouts, estimates, expected points and networks of the core, computed inside the search. Other
// networks are evaluated by the caller (pool.h).
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "../kernels/playout.h"
#include "../nets/inference.h"
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

// Evaluates positions natively, one after another in one thread.
template <Game G>
class Judge {
 public:
  using State = typename G::State;

  Judge(const G& game, const Facts& facts, const Config& config)
      : game_(game), facts_(facts), players_(facts.num_players), config_(config) {
    if (config.evaluator == Evaluator::kNetwork) network_.emplace(game, facts, *config.network);
  }

  // Writes the future rewards of a position, zero if the game is over. `viewer` is the player to decide or, before a
  // roll, the one who moved.
  void operator()(const State& state, int viewer, Rng& rng, double* to_come) {
    std::fill_n(to_come, seats<G>, 0.0);
    if (game_.current_player(state) == kTerminal || (asks_game() && known_value(game_, state, to_come))) return;
    if (finishes_turns() && finishes_turn(game_, state)) return by_best_reply(state, viewer, to_come);
    switch (config_.evaluator) {
      case Evaluator::kRollout:
        return roll_out(game_, players_, state, config_.rollouts, config_.most_steps, rng, to_come);
      case Evaluator::kPoints:
        return next_roll(game_, players_, state, to_come);
      case Evaluator::kEstimate:
        if constexpr (Estimates<G>) game_.estimate(state, to_come);
        return;
      case Evaluator::kNetwork:
        if (network_) share(linked(state, viewer, network_->value(state, viewer)), viewer, to_come);
        return;
      case Evaluator::kCaller:
      case Evaluator::kUniform:
        return;
    }
  }

  // Evaluates afterstates of a decision of `player` in `state`, which list(note) lists by calling note(action, after).
  // Calls visit(action, to_come, collected), in the same order, with the future rewards and those so far.
  template <class List, class Visit>
  void afterstates(const State& state, List list, int player, Rng& rng, Visit visit) {
    double to_come[seats<G>], collected[seats<G>];
    if (network_ && !(asks_game() && knows_ahead(game_, state)) && !(finishes_turns() && starts_turn(game_, state))) {
      const auto add = [&](std::span<const Action> actions, const State& like, const double* values) {
        const int then = game_.current_player(like), viewer = then >= 0 ? then : player;
        game_.returns(like, collected);
        std::fill_n(to_come, seats<G>, 0.0);
        for (std::size_t i = 0; i < actions.size(); ++i) {
          if (then != kTerminal) share(linked(like, viewer, values[i]), viewer, to_come);
          visit(actions[i], to_come, collected);
        }
      };
      return network_->afterstates(list, player, add);
    }
    list([&](Action action, const auto& after) {
      const State& next = after.state();
      const int then = game_.current_player(next);
      (*this)(next, then >= 0 ? then : player, rng, to_come);
      game_.returns(next, collected);
      visit(action, to_come, collected);
    });
  }

  // The action with the best afterstate, and the rewards of the players from the start of the game to its end. Without
  // a decision the action is -1, and `viewer` is the player who moved before. Rollouts cannot be judges here.
  struct Reply {
    Action action = -1;
    std::array<double, seats<G>> value{};
  };
  Reply best_reply(const State& state, int viewer, Objective objective) {
    const int player = game_.current_player(state);
    Reply best;
    Rng unused;
    const auto consider = [&](Action action, const double* to_come, const double* collected) {
      double total[seats<G>];
      for (int p = 0; p < players_; ++p) total[p] = to_come[p] + collected[p];
      if (best.action >= 0 &&
          worth(objective, total, player, players_) <= worth(objective, best.value.data(), player, players_)) {
        return;
      }
      best.action = action;
      std::copy_n(total, players_, best.value.begin());
    };
    if (player < 0) {
      afterstates(state, [&](auto note) { note(-1, Afterstate<State>{state}); }, viewer, unused, consider);
      return best;
    }
    const auto list = [&](auto note) { for_each_afterstate(game_, facts_, state, player, note); };
    if constexpr (SplitsTurns<G>) {
      if (finishes_turns() && game_.starts_turn(state)) {
        list([&](Action first, const auto& after) {
          const State& half = after.state();
          const bool again = game_.finishes_turn(half);
          const auto rest = [&](auto note) {
            again ? game_.rest_of_turn(half, first, note) : note(first, Afterstate<State>{half});
          };
          const auto keep = [&](Action, const double* to_come, const double* collected) {
            consider(first, to_come, collected);
          };
          afterstates(half, rest, player, unused, keep);
        });
        return best;
      }
    }
    afterstates(state, list, player, unused, consider);
    return best;
  }

  // Whether a decision is evaluated, with its priors, by the policy and the value of a network.
  bool has_policy() const { return network_ && network_->network().actions() > 0 && config_.prior == Prior::kPolicy; }
  // Whether a decision is evaluated by the values of its afterstates, which are the priors too.
  bool by_actions() const {
    return (config_.evaluator == Evaluator::kEstimate || config_.evaluator == Evaluator::kPoints ||
            config_.evaluator == Evaluator::kNetwork) &&
           !has_policy();
  }
  // Of the last position that was evaluated; 0 without a network.
  float logit(Action action) const { return network_ ? network_->logit(action) : 0; }

 private:
  // Values that the game knows are rewards; a link turns those of the network into something else.
  bool asks_game() const {
    return (config_.evaluator == Evaluator::kNetwork || config_.evaluator == Evaluator::kEstimate) && !config_.link;
  }

  // Whether positions in the middle of a turn are valued by the best way to finish it. A policy head comes with values
  // of decisions.
  bool finishes_turns() const {
    return (config_.evaluator == Evaluator::kNetwork && !has_policy()) || config_.evaluator == Evaluator::kEstimate;
  }
  void by_best_reply(const State& state, int viewer, double* to_come) {
    const Reply best = best_reply(state, viewer, config_.objective);
    double collected[seats<G>];
    game_.returns(state, collected);
    for (int p = 0; p < players_; ++p) to_come[p] = best.value[static_cast<std::size_t>(p)] - collected[p];
  }

  // With a link, the value of a network, half a margin, becomes a value from -1 to 1 that stands for the chance to win.
  double linked(const State& state, int viewer, double value) const {
    if constexpr (LinksMargins<G>) {
      if (config_.link) return 2 * game_.win_chance(state, viewer, 2 * value, config_.link) - 1;
    }
    (void)state, (void)viewer;
    return value;
  }

  // The others share the negative of one player's value.
  void share(double value, int viewer, double* to_come) const {
    for (int p = 0; p < players_; ++p) to_come[p] = p == viewer ? value : -value / (players_ - 1);
  }

  const G& game_;
  const Facts& facts_;
  int players_;
  const Config& config_;
  std::optional<nets::Inference<G>> network_;
};

// Evaluates new nodes of a tree natively; most evaluators also set the priors of the actions.
template <Game G>
class Native {
 public:
  Native(const G& game, const Facts& facts, const Config& config)
      : game_(game),
        players_(facts.num_players),
        rolls_(static_cast<std::size_t>(facts.max_chance_outcomes)),
        config_(config),
        judge_(game, facts, config) {}

  void operator()(Tree<G>& tree, Index leaf, int viewer, Rng& rng) {
    if (config_.sweep && tree.node(leaf).player == kChance && tree.has_room(rolls_)) {
      return sweep(tree, leaf, viewer, rng);
    }
    evaluate(tree, leaf, viewer, rng);
  }

 private:
  void evaluate(Tree<G>& tree, Index leaf, int viewer, Rng& rng) {
    double to_come[seats<G>];
    const int player = tree.node(leaf).player;
    if (player >= 0 && judge_.by_actions()) {
      judge_by_actions(tree, leaf, rng, to_come);
    } else {
      judge_(tree.node(leaf).state, player >= 0 ? player : viewer, rng, to_come);
      if (player >= 0 && judge_.has_policy()) set_priors(tree, leaf);
    }
    tree.evaluate(leaf, to_come);
  }

  // Evaluates all rolls at once. Otherwise the first rolls visited, lucky or not, would bias the actions above.
  void sweep(Tree<G>& tree, Index leaf, int viewer, Rng& rng) {
    tree.expand(leaf);
    for (Index i = 0; i < tree.node(leaf).count; ++i) {
      const Index child = tree.add_child(leaf, i);
      if (!tree.node(child).solved) evaluate(tree, child, viewer, rng);
    }
    tree.evaluate_by_rolls(leaf);
  }

  void set_priors(Tree<G>& tree, Index leaf) const {
    tree.expand(leaf);
    const auto edges = tree.edges(tree.node(leaf));
    float most = -std::numeric_limits<float>::infinity();
    for (auto& edge : edges) most = std::max(most, edge.prior = judge_.logit(edge.action));
    soften(edges, most, 1);
  }

  // Values a decision by its best action, and derives the priors from the values of all actions.
  void judge_by_actions(Tree<G>& tree, Index leaf, Rng& rng, double* best) {
    tree.expand(leaf);
    const int player = tree.node(leaf).player;
    const auto& state = tree.node(leaf).state;
    const auto edges = tree.edges(tree.node(leaf));
    double value[seats<G>], start[seats<G>];
    game_.returns(state, start);
    double most = -std::numeric_limits<double>::infinity(), least = -most;
    auto edge = edges.begin();
    const auto list = [&](auto note) {
      if constexpr (ListsAfterstates<G>) {
        game_.afterstates(state, note);
      } else {
        for (const auto& one : edges) {
          auto next = state;
          game_.apply(next, one.action);
          note(one.action, Afterstate<typename G::State>{next});
        }
      }
    };
    judge_.afterstates(state, list, player, rng, [&](Action, const double* to_come, const double* collected) {
      for (int p = 0; p < players_; ++p) value[p] = to_come[p] + (collected[p] - start[p]);
      const double worth = tree.worth(value, player);
      (edge++)->prior = static_cast<float>(worth);
      least = std::min(least, worth);
      if (worth > most) {
        most = worth;
        std::copy_n(value, players_, best);
      }
    });
    // Rounded as the scores are: a difference that they do not show must not be magnified.
    const auto top = static_cast<float>(most), bottom = static_cast<float>(least);
    soften(edges, top, top > bottom ? config_.prior_scale / (double{top} - bottom) : 0);
  }

  // Turns scores, of which `most` is the highest, into probabilities.
  template <class Edges>
  static void soften(const Edges& edges, float most, double scale) {
    float whole = 0;
    for (auto& edge : edges) {
      edge.prior = static_cast<float>(std::exp(scale * (double{edge.prior} - most)));
      whole += edge.prior;
    }
    for (auto& edge : edges) edge.prior /= whole;
  }

  const G& game_;
  int players_;
  std::size_t rolls_;
  const Config& config_;
  Judge<G> judge_;
};

}  // namespace tablier::search
