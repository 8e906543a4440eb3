// The state of Trictrac in 64 bytes, and the marking of points and holes. rules.md, 10 and 12.
#pragma once

#include <cstring>
#include <type_traits>

#include "rules.h"
#include "scoring.h"

namespace tablier::trictrac {

// The stage numbers of the contract, section 2.
enum class Stage : std::uint8_t { kRollWaiting, kRollDice, kMarkPoints, kHoldOrGo, kMove, kMarkTheirPoints };

// The decision in stages kMarkPoints and kMarkTheirPoints when schools are played (schools.h).
enum class School : std::uint8_t {
  kNone,
  kDeclare,            // a player marks their points for the throw
  kClaimAgainstMover,  // the opponent may claim what the mover marked wrongly
  kClaimAgainstOther,  // and the mover what the opponent did
  kClaimAfterGo,       // the opponent may claim when the mover leaves
  kClaimAfterWin,      // the opponent may claim when the mover declares victory
  kDecideFilling,      // the opponent, who noticed a neglected filling, decides whether it is made
};

struct Core {
  Men men[2];  // each in the player's numbering
  Rules rules;
  std::uint8_t points[2];
  std::uint8_t holes[2];
  std::uint8_t dice[2];  // 0 before the throw
  Stage stage;
  std::uint8_t player;     // who throws and moves: White 0, Black 1
  std::uint8_t throws;     // in this setting, up to kMostThrows; White's in the low four bits, Black's in the high four
  std::uint8_t runs;       // bits of Run
  std::uint8_t facts;      // bits of Fact
  std::uint8_t due[2];     // points of the throw for the mover and the opponent
  std::uint8_t rencontre;  // first throw of the game (8 * high + low) until the second; else 0
  // For schools (all 0 without):
  School school;
  std::uint8_t claim;        // against the mover: an amount, kNoClaim or kForce
  std::uint8_t declared[2];  // by the mover, by the opponent
  std::uint8_t fill_due;     // part of due[0] that is for filling or keeping
  std::uint8_t before[4];    // points and holes before the throw was marked
  std::uint8_t before_runs;
  std::uint8_t from[2];  // fields left by the first and second die in a play that neglected to fill; 0: none
};

static_assert(sizeof(Core) == 64 && std::is_trivially_copyable_v<Core>);
static_assert(std::has_unique_object_representations_v<Core>);

// Bits of Core::runs, shifted by the player.
enum Run : std::uint8_t {
  kPointsRun = 1 << 0,  // points marked without interruption (and 1 << 1 for Black)
  kHolesRun = 1 << 2,   // holes won without interruption from the first (and 1 << 3)
  kFirstHole = 1 << 4,  // won the first hole of the game (and 1 << 5)
};

enum Fact : std::uint8_t {
  kDrawing = 1 << 0,      // the next roll is the draw for the first throw
  kCornerFresh = 1 << 1,  // the player's last play took the corner (and 1 << 2)
  kSwapped = 1 << 3,      // the colours changed sides (option swap_colours_on_exit)
  kWon = 1 << 4,          // the player has won the game (and 1 << 5)
  kFailed = 1 << 6,       // schools: the mover neglected to fill or keep (in stage kMove: must do so now)
  kHoleSettled = 1 << 7,  // schools: the hole that allows leaving can no longer be claimed
};

inline bool has(std::uint8_t bits, int bit, int player = 0) { return bits & (bit << player); }
inline void set(std::uint8_t& bits, int bit, int player, bool value) {
  bits = static_cast<std::uint8_t>(value ? bits | (bit << player) : bits & ~(bit << player));
}
inline bool on(const Core& state, Switch what) { return state.rules.switches & what; }

inline bool over(const Core& state) { return state.facts & (kWon | kWon << 1); }
inline int winner(const Core& state) { return has(state.facts, kWon, 1) ? 1 : 0; }

inline constexpr int kMostThrows = 9;  // further throws are not counted
inline int throws_of(const Core& state, int player) { return (state.throws >> (4 * player)) & 15; }

// Puts all men back on the talons; `player` throws first (rules.md, 1).
inline void new_setting(Core& state, int player) {
  state.men[0] = state.men[1] = men_at_talon();
  state.throws = 0;
  set(state.facts, kCornerFresh, 0, false);
  set(state.facts, kCornerFresh, 1, false);
  state.player = static_cast<std::uint8_t>(player);
}

// Marks x points (rules.md, 10). Returns whether that made a hole. A run is recorded only with points: a new one starts
// from zero.
inline bool mark(Core& state, int i, int x) {
  if (x == 0) return false;
  const int j = 1 - i;
  bool run = state.points[i] == 0 || has(state.runs, kPointsRun, i);
  set(state.runs, kPointsRun, j, false);
  int points = state.points[i] + x, holes = 0;
  for (; points >= 12; points -= 12) {
    holes += run ? 2 : 1;
    run = true;
  }
  state.points[i] = static_cast<std::uint8_t>(points);
  set(state.runs, kPointsRun, i, run && points > 0);
  if (holes == 0) return false;
  state.points[j] = 0;
  // The pavillon (rules.md, 12): a run of holes ends when the opponent wins one, and never returns.
  if (state.holes[i] == 0) {
    set(state.runs, kHolesRun, i, true);
    set(state.runs, kFirstHole, i, state.holes[j] == 0);
  }
  set(state.runs, kHolesRun, j, false);
  state.holes[i] = static_cast<std::uint8_t>(state.holes[i] + holes < 255 ? state.holes[i] + holes : 255);
  return true;
}

inline int score_of(const Core& state, int player) { return 12 * state.holes[player] + state.points[player]; }

// Whether a player can still win the hole, or the game, in bredouille.
inline bool can_bredouille(const Core& state, int player) {
  return state.points[player] == 0 || has(state.runs, kPointsRun, player);
}
inline bool can_big_bredouille(const Core& state, int player) {
  return state.holes[player] == 0 || has(state.runs, kHolesRun, player);
}

// The maximum stake.
inline int most_stake(StakeRule rule) { return rule == StakeRule::kSingle ? 1 : rule == StakeRule::kDouble ? 2 : 4; }

// The stake of a finished game (rules.md, 12).
inline int stake(const Core& state) {
  const int w = winner(state), loser = 1 - w;
  const bool run = has(state.runs, kHolesRun, w);
  switch (state.rules.stake_rule) {
    case StakeRule::kSingle:
      return 1;
    case StakeRule::kDouble:
      return run ? 2 : 1;
    case StakeRule::kQuadruple:
      break;
  }
  if (state.holes[loser] == 0) return 4;
  if (run && !has(state.runs, kFirstHole, w)) return 3;
  return state.holes[loser] < 6 ? 2 : 1;
}

}  // namespace tablier::trictrac
