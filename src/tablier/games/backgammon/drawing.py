"""Draws a backgammon board as a self-contained SVG picture: men, bar, dice, pips, and men borne off.

White sits at the bottom and bears off at the lower right. `draw` does not check the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablier._core import State
from tablier._core.backgammon import Parts, parts
from tablier.games.backgammon.telling import describe, score_text, side_name
from tablier.games.board import svg
from tablier.games.board.plan import BAR_LEFT, MAN, PITCH, Plan, bar_slot
from tablier.messages import Message, render

PLAN = Plan(bar=54)
COLOURS = ("ivory", "ebony")
DICE_X = (BAR_LEFT + PLAN.bar + 3 * PITCH, BAR_LEFT - 3 * PITCH)
"""White's dice are in the right half, Black's in the left one."""
FEW = 5
"""Men on the bar that are drawn without a number."""


def draw_state(
    state: State,
    *,
    width: int = PLAN.width,
    highlight: Iterable[int] = (),
    arrows: Iterable[tuple[int, int]] = (),
    labels: bool = True,
    numbering: int = 0,
    title: str = "",
    lang: str = "en",
) -> str:
    """Draws a state as SVG.

    Args:
        state: the state to draw.
        width: the width in pixels.
        highlight: points to highlight, in White's numbering.
        arrows: (from, to) pairs in White's numbering. White enters from 25 and bears off to 0, Black the other way.
        labels: whether to draw point numbers.
        numbering: whose point numbers are drawn: White 0, Black 1.
        title: a heading for the picture.
        lang: the language of the captions.

    Raises:
        ValueError: an argument is out of range.

    >>> import tablier
    >>> state = tablier.load_game("backgammon").new_initial_state()
    >>> state.svg(lang="fr").count('class="backgammon-man')
    30
    """
    now = parts(state)
    glowing = sorted({svg.whole("a highlighted point", point, 1, 24) for point in highlight})
    moves = [svg.arrow_ends(move, has_bar=True) for move in arrows]
    width = svg.whole("width", width, 1, None)
    other = svg.whole("numbering (0 White, 1 Black)", numbering, 0, 1)
    pieces = [*svg.gradients(), *svg.box(PLAN), *svg.tables(PLAN), *(svg.glow(PLAN, point) for point in glowing)]
    pieces += svg.labels(PLAN, glowing, lambda point: 25 - point if other else point) if labels else []
    for point, count in enumerate(now.board, start=1):
        pieces += svg.stack(PLAN, point, abs(count), COLOURS[count < 0])
    for side in (0, 1):
        pieces += _on_bar(side, now.bar[side])
    pieces += svg.dice(now.dice, None, DICE_X[now.player]) if any(now.dice) else []
    pieces += svg.arrows(PLAN, moves, now.board)
    pieces += svg.captions(PLAN, *captions(state, now, lang), COLOURS)
    settings: dict[str, Any] = {"prefix": "backgammon", "title": title, "width": width}
    name = render(Message("backgammon.title.backgammon"), lang)
    return svg.document(PLAN, pieces, name=name, words=render(describe(state), lang), **settings)


def captions(state: State, now: Parts, lang: str) -> tuple[list[str], list[tuple[int, str]]]:
    """Returns the captions of both sides, and their men borne off with the text for them."""
    words, off = [], []
    for side in (0, 1):
        to_play = not (now.opening or state.is_terminal()) and now.player == side
        score = score_text(now, side, to_play)
        words.append(render(Message("backgammon.picture.caption", who=side_name(side), score=score), lang))
        off.append((now.off[side], ""))
    return words, off


def _on_bar(side: int, count: int) -> list[str]:
    shown = [svg.disc(PLAN.bar_x, bar_slot(side == 0, man), MAN, COLOURS[side], "man") for man in range(count)]
    if count > FEW:
        shown.append(svg.count_on(PLAN.bar_x, bar_slot(side == 0, count - 1), count, COLOURS[side]))
    return shown
