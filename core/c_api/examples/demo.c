/* Plays one random game of each compiled game through the C interface. */
#include <inttypes.h>
#include <stdio.h>

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

int main(void) {
  size_t i;
  const tablier_game_table *game;
  for (i = 0; (game = tablier_game_at(i)) != NULL; ++i) {
    if (play(game) != 0) {
      fprintf(stderr, "%s: the game could not be played\n", game->name);
      return 1;
    }
  }
  if (tablier_game("pig") == NULL || tablier_game("no such game") != NULL) return 1;
  return i == 0;
}
