"""The database file: a foreign, damaged or occupied one is refused unchanged, and damage costs as little as
possible."""

import asyncio
import hashlib
import json
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from serving import API, Process, act, begin, look, play_out, server

from tablier import records
from tablier.cli import main
from tablier.web.http.app import App, Settings
from tablier.web.service import upkeep
from tablier.web.service.database import StoreError
from tablier.web.service.examine import repair
from tablier.web.service.packing import pack, unpack
from tablier.web.service.store import Store


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def altered(path, *statements):
    """Executes statements on a database as another program would."""
    db = sqlite3.connect(path, isolation_level=None)
    for sql, values in statements:
        db.execute(sql, values)
    db.close()


def test_a_file_that_fails_while_the_server_starts_is_reported_in_one_line(tmp_path):
    """`tablier serve` has checked it before, but disks can fail in between."""
    (tmp_path / "games.sqlite").write_bytes(b"not a database" * 100)
    sent = []

    async def started():
        async def receive():
            return {"type": "lifespan.startup"}

        async def send(event):
            sent.append(event)

        await App(Settings(tmp_path / "games.sqlite"))({"type": "lifespan"}, receive, send)

    with pytest.raises(StoreError):
        asyncio.run(started())
    (event,) = sent
    assert event["type"] == "lifespan.startup.failed"
    assert "games.sqlite cannot be used as a game database" in event["message"]
    assert len(event["message"].splitlines()) == 1


@pytest.mark.parametrize(
    "column", [b"opened REAL", b"network TEXT NOT NULL\n", b"facts BLOB", b"touched REAL", b"kind TEXT"]
)
def test_a_damaged_name_of_a_column_is_refused_and_repaired(column, tmp_path):
    """SQLite's own check passes: the schema is text, and any name is a good one."""
    path = tmp_path / "games.sqlite"
    with server(tmp_path) as client:
        begin(client)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(column, b"x" + column[1:]))
    before = path.read_bytes()
    assert before != whole
    with pytest.raises(StoreError, match=f"has no column {column.split()[0].decode()}"):
        Store(path)
    assert path.read_bytes() == before
    assert main(["doctor", "--database", str(path), "--repair"]) == 0
    Store(path).close()


FOREIGN = {
    "another application": [("PRAGMA application_id = 1234", ()), ("CREATE TABLE tables (id)", ())],
    "other tables": [("CREATE TABLE bookmarks (url TEXT)", ()), ("INSERT INTO bookmarks VALUES ('a')", ())],
    "tables with other columns": [
        *((f"CREATE TABLE {name} (id)", ()) for name in ("tables", "actions", "notes", "reviews")),
        ("PRAGMA user_version = 2", ()),
    ],
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN)
def test_a_file_of_another_program_is_refused_before_anything_is_written(statements, tmp_path):
    path = tmp_path / "foreign.sqlite"
    altered(path, *statements)
    before = digests(tmp_path)
    with pytest.raises(StoreError, match="another program"):
        Store(path)
    assert digests(tmp_path) == before


def test_a_file_in_which_another_program_is_writing_is_refused_too(tmp_path):
    db = sqlite3.connect(tmp_path / "foreign.sqlite", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE bookmarks (url TEXT)")
    with pytest.raises(StoreError, match="another program"):
        Store(tmp_path / "foreign.sqlite")
    assert db.execute("PRAGMA application_id").fetchone() == (0,)
    db.close()


def test_a_tournament_is_no_game_database(tmp_path):
    path = tmp_path / "arena.sqlite"
    assert main(["arena", str(path), "random", "greedy", "--game", "tic_tac_toe", "--games", "2", "--json"]) == 0
    before = digests(tmp_path)
    with pytest.raises(StoreError, match="another program"):
        Store(path)
    assert digests(tmp_path) == before


def test_a_second_server_on_a_file_is_refused(tmp_path, capsys):
    with Process(tmp_path) as one:
        tid, _ = begin(one.client)
        assert main(["serve", "--port", "0", "--db", str(tmp_path / "games.sqlite")]) == 2
        assert "is in use by another Tablier server" in capsys.readouterr().err
        assert look(one.client, tid)["version"] == 0
        one.kill()
    Store(tmp_path / "games.sqlite").close()  # a killed server does not hold the file


BACK_UP = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('VACUUM INTO ?', sys.argv[2:])"


def test_moves_after_a_backup_survive_a_kill(tmp_path):
    """A backup by another process must find the server's locks; else it takes its log for an orphan and deletes it."""
    with Process(tmp_path) as one:
        tid, tokens = begin(one.client, "pig", seed=1)
        for played in range(8):
            view = look(one.client, tid, ",".join(tokens))
            played_on = act(one.client, tid, ",".join(tokens), view["legal"][0]["action"], view["version"])
            assert played_on.status_code == 200
            if played == 3:
                files = [str(tmp_path / name) for name in ("games.sqlite", "backup.sqlite")]
                subprocess.run([sys.executable, "-c", BACK_UP, *files], check=True)
        reached = look(one.client, tid)["version"]
        later, _ = begin(one.client)
        one.kill()
    with server(tmp_path) as client:
        assert look(client, tid)["version"] == reached
        assert look(client, later)["version"] == 0


def test_a_second_server_is_refused_whatever_became_of_the_lock(tmp_path):
    with Process(tmp_path):
        (tmp_path / "games.sqlite.lock").unlink()
        with pytest.raises(StoreError, match="in use by another"):
            Store(tmp_path / "games.sqlite")
        (tmp_path / "other.sqlite").hardlink_to(tmp_path / "games.sqlite")
        with pytest.raises(StoreError, match="second name"):
            Store(tmp_path / "other.sqlite")


@pytest.mark.parametrize("spoil", [lambda path: path.write_bytes(b"x" * 5000), lambda path: path.mkdir()])
def test_a_lock_that_cannot_be_used(spoil, tmp_path, capsys):
    spoil(tmp_path / "games.sqlite.lock")
    with pytest.raises(StoreError, match="games.sqlite.lock cannot be used"):
        Store(tmp_path / "games.sqlite")
    Store(tmp_path / "sound.sqlite").close()
    (tmp_path / "sound.sqlite.lock").unlink()
    spoil(tmp_path / "sound.sqlite.lock")
    assert main(["doctor", "--database", str(tmp_path / "sound.sqlite"), "--repair"]) == 2
    assert "sound.sqlite.lock cannot be used" in capsys.readouterr().err


def test_a_link_to_a_database_leads_to_its_log(tmp_path, capsys):
    with Process(tmp_path) as one:
        tid, _ = begin(one.client)
        one.kill()
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "games.sqlite")
    assert main(["doctor", "--database", str(tmp_path / "link.sqlite"), "--repair"]) == 0
    with server(tmp_path) as client:
        assert look(client, tid)["version"] == 0


def filled(folder, n=40):
    """Makes a database with tables of several games; returns their ids, and how many actions each has."""
    with server(folder) as client:
        tables = {}
        for seed in range(n):
            tid, tokens = begin(client, ("pig", "tic_tac_toe")[seed % 2], seed=seed)
            view = look(client, tid, ",".join(tokens))
            for _ in range(4):
                view = act(client, tid, ",".join(tokens), view["legal"][0]["action"], view["version"]).json()
            tables[tid] = view["version"]
    return folder / "games.sqlite", tables


def test_a_damaged_row_costs_that_table_alone(tmp_path):
    path, tables = filled(tmp_path, 8)
    one, two, three, four, five, six, seven, sound = tables
    altered(
        path,
        ("UPDATE tables SET seats = '[' WHERE id = ?", (one,)),
        ("DELETE FROM actions WHERE tid = ? AND n = 1", (two,)),
        ("UPDATE actions SET action = 99 WHERE tid = ? AND n = 1", (three,)),
        ("UPDATE tables SET options = CAST(x'ff00' AS TEXT) WHERE id = ?", (four,)),
        ("UPDATE actions SET action = 'x' WHERE tid = ? AND n = 2", (five,)),
        ("UPDATE tables SET created = 'x', seats = '[1, 2, 3]' WHERE id = ?", (six,)),
        ("UPDATE tables SET address = CAST(x'ff' AS TEXT), network = 7, tokens = 3 WHERE id = ?", (seven,)),
    )
    with server(tmp_path) as client:
        for tid in (one, two, three, four, five, six, seven):
            answer = client.get(f"{API}/tables/{tid}")
            assert (answer.status_code, answer.json()["code"]) == (500, "table.damaged"), answer.text
        assert look(client, sound)["version"] == tables[sound]
        begin(client)
        client.wait(upkeep.tidy(client.app.fastapi.state.server.tables))
        assert client.app.fastapi.state.server.tables.quota.heaviest()


def smashed(path, page):
    """Overwrites a page of a database with noise."""
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    data[size * page : size * (page + 1)] = random.Random(page).randbytes(size)
    path.write_bytes(data)


def pages_of(path, table):
    """Returns the numbers of the leaf pages of a table, from 0."""
    data = path.read_bytes()
    size = int.from_bytes(data[16:18], "big")
    db = sqlite3.connect(path)
    (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    db.close()
    page = data[size * (root - 1) : size * root]
    if page[0] == 10:  # a leaf of an index b-tree, which is what tables without row ids are
        return [root - 1]
    cells = int.from_bytes(page[3:5], "big")
    pointers = [int.from_bytes(page[12 + 2 * n : 14 + 2 * n], "big") for n in range(cells)]
    return [int.from_bytes(page[at : at + 4], "big") - 1 for at in pointers]


def test_damaged_pages_are_noticed_and_repaired_but_for_the_tables_on_them(tmp_path, capsys):
    path, tables = filled(tmp_path)
    smashed(path, pages_of(path, "tables")[1])
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is damaged"):
        Store(path)
    assert path.read_bytes() == before

    assert main(["doctor", "--database", str(path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert not found["ok"]
    assert found["pages"]
    assert len(tables) / 2 < found["sound"] < len(tables)
    assert path.read_bytes() == before  # looking changes nothing

    assert main(["doctor", "--database", str(path), "--repair"]) == 0
    told = capsys.readouterr().out
    assert "The old file is" in told
    kept = [one for one in tmp_path.iterdir() if one.name.startswith("games.sqlite.2")]
    assert [one.read_bytes() for one in kept] == [before]
    with server(tmp_path) as client:
        there = [tid for tid in tables if client.get(f"{API}/tables/{tid}").status_code == 200]
        assert len(there) == found["sound"]
        assert all(look(client, tid)["version"] == tables[tid] for tid in there)
    assert main(["doctor", "--database", str(path)]) == 0
    assert "Nothing is damaged." in capsys.readouterr().out


def test_games_are_exported_up_to_the_damage(tmp_path, capsys):
    path, tables = filled(tmp_path, 4)
    cut, *_ = tables
    altered(path, ("DELETE FROM actions WHERE tid = ? AND n = 3", (cut,)))
    assert main(["doctor", "--database", str(path), "--export", str(tmp_path / "games")]) == 1
    told = capsys.readouterr().out
    assert f"{cut}: its actions: action 3 is missing" in told.replace("\n  ", " ")
    read = {one.stem.partition("-")[2]: records.load(one.read_bytes())[1] for one in (tmp_path / "games").iterdir()}
    assert {tid: len(actions) for tid, actions in read.items()} == {
        tid + ("-cut" if tid == cut else ""): 3 if tid == cut else n for tid, n in tables.items()
    }


def test_an_id_does_not_lead_out_of_the_folder(tmp_path):
    path, _ = filled(tmp_path, 1)
    altered(
        path,
        ("PRAGMA foreign_keys = OFF", ()),
        ("UPDATE tables SET id = '../../evil'", ()),
        ("UPDATE actions SET tid = '../../evil'", ()),
    )
    assert main(["doctor", "--database", str(path), "--export", str(tmp_path / "deep" / "games")]) == 0
    assert [one.name for one in (tmp_path / "deep" / "games").iterdir()] == ["pig-______evil.json"]


def test_a_database_of_an_earlier_version_is_repaired(tmp_path):
    """Format 2 has no packed games, and does not know who stored a table."""
    old = Path(__file__).parent.parent / "formats" / "v0.2" / "web"
    path = Path(shutil.copy(old / "games.sqlite", tmp_path))
    seats = json.loads((old / "seats.json").read_text())
    report, kept = repair(path)
    assert report.ok
    assert report.version == 2
    assert kept.read_bytes() == (old / "games.sqlite").read_bytes()
    with server(tmp_path) as client:
        assert len(report.sound) == client.get(f"{API}/health").json()["tables"] >= len(seats)
        assert look(client, seats["finished"]["table"])["over"]


def test_a_database_in_use_is_examined_but_not_repaired(tmp_path, capsys):
    with Process(tmp_path) as one:
        tid, (token, _) = begin(one.client, "tic_tac_toe")
        act(one.client, tid, token, 0, 0)
        path = str(tmp_path / "games.sqlite")
        assert main(["doctor", "--database", path, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["sound"] == 1
        assert main(["doctor", "--database", path, "--repair"]) == 2
        assert "in use" in capsys.readouterr().err
        assert look(one.client, tid, token)["version"] == 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--database", "none.sqlite"], "none.sqlite is not a file"),
        (["--database", "diary.txt"], "file is not a database"),
        (["--database", "diary.txt", "--repair"], "file is not a database"),
        (["--repair"], "--repair and --export need --database FILE"),
    ],
)
def test_what_the_doctor_cannot_examine(args, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "diary.txt").write_text("dear diary, " * 100)
    before = digests(tmp_path)
    assert main(["doctor", *args]) == 2
    assert words in capsys.readouterr().err
    assert digests(tmp_path) == before


# --- compact storage --------------------------------------------------------------------------------------------------


def test_packed_actions_come_back():
    chance = random.Random(1)
    for most in (1, 2**8, 2**16, 2**32, 2**63):
        actions = [chance.randrange(most) for _ in range(1000)]
        assert unpack(pack(actions)) == actions
    assert unpack(pack([])) == []


@pytest.mark.parametrize(
    "data", [b"", b"x", pack([1, 2, 3])[:-1], pack(list(range(9)))[:5] + b"\xff" * 9, pack([0] * 2_000_000), None]
)
def test_damaged_packed_actions_are_noticed(data):
    with pytest.raises(ValueError, match="damaged"):
        unpack(data)


def test_a_large_upload_stays_small(tmp_path):
    chance = random.Random(1)
    text = json.dumps({"game": "pig", "options": {"win_score": 1_000_000}, "actions": long_game(chance, 20_000)})
    assert len(text) > 55_000
    with server(tmp_path) as client:
        store = client.app.fastapi.state.server.store
        before = store.size()
        answer = client.post(f"{API}/records", content=text.encode())
        assert answer.status_code == 201, answer.text
        assert store.size() - before < len(text)
        tid = answer.json()["table"]
        assert client.get(f"{API}/tables/{tid}/record?format=json").json()["actions"] == json.loads(text)["actions"]


def long_game(chance, n):
    """Returns the actions of an unfinished game of pig."""
    actions = []
    while len(actions) < n:
        actions += [0, chance.randrange(1, 6)] if chance.random() < 0.8 else [0, 0]
    return actions


def test_a_finished_game_is_packed(tmp_path):
    with server(tmp_path) as client:
        tid, tokens = begin(client, "tic_tac_toe")
        last = play_out(client, tid, tokens, lambda view: view["legal"][0]["action"])
    db = sqlite3.connect(tmp_path / "games.sqlite")
    assert db.execute("SELECT count(*) FROM actions").fetchone() == (0,)
    assert db.execute("SELECT count(*) FROM packed").fetchone() == (1,)
    db.close()
    with server(tmp_path) as client:
        assert look(client, tid, ",".join(tokens)) == last
