// The legal plays of a throw: the duty to play, to fill and to keep, and all spellings of a play. rules.md, 3 to 6.
// What a throw scores is in scoring.h.
#pragma once

#include "far_from_home.h"
#include "near_home.h"

namespace tablier::trictrac {

namespace detail {

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

// Lists the legal plays of dice (d1, d2). With schools a player may neglect to fill or keep: `must_fill` is then false,
// and `out.fills` only reports that it was possible.
inline void legal_plays(const View& view, int d1, int d2, BearingOff rule, Plays& out, bool must_fill = true) {
  out.count = out.unplayed = 0;
  out.fills = out.out = false;
  if (!near_home(view)) {
    int from = 0, to = 0;
    Men half = view.men;  // after the first move, which many plays in a row have in common
    auto keep = [&](int action, Moves moves) {
      if (moves.from[0] != from || moves.to[0] != to) {
        from = moves.from[0];
        to = moves.to[0];
        half = detail::moved(view.men, bit(from), bit(to));
      }
      out.push(action, detail::moved(half, bit(moves.from[1]), bit(moves.to[1])), moves);
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

// Calls note(action) for each legal play. Builds no positions if no jan can be filled and no man borne off.
template <class Note>
void legal_actions(const View& view, int d1, int d2, BearingOff rule, bool must_fill, Note note) {
  if (!near_home(view) && (!must_fill || nearly_full(view) < 0)) {
    auto keep = [&note](int action, Moves) { note(action); };
    detail::FarFromHome(view, d1, d2, keep).list();
    return;
  }
  Plays plays;
  legal_plays(view, d1, d2, rule, plays, must_fill);
  for (int i = 0; i < plays.count; ++i) note(plays.play[i].action);
}

// Whether an action spells a listed play: the right men, in an order that can be played, with only the numbers that are
// played. Any legal spelling is accepted (contract, section 3).
inline bool spells(const View& view, int d1, int d2, BearingOff rule, const Plays& plays, int action) {
  const Move move(view.men, d1, d2, action), shown(view.men, d1, d2, plays.play[0].action);
  if (!move.named) return false;
  // All plays of a throw use the same numbers: none, the one that can be played, or both.
  const int count = move.played(0) + move.played(1);
  if (count != shown.played(0) + shown.played(1)) return false;
  if (count == 0) return true;
  const Play* play = nullptr;
  for (int i = 0; i < plays.count && play == nullptr; ++i) {
    if (plays.play[i].men == move.men) play = &plays.play[i];
  }
  if (play == nullptr) return false;
  if (count == 1) {
    const int i = move.played(0) ? 0 : 1;
    if (move.number[i] != shown.number[shown.played(0) ? 0 : 1]) return false;
    return !near_home(view) ||
           detail::NearHome(view, d1, d2, rule).plays_alone(move.from[i], move.number[i], play->excess);
  }
  if (move.power) return detail::by_power(view, d1, d2);
  if (near_home(view)) return detail::NearHome(view, d1, d2, rule).spells_both(action, play->excess);
  return move.to[0] < kOff && ((move.one_man() ? view.rest : view.stop) >> move.to[0]) & 1;
}

// How many of the two numbers stay unplayed. Lists plays only if the masks do not decide it.
inline int unplayed_numbers(const View& view, int d1, int d2, BearingOff rule, Plays& scratch) {
  const Mask touched =
      bit(kCorner) | bit(kCorner - d1) | bit(kCorner - d2);  // fields where the corner rule may interfere
  const Mask xs = view.some & (view.stop >> d1) & ~touched, ys = view.some & (view.stop >> d2) & ~touched;
  if (xs != 0 && ys != 0 && !near_home(view)) {
    const Mask both = xs | ys;
    if ((both & (both - 1)) != 0 || (both & view.made) != 0) return 0;  // two men can play the two numbers
  }
  legal_plays(view, d1, d2, rule, scratch);
  return scratch.unplayed;
}

}  // namespace tablier::trictrac
