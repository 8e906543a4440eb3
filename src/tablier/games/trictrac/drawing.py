"""Draws a Trictrac board as a self-contained SVG picture, for notebooks, docs and the web.

`draw` needs only numbers: 24 signed counts, the dice and the score. It draws the walnut box with its two tables, the 24
flèches, the men, the tokens (jetons) that mark points, the pegs (fichets) that count holes, and the flag (pavillon). It
does not check the rules, so half-played moves can be drawn too.

White sits at the bottom. Fields 1-12 run from right to left along White's edge, 13-24 from left to right along Black's,
so that the talons (1 and 24) face each other on the right and the rest corners (12 and 13) on the left.
"""

from __future__ import annotations

from collections.abc import Iterable

from tablier.games.board import svg
from tablier.games.board.plan import BOTTOM, BOX_BOTTOM, BOX_TOP, FLECHE, MIDDLE, RIM, TOP, Plan
from tablier.games.board.svg import KEY, PREFIX, disc
from tablier.games.trictrac.captions import MEN as ALL_MEN
from tablier.games.trictrac.captions import Standing, borne_off, position_text
from tablier.games.trictrac.sides import side_name
from tablier.messages import Message, render

__all__ = ["MIDDLE", "PLAN", "draw"]

PLAN = Plan()
"""Dice are between the marks for 8 and 10 points, where there is never a token."""


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
    width: int = PLAN.width,
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
    dice, points, holes = svg.checked_dice(dice), svg.pair("points", points, 11), svg.pair("holes", holes, None)
    glowing = sorted({svg.whole("a highlighted field", field, 1, 24) for field in highlight})
    moves = [svg.arrow_ends(move) for move in arrows]
    width = svg.whole("width", width, 1, None)
    pavillon = None if pavillon is None else svg.whole("pavillon (0 White, 1 Black, None nobody)", pavillon, 0, 1)
    player = None if player is None else svg.whole("player (0 White, 1 Black, None nobody)", player, 0, 1)

    first_run, second_run = svg.pair("points_run", map(bool, points_run), 1)
    standing = Standing(points, holes, (bool(first_run), bool(second_run)), player)
    colours = ("ebony", "ivory") if swapped else ("ivory", "ebony")
    parts = [
        *svg.gradients(),
        *svg.box(PLAN),
        *svg.tables(PLAN, _corners()),
        *(svg.glow(PLAN, field) for field in glowing),
        *(svg.labels(PLAN, glowing) if labels else ()),
        *_fichets(holes, pavillon, colours),
        *_jetons(standing),
    ]
    for field, count in enumerate(men, start=1):
        parts += svg.stack(PLAN, field, abs(count), colours[count < 0])
    parts += svg.dice(dice, player) if dice[0] else []
    parts += svg.arrows(PLAN, moves, men)
    parts += _captions(men, standing, colours, lang)
    name = render(Message("trictrac.picture.title"), lang)
    words = render(position_text(men, dice, standing, pavillon, swapped), lang)
    return svg.document(PLAN, parts, prefix="trictrac", title=title, name=name, words=words, width=width)


def _board(board: Iterable[int]) -> list[int]:
    men = svg.counts(board)
    for who, name in enumerate(("White", "Black")):
        if borne_off(men, who) < 0:
            raise ValueError(f"{name} must have at most 15 men; got {ALL_MEN - borne_off(men, who)}")
    return men


def _captions(men: list[int], standing: Standing, colours: tuple[str, str], lang: str) -> list[str]:
    """Writes each side's score, and draws its men borne off."""
    words, off = [], []
    for who in (0, 1):
        caption = Message("trictrac.picture.caption", who=side_name(who), score=standing.text(who))
        words.append(render(caption, lang))
        count = borne_off(men, who)
        off.append((count, render(Message("trictrac.picture.off_short", n=count), lang)))
    return svg.captions(PLAN, words, off, colours)


def _corners() -> list[str]:
    """Draws a brass lozenge that marks each rest corner."""
    return [
        f'<path d="M{PLAN.x(field):g} {tip - 8}l6 8l-6 8l-6 -8z" fill="url(#{KEY}-brass)"/>'
        for field, tip in ((12, BOTTOM - FLECHE - 12), (13, TOP + FLECHE + 12))
    ]


def _fichets(holes: tuple[int, int], pavillon: int | None, colours: tuple[str, str]) -> list[str]:
    """Draws the pegs, the flag and their holes: twelve per side, and three behind the talons for unused ones."""
    rows = (BOX_BOTTOM - 13.0, BOX_TOP + 13.0)
    rest = (PLAN.right + RIM / 2, MIDDLE)
    pegs = [(rest[0], MIDDLE + 46), (rest[0], MIDDLE - 46)]
    drilled = [(PLAN.x(number), y) for y in rows for number in range(1, 13)] + [rest, *pegs]
    look = 'r="3.6" fill="#1c0f07" stroke="#a8794a" stroke-width=".8"'
    parts = [f'<circle class="{PREFIX}-hole" cx="{x:g}" cy="{y:g}" {look}/>' for x, y in drilled]
    for who, number in enumerate(holes):
        if number:  # beyond twelve holes the peg stays in the last one; the caption shows the number
            pegs[who] = (PLAN.x(min(number, 12)), rows[who])
        parts += [disc(*pegs[who], 9.5, "brass", "collar"), disc(*pegs[who], 7, colours[who], "fichet")]
    x, y = rest if pavillon is None else (pegs[pavillon][0] + 11, pegs[pavillon][1] + 4)
    parts.append(
        f'<g class="{PREFIX}-pavillon" transform="translate({x:g} {y:g})">'
        '<path d="M0 0V-31" stroke="#f0e2c0" stroke-width="2" stroke-linecap="round"/>'
        '<path d="M1 -30c5 -3 9 3 17 0v11c-8 3 -12 -3 -17 0z" fill="#b3262c" stroke="#f3d9a0" stroke-width=".8"/></g>'
    )
    return parts


def _jetons(standing: Standing) -> list[str]:
    """Draws three tokens: one per side at the tips of its flèches, and a third for a bredouille (rules.md, 10)."""
    x_of = PLAN.x
    marks = (x_of(1) + 13, x_of(2), x_of(4.5), x_of(6) - 10, x_of(7) + 10, x_of(12))  # for 0, 2, 4, 6, 8 and 10 points
    parts = []
    for who, points in enumerate(standing.points):
        x = (marks[points // 2] + marks[min(5, (points + 1) // 2)]) / 2  # real points are even; odd ones go in between
        y = MIDDLE + (18, -18)[who]
        parts.append(disc(x, y, 12, "brass", "jeton"))
        if standing.bredouille(who):
            parts.append(disc(x + (7 if points <= 6 else -7), y - 4, 12, "brass", "jeton"))
    if len(parts) == 2:
        parts.append(disc(PLAN.x(1) - 11, MIDDLE, 12, "brass", "jeton"))
    return parts
