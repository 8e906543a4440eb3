// Full-width search: every action, every roll and every reply, with the leaves of each ply in one batch.
//
// A ply is a decision. Ply 1 evaluates the afterstate of every action at the root; ply 2 applies all rolls to the
// afterstates that were kept, and evaluates the position after every reply; and so on. The values of the last ply are
// folded back: players take their best action, rolls are averaged. Between plies a filter keeps the `keep` best actions
// of each decision and all within `margin` of the best. There is no pruning beyond that filter. The last ply of an
// evaluator in C++ is folded back as it is computed, without storing its leaves.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "../kernels/workers.h"
#include "evaluate.h"

namespace tablier::search {

struct Ranked {
  Action action;
  double value[kMaxPlayers];  // future rewards
  int plies;                  // depth searched
};

class AnyExpectimax {
 public:
  virtual ~AnyExpectimax() = default;
  virtual void begin(const Word* states, const std::int32_t* viewers, std::size_t n) = 0;
  virtual bool deepen(const Stop& stop) = 0;  // creates the leaves of the next ply; false if there is none
  virtual void drop() = 0;                    // discards them; the results of the ply above remain
  virtual std::size_t roots() const = 0;
  virtual std::size_t leaves() const = 0;
  virtual void show(std::size_t begin, std::size_t end, float* features, std::uint8_t* mask, Word* states,
                    std::int32_t* viewers) = 0;
  virtual void give(const float* values) = 0;  // [leaves, players]
  // Creates, evaluates and folds back the next ply natively. False if there is none, or if it was stopped.
  virtual bool deepen_native(const Config& config, std::uint64_t seed, const Stop& stop) = 0;
  virtual std::vector<Ranked> ranking(std::size_t root) const = 0;
  virtual void values(double* out) const = 0;  // [roots, players], future rewards
};

template <Game G>
class Expectimax final : public AnyExpectimax {
 public:
  using State = typename G::State;

  template <class Load, class Store>
  Expectimax(const G& game, const Facts& facts, const ExpectimaxConfig& config, int threads, std::size_t words,
             Load load, Store store)
      : game_(game),
        facts_(facts),
        players_(facts.num_players),
        config_(config),
        words_(words),
        load_(load),
        store_(store),
        workers_(threads) {}

  void begin(const Word* states, const std::int32_t* viewers, std::size_t n) override {
    std::vector<State> roots;
    Level first;
    for (std::size_t i = 0; i < n; ++i) {
      roots.push_back(load_(game_, states + i * words_));
      first.groups.push_back({-1, 1, i, static_cast<std::uint32_t>(i), 1});
      first.branches.push_back(branch(roots.back(), -1, viewers ? viewers[i] : 0));
    }
    roots_ = std::move(roots);
    levels_.clear();
    levels_.push_back(std::move(first));
    complete_ = false;
  }

  bool deepen(const Stop& stop) override {
    if (levels_.empty() || complete_ || static_cast<int>(levels_.size()) > config_.plies) return false;
    if (levels_.size() > 1) filter(levels_.back());
    Level next;
    Level& last = levels_.back();
    for (std::size_t i = 0; i < last.branches.size(); ++i) {
      if (i % 16 == 15 && stop()) return false;
      if (last.branches[i].kept && !last.branches[i].exact) grow(last, i, next);
    }
    if (next.groups.empty()) return false;
    levels_.push_back(std::move(next));
    return true;
  }

  void drop() override {
    if (levels_.size() > 1) levels_.pop_back();
  }

  std::size_t roots() const override { return roots_.size(); }
  std::size_t leaves() const override { return levels_.empty() ? 0 : levels_.back().asked.size(); }

  void show(std::size_t begin, std::size_t end, float* features, std::uint8_t* mask, Word* states,
            std::int32_t* viewers) override {
    const Level& level = levels_.back();
    const auto width = static_cast<std::size_t>(facts_.features.size());
    workers_.run(end - begin, kSlice, [&](std::size_t from, std::size_t to) {
      for (std::size_t row = from; row < to; ++row) {
        const Branch& leaf = level.branches[level.asked[begin + row]];
        if (features) game_.features(leaf.state, leaf.viewer, features + row * width);
        if (mask) {
          write_mask(game_, facts_, leaf.state, leaf.player, mask + row * static_cast<std::size_t>(facts_.num_actions));
        }
        if (states) store_(game_, leaf.state, states + row * words_);
        if (viewers) viewers[row] = leaf.viewer;
      }
    });
  }

  void give(const float* values) override {
    if (levels_.empty()) return;
    Level& level = levels_.back();
    for (std::size_t row = 0; row < level.asked.size(); ++row) {
      const float* to_come = values + row * static_cast<std::size_t>(players_);
      for (int p = 0; p < players_; ++p) {
        if (!std::isfinite(to_come[p])) {
          throw std::invalid_argument("a value of row " + std::to_string(row) + " is not finite");
        }
      }
    }
    for (std::size_t row = 0; row < level.asked.size(); ++row) {
      const float* to_come = values + row * static_cast<std::size_t>(players_);
      Branch& leaf = level.branches[level.asked[row]];
      for (int p = 0; p < players_; ++p) leaf.value[p] += to_come[p];
    }
    fold();
  }

  bool deepen_native(const Config& config, std::uint64_t seed, const Stop& stop) override {
    const bool last = levels_.size() > 1 && static_cast<int>(levels_.size()) == config_.plies;
    if (!last || complete_ || config.evaluator == Evaluator::kRollout) {  // rollouts are numbered by their leaf
      if (!deepen(stop)) return false;
      try {
        return give_native(config, seed, stop);
      } catch (...) {
        drop();  // some of its leaves have no value
        throw;
      }
    }
    Level& level = levels_.back();
    filter(level);
    std::vector<std::size_t> parents;
    for (std::size_t i = 0; i < level.branches.size(); ++i) {
      if (level.branches[i].kept && !level.branches[i].exact) parents.push_back(i);
    }
    if (parents.empty()) return false;
    std::vector<std::array<double, seats<G>>> found(parents.size());
    for (std::size_t begin = 0; begin < parents.size(); begin += kParents) {
      if (begin > 0 && stop()) return false;
      workers_.run(std::min(kParents, parents.size() - begin), 1, [&](std::size_t from, std::size_t to) {
        Judge<G> judge(game_, facts_, config);
        for (std::size_t i = begin + from; i < begin + to; ++i) look_on(level.branches[parents[i]], judge, found[i]);
      });
    }
    const int depth = static_cast<int>(levels_.size());
    for (std::size_t i = 0; i < parents.size(); ++i) {
      std::copy_n(found[i].begin(), players_, level.branches[parents[i]].folded);
      level.branches[parents[i]].depth = depth;
    }
    for (Branch& branch : level.branches) {
      if (branch.exact) branch.depth = depth;
    }
    fold(depth);
    complete_ = true;
    return true;
  }

  // The actions of a root, best first. Actions searched deeper come before those that the filter dropped.
  std::vector<Ranked> ranking(std::size_t root) const override {
    std::vector<Ranked> result;
    if (levels_.size() < 2) return result;
    double collected[seats<G>] = {};
    game_.returns(roots_[root], collected);
    for (const Group& group : levels_[1].groups) {
      if (group.parent != root || group.player < 0 || levels_[0].branches[root].player < 0) continue;
      for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
        const Branch& branch = levels_[1].branches[i];
        Ranked one{branch.action, {}, branch.depth};
        for (int p = 0; p < players_; ++p) one.value[p] = branch.folded[p] - collected[p];
        result.push_back(one);
      }
      std::stable_sort(result.begin(), result.end(), [&](const Ranked& a, const Ranked& b) {
        return a.plies != b.plies ? a.plies > b.plies : worth(a.value, group.player) > worth(b.value, group.player);
      });
    }
    return result;
  }

  void values(double* out) const override {
    for (std::size_t i = 0; i < roots_.size(); ++i) {
      double collected[seats<G>] = {};
      game_.returns(roots_[i], collected);
      for (int p = 0; p < players_; ++p) {
        out[i * static_cast<std::size_t>(players_) + static_cast<std::size_t>(p)] =
            levels_[0].branches[i].folded[p] - collected[p];
      }
    }
  }

 private:
  // The time limit is checked between portions of leaves, and between some parents of the last ply: every few ms.
  static constexpr std::size_t kSlice = 64, kPortion = 1024, kParents = 8;
  static constexpr std::size_t kPlayouts = 16;  // leaves between two checks if each is a whole game, which can be long

  // A decision, reached by one roll from a branch of the ply above.
  struct Group {
    int player;  // -1 if nobody decides: a root, or consecutive rolls
    double weight;
    std::size_t parent;
    std::uint32_t first, count;
  };
  // The position after an action. Values are totals since the start of the game, as in tree.h.
  struct Branch {
    State state;
    double value[seats<G>], folded[seats<G>];
    Action action;
    int player, viewer, depth;
    bool kept, exact;
  };
  struct Level {
    std::vector<Group> groups;
    std::vector<Branch> branches;
    std::vector<std::size_t> asked;  // branches that need an evaluation
  };

  Branch branch(const State& state, Action action, int viewer) const {
    Branch result{};
    result.state = state;
    result.action = action;
    result.player = game_.current_player(state);
    result.viewer = result.player >= 0 ? result.player : viewer;
    result.kept = true;
    result.exact = result.player == kTerminal;
    game_.returns(state, result.value);
    std::copy_n(result.value, players_, result.folded);
    return result;
  }

  double worth(const double* value, int player) const {
    return search::worth(config_.objective, value, player, players_);
  }

  void filter(Level& level) const {
    std::vector<double> order;
    for (const Group& group : level.groups) {
      if (group.player < 0) continue;
      order.clear();
      for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
        order.push_back(worth(level.branches[i].value, group.player));
      }
      std::sort(order.begin(), order.end(), std::greater<>());
      const double least =
          std::min(order[std::min<std::size_t>(order.size(), static_cast<std::size_t>(config_.keep)) - 1],
                   order[0] - config_.margin);
      for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
        level.branches[i].kept = !(worth(level.branches[i].value, group.player) < least);
      }
    }
  }

  // Expands a branch: all rolls, then every action.
  void grow(const Level& last, std::size_t parent, Level& next) const {
    const Branch& from = last.branches[parent];
    if (from.player >= 0) return add_group(from.state, 1, parent, from.viewer, next);
    Action outcomes[G::kMaxActions];
    int weights[G::kMaxActions];
    const int count = chance_classes(game_, from.state, outcomes, weights);
    const double whole = std::accumulate(weights, weights + count, 0);
    for (int i = 0; i < count; ++i) {
      State state = from.state;
      game_.apply(state, outcomes[i]);
      add_group(state, weights[i] / whole, parent, from.viewer, next);
    }
  }

  void add_group(const State& state, double weight, std::size_t parent, int viewer, Level& next) const {
    const int player = game_.current_player(state);
    const auto first = static_cast<std::uint32_t>(next.branches.size());
    Action actions[G::kMaxActions];
    const int count = player >= 0 ? actions_of(game_, facts_, state, player, actions) : 1;
    if (next.branches.size() + static_cast<std::size_t>(count) > ExpectimaxConfig::kMostLeaves) {
      throw std::invalid_argument("a ply of this search has more than " +
                                  std::to_string(ExpectimaxConfig::kMostLeaves) +
                                  " leaves; ask for fewer plies or keep fewer actions");
    }
    for (int i = 0; i < count; ++i) {
      State after = state;
      if (player >= 0) game_.apply(after, actions[i]);
      next.branches.push_back(branch(after, player >= 0 ? actions[i] : -1, player >= 0 ? player : viewer));
      if (!next.branches.back().exact) next.asked.push_back(next.branches.size() - 1);
    }
    next.groups.push_back({player >= 0 ? player : -1, weight, parent, first, static_cast<std::uint32_t>(count)});
  }

  // Evaluates the leaves. False if it was stopped; the ply is then discarded.
  bool give_native(const Config& config, std::uint64_t seed, const Stop& stop) {
    Level& level = levels_.back();
    const std::size_t n = level.asked.size();
    const bool plays_out = config.evaluator == Evaluator::kRollout;
    const std::size_t portion = plays_out ? kPlayouts : kPortion, slice = plays_out ? 1 : kSlice;
    for (std::size_t begin = 0; begin < n; begin += portion) {
      if (begin > 0 && stop()) {
        drop();
        return false;
      }
      workers_.run(std::min(portion, n - begin), slice, [&](std::size_t from, std::size_t to) {
        Judge<G> judge(game_, facts_, config);
        for (std::size_t row = begin + from; row < begin + to; ++row) {
          Branch& leaf = level.branches[level.asked[row]];
          double to_come[seats<G>];
          Rng rng{stream_key(seed, row)};
          judge(leaf.state, leaf.viewer, rng, to_come);
          for (int p = 0; p < players_; ++p) leaf.value[p] += to_come[p];
        }
      });
    }
    fold();
    return true;
  }

  // One more ply below a branch: the mean over the rolls of the value after the best action.
  void look_on(const Branch& from, Judge<G>& judge, std::array<double, seats<G>>& mean) const {
    mean.fill(0);
    Action outcomes[G::kMaxActions];
    int weights[G::kMaxActions];
    const bool rolls = from.player == kChance;
    const int count = rolls ? chance_classes(game_, from.state, outcomes, weights) : 1;
    if (!rolls) weights[0] = 1;
    const double whole = std::accumulate(weights, weights + count, 0);
    for (int i = 0; i < count; ++i) {
      State state = from.state;
      if (rolls) game_.apply(state, outcomes[i]);
      const auto best = judge.best_reply(state, from.viewer, config_.objective).value;
      for (int p = 0; p < players_; ++p) mean[static_cast<std::size_t>(p)] += weights[i] / whole * best[p];
    }
  }

  void fold() {
    const int depth = static_cast<int>(levels_.size()) - 1;
    for (Branch& leaf : levels_.back().branches) {
      std::copy_n(leaf.value, players_, leaf.folded);
      leaf.depth = depth;
    }
    fold(depth);
  }

  // Folds the stored plies back, from the values of the last.
  void fold(int depth) {
    for (std::size_t l = levels_.size() - 1; l-- > 0;) {
      Level& level = levels_[l];
      for (Branch& branch : level.branches) {
        if (branch.exact) branch.depth = depth;
        if (!branch.kept || branch.exact) continue;
        std::fill_n(branch.folded, players_, 0.0);
        branch.depth = depth;
      }
      for (const Group& group : levels_[l + 1].groups) {
        const Branch* best = nullptr;
        for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
          const Branch& one = levels_[l + 1].branches[i];
          if (!one.kept) continue;
          if (!best || worth(one.folded, group.player) > worth(best->folded, group.player)) best = &one;
        }
        for (int p = 0; p < players_; ++p) level.branches[group.parent].folded[p] += group.weight * best->folded[p];
      }
    }
  }

  const G& game_;
  Facts facts_;
  int players_;
  ExpectimaxConfig config_;
  std::size_t words_;
  State (*load_)(const G&, const Word*);
  void (*store_)(const G&, const State&, Word*);
  std::vector<State> roots_;
  std::vector<Level> levels_;
  bool complete_ = false;  // the last ply was folded back without being stored
  Workers workers_;
};

}  // namespace tablier::search
