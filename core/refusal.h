// A refusal that a person reads: in English, and as a code with named parameters from which every language can say it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tablier {

template <class Value>
using Named = std::vector<std::pair<std::string, Value>>;

// A part of a sentence that has a code of its own.
struct Phrase {
  std::string code;
  Named<std::variant<std::int64_t, std::string>> params;
};

struct Refusal : std::runtime_error {
  using Params = Named<std::variant<std::int64_t, std::string, Phrase>>;

  Refusal(const std::string& text, std::string code_, Params params_)
      : std::runtime_error(text), code(std::move(code_)), params(std::move(params_)) {}

  std::string code;
  Params params;
};

}  // namespace tablier
