// What only Trictrac offers to Python: plays and scores of a position that belongs to no game, and the parts of a
// state. Boards are 24 signed counts, positive for the player whose side they are seen from. src/tablier/trictrac is
// the user.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "../games/trictrac/a_ecrire.h"
#include "objects.h"

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

// The men of a board seen from `mover`'s side.
std::pair<Men, Men> to_men(const std::vector<int>& board) {
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

std::vector<int> to_board(const Men& mine, const Men& theirs) {
  std::vector<int> board(kFields);
  for (int field = 0; field < kFields; ++field) {
    board[static_cast<std::size_t>(field)] = mine.count(field) - theirs.count(kFields - 1 - field);
  }
  return board;
}

void check_dice(int d1, int d2) {
  if (d1 < 1 || d1 > 6 || d2 < 1 || d2 > 6) throw nb::value_error("a die shows 1 to 6");
}

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

Core core_of(const StateObject& state) {
  if (!state.facts().name.starts_with("trictrac")) throw nb::value_error("this is not a state of Trictrac");
  Core core;
  std::memcpy(&core, state.words.data(), sizeof core);
  return core;
}

nb::dict parts(const StateObject& state) {
  const Core core = core_of(state);
  const auto both = [](auto one, auto two) { return nb::make_tuple(one, two); };
  nb::dict result;
  result["board"] = to_board(core.men[0], core.men[1]);
  result["dice"] = both(core.dice[0], core.dice[1]);
  result["points"] = both(core.points[0], core.points[1]);
  result["holes"] = both(core.holes[0], core.holes[1]);
  result["points_run"] = both(has(core.runs, kPointsRun, 0), has(core.runs, kPointsRun, 1));
  result["holes_run"] = both(has(core.runs, kHolesRun, 0), has(core.runs, kHolesRun, 1));
  result["first_hole"] = both(has(core.runs, kFirstHole, 0), has(core.runs, kFirstHole, 1));
  result["can_bredouille"] = both(can_bredouille(core, 0), can_bredouille(core, 1));
  result["can_big_bredouille"] = both(can_big_bredouille(core, 0), can_big_bredouille(core, 1));
  result["throws"] = both(throws_of(core, 0), throws_of(core, 1));
  result["corner_just_taken"] = both(has(core.facts, kCornerFresh, 0), has(core.facts, kCornerFresh, 1));
  result["player"] = core.player;
  result["stage"] = static_cast<int>(core.stage);
  result["drawing"] = has(core.facts, kDrawing);
  result["swapped"] = has(core.facts, kSwapped);
  result["due"] = both(core.due[0], core.due[1]);
  result["winner"] = over(core) ? nb::cast(winner(core)) : nb::none();
  result["stake"] = over(core) ? nb::cast(stake(core)) : nb::none();
  result["school"] = static_cast<int>(core.school);
  result["declared"] = both(core.declared[0], core.declared[1]);
  result["claim"] = core.claim;
  result["fill_due"] = core.fill_due;
  result["failed"] = has(core.facts, kFailed);
  result["from"] = both(core.from[0], core.from[1]);
  if (state.facts().name == "trictrac_a_ecrire") {
    TrictracAEcrire::State scored;
    std::memcpy(&scored, state.words.data(), sizeof scored);
    const Account& account = scored.account;
    nb::list tokens, lost, seats;
    for (int p = 0; p < players(account); ++p) {
      tokens.append(account.tokens[p]);
      lost.append(account.lost[p]);
      seats.append(seat_of(account, p));
    }
    result["tokens"] = nb::tuple(tokens);
    result["lost"] = nb::tuple(lost);
    result["seats"] = nb::tuple(seats);  // of each player: 0 White, 1 Black, 2 he rests
    result["played"] = account.played;
    result["refaits"] = account.refaits;
  }
  return result;
}

nb::list moves(const StateObject& state, int action) {
  const Core core = core_of(state);
  const bool moving = core.stage == Stage::kMove || core.stage == Stage::kHoldOrGo;
  if (!moving || action < kDie1First || action >= kMoveActions) throw nb::value_error("this is no move");
  return moves_of(core.men[core.player], core.dice[0], core.dice[1], action);
}

// A state of an ordinary game from its parts. What the throw is worth follows from the position.
StateObject compose(std::shared_ptr<GameObject> game, const std::vector<int>& board, std::pair<int, int> dice,
                    std::pair<int, int> points, std::pair<int, int> holes, int runs, int throws, int player, int stage,
                    int facts) {
  if (game->facts().name != "trictrac") throw nb::value_error("positions are set up in the game 'trictrac'");
  StateObject state(game);
  Core core{};
  std::memcpy(&core, game->start.data(), sizeof core);
  const auto [white, black] = to_men(board);
  core.men[0] = white;
  core.men[1] = black;
  const auto byte = [](int value) {
    if (value < 0 || value > 255) throw nb::value_error("a part of the position is out of range");
    return static_cast<std::uint8_t>(value);
  };
  core.dice[0] = byte(dice.first);
  core.dice[1] = byte(dice.second);
  core.points[0] = byte(points.first);
  core.points[1] = byte(points.second);
  core.holes[0] = byte(holes.first);
  core.holes[1] = byte(holes.second);
  core.runs = byte(runs);
  core.throws = byte(throws);
  core.player = byte(player);
  core.stage = static_cast<Stage>(byte(stage));
  core.facts = byte(facts);
  if (core.player > 1 || core.stage > Stage::kMarkTheirPoints)
    throw nb::value_error("the player or the stage is unknown");
  core.rencontre = 0;
  if ((core.stage == Stage::kHoldOrGo || core.stage == Stage::kMove) && dice.first > 0 && dice.second > 0) {
    check_dice(dice.first, dice.second);
    Plays scratch;
    const Score worth = score_of_throw(core, view_of(core), scratch);
    core.due[0] = static_cast<std::uint8_t>(worth.player);
    core.due[1] = static_cast<std::uint8_t>(worth.opponent);
  }
  if (const char* reason = trictrac::invalid(core)) throw nb::value_error(reason);
  std::memcpy(state.words.data(), &core, sizeof core);
  return state;
}

// The same position in a game that differs in how it is paid or encoded, not in how it is played.
StateObject transfer(std::shared_ptr<GameObject> game, const StateObject& state) {
  Core core = core_of(state), start;
  if (state.facts().name != "trictrac" || game->facts().name != "trictrac")
    throw nb::value_error("only for 'trictrac'");
  std::memcpy(&start, game->start.data(), sizeof start);
  constexpr std::uint16_t kInterface = kUtilityWin | kMarkovFeatures;
  Rules asked = start.rules, kept = core.rules;
  asked.switches = static_cast<std::uint16_t>(asked.switches & ~kInterface);
  kept.switches = static_cast<std::uint16_t>(kept.switches & ~kInterface);
  if (!(asked == kept)) throw nb::value_error("the games are played by other rules");
  core.rules = start.rules;
  StateObject result(std::move(game));
  std::memcpy(result.words.data(), &core, sizeof core);
  return result;
}

// A state of the scored game in the middle of a marqué with these holes, the mover about to hold or leave after a
// throw; with schools, about to declare the four points that complete the last of his holes.
StateObject with_marque(const StateObject& given, std::pair<int, int> holes, std::pair<bool, bool> runs, int refaits) {
  if (given.facts().name != "trictrac_a_ecrire") throw nb::value_error("this is not a state of the scored game");
  TrictracAEcrire::State state;
  std::memcpy(&state, given.words.data(), sizeof state);
  Core& core = state.core;
  new_setting(core, core.player);
  core.facts = 0;
  core.points[0] = core.points[1] = 0;
  core.holes[0] = static_cast<std::uint8_t>(holes.first);
  core.holes[1] = static_cast<std::uint8_t>(holes.second);
  core.runs = 0;
  set(core.runs, kHolesRun, 0, runs.first);
  set(core.runs, kHolesRun, 1, runs.second);
  const bool black_was_first = holes.first == 0 || (holes.second > 0 && runs.first);
  set(core.runs, kFirstHole, black_was_first, holes.first + holes.second > 0);
  core.throws = core.player ? 0x10 : 0x01;
  Men& men = core.men[core.player];  // an ace after taking the corner: mezeas made the hole
  for (int man = 0; man < 2; ++man) {
    men.remove(bit(kTalon));
    men.add(bit(kCorner));
  }
  core.dice[0] = 3;
  core.dice[1] = 1;
  core.due[0] = 4;
  core.stage = Stage::kHoldOrGo;
  if (on(core, kSchools)) {
    if (core.holes[core.player] == 0) throw nb::value_error("the mover is to complete a hole");
    core.holes[core.player]--;
    core.points[core.player] = 8;
    if (core.holes[0] + core.holes[1] == 0) core.runs = 0;
    begin_schools(core, Score{});
  }
  state.account.refaits = static_cast<std::uint8_t>(refaits);
  if (const char* reason = TrictracAEcrire::invalid(state)) throw nb::value_error(reason);
  StateObject result = given;
  std::memcpy(result.words.data(), &state, sizeof state);
  return result;
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
  sub.def("parts", &parts, "state"_a, nb::sig("def parts(state: tablier._core.State) -> dict[str, typing.Any]"));
  sub.def("moves", &moves, "state"_a, "action"_a,
          nb::sig("def moves(state: tablier._core.State, action: int) -> list[tuple[int, int]]"));
  sub.def("transfer", &transfer, "game"_a, "state"_a,
          nb::sig("def transfer(game: tablier._core.Game, state: tablier._core.State) -> tablier._core.State"));
  sub.def("with_marque", &with_marque, "state"_a, "holes"_a, "runs"_a, "refaits"_a,
          nb::sig("def with_marque(state: tablier._core.State, holes: tuple[int, int], runs: tuple[bool, bool], "
                  "refaits: int) -> tablier._core.State"));
  sub.def("compose", &compose, "game"_a, "board"_a, "dice"_a, "points"_a, "holes"_a, "runs"_a, "throws"_a, "player"_a,
          "stage"_a, "facts"_a,
          nb::sig("def compose(game: tablier._core.Game, board: typing.Sequence[int], dice: tuple[int, int], "
                  "points: tuple[int, int], holes: tuple[int, int], runs: int, throws: int, player: int, stage: int, "
                  "facts: int) -> tablier._core.State"));
}

}  // namespace tablier
