"""Damaged files: each is read, passed over, or refused in one line; a refusal changes nothing."""

import contextlib
import random
import shutil
from pathlib import Path

import httpx
from tables import API, PATIENCE, connect
from tournaments import games_of
from training import STEPS, Training, check_end
from workshop import Workshop

from tablier.learn.runs.checkpoint import steps_of
from tablier.messages import MessageError


def spoil(path: Path, draw: random.Random) -> str:
    """Damages a file in one of several ways, which it returns."""
    data = bytearray(path.read_bytes())
    at = draw.randrange(len(data)) if data else 0
    how = draw.choice(["flip", "flip", "flip", "byte", "cut", "zeros", "more", "empty"]) if data else "more"
    if how == "flip":
        data[at] ^= 1 << draw.randrange(8)
    elif how == "byte":
        data[at] = draw.randrange(256)
    elif how == "zeros":
        data[at : at + 64] = bytes(len(data[at : at + 64]))
    elif how == "cut":
        del data[at:]
    elif how == "more":
        data += draw.randbytes(20)
    else:
        data.clear()
    path.write_bytes(data)
    return f"{how} at {at}"


def files_below(folder: Path) -> list[Path]:
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and path.name != ".lock")


def spoil_run(training: Training, file: Path, place: Path, draw: random.Random) -> str:
    """Resumes a copy of a run in which one file is damaged; returns `resumed` or `refused`."""
    shutil.copytree(training.whole, place)
    what = f"{training.algorithm} {file}: {spoil(place / file, draw)}"
    before = {path: (place / path).read_bytes() for path in files_below(place)}
    outcome = training.live(place, steps=STEPS + 2)
    check_end(outcome, 0)
    if outcome.code == 0:
        assert steps_of(place / "run")[-1] == STEPS + 2, what
    else:
        changed = [path for path, data in before.items() if (place / path).read_bytes() != data]
        assert not changed, f"{what}: refused, but {changed} changed"
    shutil.rmtree(place)
    return "resumed" if outcome.code == 0 else "refused"


def spoil_tournament(workshop: Workshop, whole: Path, place: Path, draw: random.Random) -> str:
    """Resumes and reads a copy of a tournament whose file is damaged; returns `resumed` or `refused`."""
    place.mkdir()
    copy = Path(shutil.copy(whole, place / "arena.sqlite"))
    spoil(copy, draw)
    with contextlib.suppress(MessageError):  # which says why
        games_of(copy)
    outcome = workshop.live("arena", place, str(copy), "8")
    check_end(outcome, 0)
    shutil.rmtree(place)
    return "resumed" if outcome.code == 0 else "refused"


def spoil_tables(workshop: Workshop, whole: Path, table: str, place: Path, draw: random.Random) -> str:
    """Starts a server on a copy of a database that is damaged; returns `resumed` or `refused`.

    Requests are answered or refused, without an internal error.
    """
    shutil.copytree(whole, place)
    spoil(place / "games.sqlite", draw)
    child = workshop.start("serve", place, str(place))
    client = connect(child)
    if client is None:
        check_end(child.wait(), 0)
    else:
        client.close()  # each request has a connection of its own, since the server closes one that is silent
        asked = [f"{API}/tables/{table}", f"{API}/tables/{table}/record", f"{API}/health"]
        answers = [httpx.get(client.base_url.join(address), timeout=PATIENCE) for address in asked]
        child.kill()
        child.wait()
        for answer in answers:
            assert answer.status_code < 500 or answer.status_code == 503, answer.text
    shutil.rmtree(place)
    return "resumed" if client else "refused"
