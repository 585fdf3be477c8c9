"""Tables of generators beside each other: scores and branch coverage by number of inputs, and who kills what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from harness.analysis.compared import Compared, Kills, Point, kills_by_generator
from harness.analysis.spread import Spread
from harness.model.score import ScorePolicy
from harness.papers.tables import Column, Comparison, ComparisonTable, Measured, Missing, Row, Unit

NOT_RUN = Missing("not run on this subject")
FEW = Missing("fewer than six suites, of which no interval is told")
NOT_MEASURED = Missing("branch coverage was not measured")
WHOLE = "all"


@dataclass(frozen=True)
class Comparisons:
    """What the tables and figures are made of."""

    compared: Sequence[Compared]
    points: Sequence[Point]
    policy: ScorePolicy
    operators: str

    @property
    def counted(self) -> str:
        """Which mutants the scores are of, for captions."""
        told = f"Mutants killed: {self.policy.value}, of operator set {self.operators}."
        return f"{told} Sequences are run {', '.join(self.sequences)}." if self.sequences else told

    @property
    def sequences(self) -> list[str]:
        """The policies under which sequences were run; none where there are no sequences."""
        suites = (suite for subject in self.compared for of_name in subject.suites.values() for suite in of_name)
        return sorted({suite.trial.sequences.value for suite in suites if suite.trial.sequences is not None})

    @property
    def generators(self) -> list[str]:
        """All that were run, by name."""
        return sorted({name for subject in self.compared for name in subject.suites})


def sizes_table(given: Comparisons) -> ComparisonTable:
    """By subject, number of inputs and generator: mutants killed and branches covered."""
    columns = (
        Column("scope", Unit.COUNT, published=False),
        Column("suites", Unit.TEXT, published=False),
        *(
            Column(f"{what} [%]{part}", Unit.PERCENT, published=False)
            for what in ("killed", "branches")
            for part in (", median", ", from", ", to")
        ),
    )
    rows = [
        _row(
            (point.title, WHOLE if point.size is None else str(point.size), point.generator),
            (point.scope, _suites(point), *_spread(point.killed), *_spread(point.branches)),
        )
        for point in given.points
    ]
    caption = (
        f"{given.counted} A generator that was run with several seeds is given as many sub-suites: the first inputs of "
        "each seed's suite. Of the suite of another one, random selections are taken, at the smallest scope that "
        f"was run with so many inputs. {WHOLE}: whole suites of the largest scope. No mutant is run again: those that "
        "die are read off the rows of kills of whole suites. Branch coverage is of target and helper methods, executed "
        "branches / branches, of the very same inputs. Between from and to lies the median of all suites that could be "
        "drawn, at a confidence of 95 %: they are two of the values, by rank."
    )
    return _table("Generators at the same number of inputs", caption, ("subject", "inputs", "generator"), columns, rows)


def pairs_table(given: Comparisons) -> ComparisonTable:
    """By subject, of each pair of generators, how many mutants the one's whole suites kill and the other's do not."""
    names = given.generators
    columns = tuple(
        Column(name, Unit.COUNT, published=False) for name in ("mutants", "killed", *(f"not by {n}" for n in names))
    )
    rows = []
    for subject in given.compared:
        kills = kills_by_generator(subject)
        for generator in subject.suites:
            mine = [kill for kill in kills if kill.is_killed_by(generator)]
            apart = (
                sum(not kill.is_killed_by(other) for kill in mine) if other in subject.suites else NOT_RUN
                for other in names
            )
            rows.append(_row((subject.title, generator), (len(kills), len(mine), *apart)))
    caption = (
        f"{given.counted} How many mutants the whole suites of the generator of a row kill, at the largest scope that "
        "was run, and how many of these no suite of the generator of a column kills."
    )
    return _table(
        "Mutants that one generator kills and another does not", caption, ("subject", "generator"), columns, rows
    )


def mutants_table(given: Comparisons) -> ComparisonTable:
    """By subject, the mutants on which the generators' whole suites differ, with their places."""
    names = given.generators
    columns = tuple(Column(name, Unit.TEXT, published=False) for name in ("place", "change", *names))
    rows = []
    for subject in given.compared:
        for kill in kills_by_generator(subject):
            if len({kill.is_killed_by(name) for name in kill.killed}) > 1:
                rows.append(_row((subject.title, kill.mutant.id), (*_told(kill), *_shares(kill, names))))
    caption = (
        f"{given.counted} Mutants that the whole suites of some generators kill and those of others do not. 3/10: "
        "killed by three of the ten suites."
    )
    return _table("The mutants that tell generators apart", caption, ("subject", "mutant"), columns, rows)


COMPARISON_TABLES: Mapping[str, Callable[[Comparisons], ComparisonTable]] = {
    "sizes": sizes_table,
    "pairs": pairs_table,
    "mutants": mutants_table,
}


def _suites(point: Point) -> str:
    count = len(point.killed)
    if point.size is None:
        least, most = min(point.inputs), max(point.inputs)
        inputs = str(least) if least == most else f"{least} to {most}"
        return f"{count} of {inputs} inputs"
    return f"{count} {'seeds' if point.seeded else 'selections'}"


def _spread(ratios: Sequence[Fraction]) -> tuple[Measured, Measured, Measured]:
    if not ratios:
        return NOT_MEASURED, NOT_MEASURED, NOT_MEASURED
    spread = Spread.of(ratios)
    if spread.low is None or spread.high is None:
        return spread.median, FEW, FEW
    return spread.median, spread.low, spread.high


def _told(kill: Kills) -> tuple[str, str]:
    mutant = kill.mutant
    return f"{mutant.function} {mutant.location}", f"{mutant.original} -> {mutant.replacement}"


def _shares(kill: Kills, names: Sequence[str]) -> list[Measured]:
    return ["{}/{}".format(*kill.killed[name]) if name in kill.killed else NOT_RUN for name in names]


def _row(labels: tuple[str, ...], measured: Sequence[Measured]) -> Row:
    return Row(labels, tuple(Comparison(value) for value in measured))


def _table(
    title: str, caption: str, labels: tuple[str, ...], columns: tuple[Column, ...], rows: Sequence[Row]
) -> ComparisonTable:
    return ComparisonTable(title, caption, labels, columns, tuple(rows), compares=False)
