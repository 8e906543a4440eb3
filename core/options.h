// Values of rule options: defaults, checks, error messages, and the text "name=value,name=value" used in C and in saved
// states. What options exist is declared by each game.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "game.h"
#include "refusal.h"

namespace tablier {

inline std::vector<std::int64_t> default_options(const Facts& facts) {
  std::vector<std::int64_t> values;
  for (const Option& option : facts.options) values.push_back(option.default_value);
  return values;
}

inline std::string comma_list(std::span<const std::string_view> words) {
  std::string list;
  for (const auto word : words) list += (list.empty() ? "" : ", ") + std::string(word);
  return list;
}

// What an option accepts, for error messages: "an integer from 1 to 1000000", "true or false", "one of draw, white".
inline std::string accepted(const Option& option) {
  if (option.kind == OptionKind::kFlag) return "true or false";
  if (option.kind == OptionKind::kChoice) return "one of " + comma_list(option.choices);
  return "an integer from " + std::to_string(option.min) + " to " + std::to_string(option.max);
}

inline Phrase accepted_phrase(const Option& option) {
  if (option.kind == OptionKind::kFlag) return {"option.accepts.flag", {}};
  if (option.kind == OptionKind::kChoice) return {"option.accepts.choice", {{"choices", comma_list(option.choices)}}};
  return {"option.accepts.integer", {{"least", option.min}, {"most", option.max}}};
}

// The index of the option called `name`, or nullopt.
inline std::optional<std::size_t> find_option(std::span<const Option> options, std::string_view name) {
  const auto found = std::find_if(options.begin(), options.end(), [name](const Option& o) { return o.name == name; });
  if (found == options.end()) return std::nullopt;
  return static_cast<std::size_t>(found - options.begin());
}

// The option called `name`, current or retired, or nullptr.
inline const Option* known_option(const Facts& facts, std::string_view name) {
  for (const auto options : {facts.options, facts.retired}) {
    if (const auto index = find_option(options, name)) return &options[*index];
  }
  return nullptr;
}

inline Refusal unknown_option(const Facts& facts, std::string_view name) {
  const std::string game(facts.name), what = game + " has no option '" + std::string(name) + "'; ";
  if (facts.options.empty()) {
    return {what + "it has no options", "option.none", {{"game", game}, {"name", std::string(name)}}};
  }
  std::string names;
  for (const Option& option : facts.options) names += (names.empty() ? "" : " ") + std::string(option.name);
  return {what + "accepted: " + names,
          "option.unknown",
          {{"game", game}, {"name", std::string(name)}, {"accepted", names}}};
}

// `given` is the value as the user wrote it.
inline Refusal wrong_value(const Facts& facts, const Option& option, const std::string& given) {
  const std::string game(facts.name), name(option.name);
  return {"option '" + name + "' of " + game + " must be " + accepted(option) + ", not " + given,
          "option.value",
          {{"game", game}, {"name", name}, {"accepted", accepted_phrase(option)}, {"given", given}}};
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
  const auto found = std::find(choices.begin(), choices.end(), text);
  if (found == choices.end()) return std::nullopt;
  return found - choices.begin();
}

inline std::string value_text(const Option& option, std::int64_t value) {
  if (option.kind == OptionKind::kInteger) return std::to_string(value);
  if (option.kind == OptionKind::kFlag) return value ? "true" : "false";
  return std::string(option.choices[static_cast<std::size_t>(value)]);
}

// The options that differ from their defaults, in the format of parse_options().
inline std::string options_text(const Facts& facts, std::span<const std::int64_t> values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Option& option = facts.options[i];
    if (values[i] == option.default_value) continue;
    text += (text.empty() ? "" : ",") + std::string(option.name) + "=" + value_text(option, values[i]);
  }
  return text;
}

// Reads `values` (room for kMaxOptions) from text. Returns a refusal if the text is invalid.
inline std::optional<Refusal> parse_options(const Facts& facts, std::string_view text, std::int64_t* values) {
  for (std::size_t i = 0; i < facts.options.size(); ++i) values[i] = facts.options[i].default_value;
  while (!text.empty()) {
    const auto item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    const auto equals = item.find('=');
    const auto name = item.substr(0, equals);
    const Option* option = known_option(facts, name);
    if (!option) return unknown_option(facts, name);
    const auto given = equals == item.npos ? std::string_view() : item.substr(equals + 1);
    const auto value = parse_value(*option, given);
    if (!value) return wrong_value(facts, *option, "'" + std::string(given) + "'");
    if (const auto index = find_option(facts.options, name)) values[*index] = *value;
  }
  return std::nullopt;
}

// The refusal of conflicting options.
inline Refusal contradictory(const Facts& facts, const Contradiction& problem) {
  return {std::string(facts.name) + ": " + std::string(problem.text),
          std::string(facts.name) + ".contradiction." + std::string(problem.slug),
          {{"game", std::string(facts.name)}}};
}

}  // namespace tablier
