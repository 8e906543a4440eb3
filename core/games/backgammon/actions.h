// Action numbers (contract, section 10), which are those of OpenSpiel 2.0.2, and outcomes of throws.
//
// An action is two digits in base 26, first move in the low digit: the point that a man leaves (0 .. 23, the same for
// both players; player 0 moves upwards, player 1 downwards), 24 for the bar, 25 for a number that is not played. 676 is
// added if the lower die is played first, and if nothing is played.
#pragma once

#include "board.h"

namespace tablier::backgammon {

inline constexpr int kThrowCount = 36;
struct Throw {
  int d1, d2;
};
constexpr Throw throw_of(int outcome) { return {outcome / 6 + 1, outcome % 6 + 1}; }
constexpr int outcome_of(int d1, int d2) { return 6 * (d1 - 1) + d2 - 1; }

inline constexpr int kDigits = 26;
inline constexpr int kBarDigit = 24;
inline constexpr int kPassDigit = 25;
inline constexpr int kLowFirst = kDigits * kDigits;
inline constexpr int kActions = 2 * kLowFirst;
inline constexpr int kPass = kActions - 1;  // no number can be played

// The digit of a place of a player, and the place of a digit other than kPassDigit.
constexpr int digit_of(int place, int player) {
  if (place == kBar) return kBarDigit;
  return player == 0 ? kPoints - place : place - 1;
}
constexpr int place_of(int digit, int player) {
  if (digit == kBarDigit) return kBar;
  return player == 0 ? kPoints - digit : digit + 1;
}

// An action decoded: the places left by the first and by the second move, -1 if there is no such move.
struct Spelling {
  bool low_first;
  int first, second;

  constexpr Spelling(int action, int player) : low_first(action >= kLowFirst) {
    const int index = action % kLowFirst, digits[2] = {index % kDigits, index / kDigits};
    first = digits[0] == kPassDigit ? -1 : place_of(digits[0], player);
    second = digits[1] == kPassDigit ? -1 : place_of(digits[1], player);
  }
};

constexpr int action_of(bool low_first, int first, int second, int player) {
  const int one = digit_of(first, player), two = second < 0 ? kPassDigit : digit_of(second, player);
  return one + kDigits * two + (low_first ? kLowFirst : 0);
}

// The same move by the other player in the mirrored position.
constexpr int mirrored_action(int action) {
  const int index = action % kLowFirst;
  const auto flip = [](int digit) { return digit < kPoints ? kPoints - 1 - digit : digit; };
  return action - index + flip(index % kDigits) + kDigits * flip(index / kDigits);
}

// A set of actions of one player, visited in ascending order. One row per second digit, one bit per first digit.
class ActionSet {
 public:
  explicit ActionSet(int player) : player_(player) {}

  // A move from `first` and one from `second`.
  void add(bool low_first, int first, int second) {
    put(low_first, digit_of(second, player_), bit(digit_of(first, player_)));
  }
  // One move alone.
  void add(bool low_first, int first) { put(low_first, kPassDigit, bit(digit_of(first, player_))); }
  void add_pass() { put(true, kPassDigit, bit(kPassDigit)); }

  template <class Visit>
  void for_each(Visit visit) const {
    for (int order = 0; order < 2; ++order) {
      for (Mask rows = used_[order]; rows != 0; rows &= rows - 1) {
        const int row = std::countr_zero(rows), base = kLowFirst * order + kDigits * row;
        for (Mask left = row_[order][row]; left != 0; left &= left - 1) visit(base + std::countr_zero(left));
      }
    }
  }

 private:
  void put(bool low_first, int row, Mask firsts) {
    Mask& used = used_[low_first];
    Mask& bits = row_[low_first][row];
    bits = used >> row & 1 ? bits | firsts : firsts;
    used |= bit(row);
  }

  int player_;
  Mask used_[2] = {0, 0};
  Mask row_[2][kDigits];  // meaningful where used
};

}  // namespace tablier::backgammon
