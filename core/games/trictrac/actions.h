// Action numbers (contract, section 3): the men they name, and the men after the move. Legality is not checked here.
#pragma once

#include "board.h"

namespace tablier::trictrac {

// The outcomes of a chance node (contract, section 4).
inline constexpr int kThrowCount = 36;
struct Throw {
  int d1, d2;
};
constexpr Throw throw_of(int outcome) { return {outcome / 6 + 1, outcome % 6 + 1}; }
constexpr int outcome_of(int d1, int d2) { return 6 * (d1 - 1) + d2 - 1; }

inline constexpr int kRoll = 0;           // throw the dice, with option explicit_roll
inline constexpr int kGo = 1;             // leave after winning a hole
inline constexpr int kDie1First = 2;      // + 16 * c1 + c2
inline constexpr int kDie2First = 258;    // + 16 * c1 + c2
inline constexpr int kMoveActions = 514;  // 0 .. 513
inline constexpr int kPass = kDie1First;  // no number can be played

constexpr bool is_move(int action) { return action >= kDie1First && action < kMoveActions; }

inline int move_action(int base, int c1, int c2) { return base + 16 * c1 + c2; }

// A set of actions, visited in ascending order.
class ActionSet {
 public:
  void add(int action) { words_[action / 64] |= std::uint64_t{1} << action % 64; }

  template <class Visit>
  void for_each(Visit visit) const {
    for (int word = 0; word < kWords; ++word) {
      for (std::uint64_t left = words_[word]; left != 0; left &= left - 1) visit(64 * word + std::countr_zero(left));
    }
  }

 private:
  static constexpr int kWords = (kMoveActions + 63) / 64;
  std::uint64_t words_[kWords] = {};
};

// A move decoded from its action number. Men are in playing order; a number that is not played has from = -1. Only the
// naming is checked; the list of plays (legal.h) decides whether the move is legal.
struct Move {
  bool named = true;   // every named man exists
  bool power = false;  // the corner by power: named as landing on the opposing corner, but placed on the own one
  int from[2] = {-1, -1};
  int to[2] = {-1, -1};  // kOff if borne off; by power, the own corner
  int number[2];         // die of each
  Men men;               // position after the move

  Move(const Men& before, int d1, int d2, int action) : men(before) {
    const bool die2_first = action >= kDie2First;
    const int index = action - (die2_first ? kDie2First : kDie1First);
    const int ordinals[2] = {index / 16, index % 16};
    number[0] = die2_first ? d2 : d1;
    number[1] = die2_first ? d1 : d2;
    for (int i = 0; i < 2; ++i) {
      if (ordinals[i] == 0) continue;
      from[i] = Ordinals::field(men, ordinals[i]);
      if (from[i] < 0) {
        named = false;
        return;
      }
      to[i] = from[i] + number[i] < kOff ? from[i] + number[i] : kOff;
      men.remove(bit(from[i]));
      if (to[i] != kOff) men.add(bit(to[i]));
    }
    power = to[0] == kOpposing && to[1] == kOpposing;
    if (!power) return;
    for (int& field : to) {
      men.remove(bit(kOpposing));
      men.add(bit(kCorner));
      field = kCorner;
    }
  }

  bool played(int i) const { return from[i] >= 0; }
  // Whether one man plays both numbers.
  bool one_man() const { return played(0) && played(1) && !power && from[1] == to[0]; }
};

}  // namespace tablier::trictrac
