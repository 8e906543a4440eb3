// Games in which a network plays both sides and always the move that it values most: the acting half of TD learning.
#pragma once

#include <algorithm>
#include <atomic>

#include "../kernels/batch.h"
#include "inference.h"

namespace tablier::nets {

// The caller's arrays, with one row per game. Row i of an array of moves belongs to game i. Rewards and values are half
// the margin of player 0 over player 1; in a zero-sum game that is player 0's share.
struct PlayView {
  std::int64_t moves = 0;
  double epsilon = 0;   // probability of a random move
  double discount = 1;  // of the next decision, in `expected`
  // [n, moves]:
  float* features = nullptr;       // [.., features...]: the afterstate, as `viewer` sees it; zeros if the game is
                                   // over; may be null
  std::uint8_t* codes = nullptr;   // [.., inputs of the network]: its codes; zeros if the game is over; may be null
  std::int32_t* viewer = nullptr;  // next to decide or, before a roll, the mover; -1 if the game is over
  float* before = nullptr;         // reward of the move
  float* after = nullptr;          // reward of the dice that follow
  std::uint8_t* over = nullptr;    // 1 = the game ended, and the next move belongs to a new one
  float* expected = nullptr;       // value of the afterstate, averaged over all rolls with the best reply; may be null
  // [n, moves + 1]:
  float* best = nullptr;             // value of the best move
  std::uint8_t* explored = nullptr;  // 1 = the move was random
};

// Plays in one thread.
template <Game G>
class Actor {
 public:
  using State = typename G::State;

  Actor(const G& game, const Facts& facts, const Network& network)
      : game_(game), facts_(facts), inference_(game, facts, network) {}

  // The best move of a decision and its value for player 0.
  struct Choice {
    Action action;
    double value;
  };
  Choice choose(const State& state) {
    const int mover = game_.current_player(state);
    expect_same<G>(mover >= 0);
    const auto list = [&](auto note) { for_each_afterstate(game_, facts_, state, mover, note); };
    if constexpr (SplitsTurns<G>) {
      if (game_.starts_turn(state)) return choose_turn(state, mover, list);
    }
    return choose(state, mover, list);
  }

  // The value for player 0 of what follows a move of `mover`, averaged over all rolls with the best reply to each. The
  // value of the reply is discounted, the reward of the roll is not.
  double expect(const State& after, int mover, double discount) {
    const int player = game_.current_player(after);
    if (player == kTerminal) return 0;
    if (player >= 0) return discount * choose(after).value;
    Action outcomes[G::kMaxActions];
    int weights[G::kMaxActions];
    const int count = chance_classes(game_, after, outcomes, weights);
    double sum = 0, whole = 0;
    const double start = margin(after);
    for (int i = 0; i < count; ++i) {
      State next = after;
      game_.apply(next, outcomes[i]);
      const int then = game_.current_player(next);
      const double value = then >= 0 ? choose(next).value : to_come(next, mover);
      sum += weights[i] * (margin(next) - start + discount * value);
      whole += weights[i];
    }
    return sum / whole;
  }

  std::int64_t evaluations() const { return evaluations_; }

  // Half the margin of player 0 so far.
  double margin(const State& state) const {
    double returns[seats<G>] = {};
    game_.returns(state, returns);
    return (returns[0] - returns[1]) / 2;
  }

 private:
  // Keeps the best action so far.
  static void consider(Choice& best, int mover, Action action, double value) {
    const double sign = mover == 0 ? 1 : -1;
    if (best.action < 0 || sign * value > sign * best.value) best = {action, value};
  }

  // The best of the listed moves. Without any, the action is -1.
  template <class List>
  Choice choose(const State& state, int mover, List list) {
    const double start = margin(state);
    Choice best{-1, 0};
    if (knows_ahead(game_, state)) {
      list([&](Action action, const auto& after) {
        consider(best, mover, action, margin(after.state()) - start + to_come(after.state(), mover));
      });
      return best;
    }
    inference_.afterstates(list, mover, [&](std::span<const Action> actions, const State& like, const double* values) {
      const int player = game_.current_player(like);
      const double gained = margin(like) - start, side = (player >= 0 ? player : mover) == 0 ? 1 : -1;
      if (player != kTerminal) evaluations_ += static_cast<std::int64_t>(actions.size());
      for (std::size_t i = 0; i < actions.size(); ++i) consider(best, mover, actions[i], gained + side * values[i]);
    });
    return best;
  }

  // The first move of the best turn. A position in which the mover acts again is worth what their best action there is.
  template <class List>
  Choice choose_turn(const State& state, int mover, List list) {
    const double start = margin(state);
    Choice best{-1, 0};
    list([&](Action action, const auto& after) {
      const State& half = after.state();
      const double gained = margin(half) - start;
      if (!finishes_turn(game_, half)) return consider(best, mover, action, gained + to_come(half, mover));
      const auto rest = [&](auto note) { game_.rest_of_turn(half, action, note); };
      const Choice second = choose(half, mover, rest);
      if (second.action >= 0) consider(best, mover, action, gained + second.value);
    });
    return best;
  }

  double to_come(const State& state, int mover) {
    const int player = game_.current_player(state);
    if (player == kTerminal) return 0;
    double known[seats<G>];
    if (known_value(game_, state, known)) return (known[0] - known[1]) / 2;
    const int viewer = player >= 0 ? player : mover;
    ++evaluations_;
    const double value = inference_.value(state, viewer);
    return viewer == 0 ? value : -value;
  }

  const G& game_;
  const Facts& facts_;
  Inference<G> inference_;
  std::int64_t evaluations_ = 0;
};

// Plays `moves` moves in every game of a batch, and returns the number of positions evaluated. The result does not
// depend on the number of threads.
template <Game G>
std::int64_t play(Batch<G>& batch, const Facts& facts, const Network& network, const PlayView& out) {
  constexpr std::size_t kSlice = 8;
  const auto width = static_cast<std::size_t>(facts.features.size()), moves = static_cast<std::size_t>(out.moves);
  const std::size_t inputs = network.sizes().size();
  std::atomic<std::int64_t> evaluations = 0;
  batch.visit(kSlice, [&](std::size_t begin, std::size_t end) {
    const G& game = batch.game();
    Actor<G> actor(game, facts, network);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t t = 0; t <= moves; ++t) {
        auto& state = batch.state(i);
        Rng& rng = batch.rng(i);
        auto choice = actor.choose(state);
        const bool explores = out.epsilon > 0 && rng.unit() < out.epsilon;
        out.best[i * (moves + 1) + t] = static_cast<float>(choice.value);
        out.explored[i * (moves + 1) + t] = explores;
        if (t == moves) break;
        if (explores) {
          Action actions[G::kMaxActions];
          choice.action = actions[rng.below(actions_of(game, facts, state, game.current_player(state), actions))];
        }
        const int mover = game.current_player(state);
        expect_same<G>(mover >= 0);
        const std::size_t row = i * moves + t;
        const double start = actor.margin(state);
        game.apply(state, choice.action);
        const double moved = actor.margin(state);
        const int player = game.current_player(state);
        const int viewer = player >= 0 ? player : player == kChance ? mover : -1;
        out.viewer[row] = viewer;
        if (out.features && viewer >= 0) {
          game.features(state, viewer, out.features + row * width);
        } else if (out.features) {
          std::fill_n(out.features + row * width, width, 0.0f);
        }
        if (out.codes && viewer >= 0) {
          write_codes(game, facts, network, state, viewer, out.codes + row * inputs);
        } else if (out.codes) {
          std::fill_n(out.codes + row * inputs, inputs, std::uint8_t{0});
        }
        if (out.expected) out.expected[row] = static_cast<float>(actor.expect(state, mover, out.discount));
        const bool over = !batch.roll(state, rng);
        out.before[row] = static_cast<float>(moved - start);
        out.after[row] = static_cast<float>(actor.margin(state) - moved);
        out.over[row] = over;
        if (over) batch.deal(i);
      }
    }
    evaluations += actor.evaluations();
  });
  return evaluations;
}

}  // namespace tablier::nets
