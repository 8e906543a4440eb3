"""GNU Backgammon that misbehaves: it is ended and reported, and nothing of it stays behind."""

import os
import resource
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from positions import setup
from stand_ins import stand_in

import tablier
from tablier.games.backgammon import gnubg
from tablier.games.backgammon.gnubg.turns import best_turns
from tablier.games.backgammon.whole_turns import words_of
from tablier.messages import MessageError

GAME = tablier.load_game("backgammon")
HELPERS = """
import os, signal, struct, sys
questions, answers = map(int, os.environ["TABLIER_GNUBG_PIPES"].split())
def question():
    header = os.read(questions, 8)
    count = struct.unpack("<I", header[4:])[0] if header else os._exit(0)
    left, data = 52 * count, b""
    while len(data) < left:
        data += os.read(questions, left - len(data))
    return header[:1], count, data
def framed(data):
    return struct.pack("<I", len(data)) + data
def answer(data):
    os.write(answers, framed(data))
def ready(more=b""):
    os.write(answers, b"gnubg ready\\n" + more)
"""
ANSWERS = "ready()\nwhile True: answer(bytes(24 * question()[1]))"
BOARDS = np.zeros((3, 2, 25), np.uint8)
BOARDS[:, :, 5] = 2
DICE = np.array([[1, 2]] * 3, np.uint8)


@pytest.fixture
def fake(monkeypatch, tmp_path):
    """Returns a function that makes Tablier run some code instead of the program."""

    def install(code):
        path = stand_in(tmp_path / "gnubg", f"{HELPERS}\n{code}", f"{sys.executable} -IS")
        monkeypatch.setattr(gnubg, "program", lambda: str(path))

    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return install


@pytest.fixture
def nothing_stays(tmp_path):
    """Checks that files are closed and folders removed."""
    before = open_files()
    yield
    assert open_files() == before
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.fixture
def _ctrl_c():
    """Ctrl-C raises KeyboardInterrupt, even where the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.usefixtures("_ctrl_c", "nothing_stays")
def test_after_ctrl_c_no_answer_is_taken_for_the_next(fake):
    fake(
        "ready(); first = question(); os.kill(os.getppid(), signal.SIGINT); second = question()\n"
        "for _, count, _ in (first, second): answer(bytes(24 * count))\nsignal.pause()"
    )
    engine = gnubg.Gnubg()
    with pytest.raises(KeyboardInterrupt):
        engine.evaluate(BOARDS[:1])
    with pytest.raises(MessageError, match="has been closed"):
        engine.evaluate(BOARDS)


@pytest.mark.usefixtures("nothing_stays")
def test_ctrl_c_while_it_starts_ends_it(fake, monkeypatch, tmp_path):
    fake(f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); ready(); signal.pause()")
    read = gnubg.Process._read

    def interrupted(*given):
        read(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(gnubg.Process, "_read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        gnubg.Gnubg()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


@pytest.mark.usefixtures("nothing_stays")
def test_if_the_second_does_not_start_the_first_is_ended(fake, tmp_path):
    fake(
        f"try: os.mkdir({str(tmp_path / 'first')!r})\n"
        "except FileExistsError: os._exit(3)\n"
        "ready(); signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.pause()"
    )
    with pytest.raises(MessageError, match="does not answer"):
        gnubg.Gnubg(2)


@pytest.mark.usefixtures("nothing_stays")
def test_what_it_started_ends_with_it(fake, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    fake(
        "if os.fork() == 0:\n"
        f"    alive = os.open({str(fifo)!r}, os.O_WRONLY)\n"
        "    signal.signal(signal.SIGALRM, lambda *_: os.write(alive, b'it outlives its parent'))\n"
        "    signal.alarm(20)\n"
        "    signal.pause()\n"
        "    os._exit(0)\n"
        "ready(); signal.pause()"
    )
    with gnubg.Gnubg() as engine, fifo.open("rb") as child:
        engine.close()
        assert child.read() == b""


@pytest.mark.usefixtures("nothing_stays")
def test_a_missing_folder_for_temporary_files_is_reported(fake, monkeypatch):
    fake("ready(); signal.pause()")
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    with pytest.raises(MessageError, match="/nonexistent"):
        gnubg.Gnubg()


def test_a_closed_engine_says_so(fake):
    fake(ANSWERS)
    with gnubg.Gnubg() as engine:
        assert engine.evaluate(BOARDS).shape == (3, 6)
    for call in (
        lambda: engine.evaluate(BOARDS),
        lambda: engine.play(BOARDS, DICE),
        lambda: engine.legal(BOARDS, DICE),
    ):
        with pytest.raises(MessageError, match="has been closed"):
            call()


@pytest.mark.parametrize("processes", [0, -1])
def test_there_is_at_least_one_process(fake, processes):
    fake("ready(); signal.pause()")
    with pytest.raises(ValueError, match=f"processes must be at least 1, not {processes}"):
        gnubg.Gnubg(processes)


@pytest.fixture
def _many_open_files():
    """Opens more files than `select` can tell apart."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limits[1] != resource.RLIM_INFINITY and limits[1] < 2048:
        pytest.skip("too few open files are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], 2048), limits[1]))
    with ExitStack() as files:
        for _ in range(1100):
            files.enter_context(Path(os.devnull).open())
        yield
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.usefixtures("_many_open_files", "nothing_stays")
def test_it_answers_among_many_open_files(fake):
    fake(ANSWERS)
    with gnubg.Gnubg() as engine:
        assert engine.evaluate(BOARDS).shape == (3, 6)


@pytest.mark.usefixtures("nothing_stays")
def test_a_question_that_is_not_read_is_given_up(fake, monkeypatch):
    fake("import fcntl; fcntl.fcntl(questions, 1031, 4096); ready(); signal.alarm(20); signal.pause()")
    engine = gnubg.Gnubg()
    monkeypatch.setattr(gnubg, "PATIENCE", 0.1)
    monkeypatch.setattr(gnubg, "SLOWEST", (0.0, 0.0, 0.0, 0.0))
    with pytest.raises(MessageError, match="no answer within"):
        engine.evaluate(np.repeat(BOARDS, 100, axis=0))


@pytest.mark.usefixtures("nothing_stays")
def test_a_question_larger_than_the_pipe_is_sent_in_parts(fake):
    fake(f"import fcntl; fcntl.fcntl(questions, 1031, 4096)\n{ANSWERS}")
    with gnubg.Gnubg() as engine:
        assert engine.evaluate(np.repeat(BOARDS, 400, axis=0)).shape == (1200, 6)


ASKS = {
    "E": lambda engine: engine.evaluate(BOARDS),
    "P": lambda engine: engine.play(BOARDS, DICE),
    "L": lambda engine: engine.legal(BOARDS, DICE),
}
PLAYED = "b''.join(data[52 * i + 25 : 52 * i + 50] + data[52 * i : 52 * i + 25] for i in range(count))"
"""The answer of a player who cannot move."""


def test_an_answer_that_makes_sense_is_taken(fake):
    fake(f"ready()\nwhile True: kind, count, data = question(); answer({PLAYED})")
    with gnubg.Gnubg() as engine:
        assert engine.play(BOARDS, DICE).tolist() == BOARDS.tolist()
    fake("ready()\nwhile True: question(); answer(framed(bytes()) * 2 + struct.pack('<I', 2) + bytes(100))")
    with gnubg.Gnubg() as engine:
        assert [len(boards) for boards in engine.legal(BOARDS, DICE)] == [0, 0, 2]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        *[("E", f"bytes({size})") for size in (0, 1, 24, 71, 73, 144)],
        *[("E", f"bytes(20) + struct.pack('<f', {value}) + bytes(48)") for value in ("nan", "inf", "-inf", "3e38")],
        *[("P", f"bytes({size})") for size in (0, 50, 149, 151, 300)],
        ("P", f"bytes([16]) + {PLAYED}[1:]"),
        ("P", f"{PLAYED}[:-1] + bytes([1])"),
        *[("L", f"bytes({size})") for size in (0, 8, 11, 13, 16)],
        ("L", "bytes(8) + struct.pack('<I', 4000000000) + b'abc'"),
        ("L", "bytes(8) + struct.pack('<I', 2) + bytes(50)"),
        ("L", "struct.pack('<I', 1) + bytes(54)"),
    ],
)
@pytest.mark.usefixtures("nothing_stays")
def test_an_answer_that_makes_no_sense_is_refused(fake, kind, data):
    fake(f"from math import inf, nan\nready(); kind, count, data = question(); answer({data}); signal.pause()")
    engine = gnubg.Gnubg()
    with pytest.raises(MessageError, match="makes no sense"):
        ASKS[kind](engine)
    with pytest.raises(MessageError, match="has been closed"):
        ASKS[kind](engine)


@pytest.mark.usefixtures("nothing_stays")
def test_windows_is_refused(fake, monkeypatch):
    fake(ANSWERS)
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(MessageError, match="cannot be asked on Windows"):
        gnubg.Gnubg()


@pytest.mark.parametrize("kind", ASKS)
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("ready(); question(); os.write(answers, bytes([255] * 4)); os._exit(0)", "4294967295 bytes"),
        ("ready(framed(bytes(72))); question(); answer(bytes(72)); signal.pause()", "before it is asked for"),
    ],
    ids=["length", "early"],
)
@pytest.mark.usefixtures("nothing_stays")
def test_lengths_and_early_answers_are_not_believed(fake, kind, code, reason):
    fake(code)
    with pytest.raises(MessageError, match=reason):
        ASKS[kind](gnubg.Gnubg())


@pytest.mark.usefixtures("nothing_stays")
def test_a_second_answer_is_not_taken_for_the_next(fake):
    fake("ready(); question(); os.write(answers, framed(bytes(72)) * 2); question(); signal.pause()")
    engine = gnubg.Gnubg()
    assert engine.evaluate(BOARDS).shape == (3, 6)
    with pytest.raises(MessageError, match="before it is asked for"):
        engine.evaluate(BOARDS)


def test_a_turn_that_is_not_legal_is_refused():
    passes = SimpleNamespace(play=lambda boards, dice, plies: boards[:, ::-1])
    state = setup(GAME, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5", dice=(3, 1))
    with pytest.raises(MessageError, match="makes no sense: it plays a turn that is not legal"):
        best_turns(passes, GAME, words_of([state]))
