// The compiled games by name. Python games and plugins are registered in Python.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "erased.h"

struct tablier_game_table;  // c_api/tablier.h

namespace tablier {

struct CInferences;  // c_api/network.h

struct Registered {
  std::shared_ptr<const AnyGame> game;
  const tablier_game_table* c_table;
  const CInferences* c_inferences;
};

std::span<const Registered> registered_games();  // sorted by name
const Registered* find_game(std::string_view name);

}  // namespace tablier
