// A state of Trictrac taken apart and put together again. src/tablier/trictrac/position.py is the user.
#include "trictrac_parts.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>

namespace tablier {

using namespace nb::literals;
using namespace trictrac;

trictrac::Core core_of(const StateObject& state) {
  if (!state.facts().name.starts_with("trictrac")) throw nb::value_error("this is not a state of Trictrac");
  Core core;
  std::memcpy(&core, state.words.data(), sizeof core);
  return core;
}

namespace {

template <class T>
nb::tuple both(const T& one, const T& two) {
  return nb::make_tuple(one, two);
}

nb::tuple both(std::uint8_t bits, int bit) { return both(has(bits, bit, 0), has(bits, bit, 1)); }

// (high, low) of the first throw of the game; (0, 0) while nobody has thrown; None when it does not matter.
nb::object first_throw(const Core& core) {
  if (core.rencontre == 0) return nb::none();
  return core.rencontre == 0xff ? both(0, 0) : both(core.rencontre / 8, core.rencontre % 8);
}

nb::dict parts(const StateObject& state) {
  const Core core = core_of(state);
  nb::dict result;
  result["board"] = to_board(core.men[0], core.men[1]);
  result["dice"] = both(core.dice[0], core.dice[1]);
  result["points"] = both(core.points[0], core.points[1]);
  result["holes"] = both(core.holes[0], core.holes[1]);
  result["points_run"] = both(core.runs, kPointsRun);
  result["holes_run"] = both(core.runs, kHolesRun);
  result["first_hole"] = both(core.runs, kFirstHole);
  result["can_bredouille"] = both(can_bredouille(core, 0), can_bredouille(core, 1));
  result["can_big_bredouille"] = both(can_big_bredouille(core, 0), can_big_bredouille(core, 1));
  result["throws"] = both(throws_of(core, 0), throws_of(core, 1));
  result["corner_just_taken"] = both(core.facts, kCornerFresh);
  result["player"] = core.player;
  result["stage"] = static_cast<int>(core.stage);
  result["drawing"] = has(core.facts, kDrawing);
  result["swapped"] = has(core.facts, kSwapped);
  result["due"] = both(core.due[0], core.due[1]);
  result["first_throw"] = first_throw(core);
  result["winner"] = over(core) ? nb::cast(winner(core)) : nb::none();
  result["stake"] = over(core) ? nb::cast(stake(core)) : nb::none();
  result["school"] = static_cast<int>(core.school);
  result["declared"] = both(core.declared[0], core.declared[1]);
  result["claim"] = core.claim;
  result["fill_due"] = core.fill_due;
  result["failed"] = has(core.facts, kFailed);
  result["from"] = both(core.from[0], core.from[1]);
  result["hole_settled"] = has(core.facts, kHoleSettled);
  result["points_before"] = both(core.before[0], core.before[1]);
  result["holes_before"] = both(core.before[2], core.before[3]);
  result["points_run_before"] = both(core.before_runs, kPointsRun);
  result["holes_run_before"] = both(core.before_runs, kHolesRun);
  result["first_hole_before"] = both(core.before_runs, kFirstHole);
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
    result["first"] = account.first;
  }
  return result;
}

// Reads what parts() writes.
class Reader {
 public:
  explicit Reader(nb::dict parts) : parts_(std::move(parts)) {}

  nb::object get(const char* name) const { return parts_[name]; }
  bool is_none(const char* name) const { return get(name).is_none(); }

  int number(const char* name, int least, int most) const {
    return static_cast<int>(to_number(get(name), name, least, most));
  }
  std::uint8_t byte(const char* name, int most = 255) const { return static_cast<std::uint8_t>(number(name, 0, most)); }

  template <class T>
  void pair(const char* name, T* out, std::int64_t least, std::int64_t most) const {
    const nb::object two = get(name);
    for (int i = 0; i < 2; ++i) out[i] = static_cast<T>(to_number(two[i], name, least, most));
  }
  void bytes(const char* name, std::uint8_t* out) const { pair(name, out, 0, 255); }

  // Sets `bit` and `bit << 1` as the pair says.
  void flags(const char* name, std::uint8_t& bits, int bit) const {
    const nb::object two = get(name);
    for (int i = 0; i < 2; ++i) set(bits, bit, i, nb::cast<bool>(two[i]));
  }
  void flag(const char* name, std::uint8_t& bits, int bit) const { set(bits, bit, 0, nb::cast<bool>(get(name))); }

 private:
  nb::dict parts_;
};

std::uint8_t read_first_throw(const Reader& in) {
  if (in.is_none("first_throw")) return 0;
  int dice[2];
  in.pair("first_throw", dice, 0, 6);
  if (dice[0] == 0 && dice[1] == 0) return 0xff;
  return static_cast<std::uint8_t>(8 * std::max(dice[0], dice[1]) + std::min(dice[0], dice[1]));
}

// What the throw gives, where the men still stand as they were thrown for.
void compute_due(Core& core) {
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

void read_core(const Reader& in, Core& core) {
  const auto [white, black] = to_men(nb::cast<std::vector<int>>(in.get("board")));
  core.men[0] = white;
  core.men[1] = black;
  core.player = in.byte("player", 1);
  core.stage = static_cast<Stage>(in.byte("stage", static_cast<int>(Stage::kMarkTheirPoints)));
  in.bytes("dice", core.dice);
  in.bytes("points", core.points);
  in.bytes("holes", core.holes);
  core.runs = core.facts = 0;
  in.flags("points_run", core.runs, kPointsRun);
  in.flags("holes_run", core.runs, kHolesRun);
  in.flags("first_hole", core.runs, kFirstHole);
  int throws[2];
  in.pair("throws", throws, 0, 9);
  core.throws = static_cast<std::uint8_t>(throws[0] | throws[1] << 4);
  in.flags("corner_just_taken", core.facts, kCornerFresh);
  in.flag("drawing", core.facts, kDrawing);
  in.flag("swapped", core.facts, kSwapped);
  core.rencontre = read_first_throw(in);
}

void read_school(const Reader& in, Core& core) {
  core.school = static_cast<School>(in.byte("school"));
  in.bytes("declared", core.declared);
  core.claim = in.byte("claim");
  in.flag("failed", core.facts, kFailed);
  in.flag("hole_settled", core.facts, kHoleSettled);
  in.bytes("points_before", core.before);
  in.bytes("holes_before", core.before + 2);
  core.before_runs = 0;
  in.flags("points_run_before", core.before_runs, kPointsRun);
  in.flags("holes_run_before", core.before_runs, kHolesRun);
  in.flags("first_hole_before", core.before_runs, kFirstHole);
  core.fill_due = in.byte("fill_due");
  in.bytes("from", core.from);
}

void read_winner(const Reader& in, Core& core) {
  for (int p = 0; p < 2; ++p) {
    const bool given = !in.is_none("winner") && in.number("winner", 0, 1) == p;
    const bool wins = in.is_none("winner") && has_won(core, p) && core.school != School::kClaimAfterWin;
    set(core.facts, kWon, p, given || wins);
  }
}

void read_account(const Reader& in, Account& account) {
  const int n = players(account);
  if (static_cast<int>(nb::len(in.get("tokens"))) != n || static_cast<int>(nb::len(in.get("lost"))) != n) {
    throw nb::value_error(n == 2 ? "the account of this game has two players"
                                 : "the account of this game has three players");
  }
  for (int p = 0; p < n; ++p) {
    account.tokens[p] = static_cast<std::int32_t>(to_number(in.get("tokens")[p], "tokens", -kMostTokens, kMostTokens));
    account.lost[p] = static_cast<std::uint8_t>(to_number(in.get("lost")[p], "lost", 0, kMostMarques));
  }
  account.played = static_cast<std::uint8_t>(std::min(account.lost[0] + account.lost[1] + account.lost[2], 255));
  account.refaits = in.byte("refaits");
  account.first = in.byte("first", 1);
}

// A state from its parts, as parts() names them. Where `due` is None it follows from the position, and where `winner`
// is None from the holes. Raises ValueError with the reason if no game can come to it.
StateObject compose(std::shared_ptr<GameObject> game, nb::dict given) {
  const bool scored = game->facts().name == "trictrac_a_ecrire";
  if (!scored && game->facts().name != "trictrac") throw nb::value_error("positions are set up in games of Trictrac");
  const Reader in(std::move(given));
  StateObject state(game);
  TrictracAEcrire::State whole{};
  const std::size_t size = scored ? sizeof whole : sizeof whole.core;
  std::memcpy(static_cast<void*>(&whole), state.words.data(), size);
  Core& core = whole.core;
  read_core(in, core);
  read_school(in, core);
  read_winner(in, core);
  if (in.is_none("due")) {
    compute_due(core);
  } else {
    in.bytes("due", core.due);
  }
  if (scored) read_account(in, whole.account);
  std::memcpy(state.words.data(), &whole, size);
  if (const char* reason = state.any().invalid(state.words.data())) throw nb::value_error(reason);
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

}  // namespace

void bind_trictrac_parts(nb::module_& module) {
  module.def("parts", &parts, "state"_a, nb::sig("def parts(state: tablier._core.State) -> dict[str, typing.Any]"));
  module.def("compose", &compose, "game"_a, "parts"_a,
             nb::sig("def compose(game: tablier._core.Game, parts: dict[str, typing.Any]) -> tablier._core.State"));
  module.def("transfer", &transfer, "game"_a, "state"_a,
             nb::sig("def transfer(game: tablier._core.Game, state: tablier._core.State) -> tablier._core.State"));
}

}  // namespace tablier
