"""Draws a Trictrac board as a self-contained SVG picture, for notebooks, docs and the web.

`draw` needs only numbers: 24 signed counts, the dice and the score. It draws the walnut box with its two tables, the 24
flèches, the men, the tokens (jetons) that mark points, the pegs (fichets) that count holes, and the flag (pavillon). It
does not check the rules, so half-played moves can be drawn too.

White sits at the bottom. Fields 1-12 run from right to left along White's edge, 13-24 from left to right along Black's,
so that the talons (1 and 24) face each other on the right and the rest corners (12 and 13) on the left.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable
from html import escape
from operator import index

from tablier.games.trictrac.captions import MEN as ALL_MEN
from tablier.games.trictrac.captions import Standing, borne_off, position_text
from tablier.games.trictrac.sides import side_name
from tablier.messages import Message, render

# Units of the drawing, which `width` scales. The box is between two strips of captions.
WIDTH, HEIGHT, TITLE_HEIGHT = 860, 608, 32
BOX_LEFT, BOX_TOP, BOX_RIGHT, BOX_BOTTOM = 20, 28, 840, 580
RIM, BAR, PITCH = 46, 32, 58
LEFT, TOP, RIGHT, BOTTOM = BOX_LEFT + RIM, BOX_TOP + RIM, BOX_RIGHT - RIM, BOX_BOTTOM - RIM
BAR_LEFT = LEFT + 6 * PITCH
MIDDLE = (TOP + BOTTOM) / 2
FLECHE, MAN = 194, 24  # the length of a flèche, the radius of a man
DICE_X = BAR_LEFT - 2.5 * PITCH  # between the marks for 8 and 10 points, where there is never a token

FLECHE_COLOURS = ("#cbb389", "#7c3c2b")  # even fields pale maple, odd fields oxblood, so that facing flèches differ
GOLD, INK, CAPTION = "#f5c451", "#3b1d08", "#95734a"  # a brown that is legible on light and dark pages
DISC_LINES = {"ivory": ("#8d7447", "#b79d6c"), "ebony": ("#6a5b50", "#8c7866"), "brass": ("#5c3f12", "#7d581c")}
PIPS = ("", "4", "08", "048", "0268", "02468", "023568")  # cells of a 3 x 3 grid, row by row

# Placeholder for the prefix of every id. A hash of the drawing replaces it at the end, so that drawings on one page do
# not share gradients. No title can contain it.
KEY = "\0"

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


def draw(
    board: Iterable[int],
    *,
    dice: tuple[int, int] = (0, 0),
    points: tuple[int, int] = (0, 0),
    holes: tuple[int, int] = (0, 0),
    points_run: tuple[bool, bool] = (False, False),
    pavillon: int | None = None,
    player: int | None = None,
    swapped: bool = False,
    width: int = WIDTH,
    highlight: Iterable[int] = (),
    arrows: Iterable[tuple[int, int]] = (),
    labels: bool = True,
    title: str = "",
    lang: str = "en",
) -> str:
    """Draws a position as a self-contained SVG document that can be inlined in a page.

    Pairs are in the order White, Black; players are 0 (White) and 1 (Black); fields have White's numbers.

    Args:
        board: 24 signed counts from White's side: White's men positive, Black's negative.
        dice: the throw, or (0, 0) for none.
        points: points of each player, 0 to 11.
        holes: holes of each player.
        points_run: whether each player's points are in bredouille, shown by a second token.
        pavillon: the player who has the flag; None leaves it in the rim.
        player: the player to move, on whose side the dice are drawn; None for neither.
        swapped: whether to exchange the colours of the men.
        width: the width in pixels.
        highlight: fields to highlight.
        arrows: (from, to) pairs; 0 and 25 are off the board.
        labels: whether to draw field numbers.
        title: a heading for the picture.
        lang: the language of the captions.

    Raises:
        ValueError: an argument is out of range.

    >>> svg = draw([15] + [0] * 22 + [-15], dice=(5, 3), player=0)
    >>> svg.startswith("<svg") and "White: 15 on field 1." in svg
    True
    """
    men = _board(board)
    dice, points, holes = _pair("dice", dice, 6), _pair("points", points, 11), _pair("holes", holes, None)
    glowing = sorted({_whole("a highlighted field", field, 1, 24) for field in highlight})
    moves = [_arrow_ends(move) for move in arrows]
    width = _whole("width", width, 1, None)
    if (dice[0] == 0) != (dice[1] == 0):
        raise ValueError(f"dice must be two numbers from 1 to 6, or (0, 0) for none; got {dice}")
    pavillon = None if pavillon is None else _whole("pavillon (0 White, 1 Black, None nobody)", pavillon, 0, 1)
    player = None if player is None else _whole("player (0 White, 1 Black, None nobody)", player, 0, 1)

    heading = escape(re.sub(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", title))  # only XML characters
    first_run, second_run = _pair("points_run", map(bool, points_run), 1)
    standing = Standing(points, holes, (bool(first_run), bool(second_run)), player)
    words = escape(render(position_text(men, dice, standing, pavillon, swapped), lang), quote=False)
    colours = ("ebony", "ivory") if swapped else ("ivory", "ebony")
    parts = [
        f'<title id="{KEY}-title">{heading or render(Message("trictrac.picture.title"), lang)}</title>',
        f'<desc id="{KEY}-desc">{words}</desc>',
        *_gradients(),
        *_box(),
        *_tables(),
        *map(_glow, glowing),
        *(_labels(glowing) if labels else ()),
        *_fichets(holes, pavillon, colours),
        *_jetons(standing),
    ]
    for field, count in enumerate(men, start=1):
        parts += _stack(field, abs(count), colours[count < 0])
    parts += _dice(dice, player) if dice[0] else []
    parts += _arrows(moves, men)
    parts += _captions(men, standing, colours, lang)
    top = -TITLE_HEIGHT if heading else 0
    if heading:
        parts.append(_text(WIDTH / 2, -4, heading, min(20, 1500 / len(title)), CAPTION, anchor="middle"))
    height = HEIGHT - top
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {top} {WIDTH} {height}" width="{width}" '
        f'height="{round(width * height / WIDTH)}" role="img" aria-labelledby="{KEY}-title {KEY}-desc" '
        'font-family="serif" style="max-width:100%;height:auto">'
    )
    svg = "\n".join([opening, *parts, "</svg>"])
    return svg.replace(KEY, "t" + hashlib.sha256(svg.encode()).hexdigest()[:10])


# Validation


def _whole(name: str, value: int, low: int, high: int | None) -> int:
    try:
        number = index(value)
    except TypeError:
        raise ValueError(f"{name} must be an integer; got {value!r}") from None
    if number < low or (high is not None and number > high):
        wanted = f"at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{name} must be {wanted}; got {number}")
    return number


def _pair(name: str, values: Iterable[int], high: int | None) -> tuple[int, int]:
    pair = tuple(values)
    if len(pair) != 2:
        raise ValueError(f"{name} must be a pair of numbers; got {pair}")
    return _whole(name, pair[0], 0, high), _whole(name, pair[1], 0, high)


def _board(board: Iterable[int]) -> list[int]:
    men = [_whole("a count on the board", count, -15, 15) for count in board]
    if len(men) != 24:
        raise ValueError(f"board must have 24 fields; got {len(men)}")
    for who, name in enumerate(("White", "Black")):
        if borne_off(men, who) < 0:
            raise ValueError(f"{name} must have at most 15 men; got {ALL_MEN - borne_off(men, who)}")
    return men


def _arrow_ends(move: tuple[int, int]) -> tuple[int, int]:
    ends = tuple(move)
    if len(ends) != 2 or ends[0] == ends[1]:
        raise ValueError(f"an arrow must be a pair of different fields (from, to); got {ends}")
    return _whole("the start of an arrow", ends[0], 1, 24), _whole("the end of an arrow", ends[1], 0, 25)


# Captions


def _captions(men: list[int], standing: Standing, colours: tuple[str, str], lang: str) -> list[str]:
    """Writes each side's score outside its edge of the box, and draws its men borne off as a row of small discs."""
    parts = []
    for who, y in enumerate((BOX_BOTTOM + 20, BOX_TOP - 9)):
        caption = Message("trictrac.picture.caption", who=side_name(who), score=standing.text(who))
        parts.append(_disc(BOX_LEFT + 10, y - 5, 7, colours[who], "mark"))
        parts.append(_text(BOX_LEFT + 24, y, escape(render(caption, lang), quote=False), 17, CAPTION))
        off = borne_off(men, who)
        if off:
            count = escape(render(Message("trictrac.picture.off_short", n=off), lang), quote=False)
            parts.append(_text(BOX_RIGHT - 4, y, count, 17, CAPTION, anchor="end"))
        parts += [_disc(BOX_RIGHT - 62 - 10 * man, y - 5, 7, colours[who], "off") for man in range(off)]
    return parts


# Shapes


def _text(x: float, y: float, words: str, size: float, colour: str, *, anchor: str = "start", more: str = "") -> str:
    look = f'font-size="{size:.3g}" fill="{colour}" text-anchor="{anchor}"{more}'
    return f'<text x="{x:g}" y="{y:g}" {look}>{words}</text>'


def _disc(x: float, y: float, radius: float, colour: str, kind: str) -> str:
    edge, ring = DISC_LINES[colour]
    return (
        f'<g class="trictrac-{kind} {colour}" transform="translate({x:.5g} {y:.5g})">'
        f'<circle cx="{radius * 0.07:.2g}" cy="{radius * 0.13:.2g}" r="{radius + 0.6:g}" opacity=".35"/>'
        f'<circle r="{radius:g}" fill="url(#{KEY}-{colour})" stroke="{edge}"/>'
        f'<circle r="{radius * 0.7:.3g}" fill="none" stroke="{ring}" stroke-opacity=".8"/></g>'
    )


def _x(field: float) -> float:
    """Returns the x coordinate of a field's centre."""
    column = field - 1 if field <= 12 else 24 - field
    return RIGHT - PITCH * (column + 0.5) - (BAR if column >= 6 else 0)


def _triangle(field: int) -> str:
    x, half = _x(field), PITCH / 2 - 2
    edge, tip = (BOTTOM, BOTTOM - FLECHE) if field <= 12 else (TOP, TOP + FLECHE)
    return f'd="M{x - half:g} {edge}L{x:g} {tip}L{x + half:g} {edge}z"'


def _gradients() -> list[str]:
    parts = ["<defs>"]
    for name, (kind, stops) in GRADIENTS.items():
        inner = "".join(f'<stop offset="{at:g}" stop-color="{tone}" stop-opacity="{a:g}"/>' for at, tone, a in stops)
        parts.append(f'<{kind} id="{KEY}-{name}">{inner}</{kind.split()[0]}>')
    return [*parts, "</defs>"]


def _rect(x: float, y: float, wide: float, high: float, name: str, more: str = "") -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" fill="url(#{KEY}-{name})"{more}/>'


def _box() -> list[str]:
    """Draws the walnut frame, two posts and two rails with mitre joints and some grain, and the felt inside."""
    box = (BOX_LEFT, BOX_TOP, BOX_RIGHT - BOX_LEFT, BOX_BOTTOM - BOX_TOP)
    parts = [_rect(*box, "rail", ' rx="2" stroke="#2e1a0e" stroke-width="4"')]
    grain = ""
    for x, wall in ((BOX_LEFT, LEFT), (BOX_RIGHT, RIGHT)):
        parts.append(f'<path d="M{x} {BOX_TOP}L{wall} {TOP}V{BOTTOM}L{x} {BOX_BOTTOM}z" fill="url(#{KEY}-post)"/>')
        for dx, bow in ((8, 3), (20, -4), (27, 4), (38, -2)):
            grain += f"M{min(x, wall) + dx} {TOP - 20}c{bow} 120 {-bow} 260 {bow // 2} 330s{-bow} 120 0 170"
    for y, wall in ((BOX_TOP, TOP), (BOX_BOTTOM, BOTTOM)):
        parts.append(f'<path d="M{BOX_LEFT} {y}L{LEFT} {wall}H{RIGHT}L{BOX_RIGHT} {y}z" fill="url(#{KEY}-rail)"/>')
        grain += f"M{BOX_LEFT} {y}L{LEFT} {wall}M{BOX_RIGHT} {y}L{RIGHT} {wall}"
        for dy, bow in ((9, 3), (21, -4), (26, 4), (39, -2)):
            grain += f"M{LEFT - 20} {min(y, wall) + dy}c150 {bow} 300 {-bow} 430 {bow // 2}s220 {-bow} 338 0"
    parts.append(f'<path d="{grain}" fill="none" stroke="#2e1a0e" stroke-opacity=".28"/>')
    return [*parts, _rect(LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP, "felt", ' stroke="#a47a49" stroke-width="2"')]


def _tables() -> list[str]:
    """Draws the flèches, the marks of the rest corners, and the hinged bar between the two tables."""
    parts = []
    for field in range(1, 25):
        colour = f'fill="{FLECHE_COLOURS[field % 2]}" stroke="#1d1410" stroke-opacity=".55"'
        parts.append(f'<path class="trictrac-fleche" {_triangle(field)} {colour}/>')
    for field, tip in ((12, BOTTOM - FLECHE - 12), (13, TOP + FLECHE + 12)):  # a brass lozenge marks each rest corner
        parts.append(f'<path d="M{_x(field):g} {tip - 8}l6 8l-6 8l-6 -8z" fill="url(#{KEY}-brass)"/>')
    for x in (LEFT, BAR_LEFT + BAR):  # shadows of the walls
        parts += [_rect(x, TOP, 6 * PITCH, 16, "shade"), _rect(x, TOP, 14, BOTTOM - TOP, "side")]
    joint = BAR_LEFT + BAR / 2
    parts.append(_rect(BAR_LEFT, TOP - 1, BAR, BOTTOM - TOP + 2, "post", ' stroke="#2e1a0e" stroke-opacity=".6"'))
    parts.append(f'<path d="M{joint:g} {BOX_TOP + 1}V{BOX_BOTTOM - 1}" stroke="#24140a" stroke-width="1.5"/>')
    for y in (TOP + 60, BOTTOM - 100):
        parts.append(_rect(BAR_LEFT + 6, y, BAR - 12, 40, "brass", ' rx="2" stroke="#4b3210"'))
        parts.append(f'<path d="M{joint:g} {y}v40" stroke="#4b3210" stroke-width="2.5"/>')
    return parts


def _labels(glowing: list[int]) -> list[str]:
    parts = []
    for field in range(1, 25):
        y = BOTTOM + 16 if field <= 12 else TOP - 7
        colour, weight = (GOLD, "bold") if field in glowing else ("#e3c79a", "normal")
        more = f' class="trictrac-label" font-weight="{weight}"'
        parts.append(_text(_x(field), y, str(field), 14, colour, anchor="middle", more=more))
    return parts


def _glow(field: int) -> str:
    y = BOTTOM - FLECHE / 2 if field <= 12 else TOP + FLECHE / 2
    halo = f'cx="{_x(field):g}" cy="{y:g}" rx="40" ry="116" fill="url(#{KEY}-glow)"'
    outline = f'{_triangle(field)} fill="{GOLD}" fill-opacity=".3" stroke="{GOLD}" stroke-width="2.5"'
    return f'<g class="trictrac-highlight"><ellipse {halo}/><path {outline}/></g>'


def _fichets(holes: tuple[int, int], pavillon: int | None, colours: tuple[str, str]) -> list[str]:
    """Draws the pegs, the flag and their holes: twelve per side, and three behind the talons for unused ones."""
    rows = (BOX_BOTTOM - 13.0, BOX_TOP + 13.0)
    rest = (RIGHT + RIM / 2, MIDDLE)
    pegs = [(rest[0], MIDDLE + 46), (rest[0], MIDDLE - 46)]
    drilled = [(_x(number), y) for y in rows for number in range(1, 13)] + [rest, *pegs]
    look = 'r="3.6" fill="#1c0f07" stroke="#a8794a" stroke-width=".8"'
    parts = [f'<circle class="trictrac-hole" cx="{x:g}" cy="{y:g}" {look}/>' for x, y in drilled]
    for who, number in enumerate(holes):
        if number:  # beyond twelve holes the peg stays in the last one; the caption shows the number
            pegs[who] = (_x(min(number, 12)), rows[who])
        parts += [_disc(*pegs[who], 9.5, "brass", "collar"), _disc(*pegs[who], 7, colours[who], "fichet")]
    x, y = rest if pavillon is None else (pegs[pavillon][0] + 11, pegs[pavillon][1] + 4)
    parts.append(
        f'<g class="trictrac-pavillon" transform="translate({x:g} {y:g})">'
        '<path d="M0 0V-31" stroke="#f0e2c0" stroke-width="2" stroke-linecap="round"/>'
        '<path d="M1 -30c5 -3 9 3 17 0v11c-8 3 -12 -3 -17 0z" fill="#b3262c" stroke="#f3d9a0" stroke-width=".8"/></g>'
    )
    return parts


def _jetons(standing: Standing) -> list[str]:
    """Draws three tokens: one per side at the tips of its flèches, and a third for a bredouille (rules.md, 10)."""
    marks = (_x(1) + 13, _x(2), _x(4.5), _x(6) - 10, _x(7) + 10, _x(12))  # for 0, 2, 4, 6, 8 and 10 points
    parts = []
    for who, points in enumerate(standing.points):
        x = (marks[points // 2] + marks[min(5, (points + 1) // 2)]) / 2  # real points are even; odd ones go in between
        y = MIDDLE + (18, -18)[who]
        parts.append(_disc(x, y, 12, "brass", "jeton"))
        if standing.bredouille(who):
            parts.append(_disc(x + (7 if points <= 6 else -7), y - 4, 12, "brass", "jeton"))
    if len(parts) == 2:
        parts.append(_disc(_x(1) - 11, MIDDLE, 12, "brass", "jeton"))
    return parts


def _slot(field: int, place: int, count: int) -> float:
    """Returns the y coordinate of the man in `place` (0 at the rim) of a stack of `count`; high stacks overlap."""
    step = min(2 * MAN, (FLECHE - 2 - 2 * MAN) / max(1, count - 1))
    depth = MAN + 1 + step * place
    return BOTTOM - depth if field <= 12 else TOP + depth


def _stack(field: int, count: int, colour: str) -> list[str]:
    parts = [_disc(_x(field), _slot(field, man, count), MAN, colour, "man") for man in range(count)]
    if count > 5:
        ink = "#3a2a16" if colour == "ivory" else "#f3e8cd"
        y = _slot(field, count - 1, count) + 6.5
        more = ' class="trictrac-count" font-weight="bold"'
        parts.append(_text(_x(field), y, str(count), 19, ink, anchor="middle", more=more))
    return parts


def _dice(dice: tuple[int, int], player: int | None) -> list[str]:
    y = MIDDLE + (0 if player is None else (16, -16)[player])
    parts = []
    for number, x, turn in ((dice[0], DICE_X - 24, -7), (dice[1], DICE_X + 24, 9)):
        cells = [(int(cell) % 3 * 9 - 9, int(cell) // 3 * 9 - 9) for cell in PIPS[number]]
        pips = "".join(f'<circle cx="{px}" cy="{py}" r="3.2" fill="#2a1c12"/>' for px, py in cells)
        parts.append(
            f'<g class="trictrac-die" transform="translate({x:g} {y:g}) rotate({turn})">'
            '<rect x="-15" y="-13.5" width="34" height="34" rx="6" opacity=".35"/>'
            f'<rect x="-17" y="-17" width="34" height="34" rx="6" fill="url(#{KEY}-ivory)" stroke="#8d7447"/>{pips}</g>'
        )
    return parts


def _arrows(moves: list[tuple[int, int]], men: list[int]) -> list[str]:
    """Draws the moves in order, each from a man to its destination, curved towards the middle; heads are on top."""
    shafts, heads = [], []
    now = [abs(count) for count in men]
    for start, end in moves:
        place = max(0, now[start - 1] - 1)
        x0, y0 = _x(start), _slot(start, place, max(abs(men[start - 1]), place + 1))
        now[start - 1] = place
        x1, y1 = RIGHT + RIM / 2, TOP + 60.0 if start > 12 else BOTTOM - 60.0  # off the board
        if 1 <= end <= 24:
            place = now[end - 1] if men[end - 1] * men[start - 1] >= 0 else 0
            x1, y1 = _x(end), _slot(end, place, max(abs(men[end - 1]), place + 1))
            now[end - 1] += 1
        bend = 34 + 0.2 * math.dist((x0, y0), (x1, y1))
        cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
        if 1 <= end <= 24 and (start <= 12) != (end <= 12):
            cx -= bend
        else:
            cy += bend if start > 12 else -bend
        reach, length = math.dist((cx, cy), (x0, y0)), math.dist((cx, cy), (x1, y1))
        x0, y0 = x0 + (cx - x0) * 19 / reach, y0 + (cy - y0) * 19 / reach  # start at the man's edge, clear of the count
        ux, uy = (x1 - cx) / length, (y1 - cy) / length
        bx, by = x1 - 17 * ux, y1 - 17 * uy  # the back of the head
        shaft = f'd="M{x0:.1f} {y0:.1f}Q{cx:.1f} {cy:.1f} {bx:.1f} {by:.1f}" fill="none" stroke-linecap="round"'
        head = f"M{x1:.1f} {y1:.1f}L{bx - 9 * uy:.1f} {by + 9 * ux:.1f}L{bx + 9 * uy:.1f} {by - 9 * ux:.1f}z"
        shafts.append(
            f'<g class="trictrac-arrow" opacity=".95"><path {shaft} stroke="{INK}" stroke-width="7.5"/>'
            f'<circle cx="{x0:.1f}" cy="{y0:.1f}" r="5.5" fill="{GOLD}" stroke="{INK}" stroke-width="1.5"/>'
            f'<path {shaft} stroke="{GOLD}" stroke-width="4.5"/></g>'
        )
        heads.append(f'<path d="{head}" fill="{GOLD}" stroke="{INK}" stroke-width="1.8" stroke-linejoin="round"/>')
    return shafts + heads
