"""Tabulates the generators of a run by scope, with all seeds in one row: means, and where 90 % of the suites lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from harness.analysis.compared import interval
from harness.analysis.frames import RunFrames
from harness.analysis.measures import row_labels
from harness.generators.registry import uses_seed
from harness.runs.comparison_tables import ENDS
from harness.runs.run_tables import (
    CODE_COLUMNS,
    INPUT_COLUMNS,
    KILL_COLUMNS,
    RunFacts,
    TrialRows,
    caption_of,
    failed_rows,
    trial_rows,
)
from harness.store.facts import NOT_OF_SEED
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.table import Column, RowSource, Table

NO_SEED = Missing("the generator uses no seed")


@dataclass(frozen=True)
class SeedRows:
    """The trials of one generator and scope, which differ in their seeds only: they are run on the same mutants."""

    rows: tuple[TrialRows, ...]

    @property
    def seeds(self) -> Measured:
        """The number of seeds, or that its generator uses none."""
        count = len(self.rows)
        return count if count > 1 or uses_seed(str(self.rows[0].trial["generator"])) else NO_SEED

    def values(self, read: Callable[[TrialRows], Any]) -> Sequence[Any] | Missing:
        """Return a value of each trial, or why there is none of some trial."""
        values = [read(row) for row in self.rows]
        return next((value for value in values if isinstance(value, Missing)), values)

    def over_seeds(self, read: Callable[[TrialRows], Any], part: int) -> Measured:
        """Return the mean over the trials, or an end of the interval that 90 % of them lie in, or why there is none."""
        values = self.values(read)
        if isinstance(values, Missing):
            return values
        exact = [Fraction(value) for value in values]
        return (sum(exact, Fraction()) / len(exact), *interval(exact, [1 / len(exact)] * len(exact)))[part]


_READ: Mapping[str, Callable[[TrialRows], Any]] = {
    column.name: column.measured for column in (*INPUT_COLUMNS, *CODE_COLUMNS, *KILL_COLUMNS)
}
SEED_COLUMNS: tuple[Column[SeedRows], ...] = (
    Column("seeds", Unit.COUNT, lambda at: at.seeds),
    *(
        Column(f"{name}{end}", unit, partial(SeedRows.over_seeds, read=_READ[name], part=part))
        for name, unit, ends in (
            ("inputs", Unit.FACTOR, ("",)),
            ("branches [%]", Unit.PERCENT, ENDS),
            ("mutants", Unit.FACTOR, ("",)),
            ("killed", Unit.FACTOR, ("",)),
            ("killed [%]", Unit.PERCENT, ENDS),
        )
        for part, end in enumerate(ends)
    ),
)
"""The columns of the table by generator."""


def generators_table(run: RunFacts) -> Table:
    """Return one row per subject, generator, suite and scope: inputs, branch coverage and kills over all seeds."""
    names = [name for name in row_labels(run.frames) if name != "seed"]
    width = 1 + len(names)  # the seed is the last label
    groups: dict[tuple[str, ...], list[TrialRows]] = {}
    for rows, labels in trial_rows(run):
        same = (str(rows.trial[name]) for name in NOT_OF_SEED)
        groups.setdefault((*labels[:width], *same), []).append(rows)
    cases = [RowSource(key[:width], SeedRows(tuple(rows))) for key, rows in groups.items()]
    failures = dict.fromkeys((labels[:width], str(failed["reason"])) for failed, labels in failed_rows(run.frames))
    cases += [RowSource(labels, None, failure=reason) for labels, reason in failures]
    caption = f"{caption_of(run)} Values are means over the seeds of a row; 90 % of its suites lie from low to high."
    return Table.of("By generator", caption, ("subject", *names), SEED_COLUMNS, cases, compares=False)


def has_several_seeds(frames: RunFrames) -> bool:
    """Return whether a generator was run with several seeds at a scope."""
    return bool((frames.trials.groupby(list(NOT_OF_SEED), dropna=False, observed=True)["seed"].nunique() > 1).any())
