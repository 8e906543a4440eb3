"""Moves as books write them: `24/18 13/11`, `24/16`, `bar/22*`, `13/7(2)`, `6/off`.

Points are in the mover's own numbering. `*` marks a hit. One man that plays several numbers is one path, whose stops
are named only where it hits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tablier._core import State
from tablier._core.backgammon import moves
from tablier.messages import Message, Text

OFF, BAR = 0, 25
Move = tuple[int, int, bool]
"""(from, to, whether it hits) in the mover's numbering; 25 is the bar, 0 is off the board."""


def action_text(state: State, action: int) -> Text:
    """Returns the text of a throw or a move.

    >>> import tablier
    >>> state = tablier.load_game("backgammon").new_initial_state().child(12)
    >>> action_text(state, state.legal_actions()[-1])
    '6/2'
    """
    if state.is_chance_node():
        return Message("backgammon.action.dice", first=action // 6 + 1, second=action % 6 + 1)
    return moves_message(moves(state, action)) or Message("backgammon.action.pass")


def moves_text(played: Iterable[Move]) -> str:
    """Returns moves as text, with the English words `bar` and `off`; "" for none."""
    return " ".join(_paths_text(played))


def moves_message(played: Iterable[Move]) -> Text:
    """Returns moves as text with the words of each language; empty for none."""
    told: list[Text] = []
    for path in _paths_text(played):
        way, star, times = path.partition("(")
        if way.startswith("bar/"):
            told.append(Message("backgammon.action.enter", rest=f"{way.removeprefix('bar/')}{star}{times}"))
        elif way.endswith("/off"):
            told.append(Message("backgammon.action.off", start=way.removesuffix("/off"), times=f"{star}{times}"))
        else:
            told.append(path)
    return told[0] if len(told) == 1 else told


def _paths_text(played: Iterable[Move]) -> list[str]:
    found = sorted(paths(played), key=lambda path: (-path[0][0], path[-1][1], not path[0][2]))
    told = [_path_text(path) for path in found]
    bare = [text.replace("*", "") for text in told]  # of two men to one point, the first one hits
    shown = []
    for number, text in enumerate(told):
        if bare[number] not in bare[:number]:
            count = bare.count(bare[number])
            shown.append(f"{text}({count})" if count > 1 else text)
    return shown


def paths(played: Iterable[Move]) -> list[list[Move]]:
    """Joins the moves of each man: a move starts a new path unless it goes on from where another ended.

    Men that start on a point are not told apart from men that arrive there, so each move continues the oldest path.
    """
    found: list[list[Move]] = []
    for move in played:
        before = next((path for path in found if path[-1][1] == move[0] != OFF), None)
        if before is None:
            found.append([move])
        else:
            before.append(move)
    return found


def place_text(place: int) -> str:
    """Returns the text of a point, the bar or off."""
    return {OFF: "off", BAR: "bar"}.get(place, str(place))


def _path_text(path: Sequence[Move]) -> str:
    text = place_text(path[0][0])
    for number, (_, to, hits) in enumerate(path, 1):
        if hits or number == len(path):
            text += f"/{place_text(to)}{'*' if hits else ''}"
    return text
