"""Makes the tables and the figure of criteria on the suites of one run."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from harness.analysis.measures import titles_of
from harness.analysis.plots import save_figures
from harness.analysis.score_caption import killed
from harness.errors import StoreError
from harness.model.outcome import ScorePolicy
from harness.tables.criteria_figure import draw_criteria
from harness.tables.criteria_tables import criteria_table, scored_suites, sizes_table
from harness.tables.stored import Run
from harness.tables.table import Table, made_tables

CRITERIA_TABLES = {"criteria": criteria_table, "sizes": sizes_table}


class CriteriaOfRun:
    """The criteria of the suites that have a kill matrix, of each subject, generator and seed at the largest scope.

    Raises:
        StoreError: there is no such suite.
    """

    def __init__(self, run: Run) -> None:
        frames = run.with_criteria.of_one_operator_set()
        titles = titles_of(frames)
        self.suites = [replace(suite, title=titles[suite.subject]) for suite in scored_suites(frames)]
        if not self.suites:
            raise StoreError(
                f"{run.folder}: no criteria are scored, which takes a trial that was run to the end in mode matrix, of "
                "sources as they are now; run it with --matrix"
            )
        operators = str(frames.trials["operator_set"].iloc[0])
        self._counted = killed(ScorePolicy.ALL_VIABLE, frames.oracles, f"operator set {operators}")

    def tables(self, table: str | None = None) -> dict[str, Table]:
        """Return tables of the kills by inputs of each class, and by as many inputs of each criterion.

        Raises:
            UsageError: there is no such table.
        """
        makers = {name: partial(make, counted=self._counted) for name, make in CRITERIA_TABLES.items()}
        return made_tables(makers, self.suites, table, "criteria")

    def draw(self, out: Path) -> list[Path]:
        """Draw the share of the score that so many inputs of each criterion keep, as PNG and SVG; return the paths."""
        return save_figures({"criteria": draw_criteria(self.suites, self._counted)}, out)
