// Prints tablier_sizes.h: the sizes of every registered game as macros, so that C code can declare arrays.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>
#include <vector>

#include "../game.h"

namespace {

struct Sizes {
  tablier::Facts facts;
  int words;
};

std::vector<Sizes> games;

template <tablier::Game G>
bool note() {
  games.push_back({G::facts, tablier::state_words<G>});
  return true;
}

}  // namespace

#define TABLIER_CONCAT(a, b) a##b
#define TABLIER_NOTED(number) TABLIER_CONCAT(noted_, number)
#undef TABLIER_GAME
#define TABLIER_GAME(G) [[maybe_unused]] static const bool TABLIER_NOTED(__COUNTER__) = note<G>()

#include "../games/list.h"

int main() {
  std::puts("/* Written by write_sizes.cpp from the registered games. */");
  std::puts("#ifndef TABLIER_SIZES_H\n#define TABLIER_SIZES_H");
  int words = 0, actions = 0, players = 0, text = 0;
  for (const auto& [facts, state_words] : games) {
    std::string name(facts.name);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const auto define = [&name](const char* what, int value) {
      std::printf("#define TABLIER_%s_%s %d\n", name.c_str(), what, value);
    };
    std::puts("");
    define("NUM_PLAYERS", facts.num_players);
    define("STATE_SIZE", state_words);
    define("MAX_ACTIONS", facts.max_actions());
    define("STRING_BUFFER_SIZE", facts.string_buffer_size);
    define("OBSERVATION_SIZE", facts.observation.size());
    define("FEATURES_SIZE", facts.features.size());
    words = std::max(words, state_words);
    actions = std::max(actions, facts.max_actions());
    players = std::max(players, facts.num_players);
    text = std::max(text, facts.string_buffer_size);
  }
  std::puts("\n/* Enough for any of them. */");
  std::printf("#define TABLIER_MAX_STATE_SIZE %d\n#define TABLIER_MAX_ACTIONS %d\n", words, actions);
  std::printf("#define TABLIER_MAX_PLAYERS %d\n#define TABLIER_MAX_STRING_BUFFER_SIZE %d\n", players, text);
  std::puts("\n#endif");
}
