"""Generators beside each other: mutants killed and branches covered by number of inputs, one panel per subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from harness.analysis.compared import Point
from harness.analysis.plots import draw_panels
from harness.analysis.spread import Spread
from harness.report.runs.comparison_tables import Comparisons

MARKERS = "osD^vPX*"


@dataclass(frozen=True)
class Line:
    """One generator: sub-suites by number of inputs, then whole suites."""

    generator: str
    colour: str
    marker: str
    points: tuple[tuple[int, Spread], ...]
    whole: tuple[int, Spread] | None


@dataclass(frozen=True)
class Panel:
    """One subject."""

    title: str
    lines: tuple[Line, ...]
    what: str


def killed_figure(given: Comparisons) -> Figure | None:
    """Mutants killed by number of inputs; None where there is no point."""
    return _figure(given, lambda point: point.killed, "mutants killed [%]", given.counted)


def branches_figure(given: Comparisons) -> Figure | None:
    """Branches covered by number of inputs; None where none were measured."""
    return _figure(given, lambda point: point.branches, "branches covered [%]", "Of target and helper methods.")


COMPARISON_FIGURES: Mapping[str, Callable[[Comparisons], Figure | None]] = {
    "generators_killed": killed_figure,
    "generators_branches": branches_figure,
}


def _figure(given: Comparisons, ratios: Callable[[Point], Sequence[Fraction]], what: str, note: str) -> Figure | None:
    names = given.generators
    panels = []
    for subject in given.compared:
        mine = [point for point in given.points if point.subject == subject.subject and ratios(point)]
        lines = tuple(
            _line(name, names.index(name), [point for point in mine if point.generator == name], ratios)
            for name in subject.suites
        )
        if mine:
            panels.append(Panel(subject.title, lines, what))
    told = "Shaded: where the median of all suites lies, at 95 %. Hollow: whole suites of the largest scope."
    return draw_panels(panels, _draw, f"{note}\n{told}") if panels else None


def _line(name: str, number: int, points: Sequence[Point], ratios: Callable[[Point], Sequence[Fraction]]) -> Line:
    told = {point.size: (min(point.inputs), Spread.of(ratios(point))) for point in points}
    colours = mpl.color_sequences["tab10"]
    return Line(
        name,
        mpl.colors.to_hex(colours[number % len(colours)]),
        MARKERS[number % len(MARKERS)],
        tuple(sorted((size, spread) for size, (_, spread) in told.items() if size is not None)),
        told.get(None),
    )


def _draw(axes: Axes, panel: Panel) -> None:
    for line in panel.lines:
        sizes = [size for size, _ in line.points]
        look: Any = {"color": line.colour, "marker": line.marker, "markersize": 4.5}
        axes.plot(sizes, [_percent(spread.median) for _, spread in line.points], label=line.generator, **look)
        bounded = [(size, spread.low, spread.high) for size, spread in line.points if spread.low is not None]
        axes.fill_between(
            [size for size, _, _ in bounded],
            [_percent(low) for _, low, _ in bounded],
            [_percent(high) for _, _, high in bounded],
            color=line.colour,
            alpha=0.15,
            linewidth=0,
        )
        if line.whole is not None:
            inputs, spread = line.whole
            axes.plot([inputs], [_percent(spread.median)], linestyle="", markerfacecolor="none", **look)
    axes.set_title(panel.title)
    axes.set_xscale("log")
    sizes = sorted({size for line in panel.lines for size, _ in line.points})
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("inputs (logarithmic)")
    axes.set_ylabel(panel.what)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def _percent(ratio: Fraction | None) -> float:
    return float("nan") if ratio is None else float(100 * ratio)
