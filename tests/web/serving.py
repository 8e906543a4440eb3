"""A server for tests: in this process, or a real one that can be killed."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest

from tablier.web.http.app import App, Settings
from tablier.web.service.limits import Limits

HOME = "http://127.0.0.1:8000"
API = "/api/v1"
SERVE = Path(__file__).with_name("known_dice.py")
PATIENCE = 120
"""Seconds after which a wait fails. Tests wait for what they expect, not for a fixed time."""


class Client:
    """Sends requests to an application that runs on an event loop in its own thread."""

    def __init__(self, app):
        self.app = app
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.lifespan = app.fastapi.router.lifespan_context(app.fastapi)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self.asked = httpx.AsyncClient(transport=transport, base_url=HOME)
        self.wait(self.lifespan.__aenter__())

    def wait(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(PATIENCE)

    def request(self, method, address, **more):
        return self.wait(self.asked.request(method, address, **more))

    def get(self, address, **more):
        return self.request("GET", address, **more)

    def post(self, address, **more):
        return self.request("POST", address, **more)

    def close(self):
        self.wait(self.lifespan.__aexit__(None, None, None))
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


@contextmanager
def server(folder, proxies=(), **limits):
    """Yields a client of an application in this process."""
    limits = Limits(**{"burst": 10_000, **limits})
    settings = Settings(folder / "games.sqlite", folder / "runs", proxies=proxies, limits=limits)
    client = Client(App(settings))
    client.folder = folder
    try:
        yield client
    finally:
        client.close()


@pytest.fixture(scope="module")
def a_client(tmp_path_factory):
    """A client of a server shared by a test file, which assigns this fixture to `client`; players think for 1 s."""
    with server(tmp_path_factory.mktemp("server"), think=1.0) as found:
        yield found


def first(view):
    """Returns the first legal action."""
    return view["legal"][0]["action"]


class Process:
    """A real server in its own process."""

    def __init__(self, folder, *more):
        command = [sys.executable, str(SERVE), "serve", "--port", "0", "--db", str(folder / "games.sqlite")]
        command += ["--runs", str(folder / "runs"), *more]
        env = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
        self.said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:\d+", self.said)):
            line = self.process.stdout.readline()
            assert line, f"the server did not start: {self.said}"
            self.said += line
        self.client = httpx.Client(base_url=found[0], timeout=PATIENCE)

    def kill(self):
        """Kills the server with SIGKILL."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.client.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.kill()
        self.process.stdout.close()


def begin(client, game="pig", seats=("human", "human"), **more):
    """Creates a table; returns its id and tokens."""
    answer = client.post(f"{API}/tables", json={"game": game, "seats": list(seats), **more})
    assert answer.status_code == 201, answer.text
    begun = answer.json()
    return begun["table"], begun["tokens"]


def look(client, table, token=None, **query):
    answer = client.get(f"{API}/tables/{table}", headers=bearing(token), params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def act(client, table, token, action, version):
    return client.post(
        f"{API}/tables/{table}/actions", json={"action": action, "version": version}, headers=bearing(token)
    )


def bearing(token):
    return {"Authorization": f"Bearer {token}"} if token else {}


def until(condition):
    """Waits until the condition returns something true, and returns that."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return found


def play_out(client, table, tokens, choose):
    """Plays a table of people to the end with their tokens; returns the last view."""
    both = ",".join(tokens)
    view = look(client, table, both)
    while not view["over"]:
        answer = act(client, table, both, choose(view), view["version"])
        assert answer.status_code == 200, answer.text
        view = answer.json()
    return view


PROXY = (ip_network("127.0.0.1"),)
"""The proxies of a server that believes what `sent_by` says."""
PIG = {"game": "pig", "seats": ["human", "human"]}
HERE, NEIGHBOUR, ELSEWHERE = "203.0.113.1", "203.0.113.2", "198.51.100.1"
"""Two addresses of a network, and one of another."""


def sent_by(address):
    """Returns the header of a proxy that names the client."""
    return {"X-Forwarded-For": address}


def new_table(client, address, body=PIG, **headers):
    """Asks for a table from an address."""
    return client.post(f"{API}/tables", json=body, headers={**sent_by(address), **headers})


def told(answer):
    """Returns the status and the code of a refusal."""
    return answer.status_code, answer.json().get("code")
