// Conversions shared by the bindings of Trictrac: boards, dice, and the core of a state.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "../games/trictrac/parts.h"
#include "objects.h"

namespace tablier {

inline std::pair<trictrac::Men, trictrac::Men> to_men(const std::vector<int>& counts) {
  trictrac::Board board;
  if (counts.size() != board.size()) throw nb::value_error("a board has 24 numbers");
  std::copy(counts.begin(), counts.end(), board.begin());
  std::pair<trictrac::Men, trictrac::Men> men;
  if (const char* reason = trictrac::read_board(board, men.first, men.second)) throw nb::value_error(reason);
  return men;
}

inline void check_dice(int d1, int d2) {
  if (d1 < 1 || d1 > 6 || d2 < 1 || d2 > 6) throw nb::value_error("a die shows 1 to 6");
}

// The part of a state that the ordinary and the scored game share. Raises ValueError for other games.
trictrac::Core core_of(const StateObject& state);
// The same for the initial state of a game.
trictrac::Core start_of(const GameObject& game);

void bind_trictrac_numbers(nb::module_& module);
void bind_trictrac_parts(nb::module_& module);

}  // namespace tablier
