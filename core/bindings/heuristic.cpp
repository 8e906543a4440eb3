// The heuristic of Trictrac for Python: its opinion of a state, and its games against itself (heuristic_fit.h).
#include <nanobind/stl/vector.h>

#include "../games/trictrac/heuristic_fit.h"
#include "arrays.h"
#include "trictrac_parts.h"

namespace tablier {

using namespace nb::literals;

namespace {

using namespace trictrac;

Core ordinary(const StateObject& state) {
  if (state.facts().name != "trictrac") throw nb::value_error("this is not a state of 'trictrac'");
  return core_of(state);
}

std::vector<double> estimate_of(const StateObject& state) {
  std::vector<double> values(2);
  estimate(ordinary(state), values.data());
  return values;
}

nb::dict terms_of(const StateObject& state) {
  const Opinion opinion = opinion_of(ordinary(state));
  nb::dict result;
  for (int i = 0; i < kTerms; ++i) result[kTermNames[i]] = opinion.terms[i];
  result["men"] = opinion.men;
  result["score"] = opinion.score;
  return result;
}

std::vector<Weights> to_weights(const std::vector<float>& numbers) {
  if (numbers.size() != kPhases * kWeights) throw nb::value_error("this is another number of weights");
  std::vector<Weights> weights(kPhases);
  std::memcpy(weights.data(), numbers.data(), kPhases * sizeof(Weights));
  return weights;
}

nb::tuple self_play(const std::vector<float>& given, int throws, int holes_to_win, double noise, std::uint64_t seed) {
  const auto weights = to_weights(given);
  expect_number(throws, "throws", 1, 100'000'000);
  expect_number(holes_to_win, "holes_to_win", 1, 100);
  nb::object rows = new_array(nb::make_tuple(throws, kWeights), "float32");
  nb::object facts = new_array(nb::make_tuple(throws, kFitFacts), "int32");
  const CallerArray row_array(rows, "rows", true), fact_array(facts, "facts", true);
  {
    const nb::gil_scoped_release released;
    HeuristicGames(weights.data(), noise)
        .play(throws, holes_to_win, seed, static_cast<float*>(row_array.data()),
              static_cast<FitFacts*>(fact_array.data()));
  }
  return nb::make_tuple(rows, facts);
}

int match(const std::vector<float>& one, const std::vector<float>& two, int games, std::uint64_t seed) {
  const auto first = to_weights(one), second = to_weights(two);
  const nb::gil_scoped_release released;
  return HeuristicGames::match(first.data(), second.data(), games, seed);
}

std::vector<float> weights_now() {
  std::vector<float> result(kPhases * kWeights);
  std::memcpy(result.data(), kFitted, sizeof kFitted);
  return result;
}

}  // namespace

void bind_heuristic(nb::module_& module) {
  nb::module_ sub = nb::borrow<nb::module_>(module.attr("trictrac"));
  sub.def("estimate", &estimate_of, "state"_a, nb::sig("def estimate(state: tablier._core.State) -> list[float]"),
          "What each player will still win from here, by the heuristic.");
  sub.def("heuristic_terms", &terms_of, "state"_a,
          nb::sig("def heuristic_terms(state: tablier._core.State) -> dict[str, float]"),
          "The terms of the heuristic, White's less Black's.");
  sub.def("heuristic_weights", &weights_now, nb::sig("def heuristic_weights() -> list[float]"),
          "Of each phase the weights, in the order of the columns of heuristic_games().");
  sub.def(
      "heuristic_match", &match, "one"_a, "two"_a, "games"_a, "seed"_a,
      nb::sig("def heuristic_match(one: typing.Sequence[float], two: typing.Sequence[float], games: int, seed: int) "
              "-> int"),
      "How many games the first weights win against the second.");
  sub.def(
      "heuristic_games", &self_play, "weights"_a, "throws"_a, "holes_to_win"_a, "noise"_a, "seed"_a,
      nb::sig("def heuristic_games(weights: typing.Sequence[float], throws: int, holes_to_win: int, noise: float, "
              "seed: int) -> tuple[typing.Any, typing.Any]"),
      "Self-play for the fit of the weights: the rows of positions before a throw, and beside each who throws, both\n"
      "players' holes, the score margin (White's less Black's), who won if the game ended with this throw (else "
      "-1), the\nphase.");
}

}  // namespace tablier
