"""Reviews of games: what they find, how long they take, and when they are abandoned."""

import json
import random

import pytest
from serving import API, a_client, act, begin, first, look, play_out, until

from tablier.analysis import steady_analyst

client = a_client


def test_a_review_finds_the_mistake(client, monkeypatch):
    monkeypatch.setattr("tablier.web.service.review.analyst", lambda game, _: steady_analyst(game))  # without a clock
    table, tokens = begin(client, "tic_tac_toe")
    both = ",".join(tokens)
    for version, square in enumerate([0, 1, 4, 2, 8]):  # replying 1 to the corner loses
        act(client, table, both, square, version)
    done = until(lambda: (found := client.post(f"{API}/tables/{table}/review").json())["state"] == "done" and found)
    assert done["mistakes"][0]["version"] == 1
    assert done["mistakes"][0]["best"]["action"] == 4
    assert done["chance"][0] == [0, 0.5]
    assert done["done"] == done["of"]
    assert client.post(f"{API}/tables/{table}/review").json() == done  # stored, not redone
    assert [one["decisions"] for one in done["players"]] == [3, 2]
    assert done["players"][0]["mean"] == 0 < done["players"][1]["mean"]
    assert done["players"][0]["level"]["en"] == "world class"
    assert {one["luck"] for one in done["players"]} == {None}  # without dice there is no luck


def test_a_review_tells_error_rates_luck_and_reasons(client):
    table, _ = begin(client, "trictrac", ["random", "greedy"], options={"holes_to_win": 1})
    until(lambda: look(client, table)["over"])
    ask = f"{API}/tables/{table}/review"
    done = until(lambda: (found := client.post(ask).json())["state"] == "done" and found)
    first, second = done["players"]
    assert first["luck"] == -second["luck"] != 0
    assert sum(one["decisions"] for one in done["players"]) == done["of"]
    assert first["mean"] > second["mean"]
    assert any(one["reasons"] for one in done["mistakes"])


def test_a_review_waits_where_the_tutor_is_silent(client):
    table, tokens = begin(client, "tic_tac_toe")
    act(client, table, tokens[0], 0, 0)
    assert client.post(f"{API}/tables/{table}/review").status_code == 403


def give_up(client, table, monkeypatch):
    """Lets a review time out and waits until work on it stops."""
    monkeypatch.setattr("tablier.web.service.review.PATIENCE", 0.0)
    until(lambda: table not in client.app.fastapi.state.server.reviews._working)


def test_a_review_of_many_decisions_takes_no_longer(client, monkeypatch):
    text = json.dumps({"game": "pig", "options": {"win_score": 200}, "actions": [0, 0] * 1_000})
    table = client.post(f"{API}/records", content=text.encode()).json()["table"]
    ask = f"{API}/tables/{table}/review"
    told = until(lambda: (found := client.post(ask).json())["of"] and found)
    assert told["of"] == 1_000
    assert told["by"].endswith(",ms=180")
    give_up(client, table, monkeypatch)  # it would hold up other work for minutes


def test_a_review_of_a_table_that_is_played_on_is_told(client):
    table, _ = begin(client, "trictrac", ["greedy", "greedy"], tutor=True, options={"holes_to_win": 1})
    ask = f"{API}/tables/{table}/review"
    done = until(lambda: (found := client.post(ask).json())["state"] == "done" and found)
    assert done["done"] == done["of"]


def test_the_work_of_a_review_is_known_before(client):
    """With schools, markings and claims are not judged, so they do not count."""
    table, tokens = begin(client, "trictrac", seed=8, tutor=True, options={"schools": True})
    both = ",".join(tokens)
    for _ in range(40):
        view = look(client, table, both)
        act(client, table, both, first(view), view["version"])
    ask, seen = f"{API}/tables/{table}/review", set()
    done = until(lambda: ((found := client.post(ask).json())["state"] == "done" and found) or seen.add(found["of"]))
    assert seen - {0} <= {done["of"]}
    assert 0 < done["of"] < 40


def test_a_review_that_nobody_asks_for_any_more_is_given_up(client, monkeypatch):
    text = json.dumps({"game": "pig", "options": {}, "actions": [0, 0] * 1_000})
    table = client.post(f"{API}/records", content=text.encode()).json()["table"]
    assert client.post(f"{API}/tables/{table}/review").json()["state"] == "working"
    give_up(client, table, monkeypatch)


def test_a_failed_review_says_so(client, monkeypatch):
    table, tokens = begin(client, "tic_tac_toe", tutor=True)
    act(client, table, tokens[0], 0, 0)

    def broken(game, actions, analyst):
        raise RuntimeError("no opinion")

    monkeypatch.setattr("tablier.web.service.review.decisions", broken)
    answer = until(lambda: (got := client.post(f"{API}/tables/{table}/review")).status_code != 200 and got)
    assert answer.status_code == 422
    assert answer.json()["detail"] == "this game could not be reviewed: no opinion"


def test_luck_is_measured_in_a_game_without_a_heuristic(client):
    table, tokens = begin(client, "pig", options={"win_score": 12}, seed=5)
    chance = random.Random(1)
    play_out(client, table, tokens, lambda view: chance.choice(view["legal"])["action"])
    ask = f"{API}/tables/{table}/review"
    done = until(lambda: (found := client.post(ask).json())["state"] == "done" and found)
    one, other = (player["luck"] for player in done["players"])
    assert (done["unit"], one) == ("win", pytest.approx(-other))
    assert one != 0


def test_a_game_without_chance_has_no_luck(client):
    table, tokens = begin(client, "tic_tac_toe")
    play_out(client, table, tokens, first)
    ask = f"{API}/tables/{table}/review"
    done = until(lambda: (found := client.post(ask).json())["state"] == "done" and found)
    assert [player["luck"] for player in done["players"]] == [None, None]
