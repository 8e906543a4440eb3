// Plays when no man can be borne off: two men, one man, the corner by power, single numbers. rules.md, 3 and 4.
// near_home.h has the other plays.
#pragma once

#include "plays.h"

namespace tablier::trictrac::detail {

// Requires men outside the last quarter before and after any first number, so that none can be borne off. Calls
// emit(action, moves) for each play and returns the number of unplayed numbers.
template <class Emit>
class FarFromHome {
 public:
  FarFromHome(const View& view, int d1, int d2, Emit& emit)
      : view_(view), a_(d1), b_(d2), ordinal_(view.men), emit_(emit) {}

  int list() {
    pairs();
    one_man();
    if (by_power(view_, a_, b_)) power();
    if (found_) return 0;
    const int high = a_ > b_ ? a_ : b_, low = a_ > b_ ? b_ : a_;
    single(high);
    if (!found_ && high != low) single(low);
    if (found_) return 1;
    emit_(kPass, kNoMoves);
    return 2;
  }

 private:
  // Two men, one by die 1 from x, the other by die 2 from y. If one man starts where the other arrives, the final
  // position is that of a one-man play, which lists it; no other two pairs have the same final position.
  void pairs() {
    Mask xs = view_.some & (view_.stop >> a_), ys = view_.some & (view_.stop >> b_);
    const Mask arrive_x = bit(kCorner - a_), arrive_y = bit(kCorner - b_), corner = bit(kCorner);
    const bool equal = a_ == b_;
    if (view_.corner == 0 && ((xs & arrive_x) | (ys & arrive_y))) {
      if (by_effect(view_, a_, b_) && (xs & arrive_x) && (ys & arrive_y)) pair(kCorner - a_, kCorner - b_);
      xs &= ~arrive_x;
      ys &= ~arrive_y;
    } else if (view_.corner == 2) {
      if (xs & ys & corner) pair(kCorner, kCorner);
      xs &= ~corner;
      ys &= ~corner;
    }
    for (Mask left = xs; left != 0; left &= left - 1) {
      const int x = std::countr_zero(left);
      Mask others = ys & ~bit(x + a_);
      if (equal) {
        others &= ~(bit(x) - 1);
      } else if (x >= b_) {
        others &= ~bit(x - b_);
      }
      if (!((view_.made >> x) & 1) || (x == kCorner && view_.corner == 3)) others &= ~bit(x);
      for (; others != 0; others &= others - 1) pair(x, std::countr_zero(others));
    }
  }

  void pair(int x, int y) {
    const int c2 = ordinal_[y] - (x <= y && y < x + a_);
    found(move_action(kDie1First, ordinal_[x], c2), moves_of(x, x + a_, y, y + b_));
  }

  void one_man() {
    const Mask by_a = view_.rest >> a_, by_b = view_.rest >> b_;
    Mask from = view_.some & (by_a | by_b) & (view_.stop >> (a_ + b_));
    if (view_.corner == 0 && a_ + b_ <= kCorner) from &= ~bit(kCorner - a_ - b_);
    if (view_.corner == 2) from &= ~bit(kCorner);
    for (; from != 0; from &= from - 1) {
      const int x = std::countr_zero(from);
      int action;
      if ((by_a >> x) & 1) {
        action = move_action(kDie1First, ordinal_[x], ordinal_[x + a_]);
      } else if (view_.has(x + b_) && (view_.stop >> (x + b_)) & 1) {  // same as two men, the front one first
        action = move_action(kDie1First, ordinal_[x + b_], ordinal_[x]);
      } else {
        action = move_action(kDie2First, ordinal_[x], ordinal_[x + b_]);
      }
      found(action, move_of(x, x + a_ + b_));
    }
  }

  // The men are named as if they landed on the opposing corner.
  void power() {
    const int x = kOpposing - a_, y = kOpposing - b_;
    found(move_action(kDie1First, ordinal_[x], ordinal_[y] - (x <= y)), moves_of(x, kCorner, y, kCorner));
  }

  void single(int d) {
    for (Mask from = single_sources(view_, d); from != 0; from &= from - 1) {
      const int x = std::countr_zero(from);
      const int action = d == b_ ? move_action(kDie1First, 0, ordinal_[x]) : move_action(kDie1First, ordinal_[x], 0);
      found(action, move_of(x, x + d));
    }
  }

  void found(int action, Moves moves) {
    found_ = true;
    emit_(action, moves);
  }

  const View& view_;
  int a_, b_;
  Ordinals ordinal_;
  Emit& emit_;
  bool found_ = false;
};

}  // namespace tablier::trictrac::detail
