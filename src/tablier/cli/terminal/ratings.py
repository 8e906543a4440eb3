"""Shows error ratings and luck, and writes them into the header of a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tablier.analysis import ErrorRating, GameLuck, Tally
from tablier.analysis.ratings import band_name
from tablier.games import Home
from tablier.games.home import MOVE
from tablier.messages import Message, Number, Text, listed


def rating_text(home: Home, rating: ErrorRating) -> list[Text]:
    """Returns lines with the error rating by kind of decision and, in a game with markings, the markings."""
    lines: list[Text] = []
    if rating.decisions:
        kinds = [_kind(home, kind, tally, rating.by_chance) for kind, tally in rating.kinds.items()]
        told: dict[str, Text | float] = {"mean": _loss(rating.mean, rating.by_chance), "kinds": listed(*kinds)}
        if rating.band is None:
            lines.append(Message("rating.line_plain", **told))
        else:
            lines.append(Message("rating.line", band=band_name(rating.band), **told))
    if rating.marking.decisions:
        marks = rating.marking
        decided, wrong = Message("count.decisions", n=marks.decisions), Message("rating.wrong", n=marks.errors)
        lines.append(Message("rating.marking", decisions=decided, wrong=wrong, points=Number(marks.lost, "g")))
    return lines


def _kind(home: Home, kind: str, tally: Tally, by_chance: bool) -> Message:
    name = Message("rating.kind.move") if kind == MOVE else home.kind_name(kind)
    decided = Message("count.decisions", n=tally.decisions)
    return Message("rating.kind", kind=name, mean=_loss(tally.mean, by_chance), decisions=decided)


def _loss(mean: float, by_chance: bool) -> Number:
    return Number(mean, ".2%" if by_chance else ".3f")


def luck_text(luck: GameLuck, seat: int) -> Message:
    """Returns the luck of a seat and, if the game is over, its luck-adjusted result."""
    told = Number(luck.total[seat], "+.1%" if luck.unit == "win" else "+.2f")
    if luck.adjusted is None:
        return Message("luck.line_open", luck=told)
    adjusted = Number(luck.adjusted[seat], ".1%" if luck.unit == "win" else "+.2f")
    return Message("luck.line", luck=told, adjusted=adjusted)


def rating_row(rating: ErrorRating) -> dict[str, Any]:
    """Returns a rating as JSON data."""
    kinds = {kind: asdict(tally) | {"mean": tally.mean} for kind, tally in rating.kinds.items()}
    found = {"decisions": rating.decisions, "mean": rating.mean, "band": rating.band, "by_chance": rating.by_chance}
    return found | {"kinds": kinds, "marking": asdict(rating.marking)}


def luck_row(luck: GameLuck) -> dict[str, Any]:
    """Returns the luck of a game as JSON data."""
    found = {"judge": luck.judge, "unit": luck.unit, "total": luck.total, "result": luck.result}
    throws = [{"index": one.index, "player": one.player, "luck": one.luck} for one in luck.throws]
    return found | {"adjusted": luck.adjusted, "throws": throws}


def annotated(
    home: Home, header: Mapping[str, str], analyst: str, ratings: list[ErrorRating], luck: GameLuck | None
) -> dict[str, str]:
    """Returns the header of a record with the error rating and the luck of each seat, as plain numbers."""
    result = dict(header) | {"Analyst": analyst}
    for seat, key in enumerate(home.seat_keys()):
        if ratings[seat].decisions:
            result[f"{key}ErrorRating"] = f"{ratings[seat].mean:.5f}"
        if luck is not None:
            result[f"{key}Luck"] = f"{luck.total[seat]:+.5f}"
    if luck is not None:
        result["LuckJudge"] = luck.judge
    return result
