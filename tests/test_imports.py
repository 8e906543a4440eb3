"""Games loaded with --import, in every command and in the processes it starts."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from doc_examples import DOCS, code_blocks

from tablier.cli import make_parser

RACE = Path(__file__).parent / "race.py"


def put_race(folder):
    """Writes a game that imports its rules from a file next to it."""
    (folder / "race.py").write_text(RACE.read_text())
    (folder / "my_race.py").write_text("import race, tablier\ntablier.register(race.Race)\n")
    return folder


@pytest.fixture
def place(tmp_path):
    return put_race(tmp_path)


def run(place, *args):
    return subprocess.run([sys.executable, "-m", "tablier", *args], cwd=place, capture_output=True, text=True)


def refused(done, words):
    assert done.returncode == 2
    assert re.search(words, done.stderr), done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_game_in_a_file(place):
    refused(run(place, "games", "race"), "no game is called 'race'")
    assert "Race, 2 players" in run(place, "games", "race", "--import", "my_race.py").stdout
    done = run(place, "simulate", "--game", "race", "--games", "20", "--json", "--import=my_race.py")
    assert json.loads(done.stdout)["games"] == 20, done.stderr
    twice = run(place, "games", "race", "--import", "my_race.py", "--import", str(place / "my_race.py"))
    assert twice.returncode == 0, twice.stderr


def test_a_module(place):
    assert "Race" in run(place, "games", "race", "--import", "my_race").stdout  # python -m searches this folder


def test_other_processes_know_it(place):
    match = ("match", "greedy", "random", "--game", "race", "--games", "24", "--json", "--import", "my_race.py")
    one, two = (json.loads(run(place, *match, "--processes", n).stdout) for n in ("1", "2"))
    assert (one["wins"], one["decisions"]) == (two["wins"], two["decisions"])


def test_every_command_has_it():
    parsers = make_parser()._subparsers._group_actions[0].choices
    assert len(parsers) > 10
    for name, parser in parsers.items():
        assert "--import" in parser.format_help(), name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import tablier\nx = 1 / 0\n", r"game\.py cannot be imported: ZeroDivisionError: .* \(game\.py, line 2\)"),
        ("x = (\n", r"game\.py cannot be imported: SyntaxError: .*game\.py, line 1"),
        ("import nowhere\n", r"No module named 'nowhere' \(game\.py, line 1\)"),
        ("import tablier\n\n\ntablier.register(int)\n", r"register\(\) takes a subclass .* \(game\.py, line 4\)"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_one_line(tmp_path, text, words):
    (tmp_path / "game.py").write_text(text)
    refused(run(tmp_path, "games", "--import", "game.py"), words)


def test_what_is_not_there(tmp_path):
    refused(run(tmp_path, "games", "--import", "no.py"), "file not found: no.py")
    refused(run(tmp_path, "games", "--import", "no.so"), "file not found: no.so")
    refused(run(tmp_path, "games", "--import", "nowhere"), "No module named 'nowhere'")
    (tmp_path / "bad.so").write_bytes(b"no library")
    refused(run(tmp_path, "games", "--import", "bad.so"), "bad.so cannot be imported")


SMALL = {"games": 8, "moves": 8, "width": 8, "minutes": 0, "eval_every": 0, "tensorboard": False}
TRAIN = ("train", "td", "--run", "run", *(f"--{name}={value}" for name, value in SMALL.items()))


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Returns a folder with the game and a run trained on it, and the command's output."""
    pytest.importorskip("torch")
    folder = put_race(tmp_path_factory.mktemp("trained"))
    done = run(
        folder,
        *TRAIN,
        *["--game", "race", "--steps", "2", "--strength", "4", "--opponents", "random", "--import", "my_race.py"],
    )
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


@pytest.fixture
def learned(trained, tmp_path):
    return shutil.copytree(trained[0], tmp_path / "learned")


@pytest.mark.slow
def test_a_game_in_a_file_is_learned(trained, learned):
    assert "--game race --import my_race.py" in trained[1]
    words = "no game is called 'race'.* started with '--import my_race.py': add it if you trust that code"
    evaluate = ("eval", "run", "--opponents", "random", "--games", "12", "--processes", "1")
    resume = ("train", "td", "--run", "run", "--resume", "--steps", "3")
    for command in (evaluate, resume):
        refused(run(learned, *command), words)
        done = run(learned, *command, "--import", "my_race.py")
        assert done.returncode == 0, done.stderr
    assert "step 3" in done.stdout


@pytest.mark.slow
def test_what_a_folder_says_is_not_imported(learned):
    """A run from elsewhere may name code; it is not imported unless the user names it."""
    (learned / "other.py").write_text("open('it_ran', 'w')\n")
    config = json.loads((learned / "run" / "config.json").read_text())
    assert config["imported"] == "--import my_race.py"
    (learned / "run" / "config.json").write_text(json.dumps({**config, "imported": "--import other.py"}))
    for command in (("eval", "run"), ("train", "td", "--run", "run", "--resume"), ("runs", "run")):
        run(learned, *command)
        assert not (learned / "it_ran").exists()


@pytest.mark.slow
def test_the_documented_commands_work(tmp_path):
    (tmp_path / "coin_race.py").write_text(code_blocks("adding-a-game.md", "python")[0])
    lines = (DOCS / "adding-a-game.md").read_text().splitlines()
    commands = [line.split()[1:] for line in lines if line.startswith("tablier ") and "coin_race.py" in line]
    assert [command[0] for command in commands] == ["games", "match", "train", "eval"]
    for command in commands:
        done = run(tmp_path, *command)
        assert done.returncode == 0, done.stderr
