"""What the web server's database means, read through the HTTP API."""

import json
import shutil
import tempfile
from pathlib import Path

from serving import API, act, look, server, until

from tablier import records

LOG = ("version", "player", "colour", "kind", "verb", "dice", "moves", "points", "holes")
VIEW = ("version", "length", "game", "options", "tutor", "seeded", "seats", "to_move", "your_turn", "over", "full")
JAN = ("name", "points", "player", "fields", "ways")


def games(folder):
    """Describes every table in a database as each seat holder in `seats.json` sees it.

    The seats refer to the runs in the folder next to it.
    """
    seats = json.loads((folder / "seats.json").read_text())
    with tempfile.TemporaryDirectory() as place:
        copy = Path(shutil.copytree(folder, Path(place) / "web"))
        shutil.copytree(folder.parent / "runs", copy / "runs")
        with server(copy, think=1.0) as client:
            tables = {name: _table(client, **seat) for name, seat in seats.items()}
            library = folder / "library.json"  # since version 4 of the database
            kept = {"library": _library(client, json.loads(library.read_text())["code"])} if library.exists() else {}
            return {"tables": tables, "runs": _runs(client)} | kept


def _table(client, table, tokens, reviewed=False):
    held = [token for token in tokens if token]
    now = look(client, table, ",".join(held))
    told = {
        "now": view_facts(now),
        "half": view_facts(look(client, table, at=now["version"] // 2)),
        "seats": [[seat["you"] for seat in look(client, table, token)["seats"]] for token in held],
        "record": list(records.load(client.get(f"{API}/tables/{table}/record?format=json").content)[1]),
        "review": _review(client, table) if reviewed else None,
    }
    return told | ({"next": _next(client, table, held, now)} if now["your_turn"] else {})


def _library(client, code):
    """Returns the games of a library with their rates, and its statistics, without sentences."""
    found = client.get(f"{API}/library", headers={"Tablier-Library": code}).json()
    facts = ("table", "game", "begun", "ended", "outcome", "analysis", "unit", "rate", "luck")
    return [{name: one[name] for name in facts} for one in found["games"]]


def _review(client, table):
    """Returns the stored review, which is available at once; a new one would take time."""
    kept = client.post(f"{API}/tables/{table}/review").json()
    assert kept["state"] == "done", kept
    told = {name: kept[name] for name in ("done", "of", "by", "unit", "chance")}
    choices = ("played", "best")
    bad = [{name: one[name] for name in ("version", "player", "colour", "cost")} for one in kept["mistakes"]]
    for facts, one in zip(bad, kept["mistakes"], strict=True):
        facts |= {name: {"action": one[name]["action"], "moves": one[name]["moves"]} for name in choices}
    return told | {"mistakes": bad}


def _next(client, table, held, now):
    """Describes what follows the first legal action: dice from the table's secret, and the machine's reply."""
    answer = act(client, table, ",".join(held), now["legal"][0]["action"], now["version"])
    assert answer.status_code == 200, answer.text
    after = answer.json()
    told = {"version": after["version"], "log": log_facts(after, since=now["version"])}
    if all(seat["player"] == "human" for seat in now["seats"]):
        return told

    def answered():
        view = look(client, table, ",".join(held))
        return (view["your_turn"] or view["over"]) and view

    later = until(answered)
    notes = [entry for entry in later["log"] if entry["kind"] == "note" and entry["version"] >= now["version"]]
    return told | {"answered": later["version"] > after["version"], "notes": len(notes)}


def _runs(client):
    listed = client.get(f"{API}/runs").json()
    told = {}
    for one in listed:
        query = {"names": ",".join(one["metrics"])}
        told[one["name"]] = one | {"columns": client.get(f"{API}/runs/{one['name']}/metrics", params=query).json()}
    return told


def view_facts(view):
    """Returns a view without its sentences and pictures."""
    told = {name: view[name] for name in (*VIEW, "returns")}
    told |= {"legal": [one["action"] for one in view["legal"]], "log": log_facts(view)}
    scene = view["scene"]
    if scene["kind"] == "trictrac":
        told["scene"] = scene | {"throw": scene["throw"] and scene["throw"] | {"jans": _jans(scene["throw"])}}
    return told


def log_facts(view, since=-1):
    """Returns the log without its sentences. Notes stay: version 1 stored sentences, version 2 keys and parameters."""
    told = []
    for entry in (entry for entry in view["log"] if entry["version"] > since):
        facts = {name: entry[name] for name in LOG if entry.get(name) is not None}
        facts |= {"jans": _jans(entry)} if entry.get("jans") else {}
        told.append(facts | ({"text": entry["text"]} if entry["kind"] == "note" else {}))
    return told


def _jans(place):
    return [{name: jan[name] for name in JAN} for jan in place["jans"]]
