"""Generators at equal inputs, calls and processor time; suites selected by coverage; values of paths; reductions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from harness.analysis.captions import killed
from harness.model.outcome import OracleName
from harness.model.score import ScorePolicy
from harness.papers.jtestcraft2010.given import (
    ALL,
    AS_MANY,
    CALLS,
    INPUTS,
    SECONDS,
    SELECTED,
    SUBJECTS,
    WHOLE,
    JtestcraftInputs,
    MeasuredSuite,
    Part,
)
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.missing import NO_MUTANT_RUN, NOT_MEASURED, NOT_RUN
from harness.tables.table import Heading, Row, Table

COUNTED = killed(ScorePolicy.ALL_VIABLE, [OracleName.DIFFERENTIAL.value], "operator set mujava")
_SCORE = Heading("score [%]", Unit.PERCENT)
_REACHED = Heading("outcomes [%]", Unit.PERCENT)
_INPUTS = Heading("inputs", Unit.FACTOR)
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
"""Subjects beside the paper's classes, by their names: on the paper's, no two calls commute."""
KEPT = Heading("kept by selected [%]", Unit.PERCENT)


def equal(given: JtestcraftInputs) -> Table:
    """Generators at one scope, side by side: so many inputs, calls, processor seconds, and the whole suites."""
    columns = (
        Heading("suites", Unit.COUNT),
        Heading("taken", Unit.TEXT),
        _INPUTS,
        Heading("calls", Unit.FACTOR),
        _SCORE,
        _REACHED,
        Heading("killed by no other", Unit.COUNT),
    )
    rows = []
    for title in SUBJECTS:
        found = [part for basis in (INPUTS, CALLS, SECONDS, ALL) for part in given.of(title, basis)]
        beside = Counter(_group(part) for part in found)
        for part in sorted(found, key=lambda part: part.suite.scope):
            limit = f"{part.limit:g}" if part.limit else ""
            labels = (title, str(part.suite.scope), part.basis, limit, part.suite.generator)
            rows.append(Row(labels, tuple(map(Comparison, _equal(part, beside[_group(part)] > 1)))))
    caption = (
        "Rows are comparable that have the same class, scope and budget. Of random sequences the first inputs are "
        "taken, of any other generator the mean over all draws of so many inputs (hypergeometric); of several suites "
        "the median. calls count constructors; a state of korat has one call on it. seconds are of the processor, for "
        "the generation of the suite and the original on it; inputs are drawn only after all of a suite is generated. "
        f"{ALL}: whole suites. A generator without a row has no suite as large at this scope, or none in time. killed "
        "by no other: mutants that the inputs kill with a chance of at least one half, and those of no other "
        f"generator in the same rows. {COUNTED}"
    )
    title = "Generators at equal inputs, calls and processor time"
    return Table(title, caption, ("class", "scope", "at", "limit", "generator"), columns, tuple(rows), compares=False)


def selections(given: JtestcraftInputs) -> Table:
    """What selections by coverage lose: the inputs that reach an outcome which none before them does."""
    columns = (
        Heading("inputs", Unit.COUNT),
        Heading("selected", Unit.COUNT),
        _REACHED,
        _SCORE,
        Heading("score of selected [%]", Unit.PERCENT),
        KEPT,
        Heading("kept by as many at random [%]", Unit.PERCENT),
    )
    rows = [
        Row((title, whole.suite.generator, str(whole.suite.scope)), tuple(map(Comparison, _selected(given, whole))))
        for title in SUBJECTS
        for whole in _largest_of_each(given, title)
    ]
    caption = (
        "Of each generator the largest suite with a kill matrix: the inputs that reach a condition outcome of the "
        "class which none before them does, so of equal coverage, and what they keep of the mutants that all inputs "
        "kill; as many inputs at random: the mean over all draws (hypergeometric)"
        f"{_former(given)}. {COUNTED}"
    )
    return _table("Suites selected by coverage", caption, columns, rows, "scope")


def values(given: JtestcraftInputs) -> Table:
    """The same paths, solved to other values."""
    columns = (
        Heading("inputs", Unit.COUNT),
        _REACHED,
        _SCORE,
        Heading("selected", Unit.COUNT),
        Heading("score of selected [%]", Unit.PERCENT),
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
    return _table("Values for the same paths", caption, columns, rows, VALUES)


def reductions(given: JtestcraftInputs) -> Table:
    """What each reduction of the search saves: paths, states, seconds; and what the score loses by it."""
    columns = (
        Heading("paths", Unit.COUNT),
        Heading("states", Unit.COUNT),
        Heading("time [s]", Unit.SECONDS),
        Heading("tests", Unit.COUNT),
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
    return _table("Reductions of the search", caption, columns, rows, "scope")


def _table(title: str, caption: str, columns: tuple[Heading, ...], rows: list[Row], last: str) -> Table:
    return Table(title, caption, ("class", "generator", last), columns, tuple(rows), compares=False)


def _group(part: Part) -> tuple[str, float, int, bool]:
    """Return what comparable rows have in common."""
    return part.basis, part.limit, part.suite.scope, part.taken is None


def _equal(part: Part, has_others: bool) -> tuple[Measured, ...]:
    alone: Measured = NO_OTHER
    if part.taken is None:
        alone = FORMER
    elif has_others:
        alone = NO_MUTANT_RUN if part.alone is None else part.alone
    suites: Measured = FORMER if part.taken is None else part.suites
    return suites, part.taken or FORMER, part.inputs, part.calls, _or(part.score), part.reached, alone


def _largest_of_each(given: JtestcraftInputs, title: str) -> list[Part]:
    """Return the largest suite with a selection and a kill matrix of each generator that is compared with others."""
    beside = {part.suite.generator for part in given.of(title, ALL)}
    found: dict[str, Part] = {}
    for part in given.of(title, WHOLE):
        has_selection = part.killed is not None and given.part(part.suite, SELECTED) is not None
        if has_selection and part.suite.generator in beside:
            found[part.suite.generator] = part
    return list(found.values())


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


def _former(given: JtestcraftInputs) -> str:
    """Return what the caption adds where rows are frozen medians of ten draws."""
    former = any(part.basis == AS_MANY and part.taken is None for part in given.parts)
    return ", or of rows frozen before decision 090 the median of ten draws" if former else ""


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
