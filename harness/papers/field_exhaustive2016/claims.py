"""Decides the paper's conclusions by rules from numbers to findings, the same for measured and printed numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from fractions import Fraction
from math import inf
from statistics import median
from typing import Any

from harness.analysis.percent import exact_percent
from harness.papers.field_exhaustive2016.run import (
    ALL_PROGRAMS,
    EXHAUSTIVE,
    FIELD_EXHAUSTIVE,
    POSTCONDITION,
    PROGRAMS_OF_FIELDS,
    SUBJECTS,
    FieldExhaustiveInputs,
)
from harness.papers.field_exhaustive2016.tables import WAYS, options_of
from harness.papers.suites import Suite
from harness.tables.claims import COLUMNS, Claim, ClaimVerdict, Finding, rules_of
from harness.tables.published import PublishedTable
from harness.tables.table import RowSource, Table

FEWEST_SCOPES = 4
"""The least number of points: both curves fit fewer points too well to be distinguished."""
DIGITS = 12
"""Digits behind the point in which equal numbers agree, as logarithms are not exact."""
_PRECISION = 50


@dataclass(frozen=True)
class FittedGrowth:
    """`exponent` of the fitted scope ** exponent, `base` of the fitted base ** scope, and how far off each is.

    The errors are sums of squared differences of natural logarithms. All are rounded to `DIGITS`.
    """

    exponent: Decimal
    base: Decimal
    error_of_power: Decimal
    error_of_exponential: Decimal

    @property
    def is_polynomial(self) -> bool:
        """Whether the power of the scope fits better."""
        return self.error_of_power < self.error_of_exponential

    @property
    def is_exponential(self) -> bool:
        """Whether the exponential fits better; neither does of numbers that do not grow at all."""
        return self.error_of_exponential < self.error_of_power


def growth(by_scope: Mapping[int, float]) -> FittedGrowth | None:
    """Return the growth of positive numbers by scope; None for fewer than `FEWEST_SCOPES`."""
    if len(by_scope) < FEWEST_SCOPES:
        return None
    with localcontext(prec=_PRECISION):
        scopes = [Decimal(scope) for scope in by_scope]
        logarithms = [Decimal(number).ln() for number in by_scope.values()]
        exponent, error_of_power = _line([scope.ln() for scope in scopes], logarithms)
        rate, error_of_exponential = _line(scopes, logarithms)
        fitted = (exponent, rate.exp(), error_of_power, error_of_exponential)
        return FittedGrowth(*(round(number, DIGITS) for number in fitted))


def _line(across: Sequence[Decimal], up: Sequence[Decimal]) -> tuple[Decimal, Decimal]:
    """Return the slope of the line of least squares, and the sum of the squares."""
    middle_across, middle_up = sum(across) / Decimal(len(across)), sum(up) / Decimal(len(up))
    points = [(x - middle_across, y - middle_up) for x, y in zip(across, up, strict=True)]
    slope = sum((x * y for x, y in points), Decimal(0)) / sum((x * x for x, _ in points), Decimal(0))
    return slope, sum(((y - slope * x) ** 2 for x, y in points), Decimal(0))


FROM_SCOPE = 6
WITHIN = 2
"""Percentage points (section 6.1)."""
TIMES = 2
"""The factor by which field-exhaustive generation exceeds the scope of exhaustive generation (section 6.1)."""

CLAIMED = (
    "The paper claims: less than 2 % difference in score and coverage from scope 6; suites that grow linearly with "
    "scope; more than twice the scope, generally; that the largest field-exhaustive suites generally outperform the "
    "largest exhaustive ones; significantly more random tests for the same score in all cases but lists; and 12 of the "
    "13 bugs of a refactoring engine with 326 of 30,396 programs (section 6.1)."
)


@dataclass(frozen=True)
class Reached:
    """The reach of one way to generate suites: the largest scope within the limits and the smallest beyond them."""

    within: int | None
    beyond: int | None


@dataclass(frozen=True)
class Largest:
    """The suite of the largest scope that was made; None where none was.

    `score` is in percent, with the digits that are printed, None where no mutants were run with it; `at_least` is then
    what it is known to reach.
    """

    scope: int | None
    score: Decimal | None
    at_least: Decimal | None = None


@dataclass(frozen=True)
class ByScope:
    """The numbers of one way to generate suites, by scope (scores and branch coverage in percent), and its reach."""

    inputs: Mapping[int, int]
    reached: Reached
    scores: Mapping[int, Decimal]
    branches: Mapping[int, Decimal]
    structures: Mapping[int, int] = field(default_factory=dict)

    def largest(self, at_least: Mapping[int, Decimal]) -> Largest:
        """Return the suite of the largest scope, with its least possible score in percent if `at_least` has one."""
        scope = max(self.inputs, default=None)
        if scope is None:
            return Largest(None, None)
        return Largest(scope, self.scores.get(scope), at_least.get(scope))


@dataclass(frozen=True)
class OfSubject:
    """The numbers of one subject.

    Attributes:
        random: the result of `fewer_than_random`; None where no mutant was run with a field-exhaustive suite.
        at_least: by scope, a part of the mutants, in percent, that an exhaustive suite is known to kill.
        extensions: by scope, the structures of a field-exhaustive suite and the sum of its extensions.
    """

    exhaustive: ByScope
    of_fields: ByScope
    random: Finding | None
    at_least: Mapping[int, Decimal] = field(default_factory=dict)
    extensions: Mapping[int, tuple[int, int]] = field(default_factory=dict)


def within(pairs: Mapping[int, tuple[Decimal, Decimal]], scopes: Collection[int]) -> Finding:
    """Compare the percentages of exhaustive and field-exhaustive suites by scope, from scope 6 on (section 6.1).

    Args:
        scopes: the scopes of all exhaustive suites.
    """
    compared = {scope: pair for scope, pair in sorted(pairs.items()) if scope >= FROM_SCOPE}
    if not compared:
        return Finding(ClaimVerdict.OPEN, f"no scope from {FROM_SCOPE} on at which both are known")
    far = {scope: pair for scope, pair in compared.items() if abs(pair[0] - pair[1]) >= WITHIN}
    worst = max(compared, key=lambda scope: abs(compared[scope][0] - compared[scope][1]))
    exhaustive, of_fields = compared[worst]
    all_scopes = {*compared, *(scope for scope in scopes if scope >= FROM_SCOPE)}
    text = f"known at {len(compared)} of {len(all_scopes)} scopes, {_list(compared)}: "
    text += f"at most {abs(exhaustive - of_fields):.2f} points apart (scope {worst}: "
    text += f"{exhaustive:.2f} and {of_fields:.2f}); {WITHIN} or more at {_list(far) if far else 'none'}"
    return Finding.of(not far, text)


def linear(inputs: Mapping[int, int], structures: Mapping[int, int]) -> Finding:
    """Decide whether inputs of field-exhaustive suites grow linearly at most (section 6.1); report structures, too."""
    of_inputs, of_structures = growth(inputs), growth(structures)
    if of_inputs is None:
        return Finding(ClaimVerdict.OPEN, f"fewer than {FEWEST_SCOPES} scopes")
    text = f"{_named(inputs)}: inputs grow as {_power(of_inputs)}"
    if of_structures is not None:
        text += f", structures as {_power(of_structures)}"
    return Finding.of(of_inputs.exponent <= 1, text)


def polynomial(exhaustive: Mapping[int, int], of_fields: Mapping[int, int]) -> Finding:
    """Decide whether inputs grow as a power of the scope if field-exhaustive, and exponentially if exhaustive (6.1)."""
    slow, fast = growth(of_fields), growth(exhaustive)
    if slow is None or fast is None:
        return Finding(ClaimVerdict.OPEN, f"fewer than {FEWEST_SCOPES} scopes")
    text = f"field-exhaustive {_fitted(slow)}; exhaustive {_fitted(fast)}"
    return Finding.of(slow.is_polynomial and fast.is_exponential, text)


def bounded(structures: Mapping[int, tuple[int, int]]) -> Finding:
    """Compare the structures of field-exhaustive suites with the sums of their extensions, by scope (Theorem 2)."""
    if not structures:
        return Finding(ClaimVerdict.OPEN, "no suite whose extensions are known")
    larger = [scope for scope, (count, pairs) in structures.items() if count > pairs]
    scope = larger[0] if larger else max(structures)
    count, pairs = structures[scope]
    text = f"scope {scope}: {count} structures, {pairs} pairs; {len(larger)} of {len(structures)} scopes with more"
    return Finding.of(not larger, text)


def fewer_than_random(
    scope: int,
    inputs: int,
    score: Decimal,
    needed: Sequence[int | None],
    largest: Sequence[int],
    random_scope: int | None = None,
) -> Finding:
    """Compare a field-exhaustive suite with the random tests that reach its score, in percent (section 6.1).

    Args:
        needed: the number of tests by seed, None if its suite does not reach the score; one number for printed values.
        largest: the number of tests in each of these suites.
        random_scope: the scope of the random tests, whose needed numbers are then exact; None for printed ones, which
            have no scope and are known at a few sizes only.
    """
    is_exact = random_scope is not None
    text = f"{inputs} inputs at scope {scope} kill {score:.2f} %; random "
    text += f"(scope {random_scope}) " * is_exact
    if not needed:
        return Finding(ClaimVerdict.OPEN, f"{text}was not run")
    sizes = _range(largest)
    reached = [count for count in needed if count is not None]
    holds = _median_outcome(inputs, needed, largest)
    if not reached:
        of_seeds = f" of {len(needed)} seeds" if is_exact else ""
        if max(largest) <= inputs:
            return Finding(ClaimVerdict.OPEN, f"{text}suites{of_seeds} are no larger ({sizes})")
        return Finding(holds, f"{text}does not with {sizes} tests{of_seeds}")
    if not is_exact:
        return Finding(holds, f"{text}needs {reached[0]} at most, by the printed sizes")
    middle = median(inf if count is None else count for count in needed)
    text += f"needs {_range(reached)} tests where it does, {len(reached)} of {len(needed)} seeds with {sizes} at most "
    return Finding(holds, f"{text}(median: {'not reached' if middle == inf else f'{middle:.1f}'.removesuffix('.0')})")


def _median_outcome(inputs: int, needed: Sequence[int | None], largest: Sequence[int]) -> ClaimVerdict:
    """Decide whether `inputs` is less than the median of the tests needed, some of which have only a lower bound."""
    least = median(size + 1 if count is None else count for count, size in zip(needed, largest, strict=True))
    if least > inputs:
        return ClaimVerdict.HOLDS
    most = median(inf if count is None else count for count in needed)
    return ClaimVerdict.FAILS if most <= inputs else ClaimVerdict.OPEN


def _range(counts: Sequence[int]) -> str:
    return str(min(counts)) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"


def twice_the_scope(exhaustive: Reached, of_fields: Reached) -> Finding:
    """Compare the largest scopes that each way generates within the limits (section 6.1)."""
    text = f"exhaustive {_reach(exhaustive)}; field-exhaustive {_reach(of_fields)}"
    if of_fields.within is None or exhaustive.within is None:
        return Finding(ClaimVerdict.OPEN, text)
    if exhaustive.beyond is not None and of_fields.within > TIMES * (exhaustive.beyond - 1):
        return Finding(ClaimVerdict.HOLDS, text)
    if of_fields.beyond is not None and of_fields.beyond - 1 <= TIMES * exhaustive.within:
        return Finding(ClaimVerdict.FAILS, text)
    return Finding(ClaimVerdict.OPEN, text)


def largest_suites(exhaustive: Largest, of_fields: Largest) -> Finding:
    """Compare the mutation scores of the suites of the largest scopes (section 6.1)."""
    text = f"exhaustive {_of_largest(exhaustive)}, field-exhaustive {_of_largest(of_fields)}"
    if of_fields.score is None:
        return Finding(ClaimVerdict.OPEN, text)
    if exhaustive.score is not None:
        return Finding.of(of_fields.score > exhaustive.score, text)
    is_enough = exhaustive.at_least is not None and exhaustive.at_least >= of_fields.score
    return Finding(ClaimVerdict.FAILS if is_enough else ClaimVerdict.OPEN, text)


def _of_largest(largest: Largest) -> str:
    if largest.scope is None:
        return "not run"
    if largest.score is not None:
        return f"{largest.score:.2f} at scope {largest.scope}"
    least = "not known" if largest.at_least is None else f"at least {largest.at_least:.2f}"
    return f"{least} at scope {largest.scope}, with which no mutant was run"


def refactoring_bugs(exhaustive: tuple[int, int] | None, of_fields: tuple[int, int] | None) -> Finding:
    """Compare the programs and the bugs of both ways (section 6.1)."""
    if exhaustive is None or of_fields is None:
        return Finding(ClaimVerdict.OPEN, "one of the two was not run")
    text = f"bugs of all {exhaustive[0]} programs: {exhaustive[1]}, of {of_fields[0]} field-exhaustive ones: "
    text += str(of_fields[1])
    holds = of_fields[1] >= exhaustive[1] and of_fields[0] < exhaustive[0]
    return Finding.of(holds, text)


def _fitted(growth: FittedGrowth) -> str:
    power, exponential = _power(growth), f"{growth.base:.2f}^scope"
    if growth.is_polynomial == growth.is_exponential:
        return f"{power} as well as {exponential}"
    better, worse = (power, exponential) if growth.is_polynomial else (exponential, power)
    return f"{better} rather than {worse}"


def _power(growth: FittedGrowth) -> str:
    """Write the fitted power with two digits, or with more where two would round another exponent to 1."""
    exponent = growth.exponent
    digits = next(digits for digits in range(2, DIGITS + 1) if (round(exponent, digits) == 1) == (exponent == 1))
    return f"scope^{exponent:.{digits}f}"


def _reach(reached: Reached) -> str:
    within = "at no scope that was run" if reached.within is None else f"to scope {reached.within}"
    return within if reached.beyond is None else f"{within}, not at {reached.beyond}"


def _list(scopes: Mapping[int, object]) -> str:
    """Return scopes in short form: `3 to 12, 20, 30`."""
    runs: list[list[int]] = []
    for scope in sorted(scopes):
        if runs and runs[-1][-1] == scope - 1:
            runs[-1].append(scope)
        else:
            runs.append([scope])
    parts = [[f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run) for run in runs]
    return ", ".join(part for run in parts for part in run)


def _named(scopes: Mapping[int, object]) -> str:
    return f"scope{'s' * (len(scopes) > 1)} {_list(scopes)}"


def _both(one: Mapping[int, Decimal], other: Mapping[int, Decimal]) -> dict[int, tuple[Decimal, Decimal]]:
    return {scope: (one[scope], other[scope]) for scope in one if scope in other}


OF_SUBJECTS: tuple[Claim[OfSubject], ...] = (
    Claim(
        "score within 2 %",
        f"HOLDS if from scope {FROM_SCOPE} on, wherever both are known, the mutation scores of exhaustive and "
        f"field-exhaustive suites differ by less than {WITHIN} percentage points; DOES NOT HOLD if they differ by as "
        "much at one scope. At how many of the scopes of exhaustive suites both are known stands before the numbers",
        lambda of: within(_both(of.exhaustive.scores, of.of_fields.scores), of.exhaustive.inputs),
    ),
    Claim(
        "branches within 2 %",
        "the same of branch coverage",
        lambda of: within(_both(of.exhaustive.branches, of.of_fields.branches), of.exhaustive.inputs),
    ),
    Claim(
        "size: linear",
        "HOLDS if the inputs of field-exhaustive suites grow as a power of the scope with an exponent of at most 1, "
        f"fitted by least squares of logarithms and rounded to {DIGITS} digits behind the point; DOES NOT HOLD if the "
        f"exponent is larger; NOT DECIDABLE with fewer than {FEWEST_SCOPES} scopes",
        lambda of: linear(of.of_fields.inputs, of.of_fields.structures),
    ),
    Claim(
        "size: polynomial v. exponential",
        "HOLDS if a power of the scope fits the inputs of field-exhaustive suites better than an exponential, and an "
        "exponential those of exhaustive ones better than a power: the sum of squared differences of logarithms, "
        f"rounded to {DIGITS} digits behind the point, is less; DOES NOT HOLD otherwise",
        lambda of: polynomial(of.exhaustive.inputs, of.of_fields.inputs),
    ),
    Claim(
        "size: Theorem 2",
        "HOLDS if no field-exhaustive suite has more structures than its extensions have pairs in sum; DOES NOT HOLD "
        "if one has",
        lambda of: bounded(of.extensions),
        is_printed=False,
    ),
    Claim(
        "fewer than random",
        "HOLDS if random suites need more tests than the smallest field-exhaustive suite with the best score of those "
        "has inputs, to reach that score, or do not reach it; DOES NOT HOLD if they need no more. Measured is the "
        "median of all seeds, to the test; printed are the sizes of Table 3 alone. Random tests draw their values from "
        "one scope, that of the largest random suite, whatever the scope of the field-exhaustive suite is: the numbers "
        "name both. The paper's random tests have no scope",
        lambda of: of.random or Finding(ClaimVerdict.OPEN, "no field-exhaustive suite with which mutants were run"),
    ),
    Claim(
        "twice the scope",
        f"HOLDS if the largest field-exhaustive scope within the limits is more than {TIMES} times the largest "
        "exhaustive one, limits being an hour, measured of processor time, and a million structures; DOES NOT HOLD "
        "otherwise. NOT DECIDABLE where nothing beyond the limits was tried, as a larger scope might be within them",
        lambda of: twice_the_scope(of.exhaustive.reached, of.of_fields.reached),
    ),
    Claim(
        "largest suites",
        "HOLDS if the field-exhaustive suite of the largest scope has a better mutation score than the exhaustive one "
        "of its largest scope; DOES NOT HOLD if it has none better. An exhaustive suite without mutants run kills at "
        "least what the field-exhaustive ones of its scope kill together, as it holds them: where that is as much as "
        "the largest field-exhaustive one kills, DOES NOT HOLD, else NOT DECIDABLE",
        lambda of: largest_suites(of.exhaustive.largest(of.at_least), of.of_fields.largest({})),
    ),
)
OF_REFACTORINGS: Claim[Sequence[tuple[int, int] | None]] = Claim(
    "refactoring bugs",
    "HOLDS if field-exhaustive programs, those of the best seed, show as many bugs as all programs do, with fewer "
    "programs; DOES NOT HOLD otherwise",
    lambda pair: refactoring_bugs(*pair),
)
CLAIMS: tuple[Claim[Any], ...] = (*OF_SUBJECTS, OF_REFACTORINGS)
"""All of them, in the order of the table."""


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
            yield claim.case((title,), measured[title], printed[title])
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


def _beside_random(dataset: FieldExhaustiveInputs, title: str, of_fields: ByScope) -> Finding:
    scope = _smallest_of_the_best(of_fields.scores, of_fields.inputs)
    suite = dataset.suite(title, FIELD_EXHAUSTIVE, scope)
    killed = None if suite is None else suite.killed(POSTCONDITION)
    suites = [one for one in dataset.largest_random(title) if one.killed(POSTCONDITION) is not None]
    if killed is None:
        suites = []
    return fewer_than_random(
        scope,
        of_fields.inputs[scope],
        of_fields.scores[scope],
        [one.beginning_that_kills(POSTCONDITION, killed or 0) for one in suites],
        [one.inputs for one in suites],
        dataset.random_scope(title),
    )


def _printed_random(dataset: FieldExhaustiveInputs, title: str, of_fields: ByScope) -> Finding:
    scope = _smallest_of_the_best(of_fields.scores, of_fields.inputs)
    best = of_fields.scores[scope]
    scores = {
        int(row.key[1]): score
        for row in dataset.printed("table3", 2).rows
        if row.key[0] == title and (score := row.exact("mutation_score")) is not None
    }
    enough = [size for size, score in scores.items() if score >= best]
    return fewer_than_random(scope, of_fields.inputs[scope], best, [min(enough, default=None)], [max(scores)])


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
        yield OF_REFACTORINGS.case((title,), ours_of, theirs if title in printed else None)
