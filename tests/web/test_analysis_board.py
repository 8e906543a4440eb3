"""The API of the analysis board: positions, tried moves, candidates, rollouts, pictures, and refusals in words."""

import base64
import zlib

import pytest
from serving import API, PROXY, a_client, begin, look, sent_by, server, told, until

from tablier.backgammon import Position as BackgammonPosition
from tablier.registry import load_game, registered_games
from tablier.trictrac import Position
from tablier.web.service import rollouts

client = a_client
BOARD = [9, 0, 0, 1, 1, 0, 1, 1, 0, 0, 0, 2, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -7]
BOMB = "~" + base64.urlsafe_b64encode(zlib.compress(bytes(500_000))).decode()
"""A short text that unpacks to much more than any state."""
START = [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]


def ask(client, path="", **body):
    return client.post(f"{API}/analysis{path}", json={"game": "trictrac", **body})


def study(client, **body):
    answer = ask(client, **body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("game", registered_games())
def test_every_game_can_be_tried_from_its_start_and_back(client, game):
    """Plays the first actions; each position leads back to itself, and has a picture."""
    actions = []
    for _ in range(6):
        view = study(client, game=game, actions=actions)
        again = study(client, game=game, position=view["position"])
        for name in ("legal", "throws", "to_move", "position", "set_up"):
            assert again[name] == view[name]
        actions.append(view["throws"][-2]["outcome"] if view["throws"] else view["legal"][0]["action"])
    drawn = ask(client, "/picture", game=game, position=view["position"], lang="fr").json()["svg"]
    assert drawn.startswith("<svg")


def test_a_position_is_set_up_by_hand_and_thrown_at(client):
    view = study(client, set_up={"men": BOARD, "values": {"player": 0, "points.0": 4, "holes.1": 2}})
    assert (view["scene"]["men"], view["scene"]["points"], view["scene"]["holes"]) == (BOARD, [4, 0], [0, 2])
    assert len(view["throws"]) == 36
    assert view["id"] == Position(board=BOARD, points=(4, 0), holes=(0, 2)).id() == view["position"]
    (six_five,) = [one["outcome"] for one in view["throws"] if one["dice"] == [6, 5]]
    after = study(client, position=view["position"], actions=[six_five])
    assert after["scene"]["dice"] == [6, 5]
    assert {one["verb"] for one in after["legal"]} == {"leave", "move"}
    again = study(client, position=after["position"])
    assert again["scene"]["throw"]["jans"] == after["scene"]["throw"]["jans"] == again["log"][0]["jans"]


def test_the_score_of_a_position_set_up_by_hand(client):
    both = {"points.0": 2, "points.1": 2, "holes.0": 3, "holes.1": 1, "flag": 1}
    scene = study(client, set_up={"men": BOARD, "values": both})["scene"]
    assert (scene["bredouille"], scene["pavillon"]) == ([False, True], 1)
    scene = study(client, set_up={"men": BOARD, "values": {"points.0": 8, "points.1": 4, "run": 0}})["scene"]
    assert scene["bredouille"] == [True, False]
    scored = study(client, game="trictrac_a_ecrire", set_up={"men": BOARD, "values": {"player": 1, "holes.0": 5}})
    assert (scored["scene"]["mover"], scored["scene"]["holes"], scored["id"]) == (1, [5, 0], None)
    assert scored["position"].startswith("~")


def test_a_backgammon_position_is_set_up_by_hand(client):
    men = [0] * 24
    men[5], men[0] = 3, -2
    view = study(client, game="backgammon", set_up={"men": men, "bar": [0, 1], "values": {"player": 1}})
    assert view["scene"]["bar"] == [0, 1]
    assert view["scene"]["borne_off"] == [12, 12]
    board = BackgammonPosition(board=men, bar=(0, 1), player=1)
    assert view["position"] == view["id"] == board.id()
    xgid = study(client, game="backgammon", position=board.xgid())
    assert xgid["position"] == view["position"]


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ({"position": "//4AAAH//AAAAAB"}, "analysis.unknown", "Il manque peut-être une partie"),
        ({"position": "////////AAAAAAAAAA"}, "trictrac.id.too_many_men", "quinze dames"),
        ({"position": "~eNoL"}, "analysis.broken", "Il manque peut-être une partie"),
        ({"position": "~"}, "analysis.broken", "incomplète"),
        ({"position": "~été"}, "analysis.broken", "incomplète"),
        (
            {"position": "~" + base64.urlsafe_b64encode(zlib.compress(bytes(9**6))).decode()},
            "analysis.broken",
            "altérée",
        ),
        ({"game": "chess"}, "game.missing", "chess"),
        ({"game": "pig", "position": "abc"}, "analysis.unknown", "Cochon"),
        ({"game": "pig", "set_up": {"men": [0] * 24}}, "analysis.no_set_up", "Cochon"),
        ({"options": {"holes_to_win": 0}}, "option.value", "holes_to_win"),
        ({"options": {"holes_to_win": "many"}}, "analysis.options", "ne sont pas celles de trictrac"),
        ({"actions": [99]}, "action.illegal", "99"),
        ({"set_up": {"men": [0] * 24}}, "trictrac.id.impossible", "aucune dame"),
        ({"set_up": {"men": [14, *[0] * 10, 1, *[0] * 11, -15]}}, "trictrac.id.impossible", "on le quitte à deux"),
        ({"set_up": {"men": BOARD, "values": {"points.0": 3}}}, "trictrac.set_up.value", "ne peut valoir 3"),
        ({"set_up": {"men": BOARD, "values": {"moon": 3}}}, "trictrac.set_up.value", "moon"),
        ({"game": "backgammon", "set_up": {"men": START, "bar": [1, 0]}}, "backgammon.id.too_many_men", "16"),
        ({"game": "backgammon", "set_up": {"men": [1] + [0] * 23}}, "backgammon.set_up.no_men", "au moins un pion"),
        ({"game": "backgammon", "set_up": {"men": START, "values": {"player": 2}}}, "backgammon.set_up.value", "2"),
        ({"game": "backgammon", "position": "4HPwATDgc/ABM"}, "analysis.unknown", "Il manque"),
        ({"set_up": {"men": [99] * 24}}, "body.invalid", "15"),
    ],
)
def test_what_is_no_position_is_refused_in_words(client, body, code, words):
    answer = client.post(f"{API}/analysis", json={"game": "trictrac", **body}, headers={"Accept-Language": "fr"})
    assert told(answer) == (422, code)
    assert words in answer.json()["detail"]


def test_a_position_of_other_options_is_refused(client):
    other = study(client, options={"schools": True}, actions=[6])["position"]
    assert told(ask(client, position=other)) == (422, "analysis.broken")
    assert study(client, options={"schools": True}, position=other)["position"] == other


def test_a_move_that_is_not_legal_is_explained(client):
    position = Position(board=BOARD).throw(6, 5)
    view = study(client, position=Position.of(position).id())
    answer = ask(client, "/why-not", position=view["position"], tried=[[12, 18]]).json()["told"][0]
    assert answer["en"] == "An opposing man blocks field 18. Nothing is captured: even one man closes a field."
    assert "ferme la flèche 18" in answer["fr"]
    six, five = ask(client, "/why-not", position=view["position"], tried=[[12, None]]).json()["told"]
    assert six["en"].startswith("By 6: An opposing man blocks field 18.")
    assert five["en"].startswith("By 5: ")
    assert told(ask(client, "/why-not", tried=[[1, 2]])) == (409, "decision.none")
    plain = ask(client, "/why-not", game="tic_tac_toe", tried=[[1, 2]]).json()["told"][0]["en"]
    assert plain == "This move is not legal here."


def test_candidates_have_values_and_reasons(client):
    view = study(client, position=Position.of(Position(board=BOARD).throw(3, 1)).id())
    hint = ask(client, "/candidates", position=view["position"]).json()
    assert hint["unit"] == "win"
    assert {one["action"] for one in hint["candidates"]} == {one["action"] for one in view["legal"]}
    assert hint["candidates"][0]["cost"] == 0.0
    assert any(one["reasons"] for one in hint["candidates"])
    assert told(ask(client, "/candidates")) == (409, "decision.none")
    assert told(ask(client, "/candidates", position=view["position"], player="nobody")) == (422, "player.unknown")


def finished(client, number):
    """Polls a rollout to its end."""

    def look():
        answer = client.get(f"{API}/analysis/rollouts/{number}").json()
        return answer if answer["state"] != "working" else None

    return until(look)


def test_a_rollout_tells_its_progress_and_ends_with_error_bars(client):
    position = Position.of(Position(board=BOARD).throw(3, 1)).id()
    begun = ask(client, "/rollouts", position=position, games=36)
    assert begun.status_code == 201, begun.text
    done = finished(client, begun.json()["id"])
    assert (done["state"], done["done"], done["of"], done["unit"]) == ("done", 36, 36, "win")
    best, *others = done["candidates"]
    assert len(others) == rollouts.CANDIDATES - 1
    assert best["behind"] == 0
    assert all(0 < one["error"] < 0.1 and one["games"] == 36 for one in done["candidates"])
    again = finished(client, ask(client, "/rollouts", position=position, games=36).json()["id"])
    assert again["candidates"] == done["candidates"]


def test_before_a_throw_the_position_is_rolled_out(client):
    position = Position(board=BOARD).id()
    done = finished(client, ask(client, "/rollouts", position=position, games=36).json()["id"])
    (one,) = done["candidates"]
    assert (one["action"], one["games"], done["seat"]) == (None, 36, 0)
    assert 0 < one["value"] < 1


def test_progress_is_that_of_one_moment(client, monkeypatch):
    number = ask(client, "/rollouts", position=Position(board=BOARD).id(), games=36).json()["id"]
    finished(client, number)
    work, *_ = client.app.fastapi.state.server.rollouts._all[number]
    told = rollouts._told

    def ends_meanwhile(*facts):
        work.state = "done"
        return told(*facts)

    monkeypatch.setattr(rollouts, "_told", ends_meanwhile)
    work.state = "working"
    path = f"{API}/analysis/rollouts/{number}"
    assert [client.get(path).json()["state"] for _ in range(2)] == ["working", "done"]


def test_a_rollout_can_be_cancelled(client, monkeypatch):
    monkeypatch.setattr(rollouts, "_portion", lambda table, state, work: True)  # it would never end by itself
    number = ask(client, "/rollouts", position=Position(board=BOARD).id()).json()["id"]
    assert client.get(f"{API}/analysis/rollouts/{number}").json()["state"] == "working"
    assert client.post(f"{API}/analysis/rollouts/{number}/cancel").json()["state"] == "cancelled"
    missing = client.post(f"{API}/analysis/rollouts/{'x' * 22}/cancel")
    assert told(missing) == (404, "analysis.no_rollout")


def test_a_rollout_ends_when_nobody_asks_or_its_time_is_up(client, monkeypatch):
    monkeypatch.setattr(rollouts, "_portion", lambda table, state, work: True)
    monkeypatch.setattr(rollouts, "PATIENCE", -1.0)
    assert finished(client, ask(client, "/rollouts", position=Position(board=BOARD).id()).json()["id"])["done"] == 0
    monkeypatch.setattr(rollouts, "PATIENCE", 1e9)
    monkeypatch.setattr(rollouts, "SECONDS", 0.0)
    assert finished(client, ask(client, "/rollouts", position=Position(board=BOARD).id()).json()["id"])["done"] == 0


def test_a_rollout_that_fails_says_so(client, monkeypatch):
    def broken(table, state, work):
        raise ValueError("no luck")

    monkeypatch.setattr(rollouts, "_portion", broken)
    number = ask(client, "/rollouts", position=Position(board=BOARD).id()).json()["id"]
    until(lambda: client.get(f"{API}/analysis/rollouts/{number}").status_code == 422)
    assert told(client.get(f"{API}/analysis/rollouts/{number}")) == (422, "analysis.failed")


def test_positions_that_cannot_be_rolled_out_are_refused(client):
    for body, status, code in (
        ({"game": "pig"}, 422, "analysis.no_rollouts"),
        ({"options": {"schools": True}}, 422, "analysis.no_rollouts"),
        ({"game": "pig", "options": {"win_score": 2}, "actions": [0, 1, 1]}, 409, "game.over"),
    ):
        answer = ask(client, "/rollouts", **body)
        assert told(answer) == (status, code), answer.text
    assert not study(client, options={"schools": True})["rollouts"]
    assert study(client)["rollouts"]


def test_a_client_cannot_starve_others_with_rollouts(tmp_path, monkeypatch):
    """One rollout for an address at a time; its time counts as that of hints, and a debt refuses the next one."""
    here, elsewhere = sent_by("203.0.113.1"), sent_by("198.51.100.1")
    body = {"game": "trictrac", "position": Position(board=BOARD).id(), "games": 36}
    address = f"{API}/analysis/rollouts"
    with server(tmp_path, PROXY, hints_burst=0.001, hints=0.0) as client:
        played = rollouts._portion
        monkeypatch.setattr(rollouts, "_portion", lambda *_: True)
        first = client.post(address, json=body, headers=here)
        assert first.status_code == 201
        busy = client.post(address, json=body, headers=here)
        assert busy.status_code == 429
        monkeypatch.setattr(rollouts, "_portion", played)
        finished(client, first.json()["id"])
        assert told(client.post(address, json=body, headers=here)) == (429, "server.too_fast")
        assert client.post(address, json=body, headers=elsewhere).status_code == 201


def test_a_table_leads_to_the_analysis_of_its_position(client):
    table, tokens = begin(client, "trictrac", seed=3, tutor=True, options={"first_throw": "white"})
    now = client.get(f"{API}/tables/{table}/position").json()
    seen = look(client, table, tokens[0])
    view = study(client, **now)
    assert (view["legal"], view["scene"]["men"]) == (seen["legal"], seen["scene"]["men"])
    start = client.get(f"{API}/tables/{table}/position", params={"at": 0}).json()
    assert study(client, **start)["throws"]
    assert told(client.get(f"{API}/tables/{table}/position", params={"at": 9})) == (422, "table.shorter")
    silent, _ = begin(client, "trictrac", seed=3)
    assert told(client.get(f"{API}/tables/{silent}/position")) == (403, "tutor.silent")


def test_the_engines_reasons_are_known_in_every_language():
    """Every sentence of the catalogue is one of the engine's."""
    from pathlib import Path

    from tablier.messages import templates

    core = Path(__file__).parents[2] / "core" / "games"
    for game in ("trictrac", "backgammon"):
        load_game(game)
        source = "".join(path.read_text() for path in (core / game).glob("*.h"))
        sentences = [entry for key, entry in templates("en").items() if key.startswith(f"{game}.impossible.")]
        assert sentences
        assert [one for one in sentences if f'"{one}"' not in source] == []
