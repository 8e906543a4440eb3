// What Python holds: a configured game, and a state of it.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "../erased.h"
#include "../options.h"

namespace tablier {

namespace nb = nanobind;

// Words kept in place up to a size that covers every usual game, so that copying a state does not allocate.
class Words {
 public:
  explicit Words(int count) : count_(count), heap_(count > kInPlace ? new Word[count]() : nullptr) {}
  Words(const Words& other) : Words(other.count_) { *this = other; }
  Words& operator=(const Words& other) {  // both of the same game, hence of the same size
    std::memcpy(data(), other.data(), bytes());
    return *this;
  }

  Word* data() { return heap_ ? heap_.get() : here_; }
  const Word* data() const { return heap_ ? heap_.get() : here_; }
  int count() const { return count_; }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * sizeof(Word); }
  bool operator==(const Words& other) const {
    return count_ == other.count_ && std::memcmp(data(), other.data(), bytes()) == 0;
  }

 private:
  static constexpr int kInPlace = 8;
  int count_;
  std::unique_ptr<Word[]> heap_;
  Word here_[kInPlace] = {};
};

struct GameObject {
  std::shared_ptr<const AnyGame> any;
  std::vector<std::int64_t> options;
  Words start;

  GameObject(std::shared_ptr<const AnyGame> game, std::vector<std::int64_t> values);

  const Facts& facts() const { return any->facts(); }
  bool same_rules(const GameObject& other) const {
    return this == &other || (facts().name == other.facts().name && options == other.options);
  }
};

struct StateObject {
  std::shared_ptr<const GameObject> game;
  Words words;
  double rewards[kMaxPlayers] = {};  // of the last action

  explicit StateObject(std::shared_ptr<const GameObject> owner) : game(std::move(owner)), words(game->start) {}

  const AnyGame& any() const { return *game->any; }
  const Facts& facts() const { return game->facts(); }
};

// An integer of Python or NumPy as an action number; anything else raises TypeError.
std::int64_t to_integer(nb::handle value, const char* what);

// A number from `least` to `most`, a seed (any number of 64 bits); anything else raises and says what is accepted.
std::int64_t to_number(nb::handle value, const char* what, std::int64_t least, std::int64_t most);
std::uint64_t to_seed(nb::handle value);

// The player whose view is asked for: `player`, or by default the one to move (player 0 when nobody is).
int to_player(const StateObject& state, nb::handle player);

// Checks and converts keyword options; raises ValueError or TypeError that names what is accepted.
std::vector<std::int64_t> to_options(const Facts& facts, const nb::dict& options);
nb::object from_option(const Option& option, std::int64_t value);

std::string state_text(const StateObject& state);
std::string action_text(const StateObject& state, Action action);

nb::bytes serialize(const StateObject& state);
StateObject deserialize(std::shared_ptr<const GameObject> game, const nb::bytes& data);

void bind_game(nb::module_& module);
void bind_state(nb::module_& module);
void bind_batch(nb::module_& module);

}  // namespace tablier
