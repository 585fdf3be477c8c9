"""Table 3: random selections compared with exhaustive suites (section 8.5)."""

from __future__ import annotations

from fractions import Fraction
from statistics import stdev
from typing import NamedTuple

from harness.analysis.measures import scores
from harness.measured.sampling import ALPHA, Versus
from harness.papers.exhaustive2003.dataset import LARGEST_SCOPES, PaperInputs, order
from harness.tables.cell import Missing, Unit
from harness.tables.missing import NO_MUTANTS
from harness.tables.table import Column, RowSource, Table


class SelectionCounts(NamedTuple):
    """Random selections of |T(s-1)| inputs from T(s), with both exhaustive suites; counts of mutants."""

    title: str
    scope: int
    size: int
    counted: int
    killed: list[int]
    before: int
    whole: int

    @property
    def versus_before(self) -> Versus:
        """The selections compared with T(s-1)."""
        return Versus.of(self.killed, self.before)

    @property
    def versus_whole(self) -> Versus:
        """The selections compared with T(s)."""
        return Versus.of(self.killed, self.whole)

    def ratio(self, killed: int | Fraction) -> Fraction:
        """Return the share of the mutants that count."""
        return Fraction(killed) / self.counted

    @property
    def mean(self) -> Fraction:
        """The mean score of all selections."""
        return self.ratio(Fraction(sum(self.killed), len(self.killed)))

    @property
    def deviation(self) -> Fraction | float:
        """The standard deviation of the scores, in percentage points."""
        return stdev(100 * self.ratio(killed) for killed in self.killed) if len(self.killed) > 1 else 0.0


COLUMNS: tuple[Column[SelectionCounts], ...] = (
    Column("random killed [%]", Unit.PERCENT, lambda found: found.mean, "random_mutants_killed_pct"),
    Column(
        "versus scope-1", Unit.TEXT, lambda found: found.versus_before.sign.value, "versus_exhaustive_scope_minus_1"
    ),
    Column("versus scope", Unit.TEXT, lambda found: found.versus_whole.sign.value, "versus_exhaustive_scope"),
    Column("selected inputs", Unit.COUNT, lambda found: found.size),
    Column("seeds", Unit.COUNT, lambda found: found.versus_before.seeds),
    Column("sd [points]", Unit.POINTS, lambda found: found.deviation),
    Column("least [%]", Unit.PERCENT, lambda found: found.ratio(min(found.killed))),
    Column("most [%]", Unit.PERCENT, lambda found: found.ratio(max(found.killed))),
    Column("scope-1 killed [%]", Unit.PERCENT, lambda found: found.ratio(found.before)),
    Column("than scope-1: worse/equal/better", Unit.TEXT, lambda found: str(found.versus_before)),
    Column("scope killed [%]", Unit.PERCENT, lambda found: found.ratio(found.whole)),
    Column("than scope: worse/equal/better", Unit.TEXT, lambda found: str(found.versus_whole)),
)


def selections(dataset: PaperInputs) -> list[SelectionCounts]:
    """Return the selections of every sampled scope, in the paper's order; the policy decides which mutants count."""
    frames = dataset.frames
    scored = {row["trial"]: row for row in scores(frames, dataset.policy, dataset.proven).to_dict("records")}
    sampled = []
    for trial, rows in frames.samples.groupby("trial", sort=False):
        score = scored.get(str(trial))
        if score is None:
            continue  # of an earlier version of the subject, or finished since the other frames were loaded
        sampled.append(
            SelectionCounts(
                title=str(score["title"]),
                scope=int(score["scope"]),
                size=int(rows["size"].iloc[0]),
                counted=int(score["counted"]),
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
        f"{dataset.counted} From T(s), all inputs within scope s, each seed takes R(s) of |T(s-1)| "
        "inputs without replacement: those with the smallest keys of a SplitMix64 sequence. Nothing is run again: "
        "R(s) is scored from the rows of one run of T(s) (mode matrix, or selections, where a row ends once it decides "
        "all seeds). Mean, standard deviation (sd), least and most are over all "
        "seeds. '<' ('>'): significantly more than half of the selections kill fewer (more) mutants than the "
        f"exhaustive suite, by the two-sided exact sign test at {float(ALPHA)}, ties counting against a difference; "
        "'=': no such difference is shown. The counts of selections that are worse/equal/better stand beside. The "
        "paper does not say how many selections it drew."
    )
    return Table.of("Table 3: exhaustive suites and random selections", caption, ("benchmark", "scope"), COLUMNS, cases)
