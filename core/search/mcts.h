// One Monte Carlo tree search: each simulation descends to a leaf, waits for its evaluation, and backs it up. Running
// many searches at once is the job of pool.h.
//
// Below the root, selection takes the action with the highest
//   q + c_puct * prior * sqrt(visits of the node) / (1 + visits of the action)
// where q is the action's value for the player to move, scaled to 0 .. 1 over all values seen in this tree. An
// unvisited action gets the value of its node (first-play urgency). Ties go to the first action. Solved actions are not
// visited again (at the root, only if they are not the best). The root uses the same rule, optionally with noise in the
// priors, or Gumbel's (gumbel.h).
//
// A chance node selects the roll with the largest p / (n + 1), which keeps visits as close to proportional as integers
// allow.
#pragma once

#include <utility>
#include <vector>

#include "evaluate.h"
#include "gumbel.h"
#include "tree.h"

namespace tablier::search {

// The result for one action (or roll) at the root.
struct Candidate {
  Action action;
  std::int64_t visits;
  double prior;
  double policy;              // probability in the improved policy
  double value[kMaxPlayers];  // future rewards of each player after it; the root's value if unvisited
  bool solved;
};

template <Game G>
class Search {
 public:
  using State = typename G::State;

  Search(const G& game, const Facts& facts, const Config& config)
      : game_(game), players_(facts.num_players), config_(config), tree_(game, facts, config) {}

  // Starts a search at this position. If `reuse`, keeps the part of the tree below it.
  void set_root(const State& state, bool reuse) {
    abandon();
    if (tree_.size() == 0 || std::memcmp(&root().state, &state, sizeof(State)) != 0) noisy_ = false;
    if (!reuse || tree_.size() == 0 || !tree_.move_root(state)) {
      tree_.plant(state);
      noisy_ = false;
    }
    simulations_ = 0;
    full_ = false;
    ready_ = false;
    noise_.clear();
  }

  // Drops the waiting leaf without an evaluation.
  void abandon() {
    if (waiting_ != kNone && !path_.empty() && !tree_.node(waiting_).owes_policy) tree_.remove_child(path_.back());
    waiting_ = going_on_ = kNone;
    path_.clear();
  }

  const Tree<G>& tree() const { return tree_; }
  Tree<G>& tree() { return tree_; }
  std::int64_t simulations() const { return simulations_; }
  bool full() const { return full_; }  // the tree reached its memory limit, which ended the search early
  bool finished() const {
    return full_ || simulations_ >= config_.simulations || root().player == kTerminal || root().visits > kMostVisits;
  }

  // Runs the next descent. Returns true if a leaf now waits for evaluate(), false if none was needed or the tree is
  // full.
  bool descend(Rng& rng) {
    Index at = std::exchange(going_on_, kNone);
    if (at == kNone) {
      at = tree_.root();
      path_.clear();
      if (tree_.node(at).visits == 0) return wait_for(at);
    }
    for (;;) {
      typename Tree<G>::Node& node = tree_.node(at);
      if (at != tree_.root() && node.solved) break;
      if (node.owes_policy) return wait_for(at);
      if (!ready_) prepare(rng);
      if (!tree_.has_room()) {
        full_ = true;
        return false;
      }
      tree_.expand(at);
      const Index pick = node.player == kChance ? next_roll(node, rng)
                         : at == tree_.root()   ? next_at_root(node)
                                                : next_action(node);
      path_.push_back({at, pick});
      const Index child = tree_.edges(node)[pick].child;
      if (child == kNone) {
        at = tree_.add_child(at, pick);
        if (!tree_.node(at).solved) return wait_for(at);
        tree_.back_up(path_, at, true);
        ++simulations_;
        return false;
      }
      at = child;
    }
    tree_.back_up(path_, at, false);
    ++simulations_;
    return false;
  }

  bool waits() const { return waiting_ != kNone; }

  // Whether the leaf needs a policy now: it is a root, or a simulation continues from it.
  bool needs_policy() const {
    const auto& leaf = tree_.node(waiting_);
    return leaf.player >= 0 && (waiting_ == tree_.root() || leaf.owes_policy);
  }
  Index leaf() const { return waiting_; }

  // The player who sees the leaf: the one to decide or, before a roll, the one who moved.
  int viewer() const {
    const int player = tree_.node(waiting_).player;
    if (player >= 0) return player;
    for (std::size_t i = path_.size(); i-- > 0;) {
      if (tree_.node(path_[i].node).player >= 0) return tree_.node(path_[i].node).player;
    }
    return 0;
  }

  // Evaluates the waiting leaf with the logits of all actions (nullptr: uniform) and future rewards. With `later` the
  // policy is requested only when a simulation continues from the node.
  void evaluate(const float* logits, const float* to_come, bool later = false) {
    auto& leaf = tree_.node(waiting_);
    if (logits && leaf.player >= 0) set_priors(logits);
    if (leaf.owes_policy) {  // it already has a value, so the simulation continues
      leaf.owes_policy = false;
      going_on_ = std::exchange(waiting_, kNone);
      return;
    }
    leaf.owes_policy = later && leaf.player >= 0;
    tree_.evaluate(waiting_, to_come);
    count();
  }

  // Evaluates the waiting leaf natively.
  void evaluate(Native<G>& native, Rng& rng) {
    native(tree_, waiting_, viewer(), rng);
    count();
  }

  // --- results ---

  double root_value(int player) const {
    double collected[seats<G>] = {};
    game_.returns(root().state, collected);
    return root().value[player] - collected[player];
  }

  std::vector<Candidate> candidates() const {
    std::vector<Candidate> result;
    const auto edges = tree_.edges(root());
    double collected[seats<G>] = {};
    game_.returns(root().state, collected);
    std::vector<double> policy(edges.size());
    target(policy.data());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const auto& from = edges[i].child == kNone || edges[i].visits == 0 ? root() : tree_.node(edges[i].child);
      Candidate one{edges[i].action, edges[i].visits, edges[i].prior, policy[i], {}, false};
      for (int p = 0; p < players_; ++p) one.value[p] = from.value[p] - collected[p];
      one.solved = &from != &root() && from.solved;
      result.push_back(one);
    }
    return result;
  }

  // The index of the edge to play: the best or, if temperature > 0, one sampled by visits.
  std::size_t choose(double temperature, Rng& rng) {
    const auto edges = tree_.edges(root());
    if (config_.root == Root::kGumbel && !noise_.empty() && !root().solved) return choose_gumbel();
    if (temperature > 0 && simulations_ > 0) {
      std::vector<double> weights(edges.size());
      double most = 0, sum = 0;
      for (const auto& edge : edges) most = std::max<double>(most, edge.visits);
      for (std::size_t i = 0; i < edges.size(); ++i) {
        const bool counts = edges[i].visits > 0 && !useless(edges[i]);
        sum += weights[i] = counts ? std::pow(edges[i].visits / most, 1 / temperature) : 0;
      }
      double left = rng.unit() * sum;
      for (std::size_t i = 0; i < edges.size(); ++i) {
        left -= weights[i];
        if (left < 0 && weights[i] > 0) return i;
      }
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < edges.size(); ++i) {
      if (better(edges[i], edges[best])) best = i;
    }
    return best;
  }

 private:
  static constexpr Index kMostVisits = 2'000'000'000;

  using Node = typename Tree<G>::Node;
  using Edge = typename Tree<G>::Edge;

  const Node& root() const { return tree_.node(tree_.root()); }

  bool wait_for(Index leaf) {
    waiting_ = leaf;
    return true;
  }

  void count() {
    if (!path_.empty()) {
      tree_.back_up(path_, waiting_, true);
      ++simulations_;
    }
    waiting_ = kNone;
  }

  void set_priors(const float* logits) {
    tree_.expand(waiting_);
    const auto edges = tree_.edges(tree_.node(waiting_));
    float most = -std::numeric_limits<float>::infinity(), whole = 0;
    for (const Edge& edge : edges) most = std::max(most, logits[edge.action]);
    for (Edge& edge : edges) whole += edge.prior = std::exp(logits[edge.action] - most);
    for (Edge& edge : edges) edge.prior /= whole;
  }

  // Runs once the root has priors: adds noise and selects the considered actions.
  void prepare(Rng& rng) {
    ready_ = true;
    tree_.expand(tree_.root());
    if (root().player < 0) return;
    const auto edges = tree_.edges(root());
    if (config_.dirichlet_eps > 0 && config_.root == Root::kPuct && edges.size() > 1 && !noisy_) {
      add_dirichlet(edges, rng);
      noisy_ = true;
    }
    if (config_.root == Root::kGumbel) prepare_gumbel(edges, rng);
  }

  void add_dirichlet(std::span<Edge> edges, Rng& rng) const {
    std::vector<double> noise(edges.size());
    double sum = 0;
    for (double& x : noise) sum += x = gamma(config_.dirichlet_alpha, rng);
    for (std::size_t i = 0; i < edges.size() && sum > 0; ++i) {
      edges[i].prior =
          static_cast<float>((1 - config_.dirichlet_eps) * edges[i].prior + config_.dirichlet_eps * noise[i] / sum);
    }
  }

  // G. Marsaglia, W. W. Tsang: "A simple method for generating gamma variables", 2000.
  static double gamma(double shape, Rng& rng) {
    if (shape < 1) return gamma(shape + 1, rng) * std::pow(rng.unit(), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
      const double normal = std::sqrt(-2 * std::log(rng.unit())) * std::cos(6.283185307179586 * rng.unit());
      const double v = std::pow(1 + c * normal, 3);
      if (v > 0 && std::log(rng.unit()) < 0.5 * normal * normal + d - d * v + d * std::log(v)) return d * v;
    }
  }

  Index next_roll(const Node& node, Rng& rng) const {
    const auto edges = tree_.edges(node);
    if (config_.chance == Chance::kSampled) {
      double left = rng.unit();
      for (Index i = 0; i < edges.size(); ++i) {
        if ((left -= edges[i].prior) < 0) return i;
      }
      return static_cast<Index>(edges.size() - 1);
    }
    Index best = 0;
    float most = -1;
    for (Index i = 0; i < edges.size(); ++i) {
      const float due = edges[i].prior / static_cast<float>(edges[i].visits + 1);
      if (due > most) {
        most = due;
        best = i;
      }
    }
    return best;
  }

  Index next_action(const Node& node) const {
    const auto edges = tree_.edges(node);
    const int player = node.player;
    const double urge = config_.c_puct * std::sqrt(static_cast<double>(node.visits));
    const double unseen = tree_.scaled(tree_.worth(node.value, player), player);
    const bool at_root = &node == &root();
    const float useful = at_root ? tree_.least_useful(node) : std::numeric_limits<float>::infinity();
    Index best = 0;
    double most = -1e300;
    for (Index i = 0; i < edges.size(); ++i) {
      const Edge& edge = edges[i];
      if (edge.solved && edge.q < useful) continue;
      const double q = edge.visits == 0 ? unseen : tree_.scaled(edge.q, player);
      const double score = q + urge * edge.prior / (1.0 + edge.visits);
      if (score > most) {
        most = score;
        best = i;
      }
    }
    return best;
  }

  Index next_at_root(const Node& node) {
    if (noise_.empty()) return next_action(node);
    refresh();
    const std::size_t pick = next_considered(config_, considered_, schedule_.visits());
    if (pick == considered_.size()) return next_action(node);
    schedule_.next();
    return static_cast<Index>(order_[pick]);
  }

  // --- Gumbel ---

  void prepare_gumbel(std::span<const Edge> edges, Rng& rng) {
    noise_.resize(edges.size());
    base_.resize(edges.size());
    order_.resize(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      noise_[i] = config_.gumbel_noise ? -std::log(-std::log(rng.unit())) : 0;
      base_[i] = edges[i].visits;
      order_[i] = i;
    }
    const auto rank = [&](std::size_t i) { return noise_[i] + logit(edges[i]); };
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
    order_.resize(std::min<std::size_t>(order_.size(), static_cast<std::size_t>(config_.considered)));
    schedule_ = {static_cast<int>(order_.size()), config_.simulations};
    considered_.clear();
    for (const std::size_t i : order_) considered_.push_back(known(i));
  }

  static double logit(const Edge& edge) { return std::log(std::max(edge.prior, 1e-12f)); }
  std::int64_t base(std::size_t i) const { return noise_.empty() ? 0 : base_[i]; }

  Considered known(std::size_t i) const {
    const Edge& edge = tree_.edges(root())[i];
    const double q = edge.visits > 0 ? tree_.scaled(edge.q, root().player) : 0;
    return {logit(edge), noise_.empty() ? 0 : noise_[i], q, edge.visits - base(i)};
  }

  // Updates what changes with every simulation; logits and noise stay.
  void refresh() {
    const auto edges = tree_.edges(root());
    const int player = root().player;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Edge& edge = edges[order_[k]];
      considered_[k].q = edge.visits > 0 ? tree_.scaled(edge.q, player) : 0;
      considered_[k].visits = edge.visits - base_[order_[k]];
    }
  }

  std::size_t choose_gumbel() {
    refresh();
    std::int64_t most = 0;
    for (const Considered& action : considered_) most = std::max(most, action.visits);
    return order_[next_considered(config_, considered_, most)];
  }

  // The training target: Gumbel's improved policy, or visit shares.
  void target(double* policy) const {
    const auto edges = tree_.edges(root());
    if (config_.root == Root::kGumbel && root().player >= 0) {
      std::vector<Considered> actions;
      actions.reserve(edges.size());
      for (std::size_t i = 0; i < edges.size(); ++i) actions.push_back(known(i));
      const double own = tree_.scaled(tree_.worth(root().first, root().player), root().player);
      return improved_policy(config_, actions, std::clamp(own, 0.0, 1.0), policy);
    }
    double sum = 0;
    for (const Edge& edge : edges) sum += edge.visits;
    for (std::size_t i = 0; i < edges.size(); ++i) policy[i] = sum > 0 ? edges[i].visits / sum : edges[i].prior;
  }

  bool useless(const Edge& edge) const { return edge.solved && edge.q < tree_.least_useful(root()); }

  // Compares by visits, then by value, or by prior if unvisited. Actions known not to be best come last; if the root is
  // solved, solved actions come first.
  bool better(const Edge& a, const Edge& b) const {
    if (useless(a) != useless(b)) return useless(b);
    if (root().solved && a.solved != b.solved) return a.solved;
    if (root().solved && a.q != b.q) return a.q > b.q;
    if (a.visits != b.visits) return a.visits > b.visits;
    return a.visits > 0 ? a.q > b.q : a.prior > b.prior;
  }

  const G& game_;
  int players_;
  const Config& config_;
  Tree<G> tree_;
  bool ready_ = false, full_ = false;
  bool noisy_ = false;  // whether the root's priors have noise, so that a resumed search does not add it twice
  Index waiting_ = kNone, going_on_ = kNone;  // the leaf, and the node where a simulation paused for a policy
  std::vector<typename Tree<G>::Step> path_;
  std::int64_t simulations_ = 0;
  std::vector<double> noise_;           // Gumbel noise per action of the root, or empty
  std::vector<std::int64_t> base_;      // visits from before this search
  std::vector<std::size_t> order_;      // considered actions
  std::vector<Considered> considered_;  // parallel to order_
  Halving schedule_;
};

}  // namespace tablier::search
