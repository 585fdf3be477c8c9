"""Draws panels in a grid under one legend, in a figure whose text has room."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cbook import is_math_text
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.textpath import text_to_path

from harness.analysis.figure_page import Page, current_page

_Panel = TypeVar("_Panel")

_KEY = 5
"""The width of a line and of the space between columns in a legend, in sizes of its font."""
_NOTE_SIZE = 7.5
"""Points of the text below a figure."""
_NARROWEST, _LOWEST = 2.2, 1.9
"""The least width and height of a panel in inches, where a width of the figure is asked for."""
_SMALL_WIDTH, _SMALL_HEIGHT = 1.6, 1.4
"""The same of small panels, without the lines of their titles but one."""
_MOST_ROWS = 3
"""The number of rows of panels beyond which they are small."""
_SMALL_HIGHEST = 1.9
"""The greatest height of a small panel in inches."""
_PAGE_HEIGHT = 9.0
"""The greatest height in inches of a figure whose panels are in fewer columns, so that titles have few lines."""
_TITLE_LINES = 2
"""The greatest number of lines of a title, as long as a figure is not higher than a page."""
_SMALL_TEXT: Any = {
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 8,
}
_FREE_LINES = 2
"""The lines of a legend, and of a note, for which a figure has room."""
_BREAKABLE = re.compile(r"\s*[^\s,]*,|\s*[^\s,]+")
_BREAKABLE_IN_NAMES = re.compile(r"[^/:=._-]*[/:=._-]|[^/:=._-]+")
_HUMPS = re.compile(r".+?[a-z](?=[A-Z])|.+")


def draw_panels(panels: Sequence[tuple[str, _Panel]], draw: Callable[[Axes, _Panel], None], note: str = "") -> Figure:
    """Draw a grid of panels, each with a title and its data by `draw`, under one legend, with `note` below.

    At most three panels are in a row. If that makes many rows, panels are smaller, and only the outer ones have names
    of axes. Where the width of a figure is asked for, panels stand in fewer columns if their titles need it. A long
    legend or note makes a figure higher.
    """
    grid = _Grid.of([title for title, _ in panels], current_page())
    with mpl.rc_context(grid.settings):
        figure = Figure(figsize=(grid.width, grid.height), layout=ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.06))
        FigureCanvasAgg(figure)
        places = figure.subplots(grid.rows, grid.columns, squeeze=False).ravel()
        for axes, (title, panel) in zip(places, panels, strict=False):
            draw(axes, panel)
            axes.set_title(grid.wrapped(title))
        for axes in places[len(panels) :]:
            axes.set_visible(False)
        drawn = list(places[: len(panels)])
        more_points = _add_legend(figure, drawn, grid)
        if grid.is_small:
            more_points += _share_names_of_axes(figure, drawn, grid)
        if note:
            lines = _wrapped(note, grid.width)
            figure.supxlabel(lines, fontsize=_NOTE_SIZE, color="#555555")
            more_points += max(0, _lines(lines) - _FREE_LINES) * 1.2 * _NOTE_SIZE
        figure.set_figheight(grid.height + more_points / 72)
    return figure


def _lines(text: str) -> int:
    return text.count("\n") + 1


def _share_names_of_axes(figure: Figure, drawn: Sequence[Axes], grid: _Grid) -> float:
    """Name the vertical axes once, and horizontal ones below the lowest panel of each column.

    Returns:
        The height that lines of titles need, in points.
    """
    figure.supylabel(drawn[0].get_ylabel(), fontsize=_setting("axes.labelsize"))
    for number, axes in enumerate(drawn):
        is_lowest = number + grid.columns >= len(drawn)
        axes.set_ylabel("")
        axes.set_xlabel(_wrapped(axes.get_xlabel(), grid.text_width, _setting("axes.labelsize")) if is_lowest else "")
    rows = [drawn[first : first + grid.columns] for first in range(0, len(drawn), grid.columns)]
    lines = sum(max(_lines(axes.get_title()) for axes in row) - 1 for row in rows)
    return float(lines * 1.25 * _setting("axes.titlesize"))


def _add_legend(figure: Figure, drawn: Sequence[Axes], grid: _Grid) -> float:
    """Add the legend of all panels; return the height that the figure lacks for it, in points."""
    labelled: dict[str, Artist] = {}
    for axes in drawn:
        handles, labels = axes.get_legend_handles_labels()
        labelled |= dict(zip(labels, handles, strict=True))
    if not labelled:
        return 0
    size = FontProperties(size=_setting("legend.fontsize")).get_size_in_points()
    names = [_wrapped(name, grid.width - _KEY * size / 72, size) for name in labelled]
    columns = _legend_columns(names, grid, size)
    figure.legend(list(labelled.values()), names, loc="outside upper center", ncols=columns, frameon=False)
    lines = max(sum(map(_lines, part)) for part in np.array_split(names, columns))
    return float(max(0, lines - _FREE_LINES) * 1.5 * size)


def _setting(name: Any) -> Any:
    return mpl.rcParams[name]


@dataclass(frozen=True)
class _Grid:
    """The places of panels in a figure whose width and height are in inches."""

    columns: int
    rows: int
    width: float
    height: float
    is_small: bool = False

    @property
    def settings(self) -> Any:
        """The settings of matplotlib for the figure."""
        page = current_page()
        return page.settings_with(_SMALL_TEXT) if self.is_small else page.settings

    @property
    def text_width(self) -> float:
        """The width of a text above or below a panel, which is over its axes where a figure is small."""
        left_side = 0.5 if self.is_small else 0.4 if self.is_fitted else 0
        return self.width / self.columns - left_side

    @property
    def is_fitted(self) -> bool:
        """Whether the width of the figure is asked for."""
        return current_page().width is not None

    def wrapped(self, title: str) -> str:
        """Break the lines of a title above a panel; call it with `settings`."""
        return _wrapped(title, self.text_width, _setting("axes.titlesize"), _setting("axes.titleweight"))

    @classmethod
    def of(cls, titles: Sequence[str], page: Page) -> _Grid:
        """Return the first grid that is no higher than a page and has room for the titles, or else the first one."""
        grids = list(cls._possible(len(titles), page))
        return next((grid for grid in grids if grid._has_room_for(titles)), grids[0])

    def _has_room_for(self, titles: Sequence[str]) -> bool:
        with mpl.rc_context(self.settings):
            return self.height <= _PAGE_HEIGHT and all(_lines(self.wrapped(one)) <= _TITLE_LINES for one in titles)

    @classmethod
    def _possible(cls, panels: int, page: Page) -> Iterator[_Grid]:
        """Yield grids for so many panels, those with the most columns first, and small panels last."""
        most = 3 if page.width is None else max(1, min(3, int(page.width / _NARROWEST)))
        first = 2 if panels == 4 and most == 3 else min(most, panels)
        for columns in range(first, 0, -1):
            rows = math.ceil(panels / columns)
            if rows > _MOST_ROWS:
                break
            if page.width is None:
                yield cls(1, 1, 5.2, 3.9) if panels == 1 else cls(columns, rows, 3.7 * columns, 2.9 * rows + 0.8)
                return
            yield cls(columns, rows, page.width, rows * max(0.72 * page.width / columns, _LOWEST) + 0.6)
        width = 11.1 if page.width is None else page.width
        for columns in range(max(1, min(4, panels, int(width / _SMALL_WIDTH))), 0, -1):
            height = min(max(0.68 * width / columns, _SMALL_HEIGHT), _SMALL_HIGHEST)
            yield cls(columns, rows := math.ceil(panels / columns), width, rows * height + 0.8, True)


def axes_size(titles: Sequence[str]) -> tuple[float, float]:
    """Return about how wide and high the axes of each panel will be, in points, below one line of a title."""
    grid = _Grid.of(titles, current_page())
    return 0.8 * 72 * grid.width / grid.columns, 0.55 * 72 * grid.height / grid.rows


def widest(labels: Iterable[str], size: str | float) -> float:
    """Return the width of the widest of some labels in a size of font, in points."""
    with mpl.rc_context(current_page().settings):
        font = FontProperties(family=_setting("font.family"), size=size)
        return max(_width(label, font) for label in labels)


def _legend_columns(names: Sequence[str], grid: _Grid, size: float) -> int:
    """Return the greatest number of columns, up to four, with which a legend in a size of font fits into a figure."""
    most = 2 if grid.columns < 3 and current_page().width is None else 4
    font = FontProperties(family=_setting("font.family"), size=size)
    widths = [max(_width(line, font) for line in name.split("\n")) + _KEY * size for name in names]
    for columns in range(min(most, len(names)), 1, -1):
        if sum(part.max() for part in np.array_split(widths, columns)) <= 72 * grid.width + 2 * size:
            return columns
    return 1


def _width(text: str, font: FontProperties) -> float:
    """Return the width of a text in points.

    Letters are measured without hints: hinted ones are up to an eighth wider at 72 dots per inch.
    """
    return text_to_path.get_text_width_height_descent(text, font, is_math_text(text))[0]


def _wrapped(text: str, width: float, size: float = _NOTE_SIZE, weight: str = "normal") -> str:
    """Break lines of a text that would be wider than 86 % of a figure or a panel, whose width is in inches."""
    most = 0.86 * 72 * width
    lines: list[str] = []
    font = FontProperties(family=_setting("font.family"), size=size, weight=weight)
    for line in text.split("\n"):
        lines.append("")
        for part in _breakable(line, lambda word: _width(word, font) > most):
            longer = f"{lines[-1]}{part}"
            if lines[-1] and _width(longer, font) > most:
                lines.append(part.lstrip())
            else:
                lines[-1] = longer.lstrip()
    return "\n".join(lines)


def _breakable(line: str, is_too_wide: Callable[[str], bool]) -> Iterator[str]:
    """Yield words, or what follows a comma in one, with the spaces before; of a name that is too wide, its parts.

    Parts end at signs, and where an upper case letter begins another word of a part that is too wide itself.
    """
    for word in _BREAKABLE.findall(line):
        for part in _BREAKABLE_IN_NAMES.findall(word) if is_too_wide(word) else [word]:
            yield from _HUMPS.findall(part) if is_too_wide(part) else [part]
