"""Disk: addresses, networks and the server store so much and no more, and old games make room."""

import asyncio
import json
import sqlite3
import time
from contextlib import contextmanager
from unittest.mock import patch

from serving import (
    API,
    ELSEWHERE,
    HERE,
    NEIGHBOUR,
    PROXY,
    act,
    begin,
    look,
    new_table,
    play_out,
    sent_by,
    server,
    told,
)

from tablier.web.service import upkeep
from tablier.web.service.clients import client_of
from tablier.web.service.limits import DAY

RECORD = json.dumps({"game": "pig", "options": {"win_score": 1000}, "actions": [0, 3] * 200}).encode()


def upload(client, address):
    return client.post(f"{API}/records", content=RECORD, headers=sent_by(address))


def fill(client, address, most=100):
    """Uploads until it is refused; returns how many were stored, and the refusal."""
    for n in range(most):
        answer = upload(client, address)
        if answer.status_code != 201:
            return n, told(answer)
    raise AssertionError("it was never refused")


def test_an_address_and_its_network_store_so_many_bytes(tmp_path):
    with server(tmp_path, PROXY, disk_of_address=4_000, network=2) as client:
        n, refusal = fill(client, HERE)
        assert 5 < n < 15
        assert refusal == (507, "store.full_for_you")
        assert told(new_table(client, HERE)) == refusal
        assert fill(client, NEIGHBOUR) == (n, refusal)
        left, of_network = fill(client, "203.0.113.3")
        assert (left <= 1, of_network) == (True, refusal)  # the network has no more
        assert upload(client, ELSEWHERE).status_code == 201
    with server(tmp_path, PROXY, disk_of_address=4_000, network=2) as client:  # the same after a restart
        assert told(upload(client, HERE)) == refusal
        assert upload(client, ELSEWHERE).status_code == 201


def test_moves_count_too(tmp_path):
    with server(tmp_path, PROXY, disk_of_address=4_000) as client:
        begun = new_table(client, HERE).json()
        view, tokens = begun["view"], ",".join(begun["tokens"])
        for _ in range(60):
            view = act(client, begun["table"], tokens, view["legal"][0]["action"], view["version"]).json()
        assert told(new_table(client, HERE)) == (507, "store.full_for_you")
        again = act(client, begun["table"], tokens, view["legal"][0]["action"], view["version"])
        assert again.status_code == 200  # a game that has begun can be finished


def test_moves_count_for_whoever_began_the_table_also_after_a_restart(tmp_path):
    with server(tmp_path, PROXY) as client:
        begun = new_table(client, HERE, {"game": "tic_tac_toe", "seats": ["human", "human"]}).json()
    with server(tmp_path, PROXY) as client:
        quota = client.app.fastapi.state.server.tables.quota
        mine = quota.origin(client_of(HERE, "", ()))
        before = [quota._used[key] for key in mine]
        assert act(client, begun["table"], begun["tokens"][0], 0, 0).status_code == 200
        assert [quota._used[key] - old for key, old in zip(mine, before, strict=True)] == [50, 50]


def test_what_is_stored_during_a_count_is_not_forgotten(tmp_path):
    with server(tmp_path, PROXY) as client:
        begun = new_table(client, HERE).json()
        tables = client.app.fastapi.state.server.tables
        quota, count = tables.quota, tables.store.usage
        (address, _), row = quota.origin(client_of(HERE, "", ())), client.wait(tables.find(begun["table"])).row
        before = quota._used[address]

        def usage():
            found = count()
            quota.add(row, 50)  # a move that was made after the count
            return found

        with patch.object(tables.store, "usage", usage):
            client.wait(quota.refresh())
        assert quota._used[address] == before + 50


def test_addresses_are_not_in_the_file(tmp_path):
    with server(tmp_path, PROXY) as client:
        new_table(client, HERE)
    data = b"".join(path.read_bytes() for path in tmp_path.glob("games.sqlite*"))
    assert HERE.encode() not in data
    assert b"203.0.113" not in data


def test_the_database_has_a_largest_size(tmp_path):
    with server(tmp_path, PROXY, disk=100_000, disk_of_address=10**9) as client:
        tid, (token, _) = begin(client, "tic_tac_toe")
        answers = [fill(client, f"198.51.{n}.1", 10_000) for n in range(2)]
        assert answers[0][1] == answers[1][1] == (507, "store.full")
        assert answers[1][0] == 0
        assert act(client, tid, token, 0, 0).status_code == 200
        assert (tmp_path / "games.sqlite").stat().st_size < 150_000


@contextmanager
def aged(tmp_path, days, *tids):
    """Makes tables look as if nobody had played there for some days."""
    db = sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
    then = time.time() - days * DAY
    for tid in tids:
        db.execute("UPDATE tables SET created = ?1, ended = ended * 0 + ?1, touched = ?1 WHERE id = ?2", (then, tid))
        db.execute("UPDATE actions SET at = ? WHERE tid = ?", (then, tid))
    db.close()
    yield


def tidy(client):
    client.wait(upkeep.tidy(client.app.fastapi.state.server.tables))


def is_there(client, tid):
    return client.get(f"{API}/tables/{tid}").status_code == 200


def test_old_games_stay_while_there_is_room(tmp_path):
    with server(tmp_path) as client:
        tid = upload(client, HERE).json()["table"]
        with aged(tmp_path, 4000, tid):
            tidy(client)
        assert is_there(client, tid)


def test_old_games_make_room_for_new_ones(tmp_path):
    with server(tmp_path, PROXY, stored=4, keep=30 * DAY) as client:
        old, fresh = (upload(client, HERE).json()["table"] for _ in range(2))
        unfinished = [begin(client, "tic_tac_toe") for _ in range(2)]
        (played, (token, _)), (left, _) = unfinished
        assert told(new_table(client, ELSEWHERE)) == (507, "store.full")
        with aged(tmp_path, 31, old, played, left):
            assert act(client, played, token, 0, 0).status_code == 200  # somebody has come back
            tidy(client)
        assert [is_there(client, tid) for tid in (old, fresh, played, left)] == [False, True, True, False]
        assert new_table(client, ELSEWHERE).status_code == 201


def test_a_table_that_is_watched_is_not_deleted(tmp_path):
    with server(tmp_path, stored=1) as client:
        tid = upload(client, HERE).json()["table"]
        table = client.wait(client.app.fastapi.state.server.tables.find(tid))
        table.watchers.add(asyncio.Event())
        with aged(tmp_path, 31, tid):
            tidy(client)
        assert is_there(client, tid)


def test_the_network_that_stores_the_most_makes_room_first(tmp_path):
    with server(tmp_path, PROXY, stored=8) as client:
        many = [upload(client, HERE).json()["table"] for _ in range(7)]
        mine = upload(client, ELSEWHERE).json()["table"]
        with aged(tmp_path, 2, mine, *many):  # too young to be deleted by age
            tidy(client)
        assert is_there(client, mine)
        assert not any(is_there(client, tid) for tid in many)


def test_a_table_that_was_packed_goes_on(tmp_path):
    with server(tmp_path, live=0) as client:
        tid, tokens = begin(client, "tic_tac_toe")
        act(client, tid, tokens[0], 0, 0)
        begin(client)  # the first one leaves the memory
        with aged(tmp_path, 2, tid):
            tidy(client)
        db = sqlite3.connect(tmp_path / "games.sqlite")
        assert db.execute("SELECT count(*) FROM actions WHERE tid = ?", (tid,)).fetchone() == (0,)
        db.close()
        assert look(client, tid)["version"] == 1
        assert act(client, tid, tokens[1], 1, 1).status_code == 200
        begin(client)
        assert look(client, tid)["version"] == 2
        assert play_out(client, tid, tokens, lambda view: view["legal"][0]["action"])["over"]
