"""The score sheet of the scored game, as the books keep it: a line for each marqué, and the account below.

docs/rules.md, 15. A marqué is written in the column of the player who wins it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablier._core import State, trictrac
from tablier._core.trictrac import Parts
from tablier.games.home import Facts
from tablier.games.trictrac.marking import marque_ended
from tablier.games.trictrac.sides import holes_of, side_name
from tablier.messages import Message, Text, listed

LEAST, GRAND = 6, 12
"""Holes of a petite and of a grande bredouille."""
POSTILLON, FURTHER = 28, 8
"""What the first marqué lost beyond one's share costs, and each further one."""


def line(before: State, action: int, after: State) -> Facts | None:
    """Returns the marqué that an action ends, as JSON data; None if it ends none."""
    was, now = trictrac.parts(before), trictrac.parts(after)
    if not marque_ended(was, now):
        return None
    old, new = was.account, now.account
    assert old is not None
    assert new is not None
    if old.played == new.played:
        return {"holes": max(was.holes), "refait": True}
    loser = next(player for player, lost in enumerate(new.lost) if lost > old.lost[player])
    winner = was.seats.index(1 - was.seats[loser])
    side = was.seats[winner]
    options = before.get_game().options()
    run, holes, other = was.holes_run[side], was.holes[side], was.holes[1 - side]
    factor, consolation = _factor(holes, run, options), _consolation(old.refaits, options)
    idle = [player for player, seat in enumerate(was.seats) if seat > 1]
    return {
        "refait": False,
        "winner": winner,
        "loser": loser,
        "holes": holes,
        "other": other,
        "factor": factor,
        "consolation": consolation,
        "idle": idle[0] if idle else None,
        "paid": factor * (holes + consolation) - other,
    }


def _factor(holes: int, run: bool, options: Mapping[str, Any]) -> int:
    if not run or holes < LEAST:
        return 1
    if options["bredouille_progression"] == "2 and 4":
        return 4 if holes >= GRAND else 2
    return 1 << min(10, holes // LEAST)


def _consolation(refaits: int, options: Mapping[str, Any]) -> int:
    return 2 * (refaits + 1) if options["refait_consolation"] == "linear" else 2 << min(refaits, 16)


def sheet(lines: Sequence[Facts], state: State) -> Facts | None:
    """Returns the score sheet of a state after these marqués; None in the ordinary game."""
    now = trictrac.parts(state)
    if now.account is None:
        return None
    n = len(now.account.tokens)
    rows = [_row(one, number, n) for one, number in zip(lines, _numbers(lines), strict=True)]
    return {
        "text": "" if lines else Message("trictrac.sheet.about"),
        "players": [{"label": _name(player, n)} for player in range(n)],
        "rows": rows + _sums(lines, state, now),
    }


def _name(player: int, players: int) -> Text:
    return side_name(player) if players == 2 else Message("seat.number", number=player + 1)


def _numbers(lines: Sequence[Facts]) -> list[int]:
    """Returns the number of each marqué; one that is replayed has that of the next."""
    return [1 + sum(not one["refait"] for one in lines[:at]) for at in range(len(lines))]


def _row(one: Facts, number: int, players: int) -> Facts:
    cells: list[int | None] = [None] * players
    if one["refait"]:
        void = Message("trictrac.sheet.refait", holes=holes_of(one["holes"]))
        return {"kind": "void", "label": str(number), "text": void, "cells": cells}
    cells[one["winner"]] = one["paid"]
    if one["idle"] is not None:
        cells[one["idle"]] = one["consolation"]
    text: list[Text] = [Message("trictrac.sheet.marque", holes=holes_of(one["holes"]), other=one["other"])]
    if one["factor"] > 1:
        text.append(Message(f"trictrac.sheet.{'grande' if one['holes'] >= GRAND else 'petite'}"))
    if one["consolation"] > 2:
        text.append(Message("trictrac.sheet.consolation", n=one["consolation"]))
    return {"kind": "line", "label": str(number), "text": listed(*text), "cells": cells}


def _sums(lines: Sequence[Facts], state: State, now: Parts) -> list[Facts]:
    """Returns the account: tokens won and paid, the tail, the bets, and the balance, which is their sum."""
    account = now.account
    assert account is not None
    n = len(account.tokens)
    won, paid = [0] * n, [0] * n
    for one in (one for one in lines if not one["refait"]):
        won[one["winner"]] += one["paid"]
        paid[one["loser"]] -= one["paid"]
        if one["idle"] is not None:
            won[one["idle"]] += one["consolation"]
            paid[one["loser"]] -= one["consolation"]
    options = state.get_game().options()
    bets = _bets(account.lost, options) if state.is_terminal() and options["bets"] else [0] * n
    tail = [account.tokens[p] - won[p] - paid[p] - bets[p] for p in range(n)]
    tailed = "final_tail" if state.is_terminal() and options["final_tail"] else "tail"
    return [
        _sum("won", won),
        _sum("paid", paid),
        _sum(tailed, tail),
        *([_sum("bets", bets)] if any(bets) else []),
        {**_sum("balance", list(account.tokens)), "kind": "total"},
    ]


def _bets(lost: Sequence[int], options: Mapping[str, Any]) -> list[int]:
    """Returns what each player wins or pays for marqués lost beyond an equal share."""
    n = len(lost)
    result = [0] * n
    for player, count in enumerate(lost):
        beyond = count - options["marques"] // n
        if beyond > 0:
            bet = POSTILLON + FURTHER * (beyond - 1)
            for other in range(n):
                result[other] += -bet if other == player else bet // (n - 1)
    return result


def _sum(name: str, cells: list[int]) -> Facts:
    return {"kind": "sum", "label": Message(f"trictrac.sheet.{name}"), "text": "", "cells": cells}
