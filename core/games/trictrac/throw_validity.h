// Which dice and points due are possible: before the move they follow from the position, after it some play must lead
// here. rules.md, 2.
#pragma once

#include "men_validity.h"
#include "schools.h"
#include "score_validity.h"

namespace tablier::trictrac {

// Whether nothing is marked after at most one throw of the setting. Without schools, only a game or a marqué starts so.
inline bool opening(const Core& state) {
  return throws_of(state, 0) + throws_of(state, 1) <= 1 && state.holes[0] + state.holes[1] == 0 &&
         state.points[0] + state.points[1] == 0;
}

// Checks the stored first throw of the game (option jan_de_rencontre).
inline const char* invalid_rencontre(const Core& state) {
  if (!on(state, kRencontre)) return state.rencontre != 0 ? "the first throw is kept without the option" : nullptr;
  const bool later_setting = on(state, kSchools) || on(state, kScoredGame);  // a later setting may look like the first
  if (state.rencontre == 0) {
    return opening(state) && !later_setting ? "the first throw of the game is kept until the second" : nullptr;
  }
  if (state.rencontre == 0xff) {
    if (!opening(state) || state.throws != 0) return "a player has already thrown";
    // The dice of the draw are the first throw, so there is none between the two.
    const bool drawn = state.rules.first_throw == FirstThrow::kDraw && !(state.facts & kDrawing);
    return drawn ? "the first throw of the game comes with the draw" : nullptr;
  }
  const int high = state.rencontre / 8, low = state.rencontre % 8;
  if (high > 6 || low < 1 || low > high || (high == low && state.rules.first_throw == FirstThrow::kDraw))
    return "this cannot be the first throw of the game";
  const int throws = throws_of(state, 0) + throws_of(state, 1);
  // A player who declares too much may leave after the first throw, which then stays stored in a new setting.
  const bool kept = on(state, kSchools) ? throws <= 1 : throws == 1 && opening(state);
  if (!kept) return "the first throw is kept only until the second";
  const auto [small, big] = std::minmax(state.dice[0], state.dice[1]);
  return !thrown(state) || (big == high && small == low) ? nullptr : "the dice are not the first throw that is kept";
}

// The points for repeating the first throw of the game, if this throw may have repeated it.
inline int rencontre_gain(const Core& state) {
  const int mover = state.player, other = 1 - mover;
  const bool doublet = state.dice[0] == state.dice[1];
  if (!on(state, kRencontre) || state.rencontre != 0 || throws_of(state, mover) != 1) return 0;
  if (doublet && state.rules.first_throw == FirstThrow::kDraw) return 0;
  const bool second = throws_of(state, other) == 1 && state.holes[0] + state.holes[1] + state.points[other] == 0;
  if (!second && !on(state, kSchools)) return 0;
  const Tariff& tariff = kTariff[static_cast<int>(Jan::kRencontre)];
  return doublet ? tariff.doublet : tariff.simple;
}

// Whether the throw gives the points due, if the mover's men were at `before`. With schools less is due once the throw
// was settled early (schools.h), or if it could not be played at all.
inline bool gives_what_is_due(const Core& state, const Men& before) {
  const int mover = state.player;
  const bool moved = state.stage == Stage::kMarkTheirPoints;
  Core asked = state;
  asked.men[mover] = before;
  if (moved) set(asked.facts, kCornerFresh, mover, true);  // mezeas always comes on the throw after taking the corner
  const View view = view_of(asked);
  Plays scratch;
  const Score score = score_of_throw(asked, view, scratch);
  if (state.due[1] != score.opponent) return false;
  const int fill = fill_points(state, score), extra = state.due[0] - score.player;
  const bool settled = state.claim == 0;  // nothing can be claimed any longer
  const bool all = extra == 0 || (extra > 0 && extra == rencontre_gain(state));
  if (all && (settled || state.fill_due == fill)) return true;
  if (!on(state, kSchools) || state.fill_due != 0 || state.due[0] != state.declared[0]) return false;
  const bool marking = state.stage == Stage::kMarkPoints && state.school != School::kClaimAfterGo;
  if (state.due[0] == 0 && !marking) return true;
  if (!moved || state.due[0] >= score.player + rencontre_gain(state)) return false;
  return unplayed_numbers(view, state.dice[0], state.dice[1], state.rules.bearing_off, scratch) == 2;
}

// Whether the throw can bring the mover's men from `before` to here, and gives the points due.
inline bool may_come_from(const Core& state, const Men& before) {
  const int mover = state.player;
  const Men& men = state.men[mover];
  Core asked = state;
  asked.men[mover] = before;
  asked.stage = Stage::kMove;
  set(asked.facts, kCornerFresh, mover, false);
  if (invalid_men(asked) || invalid_throws(asked)) return false;
  if (has(state.facts, kCornerFresh, mover) != (before.count(kCorner) == 0 && men.count(kCorner) == 2)) return false;
  Plays plays;
  legal_plays(view_of(asked), state.dice[0], state.dice[1], state.rules.bearing_off, plays, must_fill(state));
  const auto leads_here = [&men](const Play& play) { return play.men == men; };
  if (std::none_of(plays.play, plays.play + plays.count, leads_here)) return false;
  const bool neglected = plays.fills && state.fill_due > 0 && !has_full_jan(men);
  return neglected == static_cast<bool>(state.facts & kFailed) && gives_what_is_due(state, before);
}

// The same for any position before the move: each number moved some man, or was not played.
inline bool some_play_led_here(const Core& state) {
  const Men& men = state.men[state.player];
  const auto take = [](Men& from, int field) {
    if (field < kOff && from.count(field) == 0) return false;
    if (field < kOff) from.remove(bit(field));
    return true;
  };
  // Takes back a number: the man on `from + number` (or off the board) returns to `from`; -1 if it was not played.
  const auto back = [&](Men& before, int from, int number) {
    if (from < 0) return true;
    if (!take(before, std::min(from + number, kOff)) || before.total() >= kMen) return false;
    before.add(bit(from));
    return true;
  };
  for (int first = -1; first < kFields; ++first) {
    for (int second = -1; second < kFields; ++second) {
      for (const bool swapped : {false, true}) {  // one man: take back the last number first
        Men before = men;
        const int numbers[2] = {state.dice[swapped], state.dice[!swapped]};
        if (back(before, first, numbers[0]) && back(before, second, numbers[1]) && may_come_from(state, before)) {
          return true;
        }
      }
    }
  }
  Men before = men;  // taking the corner by power
  for (const int number : state.dice) {
    if (!take(before, kCorner)) return false;
    before.add(bit(kOpposing - number));
  }
  return may_come_from(state, before);
}

inline const char* invalid_throw(const Core& state) {
  for (const int die : state.dice) {
    if (thrown(state) ? die < 1 || die > 6 : die != 0) return "the dice do not fit the stage";
  }
  if (state.stage == Stage::kRollDice && !on(state, kExplicitRoll)) return "this stage needs the option explicit_roll";
  if (!thrown(state)) return state.due[0] || state.due[1] ? "points are due before the throw" : nullptr;
  if (state.due[0] % 2 || state.due[1] % 2) return "points due are even";
  const bool moved = state.stage == Stage::kMarkTheirPoints && !taken_back(state);
  if (!moved && !gives_what_is_due(state, state.men[state.player])) return "the points due are not those of the throw";
  if (on(state, kSchools)) return nullptr;  // school_validity.h
  const int mover = state.player;
  if (state.stage == Stage::kMove && state.points[mover] < state.due[0])
    return "the mover's points do not include the points of the throw";
  if (state.stage == Stage::kHoldOrGo && state.points[mover] >= state.due[0])
    return "there is a choice only after a hole by this throw";
  if (!follows_from_a_score(state)) return "no score before the throw leads to this one";
  return !moved || some_play_led_here(state) ? nullptr : "no play of this throw leads here with the points due";
}

}  // namespace tablier::trictrac
