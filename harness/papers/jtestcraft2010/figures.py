"""Draws score and condition-outcome coverage by inputs and by calls, with one panel per class and scope."""

from __future__ import annotations

from collections.abc import Iterator

from matplotlib.figure import Figure

from harness.analysis.plots import BRANCH_COLOUR, COVERAGE_COLOUR, KILLED_COLOUR, Curve, curve_of
from harness.papers.jtestcraft2010.run import CALLS, INPUTS, NAME, SUBJECTS, EvaluatedPart, JtestcraftInputs
from harness.papers.jtestcraft2010.tables import COUNTED
from harness.tables.figures import CurveFigure, Curves, Look

COLOURS = {
    "symstra": KILLED_COLOUR,
    "css": "#7a3db8",
    "rostra": COVERAGE_COLOUR,
    "beapi": BRANCH_COLOUR,
    "random": "#888888",
    "korat": "#b8860b",
}
"""Colours by generator, without options."""

_LOOKS = {f"{kind} killed": Look(kind, colour) for kind, colour in COLOURS.items()} | {
    f"{kind} reached": Look("", colour, 0.9, {"linestyle": "--", "marker": "."}) for kind, colour in COLOURS.items()
}

MEANS_NOTE = "Means over all draws, and over several suites"


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


def panels_of(dataset: JtestcraftInputs, basis: str) -> list[Curves]:
    """Return the parts of suites by class and scope; those of a single generator only if no panel has several."""
    parts_of: dict[str, list[EvaluatedPart]] = {}
    for title in SUBJECTS:
        for part in dataset.of(title, basis):
            parts_of.setdefault(f"{title}, scope {part.suite.scope}", []).append(part)
    kinds = {title: {part.suite.kind for part in parts} for title, parts in parts_of.items()}
    fewest = min(2, max(map(len, kinds.values()), default=0))
    return [
        Curves(title, {name: curve for kind in kinds[title] for name, curve in _curves(kind, parts)})
        for title, parts in parts_of.items()
        if len(kinds[title]) >= fewest
    ]


def _curves(kind: str, parts: list[EvaluatedPart]) -> Iterator[tuple[str, Curve]]:
    mine = [part for part in parts if part.suite.kind == kind]
    yield f"{kind} killed", curve_of((part.limit, part.score and 100 * part.score) for part in mine)
    yield f"{kind} reached", curve_of((part.limit, 100 * part.reached) for part in mine)


def _drawn(dataset: JtestcraftInputs, basis: str) -> Figure:
    note = f"Solid: mutants killed; dashed: condition outcomes reached. {MEANS_NOTE}; {COUNTED}"
    empty_message = f"no suite has ten inputs and a kill matrix; run the experiment {NAME}"
    figure = CurveFigure(_LOOKS, "[%]", f"{basis} (logarithmic)", scale="percent", logarithmic_across=True)
    return figure.draw(panels_of(dataset, basis), note, empty_message)
