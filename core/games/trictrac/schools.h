// Schools: with this option players mark their points themselves, and the opponent may claim what was marked wrongly.
// rules.md, 13; docs/rules-decisions.md decides what it leaves open.
//
// In a throw, the mover declares their points, holds or leaves (if the declaration makes a hole), and moves. The
// opponent declares their points. Then the opponent may claim against the mover, and the mover against the opponent.
// Points are marked as declared, and marked again from the score before the throw when all claims are settled. An
// opponent who notices that the mover did not fill or keep decides whether they must: the mover then plays again.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "../../game.h"
#include "flow.h"

namespace tablier::trictrac {

// Amounts are even, because points always are. The actions follow those of the ordinary game.
inline constexpr int kMostDeclared = 126;
inline constexpr int kDeclare = kMoveActions;                     // + amount / 2, amounts 0 .. 126
inline constexpr int kClaim = kDeclare + kMostDeclared / 2 + 1;   // + amount / 2 - 1, amounts 2 .. 126
inline constexpr int kForceCorrect = kClaim + kMostDeclared / 2;  // the correct amount is marked, without a school
inline constexpr int kPassClaim = kForceCorrect + 1;              // claims nothing, or lets the play stand
inline constexpr int kHaveItFilled = kPassClaim + 1;              // demands the neglected filling
inline constexpr int kSchoolActions = kHaveItFilled + 1;

constexpr int declaration_of(int amount) { return kDeclare + amount / 2; }
constexpr int claim_of(int amount) { return kClaim + amount / 2 - 1; }
// The points that an action declares or claims; 0 for all other actions.
constexpr int amount_of(int action) {
  if (action < kDeclare || action >= kForceCorrect) return 0;
  return action < kClaim ? 2 * (action - kDeclare) : 2 * (action - kClaim + 1);
}

// Special values of Core::claim, beside amounts.
inline constexpr std::uint8_t kNoClaim = 255;
inline constexpr std::uint8_t kForce = 254;

inline int decider(const Core& state) {
  const bool mover =
      state.school == School::kDeclare ? state.stage == Stage::kMarkPoints : state.school == School::kClaimAgainstOther;
  return mover ? state.player : 1 - state.player;
}

// The range of declarations or claims that are legal.
struct Sayings {
  int first, end;
};

inline Sayings sayings(School school) {
  if (school == School::kDeclare) return {kDeclare, kClaim};
  if (school == School::kDecideFilling) return {kPassClaim, kSchoolActions};
  return {kClaim, kHaveItFilled};
}

inline int school_actions(const Core& state, Action* out) {
  const auto [first, end] = sayings(state.school);
  for (int action = first; action < end; ++action) *out++ = action;
  return end - first;
}

inline bool school_action_is_legal(const Core& state, int action) {
  const auto [first, end] = sayings(state.school);
  return action >= first && action < end;
}

// With schools a player may neglect to fill or keep, as long as it can be claimed.
inline bool must_fill(const Core& state) { return !on(state, kSchools) || state.fill_due == 0; }

inline void remember(Core& state) {
  state.before[0] = state.points[0];
  state.before[1] = state.points[1];
  state.before[2] = state.holes[0];
  state.before[3] = state.holes[1];
  state.before_runs = state.runs;
}

inline void restore(Core& state) {
  state.points[0] = state.before[0];
  state.points[1] = state.before[1];
  state.holes[0] = state.before[2];
  state.holes[1] = state.before[3];
  state.runs = state.before_runs;
}

// Clears everything recorded about the throw, which can then no longer be claimed.
inline void forget(Core& state) {
  state.facts &= static_cast<std::uint8_t>(~(kFailed | kHoleSettled));
  state.claim = state.declared[0] = state.declared[1] = state.fill_due = state.before_runs = 0;
  std::fill(state.before, state.before + 4, std::uint8_t{0});
  state.from[0] = state.from[1] = 0;
}

// Where the men of `from` went; -1 if none moved.
inline void landings(const Core& state, int* to) {
  for (int die = 0; die < 2; ++die) {
    to[die] = state.from[die] == 0 ? -1 : std::min(state.from[die] - 1 + state.dice[die], kOff);
  }
  if (to[0] == kOpposing && to[1] == kOpposing) to[0] = to[1] = kCorner;  // by power
}

inline bool forgotten(const Core& state) {
  Core empty = state;
  forget(empty);
  return std::memcmp(&empty, &state, sizeof state) == 0;
}

// Takes back the play that neglected to fill. The mover must play again, so `from` is empty.
inline void take_back(Core& state) {
  Men& men = state.men[state.player];
  int to[2];
  landings(state, to);
  for (const int from : state.from) {
    if (from != 0) men.add(bit(from - 1));
  }
  for (const int field : to) {
    if (field >= 0 && field != kOff) men.remove(bit(field));
  }
  state.from[0] = state.from[1] = 0;
  set(state.facts, kCornerFresh, state.player, false);
}

// A play that neglects to fill moves a man; if none moved, it was taken back.
inline bool taken_back(const Core& state) { return state.facts & kFailed && !state.from[0] && !state.from[1]; }

// The points of a throw for filling and keeping.
inline int fill_points(const Core& state, const Score& score) {
  int fill = 0;
  for (int jan = static_cast<int>(Jan::kFillSmall); jan <= static_cast<int>(Jan::kKeepReturn); ++jan) {
    const Tariff& tariff = kTariff[jan];
    fill += score.ways[jan] * (state.dice[0] == state.dice[1] ? tariff.doublet : tariff.simple);
  }
  return fill;
}

inline void begin_schools(Core& state, const Score& score) {
  remember(state);
  state.fill_due = static_cast<std::uint8_t>(fill_points(state, score));
  state.declared[0] = state.declared[1] = 0;
  state.claim = kNoClaim;
  state.facts &= static_cast<std::uint8_t>(~(kFailed | kHoleSettled));
  state.stage = Stage::kMarkPoints;
  state.school = School::kDeclare;
}

// The points a player was entitled to mark, and what the opponent gains by claiming the difference.
struct Truth {
  int amount, school;
};

inline Truth truth_of_mover(const Core& state) {
  const int due = state.due[0], said = state.declared[0], fill = state.fill_due;
  if (!(state.facts & kFailed)) return {due, std::abs(due - said)};
  const int entitled = due - fill;  // without filling, those points are not theirs
  const bool marked = said > entitled;
  const int extra = marked && on(state, kDoubleFillSchool) ? fill : 0;
  return {entitled, (marked ? said - entitled : fill + entitled - said) + extra};
}

inline Truth truth_of_other(const Core& state) {
  return {state.due[1], std::abs(static_cast<int>(state.due[1]) - state.declared[1])};
}

struct Verdict {
  int amount;       // marked by the accused for the throw
  int to_claimant;  // points for a true school
  int to_accused;   // points for a false school
};

// A true claim removes points marked in excess; points that were not marked stay lost.
inline Verdict judge(std::uint8_t claim, const Truth& truth, int declared) {
  if (claim == kNoClaim) return {declared, 0, 0};
  if (claim == kForce) return {truth.amount, 0, 0};
  if (truth.school > 0 && claim == truth.school) return {std::min(declared, truth.amount), truth.school, 0};
  return {declared, 0, std::max(0, claim - truth.school)};
}

inline bool mark_and_win(Core& state, int player, int points) {
  return mark(state, player, points) && win_if_enough(state, player);
}

// Marks everything in order, when all claims of the throw are known.
inline void settle(Core& state, std::uint8_t claim_of_mover) {
  const int mover = state.player, other = 1 - mover;
  const Truth mine = truth_of_mover(state), theirs = truth_of_other(state);
  Verdict against_mover = judge(state.claim, mine, state.declared[0]);
  const bool again = taken_back(state);
  if (again && state.claim == kForce) against_mover.amount = state.due[0];  // as if the mover had filled at once
  state.facts &= static_cast<std::uint8_t>(~kFailed);
  const Verdict against_other = judge(claim_of_mover, theirs, state.declared[1]);
  state.school = School::kNone;
  restore(state);
  forget(state);
  if (mark_and_win(state, mover, against_mover.amount)) return;
  if (mark_and_win(state, other, against_other.amount)) return;
  if (mark_and_win(state, other, against_mover.to_claimant)) return;
  if (mark_and_win(state, mover, against_mover.to_accused)) return;
  if (mark_and_win(state, mover, against_other.to_claimant)) return;
  if (mark_and_win(state, other, against_other.to_accused)) return;
  if (!again) return end_turn(state);
  state.facts |= kFailed;
  state.stage = Stage::kMove;
}

// Settles a throw after which the mover left or declared victory, when the opponent has answered. If the correct amount
// makes no hole (or no victory), the throw must be played after all, and can no longer be claimed.
inline void settle_early(Core& state, std::uint8_t claim) {
  const int mover = state.player, other = 1 - mover;
  const bool said_won = state.school == School::kClaimAfterWin;
  const Truth truth = truth_of_mover(state);
  const Verdict verdict = judge(claim, truth, state.declared[0]);
  restore(state);
  const bool hole = mark(state, mover, verdict.amount) || (state.facts & kHoleSettled);
  state.school = School::kNone;
  if (hole && win_if_enough(state, mover)) return;
  if (hole && !said_won) {
    state.facts &= static_cast<std::uint8_t>(~kHoleSettled);
    forget(state);
    leave(state);
    if (mark_and_win(state, other, verdict.to_claimant)) return;
    (void)mark_and_win(state, mover, verdict.to_accused);
    return;
  }
  if (mark_and_win(state, other, verdict.to_claimant)) return;
  remember(state);
  state.due[0] = state.declared[0] = state.fill_due = 0;
  if (hole) state.facts |= kHoleSettled;
  state.stage = hole ? Stage::kHoldOrGo : Stage::kMove;
}

inline void declare_or_claim(Core& state, int action) {
  if (state.school == School::kDeclare) {
    const auto amount = static_cast<std::uint8_t>(amount_of(action));
    if (state.stage == Stage::kMarkTheirPoints) {
      state.declared[1] = amount;
      state.school = School::kClaimAgainstMover;
      return;
    }
    state.declared[0] = amount;
    state.school = School::kNone;
    mark_own(state, amount);
    if (over(state) && amount != state.due[0]) {  // the opponent may object before the game ends
      state.facts &= static_cast<std::uint8_t>(~(kWon | kWon << 1));
      state.school = School::kClaimAfterWin;
    }
    return;
  }
  const auto claim = action == kPassClaim      ? kNoClaim
                     : action == kForceCorrect ? kForce
                                               : static_cast<std::uint8_t>(amount_of(action));
  switch (state.school) {
    case School::kClaimAgainstMover: {
      state.claim = claim;
      const bool noticed = claim == kForce || claim == truth_of_mover(state).school;
      state.school = state.facts & kFailed && noticed ? School::kDecideFilling : School::kClaimAgainstOther;
      return;
    }
    case School::kDecideFilling:
      if (action == kHaveItFilled) take_back(state);
      state.school = School::kClaimAgainstOther;
      return;
    case School::kClaimAgainstOther:
      return settle(state, claim);
    default:
      return settle_early(state, claim);
  }
}

[[gnu::noinline]] inline void apply_school_action(Core& state, int action) {
  declare_or_claim(state, action);
  if (over(state)) forget(state);
}

// Leaving and moving while the marking may still be claimed. Not inlined, because the ordinary game never calls it.
[[gnu::noinline]] inline void act_with_schools(Core& state, int action) {
  if (action == kGo) {
    state.stage = Stage::kMarkPoints;
    state.school = School::kClaimAfterGo;
    return;
  }
  const Move move(state.men[state.player], state.dice[0], state.dice[1], action);
  if (state.facts & kFailed) {  // the neglected filling is made now
    state.facts &= static_cast<std::uint8_t>(~kFailed);
    place_men(state, move.men);
    return end_turn(state);
  }
  Plays plays;
  legal_plays(view_of(state), state.dice[0], state.dice[1], state.rules.bearing_off, plays, false);
  if (plays.fills && state.fill_due > 0 && !has_full_jan(move.men)) {
    state.facts |= kFailed;
    const bool in_order = move.number[0] == state.dice[0];
    for (int i = 0; i < 2; ++i) state.from[in_order ? i : 1 - i] = static_cast<std::uint8_t>(move.from[i] + 1);
  }
  // If no number can be played, marking too little cannot be claimed.
  if (plays.unplayed == 2 && state.declared[0] < state.due[0]) {
    state.due[0] = state.declared[0];
    state.fill_due = 0;
  }
  place_men(state, move.men);
  state.facts &= static_cast<std::uint8_t>(~kHoleSettled);
  state.stage = Stage::kMarkTheirPoints;
  state.school = School::kDeclare;
}

}  // namespace tablier::trictrac
