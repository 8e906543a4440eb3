"""Writes fixtures of every stored format, which the tests of all later versions must open (docs/formats.md).

    make fixtures
    make fixtures AS=v0.1.1
    make fixtures AS=v0.2.1 ONLY=networks/core,runs/td-core

With ONLY, files whose names begin differently are left out: a change of one format needs no copies of the others. The
files go into a new folder of tests/formats, named after the version of the package by default, such as v0.1. An
existing folder is never changed. Its `meaning.json` describes each file as understood by the code that wrote it. The
output is reproducible: games, tokens and clocks are seeded.
"""

from __future__ import annotations

import itertools
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import careful
import meaning
import numpy as np

import tablier
from tablier import Game, State, backgammon, records, trictrac
from tablier._core import backgammon as core
from tablier.evaluators.network import network_file

FORMATS = Path(meaning.__file__).parent
DROPPED = {"fill_way_rule": "nominal", "forbidden_test": "material"}
"""Options that a later version drops; fixtures of every kind use them."""
OLD_LAW = {
    "bearing_off": "by_default_only",
    "last_throw_carries_over": True,
    "first_throw": "fresh_roll",
    "mezeas_next_throw_only": True,
    "pile_de_misere": True,
    "jan_de_rencontre": True,
    "margot_la_fendue": True,
    "explicit_roll": True,
    "swap_colours_on_exit": True,
    "fill_way_rule": "nominal",
}
HOUSE = {
    "marques": 4,
    "refait_consolation": "linear",
    "next_marque_first": "winner",
    "bredouille_progression": "every six holes",
    "tail_tokens_per_loss": 1,
    "bets": False,
    "final_tail": 12,
}
HEADER = {"White": 'Ann "the \\ fox"', "Black": "Zoé", "Date": "2026-11-16", "Event": "coupe d'été, 1er tour"}

GAMES: dict[str, tuple[str, dict[str, Any], int | None]] = {
    "plain": ("trictrac", {}, None),
    "cut-in-a-throw": ("trictrac", {}, 61),
    "before-the-draw": ("trictrac", {}, 0),
    "old-law": ("trictrac", {**OLD_LAW, "holes_to_win": 20}, None),
    "waits-for-the-dice": ("trictrac", {"explicit_roll": True, "first_throw": "white"}, 25),
    "double-stake": ("trictrac", {"stake_rule": "double", "utility": "win", "encoding": "markov"}, None),
    "quadruple-stake": ("trictrac", {"stake_rule": "quadruple", "holes_to_win": 4}, None),
    "nominal": ("trictrac", {**DROPPED, "holes_to_win": 3}, None),
    "schools": ("trictrac", {"schools": True, "holes_to_win": 6}, None),
    "schools-cut": ("trictrac", {"schools": True, "fill_school": "double", **DROPPED}, 87),
    "fillings": ("trictrac", {"schools": True, "fill_school": "double", "holes_to_win": 100}, 897),
    "scored": ("trictrac_a_ecrire", {"marques": 2}, None),
    "scored-house": ("trictrac_a_ecrire", {**HOUSE, **OLD_LAW}, None),
    "scored-cut": ("trictrac_a_ecrire", {"marques": 4, **DROPPED}, 200),
    "scored-schools": ("trictrac_a_ecrire", {"marques": 2, "schools": True, "fill_school": "double"}, 400),
    "scored-expert": ("trictrac_a_ecrire", {"marques": 2, "encoding": "expert"}, 300),
    "scored-three": ("trictrac_a_ecrire", {"marques": 3, "players": 3}, None),
    "scored-three-cut": ("trictrac_a_ecrire", {"marques": 6, "players": 3, "schools": True}, 300),
    "backgammon": ("backgammon", {}, None),
    "backgammon-cut": ("backgammon", {}, 40),
    "backgammon-hyper": ("backgammon", {"start": "hyper", "scoring": "gammons"}, None),
    "backgammon-expert": ("backgammon", {"start": "nackgammon", "encoding": "expert"}, 90),
    "pig": ("pig", {}, None),
    "pig-cut": ("pig", {"win_score": 30}, 9),
    "tic-tac-toe": ("tic_tac_toe", {}, None),
    "tic-tac-toe-cut": ("tic_tac_toe", {}, 3),
}
"""Recorded games: name, options, and the number of actions (None: until the game ends)."""
PHRASES = ("again", "hold", "leave", "pass", "-off", "bredouille", "declares", "claims nothing", "corrects")
PHRASES += (
    "has it filled",
    "lets it stand",
    "setting 2",
    "refait",
    "is White",
    "...",
    "unfinished, ",
    "stake 2",
    "tokens",
)
"""Phrases of text records; each must occur in at least one of them."""


def play(name: str) -> tuple[Game, list[State], list[int]]:
    """Plays one of `GAMES`; returns the game, all its states and the actions between them."""
    named, options, stop = GAMES[name]
    game = tablier.load_game(named, **options)
    rng, state = random.Random(name), game.new_initial_state()
    states, actions = [state.clone()], list[int]()
    while not state.is_terminal() and len(actions) != stop:
        skilled = named.startswith("trictrac")
        actions.append(careful.choose(rng, state) if skilled else rng.choice(state.legal_actions()))
        state.apply_action(actions[-1])
        states.append(state.clone())
    return game, states, actions


def check_options() -> None:
    """Exits if no record uses some option of a game."""
    for name in sorted({game for game, _, _ in GAMES.values()}):
        used = {option for game, options, _ in GAMES.values() if game == name for option in options}
        if missing := set(tablier.load_game(name).options()) - used:
            raise SystemExit(f"no fixture of {name} uses the options {', '.join(sorted(missing))}; add them to GAMES")


def write_records(folder: Path) -> None:
    """Writes records as text and as JSON, and records saved by `tablier simulate`."""
    for name in GAMES:
        game, _, actions = play(name)
        header = HEADER if name in ("plain", "schools", "scored-three") else {}
        if game.name in ("pig", "tic_tac_toe"):
            header = dict(zip(records.seat_keys(game), ("you", "random"), strict=True)) if "cut" in name else {}
        for as_json in (True, False) if game.name.startswith("trictrac") else (True,):
            text = records.dump(game, actions, header, as_json=as_json)
            if "forbidden_test" in GAMES[name][1]:
                text = _name_the_default(text, as_json)
            (folder / f"{name}.{'json' if as_json else 'txt'}").write_text(text)
        for form in records.formats(game) if not GAMES[name][1] else ():
            (folder / f"{name}.{form}").write_text(records.dump(game, actions, HEADER, form=form))
    for form in ("txt", "json"):
        words = ["simulate", "--players", "heuristic,greedy", "--options", "holes_to_win=2", "--seed", "3"]
        meaning.command(*words, "--save", folder / f"simulated.{form}")
    text = "".join(path.read_text() for path in folder.glob("*.txt"))
    if missing := [phrase for phrase in PHRASES if phrase not in text]:
        raise SystemExit(f"no record contains {', '.join(missing)}; change a game or its length")


def _name_the_default(text: str, as_json: bool) -> str:
    """Adds an option with its default value, as a person might write it."""
    if as_json:
        return text.replace('"options": {', '"options": {"forbidden_test": "material", ', 1)
    return text.replace("\n", '\n[Option forbidden_test "material"]\n', 1)


def write_saved(folder: Path) -> None:
    """Writes games saved by `tablier play` in both languages, for `tablier play --load`."""
    games = {
        "english.txt": ("1\n" * 5 + "save", "--lang", "en", "--seat", "black", "--options", "fill_way_rule=nominal"),
        "french.json": ("1\n" * 5 + "sauver", "--lang", "fr", "--seat", "black"),
        "schools.txt": ("0\n1\nsave", "--lang", "en", "--options", "schools=true"),
        "pig.json": ("0\n1\n0\nsauver", "--lang", "fr", "--game", "pig"),
    }
    for name, (typed, *words) in games.items():
        lines = f"{typed} {folder / name}\nquit\n"
        meaning.command("play", "--seed", 11, "--against", "greedy", *words, typed=lines)
        text = (folder / name).read_text()
        (folder / name).write_text(re.sub(r"\d{4}-\d\d-\d\d", "2026-11-16", text))


def write_states(folder: Path) -> None:
    """Writes states from the middle and the end of every game."""
    index = {}
    for name in GAMES:
        game, states, _ = play(name)
        for part, state in (("middle", states[len(states) // 2]), ("last", states[-1])):
            (folder / f"{name}-{part}.state").write_bytes(state.serialize())
            index[f"{name}-{part}.state"] = {"game": game.name, "options": game.options()}
    _write_index(folder, index)


def write_batches(folder: Path) -> None:
    """Writes batches of games in progress, with their dice."""
    index = {}
    for name in ("plain", "old-law", "double-stake", "nominal", "scored", "backgammon", "pig", "tic-tac-toe"):
        named, options, _ = GAMES[name]
        game = tablier.load_game(named, **options)
        env = tablier.BatchEnv(game, 4, seed=7)
        arrays = env.arrays()
        for _ in range(5):
            env.step(arrays.legal_mask.argmax(axis=1).astype(np.int32), **vars(arrays))
        (folder / f"{name}.batch").write_bytes(env.save())
        index[f"{name}.batch"] = {"game": named, "options": game.options(), "n": len(env)}
    _write_index(folder, index)


def _write_index(folder: Path, index: dict[str, Any]) -> None:
    (folder / meaning.INDEX).write_text(json.dumps(index, indent=1) + "\n")


def write_ids(folder: Path) -> None:
    """Writes position ids of every stage, for both sides, with and without dice, and with too many holes for an id."""
    found: dict[tuple[Any, ...], str] = {}
    for name in GAMES:
        if GAMES[name][0].startswith("trictrac"):
            _, states, _ = play(name)
            for state in states:
                now = trictrac.Position.of(state)
                kind = (now.stage, now.player, any(now.dice), min(max(now.holes), 16) // 8, now.points_run)
                found.setdefault(kind, now.id())
    (folder / "trictrac.txt").write_text("\n".join(dict.fromkeys(found.values())) + "\n")
    _, states, _ = play("backgammon")
    places = [backgammon.Position.of(state) for state in states[1:-1:7] if not _is_second_half(state)]
    written = [text for one in places for text in (one.id(), one.xgid())]
    (folder / "backgammon.txt").write_text("\n".join(dict.fromkeys(written)) + "\n")


def _is_second_half(state: State) -> bool:
    """Whether it is between the halves of a doublet, where a position has no id."""
    now = core.parts(state)
    return now.moves_left == 2 and now.dice[0] == now.dice[1]


def write_players(folder: Path) -> None:
    """Writes player strings; NET stands for the path of a network."""
    texts = ["random", "random:seed=3", "greedy", "heuristic", "expectimax", "expectimax:plies=1,eval=heuristic"]
    texts += ["expectimax:plies=2,keep=3", "expectimax:plies=1,net=NET", "mcts:sims=20,c=2,rollouts=1", "mcts:ms=5"]
    texts += ["gumbel:sims=16", "gumbel:sims=16,net=NET", "policy:net=NET", "policy:net=NET,temperature=1"]
    (folder / "trictrac.txt").write_text("\n".join(texts) + "\n")


TINY = "--width 2 --games 4 --batch 8 --steps 3 --minutes 0 --checkpoint-every 1 --eval-every 0 --tensorboard false"
NAMED = "--options holes_to_win=2,fill_way_rule=nominal,forbidden_test=material"
RUNS = {
    "td": f"td {NAMED} --encoding classic --moves 4 --net mlp",
    "td-core": f"td {NAMED} --encoding classic --moves 4 --net core --hidden 2",
    "td-core-pig": "td --game pig --options win_score=20 --moves 4 --net core --hidden 2 --exact true --epsilon 0.1",
    "alphazero": f"alphazero {NAMED} --sims 4 --moves 3 --replay 60 --threads 1 --net mlp --blocks 1",
    "ppo": f"ppo {NAMED} --encoding classic --moves 4 --net mlp --blocks 1",
    "dqn": f"dqn {NAMED} --moves 3 --replay 24 --net mlp --blocks 1",
    "sac": f"sac {NAMED} --encoding classic --moves 3 --replay 24 --net mlp --blocks 1",
    "td-pig": "td --game pig --options win_score=20 --moves 4 --net resnet --blocks 1 --epsilon 0.1",
    "td-scored": "td --game trictrac_a_ecrire --options marques=2,fill_way_rule=nominal --moves 3 --checkpoint-every 3",
    "dqn-against": "dqn --game pig --against random --moves 3 --blocks 1 --eval-every 3 --eval-games 2",
    "gated": "alphazero --game tic_tac_toe --gating true --gate-games 2 --sims 4 --replay 60 --blocks 1 --threads 1",
}
"""Runs by name, with the arguments of `tablier train`."""
CORE = "--net core --moves 100 --steps 3 --lr 0.003 --epsilon 0.3"  # values other than 0 need games that end
NETWORKS = {
    "value-classic": f"td {NAMED} --encoding classic --moves 2 --net mlp",
    "core-classic": f"td {NAMED} --encoding classic --target margin {CORE}",
    "core-markov": f"td --encoding markov --options holes_to_win=1 --target win --blocks 2 {CORE}",
    "core-pig": f"td --game pig --options win_score=20 --blocks 0 {CORE}",
    "core-backgammon": f"td --game backgammon {CORE} --lr 0.0003",
    "core-tic-tac-toe": f"td --game tic_tac_toe {CORE}",
    "value-markov": "td --encoding markov --moves 2 --net resnet",
    "policy-classic": "ppo --encoding classic --moves 2",
    "policy-markov": "sac --encoding markov --moves 2 --net mlp --target win",
    "value-scored": "td --game trictrac_a_ecrire --moves 2 --encoding markov",
    "core-scored": "td --game trictrac_a_ecrire --options marques=2 --net core --moves 200 --steps 3 --lr 0.003",
    "policy-pig": "dqn --game pig --moves 2",
    "policy-tic-tac-toe": "alphazero --game tic_tac_toe --sims 2",
}
"""Networks by name, with the arguments of `tablier train`."""


def train(folder: Path, words: str) -> None:
    """Trains a tiny run, with a fake clock that advances by one second per call."""
    algorithm, *settings = words.split()
    with patch("time.monotonic", map(float, itertools.count()).__next__):
        meaning.command("train", algorithm, *TINY.split(), *settings, "--run", folder)
    (folder / ".lock").unlink()


def write_runs(folder: Path) -> None:
    """Writes runs of every algorithm; one lacks its last row of metrics, as after a crash, which its checkpoint has."""
    for name, words in RUNS.items():
        train(folder / name, words)
    lines = (folder / "td-pig" / "metrics.jsonl").read_text().splitlines(keepends=True)
    (folder / "td-pig" / "metrics.jsonl").write_text("".join(lines[:-1]))


def write_networks(folder: Path) -> None:
    """Writes networks with and without a policy, with both encodings and for every game, as ONNX or for the core."""
    index = {}
    with tempfile.TemporaryDirectory() as place:
        for name, words in NETWORKS.items():
            run = Path(place) / name
            smallest = [size for size in ("--steps 1", "--blocks 1", "--width 8") if size.split()[0] not in words]
            train(run, " ".join([words, *smallest]))
            file = network_file(run)
            shutil.copy(file, folder / f"{name}{file.suffix}")
            index[f"{name}{file.suffix}"] = {"game": json.loads((run / "config.json").read_text())["game"]}
    _write_index(folder, index)


def write_open_spiel(folder: Path) -> None:
    """Writes games and states serialised by OpenSpiel."""
    import pyspiel

    import tablier.adapters.open_spiel  # noqa: F401  (registers the games)

    games = {
        "established": "python_trictrac",
        "options": "python_trictrac(holes_to_win=3,max_turns=50,observation=observation)",
        "scored": "tablier_trictrac_a_ecrire(marques=2)",
        "pig": "tablier_pig(win_score=20)",
    }
    for name, text in games.items():
        game, rng = pyspiel.load_game(text), random.Random(name)
        state = game.new_initial_state()
        while len(state.history()) < 15:
            state.apply_action(rng.choice(state.legal_actions()))
        (folder / f"{name}.txt").write_text(pyspiel.serialize_game_and_state(game, state))


def write_web(folder: Path) -> None:
    """Writes the database of the web server and, into the folder `browser`, the local storage of a browser."""
    import web_fixtures

    (folder.parent / "browser").mkdir()
    web_fixtures.write_web(folder)


def write_arenas(folder: Path) -> None:
    """Writes a tournament with luck and failed games."""
    words = ["random", "greedy", "expectimax:plies=1,eval=points", "--games", "6", "--seed", "3", "--workers", "1"]
    meaning.command("arena", folder / "pig.sqlite", *words, "--game", "pig", "--options", "win_score=20")


def write_referees(folder: Path) -> None:
    """Writes a small referee with every kind of decision."""
    tool = FORMATS.parent.parent / "tools" / "make_referee.py"
    small = ["--count", "10", "--games", "36", "--decisions", "2", "--seed", "1", "--judges", "greedy"]
    subprocess.run([sys.executable, tool, folder / "small.npz", "--policy", "heuristic", *small], check=True)


WRITERS = {
    "arenas": write_arenas,
    "referees": write_referees,
    "records": write_records,
    "saved": write_saved,
    "states": write_states,
    "batches": write_batches,
    "ids": write_ids,
    "runs": write_runs,
    "networks": write_networks,
    "players": write_players,
    "open_spiel": write_open_spiel,
    "web": write_web,
}
"""Writers by kind of fixture, in the order of their dependencies."""


def write_all(folder: Path, only: tuple[str, ...]) -> None:
    """Writes the fixtures whose names begin like one of `only`, their meaning and their checksums."""
    check_options()
    for kind, write in WRITERS.items():
        if any(name.startswith(kind) or kind.startswith(name) for name in only):
            (folder / kind).mkdir()
            write(folder / kind)
    for name in meaning.names(folder):
        if not name.startswith(only):
            remove = shutil.rmtree if (folder / name).is_dir() else Path.unlink
            remove(folder / name)
    told = {}
    for name in meaning.names(folder):
        print(name, flush=True)
        told[name] = meaning.meaning(folder, name)
    lines = [f"{json.dumps(name)}: {json.dumps(facts)}" for name, facts in told.items()]
    (folder / meaning.MEANING).write_text("{\n" + ",\n".join(lines) + "\n}\n")
    sums = [f"{meaning.checksum(path)}  {path.relative_to(folder)}" for path in meaning.files(folder)]
    (folder / meaning.SUMS).write_text("\n".join(sums) + "\n")


def main(name: str, only: str = "") -> None:
    """Writes the folder of a version atomically; `only` lists the beginnings of names, separated by commas."""
    if not re.fullmatch(r"v\d+(\.\d+)+", name):
        raise SystemExit(f"the folder must be named after a version, such as v0.2 or v0.2.1, not {name}")
    place = FORMATS / name
    if place.exists():
        raise SystemExit(f"{place} already exists and must not change; choose a new name: make fixtures AS=v0.2")
    with tempfile.TemporaryDirectory(dir=FORMATS) as beside:
        folder = Path(beside) / name
        folder.mkdir()
        write_all(folder, tuple(only.split(",")))
        folder.rename(place)
    print(f"{place}: {sum(path.stat().st_size for path in meaning.files(place)):,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["v" + ".".join(tablier.__version__.split(".")[:2])])
