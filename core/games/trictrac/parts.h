// Converts a state to plain values and back. Python reads and sets up positions through it. Whether a game can reach a
// position is checked in validity.h.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "a_ecrire.h"

namespace tablier::trictrac {

using Board = std::array<int, kFields>;  // signed counts, positive for the player whose numbering it is in

template <class T>
using Both = std::array<T, 2>;  // White's and Black's or, where noted, the mover's and the opponent's

// The account of the scored game, one entry per player.
struct AccountParts {
  std::vector<std::int32_t> tokens;
  std::vector<std::uint8_t> lost;   // marqués lost
  std::vector<std::uint8_t> seats;  // White 0, Black 1, sitting out 2
  std::uint8_t played = 0;          // marqués played, without void ones
  std::uint8_t refaits = 0;         // consecutive void marqués
  std::uint8_t first = 0;           // the seat that threw first in this marqué

  bool operator==(const AccountParts&) const = default;
};

struct Parts {
  Board board{};  // in White's numbering
  Both<std::uint8_t> dice{}, points{}, holes{}, throws{};
  Both<bool> points_run{}, holes_run{}, first_hole{}, corner_just_taken{};
  Both<bool> can_bredouille{}, can_big_bredouille{};  // derived from the rest
  std::uint8_t player = 0;
  Stage stage = Stage::kRollWaiting;
  bool drawing = false, swapped = false;
  Both<std::uint8_t> due{};                       // the mover's, the opponent's
  std::optional<Both<std::uint8_t>> first_throw;  // high and low; zeros before it; nullopt if irrelevant
  std::optional<int> winner, stake;
  // For schools:
  School school = School::kNone;
  Both<std::uint8_t> declared{};  // the mover's, the opponent's
  std::uint8_t claim = 0, fill_due = 0;
  bool failed = false, hole_settled = false;
  Both<std::uint8_t> left{};  // fields left by the first and by the second die
  Both<std::uint8_t> points_before{}, holes_before{};
  Both<bool> points_run_before{}, holes_run_before{}, first_hole_before{};

  std::optional<AccountParts> account;

  bool operator==(const Parts&) const = default;
};

namespace detail {

inline Both<bool> flags(std::uint8_t bits, int bit) { return {has(bits, bit, 0), has(bits, bit, 1)}; }
inline void set_flags(std::uint8_t& bits, int bit, const Both<bool>& values) {
  for (int i = 0; i < 2; ++i) set(bits, bit, i, values[static_cast<std::size_t>(i)]);
}
inline Both<std::uint8_t> both(const std::uint8_t* two) { return {two[0], two[1]}; }

// Core::rencontre packs the first throw of the game: 8 * high + low, 0xff before it, 0 if irrelevant.
inline constexpr std::uint8_t kNotThrownYet = 0xff;

inline std::optional<Both<std::uint8_t>> unpack_first_throw(std::uint8_t packed) {
  if (packed == 0) return std::nullopt;
  if (packed == kNotThrownYet) return Both<std::uint8_t>{0, 0};
  return Both<std::uint8_t>{static_cast<std::uint8_t>(packed / 8), static_cast<std::uint8_t>(packed % 8)};
}
inline std::uint8_t pack_first_throw(const std::optional<Both<std::uint8_t>>& dice) {
  if (!dice) return 0;
  const auto [low, high] = std::minmax((*dice)[0], (*dice)[1]);
  return high == 0 ? kNotThrownYet : static_cast<std::uint8_t>(8 * high + low);
}

}  // namespace detail

inline Board board_of(const Men& mine, const Men& theirs) {
  Board board;
  for (int field = 0; field < kFields; ++field) {
    board[static_cast<std::size_t>(field)] = mine.count(field) - theirs.count(kFields - 1 - field);
  }
  return board;
}

// The inverse of board_of(). Returns a reason if the men cannot stand like this.
inline const char* read_board(const Board& board, Men& mine, Men& theirs) {
  mine = theirs = Men{};
  for (int field = 0; field < kFields; ++field) {
    const int count = board[static_cast<std::size_t>(field)];
    if (count > kMen || count < -kMen) return "a field holds at most fifteen men";
    Men& men = count > 0 ? mine : theirs;
    const int where = count > 0 ? field : kFields - 1 - field;
    for (int k = 0; k < 4; ++k) {
      if (((count > 0 ? count : -count) >> k) & 1) men.plane[k] |= bit(where);
    }
  }
  return impossible_men(mine, theirs);
}

inline Parts take_apart(const Core& core) {
  using namespace detail;
  Parts parts;
  parts.board = board_of(core.men[0], core.men[1]);
  parts.dice = both(core.dice);
  parts.points = both(core.points);
  parts.holes = both(core.holes);
  for (int p = 0; p < 2; ++p) {
    const auto i = static_cast<std::size_t>(p);
    parts.throws[i] = static_cast<std::uint8_t>(throws_of(core, p));
    parts.can_bredouille[i] = can_bredouille(core, p);
    parts.can_big_bredouille[i] = can_big_bredouille(core, p);
  }
  parts.points_run = flags(core.runs, kPointsRun);
  parts.holes_run = flags(core.runs, kHolesRun);
  parts.first_hole = flags(core.runs, kFirstHole);
  parts.corner_just_taken = flags(core.facts, kCornerFresh);
  parts.player = core.player;
  parts.stage = core.stage;
  parts.drawing = has(core.facts, kDrawing);
  parts.swapped = has(core.facts, kSwapped);
  parts.due = both(core.due);
  parts.first_throw = unpack_first_throw(core.rencontre);
  if (over(core)) {
    parts.winner = winner(core);
    parts.stake = stake(core);
  }
  parts.school = core.school;
  parts.declared = both(core.declared);
  parts.claim = core.claim;
  parts.fill_due = core.fill_due;
  parts.failed = has(core.facts, kFailed);
  parts.hole_settled = has(core.facts, kHoleSettled);
  parts.left = both(core.from);
  parts.points_before = both(core.before);
  parts.holes_before = both(core.before + 2);
  parts.points_run_before = flags(core.before_runs, kPointsRun);
  parts.holes_run_before = flags(core.before_runs, kHolesRun);
  parts.first_hole_before = flags(core.before_runs, kFirstHole);
  return parts;
}

inline AccountParts take_apart(const Account& account) {
  AccountParts parts;
  for (int p = 0; p < players(account); ++p) {
    parts.tokens.push_back(account.tokens[p]);
    parts.lost.push_back(account.lost[p]);
    parts.seats.push_back(static_cast<std::uint8_t>(seat_of(account, p)));
  }
  parts.played = account.played;
  parts.refaits = account.refaits;
  parts.first = account.first;
  return parts;
}

// Computes the points due, if the men have not moved since the throw.
inline void work_out_due(Core& core) {
  core.due[0] = core.due[1] = 0;
  const bool known = core.stage >= Stage::kMarkPoints && core.stage != Stage::kMarkTheirPoints;
  if (!known || core.men[core.player].some() == 0) return;
  for (const int die : core.dice) {
    if (die < 1 || die > 6) return;
  }
  Plays scratch;
  const Score worth = score_of_throw(core, view_of(core), scratch);
  core.due[0] = static_cast<std::uint8_t>(worth.player);
  core.due[1] = static_cast<std::uint8_t>(worth.opponent);
}

// Writes the parts into a core whose rules are set. Without a winner, a player with enough holes has won. Returns a
// reason if a value does not fit into a state; whether a game can reach it is checked by invalid().
inline const char* put_together(const Parts& parts, Core& core) {
  using namespace detail;
  if (const char* reason = read_board(parts.board, core.men[0], core.men[1])) return reason;
  if (parts.player > 1 || parts.winner.value_or(0) > 1 || parts.winner.value_or(0) < 0) return "players are 0 and 1";
  if (std::max(parts.throws[0], parts.throws[1]) > kMostThrows) return "throws are counted to 9";
  for (const int die : parts.first_throw.value_or(Both<std::uint8_t>{})) {
    if (die > 6) return "a die shows 1 to 6";
  }
  const auto copy = [](const Both<std::uint8_t>& two, std::uint8_t* out) { std::copy(two.begin(), two.end(), out); };
  core.player = parts.player;
  core.stage = parts.stage;
  copy(parts.dice, core.dice);
  copy(parts.points, core.points);
  copy(parts.holes, core.holes);
  core.throws = static_cast<std::uint8_t>(parts.throws[0] | parts.throws[1] << 4);
  core.runs = core.facts = core.before_runs = 0;
  set_flags(core.runs, kPointsRun, parts.points_run);
  set_flags(core.runs, kHolesRun, parts.holes_run);
  set_flags(core.runs, kFirstHole, parts.first_hole);
  set_flags(core.facts, kCornerFresh, parts.corner_just_taken);
  set(core.facts, kDrawing, 0, parts.drawing);
  set(core.facts, kSwapped, 0, parts.swapped);
  copy(parts.due, core.due);
  core.rencontre = pack_first_throw(parts.first_throw);
  core.school = parts.school;
  copy(parts.declared, core.declared);
  core.claim = parts.claim;
  core.fill_due = parts.fill_due;
  set(core.facts, kFailed, 0, parts.failed);
  set(core.facts, kHoleSettled, 0, parts.hole_settled);
  copy(parts.left, core.from);
  copy(parts.points_before, core.before);
  copy(parts.holes_before, core.before + 2);
  set_flags(core.before_runs, kPointsRun, parts.points_run_before);
  set_flags(core.before_runs, kHolesRun, parts.holes_run_before);
  set_flags(core.before_runs, kFirstHole, parts.first_hole_before);
  for (int p = 0; p < 2; ++p) {
    const bool won = parts.winner ? *parts.winner == p : has_won(core, p) && core.school != School::kClaimAfterWin;
    set(core.facts, kWon, p, won);
  }
  return nullptr;
}

// The same for an account whose terms are set. The number of marqués played is the number lost.
inline const char* put_together(const AccountParts& parts, Account& account) {
  const auto n = static_cast<std::size_t>(players(account));
  if (parts.tokens.size() != n || parts.lost.size() != n) {
    return n == 2 ? "the account of this game has two players" : "the account of this game has three players";
  }
  std::copy(parts.tokens.begin(), parts.tokens.end(), account.tokens);
  std::copy(parts.lost.begin(), parts.lost.end(), account.lost);
  account.played = static_cast<std::uint8_t>(std::min(account.lost[0] + account.lost[1] + account.lost[2], 255));
  account.refaits = parts.refaits;
  account.first = parts.first;
  return nullptr;
}

}  // namespace tablier::trictrac
