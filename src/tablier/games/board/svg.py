"""Parts of an SVG picture of the board: the walnut box, flèches, men, dice, arrows and captions.

Each function returns SVG elements; `document` puts them together. Classes begin with `PREFIX` and ids with `KEY`, which
`document` replaces: the first by the name of the game, the second by a hash, so that drawings on one page do not share
gradients.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from operator import index

from tablier.games.board.plan import (
    BAR_LEFT,
    BOTTOM,
    BOX_BOTTOM,
    BOX_LEFT,
    BOX_TOP,
    DICE_X,
    FLECHE,
    FLECHE_COLOURS,
    HEIGHT,
    LEFT,
    MAN,
    MIDDLE,
    PIPS,
    PITCH,
    RIM,
    TOP,
    Plan,
    bar_slot,
    slot,
)

TITLE_HEIGHT = 32
GOLD, INK, CAPTION = "#f5c451", "#3b1d08", "#95734a"  # a brown that is legible on light and dark pages
DISC_LINES = {"ivory": ("#8d7447", "#b79d6c"), "ebony": ("#6a5b50", "#8c7866"), "brass": ("#5c3f12", "#7d581c")}
KEY, PREFIX = "\0", "\1"  # no title can contain them

# Gradients by name: kind and direction, then the (offset, colour, opacity) stops.
GRADIENTS: dict[str, tuple[str, tuple[tuple[float, str, float], ...]]] = {
    "ivory": ('radialGradient cx=".38" cy=".32" r=".75"', ((0, "#fffdf4", 1), (0.6, "#f3e8cd", 1), (1, "#d3bd90", 1))),
    "ebony": ('radialGradient cx=".38" cy=".32" r=".75"', ((0, "#5b5049", 1), (0.6, "#2f2824", 1), (1, "#15110f", 1))),
    "brass": ('radialGradient cx=".36" cy=".3" r=".8"', ((0, "#fff0bd", 1), (0.5, "#d9ab4b", 1), (1, "#8a5f1d", 1))),
    "felt": ('radialGradient cx=".5" cy=".5" r=".72"', ((0, "#3c5c4a", 1), (1, "#263f32", 1))),
    "rail": ('linearGradient x2="0" y2="1"', ((0, "#8a5a34", 1), (0.15, "#74472a", 1), (1, "#4d2d19", 1))),
    "post": ('linearGradient x2="1" y2="0"', ((0, "#7d5030", 1), (0.15, "#6c4227", 1), (1, "#4d2d19", 1))),
    "shade": ('linearGradient x2="0" y2="1"', ((0, "#000", 0.5), (1, "#000", 0))),
    "side": ('linearGradient x2="1" y2="0"', ((0, "#000", 0.4), (1, "#000", 0))),
    "glow": ('radialGradient cx=".5" cy=".5" r=".5"', ((0, GOLD, 0.85), (0.55, GOLD, 0.4), (1, GOLD, 0))),
}


def document(plan: Plan, parts: Iterable[str], *, prefix: str, title: str, name: str, words: str, width: int) -> str:
    """Returns a self-contained SVG document that can be inlined in a page.

    Args:
        plan: the plan of the board.
        parts: the elements, from back to front.
        prefix: what classes begin with: the name of the game.
        title: a heading for the picture, or "".
        name: the name of the picture if it has no heading.
        words: the position in words.
        width: the width in pixels.
    """
    heading = escape(re.sub(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", title))  # only XML characters
    drawn = [
        f'<title id="{KEY}-title">{heading or escape(name, quote=False)}</title>',
        f'<desc id="{KEY}-desc">{escape(words, quote=False)}</desc>',
        *parts,
    ]
    top = -TITLE_HEIGHT if heading else 0
    if heading:
        drawn.append(text(plan.width / 2, -4, heading, min(20, 1500 / len(title)), CAPTION, anchor="middle"))
    height = HEIGHT - top
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {top} {plan.width} {height}" width="{width}" '
        f'height="{round(width * height / plan.width)}" role="img" aria-labelledby="{KEY}-title {KEY}-desc" '
        'font-family="serif" style="max-width:100%;height:auto">'
    )
    svg = "\n".join([opening, *drawn, "</svg>"]).replace(PREFIX, prefix)
    return svg.replace(KEY, "t" + hashlib.sha256(svg.encode()).hexdigest()[:10])


# Validation


def whole(name: str, value: int, low: int, high: int | None) -> int:
    """Returns an argument as an integer; raises ValueError if it is out of range."""
    try:
        number = index(value)
    except TypeError:
        raise ValueError(f"{name} must be an integer; got {value!r}") from None
    if number < low or (high is not None and number > high):
        wanted = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name} must be {wanted}; got {number}")
    return number


def pair(name: str, values: Iterable[int], high: int | None) -> tuple[int, int]:
    """Returns two integers from 0 to `high`; raises ValueError otherwise."""
    two = tuple(values)
    if len(two) != 2:
        raise ValueError(f"{name} must be a pair of numbers; got {two}")
    return whole(name, two[0], 0, high), whole(name, two[1], 0, high)


def checked_dice(dice: Iterable[int]) -> tuple[int, int]:
    """Returns two dice, or (0, 0); raises ValueError otherwise."""
    first, second = pair("dice", dice, 6)
    if (first == 0) != (second == 0):
        raise ValueError(f"dice must be two numbers from 1 to 6, or (0, 0) for none; got {(first, second)}")
    return first, second


def counts(board: Iterable[int]) -> list[int]:
    """Returns 24 signed counts; raises ValueError otherwise."""
    men = [whole("a count on the board", count, -15, 15) for count in board]
    if len(men) != 24:
        raise ValueError(f"board must have 24 fields; got {len(men)}")
    return men


def arrow_ends(move: tuple[int, int], has_bar: bool = False) -> tuple[int, int]:
    """Returns the ends of an arrow; raises ValueError unless they are different places. On the bar, 0 and 25 start."""
    ends = tuple(move)
    if len(ends) != 2 or ends[0] == ends[1]:
        raise ValueError(f"an arrow must be a pair of different fields (from, to); got {ends}")
    start = whole("the start of an arrow", ends[0], 1 - has_bar, 24 + has_bar)
    return start, whole("the end of an arrow", ends[1], 0, 25)


# Shapes


def text(x: float, y: float, words: str, size: float, colour: str, *, anchor: str = "start", more: str = "") -> str:
    """Returns a line of text, already escaped."""
    look = f'font-size="{size:.3g}" fill="{colour}" text-anchor="{anchor}"{more}'
    return f'<text x="{x:g}" y="{y:g}" {look}>{words}</text>'


def disc(x: float, y: float, radius: float, colour: str, kind: str) -> str:
    """Returns a disc of wood or brass: a man, a token or the head of a peg."""
    edge, ring = DISC_LINES[colour]
    return (
        f'<g class="{PREFIX}-{kind} {colour}" transform="translate({x:.5g} {y:.5g})">'
        f'<circle cx="{radius * 0.07:.2g}" cy="{radius * 0.13:.2g}" r="{radius + 0.6:g}" opacity=".35"/>'
        f'<circle r="{radius:g}" fill="url(#{KEY}-{colour})" stroke="{edge}"/>'
        f'<circle r="{radius * 0.7:.3g}" fill="none" stroke="{ring}" stroke-opacity=".8"/></g>'
    )


def rect(x: float, y: float, wide: float, high: float, name: str, more: str = "") -> str:
    """Returns a rectangle filled with a gradient."""
    return f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" fill="url(#{KEY}-{name})"{more}/>'


def _triangle(plan: Plan, field: int) -> str:
    x, half = plan.x(field), PITCH / 2 - 2
    edge, tip = (BOTTOM, BOTTOM - FLECHE) if field <= 12 else (TOP, TOP + FLECHE)
    return f'd="M{x - half:g} {edge}L{x:g} {tip}L{x + half:g} {edge}z"'


def gradients() -> list[str]:
    """Returns the definitions that the other parts refer to."""
    parts = ["<defs>"]
    for name, (kind, stops) in GRADIENTS.items():
        inner = "".join(f'<stop offset="{at:g}" stop-color="{tone}" stop-opacity="{a:g}"/>' for at, tone, a in stops)
        parts.append(f'<{kind} id="{KEY}-{name}">{inner}</{kind.split()[0]}>')
    return [*parts, "</defs>"]


def box(plan: Plan) -> list[str]:
    """Draws the walnut frame, two posts and two rails with mitre joints and some grain, and the felt inside."""
    right, far = plan.right, plan.box_right
    parts = [
        rect(
            BOX_LEFT, BOX_TOP, far - BOX_LEFT, BOX_BOTTOM - BOX_TOP, "rail", ' rx="2" stroke="#2e1a0e" stroke-width="4"'
        )
    ]
    grain = ""
    for x, wall in ((BOX_LEFT, LEFT), (far, right)):
        parts.append(f'<path d="M{x} {BOX_TOP}L{wall} {TOP}V{BOTTOM}L{x} {BOX_BOTTOM}z" fill="url(#{KEY}-post)"/>')
        for dx, bow in ((8, 3), (20, -4), (27, 4), (38, -2)):
            grain += f"M{min(x, wall) + dx} {TOP - 20}c{bow} 120 {-bow} 260 {bow // 2} 330s{-bow} 120 0 170"
    for y, wall in ((BOX_TOP, TOP), (BOX_BOTTOM, BOTTOM)):
        parts.append(f'<path d="M{BOX_LEFT} {y}L{LEFT} {wall}H{right}L{far} {y}z" fill="url(#{KEY}-rail)"/>')
        grain += f"M{BOX_LEFT} {y}L{LEFT} {wall}M{far} {y}L{right} {wall}"
        for dy, bow in ((9, 3), (21, -4), (26, 4), (39, -2)):
            grain += f"M{LEFT - 20} {min(y, wall) + dy}c150 {bow} 300 {-bow} 430 {bow // 2}s220 {-bow} 338 0"
    parts.append(f'<path d="{grain}" fill="none" stroke="#2e1a0e" stroke-opacity=".28"/>')
    return [*parts, rect(LEFT, TOP, right - LEFT, BOTTOM - TOP, "felt", ' stroke="#a47a49" stroke-width="2"')]


def tables(plan: Plan, ornaments: Sequence[str] = ()) -> list[str]:
    """Draws the flèches, a game's ornaments on the felt, and the hinged bar between the two tables."""
    parts = []
    for field in range(1, 25):
        colour = f'fill="{FLECHE_COLOURS[field % 2]}" stroke="#1d1410" stroke-opacity=".55"'
        parts.append(f'<path class="{PREFIX}-fleche" {_triangle(plan, field)} {colour}/>')
    parts += ornaments
    bar, joint = plan.bar, plan.bar_x
    for x in (LEFT, BAR_LEFT + bar):  # shadows of the walls
        parts += [rect(x, TOP, 6 * PITCH, 16, "shade"), rect(x, TOP, 14, BOTTOM - TOP, "side")]
    parts.append(rect(BAR_LEFT, TOP - 1, bar, BOTTOM - TOP + 2, "post", ' stroke="#2e1a0e" stroke-opacity=".6"'))
    parts.append(f'<path d="M{joint:g} {BOX_TOP + 1}V{BOX_BOTTOM - 1}" stroke="#24140a" stroke-width="1.5"/>')
    for y in (TOP + 60, BOTTOM - 100):
        parts.append(rect(joint - 10, y, 20, 40, "brass", ' rx="2" stroke="#4b3210"'))
        parts.append(f'<path d="M{joint:g} {y}v40" stroke="#4b3210" stroke-width="2.5"/>')
    return parts


def labels(plan: Plan, glowing: Sequence[int], number: Callable[[int], int] = int) -> list[str]:
    """Writes the numbers of the fields; `number` turns White's numbers into those shown."""
    parts = []
    for field in range(1, 25):
        y = BOTTOM + 16 if field <= 12 else TOP - 7
        colour, weight = (GOLD, "bold") if field in glowing else ("#e3c79a", "normal")
        more = f' class="{PREFIX}-label" font-weight="{weight}"'
        parts.append(text(plan.x(field), y, str(number(field)), 14, colour, anchor="middle", more=more))
    return parts


def glow(plan: Plan, field: int) -> str:
    """Highlights a field."""
    y = BOTTOM - FLECHE / 2 if field <= 12 else TOP + FLECHE / 2
    halo = f'cx="{plan.x(field):g}" cy="{y:g}" rx="40" ry="116" fill="url(#{KEY}-glow)"'
    outline = f'{_triangle(plan, field)} fill="{GOLD}" fill-opacity=".3" stroke="{GOLD}" stroke-width="2.5"'
    return f'<g class="{PREFIX}-highlight"><ellipse {halo}/><path {outline}/></g>'


def stack(plan: Plan, field: int, count: int, colour: str) -> list[str]:
    """Draws the men of a field; more than five show their number."""
    below = field <= 12
    parts = [disc(plan.x(field), slot(below, man, count), MAN, colour, "man") for man in range(count)]
    if count > 5:
        parts.append(count_on(plan.x(field), slot(below, count - 1, count), count, colour))
    return parts


def count_on(x: float, y: float, count: int, colour: str) -> str:
    """Writes the number of men on the top man of a stack."""
    ink = "#3a2a16" if colour == "ivory" else "#f3e8cd"
    more = f' class="{PREFIX}-count" font-weight="bold"'
    return text(x, y + 6.5, str(count), 19, ink, anchor="middle", more=more)


def dice(numbers: tuple[int, int], player: int | None, x: float = DICE_X) -> list[str]:
    """Draws the dice on the side of the player who threw them, or in the middle."""
    y = MIDDLE + (0 if player is None else (16, -16)[player])
    parts = []
    for number, at, turn in ((numbers[0], x - 24, -7), (numbers[1], x + 24, 9)):
        cells = [(int(cell) % 3 * 9 - 9, int(cell) // 3 * 9 - 9) for cell in PIPS[number]]
        pips = "".join(f'<circle cx="{px}" cy="{py}" r="3.2" fill="#2a1c12"/>' for px, py in cells)
        parts.append(
            f'<g class="{PREFIX}-die" transform="translate({at:g} {y:g}) rotate({turn})">'
            '<rect x="-15" y="-13.5" width="34" height="34" rx="6" opacity=".35"/>'
            f'<rect x="-17" y="-17" width="34" height="34" rx="6" fill="url(#{KEY}-ivory)" stroke="#8d7447"/>{pips}</g>'
        )
    return parts


def captions(plan: Plan, words: Sequence[str], off: Sequence[tuple[int, str]], colours: Sequence[str]) -> list[str]:
    """Writes each side's caption outside its edge of the box, with its men borne off as a row of small discs.

    Args:
        plan: the plan of the board.
        words: the captions of White and Black.
        off: the men borne off by each, and the text for them.
        colours: the colours of the men.
    """
    parts = []
    for who, y in enumerate((BOX_BOTTOM + 20, BOX_TOP - 9)):
        parts.append(disc(BOX_LEFT + 10, y - 5, 7, colours[who], "mark"))
        parts.append(text(BOX_LEFT + 24, y, escape(words[who], quote=False), 17, CAPTION))
        count, told = off[who]
        if count:
            parts.append(text(plan.box_right - 4, y, escape(told, quote=False), 17, CAPTION, anchor="end"))
        parts += [disc(plan.box_right - 62 - 10 * man, y - 5, 7, colours[who], "off") for man in range(count)]
    return parts


Point = tuple[float, float]


def arrows(plan: Plan, moves: Sequence[tuple[int, int]], men: Sequence[int]) -> list[str]:
    """Draws moves in order, each from a man to its destination; heads are on top.

    Args:
        plan: the plan of the board.
        moves: (from, to) fields. From 25 or 0 is from White's or Black's bar; to any other number is off the board.
        men: 24 signed counts before the moves.
    """
    drawn = []
    now = [abs(count) for count in men]
    for start, end in moves:
        inside, below = 1 <= start <= 24, start <= 12 or start == 25
        begin = (plan.bar_x, bar_slot(below, 0))
        if inside:
            place = max(0, now[start - 1] - 1)
            begin = (plan.x(start), slot(below, place, max(abs(men[start - 1]), place + 1)))
            now[start - 1] = place
        goal = (plan.right + RIM / 2, BOTTOM - 60.0 if below else TOP + 60.0)  # off the board
        if 1 <= end <= 24:
            same = inside and men[end - 1] * men[start - 1] >= 0
            place = now[end - 1] if same else 0
            goal = (plan.x(end), slot(end <= 12, place, max(abs(men[end - 1]), place + 1)))
            now[end - 1] += 1
        across = 1 <= end <= 24 and below != (end <= 12)
        drawn.append(arrow(begin, goal, across, below))
    return [shaft for shaft, _ in drawn] + [head for _, head in drawn]


def arrow(begin: Point, goal: Point, across: bool, below: bool) -> tuple[str, str]:
    """Returns the shaft and the head of an arrow that curves towards the middle; heads are drawn on top."""
    (x0, y0), (x1, y1) = begin, goal
    bend = 34 + 0.2 * math.dist(begin, goal)
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    if across:
        cx -= bend
    else:
        cy += -bend if below else bend
    reach, length = math.dist((cx, cy), (x0, y0)), math.dist((cx, cy), (x1, y1))
    x0, y0 = x0 + (cx - x0) * 19 / reach, y0 + (cy - y0) * 19 / reach  # start at the man's edge, clear of the count
    ux, uy = (x1 - cx) / length, (y1 - cy) / length
    bx, by = x1 - 17 * ux, y1 - 17 * uy  # the back of the head
    line = f'd="M{x0:.1f} {y0:.1f}Q{cx:.1f} {cy:.1f} {bx:.1f} {by:.1f}" fill="none" stroke-linecap="round"'
    head = f"M{x1:.1f} {y1:.1f}L{bx - 9 * uy:.1f} {by + 9 * ux:.1f}L{bx + 9 * uy:.1f} {by - 9 * ux:.1f}z"
    shaft = (
        f'<g class="{PREFIX}-arrow" opacity=".95"><path {line} stroke="{INK}" stroke-width="7.5"/>'
        f'<circle cx="{x0:.1f}" cy="{y0:.1f}" r="5.5" fill="{GOLD}" stroke="{INK}" stroke-width="1.5"/>'
        f'<path {line} stroke="{GOLD}" stroke-width="4.5"/></g>'
    )
    return shaft, f'<path d="{head}" fill="{GOLD}" stroke="{INK}" stroke-width="1.8" stroke-linejoin="round"/>'
