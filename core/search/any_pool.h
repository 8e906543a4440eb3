// The interface of a search pool, independent of the game: leaves out, evaluations in, results and finished games out.
// pool.h has the implementation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mcts.h"

namespace tablier::search {

// The caller's arrays, one row per leaf. Null pointers are skipped.
struct LeafView {
  std::size_t rows = 0;
  float* features = nullptr;     // [rows, features...], as `player` sees them
  std::uint8_t* mask = nullptr;  // [rows, num_actions]; all 0 at chance nodes
  std::int32_t* player = nullptr;
  Word* states = nullptr;         // [rows, state_words]
  std::int32_t* slots = nullptr;  // search of each leaf
};

// A game of self-play. Row t of each vector belongs to decision t.
struct PlayedGame {
  std::uint64_t number = 0;
  bool cut = false;  // by max_moves or by the end of play_on()
  std::vector<Word> states;
  std::vector<std::int32_t> players, actions;
  std::vector<float> values;          // [t, players]: expected future rewards; NaN for a forced move
  std::vector<std::int32_t> offsets;  // policy of row t: entries offsets[t] .. offsets[t + 1] - 1
  std::vector<std::int32_t> policy_actions;
  std::vector<float> policy;
  std::vector<float> collected;  // [t, players]: returns before the decision
  std::vector<double> returns;
};

// A node of a tree, for display and tests.
struct TreeRow {
  std::int64_t parent;
  Action action;
  int player;
  std::int64_t visits;
  double prior;
  double value[kMaxPlayers];
  bool solved;
};

struct RootView {
  std::vector<Candidate> candidates;
  std::int64_t simulations, reused;
  std::size_t nodes, bytes;
  double value[kMaxPlayers];
  bool solved, full;
  std::size_t best;
};

class AnyPool {
 public:
  virtual ~AnyPool() = default;
  virtual std::size_t size() const = 0;
  virtual void set_root(std::size_t slot, const Word* state, bool reuse) = 0;
  virtual void play_games(std::uint64_t first, std::uint64_t count, std::int64_t max_moves) = 0;
  virtual void play_on(const Word* states, const std::int64_t* ages, std::uint64_t first, std::int64_t moves) = 0;
  virtual void where(Word* states, std::int64_t* ages) const = 0;  // current positions
  virtual bool busy() const = 0;                                   // any search is unfinished
  virtual std::size_t collect(const LeafView& out) = 0;            // returns the rows written
  virtual std::size_t collected() const = 0;                       // rows that wait for resume()
  virtual std::size_t decisions() const = 0;  // how many of these rows need a policy; they come first
  // Evaluates the collected rows. The first `policies` rows have logits; nullptr means a uniform policy.
  virtual void resume(const float* logits, std::size_t policies, const float* values) = 0;
  virtual void run(double seconds) = 0;  // time limit; uses the evaluator of the config
  virtual bool solved() const = 0;       // all roots of unfinished searches are solved
  virtual void stop() = 0;               // ends all searches; results so far remain
  virtual RootView look(std::size_t slot, double temperature) = 0;
  virtual std::vector<TreeRow> rows(std::size_t slot, std::size_t limit) const = 0;
  virtual std::vector<PlayedGame> take_finished() = 0;
};

}  // namespace tablier::search
