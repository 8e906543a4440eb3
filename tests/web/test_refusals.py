"""Refusals have a code and parameters, and a message in the language the client prefers."""

import asyncio
import json
import pickle
import re
from pathlib import Path

import pytest
from serving import API, a_client, begin

import tablier
from tablier.games import home_types
from tablier.messages import MessageError, say, templates
from tablier.players import PLAYERS, settings_of
from tablier.players.level import LEVELS
from tablier.web.http.refusals import preferred
from tablier.web.service.players import WITH_HEURISTIC, WITHOUT
from tablier.web.service.refusal import Refused, refusing

client = a_client
SCORED = "trictrac_a_ecrire"
PEOPLE = ["human", "human"]


def refused(answer, status):
    """Returns the code, parameters and message of a refusal."""
    assert answer.status_code == status, answer.text
    told = answer.json()
    assert set(told) == {"detail", "code", "params"}
    return told["code"], told["params"], told["detail"]


@pytest.mark.parametrize(
    ("body", "code", "params"),
    [
        ({"game": "pig", "seats": ["human", "nobody"]}, "player.unknown", {"name": "nobody"}),
        ({"game": "pig", "seats": ["human", ""]}, "player.missing", {}),
        ({"game": "pig", "seats": ["human"]}, "seats.count", {"n": 2, "given": 1}),
        ({"game": "chess", "seats": ["human"]}, "game.missing", {"name": "chess"}),
        ({"game": "pig", "seats": ["human", "policy"]}, "player.needs_network", {"player": "policy"}),
        ({"game": SCORED, "seats": ["human", "heuristic"]}, "game.no_heuristic", {"game": SCORED}),
        (
            {"game": "pig", "seats": ["human", "mcts:sims=1000000"]},
            "player.setting.shared_range",
            {"player": "mcts", "setting": "sims", "value": "1000000", "least": 0, "most": 20000},
        ),
        ({"game": "pig", "seats": ["human", "mcts:speed=9"]}, "player.no_setting", {"setting": "speed"}),
        ({"game": "pig", "seats": ["human", "heuristic:c=9"]}, "player.no_settings", {"setting": "c"}),
        ({"game": "pig", "seats": ["human", "mcts:eval=wisdom"]}, "evaluator.unknown", {"name": "wisdom"}),
        ({"game": "pig", "seats": ["human", "mcts:net=none"]}, "network.unknown", {"name": "none"}),
    ],
)
def test_a_table_that_cannot_be_begun(client, body, code, params):
    told, given, detail = refused(client.post(f"{API}/tables", json=body), 422)
    assert told == code
    assert params.items() <= given.items()
    french, same, en_francais = refused(
        client.post(f"{API}/tables", json=body, headers={"Accept-Language": "de, fr-CA;q=0.8, en;q=0.5"}), 422
    )
    assert (french, same) == (code, given)
    assert en_francais != detail


def test_a_parameter_may_be_a_message_again(client):
    body = {"game": "pig", "seats": ["human"]}
    _, params, detail = refused(client.post(f"{API}/tables", json=body, headers={"Accept-Language": "fr"}), 422)
    assert params["game"] == {"code": "pig.title.pig", "params": {}}
    assert detail == "Cochon se joue à 2, et non à 1"


@pytest.mark.parametrize(
    ("body", "where", "problem"),
    [
        ({"seats": PEOPLE}, "game", "is missing"),
        ({"game": "pig", "seats": []}, "seats", "must have 1 or more items"),
        ({"game": "pig", "seats": PEOPLE, "more": 1}, "more", "is not a field of this request"),
        ({"game": "pig", "seats": PEOPLE, "seed": -1}, "seed", "must be at least 0"),
        ({"game": "pig", "seats": PEOPLE, "seed": "1"}, "seed", "must be a whole number"),
        ({"game": 7, "seats": PEOPLE}, "game", "must be a string"),
        ([], "body", "must be an object"),
    ],
)
def test_a_body_of_another_shape(client, body, where, problem):
    code, params, detail = refused(client.post(f"{API}/tables", json=body), 422)
    assert code == "body.invalid"
    assert params["where"] == where
    assert params["problem"]["code"].startswith("body.problem.")
    assert detail == f"{where}: {problem}"


def test_what_does_not_reach_an_operation(client):
    assert refused(client.get(f"{API}/nowhere"), 404)[0] == "address.missing"
    assert refused(client.post(f"{API}/health"), 405)[0] == "method.refused"
    assert refused(client.get(f"{API}/health", headers={"Host": "evil.example"}), 403)[0] == "host.unknown"
    assert refused(client.post(f"{API}/tables", content=b"x" * 20_000), 413)[:2] == ("body.too_large", {"most": 16384})
    headers = {"Content-Type": "application/json"}
    assert refused(client.post(f"{API}/tables", content=b"{", headers=headers), 422)[0] == "body.not_json"
    assert refused(client.post(f"{API}/tables", content=b"\xff", headers=headers), 400)[0] == "body.unreadable"
    told = client.get(f"{API}/health", headers={"Host": "evil.example", "Accept-Language": "fr"})
    assert refused(told, 403)[2] == say("fr", "host.unknown")
    assert told.headers["Content-Language"] == "fr"


def test_the_other_players_turn(client):
    table, tokens = begin(client, "tic_tac_toe")
    headers = {"Authorization": f"Bearer {tokens[1]}", "Accept-Language": "fr"}
    answer = client.post(f"{API}/tables/{table}/actions", json={"action": 0, "version": 0}, headers=headers)
    assert answer.json() == {"detail": say("fr", "turn.other"), "code": "turn.other", "params": {}}


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("en, fr", "en"),
        ("en;q=0.5, fr;q=0.9", "fr"),
        ("de-AT, es;q=0.9, fr;q=0.1", "fr"),
        ("fr;q=0", "en"),
        ("fr;q=nonsense", "en"),
        ("fr; q=0.3 , en ;q=0.2", "fr"),
        ("*", "en"),
        ("frisian", "en"),
        ("en-GB;q=0.8,fr-FR;q=0.8", "en"),
        (",;=,", "en"),
    ],
)
def test_the_language_that_is_preferred(header, lang):
    assert preferred(header) == lang


def test_an_error_without_a_code_is_told_in_its_own_words():
    with pytest.raises(Refused) as found, refusing():
        raise OverflowError("that is too much")
    assert (found.value.status, found.value.code, found.value.params) == (
        422,
        "refused",
        {"reason": "that is too much"},
    )
    with pytest.raises(Refused) as found, refusing():
        raise MessageError.of("run.missing", name="first")
    assert str(found.value) == "there is no training run called 'first'"
    with pytest.raises(Refused) as found, refusing():
        raise Refused(429, "server.busy")
    assert found.value.status == 429
    with pytest.raises(asyncio.CancelledError), refusing():
        raise asyncio.CancelledError
    again = pickle.loads(pickle.dumps(Refused(404, "run.missing", name="first")))
    assert (again.status, again.message) == (404, Refused(404, "run.missing", name="first").message)


SOURCES = Path(tablier.__file__).parent
MADE_UP = ("body.problem.", "level.", "network.reason.", "setting.")
"""Prefixes of keys that are built at run time."""


def test_every_code_is_in_the_catalogue_and_every_sentence_is_said():
    source = "".join(path.read_text() for path in SOURCES.rglob("*.py"))
    said = set(re.findall(r'(?:Message|Error\.of|Refused)\((?:\d+, )?"([a-z_.]+)"', source))
    home_types()  # loads the games' own messages
    assert said
    assert said <= set(templates("en"))
    for room in ("server", "players"):
        keys = json.loads((SOURCES / "messages" / "en" / f"{room}.json").read_text())
        assert [key for key in keys if f'"{key}"' not in source and not key.startswith(MADE_UP)] == []


def test_every_setting_and_every_level_has_its_words():
    settings = {setting.meaning.key for name in PLAYERS for setting in settings_of(name).values()}
    assert settings == {key for key in templates("en") if key.startswith("setting.")}
    levels = {f"level.{level}" for _, level in (*WITH_HEURISTIC, *WITHOUT)} | {"level.trained", "level.champion"}
    levels |= {f"level.name.{n}" for n in range(1, LEVELS + 1)}
    assert levels == {key for key in templates("en") if key.startswith("level.") and "about" not in key}
