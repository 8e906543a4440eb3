"""Plots curves as one line of text or as a picture."""

from __future__ import annotations

import sys
from pathlib import Path

from tablier.cli.arguments import writing

BARS = " ▁▂▃▄▅▆▇█"
ENDINGS = (".png", ".svg", ".pdf")
"""Endings of the files that `draw` writes."""
Curve = list[tuple[float, ...]]
"""Points (x, y), or (x, y, low, high) with a confidence interval."""


def sparkline(values: list[float], width: int = 40) -> str:
    """Plots values as one line of text, at most `width` characters long.

    >>> sparkline([0, 1, 2, 4])
    ' ▂▄█'
    """
    stride = max(1, -(-len(values) // width))
    means = [sum(part) / len(part) for part in (values[i : i + stride] for i in range(0, len(values), stride))]
    low, high = min(means), max(means)
    return "".join(BARS[round((value - low) / (high - low or 1) * (len(BARS) - 1))] for value in means)


def draw(curves: dict[str, Curve], label: str, path: Path) -> None:
    """Plots curves over training steps into a file.

    Args:
        curves: curves by name.
        label: label of the y axis.
        path: the file to write, with one of `ENDINGS`.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 5))
    for name, curve in curves.items():
        if not curve:
            continue
        steps, values, *interval = zip(*curve, strict=True)
        axes.plot(steps, values, label=name, marker="o" if interval else None, markersize=3)
        if interval:
            low, high = interval
            axes.fill_between(steps, low, high, alpha=0.15)
    axes.set_xlabel("step")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    if any(curves.values()):
        axes.legend()
    with writing(path):
        figure.savefig(path, dpi=120)
    pyplot.close(figure)
    print(f"plot written to {path}", file=sys.stderr)
