"""Compares generators at equal budgets, selections by coverage, values for paths, and reductions of the search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from harness.analysis.score_caption import killed
from harness.model.outcome import OracleName
from harness.model.score import ScorePolicy
from harness.papers.jtestcraft2010.dataset import (
    ALL,
    AS_MANY,
    CALLS,
    INPUTS,
    SECONDS,
    SELECTED,
    SUBJECTS,
    WHOLE,
    EvaluatedPart,
    JtestcraftInputs,
)
from harness.papers.suites import Suite
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.missing import NO_MUTANT_RUN, NOT_RUN
from harness.tables.table import Column, RowSource, Table

COUNTED = killed(ScorePolicy.ALL_VIABLE, [OracleName.DIFFERENTIAL.value], "operator set mujava")
NO_OTHER = Missing("no other generator has a suite that large at this scope")
FORMER = Missing(
    "frozen before decision 090, of which the kill matrices are not at hand: the median of ten draws from the smallest "
    "suite of the generator that is large enough, or of random sequences of the first inputs; seconds are those of "
    "generation alone; and what no other generator kills was counted beside suites of other scopes"
)
VALUES = "values"
BOUNDS = frozenset({"calls", "length"})
"""Options that bound how long sequences are, so that there are more values than calls."""
ADJACENT = "adjacent"
FURTHER = ("hash_set",)
"""Subjects in addition to the paper's classes, by name; on the paper's, no two calls commute."""


@dataclass(frozen=True)
class Drawn:
    """A part of a suite in a table of several generators. `has_others`: other generators have comparable rows."""

    part: EvaluatedPart
    has_others: bool

    @property
    def unique_kills(self) -> Measured | None:
        """The number of mutants that no other generator kills, or the reason why it is not known."""
        if self.part.choice is None:
            return FORMER
        return self.part.unique_kills if self.has_others else NO_OTHER


@dataclass(frozen=True)
class EvaluatedParts:
    """A suite with its coverage and kills, its selection by coverage, and a random part of the same size."""

    suite: Suite
    whole: EvaluatedPart | None
    selected: EvaluatedPart | None
    drawn: EvaluatedPart | None

    def kill_share(self, part: EvaluatedPart | None) -> Fraction | None:
        """Return the share of the mutants killed by the whole suite that a part of it kills."""
        if part is None or part.killed is None or self.whole is None or not self.whole.killed:
            return None
        return part.killed / self.whole.killed


_Columns = tuple[Column[EvaluatedParts], ...]
_TESTED: _Columns = (
    Column("outcomes [%]", Unit.PERCENT, lambda one: None if one.whole is None else one.whole.reached),
    Column("score [%]", Unit.PERCENT, lambda one: _score(one.whole), missing=NO_MUTANT_RUN),
)
_CHOSEN = Column[EvaluatedParts](
    "selected", Unit.COUNT, lambda one: None if one.selected is None else int(one.selected.inputs)
)


def equal(dataset: JtestcraftInputs) -> Table:
    """Compare generators at one scope, at equal inputs, calls or processor seconds, and by their whole suites."""
    columns: tuple[Column[Drawn], ...] = (
        Column("suites", Unit.COUNT, lambda one: FORMER if one.part.choice is None else one.part.suites),
        Column("taken", Unit.TEXT, lambda one: one.part.choice or FORMER),
        Column("inputs", Unit.FACTOR, lambda one: one.part.inputs),
        Column("calls", Unit.FACTOR, lambda one: one.part.calls),
        Column("score [%]", Unit.PERCENT, lambda one: one.part.score, missing=NO_MUTANT_RUN),
        Column("outcomes [%]", Unit.PERCENT, lambda one: one.part.reached),
        Column("killed by no other", Unit.COUNT, lambda one: one.unique_kills, missing=NO_MUTANT_RUN),
    )
    cases = []
    for title in SUBJECTS:
        suite_parts = [part for basis in (INPUTS, CALLS, SECONDS, ALL) for part in dataset.of(title, basis)]
        group_sizes = Counter(_group(part) for part in suite_parts)
        for part in sorted(suite_parts, key=lambda part: part.suite.scope):
            limit = f"{part.limit:g}" if part.limit else ""
            labels = (title, str(part.suite.scope), part.basis, limit, part.suite.generator)
            cases.append(RowSource(labels, Drawn(part, group_sizes[_group(part)] > 1)))
    caption = (
        "Rows are comparable that have the same class, scope and budget. Scores are the mean over all draws of so many "
        "inputs (hypergeometric), and over several suites. calls count constructors; a state of korat has one call on "
        "it. seconds are of the processor, for the generation of the suite and the original on it; inputs are drawn "
        f"only after all of a suite is generated. {ALL}: whole suites. A generator without a row has no suite as large "
        "at this scope, or none in time. killed by no other: mutants that the inputs kill with a chance of at least "
        f"one half, and those of no other generator in the same rows. {COUNTED}"
    )
    title = "Generators at equal inputs, calls and processor time"
    labels = ("class", "scope", "at", "limit", "generator")
    return Table.of(title, caption, labels, columns, cases, compares=False)


def selections(dataset: JtestcraftInputs) -> Table:
    """Return the loss by selections of the inputs that reach an outcome which no earlier input reaches."""
    columns: _Columns = (
        Column("inputs", Unit.COUNT, lambda one: one.suite.inputs),
        _CHOSEN,
        *_TESTED,
        Column(
            "score of selected [%]",
            Unit.PERCENT,
            lambda one: NOT_RUN if one.selected is None else one.selected.score,
            missing=NO_MUTANT_RUN,
        ),
        Column("kept by selected [%]", Unit.PERCENT, lambda one: one.kill_share(one.selected), missing=NO_MUTANT_RUN),
        Column(
            "kept by as many at random [%]",
            Unit.PERCENT,
            lambda one: one.kill_share(one.drawn),
            missing=NO_MUTANT_RUN,
        ),
    )
    cases = (
        RowSource((title, suite.generator, str(suite.scope)), _evaluated(dataset, suite))
        for title in SUBJECTS
        for suite in _largest_of_each(dataset, title)
    )
    caption = (
        "Of each generator the largest suite with a kill matrix: the inputs that reach a condition outcome of the "
        "class which none before them does, so of equal coverage, and what they keep of the mutants that all inputs "
        "kill; as many inputs at random: the mean over all draws (hypergeometric)"
        f"{_former(dataset)}. {COUNTED}"
    )
    return _table("Suites selected by coverage", caption, columns, cases, "scope")


def values(dataset: JtestcraftInputs) -> Table:
    """Compare suites of the same paths that were solved to different values."""
    columns: _Columns = (
        Column("inputs", Unit.COUNT, lambda one: one.suite.inputs),
        *_TESTED,
        _CHOSEN,
        Column("score of selected [%]", Unit.PERCENT, lambda one: _score(one.selected)),
    )
    cases = (
        RowSource((title, part.suite.kind, part.suite.options.get(VALUES, ADJACENT)), _evaluated(dataset, part.suite))
        for title in SUBJECTS
        for part in dataset.of(title, WHOLE)
        if BOUNDS.intersection(part.suite.options)
    )
    caption = (
        "Each path of so many calls, solved to integers of 1 to 20, of BinomialHeap 0 to 19: the least ones "
        "(adjacent), far apart in the same order (spread), in turn the greatest and the least possible (boundary), "
        "drawn (random). The paths are the same, so is what they cover; the mutants need not take the same paths. "
        f"{COUNTED}"
    )
    return _table("Values for the same paths", caption, columns, cases, VALUES)


def reductions(dataset: JtestcraftInputs) -> Table:
    """Return the paths, states and seconds that each reduction of the search saves, and the score that it loses."""
    columns: _Columns = (
        Column("paths", Unit.COUNT, lambda one: one.suite.explored),
        Column("states", Unit.COUNT, lambda one: one.suite.states),
        Column("time [s]", Unit.SECONDS, lambda one: one.suite.generating),
        Column("tests", Unit.COUNT, lambda one: one.suite.inputs - 1),
        _TESTED[0],
        Column("score [%]", Unit.PERCENT, lambda one: _score(one.whole)),
    )
    cases = (
        RowSource((title, suite.generator, str(suite.scope)), _evaluated(dataset, suite))
        for title in (*SUBJECTS, *FURTHER)
        for suite in _ablated(dataset, title)
    )
    caption = (
        "The generator with a reduction switched off beside the generator as it is, at the same scope. symstra keeps "
        "the maximal states; keep=first: those that no earlier one subsumes, unequal: those that no earlier one is "
        "equal to, all: every one. hash_set is no class of the paper's: some of its calls commute. "
        "paths are executions of a call or sequence, states those that were kept, seconds "
        f"processor seconds of making the suite. {COUNTED}"
    )
    return _table("Reductions of the search", caption, columns, cases, "scope")


def _table(title: str, caption: str, columns: _Columns, cases: Iterable[RowSource[EvaluatedParts]], last: str) -> Table:
    return Table.of(title, caption, ("class", "generator", last), columns, cases, compares=False)


def _evaluated(dataset: JtestcraftInputs, suite: Suite) -> EvaluatedParts:
    return EvaluatedParts(suite, *(dataset.part(suite, basis) for basis in (WHOLE, SELECTED, AS_MANY)))


def _score(part: EvaluatedPart | None) -> Measured | None:
    """Return the score of a part; why there is none, if no mutant was run."""
    return None if part is None else NO_MUTANT_RUN if part.score is None else part.score


def _group(part: EvaluatedPart) -> tuple[str, float, int, bool]:
    """Return what comparable rows have in common."""
    return part.basis, part.limit, part.suite.scope, part.choice is None


def _largest_of_each(dataset: JtestcraftInputs, title: str) -> list[Suite]:
    """Return the largest suite with a selection and a kill matrix of each generator that is compared with others."""
    compared = {part.suite.generator for part in dataset.of(title, ALL)}
    largest: dict[str, Suite] = {}
    for part in dataset.of(title, WHOLE):
        has_selection = part.killed is not None and dataset.part(part.suite, SELECTED) is not None
        if has_selection and part.suite.generator in compared:
            largest[part.suite.generator] = part.suite
    return list(largest.values())


def _former(dataset: JtestcraftInputs) -> str:
    """Return what the caption adds where rows are frozen medians of ten draws."""
    former = any(part.basis == AS_MANY and part.choice is None for part in dataset.parts)
    return ", or of rows frozen before decision 090 the median of ten draws" if former else ""


def _ablated(dataset: JtestcraftInputs, title: str) -> Iterator[Suite]:
    """Return the suites of generators with a switch, each after the plain generator's at its scope."""
    mine = [suite for suite in dataset.suites if suite.subject == SUBJECTS.get(title, title)]
    switched = [s for s in mine if s.options and not {*BOUNDS, VALUES}.intersection(s.options)]
    for kind, scope in dict.fromkeys((suite.kind, suite.scope) for suite in switched):
        yield from (s for s in mine if s.generator == kind and s.scope == scope)
        yield from (s for s in switched if (s.kind, s.scope) == (kind, scope))
