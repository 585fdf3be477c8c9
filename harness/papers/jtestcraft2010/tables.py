"""Tables 6.1 and 6.2, generators at equal budgets, selections, values, reductions, and Figure 6.1 in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from harness import resources
from harness.analysis.frames import RunFrames, records
from harness.analysis.frozen import read_frozen
from harness.analysis.score_caption import killed, named
from harness.measured.evaluated_run import ALL, AS_MANY, SELECTED, WHOLE
from harness.model.outcome import OracleName, ScorePolicy, Verdict
from harness.model.pytest_suite import OWN_ASSERTIONS
from harness.papers.jtestcraft2010.run import (
    CALLS,
    CSS,
    FURTHER,
    INPUTS,
    MOST_TESTS,
    ROSTRA,
    SECONDS,
    SUBJECTS,
    SYMSTRA,
    ClassFacts,
    EvaluatedPart,
    JtestcraftInputs,
)
from harness.papers.suites import Suite
from harness.tables.published import PublishedRow, PublishedTable, PublishedValue
from harness.tables.table import NO_MUTANT_RUN, NOT_RUN, Column, Measured, Missing, RowSource, Table, Unit

_Class = tuple[ClassFacts, "list[EvaluatedPart]"]
"""The facts of a class, and its suites with the condition outcomes that they reach."""

_TABLE6_1 = (
    Column[_Class]("methods under test", Unit.TEXT, lambda one: " ".join(one[0].tested), "methods_under_test"),
    Column[_Class]("private methods", Unit.TEXT, lambda one: " ".join(one[0].private), "relevant_private_methods"),
    Column[_Class]("lines", Unit.COUNT, lambda one: one[0].lines, "lines"),
    Column[_Class](
        "outcomes", Unit.COUNT, lambda one: max((part.outcomes for part in one[1]), default=None), "branches"
    ),
)


def table6_1(dataset: JtestcraftInputs) -> Table:
    """Return a row per class, in the order of the paper."""
    published = dataset.printed("table6_1", keys=1)
    caption = (
        "Methods and lines are read off the sources that ship, which were written from the description in the paper: "
        "lines of Python, those of comments and blank ones included, where the paper's are of Java. outcomes, "
        "the paper's "
        "branches: two of each atomic condition in the methods of the class itself, and one entry of each of its "
        "methods and of its constructor, as they were measured in the run (docs/jtestcraft2010.md)."
    )
    cases = (
        RowSource((title, subject), (dataset.classes[title], list(dataset.of(title, WHOLE))), published.row(title))
        for title, subject in SUBJECTS.items()
    )
    return Table.of("Table 6.1: the classes", caption, ("class", "our subject"), _TABLE6_1, cases)


TABLE = "table6_2"
TOOLS = {"jtestcraft": CSS, "rostra": ROSTRA, "symstra": SYMSTRA}
"""The paper's tools, and our generators."""
LIMITS = {ROSTRA: MOST_TESTS, CSS: 5_000}
"""Our own limits: the first suite of more tests than this is the last one that was made of a class."""
BEYOND = {
    name: Missing(f"fewer calls have more than {most:,} tests already, which is our limit of {name}")
    for name, most in LIMITS.items()
}
COVERAGE = "branch_coverage_pct"
_MARKED = {"timeout": "*", "memory": "-", "timeout+memory": "- *"}


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


_TABLE6_2 = (
    Column[EvaluatedParts]("time [s]", Unit.SECONDS, lambda one: one.suite.generating, "seconds"),
    Column[EvaluatedParts]("tests", Unit.COUNT, lambda one: tests_of(one.suite), "tests"),
    Column[EvaluatedParts](
        "tests that increase coverage",
        Unit.COUNT,
        lambda one: None if one.selected is None else int(one.selected.inputs),
        "tests_selected",
    ),
    Column[EvaluatedParts](
        "coverage [%]", Unit.PERCENT, lambda one: None if one.whole is None else one.whole.reached, COVERAGE
    ),
)


def table6_2(dataset: JtestcraftInputs) -> Table:
    """Return every printed row, in the order of print."""
    caption = (
        "calls: behind the constructor's, for N as printed, which counts the constructor, and of Rostra and Symstra "
        "the argument of each call as well. Tests are those of up to so many calls: of rostra each call on "
        "each state, of "
        "symstra and css each path. * and - are limits of time and of memory that the paper's runs met; no number of "
        "such a row is compared with ours. Ours are that the first suite of more than 50,000 tests of "
        "rostra, and of more than "
        "5,000 of css, is the last of its class; cells beyond it have no number. Seconds are processor "
        f"seconds of making the suite here ({dataset.frames.machine}), on other machines in the paper. Coverage is of "
        "condition outcomes, of the suite in the row; the paper prints it once for all lengths, so that it is compared "
        "in the row of the longest sequences of which the tool made tests, if it met no limit there. Tests that "
        "increase coverage depend on the order of trying, which the paper does not state; those of JTestCraft are "
        "selected by paths of methods."
    )
    return Table.of(
        "Table 6.2: JTestCraft, Rostra and Symstra",
        caption,
        ("class", "tool", "N", "generator", "calls"),
        _TABLE6_2,
        _rows6_2(dataset),
    )


def _rows6_2(dataset: JtestcraftInputs) -> Iterator[RowSource[EvaluatedParts]]:
    published = dataset.printed(TABLE, keys=3)
    for row in published.rows:
        title, tool, length = row.key
        generator, scope = TOOLS[tool], scope_of(tool, int(length))
        suite = dataset.suite(title, generator, scope)
        yield RowSource(
            (*row.key, generator, str(scope)),
            None if suite is None else _evaluated(dataset, suite),
            as_printed(row),
            _missing(dataset, title, generator, scope),
            incomparable(published, row),
        )


def scope_of(tool: str, length: int) -> int:
    """Return the number of calls after the constructor's for which a printed N stands.

    Rostra's and Symstra's N counts the constructor, and for each call the call and its argument. JTestCraft's counts
    calls. Our integers are no objects, so all calls but the constructor's are calls of methods.
    """
    return length - 1 if tool == "jtestcraft" else (length + 1) // 2


def as_printed(row: PublishedRow) -> Mapping[str, PublishedValue]:
    """Return the cells of a row with the marks of limits as they are printed, so that these are no numbers any more.

    JTestCraft's tests have no mark where its seconds have one.
    """
    if not was_stopped(row):
        return row
    cells = dict(row)
    mark = _MARKED[row["note"].printed]
    marked = ("seconds",) if row.key[1] == "jtestcraft" else ("seconds", "tests")
    for name in ("seconds", "tests"):
        cell = cells.get(name)
        if cell is None or name in marked:
            text = mark if cell is None else f"{mark} {cell.printed}" if "-" in mark else f"{mark}{cell.printed}"
            cells[name] = PublishedValue(text)
    return cells


def has_tests(row: PublishedRow) -> bool:
    """Return whether the paper prints a number of tests; a run that met its limit may have made some."""
    return row.value("tests") is not None


def was_stopped(row: PublishedRow) -> bool:
    """Return whether the paper's run met a limit of time or of memory."""
    return "note" in row


def incomparable(table: PublishedTable, row: PublishedRow) -> Collection[str]:
    """Return the columns whose printed value is not that of a whole run: all of them if the run met a limit.

    Coverage is printed once for all lengths. So it is that of the longest sequences of which there are tests.
    """
    if was_stopped(row):
        return [column.published for column in _TABLE6_2]
    of_tool = [one for one in table.rows if one.key[:2] == row.key[:2] and has_tests(one)]
    return [] if row is max(of_tool, key=lambda one: int(one.key[2])) else [COVERAGE]


def tests_of(suite: Suite) -> int:
    """Return the number of inputs without the constructor's own, which is no test of the paper's."""
    return suite.inputs - 1


def _missing(dataset: JtestcraftInputs, title: str, generator: str, scope: int) -> Missing:
    """Return the reason why there is no suite: fewer calls already exceed our limit of tests, or it was not run."""
    most = LIMITS.get(generator)
    shorter = [
        s for s in dataset.suites if (s.subject, s.generator) == (SUBJECTS[title], generator) and s.scope < scope
    ]
    is_beyond = most is not None and any(tests_of(suite) > most for suite in shorter)
    return BEYOND[generator] if is_beyond else NOT_RUN


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


PEOPLE = "people"
BOTH = (PEOPLE, CSS)
"""The suites of Figure 6.1, by the titles of their trials."""

MODULE = "all"
KINDS = ("lines", "branches", "mutants")
NONE_THERE = Missing("there are none")


@dataclass(frozen=True)
class Package:
    """A module whose two suites were run. `module` is its title, `frozen` is its folder in results/frozen.

    Attributes:
        of_class: its class under test, whose methods are named without the class.
        people: a text on the tests of people, in which `{}` stands for their number.
        subject: the subject from which css writes its tests.
        scope: the scope of css.
    """

    module: str
    of_class: str
    people: str
    subject: str
    scope: int
    frozen: str

    @property
    def facts(self) -> Path:
        """The folder in which `python -m benchmarks.people_and_css` stores its results."""
        return resources.shipped(f"results/frozen/{self.frozen}")

    def suites(self, frames: RunFrames) -> str:
        """Return a description of both suites."""
        inputs = dict(zip(frames.trials["title"], frames.trials["inputs"], strict=True))
        return (
            f"{self.module}: {self.people.format(inputs[PEOPLE])} (people), and {inputs[CSS]} tests that `mutascope "
            f"suite {self.subject} --generator css --scope {self.scope} --export code --select all` writes (css)."
        )


FRACTIONS = Package("fractions", "Fraction", "CPython's own {} tests", "real/fraction", 2, "people_and_css")
RB_TREE = Package(
    "bintrees.rbtree", "RBTree", "the {} tests of RBTree that bintrees 2.2.0 has", "containers/rb_tree", 4,
    "people_and_css_rb_tree",
)  # fmt: skip
PACKAGES = (FRACTIONS, RB_TREE)


@dataclass(frozen=True)
class OneFunction:
    """A function of the package, with those within it; or, as `all`, all of the module.

    `counts` has by kind and suite how many lines, branches or mutants there are, and how many the suite reaches or
    kills.
    """

    name: str
    counts: Mapping[tuple[str, str], tuple[int, int]]

    def total(self, kind: str) -> int:
        """Return how many of a kind there are."""
        return self.counts.get((kind, PEOPLE), (0, 0))[0]

    def part(self, kind: str, suite: str) -> Measured:
        """Return the share that the suite reaches or kills."""
        total, reached = self.counts.get((kind, suite), (0, 0))
        return Fraction(reached, total) if total else NONE_THERE


def functions_of(frames: RunFrames, of_class: str) -> Sequence[OneFunction]:
    """Return the counts of all functions together, and of each function in the order of the coverage frame.

    Args:
        frames: two trials of one module, titled `people` and `css`, with the coverage of both. Only mutants count that
            both have, since their selection depends on the types that a suite shows.
        of_class: the class whose methods are named without the class.
    """
    titles = dict(zip(frames.trials["trial"], frames.trials["title"], strict=True))
    counts: dict[str, dict[tuple[str, str], tuple[int, int]]] = {}

    def add(row: Mapping[str, Any], kind: str, count: int, reached: int) -> None:
        key = kind, titles[row["trial"]]
        for name in (MODULE, _outer(row["function"], of_class)):
            before = counts.setdefault(name, {}).get(key, (0, 0))
            counts[name][key] = before[0] + count, before[1] + reached

    for row in records(frames.coverage):
        add(row, "lines", row["statements"], row["statements_executed"])
        add(row, "branches", row["branches"], row["branches_executed"])
    trials_of = frames.results.groupby("mutant")["trial"].nunique()
    for row in records(frames.results[frames.results["mutant"].map(trials_of) == len(BOTH)]):
        add(row, "mutants", 1, row["verdict"] == Verdict.KILLED.value)
    return [OneFunction(name, of_name) for name, of_name in counts.items()]


def figure6_1(_: JtestcraftInputs) -> Table:
    """Return a row for each module, and one for each of its functions."""
    cases, suites = [], []
    for package in PACKAGES:
        frames = read_frozen(package.facts)
        suites.append(package.suites(frames))
        cases += [RowSource((package.module, one.name), one) for one in functions_of(frames, package.of_class)]
    caption = (
        " ".join(suites) + " Lines and "
        f"branches are coverage.py's; mutants are those of operator set mujava that both suites were run against, "
        f"{named([OWN_ASSERTIONS])}. What "
        "is within a function counts as its own. The paper has JPacman, whose figure prints no numbers. These facts "
        "are frozen, and are not of the run that other tables are of."
    )
    title = "Figure 6.1: a suite that people wrote and one of css"
    return Table.of(title, caption, ("module", "function"), list(_columns6_1()), cases, compares=False)


def _columns6_1() -> Iterator[Column[OneFunction]]:
    for kind in KINDS:
        yield Column(kind, Unit.COUNT, partial(OneFunction.total, kind=kind))
        for suite in BOTH:
            yield Column(f"{kind}, {suite} [%]", Unit.PERCENT, partial(OneFunction.part, kind=kind, suite=suite))


def _outer(name: str, of_class: str) -> str:
    """Return the method, or the function of the module, that contains a function."""
    parts = name.split(".<locals>")[0].split(".")
    return ".".join(parts[1:2] if parts[0] == of_class and len(parts) > 1 else parts[:1]) or "the module"
