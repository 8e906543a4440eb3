"""Libraries by the API: games enter with a seat's token, are analysed, summed up, moved and exported."""

import json
import sqlite3

import pytest
import serving
from serving import API, act, bearing, begin, look, play_out, server, told, until

from tablier import records
from tablier._core import trictrac
from tablier.games.trictrac.jans import throw_jans
from tablier.web.http import api
from tablier.web.service.codes import ALPHABET, new_code, read_code, spaced
from tablier.web.service.examine import repair
from tablier.web.service.refusal import Refused

client = serving.a_client
LIBRARY = f"{API}/library"
MOVES = [0, 1, 4, 2, 8]
"""White's corner, an edge, White's centre, an edge again: White wins with the other corner."""


def create(client):
    answer = client.post(LIBRARY)
    assert answer.status_code == 201, answer.text
    return answer.json()["code"]


def holding(code, token=None):
    return {"Tablier-Library": code, **bearing(token)}


def put(client, code, table, token):
    return client.request("PUT", f"{LIBRARY}/games/{table}", headers=holding(code, token))


def listed(client, code):
    answer = client.get(LIBRARY, headers=holding(code))
    assert answer.status_code == 200, answer.text
    return answer.json()


def finished(client, moves=MOVES):
    """Plays a game of tic-tac-toe; returns its table and tokens."""
    table, tokens = begin(client, "tic_tac_toe")
    for version, move in enumerate(moves):
        assert act(client, table, ",".join(tokens), move, version).status_code == 200
    return table, tokens


def analysed(client, code, table):
    """Waits until the figures of a game are known; returns the game."""

    def asked():
        answer = client.post(f"{LIBRARY}/games/{table}/analysis", headers=holding(code))
        assert answer.status_code == 200, answer.text
        return answer.json() if answer.json()["analysis"] == "done" else None

    return until(asked)


def test_a_game_enters_with_a_token_and_gets_its_error_rate(client):
    code = create(client)
    table, tokens = begin(client, "tic_tac_toe")
    entry = put(client, code, table, tokens[1]).json()
    assert (entry["ended"], entry["outcome"], entry["analysis"]) == (None, None, "none")
    for version, move in enumerate(MOVES):
        act(client, table, ",".join(tokens), move, version)
    (seen,) = listed(client, code)["games"]  # the end is noticed without being told
    assert (seen["outcome"], seen["result"]["en"], seen["rate"]) == ("lost", "You lost.", None)
    done = analysed(client, code, table)
    assert (done["unit"], done["luck"]) == ("win", None)
    assert done["rate"] == pytest.approx(0.25)  # the first edge gives half the game away, the second nothing more
    assert done["opponents"] == [{"player": "human", "name": "", "person": True, "title": None}]
    (summed,) = listed(client, code)["statistics"]
    assert summed["results"] == {"won": 0, "drawn": 0, "lost": 1}
    assert [one["table"] for one in summed["rates"]] == [table]
    assert (summed["analysed"], summed["mean"], summed["points"]) == (1, pytest.approx(0.25), [])


def test_the_same_table_belongs_to_both_players(client):
    table, tokens = finished(client)
    codes = create(client), create(client)
    for code, token in zip(codes, tokens, strict=True):
        put(client, code, table, token)
    rates = [analysed(client, code, table) for code in codes]
    assert [one["outcome"] for one in rates] == ["won", "lost"]
    assert rates[0]["rate"] < rates[1]["rate"]


def test_who_plays_all_seats_has_a_result_but_no_rate(client):
    table, tokens = finished(client)
    code = create(client)
    entry = put(client, code, table, ",".join(tokens)).json()
    assert (entry["outcome"], entry["opponents"]) == (None, [])
    assert entry["result"]["en"] == look(client, table)["result"]["en"]
    assert analysed(client, code, table)["rate"] is None


def test_points_by_jan_and_holds_and_leaves_are_summed_up(client):
    code = create(client)
    options = {"first_throw": "white", "holes_to_win": 2}
    table, tokens = begin(client, "trictrac", options=options, seed=3)

    def last(view):
        return view["legal"][-1]["action"]

    play_out(client, table, tokens, last)
    put(client, code, table, tokens[0])
    analysed(client, code, table)
    (summed,) = listed(client, code)["statistics"]
    record = client.get(f"{API}/tables/{table}/record", params={"format": "json"}).text
    game, actions = records.load(record)
    made, state = [0, 0], game.new_initial_state()
    for action in actions:
        is_throw, player = state.is_chance_node(), trictrac.parts(state).player
        state = state.child(action)
        if is_throw:
            own, other = points_due(state)
            made[player] += own
            made[1 - player] += other
    assert sum(one["made"] for one in summed["points"]) == made[0] > 0
    assert sum(one["against"] for one in summed["points"]) == made[1] > 0
    assert sum(one["missed"] for one in summed["points"]) > 0
    (choice,) = summed["choices"]
    assert (choice["kind"], choice["title"]["en"]) == ("hold_or_leave", "hold or leave")
    assert sum(side["taken"] for side in choice["sides"]) > 0
    assert all(side["wrong"] <= side["taken"] for side in choice["sides"])


def points_due(state):
    jans = throw_jans(state)
    return [sum(jan.points for jan in jans if jan.beneficiary == who) for who in ("player", "opponent")]


def test_nobody_reads_another_library_or_adds_a_foreign_table(client):
    code, other = create(client), create(client)
    table, tokens = finished(client)
    assert told(put(client, code, table, None)) == (401, "token.missing")
    assert told(put(client, code, table, "guessed")) == (403, "token.wrong")
    put(client, code, table, tokens[0])
    assert listed(client, other)["games"] == []
    for method, address in (("DELETE", f"games/{table}"), ("POST", f"games/{table}/analysis")):
        answer = client.request(method, f"{LIBRARY}/{address}", headers=holding(other))
        assert told(answer) == (404, "library.no_game")
    assert [one["table"] for one in listed(client, code)["games"]] == [table]


def test_a_game_and_a_whole_library_are_removed_and_tables_stay(client):
    code, (table, tokens) = create(client), finished(client)
    put(client, code, table, tokens[0])
    assert client.request("DELETE", f"{LIBRARY}/games/{table}", headers=holding(code)).status_code == 204
    assert listed(client, code)["games"] == []
    assert client.request("DELETE", LIBRARY, headers=holding(code)).status_code == 204
    assert told(client.get(LIBRARY, headers=holding(code))) == (404, "library.missing")
    assert look(client, table)["over"]


def test_another_browser_takes_a_library_over_by_its_code(client):
    mine, theirs = create(client), create(client)
    tables = [finished(client) for _ in range(3)]
    for code, (table, tokens) in zip((mine, mine, theirs), tables, strict=True):
        put(client, code, table, tokens[0])
    put(client, theirs, tables[0][0], tables[0][1][0])  # a game that both have
    join = {"headers": holding(theirs), "json": {"code": mine.lower().replace("-", " ")}}
    assert client.post(f"{LIBRARY}/join", **join).json() == {"games": 3}
    assert {one["table"] for one in listed(client, mine)["games"]} == {table for table, _ in tables}
    assert told(client.get(LIBRARY, headers=holding(theirs))) == (404, "library.missing")
    again = client.post(f"{LIBRARY}/join", headers=holding(mine), json={"code": mine})
    assert told(again) == (409, "library.same")


def test_a_code_is_read_as_people_type_it_and_mistakes_are_told(client):
    code = new_code()
    assert read_code(f" {spaced(code).lower()}\n") == code
    assert read_code(code.replace("0", "o").replace("1", "l")) == code
    other = ALPHABET[(ALPHABET.index(code[5]) + 1) % 32]
    cases = {
        spaced(code)[:-3]: "library.code.length",
        code + "X": "library.code.length",
        "": "library.code.length",
        code[:5] + other + code[6:]: "library.code.typo",
        "U" + code[1:]: "library.code.letter",
        code: "library.missing",
    }
    mine = create(client)
    for text, key in cases.items():
        answer = client.post(f"{LIBRARY}/join", headers=holding(mine), json={"code": text})
        assert answer.json()["code"] == key
    french = client.get(LIBRARY, headers={**holding(code[:9]), "Accept-Language": "fr"})
    assert french.json()["detail"] == (
        "un code de bibliothèque compte 28 lettres et chiffres, et celui-ci 9 ; copiez-le en entier"
    )
    with pytest.raises(Refused, match="typing error"):
        read_code(code[1:] + code[0])


def test_everything_is_exported_in_one_file_and_records_are_read_again(client):
    code, (table, tokens) = create(client), finished(client)
    put(client, code, table, tokens[0])
    analysed(client, code, table)
    running, seats = begin(client, "pig")
    put(client, code, running, seats[0])
    answer = client.get(f"{LIBRARY}/export", headers=holding(code))
    assert "tablier-library.json" in answer.headers["content-disposition"]
    whole = answer.json()
    assert (whole["format"], whole["version"], len(whole["games"])) == ("tablier-library", 1, 2)
    by_table = {one["table"]: one for one in whole["games"]}
    assert by_table[running]["record"] is None  # it would tell the dice of a game that is running
    game, actions = records.load(by_table[table]["record"])
    assert (game.name, list(actions)) == ("tic_tac_toe", MOVES)
    assert by_table[table]["figures"]["seats"][0]["decisions"] > 0
    assert code not in answer.text


@pytest.mark.parametrize(("path", "work"), [("library/export", "WRITTEN"), ("tables/{}/dice", "REPLAYED")])
def test_long_games_cost_more(tmp_path, monkeypatch, path, work):
    """With a budget that a single game exceeds, the second request is refused."""
    with server(tmp_path, serving.PROXY, work=0.0, work_burst=100.0) as client:
        code, (table, tokens) = create(client), finished(client)
        put(client, code, table, tokens[0])
        monkeypatch.setattr(api, work, 0.01)  # a millisecond for a hundredth of an action
        headers = holding(code) | serving.sent_by(serving.HERE)
        answers = [client.get(f"{API}/{path.format(table)}", headers=headers) for _ in range(2)]
        assert [one.status_code for one in answers] == [200, 429]


def test_a_library_outlives_a_kill_a_damaged_row_and_a_repair(tmp_path):
    with server(tmp_path) as client:
        code = create(client)
        tables = [finished(client) for _ in range(2)]
        for table, tokens in tables:
            put(client, code, table, tokens[0])
            analysed(client, code, table)
    path = tmp_path / "games.sqlite"
    with sqlite3.connect(path) as db:
        text = json.dumps([row[0] for row in db.execute("SELECT id FROM libraries")])
        assert read_code(code) not in text  # the file does not give the code away
        db.execute("UPDATE shelved SET facts = x'00ff' WHERE tid = ?", (tables[0][0],))
    db.close()
    repair(path)
    with server(tmp_path) as client:
        (entry,) = listed(client, code)["games"]
        assert (entry["table"], entry["analysis"]) == (tables[1][0], "done")


def test_a_library_remembers_a_game_whose_table_was_deleted(tmp_path):
    with server(tmp_path) as client:
        code, (table, tokens) = create(client), finished(client)
        put(client, code, table, tokens[0])
        analysed(client, code, table)
        client.wait(client.app.fastapi.state.server.tables.remove([table]))
        (entry,) = listed(client, code)["games"]
        assert (entry["outcome"], entry["analysis"]) == ("won", "done")
        assert client.get(f"{LIBRARY}/export", headers=holding(code)).json()["games"][0]["record"] is None


def test_a_full_database_refuses_new_libraries_and_a_stranger_cannot_make_many(tmp_path):
    with server(tmp_path, disk=1) as client:
        assert told(client.post(LIBRARY)) == (507, "store.full")
    with server(tmp_path, serving.PROXY) as client:
        codes = [client.post(LIBRARY, headers=serving.sent_by(serving.HERE)) for _ in range(31)]
        assert [one.status_code for one in codes] == [201] * 30 + [429]
