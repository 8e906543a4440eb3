// What a player's next throw promises: a fast count over the 21 different throws, from the position before them.
//
// Hits, true and false, and the corner are counted exactly as scoring.h counts them. Filling, keeping and helpless
// numbers are judged without listing plays: which spare men reach, and whether the other number finds a man. That is
// right for nearly all throws; where a rule of detail interferes (the corner's pair, exits) it may err.
#pragma once

#include "scoring.h"

namespace tablier::trictrac {

// Means over the 36 throws, of a player who has `points` and whose next hole is double if `run`.
struct Prospects {
  float points = 0;   // he marks
  float holes = 0;    // he wins by them
  float scores = 0;   // probability that he marks anything
  float given = 0;    // points the other player marks
  float jan = 0;      // probability that he fills or keeps a jan
  float hits = 0;     // points of true hits
  float corner = 0;   // probability that he can take his corner
  float blocked = 0;  // how many of the six numbers no man can play
};

namespace detail {

// Whether a throw fills the jan that lacks at most two men, or keeps it: in how many ways.
class Filling {
 public:
  Filling(const View& view, int jan) : view_(view), fields_(kJans[jan]), lacks_(missing(view, fields_)) {
    const Mask four = view.men.plane[2] | view.men.plane[3];
    spare_ = (view.some & ~fields_) | (view.men.three() & fields_);
    two_ = (view.made & ~fields_) | (four & fields_);
    home_ = (view.some & ~kReturnJan) == 0;
    if (view.corner == 2 && jan == 2) spare_ &= ~bit(kCorner);  // one of the corner's pair cannot leave alone
    const Mask open = fields_ & ~view.made;
    first_ = open ? std::countr_zero(open) : -1;
    second_ = open & (open - 1) ? 31 - std::countl_zero(open) : first_;
    for (int d = 1; d <= 6; ++d) {
      sources_[d] = spare_ & (view.stop >> d);
      if (home_) sources_[d] |= spare_ & ~(bit(kOff - d) - 1);
      playable_[d] = home_ || (view.some & (view.stop >> d)) != 0;
    }
  }

  int ways(int a, int b) const {
    if (lacks_ == 0) return keeps(a, b);
    if (lacks_ == 2) return covers(first_, a, second_, b) || covers(first_, b, second_, a) || by_power(view_, a, b);
    int ways = (on(first_ - a) && other(first_ - a, b)) + (a != b && on(first_ - b) && other(first_ - b, a));
    const int far = first_ - a - b;
    return ways + (on(far) && (((view_.rest >> (far + a)) | (view_.rest >> (far + b))) & 1));
  }

 private:
  bool on(int field) const { return field >= 0 && (spare_ >> field) & 1; }
  // The number b is played by a spare man too, the one on `used` being gone, or by nobody.
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
    return (spare_ & (view_.stop >> (a + b)) & ((view_.rest >> a) | (view_.rest >> b))) != 0;
  }

  const View& view_;
  Mask fields_, spare_, two_;
  int lacks_, first_, second_;
  bool home_;
  Mask sources_[7];
  bool playable_[7];
};

// All men out (rules.md, 9.8): with one or two men left, home.
inline bool exits(const View& view, int a, int b) {
  const int rear = kOff - std::countr_zero(view.some), fore = kOff - (31 - std::countl_zero(view.some));
  if (view.men.total() == 1) return a + b >= rear;
  const int high = a > b ? a : b, low = a > b ? b : a;
  return high >= rear && low >= fore;
}

}  // namespace detail

inline Prospects prospects(const View& view, int points, bool run, int throw_index) {
  const Mask blots = view.theirs & ~view.theirs_made, open = kBoard & ~view.theirs_made;
  const int jan = nearly_full(view), talon = view.men.count(kTalon);
  const detail::Filling filling(view, jan < 0 ? 0 : jan);
  const bool home = (view.some & ~kReturnJan) == 0;
  const bool last = home && view.men.total() <= 2;
  const bool opening = talon == 13 || (talon == 11 && throw_index == 3);
  // Men that reach the opposing corner or the own one, by number: bit d of a mask.
  const Mask free_men = view.some & ~(view.corner == 2 ? bit(kCorner) : 0);
  int direct[7], reached[7], helpless[7];
  Prospects result;
  for (int d = 1; d <= 6; ++d) {
    const Mask hit = blots & (view.some << d);
    reached[d] = std::popcount(hit);
    direct[d] = 2 * reached[d] + 2 * std::popcount(hit & kSmallTables);
    helpless[d] = !home && detail::single_sources(view, d) == 0;
    result.blocked += static_cast<float>(helpless[d]);
  }
  int sum = 0, holes = 0, scores = 0, given = 0, jans = 0, hits = 0, corner = 0;
  for (int a = 1; a <= 6; ++a) {
    for (int b = a; b <= 6; ++b) {
      const bool doublet = a == b;
      const int times = doublet ? 1 : 2, tariff = doublet ? 6 : 4;
      int x = doublet ? direct[a] + 2 * reached[a] : direct[a] + direct[b];
      int y = 2 * (helpless[a] + helpless[b]);
      if (const Mask far = blots & (view.some << (a + b))) {
        const Mask truly = far & ((open << a) | (open << b)), falsely = far & ~truly;
        const int less = tariff - 2;
        x += less * std::popcount(truly) + 2 * std::popcount(truly & kSmallTables);
        y += less * std::popcount(falsely) + 2 * std::popcount(falsely & kSmallTables);
      }
      hits += times * x;
      if (view.corner >= 2) {
        if (!view.they_hold_corner() && (free_men >> (kOpposing - a)) & (free_men >> (kOpposing - b)) & 1 &&
            detail::hits_corner(view, a, b))
          x += tariff;
      } else if (detail::by_effect(view, a, b) || detail::by_power(view, a, b)) {
        corner += times;
      }
      if (jan >= 0) {
        const int ways = filling.ways(a, b);
        x += tariff * ways;
        jans += times * (ways > 0);
      }
      if (last && detail::exits(view, a, b)) x += tariff;
      if (opening) {
        Score score;
        detail::score_opening(view, a, b, throw_index, true, score);
        x += score.player;
        y += score.opponent;
      }
      sum += times * x;
      given += times * y;
      if (x > 0) scores += times;
      if (points + x >= 12) holes += times * (run || points == 0 ? 2 : 1) + times * 2 * ((points + x) / 12 - 1);
    }
  }
  const auto mean = [](int of36) { return static_cast<float>(of36) * (1.0f / 36); };
  result.points = mean(sum);
  result.holes = mean(holes);
  result.scores = mean(scores);
  result.given = mean(given);
  result.jan = mean(jans);
  result.hits = mean(hits);
  result.corner = mean(corner);
  return result;
}

}  // namespace tablier::trictrac
