"""Gestures over HTTP: resigning, takebacks, sayings, names, the tutor between people, rematches, clocks; and the dice.

Whatever is forged, out of turn or too late is refused and changes nothing.
"""

import hashlib
import sqlite3
from contextlib import closing

import pytest
from serving import API, a_client, act, bearing, begin, first, look, play_out, server, until

from tablier.web.http.gestures import Dice
from tablier.web.http.models import View
from tablier.web.service import table as tables
from tablier.web.service.examine import repair

client = a_client


def gesture(client, table, token, kind, value="", **more):
    body = {"kind": kind, "value": value, **more}
    return client.post(f"{API}/tables/{table}/gestures", json=body, headers=bearing(token))


def refused(answer, status, code):
    """Checks a refusal."""
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


def my_turn(client, table, token):
    return until(lambda: (found := look(client, table, token))["your_turn"] and found)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_resigns_loses_at_once_and_nobody_can_play_on(client, seat):
    table, tokens = begin(client, "trictrac", options={"first_throw": "white"})
    view = gesture(client, table, tokens[seat], "resign").json()
    View.model_validate(view)
    assert (view["over"], view["winner"], view["to_move"], view["legal"]) == (True, 1 - seat, None, [])
    loser, winner = (("White", "Black"), ("Black", "White"))[seat]
    assert view["result"]["en"] == f"{loser} resigns. {winner} wins."
    assert view["results"][seat]["en"] == "You resigned."
    assert view["results"][1 - seat]["en"] == f"{loser} resigns. You won."
    assert view["log"][-1]["event"]["kind"] == "end"
    refused(act(client, table, tokens[0], 0, view["version"]), 409, "game.over")
    refused(gesture(client, table, tokens[1 - seat], "resign"), 409, "game.over")


def test_a_forged_resignation_is_refused_and_changes_nothing(client):
    table, tokens = begin(client, "tic_tac_toe")
    other, theirs = begin(client, "tic_tac_toe")
    before = look(client, table, tokens[0])
    refused(gesture(client, table, None, "resign"), 401, "token.missing")
    refused(gesture(client, table, "forged", "resign"), 403, "token.wrong")
    refused(gesture(client, table, theirs[0], "resign"), 403, "token.wrong")
    for kind in ("time", "next", "clock", "pause", "leave", ""):
        assert gesture(client, table, tokens[0], kind).status_code == 422
    assert look(client, table, tokens[0]) == before
    assert not look(client, other)["over"]


def test_three_players_cannot_resign(client):
    table, tokens = begin(client, "trictrac_a_ecrire", ["human"] * 3, options={"players": 3})
    refused(gesture(client, table, tokens[0], "resign"), 409, "gesture.resign_two")


def test_a_takeback_returns_to_ones_last_decision_with_the_same_dice(client):
    table, (token, _) = begin(client, "trictrac", ["human", "random:seed=1"], options={"first_throw": "white"})
    before = my_turn(client, table, token)
    assert not before["takeback"]
    refused(gesture(client, table, token, "takeback", version=before["version"]), 409, "gesture.takeback_none")
    act(client, table, token, before["legal"][0]["action"], before["version"])
    later = my_turn(client, table, token)
    assert later["takeback"]
    again = gesture(client, table, token, "takeback", version=later["version"]).json()
    assert (again["version"], again["revision"]) == (before["version"], before["revision"] + 1)
    assert [again[name] for name in ("scene", "legal", "log")] == [before[name] for name in ("scene", "legal", "log")]
    act(client, table, token, before["legal"][-1]["action"], before["version"])
    dice = lambda view: [one["dice"] for one in view["log"] if one["kind"] == "throw"]  # noqa: E731
    assert dice(my_turn(client, table, token))[:3] == dice(later)[:3]


def test_a_takeback_out_of_turn_or_against_a_person_is_refused(client):
    table, tokens = begin(client, "tic_tac_toe")
    act(client, table, tokens[0], 4, 0)
    act(client, table, tokens[1], 0, 1)
    before = look(client, table, tokens[0])
    refused(gesture(client, table, tokens[0], "takeback", version=2), 409, "gesture.takeback_people")
    assert look(client, table, tokens[0]) == before
    table, (token, _) = begin(client, "tic_tac_toe", ["human", "mcts:sims=50"])
    act(client, table, token, 4, 0)
    refused(gesture(client, table, token, "takeback", version=0), 409, "table.version")
    refused(gesture(client, table, token, "takeback"), 409, "table.version")
    view = my_turn(client, table, token)
    assert view["version"] == 2
    gesture(client, table, token, "resign")
    refused(gesture(client, table, token, "takeback", version=2), 409, "game.over")


def test_a_player_who_thinks_does_not_play_on_after_the_end(client):
    table, (token, _) = begin(client, "trictrac", ["human", "gumbel:ms=300"], options={"first_throw": "white"})
    view = my_turn(client, table, token)
    assert act(client, table, token, first(view), view["version"]).json()["thinking"]
    ended = gesture(client, table, token, "resign").json()
    live = client.app.fastapi.state.server.tables._live[table]
    until(lambda: live.thinker is None)
    assert look(client, table, token) == ended


def test_gestures_survive_a_restart(tmp_path):
    with server(tmp_path) as client:
        table, (token, _) = begin(client, "trictrac", ["human", "random:seed=1"], options={"first_throw": "white"})
        view = my_turn(client, table, token)
        for _ in range(3):
            act(client, table, token, first(view), view["version"])
            view = my_turn(client, table, token)
        view = gesture(client, table, token, "takeback", version=view["version"]).json()
        act(client, table, token, view["legal"][-1]["action"], view["version"])
        my_turn(client, table, token)
        gesture(client, table, token, "name", " Ada ")
        gesture(client, table, token, "say", "oops")
        kept = gesture(client, table, token, "resign").json()
    with server(tmp_path) as client:
        assert look(client, table, token) == kept
        assert kept["seats"][0]["name"] == "Ada"
        assert [one["say"] for one in kept["said"]] == ["oops"]


def test_only_ready_made_messages_and_printable_names_are_accepted(client, monkeypatch):
    table, tokens = begin(client, "pig")
    for kind, value, code in (
        ("say", "I know where you live", "gesture.say"),
        ("say", "", "gesture.say"),
        ("name", "", "gesture.name"),
        ("name", " \t ", "gesture.name"),
        ("name", "A" * 25, "gesture.name"),
        ("name", "A\u202eB", "gesture.name"),
    ):
        refused(gesture(client, table, tokens[0], kind, value), 422, code)
    assert look(client, table)["revision"] == 0
    for _ in range(5):
        assert gesture(client, table, tokens[0], "say", "hello").status_code == 200
    refused(gesture(client, table, tokens[0], "say", "hello"), 429, "gesture.chatter")
    assert gesture(client, table, tokens[1], "say", "hello").status_code == 200


def test_the_tutor_speaks_between_people_only_if_both_agree(client):
    table, tokens = begin(client, "tic_tac_toe")
    ask = lambda: client.post(f"{API}/tables/{table}/hint", json={})  # noqa: E731
    refused(ask(), 403, "tutor.silent")
    view = gesture(client, table, tokens[0], "tutor").json()
    assert (view["tutor"], view["agreed"]["tutor"]) == (False, [0])
    gesture(client, table, tokens[0], "tutor")  # once is enough, twice is not two people
    refused(ask(), 403, "tutor.silent")
    assert gesture(client, table, tokens[1], "tutor").json()["tutor"]
    assert ask().status_code == 200


def test_a_rematch_begins_when_both_agree_with_sides_swapped_and_the_same_tokens(client):
    table, tokens = begin(client, "tic_tac_toe")
    refused(gesture(client, table, tokens[0], "rematch"), 409, "gesture.not_over")
    gesture(client, table, tokens[0], "name", "Ada")
    gesture(client, table, tokens[0], "resign")
    view = gesture(client, table, tokens[0], "rematch").json()
    assert (view["agreed"]["rematch"], view["next"]) == ([0], None)
    view = gesture(client, table, tokens[1], "rematch").json()
    again = look(client, view["next"], tokens[0])
    assert [seat["you"] for seat in again["seats"]] == [False, True]
    assert [seat["name"] for seat in again["seats"]] == ["", "Ada"]
    assert act(client, view["next"], tokens[1], 4, 0).status_code == 200
    assert gesture(client, table, tokens[1], "rematch").json()["next"] == view["next"]  # there is only one


def agree(client, table, tokens):
    """Ends a game, and agrees to a rematch for both."""
    gesture(client, table, tokens[0], "resign")
    before = look(client, table)
    return before, gesture(client, table, ",".join(tokens), "rematch")


@pytest.mark.parametrize(
    ("limits", "status", "code"),
    [({"burst": 3, "refill": 0.0}, 429, "tables.too_fast"), ({"stored": 3}, 507, "store.full")],
)
def test_a_rematch_counts_as_a_new_table(tmp_path, limits, status, code):
    with server(tmp_path, reserve=0.0, **limits) as client:
        table, tokens = begin(client, "tic_tac_toe")
        for _ in range(2):
            _, answer = agree(client, table, tokens)
            table, tokens = answer.json()["next"], tokens[::-1]
        before, answer = agree(client, table, tokens)
        refused(answer, status, code)
        assert look(client, table) == before


def test_a_rematch_that_cannot_be_saved_changes_nothing(tmp_path, monkeypatch):
    with server(tmp_path) as client:
        table, tokens = begin(client, "tic_tac_toe")
        store = client.app.fastapi.state.server.store
        transaction, failed = store._transaction, []

        def full(statements):
            if any("tables" in sql for sql, _ in statements):
                failed.append(sqlite3.OperationalError("database or disk is full"))
                return failed[-1]
            return transaction(statements)

        gesture(client, table, tokens[0], "resign")
        before = look(client, table)
        monkeypatch.setattr(store, "_transaction", full)
        refused(gesture(client, table, ",".join(tokens), "rematch"), 503, "store.unwritable")
        assert failed
        after = look(client, table)
        assert (after["agreed"], after["next"]) == (before["agreed"], None)
        monkeypatch.undo()
        assert gesture(client, table, ",".join(tokens), "rematch").json()["next"]


class Hours:
    """A clock for the server that a test moves."""

    def __init__(self, monkeypatch):
        import time

        self.now = time.time()
        monkeypatch.setattr(tables.time, "time", lambda: self.now)


def test_a_player_out_of_time_loses_and_a_late_move_does_not_count(client, monkeypatch):
    hours = Hours(monkeypatch)
    table, tokens = begin(client, "tic_tac_toe", clock={"base": 60, "increment": 5})
    view = look(client, table, tokens[0])
    assert view["clock"] == {"left": [60, 60], "running": None}  # the first decision takes no time
    hours.now += 500
    assert act(client, table, tokens[0], 4, 0).status_code == 200
    hours.now += 500
    assert act(client, table, tokens[1], 0, 1).status_code == 200
    hours.now += 25
    assert look(client, table)["clock"] == {"left": [35, 60], "running": 0}
    assert act(client, table, tokens[0], 8, 2).json()["clock"] == {"left": [40, 60], "running": 1}
    hours.now += 60.5
    refused(act(client, table, tokens[1], 1, 3), 409, "game.over")
    view = look(client, table)
    assert (view["over"], view["winner"], view["version"]) == (True, 0, 3)
    assert view["results"][1]["en"] == "You ran out of time."


def test_no_clock_runs_while_the_server_is_down(tmp_path, monkeypatch):
    hours = Hours(monkeypatch)
    with server(tmp_path) as client:
        table, tokens = begin(client, "tic_tac_toe", clock={"base": 60})
        act(client, table, tokens[0], 4, 0)
        act(client, table, tokens[1], 0, 1)
    for _ in range(2):
        hours.now += 1000
        monkeypatch.setattr(tables, "STARTED", hours.now)
        with server(tmp_path) as client:
            assert look(client, table)["clock"] == {"left": [60, 60], "running": 0}
    with server(tmp_path) as client:
        hours.now += 20
        assert look(client, table)["clock"]["left"] == [40, 60]
        assert act(client, table, tokens[0], 8, 2).json()["clock"]["left"] == [40, 60]


@pytest.mark.parametrize(
    "clock",
    [{"base": 0}, {"base": -60}, {"base": 1e9}, {"base": "60"}, {"base": 60, "increment": -1}, {"left": [9, 9]}, 60],
)
def test_a_clock_that_is_none_is_refused(client, clock):
    answer = client.post(f"{API}/tables", json={"game": "pig", "seats": ["human", "human"], "clock": clock})
    assert answer.status_code == 422


def test_a_clock_is_for_people_and_cannot_be_set_later(client):
    body = {"game": "pig", "seats": ["human", "random"], "clock": {"base": 60}}
    answer = client.post(f"{API}/tables", json=body)
    refused(answer, 422, "clock.people")
    table, tokens = begin(client, "pig", clock={"base": 60})
    for kind in ("clock", "pause", "time"):
        assert gesture(client, table, tokens[0], kind, "9999+0").status_code == 422
    body = {"action": 0, "version": 0, "clock": {"left": [999, 0]}, "at": 0}
    assert client.post(f"{API}/tables/{table}/actions", json=body, headers=bearing(tokens[0])).status_code == 422
    assert look(client, table)["clock"] == {"left": [60, 60], "running": None}


def dice(client, table):
    return client.get(f"{API}/tables/{table}/dice")


def test_the_seed_of_the_dice_is_promised_before_the_game_and_revealed_after_it(client):
    table, tokens = begin(client, "pig", options={"win_score": 20})
    promised = look(client, table)["commitment"]
    refused(dice(client, table), 409, "dice.secret")
    play_out(client, table, tokens, lambda view: 0 if len(view["log"]) % 5 else 1)
    told = dice(client, table).json()
    Dice.model_validate(told)
    assert hashlib.sha256(told["seed"].encode()).hexdigest() == promised == told["commitment"]
    assert told["rolls"]
    for roll in told["rolls"]:
        digest = hashlib.sha256(f"{told['seed']} {roll['version']}".encode()).digest()
        assert int.from_bytes(digest) % roll["outcomes"] == roll["outcome"]


def test_dice_from_a_given_seed_promise_nothing(client):
    table, tokens = begin(client, "pig", seed=5)
    assert look(client, table)["commitment"] is None
    gesture(client, table, tokens[0], "resign")
    refused(dice(client, table), 409, "dice.none")


def test_a_repaired_file_keeps_gestures_and_a_deleted_table_leaves_none(tmp_path):
    path = tmp_path / "games.sqlite"
    with server(tmp_path) as client:
        table, (token, _) = begin(client, "trictrac", ["human", "random:seed=1"], options={"first_throw": "white"})
        view = my_turn(client, table, token)
        act(client, table, token, first(view), view["version"])
        view = my_turn(client, table, token)
        gesture(client, table, token, "takeback", version=view["version"])
        kept = gesture(client, table, token, "resign").json()
    report, _ = repair(path)
    assert report.damaged == {}
    with server(tmp_path) as client:
        assert look(client, table, token) == kept
        tables_of = client.app.fastapi.state.server.tables
        client.wait(tables_of.remove([table]))
        assert client.get(f"{API}/tables/{table}").status_code == 404
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM gestures").fetchone() == (0,)
