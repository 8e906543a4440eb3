"""Bad input gets a 4xx with one plain sentence and leaves the game unchanged."""

import asyncio
import json

import pytest
from serving import API, HOME, act, bearing, begin, look, server

import tablier
from tablier.players import Setting
from tablier.web.http.guard import HEADERS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("safety")


@pytest.fixture(scope="module")
def client(folder):
    with server(folder, think=1.0) as found:
        yield found


@pytest.fixture
def table(client):
    """A table of tic-tac-toe with the first square taken, which the test must leave unchanged."""
    tid, tokens = begin(client, "tic_tac_toe")
    act(client, tid, tokens[0], 0, 0)
    before = look(client, tid, tokens[1])
    yield tid, tokens
    assert look(client, tid, tokens[1]) == before


def refused(answer, status, *words):
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"detail", "code", "params"}
    detail = answer.json()["detail"]
    assert detail
    assert "Traceback" not in detail
    for word in words:
        assert word in detail
    return detail


def test_out_of_turn(client, table):
    tid, (cross, _) = table
    refused(act(client, tid, cross, 1, 1), 403, "turn")


def test_the_same_move_twice(client, table):
    tid, (cross, _) = table
    refused(act(client, tid, cross, 0, 0), 409, "version 1, not 0")


def test_the_same_move_twenty_times_at_once(client):
    tid, (cross, _) = begin(client, "tic_tac_toe")

    async def all_at_once():
        sent = {"json": {"action": 4, "version": 0}, "headers": bearing(cross)}
        return await asyncio.gather(*(client.asked.post(f"{API}/tables/{tid}/actions", **sent) for _ in range(20)))

    answers = client.wait(all_at_once())
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 19
    assert look(client, tid)["version"] == 1


def test_an_illegal_action(client, table):
    tid, (_, nought) = table
    for action in (0, 9, 514, 2**31):
        refused(act(client, tid, nought, action, 1), 422)


def test_an_action_of_another_game(client, table):
    tid, (_, nought) = table
    _, (other, _) = begin(client, "trictrac", options={"first_throw": "white"})
    refused(act(client, tid, nought, 258, 1), 422)
    refused(act(client, tid, other, 1, 1), 403)


@pytest.mark.parametrize("token", ["x", ",", "a" * 5000, "../../etc/passwd"])
def test_with_a_wrong_token(client, table, token):
    refused(act(client, table[0], token, 1, 1), 403, "token")


def test_without_a_token(client, table):
    answer = act(client, table[0], None, 1, 1)
    refused(answer, 401, "token")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_00,
        b'{"a":' * 3_000,
        b'{"action": NaN, "version": 1}',
        b'{"action": Infinity, "version": 1}',
        b'{"action": 1e999, "version": 1}',
        b'{"action": ' + b"9" * 5000 + b', "version": 1}',
        b'{"action": "1", "version": 1}',
        b'{"action": true, "version": 1}',
        b'{"action": 1.5, "version": 1}',
        b'{"action": null, "version": 1}',
        b'{"action": [1], "version": 1}',
        b'{"action": -1, "version": 1}',
        b'{"action": 1}',
        b'{"action": 1, "version": 1, "more": 1}',
        b"[1, 1]",
        b"null",
        b'"\\ud800"',
    ],
)
def test_garbage_for_an_action(client, table, body):
    tid, (_, nought) = table
    answer = client.post(
        f"{API}/tables/{tid}/actions", content=body, headers={**bearing(nought), "Content-Type": "application/json"}
    )
    assert answer.status_code in (400, 422)
    refused(answer, answer.status_code)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"game": "chess", "seats": ["human", "human"]}, "no game is called 'chess'"),
        ({"game": "\ud800", "seats": ["human", "human"]}, ""),
        ({"game": "pig", "seats": ["human"]}, "2 seats, not 1"),
        ({"game": "pig", "seats": ["human"] * 9}, ""),
        ({"game": "pig", "seats": ["human", "nobody"]}, "no player is called 'nobody'"),
        ({"game": "pig", "seats": ["human", "record"]}, "no player is called 'record'"),
        ({"game": "pig", "seats": ["human", "mcts:sims=1000000"]}, "'mcts' must be from 0 to 20000"),
        ({"game": "pig", "seats": ["human", "mcts:ms=60000"]}, "'mcts' must be from 0 to 1000"),
        ({"game": "pig", "seats": ["human", "mcts:memory=4096"]}, "'mcts' must be from 1 to 64"),
        ({"game": "pig", "seats": ["human", "mcts:rollouts=1000"]}, "'mcts' must be from 1 to 20"),
        ({"game": "pig", "seats": ["human", "expectimax:plies=8"]}, "'expectimax' must be from 1 to 3"),
        ({"game": "pig", "seats": ["human", "mcts:c=nan"]}, "'c' of 'mcts' must be a number, not 'nan'"),
        ({"game": "pig", "seats": ["human", "mcts:c=101"]}, "'mcts' must be from 0 to 100"),
        ({"game": "pig", "seats": ["human", "mcts:sims=١٢"]}, "must be a whole number"),
        ({"game": "pig", "seats": ["human", "mcts:sims=1_0"]}, "must be a whole number"),
        ({"game": "pig", "seats": ["human", "mcts:speed=9"]}, "no setting 'speed'"),
        ({"game": "pig", "seats": ["human", "mcts:eval=/etc/passwd"]}, ""),
        ({"game": "pig", "seats": ["human", "mcts:net=/etc/passwd"]}, "no network called '/etc/passwd'"),
        ({"game": "pig", "seats": ["human", "mcts:at_most=99"]}, "no setting 'at_most'"),
        ({"game": "pig", "seats": ["human", "mcts:net=.."]}, "no network called '..'"),
        ({"game": "pig", "seats": ["human", "mcts:net=nowhere"]}, "no network called 'nowhere'"),
        ({"game": "pig", "seats": ["human", "human"], "options": {"win_score": 0}}, "win_score"),
        ({"game": "pig", "seats": ["human", "human"], "options": {"win_score": "many"}}, "win_score"),
        ({"game": "pig", "seats": ["human", "human"], "options": {"name": "pig"}}, "name"),
        ({"game": "pig", "seats": ["human", "human"], "options": {"win_score": 1e300}}, ""),
        ({"game": "pig", "seats": ["human", "human"], "options": {"win_score": {}}}, ""),
        ({"game": "pig", "seats": ["human", "human"], "options": {"a" * 999: 1}}, ""),
        ({"game": "pig", "seats": ["human", "human"], "seed": -1}, "seed"),
        ({"game": "pig", "seats": "human"}, "seats"),
    ],
)
def test_a_table_that_cannot_be(client, body, words):
    before = client.get(f"{API}/health").json()
    content = json.dumps(body).encode()
    answer = client.post(f"{API}/tables", content=content, headers={"Content-Type": "application/json"})
    refused(answer, 422, words)
    assert client.get(f"{API}/health").json() == before


def test_a_model_file_that_is_not_one(client, folder):
    run = folder / "runs" / "bad"
    run.mkdir(parents=True)
    (run / "config.json").write_text('{"game": "pig", "algorithm": "td"}')
    (run / "best.onnx").write_bytes(b"\x08\x07not a network" * 100)
    answer = client.post(f"{API}/tables", json={"game": "pig", "seats": ["human", "mcts:net=bad"]})
    detail = refused(answer, 422, "bad is not a Tablier network")
    assert str(folder) not in detail


@pytest.mark.parametrize(
    "tid", ["x", "..", "%2e%2e", "a" * 22, "a" * 5000, "'; DROP TABLE tables; --", "%00" * 22, "é" * 22, "-" * 22]
)
def test_hostile_ids(client, tid):
    for method, end in (("GET", ""), ("GET", "/events"), ("GET", "/record"), ("POST", "/review")):
        answer = client.request(method, f"{API}/tables/{tid}{end}")
        assert answer.status_code in (404, 405, 422)
        assert client.get(f"{API}/health").status_code == 200


RECORDS = [
    b"",
    b"no record",
    b'[Game "chess"]',
    b'[Game "trictrac"]\n\n1. White 6-7: 1-7\n',
    b"\xff" * 100,
    b"\x00" * 1000,
    b"{" * 50_000,
    b'{"game": "pig", "options": {}, "actions": [0, 99]}',
    b'{"game": "pig", "options": {}, "actions": [0, NaN]}',
    b'{"game": "pig", "options": {}, "actions": [true]}',
    b'{"game": "pig", "options": {"win_score": 1e999}, "actions": []}',
    b'{"game": "pig", "game": "pig", "options": {}, "actions": []}',
    b'{"game": "\\ud800", "options": {}, "actions": []}',
    b'{"game": "/etc/passwd", "options": {}, "actions": []}',
    b'{"format": "tablier-record"}',
    b"[Game " + b'"' * 200_000,
    b'[Game "trictrac"]\n\n' + b"1. White 6-5: 1-7 1-6\n" * 19_000,
]


@pytest.mark.parametrize("body", RECORDS, ids=range(len(RECORDS)))
def test_hostile_records(client, body):
    before = client.get(f"{API}/health").json()["tables"]
    refused(client.post(f"{API}/records", content=body), 422)
    assert client.get(f"{API}/health").json()["tables"] == before


def test_bodies_of_megabytes(client, table):
    tid, (_, nought) = table
    big = b'{"action": 1, "version": 1, "more": "' + b"x" * 2_000_000 + b'"}'
    headers = {**bearing(nought), "Content-Type": "application/json"}
    refused(client.post(f"{API}/tables/{tid}/actions", content=big, headers=headers), 413, "16384")
    refused(client.post(f"{API}/records", content=big * 2), 413, "1000000")


def test_a_body_that_is_a_little_too_large_is_read_to_its_end(client):
    """Otherwise the connection is reset, and the client may not see why."""
    sent = []
    headers = {"Content-Length": "20000"}
    refused(client.post(f"{API}/tables", content=pieces(20, sent), headers=headers), 413, "16384")
    assert len(sent) == 20


def test_a_body_that_does_not_say_its_length(client):
    sent = []
    refused(client.post(f"{API}/tables", content=pieces(1000, sent)), 413)
    assert len(sent) < 20  # the rest was not read


async def pieces(count, sent):
    """Yields pieces of 1,000 bytes, and notes in `sent` that each was asked for."""
    for _ in range(count):
        sent.append(1)
        yield b"x" * 1000


def test_a_body_that_does_not_come(client, monkeypatch):
    monkeypatch.setattr("tablier.web.http.guard.PATIENCE", 0.2)

    async def pieces():
        yield b"{"
        await asyncio.Event().wait()

    refused(client.post(f"{API}/tables", content=pieces()), 408)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "file://"},
        {"Origin": "http://["},
        {"Origin": ""},
        {"Origin": "http://127.0.0.1:8000.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_origin_changes_nothing(client, table, headers):
    tid, (_, nought) = table
    answer = client.post(
        f"{API}/tables/{tid}/actions", json={"action": 1, "version": 1}, headers={**bearing(nought), **headers}
    )
    refused(answer, 403, "another")
    refused(client.post(f"{API}/tables", json={"game": "pig", "seats": ["human"] * 2}, headers=headers), 403)


def test_the_own_page_may(client):
    answer = client.post(
        f"{API}/tables",
        json={"game": "pig", "seats": ["human"] * 2},
        headers={"Origin": HOME, "Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status_code == 201


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8000", "", "[", "192.0.2.1"])
def test_another_name_for_this_machine_is_refused(client, host):
    refused(client.get(f"{API}/games", headers={"Host": host}), 403, "Host")


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1", "[::1]:8000"])
def test_the_own_names_are_known(client, host):
    assert client.get(f"{API}/health", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("address", ["/api/v1/health", "/api/v1/docs", "/api/v1/nowhere", "/nowhere"])
def test_headers_that_bind_the_browser(client, address):
    answer = client.get(address)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    if address.startswith("/api/v1/h"):
        assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("address", ["/../app.py", "/%2e%2e/app.py", "/js/../../app.py", "//etc/passwd", "/static"])
def test_no_address_leads_out_of_the_page(client, address):
    answer = client.get(address)
    assert answer.status_code == 404
    assert "import" not in answer.text


def test_tables_are_not_begun_without_end(tmp_path):
    with server(tmp_path, burst=3, refill=0.0) as client:
        for _ in range(3):
            begin(client)
        answer = client.post(f"{API}/tables", json={"game": "pig", "seats": ["human"] * 2})
        refused(answer, 429, "wait")
        assert answer.headers["Retry-After"]


def test_a_full_server_refuses_new_tables_and_keeps_the_old(tmp_path):
    with server(tmp_path, tables=2) as client:
        tid, (token, _) = begin(client, "tic_tac_toe")
        begin(client)
        refused(client.post(f"{API}/tables", json={"game": "pig", "seats": ["human"] * 2}), 429)
        assert act(client, tid, token, 0, 0).status_code == 200
    with server(tmp_path, stored=2) as client:
        refused(client.post(f"{API}/tables", json={"game": "pig", "seats": ["human"] * 2}), 507)
        assert look(client, tid, token)["version"] == 1


def test_too_much_to_think_about(tmp_path):
    with server(tmp_path, waiting=0) as client:
        tid, _ = begin(client, "tic_tac_toe", tutor=True)
        refused(client.post(f"{API}/tables/{tid}/hint", json={}), 429)


def test_a_table_does_not_go_on_without_end(tmp_path):
    with server(tmp_path, actions=2) as client:
        tid, (token, _) = begin(client, "tic_tac_toe")
        both = f"{token},{_}"
        assert [act(client, tid, both, n, n).status_code for n in range(3)] == [200, 200, 409]


def test_a_full_table_rests(tmp_path):
    """No player thinks at a full table, and viewers are notified once, not endlessly."""
    with server(tmp_path, actions=6) as client:
        tid, tokens = begin(client, "pig", ["human", "random"], options={"win_score": 1_000_000})
        both = ",".join(filter(None, tokens))
        while not (view := look(client, tid, both))["full"]:
            if view["your_turn"]:
                act(client, tid, both, 1 if view["version"] > 2 else 0, view["version"])
        assert (view["version"] >= 6, view["thinking"], view["over"]) == (True, False, False)
        assert (view["your_turn"], view["legal"]) == (False, [])
        assert client.post(f"{API}/tables/{tid}/review").status_code == 200  # a review cannot give anything away now
        record = client.get(f"{API}/tables/{tid}/record").content
        assert client.post(f"{API}/records", content=record).status_code == 201
        tables = client.app.fastapi.state.server.tables
        table = client.wait(tables.find(tid))
        table.row.seats[:] = ["random", "random"]  # so a machine player is to move
        tables.wake(table)
        assert table.thinker is None


@pytest.mark.parametrize("player", ["mcts:sims=100000000,rollouts=20,eval=rollout", "expectimax:plies=6,eval=rollout"])
def test_no_thought_outlives_its_limit(tmp_path, player, monkeypatch):
    """Without the time limit either player takes hours and no response comes."""
    monkeypatch.setattr(Setting, "on_shared_server", lambda setting, most=0: setting)
    with server(tmp_path, think=0.3) as client:
        tid, _ = begin(client, "trictrac", tutor=True)
        answer = client.post(f"{API}/tables/{tid}/hint", json={"player": player})
        assert answer.status_code == 200, answer.text


def test_bad_hints(client):
    tid, _ = begin(client, "tic_tac_toe", tutor=True)
    for body, status in [({"at": 5}, 422), ({"player": "human"}, 422), ({"player": "mcts:ms=9999"}, 422), ([], 422)]:
        refused(client.post(f"{API}/tables/{tid}/hint", json=body), status)


@pytest.mark.parametrize(
    "body",
    [
        {"board": [15] + [0] * 22 + [-15], "dice": [0, 7]},
        {"board": [15] * 24, "dice": [1, 2]},
        {"board": [0] * 24, "dice": [1, 2]},
        {"board": [99] + [0] * 23, "dice": [1, 2]},
        {"board": [], "dice": [1, 2]},
        {"board": [15] + [0] * 22 + [-15], "dice": [1, 2], "options": {"throw_index": 3}},
    ],
)
def test_throws_that_cannot_be(client, body):
    refused(client.post(f"{API}/throws", json=body), 422)


def test_players_think_shorter_where_many_people_wait(client):
    thinkers = client.app.fastapi.state.server.thinkers
    shares, asked = {}, thinkers._turns["seat"]._asked
    for crowd in (1, 2, 3, 5, 40, 10_000):
        asked["a network"] = crowd
        shares[crowd] = thinkers._share("a network")
    del asked["a network"]
    assert shares == {1: 1, 2: 1, 3: 1 / 2, 5: 1 / 4, 40: 1 / 32, 10_000: 1 / 64}  # with two threads
    player = thinkers.maker.make("mcts:ms=1000", tablier.load_game("trictrac"), 1, 1 / 32)
    assert player._seconds == 1 / 32
