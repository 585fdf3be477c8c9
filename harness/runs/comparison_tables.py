"""Tables of generators beside each other: scores and branch coverage by budget, and who kills what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

from harness.analysis.captions import killed
from harness.analysis.compared import Basis, Compared, ComparedSuite, Kills, Point, kills_by_generator
from harness.analysis.mutant_sets import SHORT
from harness.model.own_suite import shown_oracle
from harness.model.score import ScorePolicy
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.table import Heading, Row, Table

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
    """What the tables and figures are made of."""

    compared: Sequence[Compared]
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
        """Which mutants the scores are of, and what decides about a kill, for captions."""
        oracles = {shown_oracle(one.trial.generator, one.trial.oracle.value) for one in self._suites}
        told = killed(self.policy, oracles, f"operator set {self.operators}")
        sets = {f"{one.title} {len(one.mutants):,} ({one.mutant_set[:SHORT]})": None for one in self.compared}
        told += f" Mutant sets: {', '.join(sets)}."
        return f"{told} Sequences are run {', '.join(self.sequences)}." if self.sequences else told

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


def sizes_table(given: Comparisons) -> Table:
    """By subject, scope, budget and generator: mutants killed and branches covered."""
    columns = (
        Heading("suites", Unit.COUNT),
        Heading("taken", Unit.TEXT),
        Heading("inputs, median", Unit.FACTOR),
        *(
            Heading(f"{what} [%]{part}", Unit.PERCENT)
            for what in ("killed", "branches")
            for part in (", median", ", least", ", most")
        ),
    )
    rows = []
    for point in given.points:
        budget = WHOLE if point.limit is None else f"{float(point.limit):.12g}"
        selections = ", ".join(sorted({selection.value for selection in point.selections}))
        ratios = *_range(point.killed), *_range(point.branches)
        labels = point.title, str(point.scope), budget, point.generator
        rows.append(_row(labels, (len(point.killed), selections, float(median(point.inputs)), *ratios)))
    caption = (
        f"{given.counted} {_BUDGETS[given.basis]}{given.origins} Generators are comparable within one subject "
        "and scope. Suites are counted once, by their digests, whatever their seeds. Of a generator that declares a "
        "random order, and that each prefix is a suite, the first inputs are taken. Of any other one, the score of a "
        "suite is the mean over all draws of so many inputs, exactly (hypergeometric), and its branch coverage the "
        "median of some draws. "
        f"median, least and most are over suites. {WHOLE}: whole suites. Branch coverage is of target and helper "
        "methods, executed branches / branches. No mutant is run again."
        f"{given.unfair}"
    )
    labels = "subject", "scope", given.basis.value, "generator"
    return _table(f"Generators at equal {given.basis.value}", caption, labels, columns, rows)


def pairs_table(given: Comparisons) -> Table:
    """By subject and scope, of each pair of generators, how many mutants one kills and the other does not."""
    names = given.generators
    columns = tuple(
        Heading(name, Unit.COUNT)
        for name in ("suites", "mutants", "killed", "killed by any suite", *(f"not by {n}" for n in names))
    )
    rows = []
    for subject in given.compared:
        kills = kills_by_generator(subject)
        for generator, suites in subject.suites.items():
            mine = [kill for kill in kills if kill.is_killed_by(generator)]
            union = sum(kill.is_killed_by_any(generator) for kill in kills)
            apart = (
                sum(not kill.is_killed_by(other) for kill in mine) if other in subject.suites else NOT_RUN
                for other in names
            )
            labels = subject.title, str(subject.scope), generator
            rows.append(_row(labels, (len(suites), len(kills), len(mine), union, *apart)))
    caption = (
        f"{given.counted} killed: mutants that at least half of the whole suites of the generator of a row kill. not "
        "by: how many of these fewer than half of the suites of the generator of a column kill. killed by any suite: "
        "their union, which is no suite, and which grows with the number of seeds."
        f"{given.unfair}"
    )
    title = "Mutants that one generator kills and another does not"
    return _table(title, caption, ("subject", "scope", "generator"), columns, rows)


def mutants_table(given: Comparisons) -> Table:
    """By subject and scope, the mutants on which the generators' whole suites differ, with their places."""
    names = given.generators
    columns = tuple(Heading(name, Unit.TEXT) for name in ("place", "change", *names))
    rows = []
    for subject in given.compared:
        for kill in kills_by_generator(subject):
            if len({kill.is_killed_by(name) for name in kill.killed}) > 1:
                labels = subject.title, str(subject.scope), kill.mutant.id
                rows.append(_row(labels, (*_told(kill), *_shares(kill, names))))
    caption = (
        f"{given.counted} Mutants that at least half of the whole suites of some generators kill, and fewer of others. "
        f"3/10: killed by three of the ten suites.{given.unfair}"
    )
    return _table("The mutants that tell generators apart", caption, ("subject", "scope", "mutant"), columns, rows)


COMPARISON_TABLES: Mapping[str, Callable[[Comparisons], Table]] = {
    "sizes": sizes_table,
    "pairs": pairs_table,
    "mutants": mutants_table,
}


def _range(ratios: Sequence[Fraction]) -> tuple[Measured, Measured, Measured]:
    if not ratios:
        return NOT_MEASURED, NOT_MEASURED, NOT_MEASURED
    return median(ratios), min(ratios), max(ratios)


def _told(kill: Kills) -> tuple[str, str]:
    mutant = kill.mutant
    return f"{mutant.function} {mutant.location}", f"{mutant.original} -> {mutant.replacement}"


def _shares(kill: Kills, names: Sequence[str]) -> list[Measured]:
    return ["{}/{}".format(*kill.killed[name]) if name in kill.killed else NOT_RUN for name in names]


def _row(labels: tuple[str, ...], measured: Sequence[Measured]) -> Row:
    return Row(labels, tuple(Comparison(value) for value in measured))


def _table(
    title: str, caption: str, labels: tuple[str, ...], columns: tuple[Heading, ...], rows: Sequence[Row]
) -> Table:
    return Table(title, caption, labels, columns, tuple(rows), compares=False)
