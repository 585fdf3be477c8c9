"""Draws the scores of several generators into one panel, by scope or by a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.panels import draw_panels, logarithmic
from harness.analysis.plots import CURVE_COLOURS, CURVE_MARKERS, by_scope, open_axes

KILLED, COVERED = "mutants killed [%]", "branches covered [%]"
RESOLUTION = 0.001
"""Seconds of the processor that its clock tells apart; less is not drawn."""
MOST_PANELS = 8
"""The greatest number of panels in a figure of scores."""


class ScoreCurve(NamedTuple):
    """The mutation score of one generator: points of x, score, and the ends of its band, in the order of the line."""

    generator: str
    points: tuple[tuple[float, float, float, float], ...]


class ScoresPanel(NamedTuple):
    """The curves of all generators of one subject.

    Attributes:
        style: the number of the colour of each generator.
        y_label: the name of the scores.
    """

    title: str
    curves: tuple[ScoreCurve, ...]
    style: Mapping[str, int]
    y_label: str = KILLED

    @property
    def is_one_scope(self) -> bool:
        """Whether all curves are one point at the same x."""
        return {x for curve in self.curves for x, *_ in curve.points} == {self.curves[0].points[0][0]}


def draw_scores_by_scope(panels: Sequence[ScoresPanel], note: str) -> Figure:
    """Draw the scores of generators by scope."""
    return draw_panels(_titled(panels), _draw_on_scopes, note)


def draw_scores_by(budget: str, panels: Sequence[ScoresPanel], note: str) -> Figure:
    """Draw the scores of generators by a budget, such as `inputs`, on a logarithmic axis.

    There are `MOST_PANELS` panels at most, the last ones; the note names the others.
    """
    if left_out := [panel.title for panel in panels[:-MOST_PANELS]]:
        note += f" No room for: {'; '.join(left_out)} (--subject chooses others)."
    return draw_panels(_titled(panels[-MOST_PANELS:]), partial(_draw_by, budget), note)


def spread_words(panels: Sequence[ScoresPanel]) -> str:
    """Return how the panels show intervals: `Bands`, `Bars`, or both; empty where there are none."""
    looks = {len(curve.points) > 1 for panel in panels for curve in panel.curves if _has_spread(curve)}
    return " and ".join(word for word, is_band in (("Bands", True), ("Bars", False)) if is_band in looks).capitalize()


def _titled(panels: Sequence[ScoresPanel]) -> list[tuple[str, ScoresPanel]]:
    return [(panel.title, panel) for panel in panels]


def _has_spread(curve: ScoreCurve) -> bool:
    return any(low != high for _, _, low, high in curve.points)


def _draw_on_scopes(axes: Axes, panel: ScoresPanel) -> None:
    if panel.is_one_scope:  # side by side, as no marker hides another one then
        at = panel.curves[0].points[0][0]
        step = 0.8 / len(panel.curves)
        curves = tuple(
            curve._replace(points=((at - 0.4 + (number + 0.5) * step, *curve.points[0][1:]),))
            for number, curve in enumerate(panel.curves)
        )
        panel = panel._replace(curves=curves)
        axes.set_xlim(at - 0.5, at + 0.5)
    _draw_scores(axes, panel)
    by_scope(axes)


def _draw_by(budget: str, axes: Axes, panel: ScoresPanel) -> None:
    _draw_scores(axes, panel)
    logarithmic(axes, "x")
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
    for curve in panel.curves:
        generator, points = curve
        number = panel.style[generator]
        colour, marker = CURVE_COLOURS[number % len(CURVE_COLOURS)], CURVE_MARKERS[number % len(CURVE_MARKERS)]
        x, scores, lows, highs = zip(*points, strict=True)
        line = "-" if number < len(CURVE_COLOURS) else "--"
        later = min(3, _later_equals(panel, generator))  # wider below, so that equal curves can be seen
        look: Any = {"linewidth": 1.4 + 0.8 * later, "markersize": 4 + 1.6 * later, "clip_on": False, "zorder": 3}
        axes.plot(x, scores, line, color=colour, marker=marker, label=generator, **look)
        if _has_spread(curve) and len(points) == 1:
            axes.vlines(x, lows, highs, color=colour, linewidth=1.4, clip_on=False)
        elif _has_spread(curve):
            axes.fill_between(x, lows, highs, color=colour, alpha=min(0.18, 0.9 / len(panel.style)), linewidth=0)
    axes.set_ylabel(panel.y_label)
    axes.set_ylim(0, 102)
    axes.set_yticks(range(0, 101, 20))
