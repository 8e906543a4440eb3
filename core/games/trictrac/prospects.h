// What a player can expect from their next throw: a fast count over the 21 different throws.
//
// Hits and the corner are counted exactly as in scoring.h. Filling, keeping and unplayable numbers are approximated
// without listing plays: which spare men reach the jan, and whether a man can play the other number. That is right for
// nearly all throws, except where rules about the corner's pair or exits interfere.
#pragma once

#include "scoring.h"

namespace tablier::trictrac {

// Sums over the 36 throws for a player with `points`, whose next hole is double if `run`.
struct ThrowCounts {
  int points = 0;   // marked by the player
  int holes = 0;    // won with them
  int scores = 0;   // throws that mark anything
  int given = 0;    // points marked by the opponent
  int corner = 0;   // throws that can take the corner
  int blocked = 0;  // how many of the six numbers no man can play
};

// The same as means.
struct Prospects {
  float points = 0;   // marked by the player
  float holes = 0;    // won with them
  float scores = 0;   // probability of marking anything
  float given = 0;    // points marked by the opponent
  float corner = 0;   // probability that the corner can be taken
  float blocked = 0;  // how many of the six numbers no man can play
};

namespace detail {

// Counts the ways in which a throw fills or keeps the jan that needs at most two men.
class Filling {
 public:
  Filling(const View& view, int jan) : view_(view), fields_(kJans[jan]), lacks_(missing(view, fields_)) {
    const Mask four = view.men.plane[2] | view.men.plane[3];
    spare_ = (view.some & ~fields_) | (view.men.three() & fields_);
    two_ = (view.made & ~fields_) | (four & fields_);
    home_ = (view.some & ~kReturnJan) == 0;
    big_ = jan == 1;
    if (view.corner == 2) spare_ &= ~bit(kCorner);               // a single man of the corner's pair cannot leave
    stop_ = view.stop & ~(view.corner == 0 ? bit(kCorner) : 0);  // nor can a single man take the corner
    const Mask open = fields_ & ~view.made;
    first_ = open ? std::countr_zero(open) : -1;
    second_ = open & (open - 1) ? 31 - std::countl_zero(open) : first_;
    for (int d = 1; d <= 6; ++d) {
      sources_[d] = spare_ & (stop_ >> d);
      if (home_) sources_[d] |= spare_ & bit(kOff - d);  // exact exits only: men of the jan stand behind all others
      playable_[d] = home_ || single_sources(view, d) != 0;
    }
  }

  int ways(int a, int b) const {
    if (lacks_ == 0) return keeps(a, b);
    if (lacks_ == 2) {
      const bool power = first_ == kCorner && by_power(view_, a, b) && covers(kOpposing, a, kOpposing, b);
      return covers(first_, a, second_, b) || covers(first_, b, second_, a) || power;
    }
    int ways = (on(first_ - a) && other(first_ - a, b)) + (a != b && on(first_ - b) && other(first_ - b, a));
    const int far = first_ - a - b;
    return ways + (on(far) && (((view_.rest >> (far + a)) | (view_.rest >> (far + b))) & 1));
  }

 private:
  bool on(int field) const { return field >= 0 && (spare_ >> field) & 1; }
  // Whether another spare man can play b after the one on `used` is gone, or no man can play b at all.
  bool other(int used, int b) const {
    const Mask left = sources_[b] & ~(bit(used) & ~two_);
    return left != 0 || !playable_[b];
  }
  bool covers(int one, int a, int two, int b) const {
    const int x = one - a, y = two - b;
    if (!on(x) || !on(y)) return false;
    return x != y || (two_ >> x) & 1;
  }
  bool keeps(int a, int b) const {
    const Mask x = sources_[a], y = sources_[b], both = x | y;
    if (x != 0 && y != 0 && ((both & (both - 1)) != 0 || (both & two_) != 0)) return true;
    if ((x != 0 && !playable_[b]) || (y != 0 && !playable_[a]) || (!playable_[a] && !playable_[b])) return true;
    if (spare_ & (stop_ >> (a + b)) & ((view_.rest >> a) | (view_.rest >> b))) return true;
    if (big_) return false;
    // The corner is left or taken by two men together.
    if (view_.corner == 2) return (view_.stop >> (kCorner + a)) & (view_.stop >> (kCorner + b)) & 1;
    if (view_.corner != 0) return false;
    return covers(kCorner, a, kCorner, b) || (by_power(view_, a, b) && covers(kOpposing, a, kOpposing, b));
  }

  const View& view_;
  Mask fields_, spare_, two_, stop_;
  int lacks_, first_, second_;
  bool home_, big_;
  Mask sources_[7];
  bool playable_[7];
};

// Whether a throw bears off the last one or two men, all at home (rules.md, 9.8).
inline bool exits(const View& view, int a, int b) {
  const int rear = kOff - std::countr_zero(view.some), fore = kOff - (31 - std::countl_zero(view.some));
  if (view.men.total() == 1) return a + b >= rear;
  const int high = a > b ? a : b, low = a > b ? b : a;
  return high >= rear && low >= fore;
}

// The number of throws out of 36 that can take the corner, by effect or by power (rules.md, 4).
inline int corner_throws(const View& view) {
  if (view.corner != 0) return 0;
  // Bit 11 - d: a man (two for the doublet) from where d leads to the own corner, or to the opposing one.
  constexpr Mask kByEffect = 0x7e0, kByPower = 0x3e0;
  const Mask power = view.they_hold_corner() ? 0 : kByPower;
  const Mask effect_one = view.some & kByEffect, effect_two = view.made & kByEffect;
  const Mask power_one = (view.some >> 1) & power, power_two = (view.made >> 1) & power;
  const auto pairs = [](Mask numbers) { return std::popcount(numbers) * (std::popcount(numbers) - 1); };
  return pairs(effect_one) + pairs(power_one) - pairs(effect_one & power_one) + std::popcount(effect_two | power_two);
}

// The points of each throw, in row a - 1 and column b - 1 where a <= b. Rows are padded to eight numbers, so that the
// sums below are a few vector operations.
struct Gains {
  alignas(16) std::int16_t of[6][8] = {};
  bool any = false;

  static constexpr auto kTimes = [] {  // out of 36 throws: 1, 2, or 0 in unused entries
    std::array<std::int16_t, 48> times{};
    for (std::size_t a = 0; a < 6; ++a) {
      for (std::size_t b = a; b < 6; ++b) times[8 * a + b] = a == b ? 1 : 2;
    }
    return times;
  }();

  void add(int a, int b, int points) { of[a - 1][b - 1] = static_cast<std::int16_t>(of[a - 1][b - 1] + points); }
  // Adds the points of each number by itself, and the extra points of its doublet.
  void add_numbers(const std::int16_t (&worth)[8], const int (&doublet)[6]) {
    for (int a = 0; a < 6; ++a) {
      for (int b = 0; b < 8; ++b) of[a][b] = static_cast<std::int16_t>(worth[a] + worth[b]);
      of[a][a] = static_cast<std::int16_t>(worth[a] + doublet[a]);
    }
  }
  // Adds ways that are worth 4 points each, or 6 on a doublet.
  template <class Ways>
  void add_each(Ways ways) {
    any = true;
    for (int a = 1; a <= 6; ++a) {
      for (int b = a; b <= 6; ++b) add(a, b, (a == b ? 6 : 4) * ways(a, b));
    }
  }

  void sum_up(int points, bool run, ThrowCounts& result) const {
    const std::int16_t* x = &of[0][0];
    std::int16_t sum = 0, scores = 0, holes = 0;
    const auto single = static_cast<std::int16_t>(run || points == 0 ? 0 : 1), had = static_cast<std::int16_t>(points);
    for (int i = 0; i < 48; ++i) {
      const std::int16_t times = kTimes[static_cast<std::size_t>(i)];
      const auto twelves = static_cast<std::int16_t>(((had + x[i]) * 171) >> 11);  // division by 12, exact up to 190
      sum = static_cast<std::int16_t>(sum + times * x[i]);
      scores = static_cast<std::int16_t>(scores + (x[i] > 0 ? times : 0));
      holes = static_cast<std::int16_t>(holes + times * (2 * twelves - (twelves > 0 ? single : 0)));
    }
    result.points = sum;
    result.scores = scores;
    result.holes = holes;
  }
};

// Adds hits by one number and by the sum (rules.md, 9.1). Returns the opponent's points for false hits in 36 throws.
inline int add_hits(const View& view, Gains& gains) {
  Mask within = view.some << 1 | view.some << 2;
  within |= within << 2;
  within |= within << 4 | within << 8;  // fields one to twelve ahead of a man
  const Mask blots = view.theirs & ~view.theirs_made & within, open = kBoard & ~view.theirs_made;
  if (blots == 0) return 0;
  gains.any = true;
  std::int16_t worth[8] = {};
  int doublet[6], given = 0;
  for (int d = 1; d <= 6; ++d) {
    const Mask hit = blots & (view.some << d);
    doublet[d - 1] = 2 * std::popcount(hit);
    worth[d - 1] = static_cast<std::int16_t>(doublet[d - 1] + 2 * std::popcount(hit & kSmallTables));
  }
  gains.add_numbers(worth, doublet);
  for (int sum = 2; sum <= 12; ++sum) {
    const Mask far = blots & (view.some << sum);
    if (far == 0) continue;
    for (int a = sum > 6 ? sum - 6 : 1; 2 * a <= sum; ++a) {
      const int b = sum - a, each = a == b ? 4 : 2;
      const Mask truly = far & ((open << a) | (open << b)), falsely = far & ~truly;
      gains.add(a, b, each * std::popcount(truly) + 2 * std::popcount(truly & kSmallTables));
      if (falsely == 0) continue;
      given += (a == b ? 1 : 2) * (each * std::popcount(falsely) + 2 * std::popcount(falsely & kSmallTables));
    }
  }
  return given;
}

// Adds the jans of the opening (rules.md, 9.4 to 9.6), exactly.
inline int add_opening(const View& view, int throw_index, Gains& gains) {
  int given = 0;
  for (int a = 1; a <= 6; ++a) {
    for (int b = a; b <= 6; ++b) {
      Score score;
      score_opening(view, a, b, throw_index, true, score);
      gains.add(a, b, score.player);
      gains.any = true;
      given += (a == b ? 1 : 2) * score.opponent;
    }
  }
  return given;
}

// The number of the six numbers that no man can play.
inline int blocked_numbers(const View& view) {
  if ((view.some & ~kReturnJan) == 0) return 0;
  int blocked = 0;
  for (int d = 1; d <= 6; ++d) blocked += single_sources(view, d) == 0;
  return blocked;
}

}  // namespace detail

inline ThrowCounts throw_counts(const View& view, int points, bool run, int throw_index) {
  ThrowCounts result;
  detail::Gains gains;
  const int jan = nearly_full(view), talon = view.men.count(kTalon), blocked = detail::blocked_numbers(view);
  int given = 24 * blocked;  // each number appears on twelve dice in 36 throws
  given += detail::add_hits(view, gains);
  if (talon == 13 || (talon == 11 && throw_index == 3)) given += detail::add_opening(view, throw_index, gains);
  if (jan >= 0) {
    const detail::Filling filling(view, jan);
    gains.add_each([&filling](int a, int b) { return filling.ways(a, b); });
  }
  if (view.corner >= 2 && !view.they_hold_corner()) {  // rules.md, 9.3; bit d: free men that reach the corner by d
    const Men& men = view.men;
    Mask one = 0, two = 0;
    for (int d = 2; d <= 6; ++d) {
      one |= ((view.some >> (kOpposing - d)) & 1) << d;
      two |= ((view.made >> (kOpposing - d)) & 1) << d;
    }
    one |= (men.count(kCorner) >= 3 ? 2u : 0u);
    two |= (men.count(kCorner) >= 4 ? 2u : 0u);
    gains.add_each(
        [one, two](int a, int b) { return static_cast<int>((a == b ? two >> a : (one >> a) & (one >> b)) & 1); });
  }
  if ((view.some & ~kReturnJan) == 0 && view.men.total() <= 2) {
    gains.add_each([&view](int a, int b) { return detail::exits(view, a, b); });
  }
  if (gains.any) gains.sum_up(points, run, result);
  result.given = given;
  result.corner = detail::corner_throws(view);
  result.blocked = blocked;
  return result;
}

inline Prospects prospects(const View& view, int points, bool run, int throw_index) {
  const ThrowCounts sums = throw_counts(view, points, run, throw_index);
  const auto mean = [](int sum) { return static_cast<float>(sum) * (1.0f / 36); };
  return {mean(sums.points), mean(sums.holes),  mean(sums.scores),
          mean(sums.given),  mean(sums.corner), static_cast<float>(sums.blocked)};
}

}  // namespace tablier::trictrac
