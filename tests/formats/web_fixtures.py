"""Web fixtures for `make_fixtures.py`: the server's database, the seats, and a browser's local storage."""

from __future__ import annotations

import base64
import json
import random
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import browser_meaning
from serving import API, HOME, act, bearing, begin, look, server, until

WRITTEN = 1_794_787_200.0
"""The fake time in stored files: 2026-11-16."""
NAMED = {"fill_way_rule": "nominal", "forbidden_test": "material"}
GONE = "gone"
"""A run whose network is deleted, so that its player fails and the log of the table says so."""

TABLES: dict[str, tuple[dict[str, Any], int | None]] = {
    "options": (
        {"game": "trictrac", "options": {**NAMED, "holes_to_win": 40, "margot_la_fendue": True}, "seed": 5},
        14,
    ),
    "secret dice": ({"game": "trictrac", "options": NAMED, "tutor": True}, 9),
    "finished": ({"game": "trictrac", "options": {"holes_to_win": 1, **NAMED}, "seed": 2}, None),
    "schools": ({"game": "trictrac", "options": {"schools": True, "holes_to_win": 100}, "seed": 3}, 11),
    "three": (
        {"game": "trictrac_a_ecrire", "options": {"players": 3, "marques": 3}, "seats": ["human"] * 3, "seed": 4},
        40,
    ),
    "scored": ({"game": "trictrac_a_ecrire", "options": {"marques": 2, **NAMED}, "seed": 6}, 25),
    "pig": ({"game": "pig", "options": {"win_score": 20}, "seed": 7}, None),
    "pig unfinished": ({"game": "pig"}, 5),
    "tic-tac-toe": ({"game": "tic_tac_toe"}, None),
    "machine": ({"game": "trictrac", "seats": ["human", "heuristic"], "options": {"first_throw": "white"}}, 3),
    "search": ({"game": "trictrac", "seats": ["gumbel:sims=16", "human"], "seed": 8}, 2),
    "network": ({"game": "trictrac", "seats": ["human", "policy:net=ppo"], "options": NAMED, "seed": 9}, 2),
    "failed": ({"game": "tic_tac_toe", "seats": ["human", f"policy:net={GONE}"], "seed": 1}, 0),
}
"""Tables: the request that creates each, and the number of actions by people (None: until the game ends)."""
REVIEWED = ("finished", "tic-tac-toe")


@contextmanager
def repeatable() -> Iterator[None]:
    """Makes tokens, secrets and times reproducible."""
    rng = random.Random("tablier")

    def letters(count: int) -> str:
        return base64.urlsafe_b64encode(rng.randbytes(count)).rstrip(b"=").decode()

    drawn = {
        "secrets.token_urlsafe": letters,
        "secrets.token_hex": lambda count: rng.randbytes(count).hex(),
        "secrets.token_bytes": rng.randbytes,
        "secrets.randbits": rng.getrandbits,
        "secrets.choice": rng.choice,
        "time.time": lambda: WRITTEN,
    }
    with ExitStack() as patches:
        for name, function in drawn.items():
            patches.enter_context(patch(name, function))
        yield


def write_web(folder: Path) -> None:
    """Writes the database and the seats into `folder`, and the local storage into `browser` next to it."""
    runs, records = folder.parent / "runs", folder.parent / "records"
    shutil.copytree(runs, folder / "runs")
    shutil.copytree(runs / "gated", folder / "runs" / GONE)
    with repeatable():
        with server(folder) as client:
            seats = {name: _begin(client, wanted, actions) for name, (wanted, actions) in TABLES.items()}
            for name in ("nominal.txt", "scored-three.json", "pig-cut.json"):
                answer = client.post(f"{API}/records", content=(records / name).read_bytes())
                seats[f"uploaded {name}"] = {"table": answer.json()["table"], "tokens": []}
        shutil.rmtree(folder / "runs" / GONE)
        with server(folder, think=60.0) as client:
            _play(client, seats["failed"], 1)
            for name in REVIEWED:
                ask = f"{API}/tables/{seats[name]['table']}/review"
                until(lambda ask=ask: client.post(ask).json()["state"] == "done")
                seats[name]["reviewed"] = True
            kept, seats["invitation"] = _browse(client, seats)
            library = _collect(client, [seats[name] for name in REVIEWED])
    shutil.rmtree(folder / "runs")
    (folder / "games.sqlite.lock").unlink()
    (folder / "seats.json").write_text(json.dumps(seats, indent=1) + "\n")
    (folder / "library.json").write_text(json.dumps({"code": library}, indent=1) + "\n")
    (folder.parent / "browser" / "local-storage.json").write_text(json.dumps(kept, indent=1) + "\n")


def _begin(client: Any, wanted: dict[str, Any], actions: int | None) -> dict[str, Any]:
    table, tokens = begin(client, **wanted)
    seat = {"table": table, "tokens": tokens}
    _play(client, seat, actions)
    return seat


def _collect(client: Any, seats: list[dict[str, Any]]) -> str:
    """Puts reviewed games into a library, waits until they are rated, and returns the library's code."""
    code = client.post(f"{API}/library").json()["code"]
    for seat in seats:
        headers = {"Tablier-Library": code, **bearing(seat["tokens"][0])}
        game = f"{API}/library/games/{seat['table']}"
        answer = client.request("PUT", game, headers=headers)
        assert answer.status_code == 200, answer.text
        ask = partial(client.post, f"{game}/analysis", headers=headers)
        until(lambda ask=ask: ask().json()["analysis"] == "done")
    return str(code)


def _play(client: Any, seat: dict[str, Any], actions: int | None) -> None:
    """Plays a number of actions by people (None: until the game ends), and waits for the replies."""
    held = ",".join(token for token in seat["tokens"] if token)

    def turn() -> Any:
        view = look(client, seat["table"], held)
        return (view["your_turn"] or view["over"]) and view

    taken, view = 0, until(turn)
    while taken != actions and not view["over"]:
        legal = [one["action"] for one in view["legal"]]
        answer = act(client, seat["table"], held, legal[7 * taken % len(legal)], view["version"])
        assert answer.status_code == 200, answer.text
        taken, view = taken + 1, until(turn)
    if view["over"] != (actions is None):
        raise RuntimeError(f"{view['game']} ended after {taken} actions; change the number of actions in TABLES")


def _browse(client: Any, seats: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any]]:
    """Visits the page: opens three seats by their links, creates a table for a friend, sets a theme and a language.

    Returns:
        The local storage, and the new table with its tokens.
    """
    with browser_meaning.page_of(client) as (page, _):
        page.clock.set_fixed_time(WRITTEN)
        for name in ("options", "pig unfinished", "finished"):
            browser_meaning.open_table(page, f"{seats[name]['table']}/{seats[name]['tokens'][0]}")
        page.goto("about:blank")
        page.goto(HOME)
        page.click("#theme")
        page.click("#language")
        page.select_option("#game", "pig")
        page.check("input[value='link']")
        page.click("details.more summary")
        page.select_option("#side", "0")
        page.click("#begin")
        page.wait_for_selector(".inviting input")
        kept = browser_meaning.stored(page)
    newest = json.loads(kept["tablier.tables"])[0]
    return kept, {"table": newest["id"], "tokens": [newest["tokens"][0], *newest["invites"]]}
