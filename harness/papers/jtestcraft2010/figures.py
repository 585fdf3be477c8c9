"""Draws score and condition-outcome coverage by inputs and by calls, with one panel per class and scope."""

from __future__ import annotations

from functools import partial

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.panels import draw_panels, logarithmic
from harness.analysis.plots import BRANCH_COLOUR, COVERAGE_COLOUR, KILLED_COLOUR, open_axes
from harness.errors import UsageError
from harness.papers.jtestcraft2010.run import CALLS, INPUTS, NAME, SUBJECTS, EvaluatedPart, JtestcraftInputs
from harness.papers.jtestcraft2010.tables import COUNTED

COLOURS = {
    "symstra": KILLED_COLOUR,
    "css": "#7a3db8",
    "rostra": COVERAGE_COLOUR,
    "beapi": BRANCH_COLOUR,
    "random": "#888888",
    "korat": "#b8860b",
}
"""Colours by generator, without options."""

MEANS_NOTE = "Means over all draws, and over several suites"

Panel = tuple[str, tuple[EvaluatedPart, ...]]


def by_inputs(dataset: JtestcraftInputs) -> Figure:
    """Draw the curves by number of inputs.

    Raises:
        UsageError: the run has no such parts of suites.
    """
    return _drawn(dataset, INPUTS)


def by_calls(dataset: JtestcraftInputs) -> Figure:
    """Draw the curves by number of calls.

    Raises:
        UsageError: the run has no such parts of suites.
    """
    return _drawn(dataset, CALLS)


def panels_of(dataset: JtestcraftInputs, basis: str) -> list[Panel]:
    """Return the parts of suites by class and scope; those of a single generator only if no panel has several."""
    parts_of: dict[str, list[EvaluatedPart]] = {}
    for title in SUBJECTS:
        for part in dataset.of(title, basis):
            parts_of.setdefault(f"{title}, scope {part.suite.scope}", []).append(part)
    kinds = {title: len({part.suite.kind for part in parts}) for title, parts in parts_of.items()}
    fewest = min(2, max(kinds.values(), default=0))
    return [(title, tuple(parts)) for title, parts in parts_of.items() if kinds[title] >= fewest]


def _drawn(dataset: JtestcraftInputs, basis: str) -> Figure:
    panels = panels_of(dataset, basis)
    if not panels:
        raise UsageError(f"nothing to draw: no suite has ten inputs and a kill matrix; run the experiment {NAME}")
    note = f"Solid: mutants killed; dashed: condition outcomes reached. {MEANS_NOTE}; {COUNTED}"
    return draw_panels(panels, partial(_draw, basis=basis), note)


def _draw(axes: Axes, parts: tuple[EvaluatedPart, ...], *, basis: str) -> None:
    for kind, colour in COLOURS.items():
        mine = [part for part in parts if part.suite.kind == kind]
        scores = [(part.limit, 100 * float(part.score)) for part in mine if part.score is not None]
        reached = [(part.limit, 100 * float(part.reached)) for part in mine]
        if scores:
            axes.plot(*zip(*scores, strict=True), color=colour, marker="o", markersize=3, linewidth=1.4, label=kind)
        if reached:
            axes.plot(
                *zip(*reached, strict=True), color=colour, linestyle="--", marker=".", markersize=3, linewidth=0.9
            )
    logarithmic(axes, "x")
    axes.set_xlabel(f"{basis} (logarithmic)")
    axes.set_ylabel("[%]")
    axes.set_ylim(0, 103)
    open_axes(axes)
