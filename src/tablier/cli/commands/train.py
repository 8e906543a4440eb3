"""`tablier train`: trains a network by self-play in the folder of a run; a killed run can be resumed."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from tablier.cli.arguments import (
    ALGORITHM_NAMES,
    EMPTY_PATH,
    add_cluster,
    add_json,
    cluster_of,
    count,
    count_or_none,
    given_path,
    import_words,
    new_parser,
    split_players,
)
from tablier.cli.extras import extra
from tablier.messages import Message, MessageError, language, render
from tablier.registry import DEFAULT_GAME

if TYPE_CHECKING:
    from tablier.cluster import Pool as ClusterPool
    from tablier.learn.data.place import Spread

EXAMPLE = """settings are given as --NAME VALUE; `tablier train td --settings` lists those of td. Common ones:
  --game NAME, --options KEY=VALUE,..., --minutes N, --steps N, --lr X, --width N, --batch N, --seed N

example:
  tablier train td --preset quick --run runs/first
  tablier train td --run runs/first --resume --minutes 60
  tablier train td --run runs/big --cluster ray://192.168.1.10:10001 --workers 16
  tablier train alphazero --game tic_tac_toe --run runs/ttt --lr 3e-3"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser. The settings are not declared here: importing the algorithms takes seconds."""
    parser = new_parser(subparsers, "train", "train a network by self-play", EXAMPLE)
    parser.allow_abbrev = False  # --opponent is a setting, not --opponents
    parser.add_argument("algorithm", help=f"{', '.join(ALGORITHM_NAMES[:-1])} or {ALGORITHM_NAMES[-1]}")
    parser.add_argument("--run", dest="folder", type=given_path, help="folder of the run (default runs/ALGORITHM-GAME)")
    parser.add_argument("--resume", action="store_true", help="continue the run in the folder")
    parser.add_argument("--preset", help="base settings: quick, default or strong (default: default)")
    parser.add_argument(
        "--strength",
        type=count_or_none,
        default=0,
        metavar="GAMES",
        help="games to play against each opponent after training (default 0)",
    )
    parser.add_argument("--opponents", default="random,greedy", help="opponents for --strength (default random,greedy)")
    add_cluster(parser)
    parser.add_argument(
        "--synchronous",
        action="store_true",
        help="with --cluster: the result depends on the seed alone, not on the workers",
    )
    parser.add_argument(
        "--staleness",
        type=count,
        default=0,
        metavar="STEPS",
        help="with --cluster: the most steps that weights of workers may be behind\n(default: twice the workers)",
    )
    parser.add_argument("--settings", action="store_true", help="list the settings of the algorithm and exit")
    add_json(parser, "print JSON (with --settings)")
    parser.set_defaults(run=run, takes_rest=True)  # --SETTING VALUE of the algorithm


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    with extra("train"):
        from tablier.learn import find_algorithm
    algorithm = find_algorithm(args.algorithm)
    given = parse_settings(args.rest, algorithm.config)
    if args.preset and args.preset not in algorithm.presets:
        raise ValueError(f"unknown preset '{args.preset}'; choose from {', '.join(algorithm.presets)}")
    if args.preset and args.resume:
        raise ValueError("--preset is only for new runs; a resumed run keeps its settings")
    if args.settings and args.resume:
        raise ValueError("--settings lists the settings of a new run; those of an existing run are in its config.json")
    if args.strength and not split_players(args.opponents):
        raise ValueError("--opponents is empty; name at least one player")
    if args.json and not args.settings:
        raise ValueError("--json only works with --settings; the metrics of a run are in its metrics.jsonl")
    created = {**algorithm.presets[args.preset or "default"], **given, "imported": import_words(args.imports).strip()}
    settings = given if args.resume else created
    if args.settings:
        _list(algorithm.config.of(settings), args.json)
        return 0
    game = settings.get("game", algorithm.config.__dataclass_fields__["game"].default)
    folder = Path(args.folder or f"runs/{args.algorithm}-{game}")
    return _train(args, folder, settings)


def _train(args: argparse.Namespace, folder: Path, settings: dict[str, Any]) -> int:
    from tablier.learn import ALGORITHMS, load_config, open_run, run_training
    from tablier.learn.runs.checkpoint import steps_of
    from tablier.learn.strength import check_opponents

    if args.strength:
        config = load_config(folder)[1] if args.resume else ALGORITHMS[args.algorithm].config.of(settings)
        check_opponents(config, split_players(args.opponents))
    first = (steps_of(folder) or [0])[-1]
    imports = import_words(args.imports)
    log, early = folder / "cluster.log", list[str]()
    with (
        cluster_of(args, lambda message: _note(log, early, message)) as cluster,
        open_run(folder, args.algorithm, settings, args.resume, _spread(args, cluster)) as opened,
    ):
        print(
            f"training {args.algorithm} on {opened.config.game} in {folder}; Ctrl-C stops, --resume continues",
            flush=True,
        )
        if early:
            with log.open("a", encoding="utf-8") as file:
                file.writelines(early)
            early.clear()
        try:
            step = run_training(opened)
        except KeyboardInterrupt:
            again = f"tablier train {args.algorithm} --run {folder} --resume{imports}"
            print(f"\nstopped; continue with: {again}", file=sys.stderr)
            return 130
        minutes = opened.seconds() / 60
    print(f"step {step} after {minutes:.1f} minutes")
    if args.resume and step == first:
        print("the run was already complete; raise its total --minutes or --steps to train more")
    if args.strength:
        from tablier.learn.strength import HEADING, measure

        print(HEADING)
        opponents = split_players(args.opponents)
        for row in measure(folder, opponents, args.strength, last=True, processes=os.cpu_count() or 1):
            print(row, flush=True)
    from tablier.evaluators.network import network_file

    player = ALGORITHMS[args.algorithm].learner.player.format(network_file(folder))
    game = "" if opened.config.game == DEFAULT_GAME else f" --game {opened.config.game}"
    print(f"play against it:\n  tablier play --against {player}{game}{imports}")
    return 0


def _spread(args: argparse.Namespace, cluster: ClusterPool | None) -> Spread | None:
    """Returns how the run uses the cluster."""
    from tablier.learn.data.place import Spread

    if cluster is None:
        for option in ("synchronous", "staleness"):
            if getattr(args, option):
                raise MessageError.of("cluster.only_with", option=f"--{option}")
        return None
    return Spread(cluster, args.synchronous, args.staleness)


def _note(log: Path, early: list[str], message: Message) -> None:
    """Writes a message about a worker to the log of the run and, if a worker died, to stderr.

    Args:
        log: the log. Its folder may not exist yet.
        early: lines that could not be written so far.
        message: the message.
    """
    text = render(message, language(None))
    if message.key != "cluster.ready":
        print(f"\n{text}" if sys.stderr.isatty() else text, file=sys.stderr, flush=True)
    early.append(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}\n")
    if (log.parent / "config.json").exists():
        with log.open("a", encoding="utf-8") as file:
            file.writelines(early)
        early.clear()


def parse_settings(words: list[str], config: type[Any]) -> dict[str, Any]:
    """Parses settings of an algorithm from `--name value` or `--name=value`.

    Args:
        words: the command-line arguments. Names from earlier versions are accepted.
        config: the config class, whose fields determine names and types.

    Raises:
        ValueError: a setting is unknown, has no value or a value of the wrong type.
    """
    kinds = get_type_hints(config)
    names = [field.name for field in dataclasses.fields(config)]
    former = config.former_names()
    result: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word, equals, value = rest.pop(0).partition("=")
        name = word.removeprefix("--").replace("-", "_")
        name = former.get(name, name)
        if not word.startswith("--") or name not in names:
            raise ValueError(f"unknown setting '{word}'; choose from {', '.join('--' + one for one in names)}")
        if not equals:
            if not rest:
                raise ValueError(f"{word} needs a value")
            value = rest.pop(0)
        if not value and config.__dataclass_fields__[name].metadata["is_path"]:
            raise ValueError(f"{word} {EMPTY_PATH}")
        result[name] = _parsed(word, value, kinds[name])
    return result


def _parsed(word: str, value: str, kind: type) -> Any:
    if kind is bool:
        if value.lower() not in ("true", "false", "1", "0"):
            raise ValueError(f"{word} must be true or false, not {value!r}")
        return value.lower() in ("true", "1")
    try:
        return kind(value)
    except ValueError:
        raise ValueError(f"{word} must be {'an integer' if kind is int else 'a number'}, not {value!r}") from None


def _list(config: Any, as_json: bool) -> None:
    """Prints the settings of a new run, including those from the preset and the command line."""
    if as_json:
        print(json.dumps(config.as_dict(), indent=2))
        return
    for field in dataclasses.fields(config):
        name, value = field.name.replace("_", "-"), getattr(config, field.name)
        choices = ", ".join(field.metadata["choices"])
        print(f"  --{name} {value!r}: {field.metadata['doc']}{f' ({choices})' if choices else ''}")
