"""The events of a Trictrac game that a page announces: holes, leaving, new settings, schools, the flag, the end."""

from __future__ import annotations

from tablier._core import State, trictrac
from tablier._core.trictrac import LEAVE, Parts
from tablier.games.home import Facts
from tablier.games.trictrac.marking import marque_ended
from tablier.games.trictrac.picture import pavillon
from tablier.games.trictrac.position import START
from tablier.games.trictrac.schools import verdicts
from tablier.games.trictrac.sides import holes_of, side_name
from tablier.games.trictrac.telling import holes_told, is_bredouille, result
from tablier.messages import Message, Text


def event(before: State, action: int, after: State, won: int) -> Facts | None:
    """Returns what an action or a throw brought about, or None if it is not worth a banner.

    Args:
        before: the state the action was applied to.
        action: the action, or the throw.
        after: the state that followed.
        won: the holes that the thrower won by the throw on the table.

    Returns:
        `kind` and `text`; `sums_up` if the text repeats the event before it.
    """
    was, now = trictrac.parts(before), trictrac.parts(after)
    if after.is_terminal():
        return _event("end", _end(now, after))
    if marque_ended(was, now):
        return _event("marque", [_marque(was, now)])
    if not before.is_chance_node() and action == LEAVE:
        return _event("leave", [_leaves(was.player, won)], sums_up=won > 0)
    settled = [] if before.is_chance_node() else [verdict.text for verdict in verdicts(before, action)]
    holes = [*holes_told(was, now, 0), *holes_told(was, now, 1)]
    told = [*settled, *holes, *_flag(was, now)]
    if is_new_setting(was, now):
        return _event("setting", [*told, Message("trictrac.all_off")])
    return _event("school" if settled else "hole", told) if told else None


def is_new_setting(was: Parts, now: Parts) -> bool:
    """Whether the men were set up again between two states: a player left, all men were off, or a marqué ended."""
    return now.board == START != was.board


def _event(kind: str, told: list[Text], sums_up: bool = False) -> Facts:
    return {"kind": kind, "text": told, "sums_up": sums_up}


def _end(now: Parts, after: State) -> list[Text]:
    return [Message("trictrac.event.over")] if now.account else [result(after)]


def _leaves(side: int, won: int) -> Message:
    if not won:
        return Message("trictrac.leaves", who=side_name(side))
    key = "trictrac.event.leaves.bredouille" if is_bredouille(won) else "trictrac.event.leaves"
    return Message(key, who=side_name(side), holes=holes_of(won))


def _marque(was: Parts, now: Parts) -> Message:
    """Returns who won the marqué and how many tokens; a void one is played again."""
    old, new = was.account, now.account
    if old is None or new is None or old.played == new.played:
        return Message("trictrac.event.marque.void")
    gained = [after - before for before, after in zip(old.tokens, new.tokens, strict=True)]
    side = was.seats[gained.index(max(gained))]
    if side > 1 or max(gained) <= 0:
        return Message("trictrac.marque_over")
    return Message("trictrac.event.marque", who=side_name(side), n=max(gained))


def _flag(was: Parts, now: Parts) -> list[Text]:
    """Returns who took the flag or lost it (docs/rules.md, 12)."""
    old, new = pavillon(was), pavillon(now)
    if new is not None:
        return [Message("trictrac.event.flag.taken", who=side_name(new))] if new != old else []
    return [Message("trictrac.event.flag.lost", who=side_name(old))] if old is not None else []
