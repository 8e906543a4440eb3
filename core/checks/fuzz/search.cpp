// Fuzzes everything that searches and plays from a state: an input chooses a position, perhaps with flipped bits that
// leave it valid, a kind of search, its settings and what an evaluator outside would answer.
//
// Results are finite numbers about legal actions, and every position of a game that was played is valid.
#include "asked.h"

namespace tablier::fuzz {

namespace {

// Answers for an evaluator outside until all searches are done.
void drive(Input& in, const Played& at, search::AnyPool& pool) {
  const unsigned shape = in.byte(), rows = 1 + shape % 3;
  const auto players = static_cast<std::size_t>(at.facts.num_players);
  const auto actions = static_cast<std::size_t>(at.facts.num_actions);
  const auto features = room<float>(static_cast<std::int64_t>(rows) * at.facts.features.size());
  const auto mask = room<std::uint8_t>(static_cast<std::int64_t>(rows * actions));
  const auto states = room<Word>(static_cast<std::int64_t>(rows) * at.words);
  const auto viewers = room<std::int32_t>(rows), slots = room<std::int32_t>(rows);
  std::vector<float> logits(rows * actions), values(rows * players);
  const bool blind = shape >= 240;  // it answers without being shown anything
  while (pool.busy()) {
    const auto count = blind
                           ? pool.collect({rows, nullptr, nullptr, nullptr, nullptr, nullptr})
                           : pool.collect({rows, features.get(), mask.get(), viewers.get(), states.get(), slots.get()});
    if (count != pool.collected()) broken(at.name(), "two counts of leaves disagree");
    if (count == 0) break;
    for (std::size_t i = 0; i < count && !blind; ++i)
      expect_valid(at, states.get() + i * static_cast<std::size_t>(at.words));
    const unsigned seed = in.byte();
    if (seed == 255 || (seed == 254 && pool.solved())) return pool.stop();
    for (auto& value : values) value = static_cast<float>(in.byte()) - 128;
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>((i * 31 + seed) % 13) - 6;
    const bool policy = seed % 3 > 0;
    const std::size_t given = seed % 2 ? count : pool.decisions();
    const auto answer = [&] { pool.resume(policy ? logits.data() : nullptr, policy ? given : count, values.data()); };
    if (seed >= 250) {
      expect_refused(at, values[0], answer);
    } else if (seed >= 240 && policy && !blind && pool.decisions() > 0) {
      const auto legal = static_cast<std::size_t>(std::find(mask.get(), mask.get() + actions, 1) - mask.get());
      expect_refused(at, logits[legal], answer);
    }
    answer();
  }
}

void finish(Input& in, const Searched& one, search::AnyPool& pool) {
  if (one.config.evaluator == Evaluator::kCaller) {
    expect_invalid(one.at, "a pool without an evaluator runs", [&pool] { pool.run(0.05); });
    return drive(in, one.at, pool);
  }
  while (pool.busy()) pool.run(0.05);
}

// Searches a position, then the one after the best action, with the tree of the first.
void search_position(Input& in, Searched& one) {
  const Played& at = one.at;
  const auto pool = at.game().pool(at.facts, at.start.get(), one.config, 1, in.byte(), 1);
  if (!pool->rows(0, 10).empty()) broken(at.name(), "there is a tree before the search");
  expect_invalid(at, "there is a result before the search", [&pool] { pool->look(0, 0); });
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
  const unsigned seed = in.byte(), way = in.byte();
  const auto pool = at.game().pool(at.facts, at.start.get(), one.config, 2, seed, 1);
  if (way % 2) {
    pool->play_games(in.byte(), way >= 192 ? 1 : 2, 1 + in.byte() % 12);
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
  const unsigned seed = in.byte();
  const bool decides =
      at.game().current_player(at.state.get()) >= 0;  // before a roll, it merges all decisions after it
  expect_root(at, decides ? at.state.get() : nullptr,
              at.game().search_open_loop(at.facts, at.state.get(), one.config, seed, [seed] { return seed % 2 > 0; }));
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
  if (found->deepen([] { return false; }) || found->leaves() > 0)
    broken(at.name(), "a search has leaves without a root");
  const unsigned who = in.byte();
  const auto viewer = static_cast<std::int32_t>(who % static_cast<unsigned>(at.facts.num_players));
  const std::int32_t viewers[2] = {viewer, viewer};
  const std::size_t roots = who >= 192 ? 2 : 1;
  const auto states = room<Word>(2 * at.words);
  for (int i = 0; i < 2; ++i) std::copy_n(at.state.get(), at.words, states.get() + i * at.words);
  found->begin(states.get(), who % 64 < 32 ? viewers : nullptr, roots);
  if (found->roots() != roots) broken(at.name(), "a root was lost");
  const auto players = static_cast<std::size_t>(at.facts.num_players);
  int checks = who % 32 == 31 ? 1 : -1;  // of the clock until the time is up; endless if negative
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
  std::vector<double> values(roots * players);
  found->values(values.data());
  expect_finite(at, values.data(), values.size());
  for (const auto& ranked : found->ranking(roots - 1)) {
    if (!at.game().is_legal(at.state.get(), ranked.action)) broken(at.name(), "a ranked action is not legal");
    expect_finite(at, ranked.value, players);
  }
  for (int i = 0; i < 3; ++i) found->drop();
}

void roll_out(Input& in, Searched& one) {
  const Played& at = one.at;
  if (one.config.evaluator == Evaluator::kRollout || one.config.evaluator == Evaluator::kCaller) {
    one.config.evaluator = Evaluator::kPoints;
  }
  search::RolloutConfig config;
  config.first = in.byte();
  config.games = 1 + in.byte() % 2;
  const unsigned decisions = in.byte();
  // Only short games, which take no seconds; with any network, pig may never end.
  const bool whole = decisions >= 250 && at.facts.num_actions < 20 && !one.network;
  config.decisions = whole ? 0 : 1 + static_cast<int>(decisions % 6);
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
