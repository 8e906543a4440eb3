"""The C library and its demo; test_c_networks.py and test_c_network_memory.py test its networks."""

import os
import re
import shutil
import subprocess

import pytest
from c_programs import build_library, compile_and_run, make
from doc_examples import code_blocks

import tablier


@pytest.fixture(scope="module")
def library():
    return build_library()


def test_the_demo_plays_every_registered_game(library):
    result = make("demo")
    assert result.returncode == 0, result.stdout + result.stderr
    for name in tablier._core.native_games():
        assert f"{tablier.load_game(name).title} (" in result.stdout


def test_the_documented_program_plays_a_game(library, tmp_path):
    assert re.fullmatch(
        r"White \d+, Black \d+\n", compile_and_run(library, tmp_path, code_blocks("c-library.md", "c")[0])
    )


def test_sizes_are_macros_and_metadata(library, tmp_path):
    source = r"""
    #include <stdio.h>
    #include "tablier.h"
    int main(void) {
      const tablier_game_table *pig = tablier_game("pig"), *ttt = tablier_game("tic_tac_toe");
      printf("%d %d %d %d %d %d\n", TABLIER_PIG_STATE_SIZE, pig->state_size, TABLIER_PIG_MAX_ACTIONS, pig->max_actions,
             TABLIER_PIG_OBSERVATION_SIZE, pig->observation_shape.size);
      printf("%d %d %d %d %d %d\n", TABLIER_TIC_TAC_TOE_STATE_SIZE, ttt->state_size, TABLIER_TIC_TAC_TOE_MAX_ACTIONS,
             ttt->max_actions, ttt->features_shape.rank, ttt->features_shape.dims[0]);
      return 0;
    }
    """
    assert compile_and_run(library, tmp_path, source) == "5 5 6 6 3 3\n3 3 9 9 3 2\n"


def test_a_config_is_read_and_a_wrong_one_refused(library, tmp_path):
    source = r"""
    #include <stdio.h>
    #include <string.h>
    #include "tablier.h"
    int main(void) {
      const tablier_game_table *pig = tablier_game("pig");
      uint64_t state[TABLIER_PIG_STATE_SIZE], before[TABLIER_PIG_STATE_SIZE];
      float features[TABLIER_PIG_FEATURES_SIZE];
      printf("%d\n", pig->init("win_score=10", state));
      pig->apply_action(state, 0);
      pig->apply_action(state, 4);
      printf("%d\n", pig->features(state, 0, features));
      printf("%g\n", features[2]);
      memcpy(before, state, sizeof state);
      printf("%d %s\n", pig->init("win_score=ten", state), tablier_last_error());
      printf("%d %s\n", pig->init("winscore=10", state), tablier_last_error());
      printf("%d %d\n", pig->apply_action(state, 2), pig->features(state, 7, features));
      printf("%d\n", memcmp(before, state, sizeof state));
      return 0;
    }
    """
    accepted = " ".join(tablier.load_game("pig").options())
    assert compile_and_run(library, tmp_path, source).splitlines() == [
        "0",
        "0",
        "0.5",
        "1 option 'win_score' of pig must be an integer from 1 to 1000000, not 'ten'",
        f"1 pig has no option 'winscore'; accepted: {accepted}",
        "2 3",
        "0",
    ]


def test_options_that_need_more_room_than_the_table_tells_are_refused(library, tmp_path):
    """A C program allocates scores, observations and features from the sizes in the table."""
    source = r"""
    #include <stdio.h>
    #include "tablier.h"
    int main(void) {
      const tablier_game_table *scored = tablier_game("trictrac_a_ecrire");
      uint64_t state[TABLIER_TRICTRAC_A_ECRIRE_STATE_SIZE];
      printf("%d\n", scored->init("schools=true", state));
      printf("%d %s\n", scored->init("marques=4,players=3", state), tablier_last_error());
      printf("%d %s\n", scored->init("players=3", state), tablier_last_error());
      printf("%d %s\n", tablier_game("trictrac")->init("encoding=markov", state), tablier_last_error());
      return 0;
    }
    """
    assert compile_and_run(library, tmp_path, source).splitlines() == [
        "0",
        "1 marques must be a multiple of 3, for three players",
        "1 these options need larger buffers than this table declares",
        "1 these options need larger buffers than this table declares",
    ]


def test_words_from_outside_can_be_checked(library, tmp_path):
    source = r"""
    #include <stdio.h>
    #include <string.h>
    #include "tablier.h"
    int main(void) {
      const tablier_game_table *game = tablier_game("trictrac");
      uint64_t state[TABLIER_TRICTRAC_STATE_SIZE];
      char text[TABLIER_TRICTRAC_STRING_BUFFER_SIZE] = "old";
      float features[TABLIER_TRICTRAC_FEATURES_SIZE];
      int32_t actions[TABLIER_TRICTRAC_MAX_ACTIONS];
      double scores[TABLIER_TRICTRAC_NUM_PLAYERS] = {1, 1};
      const char *why = "old";
      game->init(NULL, state);
      printf("%d %d", game->invalid(state, &why), game->invalid(state, NULL));
      printf(" %s\n", why ? why : "none");
      memset(state, 0xff, sizeof state);
      printf("%d", game->invalid(state, &why));
      printf(" %s\n", why);
      game->to_string(state, text);
      game->outcome(state, scores);
      printf("%d %d %d %d [%s] %g\n", game->current_player(state), game->valid_actions(state, actions),
             game->apply_action(state, 0), game->features(state, 0, features), text, scores[0]);
      return 0;
    }
    """
    assert compile_and_run(library, tmp_path, source).splitlines() == [
        "0 0 none",
        "6 the game is not the ordinary one",
        "-4 0 6 6 [] 0",
    ]


def test_nothing_allocates_while_games_are_played(library):
    result = make("check-allocations")
    assert result.returncode == 0, result.stdout + result.stderr
    for name in tablier._core.native_games():
        assert f"{name}: 0 allocations" in result.stdout


@pytest.mark.skipif(not shutil.which("pkg-config"), reason="pkg-config is not installed: apt-get install pkg-config")
def test_an_installed_library_is_found_by_pkg_config(library, tmp_path):
    result = make("install", f"PREFIX={tmp_path}/usr")
    assert result.returncode == 0, result.stdout + result.stderr
    (found,) = tmp_path.glob("usr/lib*/**/tablier.pc")

    def asked(*what):
        env = {**os.environ, "PKG_CONFIG_PATH": str(found.parent)}
        command = ["pkg-config", *what, "tablier"]
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout.split()

    assert asked("--modversion") == [tablier.__version__]
    source = tmp_path / "program.c"
    source.write_text('#include <stdio.h>\n#include <tablier.h>\nint main(void) { puts(tablier_game("pig")->name); }\n')
    subprocess.run(["cc", source, *asked("--cflags", "--libs"), "-o", tmp_path / "program"], check=True)
    assert subprocess.run([tmp_path / "program"], capture_output=True, text=True).stdout == "pig\n"
