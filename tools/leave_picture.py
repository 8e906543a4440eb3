"""The picture of docs/champion.md: how often leaving is best, by the holes of both players."""

from __future__ import annotations

CELL, LEFT, TOP, INK = 64, 90, 60, "#3b2a1a"
HOLD, LEAVE = (244, 236, 220), (140, 47, 27)
"""The colours of 0% and of 100%."""


def draw_leaving(shares: dict[tuple[int, int], float]) -> str:
    """Draws a grid of shares.

    Args:
        shares: the share of decisions in which leaving is best, by the holes of the player and of the opponent.

    Returns:
        An SVG document.
    """
    mine, theirs = (sorted({holes[side] for holes in shares}) for side in (0, 1))
    width, height = LEFT + CELL * len(theirs) + 20, TOP + CELL * len(mine) + 50
    across, down = LEFT + CELL * len(theirs) / 2, TOP + CELL * len(mine) / 2
    title = "How often leaving is best"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="sans-serif" font-size="13" fill="{INK}" role="img"><title>{title}</title>',
        f'<rect width="{width}" height="{height}" fill="#fffdf8"/>',
        f'<text x="{width / 2:g}" y="26" text-anchor="middle" font-size="16">{title}</text>',
        f'<text x="{across:g}" y="{height - 12}" text-anchor="middle">holes of the opponent</text>',
        f'<text transform="translate(22 {down:g}) rotate(-90)" text-anchor="middle">own holes</text>',
    ]
    for row, own in enumerate(mine):
        y = TOP + CELL * (len(mine) - 1 - row)
        parts.append(f'<text x="{LEFT - 12}" y="{y + CELL / 2 + 5:g}" text-anchor="end">{own}</text>')
        for column, other in enumerate(theirs):
            share = shares.get((own, other))
            if share is None:
                continue
            x = LEFT + CELL * column
            colour = ",".join(str(round(a + (b - a) * share)) for a, b in zip(HOLD, LEAVE, strict=True))
            ink = "#fffdf8" if share > 0.5 else INK
            parts.append(f'<rect x="{x}" y="{y}" width="{CELL - 2}" height="{CELL - 2}" fill="rgb({colour})"/>')
            place = f'x="{x + CELL / 2 - 1:g}" y="{y + CELL / 2 + 5:g}"'
            parts.append(f'<text {place} text-anchor="middle" fill="{ink}">{share:.0%}</text>')
    foot = TOP + CELL * len(mine) + 18
    for column, other in enumerate(theirs):
        parts.append(f'<text x="{LEFT + CELL * column + CELL / 2:g}" y="{foot}" text-anchor="middle">{other}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
