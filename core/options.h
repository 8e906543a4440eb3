// Rule options as values: defaults, checks, and the text form "name=value,name=value" used from C.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "game.h"

namespace tablier {

inline std::vector<std::int64_t> default_options(const Facts& facts) {
  std::vector<std::int64_t> values;
  for (const Option& option : facts.options) values.push_back(option.default_value);
  return values;
}

// What an option accepts, for error messages: "an integer from 1 to 1000000", "true or false", "draw, white".
inline std::string accepted(const Option& option) {
  if (option.kind == OptionKind::kFlag) return "true or false";
  if (option.kind == OptionKind::kInteger) {
    return "an integer from " + std::to_string(option.min) + " to " + std::to_string(option.max);
  }
  std::string list = "one of";
  for (const auto choice : option.choices) list += (list == "one of" ? " " : ", ") + std::string(choice);
  return list;
}

// The index of the option called `name`, or nothing.
inline std::optional<std::size_t> find_option(const Facts& facts, std::string_view name) {
  const auto found = std::ranges::find(facts.options, name, &Option::name);
  if (found == facts.options.end()) return std::nullopt;
  return static_cast<std::size_t>(found - facts.options.begin());
}

inline std::string unknown_option(const Facts& facts, std::string_view name) {
  std::string message = std::string(facts.name) + " has no option '" + std::string(name) + "'; ";
  if (facts.options.empty()) return message + "it has none";
  message += "accepted:";
  for (const Option& option : facts.options) message += " " + std::string(option.name);
  return message;
}

inline std::optional<std::int64_t> parse_value(const Option& option, std::string_view text) {
  if (option.kind == OptionKind::kInteger) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value >= option.min && value <= option.max ? std::optional(value) : std::nullopt;
  }
  static constexpr std::string_view kFlags[] = {"false", "true"};
  const auto choices = option.kind == OptionKind::kFlag ? std::span<const std::string_view>(kFlags) : option.choices;
  const auto found = std::ranges::find(choices, text);
  if (found == choices.end()) return std::nullopt;
  return found - choices.begin();
}

// Fills `values` (room for kMaxOptions) from text; returns an empty string, or what is wrong with the text.
inline std::string parse_options(const Facts& facts, std::string_view text, std::int64_t* values) {
  for (std::size_t i = 0; i < facts.options.size(); ++i) values[i] = facts.options[i].default_value;
  while (!text.empty()) {
    const auto item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const auto equals = item.find('=');
    const auto name = item.substr(0, equals);
    const auto index = find_option(facts, name);
    if (!index) return unknown_option(facts, name);
    const Option& option = facts.options[*index];
    const auto value = equals == item.npos ? std::nullopt : parse_value(option, item.substr(equals + 1));
    if (!value) return std::string(name) + " must be " + accepted(option);
    values[*index] = *value;
  }
  return {};
}

}  // namespace tablier
