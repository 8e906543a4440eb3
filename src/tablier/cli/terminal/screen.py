"""Output of commands: colours and progress bars in a terminal, plain text elsewhere, in the user's language."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from tablier.games import Segment
from tablier.messages import Message, Text, render


class Screen:
    """Writes lines, with colours if the stream is a terminal, rich is installed and NO_COLOR is not set."""

    def __init__(self, lang: str = "en", stream: TextIO | None = None) -> None:
        self.lang = lang
        self.stream = stream or sys.stdout
        self._console = _console(self.stream)

    @property
    def colour(self) -> bool:
        """Whether colours and styles are shown."""
        return self._console is not None

    @property
    def width(self) -> int | None:
        """Width of the terminal, or the value of COLUMNS; None if lines need not be wrapped."""
        if self.stream.isatty() or os.environ.get("COLUMNS", "").isdecimal():
            return max(20, shutil.get_terminal_size().columns)
        return None

    def say(self, key: str, /, **params: Text | float) -> None:
        """Writes the message with a key."""
        self.text(Message(key, **params))

    def text(self, text: Text, style: str = "", indent: str = "", hanging: str | None = None) -> None:
        """Writes a text, wrapped to the width of the screen.

        Args:
            text: the text; its lines are wrapped separately.
            style: a rich style, such as `bold` or `yellow`.
            indent: prefix of each line of the text.
            hanging: prefix of continuation lines; by default the same as `indent`.
        """
        for line in render(text, self.lang).split("\n"):
            self._broken(line, style, indent, hanging)

    def _broken(self, text: str, style: str, indent: str, hanging: str | None) -> None:
        whole = f"{indent}{text}"
        if self.width is None or len(whole) < self.width:
            self.line((whole, style))
            return
        further = indent if hanging is None else hanging
        wrap = textwrap.TextWrapper(self.width - 1, subsequent_indent=further, break_on_hyphens=False)
        wrap.break_long_words = False
        for row in wrap.wrap(whole):
            self.line((row, style))

    def line(self, *segments: Segment | str) -> None:
        """Writes one line."""
        pairs = [segment if isinstance(segment, tuple) else (segment, "") for segment in segments]
        if self._console is None:
            print("".join(text for text, _ in pairs).rstrip(), file=self.stream, flush=True)
        else:
            from rich.text import Text as StyledText

            self._console.print(StyledText.assemble(*pairs), soft_wrap=True)

    def table(self, texts: list[list[Text]], styles: list[str] | None = None, right: tuple[int, ...] = ()) -> None:
        """Writes a table.

        Args:
            texts: the rows; the first one is the heading.
            styles: a style for each row but the first.
            right: columns to align to the right.
        """
        rows = [[render(cell, self.lang) for cell in row] for row in texts]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        for number, row in enumerate(rows):
            cells = [
                cell.rjust(w) if i in right else cell.ljust(w)
                for i, (cell, w) in enumerate(zip(row, widths, strict=True))
            ]
            style = "dim" if number == 0 else styles[number - 1] if styles else ""
            self.line(("  " + "   ".join(cells).rstrip(), style))


def _console(stream: TextIO) -> Any:
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") in (None, "dumb"):
        return None
    try:
        from rich.console import Console
    except ImportError:
        return None
    return Console(file=stream, highlight=False, markup=False)


@contextmanager
def progress(total: int | None, unit: str) -> Iterator[Any]:
    """Yields a function to call with the progress made; shows a bar if stderr is a terminal and tqdm is installed."""
    bar = None
    if sys.stderr.isatty():
        try:
            from tqdm import tqdm
        except ImportError:
            pass
        else:
            bar = tqdm(total=total, unit=unit, leave=False)
    try:
        yield bar.update if bar is not None else lambda _: None
    finally:
        if bar is not None:
            bar.close()
