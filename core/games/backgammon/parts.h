// Converts a state to plain values and back. Python reads and sets up positions through it. Whether a game can reach a
// position is checked in validity.h.
#pragma once

#include <optional>

#include "validity.h"

namespace tablier::backgammon {

template <class T>
using Both = std::array<T, 2>;           // player 0's and player 1's
using Board = std::array<int, kPoints>;  // points 1 .. 24 of player 0, whose men are positive

struct Parts {
  Board board{};
  Both<int> bar{}, off{};
  Both<int> dice{};      // as thrown; zeros before the throw
  int player = 0;        // who throws, moves or has won
  int moves_left = 0;    // 2, or 4 at the start of a doublet; 0 if nobody is to move
  bool opening = false;  // the next throw decides who starts
  std::optional<int> winner;
  int points = 0;  // what the winner wins; read from a state only

  bool operator==(const Parts&) const = default;
};

inline Parts take_apart(const Core& state) {
  Parts parts;
  for (int point = 1; point <= kPoints; ++point) {
    parts.board[static_cast<std::size_t>(point - 1)] = state.men[0].count(point) - state.men[1].count(kBar - point);
  }
  for (std::size_t p = 0; p < 2; ++p) {
    parts.bar[p] = state.men[p].count(kBar);
    parts.off[p] = state.men[p].count(kOff);
    parts.dice[p] = state.dice[p];
  }
  parts.player = state.player;
  if (moving(state)) parts.moves_left = state.phase == Phase::kMove && doublet(state) ? 4 : 2;
  parts.opening = state.phase == Phase::kOpening;
  if (state.phase == Phase::kOver) {
    parts.winner = state.player;
    parts.points = points_won(state);
  }
  return parts;
}

// Changes everything but the rules of `state`. Returns a reason if the parts contradict each other.
inline const char* put_together(const Parts& parts, Core& state) {
  Core made{};
  made.rules = state.rules;
  const auto put = [&made](std::size_t player, int place, int count) {
    if (count < 0 || count > 15) return false;
    for (int k = 0; k < 4; ++k) {
      if (count >> k & 1) made.men[player].plane[k] |= bit(place);
    }
    return true;
  };
  bool fits = true;
  for (int point = 1; point <= kPoints; ++point) {
    const int count = parts.board[static_cast<std::size_t>(point - 1)];
    fits &= count >= 0 ? put(0, point, count) : count >= -15 && put(1, kBar - point, -count);
  }
  for (std::size_t p = 0; p < 2; ++p) fits &= put(p, kBar, parts.bar[p]) && put(p, kOff, parts.off[p]);
  if (!fits) return "a place holds 0 to 15 men";
  if (parts.player < 0 || parts.player > 1) return "the player must be 0 or 1";
  made.player = static_cast<std::uint8_t>(parts.player);
  for (std::size_t i = 0; i < 2; ++i) {
    if (parts.dice[i] < 0 || parts.dice[i] > 6) return "a die shows 1 to 6, or 0 before the throw";
    made.dice[i] = static_cast<std::uint8_t>(parts.dice[i]);
  }
  if (parts.winner) {
    if (*parts.winner != parts.player) return "the player must be the winner";
    made.phase = Phase::kOver;
  } else if (parts.opening) {
    made.phase = Phase::kOpening;
  } else {
    made.phase = made.dice[0] == 0 ? Phase::kThrow : Phase::kMove;
  }
  if (moving(made)) {
    if (parts.moves_left != 2 && parts.moves_left != 4) return "after a throw, two or four moves are left";
    if (parts.moves_left == 4 && !doublet(made)) return "only a doublet has four moves";
    if (parts.moves_left == 2 && doublet(made)) made.phase = Phase::kSecondHalf;
  } else if (parts.moves_left != 0) {
    return "nobody has moves left before a throw or after the end";
  }
  state = made;
  return nullptr;
}

}  // namespace tablier::backgammon
