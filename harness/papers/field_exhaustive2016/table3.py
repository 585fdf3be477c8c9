"""Table 3: random suites: the maximum of three seeds, as printed, and mean and interval over all seeds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from harness.analysis.beginnings import SEEDS_AS_PRINTED
from harness.analysis.spread import Spread
from harness.model.ended import reason
from harness.papers.field_exhaustive2016.given import NO_PROCESSOR_SECONDS, RANDOM, SUBJECTS, FieldExhaustiveInputs
from harness.papers.field_exhaustive2016.suites import POSTCONDITION, MeasuredSuite
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.missing import NO_MUTANT_RUN, NOT_MEASURED, NOT_RUN
from harness.tables.table import Heading, Row, Table

COLUMNS = (
    (Heading("gen. [s]", Unit.SECONDS, differs=False, published=True), "gen_seconds"),
    (Heading("testing [s]", Unit.SECONDS, differs=False, published=True), "test_seconds"),
    (Heading("score [%]", Unit.PERCENT, published=True), "mutation_score"),
    (Heading("branches [%]", Unit.PERCENT, published=True), "branch_coverage"),
    (Heading("seeds of seconds and branches", Unit.COUNT), ""),
    (Heading("seeds of the score", Unit.COUNT), ""),
    (Heading("seeds", Unit.COUNT), ""),
    (Heading("mean score [%]", Unit.PERCENT), ""),
    (Heading("lower", Unit.PERCENT), ""),
    (Heading("upper", Unit.PERCENT), ""),
)
NO_SCOPE = "-"
TOO_FEW_SEEDS = Missing("too few seeds for an interval")
ONLY_BEGINNINGS = Missing("scored from the beginnings of larger suites, which alone were run")


def table3(given: FieldExhaustiveInputs) -> Table:
    """Every printed row, and every other number of tests that was run."""
    published = given.printed("table3", 2)
    rows = []
    for title in SUBJECTS:
        for tests, scope in _rows(given, title):
            suites = [] if scope is None else given.random(title, tests, scope)
            measured = _measured(suites, tests, _why_none(given, title, tests, scope))
            cells = (
                Comparison(value, published.get((f"{title} {tests}", name)))
                for value, (_, name) in zip(measured, COLUMNS, strict=True)
            )
            rows.append(Row((title, str(tests), NO_SCOPE if scope is None else str(scope)), tuple(cells)))
    columns = tuple(column for column, _ in COLUMNS)
    labels = ("subject", "tests", "scope")
    return Table("Table 3: random suites", _caption(given), labels, columns, tuple(rows))


def known_scores(suites: Sequence[MeasuredSuite], tests: int) -> list[Fraction]:
    """The scores of so many tests under the paper's oracle, of those suites that mutants were run with."""
    return [score for suite in suites if (score := suite.score(POSTCONDITION, tests)) is not None]


def random_tests(given: FieldExhaustiveInputs, title: str) -> list[int]:
    """The numbers of tests that are printed of a subject, or were run at the scope of the largest suite, ascending."""
    return sorted({*_printed(given, title), *given.random_sizes(title)})


def _printed(given: FieldExhaustiveInputs, title: str) -> list[int]:
    rows = (row.split(" ") for row in given.printed("table3", 2).rows)
    return [int(tests) for known, tests in rows if known == title]


def _rows(given: FieldExhaustiveInputs, title: str) -> list[tuple[int, int | None]]:
    """Each number of tests, printed or run, with each scope at which so many were run; None where none was."""
    asked = {scope: given.random_sizes(title, scope) for scope in given.random_scopes(title, 1)}
    printed = set(_printed(given, title))
    found: list[tuple[int, int | None]] = []
    for tests in sorted(printed.union(*asked.values())):
        of = [scope for scope in given.random_scopes(title, tests) if tests in printed or tests in asked[scope]]
        found += [(tests, scope) for scope in of] or [(tests, None)]
    return found


def _why_none(given: FieldExhaustiveInputs, title: str, tests: int, scope: int | None) -> Missing:
    """Why there is no suite of so many tests: none was asked for, or those that were ended before."""
    short = [] if scope is None else given.short_random(title, tests, scope)
    if not short:
        return NOT_RUN
    how = "what ended it was not stored" if short[-1].ended is None else f"ended {reason(short[-1].ended)}"
    return Missing(f"the largest suite that was asked for so many tests has {short[-1].inputs:,}: {how}")


def _measured(suites: Sequence[MeasuredSuite], tests: int, without: Missing) -> tuple[Measured, ...]:
    if not suites:
        return (without,) * len(COLUMNS)
    first, scores = suites[:SEEDS_AS_PRINTED], known_scores(suites, tests)
    whole = [suite for suite in first if suite.generator == f"{RANDOM}:{tests}"]
    scored = known_scores(first, tests)
    return (
        _largest([suite.generating for suite in whole], NO_PROCESSOR_SECONDS),
        _largest([suite.testing for suite in whole], NO_MUTANT_RUN),
        max(scored, default=NO_MUTANT_RUN),
        _largest([suite.branches for suite in whole], NOT_MEASURED),
        len(whole) or ONLY_BEGINNINGS,
        len(scored),
        len(scores),
        *_over_all(scores),
    )


def _largest(values: Sequence[Fraction | float | None], why: Missing) -> Measured:
    """The largest value of the whole suites; of some of them alone, it would not be that of as many seeds as told."""
    if not values:
        return ONLY_BEGINNINGS
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else why


def _over_all(scores: Sequence[Fraction]) -> tuple[Measured, Measured, Measured]:
    if not scores:
        return NO_MUTANT_RUN, NO_MUTANT_RUN, NO_MUTANT_RUN
    spread = Spread.of(scores)
    low, high = (TOO_FEW_SEEDS if bound is None else bound for bound in (spread.low, spread.high))
    return sum(scores, Fraction()) / len(scores), low, high


def _caption(given: FieldExhaustiveInputs) -> str:
    return (
        f"Random sequences of calls ({RANDOM}:<tests>; Randoop in the paper), a test being one sequence. Seconds, "
        f"branches and score are the largest of the first {SEEDS_AS_PRINTED} seeds, as printed, as far as these were "
        "run: of how many seeds stands behind them, of seconds and branches, which are those of suites of just so many "
        "tests, and of the score. The mean is that of all seeds, and from lower to upper reaches an interval that "
        "holds the median score of all seeds there are with a confidence of 95 %, without an assumption on their "
        "distribution. Where larger suites were run, their "
        "beginnings are scored, for they are the smaller suites. The arguments are those of the subject at "
        f"the scope. {given.counted} A mutant is killed when a postcondition, which includes the invariant, "
        "does not hold. Seconds are the processor's, of making the suite and of the original with its oracles on all "
        f"tests, here ({given.frames.machine}, which others may have shared); the paper's are of Java on another "
        "machine, so there is no difference to tell."
    )
