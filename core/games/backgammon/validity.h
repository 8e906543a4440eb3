// Which states are possible. Checked for everything from outside: saved states, ids, positions that users set up.
#pragma once

#include "state.h"

namespace tablier::backgammon {

// Why the men of a game with `total` men a side cannot stand like this, or nullptr.
inline const char* impossible_men(const Men& first, const Men& second, int total) {
  for (const Men* men : {&first, &second}) {
    for (const Mask plane : men->plane) {
      if (plane & ~kAllPlaces) return "a man stands outside the board";
    }
    if (men->total() != total) return total == 15 ? "a player has fifteen men" : "a player has three men";
  }
  if (first.some() & mirrored(second.some()) & kBoard) return "both players have men on one point";
  const auto shut_out = [](const Men& men, const Men& other) {
    return men.some() & bit(kBar) && (other.made() & kHome) == kHome;
  };
  // The one who closed their home last would have had to enter first.
  if (shut_out(first, second) && shut_out(second, first)) return "both players are shut out";
  return nullptr;
}

// Whether two moves of a doublet can lead to this position. Opposing men on the bar may have been there before.
inline bool follows_two_moves(const Core& state) {
  const int die = state.dice[0];
  const Men &mine = state.men[state.player], &theirs = state.men[1 - state.player];
  const Ground ground(theirs);
  const Mask free = ~mirrored(theirs.some() & kBoard);  // where the moved men can have stood
  // Calls visit(men) for each position from which one move leads to `after`.
  const auto undo = [&](const Men& after, auto visit) {
    for (Mask left = after.some() & ~bit(kBar); left != 0; left &= left - 1) {
      const int to = std::countr_zero(left);
      for (int from = to == kOff ? 1 : to + die; from <= to + die && from <= kBar; ++from) {
        if (!(free >> from & 1)) continue;
        Men before = after;
        before.remove(bit(to));
        before.add(bit(from));
        if (sources(before.some(), ground.open, die) >> from & 1 && visit(before)) return true;
      }
    }
    return false;
  };
  return undo(mine, [&](const Men& once) { return undo(once, [](const Men&) { return true; }); });
}

// Why a number of the state is out of range, or nullptr. If none is, no function leaves its buffers on this state,
// possible or not.
inline const char* out_of_range(const Core& state) {
  if (!are_accepted(kRuleRows, state.rules)) return "an option has a value that it does not accept";
  if (state.reserved != 0) return "an unused byte is set";
  if (state.phase > Phase::kOver || state.player > 1) return "the phase or the player is unknown";
  if (const char* reason = impossible_men(state.men[0], state.men[1], men_of(state.rules.start))) return reason;
  for (const std::uint8_t die : state.dice) {
    if (moving(state) ? die < 1 || die > 6 : die != 0) return "the dice do not fit the phase";
  }
  return nullptr;
}

inline const char* invalid(const Core& state) {
  if (const char* reason = out_of_range(state)) return reason;
  for (int player = 0; player < 2; ++player) {
    const bool won = state.phase == Phase::kOver && state.player == player;
    if (all_off(state.men[player]) != won) return "the men borne off and the winner disagree";
  }
  if (state.phase == Phase::kOpening) {
    Core start;
    start_game(start, state.rules);
    if (std::memcmp(&start, &state, sizeof start) != 0) return "the opening throw comes before everything else";
  }
  if (state.phase == Phase::kSecondHalf) {
    if (!doublet(state)) return "only a doublet has four moves";
    if (!follows_two_moves(state)) return "two moves of the doublet cannot lead to this position";
  }
  return nullptr;
}

// Swaps the seats. The opening has no mirror image, because its outcomes name the players.
inline bool mirror(Core& state) {
  if (state.phase == Phase::kOpening) return false;
  std::swap(state.men[0], state.men[1]);
  state.player ^= 1;
  return true;
}

}  // namespace tablier::backgammon
