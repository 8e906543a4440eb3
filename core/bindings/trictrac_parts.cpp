// Binds Parts and AccountParts: the fields of a Trictrac state as plain values (games/trictrac/parts.h).
#include "trictrac_parts.h"

#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "fixed.h"

namespace tablier {

using namespace nb::literals;
using namespace trictrac;

namespace {

bool is_scored(const Facts& facts) { return facts.name == "trictrac_a_ecrire"; }

Core read_core(const Facts& facts, const Words& words, const char* problem) {
  if (!is_scored(facts) && facts.name != "trictrac") throw nb::value_error(problem);
  Core core;
  std::memcpy(&core, words.data(), sizeof core);
  return core;
}

}  // namespace

Core core_of(const StateObject& state) {
  return read_core(state.facts(), state.words, "this is not a state of Trictrac");
}

Core start_of(const GameObject& game) { return read_core(game.facts(), game.start, "this is not a game of Trictrac"); }

namespace {

Parts parts(const StateObject& state) {
  Parts result = take_apart(core_of(state));
  if (is_scored(state.facts())) {
    TrictracAEcrire::State scored;
    std::memcpy(&scored, state.words.data(), sizeof scored);
    result.account = take_apart(scored.account);
  }
  return result;
}

StateObject compose(const std::shared_ptr<GameObject>& game, const Parts& parts, bool due_is_known) {
  const bool scored = is_scored(game->facts());
  if (!scored && game->facts().name != "trictrac")
    throw nb::value_error("positions can be set up in games of Trictrac only");
  StateObject state(game);
  TrictracAEcrire::State whole{};
  const std::size_t size = scored ? sizeof whole : sizeof whole.core;
  std::memcpy(static_cast<void*>(&whole), state.words.data(), size);
  if (const char* reason = put_together(parts, whole.core)) throw nb::value_error(reason);
  if (!due_is_known) work_out_due(whole.core);
  if (scored && parts.account) {
    if (const char* reason = put_together(*parts.account, whole.account)) throw nb::value_error(reason);
  }
  std::memcpy(state.words.data(), &whole, size);
  if (const char* reason = state.any().invalid(state.words.data())) throw nb::value_error(reason);
  return state;
}

// The rules of a state without utility and encoding, which do not affect play.
TrictracAEcrire::State rules_of_play(const TrictracAEcrire::State& state) {
  constexpr std::uint16_t kInterface = kUtilityWin | kMarkovFeatures | kExpertFeatures;
  TrictracAEcrire::State result = state;
  result.core.rules.switches = static_cast<std::uint16_t>(state.core.rules.switches & ~kInterface);
  result.account.terms = static_cast<std::uint8_t>(state.account.terms & ~(kBounded | kCounting));
  return result;
}

StateObject transfer(std::shared_ptr<GameObject> game, const StateObject& state) {
  core_of(state);  // refuses other games
  start_of(*game);
  if (state.facts().name != game->facts().name)
    throw nb::value_error("the state belongs to the other game of Trictrac");
  const std::size_t size = is_scored(game->facts()) ? sizeof(TrictracAEcrire::State) : sizeof(Core);
  TrictracAEcrire::State start{}, now{};
  std::memcpy(static_cast<void*>(&start), game->start.data(), size);
  std::memcpy(static_cast<void*>(&now), state.words.data(), size);
  if (!TrictracAEcrire::same_rules(rules_of_play(start), rules_of_play(now))) {
    throw nb::value_error("the two games have different rules");
  }
  now.core.rules = start.core.rules;
  now.account.terms = start.account.terms;
  StateObject result(std::move(game));
  std::memcpy(result.words.data(), &now, size);
  return result;
}

// Arrays become tuples in Python.
template <class T>
std::pair<T, T> to_pair(const Both<T>& two) {
  return {two[0], two[1]};
}
template <class T>
Both<T> to_both(const std::pair<T, T>& two) {
  return {two.first, two.second};
}
template <class Sequence>
nb::tuple to_tuple(const Sequence& values) {
  nb::list list;
  for (const auto value : values) list.append(value);
  return nb::tuple(list);
}

class PartsClass {
 public:
  explicit PartsClass(nb::module_& module)
      : parts_(module, "Parts",
               "A state of Trictrac as plain values. Pairs are in the order White, Black unless noted.") {}

  nb::class_<Parts>& operator*() { return parts_; }

  // `doc` is a string, or absent.
  template <class T, class... Doc>
  PartsClass& pair(const char* name, Both<T> Parts::* field, const Doc&... doc) {
    parts_.def_prop_rw(
        name, [field](const Parts& parts) { return to_pair(parts.*field); },
        [field](Parts& parts, const Two<T>& two) { parts.*field = to_both<T>(two); }, doc...);
    return *this;
  }
  template <class T, class... Doc>
  PartsClass& read_only_pair(const char* name, Both<T> Parts::* field, const Doc&... doc) {
    parts_.def_prop_ro(name, [field](const Parts& parts) { return to_pair(parts.*field); }, doc...);
    return *this;
  }
  template <class T, class... Doc>
  PartsClass& value(const char* name, T Parts::* field, const Doc&... doc) {
    parts_.def_rw(name, field, doc...);
    return *this;
  }

 private:
  nb::class_<Parts> parts_;
};

void bind_account(nb::module_& module) {
  nb::class_<AccountParts>(module, "AccountParts", "The account of the scored game, one entry per player.")
      .def(
          "__init__",
          [](AccountParts* self, Numbers<std::int32_t> tokens, Numbers<std::uint8_t> lost, std::uint8_t refaits,
             std::uint8_t first) {
            new (self) AccountParts{
                .tokens = std::move(tokens.value), .lost = std::move(lost.value), .refaits = refaits, .first = first};
          },
          "tokens"_a, "lost"_a, "refaits"_a, "first"_a)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def_prop_ro(
          "tokens", [](const AccountParts& account) { return to_tuple(account.tokens); },
          nb::sig("def tokens(self) -> tuple[int, ...]"), "Tokens won or lost by each player.")
      .def_prop_ro(
          "lost", [](const AccountParts& account) { return to_tuple(account.lost); },
          nb::sig("def lost(self) -> tuple[int, ...]"), "Marqués lost by each player.")
      .def_prop_ro(
          "seats", [](const AccountParts& account) { return to_tuple(account.seats); },
          nb::sig("def seats(self) -> tuple[int, ...]"),
          "Seat of each player: White 0, Black 1, sitting out 2. Read from a state only.")
      .def_ro("played", &AccountParts::played, "Marqués played, without void ones. Read from a state only.")
      .def_ro("refaits", &AccountParts::refaits, "Consecutive void marqués.")
      .def_ro("first", &AccountParts::first, "Seat that threw first in this marqué.");
}

void bind_parts(nb::module_& module) {
  PartsClass parts(module);
  (*parts)
      .def(nb::init<>())
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def_prop_rw(
          "board", [](const Parts& self) { return to_tuple(self.board); },
          [](Parts& self, const Fixed<Board>& board) { self.board = board; },
          nb::for_getter(nb::sig("def board(self) -> tuple[int, ...]")),
          nb::for_setter(nb::sig("def board(self, arg: typing.Sequence[int], /) -> None")),
          "24 signed counts by field in White's numbering; White's men are positive.")
      .def(
          "board_from",
          [](const Parts& self, int side) {
            if (side != 0 && side != 1) throw nb::value_error("side must be 0 (White) or 1 (Black)");
            Board board = self.board;
            if (side == 1) {
              std::reverse(board.begin(), board.end());
              for (int& count : board) count = -count;
            }
            return to_tuple(board);
          },
          "side"_a, nb::sig("def board_from(self, side: int) -> tuple[int, ...]"),
          "Returns the board in the numbering of a side (White 0, Black 1), whose men are positive.")
      .def_prop_rw(
          "first_throw",
          [](const Parts& self) { return self.first_throw ? std::optional(to_pair(*self.first_throw)) : std::nullopt; },
          [](Parts& self, const std::optional<Two<std::uint8_t>>& dice) {
            self.first_throw.reset();
            if (dice) self.first_throw = to_both<std::uint8_t>(*dice);
          },
          nb::for_setter(nb::arg().none()),
          "With option jan_de_rencontre: first throw of the game, kept until the second; else None.")
      .def_rw("winner", &Parts::winner, nb::for_setter(nb::arg().none()), "Winner of the game, or None.")
      .def_ro("stake", &Parts::stake, "What the winner wins. Read from a state only.")
      .def_rw("account", &Parts::account, nb::for_setter(nb::arg().none()),
              "Account of the scored game; None in the ordinary game.")
      .def_prop_ro(
          "seats",
          [](const Parts& self) { return self.account ? to_tuple(self.account->seats) : nb::make_tuple(0, 1); },
          nb::sig("def seats(self) -> tuple[int, ...]"), "Seat of each player: White 0, Black 1, sitting out 2.");
  parts.pair("dice", &Parts::dice, "(0, 0) before the throw.")
      .pair("points", &Parts::points, "Points, from 0 to 10.")
      .pair("holes", &Parts::holes, "Holes won.")
      .pair("throws", &Parts::throws, "Throws in this setting, counted up to MOST_THROWS.")
      .pair("points_run", &Parts::points_run, "Whether the points are an unbroken run.")
      .pair("holes_run", &Parts::holes_run, "Whether the holes are an unbroken run.")
      .pair("first_hole", &Parts::first_hole, "Whether the player won the first hole of the game.")
      .pair("corner_just_taken", &Parts::corner_just_taken, "Whether the last play took the corner.")
      .read_only_pair("can_bredouille", &Parts::can_bredouille,
                      "Whether the next hole can be won in bredouille. Read from a state only.")
      .read_only_pair("can_big_bredouille", &Parts::can_big_bredouille,
                      "Whether the game can be won in bredouille. Read from a state only.")
      .value("player", &Parts::player, "Player who throws and moves.")
      .value("stage", &Parts::stage, "Stage of the turn.")
      .value("drawing", &Parts::drawing, "Whether the next roll is the draw for the first throw.")
      .value("swapped", &Parts::swapped, "Whether the colours have changed sides.")
      .pair("due", &Parts::due, "Points that the throw gives to the mover and to the other player.")
      .value("school", &Parts::school, "Decision about the points of the throw, with schools.")
      .pair("declared", &Parts::declared, "Points declared by the mover and by the other player.")
      .value("claim", &Parts::claim, "Claim against the mover: an amount, NOTHING_CLAIMED or CORRECTION_CLAIMED.")
      .value("fill_due", &Parts::fill_due, "Part of the mover's due points that is for filling or keeping.")
      .value("failed", &Parts::failed, "Whether the mover neglected to fill or keep.")
      .value("hole_settled", &Parts::hole_settled, "Whether the hole of this throw can no longer be claimed.")
      .pair("left", &Parts::left,
            "Fields that men left by the first and by the second die, in a play that neglected to fill.")
      .pair("points_before", &Parts::points_before, "Points before the throw was marked, with schools.")
      .pair("holes_before", &Parts::holes_before, "Holes before the throw was marked, with schools.")
      .pair("points_run_before", &Parts::points_run_before, "`points_run` before the throw was marked, with schools.")
      .pair("holes_run_before", &Parts::holes_run_before, "`holes_run` before the throw was marked, with schools.")
      .pair("first_hole_before", &Parts::first_hole_before, "`first_hole` before the throw was marked, with schools.");
}

}  // namespace

void bind_trictrac_parts(nb::module_& module) {
  bind_account(module);
  bind_parts(module);
  module.def("parts", &parts, "state"_a,
             "Returns the parts of a state; raises ValueError if it is not a state of Trictrac.");
  module.def("compose", &compose, "game"_a, "parts"_a, nb::kw_only(), "due_is_known"_a,
             "Builds a state from its parts.\n"
             "\n"
             "If no winner is given, a player with enough holes has won.\n"
             "\n"
             "Args:\n"
             "    game: A game of Trictrac, which sets the rules.\n"
             "    parts: The fields of the state.\n"
             "    due_is_known: Whether `parts.due` is given; if not, it is computed from the position.\n"
             "\n"
             "Raises:\n"
             "    ValueError: If no game can reach this state. The message gives the reason.");
  module.def("transfer", &transfer, "game"_a, "state"_a,
             "Returns the same position as a state of another game with the same rules of play.\n"
             "\n"
             "The games may differ in utility and encoding.\n"
             "\n"
             "Raises:\n"
             "    ValueError: If the rules differ, or this is not the ordinary game.");
}

}  // namespace tablier
