"""The API for learners: lessons, puzzles, decisions to take again, and refusals."""

from serving import API, a_client, act, begin, look

from tablier.games import home_of
from tablier.games.trictrac import lessons as path
from tablier.registry import load_game
from tablier.web.service.exercises import puzzle_of_day

client = a_client


def test_the_lessons_of_a_game_are_listed_in_order(client):
    (taught,) = client.get(f"{API}/lessons").json()
    assert taught["game"] == "trictrac"
    assert [(one["name"], one["steps"]) for one in taught["lessons"]] == [
        (one["name"], len(one["steps"])) for one in path.raw()
    ]
    assert {"en", "fr"} <= set(taught["lessons"][0]["title"])


def test_a_step_has_a_board_to_play_on_and_its_answers(client):
    lesson = client.get(f"{API}/lessons/trictrac/corner").json()
    effect = lesson["steps"][0]
    assert effect["question"] == "move"
    assert effect["view"]["your_turn"]
    (right,) = effect["right"]
    (move,) = [one for one in effect["view"]["legal"] if one["action"] == right]
    assert sorted(step[:2] for step in move["orders"][0]) == [[6, 12], [8, 12]]
    count = lesson["steps"][3]
    assert (count["question"], count["right"]) == ("pick", [4])
    assert count["view"]["scene"]["dice"] == [6, 2]
    assert count["view"]["scene"]["points"] == [0, 0]  # not marked before it is answered
    assert count["view"]["scene"]["throw"]["jans"] == []
    assert [jan["name"] for jan in count["log"][0]["jans"]] == ["corner"]


def test_what_does_not_exist_is_not_found(client):
    for address, code in (("trictrac/nothing", "lesson.missing"), ("chess/moving", "game.missing")):
        answer = client.get(f"{API}/lessons/{address}")
        assert (answer.status_code, answer.json()["code"]) == (404, code)
    assert client.get(f"{API}/lessons/trictrac/No%20name").status_code == 422


def test_the_puzzles_of_a_game_are_listed_with_the_one_of_the_day(client):
    (found,) = client.get(f"{API}/puzzles", params={"day": "2026-11-17"}).json()
    names = {puzzle["name"] for one in found["sets"] for puzzle in one["puzzles"]}
    assert found["daily"] in names
    assert client.get(f"{API}/puzzles", params={"day": "2026-11-17"}).json()[0]["daily"] == found["daily"]
    assert client.get(f"{API}/puzzles").status_code == 200
    assert client.get(f"{API}/puzzles", params={"day": "tomorrow"}).status_code == 422


def test_every_day_has_its_puzzle_and_every_kind_its_days():
    sets = home_of(load_game("trictrac")).puzzles()
    days = [puzzle_of_day(sets, f"2026-{month:02}-{day:02}").name for month in range(1, 13) for day in range(1, 29)]
    assert len(set(days)) > 150
    assert {name.partition("-")[0] for name in days} == {one.name for one in sets}


def test_a_puzzle_is_asked_without_its_answer_and_judged(client):
    address = f"{API}/puzzles/trictrac/count-1"
    asked = client.get(address).json()
    assert not {"right", "why", "log"} & set(asked)
    assert asked["view"]["scene"]["throw"]["jans"] == []
    verdicts = {
        one["value"]: client.post(f"{address}/answer", json={"answer": one["value"]}).json() for one in asked["options"]
    }
    (right,) = [value for value, told in verdicts.items() if told["right"]]
    assert all(told["solution"] == right for told in verdicts.values())
    assert sum(jan["points"] for jan in verdicts[0]["log"][0]["jans"] if jan["player"] == 0) == right


def test_a_play_is_judged_with_its_cost_and_reasons(client):
    address = f"{API}/puzzles/trictrac/play-1"
    actions = [one["action"] for one in client.get(address).json()["view"]["legal"]]
    told = {action: client.post(f"{address}/answer", json={"answer": action}).json() for action in actions}
    assert [action for action in actions if told[action]["right"]] == [told[actions[0]]["solution"]]
    wrong = next(one for one in told.values() if not one["right"])
    assert "of the chance of winning" in wrong["told"][0]["en"]
    assert len(wrong["told"]) > 1


def test_wrong_puzzles_and_answers_are_refused(client):
    for name, answer, status, code in (
        ("count-0", 4, 404, "puzzle.missing"),
        ("count-1", 3, 422, "puzzle.answer"),
        ("play-1", -1, 422, "puzzle.answer"),
        ("count-1", "4", 422, "body.invalid"),
    ):
        refused = client.post(f"{API}/puzzles/trictrac/{name}/answer", json={"answer": answer})
        assert (refused.status_code, refused.json()["code"]) == (status, code)


def test_a_decision_of_a_table_can_be_taken_again(client):
    table, tokens = begin(client, "trictrac", seed=3, tutor=True, options={"first_throw": "white"})
    view = look(client, table, tokens[0])
    act(client, table, tokens[0], view["legal"][0]["action"], view["version"])
    again = client.get(f"{API}/tables/{table}/exercise", params={"at": view["version"]}).json()
    assert again["view"]["legal"] == view["legal"]
    assert again["view"]["scene"] == view["scene"]
    assert [seat["you"] for seat in again["view"]["seats"]] == [True, False]
    assert client.get(f"{API}/tables/{table}/exercise", params={"at": 0}).json()["code"] == "decision.none"
    assert client.get(f"{API}/tables/{table}/exercise", params={"at": 999}).json()["code"] == "table.shorter"
    silent, _ = begin(client, "trictrac", seed=3, options={"first_throw": "white"})
    assert client.get(f"{API}/tables/{silent}/exercise", params={"at": 1}).json()["code"] == "tutor.silent"


def test_hints_tell_what_the_best_move_does_better(client):
    table, tokens = begin(client, "trictrac", seed=3, tutor=True, options={"first_throw": "white"})
    for _ in range(6):
        view = look(client, table, ",".join(tokens))
        act(client, table, ",".join(tokens), view["legal"][0]["action"], view["version"])
    best, *others = client.post(f"{API}/tables/{table}/hint", json={"player": "heuristic"}).json()["candidates"]
    assert best["reasons"] == []
    assert any(one["reasons"] for one in others)
