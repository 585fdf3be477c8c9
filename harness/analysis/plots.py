"""Plots coverage (thick) and killed mutants (thin) by scope, as in Figures 3 and 9 of exhaustive2003."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal, TypeVar

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from harness.analysis.figure_page import current_page
from harness.analysis.frames import RunFrames
from harness.analysis.measures import NONE_PROVEN, Proven, coverage_ratios, scores, titles_of
from harness.analysis.panels import draw_panels
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
WIDE: Any = {"linewidth": 3.4}
DASHED: Any = {
    "linewidth": 1.4,
    "linestyle": (0, (2.5, 1.2)),
    "marker": "D",
    "markersize": 4.5,
    "markerfacecolor": "white",
}
THIN: Any = {"linewidth": 1.2, "marker": "o", "markersize": 3.5}
"""Three looks for curves that may be equal, drawn in this order: each is seen above the others, and without colours."""
LABEL_HEIGHT = 11.0
"""Points that a label beside a curve needs."""
_UNDATED: dict[str, dict[str, None]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "ModDate": None, "Producer": None, "Creator": None},
}


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
    titles = titles_of(frames)
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
    return draw_panels([(panel.title, panel) for panel in panels], _draw, note)


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
        with mpl.rc_context(current_page().settings):
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
    curves: Sequence[tuple[Curve, str, Any, str]] = (
        (panel.statement, COVERAGE_COLOUR, WIDE, "statement coverage"),
        (panel.branch, BRANCH_COLOUR, DASHED, "branch coverage"),
        (panel.killed, KILLED_COLOUR, THIN, "mutants killed"),
        (panel.published_statement, "#8fbbe0", {"linewidth": 1.8, "linestyle": "--"}, "statement coverage, published"),
        (panel.published_killed, "#f0a27f", {"linewidth": 0.9, "linestyle": "--"}, "mutants killed, published"),
    )
    for height, (curve, colour, look, label) in enumerate(curves, start=3):
        # Published lines on top: thin, they hide nothing; below, they would vanish.
        draw_curve(axes, curve, colour, look | {"zorder": height}, label)
    axes.set_ylabel("covered, killed [%]")
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 20))
    by_scope(axes)


def draw_curve(axes: Axes, curve: Curve, colour: str, look: Mapping[str, Any], label: str) -> None:
    """Draw a curve, if it has points; a single point has a marker in any look."""
    if curve:
        single = {"marker": "s", "markersize": 2 * look["linewidth"]} if len(curve) == 1 else {}
        axes.plot(*zip(*curve, strict=True), color=colour, label=label, clip_on=False, **(single | dict(look)))


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
