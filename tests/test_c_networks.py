"""Networks in the C library: the same numbers as in Python, and every mistake refused."""

import json
import random
import re

import numpy as np
import pytest
import safetensors.numpy
from c_networks import READ, SHIPPED, network
from c_programs import BUILD, build_library, compile_program, make, run
from doc_examples import code_blocks

import tablier
from tablier._core import nets
from tablier._core import search as core_search
from tablier.evaluators.core_network import CoreEvaluator
from tablier.evaluators.protocol import Leaves
from tablier.learn.networks import core_net

ASK = (
    READ
    + r"""
int main(int argc, char **argv) { /* NETWORK GAME CONFIG POSITIONS: a state and a player in each row */
  const tablier_game_table *game = tablier_game(argv[2]);
  static unsigned char room[TABLIER_INFERENCE_SIZE];
  static float logits[1 << 16];
  tablier_network *network;
  tablier_inference *inference;
  size_t bytes, size, rows, i, row;
  unsigned char *file = read_file(argv[1], &bytes), *memory;
  uint64_t *words;
  double value;
  int a, actions;

  if (argc != 5 || tablier_network_size(file, bytes, &size) != TABLIER_OK) return 4;
  memory = malloc(size);
  if (tablier_network_load(game, argv[3], file, bytes, memory, size, &network) != TABLIER_OK) {
    printf("refused: %s\n", tablier_last_error());
    return 0;
  }
  memset(file, 0, bytes); /* it is not needed any more */
  if (tablier_inference_start(network, room, sizeof room, &inference) != TABLIER_OK) return 5;
  actions = tablier_network_actions(network);
  words = (uint64_t *)read_file(argv[4], &bytes);
  row = (size_t)game->state_size + 1;
  rows = bytes / sizeof(uint64_t) / row;
  for (i = 0; i < rows; ++i, words += row) {
    const int player = (int)words[row - 1];
    if (tablier_infer(inference, words, player, &value, actions ? logits : NULL) != TABLIER_OK) return 6;
    printf("%a", value);
    for (a = 0; a < actions; ++a) printf(" %a", logits[a]);
    printf("\n");
  }
  return 0;
}
"""
)


@pytest.fixture(scope="module")
def library():
    return build_library()


@pytest.fixture(scope="module")
def ask(library, tmp_path_factory):
    """A function of network bytes, game, config, states and players: rows of the value and the logits.

    It raises ValueError if the network is refused.
    """
    folder = tmp_path_factory.mktemp("ask")
    program = compile_program(library, folder, ASK)

    def answer(file, game, config, states, players):
        (folder / "network").write_bytes(file)
        rows = np.concatenate([states, players[:, None].astype(np.uint64)], axis=1)
        (folder / "positions").write_bytes(np.ascontiguousarray(rows).tobytes())
        lines = run(program, folder / "network", game, config, folder / "positions").splitlines()
        if lines[0].startswith("refused"):
            raise ValueError(lines[0])
        return np.array([[float.fromhex(number) for number in line.split()] for line in lines])

    return answer


def play(game, games=4, seed=0):
    """Every position of a few random games, twice: as player 0 and as player 1 see it."""
    choose, states = random.Random(seed), []
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            states += [state.clone()] * 2
            state.apply_action(choose.choice(state.legal_actions()))
        states += [state] * 2
    return states, np.tile(np.array([0, 1], np.int32), len(states) // 2)


def rows(states):
    return np.array([core_search.words(state) for state in states])


@pytest.mark.parametrize("policy", [False, True])
@pytest.mark.parametrize(
    ("name", "options", "config"),
    [
        ("trictrac", {}, ""),
        ("trictrac", {"schools": True}, "schools=true"),
        ("pig", {"win_score": 20}, "win_score=20"),
        ("tic_tac_toe", {}, ""),
    ],
)
def test_values_and_logits_are_those_of_python_to_the_last_bit(ask, name, options, config, policy):
    game = tablier.load_game(name, **options)
    file = network(game, policy)
    states, players = play(game)
    outputs, logits = nets.Network(file).compute(game, rows(states), players)
    live = np.array([not state.is_terminal() for state in states])
    answer = ask(file, name, config, rows(states), players)
    assert np.array_equal(answer[:, 0], outputs[:, 0] * safetensors.numpy.load(file)["scales"][0] * live)
    assert np.array_equal(answer[:, 1:], logits)
    assert len(set(answer[:, 0])) > 10


def test_a_network_trained_on_another_encoding_reads_the_default_states(ask):
    """It reads codes, which do not depend on the encoding; `encoding=markov` itself needs larger buffers."""
    game = tablier.load_game("trictrac")
    trained_on = tablier.load_game("trictrac", encoding="markov", utility="win")
    states, players = play(game)
    for file in (network(trained_on, hidden=(16, 8)), SHIPPED.read_bytes()):
        evaluator = CoreEvaluator(game, file)
        searched = np.array([evaluator.searched.row(state)[0] for state in states])
        assert not np.array_equal(searched, rows(states))
        _, values = evaluator.evaluate(Leaves.of(evaluator.searched.game, searched, players))
        answer = ask(file, "trictrac", "", rows(states), players)[:, 0]
        pairs = zip(states, players, strict=True)
        asked = np.array([state.current_player() in (player, tablier.CHANCE) for state, player in pairs])
        assert asked.sum() > 100
        assert np.array_equal(answer[asked].astype(np.float32), values[np.arange(len(states)), players][asked])


def test_the_order_of_positions_does_not_matter(ask):
    game = tablier.load_game("trictrac")
    states, players = play(game)
    words, file = rows(states), network(game)
    straight = ask(file, "trictrac", "", words, players)
    order = np.random.default_rng(0).permutation(len(states))
    assert np.array_equal(ask(file, "trictrac", "", words[order], players[order]), straight[order])


ERRORS = (
    READ
    + r"""
static void tell(int code) { printf("%d %s\n", code, tablier_last_error()); }

int main(int argc, char **argv) { /* NETWORK: for pig, without a policy */
  const tablier_game_table *pig = tablier_game("pig"), *trictrac = tablier_game("trictrac");
  static unsigned char room[TABLIER_INFERENCE_SIZE];
  uint64_t state[TABLIER_MAX_STATE_SIZE];
  float logits[TABLIER_MAX_ACTIONS];
  double value = 7;
  tablier_network *network = (tablier_network *)room;
  tablier_inference *inference = (tablier_inference *)room;
  size_t bytes, size = 7;
  unsigned char *file = read_file(argv[argc - 1], &bytes), *memory;

  tell(tablier_network_size(NULL, 100, &size));
  tell(tablier_network_size(file, bytes - 1, &size));
  printf("%d\n", (int)size);
  if (tablier_network_size(file, bytes, &size) != TABLIER_OK) return 1;
  memory = malloc(size);
  tell(tablier_network_load(trictrac, NULL, file, bytes, memory, size, &network));
  printf("%d\n", network == NULL);
  tell(tablier_network_load(NULL, NULL, file, bytes, memory, size, &network));
  tell(tablier_network_load(pig, "win_score=no", file, bytes, memory, size, &network));
  tell(tablier_network_load(pig, NULL, file, bytes - 1, memory, size, &network));
  tell(tablier_network_load(pig, NULL, file, bytes, memory, size / 2, &network));
  tell(tablier_network_load(pig, NULL, file, bytes, NULL, size, &network));
  printf("%d\n", tablier_network_load(pig, NULL, file, bytes, memory, size, &network));
  tell(tablier_inference_start(network, room, sizeof room / 2, &inference));
  printf("%d\n", inference == NULL);
  printf("%d\n", tablier_inference_start(network, room, sizeof room, &inference));
  pig->init(NULL, state);
  tell(tablier_infer(inference, state, 2, &value, NULL));
  tell(tablier_infer(inference, state, -1, &value, NULL));
  tell(tablier_infer(inference, state, 0, &value, logits));
  printf("%g %d\n", value, tablier_infer(inference, state, 0, NULL, NULL));
  return 0;
}
"""
)


def test_mistakes_are_refused_with_a_reason(library, tmp_path):
    (tmp_path / "pig").write_bytes(network(tablier.load_game("pig")))
    memory = "5 there is too little memory; tablier_network_size() gives the size that a network needs"
    assert run(compile_program(library, tmp_path, ERRORS), tmp_path / "pig").splitlines() == [
        "4 the file is too short",
        "4 the header is damaged",
        "7",
        "4 the network is for pig, not for trictrac",
        "1",
        "1 the game is not a table of this library",
        "1 option 'win_score' of pig must be an integer from 1 to 1000000, not 'no'",
        "4 the header is damaged",
        memory,
        memory,
        "0",
        "5 an inference needs TABLIER_INFERENCE_SIZE bytes",
        "1",
        "0",
        "3 the game has no such player",
        "3 the game has no such player",
        "4 the network has no policy, so it has no logits",
        "7 0",
    ]


def with_description(file, old, new):
    """The file with another description, and the right checksum."""
    arrays = safetensors.numpy.load(file)
    header = json.loads(file[8 : 8 + int.from_bytes(file[:8], "little")])["__metadata__"]
    return core_net._file(arrays, header["tablier"].replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"pig"', '"tic_tac_toe"', "the network is for tic_tac_toe, not for pig"),
        ('"game"', '"name"', "the file does not say which game it is for"),
        ('"pig"', "7", "the file does not say which game it is for"),
        ('{"game": "pig"', '[{"game": "pig"}', "the file does not say which game it is for"),
        ('{"game": "pig"', '{"game"', "the file does not say which game it is for"),
        ('{"game": "pig"', '"game', "the file does not say which game it is for"),
    ],
)
def test_a_network_for_another_game_is_refused_by_name(ask, old, new, reason):
    game = tablier.load_game("pig")
    states, players = play(game, games=1)
    with pytest.raises(ValueError, match=f"refused: {reason}"):
        ask(with_description(network(game), old, new), "pig", "", rows(states), players)


@pytest.mark.parametrize("policy", [False, True])
def test_a_network_with_another_number_of_actions_is_refused(ask, policy):
    """A value network does not care about schools; the policy of one trained with them has more actions."""
    game = tablier.load_game("trictrac")
    states, players = play(game, games=1)
    file = network(tablier.load_game("trictrac", schools=True), policy)
    if policy:
        with pytest.raises(ValueError, match="does not fit trictrac: it has another number of actions"):
            ask(file, "trictrac", "", rows(states), players)
    else:
        assert len(ask(file, "trictrac", "", rows(states), players)) == len(states)


def test_the_demo_shows_the_network(library):
    result = make("demo")
    assert result.returncode == 0, result.stdout + result.stderr
    assert '"game": "trictrac"' in result.stdout
    assert int(re.search(r"It wins (\d+) of 20 games", result.stdout)[1]) > 15
    assert SHIPPED.stat().st_size < 100_000


def test_computing_allocates_nothing(library, tmp_path):
    """Also for a policy, and for features instead of codes."""
    for name in ("trictrac", "tic_tac_toe"):
        (tmp_path / name).write_bytes(network(tablier.load_game(name), policy=True))
    assert make("check-allocations").returncode == 0
    out = run(BUILD / "check_allocations", SHIPPED, tmp_path / "trictrac", tmp_path / "tic_tac_toe")
    assert out.splitlines()[-3:] == [
        f"{path}: 0 allocations" for path in (SHIPPED, tmp_path / "trictrac", tmp_path / "tic_tac_toe")
    ]


def test_the_documented_program_prints_a_value(library, tmp_path):
    program = compile_program(library, tmp_path, code_blocks("c-library.md", "c")[1])
    assert re.fullmatch(r"White expects -?\d\.\d+\n", run(program, SHIPPED))
