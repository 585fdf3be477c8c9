"""Figures 3 and 9: coverage and mutants killed by scope."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.figure import Figure

from harness.analysis.plots import Curve, ScopePanel, draw_scope_figure, scope_panels
from harness.errors import UsageError
from harness.papers.exhaustive2003.given import GENERATOR, PaperInputs, order
from harness.tables.published import PublishedTable


def figure3(given: PaperInputs) -> Figure:
    """Draw statement coverage and killed mutants by scope, for SearchTree.

    Raises:
        UsageError: the run has no SearchTree.
    """
    panels = [panel for panel in _panels(given) if panel.title == "SearchTree"]
    if not panels:
        raise UsageError("Figure 3 shows SearchTree and the run has none; run an experiment with it")
    return draw_scope_figure(panels, _note(given))


def figure9(given: PaperInputs) -> Figure:
    """Draw Figure 3 for every subject of the run."""
    return draw_scope_figure(_panels(given), _note(given))


def _note(given: PaperInputs) -> str:
    return f"{given.counted} Dashed: as printed in the paper."


def _panels(given: PaperInputs) -> list[ScopePanel]:
    published = given.printed("table4", keys=2)
    panels = scope_panels(given.frames, GENERATOR, given.policy, given.proven)
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
