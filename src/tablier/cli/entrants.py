"""Players of a tournament from the command line: player strings, network files, training runs and their checkpoints."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tablier.cli.extras import extra
from tablier.messages import MessageError
from tablier.paths import resolved

if TYPE_CHECKING:
    from tablier._core import Game
    from tablier.arena import Entrant

NETWORK_PLAYER = "expectimax:plies=1,net={}"
"""How a network file plays."""


def find_entrant(name: str, game: Game, place: Path) -> Entrant:
    """Finds a player by name, and checks that it can play the game.

    Args:
        name: a player string, a network file, the folder of a run (its best network) or the folder of a checkpoint.
        game: the game to play.
        place: a folder for the networks of checkpoints; it must exist for as long as the player plays.

    Raises:
        MessageError (a ValueError): there is no such player, or it cannot play the game.
    """
    from tablier.arena import Entrant
    from tablier.players import PLAYERS, make_player
    from tablier.players.champion import shipped_network

    path = Path(name)
    if name.partition(":")[0] in PLAYERS or not path.exists():
        found = re.search(r"(?:^|[:,])net=([^,]+)", name)
        network = Path(found.group(1)) if found else shipped_network(name, game)
        entrant = Entrant(name, name, _hash(network) if network and network.is_file() else "")
    elif path.is_file():
        entrant = Entrant(name, NETWORK_PLAYER.format(path), _hash(path))
    elif (path / "config.json").is_file():
        entrant = _of_run(name, path, place)
    elif (path / "weights.safetensors").is_file():
        entrant = _of_checkpoint(name, path, place)
    else:
        raise MessageError.of("arena.no_run", folder=name)
    make_player(entrant.plays, game)  # report a wrong string now, not in every game
    return entrant


def _of_run(name: str, run: Path, place: Path) -> Entrant:
    from tablier.arena import Entrant
    from tablier.evaluators.network import network_file

    with extra("train"):
        from tablier.learn import ALGORITHMS, load_config
        from tablier.learn.runs.checkpoint import folder_of, steps_of
    algorithm, _ = load_config(run)
    best = network_file(run)
    if best.is_file():
        return Entrant(name, ALGORITHMS[algorithm].learner.player.replace("{}", str(best)), _hash(best))
    steps = steps_of(run)
    if not steps:
        raise MessageError.of("arena.no_checkpoint", folder=name)
    return _of_checkpoint(name, folder_of(run, steps[-1]), place)


def _of_checkpoint(name: str, folder: Path, place: Path) -> Entrant:
    """Exports the network of a checkpoint to `place`."""
    from tablier.arena import Entrant

    with extra("train"):
        from tablier.learn import ALGORITHMS, load_config
        from tablier.learn.runs.checkpoint import load
        from tablier.learn.runs.run import identity
    full = resolved(folder)
    run, step = full.parents[1], int(full.name.removeprefix("step-"))
    algorithm, config = load_config(run)
    game = ALGORITHMS[algorithm].game_of(config)
    learner = ALGORITHMS[algorithm].learner(game, config)
    learner.put(load(run, step, identity(algorithm, game), training=False).weights)
    fingerprint = _hash(folder / "weights.safetensors")
    path = place / f"{fingerprint[:16]}.network"
    path.write_bytes(learner.network())
    return Entrant(name, learner.player.replace("{}", str(path)), fingerprint)


def _hash(path: Path) -> str:
    from tablier.evaluators.network import read_network

    return hashlib.sha256(read_network(path, str(path))).hexdigest()
