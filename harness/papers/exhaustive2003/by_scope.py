"""Tables 2 and 4: generation, coverage, checking and mutants killed by scope."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from harness.analysis.measures import coverage_ratios, scores
from harness.papers.exhaustive2003.given import GENERATOR, PaperInputs, trials_of
from harness.store import CoverageKind
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.missing import NO_MUTANTS, NOT_FINISHED, NOT_RUN, NOTHING_TO_COVER, ratio_or
from harness.tables.table import Case, Column, Table

DEDICATED = "korat-dedicated"
NO_DEDICATED = Missing("not run with dedicated generators (paper, section 5)")


@dataclass(frozen=True)
class AtScope:
    """What is known of one trial: its rows of coverage by kind, its score if it is finished, seconds by activity."""

    inputs: int
    seconds: Mapping[str, float]
    dedicated: float | None
    coverage: Mapping[str, Mapping[Hashable, Any]]
    score: Measured

    def covered(self, kind: CoverageKind, what: str) -> Measured:
        """Return the coverage of `statement`s or `branch`es, or why there is none."""
        ratios = self.coverage.get(kind.value)
        return NOT_RUN if ratios is None else ratio_or(ratios[f"{what}_coverage"], NOTHING_TO_COVER)


_SPEC, _CODE = CoverageKind.SPEC, CoverageKind.CODE
COLUMNS: tuple[Column[AtScope], ...] = (
    Column("gen. [s]", Unit.SECONDS, lambda at: at.seconds.get("generate"), "gen_seconds", NOT_RUN),
    Column("ded. [s]", Unit.SECONDS, lambda at: at.dedicated, "gen_dedicated_seconds", NO_DEDICATED),
    Column("spec st. [%]", Unit.PERCENT, lambda at: at.covered(_SPEC, "statement"), "spec_statement_pct"),
    Column("spec br. [%]", Unit.PERCENT, lambda at: at.covered(_SPEC, "branch"), "spec_branch_pct"),
    Column("inputs", Unit.COUNT, lambda at: at.inputs, "inputs"),
    Column("checking [s]", Unit.SECONDS, lambda at: at.seconds.get("baseline"), "check_seconds", NOT_RUN),
    Column("code st. [%]", Unit.PERCENT, lambda at: at.covered(_CODE, "statement"), "code_statement_pct"),
    Column("code br. [%]", Unit.PERCENT, lambda at: at.covered(_CODE, "branch"), "code_branch_pct"),
    Column("mutants killed [%]", Unit.PERCENT, lambda at: at.score, "mutants_killed_pct"),
)


def table2(given: PaperInputs) -> Table:
    """Table 4 for the last two scopes run of each subject (section 8)."""
    trials = trials_of(given.frames)
    return _by_scope(given, "Table 2: the last two scopes", trials.groupby("title", sort=False).tail(2))


def table4(given: PaperInputs) -> Table:
    """Generation, coverage, checking and mutants killed at every scope run (appendix B).

    Seconds of generation are those that found the suite (a cached suite keeps them); checking
    seconds are those of the original with its oracles on all inputs.
    """
    return _by_scope(given, "Table 4: all scopes", trials_of(given.frames))


def _by_scope(given: PaperInputs, title: str, trials: pd.DataFrame) -> Table:
    published = given.printed("table4", keys=2)
    frames = given.frames
    seconds: dict[str, dict[str, float]] = {}
    for (key, activity), spent in frames.seconds.items():
        seconds.setdefault(key, {})[activity] = spent
    coverage: dict[str, dict[str, Mapping[Hashable, Any]]] = {}
    for row in coverage_ratios(frames).to_dict("records"):
        coverage.setdefault(row["trial"], {})[row["kind"]] = row
    scored = scores(frames, given.policy, given.proven).set_index("trial")["score"].to_dict()
    narrowed = frames.trials[frames.trials["generator"] == DEDICATED].to_dict("records")
    dedicated = {
        (trial["title"], trial["scope"]): duration
        for trial in narrowed
        if (duration := seconds.get(trial["trial"], {}).get("generate")) is not None
    }
    cases = []
    for trial in trials.to_dict("records"):
        key, name, scope = trial["trial"], trial["title"], trial["scope"]
        at = AtScope(
            int(trial["inputs"]),
            seconds.get(key, {}),
            dedicated.get((name, scope)),
            coverage.get(key, {}),
            ratio_or(scored[key], NO_MUTANTS) if key in scored else NOT_FINISHED,
        )
        cases.append(Case((name, str(scope)), at, published.row(name, scope)))
    return Table.of(title, _caption(given, trials), ("benchmark", "scope"), COLUMNS, cases)


def _caption(given: PaperInputs, trials: pd.DataFrame) -> str:
    generators = ", ".join(sorted({f"{GENERATOR} {version}" for version in trials["generator_version"]}))
    versions = ", ".join(sorted(set(trials["version"])))
    ways = ", ".join(
        sorted({f"{mode} with {way} mutants" for mode, way in zip(trials["mode"], trials["approach"], strict=True)})
    )
    machine = given.frames.machine
    return (
        f"{given.counted} Inputs are sums over target methods; coverage is of target and helper "
        "methods, branch coverage being executed branches / branches. Differences are measured minus published, "
        f"for percentages in points. Generator {generators}; {ways}; mutascope {versions}. Programs and mutants are "
        "Python here and Java in the paper. Checking seconds are those of the original with its oracles on all inputs. "
        f"gen. is {GENERATOR}, whose search is compiled where it is long; ded. is {DEDICATED}, which is interpreted: "
        "beside each other they compare engines as well as predicates. The first scope whose search is compiled "
        "includes the compiler's half a second. "
        f"Seconds are of this machine ({machine}); the paper's are of a 1.8 GHz Pentium 4 with Sun's JVM 1.3.1."
    )
