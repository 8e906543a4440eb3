"""A damaged row costs its own table alone: the server says so, and `tablier doctor` names the table and goes on."""

import json
import sqlite3

import pytest
from serving import API, act, bearing, begin, look, server, told, until

from tablier import records
from tablier.cli import main
from tablier.web.service.gestures import Gesture, standing
from tablier.web.service.store import Store


def gesture(kind, value="", seat=0, n=0, written=1, at=1.0):
    return "INSERT INTO gestures VALUES (?, ?, ?, ?, ?, ?, ?)", (n, kind, seat, value, written, at)


def row(column, value):
    return f"UPDATE tables SET {column} = ?2 WHERE id = ?1", (value,)


def note(text, n=1):
    return "INSERT INTO notes VALUES (?, ?, ?)", (n, text)


CLOCK = gesture("clock", "300+5", seat=-1)
HASH = "0" * 64
DAMAGE = {
    "takeback to x": [gesture("takeback", "x")],
    "takeback to a negative version": [gesture("takeback", "-1")],
    "takeback to a huge version": [gesture("takeback", "9" * 5000)],
    "takeback to a later version": [gesture("takeback", "3", written=2)],
    "takeback of missing actions": [gesture("takeback", "0", written=99)],
    "takebacks out of order": [gesture("takeback", "0", written=2), gesture("takeback", "0", n=1, written=1)],
    "clock of x": [gesture("clock", "30x+5", seat=-1)],
    "clock without an increment": [gesture("clock", "300", seat=-1)],
    "clock of NaN": [gesture("clock", "nan+nan", seat=-1)],
    "clock of infinity": [gesture("clock", "inf+0", seat=-1)],
    "clock of a negative time": [gesture("clock", "-300+5", seat=-1)],
    "clock of a player": [gesture("clock", "300+5")],
    "pause of x": [CLOCK, gesture("pause", "x", n=1)],
    "pause of NaN": [CLOCK, gesture("pause", "nan", n=1)],
    "time of an action": [CLOCK, ("UPDATE actions SET at = 'x' WHERE tid = ? AND n = 1", ())],
    "infinite time of an action": [("UPDATE actions SET at = 9e999 WHERE tid = ? AND n = 1", ())],
    "resignation of nobody": [gesture("resign", seat=7)],
    "resignation of the server": [gesture("resign", seat=-1)],
    "name of nobody": [gesture("name", "Ann", seat=2)],
    "name of control characters": [gesture("name", "\x1b[31m")],
    "agreement of nobody": [gesture("tutor", seat=9)],
    "agreement with a value": [gesture("tutor", "x")],
    "unknown saying": [gesture("say", "zzz")],
    "next table": [gesture("next", "../x", seat=-1)],
    "unknown gesture": [gesture("zzz")],
    "missing gesture": [gesture("say", "hello", n=1)],
    "infinite time of a gesture": [gesture("say", "hello", at=float("inf"))],
    "tokens that are numbers": [row("tokens", "[5, 6]")],
    "tokens that are lists": [row("tokens", "[[], {}]")],
    "tokens that are not ASCII": [row("tokens", '["é", "é"]')],
    "tokens that are no hashes": [row("tokens", '["x", "y"]')],
    "one seat": [row("seats", '["human"]'), row("tokens", json.dumps([HASH]))],
    "three seats": [row("seats", '["human", "human", "human"]'), row("tokens", json.dumps([HASH] * 3))],
    "no seats": [row("seats", "[]"), row("tokens", "[]")],
    "seats that are no texts": [row("seats", '[1, {"a": 1}]')],
    "half a surrogate pair in the seats": [row("seats", '["\\ud800", "human"]')],
    "half a surrogate pair in the options": [row("options", '{"\\ud800": 1}')],
    "NaN in the options": [row("options", '{"win_score": NaN}')],
    "tutor": [row("tutor", "x")],
    "no seed": [row("seed", "")],
    "seed that is too short": [row("seed", "5e" * 31)],
    "seed with other letters": [row("seed", "5g" * 32)],
    "seed that is no text": [row("seed", b"\x00" * 64)],
    "given seed that is not a number": [row("seed", "given x")],
    "infinite time of creation": [row("created", float("inf"))],
    "half a surrogate pair in a note": [note('{"en": "\\ud800"}')],
    "note that is a list": [note("[1]")],
    "note that is a text": [note('"code"')],
    "note without words": [note('{"en": 1}')],
    "note with an infinite parameter": [
        note('{"code": "note.player_failed", "params": {"player": 1e400, "problem": "a"}}')
    ],
    "note with a list": [note('{"code": "note.player_failed", "params": {"player": "a", "problem": []}}')],
    "note without parameters": [note('{"code": "note.player_failed", "params": 1}')],
    "note at no version": [note('{"en": "a"}', n="x")],
}


def damaged(path, tid, statements):
    """Executes statements whose first value is the id of a table, as a fault would."""
    db = sqlite3.connect(path, isolation_level=None)
    for sql, values in statements:
        db.execute(sql, (tid, *values))
    db.close()


def two_tables(folder):
    """Makes a database with two tables of two moves each; returns its path, and the ids with their tokens."""
    with server(folder) as client:
        tables = []
        for _ in range(2):
            tid, tokens = begin(client, "tic_tac_toe")
            for n, token in enumerate(tokens):
                assert act(client, tid, token, n, n).status_code == 200
            tables.append((tid, ",".join(tokens)))
    return folder / "games.sqlite", *tables


@pytest.mark.parametrize("statements", DAMAGE.values(), ids=DAMAGE)
def test_the_server_says_that_the_table_is_damaged(statements, tmp_path):
    path, (bad, tokens), (sound, others) = two_tables(tmp_path)
    damaged(path, bad, statements)
    with server(tmp_path) as client:
        mine, say = bearing(tokens), {"kind": "say", "value": "hello"}
        answers = [
            client.get(f"{API}/tables/{bad}", headers=mine),
            client.get(f"{API}/tables/{bad}?at=1", headers=mine),
            client.get(f"{API}/tables/{bad}/record", headers=mine),
            client.post(f"{API}/tables/{bad}/gestures", json=say, headers=mine),
            client.post(f"{API}/tables/{bad}/review", headers=mine),
            act(client, bad, tokens, 2, 2),
        ]
        assert [told(answer) for answer in answers] == [(500, "table.damaged")] * len(answers)
        assert act(client, sound, others, 2, 2).status_code == 200


@pytest.mark.parametrize("statements", DAMAGE.values(), ids=DAMAGE)
def test_the_doctor_names_the_table_and_goes_on(statements, tmp_path, capsys):
    path, (bad, _), (sound, _) = two_tables(tmp_path)
    damaged(path, bad, statements)
    for more in ([], ["--export", str(tmp_path / "games")], ["--repair"]):
        assert main(["doctor", "--database", str(path), "--json", *more]) == (0 if "--repair" in more else 1)
        found = json.loads(capsys.readouterr().out)
        assert list(found["damaged"]) == [bad]
        assert found["sound"] == 1
    written = {one.name: records.load(one.read_bytes())[1] for one in (tmp_path / "games").iterdir()}
    assert written[f"tic_tac_toe-{sound}.json"] == (0, 1)
    assert set(written) <= {f"tic_tac_toe-{sound}.json", f"tic_tac_toe-{bad}-cut.json"}
    with server(tmp_path) as client:
        assert look(client, sound)["version"] == 2
        assert told(client.get(f"{API}/tables/{bad}")) == (404, "table.missing")


@pytest.mark.parametrize("review", ["[1]", "[" * 100_000, '"x"', "NaN", 7])
def test_a_damaged_review_is_made_again(review, tmp_path):
    path, (tid, _), _ = two_tables(tmp_path)
    damaged(path, tid, [("INSERT INTO reviews VALUES (?, 2, ?)", (review,))])
    store = Store(path)
    assert store.review(tid, 2) is None
    store.close()


@pytest.mark.parametrize("statements", [[row("tokens", "[5, 6]")], [gesture("takeback", "x")]])
def test_the_moves_of_a_damaged_table_are_exported(statements, tmp_path):
    path, (bad, _), _ = two_tables(tmp_path)
    assert main(["doctor", "--database", str(path), "--repair"]) == 0  # packs the moves
    damaged(path, bad, statements)
    assert main(["doctor", "--database", str(path), "--export", str(tmp_path / "games")]) == 1
    assert records.load((tmp_path / "games" / f"tic_tac_toe-{bad}-cut.json").read_bytes())[1] == (0, 1)


def a_game_with_dice(folder):
    """Makes a database with a game of pig that has rolls; returns its path, its id and its token."""
    with server(folder) as client:
        tid, (token, _) = begin(client, "pig")
        assert act(client, tid, token, 0, 0).status_code == 200
    return folder / "games.sqlite", tid, token


@pytest.mark.parametrize("seed", ["5f" * 32, "given 1"])
def test_dice_that_do_not_follow_from_the_seed_are_noticed(seed, tmp_path, capsys):
    path, tid, token = a_game_with_dice(tmp_path)
    damaged(path, tid, [row("seed", seed)])
    assert main(["doctor", "--database", str(path), "--json"]) == 1
    assert "does not follow from its seed" in json.loads(capsys.readouterr().out)["damaged"][tid]
    with server(tmp_path) as client:
        assert told(client.get(f"{API}/tables/{tid}", headers=bearing(token))) == (500, "table.damaged")


def times(path, tid):
    db = sqlite3.connect(path)
    (found,) = db.execute("SELECT ended, touched, created FROM tables WHERE id = ?", (tid,))
    db.close()
    return found


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize(
    ("column", "value"),
    [("ended", "x"), ("ended", b"x"), ("ended", 9e999), ("touched", "x"), ("touched", -9e999), ("ended", "the other")],
)
def test_times_that_are_wrong_are_corrected_by_a_repair(column, value, is_over, tmp_path, capsys):
    path, (bad, tokens), _ = two_tables(tmp_path)
    if is_over:
        with server(tmp_path) as client:
            gestures = f"{API}/tables/{bad}/gestures"
            assert client.post(gestures, json={"kind": "resign"}, headers=bearing(tokens)).status_code == 200
    assert main(["doctor", "--database", str(path), "--repair"]) == 0
    right = [at for at in times(path, bad) if at is not None]
    damaged(path, bad, [row(column, value if value != "the other" else None if is_over else 1.0)])
    with server(tmp_path) as client:
        assert look(client, bad)["over"] == is_over  # the server does not need them
    capsys.readouterr()
    for more in ([], ["--repair"]):
        assert main(["doctor", "--database", str(path), "--json", *more]) == (0 if more else 1)
        found = json.loads(capsys.readouterr().out)
        assert (found["sound"], found["damaged"], list(found["times"])) == (2, {}, [bad])
        assert list(found["times"][bad]) == [column]
    ended, touched, created = times(path, bad)
    assert (ended is not None) == is_over
    assert all(created <= at <= max(right, default=0) for at in (touched, ended) if at is not None)
    assert main(["doctor", "--database", str(path)]) == 0


def renamed(path, old, new):
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("UPDATE tables SET id = ? WHERE id = ?", (new, old))
    db.execute("UPDATE actions SET tid = ? WHERE tid = ?", (new, old))
    db.close()


@pytest.mark.parametrize("ids", [("A" * 400, "A" * 399 + "B"), ("a.b", "a:b"), ("", "~")])
def test_any_ids_are_exported_to_files_of_their_own(ids, tmp_path, capsys):
    path, *tables = two_tables(tmp_path)
    for (old, _), new in zip(tables, ids, strict=True):
        renamed(path, old, new)
    assert main(["doctor", "--database", str(path), "--export", str(tmp_path / "games"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["sound"], found["exported"]) == (2, 2)
    assert [records.load(one.read_bytes())[1] for one in (tmp_path / "games").iterdir()] == [(0, 1)] * 2


@pytest.mark.parametrize("tid", [b"abc", "é"])
def test_an_id_that_no_table_can_have_is_named(tid, tmp_path, capsys):
    path, (old, _), _ = two_tables(tmp_path)
    renamed(path, old, tid)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("UPDATE tables SET seats = '[' WHERE id = ?", (tid,))
    db.close()
    assert main(["doctor", "--database", str(path), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["sound"], list(found["damaged"])) == (1, [str(tid)])


@pytest.mark.parametrize(
    "statements", [[row("seats", "[")], [row("touched", "x")], [row("options", '{"\\u001b[2J": 1}')]]
)
def test_control_characters_are_not_printed(statements, tmp_path, capsys):
    path, (old, _), _ = two_tables(tmp_path)
    tid = "\x1b]0;title\x07\x9b31m\r\n\u202eabc"
    renamed(path, old, tid)
    damaged(path, tid, statements)
    assert main(["doctor", "--database", str(path)]) == 1
    said = capsys.readouterr().out
    assert "\\x1b]0;title\\x07\\x9b31m\\r\\n\\u202eabc: " in said
    assert not set(said) & set("\x1b\x07\x9b\r\u202e")


def test_control_characters_of_a_schema_are_not_printed(tmp_path, capsys):
    path, *_ = two_tables(tmp_path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA writable_schema = ON")
    db.execute("UPDATE sqlite_master SET name = '\x1b[2J', sql = 'CREATE nonsense' WHERE name = 'notes_of'")
    db.close()
    assert main(["doctor", "--database", str(path)]) == 2
    said = capsys.readouterr().err
    assert "\\x1b[2J" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("content", [b"no lock " * 1000, None])
def test_a_damaged_lock_stops_a_repair_in_one_line(content, tmp_path, capsys):
    path, *_ = two_tables(tmp_path)
    lock = tmp_path / "games.sqlite.lock"
    lock.unlink(missing_ok=True)
    if content is None:
        lock.mkdir()
    else:
        lock.write_bytes(content)
    before = path.read_bytes()
    assert main(["doctor", "--database", str(path), "--repair"]) == 2
    said = capsys.readouterr().err
    assert "games.sqlite.lock cannot be used" in said
    assert "Traceback" not in said
    assert path.read_bytes() == before


def interrupted(folder):
    """Makes a database with two tables where a computer player is to move; returns its path and the ids, newest
    last."""
    with server(folder) as client:
        tids = [begin(client, "tic_tac_toe", ("greedy", "human"))[0] for _ in range(2)]
        until(lambda: all(look(client, tid)["version"] for tid in tids))
    path = folder / "games.sqlite"
    for tid in tids:
        damaged(path, tid, [("DELETE FROM actions WHERE tid = ?", ())])
    return path, *tids


def moves(path, tid):
    db = sqlite3.connect(path)
    (found,) = db.execute("SELECT count(*) FROM actions WHERE tid = ?", (tid,)).fetchone()
    db.close()
    return found


def test_a_damaged_table_does_not_keep_the_players_of_others_waiting(tmp_path):
    path, sound, bad = interrupted(tmp_path)
    damaged(path, bad, [gesture("clock", "30x+5", seat=-1, written=0)])
    with server(tmp_path):
        assert until(lambda: moves(path, sound)) == 1
    assert moves(path, bad) == 0


def test_no_error_of_a_table_keeps_the_players_of_others_waiting(tmp_path, monkeypatch, caplog):
    path, sound, bad = interrupted(tmp_path)
    read = Store.table

    def failing(store, tid):
        if tid == bad:
            raise RuntimeError("out of order")
        return read(store, tid)

    monkeypatch.setattr(Store, "table", failing)
    with server(tmp_path):
        assert until(lambda: moves(path, sound)) == 1
    assert f"{bad[:6]}: out of order" in caplog.text


def test_sound_gestures_are_read(tmp_path):
    """Every kind that the server writes."""
    path, (tid, tokens), _ = two_tables(tmp_path)
    made = [
        gesture("clock", "300+0.5", seat=-1, written=0),
        gesture("name", "Zoé", n=1),
        gesture("pause", "12.345", seat=1, n=2, written=2),
        gesture("say", "hello", n=3, written=2),
        gesture("tutor", n=4, written=2),
        gesture("time", n=5, written=2),
        gesture("rematch", seat=1, n=6, written=2),
        gesture("next", "Ab_-9", seat=-1, n=7, written=2),
    ]
    damaged(path, tid, [*made, row("ended", 1.0)])
    with server(tmp_path) as client:
        view = look(client, tid, tokens)
    assert (view["revision"], view["next"], view["winner"]) == (8, "Ab_-9", 1)
    assert main(["doctor", "--database", str(path)]) == 0


def test_takebacks_that_fit_the_actions():
    def back(value, written):
        return Gesture("takeback", 0, value, written, 1.0)

    assert standing([5, 6, 7], [back("1", 2)]) == [0, 2]
    assert standing([5, 6], [back("2", 2), back("0", 2)]) == []
    for wrong in ([back("3", 2)], [back("0", 4)], [back("0", 2), back("0", 1)]):
        with pytest.raises(ValueError, match="takeback"):
            standing([5, 6, 7], wrong)
