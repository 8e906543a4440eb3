// A state of a compiled game under some options, played and perhaps changed as an input says.
#pragma once

#include <algorithm>
#include <string>

#include "../../options.h"
#include "../../registry.h"
#include "../../rng.h"
#include "input.h"

namespace tablier::fuzz {

class Played {
 public:
  // Chooses a game, options and up to `most` actions.
  Played(Input& in, unsigned most) : entry_(registered_games()[in.below(registered_games().size())]) {
    options = choose_options(game().facts().options, in);
    if (game().contradiction(options)) options = default_options(game().facts());
    facts = game().describe(options);
    words = game().state_words();
    start = room<Word>(words);
    state = room<Word>(words);
    game().init(options, start.get());
    game().init(options, state.get());
    const auto actions = room<Action>(game().max_actions());
    for (unsigned left = in.byte() % (most + 1); left > 0; --left) {
      const int count = game().legal_actions(state.get(), actions.get());
      if (count == 0) break;
      game().apply(state.get(), actions[in.below(static_cast<std::size_t>(count))]);
    }
  }

  // Plays on with random actions, but not to the end of the game.
  void play_on(int steps, std::uint64_t seed) {
    Rng rng{seed};
    const auto actions = room<Action>(game().max_actions());
    const auto next = room<Word>(words);
    for (; steps > 0; --steps) {
      const int count = game().legal_actions(state.get(), actions.get());
      if (count == 0) return;
      std::copy_n(state.get(), words, next.get());
      game().apply(next.get(), actions[rng.below(count)]);
      if (game().current_player(next.get()) == kTerminal) return;
      std::copy_n(next.get(), words, state.get());
    }
  }

  const AnyGame& game() const { return *entry_.game; }
  const Registered& entry() const { return entry_; }
  std::string_view name() const { return facts.name; }

  // Flips bits of the state. Returns whether it still is one of this game, which is checked of all words from outside.
  bool change(Input& in) {
    const bool changed = change_words(in, words, state.get());
    if (!game().invalid(state.get()) && game().same_rules(state.get(), start.get())) return true;
    if (!changed) {
      const char* why = game().invalid(state.get());
      broken(name(), "a state that was played is not valid", why ? why : "its rules have changed");
    }
    return false;
  }

  std::vector<std::int64_t> options;
  Facts facts;  // under the options
  int words;
  std::unique_ptr<Word[]> start, state;

 private:
  const Registered& entry_;
};

}  // namespace tablier::fuzz
