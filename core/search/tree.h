// The tree of a search, in two flat arenas: nodes, and the edges of each node in a row. It stores and backs up values;
// selection is in mcts.h.
//
// A node is a decision, a chance node (an afterstate), or the end of the game. Values are totals per player: rewards
// since the start of the game plus expected future rewards. So rewards on edges need no storage (they are differences
// of totals), nothing is negated by depth, and a player may move twice in a row.
//
// The value of a decision is the mean over its visits, or the value of its best solved action if that is higher. The
// value of a chance node is the expectation over its rolls, where unvisited rolls count as the afterstate's own value.
// A node is solved, and its value exact, when everything below it is known.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "../game.h"
#include "config.h"

namespace tablier::search {

using Index = std::uint32_t;
inline constexpr Index kNone = ~Index{0};

template <Game G>
class Tree {
 public:
  using State = typename G::State;

  struct Edge {
    Action action;
    float prior;  // at a chance node, the probability of the roll
    float q;      // value of the child for the player who decides here
    Index child;  // kNone until the first visit
    Index visits : 31;
    Index solved : 1;  // copied from the child
  };

  struct Node {
    double value[seats<G>];
    double first[seats<G>];  // evaluation of the node itself
    Index edges;
    Index visits;  // 0 until it is evaluated
    std::uint16_t count;
    std::uint16_t unsolved;  // number of unsolved edges
    std::int8_t player;
    bool expanded, solved;
    bool owes_policy;  // evaluated without a policy, because few nodes are ever expanded
    State state;
  };

  struct Step {
    Index node, edge;
  };

  // The arenas are reserved once and never grow. Unused space costs address space, not memory.
  Tree(const G& game, const Facts& facts, const Config& config)
      : game_(game),
        facts_(facts),
        players_(facts.num_players),
        objective_(config.objective),
        chance_(config.chance),
        bound_(config.memory()),
        highest_(facts.utility == Utility::kZeroSum ? facts.max_utility : std::numeric_limits<double>::infinity()) {
    static_assert(std::is_trivially_copyable_v<Node>);
    nodes_.reserve(std::min<std::size_t>(bound_ / kNodeBytes, kNone));
    edges_.reserve(std::min<std::size_t>(bound_ / sizeof(Edge), kNone));
  }

  // --- growing ---

  // Resets the tree to this position.
  void plant(const State& state) {
    nodes_.clear();
    edges_.clear();
    forget_range();
    add(state);
  }

  Index root() const { return 0; }
  Node& node(Index i) { return nodes_[i]; }
  const Node& node(Index i) const { return nodes_[i]; }
  std::span<Edge> edges(const Node& node) { return {edges_.data() + node.edges, node.count}; }
  std::span<const Edge> edges(const Node& node) const { return {edges_.data() + node.edges, node.count}; }
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const { return nodes_.size() * kNodeBytes + edges_.size() * sizeof(Edge); }

  // Whether this many more nodes, each with the maximum number of edges, fit into the memory limit.
  bool has_room(std::size_t nodes = 1) const {
    return bytes() + nodes * (kNodeBytes + G::kMaxActions * sizeof(Edge)) <= bound_;
  }

  void expand(Index at) {
    Node& node = nodes_[at];
    if (node.expanded) return;
    Action actions[G::kMaxActions];
    int weights[G::kMaxActions];
    const int count = node.player == kChance ? chance_classes(game_, node.state, actions, weights)
                                             : actions_of(game_, facts_, node.state, node.player, actions);
    if (node.player != kChance) std::fill_n(weights, count, 1);
    const float whole = static_cast<float>(std::accumulate(weights, weights + count, 0));
    node.edges = static_cast<Index>(edges_.size());
    node.count = node.unsolved = static_cast<std::uint16_t>(count);
    node.expanded = true;
    for (int i = 0; i < count; ++i) {
      edges_.push_back({actions[i], static_cast<float>(weights[i]) / whole, 0, kNone, 0, 0});
    }
  }

  Index add_child(Index parent, Index edge) {
    State state = nodes_[parent].state;
    game_.apply(state, edges_[nodes_[parent].edges + edge].action);
    const Index child = add(state);
    edges_[nodes_[parent].edges + edge].child = child;
    return child;
  }

  // Removes the child created by the last step, and everything after it.
  void remove_child(const Step& step) {
    Edge& edge = edges_[nodes_[step.node].edges + step.edge];
    const Node& child = nodes_[edge.child];
    const std::size_t edges_before = child.expanded ? child.edges : edges_.size();
    nodes_.resize(edge.child);
    edge.child = kNone;
    edges_.resize(edges_before);
  }

  // --- evaluating ---

  // Sets the evaluation of a new node: the future reward of each player.
  template <class Number>
  void evaluate(Index at, const Number* to_come) {
    Node& node = nodes_[at];
    game_.returns(node.state, node.value);
    for (int p = 0; p < players_; ++p) node.first[p] = node.value[p] += to_come[p];
    node.visits = 1;
  }

  // Values a chance node by the expectation over its rolls, which are all evaluated already.
  void evaluate_by_rolls(Index at) {
    Node& node = nodes_[at];
    std::fill_n(node.value, players_, 0.0);
    for (Edge& edge : edges(node)) {
      const Node& child = nodes_[edge.child];
      for (int p = 0; p < players_; ++p) node.value[p] += edge.prior * child.value[p];
      edge.solved = child.solved;
      node.unsolved = static_cast<std::uint16_t>(node.unsolved - child.solved);
    }
    std::copy_n(node.value, players_, node.first);
    node.solved = node.unsolved == 0;
    node.visits = 1;
  }

  // Backs up a visit that ended in `leaf`, which was just evaluated (`fresh`) or is solved.
  void back_up(std::span<const Step> path, Index leaf, bool fresh) {
    double before[seats<G>], after[seats<G>];
    Node* child = &nodes_[leaf];
    for (int p = 0; p < players_; ++p) before[p] = after[p] = child->value[p];
    if (!fresh) ++child->visits;
    bool solved = child->solved;
    for (std::size_t i = path.size(); i-- > 0;) {
      Node& node = nodes_[path[i].node];
      Edge& edge = edges_[node.edges + path[i].edge];
      double mine[seats<G>];
      for (int p = 0; p < players_; ++p) mine[p] = node.value[p];
      update(node, edge, fresh && i + 1 == path.size() ? node.first : before, after);
      ++edge.visits;
      ++node.visits;
      if (solved && !edge.solved) {
        edge.solved = true;
        --node.unsolved;
        if (!node.solved) conclude(node, after);
      }
      if (node.player >= 0 && !node.solved && node.unsolved < node.count) weigh(node);
      solved = node.solved;
      for (int p = 0; p < players_; ++p) {
        before[p] = mine[p];
        after[p] = node.value[p];
      }
    }
  }

  double worth(const double* value, int player) const { return search::worth(objective_, value, player, players_); }

  // Scales a value to 0 .. 1 between the lowest and the highest seen in this tree.
  double scaled(double worth, int player) const {
    const double range = most_[player] - least_[player];
    return range > 1e-9 ? (worth - least_[player]) / range : 0.5;
  }

  // Solved edges below this q are not the best, so visiting them is useless. -inf if no edge is solved.
  float least_useful(const Node& node) const {
    float best = -std::numeric_limits<float>::infinity();
    if (node.unsolved == node.count) return best;
    for (const Edge& edge : edges(node)) {
      if (edge.visits > 0) best = std::max(best, edge.q);
    }
    return best;
  }

  // --- reusing the tree after moves and rolls ---

  // Makes the node of this position the root and drops the rest. Returns false if the tree does not contain it.
  bool move_root(const State& state) {
    Index found = find(state);
    if constexpr (MergesChance<G>) {
      State wanted = state;
      game_.canonical(wanted);
      if (found == nodes_.size() && (found = find(wanted)) < nodes_.size() && !respell(found, state)) return false;
    }
    if (found == nodes_.size() || nodes_[found].visits == 0) return false;
    if (found != 0) keep_only(found);
    forget_range();
    for (Node& node : nodes_) {
      if (node.player < 0) continue;
      for (const Edge& edge : edges(node)) {
        if (edge.visits > 0) see(edge.q, node.player);
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kNodeBytes =
      sizeof(Node) + 2 * sizeof(Index);  // including the indices that keep_only() needs

  Index find(const State& state) const {
    Index i = 0;
    while (i < nodes_.size() && !same(nodes_[i].state, state)) ++i;
    return i;
  }

  static bool same(const State& a, const State& b) { return std::memcmp(&a, &b, sizeof(State)) == 0; }

  Index add(const State& state) {
    const int player = game_.current_player(state);
    double returns[seats<G>];
    if (player == kTerminal) game_.returns(state, returns);  // may throw, so before there is a node
    Node& node = nodes_.emplace_back();
    node.state = state;
    node.player = static_cast<std::int8_t>(player);
    node.expanded = node.solved = player == kTerminal;
    if (node.solved) {
      std::copy_n(returns, players_, node.value);
      node.visits = 1;
    }
    return static_cast<Index>(nodes_.size() - 1);
  }

  // Replaces the child's old value by the new one in the value of its parent. This visit is not counted yet.
  void update(Node& node, Edge& edge, const double* before, const double* after) {
    if (node.player >= 0) {
      edge.q = static_cast<float>(worth(after, node.player));
      see(edge.q, node.player);
    }
    if (node.solved) return;
    if (node.player == kChance && chance_ == Chance::kQuota) {
      for (int p = 0; p < players_; ++p) node.value[p] += edge.prior * (after[p] - before[p]);
      return;
    }
    const double n = edge.visits;
    for (int p = 0; p < players_; ++p) {
      node.value[p] = (node.value[p] * node.visits + (n + 1) * after[p] - n * before[p]) / (node.visits + 1.0);
    }
  }

  // Values a decision with solved actions: the best of these, or the mean over everything else if that is higher.
  void weigh(Node& node) {
    double sum[seats<G>], visits = 1;
    std::copy_n(node.first, players_, sum);
    const double* sure = nullptr;
    for (const Edge& edge : edges(node)) {
      if (edge.visits == 0) continue;
      const double* value = nodes_[edge.child].value;
      if (edge.solved) {
        if (!sure || worth(value, node.player) > worth(sure, node.player)) sure = value;
        continue;
      }
      visits += edge.visits;
      for (int p = 0; p < players_; ++p) sum[p] += edge.visits * value[p];
    }
    for (int p = 0; p < players_; ++p) sum[p] /= visits;
    const bool settle = sure && worth(sure, node.player) >= worth(sum, node.player);
    std::copy_n(settle ? sure : sum, players_, node.value);
  }

  // Called when an edge is solved with this value; the node may become solved too.
  void conclude(Node& node, const double* value) {
    const bool won = node.player >= 0 && value[node.player] >= highest_;  // no value is higher
    if (node.unsolved > 0 && !won) return;
    node.solved = true;
    if (won) {
      std::copy_n(value, players_, node.value);
      return;
    }
    if (node.player >= 0) {
      const Edge* best = nullptr;
      for (const Edge& edge : edges(node)) {
        if (!best || edge.q > best->q) best = &edge;
      }
      std::copy_n(nodes_[best->child].value, players_, node.value);
      return;
    }
    std::fill_n(node.value, players_, 0.0);
    for (const Edge& edge : edges(node)) {
      for (int p = 0; p < players_; ++p) node.value[p] += edge.prior * nodes_[edge.child].value[p];
    }
  }

  void see(double worth, int player) {
    least_[player] = std::min(least_[player], worth);
    most_[player] = std::max(most_[player], worth);
  }

  void forget_range() {
    std::fill_n(least_, seats<G>, std::numeric_limits<double>::infinity());
    std::fill_n(most_, seats<G>, -std::numeric_limits<double>::infinity());
  }

  // Merged rolls may number the same actions differently. Assigns each action of `state` to the edge that leads to the
  // same position.
  bool respell(Index at, const State& state) {
    Node& node = nodes_[at];
    if (game_.current_player(state) != node.player) return false;
    if (node.player < 0 || !node.expanded) {
      node.state = state;
      return true;
    }
    Action actions[G::kMaxActions];
    const int count = actions_of(game_, facts_, state, node.player, actions);
    if (count != node.count) return false;
    std::vector<Edge> old(edges(node).begin(), edges(node).end());
    std::vector<State> leads(old.size(), node.state);
    for (std::size_t i = 0; i < old.size(); ++i) game_.apply(leads[i], old[i].action);
    for (int i = 0; i < count; ++i) {
      State next = state;
      game_.apply(next, actions[i]);
      const auto match = std::find_if(leads.begin(), leads.end(), [&](const State& lead) { return same(lead, next); });
      if (match == leads.end()) return false;
      edges_[node.edges + static_cast<Index>(i)] = old[static_cast<std::size_t>(match - leads.begin())];
      edges_[node.edges + static_cast<Index>(i)].action = actions[i];
    }
    node.state = state;
    return true;
  }

  // Moves the subtree to the front of both arenas. Works in place because a child always lies behind its parent.
  void keep_only(Index root) {
    std::vector<Index> moved(nodes_.size(), kNone), kept;
    moved[root] = 0;
    for (Index i = root; i < nodes_.size(); ++i) {
      if (moved[i] == kNone) continue;
      moved[i] = static_cast<Index>(kept.size());
      kept.push_back(i);
      for (const Edge& edge : edges(nodes_[i])) {
        if (edge.child != kNone) moved[edge.child] = 0;
      }
    }
    for (Index i = 0; i < kept.size(); ++i) nodes_[i] = nodes_[kept[i]];
    nodes_.resize(kept.size());
    std::iota(kept.begin(), kept.end(), 0);
    std::sort(kept.begin(), kept.end(), [&](Index a, Index b) { return nodes_[a].edges < nodes_[b].edges; });
    Index end = 0;
    for (const Index i : kept) {
      Node& node = nodes_[i];
      const Index start = node.edges;
      node.edges = end;
      for (Index e = start; e < start + node.count; ++e) {
        edges_[end] = edges_[e];
        if (edges_[end].child != kNone) edges_[end].child = moved[edges_[end].child];
        ++end;
      }
    }
    edges_.resize(end);
  }

  const G& game_;
  Facts facts_;
  int players_;
  Objective objective_;
  Chance chance_;
  std::size_t bound_;
  double highest_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  double least_[seats<G>], most_[seats<G>];
};

}  // namespace tablier::search
