"""A C++ game from outside the tree, compiled against the installed headers as in docs/adding-a-game.md."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from doc_examples import code_blocks

import tablier
from tablier.games import Home, home_of
from tablier.testing import ConformanceError, check_game

ROOT = Path(__file__).parent.parent


class NimHome(Home):
    """The presentation of the plugin's game."""


def compile_plugin(folder, source, compiler="c++", *flags):
    (folder / "plugin.cpp").write_text(source)
    command = [compiler, *flags, "-std=c++20", "-O0", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    command += ["-I", tablier.get_include(), str(folder / "plugin.cpp"), "-o", str(folder / "plugin.so"), "-pthread"]
    subprocess.run(command, check=True)
    return folder / "plugin.so"


def test_the_documented_game_works_as_a_plugin(tmp_path):
    game_file, plugin_file = code_blocks("adding-a-game.md", "cpp")[:2]
    (tmp_path / "nim.h").write_text(game_file.replace('"nim"', '"nim_plugin"'))  # the tree may already have a nim
    name = tablier.load_plugin(compile_plugin(tmp_path, plugin_file), home=NimHome)
    assert name == "nim_plugin"
    assert name in tablier.registered_games()
    game = tablier.load_game(name, stones=15)
    check_game(game)
    assert isinstance(home_of(game), NimHome), "a plugin may bring a home, too"
    assert game.random_playouts(100, threads=2).unfinished == 0
    with pytest.raises(ValueError, match="already registered"):
        tablier.load_plugin(tmp_path / "plugin.so")
    command = [
        "match",
        "random",
        "random",
        "--game",
        name,
        "--games",
        "12",
        "--processes",
        "2",
        "--import",
        "plugin.so",
    ]
    subprocess.run([sys.executable, "-m", "tablier", *command], cwd=tmp_path, check=True)


@pytest.mark.slow
def test_the_documented_game_works_inside_the_tree(tmp_path):
    """One file and one line in a copy of the tree are enough for the C demo to play the game."""
    game_file = code_blocks("adding-a-game.md", "cpp")[0].replace("<tablier/game.h>", '"../game.h"')
    shutil.copytree(ROOT / "core", tmp_path / "core")
    for name in ("CMakeLists.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "core/games/nim.h").write_text(game_file)
    games = tmp_path / "core/games/list.h"
    others = ("trictrac", "backgammon", "tic_tac_toe")  # slow to compile; the demo needs pig
    kept = [line for line in games.read_text().splitlines() if not any(name in line for name in others)]
    games.write_text("\n".join([*kept, '#include "nim.h"', ""]))
    scripts = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{scripts}:{os.environ['PATH']}"}
    configure = ["-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_CXX_FLAGS_RELEASE=-O0"]
    for command in (configure, ["--build", "build", "--target", "demo"]):
        subprocess.run(["cmake", *command], cwd=tmp_path, env=environment, check=True, capture_output=True)
    output = subprocess.run([tmp_path / "build/demo"], check=True, capture_output=True, text=True).stdout
    assert "Nim (2 words)" in output


@pytest.mark.slow
def test_a_plugin_that_breaks_the_contract_does_not_compile(tmp_path):
    game_file, plugin_file = code_blocks("adding-a-game.md", "cpp")[:2]
    (tmp_path / "nim.h").write_text(game_file.replace("kMaxActions = 3", "kMaxActions = 2"))
    with pytest.raises(subprocess.CalledProcessError):
        compile_plugin(tmp_path, plugin_file)


LOADED_PIG = """
#include <tablier/games/pig.h>
#include <tablier/plugin.h>

struct LoadedPig : tablier::Pig {
  static constexpr tablier::Facts facts = [] {
    tablier::Facts changed = tablier::Pig::facts;
    changed.name = "loaded_pig";
    return changed;
  }();
  static int chance_classes(const State& state, tablier::Action* outcomes, int* weights) {
    const int count = legal_actions(state, outcomes);
    for (int i = 0; i < count; ++i) weights[i] = i == 0 ? 2 : 1;
    return count;
  }
  static void canonical(State&) {}
};

TABLIER_GAME(LoadedPig);
"""


@pytest.mark.slow
def test_the_kit_catches_a_plugin_that_loads_the_dice_of_search(tmp_path):
    game = tablier.load_game(tablier.load_plugin(compile_plugin(tmp_path, LOADED_PIG)))
    with pytest.raises(ConformanceError, match=r"the weights of chance_classes\(\) sum to 7, not 6"):
        check_game(game)


OTHER_PIG = """
#include <tablier/games/pig.h>
#include <tablier/plugin.h>

struct OtherPig : tablier::Pig {
  static constexpr tablier::Facts facts = [] {
    tablier::Facts changed = tablier::Pig::facts;
    changed.name = "NAME";
    return changed;
  }();
};

TABLIER_GAME(OtherPig);
"""


@pytest.mark.skipif(shutil.which("clang++") is None, reason="clang++ is not installed")
def test_a_plugin_may_come_from_another_compiler(tmp_path):
    """The package is built with g++. Threads that it has started are woken by code that clang has compiled."""
    source = OTHER_PIG.replace("NAME", "pig_by_clang")
    game = tablier.load_game(tablier.load_plugin(compile_plugin(tmp_path, source, "clang++", "-fvisibility=hidden")))
    pig = tablier.load_game("pig")
    for seed in range(20):
        found, known = (one.random_playouts(200, seed=seed, threads=3) for one in (game, pig))
        assert (found.returns == known.returns).all()
    with pytest.raises(ValueError, match="action 7 is not legal"):
        game.new_initial_state().apply_action(7)


NO_GAME = """
#include <tablier/plugin.h>

TABLIER_EXPORT const char* tablier_plugin_abi() {
  static const std::string abi = tablier::plugin_abi();
  return abi.c_str();
}
TABLIER_EXPORT const tablier::AnyGame* tablier_plugin_game() { return nullptr; }
"""
"""What TABLIER_GAME exports, without a game, which would take long to compile."""


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_a_plugin_with_other_types_of_the_standard_library_is_refused(tmp_path):
    plugin = compile_plugin(tmp_path, NO_GAME, "g++", "-D_GLIBCXX_DEBUG")
    with pytest.raises(ValueError, match=r"it was built as 'tablier-plugin \w+, libstdc\+\+ with other settings"):
        tablier.load_plugin(plugin)


def test_a_library_that_is_no_plugin_is_refused(tmp_path):
    library = compile_plugin(tmp_path, "int answer() { return 42; }")
    with pytest.raises(ValueError, match="is not a plugin for this build of tablier.*it does not export a game"):
        tablier.load_plugin(library)


def test_a_plugin_of_another_version_is_refused(tmp_path):
    source = """
    extern "C" const char* tablier_plugin_abi() { return "tablier-plugin-0"; }
    extern "C" const void* tablier_plugin_game() { return nullptr; }
    """
    with pytest.raises(ValueError, match="it was built as 'tablier-plugin-0'"):
        tablier.load_plugin(compile_plugin(tmp_path, source))


def test_a_file_that_is_no_library(tmp_path):
    with pytest.raises(FileNotFoundError, match="plugin not found"):
        tablier.load_plugin(tmp_path / "nothing.so")
    (tmp_path / "text.so").write_text("hello")
    with pytest.raises(ValueError, match="cannot be opened"):
        tablier.load_plugin(tmp_path / "text.so")


PLAIN_LIBRARY = "int answer() { return 42; }"
"""A library without a game, which compiles at once."""


def test_a_library_that_is_cut_off_is_refused(tmp_path):
    """The system's loader ends the process if it reaches a page that the file lacks."""
    whole = compile_plugin(tmp_path, PLAIN_LIBRARY).read_bytes()
    assert whole[:6] == b"\x7fELF\2\1"
    cut = tmp_path / "cut.so"
    for size in (20, 63, 64, 100, 4000, len(whole) // 2, len(whole) - 200, len(whole) - 1):
        cut.write_bytes(whole[:size])
        load = f"import tablier; tablier.load_plugin({str(cut)!r})"
        done = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True)
        assert "ValueError: the plugin cannot be opened: the file is incomplete" in done.stderr, (size, done)


@pytest.mark.parametrize(("at", "length"), [(32, 8), (40, 8), (56, 2), (60, 2), (64 + 8, 8), (64 + 32, 8)])
def test_a_library_whose_headers_lead_out_of_the_file_is_refused(tmp_path, at, length):
    """Where the tables begin, how many entries they have, and where the first part begins and how long it is."""
    library = compile_plugin(tmp_path, PLAIN_LIBRARY)
    content = bytearray(library.read_bytes())
    content[at : at + length] = b"\xff" * length
    library.write_bytes(content)
    load = f"import tablier; tablier.load_plugin({str(library)!r})"
    done = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True)
    assert "ValueError: the plugin cannot be opened: the file is incomplete" in done.stderr, done


EXPORTS = """
#include <tablier/plugin.h>

TABLIER_EXPORT const char* tablier_plugin_abi() { return nullptr; }
TABLIER_EXPORT const tablier::AnyGame* tablier_plugin_game() { return nullptr; }
"""


@pytest.mark.parametrize("source", [NO_GAME, EXPORTS], ids=["no game", "no ABI"])
def test_a_plugin_that_returns_nothing_is_refused(tmp_path, source):
    plugin = compile_plugin(tmp_path, source)
    load = f"import tablier; tablier.load_plugin({str(plugin)!r})"
    done = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True)
    assert done.stderr.rstrip().endswith("it does not export a game"), done


@pytest.mark.parametrize(
    ("abi", "shown"),
    [
        (r'"\xff\xfe\n\x1b[31mred"', r"it was built as '\xff\xfe\x0a\x1b[31mred'"),
        ("long_text()", "z..."),
    ],
    ids=["bytes", "long"],
)
def test_the_abi_of_another_library_is_told_in_a_short_line(tmp_path, abi, shown):
    source = f"""
    #include <string>
    const char* long_text() {{
      static const std::string text(5000000, 'z');
      return text.c_str();
    }}
    extern "C" const char* tablier_plugin_abi() {{ return {abi}; }}
    extern "C" const void* tablier_plugin_game() {{ return nullptr; }}
    """
    with pytest.raises(ValueError, match="is not a plugin for this build") as refused:
        tablier.load_plugin(compile_plugin(tmp_path, source))
    assert shown in str(refused.value)
    assert len(str(refused.value)) < 2000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow only names in UTF-8")
def test_a_path_can_have_any_bytes(tmp_path):
    library = tmp_path / os.fsdecode(b"caf\xe9.so")
    compile_plugin(tmp_path, PLAIN_LIBRARY).rename(library)
    with pytest.raises(ValueError, match=r"caf\\xe9\.so is not a plugin.*it does not export a game"):
        tablier.load_plugin(library)
    library.write_bytes(b"no library")
    with pytest.raises(ValueError, match=r"cannot be opened: .*caf\\xe9\.so"):
        tablier.load_plugin(library)
    named = tmp_path / "café.so"
    library.rename(named)
    with pytest.raises(ValueError, match=r"cannot be opened: .*café\.so"):
        tablier.load_plugin(named)


@pytest.mark.slow
def test_a_name_that_is_no_text_is_refused(tmp_path):
    plugin = compile_plugin(tmp_path, OTHER_PIG.replace("NAME", r"\xff\x1b[31mpig"))
    with pytest.raises(ValueError, match="a game's name must start with a lower-case letter") as refused:
        tablier.load_plugin(plugin)
    assert not isinstance(refused.value, UnicodeError)
    assert str(refused.value).isprintable()
