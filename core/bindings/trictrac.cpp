// What only Trictrac offers to Python: plays and scores of a position that belongs to no game, and the parts of a
// state (trictrac_parts.cpp). src/tablier/trictrac is the user.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "trictrac_parts.h"

namespace tablier {

using namespace nb::literals;

namespace {

using namespace trictrac;

constexpr const char* kJanNames[kJanCount] = {
    "hit_small",       "hit_big",    "false_small", "false_big",         "corner",
    "fill_small",      "fill_big",   "fill_return", "conserve_small",    "conserve_big",
    "conserve_return", "six_tables", "two_tables",  "contre_two_tables", "mezeas",
    "contre_mezeas",   "exit",       "helpless",    "pile_de_misere",    "margot",
    "jan_de_rencontre"};

// (from, to) in field numbers, 25 = off; a man that plays both numbers is one pair. Every other play is two or fewer.
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

// [(board after, moves, action)] of every legal play.
nb::list plays(const std::vector<int>& board, int d1, int d2, bool by_default_only) {
  const auto [mine, theirs] = to_men(board);
  check_dice(d1, d2);
  if (mine.some() == 0) throw nb::value_error("the mover has no man on the board");
  Plays list;
  legal_plays(View(mine, theirs), d1, d2, by_default_only ? BearingOff::kByDefaultOnly : BearingOff::kParis, list);
  nb::list result;
  for (int i = 0; i < list.count; ++i) {
    const Play& play = list.play[i];
    result.append(nb::make_tuple(to_board(play.men, theirs), moves_of(mine, d1, d2, play.action), play.action));
  }
  return result;
}

// (points of the mover, of the opponent, {jan: ways}).
nb::tuple score(const std::vector<int>& board, int d1, int d2, int throw_index, bool by_default_only,
                bool pile_de_misere, bool margot_la_fendue) {
  const auto [mine, theirs] = to_men(board);
  check_dice(d1, d2);
  if (mine.some() == 0) throw nb::value_error("the mover has no man on the board");
  const ScoringRules rules{by_default_only ? BearingOff::kByDefaultOnly : BearingOff::kParis, pile_de_misere,
                           margot_la_fendue, true};
  Plays scratch;
  const Score score = score_throw(View(mine, theirs), d1, d2, throw_index, rules, scratch);
  nb::dict ways;
  for (int jan = 0; jan < kJanCount; ++jan) {
    if (score.ways[jan]) ways[kJanNames[jan]] = score.ways[jan];
  }
  return nb::make_tuple(score.player, score.opponent, ways);
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
  if (!moving || action < kDie1First || action >= kMoveActions) throw nb::value_error("this is no move");
  return moves_of(core.men[core.player], core.dice[0], core.dice[1], action);
}

}  // namespace

void bind_trictrac(nb::module_& module) {
  nb::module_ sub = module.def_submodule("trictrac", "Parts of Trictrac for tablier.trictrac.");
  sub.def("plays", &plays, "board"_a, "d1"_a, "d2"_a, "by_default_only"_a,
          nb::sig("def plays(board: typing.Sequence[int], d1: int, d2: int, by_default_only: bool) -> "
                  "list[tuple[list[int], list[tuple[int, int]], int]]"));
  sub.def("score", &score, "board"_a, "d1"_a, "d2"_a, "throw_index"_a, "by_default_only"_a, "pile_de_misere"_a,
          "margot_la_fendue"_a,
          nb::sig("def score(board: typing.Sequence[int], d1: int, d2: int, throw_index: int, by_default_only: bool, "
                  "pile_de_misere: bool, margot_la_fendue: bool) -> tuple[int, int, dict[str, int]]"));
  sub.def("tariff", &tariff, nb::sig("def tariff() -> dict[str, tuple[int, int, bool]]"),
          "Of each jan: its value, its value on a doublet, whether it goes to the opponent.");
  sub.def("moves", &moves, "state"_a, "action"_a,
          nb::sig("def moves(state: tablier._core.State, action: int) -> list[tuple[int, int]]"));
  bind_trictrac_parts(sub);
}

}  // namespace tablier
