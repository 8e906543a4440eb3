// Binds tablier.Game: the facts and options of a game, loading, and random playouts. The rules are in core/games/.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "../registry.h"
#include "arrays.h"
#include "gil.h"
#include "objects.h"
#include "python_game.h"

namespace tablier {

using namespace nb::literals;

GameObject::GameObject(std::shared_ptr<const AnyGame> game, std::vector<std::int64_t> values)
    : any(std::move(game)), options(std::move(values)), described(any->describe(options)), start(any->state_words()) {
  if (const Contradiction problem = any->contradiction(options)) throw contradictory(described, problem);
  any->init(options, start.data());
}

std::int64_t to_integer(nb::handle value, const char* what) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) {
    const std::string type = nb::cast<std::string>(value.type().attr("__name__"));
    throw nb::type_error((std::string(what) + " must be an integer, not " + type).c_str());
  }
  const auto number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number) throw nb::python_error();
  int overflow = 0;
  const long long result = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) throw nb::value_error((std::string(what) + " does not fit into 64 bits").c_str());
  return result;
}

void expect_number(std::int64_t number, const char* what, std::int64_t least, std::int64_t most) {
  if (number >= least && number <= most) return;
  throw nb::value_error((std::string(what) + " must be from " + std::to_string(least) + " to " + std::to_string(most) +
                         ", not " + std::to_string(number))
                            .c_str());
}

std::int64_t to_number(nb::handle value, const char* what, std::int64_t least, std::int64_t most) {
  const auto number = to_integer(value, what);
  expect_number(number, what, least, most);
  return number;
}

std::uint64_t to_seed(nb::handle value) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) (void)to_integer(value, "seed");
  const auto number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number) throw nb::python_error();
  const auto seed = PyLong_AsUnsignedLongLong(number.ptr());
  if (seed == ~0ULL && PyErr_Occurred()) {
    PyErr_Clear();  // an OverflowError: the number is negative or too large
    throw nb::value_error("seed must be from 0 to 2**64 - 1");
  }
  return seed;
}

// The repr of a value, short enough for an error message.
static std::string shorten(nb::handle value) {
  const nb::str text = nb::repr(value);
  const bool whole = nb::len(text) <= 60;
  const nb::object shown = whole ? nb::object(text) : text[nb::slice(0, 57)] + nb::str("...");
  return nb::cast<nb::bytes>(shown.attr("encode")("utf-8", "replace")).c_str();
}

// The integer that stands for `value`, or nullopt if the option does not accept it. Raises TypeError for a wrong type.
static std::optional<std::int64_t> to_value(const Facts& facts, const Option& option, nb::handle value) {
  const bool fits = option.kind == OptionKind::kFlag      ? PyBool_Check(value.ptr())
                    : option.kind == OptionKind::kInteger ? PyIndex_Check(value.ptr()) && !PyBool_Check(value.ptr())
                                                          : PyUnicode_Check(value.ptr());
  if (!fits) throw nb::type_error(wrong_value(facts, option, shorten(value)).what());
  if (option.kind == OptionKind::kFlag) return value.is(Py_True);
  if (option.kind == OptionKind::kChoice) {
    std::string text;
    return nb::try_cast(value, text) ? parse_value(option, text) : std::nullopt;
  }
  const auto number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number) throw nb::python_error();
  int overflow = 0;
  const std::int64_t chosen = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  const bool in_range = overflow == 0 && chosen >= option.min && chosen <= option.max;
  return in_range ? std::optional(chosen) : std::nullopt;
}

std::vector<std::int64_t> to_options(const Facts& facts, const nb::dict& options) {
  auto values = default_options(facts);
  const auto copy = nb::steal<nb::dict>(PyDict_Copy(options.ptr()));  // a value's __index__ may change the caller's
  for (const auto [key, given] : copy) {
    std::string name;
    if (!nb::try_cast(nb::handle(key), name)) throw nb::type_error("option names must be str");
    const Option* option = known_option(facts, name);
    if (!option) throw unknown_option(facts, name);
    const auto value = to_value(facts, *option, given);
    if (!value) throw wrong_value(facts, *option, shorten(given));
    if (const auto index = find_option(facts.options, name)) values[*index] = *value;
  }
  return values;
}

nb::object from_option(const Option& option, std::int64_t value) {
  if (option.kind == OptionKind::kFlag) return nb::bool_(value != 0);
  if (option.kind == OptionKind::kInteger) return nb::int_(value);
  const auto choice = option.choices[static_cast<std::size_t>(value)];
  return nb::str(choice.data(), choice.size());
}

namespace {

using Shared = std::shared_ptr<GameObject>;

nb::str text(std::string_view view) { return nb::str(view.data(), view.size()); }

nb::dict options_dict(const GameObject& game) {
  nb::dict result;
  const auto& specs = game.facts().options;
  for (std::size_t i = 0; i < specs.size(); ++i) result[text(specs[i].name)] = from_option(specs[i], game.options[i]);
  return result;
}

// Plays in portions of about 50 ms and checks for Ctrl-C between them.
nb::dict random_playouts(const GameObject& game, nb::handle n, nb::handle seed_value, nb::handle thread_count,
                         nb::handle step_limit) {
  constexpr double kSeconds = 0.05;
  const auto games = static_cast<std::size_t>(to_number(n, "n", 1, std::int64_t{1} << 32));
  const auto seed = to_seed(seed_value);
  const auto threads = static_cast<int>(to_number(thread_count, "threads", 1, kMaxThreads));
  const auto max_steps = static_cast<std::uint64_t>(to_number(step_limit, "max_steps", 1, std::int64_t{1} << 31));
  const auto players = static_cast<std::size_t>(game.facts().num_players);
  const nb::object returns = new_array(nb::make_tuple(games, players), "float64");
  const nb::object lengths = new_array(nb::make_tuple(games), "uint32");
  const CallerArray returns_array(returns, "returns", true), lengths_array(lengths, "lengths", true);
  auto* returns_data = static_cast<double*>(returns_array.data());
  auto* lengths_data = static_cast<std::uint32_t*>(lengths_array.data());
  PlayoutTotals totals;
  std::uint64_t unfinished = 0;
  Workers workers(threads);
  std::size_t portion = 16;
  for (std::size_t first = 0; first < games;) {
    const auto began = std::chrono::steady_clock::now();
    const std::size_t count = std::min(portion, games - first);
    {
      const Released released;
      unfinished += game.any->play_out_many(game.facts(), game.start.data(), first, count, seed, max_steps, workers,
                                            returns_data + first * players, lengths_data + first, totals);
    }
    first += count;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    const double factor = std::clamp(kSeconds / std::max(took.count(), 1e-9), 0.1, 8.0);
    portion = std::clamp<std::size_t>(static_cast<std::size_t>(static_cast<double>(portion) * factor), 1, 1 << 20);
  }
  nb::dict result;
  result["returns"] = returns;
  result["lengths"] = lengths;
  result["decisions"] = totals.decisions;
  result["rolls"] = totals.rolls;
  result["unfinished"] = unfinished;
  return result;
}

nb::list native_games() {
  nb::list names;
  for (const auto& entry : registered_games()) names.append(text(entry.game->facts().name));
  return names;
}

Shared load_native(const std::string& name, const nb::dict& options) {
  const auto* entry = find_game(name);
  if (!entry) throw nb::value_error(("no game is called '" + name + "'").c_str());
  return std::make_shared<GameObject>(entry->game, to_options(entry->game->facts(), options));
}

Shared load_python(const nb::object& definition, const nb::dict& options) {
  auto game = std::make_shared<Erased<PythonGame>>(definition);
  auto values = to_options(game->facts(), options);
  return std::make_shared<GameObject>(std::move(game), std::move(values));
}

}  // namespace

void bind_game(nb::module_& module) {
  nb::class_<GameObject>(
      module, "Game",
      "A game with fixed rule options, created by `tablier.load_game()`.\n"
      "\n"
      "A game is immutable. It describes the rules, creates states and runs random playouts. Two games\n"
      "are equal if they have the same name and the same options.")
      .def_prop_ro(
          "name", [](const GameObject& g) { return text(g.facts().name); },
          "The name that `tablier.load_game()` accepts.")
      .def_prop_ro(
          "title", [](const GameObject& g) { return text(g.facts().title); }, "The name to show to people.")
      .def(
          "help", [](const GameObject& g) { return text(g.facts().help); },
          "Returns the rules and the action numbers as English text.")
      .def("options", &options_dict, nb::sig("def options(self) -> dict[str, int | bool | str]"),
           "Returns the rule options in force, by name.")
      .def(
          "new_initial_state", [](const Shared& g) { return StateObject(g); },
          "Returns a new state at the start of the game.")
      .def(
          "new_initial_states",
          [](const Shared& g) {
            nb::list l;
            l.append(nb::cast(StateObject(g)));
            return l;
          },
          nb::sig("def new_initial_states(self) -> list[State]"),
          "Returns a list that contains the initial state, as in OpenSpiel.")
      .def(
          "num_players", [](const GameObject& g) { return g.facts().num_players; }, "Returns the number of players.")
      .def(
          "num_distinct_actions", [](const GameObject& g) { return g.facts().num_actions; },
          "Returns the number of player actions, which are numbered from 0.")
      .def(
          "max_chance_outcomes", [](const GameObject& g) { return g.facts().max_chance_outcomes; },
          "Returns the maximum number of outcomes at a chance node; 0 for a game without chance.")
      .def(
          "max_actions", [](const GameObject& g) { return g.facts().max_actions(); },
          "Returns the larger of `num_distinct_actions()` and `max_chance_outcomes()`.")
      .def(
          "max_game_length", [](const GameObject& g) { return g.facts().max_game_length; },
          "Returns the maximum number of decisions and rolls in a game; 0 if there is no limit.")
      .def(
          "min_utility", [](const GameObject& g) { return g.facts().min_utility; },
          "Returns the lowest possible return of a player.")
      .def(
          "max_utility", [](const GameObject& g) { return g.facts().max_utility; },
          "Returns the highest possible return of a player.")
      .def(
          "state_size", [](const GameObject& g) { return g.any->state_words(); },
          "Returns the size of a state in 64-bit words.")
      .def(
          "observation_shape", [](const GameObject& g) { return shape_tuple(g.facts().observation); },
          nb::sig("def observation_shape(self) -> tuple[int, ...]"), "Returns the shape of `State.observation()`.")
      .def(
          "features_shape", [](const GameObject& g) { return shape_tuple(g.facts().features); },
          nb::sig("def features_shape(self) -> tuple[int, ...]"),
          "Returns the shape of `State.features()`; the dtype is float32.")
      .def(
          "observation_dtype", [](const GameObject& g) { return g.facts().observation_is_signed ? "int8" : "uint8"; },
          nb::sig("def observation_dtype(self) -> str"),
          "Returns the dtype of `State.observation()`: 'uint8' or 'int8'.")
      .def(
          "has_mirror", [](const GameObject& g) { return g.facts().num_players == 2 && g.any->has_mirror(); },
          "Returns whether the game has two players and supports `State.mirrored()`.")
      .def(
          "mirrored_action",
          [](const GameObject& g, int action) {
            if (!g.any->has_mirror()) throw nb::value_error("this game has no mirror images");
            if (action < 0 || action >= g.facts().num_actions)
              throw nb::value_error("the action is not one of the game's");
            return g.any->mirror_action(action);
          },
          "action"_a,
          "Returns the action of a player that has the same effect in the mirror image.\n"
          "\n"
          "Most games number actions as the mover sees the board; there it is the action itself.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If the game has no mirror images, or no such action.")
      .def(
          "get_type", [](nb::handle self) { return nb::module_::import_("tablier.game_type").attr("game_type")(self); },
          nb::sig("def get_type(self) -> tablier.game_type.GameType"),
          "Returns the game type as OpenSpiel describes it; its enums compare equal to those of pyspiel.")
      .def(
          "deserialize", [](const Shared& g, const nb::bytes& data) { return deserialize(g, data); }, "data"_a,
          "Restores a state of this game.\n"
          "\n"
          "Args:\n"
          "    data: Bytes written by `State.serialize()`.\n"
          "\n"
          "Returns:\n"
          "    A state equal to the one that was saved, with the same `rewards()`.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If `data` is damaged, or belongs to another game or to other options.")
      .def("_random_playouts", &random_playouts, "n"_a, "seed"_a, "threads"_a, "max_steps"_a,
           nb::sig("def _random_playouts(self, n: typing.SupportsIndex, seed: typing.SupportsIndex, threads: "
                   "typing.SupportsIndex, max_steps: typing.SupportsIndex) -> "
                   "dict[str, typing.Any]"))
      .def(
          "_behaviour",
          [](const GameObject& g, nb::handle games, nb::handle seed) {
            const auto n = static_cast<int>(to_number(games, "games", 1, 10'000));
            const auto number = to_seed(seed);
            const Released released;
            return g.any->behaviour(g.facts(), g.start.data(), n, number);
          },
          "games"_a, "seed"_a, nb::sig("def _behaviour(self, games: int, seed: int) -> int"))
      .def(
          "random_playouts",
          [](nb::handle self, nb::args args, nb::kwargs kwargs) {
            return nb::module_::import_("tablier.playouts").attr("random_playouts")(self, *args, **kwargs);
          },
          nb::sig("def random_playouts(self, n: typing.SupportsIndex, seed: typing.SupportsIndex = 0, threads: "
                  "typing.SupportsIndex = 1, max_steps: typing.SupportsIndex = 1000000) -> "
                  "tablier.playouts.Playouts"),
          "Plays games with uniformly random actions and dice.\n"
          "\n"
          "Game i depends only on (seed, i), so the result does not depend on the number of threads.\n"
          "\n"
          "Args:\n"
          "    n: Number of games, from 1 to 2**32.\n"
          "    seed: Seed of the random numbers, from 0 to 2**64 - 1.\n"
          "    threads: Number of threads, from 1 to 1024.\n"
          "    max_steps: Maximum number of decisions and rolls in a game; longer games are cut.\n"
          "\n"
          "Returns:\n"
          "    The returns and the length of each game, and totals over all games.\n"
          "\n"
          "Raises:\n"
          "    TypeError: If an argument is not an integer.\n"
          "    ValueError: If an argument is out of range.")
      .def("_zero_sum", [](const GameObject& g) { return g.facts().utility == Utility::kZeroSum; })
      .def(
          "_colour_entries",
          [](const GameObject& g) { return nb::make_tuple(g.facts().observation_colour, g.facts().features_colour); },
          nb::sig("def _colour_entries(self) -> tuple[int, int]"))
      .def("_terminal_rewards", [](const GameObject& g) { return g.facts().reward_model == RewardModel::kTerminal; })
      .def(
          "_option_docs",
          [](const GameObject& g) {
            nb::list list;
            for (const Option& o : g.facts().options) {
              nb::list choices;
              for (const auto choice : o.choices) choices.append(text(choice));
              list.append(nb::make_tuple(text(o.name), from_option(o, o.default_value), accepted(o), text(o.doc), o.min,
                                         o.max, choices));
            }
            return list;
          },
          nb::sig("def _option_docs(self) -> list[tuple[str, int | bool | str, str, str, int, int, list[str]]]"))
      .def(
          "_retired_options",
          [](const GameObject& g) {
            nb::dict result;
            for (const Option& o : g.facts().retired) result[text(o.name)] = from_option(o, o.default_value);
            return result;
          },
          nb::sig("def _retired_options(self) -> dict[str, int | bool | str]"),
          "Returns the options of earlier versions, which load_game() accepts and ignores, each with a valid value.")
      .def(
          "__eq__",
          [](const GameObject& g, nb::handle other) {
            return nb::isinstance<GameObject>(other) && g.same_rules(nb::cast<const GameObject&>(other));
          },
          "other"_a.none(), nb::sig("def __eq__(self, other: object) -> bool"))
      .def("__hash__",
           [](const GameObject& g) { return nb::hash(nb::make_tuple(text(g.facts().name), g.options.size())); })
      .def(
          "__reduce__",
          [](const GameObject& g) {
            return nb::make_tuple(nb::module_::import_("tablier.registry").attr("reload_game"),
                                  nb::make_tuple(text(g.facts().name), options_dict(g)));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("__repr__", [](const GameObject& g) {
        std::string call = "tablier.load_game('" + std::string(g.facts().name) + "'";
        for (const auto [key, value] : options_dict(g)) {
          call += ", " + nb::cast<std::string>(key) + "=" + nb::cast<std::string>(nb::repr(value));
        }
        return call + ")";
      });
  module.def("native_games", &native_games, nb::sig("def native_games() -> list[str]"),
             "Returns the names of the compiled games, sorted.");
  module.def("load_native", &load_native, "name"_a, "options"_a,
             nb::sig("def load_native(name: str, options: dict[str, typing.Any]) -> Game"),
             "Loads a compiled game.\n"
             "\n"
             "Raises:\n"
             "    TypeError: If an option has a value of the wrong type.\n"
             "    ValueError: If the name or an option is unknown, a value is not accepted, or options conflict.");
  module.def(
      "load_python", &load_python, "definition"_a, "options"_a,
      nb::sig("def load_python(definition: tablier.python_game.PythonGame, options: dict[str, typing.Any]) -> Game"),
      "Loads a game written in Python; raises like `load_native()`.");
}

}  // namespace tablier
