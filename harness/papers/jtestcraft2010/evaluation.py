"""Generators at equal inputs, calls and processor time; suites selected by coverage; values of paths; reductions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from harness.analysis.captions import killed
from harness.model.outcome import OracleName
from harness.model.score import ScorePolicy
from harness.papers.jtestcraft2010.given import (
    AS_MANY,
    CALLS,
    INPUTS,
    LARGEST,
    NO_MUTANT_RUN,
    NOT_MEASURED,
    NOT_RUN,
    SECONDS,
    SELECTED,
    SUBJECTS,
    WHOLE,
    JtestcraftInputs,
    MeasuredSuite,
    Part,
)
from harness.papers.tables import Column, Comparison, ComparisonTable, Measured, Missing, Row, Unit

COUNTED = killed(ScorePolicy.ALL_VIABLE, [OracleName.DIFFERENTIAL.value], "operator set mujava")
_SCORE = Column("score [%]", Unit.PERCENT, published=False)
_REACHED = Column("outcomes [%]", Unit.PERCENT, published=False)
_INPUTS = Column("inputs", Unit.FACTOR, published=False)
NO_OTHER = Missing("no other generator is that large")
VALUES = "values"
BOUNDS = frozenset({"calls", "length"})
"""Options that bound how long sequences are, so that there are more values than calls."""
ADJACENT = "adjacent"
FURTHER = ("hash_set",)
"""Subjects beside the paper's classes, by their names: on the paper's, no two calls commute."""
KEPT = Column("kept by selected [%]", Unit.PERCENT, published=False)


def equal(given: JtestcraftInputs) -> ComparisonTable:
    """Generators beside each other: so many inputs, calls, processor seconds, and the whole suites."""
    columns = (
        _INPUTS,
        Column("calls", Unit.FACTOR, published=False),
        _SCORE,
        _REACHED,
        Column("killed by no other", Unit.COUNT, published=False),
    )
    rows = []
    for title in SUBJECTS:
        for basis in (INPUTS, CALLS, SECONDS, LARGEST):
            parts = given.of(title, basis)
            beside = Counter(part.limit for part in parts)
            for part in parts:
                labels = (title, basis, f"{part.limit:g}" if part.limit else "", part.suite.generator)
                rows.append(Row(labels, tuple(map(Comparison, _equal(part, beside[part.limit] > 1)))))
    caption = (
        "Medians of ten sub-suites, drawn at random from the smallest suite of a generator that is large enough; of "
        "random sequences, which are random by themselves, the beginnings of each seed's. seconds: the largest suite "
        "whose generation took no more processor seconds, of random sequences so much of it. largest: whole suites at "
        "the largest scope that mutants were run with. A generator without a row has no suite as large, or none in "
        "time. calls count constructors; a state of korat has one call on it. killed by no other: mutants that at "
        f"least half of the generator's sub-suites kill, and half of no other generator's in the same rows. {COUNTED}"
    )
    return _table("Generators at equal inputs, calls and processor time", caption, columns, rows, "at", "limit")


def selections(given: JtestcraftInputs) -> ComparisonTable:
    """What selections by coverage lose: the inputs that reach an outcome which none before them does."""
    columns = (
        Column("inputs", Unit.COUNT, published=False),
        Column("selected", Unit.COUNT, published=False),
        _REACHED,
        _SCORE,
        Column("score of selected [%]", Unit.PERCENT, published=False),
        KEPT,
        Column("kept by as many at random [%]", Unit.PERCENT, published=False),
    )
    rows = [
        Row((title, whole.suite.generator, str(whole.suite.scope)), tuple(map(Comparison, _selected(given, whole))))
        for title in SUBJECTS
        for whole in _largest_of_each(given, title)
    ]
    caption = (
        "Of each generator the largest suite with a kill matrix: the inputs that reach a condition outcome of the "
        "class which none before them does, so of equal coverage, and what they keep of the mutants that all inputs "
        "kill; as "
        f"many inputs at random: the median of ten selections. {COUNTED}"
    )
    return _table("Suites selected by coverage", caption, columns, rows, None, "scope")


def values(given: JtestcraftInputs) -> ComparisonTable:
    """The same paths, solved to other values."""
    columns = (
        Column("inputs", Unit.COUNT, published=False),
        _REACHED,
        _SCORE,
        Column("selected", Unit.COUNT, published=False),
        Column("score of selected [%]", Unit.PERCENT, published=False),
    )
    rows = []
    for title in SUBJECTS:
        for part in given.of(title, WHOLE):
            if BOUNDS.intersection(part.suite.options):
                chosen = given.part(part.suite, SELECTED)
                measured: tuple[Measured, ...] = (
                    part.suite.inputs,
                    part.reached,
                    _or(part.score),
                    NOT_MEASURED if chosen is None else int(chosen.inputs),
                    NOT_MEASURED if chosen is None else _or(chosen.score),
                )
                how = part.suite.options.get(VALUES, ADJACENT)
                rows.append(Row((title, part.suite.kind, how), tuple(map(Comparison, measured))))
    caption = (
        "Each path of so many calls, solved to integers of 1 to 20, of BinomialHeap 0 to 19: the least ones "
        "(adjacent), far apart in the same order (spread), in turn the greatest and the least possible (boundary), "
        "drawn (random). The paths are the same, so is what they cover; the mutants need not take the same paths. "
        f"{COUNTED}"
    )
    return _table("Values for the same paths", caption, columns, rows, None, VALUES)


def reductions(given: JtestcraftInputs) -> ComparisonTable:
    """What each reduction of the search saves: paths, states, seconds; and what the score loses by it."""
    columns = (
        Column("paths", Unit.COUNT, published=False),
        Column("states", Unit.COUNT, published=False),
        Column("time [s]", Unit.SECONDS, published=False),
        Column("tests", Unit.COUNT, published=False),
        _REACHED,
        _SCORE,
    )
    rows = [
        Row((title, suite.generator, str(suite.scope)), tuple(map(Comparison, _reduced(given, suite))))
        for title in (*SUBJECTS, *FURTHER)
        for suite in _ablated(given, title)
    ]
    caption = (
        "The generator with a reduction switched off beside the generator as it is, at the same scope. symstra keeps "
        "the maximal states; keep=first: those that no earlier one subsumes, unequal: those that no earlier one is "
        "equal to, all: every one. hash_set is no class of the paper's: some of its calls commute. "
        "paths are executions of a call or sequence, states those that were kept, seconds "
        f"processor seconds of making the suite. {COUNTED}"
    )
    return _table("Reductions of the search", caption, columns, rows, None, "scope")


def _table(
    title: str, caption: str, columns: tuple[Column, ...], rows: list[Row], basis: str | None, last: str
) -> ComparisonTable:
    labels = ("class", basis, last, "generator") if basis else ("class", "generator", last)
    return ComparisonTable(title, caption, labels, columns, tuple(rows), compares=False)


def _equal(part: Part, has_others: bool) -> tuple[Measured, ...]:
    alone: Measured = NO_OTHER
    if has_others:
        alone = NO_MUTANT_RUN if part.alone is None else part.alone
    return part.inputs, part.calls, _or(part.score), part.reached, alone


def _largest_of_each(given: JtestcraftInputs, title: str) -> list[Part]:
    """The whole suites that stand beside each other, of those with selections."""
    suites = dict.fromkeys(part.suite.trial for part in given.of(title, LARGEST))
    return [
        part
        for part in given.of(title, WHOLE)
        if part.suite.trial in suites and given.part(part.suite, SELECTED) is not None
    ]


def _selected(given: JtestcraftInputs, whole: Part) -> Iterator[Measured]:
    chosen, drawn = given.part(whole.suite, SELECTED), given.part(whole.suite, AS_MANY)
    yield whole.suite.inputs
    yield NOT_MEASURED if chosen is None else int(chosen.inputs)
    yield whole.reached
    yield _or(whole.score)
    yield NOT_RUN if chosen is None else _or(chosen.score)
    for part in (chosen, drawn):
        if part is None or part.killed is None or not whole.killed:
            yield NO_MUTANT_RUN
        else:
            yield part.killed / whole.killed


def _ablated(given: JtestcraftInputs, title: str) -> Iterator[MeasuredSuite]:
    """Generators with a switch, each behind the plain one at its scope."""
    mine = [suite for suite in given.suites if suite.subject == SUBJECTS.get(title, title)]
    switched = [s for s in mine if s.options and not {*BOUNDS, VALUES}.intersection(s.options)]
    for kind, scope in dict.fromkeys((suite.kind, suite.scope) for suite in switched):
        yield from (s for s in mine if s.generator == kind and s.scope == scope)
        yield from (s for s in switched if (s.kind, s.scope) == (kind, scope))


def _reduced(given: JtestcraftInputs, suite: MeasuredSuite) -> tuple[Measured, ...]:
    part = given.part(suite, WHOLE)
    return (
        suite.explored,
        suite.states,
        NOT_MEASURED if suite.seconds is None else suite.seconds,
        suite.inputs - 1,
        NOT_MEASURED if part is None else part.reached,
        NOT_MEASURED if part is None else _or(part.score),
    )


def _or(score: Measured | None) -> Measured:
    return NO_MUTANT_RUN if score is None else score
