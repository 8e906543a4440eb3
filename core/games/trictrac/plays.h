// Every legal play of a throw: moving, the duty to play, the rest corner, bearing off, the duty to fill and to keep.
// rules.md, 3 to 6. A play is known by its action number (contract, section 3) and by the men's final position.
#pragma once

#include "board.h"

namespace tablier::trictrac {

inline constexpr int kGo = 1;             // leave after winning a hole
inline constexpr int kDie1First = 2;      // + 16 * c1 + c2
inline constexpr int kDie2First = 258;    // + 16 * c1 + c2
inline constexpr int kMoveActions = 514;  // 0 .. 513
inline constexpr int kPass = kDie1First;  // no number is played

enum class BearingOff : std::uint8_t { kParis, kByDefaultOnly };

struct Play {
  std::uint16_t action;  // the smallest of its spellings
  std::uint8_t excess;   // men borne off by excess numbers
  Men men;               // after the play
};

// The plays of a throw, one for each final position.
struct Plays {
  static constexpr int kMost = 256;  // 15 x 15 pairs of men, 15 men alone, and the corner by power

  int count = 0;
  int unplayed = 0;    // numbers that cannot be played (rules.md, 3.1)
  bool fills = false;  // some base play ends with a full jan, and only such are listed
  bool out = false;    // some base play bears off the last man, and only such are listed
  Play play[kMost];

  void push(int action, const Men& men, int excess = 0) {
    play[count++] = {static_cast<std::uint16_t>(action), static_cast<std::uint8_t>(excess), men};
  }
};

inline bool has_full_jan(const Men& men) {
  const Mask made = men.made();
  return (made & kSmallJan) == kSmallJan || (made & kBigJan) == kBigJan || (made & kReturnJan) == kReturnJan;
}

// Men that a jan lacks to be full (rules.md, 8).
inline int missing(const View& view, Mask jan) {
  return 2 * std::popcount(jan & ~view.some) + std::popcount(jan & view.some & ~view.made);
}

// The jan that lacks at most two men, or -1: fifteen men allow for one.
inline int nearly_full(const View& view) {
  for (int jan = 0; jan < 3; ++jan) {
    if (missing(view, kJans[jan]) <= 2) return jan;
  }
  return -1;
}

namespace detail {

inline Men moved(Men men, Mask from, Mask to) {
  men.remove(from);
  men.add(to);
  return men;
}

inline int code(int base, int c1, int c2) { return base + 16 * c1 + c2; }

// Could the own corner be taken by effect? Then not by power (rules.md, 4.2 and 4.4).
inline bool by_effect(const View& view, int a, int b) {
  if (view.corner != 0) return false;
  return a == b ? (view.made >> (kCorner - a)) & 1 : view.has(kCorner - a) && view.has(kCorner - b);
}

inline bool by_power(const View& view, int a, int b) {
  if (view.corner != 0 || view.they_hold_corner() || by_effect(view, a, b)) return false;
  return a == b ? (view.made >> (kOpposing - a)) & 1 : view.has(kOpposing - a) && view.has(kOpposing - b);
}

// The sources of a number that may be played alone under the corner rule (rules.md, 4.1).
inline Mask single_sources(const View& view, int d) {
  Mask from = view.some & (view.stop >> d);
  if (view.corner == 0) from &= ~bit(kCorner - d);
  if (view.corner == 2) from &= ~bit(kCorner);
  return from;
}

// Where the men of one play go: from x to x_to, and from y to y_to unless y is negative.
struct Moves {
  int x, x_to, y, y_to;
};

// Men are still outside the last quarter before and after any first number, so that nobody can be borne off. Calls
// emit(action, moves) for each play and returns how many numbers stay unplayed; the pass has x < 0.
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
    emit_(kPass, Moves{-1, -1, -1, -1});
    return 2;
  }

 private:
  // Two men, one by die 1 from x, the other by die 2 from y. A pair in which one man goes on from where the other
  // arrives has the final position of a one-man play and is listed there; no other two pairs end alike.
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
    found(code(kDie1First, ordinal_[x], c2), {x, x + a_, y, y + b_});
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
        action = code(kDie1First, ordinal_[x], ordinal_[x + a_]);
      } else if (view_.has(x + b_) && (view_.stop >> (x + b_)) & 1) {  // the same as two men, the front one first
        action = code(kDie1First, ordinal_[x + b_], ordinal_[x]);
      } else {
        action = code(kDie2First, ordinal_[x], ordinal_[x + b_]);
      }
      found(action, {x, x + a_ + b_, -1, -1});
    }
  }

  // The two men are named as if they landed on the opposing corner.
  void power() {
    const int x = kOpposing - a_, y = kOpposing - b_;
    found(code(kDie1First, ordinal_[x], ordinal_[y] - (x <= y)), {x, kCorner, y, kCorner});
  }

  void single(int d) {
    for (Mask from = single_sources(view_, d); from != 0; from &= from - 1) {
      const int x = std::countr_zero(from);
      const int action = d == b_ ? code(kDie1First, 0, ordinal_[x]) : code(kDie1First, ordinal_[x], 0);
      found(action, {x, x + d, -1, -1});
    }
  }

  void found(int action, const Moves& moves) {
    found_ = true;
    emit_(action, moves);
  }

  const View& view_;
  int a_, b_;
  Ordinals ordinal_;
  Emit& emit_;
  bool found_ = false;
};

// At most one man is outside the last quarter: he may enter and another, or he himself, be borne off (rules.md, 6).
// Every sequence is tried; the few final positions are compared one by one.
class NearHome {
 public:
  NearHome(const View& view, int d1, int d2, BearingOff rule) : view_(view), d_{d1, d2}, rule_(rule) {}

  void list(Plays& out) const {
    for (int first = 0; first < (d_[0] == d_[1] ? 1 : 2); ++first) {
      both(first, [&out](int action, const Men& men, int excess) { keep(action, men, excess, out); });
    }
    if (out.count == 0) {
      out.unplayed = 1;
      const int high = d_[0] >= d_[1] ? 0 : 1;
      single(high, out);
      if (out.count == 0 && d_[0] != d_[1]) single(1 - high, out);
    }
    if (out.count == 0) {
      out.unplayed = 2;
      out.push(kPass, view_.men);
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

  // Whether the action spells both numbers in an order that can be played, with so many excess exits.
  bool spells_both(int wanted, int excess) const {
    bool found = false;
    both(wanted >= kDie2First ? 1 : 0,
         [&](int action, const Men&, int used) { found |= action == wanted && used == excess; });
    return found;
  }

  // Whether the man on `from` may play this number alone, with so many excess exits.
  bool plays_alone(int from, int number, int excess) const {
    bool found = false;
    steps(view_.men, number,
          [&](const Step& step) { found |= step.from == from && may_stop(step.to) && step.excess == (excess != 0); });
    return found;
  }

 private:
  struct Step {
    int from, to;  // to = kOff: borne off
    bool excess;
  };

  // Calls visit(step) for each man that may go by d, whether or not he may stop there.
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
    if (to > kOff && (some & (bit(from) - 1))) return false;  // excess: only the rearmost man
    if (rule_ == BearingOff::kParis) return true;
    return to > kOff &&
           (men.some() & (view_.stop >> (to - from))) == 0;  // the old law: only what cannot be played inside
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
        const int action = code(first == 0 ? kDie1First : kDie2First, ordinal[one.from], next[two.from]);
        visit(action, men, one.excess + two.excess);
      });
    });
  }

  // The old law: one man leaves in one go only to keep a full jan.
  bool one_man_may_leave(const Men& men) const {
    return rule_ == BearingOff::kParis || (has_full_jan(view_.men) && has_full_jan(men));
  }

  void single(int which, Plays& out) const {
    const Ordinals ordinal(view_.men);
    steps(view_.men, d_[which], [&](const Step& step) {
      const Men men = after(view_.men, step);
      if (!may_stop(step.to) || men.count(kCorner) == 1) return;
      const int c = ordinal[step.from];
      keep(d_[which] == d_[1] ? code(kDie1First, 0, c) : code(kDie1First, c, 0), men, step.excess, out);
    });
  }

  // One entry for each final position: the fewest excess exits, then the smallest action.
  static void keep(int action, const Men& men, int excess, Plays& out) {
    for (int i = 0; i < out.count; ++i) {
      Play& seen = out.play[i];
      if (!(seen.men == men)) continue;
      if (excess < seen.excess || (excess == seen.excess && action < seen.action)) {
        seen.excess = static_cast<std::uint8_t>(excess);
        seen.action = static_cast<std::uint16_t>(action);
      }
      return;
    }
    out.push(action, men, excess);
  }

  const View& view_;
  int d_[2];
  BearingOff rule_;
};

template <class Keep>
void restrict_to(Plays& plays, Keep keep) {
  int kept = 0;
  for (int i = 0; i < plays.count; ++i) {
    if (keep(plays.play[i].men)) plays.play[kept++] = plays.play[i];
  }
  plays.count = kept;
}

}  // namespace detail

inline bool near_home(const View& view) {
  const Mask outside = view.some & ~kReturnJan;
  return (outside & (outside - 1)) == 0 && (outside & view.made) == 0;
}

// The legal plays of dice (d1, d2). With schools a player may neglect to fill or keep: then `must_fill` is false, and
// `out.fills` only tells that he could have.
inline void legal_plays(const View& view, int d1, int d2, BearingOff rule, Plays& out, bool must_fill = true) {
  out.count = out.unplayed = 0;
  out.fills = out.out = false;
  if (!near_home(view)) {
    auto keep = [&](int action, const detail::Moves& moves) {
      Men men = view.men;
      if (moves.x >= 0) men = detail::moved(men, bit(moves.x), bit(moves.x_to));
      if (moves.y >= 0) men = detail::moved(men, bit(moves.y), bit(moves.y_to));
      out.push(action, men);
    };
    out.unplayed = detail::FarFromHome(view, d1, d2, keep).list();
  } else {
    detail::NearHome(view, d1, d2, rule).list(out);
    for (int i = 0; i < out.count; ++i) out.out |= out.play[i].men.some() == 0;
    if (out.out) {
      out.unplayed = 0;
      detail::restrict_to(out, [](const Men& men) { return men.some() == 0; });
      return;
    }
  }
  const int jan = nearly_full(view);
  if (jan < 0) return;
  const Mask fields = kJans[jan];
  const auto full = [fields](const Men& men) { return (men.made() & fields) == fields; };
  for (int i = 0; i < out.count && !out.fills; ++i) out.fills = full(out.play[i].men);
  if (out.fills && must_fill) detail::restrict_to(out, full);
}

// Calls note(action) for each legal play: where no jan can be filled and nobody borne off, without making positions.
template <class Note>
void legal_actions(const View& view, int d1, int d2, BearingOff rule, bool must_fill, Note note) {
  if (!near_home(view) && (!must_fill || nearly_full(view) < 0)) {
    auto keep = [&note](int action, const detail::Moves&) { note(action); };
    detail::FarFromHome(view, d1, d2, keep).list();
    return;
  }
  Plays plays;
  legal_plays(view, d1, d2, rule, plays, must_fill);
  for (int i = 0; i < plays.count; ++i) note(plays.play[i].action);
}

// Whether an action spells a play whose final position is listed: the right men, an order that can be played, and only
// numbers that are played (contract, section 3: any legal spelling is accepted).
inline bool spells(const View& view, int d1, int d2, BearingOff rule, const Plays& plays, int action) {
  const bool die2_first = action >= kDie2First;
  const int index = action - (die2_first ? kDie2First : kDie1First);
  const int c1 = index / 16, c2 = index % 16;
  const int first = die2_first ? d2 : d1, second = die2_first ? d1 : d2;
  const auto listed = [&plays](const Men& men) -> const Play* {
    for (int i = 0; i < plays.count; ++i) {
      if (plays.play[i].men == men) return &plays.play[i];
    }
    return nullptr;
  };
  if (c1 == 0 && c2 == 0) return plays.play[0].action == kPass;
  if (plays.play[0].action == kPass) return false;
  const int listed_index = plays.play[0].action - (plays.play[0].action >= kDie2First ? kDie2First : kDie1First);
  const bool alone = listed_index / 16 == 0 || listed_index % 16 == 0;  // all plays have equally many numbers
  if (alone != (c1 == 0 || c2 == 0)) return false;
  const bool home = near_home(view);
  if (alone) {
    const int number = c1 != 0 ? first : second, from = Ordinals::field(view.men, c1 + c2);
    const int played = listed_index / 16 == 0 ? d2 : d1;  // the one number that is played, as the list spells it
    if (from < 0 || number != played) return false;
    const int to = from + number;
    const Play* play = listed(detail::moved(view.men, bit(from), to < kOff ? bit(to) : 0));
    if (play == nullptr) return false;
    return !home || detail::NearHome(view, d1, d2, rule).plays_alone(from, number, play->excess);
  }
  const int from1 = Ordinals::field(view.men, c1);
  if (from1 < 0) return false;
  const int to1 = from1 + first;
  const Men between = detail::moved(view.men, bit(from1), to1 < kOff ? bit(to1) : 0);
  const int from2 = Ordinals::field(between, c2);
  if (from2 < 0) return false;
  const int to2 = from2 + second;
  const bool power = to1 == kOpposing && to2 == kOpposing;
  if (power && !detail::by_power(view, d1, d2)) return false;
  Men men = between;
  men.remove(bit(from2));
  if (power) {
    men.remove(bit(kOpposing));
    men.add(bit(kCorner));
    men.add(bit(kCorner));
  } else if (to2 < kOff) {
    men.add(bit(to2));
  }
  const Play* play = listed(men);
  if (play == nullptr || power) return play != nullptr;
  if (home) return detail::NearHome(view, d1, d2, rule).spells_both(action, play->excess);
  return to1 < kOff && ((from2 == to1 ? view.rest : view.stop) >> to1) & 1;
}

// How many numbers stay unplayed, without listing plays where that can be told at a glance.
inline int unplayed_numbers(const View& view, int d1, int d2, BearingOff rule, Plays& scratch) {
  const Mask touched = bit(kCorner) | bit(kCorner - d1) | bit(kCorner - d2);  // where the corner rule may interfere
  const Mask xs = view.some & (view.stop >> d1) & ~touched, ys = view.some & (view.stop >> d2) & ~touched;
  if (xs != 0 && ys != 0 && !near_home(view)) {
    const Mask both = xs | ys;
    if ((both & (both - 1)) != 0 || (both & view.made) != 0) return 0;  // two men for the two numbers
  }
  legal_plays(view, d1, d2, rule, scratch);
  return scratch.unplayed;
}

}  // namespace tablier::trictrac
