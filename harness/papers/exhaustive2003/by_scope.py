"""Tables 2 and 4: generation, coverage, checking and mutants killed by scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.analysis.measures import scores
from harness.papers.exhaustive2003.dataset import GENERATOR, PaperInputs, last_of_each
from harness.papers.suites import Suite
from harness.store import CoverageKind
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.missing import NO_MUTANTS, NOT_FINISHED, NOT_RUN, NOTHING_TO_COVER, ratio_or
from harness.tables.table import Column, RowSource, Table

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
COLUMNS: tuple[Column[SuiteAtScope], ...] = (
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
    return Table.of(title, _caption(dataset, suites), ("benchmark", "scope"), COLUMNS, cases)


def _caption(dataset: PaperInputs, suites: Sequence[Suite]) -> str:
    trials = [suite.trials[0] for suite in suites]
    generators = ", ".join(sorted({f"{GENERATOR} {trial['generator_version']}" for trial in trials}))
    versions = ", ".join(sorted({trial["version"] for trial in trials}))
    ways = ", ".join(sorted({f"{trial['mode']} with {trial['approach']} mutants" for trial in trials}))
    machine = dataset.frames.machine
    return (
        f"{dataset.counted} Inputs are sums over target methods; coverage is of target and helper "
        "methods, branch coverage being executed branches / branches. Differences are measured minus published, "
        f"for percentages in points. Generator {generators}; {ways}; mutascope {versions}. Programs and mutants are "
        "Python here and Java in the paper. Checking seconds are those of the original with its oracles on all inputs. "
        f"gen. is {GENERATOR}, whose search is compiled where it is long; ded. is {DEDICATED}, which is interpreted: "
        "beside each other they compare engines as well as predicates. The first scope whose search is compiled "
        "includes the compiler's half a second. "
        f"Seconds are of this machine ({machine}); the paper's are of a 1.8 GHz Pentium 4 with Sun's JVM 1.3.1."
    )
