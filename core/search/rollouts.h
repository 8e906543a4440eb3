// Rollouts: games continued from a position by a policy that plays the action with the best afterstate. The luck of a
// roll is the value after it minus the mean over all rolls, by the same evaluator. Luck averages to zero whatever the
// evaluator believes, so a result minus its luck has the same expectation and, if the evaluator is good, far less
// variance.
#pragma once

#include "../kernels/workers.h"
#include "evaluate.h"

namespace tablier::search {

struct RolloutConfig {
  std::int64_t first = 0, games = 1;  // the numbers of the games, which determine their dice
  int decisions = 0;                  // a game ends after this many with the evaluator's value; 0: it is played out
  bool luck = true;                   // measuring it takes most of the time
  std::uint64_t seed = 0;
  Objective objective = Objective::kOwn;

  static constexpr int kMostDecisions = 100'000;  // of a game that is played out
};

// Plays rollouts in one thread.
template <Game G>
class Rollout {
 public:
  using State = typename G::State;

  Rollout(const G& game, const Facts& facts, const Config& evaluator, const RolloutConfig& config)
      : game_(game), players_(facts.num_players), config_(config), judge_(game, facts, evaluator) {}

  // Plays one game and writes the rewards from now on and their luck for each player. `viewer` is the player who moved
  // before a roll. Returns whether the game was played to its end.
  bool operator()(State state, int viewer, Rng& rng, double* rewards, double* luck) {
    double start[seats<G>], end[seats<G>], rest[seats<G>] = {};
    game_.returns(state, start);
    std::fill_n(luck, players_, 0.0);
    const int most = config_.decisions > 0 ? config_.decisions : RolloutConfig::kMostDecisions;
    int decisions = 0, player;
    Action reply = -1;
    while ((player = game_.current_player(state)) != kTerminal) {
      if (player == kChance && decisions < most) {
        reply = roll(state, viewer, rng, luck);
        continue;
      }
      if (decisions == most) {
        judge_(state, player >= 0 ? player : viewer, rng, rest);
        break;
      }
      if (reply < 0) reply = judge_.best_reply(state, player, config_.objective).action;
      game_.apply(state, reply);
      viewer = player;
      reply = -1;
      ++decisions;
    }
    game_.returns(state, end);
    for (int p = 0; p < players_; ++p) rewards[p] = end[p] - start[p] + rest[p];
    return player == kTerminal;
  }

 private:
  // Rolls the dice and returns the reply if it is known by then, otherwise -1.
  Action roll(State& state, int viewer, Rng& rng, double* luck) {
    Action outcomes[G::kMaxActions];
    int weights[G::kMaxActions];
    const int count = chance_classes(game_, state, outcomes, weights);
    const int whole = std::accumulate(weights, weights + count, 0);
    int drawn = 0;
    for (int left = rng.below(whole); left >= weights[drawn]; ++drawn) left -= weights[drawn];
    const State before = state;
    Action reply = -1;
    game_.apply(state, outcomes[drawn]);
    if (!config_.luck) return reply;
    for (int i = 0; i < count; ++i) {
      State after = before;
      game_.apply(after, outcomes[i]);
      const auto best = judge_.best_reply(after, viewer, config_.objective);
      const double weight = static_cast<double>(weights[i]) / whole;
      for (int p = 0; p < players_; ++p) luck[p] += ((i == drawn) - weight) * best.value[static_cast<std::size_t>(p)];
      if (i == drawn) reply = best.action;
    }
    return reply;
  }

  const G& game_;
  int players_;
  RolloutConfig config_;
  Judge<G> judge_;
};

// The caller's arrays, [positions, games, players] and [positions, games].
struct RolloutView {
  double* rewards;
  double* luck;
  std::uint8_t* ended;
};

// Rolls out `n` positions. Game k of every position has the same dice as far as the games agree, whatever the number of
// threads.
template <Game G, class PositionAt>
void roll_out_many(const G& game, const Facts& facts, const Config& evaluator, const RolloutConfig& config,
                   PositionAt position_at, const std::int32_t* viewers, std::size_t n, Workers& workers,
                   const RolloutView& out) {
  const auto games = static_cast<std::size_t>(config.games), players = static_cast<std::size_t>(facts.num_players);
  workers.run(n * games, 1, [&](std::size_t begin, std::size_t end) {
    Rollout<G> rollout(game, facts, evaluator, config);
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t at = row / games, number = row % games;
      Rng rng{stream_key(config.seed, static_cast<std::uint64_t>(config.first) + number)};
      out.ended[row] =
          rollout(position_at(at), viewers[at], rng, out.rewards + row * players, out.luck + row * players);
    }
  });
}

}  // namespace tablier::search
