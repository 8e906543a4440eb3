// States and actions as text for people. It does not allocate and does not translate.
#pragma once

#include "../writer.h"
#include "schools.h"

namespace tablier::trictrac {

namespace detail {

// Writes one cell of the drawing: the man at `level` of a field, from 0 (at the border) to 4. Level 4 shows the number
// of men if there are more than five.
inline void put_cell(Writer& write, const Core& state, int field, int level) {
  const int white = state.men[0].count(field), black = state.men[1].count(kFields - 1 - field);
  const int count = white + black;
  const char man = has(state.facts, kSwapped) == (white > 0) ? 'o' : 'x';
  if (level == 4 && count > 5) {
    write.put("%3d", count);
  } else {
    write.put("  %c", count > level ? man : level == 0 ? '.' : ' ');
  }
}

}  // namespace detail

// Draws the board. White (x) sits at the bottom and moves from field 1, bottom right, to 12, bottom left, then along
// the top to 24, top right.
inline void draw_text(const Core& state, char* out, int size) {
  Writer write(out, size);
  const auto row = [&](bool top, int level) {
    write.put("|");
    for (int column = 0; column < 12; ++column) {
      if (column == 6) write.put(" |");
      detail::put_cell(write, state, top ? 12 + column : 11 - column, level);
    }
    write.put(" |\n");
  };
  write.put("  13 14 15 16 17 18   19 20 21 22 23 24\n");
  for (int level = 0; level < 5; ++level) row(true, level);
  write.put("|                   |                   |\n");
  for (int level = 4; level >= 0; --level) row(false, level);
  write.put("  12 11 10  9  8  7    6  5  4  3  2  1\n");
  for (int p = 1; p >= 0; --p) {
    write.put("%s: %d holes%s, %d points%s, %d throws%s%s\n", p ? "Black" : "White", state.holes[p],
              has(state.runs, kHolesRun, p) ? " (run)" : "", state.points[p],
              has(state.runs, kPointsRun, p) ? " (run)" : "", throws_of(state, p),
              has(state.runs, kFirstHole, p) ? ", first hole" : "",
              has(state.facts, kCornerFresh, p) ? ", corner just taken" : "");
  }
  const char* mover = state.player ? "Black" : "White";
  const char* other = state.player ? "White" : "Black";
  if (over(state)) {
    write.put("%s has won (stake %d)", winner(state) ? "Black" : "White", stake(state));
    if (state.dice[0]) write.put(", dice %d %d", state.dice[0], state.dice[1]);
    return;
  }
  if (state.dice[0]) {
    write.put("%s has thrown %d %d, worth %d to %s and %d to %s; ", mover, state.dice[0], state.dice[1], state.due[0],
              mover, state.due[1], other);
  }
  const char* decides = state.school != School::kNone && decider(state) != state.player ? other : mover;
  switch (state.stage) {
    case Stage::kRollWaiting:
      if (state.facts & kDrawing) {
        write.put("the draw: one die each");
      } else {
        write.put("%s throws", mover);
      }
      break;
    case Stage::kRollDice:
      write.put("%s to roll", mover);
      break;
    case Stage::kHoldOrGo:
      write.put("%s to hold or leave", mover);
      break;
    case Stage::kMove:
      write.put(state.facts & kFailed ? "%s to fill after all" : "%s to move", mover);
      break;
    case Stage::kMarkPoints:
    case Stage::kMarkTheirPoints:
      write.put("%s to %s", decides,
                state.school == School::kDeclare         ? "declare"
                : state.school == School::kDecideFilling ? "decide whether it is filled"
                                                         : "claim");
      if (state.school == School::kClaimAfterGo) write.put(" against leaving");
      if (state.school == School::kClaimAfterWin) write.put(" against winning");
      if (state.school == School::kClaimAgainstOther || state.school == School::kDecideFilling) {
        write.put(", claimed %d", state.claim);
      }
      break;
  }
  if (on(state, kSchools)) {
    write.put(" [declared %d %d, filling %d%s", state.declared[0], state.declared[1], state.fill_due,
              state.facts & kFailed ? " failed" : "");
    if (state.from[0] || state.from[1]) write.put(" from %d %d", state.from[0], state.from[1]);
    write.put("%s, before %d %d %d %d %d]", state.facts & kHoleSettled ? ", hole settled" : "", state.before[0],
              state.before[1], state.before[2], state.before[3], state.before_runs);
  }
  if (state.rencontre) write.put(" [first throw %d]", state.rencontre);
}

// Writes an action. Moves are in the mover's field numbers: "1-7 1-6", one man with both dice "1-7-13", borne off
// "22-off".
inline void name_action(const Core& state, int action, char* out, int size) {
  Writer write(out, size);
  if (state.stage == Stage::kRollWaiting && !over(state)) {
    const auto [d1, d2] = throw_of(action);
    write.put("dice %d %d", d1, d2);
  } else if (action == kRoll) {
    write.put("roll");
  } else if (action == kGo) {
    write.put("leave");
  } else if (action == kHaveItFilled) {
    write.put("have it filled");
  } else if (action >= kPassClaim) {
    write.put(state.school == School::kDecideFilling ? "let it stand" : "claim nothing");
  } else if (action == kForceCorrect) {
    write.put("correct it");
  } else if (action >= kClaim) {
    write.put("claim %d", amount_of(action));
  } else if (action >= kDeclare) {
    write.put("declare %d", amount_of(action));
  } else if (!state.dice[0]) {
    write.put("move %d", action);  // no dice, so the men are unknown
  } else {
    const Move move(state.men[state.player], state.dice[0], state.dice[1], action);
    if (!move.named) return write.put("move %d", action);
    const auto end = [&write](int field) {
      if (field == kOff) {
        write.put("-off");
      } else {
        write.put("-%d", field + 1);
      }
    };
    if (!move.played(0) && !move.played(1)) write.put("pass");
    if (move.played(0)) {
      write.put("%d", move.from[0] + 1);
      end(move.to[0]);
    }
    if (move.played(1)) {
      if (!move.one_man()) write.put("%s%d", move.played(0) ? " " : "", move.from[1] + 1);
      end(move.to[1]);
    }
  }
}

}  // namespace tablier::trictrac
