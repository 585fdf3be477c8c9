"""Figures 3 and 9, and figures of feasibility and of random selections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from harness.analysis import plots
from harness.analysis.panels import draw_panels, logarithmic
from harness.analysis.plots import (
    COVERAGE_COLOUR,
    KILLED_COLOUR,
    ScopePanel,
    by_scope,
    draw_scope_figure,
    scope_panels,
)
from harness.errors import UsageError
from harness.papers.exhaustive2003.claims import SECONDS, Curve, measured_curves
from harness.papers.exhaustive2003.run import GENERATOR, PaperInputs, order
from harness.papers.exhaustive2003.tables import SelectionCounts, selections
from harness.tables.published import PublishedTable


def figure3(dataset: PaperInputs) -> Figure:
    """Draw statement coverage and killed mutants by scope, for SearchTree.

    Raises:
        UsageError: the run has no SearchTree.
    """
    panels = [panel for panel in _scope_panels(dataset) if panel.title == "SearchTree"]
    if not panels:
        raise UsageError("Figure 3 shows SearchTree and the run has none; run an experiment with it")
    return draw_scope_figure(panels, _note(dataset))


def figure9(dataset: PaperInputs) -> Figure:
    """Draw Figure 3 for every subject of the run."""
    return draw_scope_figure(_scope_panels(dataset), _note(dataset))


def _note(dataset: PaperInputs) -> str:
    return f"{dataset.counted} Dashed: as printed in the paper."


def _scope_panels(dataset: PaperInputs) -> list[ScopePanel]:
    published = dataset.printed("table4", keys=2)
    panels = scope_panels(dataset.frames, GENERATOR, dataset.policy, dataset.proven)
    return [
        replace(
            panel,
            published_statement=_published_curve(published, panel.title, "code_statement_pct"),
            published_killed=_published_curve(published, panel.title, "mutants_killed_pct"),
        )
        for panel in sorted(panels, key=lambda panel: order(panel.title))
    ]


def _published_curve(published: PublishedTable, title: str, column: str) -> plots.Curve:
    rows = (row for row in published.rows if row.key[0] == title)
    return tuple(sorted((int(row.key[1]), value) for row in rows if (value := row.value(column)) is not None))


_SHORTEST = 0.001
"""Seconds below are drawn here: a logarithmic axis has no zero."""


def draw_feasibility(dataset: PaperInputs) -> Figure:
    """Draw the seconds of generation and of checking by scope, on a logarithmic axis, and the limit."""

    def draw(axes: Axes, curve: Curve) -> None:
        for timing, colour, label in (
            ("generate", COVERAGE_COLOUR, "generation"),
            ("check", KILLED_COLOUR, "checking"),
        ):
            points = [(at.scope, seconds) for at in curve if (seconds := getattr(at, timing)) is not None]
            drawn = [max(seconds, _SHORTEST) for _, seconds in points]
            axes.plot([scope for scope, _ in points], drawn, color=colour, marker="o", markersize=3.5, label=label)
        logarithmic(axes, "y")
        axes.axhline(SECONDS, label=f"limit, {SECONDS} s", color="#777777", linewidth=0.8, linestyle=":")
        axes.set_ylabel(f"seconds, from {_SHORTEST:g}")
        by_scope(axes)

    timed = [(title, curve) for title, curve in measured_curves(dataset).items() if any(at.generate for at in curve)]
    return draw_panels(timed, draw, dataset.counted)


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
