// The state of backgammon in 40 bytes, and the order of play.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "plays.h"
#include "rules.h"

namespace tablier::backgammon {

enum class Phase : std::uint8_t {
  kOpening,     // each player throws one die
  kThrow,       // `player` throws
  kMove,        // `player` moves; the first two moves of a doublet
  kSecondHalf,  // the last two moves of a doublet
  kOver,        // `player` has won
};

struct Core {
  Men men[2];            // each in the player's own places (board.h)
  std::uint8_t dice[2];  // as thrown; 0 before the throw
  std::uint8_t player;
  Phase phase;
  Rules rules;
  std::uint8_t reserved;  // 0
};

static_assert(sizeof(Core) == 40 && std::is_trivially_copyable_v<Core>);
static_assert(std::has_unique_object_representations_v<Core>);

constexpr int men_of(Start start) { return start == Start::kHyper ? 3 : 15; }

constexpr Men start_men(Start start) {
  Men men{};
  const auto put = [&men](int place, int count) {
    for (int i = 0; i < count; ++i) men.add(bit(place));
  };
  switch (start) {
    case Start::kStandard:
      put(24, 2), put(13, 5), put(8, 3), put(6, 5);
      break;
    case Start::kNackgammon:
      put(24, 2), put(23, 2), put(13, 4), put(8, 3), put(6, 4);
      break;
    case Start::kHyper:
      put(24, 1), put(23, 1), put(22, 1);
      break;
    case Start::kLong:
      put(24, 15);
      break;
  }
  return men;
}

inline void start_game(Core& state, const Rules& rules) {
  state = {};
  state.rules = rules;
  state.men[0] = state.men[1] = start_men(rules.start);
}

inline bool moving(const Core& state) { return state.phase == Phase::kMove || state.phase == Phase::kSecondHalf; }
inline bool doublet(const Core& state) { return state.dice[0] == state.dice[1]; }
inline bool all_off(const Men& men) { return (men.some() & ~bit(kOff)) == 0; }

// The points that the winner of a finished game wins.
inline int points_won(const Core& state) {
  const Men& loser = state.men[1 - state.player];
  if (state.rules.scoring == Scoring::kWinLoss || loser.some() & bit(kOff)) return 1;
  const bool behind = loser.some() & (kTheirHome | bit(kBar));
  return behind && state.rules.scoring == Scoring::kFull ? 3 : 2;
}

// Moves a man of the mover, and hits a single man where it lands.
inline void move_man(Core& state, int from, int die) {
  Men &mine = state.men[state.player], &theirs = state.men[1 - state.player];
  const int to = landing(from, die);
  mine.remove(bit(from));
  mine.add(bit(to));
  if (to == kOff) return;
  const Mask there = bit(kBar - to);
  if (theirs.some() & there) {
    theirs.remove(there);
    theirs.add(bit(kBar));
  }
}

// After two moves of a doublet the same player has two more, even if none is possible.
inline void end_turn(Core& state, bool played_two) {
  if (all_off(state.men[state.player])) {
    state.phase = Phase::kOver;
  } else if (state.phase == Phase::kMove && doublet(state) && played_two) {
    state.phase = Phase::kSecondHalf;
    return;
  } else {
    state.phase = Phase::kThrow;
    state.player ^= 1;
  }
  state.dice[0] = state.dice[1] = 0;
}

inline void apply_play(Core& state, int action) {
  const Spelling play(action, state.player);
  const int high = std::max(state.dice[0], state.dice[1]), low = std::min(state.dice[0], state.dice[1]);
  if (play.first >= 0) move_man(state, play.first, play.low_first ? low : high);
  if (play.second >= 0) move_man(state, play.second, play.low_first ? high : low);
  end_turn(state, play.second >= 0);
}

// The opening throw: the player with the higher die starts and plays both dice. Equal dice are thrown again.
inline void apply_throw(Core& state, int outcome) {
  const auto [d1, d2] = throw_of(outcome);
  if (state.phase == Phase::kOpening) {
    if (d1 == d2) return;
    state.player = d1 < d2;
  }
  state.dice[0] = static_cast<std::uint8_t>(d1);
  state.dice[1] = static_cast<std::uint8_t>(d2);
  state.phase = Phase::kMove;
}

}  // namespace tablier::backgammon
