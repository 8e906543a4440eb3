// Exact play once both players have all men home. Neither can hit the other any more, so a player's position is one of
// 54,264: up to fifteen men on six points.
//
// - With at most six men each, a table holds the exact chance to win of the player who throws (924 x 924).
// - Otherwise each player is taken to bear off in as few throws as possible on average. The chance to win follows from
//   the distributions of the number of throws. That is an approximation: where the exact table is known, the chances
//   differ by 0.0009 on average and by 0.014 at most.
// - A player who has borne off no man can still lose a gammon. Its chance follows from the distribution of the number
//   of throws up to the first man.
//
// The tables take 10 MB. They are computed when they are first needed, in about a second.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "state.h"

namespace tablier::backgammon {

class BearOff {
 public:
  static constexpr int kPoints = 6, kMen = 15;
  static constexpr int kPositions = 54264;     // (15 + 6) over 6
  static constexpr int kMostThrows = 24;       // more are needed with a probability below 1e-7
  static constexpr int kExactMen = 6;          // in the table of both sides
  static constexpr int kExactPositions = 924;  // (6 + 6) over 6

  using Counts = std::array<std::uint8_t, kPoints>;  // men on points 1 .. 6
  using Distribution = std::array<float, kMostThrows>;

  // The tables, computed by the first call.
  static const BearOff& tables() {
    static const BearOff tables;
    return tables;
  }

  // Whether all men of a player are home or borne off.
  static bool is_home(const Men& men) { return (men.some() & kOutside) == 0; }

  // The number of a position. Moving a man always lowers it.
  static int index(const Counts& men) {
    int sum = 0, result = 0;
    for (int i = kPoints - 1; i >= 0; --i) {
      sum += men[static_cast<std::size_t>(i)];
      result += binomial(sum + kPoints - 1 - i, kPoints - i);
    }
    return result;
  }
  static int index(const Men& men) {
    Counts counts;
    for (int i = 0; i < kPoints; ++i) counts[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(men.count(i + 1));
    return index(counts);
  }

  // The probability that a position is borne off in exactly n + 1 throws, for n = 0, 1, ...
  const Distribution& throws(int position) const { return throws_[position]; }
  // The same for the first man borne off; for positions of fifteen men.
  const Distribution& first_throws(int position) const { return first_[position - kPositions + kFull]; }
  float mean(int position) const { return mean_[position]; }

  // The chance of the player who throws to win, both positions home. Exact if both are below kExactPositions.
  double win(int mine, int theirs) const {
    if (mine < kExactPositions && theirs < kExactPositions) return exact_[mine][theirs];
    return before(throws_[mine], throws_[theirs], 0);
  }
  // The chance that the player who throws, or (if `waits`) the other one, bears off all men before the opponent, whose
  // fifteen men are all on the board, bears off the first.
  double gammon(int winner, int loser, bool waits) const { return before(throws_[winner], first_throws(loser), waits); }

  // The expected points of the player who throws, both positions home.
  double equity(int mine, int theirs, bool gammons) const {
    double value = 2 * win(mine, theirs) - 1;
    if (gammons && is_full(theirs)) value += gammon(mine, theirs, false);
    if (gammons && is_full(mine)) value -= gammon(theirs, mine, true);
    return value;
  }
  static constexpr bool is_full(int position) { return position >= kPositions - kFull; }

 private:
  static constexpr int kFull = 15504;  // positions of fifteen men: (15 + 5) over 5

  static constexpr auto kBinomial = [] {
    std::array<std::array<int, kPoints + 1>, kMen + kPoints + 1> table{};
    for (std::size_t n = 0; n < table.size(); ++n) {
      table[n][0] = 1;
      for (std::size_t k = 1; k <= kPoints && n > 0; ++k) table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
    }
    return table;
  }();
  static constexpr int binomial(int n, int k) {
    return kBinomial[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
  }

  // The probability that `a` ends before `b`, or at the same number of throws unless `later`.
  static double before(const Distribution& a, const Distribution& b, bool later) {
    double sum = 0, left = 1;  // left: b takes more than n throws
    for (std::size_t n = 0; n < kMostThrows; ++n) {
      const double next = left - b[n];
      sum += a[n] * (later ? next : left);
      left = next;
    }
    return sum;
  }

  BearOff() {
    solve_alone();
    solve_both();
  }

  // The 21 throws, each with its number of chances in 36.
  struct Chance {
    int dice[4], moves, weight;
  };
  static constexpr auto kChances = [] {
    std::array<Chance, 21> all{};
    std::size_t n = 0;
    for (int high = 1; high <= 6; ++high) {
      for (int low = 1; low < high; ++low) all[n++] = {{high, low, 0, 0}, 2, 2};
      all[n++] = {{high, high, high, high}, 4, 1};
    }
    return all;
  }();

  // Calls visit(position) for each position after these moves in this order, some of them more than once. Equal
  // numbers are played by the man furthest back first, which is no restriction.
  template <class Visit>
  static void play(Counts& men, const int* dice, int moves, int from, const Visit& visit) {
    int highest = kPoints;
    while (highest > 0 && men[static_cast<std::size_t>(highest - 1)] == 0) --highest;
    if (moves == 0 || highest == 0) return visit(index(men));
    const int die = *dice;
    for (int point = std::min(from, highest); point > 0; --point) {
      if (men[static_cast<std::size_t>(point - 1)] == 0 || (point < die && point < highest)) continue;
      const bool stays = point > die, same = moves > 1 && dice[1] == die;
      --men[static_cast<std::size_t>(point - 1)];
      if (stays) ++men[static_cast<std::size_t>(point - die - 1)];
      play(men, dice + 1, moves - 1, same ? point : kPoints, visit);
      if (stays) --men[static_cast<std::size_t>(point - die - 1)];
      ++men[static_cast<std::size_t>(point - 1)];
    }
  }
  template <class Visit>
  static void each_successor(Counts& men, const Chance& chance, const Visit& visit) {
    play(men, chance.dice, chance.moves, kPoints, visit);
    if (chance.weight == 1) return;
    const int turned[] = {chance.dice[1], chance.dice[0]};
    play(men, turned, 2, kPoints, visit);
  }

  // Calls visit(position, men) for the positions of up to `most` men, in ascending order.
  template <class Visit>
  static void each_position(int most, const Visit& visit) {
    Counts men{};
    int number = 0;
    // `above` men stand on point `point` or further back.
    const auto fill = [&](auto& self, int point, int above) -> void {
      if (point > kPoints) return visit(number++, men);
      for (int beyond = 0; beyond <= above; ++beyond) {
        if (point == kPoints && beyond > 0) break;
        men[static_cast<std::size_t>(point - 1)] = static_cast<std::uint8_t>(above - beyond);
        self(self, point + 1, beyond);
      }
    };
    for (int total = 0; total <= most; ++total) fill(fill, 1, total);
  }

  void solve_alone() {
    each_position(kMen, [this](int position, Counts& men) {
      fewest(
          position, men, [this](int after) { return mean_[after]; },
          [this](int after) { return after == 0 ? nullptr : &throws_[after]; }, mean_[position], throws_[position]);
      if (!is_full(position)) return;
      const auto at = [](int after) { return after - kPositions + kFull; };
      fewest(
          position, men, [&](int after) { return is_full(after) ? first_mean_[at(after)] : 0; },
          [&](int after) { return is_full(after) ? &first_[at(after)] : nullptr; }, first_mean_[at(position)],
          first_[at(position)]);
    });
  }

  // The mean number of throws and its distribution, if each throw is played for the lowest mean. `rest` is the
  // distribution after it, nullptr if nothing is left to do.
  template <class Mean, class Rest>
  static void fewest(int position, Counts& men, const Mean& mean, const Rest& rest, float& total, Distribution& out) {
    out.fill(0);
    total = 0;
    if (position == 0) return;
    double sum = 1;
    for (const Chance& chance : kChances) {
      int best = -1;
      float least = 0;
      each_successor(men, chance, [&](int after) {
        const float value = mean(after);
        if (best < 0 || value < least) best = after, least = value;
      });
      const float share = static_cast<float>(chance.weight) / 36;
      sum += static_cast<double>(share) * least;
      const Distribution* left = rest(best);
      if (!left) {
        out[0] += share;
        continue;
      }
      for (std::size_t n = 0; n + 1 < kMostThrows; ++n) out[n + 1] += share * (*left)[n];
      out[kMostThrows - 1] += share * left->back();
    }
    total = static_cast<float>(sum);
  }

  // A position's successors come before it. So both halves of round m need only rows and columns before m.
  void solve_both() {
    std::vector<std::uint16_t> after;     // of each position and throw
    std::vector<std::uint32_t> first{0};  // the successors of position p by throw t start at first[21 * p + t]
    each_position(kExactMen, [&](int, Counts& men) {
      for (const Chance& chance : kChances) {
        const auto begin = static_cast<std::ptrdiff_t>(after.size());
        each_successor(men, chance, [&](int position) { after.push_back(static_cast<std::uint16_t>(position)); });
        std::sort(after.begin() + begin, after.end());
        after.erase(std::unique(after.begin() + begin, after.end()), after.end());
        first.push_back(static_cast<std::uint32_t>(after.size()));
      }
    });
    const auto chance_to_win = [&](int mine, int theirs) {
      if (mine == 0 || theirs == 0) return mine == 0 ? 1.0f : 0.0f;
      float sum = 0;
      for (std::size_t t = 0; t < kChances.size(); ++t) {
        const auto* at = first.data() + kChances.size() * static_cast<std::size_t>(mine) + t;
        float lost = 1;
        for (std::uint32_t i = at[0]; i < at[1]; ++i)
          lost = std::min(lost, after[i] == 0 ? 0 : exact_[theirs][after[i]]);
        sum += static_cast<float>(kChances[t].weight) * (1 - lost);
      }
      return sum / 36;
    };
    for (int m = 0; m < kExactPositions; ++m) {
      for (int k = 0; k <= m; ++k) exact_[m][k] = chance_to_win(m, k);
      for (int k = 0; k < m; ++k) exact_[k][m] = chance_to_win(k, m);
    }
  }

  float mean_[kPositions];  // number of throws
  Distribution throws_[kPositions];
  float first_mean_[kFull];
  Distribution first_[kFull];
  float exact_[kExactPositions][kExactPositions];
};

}  // namespace tablier::backgammon
