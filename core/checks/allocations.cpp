// Checks that playing a game does not allocate: counts heap allocations in random games through all functions that a
// running game uses. Prints a line for each compiled game and fails if there are any.
#include <cstdio>
#include <cstdlib>
#include <new>

#include "../registry.h"
#include "../words.h"

namespace {
std::size_t allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

std::size_t count(const tablier::AnyGame& game) {
  const auto& facts = game.facts();
  tablier::Words start(game.state_words()), state(game.state_words());
  std::vector<tablier::Action> actions(static_cast<std::size_t>(game.max_actions()));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(facts.observation.size()));
  std::vector<float> floats(static_cast<std::size_t>(facts.features.size()));
  std::vector<std::int64_t> options;
  for (const auto& option : facts.options) options.push_back(option.default_value);
  double scores[tablier::kMaxPlayers];
  game.init(options, start.data());
  tablier::Rng rng{1};

  const std::size_t before = allocations;
  for (int games = 0; games < 50; ++games) {
    state = start;
    while (game.current_player(state.data()) != tablier::kTerminal) {
      const int legal = game.legal_actions(state.data(), actions.data());
      const auto action = actions[static_cast<std::size_t>(rng.below(legal))];
      game.observation(state.data(), 0, bytes.data());
      game.features(state.data(), 1, floats.data());
      game.returns(state.data(), scores);
      if (!game.is_legal(state.data(), action)) return ~std::size_t{0};
      tablier::Words copy = state;  // as a Python State does
      game.apply(copy.data(), action);
      state = copy;
    }
  }
  return allocations - before;
}

}  // namespace

int main() {
  bool clean = !tablier::registered_games().empty();
  for (const auto& entry : tablier::registered_games()) {
    const std::size_t counted = count(*entry.game);
    const auto name = entry.game->facts().name;
    std::printf("%.*s: %zu allocations\n", static_cast<int>(name.size()), name.data(), counted);
    clean = clean && counted == 0;
  }
  return clean ? 0 : 1;
}
