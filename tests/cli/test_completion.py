"""Shell completion, in a real bash where possible."""

import os
import shutil
import subprocess
import sys

import pytest
from terminal import Terminal, tablier
from test_commands import subcommands

from tablier.cli import main
from tablier.cli.commands.completion import KINDS


@pytest.fixture(scope="module")
def bash_script(tmp_path_factory):
    path = tmp_path_factory.mktemp("completion") / "tablier.bash"
    path.write_text(tablier("completion", "bash").stdout)
    return path


def completed(line, folder, script):
    """What bash offers at the end of the line."""
    words = line.split(" ")
    commands = (
        f"cd {folder}; source {script}\n"
        f"COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}\n"
        "compopt() { :; }\n_tablier; printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )
    run = subprocess.run(["bash", "--norc", "-c", commands], capture_output=True, text=True)
    assert run.stderr == ""
    return run.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tablier pl", {"play", "playthrough"}),
        ("tablier --v", {"--version"}),
        ("tablier play --game t", {"tic_tac_toe", "trictrac", "trictrac_a_ecrire"}),
        ("tablier play --against g", {"gnubg", "greedy", "gumbel"}),
        ("tablier play --s", {"--seat", "--seed"}),
        ("tablier simulate --players h", {"heuristic"}),
        ("tablier match ran", {"random"}),
        ("tablier games p", {"pig"}),
        ("tablier completion f", {"fish"}),
        ("tablier play --lang ", {"en", "fr"}),
        ("tablier replay g", {"game.txt"}),
        ("tablier analyze --player mcts g", {"game.txt"}),
        ("tablier replay game.txt --f", {"--from"}),
        ("tablier play --seed ", set()),
        ("tablier play --options sch", {"schools="}),
        ("tablier play --options holes_to_win = 3,sch", {"3,schools="}),
        ("tablier play --options a = 1,b = 2,fill_s", {"2,fill_school="}),
        ("tablier play --game pig --options ", {"win_score="}),
        ("tablier simulate --options = sch --seed", {"--seed"}),
        ("tablier play --options = sch", {"schools="}),
        ("tablier train td --preset q", {"quick"}),
        ("tablier train d", {"dqn"}),
    ],
)
def test_completion_in_a_real_bash(line, offered, tmp_path, bash_script):
    (tmp_path / "game.txt").touch()
    assert set(completed(line, tmp_path, bash_script)) == offered


def test_algorithms_and_presets_are_those_that_there_are():
    from tablier.learn import ALGORITHMS

    assert sorted(ALGORITHMS) == KINDS["algorithm"]
    assert all(sorted(made.presets) == KINDS["preset"] for made in ALGORITHMS.values())


def test_completion_at_a_real_prompt(tmp_path):
    """The keys Tab Tab in an interactive bash."""
    import pty

    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execvpe("bash", ["bash", "--norc", "--noprofile"], {**os.environ, "PS1": "ready> ", "TERM": "dumb"})
    screen = Terminal.__new__(Terminal)
    screen.screen, screen._pid, screen._fd = "", pid, fd
    screen.until("ready> ")
    screen.typed(f"source <({sys.executable} -m tablier completion bash)\n")
    screen.until("ready> ")
    screen.typed("tablier simu\t--pl\t")
    screen.until("simulate --players")
    screen.typed("\x15tablier play --options sch\ttrue,holes_to\t3")
    screen.until("schools=true,holes_to_win=3")
    screen.typed("\x15exit\n")
    assert screen.code() == 0


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_of_other_shells_names_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name, parser in subcommands().items():
        assert name in script
        for action in parser._actions:
            for flag in action.option_strings[-1:]:
                assert (flag if shell == "zsh" else f"-l {flag.removeprefix('--')} ") in script


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_itself_can_read_its_script(shell, capsys, tmp_path):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed: apt-get install {shell}")
    assert main(["completion", shell]) == 0
    path = tmp_path / "script"
    path.write_text(capsys.readouterr().out)
    subprocess.run([shell, "-n", str(path)], check=True)
