"""Rare requests, as in other_requests.py, to servers that are crowded, full, about to end, or have an old file."""

import asyncio
import json
import sqlite3
import threading
from contextlib import closing

from other_requests import all_at_once, of_library
from serving import (
    API,
    HERE,
    NEIGHBOUR,
    PATIENCE,
    PROXY,
    act,
    bearing,
    begin,
    first,
    look,
    play_out,
    sent_by,
    server,
    told,
    until,
)

from tablier.web.service.store import Store
from tablier.web.service.thinkers import Thinkers

YEAR = 366 * 86_400.0


def crowd_around_programs(folder, monkeypatch):
    """More opponents than threads: they take turns, with less time each, and some are still waiting at the end."""
    go_on, borrow = threading.Event(), Thinkers.borrow

    def slowly(*given):
        go_on.wait()
        return borrow(*given)

    with server(folder, PROXY, think=0.05, threads=1) as client:
        thinkers = client.app.fastapi.state.server.thinkers
        monkeypatch.setattr(thinkers, "check", lambda *_: None)
        monkeypatch.setattr(thinkers, "borrow", lambda *given: slowly(thinkers, *given))
        begun, seats = [], {"game": "tic_tac_toe", "seats": ["mcts:sims=4", "human"]}
        for address in (HERE, NEIGHBOUR, "198.51.100.1") * 3:
            answer = client.post(f"{API}/tables", json=seats, headers=sent_by(address))
            begun.append(answer.json()["table"])
        until(lambda: sum(map(len, thinkers._turns["seat"]._waiting.values())) == 8)
        go_on.set()
        until(lambda: all(look(client, table)["version"] for table in begun))
        go_on.clear()
        for _ in range(3):
            answer = client.post(f"{API}/tables", json=seats, headers=sent_by(HERE))
            assert answer.json()["view"]["thinking"]
        threading.Timer(0.1, go_on.set).start()


def stop_in_the_middle(folder, monkeypatch):
    """Work of every kind is under way when the server ends; and writes are, which are finished."""
    record = json.dumps({"game": "trictrac", "options": {}, "actions": []}).encode()
    with server(folder, think=0.02) as client:
        code = client.post(f"{API}/library").json()["code"]
        table = client.post(f"{API}/records", content=record).json()["table"]
        games = [begin(client, "tic_tac_toe") for _ in range(2)]
        for one, tokens in games:
            play_out(client, one, tokens, first)
        go_on = threading.Event()
        thinkers = client.app.fastapi.state.server.thinkers
        thinkers._threads["review"].submit(go_on.wait)
        thinkers._threads["rollout"].submit(go_on.wait)
        of_library(client, "PUT", code, f"/games/{games[0][0]}", games[0][1][0])
        client.post(f"{API}/tables/{games[1][0]}/review")
        client.post(f"{API}/analysis/rollouts", json={"game": "backgammon"})
        until(lambda: len(client.app.fastapi.state.server.reviews._working) == 2)
        assert client.get(f"{API}/tables/{table}").status_code == 200
        threading.Timer(0.1, go_on.set).start()
    with server(folder, think=0.02) as client:
        store = client.app.fastapi.state.server.store
        go_on, holds = threading.Event(), store._lock.holds
        monkeypatch.setattr(store._lock, "holds", lambda: go_on.wait() and holds())

        async def write():
            tasks = [asyncio.create_task(store.commit(("SELECT ?", (n,)))) for n in range(4)]
            await asyncio.sleep(0)
            tasks[0].cancel()
            tasks[2].cancel()
            store._waiting.put(None)
            go_on.set()
            return await asyncio.gather(*tasks, return_exceptions=True)

        assert [type(one).__name__ for one in client.wait(write())] == ["CancelledError", "NoneType"] * 2


def end_at_once(folder, monkeypatch):
    """The server ends before it has done its chores at the start."""
    for name in ("unpacked", "size", "waiting"):
        made, begun, ended = getattr(Store, name), threading.Event(), threading.Event()

        def slowly(store, *given, made=made, begun=begun, ended=ended):
            if threading.current_thread().name.startswith("asyncio"):  # not at the start itself
                begun.set()
                ended.wait(PATIENCE)
            return made(store, *given)

        with monkeypatch.context() as patched:
            patched.setattr(Store, name, slowly)
            with server(folder, think=0.02):
                until(begun.is_set)
            ended.set()


def end_at_each_step_of_a_review(folder, monkeypatch):
    """A review that is cancelled at any step can be asked for again."""
    record = json.dumps({"game": "pig", "options": {"win_score": 4}, "actions": [0, 2, 1, 0, 2, 1]}).encode()
    reviewing, commit, steps = Thinkers.reviewing, Store.commit, []

    def stopping_at(last):
        steps.clear()

        def stopping(work):
            async def stopped(*given):
                steps.append(work)
                if len(steps) == last:
                    await asyncio.Event().wait()
                return await work(*given)

            return stopped

        monkeypatch.setattr(Thinkers, "reviewing", stopping(reviewing))
        monkeypatch.setattr(Store, "commit", stopping(commit))

    with server(folder, think=0.02) as client:
        answer = client.post(f"{API}/records", content=record)
        assert answer.status_code == 201, answer.text
        ask = f"{API}/tables/{answer.json()['table']}/review"
    for last in range(1, 20):
        stopping_at(last)
        with server(folder, think=0.02) as client:
            found = until(
                lambda client=client, last=last: (
                    ((told := client.post(ask).json())["state"] == "done" or len(steps) == last) and told
                )
            )
        if found["state"] == "done":
            break
    assert found["players"]


def watch(folder, monkeypatch):
    """Event streams: they tell of changes, beat, end with the server, and are limited."""
    monkeypatch.setattr("tablier.web.http.api.BEAT", 0.02)
    limits = {"streams": 8, "streams_of_address": 3, "streams_of_table": 3, "watchers_of_address": 1}
    with server(folder, PROXY, think=0.02, **limits) as client:
        table, (token, _) = begin(client, "tic_tac_toe")
        streams = client.app.fastapi.state.server.streams

        def opened(n, **headers):
            before = streams._all._all
            request = client.asked.get(f"{API}/tables/{table}/events", headers=headers)
            asked.append(asyncio.run_coroutine_threadsafe(request, client.loop))
            until(lambda: streams._all._all > before)

        asked = []
        opened(1, **sent_by(HERE))
        opened(2, **sent_by(HERE), **bearing(token))
        assert client.get(f"{API}/tables/{table}/events", headers=sent_by(HERE)).status_code == 429
        opened(3, **sent_by(NEIGHBOUR))
        act(client, table, token, 0, 0)
        mine = sent_by(HERE) | bearing(token)
        at_once = [client.asked.get(f"{API}/tables/{table}/events", headers=mine) for _ in range(2)]
        more = [asyncio.run_coroutine_threadsafe(one, client.loop) for one in at_once]  # there is room for one of them
        until(lambda: any(one.done() for one in more))
        asked[0].cancel()
        until(lambda: streams._all._all == 3)
    texts = [one.result().text for one in [*asked[1:], *more] if not one.cancelled()]
    assert any('"version":1' in text for text in texts)
    assert any("still here" in text for text in texts)


def ask_too_much(folder, monkeypatch):
    """A server with low limits refuses, and says which limit."""
    limits = {"burst": 3, "refill": 0.0, "work": 0.0, "work_burst": 400.0, "hints": 0.0, "hints_burst": 0.0}
    with server(folder, PROXY, think=0.02, waiting=2, **limits) as client:
        table, _ = begin(client, "backgammon", tutor=True)
        record = json.dumps({"game": "pig", "options": {}, "actions": [0, 0]}).encode()
        assert client.post(f"{API}/records", content=record).status_code == 201
        hint = {"json": {"player": "greedy"}, "headers": sent_by(HERE)}
        assert 429 in all_at_once(client, "POST", f"{API}/tables/{table}/hint", 9, **hint)
        assert 429 in [client.post(f"{API}/tables/{table}/hint", **hint).status_code for _ in range(3)]
        at = {"headers": sent_by(HERE), "params": {"at": 0}}
        assert 429 in all_at_once(client, "GET", f"{API}/tables/{table}", 30, **at)
        new = {"json": {"game": "pig", "seats": ["human"] * 2}, "headers": sent_by(NEIGHBOUR)}
        assert [client.post(f"{API}/tables", **new).status_code for _ in range(4)] == [201, 201, 201, 429]
        assert 429 in [client.get(f"{API}/games", headers=sent_by(HERE)).status_code for _ in range(400)]
        assert client.get("/", headers=sent_by(HERE)).status_code in (200, 429)
        monkeypatch.setattr("tablier.web.service.review.MOST_AT_ONCE", 0)
        assert all_at_once(client, "POST", f"{API}/tables/{table}/hint", 9, json={"player": "greedy"}).count(429) > 0


def fill_the_server(folder, monkeypatch):
    """Too many tables, of all and of an address, too large a file, and a reserve for those who play already."""
    new = {"game": "pig", "seats": ["human", "human"]}

    def status(client, address=HERE, **headers):
        answer = client.post(f"{API}/tables", json=new, headers=sent_by(address) | headers)
        return told(answer)

    with server(folder, PROXY, think=0.02, tables_of_address=2, tables=4, reserve=0.5, known=0.0) as client:
        answer = client.post(f"{API}/tables", json=new, headers=sent_by(HERE)).json()
        assert status(client)[0] == 201
        assert status(client) == (429, "tables.too_many_from_you")
        assert [status(client, "198.51.100.1")[0] for _ in range(3)] == [201, 201, 429]
        assert status(client, "192.0.2.1") == (429, "tables.too_many")
        vouched = {"Tablier-Table": answer["table"], **bearing(answer["tokens"][0])}
        assert status(client, "192.0.2.1", **vouched)[0] == 201
        assert status(client, "192.0.2.1", **{"Tablier-Table": "A" * 22})[0] == 429
        codes = [client.post(f"{API}/library", headers=sent_by(HERE)) for _ in range(32)]
        assert codes[-1].status_code == 429
    with server(folder, PROXY, think=0.02, stored=3) as client:
        assert status(client) == (507, "store.full")
    with server(folder, PROXY, think=0.02, disk_of_address=1_000) as client:
        assert status(client) == (507, "store.full_for_you")
        assert client.post(f"{API}/library", headers=sent_by(HERE)).status_code == 507
    with server(folder, PROXY, think=0.02, actions=2) as client:
        table, tokens = begin(client, "tic_tac_toe")
        both = ",".join(tokens)
        assert [act(client, table, both, n, n).status_code for n in range(3)] == [200, 200, 409]
        assert client.post(f"{API}/tables/{table}/review").status_code == 200
        record = json.dumps({"game": "pig", "options": {}, "actions": [0, 0] * 20}).encode()
        assert client.post(f"{API}/records", content=record).status_code == 422


def find_an_old_file(folder, monkeypatch):
    """Games that nobody has played for long are packed; when room is short, they and old libraries are deleted."""
    with server(folder, think=0.02) as client:
        code = client.post(f"{API}/library").json()["code"]
        tables = [begin(client, "tic_tac_toe") for _ in range(2)]
        for table, tokens in tables:
            act(client, table, tokens[0], 0, 0)
            of_library(client, "PUT", code, f"/games/{table}", tokens[0])
    with closing(sqlite3.connect(folder / "games.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE tables SET created = created - ?", (YEAR,))
        db.execute("UPDATE actions SET at = at - ?", (YEAR,))

    def packed(client):
        return client.app.fastapi.state.server.store.read("SELECT count(*) FROM packed")[0][0]

    with server(folder, think=0.02) as client:
        until(lambda: packed(client) == 2)
        table, tokens = tables[0]
        assert act(client, table, tokens[1], 1, 1).status_code == 200
    with closing(sqlite3.connect(folder / "games.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE libraries SET opened = opened - ?", (YEAR,))
    with server(folder, think=0.02) as client:
        assert look(client, table, tokens[0])["version"] == 2
        assert len(of_library(client, "GET", code).json()["games"]) == 2
    with closing(sqlite3.connect(folder / "games.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE libraries SET opened = opened - ?", (YEAR,))
    with server(folder, think=0.02, stored=1, disk=10_000_000) as client:
        until(lambda: client.get(f"{API}/tables/{tables[1][0]}").status_code == 404)
        until(lambda: len(client.app.fastapi.state.server.tables) <= 1)


TOURS = [
    crowd_around_programs,
    stop_in_the_middle,
    end_at_once,
    end_at_each_step_of_a_review,
    watch,
    ask_too_much,
    fill_the_server,
    find_an_old_file,
]
