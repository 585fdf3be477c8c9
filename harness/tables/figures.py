"""Measured curves, each beside the printed points of the same colour: what figures of several papers share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from matplotlib.axes import Axes

from harness.analysis.plots import Curve


@dataclass(frozen=True)
class Look:
    """How a way of making tests is drawn."""

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
    """Lines with dots as measured, crosses as printed, in the order of `looks`; the title above."""
    for way, look in looks.items():
        if curve := panel.measured.get(way):
            across, up = zip(*curve, strict=True)
            axes.plot(across, up, color=look.colour, linewidth=look.width, marker="o", markersize=3.5, label=look.label)
        if curve := panel.printed.get(way):
            across, up = zip(*curve, strict=True)
            axes.scatter(across, up, color=look.colour, marker="x", s=22, label=f"{look.label}, published")
    axes.set_title(panel.title)


def known_points(points: Mapping[int, float | None]) -> Curve:
    """The points with a value, by ascending abscissa."""
    return tuple((x, float(y)) for x, y in sorted(points.items()) if y is not None)
