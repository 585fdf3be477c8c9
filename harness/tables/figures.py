"""Draws measured curves with the printed points in the same colours, for the figures of runs and of papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from harness.analysis.drawing import (
    BRANCH_COLOUR,
    COVERAGE_COLOUR,
    KILLED_COLOUR,
    Curve,
    by_scope,
    curve_of,
    draw_panels,
    logarithmic,
    open_axes,
)
from harness.analysis.frames import RunFrames
from harness.analysis.measures import NONE_PROVEN, Proven, coverage_ratios, row_labels, scores, titles_of
from harness.analysis.titles import short_names, text_of
from harness.errors import UsageError
from harness.model.outcome import ScorePolicy
from harness.store import CoverageKind
from harness.store.facts import CONDITIONS


@dataclass(frozen=True)
class Look:
    """The style in which a curve is drawn; `line` has settings of matplotlib's lines."""

    label: str
    colour: str
    width: float = 1.5
    line: Mapping[str, Any] = field(default_factory=dict)


WIDE: Any = {"marker": "s", "markersize": 5.5}
DASHED: Any = {"linestyle": (0, (2.5, 1.2)), "marker": "D", "markersize": 4.5, "markerfacecolor": "white"}


def three_looks(labels: Mapping[str, str]) -> dict[str, Look]:
    """Return looks for curves that may be equal: each is seen above the ones before it, and without colours."""
    looks: Any = (COVERAGE_COLOUR, 3.4, WIDE), (BRANCH_COLOUR, 1.4, DASHED), (KILLED_COLOUR, 1.2, {})
    return {name: Look(label, *look) for (name, label), look in zip(labels.items(), looks, strict=True)}


@dataclass(frozen=True)
class Curves:
    """One panel: by the names of looks a measured curve, and the printed points."""

    title: str
    measured: Mapping[str, Curve]
    printed: Mapping[str, Curve] = field(default_factory=dict)


@dataclass(frozen=True)
class CurveFigure:
    """Panels of curves in one style.

    Attributes:
        looks: the curves by name, in the order of drawing.
        up: what the vertical axis counts.
        across: what the horizontal axis counts; None: the scope, in whole numbers.
        scale: of the vertical axis: logarithmic, from zero, from 0 to 100 percent, or as the points need it.
        logarithmic_across: whether the horizontal axis is logarithmic.
        limit: a height with a line over the whole axis, and its label.
    """

    looks: Mapping[str, Look]
    up: str
    across: str | None = None
    scale: Literal["logarithmic", "zero", "percent", "free"] = "logarithmic"
    logarithmic_across: bool = False
    limit: tuple[float, str] | None = None

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
        """Draw lines with dots for measured values, and above them crosses for printed ones; none hides another."""
        halo = [withStroke(linewidth=1.5, foreground="w")]
        for place, (name, look) in enumerate(self.looks.items()):
            same: Any = {"color": look.colour, "clip_on": False}
            line = same | {"linewidth": look.width, "marker": "o", "markersize": 3.5} | dict(look.line)
            size = 3 + 2 * (len(self.looks) - place)  # a larger cross is seen below a smaller one of an equal value
            cross = same | {"marker": "x", "markersize": size, "path_effects": halo}
            if curve := panel.measured.get(name):
                axes.plot(*zip(*curve, strict=True), zorder=3 + place, label=look.label, **line)
            if curve := panel.printed.get(name):
                label = f"{look.label}, published"
                axes.plot(*zip(*curve, strict=True), ls="", zorder=12 + place, label=label, **cross)
        axes.set_ylabel(self.up)
        if self.limit is not None:
            axes.axhline(self.limit[0], label=self.limit[1], color="#777777", linewidth=0.8, linestyle=":")
        if self.scale == "logarithmic":
            logarithmic(axes, "y")
        elif self.scale == "percent":
            axes.set_ylim(0, 102)
            axes.set_yticks(range(0, 101, 20))
        elif self.scale == "zero":
            axes.set_ylim(bottom=0)
        if self.logarithmic_across:
            logarithmic(axes, "x")
            open_axes(axes)
        else:
            by_scope(axes)
        if self.across is not None:
            axes.set_xlabel(self.across)


STATEMENTS, BRANCHES, KILLED = "statement_pct", "branch_pct", "score_pct"
"""The curves of SCOPES, by the columns of frames from which they are made."""

SCOPES = CurveFigure(
    three_looks({STATEMENTS: "statement coverage", BRANCHES: "branch coverage", KILLED: "mutants killed"}),
    "covered, killed [%]",
    scale="percent",
)
"""Coverage (thick) and killed mutants (thin) by scope, as in Figures 3 and 9 of exhaustive2003."""

UNFINISHED = "the run has no finished trial; run the experiment to its end first"


def scope_panels(
    frames: RunFrames,
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    proven: Proven = NONE_PROVEN,
    generator: str | None = None,
) -> list[Curves]:
    """Return the panels of SCOPES by `trials_apart`, without those of which nothing was covered or killed."""
    ratios = coverage_ratios(frames)
    ratios = ratios[ratios["kind"] == CoverageKind.CODE.value]
    of_names = {STATEMENTS: ratios, BRANCHES: ratios, KILLED: scores(frames, policy, proven)}
    panels = []
    for title, keys in trials_apart(frames, generator):
        mine = {name: rows[rows["trial"].isin(keys)] for name, rows in of_names.items()}
        measured = {name: curve_of(zip(rows["scope"], rows[name], strict=True)) for name, rows in mine.items()}
        if any(measured.values()):
            panels.append(Curves(title, measured))
    return panels


def trials_apart(frames: RunFrames, generator: str | None = None) -> list[tuple[str, pd.Series[str]]]:
    """Return the title and trials of each subject, generator and suite under each of its conditions.

    Args:
        generator: only its trials.
    """
    shown = short_names(frames.trials["generator"].unique())
    trials, titles = frames.trials.assign(shown=frames.trials["generator"].map(shown)), titles_of(frames)
    if generator is not None:
        trials = trials[trials["generator"] == generator]
    several = {name for name in ("shown", *CONDITIONS) if trials[name].nunique() > 1}
    several |= {"suite"} & set(row_labels(frames))
    keys, panels = ["shown", "suite", *CONDITIONS], []
    for (subject, *values), mine in trials.groupby(["subject", *keys], sort=False, dropna=False):
        texts = {name: text_of(value) for name, value in zip(keys, values, strict=True) if name in several}
        named = (f"{_PREFIXES.get(name, '')}{text}" for name, text in texts.items() if text)
        panels.append((", ".join([titles[str(subject)], *named]), mine["trial"]))
    return panels


_PREFIXES = {"observed": "observed ", "concrete": "concrete "}
"""What is before a condition's value in a title."""
