// Exact play of hypergammon: the equity of every position of one, two or three men a side, by value iteration.
//
// A player's position is a multiset of places (board.h), numbered so that moving a man lowers the number. Row x, column
// y of the table is the equity of a player on throw whose position is y, against an opponent whose position is x.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "state.h"

namespace tablier::backgammon {

class Hyper {
 public:
  static constexpr int kMostMen = 3;
  using Places = std::array<int, kMostMen>;  // ascending; only the first `men` are used

  // `most` is what the largest win counts: 1, 2 or 3.
  Hyper(int men, int most) : men_(men), most_(most), sides_(static_cast<std::size_t>(count(men))) {
    Places places{};
    list(places, 0, 0);
  }

  // The number of positions of one player.
  static constexpr int count(int men) { return choose(kPlaces + men - 1, men); }
  static int index(const Places& places, int men) {
    int sum = 0;
    for (int k = 0; k < men; ++k) sum += choose(places[static_cast<std::size_t>(k)] + k, k + 1);
    return sum;
  }
  static int index(const Men& men, int total) {
    Places places{};
    std::size_t k = 0;
    for (int place = 0; place < kPlaces; ++place) {
      for (int i = men.count(place); i > 0; --i) places[k++] = place;
    }
    return index(places, total);
  }

  // Improves the columns begin .. end - 1 of the table once, in place. Returns the largest change.
  double sweep(float* table, int begin, int end) {
    double change = 0;
    for (int mine = begin; mine < end; ++mine) change = std::max(change, improve(table, mine));
    return change;
  }

 private:
  struct One {
    Men men;
    Places places;
    Mask blots;  // in the opponent's numbering
    int made;    // the point with two men or more in the opponent's numbering; 0 if there is none
    int points;  // what the opponent wins who has borne off all men
  };
  // A way to play a throw: the position after it, and where men have landed.
  struct Play {
    int after;
    Mask landed;
    auto operator<=>(const Play&) const = default;
  };

  static constexpr int choose(int n, int k) {
    int result = 1;
    for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
    return n < k ? 0 : result;
  }

  void list(Places& places, int k, int least) {
    if (k < men_) {
      for (int place = least; place < kPlaces; ++place) {
        places[static_cast<std::size_t>(k)] = place;
        list(places, k + 1, place);
      }
      return;
    }
    One one{{}, places, 0, 0, 0};
    for (int i = 0; i < men_; ++i) one.men.add(bit(places[static_cast<std::size_t>(i)]));
    one.points = points_against(one.men);
    const Mask made = mirrored(one.men.made()) & kBoard;
    one.blots = mirrored(one.men.some()) & kBoard & ~made;
    one.made = made == 0 ? 0 : highest(made);
    sides_[static_cast<std::size_t>(index(places, men_))] = one;
  }

  int points_against(const Men& loser) const {
    if (loser.some() & bit(kOff)) return 1;
    return std::min(most_, loser.some() & (kTheirHome | bit(kBar)) ? 3 : 2);
  }

  double improve(float* table, int mine) {
    const One& me = sides_[static_cast<std::size_t>(mine)];
    const std::size_t width = sides_.size();
    if (all_off(me.men)) return 0;
    for (auto& known : listed_) known = false;
    double change = 0;
    for (std::size_t other = 0; other < width; ++other) {
      const One& they = sides_[other];
      if (all_off(they.men) || mirrored(they.men.some()) & me.men.some() & kBoard) continue;
      const auto made = static_cast<std::size_t>(they.made);
      if (!listed_[made]) list_plays_of(me.men, they.made);
      double sum = 0;
      std::size_t t = 0;
      for (int high = 1; high <= 6; ++high) {
        for (int low = 1; low <= high; ++low, ++t) {
          float best = -3;
          for (const Play& play : plays_[made][t]) best = std::max(best, value(table, play, other));
          sum += (high == low ? 1 : 2) * static_cast<double>(best);
        }
      }
      float& old = table[other * width + static_cast<std::size_t>(mine)];
      const auto now = static_cast<float>(sum / 36);
      change = std::max(change, static_cast<double>(std::abs(now - old)));
      old = now;
    }
    return change;
  }

  float value(const float* table, const Play& play, std::size_t other) const {
    const One& they = sides_[other];
    const Mask hits = play.landed & they.blots;
    if (hits != 0) other = static_cast<std::size_t>(after_hits(they, hits));
    if (play.after == 0) return static_cast<float>(sides_[other].points);
    return -table[static_cast<std::size_t>(play.after) * sides_.size() + other];
  }

  int after_hits(const One& hit, Mask hits) const {
    Places places{};
    std::size_t kept = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(men_); ++k) {
      const int place = hit.places[k];
      if (place == kOff || place == kBar || !(hits >> (kBar - place) & 1)) places[kept++] = place;
    }
    std::fill(places.begin() + static_cast<std::ptrdiff_t>(kept), places.end(), kBar);
    return index(places, men_);
  }

  // Lists the plays of all throws with men on these places, if the opponent holds the point `made`.
  void list_plays_of(const Men& men, int made) {
    Ground ground{Men{}};
    if (made != 0) ground.open &= ~bit(made);
    ground.blots = ground.open;  // so that ways over different points are different plays
    std::size_t t = 0;
    for (int high = 1; high <= 6; ++high) {
      for (int low = 1; low <= high; ++low, ++t) {
        std::vector<Play>& plays = plays_[static_cast<std::size_t>(made)][t];
        plays.clear();
        add_plays(men, ground, high, low, high == low, 0, plays);
        std::sort(plays.begin(), plays.end());
        plays.erase(std::unique(plays.begin(), plays.end()), plays.end());
      }
    }
    listed_[static_cast<std::size_t>(made)] = true;
  }

  void add_plays(const Men& men, const Ground& ground, int high, int low, bool again, Mask landed,
                 std::vector<Play>& plays) const {
    bool any = false;
    const auto note = [&](bool low_first, int first, int second) {
      any = true;
      Men after = men;
      Mask now = landed;
      const auto move = [&](int from, int die) {
        const int to = landing(from, die);
        after.remove(bit(from));
        after.add(bit(to));
        now |= bit(to) & kBoard;
      };
      move(first, low_first ? low : high);
      if (second >= 0) move(second, low_first ? high : low);
      if (again && second >= 0 && !all_off(after)) return add_plays(after, ground, high, low, false, now, plays);
      plays.push_back({index(after, men_), now});
    };
    if (high == low) {
      list_doublet(Side(men), ground, high, note);
    } else {
      list_plays(Side(men), ground, high, low, note);
    }
    if (!any) plays.push_back({index(men, men_), landed});
  }

  int men_, most_;
  std::vector<One> sides_;
  std::array<std::array<std::vector<Play>, 21>, kPoints + 1> plays_;  // by `made` and throw, of one position
  std::array<bool, kPoints + 1> listed_{};
};

}  // namespace tablier::backgammon
