"""Players and seats of `tablier play`: from the command line, otherwise from the record, otherwise the default."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from tablier._core import Game
from tablier.cli.arguments import LARGEST_SEED
from tablier.cli.arguments import seed as as_seed
from tablier.games import home_of
from tablier.messages import Message, MessageError, Text, accepted, languages, reason_of, say
from tablier.players import Player, default_opponent, make_player
from tablier.records import seat_keys

PERSON = "human"
"""Name of a person in a record. Older records have the word for "you" in some language."""


def is_person(name: str | None) -> bool:
    """Whether a player name in a record stands for a person."""
    return name == PERSON or name in {say(lang, "terminal.you") for lang in languages()}


def player_name(name: str) -> Text:
    """Returns the display name of a player in a record."""
    return Message("terminal.person") if is_person(name) else name


def descriptions(args: argparse.Namespace, game: Game, header: Mapping[str, str]) -> list[str | None]:
    """Returns the player string of each seat, or None for a person."""
    told = [header.get(key) for key in seat_keys(game)]
    everyone = list(range(game.num_players()))
    people = [seat for seat in everyone if is_person(told[seat])]
    if args.against and args.against.startswith(PERSON):
        people = everyone
    elif args.seat:
        people = seats(args.seat, game)
    elif not people or (args.against and people == everyone):
        people = everyone[:1]
    players = [name for name in told if name and not is_person(name)]
    usual = args.against or (players[0] if players else default_opponent(game))
    own = [None if args.against or is_person(name) else name for name in told]
    return [None if seat in people else own[seat] or usual for seat in everyone]


def make(description: str, game: Game, seed: int, given: str | None, header: Mapping[str, str]) -> Player:
    """Creates the player of a seat; raises MessageError naming the record if its player is invalid."""
    try:
        return make_player(description, game, seed=seed)
    except (ValueError, OSError) as error:
        key = next((key for key in seat_keys(game) if header.get(key) == description), None)
        if given or key is None:
            raise
        raise MessageError.of(
            "terminal.wrong.record_player", key=key, player=description, reason=reason_of(error)
        ) from None


def seed_of(header: Mapping[str, str]) -> int | None:
    """Returns the seed in the header of a record, if there is one; raises MessageError if it is invalid."""
    if "Seed" not in header:
        return None
    try:
        return as_seed(header["Seed"])
    except argparse.ArgumentTypeError:
        raise MessageError.of("terminal.wrong.record_seed", most=LARGEST_SEED, value=header["Seed"]) from None


def seats(text: str, game: Game) -> list[int]:
    """Parses --seat: a seat number from 0, a seat name of the game, or all seats. Raises MessageError otherwise."""
    names = {str(seat): seat for seat in range(game.num_players())} | dict(home_of(game).seats())
    everyone = accepted("terminal.seats.all")
    if text.lower() in everyone:
        return list(range(game.num_players()))
    if text.lower() not in names:
        raise MessageError.of("terminal.wrong.seat", seats=", ".join([*names, everyone[0]]), typed=text)
    return [names[text.lower()]]
