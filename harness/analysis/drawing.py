"""Draws panels in a grid under one legend, for the page that is asked for, and writes figures."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from statistics import median
from textwrap import fill
from typing import Any, Literal, NamedTuple, TypeVar

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from harness.errors import StoreError, UsageError

STYLE: Any = {  # Any: matplotlib's own type for it changes between versions.
    "svg.hashsalt": "mutascope",
    "font.family": "DejaVu Sans",  # Ships with matplotlib: the same glyphs everywhere.
    "font.size": 9,
    "axes.titlesize": 9,
    "pdf.fonttype": 42,  # Embeds fonts as TrueType, as publishers ask for.
    "axes.axisbelow": True,  # Else grid lines cut through the markers of printed values.
}


class Page(NamedTuple):
    """The place for which figures are drawn.

    Attributes:
        width: the width of a figure in inches; None: as its panels need it.
        settings: settings of matplotlib.
    """

    width: float | None = None
    settings: Any = STYLE


_ANY_PAGE = Page()
PAGE: ContextVar[Page] = ContextVar("page", default=_ANY_PAGE)
"""The page for which figures are drawn at present."""


@contextmanager
def drawn_for(page: Page) -> Iterator[None]:
    """Draw and write all figures of the block for a page."""
    token = PAGE.set(page)
    try:
        yield
    finally:
        PAGE.reset(token)


def style_of(file: Path) -> Any:  # Any: as STYLE
    """Return STYLE with the settings of a style file of matplotlib in place of its own.

    Raises:
        UsageError: the file cannot be read, or has a line that matplotlib does not understand.
    """
    complaints: list[str] = []
    logger = logging.getLogger("matplotlib")
    listener = logging.Handler(logging.WARNING)
    listener.emit = lambda record: complaints.append(record.getMessage())  # type: ignore[method-assign]
    logger.addHandler(listener)
    propagates, logger.propagate = logger.propagate, False
    try:
        settings: Any = mpl.rc_params_from_file(file, use_default_template=False)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UsageError(f"{file}: cannot be read ({reason}); name a style file of matplotlib") from None
    finally:
        logger.propagate = propagates
        logger.removeHandler(listener)
    if complaints:
        raise UsageError(
            f"{file}: no style file of matplotlib ({complaints[0].strip().splitlines()[0]}); correct this line"
        )
    return STYLE | dict(settings)


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


Curve = tuple[tuple[float, float], ...]
"""Points such as (scope, percent), by ascending scope."""

COVERAGE_COLOUR = "#1f5a92"
BRANCH_COLOUR = "#3aa6a0"
KILLED_COLOUR = "#c2410c"
CURVE_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colours that colour-blind readers can distinguish (Okabe and Ito), for curves of one kind."""
CURVE_MARKERS = "os^DvPX"
_UNDATED: dict[str, dict[str, None]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "ModDate": None, "Producer": None, "Creator": None},
}


def check_suffix(path: Path) -> None:
    """Raise UsageError if no figure can be written under that name."""
    if path.suffix not in _UNDATED:
        raise UsageError(f"{path}: figures are written as {', '.join(_UNDATED)}; choose one of these suffixes")


def save_figure(figure: Figure, path: Path) -> None:
    """Write SVG, PNG or PDF, by the suffix; the same figure gives the same bytes.

    Raises:
        UsageError: another suffix.
        StoreError: the file cannot be written.
    """
    check_suffix(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with mpl.rc_context(PAGE.get().settings):
            figure.savefig(path, dpi=160, metadata=_UNDATED[path.suffix])
    except OSError as error:
        raise StoreError(f"{path}: cannot be written ({error.strerror}); choose another folder") from None


def save_figures(figures: Mapping[str, Figure | None], folder: Path, pdf: bool = False) -> list[Path]:
    """Write each figure that there is as PNG and SVG, and as PDF on request; return the paths.

    Raises:
        StoreError: as `save_figure`.
    """
    written = []
    for name, figure in figures.items():
        if figure is not None:
            for suffix in (".png", ".svg", ".pdf")[: 3 if pdf else 2]:
                written.append(folder / f"{name}{suffix}")
                save_figure(figure, written[-1])
    return written


def by_scope(axes: Axes) -> None:
    """Give axes by scope a lower side, and light lines across."""
    axes.set_xlabel("scope (bound on input size)")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    open_axes(axes)


def open_axes(axes: Axes, lines: Literal["x", "y"] = "y") -> None:
    """Leave the upper and the right side open, and draw light lines at the marks of an axis."""
    axes.grid(axis=lines, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def curve_of(points: Iterable[tuple[Any, Any]]) -> Curve:
    """Return points by ascending scope, without those that have no value; of several at a scope, their median."""
    values: dict[float, list[float]] = {}
    for scope, value in points:
        if value is not None and value == value:
            values.setdefault(scope, []).append(float(value))
    return tuple((scope, median(found)) for scope, found in sorted(values.items()))
