"""Tables 2 and 4: generation, coverage, checking and mutants killed by scope."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from harness.analysis.measures import coverage_ratios, scores
from harness.papers.exhaustive2003.given import GENERATOR, PaperInputs, columns_of, compared_row, trials_of
from harness.store import CoverageKind
from harness.tables.cell import Measured, Missing, Unit
from harness.tables.missing import NO_MUTANTS, NOT_FINISHED, NOT_RUN, NOTHING_TO_COVER, ratio_or
from harness.tables.table import Heading, Table

DEDICATED = "korat-dedicated"
NO_DEDICATED = Missing("not run with dedicated generators (paper, section 5)")

_TABLE4 = (
    (Heading("gen. [s]", Unit.SECONDS, published=True), "gen_seconds"),
    (Heading("ded. [s]", Unit.SECONDS, published=True), "gen_dedicated_seconds"),
    (Heading("spec st. [%]", Unit.PERCENT, published=True), "spec_statement_pct"),
    (Heading("spec br. [%]", Unit.PERCENT, published=True), "spec_branch_pct"),
    (Heading("inputs", Unit.COUNT, published=True), "inputs"),
    (Heading("checking [s]", Unit.SECONDS, published=True), "check_seconds"),
    (Heading("code st. [%]", Unit.PERCENT, published=True), "code_statement_pct"),
    (Heading("code br. [%]", Unit.PERCENT, published=True), "code_branch_pct"),
    (Heading("mutants killed [%]", Unit.PERCENT, published=True), "mutants_killed_pct"),
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
    seconds = frames.seconds
    coverage = {(r["trial"], r["kind"]): r for r in coverage_ratios(frames).to_dict("records")}
    scored = scores(frames, given.policy, given.proven).set_index("trial")["score"].to_dict()
    narrowed = frames.trials[frames.trials["generator"] == DEDICATED]
    dedicated = {
        (trial["title"], trial["scope"]): seconds[trial["trial"], "generate"]
        for trial in narrowed.to_dict("records")
        if (trial["trial"], "generate") in seconds
    }
    rows = []
    for trial in trials.to_dict("records"):
        key = trial["trial"]
        measured: tuple[Measured, ...] = (
            seconds.get((key, "generate"), NOT_RUN),
            dedicated.get((trial["title"], trial["scope"]), NO_DEDICATED),
            *_covered(coverage, key, CoverageKind.SPEC),
            int(trial["inputs"]),
            seconds.get((key, "baseline"), NOT_RUN),
            *_covered(coverage, key, CoverageKind.CODE),
            (ratio_or(scored[key], NO_MUTANTS) if key in scored else NOT_FINISHED),
        )
        labels = (trial["title"], str(trial["scope"]))
        rows.append(compared_row(labels, " ".join(labels), measured, _TABLE4, published))
    caption = _caption(given, trials)
    return Table(title, caption, ("benchmark", "scope"), columns_of(_TABLE4), tuple(rows))


def _covered(
    coverage: Mapping[tuple[str, str], Mapping[Hashable, Any]], trial: str, kind: CoverageKind
) -> tuple[Measured, Measured]:
    ratios = coverage.get((trial, kind.value))
    if ratios is None:
        return NOT_RUN, NOT_RUN
    return ratio_or(ratios["statement_coverage"], NOTHING_TO_COVER), ratio_or(
        ratios["branch_coverage"], NOTHING_TO_COVER
    )


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
