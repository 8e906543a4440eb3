// Binds tablier._core.trictrac: legal plays and scores of a board outside any game, and the men that an action moves.
// trictrac_numbers.cpp adds the constants, trictrac_parts.cpp the parts of a state. tablier.trictrac is public.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fixed.h"
#include "trictrac_parts.h"

namespace tablier {

using namespace nb::literals;

namespace {

using namespace trictrac;

// (from, to) in field numbers, 25 = off. A man that plays both numbers is one pair; other plays have up to two pairs.
nb::list moves_of(const Men& before, int d1, int d2, int action) {
  const Move move(before, d1, d2, action);
  if (!move.named) throw nb::value_error("the action names a man that is not there");
  nb::list moves;
  if (move.one_man()) {
    moves.append(nb::make_tuple(move.from[0] + 1, move.to[1] + 1));
    return moves;
  }
  for (int i = 0; i < 2; ++i) {
    if (move.played(i)) moves.append(nb::make_tuple(move.from[i] + 1, move.to[i] + 1));
  }
  return moves;
}

// A position outside any game; the mover's men are positive.
View to_view(const std::vector<int>& board, int d1, int d2) {
  const auto [mine, theirs] = to_men(board);
  check_dice(d1, d2);
  if (mine.some() == 0) throw nb::value_error("the mover has no man on the board");
  return View(mine, theirs);
}

nb::list plays(const GameObject& game, const Numbers<int>& board, int d1, int d2) {
  const View view = to_view(board, d1, d2);
  const Men theirs = to_men(board).second;
  Plays list;
  legal_plays(view, d1, d2, start_of(game).rules.bearing_off, list);
  nb::list result;
  for (int i = 0; i < list.count; ++i) {
    const Play& play = list.play[i];
    result.append(nb::make_tuple(board_of(play.men, theirs), moves_of(view.men, d1, d2, play.action), play.action));
  }
  return result;
}

nb::dict ways_of(const Score& score) {
  nb::dict ways;
  for (int jan = 0; jan < kJanCount; ++jan) {
    if (score.ways[jan]) ways[kJanNames[jan]] = score.ways[jan];
  }
  return ways;
}

nb::tuple score(const GameObject& game, const Numbers<int>& board, int d1, int d2, int throw_index) {
  Plays scratch;
  const ScoringRules rules = scoring_rules(start_of(game).rules, true);
  const Score score = score_throw(to_view(board, d1, d2), d1, d2, throw_index, rules, scratch);
  return nb::make_tuple(score.player, score.opponent, ways_of(score));
}

nb::dict throw_ways(const StateObject& state) {
  const Core core = core_of(state);
  return core.dice[0] ? ways_of(score_of_standing_throw(core)) : nb::dict();
}

nb::dict tariff() {
  nb::dict result;
  for (int jan = 0; jan < kJanCount; ++jan) {
    const Tariff& row = kTariff[jan];
    result[kJanNames[jan]] = nb::make_tuple(row.simple, row.doublet, row.to_opponent);
  }
  return result;
}

nb::list moves(const StateObject& state, int action) {
  const Core core = core_of(state);
  const bool moving = core.stage == Stage::kMove || core.stage == Stage::kHoldOrGo;
  if (!moving || !is_move(action)) throw nb::value_error("the action is not a move in this state");
  return moves_of(core.men[core.player], core.dice[0], core.dice[1], action);
}

using NamedMen = std::vector<std::pair<int, int>>;  // (field of the mover, die)

NamedMen named_men(const StateObject& state, int action) {
  const Core core = core_of(state);
  if (!is_move(action)) throw nb::value_error("the action is not a move");
  const Move move(core.men[core.player], core.dice[0], core.dice[1], action);
  if (!move.named) throw nb::value_error("the action names a man that is not there");
  NamedMen men;
  for (int i = 0; i < 2; ++i) {
    if (move.played(i)) men.emplace_back(move.from[i] + 1, move.number[i]);
  }
  return men;
}

int spell(const StateObject& state, const Numbers<Two<int>>& given) {
  const NamedMen named(given.value.begin(), given.value.end());
  const Core core = core_of(state);
  Men men = core.men[core.player];
  int ordinals[2] = {0, 0};
  if (named.empty() || named.size() > 2) throw nb::value_error("name one or two men");
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto [field, die] = named[i];
    if (field < 1 || field > kFields || men.count(field - 1) == 0)
      throw nb::value_error("there is no man on this field");
    if (die < 1 || die > 6) throw nb::value_error("a die shows 1 to 6");
    ordinals[i] = Ordinals(men)[field - 1];
    men.remove(bit(field - 1));
    if (field - 1 + die < kOff) men.add(bit(field - 1 + die));
  }
  return move_action(named[0].second == core.dice[0] ? kDie1First : kDie2First, ordinals[0], ordinals[1]);
}

}  // namespace

void bind_trictrac(nb::module_& module) {
  nb::module_ sub = module.def_submodule("trictrac", "The compiled part of Trictrac. Use `tablier.trictrac` instead.");
  sub.def("plays", &plays, "game"_a, "board"_a, "d1"_a, "d2"_a,
          nb::sig("def plays(game: tablier._core.Game, board: typing.Sequence[int], d1: int, d2: int) -> "
                  "list[tuple[list[int], list[tuple[int, int]], int]]"),
          "Returns every legal play of a throw under the rules of a game.\n"
          "\n"
          "Args:\n"
          "    game: A game of Trictrac, which sets the rules.\n"
          "    board: 24 signed counts, one per field in the mover's numbering; the mover's men are positive.\n"
          "    d1: First die.\n"
          "    d2: Second die.\n"
          "\n"
          "Returns:\n"
          "    A list of (board after the play, moves, action), one for each final position. Moves are pairs\n"
          "    (from, to) of field numbers; 25 means borne off.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If the board or the dice are impossible.");
  sub.def("score", &score, "game"_a, "board"_a, "d1"_a, "d2"_a, "throw_index"_a,
          nb::sig("def score(game: tablier._core.Game, board: typing.Sequence[int], d1: int, d2: int, "
                  "throw_index: int) -> tuple[int, int, dict[str, int]]"),
          "Scores a throw under the rules of a game.\n"
          "\n"
          "Args:\n"
          "    game: A game of Trictrac, which sets the rules.\n"
          "    board: 24 signed counts, one per field in the mover's numbering; the mover's men are positive.\n"
          "    d1: First die.\n"
          "    d2: Second die.\n"
          "    throw_index: Number of this throw among the mover's throws of the setting, from 1.\n"
          "\n"
          "Returns:\n"
          "    The points of the mover, the points of the opponent, and the number of ways of each jan.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If the board or the dice are impossible.");
  sub.def("throw_ways", &throw_ways, "state"_a, nb::sig("def throw_ways(state: tablier._core.State) -> dict[str, int]"),
          "Returns the number of ways of each jan that the current throw scores; empty before a throw.");
  sub.def("tariff", &tariff, nb::sig("def tariff() -> dict[str, tuple[int, int, bool]]"),
          "Returns (points per way, points per way on a doublet, whether the opponent marks them) for each jan.");
  sub.def("moves", &moves, "state"_a, "action"_a,
          nb::sig("def moves(state: tablier._core.State, action: int) -> list[tuple[int, int]]"),
          "Returns the moves of an action as pairs (from, to) of the mover's field numbers; 25 means borne off.\n"
          "\n"
          "A man that plays both dice is one pair. The list is empty if no number can be played.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If the action is not a move in this state.");
  sub.def("named_men", &named_men, "state"_a, "action"_a,
          "Returns the men that a move names, in playing order, as pairs (field of the mover, die).\n"
          "\n"
          "Raises:\n"
          "    ValueError: If the action is not a move or names a man that is not there.");
  sub.def("spell", &spell, "state"_a, "named_men"_a,
          "Returns the action that moves the given men in this order; the inverse of `named_men()`.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If there are not one or two men, a field has no man, or a die does not exist.");
  bind_trictrac_numbers(sub);
  bind_trictrac_parts(sub);
}

}  // namespace tablier
