// The states after every legal action of a decision, made from one another instead of one by one.
#pragma once

#include "flow.h"
#include "legal.h"

namespace tablier::trictrac {

// Calls visit(action, after, alike) in ascending order of actions (game.h). Requires a move, or hold or leave, without
// schools. Only the men and the corner just taken differ from move to move: the opponent's points do not depend on it.
template <class Visit>
void afterstates(const Core& state, Visit visit) {
  if (state.stage == Stage::kHoldOrGo) {
    Core after = state;
    leave(after);
    visit(kGo, after, false);
  }
  Plays plays;
  legal_plays(view_of(state), state.dice[0], state.dice[1], state.rules.bearing_off, plays);
  ActionSet listed;
  std::uint8_t play_of[kMoveActions];
  for (int i = 0; i < plays.count; ++i) {
    listed.add(plays.play[i].action);
    play_of[plays.play[i].action] = static_cast<std::uint8_t>(i);
  }
  Core after = state;
  play(after, plays.play[0].men);
  if (plays.out) return visit(plays.play[0].action, after, false);  // the only play; it ends the setting
  const int mover = state.player;
  const bool had_corner = state.men[mover].count(kCorner) > 0;
  const bool waits = after.stage == Stage::kRollWaiting;
  bool alike = false;
  listed.for_each([&](int action) {
    after.men[mover] = plays.play[play_of[action]].men;
    if (!had_corner) set(after.facts, kCornerFresh, mover, after.men[mover].count(kCorner) == 2);
    visit(action, std::as_const(after), alike);
    alike = waits;  // otherwise the opponent is next to decide, and sees other codes change
  });
}

}  // namespace tablier::trictrac
