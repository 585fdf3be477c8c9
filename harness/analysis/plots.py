"""Plots coverage (thick) and killed mutants (thin) by scope, as in Figures 3 and 9 of exhaustive2003."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Literal, TypeVar

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cbook import is_math_text
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.textpath import text_to_path
from matplotlib.ticker import MaxNLocator

from harness.analysis.frames import RunFrames
from harness.analysis.measures import NONE_PROVEN, Proven, coverage_ratios, scores
from harness.analysis.titles import titles_apart
from harness.errors import StoreError, UsageError
from harness.model.score import ScorePolicy
from harness.store import CoverageKind

Curve = tuple[tuple[int, float], ...]
"""(scope, percent) by ascending scope."""

_Panel = TypeVar("_Panel")

COVERAGE_COLOUR = "#1f5a92"
BRANCH_COLOUR = "#3aa6a0"
KILLED_COLOUR = "#c2410c"
CURVE_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colours that colour-blind readers can distinguish (Okabe and Ito), for curves of one kind."""
CURVE_MARKERS = "os^DvPX"
LABEL_HEIGHT = 11.0
"""Points that a label beside a curve needs."""
_NOTE_SIZE = 7.5
"""Points of the text below a figure."""
_NARROWEST, _LOWEST = 2.2, 1.9
"""The least width and height of a panel in inches, where a width of the figure is asked for."""
_BREAKABLE = re.compile(r"\s*[^\s,]*,|\s*[^\s,]+")
STYLE: Any = {  # Any: matplotlib's own type for it changes between versions.
    "svg.hashsalt": "mutascope",
    "font.family": "DejaVu Sans",  # Ships with matplotlib: the same glyphs everywhere.
    "font.size": 9,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "pdf.fonttype": 42,  # Embeds fonts as TrueType, as publishers ask for.
    "axes.axisbelow": True,  # Else grid lines cut through the markers of printed values.
}
_UNDATED: dict[str, dict[str, None]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "ModDate": None, "Producer": None, "Creator": None},
}


@dataclass(frozen=True)
class Page:
    """The place for which figures are drawn.

    Attributes:
        width: the width of a figure in inches; None: as its panels need it.
        style: settings of matplotlib, which replace those of `STYLE`.
    """

    width: float | None = None
    style: Mapping[str, Any] = field(default_factory=dict)

    @property
    def settings(self) -> Any:  # Any: as STYLE
        """The settings of matplotlib for this page."""
        return STYLE | dict(self.style)


_ANY_PAGE = Page()
_PAGE: ContextVar[Page] = ContextVar("page", default=_ANY_PAGE)


@contextmanager
def drawn_for(page: Page) -> Iterator[None]:
    """Draw and write all figures of the block for a page."""
    token = _PAGE.set(page)
    try:
        yield
    finally:
        _PAGE.reset(token)


def style_of(file: Path) -> dict[str, Any]:
    """Read a style file of matplotlib.

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
    return dict(settings)


@dataclass(frozen=True)
class ScopePanel:
    """One benchmark: measured curves, and published ones to draw beside them (empty: none)."""

    title: str
    statement: Curve
    killed: Curve
    published_statement: Curve = ()
    published_killed: Curve = ()
    branch: Curve = ()


def scope_panels(
    frames: RunFrames,
    generator: str,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    proven: Proven = NONE_PROVEN,
) -> list[ScopePanel]:
    """Return a panel of measured curves for each subject and operator set on which `generator` ran, in their order."""
    ratios = coverage_ratios(frames)
    ratios = ratios[(ratios["kind"] == CoverageKind.CODE.value) & (ratios["generator"] == generator)]
    scored = scores(frames, policy, proven)
    scored = scored[scored["generator"] == generator]
    mine = frames.trials[frames.trials["generator"] == generator]
    panels = []
    titles = titles_apart(dict(zip(mine["subject"], mine["title"], strict=True)))
    several = mine["operator_set"].nunique() > 1
    for (subject, operators), trials in mine.groupby(["subject", "operator_set"], sort=False):
        statement = ratios[ratios["trial"].isin(trials["trial"])]
        killed = scored[scored["trial"].isin(trials["trial"])]
        panels.append(
            ScopePanel(
                titles[str(subject)] + f", {operators}" * several,
                curve_of(statement["scope"], statement["statement_pct"]),
                curve_of(killed["scope"], killed["score_pct"]),
            )
        )
    return panels


def draw_scope_figure(panels: Sequence[ScopePanel], note: str = "") -> Figure:
    """Draw a grid of panels, at most three in a row; `note` is below them (the score policy, for example).

    Raises:
        UsageError: there is nothing to draw.
    """
    if not any(panel.statement or panel.killed for panel in panels):
        raise UsageError("nothing to draw: the run has no finished trial; run the experiment to its end first")
    return draw_panels(panels, _draw, note)


def draw_panels(panels: Sequence[_Panel], draw: Callable[[Axes, _Panel], None], note: str = "") -> Figure:
    """Draw a grid of panels, at most three in a row, each by `draw`, under one legend, with `note` below."""
    page = _PAGE.get()
    columns = _columns(len(panels), page)
    rows = math.ceil(len(panels) / columns)
    width, height = _size(len(panels), columns, page)
    with mpl.rc_context(page.settings):
        figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.06))
        FigureCanvasAgg(figure)
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, panel in zip(grid, panels, strict=False):
            draw(axes, panel)
            title_font = _setting("axes.titlesize"), _setting("axes.titleweight")
            axes.set_title(_wrapped(axes.get_title(), width / columns, *title_font))
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        labelled: dict[str, Artist] = {}
        for axes in grid[: len(panels)]:
            handles, labels = axes.get_legend_handles_labels()
            labelled |= dict(zip(labels, handles, strict=True))
        if labelled:
            figure.legend(
                list(labelled.values()),
                list(labelled),
                loc="outside upper center",
                ncols=(4 if columns == 3 else 2) if page.width is None else _legend_columns(list(labelled), width),
                frameon=False,
            )
        if note:
            figure.supxlabel(_wrapped(note, width), fontsize=_NOTE_SIZE, color="#555555")
    return figure


def _setting(name: Any) -> Any:
    return mpl.rcParams[name]


def _columns(panels: int, page: Page) -> int:
    """Return how many panels are in a row."""
    most = 3 if page.width is None else max(1, min(3, int(page.width / _NARROWEST)))
    return 2 if panels == 4 and most == 3 else min(most, panels)


def _size(panels: int, columns: int, page: Page) -> tuple[float, float]:
    """Return the width and height of a figure in inches."""
    rows = math.ceil(panels / columns)
    if page.width is not None:
        return page.width, rows * max(0.72 * page.width / columns, _LOWEST) + 0.6
    return (5.2, 3.9) if panels == 1 else (3.7 * columns, 2.9 * rows + 0.8)


def axes_size(panels: int) -> tuple[float, float]:
    """Return about how wide and high the axes of each panel will be, in points, below one line of a title."""
    columns = _columns(panels, page := _PAGE.get())
    width, height = _size(panels, columns, page)
    return 0.8 * 72 * width / columns, 0.55 * 72 * height / math.ceil(panels / columns)


def widest(labels: Iterable[str], size: str | float) -> float:
    """Return the width of the widest of some labels in a size of font, in points."""
    with mpl.rc_context(_PAGE.get().settings):
        font = FontProperties(family=_setting("font.family"), size=size)
        return max(_width(label, font) for label in labels)


def _legend_columns(labels: Sequence[str], width: float) -> int:
    """Return the greatest number of columns, up to four, with which a legend fits into a figure of so many inches."""
    size = FontProperties(size=_setting("legend.fontsize")).get_size_in_points()
    each = widest(labels, size) + 5 * size  # with the line, and the space between columns
    return max(1, min(4, int((72 * width + 2 * size) / each)))


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
        for part in _BREAKABLE.findall(line):  # a word, or what follows a comma in it, with the spaces before it
            longer = f"{lines[-1]}{part}"
            if lines[-1] and _width(longer, font) > most:
                lines.append(part.lstrip())
            else:
                lines[-1] = longer.lstrip()
    return "\n".join(lines)


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
        with mpl.rc_context(_PAGE.get().settings):
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


def _draw(axes: Axes, panel: ScopePanel) -> None:
    curves = (
        (panel.statement, COVERAGE_COLOUR, 3.4, "-", "statement coverage"),
        (panel.branch, BRANCH_COLOUR, 2.0, "-", "branch coverage"),
        (panel.killed, KILLED_COLOUR, 1.2, "-", "mutants killed"),
        (panel.published_statement, "#8fbbe0", 1.8, "--", "statement coverage, published"),
        (panel.published_killed, "#f0a27f", 0.9, "--", "mutants killed, published"),
    )
    for height, (curve, colour, width, style, label) in enumerate(curves, start=3):
        if curve:
            axes.plot(
                [scope for scope, _ in curve],
                [value for _, value in curve],
                color=colour,
                linewidth=width,
                linestyle=style,
                marker="o" if curve is panel.killed or len(curve) == 1 else None,
                markersize=3.5,
                label=label,
                clip_on=False,
                zorder=height,  # Published lines on top: thin, they hide nothing; below, they would vanish.
            )
    axes.set_title(panel.title)
    axes.set_ylabel("covered, killed [%]")
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 20))
    by_scope(axes)


def by_scope(axes: Axes) -> None:
    """Give axes by scope a lower side, and light lines across."""
    axes.set_xlabel("scope (bound on input size)")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    open_axes(axes)


def open_axes(axes: Axes, lines: Literal["x", "y"] = "y") -> None:
    """Leave the upper and the right side open, and draw light lines at the marks of an axis."""
    axes.grid(axis=lines, color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def curve_of(scopes: Iterable[Any], values: Iterable[Any]) -> Curve:
    """Return the points by ascending scope, without missing ones; of several at a scope, their median."""
    points: dict[int, list[float]] = {}
    for scope, value in zip(scopes, values, strict=True):
        if value == value:
            points.setdefault(int(scope), []).append(float(value))
    return tuple((scope, median(found)) for scope, found in sorted(points.items()))
