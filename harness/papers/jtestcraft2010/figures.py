"""Draws score and coverage by inputs and by calls, a panel for each class and scope, and Figure 6.1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.drawing import BRANCH_COLOUR, COVERAGE_COLOUR, KILLED_COLOUR, Curve, curve_of, open_axes
from harness.analysis.frozen import read_frozen
from harness.papers.jtestcraft2010.run import CALLS, CSS, INPUTS, NAME, SUBJECTS, EvaluatedPart, JtestcraftInputs
from harness.papers.jtestcraft2010.tables import COUNTED, KINDS, PACKAGES, PEOPLE, OneFunction, functions_of
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


def inputs(dataset: JtestcraftInputs) -> Figure:
    """Draw the curves by number of inputs.

    Raises:
        UsageError: the run has no such parts of suites.
    """
    return _drawn(dataset, INPUTS)


def calls(dataset: JtestcraftInputs) -> Figure:
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


_COLOURS6_1 = {PEOPLE: COVERAGE_COLOUR, CSS: COLOURS[CSS]}


def figure6_1(_: JtestcraftInputs) -> Figure:
    """Draw the lines, branches and mutants of each function that either suite reaches or kills, as bars."""
    functions_of_packages = [functions_of(read_frozen(package.facts), package.of_class) for package in PACKAGES]
    heights = [len(functions) + 3 for functions in functions_of_packages]
    figure = Figure(figsize=(10, 0.24 * sum(heights) + 0.8), layout="constrained")
    rows = figure.subplots(len(PACKAGES), 3, sharey="row", gridspec_kw={"height_ratios": heights})
    for package, functions, row in zip(PACKAGES, functions_of_packages, rows, strict=True):
        for axes, kind in zip(row, KINDS, strict=True):
            _draw6_1(axes, kind, functions)
        row[0].set_ylabel(package.module, fontsize=9)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2, frameon=False)
    note = "Where there are no bars, there is nothing to count; a dot is 0 %."
    figure.supxlabel(note, fontsize=7.5, color="#555555")
    return figure


def _draw6_1(axes: Axes, kind: str, functions: Sequence[OneFunction]) -> None:
    for shift, (suite, colour) in zip((-0.2, 0.2), _COLOURS6_1.items(), strict=True):
        bars = [(at, one.part(kind, suite)) for at, one in enumerate(functions)]
        drawn = [(at + shift, 100 * float(part)) for at, part in bars if isinstance(part, Fraction)]
        axes.barh([at for at, _ in drawn], [part for _, part in drawn], height=0.38, color=colour, label=suite)
        axes.plot([0.0 for _, part in drawn if not part], [at for at, part in drawn if not part], ".", color=colour)
    axes.set_yticks(range(len(functions)), [one.name for one in functions], fontsize=7)
    axes.set_ylim(len(functions) - 0.4, -0.6)
    axes.set_xlim(-2, 103)
    axes.set_title("mutants killed" if kind == "mutants" else f"{kind} covered", fontsize=9)
    axes.set_xlabel("[%]")
    axes.set_axisbelow(True)
    open_axes(axes, "x")
