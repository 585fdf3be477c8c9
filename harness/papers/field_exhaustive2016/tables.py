"""Tables 1 to 3, and what the postcondition oracle and options of field-exhaustive suites cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import comb

from harness.analysis.measures import OracleCost, oracle_costs
from harness.analysis.score_caption import killed
from harness.model.stop_reason import reason
from harness.papers.field_exhaustive2016.run import (
    DIFFERENTIAL,
    EXHAUSTIVE,
    FIELD_EXHAUSTIVE,
    NO_PROCESSOR_SECONDS,
    OPERATORS,
    POSTCONDITION,
    RANDOM,
    RANDOM_PROGRAMS,
    SUBJECTS,
    FieldExhaustiveInputs,
    Refactored,
)
from harness.papers.suites import Suite
from harness.tables.table import NO_MUTANT_RUN, NOT_MEASURED, NOT_RUN, Column, Measured, Missing, RowSource, Table, Unit

CONFIDENCE = Fraction(95, 100)


def median_bounds(ratios: Sequence[Fraction]) -> tuple[Fraction, Fraction] | None:
    """Return the bounds of an interval for the median of the distribution of ratios.

    The bounds are two of the ratios, by rank: as far inside as the binomial distribution allows at a confidence of 95
    %. Fewer than six ratios have no such bounds, so they are None; ten have the second and the ninth (97.9 %).
    """
    ordered, rank = sorted(ratios), bound_rank(len(ratios))
    return None if rank is None else (ordered[rank - 1], ordered[-rank])


def bound_rank(count: int) -> int | None:
    """Return the largest rank r, from 1, whose r-th smallest and r-th largest of `count` values enclose the median.

    They do so with a probability of CONFIDENCE. Return None if even the smallest and the largest do not.
    """
    rank, tail = 0, 0
    while True:
        tail += comb(count, rank)
        if 1 - Fraction(2 * tail, 1 << count) < CONFIDENCE:
            return rank or None
        rank += 1


WAYS = {"be": EXHAUSTIVE, "fe": FIELD_EXHAUSTIVE}
"""The generators, by the end of the names of their columns among the published values."""

Ways = Mapping[str, Suite | None]
"""The suites of one scope, by WAYS; None where one was not run."""


def _columns(
    name: str, unit: Unit, published: str, look: Callable[[Suite], Measured | None], missing: Missing
) -> Iterator[Column[Ways]]:
    """Make a column for each way of making suites."""
    for way in WAYS:
        yield Column(
            f"{way.upper()} {name}",
            unit,
            partial(_look, way, look),
            f"{published}_{way}" * bool(published),
            missing,
        )


def _look(way: str, look: Callable[[Suite], Measured | None], suites: Ways) -> Measured | None:
    suite = suites[way]
    return NOT_RUN if suite is None else look(suite)


_TABLE1 = (
    *_columns("inputs", Unit.COUNT, "size", lambda suite: suite.inputs, NOT_MEASURED),
    *_columns("gen. [s]", Unit.SECONDS, "gen_seconds", lambda suite: suite.generating, NO_PROCESSOR_SECONDS),
    *_columns("testing [s]", Unit.SECONDS, "test_seconds", lambda suite: suite.testing, NO_MUTANT_RUN),
    *_columns("score [%]", Unit.PERCENT, "mutation_score", lambda suite: suite.score(POSTCONDITION), NO_MUTANT_RUN),
    *_columns("branches [%]", Unit.PERCENT, "branch_coverage", lambda suite: suite.branches, NO_MUTANT_RUN),
    *_columns("structures", Unit.COUNT, "", lambda suite: suite.states, NOT_MEASURED),
    Column[Ways]("sum of extensions", Unit.COUNT, partial(_look, "fe", lambda suite: suite.extension)),
)


def table1(dataset: FieldExhaustiveInputs) -> Table:
    """Return every printed row, and every other scope that was run, by subject in the paper's order."""
    title = "Table 1: bounded exhaustive and field-exhaustive suites"
    caption = (
        f"BE: bounded exhaustive, by {EXHAUSTIVE}; FE: {FIELD_EXHAUSTIVE}. Inputs are structures with the arguments of "
        f"each routine. {dataset.counted} A mutant is killed when the postcondition of the routine, which "
        "includes the invariant, does not hold. gen. are processor seconds of making the suite, which is written, and "
        "testing those of the original with its oracles on all inputs, here "
        f"({dataset.frames.machine}, which others may have shared); the paper's are of Java on a 3.2 GHz Core i5-4460, "
        "so there is no difference to tell. The paper's mutants are muJava's "
        "of its Java programs. The sum of extensions bounds the number of FE structures (Theorem 2). IL: more than a "
        "million structures; TO: more than an hour. A blank published cell is not printed."
    )
    return Table.of(title, caption, ("subject", "scope"), _TABLE1, _rows1(dataset))


def _rows1(dataset: FieldExhaustiveInputs) -> Iterator[RowSource[Ways]]:
    published = dataset.printed("table1", 2)
    for title in SUBJECTS:
        printed = {int(row.key[1]) for row in published.rows if row.key[0] == title}
        for scope in sorted(printed.union(dataset.scopes(title, *WAYS.values()))):
            suites = {way: dataset.suite(title, generator, scope) for way, generator in WAYS.items()}
            yield RowSource((title, str(scope)), suites, published.row(title, scope))


_TABLE2: tuple[Column[Refactored], ...] = (
    Column("inputs", Unit.COUNT, lambda ours: ours.inputs, "inputs", differs=False),
    Column("seconds", Unit.SECONDS, lambda ours: ours.seconds, "seconds"),
    Column("bugs", Unit.COUNT, lambda ours: ours.bugs, "bugs_found", differs=False),
    Column("faults", Unit.COUNT, lambda ours: ours.faults),
    Column("seeds", Unit.COUNT, lambda ours: ours.seeds),
    Column("scope", Unit.COUNT, lambda ours: ours.scope),
)


def table2(dataset: FieldExhaustiveInputs) -> Table:
    """Return the printed rows by refactoring, next to ours of the same technique, then our other rows."""
    caption = (
        "The paper's engine is that of Eclipse 3.3, for Java; ours is rope, for Python. So rows stand beside each "
        "other, without differences, and nothing is reproduced: other refactorings, other programs, other bugs. "
        "astgen: all programs within the bounds. Bugs are places in rope that would have to change, as "
        "`python -m benchmarks.rope_faults` shows them; a bug may cause several faults, which the oracles tell apart. "
        "Both are those of the seed that shows most of them, inputs those of a seed's largest suite. Seconds are the "
        "mean of all seeds, of generating, by the clock of a machine that others shared, and of testing together. "
        "Nothing here is of the run: python -m benchmarks.refactoring has left it in results/frozen/refactoring."
    )
    title = "Table 2: a refactoring engine"
    return Table.of(title, caption, ("refactoring", "technique"), _TABLE2, _rows2(dataset))


def _rows2(dataset: FieldExhaustiveInputs) -> Iterator[RowSource[Refactored]]:
    printed = dataset.printed("table2", 3).rows
    left = list(dataset.refactored)
    for title in dict.fromkeys([*(row.key[0] for row in printed), *(refactored.title for refactored in left)]):
        for row in printed:
            row_title, technique, inputs = row.key
            if row_title == title:
                ours = next((r for r in left if _stands_beside(r, title, technique, int(inputs))), None)
                if ours is not None:
                    left.remove(ours)
                yield RowSource((title, technique), ours, row)
        yield from (RowSource((title, ours.technique), ours) for ours in left if ours.title == title)


def _stands_beside(ours: Refactored, title: str, technique: str, inputs: int) -> bool:
    same = (ours.title, ours.technique) == (title, technique)
    return same and (technique != RANDOM_PROGRAMS or ours.requested_programs == inputs)


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
        bounds = median_bounds(self.scores)
        return TOO_FEW_SEEDS if bounds is None else bounds[side == "high"]


_TABLE3: tuple[Column[OfSize], ...] = (
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
    caption = (
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
    return Table.of("Table 3: random suites", caption, labels, _TABLE3, _rows3(dataset))


def _rows3(dataset: FieldExhaustiveInputs) -> Iterator[RowSource[OfSize]]:
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


@dataclass(frozen=True)
class JudgedTwice:
    """A suite judged by both oracles, and the number of seeds with such suites."""

    cost: OracleCost
    seeds: int

    @property
    def scores(self) -> tuple[Fraction | int, Fraction | int]:
        """The scores by the postcondition and by the differential oracle."""
        return self.cost.other.ratio or 0, self.cost.differential.ratio or 0


_ORACLES: tuple[Column[JudgedTwice], ...] = (
    Column("seeds", Unit.COUNT, lambda one: one.seeds),
    Column("mutants", Unit.COUNT, lambda one: one.cost.differential.counted),
    Column("postcondition [%]", Unit.PERCENT, lambda one: one.scores[0]),
    Column("differential [%]", Unit.PERCENT, lambda one: one.scores[1]),
    Column("cost [points]", Unit.POINTS, lambda one: 100 * Fraction(one.scores[1] - one.scores[0])),
    Column("killed by differential only", Unit.COUNT, lambda one: sum(one.cost.missed.values())),
    Column("for", Unit.TEXT, lambda one: one.cost.reasons),
    Column("by postcondition only", Unit.COUNT, lambda one: one.cost.only_other),
)


def oracles(dataset: FieldExhaustiveInputs) -> Table:
    """Return every suite that was run under both oracles; of several seeds the first."""
    counted = killed(dataset.policy, [POSTCONDITION, DIFFERENTIAL], f"operator set {OPERATORS}")
    caption = (
        f"The same runs judged twice. {counted} Postcondition: the mutant violates the postcondition of the "
        "routine, which includes the invariant; differential: its result or its state is another one than the "
        "original's, for which reasons is told. The cost is differential minus postcondition, in percentage points. Of "
        "several seeds the first is shown."
    )
    labels = ("subject", "generator", "scope")
    return Table.of(
        "What the postcondition oracle costs", caption, labels, _ORACLES, _judged_twice(dataset), compares=False
    )


def _judged_twice(dataset: FieldExhaustiveInputs) -> Iterator[RowSource[JudgedTwice]]:
    """Yield the smallest seed of each subject, in the paper's order, generator and scope."""
    groups: dict[tuple[str, str, int], list[OracleCost]] = {}
    for cost in oracle_costs(dataset.frames, dataset.policy, dataset.proven):
        if cost.oracle.value != POSTCONDITION:
            continue
        trial = cost.trial
        groups.setdefault((trial["subject"], trial["generator"], int(trial["scope"])), []).append(cost)
    for title, subject in SUBJECTS.items():
        for (name, generator, scope), costs in sorted(groups.items()):
            if name == subject and costs[0].differential.counted:
                first = min(costs, key=lambda cost: int(cost.trial["seed"]))
                yield RowSource((title, generator, str(scope)), JudgedTwice(first, len(costs)))


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


_OPTIONS: tuple[Column[BesidePlain], ...] = (
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
    cases = (
        case for title in SUBJECTS for scope in _scopes(dataset, title) for case in _beside_plain(dataset, title, scope)
    )
    labels = ("subject", "scope", "options")
    return Table.of("Options of field-exhaustive suites", caption, labels, _OPTIONS, cases, compares=False)


def options_of(suite: Suite) -> str | None:
    """Return the options after the colon of a generator's name; None if the suite is not field-exhaustive."""
    name, _, text = suite.generator.partition(":")
    return text if name == FIELD_EXHAUSTIVE else None


def _scopes(dataset: FieldExhaustiveInputs, title: str) -> list[int]:
    return sorted({suite.scope for suite in dataset.of(title) if options_of(suite)})


def _beside_plain(dataset: FieldExhaustiveInputs, title: str, scope: int) -> Iterator[RowSource[BesidePlain]]:
    by_options = {text: s for s in dataset.of(title) if s.scope == scope and (text := options_of(s)) is not None}
    plain = by_options.get("")
    for text, suite in sorted(by_options.items()):
        yield RowSource((title, str(scope), text or WITHOUT), BesidePlain(suite, plain))
