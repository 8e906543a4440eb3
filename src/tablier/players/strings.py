"""Parses player strings such as `mcts:sims=500,seed=7`.

Examples:
    >>> from tablier.players import settings_of
    >>> parse("mcts:sims=500,c=2", {"mcts": settings_of("mcts")})
    ('mcts', {'sims': 500, 'c': 2.0})
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tablier.messages import MessageError
from tablier.players.settings import Setting, Value

LONGEST = 60
"""Maximum number of characters of a wrong name or value that an error message quotes."""
_WHOLE = re.compile("[+-]?[0-9]{1,30}")
_NUMBER = re.compile(r"[+-]?([0-9]++(\.[0-9]*+)?|\.[0-9]++)(e[+-]?[0-9]{1,3})?", re.IGNORECASE)


def parse(text: str, kinds: Mapping[str, Mapping[str, Setting]]) -> tuple[str, dict[str, Value]]:
    """Parses a player string.

    Args:
        text: the player string.
        kinds: the accepted kinds of player, each with its settings by name.

    Returns:
        The name of the player, and the settings in the string.

    Raises:
        MessageError (a ValueError): the name or a setting is unknown, or a value is invalid.
    """
    name, _, rest = text.partition(":")
    if not name:
        raise MessageError.of("player.missing")
    if name not in kinds:
        raise MessageError.of("player.unknown", name=name[:LONGEST], names=", ".join(sorted(kinds)))
    settings = {}
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        if key not in kinds[name]:
            raise _unknown(name, key[:LONGEST], kinds[name])
        settings[key] = _value(name, kinds[name][key], value)
    return name, settings


def split_players(text: str) -> list[str]:
    """Splits a comma-separated list of player strings. An item with `=` before any `:` is a setting of the last player.

    Examples:
        >>> split_players("greedy,mcts:sims=50,c=2,random")
        ['greedy', 'mcts:sims=50,c=2', 'random']
    """
    players: list[list[str]] = []  # joined at the end, because appending to a string copies it
    for item in filter(None, text.split(",")):
        if players and "=" in item.partition(":")[0]:
            players[-1].append(item)
        else:
            players.append([item])
    return [
        first if not rest else ("," if ":" in first else ":").join([first, ",".join(rest)]) for first, *rest in players
    ]


def _unknown(player: str, setting: str, known: Mapping[str, Setting]) -> MessageError:
    if not known:
        return MessageError.of("player.no_settings", player=player, setting=setting)
    return MessageError.of("player.no_setting", player=player, setting=setting, settings=", ".join(known))


def _value(player: str, setting: Setting, text: str) -> Value:
    bounds = setting.bounds
    if not text:
        raise MessageError.of("player.setting.empty", player=player, setting=setting.name)
    if bounds is None:
        return text
    whole = isinstance(setting.default, int)
    told = {"player": player, "setting": setting.name, "value": text[:LONGEST]}
    if not (_WHOLE if whole else _NUMBER).fullmatch(text):
        raise MessageError.of("player.setting.whole" if whole else "player.setting.number", **told)
    number = int(text) if whole else float(text)
    if not bounds.least <= number <= bounds.most:
        code = "player.setting.shared_range" if setting.shared else "player.setting.range"
        raise MessageError.of(code, **told, least=_shown(bounds.least), most=_shown(bounds.most))
    return number


def _shown(number: float) -> float:
    return int(number) if number == int(number) else number
