// Measures the rules of Trictrac: nanoseconds per list of plays, per score and per heuristic estimate in positions of
// random games, and random games per second. With a number as argument it only plays that many games (`make
// callgrind`).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../games/trictrac/heuristic.h"
#include "../games/trictrac/trictrac.h"
#include "../kernels/playout.h"
#include "../options.h"

namespace {

using namespace tablier;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Trictrac::State start_state() {
  Trictrac::State state;
  Trictrac::init(default_options(Trictrac::facts), state);
  return state;
}

PlayoutTotals play(int games) {
  const Trictrac game;
  PlayoutTotals totals;
  for (int i = 0; i < games; ++i) {
    auto state = start_state();
    Rng rng{stream_key(1, static_cast<std::uint64_t>(i))};
    play_out(game, state, rng, 1'000'000, totals);
  }
  return totals;
}

// Positions of random games, either before a throw or at a decision.
std::vector<Trictrac::State> positions(int games, bool before_throws) {
  std::vector<Trictrac::State> seen;
  Action actions[Trictrac::kMaxActions];
  for (int i = 0; i < games; ++i) {
    auto state = start_state();
    Rng rng{stream_key(2, static_cast<std::uint64_t>(i))};
    for (int count; (count = Trictrac::legal_actions(state, actions)) > 0;) {
      if ((Trictrac::current_player(state) < 0) == before_throws) seen.push_back(state);
      Trictrac::apply(state, actions[rng.below(count)]);
    }
  }
  return seen;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    const auto totals = play(static_cast<int>(std::strtol(argv[1], nullptr, 10)));
    std::printf("%llu decisions\n", static_cast<unsigned long long>(totals.decisions));
    return 0;
  }
  const auto states = positions(200, false), throws = positions(200, true);
  trictrac::Plays plays;
  long listed = 0, points = 0;
  const int rounds = 50;
  auto start = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round) {
    for (const auto& state : states) {
      trictrac::legal_plays(trictrac::view_of(state), state.dice[0], state.dice[1], state.rules.bearing_off, plays);
      listed += plays.count;
    }
  }
  const double per_plays = seconds_since(start) / rounds / static_cast<double>(states.size()) * 1e9;
  start = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round) {
    for (const auto& state : states) points += trictrac::score_of_throw(state, trictrac::view_of(state), plays).player;
  }
  const double per_score = seconds_since(start) / rounds / static_cast<double>(states.size()) * 1e9;
  std::printf("plays: %.0f ns, %.1f plays a throw\n", per_plays,
              static_cast<double>(listed) / rounds / static_cast<double>(states.size()));
  std::printf("score_throw: %.0f ns, %.1f points a throw\n", per_score,
              static_cast<double>(points) / rounds / static_cast<double>(states.size()));
  double margins = 0;
  start = std::chrono::steady_clock::now();
  for (int round = 0; round < rounds; ++round) {
    for (const auto& state : throws) margins += trictrac::estimate_margin(state);
  }
  const double per_estimate = seconds_since(start) / rounds / static_cast<double>(throws.size()) * 1e9;
  std::printf("estimate: %.0f ns, %.1f points for White on average\n", per_estimate,
              margins / rounds / static_cast<double>(throws.size()));
  const int games = 20'000;
  start = std::chrono::steady_clock::now();
  const auto totals = play(games);
  const double took = seconds_since(start);
  std::printf("random games: %.0f/s, %.1f decisions a game, %.2f M decisions/s\n", games / took,
              static_cast<double>(totals.decisions) / games, static_cast<double>(totals.decisions) / took / 1e6);
}
