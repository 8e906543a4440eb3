// The heuristic of Trictrac for Python: its opinion of a state, and games it plays against itself for the fit of its
// weights (tools/fit_heuristic.py).
#include "../games/trictrac/heuristic.h"

#include <nanobind/stl/vector.h>

#include "../games/trictrac/trictrac.h"
#include "../rng.h"
#include "arrays.h"
#include "objects.h"

namespace tablier {

using namespace nb::literals;

namespace {

using namespace trictrac;

Core core_of(const StateObject& state) {
  if (state.facts().name != "trictrac") throw nb::value_error("this is not a state of 'trictrac'");
  Core core;
  std::memcpy(&core, state.words.data(), sizeof core);
  return core;
}

std::vector<double> estimate_of(const StateObject& state) {
  std::vector<double> values(2);
  estimate(core_of(state), values.data());
  return values;
}

// Every term as White's less Black's; `men` and `score` are sums that are weighted already, in points.
nb::dict terms_of(const StateObject& state) {
  const Core core = core_of(state);
  const Sides sides(core);
  const int white = core.player;  // his index in `sides`
  nb::dict result;
  for (int i = 0; i < kTerms; ++i) result[kTermNames[i]] = sides.terms[white][i] - sides.terms[1 - white][i];
  const float sign = core.player == 0 ? 1.0f : -1.0f;
  const Weights& weights = kFitted[sides.phase];
  const float mine = men_value(core.men[core.player], weights.men[0]);
  const float theirs = men_value(core.men[1 - core.player], weights.men[1]);
  result["men"] = sign * (mine + theirs);
  result["score"] = sign * weights.score[score_state(core)];
  return result;
}

// The row of a position before a throw whose product with the weights is its advantage.
int write_row(const Core& state, float* row) {
  const Sides sides(state);
  std::memset(row, 0, kWeights * sizeof(float));
  std::memcpy(row, sides.terms, sizeof sides.terms);
  float* men = row + 2 * kTerms;
  for (int side = 0; side < 2; ++side, men += kFields * 3) {
    const Men& here = state.men[side == 0 ? state.player : 1 - state.player];
    for (int field = 0; field < kFields; ++field) {
      const int count = here.count(field);
      men[3 * field] = count > 0;
      men[3 * field + 1] = count > 1;
      men[3 * field + 2] = static_cast<float>(count > 2 ? count - 2 : 0);
    }
  }
  men[score_state(state)] = 1;
  return sides.phase;
}

// What an action of this state leads to, less what was paid before: for the player to move.
double worth(const Core& after, const Weights* weights, int player) {
  double returns[2];
  Trictrac::returns(after, returns);
  const double margin = returns[0] - returns[1] + estimate_margin(after, weights) * (on(after, kUtilityWin) ? 2 : 1);
  return player == 0 ? margin : -margin;
}

// The best move of a decision by the state after it, or, once in `noise` times, any.
void play_best(Core& state, const Weights* weights, double noise, Rng& rng) {
  Plays plays;
  legal_plays(view_of(state), state.dice[0], state.dice[1], state.rules.bearing_off, plays);
  const bool any = static_cast<double>(rng.next() >> 11) * 0x1p-53 < noise;
  Core best{};
  double most = -1e30;
  const auto consider = [&](const Core& after) {
    const double value = any ? static_cast<double>(rng.next() >> 11) : worth(after, weights, state.player);
    if (value > most) most = value, best = after;
  };
  for (int i = 0; i < plays.count; ++i) {
    Core after = state;
    play(after, plays.play[i].men);
    consider(after);
  }
  if (state.stage == Stage::kHoldOrGo) {
    Core after = state;
    leave(after);
    consider(after);
  }
  state = best;
}

std::vector<Weights> to_weights(const std::vector<float>& numbers) {
  if (numbers.size() != kPhases * kWeights) throw nb::value_error("this is another number of weights");
  std::vector<Weights> weights(kPhases);
  std::memcpy(weights.data(), numbers.data(), kPhases * sizeof(Weights));
  return weights;
}

void throw_both(Core& state, Rng& rng) { roll(state, 1 + rng.below(6), 1 + rng.below(6)); }

// A game after its draw, before the first move.
Core new_game(int holes_to_win, Rng& rng) {
  Core state;
  Rules rules{};
  rules.holes_to_win = static_cast<std::uint8_t>(holes_to_win);
  start_game(state, rules);
  while (state.facts & kDrawing) throw_both(state, rng);
  return state;
}

bool deciding(const Core& state) { return state.stage != Stage::kRollWaiting && !over(state); }

// Plays `throws` throws of games with these weights. Row i is the position before the i-th throw; beside it who
// throws, both players' holes, the score margin (White's less Black's) before it, who won where the game ended with it
// (else -1), and the phase.
nb::tuple self_play(const std::vector<float>& given, int throws, int holes_to_win, double noise, std::uint64_t seed) {
  const auto weights = to_weights(given);
  nb::object rows = new_array(nb::make_tuple(throws, kWeights), "float32");
  nb::object facts = new_array(nb::make_tuple(throws, 6), "int32");
  const CallerArray row_array(rows, "rows", true), fact_array(facts, "facts", true);
  auto* row = static_cast<float*>(row_array.data());
  auto* fact = static_cast<std::int32_t*>(fact_array.data());
  Rng rng{stream_key(seed, 0)};
  Core state = new_game(holes_to_win, rng);
  while (deciding(state)) play_best(state, weights.data(), noise, rng);
  for (int i = 0; i < throws; ++i, row += kWeights, fact += 6) {
    fact[5] = write_row(state, row);
    fact[0] = state.player;
    fact[1] = state.holes[0];
    fact[2] = state.holes[1];
    fact[3] = score_of(state, 0) - score_of(state, 1);
    throw_both(state, rng);
    while (deciding(state)) play_best(state, weights.data(), noise, rng);
    fact[4] = over(state) ? winner(state) : -1;
    if (!over(state)) continue;
    state = new_game(holes_to_win, rng);
    while (deciding(state)) play_best(state, weights.data(), noise, rng);
  }
  return nb::make_tuple(rows, facts);
}

// How many games of `games` the first weights win against the second, the seats changing.
int match(const std::vector<float>& one, const std::vector<float>& two, int games, std::uint64_t seed) {
  const std::vector<Weights> weights[2] = {to_weights(one), to_weights(two)};
  int won = 0;
  for (int i = 0; i < games; ++i) {
    Rng rng{stream_key(seed, static_cast<std::uint64_t>(i))};
    for (Core state = new_game(12, rng);;) {
      while (deciding(state)) play_best(state, weights[state.player ^ (i & 1)].data(), 0, rng);
      if (over(state)) {
        won += winner(state) == (i & 1);
        break;
      }
      throw_both(state, rng);
    }
  }
  return won;
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
  sub.def("heuristic_games", &self_play, "weights"_a, "throws"_a, "holes_to_win"_a, "noise"_a, "seed"_a,
          nb::sig("def heuristic_games(weights: typing.Sequence[float], throws: int, holes_to_win: int, noise: float, "
                  "seed: int) -> tuple[typing.Any, typing.Any]"),
          "Self-play for the fit of the weights: the rows of positions, and facts beside them.");
}

}  // namespace tablier
