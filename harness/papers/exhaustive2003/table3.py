"""Table 3: random selections compared with exhaustive suites (section 8.5)."""

from __future__ import annotations

from fractions import Fraction
from statistics import stdev
from typing import NamedTuple

import pandas as pd

from harness.analysis.measures import scores
from harness.measured.sampling import Sign, Versus
from harness.papers.exhaustive2003.claims import LEAST_DIFFERENCE
from harness.papers.exhaustive2003.dataset import LARGEST_SCOPES, PaperInputs, order
from harness.tables.cell import Missing, Unit
from harness.tables.missing import NO_MUTANTS
from harness.tables.table import Column, RowSource, Table


class SelectionCounts(NamedTuple):
    """Random selections of |T(s-1)| inputs from T(s), with both exhaustive suites; counts of mutants.

    `expected` is the mean over all selections, `killed` are those of some seeds.
    """

    title: str
    scope: int
    size: int
    counted: int
    expected: Fraction
    killed: list[int]
    before: int
    whole: int

    def ratio(self, killed: int | Fraction) -> Fraction:
        """Return the share of the mutants that count."""
        return Fraction(killed) / self.counted

    @property
    def random(self) -> Fraction:
        """The expected score of a selection."""
        return self.ratio(self.expected)

    def sign(self, reference: int) -> Sign:
        """Return `<` (`>`) where the expected score is lower (higher) than a suite's by LEAST_DIFFERENCE; else `=`."""
        difference = self.random - self.ratio(reference)
        if abs(difference) < LEAST_DIFFERENCE:
            return Sign.EQUAL
        return Sign.WORSE if difference < 0 else Sign.BETTER

    @property
    def deviation(self) -> Fraction | float:
        """The standard deviation of the scores, in percentage points."""
        return stdev(100 * self.ratio(killed) for killed in self.killed) if len(self.killed) > 1 else 0.0


COLUMNS: tuple[Column[SelectionCounts], ...] = (
    Column("random killed [%]", Unit.PERCENT, lambda found: found.random, "random_mutants_killed_pct"),
    Column(
        "versus scope-1", Unit.TEXT, lambda found: found.sign(found.before).value, "versus_exhaustive_scope_minus_1"
    ),
    Column("versus scope", Unit.TEXT, lambda found: found.sign(found.whole).value, "versus_exhaustive_scope"),
    Column("selected inputs", Unit.COUNT, lambda found: found.size),
    Column("seeds", Unit.COUNT, lambda found: len(found.killed)),
    Column("sd [points]", Unit.POINTS, lambda found: found.deviation),
    Column("least [%]", Unit.PERCENT, lambda found: found.ratio(min(found.killed))),
    Column("most [%]", Unit.PERCENT, lambda found: found.ratio(max(found.killed))),
    Column("scope-1 killed [%]", Unit.PERCENT, lambda found: found.ratio(found.before)),
    Column("than scope-1: worse/equal/better", Unit.TEXT, lambda found: str(Versus.of(found.killed, found.before))),
    Column("scope killed [%]", Unit.PERCENT, lambda found: found.ratio(found.whole)),
    Column("than scope: worse/equal/better", Unit.TEXT, lambda found: str(Versus.of(found.killed, found.whole))),
)


def selections(dataset: PaperInputs) -> list[SelectionCounts]:
    """Return the selections of every sampled scope, in the paper's order; the policy decides which mutants count."""
    frames = dataset.frames
    scored = {row["trial"]: row for row in scores(frames, dataset.policy, dataset.proven).to_dict("records")}
    sampled = []
    for trial, rows in frames.samples.groupby("trial", sort=False):
        score = scored.get(str(trial))
        if score is None or pd.isna(rows["expected"].iloc[0]):
            continue  # of an earlier version of the subject, finished since, or frozen before it had an expectation
        sampled.append(
            SelectionCounts(
                title=str(score["title"]),
                scope=int(score["scope"]),
                size=int(rows["size"].iloc[0]),
                counted=int(score["counted"]),
                expected=Fraction(float(rows["expected"].iloc[0])),
                killed=[int(killed) for killed in rows["killed"]],
                before=int(rows["killed_before"].iloc[0]),
                whole=int(score["killed"]),
            )
        )
    return sorted(sampled, key=lambda s: (*order(s.title), s.scope))


def table3(dataset: PaperInputs) -> Table:
    """Compare the kills of random selections R(s) of T(s), as large as T(s-1), with those of T(s-1) and T(s).

    There is a row for each sampled scope, and the row of each of the paper's benchmarks.
    """
    published = dataset.printed("table3", keys=2)
    selections_of = {(selection.title, selection.scope): selection for selection in selections(dataset)}
    cases = []
    for title, scope in sorted({*LARGEST_SCOPES.items(), *selections_of}, key=lambda key: (*order(key[0]), key[1])):
        selection = selections_of.get((title, scope))
        why = Missing(f"not run: scope {scope} in mode matrix or selections, with scope {scope - 1} beside it")
        if selection is not None and not selection.counted:
            selection, why = None, NO_MUTANTS
        cases.append(RowSource((title, str(scope)), selection, published.row(title, scope), why))
    caption = (
        f"{dataset.counted} R(s) is a random selection of |T(s-1)| inputs from T(s), all inputs within scope s, "
        "without replacement. random killed: the mean over all such selections, exactly (hypergeometric), from the "
        "rows of one run of T(s) (mode matrix, or selections, where a row ends once the mutant is missed by a chance "
        "of e ** -16). '<' ('>'): this is lower (higher) than the score of the exhaustive suite by "
        f"{float(100 * LEAST_DIFFERENCE)} points or more, the least difference that the paper marks as one (HeapArray, "
        "95.99 and 96.35 %); '=': by less. Standard deviation (sd), least, most and the counts that are "
        "worse/equal/better are of the selections of some seeds: the inputs with the smallest keys of a SplitMix64 "
        "sequence. The paper does not say how many selections it drew."
    )
    return Table.of("Table 3: exhaustive suites and random selections", caption, ("benchmark", "scope"), COLUMNS, cases)
