"""An Evaluation of Exhaustive Testing for Data Structures (2003): Tables 1, 2 and 4, Figures 3 and 9."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from harness.analysis.frames import RunFrames
from harness.analysis.measures import Proven, coverage_ratios, scores
from harness.analysis.plots import Curve, ScopePanel, draw_scope_figure, scope_panels
from harness.errors import UsageError
from harness.model.score import ScorePolicy
from harness.papers.published import PublishedTable, read_published
from harness.papers.source_facts import SubjectFacts
from harness.papers.tables import Column, Comparison, ComparisonTable, Measured, Missing, Row, Unit
from harness.store import CoverageKind

NAME = "exhaustive2003"
GENERATOR = "korat"
BENCHMARKS = (
    "SearchTree", "DisjSet", "HeapArray", "BinomialHeap", "FibonacciHeap", "LinkedList", "SortedList", "TreeMap",
    "HashSet", "AVTree",
)  # fmt: skip
"""The paper's order of rows; other subjects follow by name."""

NOT_RUN = Missing("not run")
NO_DEDICATED = Missing("not run: there are no dedicated generators here (paper, section 5)")
NOT_FINISHED = Missing("not finished: mutants are left to run; run the experiment again to resume")
NOTHING_TO_COVER = Missing("nothing to cover")
NO_MUTANTS = Missing("no mutant counts under the policy")

_TABLE1 = (
    (Column("target methods", Unit.TEXT), "target_methods"),
    (Column("helper methods", Unit.TEXT), "some_helper_methods"),
    (Column("ncnb lines", Unit.COUNT), "ncnb_lines"),
    (Column("branches", Unit.COUNT), "branches"),
    (Column("mutants", Unit.COUNT), "mutants"),
)
_TABLE4 = (
    (Column("gen. [s]", Unit.SECONDS), "gen_seconds"),
    (Column("ded. [s]", Unit.SECONDS), "gen_dedicated_seconds"),
    (Column("spec st. [%]", Unit.PERCENT), "spec_statement_pct"),
    (Column("spec br. [%]", Unit.PERCENT), "spec_branch_pct"),
    (Column("inputs", Unit.COUNT), "inputs"),
    (Column("checking [s]", Unit.SECONDS), "check_seconds"),
    (Column("code st. [%]", Unit.PERCENT), "code_statement_pct"),
    (Column("code br. [%]", Unit.PERCENT), "code_branch_pct"),
    (Column("mutants killed [%]", Unit.PERCENT), "mutants_killed_pct"),
)
"""Our columns with the names they have among the published values."""


@dataclass(frozen=True)
class PaperInputs:
    """What tables and figures are made of: a run, the folder of published values, and facts of the subjects.

    `subjects` are needed by Table 1 alone; `proven` by a policy that leaves proven equivalents out.
    """

    frames: RunFrames
    published: Path
    subjects: Sequence[SubjectFacts] = ()
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE
    proven: Proven = field(default_factory=dict)


def table1(given: PaperInputs) -> ComparisonTable:
    """Benchmarks and target methods.

    Raises:
        UsageError: no subject is given.
    """
    if not given.subjects:
        raise UsageError("Table 1 describes subjects and none is given; name at least one")
    published = read_published(given.published, NAME, "table1", keys=1)
    rows = []
    for facts in sorted(given.subjects, key=lambda facts: _order(facts.title)):
        measured: tuple[Measured, ...] = (
            " ".join(facts.targets), " ".join(facts.helpers), facts.ncnb_lines, facts.branches, facts.mutants,
        )  # fmt: skip
        rows.append(_row((facts.title,), facts.title, measured, _TABLE1, published))
    caption = (
        "Measured from the subjects' sources and pinned mutant sets: lines that are neither comment nor blank and "
        "branching statements of the target and helper methods, and the number of mutants. The paper's programs are "
        "Java; it names some of the helper methods."
    )
    return ComparisonTable(
        "Table 1: benchmarks and target methods", caption, ("benchmark",), _columns(_TABLE1), tuple(rows)
    )


def table2(given: PaperInputs) -> ComparisonTable:
    """Table 4 for the last two scopes run of each subject (section 8)."""
    trials = _trials(given.frames)
    return _by_scope(given, "Table 2: the last two scopes", trials.groupby("title", sort=False).tail(2))


def table4(given: PaperInputs) -> ComparisonTable:
    """Generation, coverage, checking and mutants killed at every scope run (appendix B).

    Seconds of generation are those that found the suite (a cached suite keeps them); checking
    seconds are those of the original with its oracles on all inputs.
    """
    return _by_scope(given, "Table 4: all scopes", _trials(given.frames))


def figure3(given: PaperInputs) -> Figure:
    """Statement coverage and mutants killed by scope, for SearchTree.

    Raises:
        UsageError: the run has no SearchTree.
    """
    panels = [panel for panel in _panels(given) if panel.title == "SearchTree"]
    if not panels:
        raise UsageError("Figure 3 shows SearchTree and the run has none; run an experiment with it")
    return draw_scope_figure(panels, _note(given))


def figure9(given: PaperInputs) -> Figure:
    """As Figure 3, for every subject of the run."""
    return draw_scope_figure(_panels(given), _note(given))


TABLES = {"table1": table1, "table2": table2, "table4": table4}
FIGURES = {"figure3": figure3, "figure9": figure9}


def _order(title: str) -> tuple[int, str]:
    return (BENCHMARKS.index(title) if title in BENCHMARKS else len(BENCHMARKS), title)


def _trials(frames: RunFrames) -> pd.DataFrame:
    """One trial per subject and scope (the latest), in the paper's order.

    Raises:
        UsageError: there is none.
    """
    mine = frames.trials[frames.trials["generator"] == GENERATOR].drop_duplicates(["title", "scope"], keep="last")
    if not len(mine):
        raise UsageError(f"the run has no trial of generator {GENERATOR}, which {NAME} is about; run one first")
    order = [(*_order(title), scope) for title, scope in zip(mine["title"], mine["scope"], strict=True)]
    return mine.iloc[sorted(range(len(order)), key=order.__getitem__)]


def _by_scope(given: PaperInputs, title: str, trials: pd.DataFrame) -> ComparisonTable:
    published = read_published(given.published, NAME, "table4", keys=2)
    frames = given.frames
    seconds = frames.timings.set_index(["trial", "what"])["seconds"].to_dict()
    coverage = {(r["trial"], r["kind"]): r for r in coverage_ratios(frames).to_dict("records")}
    scored = scores(frames, given.policy, given.proven).set_index("trial")["score"].to_dict()
    rows = []
    for trial in trials.to_dict("records"):
        key = trial["trial"]
        measured: tuple[Measured, ...] = (
            seconds.get((key, "generate"), NOT_RUN),
            NO_DEDICATED,
            *_covered(coverage, key, CoverageKind.SPEC),
            int(trial["inputs"]),
            seconds.get((key, "baseline"), NOT_RUN),
            *_covered(coverage, key, CoverageKind.CODE),
            (_or(scored[key], NO_MUTANTS) if key in scored else NOT_FINISHED),
        )
        labels = (trial["title"], str(trial["scope"]))
        rows.append(_row(labels, " ".join(labels), measured, _TABLE4, published))
    caption = _caption(given, trials)
    return ComparisonTable(title, caption, ("benchmark", "scope"), _columns(_TABLE4), tuple(rows))


def _covered(
    coverage: Mapping[tuple[str, str], Mapping[Hashable, Any]], trial: str, kind: CoverageKind
) -> tuple[Measured, Measured]:
    ratios = coverage.get((trial, kind.value))
    if ratios is None:
        return NOT_RUN, NOT_RUN
    return _or(ratios["statement_coverage"], NOTHING_TO_COVER), _or(ratios["branch_coverage"], NOTHING_TO_COVER)


def _or(ratio: Fraction | None, otherwise: Missing) -> Measured:
    return otherwise if ratio is None else ratio


def _columns(described: Iterable[tuple[Column, str]]) -> tuple[Column, ...]:
    return tuple(column for column, _ in described)


def _row(
    labels: tuple[str, ...],
    row: str,
    measured: tuple[Measured, ...],
    described: tuple[tuple[Column, str], ...],
    published: PublishedTable,
) -> Row:
    names = (name for _, name in described)
    cells = (Comparison(value, published.get((row, name))) for value, name in zip(measured, names, strict=True))
    return Row(labels, tuple(cells))


def _caption(given: PaperInputs, trials: pd.DataFrame) -> str:
    generators = ", ".join(sorted({f"{GENERATOR} {version}" for version in trials["generator_version"]}))
    versions = ", ".join(sorted(set(trials["version"])))
    ways = ", ".join(
        sorted({f"{mode} with {way} mutants" for mode, way in zip(trials["mode"], trials["approach"], strict=True)})
    )
    if given.frames.sessions:
        last = given.frames.sessions[-1]
        machine = f"{last.machine}, {last.cpus} CPUs, {last.platform}, Python {last.python}"
    else:
        machine = "not recorded"
    return (
        f"Mutants killed: {given.policy.value}. Inputs are sums over target methods; coverage is of target and helper "
        "methods, branch coverage being executed branches / branches. Differences are measured minus published, "
        f"for percentages in points. Generator {generators}; {ways}; mutascope {versions}. Programs and mutants are "
        "Python here and Java in the paper. Checking seconds are those of the original with its oracles on all inputs. "
        f"Seconds are of this machine ({machine}); the paper's are of a 1.8 GHz Pentium 4 with Sun's JVM 1.3.1."
    )


def _note(given: PaperInputs) -> str:
    return f"Mutants killed: {given.policy.value}. Dashed: as printed in the paper."


def _panels(given: PaperInputs) -> list[ScopePanel]:
    published = read_published(given.published, NAME, "table4", keys=2)
    panels = scope_panels(given.frames, GENERATOR, given.policy, given.proven)
    return [
        replace(
            panel,
            published_statement=_published_curve(published, panel.title, "code_statement_pct"),
            published_killed=_published_curve(published, panel.title, "mutants_killed_pct"),
        )
        for panel in sorted(panels, key=lambda panel: _order(panel.title))
    ]


def _published_curve(published: PublishedTable, title: str, column: str) -> Curve:
    found: list[tuple[int, float]] = []
    for (row, name), cell in published.items():
        benchmark, _, scope = row.rpartition(" ")
        if benchmark == title and name == column and cell.value is not None:
            found.append((int(scope), cell.value))
    return tuple(sorted(found))
