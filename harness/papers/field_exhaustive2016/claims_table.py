"""What the paper concludes, by subject: what the measured and the printed numbers say, by the same rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import partial

from harness.analysis.percent import exact_percent
from harness.papers.field_exhaustive2016.claims import (
    CLAIMED,
    RULES,
    Largest,
    Reached,
    bounded,
    fewer_than_random,
    largest_suites,
    linear,
    polynomial,
    refactoring_bugs,
    twice_the_scope,
    within,
)
from harness.papers.field_exhaustive2016.given import (
    EXHAUSTIVE,
    FIELD_EXHAUSTIVE,
    NAME,
    SUBJECTS,
    FieldExhaustiveInputs,
)
from harness.papers.field_exhaustive2016.options import options_of
from harness.papers.field_exhaustive2016.refactorings import EXHAUSTIVE as ALL_PROGRAMS
from harness.papers.field_exhaustive2016.refactorings import FIELD_EXHAUSTIVE as PROGRAMS_OF_FIELDS
from harness.papers.field_exhaustive2016.suites import POSTCONDITION, MeasuredSuite
from harness.papers.field_exhaustive2016.table1 import WAYS
from harness.tables.claims import FINDING_COLUMNS, Finding, Outcome, finding_cells
from harness.tables.published import PublishedTable
from harness.tables.table import Row, Table

HOUR = 3600.0
MOST_STRUCTURES = 1_000_000
"""The limits of section 6."""


@dataclass(frozen=True)
class ByScope:
    """One way of generating, by scope: inputs, structures, scores and branch coverage in percent; how far it gets."""

    inputs: Mapping[int, int]
    reached: Reached
    scores: Mapping[int, Decimal]
    branches: Mapping[int, Decimal]
    structures: Mapping[int, int] = field(default_factory=dict)

    def largest(self, at_least: Mapping[int, Decimal] | None = None) -> Largest:
        """The suite of the largest scope; by scope what it kills at least, in percent, where that is known."""
        scope = max(self.inputs, default=None)
        if scope is None:
            return Largest(None, None)
        return Largest(scope, self.scores.get(scope), (at_least or {}).get(scope))


def claims(given: FieldExhaustiveInputs) -> Table:
    """Per claim and subject: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the numbers behind it."""
    found: dict[str, list[Row]] = {claim: [] for claim in RULES}
    for title in SUBJECTS:
        measured, printed = _findings(given, title), _printed_findings(given, title)
        for claim, finding in measured.items():
            cells = finding_cells(NAME, claim, title, finding, printed.get(claim))
            found[claim].append(Row((claim, title), cells))
    found["refactoring bugs"] = list(_of_refactorings(given))
    rows = [row for of_claim in found.values() for row in of_claim]
    caption = "Published: the same rules on the printed numbers. Rules: " + "; ".join(
        f"{claim}: {rule}" for claim, rule in RULES.items()
    )
    caption += f". {CLAIMED} {given.counted} Percentages are compared as printed."
    return Table("What the paper concludes", caption, ("claim", "subject"), FINDING_COLUMNS, tuple(rows))


def _findings(given: FieldExhaustiveInputs, title: str) -> dict[str, Finding]:
    exhaustive, of_fields = (_measured(given, title, generator) for generator in (EXHAUSTIVE, FIELD_EXHAUSTIVE))
    suites = (given.suite(title, FIELD_EXHAUSTIVE, scope) for scope in of_fields.inputs)
    extensions = {s.scope: (s.states, s.extension) for s in suites if s is not None and s.extension is not None}
    least = {s: percentage for s in exhaustive.inputs if (percentage := _at_least(given, title, s)) is not None}
    return _by_scope(exhaustive, of_fields) | {
        "largest suites": largest_suites(exhaustive.largest(least), of_fields.largest()),
        "size: Theorem 2": bounded(extensions),
        "fewer than random": _beside_random(given, title),
    }


def _printed_findings(given: FieldExhaustiveInputs, title: str) -> dict[str, Finding]:
    table = given.printed("table1", 2)
    exhaustive, of_fields = (_printed(table, title, end) for end in WAYS)
    return _by_scope(exhaustive, of_fields) | {
        "largest suites": largest_suites(exhaustive.largest(), of_fields.largest()),
        "fewer than random": _printed_random(given, title, of_fields),
    }


def _by_scope(exhaustive: ByScope, of_fields: ByScope) -> dict[str, Finding]:
    return {
        "score within 2 %": within(_both(exhaustive.scores, of_fields.scores), exhaustive.inputs),
        "branches within 2 %": within(_both(exhaustive.branches, of_fields.branches), exhaustive.inputs),
        "size: linear": linear(of_fields.inputs, of_fields.structures),
        "size: polynomial v. exponential": polynomial(exhaustive.inputs, of_fields.inputs),
        "twice the scope": twice_the_scope(exhaustive.reached, of_fields.reached),
    }


def _measured(given: FieldExhaustiveInputs, title: str, generator: str) -> ByScope:
    suites = [s for scope in given.scopes(title, generator) if (s := given.suite(title, generator, scope)) is not None]
    over = [suite.scope for suite in suites if _is_beyond(suite)]
    inside = [suite.scope for suite in suites if not _is_beyond(suite)]
    return ByScope(
        {suite.scope: suite.inputs for suite in suites},
        Reached(max(inside, default=None), min(over, default=None)),
        {s.scope: value for s in suites if (value := exact_percent(s.score(POSTCONDITION))) is not None},
        {s.scope: value for s in suites if (value := exact_percent(s.branches)) is not None},
        {suite.scope: suite.states for suite in suites},
    )


def _at_least(given: FieldExhaustiveInputs, title: str, scope: int) -> Decimal | None:
    """What an exhaustive suite kills at least, in percent: what the field-exhaustive ones of its scope kill together.

    They are parts of it: each of their states satisfies rep_ok within the scope, and has the same calls.
    """
    suites = [suite for suite in given.of(title) if suite.scope == scope and options_of(suite) is not None]
    kills = [known for suite in suites if (known := suite.first_kills.get(POSTCONDITION))]
    if not kills:
        return None
    killed = {mutant for known in kills for mutant, first in known.items() if first is not None}
    return exact_percent(Fraction(len(killed), len(kills[0])))


def _is_beyond(suite: MeasuredSuite) -> bool:
    """By processor seconds, by those of the clock where others are not known."""
    seconds = suite.elapsed if suite.generating is None else suite.generating
    return suite.states > MOST_STRUCTURES or (seconds or 0) > HOUR


def _printed(table: PublishedTable, title: str, end: str) -> ByScope:
    """What Table 1 prints of `be` or `fe`; TO and IL are beyond the limits."""
    columns: dict[str, dict[int, Decimal]] = {"size": {}, "mutation_score": {}, "branch_coverage": {}}
    beyond = []
    for row in table.rows:
        known, _, scope = row.partition(" ")
        for column, values in columns.items():
            cell = table.get((row, f"{column}_{end}"))
            if known == title and cell is not None:
                if cell.exact is not None:
                    values[int(scope)] = cell.exact
                else:
                    beyond.append(int(scope))
    sizes = {scope: int(size) for scope, size in columns["size"].items()}
    reached = Reached(max(sizes, default=None), min(beyond, default=None))
    return ByScope(sizes, reached, columns["mutation_score"], columns["branch_coverage"])


def _both(one: Mapping[int, Decimal], other: Mapping[int, Decimal]) -> dict[int, tuple[Decimal, Decimal]]:
    return {scope: (one[scope], other[scope]) for scope in one if scope in other}


def _smallest_of_the_best(scores: Mapping[int, Decimal], inputs: Mapping[int, int]) -> int:
    """The scope of the smallest suite among those with the best score."""
    best = max(scores.values())
    return min((scope for scope, score in scores.items() if score == best), key=lambda scope: inputs[scope])


def _beside_random(given: FieldExhaustiveInputs, title: str) -> Finding:
    of_fields = _measured(given, title, FIELD_EXHAUSTIVE)
    if not of_fields.scores:
        return Finding(Outcome.OPEN, "no field-exhaustive suite with which mutants were run")
    scope = _smallest_of_the_best(of_fields.scores, of_fields.inputs)
    suite = given.suite(title, FIELD_EXHAUSTIVE, scope)
    killed = None if suite is None else suite.killed(POSTCONDITION)
    at = given.random_scope(title)
    tell = partial(fewer_than_random, scope, of_fields.inputs[scope], of_fields.scores[scope], random_scope=at)
    suites = [one for one in given.largest_random(title) if one.killed(POSTCONDITION) is not None]
    if killed is None or not suites:
        return tell(needed=[], largest=[])
    needed = [one.beginning_that_kills(POSTCONDITION, killed) for one in suites]
    return tell(needed=needed, largest=[one.inputs for one in suites])


def _printed_random(given: FieldExhaustiveInputs, title: str, of_fields: ByScope) -> Finding:
    table = given.printed("table3", 2)
    scope = _smallest_of_the_best(of_fields.scores, of_fields.inputs)
    scores = {
        int(row.split(" ")[1]): value
        for row in table.rows
        if row.split(" ")[0] == title and (value := table[row, "mutation_score"].exact) is not None
    }
    enough = [size for size, score in scores.items() if score >= of_fields.scores[scope]]
    return fewer_than_random(
        scope,
        of_fields.inputs[scope],
        of_fields.scores[scope],
        [min(enough, default=None)],
        [max(scores)],
    )


def _of_refactorings(given: FieldExhaustiveInputs) -> Iterator[Row]:
    table = given.printed("table2", 3)
    printed: dict[str, dict[str, tuple[int, int]]] = {}
    for row in table.rows:
        title, technique, inputs = row.split(" ")
        printed.setdefault(title, {})[technique] = int(inputs), int(table[row, "bugs_found"].printed)
    measured: dict[str, dict[str, tuple[int, int]]] = {}
    for ours in given.refactored:
        measured.setdefault(ours.title, {}).setdefault(ours.technique, (ours.inputs, ours.bugs))
    for title in dict.fromkeys([*printed, *measured]):
        pairs = (
            [found.get(title, {}).get(technique) for technique in (ALL_PROGRAMS, PROGRAMS_OF_FIELDS)]
            for found in (measured, printed)
        )
        ours_found, theirs = (refactoring_bugs(*pair) for pair in pairs)
        cells = finding_cells(NAME, "refactoring bugs", title, ours_found, theirs if title in printed else None)
        yield Row(("refactoring bugs", title), cells)
