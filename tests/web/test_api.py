import json
import random

import pytest
from serving import API, PATIENCE, a_client, act, bearing, begin, first, look, play_out, server, until

import tablier
from tablier import records
from tablier.learn.algorithms.td import TD, TDConfig, game_of
from tablier.messages import say
from tablier.web.http import models

client = a_client


def test_the_games_are_those_that_are_registered(client):
    games = {game["name"]: game for game in client.get(f"{API}/games").json()}
    assert set(games) == set(tablier.registered_games())
    assert games["pig"]["chance"]
    assert not games["tic_tac_toe"]["chance"]
    assert games["pig"]["options"][0]["name"] == "win_score"


def test_every_rule_is_told_in_both_languages(client):
    games = {game["name"]: game for game in client.get(f"{API}/games").json()}
    assert games["pig"]["options"][0] | {"doc": None} == {
        "name": "win_score",
        "default": 100,
        "accepts": "an integer from 1 to 1000000",
        "doc": None,
        "min": 1,
        "max": 1_000_000,
        "choices": [],
        "offered": "later",
    }
    assert games["pig"]["helps"] == {lang: say(lang, "pig.help") for lang in ("en", "fr")}
    for name in ("pig", "trictrac", "trictrac_a_ecrire"):
        assert games[name]["help"] == tablier.load_game(name).help()
        assert games[name]["helps"]["fr"] != games[name]["helps"]["en"]
        for option in games[name]["options"]:
            if option["offered"] != "never":  # these are for learning code only
                assert option["doc"]["fr"] != option["doc"]["en"], option["name"]


def test_players_are_told_from_easy_to_strong_with_their_caps(client):
    found = client.get(f"{API}/players", params={"game": "trictrac"}).json()
    assert found["levels"][0]["player"] == "level:n=1"
    assert found["levels"][8]["player"] == "champion"
    assert {"en", "fr"} == set(found["levels"][0]["title"])
    mcts = next(kind for kind in found["kinds"] if kind["name"] == "mcts")
    known = {setting.pop("name"): setting for setting in mcts["settings"]}
    assert known["memory"]["about"]["fr"] == say("fr", "setting.memory")
    assert [known["memory"][fact] for fact in ("default", "least", "most")] == [64, 1, 64]
    assert [known["ms"][fact] for fact in ("default", "least", "most")] == [0, 0, 1000.0]
    assert [known["net"][fact] for fact in ("default", "least", "most")] == ["", None, None]
    assert "human" not in {kind["name"] for kind in found["kinds"]}
    assert client.get(f"{API}/players", params={"game": "chess"}).status_code == 404


def test_every_offered_level_plays(client):
    for game in ("pig", "tic_tac_toe", "trictrac"):
        for level in client.get(f"{API}/players", params={"game": game}).json()["levels"]:
            begin(client, game, ["human", level["player"]])


def test_a_whole_game_of_tic_tac_toe_by_two_people(client):
    table, (cross, nought) = begin(client, "tic_tac_toe")
    for version, (token, square) in enumerate([(cross, 0), (nought, 3), (cross, 1), (nought, 4), (cross, 2)]):
        view = act(client, table, token, square, version).json()
    assert view["over"]
    assert view["returns"] == [1, -1]
    assert view["result"] == {"en": "Cross wins.", "fr": "Croix gagne."}
    assert view["to_move"] is None
    assert view["log"][-1]["kind"] == "end"
    assert "<svg" in view["scene"]["svg"]


def test_the_dice_follow_a_move_by_themselves(client):
    table, (token, _) = begin(client, "pig")
    view = act(client, table, token, 0, 0).json()
    assert view["version"] == 2
    assert [entry["kind"] for entry in view["log"]] == ["move", "throw"]
    assert view["to_move"] in (0, 1)


def test_only_who_is_to_move_sees_the_legal_actions(client):
    table, (one, two) = begin(client, "tic_tac_toe")
    assert len(look(client, table, one)["legal"]) == 9
    assert look(client, table, two)["legal"] == []
    assert look(client, table)["legal"] == []
    assert [seat["you"] for seat in look(client, table, two)["seats"]] == [False, True]
    assert look(client, table, f"{one},{two}")["your_turn"]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("trictrac", {"holes_to_win": 2}),
        ("trictrac", {"holes_to_win": 2, "explicit_roll": True, "first_throw": "white"}),
        ("trictrac_a_ecrire", {"marques": 2}),
    ],
)
def test_views_of_a_game_of_trictrac_fit_their_description(client, game, options):
    """Checks every response against the model, and the record of the table against the engine."""
    chance = random.Random(7)
    table, tokens = begin(client, game, options=options, seed=11)

    def choose(view):
        models.View.model_validate(view)
        return chance.choice(view["legal"])["action"]

    view = play_out(client, table, tokens, choose)
    text = client.get(f"{API}/tables/{table}/record").text
    rules, actions = records.load(text)
    state = rules.new_initial_state()
    for action in actions:
        state.apply_action(action)
    assert state.is_terminal()
    assert state.returns() == view["returns"]
    assert len(actions) == view["version"]


def test_the_same_seed_gives_the_same_dice(client):
    def dice(seed):
        table, tokens = begin(client, "trictrac", options={"holes_to_win": 1}, seed=seed)
        view = play_out(client, table, tokens, first)
        return [entry["dice"] for entry in view["log"] if entry["kind"] == "throw"]

    assert dice(5) == dice(5)
    assert dice(5) != dice(6)


def test_an_earlier_version_can_be_looked_at(client):
    table, (token, _) = begin(client, "trictrac", options={"first_throw": "white"}, seed=3)
    before = look(client, table, token)
    act(client, table, token, first(before), before["version"])
    past = look(client, table, token, at=before["version"])
    assert past["scene"] == before["scene"]
    assert past["log"] == before["log"]
    assert (past["legal"], past["your_turn"]) == ([], False)
    assert past["length"] > past["version"]
    assert look(client, table, at=0)["scene"]["men"] == [15] + 22 * [0] + [-15]
    assert client.get(f"{API}/tables/{table}", params={"at": 999}).status_code == 422


def test_a_player_of_the_machine_answers(client):
    table, (token, _) = begin(client, "tic_tac_toe", ["human", "mcts:sims=50"])
    assert act(client, table, token, 4, 0).json()["thinking"]
    view = until(lambda: (found := look(client, table, token))["your_turn"] and found)
    assert view["version"] == 2
    assert not view["thinking"]


def test_players_of_the_machine_play_each_other_while_somebody_looks(client, monkeypatch):
    monkeypatch.setattr("tablier.web.service.tables.PACE", 0.0)
    table, tokens = begin(client, "tic_tac_toe", ["random", "random"])
    assert tokens == [None, None]
    assert until(lambda: look(client, table)["over"])


def test_a_player_that_fails_is_told_and_the_game_goes_on(client, monkeypatch):
    table, (token, _) = begin(client, "tic_tac_toe", ["human", "random"])

    def broken(self, state):
        raise RuntimeError("no idea")

    monkeypatch.setattr("tablier.players.random.RandomPlayer.choose", broken)
    act(client, table, token, 0, 0)
    view = until(lambda: (found := look(client, table, token))["your_turn"] and found)
    assert [entry["kind"] for entry in view["log"]] == ["move", "note", "move"]
    assert view["log"][1]["text"]["en"] == "random failed (RuntimeError); a random action was played instead."


def test_a_hint_ranks_all_actions(client):
    table, _ = begin(client, "tic_tac_toe", tutor=True)
    answer = client.post(f"{API}/tables/{table}/hint", json={})
    assert answer.status_code == 200, answer.text
    hint = answer.json()
    assert hint["unit"] == "win"
    assert len(hint["candidates"]) == 9
    assert hint["candidates"][0]["cost"] == 0


def test_a_hint_comes_from_the_player_that_is_named(tmp_path):
    with server(tmp_path, think=PATIENCE) as client:  # so that the simulations end the search, not the clock
        table, _ = begin(client, "tic_tac_toe", tutor=True)
        named = client.post(f"{API}/tables/{table}/hint", json={"player": "mcts:sims=40"}).json()
    assert named["by"] == "mcts:sims=40"
    assert sum(one["visits"] for one in named["candidates"]) >= 39


def test_the_tutor_is_silent_where_he_was_not_asked_to_sit(client):
    table, tokens = begin(client, "tic_tac_toe")
    assert client.post(f"{API}/tables/{table}/hint", json={}).status_code == 403
    play_out(client, table, tokens, first)
    assert client.post(f"{API}/tables/{table}/hint", json={}).status_code == 409  # nobody is to move any more
    assert client.post(f"{API}/tables/{table}/hint", json={"at": 2}).status_code == 200


def test_a_record_goes_out_and_comes_in_again(client):
    for game in ("pig", "trictrac"):
        table, tokens = begin(client, game, seed=8)
        both = ",".join(tokens)
        for _ in range(6):
            view = look(client, table, both)
            act(client, table, both, first(view), view["version"])
        for kind in ("text", "json"):
            got = client.get(f"{API}/tables/{table}/record", params={"format": kind})
            assert got.headers["content-disposition"].startswith(f'attachment; filename="{game}-')
            again = client.post(f"{API}/records", content=got.content)
            assert again.status_code == 201, again.text
            seen = look(client, again.json()["table"])
            assert seen["scene"] == look(client, table)["scene"]
            assert {seat["player"] for seat in seen["seats"]} == {"record"}
            refused = act(client, again.json()["table"], both, 0, seen["version"])
            assert refused.status_code == 403


def test_a_record_goes_to_other_programs(client):
    table, tokens = begin(client, "backgammon", seed=8)
    both = ",".join(tokens)
    for _ in range(6):
        view = look(client, table, both)
        act(client, table, both, first(view), view["version"])
    (facts,) = [game for game in client.get(f"{API}/games").json() if game["name"] == "backgammon"]
    assert facts["formats"] == ["mat", "sgf"]
    for form in facts["formats"]:
        got = client.get(f"{API}/tables/{table}/record", params={"format": form})
        assert got.headers["content-disposition"].endswith(f'.{form}"')
        again = client.post(f"{API}/records", content=got.content)
        assert look(client, again.json()["table"])["scene"] == look(client, table)["scene"]


def test_a_format_that_the_game_does_not_have_is_refused(client):
    table, _ = begin(client, "pig", seed=8)
    for form in ("sgf", "../x", ""):
        refused = client.get(f"{API}/tables/{table}/record", params={"format": form})
        assert refused.status_code == 422, form
        assert refused.json()["code"] == "record.form"


def test_the_record_does_not_tell_what_players_still_have_to_mark(client):
    """With schools a record would give away the points of a throw, so it ends before the one being marked."""
    table, tokens = begin(client, "trictrac", seed=8, options={"schools": True})
    both, marked = ",".join(tokens), 0
    for _ in range(60):
        view = look(client, table, both)
        _, told = records.load(client.get(f"{API}/tables/{table}/record").content)
        if view["scene"]["stage"] in ("mark", "hold_or_leave", "move"):
            marked += 1
            assert len(told) < view["version"]
            left_out = next(one for one in view["log"] if one["version"] > len(told))
            assert left_out["kind"] == "throw"
        act(client, table, both, first(view), view["version"])
    assert marked > 10


def test_a_throw_is_scored_with_reasons(client):
    board = [3, 2, 3, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0, -2, 0, 0, 0, -3, -3, -5]
    found = client.post(f"{API}/throws", json={"board": board, "dice": [3, 2]}).json()
    assert found["points"] == [12, 0]
    assert found["jans"][0]["why"]["fr"] == "Le coup remplit le petit jan de 3 façons."


def test_runs_and_their_curves(client):
    folder = client.folder / "runs" / "first"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"algorithm": "td", "game": "pig"}')
    rows = [f'{{"step": {n}, "seconds": {n}.0, "loss": {1 / n}, "win": null}}\n' for n in range(1, 1201)]
    (folder / "metrics.jsonl").write_text("".join(rows) + '{"step": 1201, "lo')
    (run,) = (run for run in client.get(f"{API}/runs").json() if run["name"] == "first")
    assert run == {
        "name": "first",
        "algorithm": "td",
        "game": "pig",
        "steps": 1200,
        "minutes": 20.0,
        "metrics": ["loss"],
    }
    curve = client.get(f"{API}/runs/first/metrics", params={"names": "loss,nothing"}).json()
    assert len(curve["steps"]) == len(curve["loss"]) <= 500
    assert curve["steps"][-1] == 1200
    assert set(curve["nothing"]) == {None}
    assert client.get(f"{API}/runs/../metrics", params={"names": "loss"}).status_code == 404
    assert client.get(f"{API}/runs/second/metrics", params={"names": "loss"}).status_code == 404


def test_bad_lines_and_bad_text_of_a_run_are_left_out(client):
    folder = client.folder / "runs" / "spoiled"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(r'{"algorithm": "\ud800", "game": ["pig"]}')
    good = '{"step": 1, "seconds": 60, "loss": 0.5}'
    bad = [
        '{"step": Infinity, "seconds": 1}',
        '{"step": 2, "seconds": "long"}',
        '{"step": 2, "seconds": null, "loss": 1}',
        '{"step": 2, "seconds": 1, "loss": 1' + "0" * 400 + "}",
        r'{"step": 2, "seconds": 1, "\ud800": 1}',
        "[" * 100_000,
        "3",
    ]
    (folder / "metrics.jsonl").write_text("\n".join([good, *bad, ""]))
    listed = client.get(f"{API}/runs")
    assert listed.status_code == 200
    (run,) = (run for run in listed.json() if run["name"] == "spoiled")
    assert (run["algorithm"], run["steps"], run["minutes"], run["metrics"]) == ("?", 1, 1.0, ["loss"])
    curve = client.get(f"{API}/runs/spoiled/metrics", params={"names": "loss"})
    assert curve.json() == {"steps": [1], "loss": [0.5]}


def test_a_trained_network_is_offered_and_plays(client):
    folder = client.folder / "runs" / "small"
    folder.mkdir(parents=True)
    config = TDConfig(game="tic_tac_toe", width=8, blocks=1)
    (folder / "config.json").write_text(json.dumps({"algorithm": "td", **config.as_dict()}))
    (folder / "best.onnx").write_bytes(TD(game_of(config), config).network())
    levels = client.get(f"{API}/players", params={"game": "tic_tac_toe"}).json()["levels"]
    player = "expectimax:plies=1,net=small"
    assert levels[-1]["player"] == player
    table, (token, _) = begin(client, "tic_tac_toe", ["human", player])
    act(client, table, token, 4, 0)
    view = until(lambda: (found := look(client, table, token))["your_turn"] and found)
    assert [entry["kind"] for entry in view["log"]] == ["move", "move"]
    other = client.post(f"{API}/tables", json={"game": "pig", "seats": ["human", player]})
    assert other.status_code == 422
    assert other.json()["detail"].startswith("small was made for game = 'tic_tac_toe'")


def test_schools_hide_the_jans_until_the_throw_is_settled(client):
    options = {"schools": True, "first_throw": "white"}
    table, tokens = begin(client, "trictrac", options=options, seed=2)
    both = ",".join(tokens)
    seen = []
    for _ in range(150):
        view = look(client, table, both)
        if view["scene"]["stage"] in ("mark", "move", "hold_or_leave"):
            assert view["scene"]["throw"]["jans"] == []
        verbs = {action["verb"] for action in view["legal"]}
        wanted = {"declare": 0, "accept": -1, "move": 0, "pass": 0}
        verb = next(verb for verb in wanted if verb in verbs)
        actions = [action for action in view["legal"] if action["verb"] == verb]
        view = act(client, table, both, actions[wanted[verb]]["action"], view["version"]).json()
        seen += [jan["name"] for entry in view["log"][-2:] for jan in entry.get("jans") or []]
    assert seen


def test_schools_ask_only_where_a_throw_can_score(client):
    options = {"schools": True, "first_throw": "white"}
    table, tokens = begin(client, "trictrac", options=options, seed=2)
    both, asked = ",".join(tokens), 0
    for _ in range(40):
        view = look(client, table, both)
        if view["scene"]["stage"] == "mark":
            asked += 1
            throw = [one for one in view["log"] if one["kind"] == "throw"][-1]
            assert "jans" not in throw  # they would tell the points
        actions = {action["verb"]: action["action"] for action in reversed(view["legal"])}
        right = next(actions[verb] for verb in ("declare", "accept", "move", "pass", "roll") if verb in actions)
        view = act(client, table, both, right, view["version"]).json()
    assert 0 < asked < 40
    throws = [one for one in view["log"] if one["kind"] == "throw"]
    silent = [one for one in throws if one.get("jans") == []]
    assert silent  # such a throw is followed by its move
    first_throw = look(client, *begin(client, "trictrac", options=options, seed=2)[:1], at=2)
    assert (first_throw["version"], first_throw["scene"]["stage"]) == (2, "move")


def test_taking_back_goes_to_the_last_decision_that_was_asked(client):
    options = {"schools": True, "first_throw": "white"}
    table, tokens = begin(client, "trictrac", ("human", "random"), options=options, seed=2)
    view = look(client, table, tokens[0])
    assert {one["verb"] for one in view["legal"]} == {"move"}
    act(client, table, tokens[0], first(view), view["version"])
    then = until(lambda: (seen := look(client, table, tokens[0]))["your_turn"] and seen)
    wanted = {"kind": "takeback", "version": then["version"]}
    back = client.post(f"{API}/tables/{table}/gestures", json=wanted, headers=bearing(tokens[0])).json()
    assert (back["version"], back["legal"]) == (view["version"], view["legal"])


def test_the_page_describes_the_api_without_another_host(client):
    page = client.get(f"{API}/docs")
    assert page.status_code == 200
    assert "POST /api/v1/tables" in page.text
    assert "://" not in page.text
    assert "<script" not in page.text
    assert client.get(f"{API}/openapi.json").json()["openapi"].startswith("3.")


def test_health(client):
    begin(client)
    found = client.get(f"{API}/health").json()
    assert found["version"] == tablier.__version__
    assert found["tables"] > 0


def test_a_token_of_another_table_opens_nothing(client):
    table, _ = begin(client, "tic_tac_toe")
    _, (other, _) = begin(client, "tic_tac_toe")
    assert not any(seat["you"] for seat in look(client, table, other)["seats"])
    strange = {b"Authorization": b"Bearer \xff\xc3\x28"}
    assert client.get(f"{API}/tables/{table}", headers=strange).status_code == 200


def test_a_game_in_python_is_shown_as_text_with_its_actions(client, race):
    table, tokens = begin(client, "race", seed=1)
    view = look(client, table, ",".join(tokens))
    assert view["scene"]["svg"] == ""
    assert view["scene"]["text"] == str(race.new_initial_state()) or view["version"]
    assert [action["text"]["en"] for action in view["legal"]]
    assert play_out(client, table, tokens, first)["over"]


def test_a_long_record_is_kept_and_shown(client):
    def upload(rolls):
        text = json.dumps({"game": "pig", "options": {}, "actions": [0, 0] * rolls})  # each roll is a 1
        return client.post(f"{API}/records", content=text.encode())

    kept = upload(9_000)
    assert kept.status_code == 201, kept.text
    view = look(client, kept.json()["table"])
    assert view["version"] == 18_000
    assert len(view["log"]) == 60
    assert upload(11_000).status_code == 422


def test_the_end_of_the_scored_game_for_three(client):
    """The winner is named by their number, and the colours are those of the last marqué."""
    options = {"players": 3, "marques": 3}
    for seed in range(4):
        table, tokens = begin(client, "trictrac_a_ecrire", ["human"] * 3, seed=seed, options=options)
        draw, all_three = random.Random(seed), ",".join(tokens)
        while not (view := look(client, table, all_three))["over"]:
            before = view["scene"]["colours"]
            assert (
                act(client, table, all_three, draw.choice(view["legal"])["action"], view["version"]).status_code == 200
            )
        tokens_won = view["scene"]["tokens"]
        assert view["scene"]["colours"] == before
        assert sorted(before, key=str) == [0, 1, None]
        if tokens_won.count(max(tokens_won)) == 1:
            assert view["result"]["en"] == f"Player {tokens_won.index(max(tokens_won)) + 1} wins."
