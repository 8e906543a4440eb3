"""`tablier train`: learn a game by self-play, in a folder that survives being killed."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from pathlib import Path
from typing import Any, get_type_hints

from tablier.cli.arguments import ALGORITHM_NAMES, add_json, count_or_none, import_words, new_parser, split_players
from tablier.cli.extras import extra
from tablier.registry import DEFAULT_GAME

EXAMPLE = """settings of all algorithms, among others (--settings lists all of one's, with their values):
  --game NAME, --options KEY=VALUE,..., --minutes N, --steps N, --lr X, --width N, --batch N, --seed N

example:
  tablier train td --preset quick --run runs/first
  tablier train td --run runs/first --resume --minutes 60
  tablier train alphazero --game tic_tac_toe --run runs/ttt --lr 3e-3"""


def add(subparsers: Any) -> None:
    """Adds the command to the parser. What an algorithm can be told is read only when one is asked for."""
    parser = new_parser(subparsers, "train", "learn a game by self-play", EXAMPLE)
    parser.allow_abbrev = False  # --opponent is a setting, not --opponents
    parser.add_argument(
        "algorithm", help=f"{', '.join(ALGORITHM_NAMES)}; `tablier train td --settings` lists the settings of one"
    )
    parser.add_argument("--run", dest="folder", default="", help="the run's folder (default runs/ALGORITHM-GAME)")
    parser.add_argument("--resume", action="store_true", help="go on with the run in the folder")
    parser.add_argument("--preset", help="settings to begin with: quick, default or strong")
    parser.add_argument(
        "--strength", type=count_or_none, default=0, metavar="GAMES", help="at the end play so many games"
    )
    parser.add_argument("--opponents", default="random,greedy", help="against these (default random,greedy)")
    parser.add_argument("--settings", action="store_true", help="list the algorithm's settings and end")
    add_json(parser, "with --settings: print JSON")
    parser.set_defaults(run=run, takes_rest=True)  # --SETTING VALUE, any of the algorithm's


def run(args: argparse.Namespace) -> int:
    """Runs the command."""
    with extra("train"):
        from tablier.learn import ALGORITHMS
    if args.algorithm not in ALGORITHMS:
        raise ValueError(f"no algorithm is called '{args.algorithm}'; there are {', '.join(ALGORITHMS)}")
    made = ALGORITHMS[args.algorithm]
    given = parse_settings(args.rest, made.config)
    if args.preset and args.preset not in made.presets:
        raise ValueError(f"no preset is called '{args.preset}'; there are {', '.join(made.presets)}")
    if args.preset and args.resume:
        raise ValueError("--preset is for a new run; one that goes on keeps its settings")
    if args.settings and args.resume:
        raise ValueError(f"the settings of a run stand in its config.json; --settings lists those of {args.algorithm}")
    if args.strength and not split_players(args.opponents):
        raise ValueError("--opponents names nobody")
    if args.json and not args.settings:
        raise ValueError("--json goes with --settings; a run writes its numbers into metrics.jsonl")
    begun = {**made.presets[args.preset or "default"], **given, "imported": import_words(args.imports).strip()}
    settings = given if args.resume else begun
    if args.settings:
        _list(made.config.of(settings), args.json)
        return 0
    game = settings.get("game", made.config.__dataclass_fields__["game"].default)
    folder = Path(args.folder or f"runs/{args.algorithm}-{game}")
    return _train(args, folder, settings)


def _train(args: argparse.Namespace, folder: Path, settings: dict[str, Any]) -> int:
    from tablier.learn import ALGORITHMS, load_config, open_run, run_training
    from tablier.learn.runs.checkpoint import steps_of
    from tablier.learn.strength import check_opponents

    if args.strength:
        config = load_config(folder)[1] if args.resume else ALGORITHMS[args.algorithm].config.of(settings)
        check_opponents(config, split_players(args.opponents))
    begun = (steps_of(folder) or [0])[-1]
    imports = import_words(args.imports)
    with open_run(folder, args.algorithm, settings, args.resume) as opened:
        print(f"{args.algorithm} learns {opened.config.game} in {folder}; Ctrl-C stops, --resume goes on", flush=True)
        try:
            step = run_training(opened)
        except KeyboardInterrupt:
            print(
                f"\nstopped; tablier train {args.algorithm} --run {folder} --resume{imports} goes on", file=sys.stderr
            )
            return 130
        minutes = opened.seconds() / 60
    print(f"step {step} after {minutes:.1f} minutes")
    if args.resume and step == begun:
        print("nothing more was to be learned: give --minutes or --steps for more than that in all")
    if args.strength:
        from tablier.learn.strength import HEADING, measure

        print(HEADING)
        opponents = split_players(args.opponents)
        for row in measure(folder, opponents, args.strength, last=True, processes=os.cpu_count() or 1):
            print(row, flush=True)
    player = ALGORITHMS[args.algorithm].learner.player.format(folder / "best.onnx")
    game = "" if opened.config.game == DEFAULT_GAME else f" --game {opened.config.game}"
    print(f"play against it:\n  tablier play --against {player}{game}{imports}")
    return 0


def parse_settings(words: list[str], config: type[Any]) -> dict[str, Any]:
    """Settings from `--name value` or `--name=value`, of the types that the config's fields have."""
    kinds = get_type_hints(config)
    names = [field.name for field in dataclasses.fields(config)]
    result: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word, equals, value = rest.pop(0).partition("=")
        name = word.removeprefix("--").replace("-", "_")
        if not word.startswith("--") or name not in names:
            raise ValueError(f"no setting is called '{word}'; there are {', '.join('--' + one for one in names)}")
        if not equals:
            if not rest:
                raise ValueError(f"{word} needs a value")
            value = rest.pop(0)
        result[name] = _parsed(word, value, kinds[name])
    return result


def _parsed(word: str, value: str, kind: type) -> Any:
    if kind is bool:
        if value.lower() not in ("true", "false", "1", "0"):
            raise ValueError(f"{word} is true or false, not {value!r}")
        return value.lower() in ("true", "1")
    try:
        return kind(value)
    except ValueError:
        raise ValueError(f"{word} is a number{' without a point' if kind is int else ''}, not {value!r}") from None


def _list(config: Any, as_json: bool) -> None:
    """The settings as they are, those of the preset and of the command line among them."""
    if as_json:
        print(json.dumps(config.as_dict(), indent=2))
        return
    for field in dataclasses.fields(config):
        name, value = field.name.replace("_", "-"), getattr(config, field.name)
        choices = ", ".join(field.metadata["choices"])
        print(f"  --{name} {value!r}: {field.metadata['doc']}{f' ({choices})' if choices else ''}")
