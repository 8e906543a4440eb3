"""A language that is only a catalogue works everywhere: in views, hints, reviews, lists and refusals."""

import random

import pseudo
import pytest
from serving import API, Process, act, bearing, begin, look, until

from tablier._core import native_games

LANGUAGES = {"en", "fr", pseudo.CODE}
QUICK = {
    "pig": {"win_score": 12},
    "trictrac": {"holes_to_win": 1},
    "trictrac_a_ecrire": {"marques": 2},
    "schools": {"holes_to_win": 1, "schools": True},
}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("languages")
    pseudo.write_catalogue(folder / "messages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLIER_MESSAGES", str(folder / "messages"))
        with Process(folder, "--think", "0.2") as process:
            yield process.client


def words(answer):
    """Yields all texts of a response that come in several languages."""
    if isinstance(answer, dict):
        if set(answer) == LANGUAGES:
            yield answer
        else:
            assert "en" not in answer, f"not in every language: {answer}"
            for value in answer.values():
                yield from words(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from words(value)


def assert_spoken(answer):
    """Checks that all text is from the catalogue; anything outside its messages has no letters, such as `1-5 1-3`."""
    found = list(words(answer))
    assert found
    assert [one for one in found if pseudo.has_letters(one[pseudo.CODE])] == []


@pytest.mark.parametrize("game", [*native_games(), "schools"])
def test_views_of_every_game(client, game):
    name = "trictrac" if game == "schools" else game
    table, tokens = begin(client, name, seed=3, tutor=True, options=QUICK.get(game, {}))
    both, rng = ",".join(tokens), random.Random(5)
    view = look(client, table, both)
    for _ in range(60):
        assert_spoken(view)
        if view["over"]:
            break
        view = act(client, table, both, rng.choice(view["legal"])["action"], view["version"]).json()
    assert_spoken(look(client, table, at=view["version"] // 2))
    decision = next(
        entry["version"] - 1 for entry in reversed(view["log"]) if entry["player"] is not None and "verb" in entry
    )
    hint = client.post(f"{API}/tables/{table}/hint", json={"at": decision}).json()
    assert_spoken(hint)


def test_a_review(client):
    table, tokens = begin(client, "tic_tac_toe")
    for version, square in enumerate([0, 1, 4, 2, 8]):
        act(client, table, ",".join(tokens), square, version)
    ask = f"{API}/tables/{table}/review"
    assert_spoken(until(lambda: (found := client.post(ask).json())["state"] == "done" and found))


def test_lists(client):
    assert_spoken(client.get(f"{API}/games").json())
    for game in native_games():
        assert_spoken(client.get(f"{API}/players", params={"game": game}).json())
    board = [3, 2, 3, 3, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, -2, 0, -2, 0, 0, 0, -3, -3, -5]
    assert_spoken(client.post(f"{API}/throws", json={"board": board, "dice": [3, 2]}).json())


TWO = ["human", "human"]
TABLES = [
    {"game": "chess", "seats": TWO},
    {"game": "pig", "seats": ["human"]},
    {"game": "pig", "seats": TWO, "more": 1},
    {"game": "pig", "seats": []},
    {"game": "pig", "seats": TWO, "seed": "x"},
    {"game": 3, "seats": TWO},
    *(
        {"game": "pig", "seats": ["human", player]}
        for player in (
            "",
            "nobody",
            "mcts:a=1",
            "heuristic:a=1",
            "mcts:sims=x",
            "mcts:c=x",
            "mcts:sims=10000000",
            "policy",
            "mcts:eval=x",
            "mcts:net=x",
            "heuristic",
            "mcts:eval=heuristic",
        )
    ),
]


def refusals(client):
    """Yields requests that are refused, one for each reason."""
    table, tokens = begin(client, "tic_tac_toe")
    for body in TABLES:
        yield "POST", "/tables", {"json": body}
    actions = f"/tables/{table}/actions"
    yield "POST", actions, {"json": {"action": 0, "version": 0}}
    yield "POST", actions, {"json": {"action": 0, "version": 0}, "headers": bearing("x")}
    yield "POST", actions, {"json": {"action": 0, "version": 0}, "headers": bearing(tokens[1])}
    yield "POST", actions, {"json": {"action": 0, "version": 7}, "headers": bearing(tokens[0])}
    yield "POST", actions, {"content": b"{", "headers": {"Content-Type": "application/json"}}
    yield "POST", actions, {"content": b"x" * 20_000}
    yield "POST", f"/tables/{table}/hint", {"json": {}}
    yield "GET", f"/tables/{table}?at=5", {}
    yield "GET", f"/tables/{table}?at=x", {}
    yield "GET", f"/tables/{'a' * 22}", {}
    yield "GET", "/players?game=chess", {}
    yield "GET", "/runs/none/metrics?names=loss", {}
    yield "GET", "/nowhere", {}
    yield "DELETE", "/health", {}
    yield "GET", "/health", {"headers": {"Host": "evil.example"}}
    yield "POST", "/tables", {"json": TABLES[0], "headers": {"Origin": "http://evil.example"}}
    for text in ("abc", "{", '{"game": "pig"}', '{"game": "pig", "options": {}, "actions": [9]}', '[Game "pig"]'):
        yield "POST", "/records", {"content": text.encode()}


def test_refusals(client):
    codes = set()
    for method, address, more in refusals(client):
        headers = {"Accept-Language": f"{pseudo.CODE}, fr;q=0.9", **more.pop("headers", {})}
        answer = client.request(method, f"{API}{address}", headers=headers, **more)
        assert answer.status_code >= 400, (method, address, more)
        told = answer.json()
        assert told["code"] != "refused", told
        assert not pseudo.has_letters(told["detail"]), told
        codes.add(told["code"])
    assert len(codes) > 30
