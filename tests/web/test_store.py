"""Nothing is lost by a restart, a kill or a failed write."""

import asyncio
import random
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx
import pytest
from serving import API, PATIENCE, Process, act, begin, look, play_out, server, until

from tablier.messages import Message, everywhere
from tablier.web.service import database
from tablier.web.service.store import Row, Store, StoreError, add_actions, add_note, add_table


def row(tid):
    return Row(tid, "pig", {}, ["human", "human"], [None, None], False, "secret", time.time())


def test_what_was_committed_is_there_and_what_failed_is_not(tmp_path):
    async def work():
        await store.commit(add_table(row("a")), *add_actions("a", 0, [(5, 0)]))
        good = store.commit(add_table(row("b")), *add_actions("b", 0, [(1, 0)]))
        bad = store.commit(*add_actions("a", 1, [(7, 0)]), *add_actions("a", 0, [(6, 0)]))  # a second action number 0
        return await asyncio.gather(good, bad, return_exceptions=True)

    store = Store(tmp_path / "games.sqlite")
    results = asyncio.run(work())
    assert results[0] is None
    assert isinstance(results[1], sqlite3.IntegrityError)
    assert store.story("a") == ([5], [])
    assert store.story("b") == ([1], [])
    assert store.count() == 2
    store.close()


def test_many_writers_share_commits(tmp_path):
    store = Store(tmp_path / "games.sqlite")

    async def work():
        await asyncio.gather(*(store.commit(add_table(row(f"t{n}"))) for n in range(1200)))

    asyncio.run(work())
    assert store.count() == 1200
    store.close()


def test_closing_waits_for_a_survey_and_refuses_later_ones(tmp_path, monkeypatch):
    """A server is stopped while a thread counts what is stored: its connection must not outlive the lock."""
    store, begun, may_go_on = Store(tmp_path / "games.sqlite"), threading.Event(), threading.Event()
    opened = database.open_to_write

    def open_slowly(path):
        begun.set()
        assert may_go_on.wait(PATIENCE)
        return opened(path)

    monkeypatch.setattr(database, "open_to_write", open_slowly)
    with ThreadPoolExecutor() as threads:
        survey = threads.submit(store.usage)
        assert begun.wait(PATIENCE)
        closed = threads.submit(store.close)
        assert not survey.done()
        with pytest.raises(StoreError, match="in use"):
            Store(tmp_path / "games.sqlite")
        may_go_on.set()
        closed.result(PATIENCE)
        assert survey.done()
    assert not (tmp_path / "games.sqlite-wal").exists()
    (tmp_path / "games.sqlite").unlink()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        store.usage()
    assert not (tmp_path / "games.sqlite").exists()


def test_a_file_that_is_no_store(tmp_path):
    (tmp_path / "games.sqlite").write_bytes(b"this is not a database" * 100)
    with pytest.raises(StoreError, match="cannot be used as a game database"):
        Store(tmp_path / "games.sqlite")


def test_a_store_of_another_version_is_left_alone(tmp_path):
    db = sqlite3.connect(tmp_path / "games.sqlite")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="later version"):
        Store(tmp_path / "games.sqlite")


def test_tokens_and_seeds_are_not_readable_in_the_file(tmp_path):
    with server(tmp_path) as client:
        _, tokens = begin(client)
    data = b"".join(path.read_bytes() for path in tmp_path.glob("games.sqlite*"))
    assert all(token.encode() not in data for token in tokens)


def test_only_the_owner_reads_the_file(tmp_path):
    Store(tmp_path / "deep" / "games.sqlite").close()
    assert (tmp_path / "deep" / "games.sqlite").stat().st_mode & 0o077 == 0


def test_notes_are_kept_beside_the_actions(tmp_path, monkeypatch):
    def broken(self, state):
        raise RuntimeError("no idea")

    monkeypatch.setattr("tablier.players.random.RandomPlayer.choose", broken)
    with server(tmp_path) as client:
        table, (token, _) = begin(client, "tic_tac_toe", ["human", "random"])
        act(client, table, token, 0, 0)
        before = until(lambda: (found := look(client, table, token))["your_turn"] and found)
    with server(tmp_path) as client:
        assert look(client, table, token) == before
        assert [entry["kind"] for entry in before["log"]] == ["move", "note", "move"]


def test_a_write_that_fails_changes_nothing(tmp_path):
    with server(tmp_path) as client:
        table, (token, _) = begin(client, "tic_tac_toe")
        other = sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
        other.execute("CREATE TRIGGER full BEFORE INSERT ON actions BEGIN SELECT RAISE(FAIL, 'disk full'); END")
        answer = act(client, table, token, 0, 0)
        assert answer.status_code in (409, 503)
        assert look(client, table, token)["version"] == 0
        other.execute("DROP TRIGGER full")
        other.close()
        assert act(client, table, token, 0, 0).status_code == 200


@pytest.mark.parametrize("spoil", [lambda path: path.rename(path.with_suffix(".moved")), lambda path: path.unlink()])
def test_a_move_is_not_acknowledged_once_the_file_is_gone(tmp_path, spoil):
    with server(tmp_path) as client:
        tid, tokens = begin(client)
        view = look(client, tid, tokens[0])
        spoil(tmp_path / "games.sqlite")
        answer = act(client, tid, ",".join(tokens), view["legal"][0]["action"], view["version"])
        assert (answer.status_code, answer.json()["code"]) == (503, "store.unwritable")


def test_tables_that_nobody_is_at_are_read_again(tmp_path):
    with server(tmp_path, live=2) as client:
        made = [begin(client, "tic_tac_toe") for _ in range(6)]
        for table, (token, _) in made:
            assert act(client, table, token, 4, 0).status_code == 200
        assert all(look(client, table)["version"] == 1 for table, _ in made)
        assert len(client.app.fastapi.state.server.tables._live) <= 3


def test_a_restart_goes_on(tmp_path):
    with server(tmp_path) as client:
        table, tokens = begin(client, "trictrac", options={"holes_to_win": 3}, seed=1)
        both = ",".join(tokens)
        for _ in range(8):
            view = look(client, table, both)
            act(client, table, both, view["legal"][-1]["action"], view["version"])
        before = look(client, table, both)
    with server(tmp_path) as client:
        assert look(client, table, both) == before
        assert play_out(client, table, tokens, lambda view: view["legal"][0]["action"])["over"]


def test_a_player_that_was_thinking_goes_on_after_a_kill(tmp_path):
    def kept():
        with sqlite3.connect(tmp_path / "games.sqlite") as db:
            return db.execute("SELECT count(*) FROM actions WHERE tid = ?", (table,)).fetchone()[0]

    seats = ["human", "mcts:sims=20000,rollouts=20,eval=rollout"]
    with Process(tmp_path, "--think", "60") as one:  # the player uses all of it
        table, (token, _) = begin(one.client, "trictrac", seats, options={"first_throw": "white"}, seed=1)
        view = look(one.client, table, token)
        moved = act(one.client, table, token, view["legal"][0]["action"], view["version"]).json()
        assert moved["thinking"]
        one.kill()
    assert kept() == moved["version"]
    with Process(tmp_path, "--think", "0.1"):  # the server resumes by itself, without a viewer
        until(lambda: kept() > moved["version"])


@pytest.mark.slow
def test_killed_between_and_during_moves(tmp_path):
    """Clients play at several tables while the server is killed repeatedly: every acknowledged move survives."""
    chance = random.Random(1)
    with server(tmp_path) as client:
        tables = [begin(client, ("pig", "trictrac")[n % 2], seed=n) for n in range(6)]
    acknowledged = {tid: [0] for tid, _ in tables}

    def made():
        return sum(map(len, acknowledged.values()))

    def play_until_killed(address, tid, both):
        with httpx.Client(base_url=address, timeout=PATIENCE) as client, suppress(httpx.TransportError):
            view = look(client, tid, both)
            while not view["over"]:
                action = view["legal"][len(acknowledged[tid]) % len(view["legal"])]["action"]
                answer = act(client, tid, both, action, view["version"])
                assert answer.status_code == 200, answer.text
                view = answer.json()
                acknowledged[tid].append(view["version"])

    def check(client):
        for tid, tokens in tables:
            assert look(client, tid, ",".join(tokens))["version"] >= acknowledged[tid][-1]

    for _ in range(4):
        with ThreadPoolExecutor(len(tables)) as people, Process(tmp_path) as process:
            check(process.client)
            goal = made() + chance.randint(10, 40)
            address = process.client.base_url
            jobs = [people.submit(play_until_killed, address, tid, ",".join(tokens)) for tid, tokens in tables]
            until(lambda goal=goal: made() >= goal)  # waits for progress, not for the clock
            process.kill()
            for job in jobs:
                job.result()
    with server(tmp_path) as client:
        check(client)
        for tid, _ in tables:
            assert client.get(f"{API}/tables/{tid}/record").status_code == 200  # the record replays from the start


def test_a_note_is_kept_without_words(tmp_path):
    store = Store(tmp_path / "games.sqlite")
    note = Message("note.player_failed", player="mcts", problem="MemoryError")
    asyncio.run(store.commit(add_table(row("new")), add_note("new", 3, note)))
    assert store.story("new") == ([], [(3, everywhere(note))])
    store.close()


def test_a_file_of_version_1_is_opened_and_its_notes_are_told(tmp_path):
    store = Store(tmp_path / "games.sqlite")
    asyncio.run(
        store.commit(add_table(row("old")), ("INSERT INTO notes VALUES ('old', 0, ?)", ['{"en": "a", "fr": "b"}']))
    )
    asyncio.run(store.commit(("PRAGMA user_version = 1", [])))
    store.close()
    store = Store(tmp_path / "games.sqlite")
    assert store.story("old") == ([], [(0, {"en": "a", "fr": "b"})])
    store.close()


def test_a_table_that_loads_while_the_server_stops_is_not_called_damaged(tmp_path, monkeypatch, caplog):
    with server(tmp_path) as client:
        begin(client, "tic_tac_toe", ("human", "random"))
    loading, closed = threading.Event(), threading.Event()
    load, close = Store.table, Store.close

    def slow(self, tid):
        loading.set()
        closed.wait(0.5)  # in vain: the store stays open for as long as this takes
        return load(self, tid)

    def noticed(self):
        close(self)
        closed.set()

    monkeypatch.setattr(Store, "table", slow)
    monkeypatch.setattr(Store, "close", noticed)
    with server(tmp_path):
        assert loading.wait(PATIENCE)
    assert "damaged" not in caplog.text
