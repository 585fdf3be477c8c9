"""Measures how many inputs the options of field-exhaustive suites save, and how much score they lose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from harness.papers.field_exhaustive2016.dataset import (
    FIELD_EXHAUSTIVE,
    NO_PROCESSOR_SECONDS,
    POSTCONDITION,
    SUBJECTS,
    FieldExhaustiveInputs,
)
from harness.papers.suites import Suite
from harness.tables.cell import Measured, Unit
from harness.tables.missing import NO_MUTANT_RUN, NOT_RUN
from harness.tables.table import Column, RowSource, Table

WITHOUT = "(none)"


@dataclass(frozen=True)
class BesidePlain:
    """A suite, and that of the same scope without options."""

    suite: Suite
    plain: Suite | None

    @property
    def saved(self) -> Measured:
        """The part of the inputs that the options save, in percent."""
        if self.plain is None or not self.plain.inputs:
            return NOT_RUN
        return Fraction(100 * (self.plain.inputs - self.suite.inputs), self.plain.inputs)

    @property
    def lost(self) -> Fraction | None:
        """The percentage points of the score that the options lose."""
        score, before = (None if one is None else one.score(POSTCONDITION) for one in (self.suite, self.plain))
        return None if score is None or before is None else 100 * (before - score)


COLUMNS: tuple[Column[BesidePlain], ...] = (
    Column("structures", Unit.COUNT, lambda one: one.suite.states),
    Column("inputs", Unit.COUNT, lambda one: one.suite.inputs),
    Column("sum of extensions", Unit.COUNT, lambda one: one.suite.extension),
    Column("inputs saved [%]", Unit.POINTS, lambda one: one.saved),
    Column("score [%]", Unit.PERCENT, lambda one: one.suite.score(POSTCONDITION), missing=NO_MUTANT_RUN),
    Column("score lost [points]", Unit.POINTS, lambda one: one.lost, missing=NO_MUTANT_RUN),
    Column("gen. [s]", Unit.SECONDS, lambda one: one.suite.generating, missing=NO_PROCESSOR_SECONDS),
)


def options(dataset: FieldExhaustiveInputs) -> Table:
    """Return every scope at which a suite with options was run, with the suite without options first."""
    caption = (
        "fields: only these fields count, the shape alone, say; part: a percentage of the extension at which the suite "
        "ends; reduce: what is superfluous is left out afterwards (irredundant), or as few structures as possible are "
        "kept (minimal). Saved and lost are against the suite without options at the same scope. Negative: more "
        f"inputs, or a better score. {dataset.counted} gen. are processor seconds. "
        "docs/field_exhaustive.md"
    )
    cases = (case for title in SUBJECTS for scope in _scopes(dataset, title) for case in _cases(dataset, title, scope))
    labels = ("subject", "scope", "options")
    return Table.of("Options of field-exhaustive suites", caption, labels, COLUMNS, cases, compares=False)


def options_of(suite: Suite) -> str | None:
    """Return the options after the colon of a generator's name; None if the suite is not field-exhaustive."""
    name, _, text = suite.generator.partition(":")
    return text if name == FIELD_EXHAUSTIVE else None


def _scopes(dataset: FieldExhaustiveInputs, title: str) -> list[int]:
    return sorted({suite.scope for suite in dataset.of(title) if options_of(suite)})


def _cases(dataset: FieldExhaustiveInputs, title: str, scope: int) -> Iterator[RowSource[BesidePlain]]:
    by_options = {text: s for s in dataset.of(title) if s.scope == scope and (text := options_of(s)) is not None}
    plain = by_options.get("")
    for text, suite in sorted(by_options.items()):
        yield RowSource((title, str(scope), text or WITHOUT), BesidePlain(suite, plain))
