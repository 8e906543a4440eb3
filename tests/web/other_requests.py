"""Requests that are rare by chance: games to their end, gestures, clocks, libraries (test_state_machine.py).

Each tour has a folder and servers of its own and takes about a second. The state machine sends the same requests in any
order; here each is sent once, so that every round of `make fuzz` has met all of them.
"""

import asyncio
import random
import sqlite3
import time
from contextlib import closing

from serving import (
    API,
    act,
    bearing,
    begin,
    first,
    look,
    play_out,
    server,
    until,
)

from tablier.web.service.thinkers import Thinkers

SHORT = [
    ("tic_tac_toe", {}),
    ("pig", {"win_score": 1}),
    ("pig", {"win_score": 60}),
    ("trictrac", {"holes_to_win": 1, "schools": True}),
    ("trictrac", {"holes_to_win": 2, "first_throw": "white"}),
]
"""Games that are soon over."""
HOURS = 36_000
"""Seconds on a clock that does not run out by itself."""


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


def last(view):
    return view["legal"][-1]["action"]


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
            view = play_out(client, table, tokens, any_of(1) if "holes_to_win" not in options else last)
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
        clock = {"base": HOURS, "increment": 1}
        refused = client.post(f"{API}/tables", json={"game": "pig", "seats": ["human", "random"], "clock": clock})
        assert refused.status_code == 422
        table, (one, other) = begin(client, "tic_tac_toe", clock=clock)
        both = f"{one},{other}"
        wrong = [(None, 0, 401), ("A" * 22, 0, 403), (one, 1, 409), (other, 0, 403), (one, 0, 200), (one, 1, 403)]
        for token, version, status in wrong:
            assert act(client, table, token, 0, version).status_code == status
        for version, (token, square) in enumerate([(other, 1), (one, 3), (other, 4)], 1):
            assert act(client, table, token, square, version).status_code == 200
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
        assert look(client, view["next"], one)["clock"]["left"] == [HOURS, HOURS]
        assert look(client, table, one, at=4)["winner"] == 1
        assert client.get(f"{API}/tables/{table}/record").status_code == 200
        monkeypatch.setattr("tablier.web.service.desk.MOST", 1)
        assert gesture(client, view["next"], one, "say", "hello").status_code == 409


def run_out_of_time(folder, monkeypatch):
    """Clocks run out, at a look, at an action and at a gesture, and after a restart."""
    with server(folder, think=0.02) as client:
        begun = [begin(client, "tic_tac_toe", clock={"base": HOURS}) for _ in range(4)]
        for table, (one, other) in begun:
            act(client, table, one, 0, 0)
            act(client, table, other, 1, 1)
        asked = [
            lambda table, one: client.get(f"{API}/tables/{table}").status_code,
            lambda table, one: act(client, table, one, 2, 2).status_code,
            lambda table, one: gesture(client, table, one, "say", "hello").status_code,
        ]
        monkeypatch.setattr("tablier.web.service.table.time.time", _later(2 * HOURS))
        assert [ask(table, tokens[0]) for ask, (table, tokens) in zip(asked, begun, strict=False)] == [200, 409, 200]
        assert [look(client, table)["over"] for table, _ in begun] == [True] * 4
        running, (one, other) = begin(client, "tic_tac_toe", clock={"base": HOURS})
        for version, token in enumerate((one, other)):
            act(client, running, token, version, version)
    monkeypatch.setattr("tablier.web.service.table.STARTED", _later(2 * HOURS + 100)())  # the server was down meanwhile
    with server(folder, think=0.02) as client:
        assert [look(client, table)["winner"] for table, _ in begun] == [1] * 4
        assert look(client, running)["clock"]["left"][0] > HOURS


def _later(seconds, time=time.time):
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
    with server(folder, think=0.02, live=1) as client:
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
    with server(folder, think=0.02, live=1) as client:
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
            (of_library(client, "POST", one, "/join", json={"code": other}), 404),
            (of_library(client, "PUT", one, path, tokens[0]), 404),
            (of_library(client, "DELETE", one, path), 404),
            (of_library(client, "POST", one, f"{path}/analysis"), 404),
            (of_library(client, "GET", one, "/export"), 404),
            (of_library(client, "DELETE", one), 404),
            (of_library(client, "POST", other, "/join", json={"code": one}), 404),
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
    keep_libraries,
]
