"""Renders states as RGB pixels, for video recorders and learning from images. Needs Pillow.

A game with its own drawing is rendered as a picture, any other game as text on a grid.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tablier.games import home_of

if TYPE_CHECKING:
    from tablier._core import State

COLUMNS, LINES = 48, 8  # minimum size of a text image: all frames of a video need the same size
CELL, LINE = 12, 24
PAPER, INK = "#f6f0e1", "#2b2119"


def rgb_array(state: State) -> NDArray[np.uint8]:
    """Renders a state as pixels.

    Args:
        state: the state to render.

    Returns:
        An array [height, width, 3] of uint8.

    Raises:
        ImportError: Pillow is not installed.
    """
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
        for column, letter in enumerate(line):  # letter by letter: the font is not monospaced
            pen.text(((column + 1.5) * CELL, (row + 1) * LINE), letter, INK, font, anchor="mm")
    return np.array(image)


def require_pillow() -> None:
    """Raises ImportError with installation instructions if Pillow is missing."""
    try:
        importlib.import_module("PIL.Image")
    except ImportError as error:
        raise ImportError("rendering pixels needs Pillow: pip install 'tablier[gymnasium]'") from error
