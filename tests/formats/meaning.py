"""Describes stored files as plain facts, for both `make_fixtures.py` and the tests.

A version folder holds fixtures by kind (`records/`, `states/`, ...). `meaning(root, name)` opens one of them the way a
user would and returns facts that fit into JSON. It never writes into the folder: files that change when opened are
copied first. Facts are numbers and names from the games, never sentences, so that rewording a message changes nothing.
"""

import contextlib
import dataclasses
import hashlib
import io
import json
import shutil
import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

import numpy as np

import tablier
from tablier import backgammon, records, trictrac
from tablier._core import search
from tablier.analysis.referee import Referee
from tablier.arena import ArenaFile
from tablier.cli import main
from tablier.evaluators import CoreEvaluator, Leaves, OnnxEvaluator
from tablier.learn import load_config
from tablier.players import make_player
from tablier.registry import parse_options

sys.path.append(str(Path(__file__).parent.parent / "web"))  # for the test server and browser

MEANING, SUMS = "meaning.json", "SHA256SUMS"
"""The meaning of a version's fixtures, and the checksums of all its files."""
INDEX = "games.json"
"""Lists the games of files that do not name their game."""
WHOLE = ("web",)
"""Kinds whose files only mean something together."""
DROPPED = frozenset({"fill_way_rule", "forbidden_test"})
"""Options that a later version may drop. Files that name them still open."""
ROWS = 6
"""Rows of features that each network evaluates."""
STEPS = 12
"""Steps played with a restored batch, which show that its dice were restored too."""
MORE = 2
"""Steps added when a run is resumed."""


def files(root):
    """Returns the files of a version folder that have a checksum: all but the list of checksums."""
    return sorted(path for path in root.rglob("*") if path.is_file() and path != root / SUMS)


def checksum(path):
    """Returns the checksum of a file in the format of sha256sum."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def names(root):
    """Returns the fixtures of a version folder as relative paths: a file, a run's folder, or the whole web folder."""
    found = {path.relative_to(root).parts for path in files(root) if path.name not in (INDEX, MEANING)}
    return sorted({"/".join(parts[:1] if parts[0] in WHOLE else parts[:2]) for parts in found})


def meaning(root, name):
    """Returns the facts of one fixture."""
    return KINDS[name.partition("/")[0]](root / name)


def offered(game, options):
    """Returns the options without those dropped since."""
    known = tablier.load_game(game).options()
    return {key: value for key, value in options.items() if key in known or key not in DROPPED}


def fingerprint(array):
    """Returns two sums that tell numeric arrays apart."""
    flat = np.asarray(array, np.float64).ravel()
    return [float(flat.sum()), float(flat @ np.arange(1, len(flat) + 1))]


def state_facts(state):
    """Describes a state as its players see it."""
    players = range(state.num_players())
    return {
        "player": state.current_player(),
        "legal": state.legal_actions(),
        "returns": state.returns(),
        "rewards": state.rewards(),
        "observations": [state.observation(player).ravel().tolist() for player in players],
        "features": [fingerprint(state.features(player)) for player in players],
    }


def record(path):
    """Describes a record with its full rules, so that a later change of a default does not alter old records."""
    game, actions, header = records.load_header(path.read_bytes())
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    told = {"game": game.name, "options": game.options(), "header": header, "actions": list(actions)}
    return told | {"state": state_facts(state)}


def saved_play(path):
    """Resumes a game saved by `tablier play`: the seats, the opponent and the coming dice are the same.

    The typed input is a legal action in each of these games; the throw follows it.
    """
    before, played, _ = records.load_header(path.read_bytes())
    with tempfile.TemporaryDirectory() as place:
        again = Path(place) / "again.txt"
        command("play", "--lang", "en", "--load", path, typed=f"0\n1\nsave {again}\nquit\n")
        game, actions, header = records.load_header(again.read_bytes())
    assert game == before
    machine = [key for key in records.seat_keys(game) if header[key] == "greedy"]
    return {"machine": machine, "seed": header["Seed"], "actions": list(actions[: len(played) + 2])}


def saved_state(path):
    """Describes a state written by `State.serialize`; the index next to it names the game."""
    about = json.loads((path.parent / INDEX).read_text())[path.name]
    game = tablier.load_game(about["game"], **offered(about["game"], about["options"]))
    return about | {"state": state_facts(game.deserialize(path.read_bytes()))}


def saved_batch(path):
    """Describes a batch written by `BatchEnv.save`: its games, and the dice when they continue."""
    about = json.loads((path.parent / INDEX).read_text())[path.name]
    game = tablier.load_game(about["game"], **offered(about["game"], about["options"]))
    env = tablier.BatchEnv(game, about["n"], seed=1)
    env.restore(path.read_bytes())
    facts = about | {"states": [state_facts(env.state(i)) for i in range(about["n"])]}
    arrays, played = env.arrays(), []
    for _ in range(STEPS):
        actions = arrays.legal_mask.argmax(axis=1).astype(np.int32)
        env.step(actions, **vars(arrays))
        played.append([actions.tolist(), arrays.rewards.tolist(), arrays.done.tolist()])
    return facts | {"played": played}


def ids(path):
    """Describes position ids, one per line: their contents, and the state if the id is complete enough."""
    told = {}
    kind = {"trictrac": trictrac.Position, "backgammon": backgammon.Position}[path.stem]
    for text in path.read_text().split():
        position = kind.from_id(text)
        assert text in (position.id(), position.xgid() if path.stem == "backgammon" else "")
        told[text] = dataclasses.asdict(position)
        with contextlib.suppress(ValueError):
            told[text]["state"] = state_facts(position.state())
    return told


def player_strings(path):
    """Checks player strings as stored in records, tables and runs: each creates a player that finds a legal action."""
    game = tablier.load_game("trictrac")
    state = trictrac.Position().throw(6, 2)
    told = {}
    for text in path.read_text().splitlines():
        kept = text.replace("NET", str(path.parent.parent / "networks" / "policy-classic.onnx"))
        told[text] = make_player(kept, game, seed=1).choose(state) in state.legal_actions()
    return told


def network(path):
    """Describes a network: what it was trained for, and its outputs for fixed rows of features."""
    about = json.loads((path.parent / INDEX).read_text())[path.name]
    if path.suffix == ".safetensors":
        return core_network(path, tablier.load_game(about["game"]))
    evaluator = OnnxEvaluator(tablier.load_game(about["game"]), path)
    seen = evaluator.searched.game
    leaves = Leaves.empty(seen, ROWS)
    width = int(np.prod(seen.features_shape()))
    rows, columns = np.arange(ROWS)[:, None], np.arange(width)[None, :]
    leaves.features[:] = ((37 * rows + 101 * columns + 11 * rows * columns) % 13 / 12).reshape(leaves.features.shape)
    leaves.player[:] = np.arange(ROWS) % 2
    logits, values = evaluator.evaluate(leaves)
    assert len(np.unique(values[::2])) > 1, "a network that answers all alike shows nothing"
    form = {key: value for key, value in seen.options().items() if key in ("utility", "encoding")}
    told = {"game": seen.name, "options": form, "features": width, "values": values.tolist()}
    return told | {"logits": None if logits is None else [fingerprint(row) for row in logits]}


def core_network(path, game):
    """Describes a core network: what it was trained for, and its outputs for the positions of one game."""
    evaluator = CoreEvaluator(game, path)
    seen, state, states = evaluator.searched.game, evaluator.searched.game.new_initial_state(), []
    while len(states) < 2 * ROWS and not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[7 * len(states) % len(legal)])
        states.append(search.words(state))
    players = np.arange(len(states), dtype=np.int32) % 2
    outputs, logits = evaluator.network.compute(seen, np.array(states), players)
    assert len(np.unique(outputs)) > 1, "a network that answers all alike shows nothing"
    form = {key: value for key, value in seen.options().items() if key in ("utility", "encoding")}
    values = evaluator.evaluate(Leaves.of(seen, np.array(states), players))[1]
    told = {"game": seen.name, "options": form, "sizes": list(evaluator.network.sizes)}
    return told | {
        "outputs": outputs.tolist(),
        "values": values.tolist(),
        "logits": [fingerprint(row) for row in logits],
    }


def run(path):
    """Describes a run: its settings and metrics, and that it resumes."""
    algorithm, config = load_config(path)
    settings = config.as_dict()
    settings |= {old: settings[new] for old, new in config.former_names().items()}  # old facts use the old names
    told = {"algorithm": algorithm, "config": settings | {"options": parse_options(settings["options"])}}
    with tempfile.TemporaryDirectory() as place:
        copy = Path(shutil.copytree(path, Path(place) / "run"))
        judged = json.loads(command("eval", copy, "--json", "--games", 2, "--opponents", "random", "--processes", 1))
        command("train", algorithm, "--run", copy, "--resume", "--steps", settings["steps"] + MORE)
        rows = [json.loads(line) for line in (copy / "metrics.jsonl").read_text().splitlines()]
        listed = json.loads(command("runs", copy, "--json", "--metric", "seconds"))
    assert [one["last"] for one in listed] == rows[-1:]
    told["metrics"] = rows[: settings["steps"]]
    counted = [[row[name] for row in rows] for name in ("positions", "evaluations")]
    told |= {"steps": [row["step"] for row in rows], "counts_on": all(sorted(c) == c for c in counted)}
    return told | {"checkpoints": [one["step"] for one in judged]}


def open_spiel(path):
    """Describes a game and a state serialised by OpenSpiel."""
    import pyspiel

    import tablier.adapters.open_spiel  # noqa: F401  (registers the games)

    game, state = pyspiel.deserialize_game_and_state(path.read_text())
    told = {"game": game.get_type().short_name, "options": game.get_parameters(), "history": state.history()}
    facts = {"player": state.current_player(), "legal": state.legal_actions(), "returns": state.returns()}
    tensors = [fingerprint(state.observation_tensor(player)) for player in range(game.num_players())]
    return told | facts | {"features": tensors}


def games_on_the_web(path):
    """Describes the web server's database."""
    import web_meaning

    return web_meaning.games(path)


def in_browser(path):
    """Describes what the page reads from its local storage."""
    import browser_meaning

    return browser_meaning.storage(path)


def tournament(path):
    """Describes a tournament file: its settings and every game, without times."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(shutil.copy(path, place))
        with ArenaFile.read(copy) as file:
            games = [[one.first, one.second, *dataclasses.astuple(one.result)] for one in file.games()]
            facts = {"setup": dataclasses.asdict(file.setup), "players": [one.name for one in file.players()]}
    kept = [[value for value in game if not isinstance(value, tuple)] for game in games]
    return facts | {"games": kept}


def referee(path):
    """Describes a referee, and how it scores a player."""
    read = Referee.read(path)
    losses = [loss for case in read.cases for pair in case.losses.values() for loss in pair]
    score = read.score("heuristic").total
    return {
        "game": read.game.name,
        "policy": read.about["policy"],
        "kinds": [case.kind for case in read.cases],
        "actions": [list(case.losses) for case in read.cases],
        "losses": fingerprint(losses),
        "score": [score.loss, score.right],
    }


def command(*words, typed=""):
    """Returns what `tablier WORDS` prints; `typed` is its standard input."""
    said, complained = io.StringIO(), io.StringIO()
    with (
        patch("sys.stdin", io.StringIO(typed)),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(complained),
    ):
        done = main([str(word) for word in words])
    assert done == 0, complained.getvalue()
    return said.getvalue()


KINDS = {
    "arenas": tournament,
    "batches": saved_batch,
    "browser": in_browser,
    "ids": ids,
    "networks": network,
    "open_spiel": open_spiel,
    "players": player_strings,
    "records": record,
    "referees": referee,
    "runs": run,
    "saved": saved_play,
    "states": saved_state,
    "web": games_on_the_web,
}
