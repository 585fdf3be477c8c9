"""What the options of field-exhaustive suites save in inputs and lose in score."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from harness.papers.field_exhaustive2016.given import (
    FIELD_EXHAUSTIVE,
    NO_PROCESSOR_SECONDS,
    SUBJECTS,
    FieldExhaustiveInputs,
)
from harness.papers.field_exhaustive2016.suites import POSTCONDITION, MeasuredSuite
from harness.tables.cell import Comparison, Measured, Unit
from harness.tables.missing import NO_MUTANT_RUN, NOT_MEASURED, NOT_RUN
from harness.tables.table import Heading, Row, Table

WITHOUT = "(none)"
COLUMNS = (
    Heading("structures", Unit.COUNT),
    Heading("inputs", Unit.COUNT),
    Heading("sum of extensions", Unit.COUNT),
    Heading("inputs saved [%]", Unit.POINTS),
    Heading("score [%]", Unit.PERCENT),
    Heading("score lost [points]", Unit.POINTS),
    Heading("gen. [s]", Unit.SECONDS),
)


def options(given: FieldExhaustiveInputs) -> Table:
    """Every scope at which a suite with options was run, the suite without options first."""
    rows = [row for title in SUBJECTS for scope in _scopes(given, title) for row in _rows(given, title, scope)]
    caption = (
        "fields: only these fields count, the shape alone, say; part: a percentage of the extension at which the suite "
        "ends; reduce: what is superfluous is left out afterwards (irredundant), or as few structures as possible are "
        "kept (minimal). Saved and lost are against the suite without options at the same scope. Negative: more "
        f"inputs, or a better score. {given.counted} gen. are processor seconds. "
        "docs/field_exhaustive.md"
    )
    return Table(
        "Options of field-exhaustive suites",
        caption,
        ("subject", "scope", "options"),
        COLUMNS,
        tuple(rows),
        compares=False,
    )


def options_of(suite: MeasuredSuite) -> str | None:
    """What stands behind the colon; empty for nothing, None where another generator made the suite."""
    name, _, text = suite.generator.partition(":")
    return text if name == FIELD_EXHAUSTIVE else None


def _scopes(given: FieldExhaustiveInputs, title: str) -> list[int]:
    return sorted({suite.scope for suite in given.of(title) if options_of(suite)})


def _rows(given: FieldExhaustiveInputs, title: str, scope: int) -> Iterator[Row]:
    found = {text: s for s in given.of(title) if s.scope == scope and (text := options_of(s)) is not None}
    plain = found.pop("", None)
    if plain is not None:
        yield _row(title, plain, plain)
    for _, suite in sorted(found.items()):
        yield _row(title, suite, plain)


def _row(title: str, suite: MeasuredSuite, plain: MeasuredSuite | None) -> Row:
    score, before = suite.score(POSTCONDITION), None if plain is None else plain.score(POSTCONDITION)
    measured: tuple[Measured, ...] = (
        suite.states,
        suite.inputs,
        NOT_MEASURED if suite.extension is None else suite.extension,
        NOT_RUN if plain is None or not plain.inputs else Fraction(100 * (plain.inputs - suite.inputs), plain.inputs),
        NO_MUTANT_RUN if score is None else score,
        NO_MUTANT_RUN if score is None or before is None else 100 * (before - score),
        NO_PROCESSOR_SECONDS if suite.generating is None else suite.generating,
    )
    labels = (title, str(suite.scope), options_of(suite) or WITHOUT)
    return Row(labels, tuple(Comparison(value) for value in measured))
