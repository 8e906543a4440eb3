// Which states are possible. Checked for everything from outside: saved states, ids, positions that users set up.
#pragma once

#include "school_validity.h"

namespace tablier::trictrac {

// A throw wins the game: for the mover before the move, for the opponent after it.
inline const char* invalid_winner(const Core& state) {
  for (int p = 0; p < 2; ++p) {
    const bool provisional = state.school == School::kClaimAfterWin && p == state.player;
    if (has_won(state, p) != has(state.facts, kWon, p) && !provisional) return "the holes and the winner disagree";
  }
  if (has(state.facts, kWon, 0) && has(state.facts, kWon, 1)) return "both players have won";
  if (!over(state)) return nullptr;
  const Stage last = winner(state) == state.player ? Stage::kMarkPoints : Stage::kMarkTheirPoints;
  const bool marking = state.stage == Stage::kMarkPoints || state.stage == Stage::kMarkTheirPoints;
  const bool left = !thrown(state) && state.throws == 0;  // with schools the last hole may come from a claim
  const bool fits = on(state, kSchools) ? marking || left : state.stage == last;
  return fits ? nullptr : "the game is over, but it cannot have been won at this stage";
}

// The draw for the first throw comes before everything else. A game without a draw is still possible: players may agree
// who starts, who then throws as with `fresh_roll`.
inline const char* invalid_draw(const Core& state) {
  if (!(state.facts & kDrawing)) return nullptr;
  if (state.rules.first_throw == FirstThrow::kWhite) return "White has the first throw, there is no draw";
  Core start;
  start_game(start, state.rules);
  return std::memcmp(&start, &state, sizeof start) == 0 ? nullptr : "the draw comes before everything else";
}

inline const char* invalid(const Core& state) {
  if (const char* reason = invalid_rules(state.rules)) return reason;
  if (state.stage > Stage::kMarkTheirPoints || state.player > 1) return "the stage or the player is unknown";
  if (state.facts & (kFailed | kHoleSettled) && !on(state, kSchools)) return "a school without the option";
  const bool marking = state.stage == Stage::kMarkPoints || state.stage == Stage::kMarkTheirPoints;
  if (marking && !over(state) && !on(state, kSchools)) return "marking is a stage of its own only with schools";
  if (state.facts & kSwapped && !on(state, kSwapColours)) return "the colours change sides only with the option";
  for (const auto check : {invalid_draw, invalid_men, impossible_score, invalid_winner, invalid_throws,
                           invalid_rencontre, invalid_throw, invalid_school}) {
    if (const char* reason = check(state)) return reason;
  }
  return nullptr;
}

// Swaps the seats. The draw has no mirror image, because its outcomes name the players.
inline bool mirror(Core& state) {
  if (state.facts & kDrawing) return false;
  const auto swap_bits = [](std::uint8_t bits, int low) {
    const int one = (bits >> low) & 1, two = (bits >> (low + 1)) & 1;
    return static_cast<std::uint8_t>((bits & ~(3 << low)) | two << low | one << (low + 1));
  };
  std::swap(state.men[0], state.men[1]);
  std::swap(state.points[0], state.points[1]);
  std::swap(state.holes[0], state.holes[1]);
  state.throws = static_cast<std::uint8_t>(state.throws << 4 | state.throws >> 4);
  std::swap(state.before[0], state.before[1]);
  std::swap(state.before[2], state.before[3]);
  for (const int low : {0, 2, 4}) {
    state.runs = swap_bits(state.runs, low);
    state.before_runs = swap_bits(state.before_runs, low);
  }
  for (const int low : {1, 4}) state.facts = swap_bits(state.facts, low);
  state.player ^= 1;
  return true;
}

}  // namespace tablier::trictrac
