"""Refusals are told in French to who asks for French."""

import re
from pathlib import Path

import pytest
from serving import API, a_client, begin

import tablier.web
from tablier.web.view import french

client = a_client


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"game": "pig", "seats": ["human", "nobody"]}, "aucun joueur ne s'appelle ici 'nobody' ; il y a"),
        ({"game": "pig", "seats": ["human"]}, "Pig a 2 places, non 1"),
        ({"game": "chess", "seats": ["human"]}, "aucun jeu ne s'appelle « chess »"),
        (
            {"game": "pig", "seats": ["human", "human"], "options": {"win_score": 0}},
            "l'option « win_score » de pig est un entier de 1 à 1000000",
        ),
    ],
)
def test_a_table_that_cannot_be_begun(client, body, told):
    answer = client.post(f"{API}/tables", json=body, headers={"Accept-Language": "fr-FR,fr;q=0.9,en;q=0.5"})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith(told)
    english = client.post(f"{API}/tables", json=body, headers={"Accept-Language": "en"}).json()["detail"]
    assert english == client.post(f"{API}/tables", json=body).json()["detail"]
    assert french.refusal(english) == answer.json()["detail"]


SCORED = "trictrac_a_ecrire"
PEOPLE = ["human", "human"]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"game": SCORED, "seats": PEOPLE, "options": {"marques": 5}}, "à deux joueurs"),
        ({"game": SCORED, "seats": [*PEOPLE, "human"], "options": {"marques": 4, "players": 3}}, "à trois, les"),
        ({"game": "trictrac", "seats": PEOPLE, "options": {"fill_school": "double"}}, "l'école pour"),
        ({"game": "pig", "seats": ["human", ""]}, "il manque un joueur"),
        ({"game": "pig", "seats": ["human", "policy"]}, "le joueur « policy » veut un réseau"),
        ({"game": SCORED, "seats": ["human", "heuristic"]}, f"le jeu {SCORED} n'a pas d'heuristique"),
    ],
)
def test_what_games_and_players_refuse(client, body, told):
    answer = client.post(f"{API}/tables", json=body, headers={"Accept-Language": "fr"})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith(told)


@pytest.mark.parametrize(("text", "told"), [("abc", "ligne 1, 'abc' : un relevé"), ("\n", "le relevé est vide")])
def test_what_is_no_record(client, text, told):
    answer = client.post(f"{API}/records", content=text.encode(), headers={"Accept-Language": "fr"})
    assert answer.json()["detail"].startswith(told)


def test_the_other_players_turn(client):
    table, tokens = begin(client, "tic_tac_toe")
    headers = {"Authorization": f"Bearer {tokens[1]}", "Accept-Language": "fr"}
    answer = client.post(f"{API}/tables/{table}/actions", json={"action": 0, "version": 0}, headers=headers)
    assert answer.json() == {"detail": "c'est à l'autre joueur"}


def test_every_sentence_is_still_said_somewhere():
    """Each piece of an English sentence stands in the sources; else it was changed there and has no French now."""
    web = Path(tablier.web.__file__).parent
    source = "".join(path.read_text() for path in web.rglob("*.py") if path.name != "french.py")
    for english in french.REFUSALS:
        for piece in re.split(r"\([^)]*\)|\.\*", english):
            assert piece.strip("' ") in source, english
