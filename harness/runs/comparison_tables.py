"""Compares generators in tables: scores and branch coverage by budget, and the mutants that only some of them kill."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from harness.analysis.comparable_suites import ComparedSuite, SubjectComparison
from harness.analysis.compared import Basis, Kills, Point, kills_by_generator
from harness.analysis.mutant_sets import SHORT
from harness.analysis.score_caption import killed
from harness.model.pytest_suite import oracle_label
from harness.model.score import ScorePolicy
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.ranges import range_columns
from harness.tables.table import Column, RowSource, Table

NOT_RUN = Missing("not run on this subject at this scope")
NOT_MEASURED = Missing("branch coverage was not measured")
WHOLE = "all"

_BUDGETS = {
    Basis.INPUTS: "Each suite has so many inputs.",
    Basis.CALLS: (
        "Each suite has so many calls, constructors included; a state with a call on it has one. Inputs drawn at "
        "random have so many on average."
    ),
    Basis.SECONDS: (
        "Each suite takes so many processor seconds, of its generation and of the original on it. Inputs can be drawn "
        "from a suite only after all of it is generated; a suite that takes less is given as a whole, and one whose "
        "seconds were not measured has no row."
    ),
}


@dataclass(frozen=True)
class Comparisons:
    """The data of the tables and figures."""

    compared: Sequence[SubjectComparison]
    points: Sequence[Point]
    policy: ScorePolicy
    operators: str
    basis: Basis = Basis.INPUTS
    fixed: Sequence[str] = ()
    """One line for each domain that one generator varies and another fixes."""

    @property
    def unfair(self) -> str:
        """Return a line for each domain that not all generators vary, for captions."""
        return "".join(f"\n{line}" for line in self.fixed)

    @property
    def counted(self) -> str:
        """The mutants that scores count, and the oracles that decide about kills, for captions."""
        oracles = {oracle_label(one.trial.generator, one.trial.oracle.value) for one in self._suites}
        text = killed(self.policy, oracles, f"operator set {self.operators}")
        sets = {f"{one.title} {len(one.mutants):,} ({one.mutant_set[:SHORT]})": None for one in self.compared}
        text += f" Mutant sets: {', '.join(sets)}."
        return f"{text} Sequences are run {', '.join(self.sequences)}." if self.sequences else text

    @property
    def origins(self) -> str:
        """A sentence on the suites whose seconds the run did not measure; empty where no seconds are compared."""
        origins = {(suite.trial.generator, suite.origin) for suite in self._suites if suite.origin}
        if self.basis is not Basis.SECONDS or not origins:
            return ""
        listed = "; ".join(f"{generator}: {origin}" for generator, origin in sorted(origins))
        return f" Seconds of generation were measured when the suite was made, not in this run, of {listed}."

    @property
    def sequences(self) -> list[str]:
        """The policies under which sequences were run; none where there are no sequences."""
        return sorted({one.trial.sequences.value for one in self._suites if one.trial.sequences is not None})

    @property
    def generators(self) -> list[str]:
        """All that were run, by name."""
        return sorted({name for subject in self.compared for name in subject.suites})

    @property
    def _suites(self) -> list[ComparedSuite]:
        return [suite for subject in self.compared for of_name in subject.suites.values() for suite in of_name]


SIZES_COLUMNS: tuple[Column[Point], ...] = (
    Column("suites", Unit.COUNT, lambda point: len(point.killed)),
    Column("taken", Unit.TEXT, lambda point: ", ".join(sorted({selection.value for selection in point.selections}))),
    Column("inputs, median", Unit.FACTOR, lambda point: float(median(point.inputs))),
    *range_columns("killed [%]", Unit.PERCENT, lambda point: point.killed),
    *range_columns("branches [%]", Unit.PERCENT, lambda point: point.branches, NOT_MEASURED),
)


def sizes_table(comparisons: Comparisons) -> Table:
    """Tabulate killed mutants and covered branches by subject, scope, budget and generator."""
    cases = []
    for point in comparisons.points:
        budget = WHOLE if point.limit is None else f"{float(point.limit):.12g}"
        cases.append(RowSource((point.title, str(point.scope), budget, point.generator), point))
    caption = (
        f"{comparisons.counted} {_BUDGETS[comparisons.basis]}{comparisons.origins} Generators are comparable within "
        "one subject and scope. Suites are counted once, by their digests, whatever their seeds. Of a generator that "
        "declares a random order, and that each prefix is a suite, the first inputs are taken. Of any other one, the "
        "score of a suite is the mean over all draws of so many inputs, exactly (hypergeometric), and its branch "
        "coverage the median of some draws. "
        f"median, least and most are over suites. {WHOLE}: whole suites. Branch coverage is of target and helper "
        "methods, executed branches / branches. No mutant is run again."
        f"{comparisons.unfair}"
    )
    labels = "subject", "scope", comparisons.basis.value, "generator"
    title = f"Generators at equal {comparisons.basis.value}"
    return Table.of(title, caption, labels, SIZES_COLUMNS, cases, compares=False)


@dataclass(frozen=True)
class OfGenerator:
    """A generator on one subject at one scope; `kills` are those of all generators."""

    subject: SubjectComparison
    generator: str
    kills: Sequence[Kills]

    @property
    def killed(self) -> list[Kills]:
        """The mutants that at least half of its suites kill."""
        return [kill for kill in self.kills if kill.is_killed_by(self.generator)]

    def not_by(self, other: str) -> Measured:
        """Return how many of these another generator does not kill."""
        if other not in self.subject.suites:
            return NOT_RUN
        return sum(not kill.is_killed_by(other) for kill in self.killed)


def pairs_table(comparisons: Comparisons) -> Table:
    """Tabulate, by subject and scope, the mutants that one generator of a pair kills and the other does not."""
    columns: list[Column[OfGenerator]] = [
        Column("suites", Unit.COUNT, lambda one: len(one.subject.suites[one.generator])),
        Column("mutants", Unit.COUNT, lambda one: len(one.kills)),
        Column("killed", Unit.COUNT, lambda one: len(one.killed)),
        Column(
            "killed by any suite",
            Unit.COUNT,
            lambda one: sum(kill.is_killed_by_any(one.generator) for kill in one.kills),
        ),
        *(Column(f"not by {name}", Unit.COUNT, partial(_not_by, name)) for name in comparisons.generators),
    ]
    cases = []
    for subject in comparisons.compared:
        kills = kills_by_generator(subject)
        for generator in subject.suites:
            one = OfGenerator(subject, generator, kills)
            cases.append(RowSource((subject.title, str(subject.scope), generator), one))
    caption = (
        f"{comparisons.counted} killed: mutants that at least half of the whole suites of the generator of a row kill. "
        "not by: how many of these fewer than half of the suites of the generator of a column kill. killed by any "
        "suite: their union, which is no suite, and which grows with the number of seeds."
        f"{comparisons.unfair}"
    )
    title = "Mutants that one generator kills and another does not"
    return Table.of(title, caption, ("subject", "scope", "generator"), columns, cases, compares=False)


def mutants_table(comparisons: Comparisons) -> Table:
    """Tabulate, by subject and scope, the mutants on which the generators' whole suites differ, with their places."""
    columns: list[Column[Kills]] = [
        Column("place", Unit.TEXT, lambda kill: f"{kill.mutant.function} {kill.mutant.location}"),
        Column("change", Unit.TEXT, lambda kill: f"{kill.mutant.original} -> {kill.mutant.replacement}"),
        *(Column(name, Unit.TEXT, partial(_share, name), missing=NOT_RUN) for name in comparisons.generators),
    ]
    cases = (
        RowSource((subject.title, str(subject.scope), kill.mutant.id), kill)
        for subject in comparisons.compared
        for kill in kills_by_generator(subject)
        if len({kill.is_killed_by(name) for name in kill.killed}) > 1
    )
    caption = (
        f"{comparisons.counted} Mutants that at least half of the whole suites of some generators kill, and fewer of "
        f"others. 3/10: killed by three of the ten suites.{comparisons.unfair}"
    )
    title = "The mutants that tell generators apart"
    return Table.of(title, caption, ("subject", "scope", "mutant"), columns, cases, compares=False)


COMPARISON_TABLES: Mapping[str, Callable[[Comparisons], Table]] = {
    "sizes": sizes_table,
    "pairs": pairs_table,
    "mutants": mutants_table,
}


def _not_by(other: str, one: OfGenerator) -> Measured:
    return one.not_by(other)


def _share(name: str, kill: Kills) -> str | None:
    return "{}/{}".format(*kill.killed[name]) if name in kill.killed else None
