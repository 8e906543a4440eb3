"""The commands print what docs/playing.md shows; a line of three dots stands for omitted lines."""

import re

import pytest
from doc_examples import code_blocks
from terminal import COMMAND, tablier

BLOCKS = code_blocks("playing.md", "console")


def matches(shown, printed):
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in shown)
    return re.fullmatch(pattern, printed) is not None


def test_the_comparison_can_fail():
    assert matches(["a", "...", "c"], "a\nb\nb\nc\n")
    assert not matches(["a", "...", "c"], "a\nb\nd\n")
    assert not matches(["a"], "a\nb\n")


def test_every_block_is_what_is_printed(tmp_path, monkeypatch):
    """Runs in document order, because later commands read what earlier ones saved."""
    monkeypatch.chdir(tmp_path)
    assert len(BLOCKS) >= 6
    for block in BLOCKS:
        command, *shown = block.splitlines()
        words = command.removeprefix("$ tablier ").split(" ")
        typed = "".join(f"{line.partition(' > ')[2]}\n" for line in shown if " > " in line)
        run = tablier(*words, typed=typed)
        assert run.returncode == 0, run.stderr
        assert matches(shown, run.stdout), f"{COMMAND[-1]} {words}:\n{run.stdout}"


@pytest.mark.parametrize("block", code_blocks("playing.md", "python"))
def test_the_python_runs(block, capsys):
    exec(block, {})
    assert capsys.readouterr().out == "1 o(0,1) better o(1,1) 50%\n"
