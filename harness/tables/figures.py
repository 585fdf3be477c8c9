"""Draws measured curves with the printed points in the same colours, for the figures of several papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.panels import draw_panels, logarithmic
from harness.analysis.plots import Curve, by_scope, open_axes
from harness.errors import UsageError


@dataclass(frozen=True)
class Look:
    """The style in which a generator is drawn."""

    label: str
    colour: str
    width: float = 1.5


@dataclass(frozen=True)
class Curves:
    """One panel: by way of making tests a measured curve, and the printed points."""

    title: str
    measured: Mapping[str, Curve]
    printed: Mapping[str, Curve] = field(default_factory=dict)


def draw_curves(axes: Axes, panel: Curves, looks: Mapping[str, Look]) -> None:
    """Draw lines with dots for measured values, crosses for printed ones, in the order of `looks`."""
    for way, look in looks.items():
        if curve := panel.measured.get(way):
            across, up = zip(*curve, strict=True)
            axes.plot(across, up, color=look.colour, linewidth=look.width, marker="o", markersize=3.5, label=look.label)
        if curve := panel.printed.get(way):
            across, up = zip(*curve, strict=True)
            axes.scatter(across, up, color=look.colour, marker="x", s=22, label=f"{look.label}, published")


@dataclass(frozen=True)
class CurveFigure:
    """Panels of curves in one style.

    Attributes:
        looks: by way of making tests, in the order of drawing.
        up: what the vertical axis counts.
        across: what the horizontal axis counts; None: the scope, in whole numbers.
        logarithmic: the axis that is, `x` or `y`; an axis of neither begins at zero.
    """

    looks: Mapping[str, Look]
    up: str
    across: str | None = None
    logarithmic: str = "y"

    def draw(self, panels: Sequence[Curves], note: str, nothing: str) -> Figure:
        """Draw the panels, with a note below.

        Args:
            nothing: why there may be no panel, and what to do about it.

        Raises:
            UsageError: there is no panel.
        """
        if not panels:
            raise UsageError(f"nothing to draw: {nothing}")
        return draw_panels([(panel.title, panel) for panel in panels], self._draw, note)

    def _draw(self, axes: Axes, panel: Curves) -> None:
        draw_curves(axes, panel, self.looks)
        axes.set_ylabel(self.up)
        if self.logarithmic == "x":
            logarithmic(axes, "x")
            open_axes(axes)
        else:
            if self.logarithmic == "y":
                logarithmic(axes, "y")
            else:
                axes.set_ylim(bottom=0)
            by_scope(axes)
        if self.across is not None:
            axes.set_xlabel(self.across)


def curve_points(points: Mapping[int, float | None]) -> Curve:
    """Return the points with a value, by ascending abscissa."""
    return tuple((x, float(y)) for x, y in sorted(points.items()) if y is not None)
