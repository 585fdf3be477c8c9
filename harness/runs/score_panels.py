"""Draws the scores of several generators into one panel, by scope or by a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.logarithmic_scale import ExactLogScale
from harness.analysis.panels import axes_size, draw_panels, widest
from harness.analysis.plots import (
    CURVE_COLOURS,
    CURVE_MARKERS,
    LABEL_HEIGHT,
    by_scope,
    open_axes,
)

KILLED, COVERED = "mutants killed [%]", "branches covered [%]"


class ScoreCurve(NamedTuple):
    """The mutation score of one generator: points of x, score, and the ends of its band, by ascending x."""

    generator: str
    points: tuple[tuple[float, float, float, float], ...]


class ScoresPanel(NamedTuple):
    """The curves of all generators of one subject.

    Attributes:
        style: the number of the colour of each generator.
        is_labelled: True if each curve has its generator's name at its end; else a legend names them.
        y_label: the name of the scores.
    """

    title: str
    curves: tuple[ScoreCurve, ...]
    style: Mapping[str, int]
    is_labelled: bool = False
    y_label: str = KILLED


def draw_scores_by_scope(panels: Sequence[ScoresPanel], note: str) -> Figure:
    """Draw the scores of generators by scope; their names stand beside the curves if there is room, or in a legend."""
    return draw_panels(_titled(panels), _draw_on_scopes, note)


def draw_scores_by(budget: str, panels: Sequence[ScoresPanel], note: str) -> Figure:
    """Draw the scores of generators by a budget, such as `inputs`, on a logarithmic axis."""
    return draw_panels(_titled(panels), partial(_draw_by, budget), note)


def _titled(panels: Sequence[ScoresPanel]) -> list[tuple[str, ScoresPanel]]:
    """Return the panels with their titles, with labels beside the curves if there is room for them in each one."""
    width, height = axes_size([panel.title for panel in panels])
    least_gap = 102 * LABEL_HEIGHT / height
    are_short = widest({curve.generator for panel in panels for curve in panel.curves}, "small") < width / 4
    are_labelled = are_short and all(_has_room(panel, least_gap) for panel in panels)
    return [(panel.title, panel._replace(is_labelled=are_labelled)) for panel in panels]


def _has_room(panel: ScoresPanel, least_gap: float) -> bool:
    """Return True if the ends of the curves are one above the other, with room for a label beside each one."""
    ends = sorted((curve.points[-1][1], curve.points[-1][0]) for curve in panel.curves)
    gaps = [above - below for (below, _), (above, _) in pairwise(ends)]
    return len({x for _, x in ends}) == 1 and all(gap >= least_gap for gap in gaps)


def _draw_on_scopes(axes: Axes, panel: ScoresPanel) -> None:
    _draw_scores(axes, panel)
    by_scope(axes)


def _draw_by(budget: str, axes: Axes, panel: ScoresPanel) -> None:
    _draw_scores(axes, panel)
    axes.set_xscale(ExactLogScale(axes.xaxis))
    axes.set_xlabel(f"{budget} (logarithmic)")
    open_axes(axes)


def _later_equals(panel: ScoresPanel, generator: str) -> int:
    """Return the number of curves drawn later that share a point with the curve of a generator."""
    points = {one.generator: {(x, score) for x, score, _, _ in one.points} for one in panel.curves}
    numbers = panel.style
    return sum(
        bool(points[generator] & shared) and numbers[name] > numbers[generator] for name, shared in points.items()
    )


def _draw_scores(axes: Axes, panel: ScoresPanel) -> None:
    for generator, points in panel.curves:
        number = panel.style[generator]
        colour, marker = CURVE_COLOURS[number % len(CURVE_COLOURS)], CURVE_MARKERS[number % len(CURVE_MARKERS)]
        x, medians, least, greatest = zip(*points, strict=True)
        line = "-" if number < len(CURVE_COLOURS) else "--"
        later = min(3, _later_equals(panel, generator))  # wider below, so that equal curves can be seen
        look: Any = {"linewidth": 1.4 + 0.8 * later, "markersize": 4 + 1.6 * later, "clip_on": False, "zorder": 3}
        label = None if panel.is_labelled else generator
        axes.plot(x, medians, line, color=colour, marker=marker, label=label, **look)
        if panel.is_labelled:
            end = x[-1], medians[-1]
            label_look: Any = {"xytext": (6, 0), "textcoords": "offset points", "annotation_clip": False}
            axes.annotate(generator, end, color=colour, va="center", fontsize="small", **label_look)
        if least != greatest:
            axes.fill_between(x, least, greatest, color=colour, alpha=min(0.18, 0.9 / len(panel.style)), linewidth=0)
    axes.set_ylabel(panel.y_label)
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 20))
