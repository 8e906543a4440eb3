// Binds the heuristic of Trictrac: its estimate of a state, and the self-play that fits its weights (heuristic_fit.h).
#include <nanobind/stl/vector.h>

#include "../games/trictrac/heuristic_fit.h"
#include "arrays.h"
#include "fixed.h"
#include "gil.h"
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
  if (numbers.size() != kPhases * kWeights)
    throw nb::value_error(
        ("expected " + std::to_string(kPhases * kWeights) + " weights, not " + std::to_string(numbers.size())).c_str());
  std::vector<Weights> weights(kPhases);
  std::memcpy(weights.data(), numbers.data(), kPhases * sizeof(Weights));
  return weights;
}

nb::tuple self_play(const Numbers<float>& given, int throws, int holes_to_win, double noise, std::uint64_t seed) {
  const auto weights = to_weights(given);
  expect_number(throws, "throws", 1, 100'000'000);
  expect_number(holes_to_win, "holes_to_win", 1, 100);
  nb::object rows = new_array(nb::make_tuple(throws, kWeights), "float32");
  nb::object facts = new_array(nb::make_tuple(throws, kFitFacts), "int32");
  const CallerArray row_array(rows, "rows", true), fact_array(facts, "facts", true);
  {
    const Released released;
    HeuristicGames(weights.data(), noise)
        .play(throws, holes_to_win, seed, static_cast<float*>(row_array.data()),
              static_cast<FitFacts*>(fact_array.data()));
  }
  return nb::make_tuple(rows, facts);
}

int match(const Numbers<float>& one, const Numbers<float>& two, int games, std::uint64_t seed) {
  const auto first = to_weights(one), second = to_weights(two);
  const Released released;
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
          "Returns the heuristic's estimate of each player's future reward, White first.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If the state is not one of the ordinary game.");
  sub.def("heuristic_terms", &terms_of, "state"_a,
          nb::sig("def heuristic_terms(state: tablier._core.State) -> dict[str, float]"),
          "Returns the terms of the heuristic, White's minus Black's.\n"
          "\n"
          "The terms are not weighted, except `men` and `score`, which are in points.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If the state is not one of the ordinary game.");
  sub.def("heuristic_weights", &weights_now, nb::sig("def heuristic_weights() -> list[float]"),
          "Returns the weights of each phase in turn, in the column order of `heuristic_games()`.");
  sub.def(
      "heuristic_match", &match, "one"_a, "two"_a, "games"_a, "seed"_a,
      nb::sig("def heuristic_match(one: typing.Sequence[float], two: typing.Sequence[float], games: int, seed: int) "
              "-> int"),
      "Plays games to twelve holes between two sets of weights, with alternating seats.\n"
      "\n"
      "Args:\n"
      "    one: Weights, as `heuristic_weights()` returns them.\n"
      "    two: Weights of the opponent.\n"
      "    games: Number of games.\n"
      "    seed: Seed of the dice.\n"
      "\n"
      "Returns:\n"
      "    The number of games that `one` wins.\n"
      "\n"
      "Raises:\n"
      "    ValueError: If there are too few or too many weights.");
  sub.def("heuristic_games", &self_play, "weights"_a, "throws"_a, "holes_to_win"_a, "noise"_a, "seed"_a,
          nb::sig("def heuristic_games(weights: typing.Sequence[float], throws: int, holes_to_win: int, noise: float, "
                  "seed: int) -> tuple[typing.Any, typing.Any]"),
          "Plays the heuristic against itself and returns the positions before each throw.\n"
          "\n"
          "Args:\n"
          "    weights: Weights, as `heuristic_weights()` returns them.\n"
          "    throws: Number of throws to play, from 1 to 100,000,000.\n"
          "    holes_to_win: Holes that win a game, from 1 to 100.\n"
          "    noise: Probability that a move is random.\n"
          "    seed: Seed of the dice and random moves.\n"
          "\n"
          "Returns:\n"
          "    A float32 array [throws, weights per phase] whose product with the weights is the advantage of\n"
          "    the player who throws, and an int32 array [throws, 6]: player who throws, White's holes,\n"
          "    Black's holes, score margin (White's minus Black's), winner if this throw ended the game\n"
          "    (else -1), phase.\n"
          "\n"
          "Raises:\n"
          "    ValueError: If an argument is out of range.");
}

}  // namespace tablier
