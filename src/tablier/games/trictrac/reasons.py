"""Why one move is better than another: what differs between the positions they lead to, as far as the next throws show.

The analyst values positions by looking further ahead. These reasons do not replace its verdict; they name the
differences a player can see: points expected, men exposed, jans to fill or keep, the corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement

from tablier._core import State
from tablier._core.trictrac import LEAVE, Parts, parts, score
from tablier.games.trictrac.sides import points_of, side_name
from tablier.messages import Message, Number, Text

THROWS = [((a, b), 1 if a == b else 2) for a, b in combinations_with_replacement(range(1, 7), 2)]
"""The 21 throws, each with its weight out of 36."""
EVERY = 36
LEAST_POINTS, LEAST_THROWS = 0.3, 2.0
"""Smaller differences are no reason: in points of a throw, and in throws out of 36."""
MOST = 3
"""Reasons given."""
CORNER = 12


@dataclass(frozen=True)
class Outlook:
    """What the next throws promise in a position, seen by the player who has just moved."""

    hits: int
    """Throws out of 36 with which the opponent hits a man."""
    exposed: int
    """Men of the player that some throw of the opponent hits."""
    given: float
    """Points that the opponent's next throw gives them, minus those it gives the player, on average."""
    hoped: float
    """The same for the player's own next throw, if the opponent's men stayed where they are."""
    jans: int
    """Throws out of 36 with which the player would fill or keep a jan."""
    corner: bool
    """Whether the player holds their corner."""

    @classmethod
    def of(cls, state: State, player: int) -> Outlook:
        """Returns the outlook of a player in a state in which the opponent is to throw."""
        now = parts(state)
        theirs, mine = throws(state, now, 1 - player), throws(state, now, player)
        board = now.board_from(player)
        return cls(
            hits=sum(weight for _, _, ways, weight in theirs if ways.keys() & {"hit_small", "hit_big"}),
            exposed=_exposed(board),
            given=sum(weight * (own - other) for own, other, _, weight in theirs) / EVERY,
            hoped=sum(weight * (own - other) for own, other, _, weight in mine) / EVERY,
            jans=sum(weight for _, _, ways, weight in mine if any(_is_jan(name) for name in ways)),
            corner=board[CORNER - 1] > 1,
        )


Scored = tuple[int, int, dict[str, int], int]


def throws(state: State, now: Parts, player: int) -> list[Scored]:
    """Scores every throw of a player: their points, the other's, the ways of each jan, and the weight."""
    game, board, index = state.get_game(), now.board_from(player), now.throws[player] + 1
    return [(*score(game, board, a, b, index), weight) for (a, b), weight in THROWS]


def _is_jan(name: str) -> bool:
    return name.startswith(("fill_", "conserve_"))


def _exposed(board: tuple[int, ...]) -> int:
    """Counts the player's single men that stand in front of an opposing man, within reach of a throw."""
    theirs = [place for place, count in enumerate(board) if count < 0]
    singles = [place for place, count in enumerate(board) if count == 1]
    return sum(any(0 < place - single <= 12 for place in theirs) for single in singles)


def reasons(state: State, better: int, worse: int) -> list[Text]:
    """Returns why an action is better than another, the weightiest reason first; none if the next throws show nothing.

    Args:
        state: the decision, in the ordinary game or the scored one.
        better: the better action.
        worse: the other one.
    """
    if better == worse or LEAVE in (better, worse):
        return [] if better == worse else _hold_or_leave(state, better, worse)
    player = parts(state).player
    after = [state.child(action) for action in (better, worse)]
    if not all(is_to_throw(one, 1 - player) for one in after):
        return []
    return _differences(Outlook.of(after[0], player), Outlook.of(after[1], player), player)


def is_to_throw(state: State, player: int) -> bool:
    """Returns whether a player is about to throw."""
    return state.is_chance_node() and parts(state).player == player


def _differences(good: Outlook, bad: Outlook, player: int) -> list[Text]:
    who, other = side_name(player), side_name(1 - player)
    found: list[tuple[float, Text]] = []
    if good.corner != bad.corner:
        found.append((9.0, Message(f"trictrac.reason.corner.{'kept' if good.corner else 'free'}", who=who)))
    for kind, gain in (("hoped", good.hoped - bad.hoped), ("given", bad.given - good.given)):
        if gain >= LEAST_POINTS:
            thrower = player if kind == "hoped" else 1 - player
            points = {"better": _brings(getattr(good, kind), thrower), "worse": _brings(getattr(bad, kind), thrower)}
            found.append((gain, Message(f"trictrac.reason.{kind}", who=who, other=other, **points)))
    if (throws := good.jans - bad.jans) >= LEAST_THROWS:
        found.append((throws / 8, Message("trictrac.reason.jans", who=who, better=good.jans, worse=bad.jans)))
    if (throws := bad.hits - good.hits) >= LEAST_THROWS:
        found.append((throws / 10, Message("trictrac.reason.hits", other=other, better=good.hits, worse=bad.hits)))
    elif good.exposed < bad.exposed:
        found.append((0.3, Message("trictrac.reason.exposed", better=good.exposed, worse=bad.exposed)))
    found.sort(key=lambda one: -one[0])
    return [text for _, text in found[:MOST]]


def _brings(points: float, thrower: int) -> Message:
    """Returns what a throw brings on average, such as "gains 1.3 points" or "gives White 0.4 points"."""
    tenths = round(10 * points)
    if not tenths:
        return Message("trictrac.reason.nothing")
    size, key = abs(tenths) / 10, "gains" if tenths > 0 else "gives"
    return Message(f"trictrac.reason.{key}", n=size, size=Number(size, ".1f"), to=side_name(1 - thrower))


def _hold_or_leave(state: State, better: int, worse: int) -> list[Text]:
    """Compares leaving with the position that the move keeps."""
    now = parts(state)
    player = now.player
    who, other = side_name(player), side_name(1 - player)
    after = state.child(worse if better == LEAVE else better)
    told: list[Text] = []
    if better == LEAVE and now.due[1]:
        told.append(Message("trictrac.reason.leave.spared", other=other, points=points_of(now.due[1])))
    if better != LEAVE and now.points[player]:
        told.append(Message("trictrac.reason.hold.points", points=points_of(now.points[player])))
    if is_to_throw(after, 1 - player):
        seen = Outlook.of(after, player)
        key = f"trictrac.reason.{'leave' if better == LEAVE else 'hold'}"
        points = {"mine": _brings(seen.hoped, player), "theirs": _brings(seen.given, 1 - player)}
        told.append(Message(f"{key}.stay", who=who, other=other, **points))
        if 0 < seen.jans < (EVERY / 2 if better == LEAVE else EVERY + 1):
            told.append(Message(f"{key}.jans", who=who, throws=seen.jans))
    return told[:MOST]
