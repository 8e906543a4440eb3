"""Rare requests away from tables, as in other_requests.py: the analysis board, runs, pages, foreign hosts."""

import asyncio
import json
from itertools import product

from other_requests import any_of
from serving import API, HERE, PROXY, begin, first, play_out, sent_by, server, until

from tablier.web.http.app import App, Settings
from tablier.web.service.limits import Limits

NEAR_THE_END = {"men": [2, *[0] * 22, -2], "bar": [0, 0], "values": {}}


def analyse(client, what="", status=200, **body):
    answer = client.post(f"{API}/analysis{what}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def set_up_positions(folder, monkeypatch):
    """The analysis board: starts, positions and throws, what is refused, and the way back from a table."""
    monkeypatch.setattr("tablier.web.service.analysis.MOST_BYTES", 4_096)
    with server(folder, think=0.02) as client:
        for game in ("tic_tac_toe", "pig", "trictrac", "backgammon", "trictrac_a_ecrire"):
            view, actions = analyse(client, game=game), []
            for _ in range(12):
                if view["over"]:
                    break
                actions.append((view["throws"] or view["legal"])[0]["outcome" if view["throws"] else "action"])
                view = analyse(client, game=game, actions=actions)
            for position in filter(None, (view["position"], view["id"])):
                assert analyse(client, game=game, position=f" {position} ")["scene"]
            client.post(f"{API}/analysis/picture", json={"game": game, "actions": actions, "lang": "fr"})
            client.post(f"{API}/analysis/candidates", json={"game": game, "actions": actions, "player": "greedy"})
            client.post(f"{API}/analysis/candidates", json={"game": game, "actions": actions[:-1]})
            for tried in ([[0, 1]], [[11, None]], [[0, 2], [2, 9]], [[24, 18]]):
                client.post(f"{API}/analysis/why-not", json={"game": game, "actions": actions, "tried": tried})
                client.post(f"{API}/analysis/why-not", json={"game": game, "actions": actions[:-1], "tried": tried})
        wrong = [
            {"game": "chess"},
            {"game": "pig", "options": {"win_score": "x"}},
            {"game": "pig", "options": {"x": 1}},
            {"game": "pig", "position": "x"},
            {"game": "pig", "position": "~x"},
            {"game": "pig", "position": "~eJw"},
            {"game": "pig", "actions": [7]},
            {"game": "tic_tac_toe", "set_up": {"men": [0] * 24}},
        ]
        for body, what in product(wrong, ("", "/candidates", "/picture", "/rollouts")):
            analyse(client, what, 422, **body)
        set_ups = [{"men": [n % 4 - 1] * 24, "bar": [0, 0], "values": {}} for n in range(4)]
        for game, by_hand in product(("trictrac", "backgammon"), [NEAR_THE_END, *set_ups]):
            client.post(f"{API}/analysis", json={"game": game, "set_up": by_hand})
        options = {"holes_to_win": 2, "first_throw": "white"}
        table, _ = begin(client, "trictrac", options=options, tutor=True)
        assert client.get(f"{API}/tables/{table}/position", params={"at": 0}).json()["options"] == options
        rollout = analyse(client, "/rollouts", 201, game="backgammon", set_up=NEAR_THE_END, games=36)["id"]
        until(lambda: client.get(f"{API}/analysis/rollouts/{rollout}").json()["state"] == "done")
        for what, asked in (("hint", {"json": {"at": 99}}), ("review", {})):
            answer = client.post(f"{API}/tables/{table}/{what}", **asked)
            assert answer.status_code == (422 if what == "hint" else 200)
        secret, _ = begin(client, "trictrac")
        assert client.get(f"{API}/tables/{secret}/position").status_code == 403
        assert client.get(f"{API}/tables/{table}/position", params={"at": 99}).status_code == 422


def roll_positions_out(folder, monkeypatch):
    """Rollouts: to their end, cancelled, given up, too many at once, and of positions that cannot be rolled out."""

    def started(status=201, headers=None, **body):
        answer = client.post(f"{API}/analysis/rollouts", json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return f"{API}/analysis/rollouts/{answer.json().get('id')}"

    def ended(address):
        return until(lambda: (found := client.get(address).json())["state"] != "working" and found)

    short = {"game": "backgammon", "set_up": NEAR_THE_END}
    with server(folder, PROXY, think=0.02) as client:
        view = analyse(client, **short)
        positions = [short]
        if view["throws"]:
            positions.append(short | {"actions": [view["throws"][1]["outcome"]]})
        for position, games in product(positions, (36, 72)):
            assert ended(started(**position, games=games))["state"] == "done"
        start = {"game": "backgammon"}
        moves = start | {"actions": [analyse(client, **start)["throws"][0]["outcome"]]}
        for position in (start, moves):
            address = started(**position, games=1296)
            assert client.post(f"{address}/cancel").json()["state"] in ("cancelled", "done")
        assert client.get(f"{API}/analysis/rollouts/{'A' * 22}").status_code == 404
        started(422, game="pig")
        started(409, game="pig", options={"win_score": 1}, actions=over(client, "pig", {"win_score": 1}))
        monkeypatch.setattr("tablier.web.service.rollouts.SECONDS", 0.0)
        assert ended(started(**moves, games=1296))["done"] == 0
        monkeypatch.undo()
        monkeypatch.setattr("tablier.web.service.rollouts._table", fails)
        assert until(lambda: client.get(address).status_code == 422) if (address := started(**moves)) else None
        monkeypatch.undo()
        monkeypatch.setattr("tablier.web.service.rollouts.MOST_KEPT", 1)
        ended(started(**short, games=36))
        started(**moves, games=1296, headers=sent_by(HERE))
        started(429, **moves, games=1296, headers=sent_by(HERE))
        started(**moves, games=1296)  # they are cancelled when the server ends


def fails(*_):
    raise ValueError("no table")


def over(client, game, options):
    """Returns the actions of a game that is over."""
    view, actions = analyse(client, game=game, options=options), []
    while not view["over"]:
        actions.append(view["throws"][-1]["outcome"] if view["throws"] else view["legal"][len(actions) > 1]["action"])
        view = analyse(client, game=game, options=options, actions=actions)
    return actions


def review_games(folder, monkeypatch):
    """Reviews: given up, failed, of a game that is played on, and of a game with mistakes, read from the store."""
    monkeypatch.setattr("tablier.web.service.review.PATIENCE", 0.0)
    with server(folder, think=0.02) as client:
        reviews = client.app.fastapi.state.server.reviews
        table, tokens = begin(client, "tic_tac_toe", tutor=True)
        play_out(client, table, tokens, first)
        ask = f"{API}/tables/{table}/review"
        assert client.post(ask).json()["state"] == "working"
        until(lambda: table not in reviews._working)
        monkeypatch.undo()
        monkeypatch.setattr("tablier.web.service.review.decisions", fails)
        assert until(lambda: (answer := client.post(ask)).status_code != 200 and answer).status_code == 422
        monkeypatch.undo()
        done = until(lambda: (found := client.post(ask).json())["state"] == "done" and found)
        assert client.post(ask).json() == done
        running, keys = begin(client, "tic_tac_toe", tutor=True)
        go_on = asyncio.Event()
        luck = reviews._luck

        async def waits(*given):
            await go_on.wait()
            return await luck(*given)

        monkeypatch.setattr(reviews, "_luck", waits)
        ask = f"{API}/tables/{running}/review"
        client.post(ask)
        play_out(client, running, keys, first)
        client.loop.call_soon_threadsafe(go_on.set)
        late = until(lambda: (found := client.post(ask).json())["state"] == "done" and found)
        assert late["of"] == 0
        monkeypatch.undo()
        monkeypatch.setattr(reviews._shares, "_most", 0)
        assert client.post(ask).status_code == 429
        monkeypatch.undo()
        monkeypatch.setattr("tablier.web.service.review.LUCK", -1.0)
        dice, keys = begin(client, "pig", options={"win_score": 12})
        play_out(client, dice, keys, any_of(1))
        ask = f"{API}/tables/{dice}/review"
        done = until(lambda: (found := client.post(ask).json())["state"] == "done" and found)
        assert {one["luck"] for one in done["players"]} == {None}
        monkeypatch.setattr("tablier.web.service.review.analyst", lambda game, seconds: "random")
        client.post(f"{API}/tables/{begin(client, 'pig', tutor=True)[0]}/review")


def list_runs(folder, monkeypatch):
    """Runs: whole, damaged and growing ones, their metrics and their networks."""
    runs = folder / "runs"
    texts = {
        "good": ('{"algorithm": "td", "game": "pig"}', '{"step": 1, "seconds": 60, "loss": 0.5}\n'),
        "list": ("[]", "x\n"),
        "broken": ("{", ""),
        ".hidden": ("{}", ""),
        "long": ('{"algorithm": "x", "game": "pig"}', '{"step": 1, "x": "' + "y" * 200_000 + '"}\n'),
        "bare": ("{}", None),
    }
    for name, (config, metrics) in texts.items():
        (runs / name).mkdir(parents=True)
        (runs / name / "config.json").write_text(config)
        if metrics is not None:
            (runs / name / "metrics.jsonl").write_text(metrics)
    (runs / "good" / "model.safetensors").write_bytes(b"x")
    with server(folder, PROXY, think=0.02) as client:
        listed = f"{API}/runs"
        assert {one["name"] for one in client.get(listed).json()} == set(texts) - {".hidden"}
        with (runs / "good" / "metrics.jsonl").open("a") as file:
            file.write('{"step": 2, "seconds": 90, "loss": 0.25}\n')
        assert [one["steps"] for one in client.get(listed, headers=sent_by(HERE)).json() if one["name"] == "good"] == [
            2
        ]
        (runs / "good" / "metrics.jsonl").write_text('{"step": 1, "seconds": 1, "win": 0.5}\n')
        assert client.get(listed).status_code == 200
        assert client.get(f"{listed}/good/metrics", params={"names": "win,,x"}).json()["win"] == [0.5]
        for name in ("bare", "list", "x", "..", ".hidden"):
            client.get(f"{listed}/{name}/metrics", params={"names": "loss"})
        monkeypatch.setattr("tablier.web.service.runs.MOST_NAMES", 0)
        assert client.get(listed).status_code == 200
        for query in ({"game": "pig"}, {"game": "pig", "kinds": False}, {"game": "chess"}, {"game": "trictrac"}):
            client.get(f"{API}/players", params=query)
        for player in ("policy:net=good", "policy:net=x", "policy:net=bare", "mcts:sims=4,seed=1", "gumbel:sims=4,x=1"):
            new = {"game": "pig", "seats": ["human", player]}
            assert client.post(f"{API}/tables", json=new).status_code in (201, 422)


def answer_puzzles(folder, monkeypatch):
    """Every kind of puzzle, answered best, right, wrong and impossibly; lessons; and what there is none of."""
    with server(folder, PROXY, think=0.02) as client:
        for one in client.get(f"{API}/puzzles", headers=sent_by(HERE)).json():
            for name in [
                puzzle["name"] for part in one["sets"] for puzzle in (part["puzzles"][0], part["puzzles"][-1])
            ]:
                address = f"{API}/puzzles/{one['game']}/{name}"
                asked = client.get(address).json()
                answers = [option["value"] for option in asked["options"]]
                answers = answers or [action["action"] for action in asked["view"]["legal"]]
                best = client.post(f"{address}/answer", json={"answer": answers[0]}).json()["solution"]
                told = [client.post(f"{address}/answer", json={"answer": one}) for one in [best, *answers[:12]]]
                assert told[0].json()["right"]
                assert {one.status_code for one in told} == {200}
                assert client.post(f"{address}/answer", json={"answer": -7}).status_code == 422
        for one in client.get(f"{API}/lessons").json():
            for heading in one["lessons"]:
                assert client.get(f"{API}/lessons/{one['game']}/{heading['name']}").status_code == 200
        for kind, game in product(("lessons", "puzzles"), ("trictrac", "pig", "chess")):
            assert client.get(f"{API}/{kind}/{game}/x").status_code == 404


def open_pages(folder, monkeypatch):
    """The files of the page, message catalogues, the documentation, and refusals of the framework in two languages."""
    with server(folder, PROXY, think=0.02, work=0.0, work_burst=300.0) as client:
        paths = ["/", "/css/base.css", "/messages/languages.json", "/messages/en.json", "/messages/fr.rules.json"]
        paths += ["/games/trictrac/x", "/messages/xx.json", "/messages/en.json.json", f"{API}/docs"]
        statuses = {}
        for path in paths:
            answer = client.get(path, headers={"Accept-Encoding": "gzip"})
            statuses[path] = answer.status_code
            again = client.get(path, headers={"Accept-Encoding": "", "If-None-Match": answer.headers.get("etag", "x")})
            assert again.status_code in (answer.status_code, 304)
        assert [path for path, status in statuses.items() if status != 200] == paths[5:8]
        assert client.post("/", headers={"Accept-Language": "fr-CH, en;q=0.5"}).status_code == 405
        assert client.request("HEAD", "/").status_code == 200
        refused = client.request("PATCH", f"{API}/games", headers={"Accept-Language": "de"})
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET"), refused.text
        assert client.post(f"{API}/tables", content=b"{").status_code == 422
        assert client.post(f"{API}/tables", content=b"\xff").status_code in (400, 422)
        assert client.get(f"{API}/players", params={"game": "x" * 65}).status_code == 422
        assert 429 in [client.get(f"{API}/health", headers=sent_by(HERE)).status_code for _ in range(160)]
        assert 429 in [client.get("/", headers=sent_by(HERE)).status_code for _ in range(12)]
        assert client.post(f"{API}/throws", json={}).status_code == 422
        board = {"board": [0] * 24, "dice": [1, 2]}
        assert client.post(f"{API}/throws", json=board).status_code in (200, 422)


def come_from_elsewhere(folder, monkeypatch):
    """Foreign hosts and origins, bodies too large or too slow, clients that leave, and proxies that say little."""
    home = {"Origin": "http://127.0.0.1:8000"}
    with server(folder, PROXY, think=0.02, body=200, record=400) as client:
        address = f"{API}/library"
        answers = {
            (("Host", "evil.example"),): 403,
            (("Host", "["),): 403,
            (("Host", ""),): 403,
            (("Origin", "http://evil.example"),): 403,
            (("Sec-Fetch-Site", "cross-site"),): 403,
            (("Sec-Fetch-Site", "same-origin"),): 201,
            tuple(home.items()): 201,
            (("X-Forwarded-For", "x"),): 201,
            (("X-Forwarded-For", "127.0.0.1"),): 201,
            (("X-Forwarded-For", "2001:db8::1, 127.0.0.1"),): 201,
            (("X-Forwarded-For", "::ffff:203.0.113.9"),): 201,
            (("Authorization", "Basic x"),): 201,
        }
        for headers, status in answers.items():
            assert client.post(address, headers=dict(headers)).status_code == status, headers

        async def parts(n, wait=0.0):
            for _ in range(n):
                await asyncio.sleep(wait)
                yield b"x" * 100

        assert client.post(f"{API}/tables", content=b"x" * 201).status_code == 413
        assert client.post(f"{API}/tables", content=b"x" * 300_000).status_code == 413
        assert client.post(f"{API}/records", content=b"x" * 401).status_code == 413
        assert client.post(f"{API}/tables", content=parts(3)).status_code == 413
        assert client.post(f"{API}/tables", content=b"x", headers={"Content-Length": "-1"}).status_code == 413
        expect = {"Expect": "100-continue"}
        assert client.post(f"{API}/tables", content=b"x" * 201, headers=expect).status_code == 413
        monkeypatch.setattr("tablier.web.http.guard.PATIENCE", 0.0)
        assert client.post(f"{API}/tables", content=parts(2, 0.05)).status_code == 408
        monkeypatch.undo()
        assert client.wait(left(client.app)) == []


async def left(app):
    """Sends a request whose client leaves before its body is there; returns what is sent to it."""
    sent = []

    async def receive():
        return {"type": "http.disconnect"}

    async def send(event):
        sent.append(event)

    headers = [(b"host", b"127.0.0.1"), (b"content-length", b"9")]
    scope = {"type": "http", "method": "POST", "path": f"{API}/tables", "headers": headers, "query_string": b""}
    await app(scope, receive, send)
    return sent


def start_and_stop(folder, monkeypatch):
    """The lifespan of the application: it starts and stops, or says why it cannot start."""

    async def lived(app):
        asked, sent = iter(["lifespan.startup", "lifespan.shutdown"]), []

        async def receive():
            return {"type": next(asked)}

        async def send(event):
            sent.append(event)

        try:
            await app({"type": "lifespan", "asgi": {"version": "3.0"}}, receive, send)
        except Exception:
            assert sent[-1]["type"] == "lifespan.startup.failed"
            return sent[-1]["message"]
        return sent[-1]["type"]

    limits = Limits(think=0.02)
    app = App(Settings(folder / "games.sqlite", folder / "runs", host="0.0.0.0", limits=limits))
    app.ending()
    assert asyncio.run(lived(app)) == "lifespan.shutdown.complete"
    app.ending()
    (folder / "other.sqlite").write_bytes(b"not a database, but long enough to look at" * 9)
    said = asyncio.run(lived(App(Settings(folder / "other.sqlite", folder / "runs", limits=limits))))
    assert "Traceback" not in said
    assert json.dumps(said)


TOURS = [
    set_up_positions,
    roll_positions_out,
    review_games,
    list_runs,
    answer_puzzles,
    open_pages,
    come_from_elsewhere,
    start_and_stop,
]
