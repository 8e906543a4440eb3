// Instantiates the kernels, the erased interface and the C table for each game in games/list.h.
#include "registry.h"

#include <algorithm>
#include <vector>

#include "c_api/network.h"
#include "c_api/table.h"

namespace tablier {
namespace {

std::vector<Registered>& all_games() {
  static std::vector<Registered> games;
  return games;
}

template <Game G>
bool enter() {
  static_assert(sound<G>());
  auto& games = all_games();
  games.push_back({std::make_shared<Erased<G>>(), &CTable<G>::table, &c_inferences<G>});
  std::ranges::sort(games, {}, [](const Registered& entry) { return entry.game->facts().name; });
  return true;
}

}  // namespace

std::span<const Registered> registered_games() { return all_games(); }

const Registered* find_game(std::string_view name) {
  const auto found =
      std::ranges::find(all_games(), name, [](const Registered& entry) { return entry.game->facts().name; });
  return found == all_games().end() ? nullptr : &*found;
}

}  // namespace tablier

#define TABLIER_CONCAT(a, b) a##b
#define TABLIER_ENTERED(line) TABLIER_CONCAT(entered_, line)
#undef TABLIER_GAME
#define TABLIER_GAME(G) [[maybe_unused]] static const bool TABLIER_ENTERED(__COUNTER__) = tablier::enter<G>()

#include "games/list.h"
