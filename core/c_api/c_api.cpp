// The functions of the C interface outside the game tables: lookup and the last error. Networks are in network.cpp.
#include <algorithm>
#include <cstring>

#include "../registry.h"
#include "table.h"

namespace tablier {

static thread_local char last_error[512];

int fail(int code, std::string_view message) {
  const std::size_t length = std::min(message.size(), sizeof last_error - 1);
  std::memcpy(last_error, message.data(), length);
  last_error[length] = 0;
  return code;
}

}  // namespace tablier

const tablier_game_table* tablier_game(const char* name) {
  const auto* entry = name ? tablier::find_game(name) : nullptr;
  return entry ? entry->c_table : nullptr;
}

const tablier_game_table* tablier_game_at(std::size_t index) {
  const auto games = tablier::registered_games();
  return index < games.size() ? games[index].c_table : nullptr;
}

const char* tablier_last_error() { return tablier::last_error; }
