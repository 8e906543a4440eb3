// The legal plays of a throw, one for each resulting position, and the test of any spelling.
//
// A player must play both numbers if they can, the higher one if they can play either but not both, and as many of the
// four moves of a doublet as they can. A doublet is two turns of two moves. Whatever the first two are, they never cost
// a later move: a man on a given point has one move only, and a move that is possible stays possible until it is made.
// So each turn of a doublet needs no look ahead.
#pragma once

#include "actions.h"

namespace tablier::backgammon {

// The position of the mover as masks.
struct Side {
  Mask some, made;

  explicit Side(const Men& men) : some(men.some()), made(men.made()) {}

  Mask after(int from, int die) const { return after_move(some, made, from, die); }
};

namespace detail {

// Where the number `die` can be played, and for each such place where `next` can then be played.
struct InOrder {
  Mask first = 0, any = 0;  // `any` is not 0 if both can be played
  Mask second[kPlaces];     // by the place of the first move

  InOrder(const Side& side, Mask open, int die, int next) : first(sources(side.some, open, die)) {
    for (Mask left = first; left != 0; left &= left - 1) {
      const int from = std::countr_zero(left);
      second[from] = sources(side.after(from, die), open, next);
      any |= second[from];
    }
  }
  bool has(int from, int then) const {
    return from > kOff && then > kOff && first >> from & 1 && second[from] >> then & 1;
  }
};

}  // namespace detail

// Lists the plays of two different dice. A play is named by the men that play the higher and the lower number (a, b),
// whatever the order, except that
// - one man x can go on by way of x - high or of x - low: the pairs (x, x - high) and (x - low, x) have the same result
//   unless a man is hit on the way;
// - if two men are borne off, either may play the higher number.
// The spelling listed has the higher number first if possible, and then the man furthest back.
template <class Note>
void list_plays(const Side& side, const Ground& ground, int high, int low, Note note) {
  const detail::InOrder down(side, ground.open, high, low), up(side, ground.open, low, high);
  if ((down.any | up.any) == 0) {
    const bool low_first = down.first == 0;
    for (Mask left = low_first ? up.first : down.first; left != 0; left &= left - 1) {
      note(low_first, std::countr_zero(left), -1);
    }
    return;
  }
  const auto unhit = [&ground](int place) { return place <= kOff || !(ground.blots >> place & 1); };
  const auto runs_freely = [&](int x) { return unhit(x - high) && unhit(x - low); };
  for (Mask left = down.first; left != 0; left &= left - 1) {
    const int a = std::countr_zero(left);
    Mask seconds = down.second[a];
    const int x = a + low;  // if b == x, the net result is that x goes on by way of a
    if (x <= kBar && seconds >> x & 1 && runs_freely(x) && down.has(x, x - high)) seconds &= ~bit(x);
    if (a <= low) {
      for (Mask behind = seconds & kHome & ~(bit(a + 1) - 1) & (bit(low + 1) - 1); behind != 0; behind &= behind - 1) {
        const int b = std::countr_zero(behind);
        if (down.has(b, a)) seconds &= ~bit(b);
      }
    }
    for (; seconds != 0; seconds &= seconds - 1) note(false, a, std::countr_zero(seconds));
  }
  for (Mask left = up.first; left != 0; left &= left - 1) {
    const int b = std::countr_zero(left);
    for (Mask seconds = up.second[b]; seconds != 0; seconds &= seconds - 1) {
      const int a = std::countr_zero(seconds);
      if (down.has(a, b)) continue;
      // The same result with the higher number first.
      if (a == b - low && runs_freely(b) && down.has(b, b - high)) continue;
      if (b == a - high && runs_freely(a) && down.has(a - low, a)) continue;
      if (a <= low && b <= low && (down.has(b, a) || (b < a && up.has(a, b)))) continue;
      // A man x = a that goes on by way of a - high is also listed as (x, x - low), the man furthest back first.
      if (b == a - high && runs_freely(a) && up.has(a, a - low)) continue;
      note(true, b, a);
    }
  }
}

// The same for one turn of a doublet. The man furthest back can always move first.
template <class Note>
void list_doublet(const Side& side, const Ground& ground, int die, Note note) {
  const detail::InOrder twice(side, ground.open, die, die);
  for (Mask left = twice.first; left != 0; left &= left - 1) {
    const int a = std::countr_zero(left);
    if (twice.any == 0) {
      note(false, a, -1);
      continue;
    }
    for (Mask seconds = twice.second[a] & (bit(a + 1) - 1); seconds != 0; seconds &= seconds - 1) {
      note(false, a, std::countr_zero(seconds));
    }
  }
}

// Calls note(low_first, first, second) for each play, in no particular order; second is -1 if only one number can be
// played. Calls nothing if none can.
template <class Note>
void list_plays(const Men& mine, const Men& theirs, int d1, int d2, Note note) {
  const Side side(mine);
  const Ground ground(theirs);
  if (d1 == d2) return list_doublet(side, ground, d1, note);
  list_plays(side, ground, std::max(d1, d2), std::min(d1, d2), note);
}

// Whether an action is a legal play in any spelling.
inline bool is_legal_play(const Men& mine, const Men& theirs, int d1, int d2, int player, int action) {
  const Side side(mine);
  const Ground ground(theirs);
  const int high = std::max(d1, d2), low = std::min(d1, d2);
  const detail::InOrder down(side, ground.open, high, low), up(side, ground.open, low, high);
  if (action == kPass) return (down.first | up.first) == 0;
  const Spelling play(action, player);
  if (play.first < 0 || (play.low_first && high == low)) return false;
  const detail::InOrder& order = play.low_first ? up : down;
  if (play.second >= 0) return order.has(play.first, play.second);
  if ((down.any | up.any) != 0 || (play.low_first && down.first != 0)) return false;
  return order.first >> play.first & 1;
}

}  // namespace tablier::backgammon
