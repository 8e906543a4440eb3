// Runs many searches at once. Waiting leaves are collected into a batch, evaluated by the caller and resumed; a native
// evaluator needs no caller.
//
// A pool searches given positions (set_root), plays whole games of self-play (play_games), or continues games by a
// fixed number of decisions (play_on), which keeps batches full to the end. Each game has one leaf in flight and its
// own random streams, so results depend neither on the number of threads nor on how leaves are split into batches.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <vector>

#include "../kernels/workers.h"
#include "any_pool.h"
#include "mcts.h"

namespace tablier::search {

template <Game G>
class Pool final : public AnyPool {
 public:
  using State = typename G::State;

  template <class Load, class Store>
  Pool(const G& game, const Facts& facts, const State& start, const Config& config, std::size_t n, std::uint64_t seed,
       int threads, std::size_t words, Load load, Store store)
      : game_(game),
        facts_(facts),
        start_(start),
        config_(config),
        seed_(seed),
        words_(words),
        load_(load),
        store_(store),
        workers_(threads) {
    slots_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      slots_.push_back(std::make_unique<Slot>(game_, facts_, config_));
      slots_.back()->state = start_;  // which where() reports until a game is played
    }
  }

  std::size_t size() const override { return slots_.size(); }

  void set_root(std::size_t slot, const Word* state, bool reuse) override {
    Slot& s = *slots_[slot];
    s.playing = s.forced = false;
    collected_.clear();
    s.rng = {stream_key(seed_, s.searches++ * slots_.size() + slot)};
    s.state = load_(game_, state);
    guarded(s, [&](Slot& one) { begin(one, reuse); });
  }

  // Slot i plays games first + i, first + i + n, ... below first + count.
  void play_games(std::uint64_t first, std::uint64_t count, std::int64_t max_moves) override {
    last_ = first + count;
    max_moves_ = max_moves;
    collected_.clear();
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      slots_[i]->next = first + i;
      slots_[i]->left = -1;
      slots_[i]->playing = true;
      slots_[i]->forced = false;
      slots_[i]->finished.clear();
    }
    each([&](Slot& s) {
      if (deal(s)) go_on(s, false);
    });
  }

  // Slot i continues from states[i], after ages[i] decisions, and takes `moves` more with the dice of game first + i.
  // A game that ends is followed by a new one; a game that is not over at the end is cut.
  void play_on(const Word* states, const std::int64_t* ages, std::uint64_t first, std::int64_t moves) override {
    max_moves_ = 0;
    collected_.clear();
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      Slot& s = *slots_[i];
      s.state = load_(game_, states + i * words_);
      s.age = ages[i];
      s.left = moves;
      s.playing = true;
      s.finished.clear();
      seat(s, first + i);
    }
    each([&](Slot& s) { go_on(s, false); });
  }

  void where(Word* states, std::int64_t* ages) const override {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      store_(game_, slots_[i]->state, states + i * words_);
      ages[i] = slots_[i]->age;
    }
  }

  bool busy() const override {
    return std::any_of(slots_.begin(), slots_.end(), [](const auto& s) { return s->busy; });
  }

  std::size_t collect(const LeafView& out) override {
    each([&](Slot& s) { advance(s); });
    collected_.clear();
    const std::size_t n = slots_.size();
    for (std::size_t k = 0; k < n && collected_.size() < out.rows; ++k) {  // round robin, so that no search starves
      const std::size_t i = (cursor_ + k) % n;
      if (slots_[i]->busy && slots_[i]->search.waits()) collected_.push_back(i);
    }
    if (!collected_.empty()) cursor_ = (collected_.back() + 1) % n;
    // Leaves that need a policy come first, so that the policy head can skip the rest.
    const auto others = std::stable_partition(collected_.begin(), collected_.end(),
                                              [&](std::size_t i) { return slots_[i]->search.needs_policy(); });
    decisions_ = static_cast<std::size_t>(others - collected_.begin());
    try {
      workers_.run(collected_.size(), kSlice, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) show(row, out);
      });
    } catch (...) {
      collected_.clear();  // their searches still wait, and are collected again
      throw;
    }
    return collected_.size();
  }

  std::size_t collected() const override { return collected_.size(); }
  std::size_t decisions() const override { return decisions_; }

  void resume(const float* logits, std::size_t policies, const float* values) override {
    const auto width = static_cast<std::size_t>(facts_.num_actions),
               seats = static_cast<std::size_t>(facts_.num_players);
    const auto policy = [&](std::size_t row) { return logits && row < policies ? logits + row * width : nullptr; };
    for (std::size_t row = 0; row < collected_.size(); ++row) check(row, policy(row), values + row * seats);
    const auto rows = std::exchange(collected_, {});  // whatever happens, they are not evaluated twice
    // Each search continues to its next leaf at once, while its tree is in the cache.
    workers_.run(rows.size(), kSlice, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        guarded(*slots_[rows[row]], [&](Slot& s) {
          s.search.evaluate(policy(row), values + row * seats, logits && row >= policies);
          advance(s);
        });
      }
    });
  }

  // Runs one search after the other, because its tree then stays in the cache.
  void run(double seconds) override {
    using Clock = std::chrono::steady_clock;
    if (config_.evaluator == Evaluator::kCaller) {
      throw std::invalid_argument("the config has no evaluator; call collect() and resume() instead of run()");
    }
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    each([&](Slot& s) {
      int portion = 1;  // simulations between clock checks, about 20 microseconds
      for (auto now = Clock::now(); s.busy && now < end;) {
        for (int i = 0; i < portion && s.busy; ++i) step(s, true);
        const auto before = std::exchange(now, Clock::now());
        portion = now - before < std::chrono::microseconds(20) ? std::min(2 * portion, 64) : std::max(1, portion / 2);
      }
    });
  }

  bool solved() const override {
    return std::all_of(slots_.begin(), slots_.end(),
                       [](const auto& s) { return !s->busy || (!s->playing && s->search.tree().node(0).solved); });
  }

  void stop() override {
    for (auto& s : slots_) {
      s->busy = false;
      s->search.abandon();
    }
    collected_.clear();
  }

  RootView look(std::size_t slot, double temperature) override {
    Slot& s = *slots_[slot];
    if (s.search.tree().size() == 0) throw std::invalid_argument("nothing was searched yet");
    const auto& root = s.search.tree().node(0);
    RootView view{s.search.candidates(), s.search.simulations(), 0, s.search.tree().size(), s.search.tree().bytes(), {},
                  root.solved,           s.search.full(),        0};
    view.reused = s.reused;
    for (int p = 0; p < facts_.num_players && root.visits > 0; ++p) view.value[p] = s.search.root_value(p);
    if (!view.candidates.empty()) view.best = s.search.choose(temperature, s.rng);
    return view;
  }

  std::vector<TreeRow> rows(std::size_t slot, std::size_t limit) const override {
    const Tree<G>& tree = slots_[slot]->search.tree();
    std::vector<TreeRow> result;
    if (tree.size() == 0) return result;
    std::vector<Index> at{0};
    result.push_back(row_of(tree.node(0), -1, -1, 1));
    for (std::size_t i = 0; i < at.size() && result.size() < limit; ++i) {
      for (const auto& edge : tree.edges(tree.node(at[i]))) {
        if (edge.child == kNone || result.size() >= limit) continue;
        result.push_back(row_of(tree.node(edge.child), static_cast<std::int64_t>(i), edge.action, edge.prior));
        at.push_back(edge.child);
      }
    }
    return result;
  }

  std::vector<PlayedGame> take_finished() override {
    std::vector<PlayedGame> result;
    for (auto& s : slots_) {
      for (PlayedGame& game : s->finished) result.push_back(std::move(game));
      s->finished.clear();
    }
    std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    return result;
  }

 private:
  static constexpr std::size_t kSlice = 16;
  static constexpr int kPatience = 4096;   // simulations without a leaf before other games get their turn
  static constexpr int kIdleGames = 1000;  // games in a row that may end without a decision

  struct Slot {
    Slot(const G& game, const Facts& facts, const Config& config)
        : search(game, facts, config),
          native(config.evaluator == Evaluator::kCaller ? nullptr : std::make_unique<Native<G>>(game, facts, config)) {}

    Search<G> search;
    std::unique_ptr<Native<G>> native;  // null if the caller evaluates
    State state{};
    Rng rng, dice;
    bool busy = false, playing = false, forced = false;
    std::int64_t reused = 0;
    std::uint64_t searches = 0, next = 0;
    std::int64_t age = 0, left = -1;  // decisions taken in this game; decisions left in play_on(), else -1
    PlayedGame record;
    std::vector<PlayedGame> finished;
  };

  template <class Work>
  void each(Work work) {
    workers_.run(slots_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) guarded(*slots_[i], work);
    });
  }

  // A Python game may raise anywhere; its search is then abandoned.
  template <class Work>
  static void guarded(Slot& s, Work work) {
    try {
      work(s);
    } catch (...) {
      s.busy = false;
      s.search.abandon();
      throw;
    }
  }

  // Advances to the next waiting leaf, or to the end.
  void advance(Slot& s) {
    for (int i = 0; i < kPatience && s.busy && !s.search.waits(); ++i) step(s, false);
  }

  void begin(Slot& s, bool reuse) {
    s.search.set_root(s.state, reuse);
    s.reused = std::max<std::int64_t>(0, static_cast<std::int64_t>(s.search.tree().node(0).visits) - 1);
    s.busy = true;
  }

  // One simulation, or one move of a game whose search is done.
  void step(Slot& s, bool natively) {
    if (s.forced || s.search.finished()) {
      if (!s.playing) {
        s.busy = false;
      } else {
        play(s);
      }
    } else if ((s.search.waits() || s.search.descend(s.rng)) && natively) {
      s.search.evaluate(*s.native, s.rng);
      if (s.search.simulations() == 0) step(s, natively);  // the first leaf is the root, which is not a simulation
    }
  }

  // Starts the next game, if there is one.
  bool deal(Slot& s) {
    s.busy = s.next < last_;
    if (!s.busy) return false;
    seat(s, s.next);
    s.next += slots_.size();
    s.state = start_;
    s.age = 0;
    return true;
  }

  // Sets up the random streams of a game and an empty record.
  void seat(Slot& s, std::uint64_t number) {
    s.rng = {stream_key(seed_, 2 * number)};
    s.dice = {stream_key(seed_, 2 * number + 1)};
    s.forced = false;
    start_record(s, number);
  }

  void start_record(Slot& s, std::uint64_t number) {
    s.record = {};
    s.record.number = number;
    s.record.offsets.push_back(0);
  }

  // Rolls until a player is to move and starts the search. A game that ends is followed by the next.
  void go_on(Slot& s, bool reuse) {
    for (int idle = 0; idle < kIdleGames; ++idle, reuse = false) {
      Action actions[G::kMaxActions];
      int player, count;
      while (count = game_.legal_actions(s.state, actions), (player = game_.current_player(s.state)) == kChance) {
        expect_same<G>(count > 0);
        game_.apply(s.state, actions[s.dice.below(count)]);
      }
      const bool cut = s.left == 0 || (max_moves_ > 0 && s.age >= max_moves_);
      if (player != kTerminal && !cut) {
        begin(s, reuse);
        expect_same<G>(s.search.tree().node(0).player == player);
        s.forced = count == 1;
        if (s.forced) s.search.tree().expand(0);
        return;
      }
      end_record(s, player != kTerminal);
      if (s.left < 0) {
        if (!deal(s)) return;
      } else if (player == kTerminal) {
        start_record(s, s.record.number);
        s.state = start_;
        s.age = 0;
      } else {
        s.busy = false;
        return;
      }
    }
    throw std::invalid_argument("no player had a decision in " + std::to_string(kIdleGames) + " games in a row");
  }

  void end_record(Slot& s, bool cut) {
    if (s.record.actions.empty()) return;
    s.record.cut = cut;
    double returns[seats<G>];
    game_.returns(s.state, returns);
    s.record.returns.assign(returns, returns + facts_.num_players);
    s.finished.push_back(s.record);
  }

  void play(Slot& s) {
    PlayedGame& record = s.record;
    const double share = 1 - static_cast<double>(s.age) / std::max(1, config_.temperature_moves);
    const std::size_t pick = s.search.choose(s.forced ? 0 : config_.temperature * std::max(0.0, share), s.rng);
    const auto candidates = s.search.candidates();
    expect_same<G>(pick < candidates.size());
    record.states.resize(record.states.size() + words_);
    store_(game_, s.state, record.states.data() + record.states.size() - words_);
    record.players.push_back(game_.current_player(s.state));
    record.actions.push_back(candidates[pick].action);
    double collected[seats<G>] = {};
    game_.returns(s.state, collected);
    for (int p = 0; p < facts_.num_players; ++p) {
      record.collected.push_back(static_cast<float>(collected[p]));
      record.values.push_back(s.forced ? std::numeric_limits<float>::quiet_NaN()
                                       : static_cast<float>(s.search.root_value(p)));
    }
    for (const Candidate& candidate : candidates) {
      if (candidate.policy <= 0) continue;
      record.policy_actions.push_back(candidate.action);
      record.policy.push_back(static_cast<float>(candidate.policy));
    }
    record.offsets.push_back(static_cast<std::int32_t>(record.policy.size()));
    game_.apply(s.state, candidates[pick].action);
    s.forced = false;
    ++s.age;
    if (s.left > 0) --s.left;
    go_on(s, true);
  }

  void show(std::size_t row, const LeafView& out) const {
    Search<G>& search = slots_[collected_[row]]->search;
    const auto& leaf = search.tree().node(search.leaf());
    const int viewer = search.viewer();
    if (out.slots) out.slots[row] = static_cast<std::int32_t>(collected_[row]);
    if (out.player) out.player[row] = viewer;
    if (out.states) store_(game_, leaf.state, out.states + row * words_);
    if (out.features) {
      game_.features(leaf.state, viewer, out.features + row * static_cast<std::size_t>(facts_.features.size()));
    }
    if (out.mask) {
      std::uint8_t* mask = out.mask + row * static_cast<std::size_t>(facts_.num_actions);
      if (leaf.player >= 0) search.tree().expand(search.leaf());  // the tree needs the list of actions too
      const auto edges = leaf.player >= 0 ? search.tree().edges(leaf) : std::span<typename Tree<G>::Edge>();
      write_mask(
          static_cast<int>(edges.size()), [&edges](int i) { return edges[static_cast<std::size_t>(i)].action; },
          facts_.num_actions, mask);
    }
  }

  void check(std::size_t row, const float* logits, const float* values) const {
    for (int p = 0; p < facts_.num_players; ++p) {
      if (!std::isfinite(values[p]))
        throw std::invalid_argument("a value of row " + std::to_string(row) + " is not finite");
    }
    Search<G>& search = slots_[collected_[row]]->search;
    if (!logits || search.tree().node(search.leaf()).player < 0) return;
    search.tree().expand(search.leaf());
    for (const auto& edge : search.tree().edges(search.tree().node(search.leaf()))) {
      if (!std::isfinite(logits[edge.action])) {
        throw std::invalid_argument("row " + std::to_string(row) + ": the logit of the legal action " +
                                    std::to_string(edge.action) + " is not finite");
      }
    }
  }

  TreeRow row_of(const typename Tree<G>::Node& node, std::int64_t parent, Action action, double prior) const {
    TreeRow row{parent, action, node.player, node.visits, prior, {}, node.solved};
    for (int p = 0; p < facts_.num_players; ++p) row.value[p] = node.value[p];
    return row;
  }

  const G& game_;
  Facts facts_;
  State start_;
  Config config_;
  std::uint64_t seed_;
  std::size_t words_;
  State (*load_)(const G&, const Word*);
  void (*store_)(const G&, const State&, Word*);
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::size_t> collected_;
  std::size_t cursor_ = 0, decisions_ = 0;
  std::uint64_t last_ = 0;
  std::int64_t max_moves_ = 0;
  Workers workers_;
};

}  // namespace tablier::search
