// What fuzzing searches starts from: a position, a configuration that an input chooses, and what must hold of results.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "../../nets/kernels.h"
#include "../../search/settings.h"
#include "../network_file.h"
#include "played.h"

namespace tablier::fuzz {

using search::Evaluator;

// One of the limits, or a number in between.
inline double value_of(Input& in, double least, double most) {
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

inline std::vector<double> make_link(unsigned seed, const Played& at) {
  const double scale = seed % 16 == 1 ? 1e300 : 0.5;
  const auto size = static_cast<unsigned>(at.game().link_size());
  std::vector<double> link;
  link.reserve(size);
  for (unsigned i = 0; i < size; ++i) {
    link.push_back(scale * (static_cast<int>((i * 31 + seed) % 13) - 6));
  }
  return link;
}

// The settings are those of the players, but for the amount of work.
inline void configure(Input& in, Searched& one) {
  search::Config& config = one.config;
  choose_settings(in, search::kSearchSettings, config);
  const unsigned much = in.byte();
  config.simulations = 1 + much % 24;
  config.rollouts = 1 + static_cast<int>(in.byte() % 2);
  config.most_steps = 40;  // of whole games, playing would take nearly all of the time
  config.memory_mb = 1 + static_cast<int>(in.byte() % 2);
  config.evaluator = static_cast<Evaluator>(in.byte() % std::size(search::kEvaluators));
  if (config.evaluator == Evaluator::kEstimate && !one.at.game().has_estimate()) config.evaluator = Evaluator::kPoints;
  if (much >= 250 && config.evaluator != Evaluator::kNetwork) config.simulations = 120;
  if (much == 255 && config.evaluator == Evaluator::kUniform) config.simulations = 3000;  // so many can fill the memory
  if (config.evaluator == Evaluator::kNetwork) {
    const Bytes file = make_network(in, one.at.game(), one.at.facts).sealed(one.at.name());
    const auto& kernels = nets::available_kernels();
    one.network.emplace(file, *kernels[much / 4 % kernels.size()]);
    const std::string why = one.at.game().misfit(one.at.facts, *one.network);
    if (!why.empty()) broken(one.at.name(), "a network that was made for the game does not fit", why);
    config.network = &*one.network;
    if (much % 2 && one.at.game().link_size() > 0) {
      one.link = make_link(much, one.at);
      config.link = one.link.data();
    }
  }
}

inline void expect_finite(const Played& at, const double* values, std::size_t count) {
  if (!std::all_of(values, values + count, [](double value) { return std::isfinite(value); })) {
    broken(at.name(), "a value is not finite");
  }
}

template <class Call>
void expect_invalid(const Played& at, const char* what, Call call) {
  try {
    call();
  } catch (const std::invalid_argument&) {
    return;
  }
  broken(at.name(), what);
}

// With a number that is not finite, nothing is accepted.
template <class Give>
void expect_refused(const Played& at, float& number, Give give) {
  const float right = std::exchange(number, NAN);
  expect_invalid(at, "a number that is not finite is accepted", give);
  number = right;
}

// Without a state, candidates need not be legal.
inline void expect_root(const Played& at, const Word* state, const search::RootView& view) {
  expect_finite(at, view.value, static_cast<std::size_t>(at.facts.num_players));
  for (const auto& candidate : view.candidates) {
    if (state && !at.game().is_legal(state, candidate.action)) broken(at.name(), "a candidate is not legal");
    if (!std::isfinite(candidate.policy)) broken(at.name(), "a policy is not finite");
  }
  if (!view.candidates.empty() && view.best >= view.candidates.size()) broken(at.name(), "there is no best action");
}

inline void expect_valid(const Played& at, const Word* state) {
  if (const char* why = at.game().invalid(state)) broken(at.name(), "a state is not valid", why);
}

}  // namespace tablier::fuzz
