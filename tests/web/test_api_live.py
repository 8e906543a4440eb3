"""A real server: event streams, two people at one table, startup and shutdown."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import sys
import threading

import httpx
import pytest
from serving import API, PATIENCE, Process, act, bearing, begin, look, until


@pytest.fixture(scope="module")
def process(tmp_path_factory):
    with Process(tmp_path_factory.mktemp("live"), "--think", "1") as found:
        yield found


class Stream:
    """Collects the versions that an event stream reports."""

    def __init__(self, process, table):
        self.heard, self.ended = [], False
        self._client = httpx.Client(base_url=process.client.base_url, timeout=PATIENCE)
        self._thread = threading.Thread(target=self._listen, args=(f"{API}/tables/{table}/events",))
        self._thread.start()

    def _listen(self, address):
        try:
            with self._client.stream("GET", address) as answer:
                assert answer.headers["content-type"].startswith("text/event-stream")
                for line in answer.iter_lines():
                    if line.startswith("data: "):
                        self.heard.append(json.loads(line[6:])["version"])
        except httpx.TransportError:
            pass
        self.ended = True

    def join(self):
        self._thread.join(PATIENCE)
        self._client.close()
        assert not self._thread.is_alive()


def test_two_people_at_one_table_hear_of_each_other(tmp_path):
    with Process(tmp_path) as one:
        table, (cross, nought) = begin(one.client, "tic_tac_toe")
        streams = [Stream(one, table) for _ in range(2)]
        until(lambda: all(stream.heard == [0] for stream in streams))
        for version, (token, square) in enumerate([(cross, 0), (nought, 3), (cross, 1), (nought, 4), (cross, 2)]):
            assert act(one.client, table, token, square, version).status_code == 200
            until(lambda version=version: all(stream.heard[-1] == version + 1 for stream in streams))
        assert look(one.client, table)["over"]
    for stream in streams:
        stream.join()


def test_streams_end_with_the_server_and_ctrl_c_ends_it_cleanly(tmp_path):
    with Process(tmp_path) as one:
        table, _ = begin(one.client, "pig", ["human", "greedy"])
        stream = Stream(one, table)
        until(lambda: stream.heard)
        one.process.send_signal(signal.SIGINT)
        assert one.process.wait(PATIENCE) == 0
        stream.join()
        assert stream.ended
        assert "Traceback" not in one.process.stdout.read()


def test_not_all_the_world_can_watch_one_table_but_its_players_can(process):
    table, tokens = begin(process.client, "pig")
    with contextlib.ExitStack() as open_streams:
        statuses, listening = [], []
        for token in (*[None] * 51, *tokens):
            answer = open_streams.enter_context(
                process.client.stream("GET", f"{API}/tables/{table}/events", headers=bearing(token))
            )
            statuses.append(answer.status_code)
            if answer.status_code == 200:
                listening.append(answer.iter_lines())
                next(listening[-1])  # the first line shows that the stream is open
        assert statuses == [200] * 50 + [429] + [200] * 2


def test_a_watcher_who_goes_away_is_forgotten(process):
    table, _ = begin(process.client, "pig")

    def watched():
        with process.client.stream("GET", f"{API}/tables/{table}/events") as answer:
            if answer.status_code == 200:
                next(answer.iter_lines())
            return answer.status_code == 200

    for _ in range(60):  # more than the limit of streams per table
        until(watched)


@pytest.fixture
def thoughtful(tmp_path):
    """A server and twenty tables whose players think for a minute per decision, one after the other."""
    with Process(tmp_path, "--think", "60") as one:
        seats = ["mcts:sims=20000,rollouts=20,eval=rollout"] * 2
        yield one, [begin(one.client, "trictrac", seats)[0] for _ in range(20)]


def test_a_thinking_player_does_not_hold_up_others(thoughtful):
    one, thinking = thoughtful
    before = [look(one.client, table)["version"] for table in thinking]
    table, tokens = begin(one.client, "tic_tac_toe")
    for version in range(5):
        assert act(one.client, table, tokens[version % 2], version, version).status_code == 200
    assert [look(one.client, table)["version"] for table in thinking] == before  # they are still thinking


def test_machines_among_themselves_do_not_hold_up_an_opponent(thoughtful):
    """Queued behind all of them, a person would wait twenty minutes."""
    one, _ = thoughtful
    for opponent in ("random", "mcts:ms=100"):
        table, tokens = begin(one.client, "tic_tac_toe", ["human", opponent])
        act(one.client, table, tokens[0], 4, 0)
        until(lambda at=table: look(one.client, at)["version"] == 2)


def test_a_port_in_use_is_one_line(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "tablier", "serve", "--port", str(port), "--db", str(tmp_path / "g.sqlite")]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert re.fullmatch(r"tablier: cannot listen on 127\.0\.0\.1, port \d+: .*; choose another --port\n", ended.stderr)


def test_answering_others_says_what_that_means(tmp_path):
    with Process(tmp_path, "--host", "0.0.0.0") as one:
        assert "listens at 0.0.0.0 and can be reached from other machines" in one.said
        assert "not encrypted" in one.said
        port = one.client.base_url.port
        for host, status in (("192.0.2.7", 200), ("evil.example", 403), (socket.gethostname(), 200)):
            answer = one.client.get(f"{API}/health", headers={"Host": f"{host}:{port}"})
            assert answer.status_code == status


def test_on_its_own_machine_it_says_only_where_it_is(process):
    assert process.said.count("\n") == 1
    assert process.said.startswith("Tablier is running at http://127.0.0.1:")


def test_a_body_that_never_ends_is_not_read(process):
    address = (process.client.base_url.host, process.client.base_url.port)
    with socket.create_connection(address, timeout=PATIENCE) as raw:
        head = f"POST {API}/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        raw.sendall(head.encode())
        piece = b"1000\r\n" + b"x" * 4096 + b"\r\n"
        sent = 0
        try:
            while sent < 10_000_000:
                raw.sendall(piece)
                sent += len(piece)
                if sent > 20_000 and b"413" in raw.recv(100):
                    break
        except OSError:
            pass
        assert sent < 10_000_000
