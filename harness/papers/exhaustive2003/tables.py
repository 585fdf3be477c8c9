"""Tables 1 to 4, and survivors of the largest scope with arguments for equivalence (section 8.2)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import stdev
from typing import Any, NamedTuple

import pandas as pd

from harness.analysis.frames import RunFrames
from harness.analysis.measures import scores
from harness.analysis.score_caption import named
from harness.errors import UsageError
from harness.measured.sampling import Sign, Versus
from harness.model.outcome import Equivalence, EquivalenceArgument, ScorePolicy, Verdict
from harness.papers.exhaustive2003.run import GENERATOR, LARGEST_SCOPES, PaperInputs, SubjectFacts, last_of_each, order
from harness.papers.suites import Suite
from harness.store import CoverageKind
from harness.tables.table import (
    NO_MUTANTS,
    NOT_FINISHED,
    NOT_RUN,
    NOTHING_TO_COVER,
    Column,
    Measured,
    Missing,
    RowSource,
    Table,
    Unit,
    ratio_or,
)

_Benchmark = tuple[SubjectFacts, "int | None"]
"""The facts of a subject, and its branch outcomes if they were measured."""

_TABLE1: tuple[Column[_Benchmark], ...] = (
    Column("target methods", Unit.TEXT, lambda one: " ".join(one[0].targets), "target_methods"),
    Column("helper methods", Unit.TEXT, lambda one: " ".join(one[0].helpers), "some_helper_methods"),
    Column("ncnb lines", Unit.COUNT, lambda one: one[0].ncnb_lines, "ncnb_lines"),
    Column("branching points", Unit.COUNT, lambda one: one[0].branching_points, "branches"),
    Column("branching statements", Unit.COUNT, lambda one: one[0].branching_statements),
    Column("branch outcomes", Unit.COUNT, lambda one: one[1], missing=NOT_RUN),
    Column("mutants", Unit.COUNT, lambda one: one[0].mutants, "mutants"),
)


def table1(dataset: PaperInputs) -> Table:
    """Tabulate benchmarks and target methods.

    Raises:
        UsageError: no subject is given.
    """
    if not dataset.subjects:
        raise UsageError("Table 1 describes subjects and none is given; name at least one")
    published = dataset.printed("table1", keys=1)
    outcomes = _branch_outcomes(dataset.frames)
    cases = (
        RowSource((facts.title,), (facts, outcomes.get(facts.title)), published.row(facts.title))
        for facts in sorted(dataset.subjects, key=lambda facts: order(facts.title))
    )
    caption = (
        f"Measured from the subjects' sources and mutants ({dataset.operators}): lines that are neither comment nor "
        "blank and branching points of the target and helper methods, and the number of mutants. The paper does not "
        "say what it counts as a branch. Branching points are if, elif, while, for, case, conditional expressions, and "
        "the loops and filters of comprehensions; branching statements are the first five alone; branch outcomes are "
        "what coverage.py counts, and branch coverage is of: where each of these statements can go. The paper's "
        f"programs are Java; it names some of the helper methods.{dataset.samples}"
    )
    return Table.of("Table 1: benchmarks and target methods", caption, ("benchmark",), _TABLE1, cases)


def _branch_outcomes(frames: RunFrames) -> dict[str, int]:
    """Return, by title, the branches of the code, as coverage.py counted them in the latest trial."""
    code = frames.coverage[frames.coverage["kind"] == CoverageKind.CODE.value]
    sums = code.groupby("trial")["branches"].sum()
    trials = frames.trials[frames.trials["trial"].isin(sums.index)]
    return {str(title): int(sums[trial]) for title, trial in zip(trials["title"], trials["trial"], strict=True)}


DEDICATED = "korat-dedicated"
NO_DEDICATED = Missing("not run with dedicated generators (paper, section 5)")


@dataclass(frozen=True)
class SuiteAtScope:
    """A suite, the seconds of making it with the dedicated generator, and its score."""

    suite: Suite
    dedicated: float | None
    score: Measured

    def covered(self, kind: CoverageKind, unit: str) -> Measured:
        """Return the coverage of `statement`s or `branch`es, or why there is none."""
        ratios = self.suite.coverage(kind)
        return NOT_RUN if ratios is None else ratio_or(ratios[f"{unit}_coverage"], NOTHING_TO_COVER)


_SPEC, _CODE = CoverageKind.SPEC, CoverageKind.CODE
_BY_SCOPE: tuple[Column[SuiteAtScope], ...] = (
    Column("gen. [s]", Unit.SECONDS, lambda at: at.suite.elapsed, "gen_seconds", NOT_RUN),
    Column("ded. [s]", Unit.SECONDS, lambda at: at.dedicated, "gen_dedicated_seconds", NO_DEDICATED),
    Column("spec st. [%]", Unit.PERCENT, lambda at: at.covered(_SPEC, "statement"), "spec_statement_pct"),
    Column("spec br. [%]", Unit.PERCENT, lambda at: at.covered(_SPEC, "branch"), "spec_branch_pct"),
    Column("inputs", Unit.COUNT, lambda at: at.suite.inputs, "inputs"),
    Column("checking [s]", Unit.SECONDS, lambda at: at.suite.testing, "check_seconds", NOT_RUN),
    Column("code st. [%]", Unit.PERCENT, lambda at: at.covered(_CODE, "statement"), "code_statement_pct"),
    Column("code br. [%]", Unit.PERCENT, lambda at: at.covered(_CODE, "branch"), "code_branch_pct"),
    Column("mutants killed [%]", Unit.PERCENT, lambda at: at.score, "mutants_killed_pct"),
)


def table2(dataset: PaperInputs) -> Table:
    """Return Table 4 for the last two scopes run of each subject (section 8)."""
    return _by_scope(dataset, "Table 2: the last two scopes", last_of_each(dataset.suites, 2))


def table4(dataset: PaperInputs) -> Table:
    """Tabulate generation, coverage, checking and killed mutants at every scope run (appendix B).

    Seconds of generation are those that found the suite (a cached suite keeps them); checking
    seconds are those of the original with its oracles on all inputs.
    """
    return _by_scope(dataset, "Table 4: all scopes", dataset.suites)


def _by_scope(dataset: PaperInputs, title: str, suites: Sequence[Suite]) -> Table:
    published = dataset.printed("table4", keys=2)
    scored = scores(dataset.frames, dataset.policy, dataset.proven).set_index("trial")["score"].to_dict()
    dedicated = {
        (suite.title, suite.scope): suite.elapsed for suite in dataset.suites_of(DEDICATED) if suite.elapsed is not None
    }
    cases = []
    for suite in suites:
        name, scope = suite.title, suite.scope
        score = ratio_or(scored[suite.trial], NO_MUTANTS) if suite.trial in scored else NOT_FINISHED
        at = SuiteAtScope(suite, dedicated.get((name, scope)), score)
        cases.append(RowSource((name, str(scope)), at, published.row(name, scope)))
    trials = [suite.trials[0] for suite in suites]
    generators = ", ".join(sorted({f"{GENERATOR} {trial['generator_version']}" for trial in trials}))
    versions = ", ".join(sorted({trial["version"] for trial in trials}))
    ways = ", ".join(sorted({f"{trial['mode']} with {trial['approach']} mutants" for trial in trials}))
    machine = dataset.frames.machine
    caption = (
        f"{dataset.counted} Inputs are sums over target methods; coverage is of target and helper "
        "methods, branch coverage being executed branches / branches. Differences are measured minus published, "
        f"for percentages in points. Generator {generators}; {ways}; mutascope {versions}. Programs and mutants are "
        "Python here and Java in the paper. Checking seconds are those of the original with its oracles on all inputs. "
        f"gen. is {GENERATOR}, whose search is compiled where it is long; ded. is {DEDICATED}, which is interpreted: "
        "beside each other they compare engines as well as predicates. The first scope whose search is compiled "
        "includes the compiler's half a second. "
        f"Seconds are of this machine ({machine}); the paper's are of a 1.8 GHz Pentium 4 with Sun's JVM 1.3.1."
    )
    return Table.of(title, caption, ("benchmark", "scope"), _BY_SCOPE, cases)


LEAST_DIFFERENCE = Fraction(36, 10_000)
"""The least difference of two scores that the paper marks as one (HeapArray in Table 3: 95.99 and 96.35 %)."""


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


_TABLE3: tuple[Column[SelectionCounts], ...] = (
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
    return Table.of("Table 3: exhaustive suites and random selections", caption, ("benchmark", "scope"), _TABLE3, cases)


NOT_COUNTED = Missing("not counted in this run")
NO_ARGUMENT = "none"


@dataclass(frozen=True)
class Survivor:
    """A mutant that survives: its result, the finished scopes of its subject, and the argument for its equivalence."""

    result: Mapping[Hashable, Any]
    scopes: str
    argument: EquivalenceArgument | None


@dataclass(frozen=True)
class SurvivorCounts:
    """The mutants that survive a trial, with its scores by policy, and what is held of each mutant's equivalence."""

    inputs: int
    scores: Mapping[ScorePolicy, Fraction | None]
    results: pd.DataFrame
    held: Sequence[Equivalence]

    def never(self, condition: str) -> Measured:
        """Return how many mutants no input `reached` or `infected`."""
        counts = self.results[condition]
        return NOT_COUNTED if counts.isna().any() else int((counts == 0).sum())


SURVIVORS: tuple[Column[Survivor], ...] = (
    Column("function", Unit.TEXT, lambda one: one.result["function"]),
    Column("scopes run", Unit.TEXT, lambda one: one.scopes),
    Column("inputs", Unit.COUNT, lambda one: int(one.result["inputs_run"])),
    Column("executed", Unit.COUNT, lambda one: _counted(one.result["executed"])),
    Column("reached", Unit.COUNT, lambda one: _counted(one.result["reached"])),
    Column("infected", Unit.COUNT, lambda one: _counted(one.result["infected"])),
    Column(
        "equivalence",
        Unit.TEXT,
        lambda one: one.argument.equivalence.value if one.argument else Equivalence.UNKNOWN.value,
    ),
    Column("argument", Unit.TEXT, lambda one: " ".join(one.argument.argument.split()) if one.argument else NO_ARGUMENT),
)
_ALL, _UNPROVEN = ScorePolicy.ALL_VIABLE, ScorePolicy.WITHOUT_PROVEN
EQUIVALENCE: tuple[Column[SurvivorCounts], ...] = (
    Column("inputs", Unit.COUNT, lambda counts: counts.inputs, "inputs"),
    Column(f"{_ALL.value} [%]", Unit.PERCENT, lambda counts: counts.scores[_ALL], "mutants_killed_pct", NO_MUTANTS),
    Column(f"{_UNPROVEN.value} [%]", Unit.PERCENT, lambda counts: counts.scores[_UNPROVEN], missing=NO_MUTANTS),
    Column("survivors", Unit.COUNT, lambda counts: len(counts.results)),
    Column("proven", Unit.COUNT, lambda counts: counts.held.count(Equivalence.PROVEN)),
    Column("suspected", Unit.COUNT, lambda counts: counts.held.count(Equivalence.SUSPECTED)),
    Column("unknown", Unit.COUNT, lambda counts: counts.held.count(Equivalence.UNKNOWN)),
    Column("never reached", Unit.COUNT, lambda counts: counts.never("reached")),
    Column("never infected", Unit.COUNT, lambda counts: counts.never("infected")),
)


def survivors(dataset: PaperInputs) -> Table:
    """Return one row for each mutant that survives the largest scope run."""
    cases = []
    for suite in dataset.largest:
        scopes = _scopes(dataset, suite.title)
        for result in _surviving(dataset, suite).to_dict("records"):
            argument = dataset.arguments.get(suite.subject, {}).get(result["mutant"])
            cases.append(RowSource((suite.title, result["mutant"]), Survivor(result, scopes, argument)))
    caption = (
        f"Mutants that no input within the largest scope run kills; {named(dataset.frames.oracles)}. "
        "Inputs: the bounded evidence, at that scope. "
        "Executed: of these, the inputs on which the mutant was really run; on the others it is known to do as the "
        "original. Reached: inputs on which the original gets to the mutated place. Infected: those of them on which "
        "the value of the mutated expression, or of the comparison or condition that alone uses it, differs, or may. "
        "Equivalence is never set by a run: proven ones have an argument from the "
        "code and the representation invariant; suspected ones a reason, and what stands in the way of a proof; "
        "unknown ones have neither: a larger scope may kill them."
    )
    return Table.of("Survivors", caption, ("benchmark", "mutant"), SURVIVORS, cases)


def equivalence(dataset: PaperInputs) -> Table:
    """Return the scores at the largest scope run with and without proven equivalents, each under its policy's name."""
    published = dataset.printed("table4", keys=2)
    by_policy = {
        policy: scores(dataset.frames, policy, dataset.proven).set_index("trial")["score"].to_dict()
        for policy in ScorePolicy
    }
    cases = []
    for suite in dataset.largest:
        results = _surviving(dataset, suite)
        arguments = dataset.arguments.get(suite.subject, {})
        held = [arguments[m].equivalence if m in arguments else Equivalence.UNKNOWN for m in results["mutant"]]
        of_suite = {policy: by_trial[suite.trial] for policy, by_trial in by_policy.items()}
        counts = SurvivorCounts(suite.inputs, of_suite, results, held)
        cases.append(RowSource((suite.title, str(suite.scope)), counts, published.row(suite.title, suite.scope)))
    caption = (
        f"Scores at the largest scope run, under both policies; {named(dataset.frames.oracles)}. The "
        "survivors by what is held of them, and how many of them no input reached or infected. The paper tells no "
        "equivalents apart in its rates."
    )
    return Table.of("Equivalence", caption, ("benchmark", "scope"), EQUIVALENCE, cases)


def _surviving(dataset: PaperInputs, suite: Suite) -> pd.DataFrame:
    results = dataset.frames.results
    return results[(results["trial"] == suite.trial) & (results["verdict"] == Verdict.SURVIVED.value)]


def _scopes(dataset: PaperInputs, title: str) -> str:
    """Return the finished scopes of a subject, as `1-6` or `2, 4`."""
    scopes = [suite.scope for suite in dataset.suites if suite.title == title and suite.trials[0]["finished"]]
    whole = len(scopes) > 1 and scopes == list(range(scopes[0], scopes[-1] + 1))
    return f"{scopes[0]}-{scopes[-1]}" if whole else ", ".join(map(str, scopes))


def _counted(value: Any) -> Measured:
    return NOT_COUNTED if pd.isna(value) else int(value)
