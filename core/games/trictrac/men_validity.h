// Which positions of the men are possible, and after how many throws. rules.md, 1, 3 to 6.
#pragma once

#include "flow.h"

namespace tablier::trictrac {

// Why this position is impossible, or nullptr. Each side is in its own numbering (rules.md, 1, 3 and 4).
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

// Whether no function leaves its buffers on this state, possible or not: what is counted and indexed is in range.
inline bool bounded(const Core& state) {
  if (state.stage > Stage::kMarkTheirPoints || state.player > 1 || state.school > School::kDecideFilling) return false;
  const bool moving = state.stage >= Stage::kMarkPoints;
  for (const int die : state.dice) {
    if (moving ? die < 1 || die > 6 : die != 0) return false;
  }
  if (state.from[0] > kFields || state.from[1] > kFields) return false;
  return !impossible_men(state.men[0], state.men[1]) && !invalid_rules(state.rules);
}

inline bool thrown(const Core& state) { return state.stage >= Stage::kMarkPoints; }

inline const char* invalid_men(const Core& state) {
  if (const char* reason = impossible_men(state.men[0], state.men[1])) return reason;
  for (int p = 0; p < 2; ++p) {
    const Men& men = state.men[p];
    if (men.total() < kMen && (men.some() & ~kReturnJan)) return "men are borne off while others are not home";
    const bool just_out = state.stage == Stage::kMarkTheirPoints && p == state.player;
    if (men.some() == 0 && !just_out) return "a player has no man on the board";
    // A jan that can be filled now always could be, so no opposing man can have stopped in it (rules.md, 5).
    const Fillable theirs = fillable(state.men[1 - p]);
    if ((theirs.big && men.some() & kTheirBig) || (theirs.small && (men.some() & kReturnJan || men.total() < kMen)))
      return "a man stands in a jan that the other player can still fill";
    if (has(state.facts, kCornerFresh, p) && men.count(kCorner) != 2)
      return "a corner that was just taken holds two men";
  }
  return nullptr;
}

// Checks the throw counts against each other and against the men. Nine means nine or more.
inline const char* invalid_throws(const Core& state) {
  const int mover = state.player, mine = throws_of(state, mover), theirs = throws_of(state, 1 - mover);
  if (mine > 9 || theirs > 9) return "throws are counted to nine";
  if (thrown(state) && mine == 0) return "the mover has thrown, but their throws are not counted";
  const int before = mine - thrown(state);  // players alternate; either may have started
  const bool many = mine == 9 && theirs == 9;
  if (!many && before != theirs && before != theirs - 1)
    return "the players throw in turn, but the numbers of throws do not match";
  for (int p = 0; p < 2; ++p) {
    const bool to_move = p == mover && thrown(state) && state.stage != Stage::kMarkTheirPoints;
    const int moved = throws_of(state, p) - to_move;
    const Men& men = state.men[p];
    if (moved > 0 && men == men_at_talon()) return "a player has thrown, but all their men are still on the talon";
    if (throws_of(state, p) == 9) continue;
    if (moved == 0 && men != men_at_talon()) return "men have moved, but no throw of their player is counted";
    int way = kFields * (kMen - men.total());
    for (int field = 0; field < kFields; ++field) way += field * men.count(field);
    if (way > 12 * moved || kMen - men.count(kTalon) > 2 * moved)
      return "the men have gone further than the throws can take them";
  }
  return nullptr;
}

}  // namespace tablier::trictrac
