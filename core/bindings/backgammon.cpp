// Binds tablier._core.backgammon: a state of backgammon as plain values, and back, and the men that an action moves.
#include "../games/backgammon/backgammon.h"

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "../games/backgammon/parts.h"
#include "fixed.h"
#include "objects.h"

namespace tablier {

using namespace nb::literals;

namespace {

using namespace backgammon;

Core core_of(const StateObject& state) {
  if (state.facts().name != "backgammon") throw nb::value_error("this is not a state of backgammon");
  Core core;
  std::memcpy(&core, state.words.data(), sizeof core);
  return core;
}

StateObject compose(const std::shared_ptr<GameObject>& game, const Parts& parts) {
  if (game->facts().name != "backgammon") throw nb::value_error("this is not a game of backgammon");
  StateObject state(game);
  Core core = core_of(state);
  if (const char* reason = put_together(parts, core)) throw nb::value_error(reason);
  std::memcpy(state.words.data(), &core, sizeof core);
  if (const char* reason = state.any().invalid(state.words.data())) throw nb::value_error(reason);
  return state;
}

Core moving_core(const StateObject& state) {
  const Core core = core_of(state);
  if (!moving(core)) throw nb::value_error("no player is to move in this state");
  return core;
}

using Moves = std::vector<std::tuple<int, int, bool>>;  // (from, to, hits)

Moves moves(const StateObject& state, int action) {
  const Core core = moving_core(state);
  if (!Backgammon::is_legal(core, action)) throw nb::value_error("the action is not a legal move in this state");
  const Spelling play(action, core.player);
  const int high = std::max(core.dice[0], core.dice[1]), low = std::min(core.dice[0], core.dice[1]);
  Mask blots = Ground(core.men[1 - core.player]).blots;
  Moves result;
  for (const auto& [from, die] :
       {std::pair(play.first, play.low_first ? low : high), std::pair(play.second, play.low_first ? high : low)}) {
    if (from < 0) continue;
    const int to = landing(from, die);
    result.emplace_back(from, to, blots >> to & 1);
    blots &= ~bit(to);
  }
  return result;
}

int spell(const StateObject& state, const Numbers<Two<int>>& named) {
  const std::vector<std::pair<int, int>> men(named.value.begin(), named.value.end());
  const Core core = moving_core(state);
  if (men.size() > 2) throw nb::value_error("a turn has at most two moves");
  const int high = std::max(core.dice[0], core.dice[1]);
  for (const auto& [from, die] : men) {
    if (from < 1 || from > kBar) throw nb::value_error("a man leaves a point from 1 to 24, or the bar, 25");
    if (die != core.dice[0] && die != core.dice[1]) throw nb::value_error("the dice do not show this number");
  }
  if (men.size() == 2 && men[0].second == men[1].second && !doublet(core))
    throw nb::value_error("each die is played once");
  const int action =
      men.empty() ? kPass
                  : action_of(men[0].second != high, men[0].first, men.size() < 2 ? -1 : men[1].first, core.player);
  if (!Backgammon::is_legal(core, action)) throw nb::value_error("this is not a legal move in this state");
  return action;
}

template <class Sequence>
nb::tuple to_tuple(const Sequence& values) {
  nb::list list;
  for (const auto value : values) list.append(value);
  return nb::tuple(list);
}

template <class Class>
void bind_pair(Class& parts, const char* name, Both<int> Parts::* field, const char* doc) {
  parts.def_prop_rw(
      name, [field](const Parts& self) { return std::pair((self.*field)[0], (self.*field)[1]); },
      [field](Parts& self, const Two<int>& two) { self.*field = {two.value.first, two.value.second}; }, doc);
}

void bind_parts(nb::module_& module) {
  nb::class_<Parts> parts(module, "Parts",
                          "A state of backgammon as plain values. Pairs are in the order player 0, player 1.");
  parts.def(nb::init<>())
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
      .def_prop_rw(
          "board", [](const Parts& self) { return to_tuple(self.board); },
          [](Parts& self, const Numbers<int>& given) {
            const std::vector<int>& board = given;
            if (board.size() != self.board.size()) throw nb::value_error("a board has 24 numbers");
            std::copy(board.begin(), board.end(), self.board.begin());
          },
          nb::for_getter(nb::sig("def board(self) -> tuple[int, ...]")),
          nb::for_setter(nb::sig("def board(self, arg: typing.Sequence[int], /) -> None")),
          "24 signed counts, points 1 to 24 in player 0's numbering; player 0's men are positive.")
      .def_rw("player", &Parts::player, "Player who throws, moves or has won.")
      .def_rw("moves_left", &Parts::moves_left, "Moves left: 2, or 4 at the start of a doublet; 0 before a throw.")
      .def_rw("opening", &Parts::opening, "Whether the next throw decides who starts.")
      .def_rw("winner", &Parts::winner, nb::for_setter(nb::arg().none()), "Winner of the game, or None.")
      .def_ro("points", &Parts::points, "What the winner wins. Read from a state only.");
  bind_pair(parts, "bar", &Parts::bar, "Men on the bar.");
  bind_pair(parts, "off", &Parts::off, "Men borne off.");
  bind_pair(parts, "dice", &Parts::dice, "The dice as thrown; (0, 0) before the throw.");
}

}  // namespace

void bind_backgammon_judges(nb::module_& module);

void bind_backgammon(nb::module_& module) {
  nb::module_ sub = module.def_submodule("backgammon", "The compiled part of backgammon.");
  bind_parts(sub);
  sub.def(
      "parts", [](const StateObject& state) { return take_apart(core_of(state)); }, "state"_a,
      "Returns the parts of a state; raises ValueError if it is not a state of backgammon.");
  sub.def("compose", &compose, "game"_a, "parts"_a,
          "Builds a state from its parts.\n"
          "\n"
          "Args:\n"
          "    game: A game of backgammon, which sets the rules.\n"
          "    parts: The fields of the state.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If no game can reach this state. The message gives the reason.");
  sub.def("moves", &moves, "state"_a, "action"_a,
          "Returns the moves of a legal action in playing order, as (from, to, hits).\n"
          "\n"
          "Points are in the mover's numbering; 25 is the bar, 0 is off the board. A pass has no moves.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If the action is not a legal move in this state.");
  sub.def("spell", &spell, "state"_a, "men"_a,
          "Returns the action that moves men in this order; `men` are pairs (from, die) as in `moves()`.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If this is not a legal move in this state.");
  bind_backgammon_judges(sub);
}

}  // namespace tablier
