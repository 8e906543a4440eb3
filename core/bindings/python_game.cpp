#include "python_game.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "../registry.h"
#include "fixed.h"
#include "gil.h"
#include "objects.h"

namespace tablier {

namespace {

Shape to_shape(const std::vector<int>& dims, const char* what) {
  Shape shape;
  if (dims.empty() || dims.size() > 4) throw nb::value_error((std::string(what) + " needs 1 to 4 dimensions").c_str());
  shape.rank = static_cast<int>(dims.size());
  std::int64_t size = 1;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 1 || (size *= dims[i]) > 1'000'000) {
      throw nb::value_error((std::string(what) + " needs positive dimensions and at most 1000000 values").c_str());
    }
    shape.dims[i] = dims[i];
  }
  return shape;
}

int in_range(nb::handle definition, const char* attribute, int least, int most) {
  return static_cast<int>(to_number(nb::getattr(definition, attribute), attribute, least, most));
}

// Reads an attribute of the definition; the error names it.
template <class T>
T attribute(nb::handle definition, const char* name, const char* expected) {
  T value;
  if (!nb::try_cast(nb::object(nb::getattr(definition, name)), value)) {
    throw nb::type_error(
        (nb::cast<std::string>(definition.type().attr("__name__")) + "." + name + " must be " + expected).c_str());
  }
  return value;
}

std::atomic<std::uint64_t> games_made{0};

// The last result of current_player() on this thread. It saves a call into Python, and keeps the player and the legal
// actions consistent even if the game is not.
struct Asked {
  std::uint64_t game = 0;
  PythonGame::State state{};
  int player = 0;
};
thread_local Asked last_asked;

// A call into Python. A game may use the core, which calls the game again; each level takes many kilobytes of the
// stack.
class Inside {
 public:
  Inside() {
    if (depth == kDeepest) {
      PyErr_SetString(PyExc_RecursionError, "a game in Python calls itself through the core, again and again");
      throw nb::python_error();
    }
    ++depth;
  }
  ~Inside() { --depth; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  static constexpr int kDeepest = 40;
  static thread_local int depth;

  Acquired held_;
};
thread_local int Inside::depth = 0;

}  // namespace

PythonGame::PythonGame(nb::object definition) : definition_(std::move(definition)), number_(++games_made) {
  words_ = in_range(definition_, "state_words", 1, kMaxWords);
  name_ = attribute<std::string>(definition_, "name", "a str");
  // Functions of a compiled game know it by its name.
  if (find_game(name_)) throw nb::value_error((name_ + " is the name of a compiled game").c_str());
  title_ = attribute<std::string>(definition_, "title", "a str");
  help_ = attribute<std::string>(definition_, "help", "a str");
  facts.name = name_;
  facts.title = title_;
  facts.help = help_;
  facts.num_players = in_range(definition_, "num_players", 1, kMaxPlayers);
  facts.num_actions = in_range(definition_, "num_actions", 1, kMaxActions);
  facts.max_chance_outcomes = in_range(definition_, "max_chance_outcomes", 0, kMaxActions);
  facts.max_game_length = in_range(definition_, "max_game_length", 0, 1'000'000'000);
  facts.min_utility = attribute<double>(definition_, "min_utility", "a number");
  facts.max_utility = attribute<double>(definition_, "max_utility", "a number");
  facts.utility = attribute<bool>(definition_, "zero_sum", "a bool") ? Utility::kZeroSum : Utility::kGeneralSum;
  facts.reward_model =
      attribute<bool>(definition_, "terminal_rewards", "a bool") ? RewardModel::kTerminal : RewardModel::kEveryStep;
  facts.observation =
      to_shape(attribute<Numbers<int>>(definition_, "observation_shape", "a tuple of integers"), "observation_shape");
  facts.features =
      to_shape(attribute<Numbers<int>>(definition_, "features_shape", "a tuple of integers"), "features_shape");
  facts.string_buffer_size = in_range(definition_, "string_buffer_size", 16, 1 << 20);

  const nb::object base = nb::module_::import_("tablier.python_game").attr("PythonGame");
  const auto overrides = [&](const char* method) { return !definition_.type().attr(method).is(base.attr(method)); };
  has_mirror_ = overrides("mirror");
  merges_chance_ = overrides("chance_classes");
  has_canonical_ = overrides("canonical");
  has_estimate_ = overrides("estimate");

  const nb::tuple options(nb::object(definition_.attr("_option_rows")()));  // a copy that nobody else can change
  if (options.size() > kMaxOptions) throw nb::value_error("a game has at most 64 options");
  option_texts_.resize(options.size());
  for (std::size_t i = 0; i < option_texts_.size(); ++i) {
    const nb::tuple row = nb::cast<nb::tuple>(options[i]);
    if (row.size() != 7) throw nb::type_error("an option's row must have 7 entries");
    OptionText& text = option_texts_[i];
    text.name = nb::cast<std::string>(row[0]);
    text.choices = nb::cast<std::vector<std::string>>(row[5]);
    text.doc = nb::cast<std::string>(row[6]);
    text.choice_views.assign(text.choices.begin(), text.choices.end());
    options_.push_back({.name = text.name,
                        .kind = static_cast<OptionKind>(nb::cast<int>(row[1])),
                        .default_value = nb::cast<std::int64_t>(row[2]),
                        .min = nb::cast<std::int64_t>(row[3]),
                        .max = nb::cast<std::int64_t>(row[4]),
                        .choices = text.choice_views,
                        .doc = text.doc});
    const Option& option = options_.back();
    if (option.kind < OptionKind::kInteger || option.kind > OptionKind::kChoice ||
        option.default_value < option.least() || option.default_value > option.largest()) {
      throw nb::value_error(("option '" + text.name + "' has no such kind or default").c_str());
    }
  }
  facts.options = options_;
}

PythonGame::~PythonGame() {
  const Acquired held;
  definition_.reset();
}

void PythonGame::complain(const char* method, const std::string& expected) const {
  throw nb::type_error((name_ + "." + method + "() must return " + expected).c_str());
}

nb::tuple PythonGame::to_tuple(const State& state) const {
  auto tuple = nb::steal<nb::tuple>(PyTuple_New(words_));
  for (int i = 0; i < words_; ++i) {
    PyTuple_SET_ITEM(tuple.ptr(), i, PyLong_FromLongLong(static_cast<long long>(state.words[i])));
  }
  return tuple;
}

void PythonGame::from_tuple(nb::handle value, const char* method, State& state) const {
  const std::string expected = "a tuple of " + std::to_string(words_) + " integers that fit into 64 bits";
  if (!PyTuple_Check(value.ptr()) || PyTuple_GET_SIZE(value.ptr()) != words_) complain(method, expected);
  state = {};
  for (int i = 0; i < words_; ++i) {
    int overflow = 0;
    PyObject* item = PyTuple_GET_ITEM(value.ptr(), i);
    if (!PyIndex_Check(item)) complain(method, expected);
    const auto number = nb::steal(PyNumber_Index(item));
    if (!number) throw nb::python_error();
    const long long word = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0) complain(method, expected);
    state.words[i] = static_cast<Word>(word);
  }
}

void PythonGame::copy_numbers(const nb::object& value, const char* method, double* out) const {
  Numbers<double> given;
  const std::vector<double>& values = given.value;
  if (!nb::try_cast(value, given) || values.size() != static_cast<std::size_t>(facts.num_players)) {
    complain(method, "one number for each player");
  }
  if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) {
    complain(method, "finite numbers");
  }
  std::copy(values.begin(), values.end(), out);
}

void PythonGame::copy_bytes(const nb::object& value, const char* method, std::size_t size, void* out) const {
  if (!nb::isinstance<nb::bytes>(value)) complain(method, "an array");
  const auto bytes = nb::borrow<nb::bytes>(value);
  if (bytes.size() != size) complain(method, "as many values as its shape says");
  std::memcpy(out, bytes.c_str(), size);
}

void PythonGame::copy_text(const nb::object& value, const char* method, char* out) const {
  if (!nb::isinstance<nb::str>(value)) complain(method, "a str");
  std::string text;
  if (!nb::try_cast(value, text)) complain(method, "text that can be encoded as UTF-8");
  const auto room = static_cast<std::size_t>(facts.string_buffer_size);
  if (text.size() >= room) complain(method, "fewer than string_buffer_size = " + std::to_string(room) + " bytes");
  std::memcpy(out, text.c_str(), text.size() + 1);
}

void PythonGame::init(std::span<const std::int64_t> options, State& state) const {
  const Inside held;
  nb::dict values;
  for (std::size_t i = 0; i < options.size(); ++i)
    values[nb::str(options_[i].name.data(), options_[i].name.size())] = from_option(options_[i], options[i]);
  from_tuple(definition_.attr("initial")(**values), "initial", state);
}

int PythonGame::current_player(const State& state) const {
  const bool known = last_asked.game == number_ && std::memcmp(&last_asked.state, &state, sizeof(State)) == 0;
  if (known) return last_asked.player;
  const Inside held;
  const auto player = to_integer(definition_.attr("current_player")(to_tuple(state)), "current_player()");
  if (player != kChance && player != kTerminal && (player < 0 || player >= facts.num_players)) {
    complain("current_player", "a player number, CHANCE or TERMINAL");
  }
  last_asked = {number_, state, static_cast<int>(player)};
  return last_asked.player;
}

int PythonGame::legal_actions(const State& state, Action* out) const {
  const Inside held;
  const int player = current_player(state);
  if (player == kTerminal) return 0;
  const int most = player == kChance ? facts.max_chance_outcomes : facts.num_actions;
  int count = 0;
  for (const nb::handle item : nb::object(definition_.attr("legal_actions")(to_tuple(state)))) {
    const auto action = to_integer(item, "an action");
    if (action < (count ? out[count - 1] + 1 : 0) || action >= most) {
      complain("legal_actions", "distinct actions from 0 to " + std::to_string(most - 1) + " in ascending order");
    }
    out[count++] = static_cast<Action>(action);
  }
  if (count == 0) complain("legal_actions", "at least one action unless the game is over");
  return count;
}

void PythonGame::apply(State& state, Action action) const {
  const Inside held;
  from_tuple(definition_.attr("apply")(to_tuple(state), action), "apply", state);
}

void PythonGame::returns(const State& state, double* out) const {
  const Inside held;
  copy_numbers(definition_.attr("returns")(to_tuple(state)), "returns", out);
}

void PythonGame::observation(const State& state, int player, std::uint8_t* out) const {
  const Inside held;
  copy_bytes(definition_.attr("_observation_bytes")(to_tuple(state), player), "observation",
             static_cast<std::size_t>(facts.observation.size()), out);
}

void PythonGame::features(const State& state, int player, float* out) const {
  const Inside held;
  copy_bytes(definition_.attr("_features_bytes")(to_tuple(state), player), "features",
             static_cast<std::size_t>(facts.features.size()) * sizeof(float), out);
}

void PythonGame::to_string(const State& state, char* out) const {
  const Inside held;
  copy_text(definition_.attr("to_string")(to_tuple(state)), "to_string", out);
}

void PythonGame::action_to_string(const State& state, Action action, char* out) const {
  const Inside held;
  copy_text(definition_.attr("action_to_string")(to_tuple(state), action), "action_to_string", out);
}

const char* PythonGame::invalid(const State& state) const {
  const Inside held;
  const nb::object reason = definition_.attr("invalid")(to_tuple(state));
  if (reason.is_none()) return nullptr;
  thread_local std::string text;
  text = nb::cast<std::string>(nb::str(reason));
  return text.c_str();
}

bool PythonGame::mirror(State& state) const {
  const Inside held;
  const nb::object mirrored = definition_.attr("mirror")(to_tuple(state));
  if (mirrored.is_none()) return false;
  from_tuple(mirrored, "mirror", state);
  return true;
}

int PythonGame::chance_classes(const State& state, Action* outcomes, int* weights) const {
  const Inside held;
  const int count = legal_actions(state, outcomes);
  expect_same<PythonGame>(current_player(state) == kChance);
  std::fill_n(weights, count, 1);
  if (!merges_chance_) return count;
  std::vector<Action> left(outcomes, outcomes + count);
  const std::string expected =
      "pairs (outcome, weight): distinct outcomes of this roll, with weights that add up to " + std::to_string(count);
  int classes = 0, whole = 0;
  for (const nb::handle pair : nb::object(definition_.attr("chance_classes")(to_tuple(state)))) {
    if (!PyTuple_Check(pair.ptr()) || PyTuple_GET_SIZE(pair.ptr()) != 2) complain("chance_classes", expected);
    const auto outcome = to_integer(PyTuple_GET_ITEM(pair.ptr(), 0), "an outcome of chance_classes()");
    const auto weight = to_integer(PyTuple_GET_ITEM(pair.ptr(), 1), "a weight of chance_classes()");
    const auto found = std::find(left.begin(), left.end(), outcome);
    if (found == left.end() || weight < 1 || weight > count - whole) complain("chance_classes", expected);
    left.erase(found);  // so there are never more classes than the buffers have room for
    outcomes[classes] = static_cast<Action>(outcome);
    weights[classes++] = static_cast<int>(weight);
    whole += static_cast<int>(weight);
  }
  if (whole != count) complain("chance_classes", expected);
  return classes;
}

void PythonGame::canonical(State& state) const {
  if (!has_canonical_) return;
  const Inside held;
  from_tuple(definition_.attr("canonical")(to_tuple(state)), "canonical", state);
}

void PythonGame::estimate(const State& state, double* to_come) const {
  const Inside held;
  copy_numbers(definition_.attr("estimate")(to_tuple(state)), "estimate", to_come);
}

std::vector<PythonGame::State> PythonGame::indistinguishable(const State& state, int player) const {
  const Inside held;
  std::vector<State> found;
  for (const nb::handle other : nb::object(definition_.attr("indistinguishable")(to_tuple(state), player))) {
    from_tuple(other, "indistinguishable", found.emplace_back());
  }
  return found;
}

}  // namespace tablier
