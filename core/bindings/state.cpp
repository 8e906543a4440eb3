// Binds tablier.State: one position of a game, with OpenSpiel's method names. The rules are in core/games/.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <cstring>
#include <string>

#include "arrays.h"
#include "objects.h"

namespace tablier {

using namespace nb::literals;

std::string state_text(const StateObject& state) {
  std::string buffer(static_cast<std::size_t>(state.facts().string_buffer_size), '\0');
  state.any().to_string(state.words.data(), buffer.data());
  buffer.resize(std::strlen(buffer.c_str()));
  return buffer;
}

std::string action_text(const StateObject& state, Action action) {
  std::string buffer(static_cast<std::size_t>(state.facts().string_buffer_size), '\0');
  state.any().action_to_string(state.words.data(), action, buffer.data());
  buffer.resize(std::strlen(buffer.c_str()));
  return buffer;
}

int to_player(const StateObject& state, nb::handle player) {
  if (player.is_none()) return std::max(0, state.any().current_player(state.words.data()));
  return static_cast<int>(to_number(player, "player", 0, state.facts().num_players - 1));
}

namespace {

using Shared = std::shared_ptr<const GameObject>;

int current_player(const StateObject& s) { return s.any().current_player(s.words.data()); }

nb::list integers(const Action* numbers, int count) {
  auto list = nb::steal<nb::list>(PyList_New(count));
  for (int i = 0; i < count; ++i) PyList_SET_ITEM(list.ptr(), i, PyLong_FromLong(numbers[i]));
  return list;
}

nb::list floats(const double* numbers, int count) {
  auto list = nb::steal<nb::list>(PyList_New(count));
  for (int i = 0; i < count; ++i) PyList_SET_ITEM(list.ptr(), i, PyFloat_FromDouble(numbers[i]));
  return list;
}

// The legal actions of a state, on the stack except for very large games.
class ActionBuffer {
 public:
  explicit ActionBuffer(const StateObject& s) : heap_(s.any().max_actions() > kInPlace ? s.any().max_actions() : 0) {
    count = s.any().legal_actions(s.words.data(), data());
  }
  Action* data() { return heap_.empty() ? here_ : heap_.data(); }
  int count;

 private:
  static constexpr int kInPlace = 1024;
  std::vector<Action> heap_;
  Action here_[kInPlace];
};

// OpenSpiel's convention: None means whoever acts, chance included; a player who is not to move has no actions.
nb::list legal_actions(const StateObject& s, nb::handle player) {
  const bool anyone = player.is_none();
  const auto asked = anyone ? 0 : to_integer(player, "player");
  if (!anyone && asked != current_player(s)) return nb::list();
  ActionBuffer actions(s);
  return integers(actions.data(), actions.count);
}

// Converting the arguments may run Python code that changes the state, and a Python game may be inconsistent. So the
// player is read once, from a copy, and actions beyond the width of the mask are rejected.
nb::object legal_actions_mask(const StateObject& state, nb::handle player, nb::handle out) {
  const bool anyone = player.is_none();
  const auto asked = anyone ? 0 : to_integer(player, "player");
  const StateObject s = state;
  const int current = current_player(s);
  const bool acts = anyone || asked == current;
  const int width = acts && current == kChance ? s.facts().max_chance_outcomes : s.facts().num_actions;
  const nb::object array = out.is_none() ? new_array(nb::make_tuple(width), "bool") : nb::borrow(out);
  const CallerArray view(array, "out", true);
  auto* mask = reinterpret_cast<std::uint8_t*>(view.expect<bool>({width}));
  ActionBuffer actions(s);
  for (int i = 0; i < actions.count && acts; ++i) {
    if (actions.data()[i] >= width) throw nb::value_error(kTwoAnswers);
  }
  write_mask(acts ? actions.count : 0, [&actions](int i) { return actions.data()[i]; }, width, mask);
  return array;
}

[[noreturn]] void refuse(const StateObject& s, std::int64_t action) {
  const std::string name(s.facts().name), which = name + ": action " + std::to_string(action);
  const int player = current_player(s);
  if (player == kTerminal) {
    throw Refusal(which + " is refused: the game is over", "action.over", {{"game", name}, {"action", action}});
  }
  ActionBuffer actions(s);
  std::string legal;
  for (int i = 0; i < actions.count; ++i) legal += (i ? ", " : "") + std::to_string(actions.data()[i]);
  const bool chance = player == kChance;
  const auto who = chance ? "a chance node" : "player " + std::to_string(player) + " to move";
  const Phrase turn = chance ? Phrase{"action.turn.chance", {}} : Phrase{"action.turn.player", {{"player", player}}};
  const std::string text = state_text(s);
  throw Refusal(which + " is not legal with " + who + "; legal: " + legal + "\n" + text, "action.illegal",
                {{"game", name}, {"action", action}, {"turn", turn}, {"legal", legal}, {"state", text}});
}

void apply_action(StateObject& s, nb::handle value) {
  const std::int64_t action = to_integer(value, "action");
  const bool in_range = action >= 0 && action < s.facts().max_actions();
  if (!in_range || !s.any().is_legal(s.words.data(), static_cast<Action>(action))) refuse(s, action);
  double before[kMaxPlayers] = {}, after[kMaxPlayers] = {};
  Words next = s.words;  // a Python game may raise halfway: this state then stays unchanged
  s.any().returns(s.words.data(), before);
  s.any().apply(next.data(), static_cast<Action>(action));
  s.any().returns(next.data(), after);
  s.words = next;
  for (int p = 0; p < s.facts().num_players; ++p) s.rewards[p] = after[p] - before[p];
}

StateObject child(const StateObject& s, nb::handle action) {
  StateObject copy = s;
  apply_action(copy, action);
  return copy;
}

nb::list chance_outcomes(const StateObject& s) {
  if (current_player(s) != kChance) throw nb::value_error("chance_outcomes() needs a chance node");
  ActionBuffer actions(s);
  auto list = nb::steal<nb::list>(PyList_New(actions.count));
  const nb::float_ probability(1.0 / actions.count);
  for (int i = 0; i < actions.count; ++i) {
    const nb::int_ outcome(actions.data()[i]);
    PyList_SET_ITEM(list.ptr(), i, PyTuple_Pack(2, outcome.ptr(), probability.ptr()));
  }
  return list;
}

nb::list returns(const StateObject& s) {
  double values[kMaxPlayers];
  s.any().returns(s.words.data(), values);
  return floats(values, s.facts().num_players);
}

nb::list rewards(const StateObject& s) { return floats(s.rewards, s.facts().num_players); }

// OpenSpiel calls action_to_string(player, action) or action_to_string(action).
std::string action_to_string(const StateObject& s, nb::handle first, nb::handle second) {
  if (!second.is_none()) (void)to_integer(first, "player");
  const auto action = to_integer(second.is_none() ? first : second, "action");
  const int count = current_player(s) == kChance ? s.facts().max_chance_outcomes : s.facts().num_actions;
  expect_number(action, "action", 0, count - 1);
  return action_text(s, static_cast<Action>(action));
}

nb::object observation(const StateObject& s, nb::handle player, nb::handle out) {
  const int seat = to_player(s, player);
  const Shape& shape = s.facts().observation;
  const bool is_signed = s.facts().observation_is_signed;
  const nb::object array =
      out.is_none() ? new_array(shape_tuple(shape), is_signed ? "int8" : "uint8") : nb::borrow(out);
  const CallerArray view(array, "out", true);
  auto* data = is_signed ? reinterpret_cast<std::uint8_t*>(view.expect<std::int8_t>(dims(shape)))
                         : view.expect<std::uint8_t>(dims(shape));
  s.any().observation(s.words.data(), seat, data);
  return array;
}

nb::object features(const StateObject& s, nb::handle player, nb::handle out) {
  const int seat = to_player(s, player);
  const Shape& shape = s.facts().features;
  const nb::object array = out.is_none() ? new_array(shape_tuple(shape), "float32") : nb::borrow(out);
  const CallerArray view(array, "out", true);
  s.any().features(s.words.data(), seat, view.expect<float>(dims(shape)));
  return array;
}

StateObject mirrored(const StateObject& s) {
  StateObject copy = s;
  if (!s.any().mirror(copy.words.data())) {
    throw nb::value_error((std::string(s.facts().name) + ": this position has no mirror image").c_str());
  }
  std::swap(copy.rewards[0], copy.rewards[1]);
  return copy;
}

nb::list classes_of_throws(const StateObject& s) {
  if (current_player(s) != kChance) throw nb::value_error("_chance_classes() needs a chance node");
  const auto room = static_cast<std::size_t>(s.any().max_actions());
  std::vector<Action> outcomes(room);
  std::vector<int> weights(room);
  const int count = s.any().chance_classes(s.words.data(), outcomes.data(), weights.data());
  nb::list classes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    classes.append(nb::make_tuple(outcomes[i], weights[i]));
  }
  return classes;
}

StateObject canonical(const StateObject& s) {
  StateObject copy = s;
  s.any().canonical(copy.words.data());
  return copy;
}

nb::object estimate(const StateObject& s) {
  if (!s.any().has_estimate()) return nb::none();
  double to_come[kMaxPlayers] = {};
  s.any().estimate(s.words.data(), to_come);
  return floats(to_come, s.facts().num_players);
}

nb::list indistinguishable(const StateObject& s, nb::handle player) {
  const std::vector<Word> words = s.any().indistinguishable(s.words.data(), to_player(s, player));
  nb::list states;
  for (std::size_t at = 0; at < words.size(); at += static_cast<std::size_t>(s.words.count())) {
    StateObject other(s.game);
    std::memcpy(other.words.data(), words.data() + at, other.words.bytes());
    states.append(nb::cast(std::move(other)));
  }
  return states;
}

bool equal(const StateObject& s, nb::handle other) {
  if (!nb::isinstance<StateObject>(other)) return false;
  const auto& o = nb::cast<const StateObject&>(other);
  return s.game->same_rules(*o.game) && s.words == o.words;
}

Py_hash_t hash(const StateObject& s) {
  std::uint64_t value = kGoldenGamma;
  for (int i = 0; i < s.words.count(); ++i) value = mix(value ^ s.words.data()[i]) + kGoldenGamma;
  const auto result = static_cast<Py_hash_t>(value);
  return result == -1 ? -2 : result;
}

}  // namespace

void bind_state(nb::module_& module) {
  using S = StateObject;
  nb::class_<S>(module, "State",
                "A position in a game, with the method names of OpenSpiel's Python states.\n"
                "\n"
                "A state is a few 64-bit words without history, so copying one is cheap. Two states are equal if\n"
                "their games and positions are equal. Create one with `Game.new_initial_state()`.")
      .def(
          "get_game", [](const S& s) { return std::const_pointer_cast<GameObject>(s.game); },
          "Returns the game of this state.")
      .def(
          "num_players", [](const S& s) { return s.facts().num_players; }, "Returns the number of players.")
      .def(
          "num_distinct_actions", [](const S& s) { return s.facts().num_actions; },
          "Returns the number of player actions, which are numbered from 0.")
      .def("current_player", &current_player,
           "Returns the player to move; -1 at a chance node, -4 when the game is over.")
      .def(
          "is_chance_node", [](const S& s) { return current_player(s) == kChance; },
          "Returns whether the next action is a chance outcome.")
      .def(
          "is_player_node", [](const S& s) { return current_player(s) >= 0; }, "Returns whether a player is to move.")
      .def(
          "is_simultaneous_node", [](const S&) { return false; }, "Returns False: players always move in turn.")
      .def(
          "is_terminal", [](const S& s) { return current_player(s) == kTerminal; }, "Returns whether the game is over.")
      .def("legal_actions", &legal_actions, "player"_a = nb::none(),
           nb::sig("def legal_actions(self, player: typing.SupportsIndex | None = None) -> list[int]"),
           "Returns the legal actions in ascending order.\n"
           "\n"
           "Args:\n"
           "    player: None for whoever acts next, chance included. A player who is not to move has no actions.")
      .def("legal_actions_mask", &legal_actions_mask, "player"_a = nb::none(), "out"_a = nb::none(),
           nb::sig("def legal_actions_mask(self, player: typing.SupportsIndex | None = None, "
                   "out: numpy.typing.NDArray[numpy.bool_] | None = None) -> numpy.typing.NDArray[numpy.bool_]"),
           "Returns the legal actions as a mask.\n"
           "\n"
           "Args:\n"
           "    player: As in `legal_actions()`.\n"
           "    out: Array to write to instead of a new one.\n"
           "\n"
           "Returns:\n"
           "    A bool array with one entry per player action or, at a chance node, per chance outcome.\n"
           "\n"
           "Raises:\n"
           "    TypeError: If `out` has the wrong shape, dtype or layout.")
      .def("apply_action", &apply_action, "action"_a.none(),
           nb::sig("def apply_action(self, action: typing.SupportsIndex) -> None"),
           "Plays an action or applies a chance outcome, in place.\n"
           "\n"
           "Raises:\n"
           "    TypeError: If the action is not an integer.\n"
           "    ValueError: If the action is not legal. The state is unchanged.")
      .def("child", &child, "action"_a.none(), nb::sig("def child(self, action: typing.SupportsIndex) -> State"),
           "Returns a copy of the state after the action; raises like `apply_action()`.")
      .def("chance_outcomes", &chance_outcomes, nb::sig("def chance_outcomes(self) -> list[tuple[int, float]]"),
           "Returns a list of (outcome, probability) pairs.\n"
           "\n"
           "Raises:\n"
           "    ValueError: If the state is not a chance node.")
      .def("returns", &returns, nb::sig("def returns(self) -> list[float]"),
           "Returns the total reward of each player since the start of the game.")
      .def("rewards", &rewards, nb::sig("def rewards(self) -> list[float]"),
           "Returns the reward of each player from the last action.")
      .def(
          "player_return",
          [](const S& s, nb::handle player) {
            const int seat = to_player(s, player);
            double values[kMaxPlayers];
            s.any().returns(s.words.data(), values);
            return values[seat];
          },
          "player"_a, nb::sig("def player_return(self, player: typing.SupportsIndex) -> float"),
          "Returns the total reward of one player since the start of the game.")
      .def(
          "player_reward", [](const S& s, nb::handle player) { return s.rewards[to_player(s, player)]; }, "player"_a,
          nb::sig("def player_reward(self, player: typing.SupportsIndex) -> float"),
          "Returns the reward of one player from the last action.")
      .def("action_to_string", &action_to_string, "player_or_action"_a, "action"_a = nb::none(),
           nb::sig("def action_to_string(self, player_or_action: typing.SupportsIndex, "
                   "action: typing.SupportsIndex | None = None) -> str"),
           "Returns the text of an action, or of an outcome at a chance node.\n"
           "\n"
           "Call it as `action_to_string(action)` or, as in OpenSpiel, `action_to_string(player, action)`.\n"
           "\n"
           "Raises:\n"
           "    ValueError: If the action number is out of range.")
      .def("observation", &observation, "player"_a = nb::none(), "out"_a = nb::none(),
           nb::sig("def observation(self, player: typing.SupportsIndex | None = None, "
                   "out: numpy.typing.NDArray[typing.Any] | None = None) -> numpy.typing.NDArray[typing.Any]"),
           "Returns the position as bytes, as one player sees it. Works at every node.\n"
           "\n"
           "Args:\n"
           "    player: The observing player; None for the player to move, or player 0 if there is none.\n"
           "    out: Array to write to instead of a new one.\n"
           "\n"
           "Returns:\n"
           "    An array of shape `Game.observation_shape()` and dtype `Game.observation_dtype()`.\n"
           "\n"
           "Raises:\n"
           "    TypeError: If `out` has the wrong shape, dtype or layout.\n"
           "    ValueError: If the player does not exist.")
      .def("features", &features, "player"_a = nb::none(), "out"_a = nb::none(),
           nb::sig("def features(self, player: typing.SupportsIndex | None = None, "
                   "out: numpy.typing.NDArray[numpy.float32] | None = None) -> numpy.typing.NDArray[numpy.float32]"),
           "Returns the position as network input, as one player sees it. Works at every node.\n"
           "\n"
           "Args:\n"
           "    player: The observing player; None for the player to move, or player 0 if there is none.\n"
           "    out: Array to write to instead of a new one.\n"
           "\n"
           "Returns:\n"
           "    A float32 array of shape `Game.features_shape()`.\n"
           "\n"
           "Raises:\n"
           "    TypeError: If `out` has the wrong shape, dtype or layout.\n"
           "    ValueError: If the player does not exist.")
      .def("mirrored", &mirrored,
           "Returns a copy with the two seats swapped.\n"
           "\n"
           "Raises:\n"
           "    ValueError: If this position has no mirror image; see `has_mirror()`.")
      .def(
          "has_mirror",
          [](const S& s) {
            Words copy = s.words;
            return s.any().mirror(copy.data());
          },
          "Returns whether this position has a mirror image.")
      .def(
          "svg",
          [](nb::handle self, nb::kwargs kwargs) {
            return nb::module_::import_("tablier.drawing").attr("svg")(self, **kwargs);
          },
          nb::sig("def svg(self, **kwargs: typing.Any) -> str"),
          "Returns an SVG picture of the state; see `tablier.drawing.svg()` for the arguments.")
      .def(
          "_repr_svg_", [](nb::handle self) { return nb::module_::import_("tablier.drawing").attr("notebook")(self); },
          nb::sig("def _repr_svg_(self) -> str | None"))
      .def("_chance_classes", &classes_of_throws, nb::sig("def _chance_classes(self) -> list[tuple[int, int]]"),
           "Returns (outcome, weight) for each class of equivalent outcomes, as search uses them.")
      .def("_canonical", &canonical,
           "Returns the state with the last roll replaced by the representative of its class.")
      .def("_estimate", &estimate, nb::sig("def _estimate(self) -> list[float] | None"),
           "Returns the game's estimate of each player's future reward, or None if it has no estimate.")
      .def("_indistinguishable", &indistinguishable, "player"_a,
           nb::sig("def _indistinguishable(self, player: typing.SupportsIndex) -> list[State]"),
           "Returns the states that the game lists as indistinguishable from this one for `player`.")
      .def("serialize", &serialize, "Returns the state as bytes for `Game.deserialize()`.")
      .def(
          "clone", [](const S& s) { return S(s); }, "Returns a copy.")
      .def("__copy__", [](const S& s) { return S(s); })
      .def(
          "__deepcopy__", [](const S& s, nb::handle) { return S(s); }, "memo"_a)
      .def(
          "__reduce__",
          [](nb::handle self) {
            return nb::make_tuple(nb::module_::import_("tablier.registry").attr("reload_state"),
                                  nb::make_tuple(self.attr("get_game")(), self.attr("serialize")()));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("__eq__", &equal, "other"_a.none(), nb::sig("def __eq__(self, other: object) -> bool"))
      .def("__hash__", &hash)
      .def("__str__", &state_text)
      .def("__repr__", [](const S& s) { return "<" + std::string(s.facts().name) + ": " + state_text(s) + ">"; });
}

}  // namespace tablier
