"""What gets installed, and what importing it loads."""

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import pytest
from interrupting import interrupt_at_work

import tablier
from tablier import _core


def stubs(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*.pyi")}


def test_stubs_of_every_compiled_module_are_current(tmp_path):
    command = [sys.executable, "-m", "nanobind.stubgen", "-P", "-q", "-r", "-m", "tablier._core", "-O", str(tmp_path)]
    subprocess.run(command, check=True)
    modules = {name for name in sys.modules if name.startswith("tablier._core.")}
    written, committed = stubs(tmp_path), stubs(Path(__file__).parent.parent / "src" / "tablier")
    assert {f"_core/{name.rpartition('.')[2]}.pyi" for name in modules} | {"_core/__init__.pyi"} == set(written)
    assert written == committed, "run `make golden`"


def test_types_and_headers_are_shipped():
    package = Path(tablier.__file__).parent
    assert (package / "py.typed").exists()
    assert (package / "_core" / "__init__.pyi").exists()
    include = Path(tablier.get_include()) / "tablier"
    for header in ("game.h", "plugin.h", "kernels/batch.h", "c_api/tablier.h", "c_api/tablier_sizes.h"):
        assert (include / header).exists()
    for source in ("trictrac.h", "trictrac.cc", "trictrac_struct.cc", "trictrac_test.cc"):
        assert (include.parent.parent / "integrations" / "open_spiel" / "trictrac" / source).exists()


def test_numpy_is_the_only_hard_dependency():
    required = [line for line in importlib.metadata.requires("tablier") if "extra ==" not in line]
    assert [line.split(">")[0] for line in required] == ["numpy"]


def test_the_extras_are_those_promised():
    extras = set(importlib.metadata.metadata("tablier").get_all("Provides-Extra"))
    assert extras == {
        *("play", "train", "arena", "cluster", "web", "openspiel", "gymnasium", "pettingzoo", "dev", "docs", "all")
    }


def test_the_version_is_told_once():
    assert importlib.metadata.version("tablier") == tablier.__version__


def test_import_brings_nothing_heavy():
    heavy = ("numpy", "torch", "pyspiel", "onnxruntime", "scipy", "ray")
    code = f"import sys, tablier; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_an_interrupt_stops_a_long_run():
    code = """if True:
        import signal, numpy, tablier
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would ignore it
        print('ready', flush=True)
        tablier.load_game('pig').random_playouts(10**9, threads=2)
    """
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            interrupt_at_work(process)
            _, errors = process.communicate()
        finally:
            process.kill()
    assert "KeyboardInterrupt" in errors


LEAKY = """
import resource
import tablier
from race import Race
tablier.register(Race)

def work():
    for name in ("pig", "tic_tac_toe", "race"):
        game = tablier.load_game(name)
        for _ in range(2000):
            state = game.new_initial_state().child(0)
            game.deserialize(state.serialize()).features()
            state.legal_actions_mask()
        tablier.BatchEnv(game, 100, threads=2).arrays()

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

work()
before = resident()
for _ in range(5):
    work()
print(resident() - before)
"""


def test_nothing_leaks():
    """Runs in a separate process, where nothing else allocates memory."""
    out = subprocess.check_output([sys.executable, "-c", LEAKY], text=True, cwd=Path(__file__).parent)
    assert int(out) < 2_000_000  # 30,000 states would take about 10 MB


def test_native_games_are_sorted():
    assert _core.native_games() == sorted(_core.native_games())


def test_the_front_door_opens_modules_when_they_are_used():
    code = (
        "import sys, tablier; assert 'tablier.search' not in sys.modules; "
        "print(*(found.__name__ for found in (tablier.search.Search, tablier.players.make_player, "
        "tablier.arena.play_match, tablier.evaluators.RolloutEvaluator, tablier.analysis.mistakes, "
        "tablier.trictrac.Position)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["Search", "make_player", "play_match", "RolloutEvaluator", "mistakes", "Position"]
    assert {"search", "players", "trictrac"} <= set(dir(tablier))


def test_a_module_that_does_not_exist():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        tablier.nothing  # noqa: B018


def test_results_print_in_a_few_lines():
    game = tablier.load_game("trictrac")
    config = tablier.search.SearchConfig(n_simulations=2)
    uniform = tablier.evaluators.UniformEvaluator(game)
    state = game.new_initial_state().child(13)
    decisions = list(tablier.analysis.decisions(game, [13, state.legal_actions()[0]], "heuristic"))
    results = [
        game.random_playouts(1000, seed=1),
        tablier.BatchEnv(game, 1000, seed=1).arrays(),
        tablier.search.Search(game, uniform, config).run(state),
        *tablier.search.SelfPlay(game, uniform, config, games_at_once=1).play(1),
        tablier.arena.play_match(game, "random", "random", 2),
        *decisions,
    ]
    assert len(decisions) == 1
    assert all(len(repr(result)) < 800 for result in results), [len(repr(result)) for result in results]


def test_a_second_interpreter_is_refused_and_hurts_nobody():
    pytest.importorskip("_xxsubinterpreters", reason="this Python calls its interpreters otherwise")
    code = """if True:
        import _xxsubinterpreters as interpreters
        import tablier
        for _ in range(3):
            other = interpreters.create(isolated=False)
            try:
                interpreters.run_string(other, "import tablier")
            except interpreters.RunFailedError as error:
                print(error)
            interpreters.destroy(other)
            print(tablier.load_game("pig").new_initial_state().legal_actions())
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("only in the main interpreter") == done.stdout.count("[0, 1]\n") == 3
