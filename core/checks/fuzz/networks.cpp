// Fuzzes network files through the C interface. An input is a file, a file whose checksum is put right, or a recipe for
// a file of which some bytes are changed before it is sealed; and a position to compute it on.
//
// Whatever the bytes, loading them returns a code and stays inside the caller's memory. All kernels of this processor
// compute the same numbers.
#include <algorithm>
#include <cmath>

#include "../../c_api/tablier.h"
#include "../../nets/kernels.h"
#include "../network_file.h"
#include "played.h"

namespace tablier::fuzz {

namespace {

// Puts the checksum right, if the header can be read and has one.
void seal(Bytes& file) {
  try {
    const nets::TensorFile read(file);
    const auto& facts = read.metadata();
    const auto described = facts.find("tablier"), old = facts.find("crc32");
    if (described == facts.end() || old == facts.end() || old->second.size() != 8) return;
    const auto* text = reinterpret_cast<const std::uint8_t*>(described->second.data());
    char sum[9];
    std::snprintf(sum, sizeof sum, "%08x", nets::crc32(read.data(), nets::crc32({text, described->second.size()})));
    const std::string found = old->second;
    const auto at = std::search(file.begin(), file.end(), found.begin(), found.end());
    if (at != file.end()) std::copy_n(sum, 8, at);
  } catch (const nets::BadFile&) {
    return;  // there is nothing to put right
  }
}

// A description that is nearly one of a network.
std::string describe(Input& in, std::string_view game) {
  static constexpr std::string_view kPieces[] = {"{",  "}",  "[", "]",        ":",     ",",
                                                 "\"", "\\", " ", "\"game\"", "\"x\"", "1"};
  std::string text = in.byte() % 2 ? "{" : "";
  for (unsigned left = in.byte() % 16; left > 0; --left) {
    const unsigned piece = in.below(std::size(kPieces) + 1);
    text += piece < std::size(kPieces) ? std::string(kPieces[piece]) : "\"" + std::string(game) + "\"";
  }
  return text;
}

NetworkFile network_of_any_game(Input& in) {
  const AnyGame& game = *registered_games()[in.below(registered_games().size())].game;
  return make_network(in, game, game.facts());
}

Bytes make_file(Input& in, const Played& at) {
  const unsigned chosen = in.byte(), kind = chosen % 4, special = chosen / 4;
  if (kind < 2) {
    NetworkFile made = special == 1 ? network_of_any_game(in) : make_network(in, at.game(), at.facts, special == 2);
    for (unsigned changes = kind == 0 ? 0 : 1 + in.byte() % 4; changes > 0; --changes) {
      const bool in_plan = in.byte() % 2 == 0;  // the first array, and the one that says most
      made.data[in.below(in_plan ? std::min<std::size_t>(made.data.size(), 80) : made.data.size())] =
          static_cast<std::uint8_t>(in.byte());
    }
    return special > 2 && special < 8 ? made.described(describe(in, at.name())) : made.sealed(at.name());
  }
  Bytes file(in.rest().begin(), in.rest().end());
  if (kind == 3) seal(file);
  return file;
}

// Every kernel gives the numbers of the scalar one, which is the last.
void compare_kernels(const Bytes& file, const Played& at, int player) {
  std::vector<std::int32_t> outputs, first_outputs;
  std::vector<float> logits, first_logits;
  for (const nets::Kernels* kernels : nets::available_kernels()) {
    const nets::Network network(file, *kernels);
    outputs.assign(static_cast<std::size_t>(network.outputs()), 0);
    logits.assign(static_cast<std::size_t>(network.actions()), 0);
    at.game().infer(at.facts, network, at.state.get(), &player, 1, outputs.data(), logits.data());
    if (kernels == nets::available_kernels().front()) {
      first_outputs = outputs;
      first_logits = logits;
    } else if (outputs != first_outputs || logits != first_logits) {
      broken(at.name(), "two kernels disagree", kernels->name);
    }
  }
}

void compute(tablier_network* network, const Played& at) {
  const auto memory = room<std::uint8_t>(TABLIER_INFERENCE_SIZE);
  tablier_inference* inference = nullptr;
  if (tablier_inference_start(network, memory.get(), 1, &inference) != TABLIER_NO_MEMORY ||
      tablier_inference_start(network, nullptr, TABLIER_INFERENCE_SIZE, &inference) != TABLIER_NO_MEMORY || inference) {
    broken(at.name(), "an inference starts with too little memory");
  }
  if (!*tablier_network_description(network)) broken(at.name(), "a network was loaded that says no game");
  if (tablier_inference_start(network, memory.get(), TABLIER_INFERENCE_SIZE, &inference) != TABLIER_OK) {
    broken(at.name(), "an inference does not start in the declared memory", tablier_last_error());
  }
  const int actions = tablier_network_actions(network);
  const auto logits = room<float>(actions);
  for (int player = -1; player <= at.facts.num_players; ++player) {
    double value = 0;
    const int code = tablier_infer(inference, at.state.get(), player, &value, actions > 0 ? logits.get() : nullptr);
    const bool seated = player >= 0 && player < at.facts.num_players;
    if (!seated && code != TABLIER_BAD_PLAYER) broken(at.name(), "a player who does not exist was accepted");
    if (seated && code == TABLIER_OK && !std::isfinite(value)) broken(at.name(), "a value is not finite");
    if (tablier_infer(inference, at.state.get(), player, nullptr, nullptr) != code) {
      broken(at.name(), "asking for nothing has another answer");
    }
  }
  float logit = 0;
  if (actions == 0 && tablier_infer(inference, at.state.get(), 0, nullptr, &logit) != TABLIER_BAD_NETWORK) {
    broken(at.name(), "a network without a policy has logits");
  }
}

void fuzz(Input& in) {
  Played at(in, 60);
  const std::string config = options_text(at.game().facts(), at.options);
  if (in.byte() % 4 == 0) at.change(in);
  const Bytes file = make_file(in, at);
  std::size_t size = 0;
  const int measured = tablier_network_size(file.data(), file.size(), &size);
  if (measured != TABLIER_OK && measured != TABLIER_BAD_NETWORK) broken(at.name(), "the size has another answer");
  tablier_network* network = nullptr;
  const auto* table = at.entry().c_table;
  const auto memory = room<std::uint8_t>(static_cast<std::int64_t>(size));
  const int code = tablier_network_load(table, config.c_str(), file.data(), file.size(), memory.get(), size, &network);
  tablier_network* none = nullptr;
  if (tablier_network_load(nullptr, "", file.data(), file.size(), memory.get(), size, &none) != TABLIER_BAD_CONFIG ||
      tablier_network_load(table, "", file.data(), file.size(), nullptr, size, &none) == TABLIER_OK || none) {
    broken(at.name(), "a network was loaded for no game, or into no memory");
  }
  if ((code == TABLIER_OK) != (network != nullptr)) broken(at.name(), "the code and the network disagree");
  if (measured == TABLIER_OK && code == TABLIER_NO_MEMORY) broken(at.name(), "the size is too small");
  if (measured != TABLIER_OK && code == TABLIER_OK) broken(at.name(), "a file without a size was loaded");
  if (code != TABLIER_OK && !*tablier_last_error()) broken(at.name(), "a refusal has no reason");
  if (network) compute(network, at);
  const unsigned more = in.byte() % 4;  // each loads the file again, which takes most of the time
  if (network && more == 1 && !at.game().invalid(at.state.get())) compare_kernels(file, at, 0);
  if (size > 0 && more == 2) {  // less memory than needed
    const std::size_t less = in.below(size);
    const auto small = room<std::uint8_t>(static_cast<std::int64_t>(less));
    tablier_network_load(table, config.c_str(), file.data(), file.size(), small.get(), less, &network);
  }
}

}  // namespace
}  // namespace tablier::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tablier::fuzz::Input in(data, size);
  tablier::fuzz::fuzz(in);
  return 0;
}
