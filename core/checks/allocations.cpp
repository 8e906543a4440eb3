// Checks that playing a game does not allocate: counts heap allocations in random games through all functions that a
// running game uses, and while the networks whose files are the arguments are computed. Prints a line for each compiled
// game and each network, and fails if there are any allocations.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>

#include "../c_api/tablier.h"
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
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
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

// Computes a network at every position of random games, for both players; ~0 if it is for no compiled game.
std::size_t count(const std::vector<char>& file) {
  std::size_t size = 0;
  if (tablier_network_size(file.data(), file.size(), &size) != TABLIER_OK) return ~std::size_t{0};
  std::vector<std::uint8_t> memory(size), room(TABLIER_INFERENCE_SIZE);
  const tablier_game_table* game = nullptr;
  tablier_network* network = nullptr;
  for (const auto& entry : tablier::registered_games()) {
    if (network) break;
    game = entry.c_table;
    tablier_network_load(game, nullptr, file.data(), file.size(), memory.data(), size, &network);
  }
  tablier_inference* inference = nullptr;
  if (!network || tablier_inference_start(network, room.data(), room.size(), &inference)) return ~std::size_t{0};
  std::vector<float> logits(static_cast<std::size_t>(tablier_network_actions(network)));
  tablier::Word state[TABLIER_MAX_STATE_SIZE];
  tablier::Action actions[TABLIER_MAX_ACTIONS];
  tablier::Rng rng{1};

  const std::size_t before = allocations;
  for (int games = 0; games < 10; ++games) {
    game->init(nullptr, state);
    while (!game->is_terminal(state)) {
      double value = 0;
      for (const int player : {0, 1, 7}) {  // the last is refused
        tablier_infer(inference, state, player, &value, logits.empty() ? nullptr : logits.data());
      }
      game->apply_action(state, actions[rng.below(game->valid_actions(state, actions))]);
    }
  }
  return allocations - before;
}

}  // namespace

int main(int argc, char** argv) {
  bool clean = !tablier::registered_games().empty();
  for (const auto& entry : tablier::registered_games()) {
    const std::size_t counted = count(*entry.game);
    const auto name = entry.game->facts().name;
    std::printf("%.*s: %zu allocations\n", static_cast<int>(name.size()), name.data(), counted);
    clean = clean && counted == 0;
  }
  for (const char* path : std::span(argv, static_cast<std::size_t>(argc)).subspan(1)) {
    std::ifstream file(path, std::ios::binary);
    const std::size_t counted = count({std::istreambuf_iterator<char>(file), {}});
    std::printf("%s: %zu allocations\n", path, counted);
    clean = clean && counted == 0;
  }
  return clean ? 0 : 1;
}
