"""Data for the web page: the board, the throw with its jans, the legal actions and the log.

Moves use the mover's field numbers, jans and men White's. `text`, `title` and `why` are messages, which the server
sends in every language.
"""

from __future__ import annotations

from dataclasses import dataclass

from tablier._core import State
from tablier._core.trictrac import CLAIM, CORRECT, FILL, LEAVE, ROLL, Stage, amount, is_move, moves, parts, throw
from tablier.games.home import Facts
from tablier.games.trictrac.actions import action_text
from tablier.games.trictrac.events import event, is_new_setting
from tablier.games.trictrac.jans import Jan, throw_jans
from tablier.games.trictrac.picture import pavillon
from tablier.games.trictrac.steps import by_power, orders, steps
from tablier.games.trictrac.telling import tell
from tablier.games.trictrac.telling import thrown as thrown_text

_STAGES = ("roll", "roll", "mark", "hold_or_leave", "move", "mark")


@dataclass(frozen=True)
class Memory:
    """What the page needs to remember because a state does not store it."""

    thrown: Facts | None = None
    """The last throw, while it is on the table."""
    colours: tuple[int | None, ...] = ()
    """Colours by seat before the last action; a terminal state no longer has them."""
    won: int = 0
    """The holes that the thrower won by that throw."""


def scene(state: State, memory: Memory) -> Facts:
    """Returns the data from which the page draws the board."""
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
    """Returns the colour of each seat: 0 White, 1 Black, None for a third player who sits out."""
    return tuple(colour if colour < 2 else None for colour in parts(state).seats)


def is_marked_by_players(state: State) -> bool:
    """Whether the players are still marking the throw themselves (schools), so that its jans must stay hidden."""
    return bool(state.get_game().options()["schools"]) and any(parts(state).dice) and not state.is_terminal()


def shown(jan: Jan, mover: int) -> Facts:
    """Returns a jan for the page, with fields in White's numbering."""
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
    """Returns the legal actions, with all orders of steps for moves."""
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
    """Returns a player's action: its number, kind, verb and text."""
    facts: Facts = {"action": action, "kind": "mark", "text": action_text(state, action)}
    if is_move(action):
        return facts | {"kind": "move", "verb": "move" if moves(state, action) else "pass"}
    if action in (ROLL, LEAVE):
        return facts | {"kind": "choice", "verb": "roll" if action == ROLL else "leave"}
    if action < CORRECT:
        return facts | {"verb": "declare" if action < CLAIM else "claim", "amount": amount(action)}
    return facts | {"verb": {CORRECT: "correct", FILL: "fill"}.get(action, "accept")}


def pairs(state: State, action: int) -> list[list[int]] | None:
    """Returns a move as [from, to] pairs; None for any other action."""
    moving = not state.is_chance_node() and is_move(action)
    return [[start, to] for start, to, _ in steps(state, action)] if moving else None


def log(before: State, action: int, after: State, memory: Memory) -> tuple[Facts, Memory]:
    """Returns a line of the log and the new memory."""
    was, now = parts(before), parts(after)
    entry: Facts = {"text": tell(before, action, after), "points": now.points, "holes": now.holes}
    entry |= {"event": event(before, action, after, memory.won), "reset": is_new_setting(was, now)}
    if before.is_chance_node():
        thrown = throw_of(after)
        colour = now.player if thrown else None
        seat = None if colour is None else colours(after).index(colour)
        entry |= {"player": seat, "colour": colour, "kind": "throw", "dice": throw(action)}
        if thrown and not (is_marked_by_players(after) and any(now.due)):
            entry["jans"] = thrown["jans"]
        won = now.holes[was.player] - was.holes[was.player]
        return entry, Memory(thrown, colours(before), won)
    about, thrown = named(before, action), memory.thrown
    seat = before.current_player()
    entry |= {"player": seat, "colour": colours(before)[seat], "kind": about["kind"], "verb": about["verb"]}
    entry["moves"] = pairs(before, action)
    if is_marked_by_players(before) and not is_marked_by_players(after) and thrown:
        entry["jans"] = thrown["jans"]  # all marking and claiming is done: reveal the jans
    carried = entry["kind"] == "move" and now.throws != was.throws and any(now.dice)
    if carried:  # the throw that bore off the last man opens the next setting
        thrown = throw_of(after)
    return entry, Memory(thrown, colours(before), memory.won)


def recalled(state: State) -> tuple[list[Facts], Memory]:
    """Returns the log line of the throw on the board, if there is one, and the memory of it."""
    thrown, now = throw_of(state), parts(state)
    if thrown is None:
        return [], Memory()
    entry: Facts = {"text": thrown_text(state), "points": now.points, "holes": now.holes, "dice": now.dice}
    entry |= {"player": colours(state).index(now.player), "colour": now.player, "kind": "throw"}
    if not is_marked_by_players(state):
        entry["jans"] = thrown["jans"]
    return [entry], Memory(thrown, colours(state))


def throw_of(state: State) -> Facts | None:
    """Returns the throw to be played with its jans; None if there is none."""
    now = parts(state)
    if not any(now.dice):
        return None
    return {"player": now.player, "dice": now.dice, "jans": [shown(jan, now.player) for jan in throw_jans(state)]}
