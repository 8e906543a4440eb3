// What is asked about positions without searching: by evaluators, by players, and by batches of games.
#pragma once

#include "searched.h"

namespace tablier::fuzz {

// The rolls are classes of those that are possible, and every value known without a search is finite.
inline void ask_values(Input& in, Searched& one, std::int32_t viewer) {
  const Played& at = one.at;
  const auto players = static_cast<std::size_t>(at.facts.num_players);
  const int player = at.game().current_player(at.state.get());
  if (player == kChance) {
    const auto all = room<Action>(at.game().max_actions()), classes = room<Action>(at.game().max_actions());
    const auto weights = room<int>(at.game().max_actions());
    const int count = at.game().legal_actions(at.state.get(), all.get());
    const int merged = at.game().chance_classes(at.state.get(), classes.get(), weights.get());
    int whole = 0;
    for (int i = 0; i < merged; ++i) {
      if (!at.game().is_legal(at.state.get(), classes[i])) broken(at.name(), "a class of rolls is not possible");
      whole += weights[i];
    }
    if (whole != count) broken(at.name(), "the classes of rolls are not all rolls");
  }
  std::vector<double> values(players);
  if (at.game().has_estimate()) {
    at.game().estimate(at.state.get(), values.data());
    expect_finite(at, values.data(), players);
  }
  if (at.game().link_size() > 0) {
    const double margin = static_cast<double>(in.byte()) - 128;
    const double chance = at.game().win_chance(at.state.get(), viewer, margin, make_link(in.byte(), at).data());
    if (!std::isfinite(chance) || chance < 0 || chance > 1) broken(at.name(), "a chance is not one");
  }
  std::vector<float> found(players);
  const auto* seen_by = player < 0 || in.byte() % 2 ? &viewer : nullptr;
  Workers workers(1);
  at.game().evaluate(at.facts, one.config, at.state.get(), seen_by, 1, in.byte(), workers, found.data());
  if (!std::all_of(found.begin(), found.end(), [](float value) { return std::isfinite(value); })) {
    broken(at.name(), "a value is not finite");
  }
}

// What networks read, several positions at once, and what people read.
inline void ask_encodings(const Played& at, std::int32_t viewer) {
  constexpr std::size_t kTwice = 2;
  const auto states = room<Word>(kTwice * at.words);
  for (std::size_t i = 0; i < kTwice; ++i) {
    std::copy_n(at.state.get(), at.words, states.get() + i * static_cast<std::size_t>(at.words));
  }
  const std::int32_t viewers[kTwice] = {viewer, viewer};
  const auto width = at.facts.features.size();
  const auto features = room<float>(kTwice * width), again = room<float>(width), decoded = room<float>(width);
  const auto mask = room<std::uint8_t>(static_cast<std::int64_t>(kTwice) * at.facts.num_actions);
  Workers workers(1);
  at.game().show(at.facts, states.get(), viewers, kTwice, workers, features.get(), mask.get());
  at.game().show(at.facts, states.get(), viewers, kTwice, workers, nullptr, nullptr);
  at.game().features(at.state.get(), viewer, again.get());
  if (!std::equal(again.get(), again.get() + width, features.get() + width)) {
    broken(at.name(), "the features of several positions are others");
  }
  const auto sizes = at.game().code_sizes(at.facts);
  const auto codes = room<std::uint8_t>(static_cast<std::int64_t>(kTwice * sizes.size()));
  at.game().codes(at.facts, states.get(), viewers, kTwice, codes.get());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (codes[i] >= sizes[i] || codes[i] != codes[sizes.size() + i]) broken(at.name(), "a code is wrong");
  }
  if (!sizes.empty()) at.game().decode(at.start.get(), codes.get(), decoded.get());
  const auto observation = room<std::uint8_t>(at.facts.observation.size());
  at.game().observation(at.state.get(), viewer, observation.get());
  const auto text = room<char>(at.facts.string_buffer_size);
  at.game().to_string(at.state.get(), text.get());
  const auto actions = room<Action>(at.game().max_actions());
  for (int i = at.game().legal_actions(at.state.get(), actions.get()); i-- > 0;) {
    at.game().action_to_string(at.state.get(), actions[i], text.get());
  }
}

// What evaluators, players and Python ask about a position without searching.
inline void look_at_position(Input& in, Searched& one) {
  const Played& at = one.at;
  if (one.config.evaluator == Evaluator::kCaller) one.config.evaluator = Evaluator::kUniform;
  Workers workers(1);
  const auto players = at.facts.num_players;
  const auto viewer = static_cast<std::int32_t>(in.byte() % static_cast<unsigned>(players));
  ask_values(in, one, viewer);
  ask_encodings(at, viewer);
  const auto others = at.game().indistinguishable(at.state.get(), viewer);
  for (std::size_t i = 0; i < others.size(); i += static_cast<std::size_t>(at.words)) expect_valid(at, &others[i]);
  const auto image = room<Word>(at.words);
  std::copy_n(at.state.get(), at.words, image.get());
  at.game().canonical(image.get());
  expect_valid(at, image.get());
  at.game().upgrade(image.get());
  expect_valid(at, image.get());
  if (at.game().has_mirror() && at.game().mirror(image.get())) {
    expect_valid(at, image.get());
    const auto actions = room<Action>(at.game().max_actions());
    for (int i = at.game().legal_actions(at.state.get(), actions.get()); i-- > 0;) {
      if (at.game().mirror_action(at.game().mirror_action(actions[i])) != actions[i]) {
        broken(at.name(), "the mirror image of a mirror image is another action");
      }
    }
  }
  constexpr std::size_t kGames = 2;
  const auto returns = room<double>(static_cast<std::int64_t>(kGames) * players);
  const auto lengths = room<std::uint32_t>(kGames);
  PlayoutTotals totals;
  at.game().play_out_many(at.facts, at.state.get(), in.byte(), kGames, in.byte(), one.config.most_steps, workers,
                          returns.get(), lengths.get(), totals);
  expect_finite(at, returns.get(), kGames * static_cast<std::size_t>(players));
}

// A batch whose first game continues at the position; actions that are not legal are refused.
inline void step_batch(Input& in, Searched& one) {
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
    batch->step(step % 2 ? view : BatchView{});
  }
  Rng rngs[kGames];
  const auto states = room<Word>(static_cast<std::int64_t>(kGames) * at.words);
  for (std::size_t i = 0; i < batch->size(); ++i) {
    batch->get_state(i, states.get() + i * static_cast<std::size_t>(at.words));
    rngs[i] = batch->rng(i);
  }
  batch->reset(in.byte());
  batch->assign(states.get(), rngs);
  if (one.network && at.facts.num_players == 2) {
    constexpr std::int64_t kMoves = 3;
    constexpr auto kRows = static_cast<std::int64_t>(kGames) * kMoves;
    const auto seen = room<float>(kRows * at.facts.features.size()), before = room<float>(kRows),
               later = room<float>(kRows), expected = room<float>(kRows), best = room<float>(kRows + kGames);
    const auto viewer = room<std::int32_t>(kRows);
    const auto over = room<std::uint8_t>(kRows), explored = room<std::uint8_t>(kRows + kGames);
    const auto codes = room<std::uint8_t>(kRows * one.network->plan().inputs);
    const unsigned explores = in.byte();
    nets::PlayView played{kMoves,       explores / 255.0, 0.9,        seen.get(),     codes.get(), viewer.get(),
                          before.get(), later.get(),      over.get(), expected.get(), best.get(),  explored.get()};
    if (explores % 8 == 7) played.features = played.expected = nullptr;
    if (explores % 16 == 7) played.codes = nullptr;
    batch->play(*one.network, played);
  }
}

}  // namespace tablier::fuzz
