/* Tablier for C: every registered game as a table of functions over memory that the caller owns.
 *
 * A state is `state_size` 64-bit words; copy it with memcpy. No function of a table allocates, except init() when it
 * has an error to tell. apply_action() is deterministic: at a chance node (is_chance_node) the caller samples one of
 * valid_actions() uniformly with a random generator of its own and applies it like a move.
 *
 * Sizes exist twice: as macros in tablier_sizes.h (TABLIER_PIG_STATE_SIZE, ...; TABLIER_MAX_STATE_SIZE for any game)
 * and as fields of the table.
 */
#ifndef TABLIER_H
#define TABLIER_H

#include <stddef.h>
#include <stdint.h>

#include "tablier_sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TABLIER_CHANCE = -1, TABLIER_TERMINAL = -4 }; /* what current_player() answers when nobody decides */

enum {
  TABLIER_OK = 0,
  TABLIER_BAD_CONFIG = 1, /* tablier_last_error() says what was wrong */
  TABLIER_ILLEGAL_ACTION = 2,
  TABLIER_BAD_PLAYER = 3
};

typedef struct tablier_shape {
  int rank; /* 1 to 4 */
  int dims[4];
  int size; /* their product */
} tablier_shape;

typedef struct tablier_game_table {
  const char* name;
  const char* title;
  const char* help_prompt; /* the rules and the actions, for a person */
  int num_players;
  int state_size;          /* 64-bit words */
  int max_actions;         /* room that valid_actions() needs */
  int num_actions;         /* actions of players are 0 .. num_actions - 1; Trictrac's schools add some (trictrac.md) */
  int max_chance_outcomes; /* 0: the game has no chance nodes */
  int string_buffer_size;
  tablier_shape observation_shape;
  tablier_shape features_shape;

  /* config: "name=value,name=value", or NULL for the defaults. On an error the state is left as it was. Options that
     need more players, or longer observations or features, than this table tells are refused. */
  int (*init)(const char* config, uint64_t* state);
  int (*current_player)(const uint64_t* state);
  int (*is_chance_node)(const uint64_t* state);
  int (*is_terminal)(const uint64_t* state);
  int (*valid_actions)(const uint64_t* state, int32_t* out); /* ascending; returns how many */
  int (*apply_action)(uint64_t* state, int32_t action);      /* on an error the state is left as it was */
  void (*outcome)(const uint64_t* state, double* scores);    /* num_players numbers, also before the end */
  int (*observation)(const uint64_t* state, int player, uint8_t* out);
  int (*features)(const uint64_t* state, int player, float* out);
  void (*to_string)(const uint64_t* state, char* buffer);
  void (*action_to_string)(const uint64_t* state, int32_t action, char* buffer);
} tablier_game_table;

/* The table of a game, or NULL if no game has this name. */
const tablier_game_table* tablier_game(const char* name);

/* The tables of all games, by number; NULL past the last. */
const tablier_game_table* tablier_game_at(size_t index);

/* What the last failed init() of this thread complained about. */
const char* tablier_last_error(void);

#ifdef __cplusplus
}
#endif

#endif /* TABLIER_H */
