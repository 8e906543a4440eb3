// Which states can exist. Asked of everything that comes from outside: saved states, ids, positions set up by hand.
#pragma once

#include "flow.h"
#include "schools.h"

namespace tablier::trictrac {

// Why these men cannot stand like this, or nullptr. Each side in its own numbering (rules.md, 1, 3 and 4).
inline const char* impossible_men(const Men& white, const Men& black) {
  for (const Men* men : {&white, &black}) {
    for (const Mask plane : men->plane) {
      if (plane & ~kBoard) return "a man stands outside the board";
    }
    if (men->total() > kMen) return "a player has more than fifteen men";
    if (men->count(kCorner) == 1) return "a rest corner holds one man; it is taken and left by two";
    if (men->count(kOpposing) != 0) return "a man stands on the opposing rest corner";
  }
  if (white.some() & mirrored(black.some())) return "both players have men on one field";
  return nullptr;
}

inline const char* invalid_men(const Core& state) {
  if (const char* reason = impossible_men(state.men[0], state.men[1])) return reason;
  for (const Men& men : state.men) {
    if (men.total() < kMen && (men.some() & ~kReturnJan)) return "men are borne off while others are not home";
    // With schools the last man may be out while there is still something to claim.
    const bool just_out = state.stage == Stage::kMarkTheirPoints && &men == &state.men[state.player];
    if (men.some() == 0 && !over(state) && !just_out) return "a player has no man on the board";
  }
  return nullptr;
}

inline const char* invalid_rules(const Rules& rules) {
  if (rules.holes_to_win < 1 || rules.holes_to_win > 100) return "holes_to_win is out of range";
  if (rules.first_throw > FirstThrow::kWhite) return "first_throw is unknown";
  if (rules.bearing_off > BearingOff::kByDefaultOnly) return "bearing_off is unknown";
  return rules.stake_rule > StakeRule::kQuadruple ? "stake_rule is unknown" : nullptr;
}

inline const char* invalid_score(const Core& state) {
  const bool scored_game = on(state, kScoredGame);
  if (state.runs >= 64) return "the runs are out of range";
  int first = 0;
  for (int p = 0; p < 2; ++p) {
    if (state.points[p] > 11 || state.points[p] % 2 != 0) return "points are even and at most 10";
    if (has(state.runs, kPointsRun, p) && state.points[p] == 0) return "a run of points without points";
    if (has(state.runs, kHolesRun, p) && state.holes[p] == 0) return "a run of holes without holes";
    if (has(state.runs, kFirstHole, p) && state.holes[p] == 0)
      return "the first hole was won by a player without holes";
    first += has(state.runs, kFirstHole, p);
    const bool enough = !scored_game && state.holes[p] >= state.rules.holes_to_win;
    const bool provisional = state.school == School::kClaimAfterWin && p == state.player;
    if (enough != has(state.facts, kWon, p) && !provisional) return "the holes and the winner disagree";
  }
  if (first != (state.holes[0] + state.holes[1] > 0)) return "one player must have won the first hole";
  if (has(state.runs, kHolesRun, 0) && has(state.runs, kHolesRun, 1)) return "both players have a run of holes";
  if (has(state.runs, kPointsRun, 0) && has(state.runs, kPointsRun, 1)) return "both players have a run of points";
  return nullptr;
}

inline const char* invalid_throw(const Core& state) {
  const bool thrown = state.stage >= Stage::kMarkPoints;
  for (const int die : state.dice) {
    if (thrown ? die < 1 || die > 6 : die != 0) return "the dice do not fit the stage";
  }
  if (state.stage == Stage::kRollDice && !on(state, kExplicitRoll)) return "this stage needs the option explicit_roll";
  if (!thrown) return state.due[0] || state.due[1] ? "points are due before the throw" : nullptr;
  if (throws_of(state, state.player) == 0) return "the mover has thrown, and his throws are not counted";
  if (state.due[0] % 2 || state.due[1] % 2) return "points due are even";
  // Before the move the position tells what the throw gives.
  if (state.stage != Stage::kHoldOrGo && state.stage != Stage::kMove) return nullptr;
  if (on(state, kSchools)) return nullptr;
  // What a hole leaves is less than what made it.
  const bool hole = state.due[0] > state.points[state.player] && state.holes[state.player] > 0;
  if (state.stage == Stage::kHoldOrGo && !hole) return "there is a choice only after a hole by this throw";
  Plays scratch;
  const Score score = score_of_throw(state, view_of(state), scratch);
  const int extra = state.due[0] - score.player;
  if (state.due[1] != score.opponent || (extra != 0 && !(on(state, kRencontre) && (extra == 4 || extra == 6)))) {
    return "the points due are not those of the throw";
  }
  return nullptr;
}

// The play that neglected to fill, taken back: it must be one of the position before it. False if it cannot be.
inline bool position_before(const Core& state, Core& before) {
  before = state;
  int count[kFields], total = 0, to[2];
  for (int field = 0; field < kFields; ++field) count[field] = state.men[state.player].count(field);
  if (state.from[0] > kFields || state.from[1] > kFields) return false;
  landings(state, to);
  for (int die = 0; die < 2; ++die) {
    if (state.from[die] != 0) ++count[state.from[die] - 1];
    if (to[die] >= 0 && to[die] != kOff) --count[to[die]];
  }
  for (const int men : count) {
    if (men < 0) return false;
    total += men;
  }
  if (total > kMen) return false;
  take_back(before);
  return impossible_men(before.men[0], before.men[1]) == nullptr;
}

inline const char* invalid_neglect(const Core& state) {
  if (!(state.facts & kFailed)) {
    if (state.from[0] || state.from[1]) return "a play is kept that need not be taken back";
    return state.school == School::kDecideFilling ? "there is no filling to decide about" : nullptr;
  }
  const bool back = taken_back(state), claiming = state.stage == Stage::kMarkTheirPoints;
  const bool may_be_back =
      (state.stage == Stage::kMove && state.fill_due == 0) || (claiming && state.school == School::kClaimAgainstOther);
  if (back ? !may_be_back : !claiming || state.fill_due == 0) return "a neglected filling does not fit the stage";
  Core before = state;
  if (!back && !position_before(state, before)) return "the play that did not fill cannot be taken back";
  Plays plays;
  legal_plays(view_of(before), state.dice[0], state.dice[1], state.rules.bearing_off, plays, false);
  const auto reaches = [&](const Play& play) { return play.men == state.men[state.player]; };
  if (!plays.fills || (!back && std::none_of(plays.play, plays.play + plays.count, reaches))) {
    return "no filling was neglected";
  }
  return nullptr;
}

inline const char* invalid_school(const Core& state) {
  const bool marking = state.stage == Stage::kMarkPoints || state.stage == Stage::kMarkTheirPoints;
  if (state.school > School::kDecideFilling) return "the school is unknown";
  if (!on(state, kSchools)) {
    const bool empty = state.school == School::kNone && forgotten(state);
    return empty && (!marking || over(state)) ? nullptr : "a school without the option";
  }
  if (over(state)) return nullptr;
  if (marking != (state.school != School::kNone)) return "the school does not fit the stage";
  const bool early = state.school == School::kClaimAfterGo || state.school == School::kClaimAfterWin;
  const bool late = state.school == School::kClaimAgainstMover || state.school == School::kClaimAgainstOther ||
                    state.school == School::kDecideFilling;
  if ((early && state.stage != Stage::kMarkPoints) || (late && state.stage != Stage::kMarkTheirPoints)) {
    return "the school does not fit the stage";
  }
  if (state.declared[0] % 2 || state.declared[1] % 2 || state.declared[0] > 126 || state.declared[1] > 126) {
    return "declared points are even and at most 126";
  }
  if (state.claim < kForce && (state.claim % 2 || state.claim > 126)) return "claims are even and at most 126";
  if (state.fill_due > state.due[0] || state.fill_due % 2) return "the points of filling are not among those due";
  const bool settled = state.stage <= Stage::kRollDice || (state.stage == Stage::kMove && state.facts & kFailed);
  if (settled && !forgotten(state)) return "something can be claimed after everything was settled";
  if (state.facts & kHoleSettled && state.stage != Stage::kHoldOrGo && state.school != School::kClaimAfterGo) {
    return "a hole is settled without a choice to leave";
  }
  Core before = state;
  before.school = School::kNone;
  if (!settled) restore(before);
  if (const char* reason = invalid_score(before)) return reason;
  return invalid_neglect(state);
}

inline const char* invalid(const Core& state) {
  if (const char* reason = invalid_rules(state.rules)) return reason;
  if (state.stage > Stage::kMarkTheirPoints || state.player > 1) return "the stage or the player is unknown";
  if (throws_of(state, 0) > 9 || throws_of(state, 1) > 9) return "throws are counted to nine";
  if (has(state.facts, kWon, 0) && has(state.facts, kWon, 1)) return "both players have won";
  if (state.rules.switches >= 2 * kScoredGame) return "an option is unknown";
  if (state.facts & (kFailed | kHoleSettled) && !on(state, kSchools)) return "a school without the option";
  if (state.facts & kDrawing) {
    const bool fresh = state.stage == Stage::kRollWaiting && state.men[0] == Men::at_talon() &&
                       state.men[1] == Men::at_talon() && state.holes[0] + state.holes[1] == 0 &&
                       state.points[0] + state.points[1] + state.throws == 0;
    if (!fresh) return "the draw comes before everything else";
  }
  if (state.rencontre != 0 && !on(state, kRencontre)) return "the first throw is kept without the option";
  if (const char* reason = invalid_men(state)) return reason;
  if (const char* reason = invalid_score(state)) return reason;
  if (const char* reason = invalid_throw(state)) return reason;
  return invalid_school(state);
}

// The seats exchanged. The draw has no mirror image: its outcomes name the players.
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
