"""States as images of pixels, for video recorders and learners that look. Needs Pillow.

A game that draws itself is a picture; any other is its text, set in a grid.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablier.games import home_of

if TYPE_CHECKING:
    from tablier._core import State

COLUMNS, LINES = 48, 8  # of the smallest page of text: pages of one game have one size, as videos want
CELL, LINE = 12, 24
PAPER, INK = "#f6f0e1", "#2b2119"


def rgb_array(state: State) -> NDArray[np.uint8]:
    """The state as [height, width, 3]."""
    require_pillow()
    from PIL import Image, ImageDraw, ImageFont

    picture = home_of(state.get_game()).image(state)
    if picture is not None:
        return np.array(picture.convert("RGB"))
    lines = str(state).splitlines()
    columns = max([COLUMNS, *map(len, lines)]) + 2
    image = Image.new("RGB", (columns * CELL, (max(LINES, len(lines)) + 1) * LINE), PAPER)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(18)
    for row, line in enumerate(lines):
        for column, letter in enumerate(line):  # letter by letter: the font is not one of equal widths
            pen.text(((column + 1.5) * CELL, (row + 1) * LINE), letter, INK, font, anchor="mm")
    return np.array(image)


def require_pillow() -> None:
    """Raises ImportError with what to install, if Pillow is not there."""
    try:
        importlib.import_module("PIL.Image")
    except ImportError as error:
        raise ImportError("images of pixels need Pillow: pip install 'tablier[gymnasium]'") from error
