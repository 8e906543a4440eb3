// States and actions as text for people. It does not allocate and does not translate.
#pragma once

#include "../writer.h"
#include "state.h"

namespace tablier::backgammon {

namespace detail {

// Writes one cell of the drawing: the man at `level` of a point, from 0 (at the border) to 4. Level 4 shows the number
// of men if there are more than five.
inline void put_cell(Writer& write, const Core& state, int point, int level) {
  const int first = state.men[0].count(point), second = state.men[1].count(kBar - point), count = first + second;
  if (level == 4 && count > 5) {
    write.put("%3d", count);
  } else {
    write.put("  %c", count > level ? (first > 0 ? 'x' : 'o') : level == 0 ? '.' : ' ');
  }
}

}  // namespace detail

// Draws the board in the numbering of player 0 (x), who moves from 24, top right, to 1, bottom right.
inline void draw_text(const Core& state, char* out, int size) {
  Writer write(out, size);
  const auto row = [&](bool top, int level) {
    write.put("|");
    for (int column = 0; column < 12; ++column) {
      if (column == 6) write.put(" |");
      detail::put_cell(write, state, top ? 13 + column : 12 - column, level);
    }
    write.put(" |\n");
  };
  write.put("  13 14 15 16 17 18   19 20 21 22 23 24\n");
  for (int level = 0; level < 5; ++level) row(true, level);
  write.put("|                   |                   |\n");
  for (int level = 4; level >= 0; --level) row(false, level);
  write.put("  12 11 10  9  8  7    6  5  4  3  2  1\n");
  write.put("bar x %d o %d, off x %d o %d\n", state.men[0].count(kBar), state.men[1].count(kBar),
            state.men[0].count(kOff), state.men[1].count(kOff));
  const char mover = state.player == 0 ? 'x' : 'o';
  switch (state.phase) {
    case Phase::kOpening:
      write.put("the opening: one die each");
      break;
    case Phase::kThrow:
      write.put("%c throws", mover);
      break;
    case Phase::kMove:
    case Phase::kSecondHalf:
      write.put("%c has thrown %d %d; %s", mover, state.dice[0], state.dice[1],
                state.phase == Phase::kSecondHalf ? "two more moves"
                : doublet(state)                  ? "four moves, two at a time"
                                                  : "two moves");
      break;
    case Phase::kOver:
      write.put("%c has won %d", mover, points_won(state));
      break;
  }
}

// Writes an action in the mover's numbering: "24/18 13/11", one man with both dice "24/18/16", a hit "6/4*", "bar/22",
// "3/off".
inline void name_action(const Core& state, int action, char* out, int size) {
  Writer write(out, size);
  if (state.phase == Phase::kOpening || state.phase == Phase::kThrow) {
    const auto [d1, d2] = throw_of(action);
    return write.put("dice %d %d", d1, d2);
  }
  const Spelling play(action, state.player);
  if (!moving(state)) return write.put("move %d", action);  // no dice, so the landing points are unknown
  if (play.first < 0 && play.second < 0) return write.put("pass");
  const int high = std::max(state.dice[0], state.dice[1]), low = std::min(state.dice[0], state.dice[1]);
  const int froms[2] = {play.first, play.second};
  const int dice[2] = {play.low_first ? low : high, play.low_first ? high : low};
  Mask blots = Ground(state.men[1 - state.player]).blots;
  int last = -1;
  for (int i = 0; i < 2; ++i) {
    if (froms[i] < 0) continue;
    if (froms[i] != last) {
      if (last >= 0) write.put(" ");
      if (froms[i] == kBar) {
        write.put("bar");
      } else {
        write.put("%d", froms[i]);
      }
    }
    last = landing(froms[i], dice[i]);
    if (last == kOff) {
      write.put("/off");
    } else {
      write.put("/%d%s", last, blots >> last & 1 ? "*" : "");
      blots &= ~bit(last);
    }
  }
}

}  // namespace tablier::backgammon
