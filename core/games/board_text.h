// Text for people, shared by the games on a board of twenty-four points. It does not allocate.
#pragma once

#include "writer.h"

namespace tablier {

// The men on a point, and the letter that stands for one of them.
struct Stack {
  int count;
  char man;
};

// Draws the board with points 13 to 24 along the top and 12 to 1 along the bottom. stack(point) returns a Stack. A
// point has room for five men; if it has more, their number replaces the fifth.
template <class StackOf>
void draw_points(Writer& write, StackOf stack) {
  const auto row = [&](bool top, int level) {
    write.put("|");
    for (int column = 0; column < 12; ++column) {
      if (column == 6) write.put(" |");
      const auto [count, man] = stack(top ? 13 + column : 12 - column);
      if (level == 4 && count > 5) {
        write.put("%3d", count);
      } else {
        write.put("  %c", count > level ? man : level == 0 ? '.' : ' ');
      }
    }
    write.put(" |\n");
  };
  write.put("  13 14 15 16 17 18   19 20 21 22 23 24\n");
  for (int level = 0; level < 5; ++level) row(true, level);
  write.put("|                   |                   |\n");
  for (int level = 4; level >= 0; --level) row(false, level);
  write.put("  12 11 10  9  8  7    6  5  4  3  2  1\n");
}

}  // namespace tablier
