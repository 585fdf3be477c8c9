"""Table 3: random suites: the maximum of three seeds, as printed, and mean and interval over all seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from harness.analysis.spread import Spread
from harness.model.stop_reason import reason
from harness.papers.field_exhaustive2016.dataset import (
    NO_PROCESSOR_SECONDS,
    POSTCONDITION,
    RANDOM,
    SUBJECTS,
    FieldExhaustiveInputs,
)
from harness.papers.suites import Suite
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.missing import NO_MUTANT_RUN, NOT_RUN
from harness.tables.table import Column, RowSource, Table

SEEDS_AS_PRINTED = 3
"""The table prints the maximum over so many seeds."""

NO_SCOPE = "-"
TOO_FEW_SEEDS = Missing("too few seeds for an interval")
ONLY_PREFIXES = Missing("scored from the beginnings of larger suites, which alone were run")


@dataclass(frozen=True)
class OfSize:
    """The suites of one number of tests, by ascending seed, each of which may be the prefix of a larger one."""

    tests: int
    suites: Sequence[Suite]

    @property
    def whole(self) -> Sequence[Suite]:
        """The suites of the printed seeds that have exactly this number of tests."""
        return [suite for suite in self.suites[:SEEDS_AS_PRINTED] if suite.generator == f"{RANDOM}:{self.tests}"]

    @property
    def printed_scores(self) -> list[Fraction]:
        """The scores of as many seeds as are printed."""
        return prefix_scores(self.suites[:SEEDS_AS_PRINTED], self.tests)

    @property
    def scores(self) -> list[Fraction]:
        """The scores of all seeds."""
        return prefix_scores(self.suites, self.tests)

    def largest(self, look: Callable[[Suite], Fraction | float | None]) -> Measured | None:
        """Return the largest value of the whole suites; None if the value of one is not known.

        The largest known value would not be that of as many seeds as the table states.
        """
        values = [look(suite) for suite in self.whole]
        if not values:
            return ONLY_PREFIXES
        numbers = [value for value in values if value is not None]
        return max(numbers) if len(numbers) == len(values) else None

    def bound(self, side: str) -> Measured | None:
        """Return a bound of the interval of the median score."""
        if not self.scores:
            return None
        spread = Spread.of(self.scores)
        bound = spread.low if side == "low" else spread.high
        return TOO_FEW_SEEDS if bound is None else bound


COLUMNS: tuple[Column[OfSize], ...] = (
    Column(
        "gen. [s]", Unit.SECONDS, lambda of: of.largest(lambda suite: suite.generating), "gen_seconds",
        NO_PROCESSOR_SECONDS,
    ),
    Column(
        "testing [s]", Unit.SECONDS, lambda of: of.largest(lambda suite: suite.testing), "test_seconds", NO_MUTANT_RUN,
    ),
    Column("score [%]", Unit.PERCENT, lambda of: max(of.printed_scores, default=None), "mutation_score", NO_MUTANT_RUN),
    Column("branches [%]", Unit.PERCENT, lambda of: of.largest(lambda suite: suite.branches), "branch_coverage"),
    Column("seeds of seconds and branches", Unit.COUNT, lambda of: len(of.whole) or ONLY_PREFIXES),
    Column("seeds of the score", Unit.COUNT, lambda of: len(of.printed_scores)),
    Column("seeds", Unit.COUNT, lambda of: len(of.scores)),
    Column("mean score [%]", Unit.PERCENT, lambda of: _mean(of.scores), missing=NO_MUTANT_RUN),
    Column("lower", Unit.PERCENT, lambda of: of.bound("low"), missing=NO_MUTANT_RUN),
    Column("upper", Unit.PERCENT, lambda of: of.bound("high"), missing=NO_MUTANT_RUN),
)  # fmt: skip


def table3(dataset: FieldExhaustiveInputs) -> Table:
    """Return every printed row, and every other number of tests that was run."""
    labels = ("subject", "tests", "scope")
    return Table.of("Table 3: random suites", _caption(dataset), labels, COLUMNS, _cases(dataset))


def _cases(dataset: FieldExhaustiveInputs) -> Iterator[RowSource[OfSize]]:
    published = dataset.printed("table3", 2)
    for title in SUBJECTS:
        for tests, scope in _rows(dataset, title):
            suites = [] if scope is None else dataset.random(title, tests, scope)
            yield RowSource(
                (title, str(tests), NO_SCOPE if scope is None else str(scope)),
                OfSize(tests, suites) if suites else None,
                published.row(title, tests),
                _why_none(dataset, title, tests, scope),
            )


def _mean(scores: Sequence[Fraction]) -> Fraction | None:
    return sum(scores, Fraction()) / len(scores) if scores else None


def prefix_scores(suites: Sequence[Suite], tests: int) -> list[Fraction]:
    """Return the scores of so many tests under the paper's oracle, of the suites that were run with mutants."""
    return [score for suite in suites if (score := suite.score(POSTCONDITION, tests)) is not None]


def random_tests(dataset: FieldExhaustiveInputs, title: str) -> list[int]:
    """Return the numbers of tests that are printed for a subject, or were run at the scope of the largest suite."""
    return sorted({*_printed(dataset, title), *dataset.random_sizes(title)})


def _printed(dataset: FieldExhaustiveInputs, title: str) -> list[int]:
    return [int(row.key[1]) for row in dataset.printed("table3", 2).rows if row.key[0] == title]


def _rows(dataset: FieldExhaustiveInputs, title: str) -> list[tuple[int, int | None]]:
    """Return each number of tests, printed or run, with each scope that was run with as many, or None."""
    numbers_of = {scope: dataset.random_sizes(title, scope) for scope in dataset.random_scopes(title, 1)}
    printed = set(_printed(dataset, title))
    rows: list[tuple[int, int | None]] = []
    for tests in sorted(printed.union(*numbers_of.values())):
        of = [scope for scope in dataset.random_scopes(title, tests) if tests in printed or tests in numbers_of[scope]]
        rows += [(tests, scope) for scope in of] or [(tests, None)]
    return rows


def _why_none(dataset: FieldExhaustiveInputs, title: str, tests: int, scope: int | None) -> Missing:
    """Return the reason why there is no suite of so many tests: none was requested, or all ended early."""
    short = [] if scope is None else dataset.short_random(title, tests, scope)
    if not short:
        return NOT_RUN
    how = "what ended it was not stored" if short[-1].stop_reason is None else f"ended {reason(short[-1].stop_reason)}"
    return Missing(f"the largest suite that was asked for so many tests has {short[-1].inputs:,}: {how}")


def _caption(dataset: FieldExhaustiveInputs) -> str:
    return (
        f"Random sequences of calls ({RANDOM}:<tests>; Randoop in the paper), a test being one sequence. Seconds, "
        f"branches and score are the largest of the first {SEEDS_AS_PRINTED} seeds, as printed, as far as these were "
        "run: of how many seeds stands behind them, of seconds and branches, which are those of suites of just so many "
        "tests, and of the score. The mean is that of all seeds, and from lower to upper reaches an interval that "
        "holds the median score of all seeds there are with a confidence of 95 %, without an assumption on their "
        "distribution. Where larger suites were run, their "
        "beginnings are scored, for they are the smaller suites. The arguments are those of the subject at "
        f"the scope. {dataset.counted} A mutant is killed when a postcondition, which includes the invariant, "
        "does not hold. Seconds are the processor's, of making the suite and of the original with its oracles on all "
        f"tests, here ({dataset.frames.machine}, which others may have shared); the paper's are of Java on another "
        "machine, so there is no difference to tell."
    )
