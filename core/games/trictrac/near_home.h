// Plays when men can be borne off. rules.md, 6. far_from_home.h has the other plays.
#pragma once

#include "plays.h"

namespace tablier::trictrac::detail {

// For positions with at most one man outside the last quarter: that man may enter, and then a man may be borne off
// (rules.md, 6). Tries every sequence, and compares the few final positions one by one.
class NearHome {
 public:
  NearHome(const View& view, int d1, int d2, BearingOff rule) : view_(view), d_{d1, d2}, rule_(rule) {}

  void list(Plays& out) const {
    for (int first = 0; first < (d_[0] == d_[1] ? 1 : 2); ++first) {
      both(first,
           [&out](int action, const Men& men, Moves moves, int excess) { keep(action, men, moves, excess, out); });
    }
    if (out.count == 0) {
      out.unplayed = 1;
      const int high = d_[0] >= d_[1] ? 0 : 1;
      single(high, out);
      if (out.count == 0 && d_[0] != d_[1]) single(1 - high, out);
    }
    if (out.count == 0) {
      out.unplayed = 2;
      out.push(kPass, view_.men, kNoMoves);
    }
    int fewest = 2;
    for (int i = 0; i < out.count; ++i) fewest = out.play[i].excess < fewest ? out.play[i].excess : fewest;
    int kept = 0;
    for (int i = 0; i < out.count; ++i) {
      if (out.play[i].excess != fewest) continue;
      out.play[kept++] = out.play[i];
    }
    out.count = kept;
  }

  // Whether the action plays both numbers in a legal order, with exactly this many excess exits.
  bool spells_both(int wanted, int excess) const {
    bool found = false;
    both(wanted >= kDie2First ? 1 : 0,
         [&](int action, const Men&, Moves, int used) { found |= action == wanted && used == excess; });
    return found;
  }

  // Whether the man on `from` may play this number alone, with exactly this many excess exits.
  bool plays_alone(int from, int number, int excess) const {
    bool found = false;
    steps(view_.men, number,
          [&](const Step& step) { found |= step.from == from && may_stop(step.to) && step.excess == (excess != 0); });
    return found;
  }

 private:
  struct Step {
    int from, to;  // to is kOff if borne off
    bool excess;
  };

  // Calls visit(step) for each man that can move by d, whether or not it may stop there.
  template <class Visit>
  void steps(const Men& men, int d, Visit visit) const {
    const Mask some = men.some();
    for (Mask left = some; left != 0; left &= left - 1) {
      const int from = std::countr_zero(left), to = from + d;
      if (to < kOff) {
        if ((view_.rest >> to) & 1) visit(Step{from, to, false});
      } else if (may_leave(men, some, from, to)) {
        visit(Step{from, kOff, to > kOff});
      }
    }
  }

  bool may_leave(const Men& men, Mask some, int from, int to) const {
    if (some & ~kReturnJan) return false;
    if (to > kOff && (some & (bit(from) - 1))) return false;  // by excess, only the rearmost man leaves
    if (rule_ == BearingOff::kParis) return true;
    return to > kOff &&
           (men.some() & (view_.stop >> (to - from))) == 0;  // the old rule: only if the number cannot be played inside
  }

  bool may_stop(int to) const { return to == kOff || (view_.stop >> to) & 1; }

  static Men after(const Men& men, const Step& step) {
    return moved(men, bit(step.from), step.to == kOff ? 0 : bit(step.to));
  }

  template <class Visit>
  void both(int first, Visit visit) const {
    const Ordinals ordinal(view_.men);
    steps(view_.men, d_[first], [&](const Step& one) {
      const Men between = after(view_.men, one);
      const Ordinals next(between);
      steps(between, d_[1 - first], [&](const Step& two) {
        if (!may_stop(two.to)) return;
        const Men men = after(between, two);
        if (men.count(kCorner) == 1) return;
        const bool two_men = may_stop(one.to) && (two.from != one.to || view_.has(one.to));
        const bool one_man = two.from == one.to && (two.to != kOff || one_man_may_leave(men));
        if (!two_men && !one_man) return;
        const int action = move_action(first == 0 ? kDie1First : kDie2First, ordinal[one.from], next[two.from]);
        visit(action, men, moves_of(one.from, one.to, two.from, two.to), one.excess + two.excess);
      });
    });
  }

  // By the old rule one man may leave with both numbers only to keep a full jan.
  bool one_man_may_leave(const Men& men) const {
    return rule_ == BearingOff::kParis || (has_full_jan(view_.men) && has_full_jan(men));
  }

  void single(int which, Plays& out) const {
    const Ordinals ordinal(view_.men);
    steps(view_.men, d_[which], [&](const Step& step) {
      const Men men = after(view_.men, step);
      if (!may_stop(step.to) || men.count(kCorner) == 1) return;
      const int c = ordinal[step.from];
      const int action = d_[which] == d_[1] ? move_action(kDie1First, 0, c) : move_action(kDie1First, c, 0);
      keep(action, men, move_of(step.from, step.to), step.excess, out);
    });
  }

  // Keeps one entry per final position: the one with the fewest excess exits, then the smallest action.
  static void keep(int action, const Men& men, Moves moves, int excess, Plays& out) {
    for (int i = 0; i < out.count; ++i) {
      Play& seen = out.play[i];
      if (!(seen.men == men)) continue;
      if (excess < seen.excess || (excess == seen.excess && action < seen.action)) {
        seen.excess = static_cast<std::uint8_t>(excess);
        seen.action = static_cast<std::uint16_t>(action);
      }
      return;
    }
    out.push(action, men, moves, excess);
  }

  const View& view_;
  int d_[2];
  BearingOff rule_;
};

}  // namespace tablier::trictrac::detail
