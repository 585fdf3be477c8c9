"""Draws panels in a grid under one legend, with a note below, and axes with a logarithmic scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any, Literal, TypeVar

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from harness.analysis.figure_page import PAGE

_Panel = TypeVar("_Panel")

_NOTE_SIZE = 7.5
"""Points of the text below a figure."""
_NARROWEST = 2.2
"""The least width of a panel in inches."""
_LETTER = 0.6
"""The width of a letter in sizes of its font, at most and on average over a line."""


def draw_panels(panels: Sequence[tuple[str, _Panel]], draw: Callable[[Axes, _Panel], None], note: str = "") -> Figure:
    """Draw a grid of panels, each with a title and its data by `draw`, under one legend, with `note` below.

    At most three panels are in a row, fewer where the width that is asked for has no room. Names of axes stand at the
    left and below the lowest panels.
    """
    page, count = PAGE.get(), len(panels)
    columns = min(2 if count == 4 else 3, count, max(1, int((page.width or 12) / _NARROWEST)))
    rows = math.ceil(count / columns)
    width = page.width or (5.2 if count == 1 else 3.7 * columns)
    with mpl.rc_context(page.settings):
        figure = Figure(layout="constrained")
        places = list(figure.subplots(rows, columns, squeeze=False).flat)
        for axes in places[count:]:
            axes.set_visible(False)
        for number, (axes, (title, panel)) in enumerate(zip(places, panels, strict=False)):
            draw(axes, panel)
            room = width / columns - 0.85
            axes.set_title(_wrapped(title, room, _size("axes.titlesize")))
            axes.set_xlabel(_wrapped(axes.get_xlabel(), room, _size("axes.labelsize")))
            if number % columns:
                axes.set_ylabel("")
            if number + columns < count:
                axes.set_xlabel("")
        text = "\n".join(_wrapped(line, width, _NOTE_SIZE) for line in note.split("\n"))
        figure.supxlabel(text, fontsize=_NOTE_SIZE, color="#555555")
        titles = [axes.get_title().count("\n") for axes in places[:count]]
        lines = [
            _add_legend(figure, places[:count], width),
            sum(max(titles[at : at + columns]) for at in range(0, count, columns)),
        ]
        height = rows * max(0.72 * width / columns, 1.9) + len(text.splitlines()) * 1.3 * _NOTE_SIZE / 72
        figure.set_size_inches(width, height + sum(lines) * 1.6 * _size("legend.fontsize") / 72)
    return figure


def logarithmic(axes: Axes, name: Literal["x", "y"]) -> None:
    """Give axes with data a logarithmic scale, with labels at powers of ten, and between them where there are few."""
    axes.set(**{f"{name}scale": "log"})
    axis = axes.xaxis if name == "x" else axes.yaxis
    low, high = sorted(axis.get_view_interval())
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 200 * low else (1,)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda x, _: _label(x)))


def _label(number: float) -> str:
    power = round(math.log10(number))
    return f"$10^{{{power}}}$" if power > 5 and math.isclose(number, 10.0**power) else f"{number:,.12g}"


def _add_legend(figure: Figure, drawn: Sequence[Axes], width: float) -> int:
    """Add the legend of all panels to a figure; return the number of its lines."""
    labelled: dict[str, Artist] = {}
    for axes in drawn:
        handles, labels = axes.get_legend_handles_labels()
        labelled |= dict(zip(labels, handles, strict=True))
    if not labelled:
        return 0
    size = _size("legend.fontsize")
    names = [_wrapped(name, width - 5 * size / 72, size) for name in labelled]
    letters = max(len(line) for name in names for line in name.split("\n"))
    columns = max(1, min(4, int(72 * width / (_LETTER * letters + 5) / size)))
    figure.legend(list(labelled.values()), names, loc="outside upper center", ncols=columns, frameon=False)
    return math.ceil(len(names) / columns) * (1 + max(name.count("\n") for name in names))


def _size(setting: Any) -> float:
    return float(mpl.font_manager.FontProperties(size=mpl.rcParams[setting]).get_size_in_points())


def _wrapped(text: str, width: float, size: float) -> str:
    """Break a text into lines of `width` inches at most, in letters of `size` points."""
    return fill(text, max(8, int(72 * width / size / _LETTER)))
