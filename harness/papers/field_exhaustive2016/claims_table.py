"""Tabulates the paper's conclusions by subject, from measured and printed numbers, by the same rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction

from harness.analysis.percent import exact_percent
from harness.papers.field_exhaustive2016.claims import (
    CLAIMED,
    CLAIMS,
    OF_REFACTORINGS,
    OF_SUBJECTS,
    BesideRandom,
    ByScope,
    OfSubject,
    Reached,
)
from harness.papers.field_exhaustive2016.dataset import (
    EXHAUSTIVE,
    FIELD_EXHAUSTIVE,
    NAME,
    POSTCONDITION,
    SUBJECTS,
    FieldExhaustiveInputs,
)
from harness.papers.field_exhaustive2016.options import options_of
from harness.papers.field_exhaustive2016.refactorings import EXHAUSTIVE as ALL_PROGRAMS
from harness.papers.field_exhaustive2016.refactorings import FIELD_EXHAUSTIVE as PROGRAMS_OF_FIELDS
from harness.papers.field_exhaustive2016.table1 import WAYS
from harness.papers.suites import Suite
from harness.tables.claims import COLUMNS, Finding, rules_of
from harness.tables.published import PublishedTable
from harness.tables.table import RowSource, Table

HOUR = 3600.0
MOST_STRUCTURES = 1_000_000
"""The limits of section 6."""


def claims(dataset: FieldExhaustiveInputs) -> Table:
    """Return a row per claim and subject: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the underlying numbers."""
    caption = (
        f"Published: the same rules on the printed numbers. Rules: {rules_of(CLAIMS)}. {CLAIMED} {dataset.counted} "
        "Percentages are compared as printed."
    )
    return Table.of("What the paper concludes", caption, ("claim", "subject"), COLUMNS, _cases(dataset))


def _cases(dataset: FieldExhaustiveInputs) -> Iterator[RowSource[Finding]]:
    measured = {title: _numbers(dataset, title) for title in SUBJECTS}
    printed = {title: _printed_numbers(dataset, title) for title in SUBJECTS}
    for claim in OF_SUBJECTS:
        for title in SUBJECTS:
            yield claim.case(NAME, (title,), measured[title], printed[title])
    yield from _of_refactorings(dataset)


def _numbers(dataset: FieldExhaustiveInputs, title: str) -> OfSubject:
    exhaustive, of_fields = (_measured(dataset, title, generator) for generator in (EXHAUSTIVE, FIELD_EXHAUSTIVE))
    suites = (dataset.suite(title, FIELD_EXHAUSTIVE, scope) for scope in of_fields.inputs)
    return OfSubject(
        exhaustive,
        of_fields,
        _beside_random(dataset, title, of_fields) if of_fields.scores else None,
        {scope: least for scope in exhaustive.inputs if (least := _at_least(dataset, title, scope)) is not None},
        {s.scope: (s.states, s.extension) for s in suites if s is not None and s.extension is not None},
    )


def _printed_numbers(dataset: FieldExhaustiveInputs, title: str) -> OfSubject:
    exhaustive, of_fields = (_printed(dataset.printed("table1", 2), title, end) for end in WAYS)
    return OfSubject(exhaustive, of_fields, _printed_random(dataset, title, of_fields))


def _measured(dataset: FieldExhaustiveInputs, title: str, generator: str) -> ByScope:
    suites = [
        s for scope in dataset.scopes(title, generator) if (s := dataset.suite(title, generator, scope)) is not None
    ]
    over = [suite.scope for suite in suites if _is_beyond(suite)]
    inside = [suite.scope for suite in suites if not _is_beyond(suite)]
    return ByScope(
        {suite.scope: suite.inputs for suite in suites},
        Reached(max(inside, default=None), min(over, default=None)),
        {s.scope: value for s in suites if (value := exact_percent(s.score(POSTCONDITION))) is not None},
        {s.scope: value for s in suites if (value := exact_percent(s.branches)) is not None},
        {suite.scope: suite.states for suite in suites},
    )


def _at_least(dataset: FieldExhaustiveInputs, title: str, scope: int) -> Decimal | None:
    """Return the score, in percent, that field-exhaustive suites of this scope reach together; an exhaustive one has
    more.

    Those suites are parts of the exhaustive one: each of their states satisfies rep_ok within the scope, and has the
    same calls.
    """
    suites = [suite for suite in dataset.of(title) if suite.scope == scope and options_of(suite) is not None]
    kills = [first_kills for suite in suites if (first_kills := suite.first_kills.get(POSTCONDITION))]
    if not kills:
        return None
    killed = {mutant for first_kills in kills for mutant, first in first_kills.items() if first is not None}
    return exact_percent(Fraction(len(killed), len(kills[0])))


def _is_beyond(suite: Suite) -> bool:
    """Return whether a suite is beyond the limits, by processor seconds if these are known, else by elapsed seconds."""
    seconds = suite.elapsed if suite.generating is None else suite.generating
    return suite.states > MOST_STRUCTURES or (seconds or 0) > HOUR


def _printed(table: PublishedTable, title: str, end: str) -> ByScope:
    """Return the columns of Table 1 for `be` or `fe`; TO and IL are beyond the limits."""
    columns: dict[str, dict[int, Decimal]] = {"size": {}, "mutation_score": {}, "branch_coverage": {}}
    beyond = []
    for row in table.rows:
        row_title, scope = row.key
        for column, values in columns.items():
            cell = row.get(f"{column}_{end}")
            if row_title == title and cell is not None:
                if cell.exact is not None:
                    values[int(scope)] = cell.exact
                else:
                    beyond.append(int(scope))
    sizes = {scope: int(size) for scope, size in columns["size"].items()}
    reached = Reached(max(sizes, default=None), min(beyond, default=None))
    return ByScope(sizes, reached, columns["mutation_score"], columns["branch_coverage"])


def _smallest_of_the_best(scores: Mapping[int, Decimal], inputs: Mapping[int, int]) -> int:
    """Return the scope of the smallest suite among those with the best score."""
    best = max(scores.values())
    return min((scope for scope, score in scores.items() if score == best), key=lambda scope: inputs[scope])


def _beside_random(dataset: FieldExhaustiveInputs, title: str, of_fields: ByScope) -> BesideRandom:
    scope = _smallest_of_the_best(of_fields.scores, of_fields.inputs)
    suite = dataset.suite(title, FIELD_EXHAUSTIVE, scope)
    killed = None if suite is None else suite.killed(POSTCONDITION)
    suites = [one for one in dataset.largest_random(title) if one.killed(POSTCONDITION) is not None]
    if killed is None:
        suites = []
    return BesideRandom(
        scope,
        of_fields.inputs[scope],
        of_fields.scores[scope],
        [one.beginning_that_kills(POSTCONDITION, killed or 0) for one in suites],
        [one.inputs for one in suites],
        dataset.random_scope(title),
    )


def _printed_random(dataset: FieldExhaustiveInputs, title: str, of_fields: ByScope) -> BesideRandom:
    scope = _smallest_of_the_best(of_fields.scores, of_fields.inputs)
    best = of_fields.scores[scope]
    scores = {
        int(row.key[1]): score
        for row in dataset.printed("table3", 2).rows
        if row.key[0] == title and (score := row.exact("mutation_score")) is not None
    }
    enough = [size for size, score in scores.items() if score >= best]
    return BesideRandom(scope, of_fields.inputs[scope], best, [min(enough, default=None)], [max(scores)])


def _of_refactorings(dataset: FieldExhaustiveInputs) -> Iterator[RowSource[Finding]]:
    printed: dict[str, dict[str, tuple[int, int]]] = {}
    for row in dataset.printed("table2", 3).rows:
        title, technique, inputs = row.key
        printed.setdefault(title, {})[technique] = int(inputs), int(row["bugs_found"].printed)
    measured: dict[str, dict[str, tuple[int, int]]] = {}
    for ours in dataset.refactored:
        measured.setdefault(ours.title, {}).setdefault(ours.technique, (ours.inputs, ours.bugs))
    for title in dict.fromkeys([*printed, *measured]):
        ours_of, theirs = (
            [programs.get(title, {}).get(technique) for technique in (ALL_PROGRAMS, PROGRAMS_OF_FIELDS)]
            for programs in (measured, printed)
        )
        yield OF_REFACTORINGS.case(NAME, (title,), ours_of, theirs if title in printed else None)
