// What a pool of searches looks like from outside, whatever the game: arrays of the caller, games that were played,
// what was found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mcts.h"

namespace tablier::search {

// Arrays of the caller, a row per leaf; a null pointer means "not wanted".
struct LeafView {
  std::size_t rows = 0;
  float* features = nullptr;     // [rows, features...], seen by `player`
  std::uint8_t* mask = nullptr;  // [rows, num_actions]; empty where the dice are to be thrown
  std::int32_t* player = nullptr;
  Word* states = nullptr;         // [rows, state_words]
  std::int32_t* slots = nullptr;  // which search it belongs to
};

// A game that the pool has played. Row t of everything is a decision.
struct PlayedGame {
  std::uint64_t number = 0;
  bool cut = false;  // by max_moves or the end of a stretch
  std::vector<Word> states;
  std::vector<std::int32_t> players, actions;
  std::vector<float> values;          // [t, players]: what the search expected to come; NaN where nothing was to decide
  std::vector<std::int32_t> offsets;  // policy of row t: entries offsets[t] .. offsets[t + 1]
  std::vector<std::int32_t> policy_actions;
  std::vector<float> policy;
  std::vector<float> collected;  // [t, players]: returns up to the decision
  std::vector<double> returns;
};

// A part of a tree for people and tests: parents before children.
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
  virtual void where(Word* states, std::int64_t* ages) const = 0;  // the games are now
  virtual bool busy() const = 0;                                   // some search is not finished
  virtual std::size_t collect(const LeafView& out) = 0;            // how many rows were written
  virtual std::size_t decisions() const = 0;                       // how many of these, the first, need a policy
  // Of those rows, the first `policies` with logits (nullptr: all alike).
  virtual void resume(const float* logits, std::size_t policies, const float* values) = 0;
  virtual void run(double seconds) = 0;  // at most, by the evaluator of the config
  virtual bool solved() const = 0;       // the roots of all searches that are not finished
  virtual void stop() = 0;               // all searches, with what they have
  virtual RootView look(std::size_t slot, double temperature) = 0;
  virtual std::vector<TreeRow> rows(std::size_t slot, std::size_t limit) const = 0;
  virtual std::vector<PlayedGame> take_finished() = 0;
};

}  // namespace tablier::search
