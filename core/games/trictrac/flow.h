// The order of play: draw, throw, marking, hold or leave, move, end of a setting. rules.md, 2 and 11. Marking with
// schools is in schools.h.
#pragma once

#include "state.h"

namespace tablier::trictrac {

inline View view_of(const Core& state) { return View(state.men[state.player], state.men[1 - state.player]); }

inline ScoringRules scoring_rules(const Rules& rules, bool corner_just_taken) {
  return {.bearing_off = rules.bearing_off,
          .pile_de_misere = (rules.switches & kPile) != 0,
          .margot_la_fendue = (rules.switches & kMargotLaFendue) != 0,
          .mezeas_allowed = !(rules.switches & kMezeasNextThrowOnly) || corner_just_taken};
}

inline Score score_of_throw(const Core& state, const View& view, Plays& scratch) {
  return score_throw(view, state.dice[0], state.dice[1], throws_of(state, state.player),
                     scoring_rules(state.rules, has(state.facts, kCornerFresh, state.player)), scratch);
}

// The score of the current throw. The position does not show whether it repeated the first throw of the game (jan de
// rencontre), but the points due do.
inline Score score_of_standing_throw(const Core& state) {
  Plays scratch;
  Score score = score_of_throw(state, view_of(state), scratch);
  if (score.player < state.due[0]) score.add(Jan::kRencontre, 1, state.dice[0] == state.dice[1]);
  return score;
}

inline void await_roll(Core& state) {
  state.dice[0] = state.dice[1] = 0;
  state.due[0] = state.due[1] = 0;
  state.stage = on(state, kExplicitRoll) ? Stage::kRollDice : Stage::kRollWaiting;
}

inline void start_game(Core& state, const Rules& rules) {
  state = {};
  state.rules = rules;
  new_setting(state, 0);
  state.facts = rules.first_throw == FirstThrow::kWhite ? 0 : kDrawing;
  state.rencontre = rules.switches & kRencontre ? 0xff : 0;  // 0xff: no throw yet
  await_roll(state);
  if (state.facts & kDrawing) state.stage = Stage::kRollWaiting;  // the draw is never an action
}

// Ends the ordinary game when a player has enough holes. The scored game continues.
inline bool win_if_enough(Core& state, int player) {
  if (on(state, kScoredGame) || state.holes[player] < state.rules.holes_to_win) return false;
  set(state.facts, kWon, player, true);
  return true;
}

// Marks the mover's points. After a hole they hold or leave, otherwise they move (rules.md, 2.3 b, c).
inline void mark_own(Core& state, int points) {
  state.stage = Stage::kMarkPoints;
  const bool hole = mark(state, state.player, points);
  if (hole && win_if_enough(state, state.player)) return;
  state.stage = hole ? Stage::kHoldOrGo : Stage::kMove;
}

// Scores a second throw that repeats the first throw of the game (rules.md, 9.10).
inline void score_rencontre(Core& state, Score& score) {
  const int a = state.dice[0], b = state.dice[1];
  const std::uint8_t dice = static_cast<std::uint8_t>(a > b ? 8 * a + b : 8 * b + a);
  if (state.rencontre == 0xff) {
    state.rencontre = dice;
    return;
  }
  if (state.rencontre == dice) score.add(Jan::kRencontre, 1, a == b);
  state.rencontre = 0;
}

void begin_schools(Core& state, const Score& score);  // schools.h

// rules.md, 2.3 a, b.
inline void throw_dice(Core& state, int d1, int d2) {
  state.dice[0] = static_cast<std::uint8_t>(d1);
  state.dice[1] = static_cast<std::uint8_t>(d2);
  if (throws_of(state, state.player) < kMostThrows)
    state.throws = static_cast<std::uint8_t>(state.throws + (1 << (4 * state.player)));
  Plays scratch;
  Score score = score_of_throw(state, view_of(state), scratch);
  if (state.rencontre != 0) score_rencontre(state, score);
  state.due[0] = static_cast<std::uint8_t>(score.player);
  state.due[1] = static_cast<std::uint8_t>(score.opponent);
  if (on(state, kSchools)) {
    begin_schools(state, score);
  } else {
    mark_own(state, score.player);
  }
}

inline void roll(Core& state, int d1, int d2) {
  if (!(state.facts & kDrawing)) return throw_dice(state, d1, d2);
  if (d1 == d2) return;  // draw again (rules.md, 2.1)
  state.facts &= static_cast<std::uint8_t>(~kDrawing);
  state.player = d1 > d2 ? 0 : 1;
  if (state.rules.first_throw == FirstThrow::kDraw) {
    throw_dice(state, d1, d2);
  } else {
    await_roll(state);
  }
}

// Leaving (rules.md, 11). In the scored game this may end a marqué, which a_ecrire.h checks afterwards.
inline void leave(Core& state) {
  state.points[0] = state.points[1] = 0;
  set(state.runs, kPointsRun, 0, false);
  set(state.runs, kPointsRun, 1, false);
  new_setting(state, state.player);
  await_roll(state);
}

// Moves the men and records whether the corner was just taken.
inline void place_men(Core& state, const Men& men) {
  const int p = state.player;
  set(state.facts, kCornerFresh, p, state.men[p].count(kCorner) == 0 && men.count(kCorner) == 2);
  state.men[p] = men;
}

// Continues after the opponent's marking with the next throw, or with a new setting if the last man is out (rules.md,
// 2.3 f, and 6).
inline void end_turn(Core& state) {
  const int p = state.player;
  if (state.men[p].some() != 0) {
    state.player = static_cast<std::uint8_t>(1 - p);
    return await_roll(state);
  }
  const int d1 = state.dice[0], d2 = state.dice[1];
  new_setting(state, p);
  if (on(state, kSwapColours)) state.facts ^= kSwapped;
  await_roll(state);
  if (on(state, kCarriesOver)) {
    state.stage = Stage::kRollWaiting;
    throw_dice(state, d1, d2);
  }
}

// rules.md, 2.3 d, e.
inline void play(Core& state, const Men& men) {
  place_men(state, men);
  state.stage = Stage::kMarkTheirPoints;
  mark(state, 1 - state.player, state.due[1]);
  if (win_if_enough(state, 1 - state.player)) return;
  end_turn(state);
}

}  // namespace tablier::trictrac
