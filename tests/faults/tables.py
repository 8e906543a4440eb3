"""The web server under faults: moves that were answered stay played, and a server on the same file goes on."""

import os
import random
import re
import shutil
import signal
import time
from contextlib import closing
from pathlib import Path

import httpx
from workshop import MOMENT, Child, Fault, Workshop

API = "/api/v1"
PATIENCE = 120


class Tables:
    """Plays at tables of a server that dies or cannot write.

    Args:
        workshop: where the server runs.
        folder: an empty folder for databases.
        seed: decides the moves.
    """

    def __init__(self, workshop: Workshop, folder: Path, seed: int = 1) -> None:
        self._workshop, self._folder, self._draw = workshop, folder, random.Random(seed)
        folder.mkdir(parents=True)
        self.acknowledged = 0

    def disturb(self, name: str, faults: list[Fault], moves: int = 12) -> int:
        """Plays at one table through lives of the server that end as listed; returns how many had a fault."""
        place = self._folder / name
        place.mkdir()
        table, token, played, met = "", "", 0, 0
        for at, how in [*faults, (0, 0)]:
            seconds = at if how == MOMENT else 0
            child = self._workshop.start("serve", place, str(place), at=0 if seconds else int(at), how=how)
            try:
                client = connect(child)
                if client is None:  # it died or refused to start, which is fine if there was a fault
                    assert at, child.said()
                    met += 1
                    continue
                with closing(client):
                    if not table:
                        table, token = self._begin(client)
                    if table:
                        played = self._play(client, table, token, played, moves, seconds)
                    if at == 0:
                        assert table, "a server without faults has a table"
                        assert played > 0
            finally:
                child.kill()
                outcome = child.wait()
                assert "Traceback" not in outcome.err, outcome.err
            met += at > 0
        shutil.rmtree(place)
        return met

    def store(self, name: str, moves: int = 20) -> tuple[Path, str]:
        """Plays at a table of a server that is then shut down; returns the folder of its database, and the table."""
        place = self._folder / name
        place.mkdir()
        child = self._workshop.start("serve", place, str(place))
        with closing(connect(child)) as client:
            table, token = self._begin(client)
            self._play(client, table, token, 0, moves, 0)
        os.kill(child.pid, signal.SIGTERM)
        child.wait()
        return place, table

    def _begin(self, client):
        try:
            body = {"game": "tic_tac_toe" if self._draw.random() < 0.3 else "pig", "seats": ["human", "human"]}
            answer = client.post(f"{API}/tables", json=body)
        except httpx.TransportError:
            return "", ""
        assert answer.status_code in (201, 503, 507), answer.text
        if answer.status_code != 201:
            return "", ""
        self.acknowledged += 1
        return answer.json()["table"], ",".join(token for token in answer.json()["tokens"] if token)

    def _play(self, client, table, token, played, moves, seconds):
        """Checks that all acknowledged moves are there, then plays more; returns the acknowledged version."""
        bearer = {"Authorization": f"Bearer {token}"}
        end = time.monotonic() + seconds if seconds else None
        try:
            answer = client.get(f"{API}/tables/{table}", headers=bearer)
            if answer.status_code == 503:
                return played
            assert answer.status_code == 200, answer.text
            view = answer.json()
            assert view["version"] >= played, f"{view['version']} of {played} acknowledged actions are there"
            played = view["version"]
            for _ in range(moves):
                if view["over"] or (end and time.monotonic() > end):
                    break
                action = self._draw.choice(view["legal"])["action"]
                body = {"action": action, "version": view["version"]}
                answer = client.post(f"{API}/tables/{table}/actions", json=body, headers=bearer)
                assert answer.status_code in (200, 503), answer.text
                if answer.status_code == 503:  # not saved, and so not made
                    after = client.get(f"{API}/tables/{table}", headers=bearer)
                    assert after.status_code == 503 or after.json()["version"] == played, after.text
                    break
                view = answer.json()
                assert view["version"] > played
                played = view["version"]
                self.acknowledged += 1
        except httpx.TransportError:  # killed
            pass
        return played


def connect(child: Child) -> httpx.Client | None:
    """Returns a client once the server answers; None if it has ended."""
    end = time.monotonic() + PATIENCE
    while not (found := re.search(r"http://127\.0\.0\.1:\d+", child.said())):
        if not alive(child.pid):
            return None
        assert time.monotonic() < end, "the server neither starts nor ends"
        time.sleep(0.02)
    client = httpx.Client(base_url=found[0], timeout=PATIENCE)
    while alive(child.pid):
        try:
            client.get(f"{API}/health")
            return client
        except httpx.TransportError:
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.02)
    return None


def alive(pid: int) -> bool:
    """Returns whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
