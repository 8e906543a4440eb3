"""What the page shows of a game of Trictrac: the table, the throw with its jans, the legal actions and the log.

Fields of moves are in the mover's own numbers, those of jans and men in White's. Words (`text`, `title`, `why`) are
texts of the catalogue; the server sends them in every language.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablier._core import State
from tablier._core.trictrac import CLAIM, CORRECT, FILL, LEAVE, ROLL, Stage, amount, is_move, moves, parts, throw
from tablier.games.home import Facts
from tablier.games.trictrac.actions import action_text
from tablier.games.trictrac.jans import Jan, throw_jans
from tablier.games.trictrac.picture import pavillon
from tablier.games.trictrac.steps import by_power, orders, steps
from tablier.games.trictrac.telling import tell

_STAGES = ("roll", "roll", "mark", "hold_or_leave", "move", "mark")


@dataclass(frozen=True)
class Memory:
    """What a page remembers and a state forgets."""

    thrown: Facts | None = None
    """The last throw, as long as it lies on the table."""
    colours: tuple[int | None, ...] = ()
    """By seat, before the last action: the state of a game that is over does not tell who sat where."""


def scene(state: State, memory: Memory) -> Facts:
    """The table as it stands."""
    now, thrown = parts(state), memory.thrown
    if thrown and is_marked_by_players(state):
        thrown = thrown | {"jans": []}
    off = [15 - sum(n for n in now.board if n > 0), 15 + sum(n for n in now.board if n < 0)]
    return {
        "kind": "trictrac",
        "men": now.board,
        "dice": now.dice if any(now.dice) else None,
        "stage": "over" if state.is_terminal() else "draw" if now.drawing else _STAGES[now.stage],
        "mover": now.player,
        "colours": memory.colours if memory.colours and state.is_terminal() else colours(state),
        "holes": now.holes,
        "points": now.points,
        "bredouille": [bool(p and run) for p, run in zip(now.points, now.points_run, strict=True)],
        "grand_bredouille": now.holes_run,
        "pavillon": pavillon(now),
        "borne_off": off,
        "swapped": now.swapped,
        "tokens": now.account and now.account.tokens,
        "throw": thrown,
    }


def colours(state: State) -> tuple[int | None, ...]:
    """By seat: 0 White, 1 Black, None for the one of three who rests."""
    return tuple(colour if colour < 2 else None for colour in parts(state).seats)


def is_marked_by_players(state: State) -> bool:
    """Whether a throw is being marked by the players themselves (schools): then its jans are not told yet."""
    return bool(state.get_game().options()["schools"]) and any(parts(state).dice) and not state.is_terminal()


def shown(jan: Jan, mover: int) -> Facts:
    """A jan for people."""
    return {
        "name": jan.name,
        "title": jan.title,
        "points": jan.points,
        "player": mover if jan.beneficiary == "player" else 1 - mover,
        "why": jan.reason,
        "fields": sorted(25 - field for field in jan.fields) if mover else list(jan.fields),
        "ways": jan.ways,
    }


def legal(state: State) -> list[Facts]:
    """The legal actions of a decision, moves with every order of their steps."""
    found = orders(state) if parts(state).stage in (Stage.HOLD_OR_GO, Stage.MOVE) else {}
    result = []
    for action in state.legal_actions():
        one = named(state, action)
        if action in found:
            one |= {"moves": found[action][0], "orders": found[action]}
            one["puissance"] = by_power(one["moves"])
        result.append(one)
    return result


def named(state: State, action: int) -> Facts:
    """A player's action: its number, what kind it is, and words for it."""
    facts: Facts = {"action": action, "kind": "mark", "text": action_text(state, action)}
    if is_move(action):
        return facts | {"kind": "move", "verb": "move" if moves(state, action) else "pass"}
    if action in (ROLL, LEAVE):
        return facts | {"kind": "choice", "verb": "roll" if action == ROLL else "leave"}
    if action < CORRECT:
        return facts | {"verb": "declare" if action < CLAIM else "claim", "amount": amount(action)}
    return facts | {"verb": {CORRECT: "correct", FILL: "fill"}.get(action, "accept")}


def pairs(state: State, action: int) -> list[list[int]] | None:
    """A move as pairs (from, to); None for what is not a move."""
    moving = not state.is_chance_node() and is_move(action)
    return [[start, to] for start, to, _ in steps(state, action)] if moving else None


def log(before: State, action: int, after: State, memory: Memory) -> tuple[Facts, Memory]:
    """One line of the log, and what the page must remember from now on."""
    was, now = parts(before), parts(after)
    entry: Facts = {"text": tell(before, action, after), "points": now.points, "holes": now.holes}
    if before.is_chance_node():
        thrown = _throw_of(after)
        colour = now.player if thrown else None
        seat = None if colour is None else colours(after).index(colour)
        entry |= {"player": seat, "colour": colour, "kind": "throw", "dice": throw(action)}
        if thrown and not is_marked_by_players(after):
            entry["jans"] = thrown["jans"]
        return entry, Memory(thrown, colours(before))
    about, thrown = named(before, action), memory.thrown
    seat = before.current_player()
    entry |= {"player": seat, "colour": colours(before)[seat], "kind": about["kind"], "verb": about["verb"]}
    entry["moves"] = pairs(before, action)
    if is_marked_by_players(before) and not is_marked_by_players(after) and thrown:
        entry["jans"] = thrown["jans"]  # everything has been marked and claimed: now the truth may be told
    carried = entry["kind"] == "move" and now.throws != was.throws and any(now.dice)
    if carried:  # the throw that bore off all men opens a setting
        thrown = _throw_of(after)
    return entry, Memory(thrown, colours(before))


def _throw_of(state: State) -> Facts | None:
    """The throw that lies on the table and has not been played, with the jans that it scores."""
    now = parts(state)
    if not any(now.dice):
        return None
    return {"player": now.player, "dice": now.dice, "jans": [shown(jan, now.player) for jan in throw_jans(state)]}
