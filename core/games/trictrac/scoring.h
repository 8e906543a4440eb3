// The score of a throw, as a function of the position before the move, the dice and the number of the throw in the
// setting. rules.md, 7 to 9. Marking it is in state.h.
#pragma once

#include "legal.h"

namespace tablier::trictrac {

enum class Jan : std::uint8_t {
  kHitSmall,
  kHitBig,
  kFalseSmall,
  kFalseBig,
  kCorner,
  kFillSmall,
  kFillBig,
  kFillReturn,
  kKeepSmall,
  kKeepBig,
  kKeepReturn,
  kSixTables,
  kTwoTables,
  kContreTwoTables,
  kMezeas,
  kContreMezeas,
  kExit,
  kHelpless,
  kPileDeMisere,
  kMargot,
  kRencontre,
};
inline constexpr int kJanCount = 21;

inline constexpr const char* kJanNames[kJanCount] = {
    "hit_small",       "hit_big",    "false_small", "false_big",         "corner",
    "fill_small",      "fill_big",   "fill_return", "conserve_small",    "conserve_big",
    "conserve_return", "six_tables", "two_tables",  "contre_two_tables", "mezeas",
    "contre_mezeas",   "exit",       "helpless",    "pile_de_misere",    "margot",
    "jan_de_rencontre"};

struct Tariff {
  std::uint8_t simple, doublet;
  bool to_opponent;
};

inline constexpr Tariff kTariff[kJanCount] = {
    {4, 6, false}, {2, 4, false},                               // true hits: small, big table
    {4, 6, true},  {2, 4, true},                                // false hits
    {4, 6, false},                                              // corner
    {4, 6, false}, {4, 6, false}, {4, 6, false},                // filling
    {4, 6, false}, {4, 6, false}, {4, 6, false},                // keeping
    {4, 4, false},                                              // six tables
    {4, 6, false}, {4, 6, true},  {4, 6, false}, {4, 6, true},  // two tables, mezeas, and their contre-jans
    {4, 6, false},                                              // exit
    {2, 2, true},                                               // unplayed numbers
    {4, 6, false}, {2, 4, true},  {4, 6, false},                // pile de misère, Margot, rencontre
};

// The options that affect scoring.
struct ScoringRules {
  BearingOff bearing_off = BearingOff::kParis;
  bool pile_de_misere = false;
  bool margot_la_fendue = false;
  bool mezeas_allowed = true;  // false if mezeas_next_throw_only is on and the last throw did not take the corner
};

struct Score {
  std::uint8_t ways[kJanCount] = {};
  int player = 0;
  int opponent = 0;

  void add(Jan jan, int count, bool doublet) {
    if (count == 0) return;
    ways[static_cast<int>(jan)] = static_cast<std::uint8_t>(ways[static_cast<int>(jan)] + count);
    const Tariff& tariff = kTariff[static_cast<int>(jan)];
    (tariff.to_opponent ? opponent : player) += count * (doublet ? tariff.doublet : tariff.simple);
  }
};

inline constexpr Mask kSmallTables = kSmallJan | kReturnJan;
inline constexpr Mask kBigTables = kBigJan | kTheirBig;

// The fields of `targets` that are hit: directly by a, by b (empty on a doublet), truly and falsely by the sum
// (rules.md, 9.1, 9.2). No man moves; the resting field is open unless two opposing men hold it.
struct Reach {
  Mask by_a, by_b, by_sum, falsely;

  Reach(const View& view, Mask targets, int a, int b)
      : by_a(targets & (view.some << a)), by_b(a == b ? 0 : targets & (view.some << b)) {
    const Mask open = kBoard & ~view.theirs_made;
    const Mask sum = targets & (view.some << (a + b));
    by_sum = sum & ((open << a) | (open << b));
    falsely = sum & ~by_sum;
  }

  int ways(Mask fields) const {
    return std::popcount(by_a & fields) + std::popcount(by_b & fields) + std::popcount(by_sum & fields);
  }
};

namespace detail {

inline void score_hits(const View& view, int a, int b, Score& score) {
  const Mask blots = view.theirs & ~view.theirs_made;
  if (blots == 0) return;
  const Reach reach(view, blots, a, b);
  score.add(Jan::kHitSmall, reach.ways(kSmallTables), a == b);
  score.add(Jan::kHitBig, reach.ways(kBigTables), a == b);
  score.add(Jan::kFalseSmall, std::popcount(reach.falsely & kSmallTables), a == b);
  score.add(Jan::kFalseBig, std::popcount(reach.falsely & kBigTables), a == b);
}

// Whether two men, other than the corner's pair, hit the empty opposing corner directly (rules.md, 9.3).
inline bool hits_corner(const View& view, int a, int b) {
  if (view.corner < 2 || view.they_hold_corner()) return false;
  const auto free_men = [&view](int d) {
    const int field = kOpposing - d;
    return view.men.count(field) - (field == kCorner ? 2 : 0);
  };
  return a == b ? free_men(a) >= 2 : free_men(a) >= 1 && free_men(b) >= 1;
}

// Adds the jans of the opening (rules.md, 9.4 to 9.6).
inline void score_opening(const View& view, int a, int b, int throw_index, bool mezeas_allowed, Score& score) {
  const int talon = view.men.count(kTalon);
  if (talon == 11 && throw_index == 3) {
    constexpr Mask kSix = 0x7e;  // fields 2-7
    const Mask singles = view.some & ~view.made & kSix, empty = kSix & ~view.some & ~view.theirs;
    if (std::popcount(singles) == 4 && (bit(a) | bit(b)) == empty) score.add(Jan::kSixTables, 1, a == b);
  }
  if (talon != 13) return;
  const bool contre = view.they_hold_corner();
  if (view.corner == 2) {
    if (mezeas_allowed && (a == 1 || b == 1)) {
      score.add(contre ? Jan::kContreMezeas : Jan::kMezeas, 1, a == b);
    }
    return;
  }
  // One man goes to field 12, the other to 13.
  const Mask down = view.some & ~bit(kTalon);
  const auto pair_on = [&view, down](int p, int q) {
    return p == q ? down == bit(p) && view.men.count(p) == 2 : down == (bit(p) | bit(q));
  };
  if (view.men.total() == kMen && (pair_on(kCorner - a, kOpposing - b) || pair_on(kCorner - b, kOpposing - a))) {
    score.add(contre ? Jan::kContreTwoTables : Jan::kTwoTables, 1, a == b);
  }
}

// The number of ways to cover the last man that a jan needs (rules.md, 8), given that some play fills it. A single way
// is then the one that fills; of several, each can be played with another number: see docs/rules-decisions.md.
inline int fill_ways(const View& view, Mask jan, int a, int b) {
  const int half = std::countr_zero(jan & ~view.made);
  const Mask spare = (view.some & ~jan) | (view.men.three() & jan);
  const auto spare_on = [spare](int field) { return field >= 0 && (spare >> field) & 1; };
  int ways = (spare_on(half - a) ? 1 : 0) + (a != b && spare_on(half - b) ? 1 : 0);
  const int far = half - a - b;
  if (spare_on(far) && (((view.rest >> (far + a)) | (view.rest >> (far + b))) & 1)) {
    const bool leaves_corner_alone = (far == kCorner && view.corner == 2) || (half == kCorner && view.corner == 0);
    ways += !leaves_corner_alone;
  }
  return ways;
}

}  // namespace detail

// The full score of a throw. `scratch` receives the plays if they had to be listed.
inline Score score_throw(const View& view, int a, int b, int throw_index, const ScoringRules& rules, Plays& scratch) {
  Score score;
  const bool doublet = a == b;
  detail::score_hits(view, a, b, score);
  score.add(Jan::kCorner, detail::hits_corner(view, a, b), doublet);
  detail::score_opening(view, a, b, throw_index, rules.mezeas_allowed, score);

  const int jan = nearly_full(view);
  const bool may_exit = near_home(view) && view.men.total() <= 2;
  if (jan >= 0 || may_exit || rules.pile_de_misere) {
    legal_plays(view, a, b, rules.bearing_off, scratch);
    score.add(Jan::kHelpless, scratch.unplayed, doublet);
    score.add(Jan::kExit, scratch.out, doublet);
  } else {
    score.add(Jan::kHelpless, unplayed_numbers(view, a, b, rules.bearing_off, scratch), doublet);
  }
  if (jan >= 0 && scratch.fills) {
    const int lacks = missing(view, kJans[jan]);
    const auto fill = static_cast<Jan>(static_cast<int>(Jan::kFillSmall) + jan);
    const auto keep = static_cast<Jan>(static_cast<int>(Jan::kKeepSmall) + jan);
    if (lacks == 0) {
      score.add(keep, 1, doublet);
    } else {
      score.add(fill, lacks == 2 ? 1 : detail::fill_ways(view, kJans[jan], a, b), doublet);
    }
  }
  if (rules.pile_de_misere) {  // rules.md, 9.10
    bool makes = false, passes = false, breaks = false;
    for (int i = 0; i < scratch.count; ++i) {
      const Men& men = scratch.play[i].men;
      const bool pile = men.count(kCorner) == kMen;
      makes |= pile;
      breaks |= !pile;
      passes |= (men.some() & ~(bit(kCorner + 1) - 1)) != 0;
    }
    score.add(Jan::kPileDeMisere, view.corner == kMen ? !breaks : makes && !passes, doublet);
  }
  if (rules.margot_la_fendue) {
    const Mask blots = view.theirs & ~view.theirs_made;
    const Mask cleft = kBoard & ~view.theirs & ~view.some & (blots << 1) & (blots >> 1);
    score.add(Jan::kMargot, Reach(view, cleft, a, b).ways(kBoard), doublet);
  }
  return score;
}

}  // namespace tablier::trictrac
