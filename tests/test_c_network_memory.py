"""Networks in the C library: damaged files, and the limits of the caller's memory."""

import pytest
from c_networks import READ, SHIPPED, network
from c_programs import build_library, compile_program, run

import tablier


@pytest.fixture(scope="module")
def library():
    return build_library()


DAMAGE = (
    READ
    + r"""
static unsigned char room[TABLIER_INFERENCE_SIZE];

static int value_of(const unsigned char *file, size_t bytes, double *value) {
  const tablier_game_table *game = tablier_game("pig");
  uint64_t state[TABLIER_PIG_STATE_SIZE];
  tablier_network *network;
  tablier_inference *inference;
  size_t size;
  void *memory;
  int code = tablier_network_size(file, bytes, &size);

  if (code != TABLIER_OK) return code;
  memory = malloc(size);
  code = tablier_network_load(game, NULL, file, bytes, memory, size, &network);
  game->init(NULL, state);
  if (code == TABLIER_OK) code = tablier_inference_start(network, room, sizeof room, &inference);
  if (code == TABLIER_OK) code = tablier_infer(inference, state, 0, value, NULL);
  free(memory);
  return code;
}

int main(int argc, char **argv) {
  double value, found;
  size_t bytes, i;
  unsigned char *file = read_file(argv[argc - 1], &bytes), *part;

  if (value_of(file, bytes, &value) != TABLIER_OK) return 1;
  for (i = 0; i < bytes; ++i) { /* a copy of the exact size, so that tools can find a read past the end */
    part = malloc(i + 1);
    memcpy(part, file, i);
    if (value_of(part, i, &found) != TABLIER_BAD_NETWORK) return 2;
    free(part);
  }
  for (i = 0; i < 8 * bytes; ++i) { /* a part of the header that is not used may change */
    int code;
    file[i / 8] ^= (unsigned char)(1 << i % 8);
    code = value_of(file, bytes, &found);
    if (code != TABLIER_BAD_NETWORK && (code != TABLIER_OK || found != value)) return 3;
    file[i / 8] ^= (unsigned char)(1 << i % 8);
  }
  return 0;
}
"""
)


def test_a_truncated_file_or_a_changed_bit_never_crashes_or_changes_a_value(library, tmp_path):
    (tmp_path / "pig").write_bytes(network(tablier.load_game("pig"), width=1, hidden=()))
    run(compile_program(library, tmp_path, DAMAGE), tmp_path / "pig")


MEMORY = (
    READ
    + r"""
enum { GUARD = 64 };
static unsigned char room[TABLIER_INFERENCE_SIZE + 2 * GUARD];

static int touched(const unsigned char *memory, size_t size, size_t offset) {
  size_t i;
  for (i = 0; i < offset; ++i) if (memory[i] != 0xab) return 1;
  for (i = offset + size; i < size + 2 * GUARD; ++i) if (memory[i] != 0xab) return 1;
  return 0;
}

int main(int argc, char **argv) {
  const tablier_game_table *game = tablier_game("trictrac");
  uint64_t state[TABLIER_TRICTRAC_STATE_SIZE];
  size_t bytes, size, some, offset;
  unsigned char *file = read_file(argv[argc - 1], &bytes), *memory;
  tablier_network *network;
  tablier_inference *inference;
  double first = 0, value;

  if (tablier_network_size(file, bytes, &size) != TABLIER_OK) return 1;
  memory = malloc(size + 2 * GUARD);
  game->init(NULL, state);
  for (offset = 0; offset < GUARD; ++offset) {
    memset(memory, 0xab, size + 2 * GUARD);
    memset(room, 0xab, sizeof room);
    if (tablier_network_load(game, NULL, file, bytes, memory + offset, size, &network) != TABLIER_OK) return 2;
    if (tablier_inference_start(network, room + offset, TABLIER_INFERENCE_SIZE, &inference) != TABLIER_OK) return 3;
    if (tablier_infer(inference, state, 1, &value, NULL) != TABLIER_OK) return 4;
    if (touched(memory, size, offset) || touched(room, TABLIER_INFERENCE_SIZE, offset)) return 5;
    if (offset == 0) first = value;
    if (value != first) return 6;
  }
  for (some = 0; some < size - size / 20; some += 997) {
    memset(memory, 0xab, size + 2 * GUARD);
    if (tablier_network_load(game, NULL, file, bytes, memory, some, &network) != TABLIER_NO_MEMORY) return 7;
    if (touched(memory, some, 0)) return 8;
  }
  return 0;
}
"""
)


def test_memory_may_start_anywhere_and_nothing_is_written_outside(library, tmp_path):
    run(compile_program(library, tmp_path, MEMORY), SHIPPED)
