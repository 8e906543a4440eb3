// Open-loop search: a tree without chance nodes. An edge stands for an action whatever was rolled before it, and every
// simulation replays the game from the root with fresh dice.
//
// It exists for comparison, not for play: one plan for all rolls is biased where the best reply depends on the roll
// (docs/search.md).
#pragma once

#include <vector>

#include "pool.h"

namespace tablier::search {

template <Game G>
class OpenLoop {
 public:
  using State = typename G::State;

  OpenLoop(const G& game, const Facts& facts, const Config& config)
      : game_(game), players_(facts.num_players), config_(config), judge_(game, facts, config) {}

  struct Edge {
    Action action;
    Index child, visits;
    double sum[seats<G>];
  };
  struct Node {
    Index visits = 0;
    std::vector<Edge> edges;  // for every action that was ever legal here
  };

  // Runs the simulations and returns the result.
  RootView view(const State& root, Rng& rng, const Stop& stop) {
    nodes_.assign(1, {});
    edges_ = 0;
    std::fill_n(least_, seats<G>, 1e300);
    std::fill_n(most_, seats<G>, -1e300);
    RootView result{};
    for (; result.simulations < config_.simulations && !result.full; ++result.simulations) {
      if (result.simulations % 64 == 63 && stop()) break;
      simulate(root, rng);
      result.bytes = nodes_.size() * sizeof(Node) + edges_ * sizeof(Edge);
      result.full = result.bytes + sizeof(Node) + G::kMaxActions * sizeof(Edge) > config_.memory() / 2;
    }
    result.nodes = nodes_.size();
    double collected[seats<G>] = {};
    game_.returns(root, collected);
    const auto& edges = nodes_[0].edges;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      Candidate one{edges[i].action, edges[i].visits, 1.0 / static_cast<double>(edges.size()), 0, {}, false};
      one.policy = edges[i].visits / static_cast<double>(std::max<std::int64_t>(1, result.simulations));
      for (int p = 0; p < std::min(players_, seats<G>); ++p) {
        one.value[p] = edges[i].visits == 0 ? 0 : edges[i].sum[p] / edges[i].visits - collected[p];
        result.value[p] += one.policy * one.value[p];
      }
      result.candidates.push_back(one);
      if (one.visits > result.candidates[result.best].visits) result.best = i;
    }
    return result;
  }

 private:
  void simulate(const State& root, Rng& rng) {
    State state = root;
    path_.clear();
    double value[seats<G>];
    for (Index at = 0;;) {
      Action actions[G::kMaxActions];
      int count = game_.legal_actions(state, actions), player;
      while ((player = game_.current_player(state)) == kChance) {
        game_.apply(state, actions[rng.below(count)]);
        count = game_.legal_actions(state, actions);
      }
      if (player == kTerminal) {
        game_.returns(state, value);
        break;
      }
      if (nodes_[at].visits == 0 && at != 0) {  // a leaf
        double to_come[seats<G>];
        judge_(state, player, rng, to_come);
        game_.returns(state, value);
        for (int p = 0; p < players_; ++p) value[p] += to_come[p];
        break;
      }
      const std::size_t pick = select(nodes_[at], player, actions, count);
      game_.apply(state, nodes_[at].edges[pick].action);
      path_.push_back({at, pick});
      if (nodes_[at].edges[pick].child == kNone) {
        nodes_[at].edges[pick].child = static_cast<Index>(nodes_.size());
        const Index child = nodes_[at].edges[pick].child;
        nodes_.emplace_back();
        at = child;
      } else {
        at = nodes_[at].edges[pick].child;
      }
      last_ = at;
    }
    if (!path_.empty()) ++nodes_[last_].visits;
    for (const auto& [at, pick] : path_) {
      Edge& edge = nodes_[at].edges[pick];
      ++edge.visits;
      ++nodes_[at].visits;
      for (int p = 0; p < players_; ++p) {
        edge.sum[p] += value[p];
        least_[p] = std::min(least_[p], edge.sum[p] / edge.visits);
        most_[p] = std::max(most_[p], edge.sum[p] / edge.visits);
      }
    }
  }

  std::size_t select(Node& node, int player, const Action* actions, int count) {
    std::size_t best = 0;
    double most = -1e300;
    const double urge = config_.c_puct * std::sqrt(static_cast<double>(node.visits + 1)) / count;
    for (int i = 0; i < count; ++i) {
      std::size_t at = 0;
      while (at < node.edges.size() && node.edges[at].action != actions[i]) ++at;
      if (at == node.edges.size()) {
        node.edges.push_back({actions[i], kNone, 0, {}});
        ++edges_;
      }
      const Edge& edge = node.edges[at];
      const double range = most_[player] - least_[player];
      const double q =
          edge.visits > 0 && range > 1e-9 ? (edge.sum[player] / edge.visits - least_[player]) / range : 0.5;
      const double score = q + urge / (1.0 + edge.visits);
      if (score > most) {
        most = score;
        best = at;
      }
    }
    return best;
  }

  const G& game_;
  int players_;
  const Config& config_;
  Judge<G> judge_;
  std::vector<Node> nodes_;
  std::vector<std::pair<Index, std::size_t>> path_;
  Index last_ = 0;
  std::size_t edges_ = 0;
  double least_[seats<G>], most_[seats<G>];
};

}  // namespace tablier::search
