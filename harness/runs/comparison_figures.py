"""Compares generators in figures: killed mutants and covered branches by budget, one panel per subject and scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from harness.analysis.compared import Basis, Point
from harness.analysis.logarithmic_scale import ExactLogScale
from harness.analysis.plots import draw_panels, open_axes
from harness.runs.comparison_tables import Comparisons

MARKERS = "osD^vPX*"


class Range(NamedTuple):
    """The median, least and most of the scores of several suites."""

    median: Fraction
    least: Fraction
    most: Fraction

    @classmethod
    def of(cls, ratios: Sequence[Fraction]) -> Range:
        """Return the range of one or more scores."""
        return cls(median(ratios), min(ratios), max(ratios))


@dataclass(frozen=True)
class Line:
    """One generator: parts of its suites by budget, then whole suites; told with the number of suites."""

    generator: str
    colour: str
    marker: str
    points: tuple[tuple[Fraction, Range], ...]
    whole: tuple[float, Range] | None


@dataclass(frozen=True)
class Panel:
    """One subject at one scope."""

    title: str
    lines: tuple[Line, ...]
    y_label: str
    basis: Basis


def killed_figure(comparisons: Comparisons) -> Figure | None:
    """Draw killed mutants by budget; return None if there is no point."""
    return _figure(comparisons, lambda point: point.killed, "mutants killed [%]", comparisons.counted)


def branches_figure(comparisons: Comparisons) -> Figure | None:
    """Draw covered branches by budget; return None if none were measured."""
    return _figure(comparisons, lambda point: point.branches, "branches covered [%]", "Of target and helper methods.")


COMPARISON_FIGURES: Mapping[str, Callable[[Comparisons], Figure | None]] = {
    "generators_killed": killed_figure,
    "generators_branches": branches_figure,
}


def _figure(
    comparisons: Comparisons, ratios: Callable[[Point], Sequence[Fraction]], y_label: str, note: str
) -> Figure | None:
    names = comparisons.generators
    panels = []
    for subject in comparisons.compared:
        key = subject.subject, subject.scope
        mine = [point for point in comparisons.points if (point.subject, point.scope) == key and ratios(point)]
        lines = tuple(
            _line(
                name, names.index(name), [point for point in mine if point.generator == name], ratios, comparisons.basis
            )
            for name in subject.suites
        )
        if any(point.limit is not None for point in mine):
            panels.append(Panel(f"{subject.title}, scope {subject.scope}", lines, y_label, comparisons.basis))
    legend = "Line: median of n suites. Shaded: from the least to the most. Hollow: whole suites, by their inputs."
    return draw_panels(panels, _draw, f"{note}\n{legend}") if panels else None


def _line(
    name: str, number: int, points: Sequence[Point], ratios: Callable[[Point], Sequence[Fraction]], basis: Basis
) -> Line:
    ranges = {point.limit: Range.of(ratios(point)) for point in points}
    whole = next((point for point in points if point.limit is None), None)
    colours = mpl.color_sequences["tab10"]
    return Line(
        f"{name} (n = {max((len(point.killed) for point in points), default=0)})",
        mpl.colors.to_hex(colours[number % len(colours)]),
        MARKERS[number % len(MARKERS)],
        tuple(sorted((limit, found) for limit, found in ranges.items() if limit is not None)),
        (float(median(whole.inputs)), ranges[None]) if whole is not None and basis is Basis.INPUTS else None,
    )


def _draw(axes: Axes, panel: Panel) -> None:
    for line in panel.lines:
        sizes = [float(size) for size, _ in line.points]
        look: Any = {"color": line.colour, "marker": line.marker, "markersize": 4.5}
        axes.plot(sizes, [_percent(scores.median) for _, scores in line.points], label=line.generator, **look)
        axes.fill_between(
            sizes,
            [_percent(scores.least) for _, scores in line.points],
            [_percent(scores.most) for _, scores in line.points],
            color=line.colour,
            alpha=0.15,
            linewidth=0,
        )
        if line.whole is not None:
            inputs, scores = line.whole
            axes.plot([inputs], [_percent(scores.median)], linestyle="", markerfacecolor="none", **look)
    axes.set_title(panel.title)
    axes.set_xscale(ExactLogScale(axes.xaxis))
    sizes = sorted({float(size) for line in panel.lines for size, _ in line.points})
    axes.set_xticks(sizes, [f"{size:g}" for size in sizes])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(f"{panel.basis.value} (logarithmic)")
    axes.set_ylabel(panel.y_label)
    open_axes(axes)


def _percent(ratio: Fraction) -> float:
    return float(100 * ratio)
