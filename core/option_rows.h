// Declares a rule option in one row: its name, accepted values, meaning, and where its value is stored in the rules.
//
//   constexpr OptionRow<Rules> kRows[] = {
//       to_field<&Rules::holes_to_win>({.name = "holes_to_win", .default_value = 12, .min = 1, .max = 100, .doc =
//       "..."}), to_bit<&Rules::switches, kSchools>(flag("schools", "...")),
//   };
//
// Facts list options_of(kRows); write_options(kRows, values, rules) stores the values that a user chose.
#pragma once

#include <array>
#include <limits>
#include <utility>

#include "game.h"

namespace tablier {

constexpr Option flag(std::string_view name, std::string_view doc, bool default_value = false) {
  return {.name = name, .kind = OptionKind::kFlag, .default_value = default_value, .max = 1, .doc = doc};
}
constexpr Option choice(std::string_view name, std::span<const std::string_view> choices, std::string_view doc) {
  return {.name = name, .kind = OptionKind::kChoice, .choices = choices, .doc = doc};
}

template <class Target>
struct OptionRow {
  Option option;
  void (*write)(Target&, std::int64_t);
  std::int64_t (*read)(const Target&);
};

namespace detail {

template <auto kField>
struct FieldOf;
template <class T, class F, F T::* kField>
struct FieldOf<kField> {
  using Target = T;
  using Type = F;
};

template <class T>
constexpr std::int64_t largest() {
  if constexpr (std::is_enum_v<T>) {
    return std::numeric_limits<std::underlying_type_t<T>>::max();
  } else {
    return std::numeric_limits<T>::max();
  }
}

}  // namespace detail

// Stores the value in a field.
template <auto kField>
consteval auto to_field(Option option) {
  using Target = typename detail::FieldOf<kField>::Target;
  using Type = typename detail::FieldOf<kField>::Type;
  if (option.largest() > detail::largest<Type>()) throw "the field is too small for the option";
  return OptionRow<Target>{option,
                           [](Target& target, std::int64_t value) { target.*kField = static_cast<Type>(value); },
                           [](const Target& target) { return static_cast<std::int64_t>(target.*kField); }};
}

// Stores an option with two values as a bit of a field.
template <auto kField, auto kBit, std::int64_t kOn = 1, std::int64_t kOff = 0>
consteval auto to_bit(Option option) {
  using Target = typename detail::FieldOf<kField>::Target;
  using Type = typename detail::FieldOf<kField>::Type;
  if (option.largest() != std::max(kOn, kOff) || option.least() != std::min(kOn, kOff)) {
    throw "a bit can store only an option with two values";
  }
  return OptionRow<Target>{option,
                           [](Target& target, std::int64_t value) {
                             const int others = target.*kField & ~kBit;
                             target.*kField = static_cast<Type>(value == kOn ? others | kBit : others);
                           },
                           [](const Target& target) { return target.*kField & kBit ? kOn : kOff; }};
}

template <class Target, std::size_t N>
constexpr std::array<Option, N> options_of(const std::array<OptionRow<Target>, N>& rows) {
  std::array<Option, N> options;
  for (std::size_t i = 0; i < N; ++i) options[i] = rows[i].option;
  return options;
}

template <class T, std::size_t N, std::size_t M>
constexpr std::array<T, N + M> joined(const std::array<T, N>& one, const std::array<T, M>& two) {
  std::array<T, N + M> both;
  for (std::size_t i = 0; i < N; ++i) both[i] = one[i];
  for (std::size_t i = 0; i < M; ++i) both[N + i] = two[i];
  return both;
}

// `values` are in the order of the rows.
template <class Target, std::size_t N>
constexpr void write_options(const std::array<OptionRow<Target>, N>& rows, std::span<const std::int64_t> values,
                             Target& target) {
  for (std::size_t i = 0; i < N; ++i) rows[i].write(target, values[i]);
}

template <class Target, std::size_t N>
constexpr void write_defaults(const std::array<OptionRow<Target>, N>& rows, Target& target) {
  for (const auto& row : rows) row.write(target, row.option.default_value);
}

// Whether the value of every option is accepted.
template <class Target, std::size_t N>
constexpr bool are_accepted(const std::array<OptionRow<Target>, N>& rows, const Target& target) {
  for (const auto& row : rows) {
    const std::int64_t value = row.read(target);
    if (value < row.option.least() || value > row.option.largest()) return false;
  }
  return true;
}

}  // namespace tablier
