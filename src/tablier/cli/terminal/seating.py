"""Who sits where in `tablier play`: as the command line says, else as the loaded record tells, else by default."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from tablier.cli.arguments import seed as as_seed
from tablier.cli.terminal.phrases import PHRASES
from tablier.games.trictrac.record import GAMES as TRICTRAC
from tablier.players import Player, make_player
from tablier.records import seat_keys

if TYPE_CHECKING:
    from tablier._core import Game

AGAINST = "gumbel:sims=400"
PERSON = ("human", *PHRASES["you"])
"""What a record calls a seat in which a person sat."""


def descriptions(args: argparse.Namespace, game: Game, header: Mapping[str, str]) -> list[str | None]:
    """Of each seat the player's description, None for a person."""
    told = [header.get(key) for key in seat_keys(game)]
    everyone = list(range(game.num_players()))
    people = [seat for seat in everyone if told[seat] in PERSON]
    if args.against and args.against.startswith("human"):
        people = everyone
    elif args.seat:
        people = seats(args.seat, game)
    elif not people or (args.against and people == everyone):
        people = everyone[:1]
    players = [name for name in told if name and name not in PERSON]
    usual = args.against or (players[0] if players else AGAINST)
    own = [None if args.against or name in PERSON else name for name in told]
    return [None if seat in people else own[seat] or usual for seat in everyone]


def make(description: str, game: Game, seed: int, given: str | None, header: Mapping[str, str]) -> Player:
    """The player of a seat; one that the record names and nobody can make is told as the record's mistake."""
    try:
        return make_player(description, game, seed=seed)
    except (ValueError, OSError) as error:
        key = next((key for key in seat_keys(game) if header.get(key) == description), None)
        if given or key is None:
            raise
        raise ValueError(
            f"the record's {key} {description!r} makes no player: {error}; --against overrides it"
        ) from None


def seed_of(header: Mapping[str, str]) -> int | None:
    """The seed of the dice that a record tells, if it does."""
    if "Seed" not in header:
        return None
    try:
        return as_seed(header["Seed"])
    except argparse.ArgumentTypeError as error:
        raise ValueError(f"the record's Seed is {error}; --seed overrides it") from None


def seats(text: str, game: Game) -> list[int]:
    """The seats of people, from --seat."""
    names = {str(seat): seat for seat in range(game.num_players())}
    if game.name in TRICTRAC:
        names |= {"white": 0, "black": 1, "blanc": 0, "noir": 1}
    if text.lower() in ("both", "all"):
        return list(range(game.num_players()))
    if text.lower() not in names:
        raise ValueError(f"--seat is one of {', '.join([*names, 'both'])}, not {text!r}")
    return [names[text.lower()]]
