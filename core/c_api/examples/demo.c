/* Plays one random game of each compiled game through the C interface. With the file of a network for Trictrac as its
 * argument, it also plays games in which the network chooses White's moves. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tablier.h"

static uint64_t random_state = 2463534242u;

/* xorshift64 (G. Marsaglia, 2003) */
static uint32_t random_below(uint32_t n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)((random_state >> 32) * n >> 32);
}

static int play(const tablier_game_table *game) {
  uint64_t state[TABLIER_MAX_STATE_SIZE];
  int32_t actions[TABLIER_MAX_ACTIONS];
  double scores[TABLIER_MAX_PLAYERS];
  char text[TABLIER_MAX_STRING_BUFFER_SIZE];
  long decisions = 0, rolls = 0;
  int player;

  if (game->init(NULL, state) != TABLIER_OK) return 1;
  while (!game->is_terminal(state)) {
    const int count = game->valid_actions(state, actions);
    if (count <= 0) return 1;
    if (game->is_chance_node(state)) {
      ++rolls;
    } else {
      ++decisions;
    }
    if (game->apply_action(state, actions[random_below((uint32_t)count)]) != TABLIER_OK) return 1;
  }
  game->to_string(state, text);
  game->outcome(state, scores);
  printf("%s (%d words): %ld decisions, %ld rolls, scores", game->title, game->state_size, decisions, rolls);
  for (player = 0; player < game->num_players; ++player) printf(" %g", scores[player]);
  printf("\n%s\n\n", text);

  /* Invalid input is rejected and changes nothing. */
  if (game->apply_action(state, 0) != TABLIER_ILLEGAL_ACTION) return 1;
  if (game->init("no_such_option=1", state) != TABLIER_BAD_CONFIG) return 1;
  return !game->is_terminal(state);
}

/* The action whose result is worth most to the player to move. */
static int32_t best_action(const tablier_game_table *game, tablier_inference *inference, const uint64_t *state,
                           const int32_t *actions, int count) {
  const int mover = game->current_player(state);
  uint64_t next[TABLIER_MAX_STATE_SIZE];
  double scores[TABLIER_MAX_PLAYERS], value, worth, most = 0;
  int32_t best = actions[0];
  int i, viewer;

  for (i = 0; i < count; ++i) {
    memcpy(next, state, sizeof(uint64_t) * (size_t)game->state_size);
    game->apply_action(next, actions[i]);
    game->outcome(next, scores);
    viewer = game->current_player(next) >= 0 ? game->current_player(next) : mover;
    tablier_infer(inference, next, viewer, &value, NULL);
    worth = scores[mover] + (viewer == mover ? value : -value);
    if (i == 0 || worth > most) {
      most = worth;
      best = actions[i];
    }
  }
  return best;
}

/* Returns 1 if the network wins as White against random moves, -1 on an error. */
static int play_with(const tablier_game_table *game, tablier_inference *inference) {
  uint64_t state[TABLIER_MAX_STATE_SIZE];
  int32_t actions[TABLIER_MAX_ACTIONS], action;
  double scores[TABLIER_MAX_PLAYERS];

  if (game->init("utility=win", state) != TABLIER_OK) return -1;
  while (!game->is_terminal(state)) {
    const int count = game->valid_actions(state, actions);
    if (count <= 0) return -1;
    action = game->current_player(state) == 0 ? best_action(game, inference, state, actions, count)
                                              : actions[random_below((uint32_t)count)];
    if (game->apply_action(state, action) != TABLIER_OK) return -1;
  }
  game->outcome(state, scores);
  return scores[0] > scores[1];
}

static void *read_file(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  void *data = NULL;
  long length;

  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) > 0 && fseek(file, 0, SEEK_SET) == 0) {
    *bytes = (size_t)length;
    data = malloc(*bytes);
    if (data != NULL && fread(data, 1, *bytes, file) != *bytes) {
      free(data);
      data = NULL;
    }
  }
  fclose(file);
  return data;
}

static int show_network(const char *path) {
  enum { GAMES = 20 };
  const tablier_game_table *game = tablier_game("trictrac");
  unsigned char room[TABLIER_INFERENCE_SIZE]; /* for one thread */
  tablier_network *network = NULL;
  tablier_inference *inference = NULL;
  size_t bytes = 0, size = 0;
  void *file = read_file(path, &bytes), *memory = NULL;
  int i, won, wins = 0, failed = 1;

  if (file == NULL) {
    fprintf(stderr, "%s: cannot be read\n", path);
    return 1;
  }
  if (tablier_network_size(file, bytes, &size) == TABLIER_OK && (memory = malloc(size)) != NULL &&
      tablier_network_load(game, "utility=win", file, bytes, memory, size, &network) == TABLIER_OK &&
      tablier_inference_start(network, room, sizeof room, &inference) == TABLIER_OK) {
    printf("Network of %zu bytes: %s\n", size, tablier_network_description(network));
    for (i = 0; i < GAMES && (won = play_with(game, inference)) >= 0; ++i) wins += won;
    printf("It wins %d of %d games of %s against random moves.\n", wins, GAMES, game->title);
    failed = i < GAMES;
  } else {
    fprintf(stderr, "%s: %s\n", path, tablier_last_error());
  }
  free(memory);
  free(file);
  return failed;
}

int main(int argc, char **argv) {
  size_t i;
  const tablier_game_table *game;
  for (i = 0; (game = tablier_game_at(i)) != NULL; ++i) {
    if (play(game) != 0) {
      fprintf(stderr, "%s: the game could not be played\n", game->name);
      return 1;
    }
  }
  if (tablier_game("pig") == NULL || tablier_game("no such game") != NULL) return 1;
  if (argc > 1 && show_network(argv[1]) != 0) return 1;
  return i == 0;
}
