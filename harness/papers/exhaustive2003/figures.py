"""Figures 3 and 9: coverage and mutants killed by scope."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.figure import Figure

from harness.analysis.plots import Curve, ScopePanel, draw_scope_figure, scope_panels
from harness.errors import UsageError
from harness.papers.exhaustive2003.dataset import GENERATOR, PaperInputs, order
from harness.tables.published import PublishedTable


def figure3(dataset: PaperInputs) -> Figure:
    """Draw statement coverage and killed mutants by scope, for SearchTree.

    Raises:
        UsageError: the run has no SearchTree.
    """
    panels = [panel for panel in _panels(dataset) if panel.title == "SearchTree"]
    if not panels:
        raise UsageError("Figure 3 shows SearchTree and the run has none; run an experiment with it")
    return draw_scope_figure(panels, _note(dataset))


def figure9(dataset: PaperInputs) -> Figure:
    """Draw Figure 3 for every subject of the run."""
    return draw_scope_figure(_panels(dataset), _note(dataset))


def _note(dataset: PaperInputs) -> str:
    return f"{dataset.counted} Dashed: as printed in the paper."


def _panels(dataset: PaperInputs) -> list[ScopePanel]:
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


def _published_curve(published: PublishedTable, title: str, column: str) -> Curve:
    rows = (row for row in published.rows if row.key[0] == title)
    return tuple(sorted((int(row.key[1]), value) for row in rows if (value := row.value(column)) is not None))
