// An error shown to users: its English text, and a message key with named parameters for translation. It does not
// translate anything itself.
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

// A parameter that is itself a message.
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
