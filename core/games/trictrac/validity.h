// Which states can exist. Asked of everything that comes from outside: saved states, ids, positions set up by hand.
#pragma once

#include "flow.h"
#include "schools.h"
#include "score_validity.h"

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

inline bool thrown(const Core& state) { return state.stage >= Stage::kMarkPoints; }

inline const char* invalid_men(const Core& state) {
  if (const char* reason = impossible_men(state.men[0], state.men[1])) return reason;
  for (int p = 0; p < 2; ++p) {
    const Men& men = state.men[p];
    if (men.total() < kMen && (men.some() & ~kReturnJan)) return "men are borne off while others are not home";
    const bool just_out = state.stage == Stage::kMarkTheirPoints && p == state.player;
    if (men.some() == 0 && !just_out) return "a player has no man on the board";
    // What can no longer be filled stays so, and what could be filled later could be before (rules.md, 5).
    const Fillable theirs = fillable(state.men[1 - p]);
    if ((theirs.big && men.some() & kTheirBig) || (theirs.small && men.some() & kReturnJan))
      return "a man stands in a jan that the other player can still fill";
    if (has(state.facts, kCornerFresh, p) && men.count(kCorner) != 2)
      return "a corner that was just taken holds two men";
  }
  return nullptr;
}

inline const char* invalid_rules(const Rules& rules) {
  if (rules.holes_to_win < 1 || rules.holes_to_win > 100) return "holes_to_win is out of range";
  if (rules.first_throw > FirstThrow::kWhite) return "first_throw is unknown";
  if (rules.bearing_off > BearingOff::kByDefaultOnly) return "bearing_off is unknown";
  return rules.stake_rule > StakeRule::kQuadruple ? "stake_rule is unknown" : nullptr;
}

// The counts of throws, against each other and against the men. Nine means nine or more.
inline const char* invalid_throws(const Core& state) {
  const int mover = state.player, mine = throws_of(state, mover), theirs = throws_of(state, 1 - mover);
  if (mine > 9 || theirs > 9) return "throws are counted to nine";
  if (thrown(state) && mine == 0) return "the mover has thrown, and his throws are not counted";
  const int before = mine - thrown(state);  // they throw in turn; either may have begun
  const bool many = mine == 9 && theirs == 9;
  if (!many && before != theirs && before != theirs - 1) return "the players throw in turn, and the throws do not fit";
  for (int p = 0; p < 2; ++p) {
    const bool to_move = p == mover && thrown(state) && state.stage != Stage::kMarkTheirPoints;
    const int moved = throws_of(state, p) - to_move;
    const Men& men = state.men[p];
    if (moved > 0 && men == Men::at_talon()) return "a player has thrown, and all his men are still on the talon";
    if (throws_of(state, p) == 9) continue;
    if (moved == 0 && men != Men::at_talon()) return "men have moved, and no throw of their player is counted";
    int way = kFields * (kMen - men.total());
    for (int field = 0; field < kFields; ++field) way += field * men.count(field);
    if (way > 12 * moved || kMen - men.count(kTalon) > 2 * moved)
      return "the men have gone further than the throws can take them";
  }
  return nullptr;
}

// The first throw of the game is kept for the second (option jan_de_rencontre).
inline const char* invalid_rencontre(const Core& state) {
  if (!on(state, kRencontre)) return state.rencontre != 0 ? "the first throw is kept without the option" : nullptr;
  const int throws = throws_of(state, 0) + throws_of(state, 1);
  const bool scored = state.holes[0] + state.holes[1] + state.points[0] + state.points[1] > 0;
  const bool opening = throws - thrown(state) == 0 && !scored;  // with schools also the opening of a later setting
  if (state.rencontre == 0) {
    const bool late = throws > 1 || scored || on(state, kSchools);
    return late ? nullptr : "the first throw of the game is kept until the second";
  }
  if (state.rencontre == 0xff) return opening && !thrown(state) ? nullptr : "somebody has thrown already";
  const int high = state.rencontre / 8, low = state.rencontre % 8;
  if (high > 6 || low < 1 || low > high || (high == low && state.rules.first_throw == FirstThrow::kDraw))
    return "this cannot be the first throw of the game";
  if (on(state, kSchools)) {
    return throws <= 1 ? nullptr : "the first throw is kept only until the second";
  }
  if (throws != 1 || scored) return "the first throw is kept only until the second";
  const auto [small, big] = std::minmax(state.dice[0], state.dice[1]);
  return !thrown(state) || (big == high && small == low) ? nullptr : "the dice are not the first throw that is kept";
}

// What repeating the first throw of the game brings, where it can have been repeated.
inline int rencontre_gain(const Core& state) {
  const int mover = state.player, other = 1 - mover;
  const bool doublet = state.dice[0] == state.dice[1];
  if (!on(state, kRencontre) || state.rencontre != 0 || throws_of(state, mover) != 1) return 0;
  if (doublet && state.rules.first_throw == FirstThrow::kDraw) return 0;
  const bool second = throws_of(state, other) == 1 && state.holes[0] + state.holes[1] + state.points[other] == 0;
  if (!second && !on(state, kSchools)) return 0;  // who declares too much may leave after the first throw
  const Tariff& tariff = kTariff[static_cast<int>(Jan::kRencontre)];
  return doublet ? tariff.doublet : tariff.simple;
}

// Before the move the position tells what the throw gives.
inline const char* invalid_due(const Core& state) {
  Plays scratch;
  const Score score = score_of_throw(state, view_of(state), scratch);
  const int extra = state.due[0] - score.player;
  const bool right = extra == 0 || (extra > 0 && extra == rencontre_gain(state));
  return right && state.due[1] == score.opponent ? nullptr : "the points due are not those of the throw";
}

inline const char* invalid_throw(const Core& state) {
  for (const int die : state.dice) {
    if (thrown(state) ? die < 1 || die > 6 : die != 0) return "the dice do not fit the stage";
  }
  if (state.stage == Stage::kRollDice && !on(state, kExplicitRoll)) return "this stage needs the option explicit_roll";
  if (!thrown(state)) return state.due[0] || state.due[1] ? "points are due before the throw" : nullptr;
  if (state.due[0] % 2 || state.due[1] % 2) return "points due are even";
  if (on(state, kSchools)) return nullptr;
  if (state.stage != Stage::kMarkTheirPoints) {
    if (const char* reason = invalid_due(state)) return reason;
  }
  const int mover = state.player;
  if (state.stage == Stage::kMove && state.points[mover] < state.due[0])
    return "the mover's points do not include what the throw gives him";
  if (state.stage == Stage::kHoldOrGo && state.points[mover] >= state.due[0])
    return "there is a choice only after a hole by this throw";
  return follows_from_a_score(state) ? nullptr : "no score before the throw leads to this one";
}

// A game is won by a throw: the mover's before he plays, the other's after that.
inline const char* invalid_winner(const Core& state) {
  for (int p = 0; p < 2; ++p) {
    const bool provisional = state.school == School::kClaimAfterWin && p == state.player;
    if (has_won(state, p) != has(state.facts, kWon, p) && !provisional) return "the holes and the winner disagree";
  }
  if (has(state.facts, kWon, 0) && has(state.facts, kWon, 1)) return "both players have won";
  if (!over(state) || on(state, kSchools)) return nullptr;
  const Stage last = winner(state) == state.player ? Stage::kMarkPoints : Stage::kMarkTheirPoints;
  return state.stage == last ? nullptr : "the game is over, and this is no stage in which it was won";
}

inline const char* invalid_school(const Core& state) {
  const bool marking = state.stage == Stage::kMarkPoints || state.stage == Stage::kMarkTheirPoints;
  if (state.school > School::kClaimAfterWin) return "the school is unknown";
  if (!on(state, kSchools)) {
    const bool empty = state.school == School::kNone && state.claim == 0 && state.declared[0] == 0 &&
                       state.declared[1] == 0 && state.fill_due == 0 && state.before_runs == 0 &&
                       std::all_of(state.before, state.before + 4, [](int x) { return x == 0; });
    return empty && (!marking || over(state)) ? nullptr : "a school without the option";
  }
  if (over(state)) return nullptr;
  if (marking != (state.school != School::kNone)) return "the school does not fit the stage";
  const bool early = state.school == School::kClaimAfterGo || state.school == School::kClaimAfterWin;
  const bool late = state.school == School::kClaimAgainstMover || state.school == School::kClaimAgainstOther;
  if ((early && state.stage != Stage::kMarkPoints) || (late && state.stage != Stage::kMarkTheirPoints)) {
    return "the school does not fit the stage";
  }
  if (state.declared[0] % 2 || state.declared[1] % 2 || state.declared[0] > 126 || state.declared[1] > 126) {
    return "declared points are even and at most 126";
  }
  if (state.fill_due > state.due[0] || state.before_runs >= 64) return "the points of filling are not among those due";
  return nullptr;
}

// The draw for the first throw comes before everything else.
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
  if (state.facts & kSwapped && !on(state, kSwapColours)) return "the colours change sides only with the option";
  for (const auto check : {invalid_draw, invalid_men, impossible_score, invalid_winner, invalid_throws,
                           invalid_rencontre, invalid_throw, invalid_school}) {
    if (const char* reason = check(state)) return reason;
  }
  return nullptr;
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
