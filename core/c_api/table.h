// Builds the C table of a game (tablier.h) from its C++ struct. Works without heap allocation, except for errors.
#pragma once

#include <algorithm>
#include <string_view>

#include "../erased.h"
#include "../options.h"
#include "tablier.h"

namespace tablier {

int fail(int code, std::string_view message);  // c_api.cpp; returns the code and sets the last error

// Callers size their buffers for scores, observations and features from the table.
inline bool fits(const Facts& described, const Facts& declared) {
  return described.num_players <= declared.num_players && described.observation.size() <= declared.observation.size() &&
         described.features.size() <= declared.features.size();
}

// Reads `values` (room for kMaxOptions) and the facts under these options; `game` is a Game or an AnyGame.
template <class G>
int read_config(const G& game, const Facts& declared, const char* config, std::int64_t* values, Facts& described) {
  if (const auto refusal = parse_options(declared, config ? config : "", values)) {
    return fail(TABLIER_BAD_CONFIG, refusal->what());
  }
  described = declared;
  const std::span<const std::int64_t> chosen(values, declared.options.size());
  if constexpr (requires { game.describe(chosen); }) {
    if (const Contradiction problem = game.contradiction(chosen)) return fail(TABLIER_BAD_CONFIG, problem.text);
    described = game.describe(chosen);
    if (!fits(described, declared)) {
      return fail(TABLIER_BAD_CONFIG, "these options need larger buffers than this table declares");
    }
  }
  return TABLIER_OK;
}

template <Game G>
struct CTable {
  using State = typename G::State;
  static_assert(!Describes<G> || BoundsStates<G>, "a state whose facts depend on options may not fit the table");

  static int init(const char* config, Word* state) {
    std::int64_t values[kMaxOptions];
    Facts described;
    if (const int code = read_config(G{}, G::facts, config, values, described)) return code;
    State fresh{};
    G::init({values, G::facts.options.size()}, fresh);
    store(G{}, fresh, state);
    return TABLIER_OK;
  }
  // Words may come from anywhere. Every function computes only with states that keep it inside its buffers.
  static bool safe(const State& state) { return bounded(G{}, G::facts, state); }

  static int invalid(const Word* words, const char** why) {
    const State state = load(G{}, words);
    const char* reason = G::invalid(state);
    if (!reason && !safe(state)) reason = "the options of this state need larger buffers than this table declares";
    if (why) *why = reason;
    return reason ? TABLIER_BAD_STATE : TABLIER_OK;
  }
  static int current_player(const Word* words) {
    const State state = load(G{}, words);
    return safe(state) ? G::current_player(state) : kTerminal;
  }
  static int is_chance_node(const Word* words) { return current_player(words) == kChance; }
  static int is_terminal(const Word* words) { return current_player(words) == kTerminal; }
  static int valid_actions(const Word* words, Action* out) {
    const State state = load(G{}, words);
    return safe(state) ? G::legal_actions(state, out) : 0;
  }
  static int apply_action(Word* words, Action action) {
    State changed = load(G{}, words);
    if (!safe(changed)) return TABLIER_BAD_STATE;
    if (!is_legal(G{}, changed, action)) return TABLIER_ILLEGAL_ACTION;
    G::apply(changed, action);
    store(G{}, changed, words);
    return TABLIER_OK;
  }
  static void outcome(const Word* words, double* scores) {
    const State state = load(G{}, words);
    if (safe(state)) return G::returns(state, scores);
    std::fill_n(scores, G::facts.num_players, 0.0);
  }
  static int observation(const Word* words, int player, std::uint8_t* out) {
    const State state = load(G{}, words);
    if (player < 0 || player >= G::facts.num_players) return TABLIER_BAD_PLAYER;
    if (!safe(state)) return TABLIER_BAD_STATE;
    G::observation(state, player, out);
    return TABLIER_OK;
  }
  static int features(const Word* words, int player, float* out) {
    const State state = load(G{}, words);
    if (player < 0 || player >= G::facts.num_players) return TABLIER_BAD_PLAYER;
    if (!safe(state)) return TABLIER_BAD_STATE;
    G::features(state, player, out);
    return TABLIER_OK;
  }
  static void to_string(const Word* words, char* buffer) {
    const State state = load(G{}, words);
    *buffer = 0;
    if (safe(state)) G::to_string(state, buffer);
  }
  static void action_to_string(const Word* words, Action action, char* buffer) {
    const State state = load(G{}, words);
    *buffer = 0;
    if (action >= 0 && action < G::facts.max_actions() && safe(state)) G::action_to_string(state, action, buffer);
  }

  static constexpr tablier_shape shape(const Shape& s) {
    return {s.rank, {s.dims[0], s.dims[1], s.dims[2], s.dims[3]}, s.size()};
  }

  static constexpr tablier_game_table table = {
      G::facts.name.data(),
      G::facts.title.data(),
      G::facts.help.data(),
      G::facts.num_players,
      state_words<G>,
      G::facts.max_actions(),
      G::facts.num_actions,
      G::facts.max_chance_outcomes,
      G::facts.string_buffer_size,
      shape(G::facts.observation),
      shape(G::facts.features),
      init,
      current_player,
      is_chance_node,
      is_terminal,
      valid_actions,
      apply_action,
      outcome,
      observation,
      features,
      to_string,
      action_to_string,
      invalid,
  };
};

}  // namespace tablier
