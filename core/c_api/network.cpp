// Networks in the C interface: loading them into the caller's memory, and computing them.
#include "network.h"

#include <string>

#include "../nets/kernels.h"
#include "../nets/tensor_file.h"
#include "../registry.h"
#include "table.h"

namespace tablier {

namespace {

// Counts the bytes that a network takes.
class Counter : public std::pmr::memory_resource {
 public:
  std::size_t bytes() const { return bytes_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    bytes_ += bytes + alignment;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::size_t bytes_ = 0;
};

std::span<const std::uint8_t> bytes_of(const void* file, std::size_t bytes) {
  return {static_cast<const std::uint8_t*>(file), file ? bytes : 0};
}

const nets::Kernels& fastest() { return *nets::available_kernels().front(); }

// Runs `load`, and turns whatever it throws into a code.
template <class Load>
int guarded(Load load) {
  try {
    return load();
  } catch (const nets::BadFile& error) {
    const std::string_view what = error.what();  // "slug: reason"
    return fail(TABLIER_BAD_NETWORK, what.substr(std::min(what.find(": ") + 2, what.size())));
  } catch (const std::bad_alloc&) {
    return fail(TABLIER_NO_MEMORY,
                "there is too little memory; tablier_network_size() gives the size that a network needs");
  } catch (const std::exception& error) {
    return fail(TABLIER_BAD_NETWORK, error.what());
  }
}

// Reads the string that starts at json[at], and moves `at` to its closing quote.
std::string_view quoted(std::string_view json, std::size_t& at) {
  const std::size_t begin = ++at;
  while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  at = std::min(at, json.size());
  return json.substr(begin, at - begin);
}

// The string called `name` in a JSON object, or "" if there is none. Names and strings with escapes are left as
// written.
std::string_view string_member(std::string_view json, std::string_view name) {
  int depth = 0;
  const auto next = [json](std::size_t at) { return std::min(json.find_first_not_of(" \t\r\n", at), json.size()); };
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (json[at] == '{' || json[at] == '[') ++depth;
    if (json[at] == '}' || json[at] == ']') --depth;
    if (json[at] != '"') continue;
    const bool found = quoted(json, at) == name && depth == 1;
    const std::size_t colon = next(std::min(at + 1, json.size()));
    if (!found || colon == json.size() || json[colon] != ':') continue;
    std::size_t value = next(colon + 1);
    return value < json.size() && json[value] == '"' ? quoted(json, value) : "";
  }
  return "";
}

// Why a network cannot be used with a game, or an empty string.
std::string misfit(const AnyGame& game, const Facts& facts, const nets::Network& network) {
  const std::string name(facts.name), made_for(string_member(network.description(), "game"));
  if (made_for.empty()) return "the file does not say which game it is for";
  if (made_for != name) return "the network is for " + made_for.substr(0, 60) + ", not for " + name;
  const std::string why = game.misfit(facts, network);
  return why.empty() ? "" : "the network does not fit " + name + ": " + why;
}

const Registered* entry_of(const tablier_game_table* table) {
  const auto games = registered_games();
  const auto found = std::ranges::find(games, table, &Registered::c_table);
  return table && found != games.end() ? &*found : nullptr;
}

int load_network(const Registered& entry, const char* config, std::span<const std::uint8_t> file, void* memory,
                 std::size_t bytes, tablier_network*& out) {
  std::int64_t values[kMaxOptions];
  Facts facts;
  if (const int code = read_config(*entry.game, entry.game->facts(), config, values, facts)) return code;
  void* start = memory;
  if (!memory || !std::align(alignof(tablier_network), sizeof(tablier_network), start, bytes)) throw std::bad_alloc();
  auto* rest = static_cast<std::uint8_t*>(start) + sizeof(tablier_network);
  auto* network = new (start) tablier_network(file, fastest(), rest, bytes - sizeof(tablier_network));
  if (const std::string why = misfit(*entry.game, facts, network->network); !why.empty()) {
    network->~tablier_network();
    return fail(TABLIER_BAD_NETWORK, why);
  }
  network->facts = facts;
  network->inferences = entry.c_inferences;
  out = network;
  return TABLIER_OK;
}

}  // namespace

}  // namespace tablier

int tablier_network_size(const void* file, std::size_t bytes, std::size_t* size) {
  return tablier::guarded([&] {
    tablier::Counter counter;
    const tablier::nets::Network network(tablier::bytes_of(file, bytes), tablier::fastest(), &counter);
    *size = sizeof(tablier_network) + alignof(tablier_network) + counter.bytes();
    return TABLIER_OK;
  });
}

int tablier_network_load(const tablier_game_table* game, const char* config, const void* file, std::size_t bytes,
                         void* memory, std::size_t memory_bytes, tablier_network** network) {
  *network = nullptr;
  const auto* entry = tablier::entry_of(game);
  if (!entry) return tablier::fail(TABLIER_BAD_CONFIG, "the game is not a table of this library");
  return tablier::guarded([&] {
    return tablier::load_network(*entry, config, tablier::bytes_of(file, bytes), memory, memory_bytes, *network);
  });
}

const char* tablier_network_description(const tablier_network* network) {
  return network->network.description().data();
}

int tablier_network_actions(const tablier_network* network) { return network->network.actions(); }

int tablier_inference_start(const tablier_network* network, void* memory, std::size_t bytes,
                            tablier_inference** inference) {
  *inference = nullptr;
  if (!memory || bytes < network->inferences->size) {
    return tablier::fail(TABLIER_NO_MEMORY, "an inference needs TABLIER_INFERENCE_SIZE bytes");
  }
  *inference = network->inferences->start(*network, memory);
  return TABLIER_OK;
}

int tablier_infer(tablier_inference* inference, const std::uint64_t* state, int player, double* value, float* logits) {
  const tablier_network& network = *inference->network;
  if (player < 0 || player >= network.facts.num_players) {
    return tablier::fail(TABLIER_BAD_PLAYER, "the game has no such player");
  }
  if (logits && network.network.actions() == 0) {
    return tablier::fail(TABLIER_BAD_NETWORK, "the network has no policy, so it has no logits");
  }
  if (!network.inferences->infer(*inference, state, player, value, logits)) {
    return tablier::fail(TABLIER_BAD_STATE, "the words are not a state; invalid() says why");
  }
  return TABLIER_OK;
}
