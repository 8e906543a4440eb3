// The search settings under their public names. Each is declared once: its name, range and meaning here, its default in
// config.h. Everything that offers, checks or documents a setting derives from these rows.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include "config.h"

namespace tablier::search {

enum class SettingKind { kInteger, kNumber, kFlag, kChoice };

template <class Target>
struct SettingRow {
  std::string_view name;
  SettingKind kind;
  double default_value, least, most;  // a flag is 0 or 1, a choice an index into `choices`
  std::span<const std::string_view> choices;
  std::string_view doc;
  void (*write)(Target&, double);
};

namespace detail {

template <auto kField>
struct Place;
template <class T, class F, F T::* kField>
struct Place<kField> {
  using Target = T;
  using Type = F;
};

template <auto kField>
consteval auto row(std::string_view name, SettingKind kind, double least, double most,
                   std::span<const std::string_view> choices, std::string_view doc) {
  using Target = typename Place<kField>::Target;
  using Type = typename Place<kField>::Type;
  const auto standard = static_cast<double>(Target{}.*kField);
  if (standard < least || standard > most) throw "the default is out of range";
  return SettingRow<Target>{
      name, kind,    standard, least,
      most, choices, doc,      [](Target& target, double value) { target.*kField = static_cast<Type>(value); }};
}

template <auto kField>
consteval auto number(std::string_view name, double least, double most, std::string_view doc) {
  const auto kind = std::is_integral_v<typename Place<kField>::Type> ? SettingKind::kInteger : SettingKind::kNumber;
  return row<kField>(name, kind, least, most, {}, doc);
}

template <auto kField>
consteval auto flag(std::string_view name, std::string_view doc) {
  return row<kField>(name, SettingKind::kFlag, 0, 1, {}, doc);
}

template <auto kField>
consteval auto choice(std::string_view name, std::span<const std::string_view> choices, std::string_view doc) {
  return row<kField>(name, SettingKind::kChoice, 0, static_cast<double>(choices.size()) - 1, choices, doc);
}

}  // namespace detail

inline constexpr std::string_view kRoots[] = {"puct", "gumbel"};
inline constexpr std::string_view kChances[] = {"quota", "sampled", "open_loop"};
inline constexpr std::string_view kObjectives[] = {"own", "margin"};
inline constexpr std::string_view kEvaluators[] = {"caller", "uniform", "rollout", "heuristic", "points", "network"};
inline constexpr std::string_view kPriors[] = {"policy", "afterstates"};
static_assert(std::size(kRoots) == static_cast<int>(Root::kGumbel) + 1);
static_assert(std::size(kChances) == static_cast<int>(Chance::kOpenLoop) + 1);
static_assert(std::size(kObjectives) == static_cast<int>(Objective::kMargin) + 1);
static_assert(std::size(kEvaluators) == static_cast<int>(Evaluator::kNetwork) + 1);
static_assert(std::size(kPriors) == static_cast<int>(Prior::kAfterstates) + 1);

inline constexpr std::string_view kObjectiveDoc =
    "What players maximise: their own return, or their margin over the others'. In zero-sum games both are the same.";

inline constexpr auto kSearchSettings = std::array{
    detail::number<&Config::simulations>("n_simulations", 1, 1e9, "Simulations per decision."),
    detail::number<&Config::c_puct>("c_puct", 0, 1e6,
                                    "Weight of priors and of rarely visited actions, relative to values from 0 to 1."),
    detail::number<&Config::dirichlet_alpha>("dirichlet_alpha", 1e-6, 1e6,
                                             "Concentration of the Dirichlet noise at the root."),
    detail::number<&Config::dirichlet_eps>("dirichlet_eps", 0, 1,
                                           "Weight of the noise in the root priors; 0 for none."),
    detail::number<&Config::temperature>(
        "temperature", 0, 1e3, "Moves are sampled in proportion to visits ** (1 / temperature); 0 picks the best."),
    detail::number<&Config::temperature_moves>(
        "temperature_moves", 1, 1e9,
        "In self-play the temperature falls linearly to 0 over this many decisions of a game."),
    detail::choice<&Config::root>(
        "root", kRoots, "How the root allocates simulations: puct, or gumbel (sequential halving) when there are few."),
    detail::number<&Config::considered>("considered", 1, 1e6, "Actions that a Gumbel root considers."),
    detail::number<&Config::c_visit>(
        "c_visit", 0, 1e9, "Gumbel: values have the weight (c_visit + most visits) * c_scale relative to logits."),
    detail::number<&Config::c_scale>("c_scale", 0, 1e9, "Gumbel: see c_visit."),
    detail::flag<&Config::gumbel_noise>("gumbel_noise", "Whether a Gumbel root adds noise, to explore."),
    detail::choice<&Config::chance>(
        "chance", kChances, "How the search handles dice. Use quota; sampled and open_loop are for comparison."),
    detail::choice<&Config::objective>("objective", kObjectives, kObjectiveDoc),
    detail::choice<&Config::evaluator>("evaluator", kEvaluators,
                                       "What evaluates the leaves; set by the classes that run a search."),
    detail::number<&Config::rollouts>("rollouts", 1, 1e6, "Random games per leaf, for the evaluator rollout."),
    detail::choice<&Config::prior>("prior", kPriors,
                                   "Priors with a network of the core: its policy, or the values of the afterstates. A "
                                   "network without a policy uses afterstates."),
    detail::number<&Config::prior_scale>("prior_scale", 0, 1e3,
                                         "How strongly priors from values, such as the heuristic's, prefer good "
                                         "actions: the worst gets exp(-prior_scale) of the best one's."),
    detail::flag<&Config::sweep>(
        "sweep", "Whether a C++ evaluator evaluates all rolls of a new chance node at once, in one simulation."),
    detail::number<&Config::memory_mb>(
        "memory_mb", 1, 1e6, "Memory limit of one tree, in megabytes. A search that reaches it stops early (`full`)."),
};

inline constexpr auto kExpectimaxSettings = std::array{
    detail::number<&ExpectimaxConfig::plies>("plies", 1, 8, "Decisions to look ahead."),
    detail::number<&ExpectimaxConfig::keep>("keep", 1, 1e6, "Number of best actions per decision to search deeper."),
    detail::number<&ExpectimaxConfig::margin>("margin", 0, 1e9,
                                              "Actions within this value of the best one are also searched deeper."),
    detail::choice<&ExpectimaxConfig::objective>("objective", kObjectives, kObjectiveDoc),
};

}  // namespace tablier::search
