// The states after every legal action of a decision, made from one another instead of one by one, and the codes in
// which they differ.
#pragma once

#include "codes.h"
#include "flow.h"
#include "legal.h"

namespace tablier::trictrac {

namespace detail {

// Whether a play can change which quarters are filled, or bring the last men into the last quarter.
inline bool may_fill(const View& view) {
  if (view.men.total(kBoard & ~kReturnJan) <= 2) return true;
  for (const Mask quarter : kQuarters) {
    if (missing(view, quarter) <= 2) return true;
  }
  return false;
}

// The afterstates of one decision that continue with the opponent's throw. Only the men and the corner just taken
// differ from move to move: the opponent's points do not depend on it. The state near to all of them is that after
// moving no man.
class Moving {
 public:
  // `played` is the state after any of the moves.
  Moving(const Core& before, const View& view, const Core& played)
      : mover_(before.player), had_corner_(view.corner > 0), may_fill_(may_fill(view)), after_(played), still_(played) {
    still_.men[mover_] = view.men;
    set(still_.facts, kCornerFresh, mover_, false);
  }

  const Core& still() const { return still_; }

  const Core& after(const Play& play) {
    after_.men[mover_] = play.men;
    set(after_.facts, kCornerFresh, mover_, takes_corner(play));
    return after_;
  }

  // The first `count` codes of the mover that differ from those of still() (Afterstate in game.h). A man moves in one
  // step.
  template <class Put>
  void recode(const Play& play, int count, Put& put) {
    const auto [from, to] = play.moves;
    const auto step = [&put](int x, int x_to, int less, int more) {
      if (x_to == kOff) return put.fall(kFieldCode + x, less);
      put.step(kFieldCode + x, kFieldCode + x_to, less, more - (x_to == x));
    };
    step(from[0], to[0], 0, 0);
    step(from[1], to[1], (from[1] == to[0]) - (from[1] == from[0]), (to[1] == to[0]) - (to[1] == from[0]));
    if (may_fill_) put(kFilledCode, filled_code(play.men.made(), play.men.some()));
    if (count <= kCodes && !takes_corner(play)) return;
    const Core& then = after(play);
    put(kScoreCode, score_code(then, mover_));
    if (count <= kCodes) return;
    std::uint8_t expert[2 * kExpertCodes];
    write_expert_codes(then, mover_, expert);
    for (int i = 0; i < count - kCodes; ++i) put(kCodes + i, expert[i]);
  }

 private:
  bool takes_corner(const Play& play) const { return !had_corner_ && (play.men.made() & bit(kCorner)); }

  int mover_;
  bool had_corner_, may_fill_;
  Core after_, still_;
};

}  // namespace detail

// One of several afterstates (Afterstate in game.h).
struct AfterPlay {
  detail::Moving& moving;
  const Play& play;
  bool waits;  // for the throw; otherwise the opponent decides next, and sees other codes change

  const Core& state() const { return moving.after(play); }
  const Core* near(int count) const { return waits && count >= kCodes ? &moving.still() : nullptr; }
  template <class Put>
  void recode(int count, Put& put) const {
    moving.recode(play, count, put);
  }
};

// Calls visit(action, after) in ascending order of actions (game.h). Requires a move, or hold or leave, without
// schools.
template <class Visit>
void afterstates(const Core& state, Visit visit) {
  if (state.stage == Stage::kHoldOrGo) {
    Core after = state;
    leave(after);
    visit(kGo, Afterstate<Core>{after});
  }
  const View view = view_of(state);
  Plays plays;
  legal_plays(view, state.dice[0], state.dice[1], state.rules.bearing_off, plays);
  ActionSet listed;
  std::uint8_t play_of[kMoveActions];
  for (int i = 0; i < plays.count; ++i) {
    listed.add(plays.play[i].action);
    play_of[plays.play[i].action] = static_cast<std::uint8_t>(i);
  }
  Core after = state;
  play(after, plays.play[0].men);
  if (plays.out) return visit(plays.play[0].action, Afterstate<Core>{after});  // the only play; it ends the setting
  detail::Moving moving(state, view, after);
  const bool waits = after.stage == Stage::kRollWaiting;
  listed.for_each([&](int action) { visit(action, AfterPlay{moving, plays.play[play_of[action]], waits}); });
}

}  // namespace tablier::trictrac
