"""Files that users name are read only if they are regular and of a sensible size; nothing waits for a pipe."""

import os
import threading

import pytest

import tablier
from tablier import records
from tablier.analysis.referee import Referee
from tablier.cli import main
from tablier.evaluators.stamp import stamp_network
from tablier.learn.runs.files import RunError, read
from tablier.messages import MessageError
from tablier.players import make_player
from tablier.regular_files import open_regular, read_regular


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_regular_file_is_read_up_to_the_limit(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"12345")
    assert read_regular(file, 5) == b"12345"
    with pytest.raises(MessageError, match="file is larger than 4 bytes"):
        read_regular(file, 4)


def test_what_cannot_be_opened_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        open_regular(tmp_path / "none", 5)
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path, 5)


READERS = {
    "network": lambda path: make_player(f"expectimax:plies=1,net={path}", tablier.load_game("pig")),
    "network to stamp": lambda path: stamp_network(path, tablier.load_game("pig")),
    "referee": Referee.read,
    "file of a run": read,
}


@pytest.mark.parametrize("reader", READERS)
def test_pipes_and_devices_are_refused(reader, pipe):
    for path in (pipe, "/dev/zero"):
        with pytest.raises((MessageError, RunError), match="is not a regular file"):
            READERS[reader](path)


@pytest.mark.parametrize(
    "command",
    ["referee random --file", "train td --run run --start"],
)
def test_commands_refuse_a_pipe_in_one_line(command, pipe, capsys, monkeypatch):
    monkeypatch.chdir(pipe.parent)
    assert main([*command.split(), "pipe"]) == 2
    assert capsys.readouterr().err == "tablier: pipe is not a regular file\n"
    assert [path.name for path in pipe.parent.iterdir()] == ["pipe"]


def test_a_record_can_come_through_a_pipe(pipe, capsys):
    game = tablier.load_game("pig")
    writer = threading.Thread(target=lambda: pipe.write_text(records.dump(game, [0, 4, 1])))
    writer.start()
    assert main(["replay", str(pipe)]) == 0
    writer.join()
    assert capsys.readouterr().err == ""
    assert main(["replay", "/dev/zero"]) == 2


def test_metrics_that_are_a_pipe_do_not_hide_other_runs(tmp_path, capsys):
    for name in ("bad", "good"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text('{"algorithm": "td"}')
    os.mkfifo(tmp_path / "bad" / "metrics.jsonl")
    assert main(["runs", str(tmp_path)]) == 0
    out, error = capsys.readouterr()
    assert out.startswith(f"{tmp_path / 'good'}: td")
    assert "metrics.jsonl is not a regular file" in error
