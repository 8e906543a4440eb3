// Fuzzes everything that searches and plays from a state: an input chooses a position, perhaps with flipped bits that
// leave it valid, a kind of search, its settings and what an evaluator outside would answer.
//
// Results are finite numbers about legal actions, and every position of a game that was played is valid.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "../../nets/kernels.h"
#include "../../search/settings.h"
#include "../network_file.h"
#include "played.h"

namespace tablier::fuzz {

namespace {

using search::Evaluator;

// One of the limits, or a number in between.
double value_of(Input& in, double least, double most) {
  const unsigned chosen = in.byte();
  if (chosen % 8 == 0) return least;
  if (chosen % 8 == 1) return most;
  const double share = in.number() / double{1 << 24};
  return least + (std::min(most, least + 1000) - least) * share;
}

template <class Target, std::size_t N>
void choose_settings(Input& in, const std::array<search::SettingRow<Target>, N>& rows, Target& target) {
  for (const auto& row : rows) {
    if (in.byte() % 3 > 0) continue;
    const double value = value_of(in, row.least, row.most);
    row.write(target, row.kind == search::SettingKind::kNumber ? value : std::floor(value));
  }
}

struct Searched {
  explicit Searched(Input& in) : at(in, 120) {}

  Played at;
  std::optional<nets::Network> network;
  std::vector<double> link;
  search::Config config;
};

const std::vector<double>& make_link(unsigned seed, Searched& one) {
  const double scale = seed % 16 == 1 ? 1e300 : 0.5;
  for (unsigned i = 0; i < static_cast<unsigned>(one.at.game().link_size()); ++i) {
    one.link.push_back(scale * (static_cast<int>((i * 31 + seed) % 13) - 6));
  }
  return one.link;
}

// The settings are those of the players, but for the amount of work.
void configure(Input& in, Searched& one) {
  search::Config& config = one.config;
  choose_settings(in, search::kSearchSettings, config);
  const unsigned much = in.byte();
  config.simulations = 1 + much % 24;
  config.rollouts = 1 + static_cast<int>(in.byte() % 2);
  config.most_steps = 40;  // of whole games, playing would take nearly all of the time
  config.memory_mb = 1 + static_cast<int>(in.byte() % 2);
  config.evaluator = static_cast<Evaluator>(in.byte() % std::size(search::kEvaluators));
  if (config.evaluator == Evaluator::kEstimate && !one.at.game().has_estimate()) config.evaluator = Evaluator::kPoints;
  if (much >= 250 && config.evaluator != Evaluator::kNetwork) config.simulations = 120;  // so many can fill the memory
  if (config.evaluator == Evaluator::kNetwork) {
    const Bytes file = make_network(in, one.at.game(), one.at.facts).sealed(one.at.name());
    one.network.emplace(file, *nets::available_kernels().front());
    const std::string why = one.at.game().misfit(one.at.facts, *one.network);
    if (!why.empty()) broken(one.at.name(), "a network that was made for the game does not fit", why);
    config.network = &*one.network;
    if (much % 2 && one.at.game().link_size() > 0) config.link = make_link(much, one).data();
  }
}

void expect_finite(const Played& at, const double* values, std::size_t count) {
  if (!std::all_of(values, values + count, [](double value) { return std::isfinite(value); })) {
    broken(at.name(), "a value is not finite");
  }
}

// With a number that is not finite, nothing is accepted.
template <class Give>
void expect_refused(const Played& at, float& number, Give give) {
  const float right = std::exchange(number, NAN);
  try {
    give();
  } catch (const std::invalid_argument&) {
    number = right;
    return;
  }
  broken(at.name(), "a number that is not finite is accepted");
}

// Without a state, candidates need not be legal.
void expect_root(const Played& at, const Word* state, const search::RootView& view) {
  expect_finite(at, view.value, static_cast<std::size_t>(at.facts.num_players));
  for (const auto& candidate : view.candidates) {
    if (state && !at.game().is_legal(state, candidate.action)) broken(at.name(), "a candidate is not legal");
    if (!std::isfinite(candidate.policy)) broken(at.name(), "a policy is not finite");
  }
  if (!view.candidates.empty() && view.best >= view.candidates.size()) broken(at.name(), "there is no best action");
}

void expect_valid(const Played& at, const Word* state) {
  if (const char* why = at.game().invalid(state)) broken(at.name(), "a state is not valid", why);
}

// Answers for an evaluator outside until all searches are done.
void drive(Input& in, const Played& at, search::AnyPool& pool) {
  const auto rows = 1 + in.byte() % 3;
  const auto players = static_cast<std::size_t>(at.facts.num_players);
  const auto actions = static_cast<std::size_t>(at.facts.num_actions);
  const auto features = room<float>(static_cast<std::int64_t>(rows) * at.facts.features.size());
  const auto mask = room<std::uint8_t>(static_cast<std::int64_t>(rows * actions));
  const auto states = room<Word>(static_cast<std::int64_t>(rows) * at.words);
  const auto viewers = room<std::int32_t>(rows), slots = room<std::int32_t>(rows);
  std::vector<float> logits(rows * actions), values(rows * players);
  while (pool.busy()) {
    const auto count = pool.collect({rows, features.get(), mask.get(), viewers.get(), states.get(), slots.get()});
    if (count == 0) break;
    for (std::size_t i = 0; i < count; ++i) expect_valid(at, states.get() + i * static_cast<std::size_t>(at.words));
    const unsigned seed = in.byte();
    if (seed == 255 || (seed == 254 && pool.solved())) return pool.stop();
    for (auto& value : values) value = static_cast<float>(in.byte()) - 128;
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>((i * 31 + seed) % 13) - 6;
    const bool policy = seed % 3 > 0;
    const std::size_t given = seed % 2 ? count : pool.decisions();
    const auto answer = [&] { pool.resume(policy ? logits.data() : nullptr, policy ? given : count, values.data()); };
    if (seed >= 250) {
      expect_refused(at, values[0], answer);
    } else if (seed >= 240 && policy && pool.decisions() > 0) {
      const auto legal = static_cast<std::size_t>(std::find(mask.get(), mask.get() + actions, 1) - mask.get());
      expect_refused(at, logits[legal], answer);
    }
    answer();
  }
}

void finish(Input& in, const Searched& one, search::AnyPool& pool) {
  if (one.config.evaluator == Evaluator::kCaller) return drive(in, one.at, pool);
  while (pool.busy()) pool.run(0.05);
}

// Searches a position, then the one after the best action, with the tree of the first.
void search_position(Input& in, Searched& one) {
  const Played& at = one.at;
  const auto pool = at.game().pool(at.facts, at.start.get(), one.config, 1, in.byte(), 1);
  const auto state = room<Word>(at.words);
  std::copy_n(at.state.get(), at.words, state.get());
  for (int round = 0; round < 2; ++round) {
    pool->set_root(0, state.get(), in.byte() % 4 > 0);
    finish(in, one, *pool);
    const auto view = pool->look(0, in.byte() % 2 ? 1.0 : 0.0);
    expect_root(at, state.get(), view);
    for (const auto& row : pool->rows(0, 1000)) {
      expect_finite(at, row.value, static_cast<std::size_t>(at.facts.num_players));
    }
    if (view.candidates.empty()) return;
    at.game().apply(state.get(), view.candidates[view.best].action);
  }
}

void self_play(Input& in, Searched& one) {
  const Played& at = one.at;
  one.config.simulations = std::min<std::int64_t>(one.config.simulations, 6);
  const auto pool = at.game().pool(at.facts, at.start.get(), one.config, 2, in.byte(), 1);
  if (in.byte() % 2) {
    pool->play_games(in.byte(), 2, 1 + in.byte() % 12);
  } else {
    const auto states = room<Word>(2 * at.words);
    for (int i = 0; i < 2; ++i) std::copy_n(at.state.get(), at.words, states.get() + i * at.words);
    const std::int64_t ages[2] = {in.byte(), 0};
    pool->play_on(states.get(), ages, in.byte(), 1 + in.byte() % 6);
  }
  finish(in, one, *pool);
  const auto states = room<Word>(2 * at.words);
  std::int64_t ages[2];
  pool->where(states.get(), ages);
  for (int i = 0; i < 2; ++i) expect_valid(at, states.get() + i * at.words);
  for (const auto& game : pool->take_finished()) {
    for (std::size_t row = 0; row < game.actions.size(); ++row) {
      const Word* state = game.states.data() + row * static_cast<std::size_t>(at.words);
      if (at.game().invalid(state) || !at.game().is_legal(state, game.actions[row])) {
        broken(at.name(), "self-play recorded what cannot be played");
      }
    }
  }
}

void search_open_loop(Input& in, Searched& one) {
  if (one.config.evaluator == Evaluator::kCaller || one.config.evaluator == Evaluator::kNetwork) {
    one.config.evaluator = Evaluator::kUniform;
  }
  const Played& at = one.at;
  const bool decides =
      at.game().current_player(at.state.get()) >= 0;  // before a roll, it merges all decisions after it
  expect_root(at, decides ? at.state.get() : nullptr,
              at.game().search_open_loop(at.facts, at.state.get(), one.config, in.byte(), [] { return false; }));
}

void show_leaves(const Played& at, search::AnyExpectimax& found) {
  const auto n = static_cast<std::int64_t>(std::min<std::size_t>(found.leaves(), 20));
  const auto features = room<float>(n * at.facts.features.size());
  const auto mask = room<std::uint8_t>(n * at.facts.num_actions);
  const auto states = room<Word>(n * at.words);
  const auto viewers = room<std::int32_t>(n);
  found.show(0, static_cast<std::size_t>(n), features.get(), mask.get(), states.get(), viewers.get());
  for (std::int64_t i = 0; i < n; ++i) expect_valid(at, states.get() + i * at.words);
}

void search_full_width(Input& in, Searched& one) {
  const Played& at = one.at;
  const bool rolls_out = one.config.evaluator == Evaluator::kRollout;
  const auto actions = room<Action>(at.game().max_actions());
  if (rolls_out && at.game().legal_actions(at.state.get(), actions.get()) > 4) return;  // a whole game for each leaf
  search::ExpectimaxConfig config;
  choose_settings(in, search::kExpectimaxSettings, config);
  config.plies = 1 + static_cast<int>(in.byte() % 2);
  config.keep = std::min(config.keep, 2);
  config.margin = std::min(config.margin, 0.01);
  const auto found = at.game().expectimax(at.facts, config, 1);
  const std::int32_t viewers[2] = {static_cast<std::int32_t>(in.byte() % static_cast<unsigned>(at.facts.num_players)),
                                   0};
  found->begin(at.state.get(), viewers, 1);
  const auto players = static_cast<std::size_t>(at.facts.num_players);
  int checks = -1;  // of the clock until the time is up; endless if negative
  const search::Stop stop = [&checks] { return checks-- == 0; };
  for (int ply = 0; ply < (rolls_out ? 1 : 3); ++ply) {
    if (one.config.evaluator != Evaluator::kCaller) {
      const unsigned seed = in.byte();
      checks = seed % 8 ? -1 : static_cast<int>(seed / 8);
      if (!found->deepen_native(one.config, seed, stop)) break;
    } else {
      if (!found->deepen(stop)) break;
      std::vector<float> values(found->leaves() * players);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7 % 11);
      const unsigned way = in.byte();
      if (way % 8 == 0) {
        found->drop();
        break;
      }
      if (way % 8 == 1) show_leaves(at, *found);
      if (way % 8 == 2 && !values.empty()) expect_refused(at, values[0], [&] { found->give(values.data()); });
      found->give(values.data());
    }
  }
  std::vector<double> values(players);
  found->values(values.data());
  expect_finite(at, values.data(), players);
  for (const auto& ranked : found->ranking(0)) {
    if (!at.game().is_legal(at.state.get(), ranked.action)) broken(at.name(), "a ranked action is not legal");
    expect_finite(at, ranked.value, players);
  }
}

void roll_out(Input& in, Searched& one) {
  const Played& at = one.at;
  if (one.config.evaluator == Evaluator::kRollout || one.config.evaluator == Evaluator::kCaller) {
    one.config.evaluator = Evaluator::kPoints;
  }
  search::RolloutConfig config;
  config.first = in.byte();
  config.games = 1 + in.byte() % 2;
  config.decisions = 1 + static_cast<int>(in.byte() % 6);
  config.luck = in.byte() % 2;
  config.objective = static_cast<search::Objective>(in.byte() % 2);
  const auto games = config.games, numbers = games * at.facts.num_players;
  const auto rewards = room<double>(numbers), luck = room<double>(numbers);
  const auto ended = room<std::uint8_t>(games);
  const auto viewer = static_cast<std::int32_t>(in.byte() % static_cast<unsigned>(at.facts.num_players));
  Workers workers(1);
  at.game().roll_out(at.facts, one.config, config, at.state.get(), &viewer, 1, workers,
                     {rewards.get(), luck.get(), ended.get()});
  expect_finite(at, rewards.get(), static_cast<std::size_t>(numbers));
  expect_finite(at, luck.get(), static_cast<std::size_t>(numbers));
}

// What evaluators and players ask about a position without searching.
void look_at_position(Input& in, Searched& one) {
  const Played& at = one.at;
  if (one.config.evaluator == Evaluator::kCaller) one.config.evaluator = Evaluator::kUniform;
  Workers workers(1);
  const auto players = at.facts.num_players;
  const auto viewer = static_cast<std::int32_t>(in.byte() % static_cast<unsigned>(players));
  const auto values = room<float>(players);
  at.game().evaluate(at.facts, one.config, at.state.get(), &viewer, 1, in.byte(), workers, values.get());
  if (!std::all_of(values.get(), values.get() + players, [](float value) { return std::isfinite(value); })) {
    broken(at.name(), "a value is not finite");
  }
  const auto others = at.game().indistinguishable(at.state.get(), viewer);
  for (std::size_t i = 0; i < others.size(); i += static_cast<std::size_t>(at.words)) expect_valid(at, &others[i]);
  const auto image = room<Word>(at.words);
  std::copy_n(at.state.get(), at.words, image.get());
  at.game().canonical(image.get());
  expect_valid(at, image.get());
  if (at.game().has_mirror() && at.game().mirror(image.get())) expect_valid(at, image.get());
  constexpr std::size_t kGames = 2;
  const auto returns = room<double>(static_cast<std::int64_t>(kGames) * players);
  const auto lengths = room<std::uint32_t>(kGames);
  PlayoutTotals totals;
  at.game().play_out_many(at.facts, at.state.get(), in.byte(), kGames, in.byte(), one.config.most_steps, workers,
                          returns.get(), lengths.get(), totals);
  expect_finite(at, returns.get(), kGames * static_cast<std::size_t>(players));
}

// A batch whose first game continues at the position; actions that are not legal are refused.
void step_batch(Input& in, Searched& one) {
  const Played& at = one.at;
  constexpr std::size_t kGames = 2;
  const auto batch = at.game().batch(at.facts, at.start.get(), kGames, in.byte(), 1);
  batch->set_state(0, at.state.get());
  const auto features = room<float>(static_cast<std::int64_t>(kGames) * at.facts.features.size());
  const auto mask = room<std::uint8_t>(static_cast<std::int64_t>(kGames) * at.facts.num_actions);
  const auto player = room<std::int32_t>(kGames);
  const auto rewards = room<float>(static_cast<std::int64_t>(kGames) * at.facts.num_players);
  const auto done = room<std::uint8_t>(kGames);
  const BatchView view{features.get(), mask.get(), player.get(), rewards.get(), done.get()};
  const auto actions = room<Action>(at.game().max_actions()), chosen = room<Action>(kGames);
  const auto state = room<Word>(at.words);
  const auto offsets = room<std::int64_t>(kGames + 1);
  for (int step = 0; step < 8; ++step) {
    batch->observe(view);
    const auto rows = std::int64_t{in.byte()} * 2;
    const auto after = room<float>(rows * at.facts.features.size()), gained = room<float>(rows * at.facts.num_players);
    const auto listed = room<std::int32_t>(rows), viewers = room<std::int32_t>(rows);
    batch->afterstates(
        {static_cast<std::size_t>(rows), offsets.get(), listed.get(), viewers.get(), after.get(), gained.get()});
    for (std::size_t i = 0; i < kGames; ++i) {
      batch->get_state(i, state.get());
      const int count = at.game().legal_actions(state.get(), actions.get());
      chosen[i] = actions[in.below(static_cast<std::size_t>(count))];
    }
    std::int64_t wrong[kGames] = {chosen[0], static_cast<std::int64_t>(in.number()) - (1 << 20)};
    if (batch->choose(wrong) == 0) broken(at.name(), "a legal action of a batch is refused");
    if (batch->choose(chosen.get()) != kGames) broken(at.name(), "a legal action of a batch is refused");
    batch->step(view);
  }
  if (one.network && at.facts.num_players == 2) {
    constexpr std::int64_t kMoves = 3;
    constexpr auto kRows = static_cast<std::int64_t>(kGames) * kMoves;
    const auto seen = room<float>(kRows * at.facts.features.size()), before = room<float>(kRows),
               later = room<float>(kRows), expected = room<float>(kRows), best = room<float>(kRows + kGames);
    const auto viewer = room<std::int32_t>(kRows);
    const auto over = room<std::uint8_t>(kRows), explored = room<std::uint8_t>(kRows + kGames);
    const auto codes = room<std::uint8_t>(kRows * one.network->plan().inputs);
    batch->play(*one.network, {kMoves, in.byte() / 255.0, 0.9, seen.get(), codes.get(), viewer.get(), before.get(),
                               later.get(), over.get(), expected.get(), best.get(), explored.get()});
  }
}

void fuzz(Input& in) {
  static constexpr void (*kKinds[])(Input&, Searched&) = {&search_position,   &self_play, &search_open_loop,
                                                          &search_full_width, &roll_out,  &step_batch};
  const unsigned chosen = in.byte();
  Searched one(in);
  // No input is long enough to reach the last part of a game, whose values some games know.
  if (chosen >= 240) one.at.play_on(30 << (chosen - 240) / 2, in.number());
  if (!one.at.change(in)) return;
  configure(in, one);
  if (chosen >= 230 && chosen < 240) return look_at_position(in, one);
  kKinds[chosen % std::size(kKinds)](in, one);
}

}  // namespace
}  // namespace tablier::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tablier::fuzz::Input in(data, size);
  tablier::fuzz::fuzz(in);
  return 0;
}
