"""Data for the web page: the board, the legal actions and the log.

Moves use the mover's point numbers (25 the bar, 0 off), men White's. `text` values are messages, which the server sends
in every language.
"""

from __future__ import annotations

from tablier._core import State
from tablier._core.backgammon import moves, parts
from tablier.games.backgammon.notation import action_text
from tablier.games.backgammon.steps import orders, steps
from tablier.games.backgammon.telling import pips, tell
from tablier.games.home import Facts

COLOURS = (0, 1)
"""The colour of each seat: 0 White, 1 Black."""


def scene(state: State) -> Facts:
    """Returns the data from which the page draws the board."""
    now = parts(state)
    return {
        "kind": "backgammon",
        "men": now.board,
        "bar": now.bar,
        "borne_off": now.off,
        "dice": now.dice if any(now.dice) else None,
        "stage": _stage(state),
        "mover": now.player,
        "moves_left": now.moves_left,
        "colours": COLOURS,
        "pips": [pips(now, side) for side in COLOURS],
    }


def _stage(state: State) -> str:
    if state.is_terminal():
        return "over"
    return "opening" if parts(state).opening else "roll" if state.is_chance_node() else "move"


def legal(state: State) -> list[Facts]:
    """Returns the legal actions, with all orders of steps."""
    result = []
    for action, found in orders(state).items():
        result.append(named(state, action) | {"moves": found[0], "orders": found})
    return result


def named(state: State, action: int) -> Facts:
    """Returns a player's action: its number, kind, verb and text."""
    verb = "move" if moves(state, action) else "pass"
    return {"action": action, "kind": "move", "verb": verb, "text": action_text(state, action)}


def pairs(state: State, action: int) -> list[list[int]] | None:
    """Returns a move as [from, to] pairs; None for a throw."""
    return None if state.is_chance_node() else [[start, to] for start, to, _ in steps(state, action)]


def log(before: State, action: int, after: State) -> Facts:
    """Returns a line of the log."""
    entry: Facts = {"text": tell(before, action, after)}
    if before.is_chance_node():
        again = parts(after).opening
        player = None if again else parts(after).player
        dice = (action // 6 + 1, action % 6 + 1)
        return entry | {"player": player, "colour": player, "kind": "throw", "dice": dice}
    player, verb = before.current_player(), named(before, action)["verb"]
    return entry | {"player": player, "colour": player, "kind": "move", "verb": verb, "moves": pairs(before, action)}
