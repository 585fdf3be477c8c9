"""Figures 3 and 9, and figures of feasibility and of random selections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis.drawing import COVERAGE_COLOUR, KILLED_COLOUR, by_scope, curve_of, draw_panels
from harness.errors import UsageError
from harness.papers.exhaustive2003.claims import SECONDS, measured_curves
from harness.papers.exhaustive2003.run import GENERATOR, PaperInputs, order
from harness.papers.exhaustive2003.tables import SelectionCounts, selections
from harness.tables.figures import KILLED, SCOPES, STATEMENTS, UNFINISHED, CurveFigure, Curves, Look, scope_panels

_PRINTED = {STATEMENTS: "code_statement_pct", KILLED: "mutants_killed_pct"}
"""The columns of published values, by curve."""


def figure3(dataset: PaperInputs) -> Figure:
    """Draw statement coverage and killed mutants by scope, for SearchTree.

    Raises:
        UsageError: the run has no SearchTree.
    """
    panels = [panel for panel in _panels(dataset) if panel.title == "SearchTree"]
    if not panels:
        raise UsageError("Figure 3 shows SearchTree and the run has none; run an experiment with it")
    return _drawn(dataset, panels)


def figure9(dataset: PaperInputs) -> Figure:
    """Draw Figure 3 for every subject of the run."""
    return _drawn(dataset, _panels(dataset))


def _drawn(dataset: PaperInputs, panels: Sequence[Curves]) -> Figure:
    return SCOPES.draw(panels, f"{dataset.counted} Crosses: as printed in the paper.", UNFINISHED)


def _panels(dataset: PaperInputs) -> list[Curves]:
    rows = dataset.printed("table4", keys=2).rows
    panels = []
    for panel in scope_panels(dataset.frames, dataset.policy, dataset.proven, GENERATOR):
        printed = {
            name: curve_of((int(row.key[1]), row.value(column)) for row in rows if row.key[0] == panel.title)
            for name, column in _PRINTED.items()
        }
        panels.append(replace(panel, measured={name: panel.measured[name] for name in _PRINTED}, printed=printed))
    return sorted(panels, key=lambda panel: order(panel.title))


_SHORTEST = 0.001
"""Seconds below are drawn here: a logarithmic axis has no zero."""
_FEASIBILITY = CurveFigure(
    {"generate": Look("generation", COVERAGE_COLOUR), "check": Look("checking", KILLED_COLOUR)},
    f"seconds, from {_SHORTEST:g}",
    limit=(SECONDS, f"limit, {SECONDS} s"),
)


def draw_feasibility(dataset: PaperInputs) -> Figure:
    """Draw the seconds of generation and of checking by scope, on a logarithmic axis, and the limit."""
    panels = []
    for title, curve in measured_curves(dataset).items():
        measured = {}
        for name in _FEASIBILITY.looks:
            known = ((at.scope, getattr(at, name)) for at in curve)
            measured[name] = curve_of((scope, max(at, _SHORTEST)) for scope, at in known if at is not None)
        if any(at.generate for at in curve):
            panels.append(Curves(title, measured))
    return _FEASIBILITY.draw(panels, dataset.counted, UNFINISHED)


def draw_randomness(dataset: PaperInputs) -> Figure:
    """Draw every random selection by scope, between the exhaustive suites of the same size and of the same scope.

    Raises:
        UsageError: the run has no complete kill matrix together with the scope before.
    """
    by_title: dict[str, list[SelectionCounts]] = {}
    for selection in selections(dataset):
        by_title.setdefault(selection.title, []).append(selection)
    if not by_title:
        raise UsageError("no random selections: run the subject with --matrix at a scope and at the scope before")
    return draw_panels(list(by_title.items()), _draw_selections, dataset.counted)


def _draw_selections(axes: Axes, drawn: Sequence[SelectionCounts]) -> None:
    scopes = [selection.scope for selection in drawn]
    spread = [[float(100 * selection.ratio(k)) for k in selection.killed] for selection in drawn]
    boxes = axes.boxplot(spread, positions=scopes, widths=0.5, showfliers=False, manage_ticks=False)
    for line in (*boxes["boxes"], *boxes["whiskers"], *boxes["caps"], *boxes["medians"]):
        line.set_color("#6b7280")
    boxes["boxes"][0].set_label("random selections")
    for counts, colour, label in (
        ([selection.whole for selection in drawn], KILLED_COLOUR, "all inputs of the scope"),
        ([selection.before for selection in drawn], COVERAGE_COLOUR, "all inputs of the scope before"),
    ):
        killed = [float(100 * selection.ratio(k)) for selection, k in zip(drawn, counts, strict=True)]
        axes.plot(scopes, killed, color=colour, marker="_", markersize=16, markeredgewidth=2, ls="", label=label)
    axes.set_ylabel("killed [%]")
    by_scope(axes)
    axes.set_ylim(min(map(min, spread)) - 3, 102)
    axes.set_xlim(scopes[0] - 0.7, scopes[-1] + 0.7)
