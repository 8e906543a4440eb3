"""The picture of pig: both scores on the way to the goal, the turn total and the die."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from tablier._core import State
from tablier._core.search import words

ROLL, HOLD = 0, 1
"""A player's actions (core/games/pig.h)."""

WIDTH, HEIGHT = 480, 250
PIPS = ("", "4", "08", "048", "0268", "02468", "023568")  # cells of a 3 x 3 grid, row by row
_COLOURS = ("#b5473c", "#2f6f8f")
_INK, _IVORY, _GOLD = "#3b2a1a", "#fbf4e2", "#d9a520"


@dataclass(frozen=True)
class Race:
    """The score of a game of pig."""

    goal: int
    scores: tuple[int, int]
    turn: int
    """Points of the current turn, not yet banked."""
    player: int
    """The player to move; negative at a chance node and at the end."""

    @classmethod
    def of(cls, state: State) -> Race:
        """Reads the score from a state."""
        first, second, turn, *_ = (int(word) for word in words(state))
        return cls(int(state.get_game().options()["win_score"]), (first, second), turn, state.current_player())


def draw(race: Race, label: str, width: int = WIDTH, die: int = 0) -> str:
    """Draws the race as SVG.

    While a player decides, the die has the action "roll" as `data-action` and the turn total the action "hold".

    Args:
        race: the score to draw.
        label: the description for screen readers.
        width: the width in pixels.
        die: the face shown, 1 to 6; 0 shows a question mark (a state does not store the last roll).

    >>> import tablier
    >>> picture = tablier.load_game("pig").new_initial_state().svg(die=5)
    >>> picture.count('class="pip"'), 'data-action="0"' in picture
    (5, True)
    """
    goal, turn, player = race.goal, race.turn, race.player
    decides = player >= 0
    height = round(width * HEIGHT / WIDTH)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(label)}" font-family="Georgia, serif">'
    ]
    for seat, points in enumerate(race.scores):
        parts += _track(seat, points, turn if seat == player else 0, goal, seat == player)
    parts += _die(die, decides)
    clickable = f' data-action="{HOLD}"' if decides else ""
    parts.append(f'<g class="hold"{clickable}>')
    parts.append(f'<rect x="250" y="138" width="150" height="90" rx="16" fill="{_GOLD}" fill-opacity=".22"/>')
    parts.append(f'<text x="325" y="198" font-size="46" text-anchor="middle" fill="currentColor">+{turn}</text></g>')
    return "".join([*parts, "</svg>"])


def _track(seat: int, points: int, turn: int, goal: int, moves: bool) -> list[str]:
    """Draws a player's progress to the goal; points of the turn that are not banked yet are paler."""
    y, full, colour = 18 + 54 * seat, 380.0, _COLOURS[seat]
    done = full * min(1.0, points / goal)
    hoped = full * min(1.0, (points + turn) / goal) - done
    ring = f' stroke="{_GOLD}" stroke-width="3"' if moves else ""
    return [
        f'<circle cx="26" cy="{y + 17}" r="15" fill="{colour}"{ring}/>',
        f'<text x="26" y="{y + 23}" font-size="17" text-anchor="middle" fill="#fff">{seat + 1}</text>',
        f'<rect x="52" y="{y + 6}" width="{full:g}" height="22" rx="11" fill="currentColor" fill-opacity=".1"/>',
        f'<rect x="52" y="{y + 6}" width="{done:.1f}" height="22" rx="{min(11.0, done / 2):.1f}" fill="{colour}"/>',
        f'<rect x="{52 + done:.1f}" y="{y + 6}" width="{hoped:.1f}" height="22" fill="{colour}" fill-opacity=".4"/>',
        f'<text x="442" y="{y + 24}" font-size="{20 if points < 1000 else 10}" fill="currentColor">{points}</text>',
    ]


def _die(face: int, clickable: bool) -> list[str]:
    action = f' data-action="{ROLL}"' if clickable else ""
    parts = [f'<g class="die"{action}>']
    parts.append(f'<rect x="90" y="133" width="100" height="100" rx="20" fill="{_IVORY}" stroke="#b79d6c"/>')
    for cell in map(int, PIPS[face]):
        x, y = 114 + 26 * (cell % 3), 157 + 26 * (cell // 3)
        parts.append(f'<circle class="pip" cx="{x}" cy="{y}" r="9.5" fill="{_INK}"/>')
    if not face:
        parts.append('<text x="140" y="200" font-size="48" text-anchor="middle" fill="#b79d6c">?</text>')
    return [*parts, "</g>"]
