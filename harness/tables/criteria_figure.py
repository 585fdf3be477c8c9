"""Draws the share of the score that so many inputs keep, by criterion: one panel per suite."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.panels import draw_panels, logarithmic
from harness.analysis.plots import BRANCH_COLOUR, COVERAGE_COLOUR, KILLED_COLOUR, open_axes
from harness.errors import UsageError
from harness.measuring.input_classes import BRANCHES, CONDITIONS, EQ_CLASS
from harness.tables.criteria_tables import RANDOM, ScoredSuite, label_names, mean_kill_share

_COLOURS = {RANDOM: "#888888", EQ_CLASS: COVERAGE_COLOUR, CONDITIONS: "#8a63b5", BRANCHES: KILLED_COLOUR}
"""Colours of random selections and criteria; products share the last one's."""


def draw_criteria(suites: Sequence[ScoredSuite], counted: str) -> Figure:
    """Draw a curve per criterion, of inputs drawn in turn from its classes, and a mark at the first of each class.

    Args:
        counted: a text on the mutants that scores count, and the oracles that killed them.

    Raises:
        UsageError: there is no suite.
    """
    if not suites:
        raise UsageError("nothing to draw: no trial was run to the end in mode matrix; run one with --matrix")
    note = "Lines: drawn in turn from a criterion's classes, on average. Rings: the first input of each class."
    has_seeds = "seed" in label_names(suites)
    titled = [
        (f"{suite.title}, {suite.generator} at scope {suite.scope}" + f", seed {suite.seed}" * has_seeds, suite)
        for suite in suites
    ]
    return draw_panels(titled, _draw, f"{counted}\n{note}")


def _draw(axes: Axes, suite: ScoredSuite) -> None:
    for name in (RANDOM, *suite.criteria()):
        colour = _COLOURS.get(name, BRANCH_COLOUR)
        is_product = name not in _COLOURS
        points = [
            (size, 100 * float(of)) for size in suite.sizes() if (of := mean_kill_share(suite, name, size)) is not None
        ]
        if points and (not is_product or name == suite.criteria()[-1]):
            style = "--" if name == RANDOM else ":" if is_product else "-"
            label = "product of all" if is_product else name
            axes.plot(*zip(*points, strict=True), color=colour, linestyle=style, linewidth=1.4, label=label)
            first = suite.first(name)
            if first is not None and suite.killed:
                part = 100 * int(first["kills"]) / suite.killed
                axes.scatter([int(first["size"])], [part], facecolors="none", edgecolors=colour, s=34, zorder=5)
    logarithmic(axes, "x")
    axes.set_xlabel("inputs (logarithmic)")
    axes.set_ylabel("of the mutants killed by all [%]")
    open_axes(axes)
