// Random playouts, and the hash that pins a game's behaviour.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "../game.h"
#include "../rng.h"
#include "workers.h"

namespace tablier {

struct PlayoutTotals {
  std::uint64_t decisions = 0;  // player actions
  std::uint64_t rolls = 0;      // chance actions
};

// Plays random actions until the game is over or `max_steps` are played. Returns whether the game is over.
template <Game G>
bool play_out(const G& game, typename G::State& state, Rng& rng, std::uint64_t max_steps, PlayoutTotals& totals) {
  Action actions[G::kMaxActions];
  std::uint64_t decisions = 0, rolls = 0;
  bool over = false;
  for (std::uint64_t step = 0; step < max_steps; ++step) {
    const int count = game.legal_actions(state, actions);
    if (count == 0) {
      over = true;
      break;
    }
    (game.current_player(state) == kChance ? rolls : decisions) += 1;
    game.apply(state, actions[rng.below(count)]);
  }
  totals.decisions += decisions;
  totals.rolls += rolls;
  return over || game.current_player(state) == kTerminal;
}

// Plays n games; game i draws from stream (seed, first + i). Writes returns[i * players + p] and lengths[i] (decisions
// and rolls). Returns the number of games cut at max_steps, which keep the returns collected so far.
template <Game G>
std::uint64_t play_out_many(const G& game, const Facts& facts, const typename G::State& start, std::uint64_t first,
                            std::size_t n, std::uint64_t seed, std::uint64_t max_steps, Workers& workers,
                            double* returns, std::uint32_t* lengths, PlayoutTotals& totals) {
  std::atomic<std::uint64_t> decisions = 0, rolls = 0, cut = 0;
  const std::size_t slice = std::clamp<std::size_t>(n / (8 * static_cast<std::size_t>(workers.threads())), 1, 256);
  workers.run(n, slice, [&](std::size_t begin, std::size_t end) {
    PlayoutTotals sum;
    std::uint64_t unfinished = 0;
    for (std::size_t i = begin; i < end; ++i) {
      typename G::State state = start;
      Rng rng{stream_key(seed, first + i)};
      PlayoutTotals one;
      unfinished += !play_out(game, state, rng, max_steps, one);
      game.returns(state, returns + i * static_cast<std::size_t>(facts.num_players));
      lengths[i] = static_cast<std::uint32_t>(one.decisions + one.rolls);
      sum.decisions += one.decisions;
      sum.rolls += one.rolls;
    }
    decisions += sum.decisions;
    rolls += sum.rolls;
    cut += unfinished;
  });
  totals.decisions += decisions;
  totals.rolls += rolls;
  return cut;
}

// A hash of everything visible in `games` random games: the player to move, legal actions, observations, features and
// returns. It depends only on rules and encodings, not on the memory layout of a state.
template <Game G>
std::uint64_t behaviour(const G& game, const Facts& facts, const typename G::State& start, int games,
                        std::uint64_t seed) {
  std::uint64_t hash = kGoldenGamma;
  const auto add = [&hash](std::uint64_t value) { hash = mix(hash ^ value) + kGoldenGamma; };
  Action actions[G::kMaxActions];
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(facts.observation.size()));
  std::vector<float> floats(static_cast<std::size_t>(facts.features.size()));
  double returns[kMaxPlayers];
  for (int i = 0; i < games; ++i) {
    typename G::State state = start;
    Rng rng{stream_key(seed, static_cast<std::uint64_t>(i))};
    for (;;) {
      add(static_cast<std::uint64_t>(game.current_player(state)));
      game.returns(state, returns);
      for (int player = 0; player < facts.num_players; ++player) {
        add(std::bit_cast<std::uint64_t>(returns[player]));
        game.observation(state, player, bytes.data());
        for (const std::uint8_t byte : bytes) add(byte);
        game.features(state, player, floats.data());
        for (const float value : floats) add(std::bit_cast<std::uint32_t>(value));
      }
      const int count = game.legal_actions(state, actions);
      for (int k = 0; k < count; ++k) add(static_cast<std::uint64_t>(actions[k]));
      if (count == 0) break;
      game.apply(state, actions[rng.below(count)]);
    }
  }
  return hash;
}

}  // namespace tablier
