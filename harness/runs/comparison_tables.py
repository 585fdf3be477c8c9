"""Compares generators in tables: scores and branch coverage by budget, and the mutants that only some of them kill."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path

from harness.analysis.compared import (
    DRAWS,
    SECONDS,
    SIZES,
    Basis,
    Budget,
    ComparedSuite,
    Floats,
    Row,
    Rule,
    SubjectComparison,
    SubSuites,
    Worth,
    branches_of,
    comparable_suites,
    kills_of,
    left_out,
    rows,
)
from harness.analysis.measures import Proven
from harness.analysis.mutant_sets import SHORT
from harness.analysis.score_caption import killed
from harness.errors import StoreError, UsageError
from harness.kernel.inputs.suites import BLOCK
from harness.measured.fixed_domains import fixed_domains
from harness.measured.suite_inputs import with_inputs
from harness.model.outcome import Mutant, OracleName, ScorePolicy
from harness.model.pytest_suite import oracle_label
from harness.tables.table import Column, Measured, Missing, RowSource, Table, Unit

NOT_RUN = Missing("not run on this subject at this scope")
NO_BRANCHES = Missing("branch coverage was not measured")
NO_MUTANTS = Missing("no mutant counts")
WHOLE = "all"

ENDS = ("", ", low", ", high")
"""What follows the name of a column: of the expected value, and of the ends of the interval that 90 % of suites lie in.
"""

TELLING = 0.5
"""The difference between chances at which a mutant tells generators apart."""

RULES = {
    Rule.DRAWN: (
        "Rule of all rows: drawn. Of each suite so many inputs are drawn at random without replacement, so a draw "
        "depends on the size that was asked for. Values are expected ones over draws and suites together (exact, "
        f"hypergeometric); 90 % of them lie from low to high (of all draws, or of {DRAWS:,} where there are more)."
    ),
    Rule.FIRST: (
        "Rule of all rows: first. The first inputs of each suite are taken, in the order in which it was made. Values "
        "are expected ones over suites; 90 % of them lie from low to high."
    ),
}
_BUDGETS = {
    Basis.INPUTS: "inputs: each suite has so many.",
    Basis.CALLS: (
        "calls: each suite has at most so many, drawn inputs on average; constructors count, and a state with a call "
        "on it has one."
    ),
    Basis.SECONDS: (
        "seconds: of the processor, to generate inputs and to run the original on them, measured after each block of "
        f"{BLOCK} inputs. Inputs can be drawn only after all of a suite is generated; a suite that takes less is given "
        "as a whole."
    ),
}


@dataclass(frozen=True)
class Comparisons:
    """The data of the tables and figures."""

    compared: Sequence[SubjectComparison]
    budgets: Sequence[Budget]
    rule: Rule
    policy: ScorePolicy
    fixed: Sequence[str] = ()
    """One line for each domain that one generator varies and another fixes, and for each exhausted space."""

    @cached_property
    def groups(self) -> list[list[Row]]:
        """The generators of each subject, scope and budget."""
        return list(rows(self.compared, self.budgets, self.rule))

    @property
    def caption(self) -> tuple[str, str]:
        """What scores count, and how inputs are chosen; and the remarks that follow, in lines of their own."""
        bases = dict.fromkeys(budget.basis for budget in self.budgets)
        budgets = " ".join([*(_BUDGETS[basis] for basis in bases), f"{WHOLE}: whole suites."])
        text = f"{self.counted} {RULES[self.rule]} {budgets}{self._origins}"
        return text, "".join(f"\n{line}" for line in self.fixed)

    @property
    def counted(self) -> str:
        """The mutants that scores count, and the oracles that decide about kills, for captions."""
        oracles = {oracle_label(one.trial.generator, one.trial.oracle.value) for one in self._suites}
        operators = ", ".join(sorted({one.trial.operator_set for one in self._suites}))
        text = killed(self.policy, oracles, f"operator set {operators}")
        sets = {f"{one.title} {len(one.mutants):,} ({one.mutant_set[:SHORT]})": None for one in self.compared}
        return f"{text} Mutant sets: {', '.join(sets)}."

    @property
    def _origins(self) -> str:
        """A sentence on the suites whose seconds the run did not measure; empty where no seconds are compared."""
        origins = {(suite.trial.generator, suite.origin) for suite in self._suites if suite.origin}
        if Basis.SECONDS not in {budget.basis for budget in self.budgets} or not origins:
            return ""
        listed = "; ".join(f"{generator}: {origin}" for generator, origin in sorted(origins))
        return f" Seconds of generation were measured when the suite was made, not in this run, of {listed}."

    @property
    def generators(self) -> list[str]:
        """All that were run, by name."""
        return sorted({name for subject in self.compared for name in subject.suites})

    @property
    def _suites(self) -> list[ComparedSuite]:
        return [suite for subject in self.compared for of_name in subject.suites.values() for suite in of_name]


@dataclass(frozen=True)
class Compared:
    """A row with its statistics: either sub-suites, or why there are none."""

    row: Row
    chances: Mapping[str, Floats]
    """The chances of each mutant that counts to be killed, by generator with sub-suites at this budget."""

    def of(self, read: Callable[[SubSuites], Measured | None]) -> Measured | None:
        """Return a value of the sub-suites, or why there are none."""
        return Missing(self.row.suites) if isinstance(self.row.suites, str) else read(self.row.suites)

    def of_worth(self, worth: Callable[[Compared], Worth | None], part: int) -> Measured | None:
        """Return a part of a statistic, or why there is none."""
        return self.of(lambda _: None if (found := worth(self)) is None else found[part])

    @cached_property
    def killed(self) -> Worth | None:
        """The statistics of killed mutants; None if none counts."""
        assert isinstance(self.row.suites, SubSuites)
        counted = self.row.subject.counted()
        return self.row.suites.worth(kills_of, counted) if counted.any() else None

    @cached_property
    def branches(self) -> Worth | None:
        """The statistics of executed branches; None where they were not measured."""
        assert isinstance(self.row.suites, SubSuites)
        return branches_of(self.row.suites)

    def not_by(self, other: str) -> Measured:
        """Return how many mutants these sub-suites are expected to kill and those of another generator are not."""
        if other not in self.row.subject.suites:
            return NOT_RUN
        if isinstance(self.row.suites, str) or other not in self.chances:
            return Missing("there are no sub-suites of one of the two at this budget")
        return float((self.chances[self.row.generator] * (1 - self.chances[other])).sum())


def _worths(name: str, worth: Callable[[Compared], Worth | None], missing: Missing) -> Iterator[Column[Compared]]:
    """Yield the columns of the expected value and of the interval."""
    for number, part in enumerate(ENDS):
        read = partial(Compared.of_worth, worth=worth, part=number)
        yield Column(f"{name} [%]{part}", Unit.PERCENT, read, missing=missing)


_SUITES = Column[Compared]("suites", Unit.COUNT, lambda one: one.of(lambda suites: len(suites.parts)))
SIZES_COLUMNS: tuple[Column[Compared], ...] = (
    _SUITES,
    Column("inputs", Unit.FACTOR, lambda one: one.of(lambda suites: suites.inputs)),
    Column("calls", Unit.FACTOR, lambda one: one.of(lambda suites: suites.calls), missing=Missing("not known")),
    Column(
        "calls per input",
        Unit.FACTOR,
        lambda one: one.of(lambda suites: None if suites.calls is None else suites.calls / suites.inputs),
        missing=Missing("not known"),
    ),
    *_worths("killed", lambda one: one.killed, NO_MUTANTS),
    *_worths("branches", lambda one: one.branches, NO_BRANCHES),
)


def sizes_table(comparisons: Comparisons) -> Table:
    """Tabulate killed mutants and covered branches by subject, scope, budget and generator."""
    caption, remarks = comparisons.caption
    caption += " Branches are of target and helper methods, executed branches / branches. No mutant is run again."
    return _table("Generators at equal budgets", caption + remarks, SIZES_COLUMNS, comparisons)


def pairs_table(comparisons: Comparisons) -> Table:
    """Tabulate, by subject, scope and budget, the mutants that one generator of a pair kills and the other does not."""
    columns: list[Column[Compared]] = [
        _SUITES,
        Column("mutants", Unit.COUNT, lambda one: int(one.row.subject.counted().sum())),
        Column("killed", Unit.FACTOR, lambda one: one.of(lambda _: float(one.chances[one.row.generator].sum()))),
        *(
            Column[Compared](f"not by {name}", Unit.FACTOR, partial(Compared.not_by, other=name))
            for name in comparisons.generators
        ),
    ]
    caption, remarks = comparisons.caption
    caption += (
        " killed: the number of mutants that a suite of the row is expected to kill. not by: how many of them a suite "
        "of the generator of the column is expected to miss, the two drawn independently; of the same generator, "
        "how much two of its suites differ."
    )
    return _table("Mutants that one generator kills and another does not", caption + remarks, columns, comparisons)


def mutants_table(comparisons: Comparisons) -> Table:
    """Tabulate, by subject, scope and budget, the mutants on which generators differ, with their places."""

    def share(name: str, chances: tuple[Mutant, Mapping[str, float | str]]) -> Measured | None:
        chance = chances[1].get(name)
        return Missing(chance) if isinstance(chance, str) else chance

    columns: list[Column[tuple[Mutant, Mapping[str, float | str]]]] = [
        Column("place", Unit.TEXT, lambda of: f"{of[0].function} {of[0].location}"),
        Column("change", Unit.TEXT, lambda of: f"{of[0].original} -> {of[0].replacement}"),
        *(
            Column[tuple[Mutant, Mapping[str, float | str]]](
                f"{name} [%]", Unit.PERCENT, partial(share, name), missing=NOT_RUN
            )
            for name in comparisons.generators
        ),
    ]
    cases: list[RowSource[tuple[Mutant, Mapping[str, float | str]]]] = []
    for group in comparisons.groups:
        subject, reasons = group[0].subject, {row.generator: row.suites for row in group if isinstance(row.suites, str)}
        chances = _chances(group)
        counted = [subject.mutants[mutant] for mutant in subject.order if mutant not in subject.proven]
        for number in sorted(range(len(counted)), key=lambda at: _place(counted[at])):
            of_mutant = {name: float(shares[number]) for name, shares in chances.items()}
            if max(of_mutant.values(), default=0) - min(of_mutant.values(), default=0) >= TELLING:
                labels = subject.title, str(subject.scope), _budget(group[0]), counted[number].id
                cases.append(RowSource(labels, (counted[number], {**of_mutant, **reasons})))
    caption, remarks = comparisons.caption
    caption += (
        " The share of the suites of a generator that kill a mutant; mutants of which two shares differ by "
        f"{100 * TELLING:.0f} points or more.{remarks}"
    )
    labels = ("subject", "scope", "budget", "mutant")
    return Table.of("The mutants that tell generators apart", caption, labels, columns, cases, compares=False)


COMPARISON_TABLES: Mapping[str, Callable[[Comparisons], Table]] = {
    "sizes": sizes_table,
    "pairs": pairs_table,
    "mutants": mutants_table,
}


def _table(title: str, caption: str, columns: Sequence[Column[Compared]], comparisons: Comparisons) -> Table:
    """Return a table with a row for each generator of each group."""
    cases = [
        RowSource((row.subject.title, str(row.subject.scope), _budget(row), row.generator), Compared(row, chances))
        for group in comparisons.groups
        for chances in [_chances(group)]
        for row in group
    ]
    return Table.of(title, caption, ("subject", "scope", "budget", "generator"), columns, cases, compares=False)


def _chances(group: Sequence[Row]) -> dict[str, Floats]:
    return {
        row.generator: row.suites.chances()[row.subject.counted()] for row in group if isinstance(row.suites, SubSuites)
    }


def _budget(row: Row) -> str:
    return WHOLE if row.budget is None else str(row.budget)


def _place(mutant: Mutant) -> tuple[int, int, str]:
    return mutant.location.line, mutant.location.column, mutant.id


def compared_generators(
    folder: Path, budgets: Sequence[Budget], policy: ScorePolicy, proven: Proven, oracle: OracleName, rule: Rule
) -> Comparisons:
    """Return the generators of a run at each scope, at equal budgets and with whole suites.

    Args:
        budgets: see `budgets_of`.
        proven: equivalent mutants by subject, which the policy may leave out.
        oracle: the oracle whose trials are compared.
        rule: which inputs of a suite are taken.

    Raises:
        StoreError: no trial was run in mode matrix under the oracle, or the generators were not run on the same
            mutants.
    """
    found = comparable_suites(folder, policy, proven, oracle, needs_matrix=rule is Rule.DRAWN)
    if not found:
        raise StoreError(
            f"{folder}: no trial under the oracle {oracle.value} was run to the end in mode matrix, from which "
            f'generators are compared; say mode = "matrix" and oracles = [{oracle.value!r}] in the experiment'
        )
    loaded = with_inputs(found)
    remarks = [f"Left out: {name} ({reason})." for name, reason in left_out(folder, loaded, oracle).items()]
    remarks += [line for at_scope in loaded for line in (*fixed_domains(at_scope), *exhausted(at_scope))]
    compared = [distinct(at_scope) for at_scope in loaded] if rule is Rule.DRAWN else loaded
    return Comparisons(compared, budgets, rule, policy, remarks)


def budgets_of(sizes: Sequence[Fraction | int] | None, basis: Basis | None) -> list[Budget]:
    """Return the budgets at which generators are compared.

    Args:
        sizes: default: SIZES, or SECONDS.
        basis: None: inputs and calls, side by side.

    Raises:
        UsageError: a number of inputs or calls is not whole.
    """
    if basis is not Basis.SECONDS and any(Fraction(size).denominator > 1 for size in sizes or ()):
        raise UsageError("numbers of inputs and calls are whole; give --at seconds for parts of a second")
    limits = sizes or (SECONDS if basis is Basis.SECONDS else SIZES)
    return [
        Budget(one, Fraction(limit)) for one in ([basis] if basis else [Basis.INPUTS, Basis.CALLS]) for limit in limits
    ]


def distinct(compared: SubjectComparison) -> SubjectComparison:
    """Return the comparison with one suite of each set of inputs."""

    def one_of_each(suites: Sequence[ComparedSuite]) -> list[ComparedSuite]:
        return list({suite.inputs_digest or suite.trial.suite_digest: suite for suite in reversed(suites)}.values())[
            ::-1
        ]

    return replace(compared, suites={name: one_of_each(suites) for name, suites in compared.suites.items()})


def exhausted(compared: SubjectComparison) -> Iterator[str]:
    """Yield a line for each generator of which several suites have the same inputs, in other orders."""
    for name, suites in compared.suites.items():
        same = [suite for suite in suites if suite.inputs_digest == suites[0].inputs_digest != ""]
        if len(same) == len(suites) > 1:
            yield (
                f"{compared.title}, scope {compared.scope}: the {len(suites)} suites of {name} have the same "
                f"{suites[0].trial.inputs:,} inputs in several orders, so it has exhausted its space; as sets, they "
                "are one suite."
            )
