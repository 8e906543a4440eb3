// States of Trictrac taken apart and put together (games/trictrac/parts.h).
#include "trictrac_parts.h"

#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

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
  if (!scored && game->facts().name != "trictrac") throw nb::value_error("positions are set up in games of Trictrac");
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

// Python has tuples where C++ has arrays.
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
      : parts_(module, "Parts", "A state of Trictrac as plain values, pairs in the order White, Black.") {}

  nb::class_<Parts>& operator*() { return parts_; }

  // `doc` is a text, or nothing.
  template <class T, class... Doc>
  PartsClass& pair(const char* name, Both<T> Parts::* field, const Doc&... doc) {
    parts_.def_prop_rw(
        name, [field](const Parts& parts) { return to_pair(parts.*field); },
        [field](Parts& parts, const std::pair<T, T>& two) { parts.*field = to_both(two); }, doc...);
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
  nb::class_<AccountParts>(module, "AccountParts", "The account of the scored game, one entry a player.")
      .def(
          "__init__",
          [](AccountParts* self, std::vector<std::int32_t> tokens, std::vector<std::uint8_t> lost, std::uint8_t refaits,
             std::uint8_t first) {
            new (self)
                AccountParts{.tokens = std::move(tokens), .lost = std::move(lost), .refaits = refaits, .first = first};
          },
          "tokens"_a, "lost"_a, "refaits"_a, "first"_a)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def_prop_ro(
          "tokens", [](const AccountParts& account) { return to_tuple(account.tokens); },
          nb::sig("def tokens(self) -> tuple[int, ...]"))
      .def_prop_ro(
          "lost", [](const AccountParts& account) { return to_tuple(account.lost); },
          nb::sig("def lost(self) -> tuple[int, ...]"), "Marqués lost.")
      .def_prop_ro(
          "seats", [](const AccountParts& account) { return to_tuple(account.seats); },
          nb::sig("def seats(self) -> tuple[int, ...]"), "White 0, Black 1, resting 2; only of a state.")
      .def_ro("played", &AccountParts::played, "Marqués that somebody has lost; only of a state.")
      .def_ro("refaits", &AccountParts::refaits, "Void marqués in a row.")
      .def_ro("first", &AccountParts::first, "The seat that threw first in this marqué.");
}

void bind_parts(nb::module_& module) {
  PartsClass parts(module);
  (*parts)
      .def(nb::init<>())
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def_prop_rw(
          "board", [](const Parts& self) { return to_tuple(self.board); },
          [](Parts& self, const Board& board) { self.board = board; },
          nb::for_getter(nb::sig("def board(self) -> tuple[int, ...]")),
          nb::for_setter(nb::sig("def board(self, arg: typing.Sequence[int], /) -> None")),
          "24 signed counts from White's side.")
      .def(
          "board_from",
          [](const Parts& self, int side) {
            if (side != 0 && side != 1) throw nb::value_error("sides are 0 (White) and 1 (Black)");
            Board board = self.board;
            if (side == 1) {
              std::reverse(board.begin(), board.end());
              for (int& count : board) count = -count;
            }
            return to_tuple(board);
          },
          "side"_a, nb::sig("def board_from(self, side: int) -> tuple[int, ...]"),
          "The board with this side's men positive and fields in its numbering.")
      .def_prop_rw(
          "first_throw",
          [](const Parts& self) { return self.first_throw ? std::optional(to_pair(*self.first_throw)) : std::nullopt; },
          [](Parts& self, const std::optional<std::pair<std::uint8_t, std::uint8_t>>& dice) {
            self.first_throw.reset();
            if (dice) self.first_throw = to_both(*dice);
          },
          nb::for_setter(nb::arg().none()), "With jan_de_rencontre: the first throw until the second.")
      .def_rw("winner", &Parts::winner, nb::for_setter(nb::arg().none()))
      .def_ro("stake", &Parts::stake, "What the winner wins; only of a state.")
      .def_rw("account", &Parts::account, nb::for_setter(nb::arg().none()), "None in the ordinary game.")
      .def_prop_ro(
          "seats",
          [](const Parts& self) { return self.account ? to_tuple(self.account->seats) : nb::make_tuple(0, 1); },
          nb::sig("def seats(self) -> tuple[int, ...]"), "The seat of each player: White 0, Black 1, resting 2.");
  parts.pair("dice", &Parts::dice, "(0, 0) before the throw.")
      .pair("points", &Parts::points)
      .pair("holes", &Parts::holes)
      .pair("throws", &Parts::throws, "In this setting, counted to MOST_THROWS.")
      .pair("points_run", &Parts::points_run)
      .pair("holes_run", &Parts::holes_run)
      .pair("first_hole", &Parts::first_hole, "Who won the first hole.")
      .pair("corner_just_taken", &Parts::corner_just_taken)
      .read_only_pair("can_bredouille", &Parts::can_bredouille, "Only of a state.")
      .read_only_pair("can_big_bredouille", &Parts::can_big_bredouille, "Only of a state.")
      .value("player", &Parts::player, "Who throws and moves.")
      .value("stage", &Parts::stage)
      .value("drawing", &Parts::drawing)
      .value("swapped", &Parts::swapped)
      .pair("due", &Parts::due, "What the throw gives the mover and the other player.")
      .value("school", &Parts::school)
      .pair("declared", &Parts::declared, "By the mover, by the other player.")
      .value("claim", &Parts::claim, "Against the mover: an amount, NOTHING_CLAIMED or CORRECTION_CLAIMED.")
      .value("fill_due", &Parts::fill_due)
      .value("failed", &Parts::failed)
      .value("hole_settled", &Parts::hole_settled)
      .pair("left", &Parts::left,
            "Fields that men left by the first die, by the second, in a play that failed to fill.")
      .pair("points_before", &Parts::points_before)
      .pair("holes_before", &Parts::holes_before)
      .pair("points_run_before", &Parts::points_run_before)
      .pair("holes_run_before", &Parts::holes_run_before)
      .pair("first_hole_before", &Parts::first_hole_before);
}

}  // namespace

void bind_trictrac_parts(nb::module_& module) {
  bind_account(module);
  bind_parts(module);
  module.def("parts", &parts, "state"_a);
  module.def("compose", &compose, "game"_a, "parts"_a, nb::kw_only(), "due_is_known"_a,
             "A state with these parts. Without a winner among them it is who has the holes for it, and where `due` is "
             "not known it\nfollows from the position. Raises ValueError with the reason if no game can come to it.");
  module.def("transfer", &transfer, "game"_a, "state"_a);
}

}  // namespace tablier
