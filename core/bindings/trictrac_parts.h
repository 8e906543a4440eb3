// Boards of Python and men of the engine: 24 signed counts, positive for the player whose side they are seen from.
#pragma once

#include <cstdlib>
#include <utility>
#include <vector>

#include "../games/trictrac/a_ecrire.h"
#include "objects.h"

namespace tablier {

inline std::pair<trictrac::Men, trictrac::Men> to_men(const std::vector<int>& board) {
  using namespace trictrac;
  if (board.size() != kFields) throw nb::value_error("a board has 24 numbers");
  Men mine{}, theirs{};
  for (int field = 0; field < kFields; ++field) {
    const int count = board[static_cast<std::size_t>(field)];
    if (count > kMen || count < -kMen) throw nb::value_error("a field holds at most fifteen men");
    Men& men = count > 0 ? mine : theirs;
    const int where = count > 0 ? field : kFields - 1 - field;
    for (int k = 0; k < 4; ++k) {
      if ((std::abs(count) >> k) & 1) men.plane[k] |= bit(where);
    }
  }
  if (const char* reason = impossible_men(mine, theirs)) throw nb::value_error(reason);
  return {mine, theirs};
}

inline std::vector<int> to_board(const trictrac::Men& mine, const trictrac::Men& theirs) {
  using namespace trictrac;
  std::vector<int> board(kFields);
  for (int field = 0; field < kFields; ++field) {
    board[static_cast<std::size_t>(field)] = mine.count(field) - theirs.count(kFields - 1 - field);
  }
  return board;
}

inline void check_dice(int d1, int d2) {
  if (d1 < 1 || d1 > 6 || d2 < 1 || d2 > 6) throw nb::value_error("a die shows 1 to 6");
}

// The part of a state that the ordinary and the scored game share.
trictrac::Core core_of(const StateObject& state);

void bind_trictrac_parts(nb::module_& module);

}  // namespace tablier
