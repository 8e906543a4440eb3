// Binds what compares players of backgammon with exact values and with other programs: whole turns, the tables of the
// bear-off, and the solver of hypergammon.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "../games/backgammon/hyper.h"
#include "../games/backgammon/turns.h"
#include "fixed.h"
#include "search.h"

namespace tablier {

using namespace nb::literals;

namespace {

using namespace backgammon;

constexpr Py_ssize_t kStateWords = sizeof(Core) / sizeof(Word);

// Checked states of the caller.
class GivenStates {
 public:
  GivenStates(nb::handle given, nb::handle states)
      : at_(*of_backgammon(given), states, nb::none(), "players", Positions::kOptional), n(at_.n) {}

  Core operator[](Py_ssize_t i) const {
    Core core;
    std::memcpy(&core, at_.states() + i * kStateWords, sizeof core);
    return core;
  }

 private:
  static std::shared_ptr<GameObject> of_backgammon(nb::handle given) {
    auto game = to_game(given);
    if (game->facts().name != "backgammon") throw nb::value_error("this is not a game of backgammon");
    return game;
  }

  const Positions at_;

 public:
  const Py_ssize_t n;
};

nb::tuple turns(nb::handle game, nb::handle states) {
  const GivenStates given(game, states);
  std::vector<std::int64_t> first{0};
  std::vector<std::int32_t> actions;
  std::vector<Word> after;
  {
    const Released released;
    std::vector<Turn> found;
    for (Py_ssize_t i = 0; i < given.n; ++i) {
      const Core state = given[i];
      found.clear();
      if (moving(state)) list_turns(state, found);
      for (const Turn& turn : found) {
        actions.push_back(turn.first), actions.push_back(turn.second);
        Word words[kStateWords];
        std::memcpy(words, &turn.after, sizeof turn.after);
        after.insert(after.end(), words, words + kStateWords);
      }
      first.push_back(static_cast<std::int64_t>(actions.size() / 2));
    }
  }
  const auto m = actions.size() / 2;
  return nb::make_tuple(to_array(first, nb::make_tuple(first.size())), to_array(actions, nb::make_tuple(m, 2)),
                        to_array(after, nb::make_tuple(m, kStateWords)));
}

nb::object sides(nb::handle game, nb::handle states) {
  const GivenStates given(game, states);
  std::vector<std::uint8_t> men(static_cast<std::size_t>(given.n) * 2 * kSide);
  for (Py_ssize_t i = 0; i < given.n; ++i) write_sides(given[i], men.data() + i * 2 * kSide);
  return to_array(men, nb::make_tuple(given.n, 2, +kSide));
}

std::optional<double> known_equity(const StateObject& state) {
  if (state.facts().name != "backgammon") throw nb::value_error("this is not a state of backgammon");
  Core core;
  std::memcpy(&core, state.words.data(), sizeof core);
  double to_come[2];
  if (core.phase == Phase::kOver || !known_value(core, to_come)) return std::nullopt;
  return to_come[0];
}

int home_position(nb::handle given) {
  Numbers<int> numbers;
  if (!nb::try_cast(given, numbers)) throw nb::type_error("the men must be a sequence of six integers");
  const std::vector<int>& men = numbers;
  BearOff::Counts counts{};
  int total = 0;
  if (men.size() != counts.size()) throw nb::value_error("give the number of men on each of the points 1 to 6");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (men[i] < 0 || men[i] > BearOff::kMen || (total += men[i]) > BearOff::kMen)
      throw nb::value_error("a player has 0 to 15 men");
    counts[i] = static_cast<std::uint8_t>(men[i]);
  }
  return BearOff::index(counts);
}

nb::object distribution(nb::handle men, bool first) {
  const int position = home_position(men);
  if (first && !BearOff::is_full(position))
    throw nb::value_error("the first man is still to be borne off: give 15 men");
  const BearOff& tables = BearOff::tables();
  const auto& found = first ? tables.first_throws(position) : tables.throws(position);
  return to_array(std::vector<float>(found.begin(), found.end()), nb::make_tuple(found.size()));
}

double sweep(nb::handle table, nb::handle men, nb::handle points, nb::handle begin, nb::handle end) {
  const auto total = static_cast<int>(to_number(men, "men", 1, Hyper::kMostMen));
  const auto most = static_cast<int>(to_number(points, "points", 1, 3));
  const Py_ssize_t n = Hyper::count(total);
  const auto from = static_cast<int>(to_number(begin, "begin", 0, n)),
             to = static_cast<int>(to_number(end, "end", from, n));
  Held held;
  float* values = held.take<float>(table, "table", {n, n});
  if (!values) throw nb::type_error("the array 'table' is required");
  const Released released;
  return Hyper(total, most).sweep(values, from, to);
}

void bind_turns(nb::module_& module) {
  module.def(
      "turns", &turns, "game"_a, "states"_a,
      nb::sig("def turns(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64]) -> "
              "tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.int32], "
              "numpy.typing.NDArray[numpy.uint64]]"),
      "Lists the whole turns of decisions, one per resulting position; a doublet is one turn of two actions.\n"
      "\n"
      "Args:\n"
      "    game: A game of backgammon.\n"
      "    states: The states, [n, state_size].\n"
      "\n"
      "Returns:\n"
      "    first, [n + 1]: the turns of state i are first[i] to first[i + 1] - 1; none if no player is to move.\n"
      "    actions, [m, 2]: the actions of each turn; the second is -1 if there is only one.\n"
      "    after, [m, state_size]: the states after the turns.");
  module.def(
      "sides", &sides, "game"_a, "states"_a,
      nb::sig("def sides(game: tablier._core.Game, states: numpy.typing.NDArray[numpy.uint64]) -> "
              "numpy.typing.NDArray[numpy.uint8]"),
      "Returns the men of the opponent and of the player to act, [n, 2, 25]: points 1 to 24 in each player's own\n"
      "numbering, and the bar.");
}

void bind_bear_off(nb::module_& module) {
  module.def("known_equity", &known_equity, "state"_a,
             "Returns the points that player 0 can expect if both players have all men home, otherwise None.");
  module.def("bear_off_throws", &distribution, "men"_a, "first"_a = false,
             nb::sig("def bear_off_throws(men: typing.Sequence[int], first: bool = False) -> "
                     "numpy.typing.NDArray[numpy.float32]"),
             "Returns the probabilities of bearing off in 1, 2, ... throws, played for the lowest mean.\n"
             "\n"
             "Args:\n"
             "    men: Men on the points 1 to 6.\n"
             "    first: Count the throws up to the first of fifteen men instead of the last man.");
  module.def(
      "bear_off_win",
      [](nb::handle mine, nb::handle theirs) {
        return BearOff::tables().win(home_position(mine), home_position(theirs));
      },
      "mine"_a, "theirs"_a,
      nb::sig("def bear_off_win(mine: typing.Sequence[int], theirs: typing.Sequence[int]) -> float"),
      "Returns the chance to win of the player on throw, by men on the points 1 to 6. Exact with up to six men each.");
}

void bind_hyper(nb::module_& module) {
  module.def(
      "hyper_count", [](nb::handle men) { return Hyper::count(static_cast<int>(to_number(men, "men", 1, 3))); },
      "men"_a, nb::sig("def hyper_count(men: int) -> int"),
      "Returns the number of positions of one player with 1 to 3 men.");
  module.def("hyper_sweep", &sweep, "table"_a, "men"_a, "points"_a, "begin"_a, "end"_a,
             nb::sig("def hyper_sweep(table: numpy.typing.NDArray[numpy.float32], men: int, points: int, begin: int, "
                     "end: int) -> float"),
             "Improves some columns of a table of equities once, in place, and returns the largest change.\n"
             "\n"
             "Args:\n"
             "    table: [count, count]; entry [x, y] is the equity of a player on throw with position y against x.\n"
             "    men: Number of men of each player, 1 to 3.\n"
             "    points: What the largest win counts, 1 to 3.\n"
             "    begin: The first column.\n"
             "    end: One past the last column.");
}

}  // namespace

void bind_backgammon_judges(nb::module_& module);
void bind_backgammon_judges(nb::module_& module) {
  bind_turns(module);
  bind_bear_off(module);
  bind_hyper(module);
}

}  // namespace tablier
