/* The C interface of Tablier: each compiled game as a table of functions over memory that the caller owns.
 *
 * A state is `state_size` 64-bit words; copy it with memcpy. The functions do not allocate, except init() when it
 * reports an error. apply_action() is deterministic: at a chance node (is_chance_node) the caller samples one of
 * valid_actions() uniformly, with their own random generator, and applies it like a move.
 *
 * The functions trust their words: they must come from init() and apply_action() of the same table, or have passed
 * invalid(). From other words, such as those of a damaged file, the results mean nothing, but no function crashes or
 * writes outside of its buffers. Words that a function cannot compute with are refused: it returns TABLIER_BAD_STATE,
 * TABLIER_TERMINAL, 0 actions, scores of 0 or an empty string, whichever fits its type.
 *
 * Sizes are available as macros in tablier_sizes.h (TABLIER_PIG_STATE_SIZE, ...; TABLIER_MAX_STATE_SIZE for any game)
 * and as fields of the table.
 *
 * Networks of the core (best.safetensors of a training run) are loaded into memory that the caller owns, too:
 *
 *   tablier_network_size(file, bytes, &size);
 *   tablier_network_load(game, NULL, file, bytes, malloc(size), size, &network);
 *   tablier_inference_start(network, room, sizeof room, &inference);
 *   tablier_infer(inference, state, player, &value, NULL);
 *
 * This interface has no search and no batches; those are in Python.
 */
#ifndef TABLIER_H
#define TABLIER_H

#include <stddef.h>
#include <stdint.h>

#include "tablier_sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TABLIER_CHANCE = -1, TABLIER_TERMINAL = -4 }; /* returned by current_player() if no player is to move */

enum {
  TABLIER_OK = 0,
  TABLIER_BAD_CONFIG = 1, /* see tablier_last_error() */
  TABLIER_ILLEGAL_ACTION = 2,
  TABLIER_BAD_PLAYER = 3,
  TABLIER_BAD_NETWORK = 4, /* see tablier_last_error() */
  TABLIER_NO_MEMORY = 5,   /* see tablier_last_error() */
  TABLIER_BAD_STATE = 6    /* see invalid() */
};

typedef struct tablier_shape {
  int rank; /* 1 to 4 */
  int dims[4];
  int size; /* product of dims */
} tablier_shape;

typedef struct tablier_game_table {
  const char* name;
  const char* title;
  const char* help_prompt; /* the rules and the action numbers, in English */
  int num_players;
  int state_size;          /* in 64-bit words */
  int max_actions;         /* buffer size for valid_actions() */
  int num_actions;         /* player actions are 0 .. num_actions - 1; Trictrac's schools add more (trictrac.md) */
  int max_chance_outcomes; /* 0: the game has no chance nodes */
  int string_buffer_size;
  tablier_shape observation_shape;
  tablier_shape features_shape;

  /* config: "name=value,name=value", or NULL for the defaults. Rejects options that need more players, or larger
     observations or features, than this table declares. On error the state is unchanged. */
  int (*init)(const char* config, uint64_t* state);
  int (*current_player)(const uint64_t* state);
  int (*is_chance_node)(const uint64_t* state);
  int (*is_terminal)(const uint64_t* state);
  int (*valid_actions)(const uint64_t* state, int32_t* out); /* ascending; returns the count */
  int (*apply_action)(uint64_t* state, int32_t action);      /* on error the state is unchanged */
  void (*outcome)(const uint64_t* state, double* scores);    /* num_players values; valid at any time */
  int (*observation)(const uint64_t* state, int player, uint8_t* out);
  int (*features)(const uint64_t* state, int player, float* out);
  void (*to_string)(const uint64_t* state, char* buffer);
  /* "" for a number that is no action */
  void (*action_to_string)(const uint64_t* state, int32_t action, char* buffer);

  /* Checks words from outside: returns TABLIER_OK if they are a state that this game can reach and this table can
     handle, otherwise TABLIER_BAD_STATE. `why` may be NULL; it is set to the reason, in English, or to NULL. It checks
     the rules, too, and takes longer than the other functions: call it once, where the words come in. */
  int (*invalid)(const uint64_t* state, const char** why);
} tablier_game_table;

/* Returns the table of a game, or NULL if there is no game with this name. */
const tablier_game_table* tablier_game(const char* name);

/* Returns the table of game number `index`, or NULL past the last game. */
const tablier_game_table* tablier_game_at(size_t index);

/* Returns the error message of the last init() or function for networks that failed in this thread. */
const char* tablier_last_error(void);

/* A network in memory of the caller. It never changes, so any number of threads may use it. There is nothing to close:
   when no inference uses it any more, free the memory. It must not be moved. */
typedef struct tablier_network tablier_network;

/* Computes a network on one position after another, at the cost of what differs from the position before; one per
   thread. The values do not depend on the order. There is nothing to close, and it must not be moved. */
typedef struct tablier_inference tablier_inference;

/* Computes how many bytes of memory tablier_network_load() needs for a file. Any bytes may be passed; returns
   TABLIER_BAD_NETWORK if they are not a network or are damaged. Allocates while it runs, like tablier_network_load().
 */
int tablier_network_size(const void* file, size_t bytes, size_t* size);

/* Loads a network from the bytes of its file, which are not needed afterwards. `config` is the same as for init().
   Returns TABLIER_BAD_NETWORK if the file is damaged or for another game, TABLIER_NO_MEMORY if the memory is too small;
   on error *network is NULL. */
int tablier_network_load(const tablier_game_table* game, const char* config, const void* file, size_t bytes,
                         void* memory, size_t memory_bytes, tablier_network** network);

/* Returns what the file says about the network, as JSON: its game and the options that it was trained with. */
const char* tablier_network_description(const tablier_network* network);

/* Returns the number of logits; 0 if the network has no policy. */
int tablier_network_actions(const tablier_network* network);

/* Prepares an inference in `memory` of at least TABLIER_INFERENCE_SIZE bytes. On error *inference is NULL. */
int tablier_inference_start(const tablier_network* network, void* memory, size_t bytes, tablier_inference** inference);

/* Computes the network on a position as `player` sees it: the player to move or, before a roll, the player who moved
   last, because networks are trained on these views. Never allocates.

   `value` is what the player will still collect, in the rewards that the network was trained with; 0 if the game is
   over. `logits` has room for tablier_network_actions() numbers, one for each action, legal or not. Either may be NULL.
   Trusts its words like the functions of the table. On error nothing is written. */
int tablier_infer(tablier_inference* inference, const uint64_t* state, int player, double* value, float* logits);

#ifdef __cplusplus
}
#endif

#endif /* TABLIER_H */
