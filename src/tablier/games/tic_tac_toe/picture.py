"""The picture of tic-tac-toe: the board with crosses, noughts and the winning line."""

from __future__ import annotations

from html import escape

from tablier._core import State

SIZE, MARGIN = 100, 12
_LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
_CROSS, _NOUGHT, _GOLD = "#b5473c", "#2f6f8f", "#d9a520"


def squares(state: State) -> tuple[set[int], set[int]]:
    """Returns the squares (0 to 8) with crosses and those with noughts."""
    crosses, noughts = (set(map(int, plane.ravel().nonzero()[0])) for plane in state.observation(0))
    return crosses, noughts


def draw(state: State, label: str, width: int = 3 * SIZE + 2 * MARGIN) -> str:
    """Draws the board as SVG.

    Free squares have their action as `data-action`, so that a page can make them clickable.

    Args:
        state: the state to draw.
        label: the description for screen readers.
        width: the width, and height, in pixels.

    >>> import tablier
    >>> tablier.load_game("tic_tac_toe").new_initial_state().svg().count("data-action")
    9
    """
    crosses, noughts = squares(state)
    side = 3 * SIZE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{width}" height="{width}" '
        f'role="img" aria-label="{escape(label)}">'
    ]
    free = set() if state.is_terminal() else set(state.legal_actions())
    won = {square for line in _LINES for square in line if set(line) <= crosses or set(line) <= noughts}
    for square in range(9):
        x, y = MARGIN + SIZE * (square % 3), MARGIN + SIZE * (square // 3)
        clickable = f' data-action="{square}"' if square in free else ""
        glow = f'fill="{_GOLD}" fill-opacity=".25"' if square in won else 'fill="currentColor" fill-opacity=".04"'
        parts.append(f'<rect class="square" x="{x + 3}" y="{y + 3}" width="94" height="94" rx="10" {glow}{clickable}/>')
        if square in crosses:
            path = f"M{x + 27} {y + 27}l46 46m0 -46l-46 46"
            parts.append(f'<path d="{path}" stroke="{_CROSS}" stroke-width="11" stroke-linecap="round"/>')
        if square in noughts:
            ring = f'<circle cx="{x + 50}" cy="{y + 50}" r="25" fill="none" stroke="{_NOUGHT}" stroke-width="11"/>'
            parts.append(ring)
    low, high, end = MARGIN + SIZE, MARGIN + 2 * SIZE, MARGIN + 3 * SIZE
    grid = f"M{low} {MARGIN}V{end}M{high} {MARGIN}V{end}M{MARGIN} {low}H{end}M{MARGIN} {high}H{end}"
    parts.append(f'<path d="{grid}" stroke="currentColor" stroke-width="4" stroke-linecap="round" opacity=".7"/>')
    return "".join([*parts, "</svg>"])
