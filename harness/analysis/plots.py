"""Writes figures, with the colours and axes that several of them share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from harness.analysis.figure_page import PAGE
from harness.errors import StoreError, UsageError

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
