"""Draws a ladder as SVG: a dot for the rating of each player, a line for its interval."""

from __future__ import annotations

import math
from html import escape

from tablier.arena.standings import Ladder
from tablier.messages import number, say

WIDTH, NAMES, RIGHT, ROW, TOP, BOTTOM = 760, 240, 70, 30, 50, 40
INK, LINE, DOT = "#3b2a1a", "#b08d57", "#8c2f1b"


def draw_ladder(ladder: Ladder, lang: str = "en") -> str:
    """Draws a ladder.

    Args:
        ladder: the ladder.
        lang: language of the title and the axis.

    Returns:
        An SVG document. Infinite ends of intervals are drawn as arrows.
    """
    shown = [end for one in ladder.standings for end in (one.rating, *one.interval) if math.isfinite(end)]
    step = _step(max(shown) - min(shown))
    low, high = step * math.floor(min(shown) / step), step * math.ceil(max(shown) / step + 0.01)
    scale = (WIDTH - NAMES - RIGHT) / (high - low)

    def x(rating: float) -> float:
        return round(NAMES + (min(high, max(low, rating)) - low) * scale, 1)

    height = TOP + ROW * len(ladder.standings) + BOTTOM
    title = escape(say(lang, "ladder.chart.title"))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' font-family="sans-serif" font-size="13" fill="{INK}" role="img"><title>{title}</title>',
        f'<rect width="{WIDTH}" height="{height}" fill="#fffdf8"/>',
        f'<text x="{WIDTH / 2:g}" y="26" text-anchor="middle" font-size="16">{title}</text>',
    ]
    foot = height - BOTTOM
    for mark in range(round((high - low) / step) + 1):
        at = x(low + mark * step)
        parts.append(f'<line x1="{at}" x2="{at}" y1="{TOP - 10}" y2="{foot}" stroke="#e6dccb"/>')
        shown_mark = number(lang, low + mark * step, "g")
        parts.append(f'<text x="{at}" y="{foot + 16}" text-anchor="middle">{shown_mark}</text>')
    axis = escape(say(lang, "ladder.chart.axis", player=ladder.anchor))
    parts.append(f'<text x="{(NAMES + WIDTH - RIGHT) / 2:g}" y="{foot + 33}" text-anchor="middle">{axis}</text>')
    for place, one in enumerate(ladder.standings):
        y = TOP + ROW * place + ROW // 2
        name = one.name if len(one.name) <= 32 else f"{one.name[:15]}…{one.name[-16:]}"
        begin, end = x(one.interval[0]), x(one.interval[1])
        parts.append(f'<text x="{NAMES - 12}" y="{y + 4}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<line x1="{begin}" x2="{end}" y1="{y}" y2="{y}" stroke="{LINE}" stroke-width="4"/>')
        for at, bound, way in ((begin, one.interval[0], -1), (end, one.interval[1], 1)):
            if math.isinf(bound):
                parts.append(f'<path d="M{at} {y - 5} l{8 * way} 5 l{-8 * way} 5 z" fill="{LINE}"/>')
        parts.append(f'<circle cx="{x(one.rating)}" cy="{y}" r="5" fill="{DOT}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 14}" y="{y + 4}">{one.rating:.0f}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _step(width: float) -> float:
    """Returns a round distance between the marks of the axis, for about six marks."""
    rough = max(1.0, width) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
