"""Help texts, and the messages for commands called with bad arguments."""

import os
import re
import subprocess
import sys

import pytest
from terminal import tablier
from test_commands import subcommands

from tablier.cli import COMMANDS, main
from tablier.cli.arguments import split_players
from tablier.registry import parse_options


@pytest.mark.parametrize("name", subcommands())
def test_every_help_has_an_example(name, capsys):
    with pytest.raises(SystemExit) as stop:
        main([name, "--help"])
    assert stop.value.code == 0
    assert re.search(rf"example:\n(  .*\n)*?  .*\btablier {name}", capsys.readouterr().out)


@pytest.mark.parametrize("name", sorted(set(subcommands()) - {"train", "eval", "runs"}))
def test_every_help_says_what_the_command_does(name):
    parser = subcommands()[name]
    assert parser.description
    assert all("(default " in action.help for action in parser._actions if "--game" in action.option_strings)


def test_all_that_was_promised_is_there():
    promised = {
        "play",
        "simulate",
        "train",
        "eval",
        "runs",
        "bench",
        "analyze",
        "replay",
        "games",
        "doctor",
        "completion",
    }
    assert promised <= set(subcommands())
    assert len(COMMANDS) == len(subcommands())


def test_flags_mean_the_same_everywhere():
    flags = {}
    for name, parser in subcommands().items():
        for action in parser._actions:
            for flag in action.option_strings:
                if flag in ("--game", "--options", "--json", "--lang"):
                    flags.setdefault(flag, {})[name] = (action.metavar, type(action).__name__)
    assert {"play", "simulate", "match", "analyze"} <= set(flags["--game"])
    assert set(flags["--game"]) == set(flags["--options"])
    assert all(len(set(kinds.values())) == 1 for kinds in flags.values())


def test_without_a_command_the_help_is_shown():
    run = tablier()
    assert run.returncode == 2
    assert run.stdout == ""
    assert "play a game in the terminal" in run.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simulate", "--game", "chess"], "no game is called 'chess'"),
        (["simulate", "--players", "random,random,random"], "trictrac has 2 players; --players names 3"),
        (["simulate", "--options", "schools=maybe"], "schools"),
        (["simulate", "--options", "a=1,a=2"], "option 'a' is given twice"),
        (["simulate", "--games", "5", "--save", "x"], "--save writes a single game"),
        (["simulate", "--save", "/nonexistent/x"], "/nonexistent/x cannot be written: the folder does not exist"),
        (["simulate", "--save", "."], ". cannot be written: it is a folder"),
        (["ladder", "x.sqlite", "--plot", "x.png"], "x.png cannot be written: its name must end in .svg"),
        (["analyze", "/nonexistent"], "/nonexistent cannot be read"),
        (["analyze", "."], "cannot be read: is a directory"),
        (["analyze", sys.executable], "is not a game record: a record is a text file"),
        (["analyze", "/dev/zero"], "a record can have at most 4000000 characters"),
        (["analyze", "A" * 18], "a player has no man on the board"),
        (["analyze", "/" * 17 + "A"], "the id ends in the middle of the board"),
        (
            ["analyze", "//4AAAH//AAAAAABgG", "--game", "pig"],
            "'//4AAAH//AAAAAABgG' is neither a file nor a position of pig",
        ),
        (["analyze", "//4AAAH//AAAAAABgG", "--game", "trictrac_a_ecrire"], "a position of trictrac, not of"),
        (["analyze", "//4AAAH//AAAAAABgG", "--player", "genius"], "no player is called 'genius'"),
        (["analyze", __file__, "--game", "pig"], "a record names its game"),
        (["replay", "/nonexistent"], "/nonexistent cannot be read"),
        (["games", "chess"], "no game is called 'chess'"),
        (["match", "human", "greedy"], "to play yourself, use `tablier play`"),
        (["match", "greedy", "human"], "to play yourself, use `tablier play`"),
        (["simulate", "--players", "greedy,human"], "to play yourself, use `tablier play`"),
        (["match", "greedy", "genius", "--games", "2"], "no player is called 'genius'"),
        (["match", "greedy", "mcts:net="], "the setting 'net' of 'mcts' needs a value"),
        (["train", "td", "--start", ""], "--start must be a path, not empty"),
        (["train", "td", "--teacher="], "--teacher must be a path, not empty"),
        (["match", "greedy", "random", "--options", "win_score=x", "--game", "pig"], "win_score"),
    ],
)
def test_a_mistake_is_one_line_and_exits_with_2(arguments, words, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert captured.err.startswith("tablier: ")
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simulate", "--games", "0"], "tablier simulate: argument --games: must be an integer from 1"),
        (["simulate", "--games", "many"], "tablier simulate: argument --games: must be an integer from 1"),
        (["simulate", "--seed", "-1"], "tablier simulate: argument --seed: "),
        (["simulate", "--seed", "9" * 30], "tablier simulate: argument --seed: "),
        (["analyze"], "tablier analyze: the following arguments are required: FILE|ID"),
        (["replay", "x", "--from", "y"], "tablier replay: argument --from: invalid int value"),
        (["completion", "tcsh"], "tablier completion: argument shell: invalid choice: 'tcsh'"),
        (["play", "--lang", "de"], "tablier play: argument --lang: invalid choice: 'de'"),
        (["doctor", "who"], "tablier doctor: unexpected argument 'who'"),
        (["bench", "--loud"], "tablier bench: unknown option --loud"),
        (["runs", "--loud"], "tablier runs: unknown option --loud"),
        (["eval"], "tablier eval: the following arguments are required: folder"),
        (["train"], "tablier train: the following arguments are required: algorithm"),
        (["fly"], "tablier: argument COMMAND: invalid choice: 'fly'"),
        (["--loud"], "tablier: unknown option --loud"),
    ],
)
def test_wrong_usage_is_one_line_and_exits_with_2(arguments, words, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith(words)
    assert errors.endswith(f"; see {words.partition(':')[0]} --help\n")
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    "command",
    [
        ["play", "--load"],
        ["replay"],
        ["analyze"],
        ["analyze", "x", "--annotate"],
        ["simulate", "--save"],
        ["arena"],
        ["ladder"],
        ["ladder", "x", "--csv"],
        ["ladder", "x", "--plot"],
        ["referee", "--file"],
        ["referee", "--matches"],
        ["train", "td", "--resume", "--run"],
        ["eval"],
        ["eval", "x", "--plot"],
        ["runs"],
        ["runs", "x", "--plot"],
        ["serve", "--db"],
        ["serve", "--runs"],
        ["doctor", "--database"],
        ["doctor", "--database", "x", "--export"],
        ["games", "--import"],
    ],
    ids=" ".join,
)
def test_an_empty_path_is_not_a_missing_one(command, capsys):
    with pytest.raises(SystemExit) as stop:
        main([*command, ""])
    assert stop.value.code == 2
    assert "must be a path, not empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["simulate --game pig --seed 1 --save /dev/full", "analyze game --annotate /dev/full"]
)
def test_a_full_disk_is_told_with_the_name_of_the_file(command, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "--game", "pig", "--options", "win_score=5", "--seed", "1", "--save", "game"]) == 0
    capsys.readouterr()
    assert main(command.split()) == 1
    assert capsys.readouterr().err == "tablier: /dev/full: no space left on device\n"


@pytest.mark.parametrize(
    "words", [["replay"], ["play", "--load"], ["ladder"], ["match", "random"], ["simulate", "--save"], ["train"]]
)
def test_a_long_path_is_shortened(words, capsys):
    assert main([*words, "/none" * 500]) == 2
    error = capsys.readouterr().err
    assert len(error) < 500
    assert "/none/none" in error or "no player is called" in error or "unknown algorithm" in error


def test_a_long_argument_is_shortened(capsys):
    with pytest.raises(SystemExit):
        main(["games", "--seed", "x" * 5000])
    assert len(capsys.readouterr().err) < 500


def test_control_c_while_commands_are_imported_is_told_in_a_line(monkeypatch, capsys):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("tablier.cli.import_module", interrupted)
    assert main(["games"]) == 130
    assert capsys.readouterr() == ("", "tablier: interrupted\n")


def test_nothing_is_imported_before_main():
    code = "import sys, tablier, tablier.cli; print([m for m in sys.modules if m.startswith('tablier.cli.')])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_a_reader_who_has_enough_is_no_error():
    command = f"{sys.executable} -m tablier simulate --seed 1 | head -1; echo ${{PIPESTATUS[0]}}"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert run.stdout.splitlines()[-1] in ("0", "141"), "0 where all was written before head had enough"
    assert run.stderr == ""


def shell(command, folder=None):
    """The finished process of a shell command, in which $TABLIER stands for the program."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TABLIER": f"{sys.executable} -m tablier"}
    environment.pop("PYTHONUNBUFFERED", None)
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment, cwd=folder)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("games --json >&-", "bad file descriptor"),
        ("games >&- <&-", "bad file descriptor"),
        ("--help >&-", "bad file descriptor"),
        ("match random random --game pig --games 2 >&-", "bad file descriptor"),
        ("serve --port 0 --db games.sqlite >&-", "bad file descriptor"),
        ("games >/dev/full", "no space left on device"),
        ("--version >/dev/full", "no space left on device"),
    ],
)
def test_output_that_cannot_be_written_is_one_line_and_exits_with_1(command, reason, tmp_path):
    run = shell(f"$TABLIER {command}", tmp_path)
    assert run.returncode == 1
    assert run.stderr == f"tablier: the output cannot be written: {reason}\n"


def test_a_closed_output_is_not_confused_with_a_file(tmp_path):
    saved = tmp_path / "game.json"
    run = shell(f"$TABLIER simulate --game pig --seed 1 --save {saved} >&-")
    assert run.returncode == 1
    assert saved.read_text().startswith("{")


def test_a_command_that_prints_nothing_needs_no_output():
    run = shell("$TABLIER games chess >&-")
    assert run.returncode == 2
    assert run.stderr.startswith("tablier: no game is called 'chess'")


def test_without_stderr_the_exit_code_tells():
    run = shell("$TABLIER games chess 2>&-")
    assert (run.returncode, run.stdout) == (2, "")
    run = shell("$TABLIER games chess 2>/dev/full")
    assert (run.returncode, run.stdout) == (2, "")
    run = shell("$TABLIER simulate --game pig --games 2 --players greedy --json 2>&-")
    assert run.returncode == 0
    assert run.stdout.startswith("{")


def test_without_stdin_there_is_nothing_to_read():
    run = shell("$TABLIER play --game pig --against random --seed 1 <&-")
    assert (run.returncode, run.stderr) == (0, "")


def test_starting_up_imports_nothing_heavy():
    heavy = ("torch", "rich", "tqdm", "onnxruntime", "fastapi", "matplotlib", "readline")
    code = "import sys; from tablier.cli import make_parser; make_parser(); "
    code += f"print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("", {}),
        ("a=1", {"a": 1}),
        ("a=-1, b=True,c=x", {"a": -1, "b": True, "c": "x"}),
        ("a=2 and 4", {"a": "2 and 4"}),
    ],
)
def test_options_in_text(text, options):
    assert parse_options(text) == options


def test_players_in_a_list():
    assert split_players("mcts:sims=50,c=2,random") == ["mcts:sims=50,c=2", "random"]
    assert split_players("greedy") == ["greedy"]
    assert split_players("a=1,greedy") == ["a=1", "greedy"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", " is empty"),
        ("\n \n", " is empty"),
        ("root:x:0\nmore\n", """: line 1, 'root:x:0': a record starts with [Game "NAME"]"""),
        ("\n\nhello\n", """: line 3, 'hello': a record starts with [Game "NAME"]"""),
        ('[Game "trictrac"]\n\nhello\n', ": line 3, 'hello': "),
        ("{", ": this is not valid JSON: "),
        ('{"game": "chess", "options": {}, "actions": []}', ": no game is called 'chess'"),
    ],
)
@pytest.mark.parametrize("command", [["analyze"], ["replay"], ["play", "--load"]])
def test_what_is_wrong_with_a_record_is_told_with_its_file_and_line(command, text, words, tmp_path, capsys):
    path = tmp_path / "game.txt"
    path.write_text(text)
    assert main([*command, str(path)]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith(f"tablier: {path}{words}")
    assert errors.count("\n") == 1
