// Which states of marking and claiming are possible. rules.md, 13; schools.h has the procedure.
#pragma once

#include "throw_validity.h"

namespace tablier::trictrac {

// Takes back the play that neglected to fill. Returns false if it was not a play of the position before.
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

// Checks the score when only the mover's declaration is marked. The stage decides whether that must have made a hole.
inline const char* invalid_marking(const Core& state) {
  const bool settled = state.facts & kHoleSettled;
  const bool leaving = state.stage == Stage::kHoldOrGo || state.school == School::kClaimAfterGo;
  const bool winning = state.school == School::kClaimAfterWin;
  if (settled && (!leaving || state.declared[0] != 0 || state.due[0] != 0 || state.holes[state.player] == 0))
    return "a settled hole does not fit the stage";
  Core score = state;
  restore(score);
  if (const char* reason = impossible_score(score)) return reason;
  if (has_won(score, 0) || has_won(score, 1)) return "the game was won before the throw";
  const bool hole = mark(score, state.player, state.declared[0]);
  if (!same_score(score, state)) return "the score is not the one before with what was declared";
  if (leaving && !hole && !settled) return "there is a choice only after a hole by this throw";
  if (state.stage == Stage::kMove && hole) return "after a hole the mover holds or leaves";
  if (winning && (!has_won(score, state.player) || state.declared[0] == state.due[0]))
    return "the mover has not won with the points they declared";
  return nullptr;
}

inline const char* invalid_claim(const Core& state) {
  const bool against_other = state.school == School::kClaimAgainstOther;
  const bool deciding = state.school == School::kDecideFilling;
  if (!against_other && !deciding) return state.claim == kNoClaim ? nullptr : "nothing can have been claimed yet";
  const bool amount = state.claim >= 2 && state.claim <= kMostDeclared && state.claim % 2 == 0;
  if (!amount && state.claim != kNoClaim && state.claim != kForce) return "claims are even and from 2 to 126";
  const bool noticed = state.claim == kForce || state.claim == truth_of_mover(state).school;
  return (deciding || taken_back(state)) && !noticed ? "the neglected filling was not noticed" : nullptr;
}

// Checks the mover's men, and what they neglected.
inline const char* invalid_play(const Core& state) {
  const bool failed = state.facts & kFailed;
  if (!failed && state.school == School::kDecideFilling) return "there is no filling to decide about";
  if (taken_back(state)) {
    if (state.school != School::kClaimAgainstOther) return "a neglected filling does not fit the stage";
    return state.fill_due > 0 ? nullptr : "no filling was neglected";
  }
  if (!failed) {
    if (state.from[0] || state.from[1]) return "a play is kept that need not be taken back";
    return some_play_led_here(state) ? nullptr : "no play of this throw leads here with the points due";
  }
  Core before;
  if (!position_before(state, before)) return "the play that did not fill cannot be taken back";
  return may_come_from(state, before.men[state.player]) ? nullptr : "no filling was neglected";
}

// Checks a second play: claims are settled, and the neglected filling must be made.
inline const char* invalid_second_play(const Core& state) {
  Core rest = state;
  rest.facts &= static_cast<std::uint8_t>(~kFailed);
  if (!forgotten(rest)) return "a filling is made when all claims are settled";
  Plays plays;
  legal_plays(view_of(state), state.dice[0], state.dice[1], state.rules.bearing_off, plays);
  return plays.fills ? nullptr : "no filling was neglected";
}

inline const char* invalid_school(const Core& state) {
  if (state.school > School::kDecideFilling) return "the school is unknown";
  const bool marking = state.stage == Stage::kMarkPoints || state.stage == Stage::kMarkTheirPoints;
  const bool failed = state.facts & kFailed;
  if (!on(state, kSchools) || !thrown(state) || over(state)) {
    if (state.school == School::kNone && forgotten(state) && (over(state) || !marking)) return nullptr;
    return on(state, kSchools) ? "nothing is marked or claimed at this stage" : "a school without the option";
  }
  if (marking != (state.school != School::kNone)) return "the school does not fit the stage";
  if (state.stage == Stage::kMove && failed) return invalid_second_play(state);
  const bool early = state.school == School::kClaimAfterGo || state.school == School::kClaimAfterWin;
  const bool moved = state.stage == Stage::kMarkTheirPoints;
  if (marking && state.school != School::kDeclare && early == moved) return "the school does not fit the stage";
  if (failed && !moved) return "a neglected filling does not fit the stage";
  if (!moved && (state.from[0] || state.from[1])) return "a play is kept before the move";
  for (const int amount : state.declared) {
    if (amount % 2 || amount > kMostDeclared) return "declared points are even and at most 126";
  }
  const bool other_declared = moved && state.school != School::kDeclare;
  const bool mover_declared = moved || state.school != School::kDeclare;
  if ((state.declared[1] != 0 && !other_declared) || (state.declared[0] != 0 && !mover_declared)) {
    return "points are declared before their turn";
  }
  if (const char* reason = invalid_claim(state)) return reason;
  if (const char* reason = invalid_marking(state)) return reason;
  return moved ? invalid_play(state) : nullptr;
}

}  // namespace tablier::trictrac
