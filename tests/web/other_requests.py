"""Requests that are rare by chance: games to their end, crowds, full servers, old files (test_state_machine.py).

Each tour has a folder and servers of its own and takes about a second. The state machine sends the same requests in any
order; here each is sent once, so that every round of `make fuzz` has met all of them.
"""

import asyncio
import json
import random
import sqlite3
from contextlib import closing

from serving import (
    API,
    HERE,
    NEIGHBOUR,
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

from tablier.web.service.thinkers import Thinkers

SHORT = [
    ("tic_tac_toe", {}),
    ("pig", {"win_score": 1}),
    ("pig", {"win_score": 30}),
    ("trictrac", {"holes_to_win": 1, "schools": True}),
    ("trictrac", {"holes_to_win": 2, "first_throw": "white"}),
]
"""Games that are soon over."""
YEAR = 366 * 86_400.0


def gesture(client, table, token, kind, value="", version=None, **headers):
    body = {"kind": kind, "value": value, "version": version}
    return client.post(f"{API}/tables/{table}/gestures", json=body, headers=bearing(token) | headers)


def reviewed(client, table):
    """Waits for the review of a table."""
    address = f"{API}/tables/{table}/review"
    return until(lambda: (found := client.post(address).json())["state"] == "done" and found)


def of_library(client, method, code, path="", token=None, **more):
    headers = {"Tablier-Library": code, **bearing(token)}
    return client.request(method, f"{API}/library{path}", headers=headers, **more)


def any_of(seed):
    """Returns a function that chooses an action of a view: the same ones for the same seed and dice."""
    chance = random.Random(seed)
    return lambda view: chance.choice(view["legal"])["action"]


def all_at_once(client, method, address, times, **more):
    """Sends the same request many times at once; returns the statuses."""

    async def ask():
        return await asyncio.gather(*(client.asked.request(method, address, **more) for _ in range(times)))

    return [answer.status_code for answer in client.wait(ask())]


def play_games_to_the_end(folder, monkeypatch):
    """Short games, their records, reviews, dice and libraries, before and after a restart."""
    ended = []
    with server(folder, think=0.02) as client:
        code = client.post(f"{API}/library").json()["code"]
        for game, options in SHORT:
            table, tokens = begin(client, game, options=options, seed=None if game == "pig" else 3)
            of_library(client, "PUT", code, f"/games/{table}", tokens[0])
            assert of_library(client, "POST", code, f"/games/{table}/analysis").status_code == 409
            assert client.get(f"{API}/tables/{table}/dice").status_code == 409
            view = play_out(client, table, tokens, any_of(1))
            assert act(client, table, tokens[0], 0, view["version"]).status_code == 409
            ended.append((table, tokens, view["version"]))
        until(lambda: all(one["analysis"] == "done" for one in of_library(client, "GET", code).json()["games"]))
        assert of_library(client, "PUT", code, f"/games/{ended[0][0]}", ended[0][1][0]).status_code == 200
        assert len(of_library(client, "GET", code, "/export").json()["games"]) == len(SHORT)
    with server(folder, think=0.02) as client:
        for table, _, version in ended:
            assert look(client, table)["version"] == look(client, table, at=version)["version"] == version
            assert reviewed(client, table)["state"] == "done"
            assert client.get(f"{API}/tables/{table}/dice").status_code in (200, 409)
            for at in range(0, version, max(1, version // 5)):
                client.get(f"{API}/tables/{table}/exercise", params={"at": at})
                client.post(f"{API}/tables/{table}/hint", json={"player": "greedy", "at": at})
            for form in ("text", "json", "sgf", "mat"):
                record = client.get(f"{API}/tables/{table}/record", params={"format": form})
                if record.status_code == 200:
                    assert client.post(f"{API}/records", content=record.content).status_code == 201


def agree_and_disagree(folder, monkeypatch):
    """Gestures of people: names, sayings, tutor, resignation, rematch, with and without a clock."""
    with server(folder, think=0.02) as client:
        clock = {"base": 10, "increment": 1}
        refused = client.post(f"{API}/tables", json={"game": "pig", "seats": ["human", "random"], "clock": clock})
        assert refused.status_code == 422
        table, (one, other) = begin(client, "tic_tac_toe", clock=clock)
        both = f"{one},{other}"
        act(client, table, one, 0, 0)
        act(client, table, other, 1, 1)
        answers = [
            ((None, "say", "hello"), 401),
            (("A" * 22, "say", "hello"), 403),
            ((one, "say", "nonsense"), 422),
            ((one, "name", ""), 422),
            ((one, "name", "Ann"), 200),
            ((one, "takeback", ""), 409),
            ((one, "rematch", ""), 409),
            ((one, "tutor", ""), 200),
            ((both, "tutor", ""), 200),
            ((both, "name", "Bob"), 200),
            ((one, "resign", ""), 200),
            ((other, "resign", ""), 409),
            ((other, "rematch", ""), 200),
            ((both, "rematch", ""), 200),
            ((one, "rematch", ""), 200),
        ]
        for asked, status in answers:
            assert gesture(client, table, *asked).status_code == status, asked
        view = look(client, table, one)
        assert (view["winner"], view["next"] is None) == (1, False)
        said = [gesture(client, view["next"], one, "say", "hello").status_code for _ in range(6)]
        assert said == [200] * 5 + [429]
    with server(folder, think=0.02) as client:
        assert look(client, view["next"], one)["clock"]["left"] == [10, 10]
        assert look(client, table, one, at=2)["winner"] == 1
        assert client.get(f"{API}/tables/{table}/record").status_code == 200
        monkeypatch.setattr("tablier.web.service.desk.MOST", 1)
        assert gesture(client, view["next"], one, "say", "hello").status_code == 409


def run_out_of_time(folder, monkeypatch):
    """Clocks run out, at a look, at an action and at a gesture, and after a restart."""
    with server(folder, think=0.02) as client:
        begun = [begin(client, "tic_tac_toe", clock={"base": 10}) for _ in range(4)]
        for table, (one, other) in begun:
            act(client, table, one, 0, 0)
            act(client, table, other, 1, 1)
        asked = [
            lambda table, one: client.get(f"{API}/tables/{table}").status_code,
            lambda table, one: act(client, table, one, 2, 2).status_code,
            lambda table, one: gesture(client, table, one, "say", "hello").status_code,
        ]
        monkeypatch.setattr("tablier.web.service.table.time.time", _later(20.0))
        assert [ask(table, tokens[0]) for ask, (table, tokens) in zip(asked, begun, strict=False)] == [200, 409, 200]
        assert [look(client, table)["over"] for table, _ in begun] == [True] * 4
    with server(folder, think=0.02) as client:
        assert [look(client, table)["winner"] for table, _ in begun] == [1] * 4


def _later(seconds):
    from time import time

    return lambda: time() + seconds


def play_with_programs(folder, monkeypatch):
    """Take-backs, programs that think, fail or play each other, and a restart while they think."""
    monkeypatch.setattr("tablier.web.service.tables.PACE", 0.0)
    with server(folder, think=0.02) as client:
        for players in ([], ["human"] * 3, ["human", "nobody"], ["human", "policy:net=x"]):
            assert client.post(f"{API}/tables", json={"game": "pig", "seats": players}).status_code == 422
        table, (token, _) = begin(client, "tic_tac_toe", ["human", "random"])
        assert gesture(client, table, token, "takeback", version=0).status_code == 409
        view = act(client, table, token, 4, 0).json()
        view = until(lambda: (seen := look(client, table, token))["your_turn"] and seen)
        assert gesture(client, table, token, "takeback", version=0).status_code == 409
        assert gesture(client, table, token, "tutor").status_code == 200
        reviewed(client, table)
        assert gesture(client, table, token, "takeback", version=view["version"]).json()["version"] == 0
        both = [begin(client, "pig", ["random", "greedy"], options={"win_score": 5})[0] for _ in range(2)]
        three, keys = begin(client, "trictrac_a_ecrire", ["human"] * 3, options={"players": 3})
        assert gesture(client, three, keys[0], "resign").status_code == 409
        both.append(begin(client, "trictrac", ["random", "random"], options={"holes_to_win": 1})[0])
        until(lambda: all(look(client, one)["over"] for one in both))
        until(lambda: client.app.fastapi.state.server.tables._live[both[0]].thinker is None)
        monkeypatch.setattr("tablier.web.service.thinkers.Thinkers.choose", _fails)
        failing, _ = begin(client, "tic_tac_toe", ["random", "random"])
        assert until(lambda: (seen := look(client, failing))["over"] and seen)["log"]
        monkeypatch.undo()
        monkeypatch.setattr("tablier.web.service.tables.PACE", 0.5)
        slow, _ = begin(client, "tic_tac_toe", ["random", "random"])
        until(lambda: look(client, slow)["version"])
        monkeypatch.setattr("tablier.web.service.table.LOOKED_AT", -1.0)
    monkeypatch.undo()
    monkeypatch.setattr("tablier.web.service.tables.PACE", 0.0)
    with server(folder, think=0.02) as client:
        until(lambda: look(client, slow)["over"])
        assert look(client, table, token)["version"] == 0
        assert look(client, failing)["over"]


async def _fails(*_, **__):
    raise RuntimeError("no move")


def wait_for_a_program(folder, monkeypatch):
    """What people can do while a program thinks, and what is true of a table that is deleted while it is read."""
    choose, go_on = Thinkers.choose, asyncio.Event()

    async def waits(*given):
        await go_on.wait()
        return await choose(*given)

    monkeypatch.setattr("tablier.web.service.thinkers.Thinkers.choose", waits)
    with server(folder, think=0.02) as client:
        table, (_, token) = begin(client, "tic_tac_toe", ["random", "human"])
        view = look(client, table, token)
        assert (view["thinking"], view["your_turn"]) == (True, False)
        assert act(client, table, token, 0, 0).status_code == 403
        assert gesture(client, table, token, "takeback", version=0).status_code == 403
        resigned, (_, key) = begin(client, "tic_tac_toe", ["random", "human"])
        assert gesture(client, resigned, key, "resign").status_code == 200
        client.loop.call_soon_threadsafe(go_on.set)
        until(lambda: look(client, table, token)["your_turn"])
        assert gesture(client, table, token, "takeback", version=1).status_code == 409
        assert look(client, resigned)["version"] == 0


def delete_while_reading(folder, monkeypatch):
    """A table that is deleted while somebody asks for it is gone for everybody."""
    with server(folder, think=0.02, live=0) as client:
        tables = client.app.fastapi.state.server.tables
        table, _ = begin(client, "tic_tac_toe")
        begin(client)  # the first one leaves the memory
        assert table not in tables
        deleted, restore = asyncio.Event(), tables._restore

        async def commit(*statements):
            await store_commit(*statements)
            deleted.set()

        def slowly(found):
            restore(found)
            asyncio.run_coroutine_threadsafe(deleted.wait(), client.loop).result()

        store_commit = tables.store.commit
        monkeypatch.setattr(tables.store, "commit", commit)
        monkeypatch.setattr(tables, "_restore", slowly)
        asked = asyncio.run_coroutine_threadsafe(client.asked.get(f"{API}/tables/{table}"), client.loop)
        until(lambda: table in tables._loading)
        assert client.wait(tables.remove([table])) == 1
        asked.result()
        assert client.get(f"{API}/tables/{table}").status_code == 404


def fail_to_save(folder, monkeypatch):
    """What cannot be saved is refused and has not happened."""
    monkeypatch.setattr("tablier.web.service.tables.PAUSE", 0.01)
    with server(folder, think=0.02) as client:
        store = client.app.fastapi.state.server.store
        code = client.post(f"{API}/library").json()["code"]
        table, (token, other) = begin(client, "tic_tac_toe")
        bot, (key, _) = begin(client, "tic_tac_toe", ["human", "random"])
        ended, (one, two) = begin(client, "tic_tac_toe")
        gesture(client, ended, one, "resign")
        gesture(client, ended, one, "rematch")
        new = {"game": "pig", "seats": ["human", "human"]}
        holds = store._lock.holds
        monkeypatch.setattr(store._lock, "holds", lambda: False)
        answers = [
            act(client, table, token, 0, 0),
            gesture(client, table, token, "say", "hello"),
            gesture(client, ended, two, "rematch"),
            client.post(f"{API}/library"),
            of_library(client, "PUT", code, f"/games/{table}", token),
            client.post(f"{API}/tables", json=new),
        ]
        assert [answer.status_code for answer in answers] == [503] * 6
        left = iter([True])
        monkeypatch.setattr(store._lock, "holds", lambda: next(left, False))
        assert act(client, bot, key, 0, 0).status_code == 200  # and then the program's action cannot be saved
        until(lambda: client.app.fastapi.state.server.tables._live[bot].stale)
        monkeypatch.setattr(store._lock, "holds", holds)
        assert act(client, table, token, 0, 0).status_code == 200
        assert gesture(client, ended, two, "rematch").json()["next"]
        until(lambda: look(client, bot, key)["your_turn"])
        with closing(sqlite3.connect(folder / "games.sqlite", isolation_level=None)) as db:
            db.execute("INSERT INTO actions VALUES (?, 1, 1, 1, 0.0)", (table,))
        assert act(client, table, other, 1, 1).status_code == 409  # somebody else has written it
        assert look(client, table)["version"] == 2


def crowd_around_programs(folder, monkeypatch):
    """More opponents than threads: they take turns, with less time each, and some are still waiting at the end."""
    with server(folder, PROXY, think=0.3, threads=1) as client:
        seats = {"game": "backgammon", "seats": ["mcts:sims=20000", "human"], "options": {}}
        begun = []
        for n in range(6):
            address = (HERE, NEIGHBOUR, "198.51.100.1")[n % 3]
            answer = client.post(f"{API}/tables", json=seats, headers=sent_by(address))
            assert answer.status_code == 201, answer.text
            begun.append(answer.json()["table"])
        until(lambda: look(client, begun[0])["version"] > 1)


def watch(folder, monkeypatch):
    """Event streams: they tell of changes, beat, end with the server, and are limited."""
    monkeypatch.setattr("tablier.web.http.api.BEAT", 0.02)
    limits = {"streams": 8, "streams_of_address": 3, "streams_of_table": 3, "watchers_of_address": 1}
    with server(folder, PROXY, think=0.02, **limits) as client:
        table, (token, _) = begin(client, "tic_tac_toe")
        streams = client.app.fastapi.state.server.streams

        def opened(n, **headers):
            found = client.app.fastapi.state.server.streams._all._all
            request = client.asked.get(f"{API}/tables/{table}/events", headers=headers)
            asked.append(asyncio.run_coroutine_threadsafe(request, client.loop))
            until(lambda: streams._all._all > found)

        asked = []
        opened(1, **sent_by(HERE))
        opened(2, **sent_by(HERE), **bearing(token))
        assert client.get(f"{API}/tables/{table}/events", headers=sent_by(HERE)).status_code == 429
        opened(3, **sent_by(NEIGHBOUR))
        act(client, table, token, 0, 0)
        at_once = [client.asked.get(f"{API}/tables/{table}/events", headers=sent_by(HERE) | bearing(token))] * 1
        at_once += [client.asked.get(f"{API}/tables/{table}/events", headers=sent_by(HERE) | bearing(token))]
        more = [asyncio.run_coroutine_threadsafe(one, client.loop) for one in at_once]  # there is room for one of them
        until(lambda: any(one.done() for one in more))
        asked[0].cancel()
        until(lambda: streams._all._all == 3)
    texts = [one.result().text for one in [*asked[1:], *more] if not one.cancelled()]
    assert any('"version":1' in text for text in texts)
    assert any("still here" in text for text in texts)


def ask_too_much(folder, monkeypatch):
    """A server with low limits refuses, and says which limit."""
    limits = {"burst": 3, "refill": 0.0, "work": 0.0, "work_burst": 400.0, "hints": 0.0, "hints_burst": 0.001}
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
        assert len(client.app.fastapi.state.server.tables) <= 1


def keep_libraries(folder, monkeypatch):
    """Libraries: wrong codes, tables that are not theirs, joins, exports, and a full queue."""
    with server(folder, think=0.02) as client:
        one, other = (client.post(f"{API}/library").json()["code"] for _ in range(2))
        table, tokens = begin(client, "tic_tac_toe")
        lost = "A" * 22
        path = f"/games/{table}"
        play = first
        answers = [
            (of_library(client, "GET", "?"), 422),
            (of_library(client, "GET", one[:-1]), 422),
            (of_library(client, "GET", one[:-1] + ("0" if one[-1] != "0" else "1")), 422),
            (of_library(client, "PUT", one, path), 401),
            (of_library(client, "PUT", one, path, lost), 403),
            (of_library(client, "PUT", one, path, tokens[0]), 200),
            (of_library(client, "PUT", one, path, tokens[1]), 200),  # both seats: it tells no seat any more
            (of_library(client, "POST", one, f"/games/{lost}/analysis"), 404),
            (of_library(client, "DELETE", one, f"/games/{lost}"), 404),
            (of_library(client, "GET", one, "/export"), 200),
            (of_library(client, "POST", one, "/join", json={"code": one}), 409),
            (of_library(client, "POST", one, "/join", json={"code": other}), 200),
            (of_library(client, "GET", one), 404),
            (of_library(client, "GET", other), 200),
        ]
        assert [answer.status_code for answer, _ in answers] == [status for _, status in answers]
        play_out(client, table, tokens, play)
        monkeypatch.setattr("tablier.web.service.library.MOST_GAMES", 1)
        more, keys = begin(client, "pig", ["human", "random"])
        assert of_library(client, "PUT", other, f"/games/{more}", keys[0]).status_code == 409
        third = client.post(f"{API}/library").json()["code"]
        assert of_library(client, "PUT", third, f"/games/{more}", keys[0]).status_code == 200
        assert of_library(client, "POST", third, "/join", json={"code": other}).status_code == 409
        monkeypatch.setattr(client.app.fastapi.state.server.library._shares, "_most", 0)
        assert len(of_library(client, "GET", other).json()["games"]) == 1
        assert of_library(client, "POST", other, f"{path}/analysis").status_code == 429
        monkeypatch.undo()
        assert of_library(client, "POST", other, f"{path}/analysis").status_code == 200
        until(lambda: of_library(client, "POST", other, f"{path}/analysis").json()["analysis"] == "done")
        assert of_library(client, "DELETE", other, path).status_code == 204
        assert of_library(client, "DELETE", other).status_code == 204


TOURS = [
    play_games_to_the_end,
    agree_and_disagree,
    run_out_of_time,
    play_with_programs,
    wait_for_a_program,
    delete_while_reading,
    fail_to_save,
    crowd_around_programs,
    watch,
    ask_too_much,
    fill_the_server,
    find_an_old_file,
    keep_libraries,
]
