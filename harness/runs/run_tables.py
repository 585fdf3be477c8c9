"""Tables of a run of one's own, paper or no paper: what was made, covered and killed by scope, and who lives on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from harness.analysis.captions import killed
from harness.analysis.frames import RunFrames, detail_columns, remarks_of
from harness.analysis.measures import (
    Proven,
    by_function,
    by_operator,
    by_reason,
    coverage_ratios,
    row_labels,
    scored_rows,
    scores,
)
from harness.analysis.mutant_sets import SHORT, ScoredRow, mixed_sets
from harness.analysis.titles import row_name, titles_apart
from harness.model.experiment import ExecutionMode
from harness.model.own_suite import PYTEST
from harness.model.score import ScorePolicy
from harness.model.sequence import Observation
from harness.store import CoverageKind
from harness.tables.cell import Comparison, Measured, Missing, Unit
from harness.tables.missing import NO_MUTANTS, NOT_FINISHED, NOTHING_TO_COVER, ratio_or
from harness.tables.table import Heading, Row, Table

NO_RUN = Missing("mode generate runs no mutant")
NOT_YET_COVERED = Missing("not covered yet: run the experiment again to go on")
NOT_MEASURED = Missing("none: the experiment leaves coverage out, or the suite is made without running the spec")
NOT_TOLD = Missing("the generator tells no such detail")

_CODE, _SPEC = CoverageKind.CODE.value, CoverageKind.SPEC.value


class RunFacts(NamedTuple):
    """A run as one oracle judged it, and the judgement under which its tables are made; `judged` is of all oracles.

    `folder` has the store; None of a frozen run, which has none.
    """

    frames: RunFrames
    policy: ScorePolicy
    proven: Proven
    judged: RunFrames
    folder: Path | None = None


def scopes_table(run: RunFacts) -> Table:
    """One row per trial: states, inputs, details of generators, coverage of code and spec, mutants killed."""
    details = detail_columns(run.frames.trials)
    columns = (
        *_columns(Unit.COUNT, "explored", "valid", "inputs"),
        *_columns(Unit.TEXT, *details),
        *_columns(Unit.PERCENT, "statements [%]", "branches [%]", "spec st. [%]", "spec br. [%]"),
        *_columns(Unit.COUNT, "killed", "mutants"),
        *_columns(Unit.PERCENT, "killed [%]"),
    )
    covered = {(row["trial"], row["kind"]): row for row in coverage_ratios(run.frames).to_dict("records")}
    scored = {row["trial"]: row for row in scores(run.frames, run.policy, run.proven).to_dict("records")}
    rows = []
    for trial, labels in _labelled(run.frames, run.frames.trials):
        cells = (
            *(int(trial[name]) for name in ("explored", "states", "inputs")),
            *(NOT_TOLD if pd.isna(trial[name]) else str(trial[name]) for name in details),
            *_coverage(covered.get((trial["trial"], _CODE)), trial),
            *_coverage(covered.get((trial["trial"], _SPEC)), trial),
            *_score(scored.get(trial["trial"]), trial),
        )
        rows.append(_row(labels, cells))
    table = _table("By scope", run, columns, rows, ())
    return replace(table, caption=" ".join([table.caption, *_remarks(run.frames)]))


def operators_table(run: RunFacts) -> Table:
    """Of each subject and generator, the largest finished scope: mutants killed by operator."""
    return _by(run, by_operator, "operator")


def functions_table(run: RunFacts) -> Table:
    """Of each subject and generator, the largest finished scope: mutants killed by mutated function."""
    return _by(run, by_function, "function")


def reasons_table(run: RunFacts) -> Table:
    """Of each subject and generator, the largest finished scope: kills by what gave the mutant away, and when."""
    kills = by_reason(run.frames)
    rows = [
        _row((*labels, str(kill["reason"]), str(kill["phase"])), (int(kill["kills"]),))
        for trial, labels in _labelled(run.frames, _largest(run.frames))
        for kill in kills[kills["trial"] == trial["trial"]].to_dict("records")
    ]
    return _table("By reason", run, _columns(Unit.COUNT, "kills"), rows, ("reason", "phase"))


RUN_TABLES: Mapping[str, Callable[[RunFacts], Table]] = {
    "scopes": scopes_table,
    "operators": operators_table,
    "functions": functions_table,
    "reasons": reasons_table,
}


def shown_titles(trials: pd.DataFrame) -> dict[str, str]:
    """By subject, the title that it goes by; with the subject's name where another one has the same title."""
    return titles_apart(dict(zip(trials["subject"], trials["title"], strict=True)))


def _by(run: RunFacts, measure: Callable[[RunFrames, ScorePolicy, Proven], pd.DataFrame], what: str) -> Table:
    found = measure(run.frames, run.policy, run.proven)
    columns = (*_columns(Unit.COUNT, "killed", "mutants"), *_columns(Unit.PERCENT, "killed [%]"))
    rows = [
        _row((*labels, str(row[what])), (int(row["killed"]), int(row["counted"]), ratio_or(row["score"], NO_MUTANTS)))
        for trial, labels in _labelled(run.frames, _largest(run.frames))
        for row in found[found["trial"] == trial["trial"]].to_dict("records")
    ]
    return _table(f"By {what}", run, columns, rows, (what,))


def _largest(frames: RunFrames) -> pd.DataFrame:
    """The finished trials with mutants of each subject, generator and suite at its largest such scope."""
    trials = frames.trials
    trials = trials[trials["finished"] & (trials["mode"] != ExecutionMode.GENERATE.value)]
    return trials[trials["scope"] == trials.groupby(["subject", "generator", "suite"])["scope"].transform("max")]


def _labelled(frames: RunFrames, trials: pd.DataFrame) -> list[tuple[Mapping[Hashable, Any], tuple[str, ...]]]:
    """The trials by subject, generator and suite in the order of the run, then by scope, each with its labels."""
    titles, labels = shown_titles(frames.trials), row_labels(frames)
    records = trials.to_dict("records")
    made = [(trial["subject"], trial["generator"], trial["suite"]) for trial in records]
    order = {one: at for at, one in reversed(list(enumerate(made)))}
    ordered = sorted(
        zip(made, records, strict=True), key=lambda pair: (order[pair[0]], pair[1]["scope"], pair[1]["seed"])
    )
    return [(trial, (titles[trial["subject"]], *(str(trial[label]) for label in labels))) for _, trial in ordered]


def _remarks(frames: RunFrames) -> list[str]:
    """A sentence for each suite that ended before it had what its name asks for, or that a notice qualifies."""
    return [
        f"{labels[0]} generator {row_name(trial, row_labels(frames))}: {'; '.join(remarks)}."
        for trial, labels in _labelled(frames, frames.trials)
        if (remarks := remarks_of(trial))
    ]


def _coverage(ratios: Mapping[Hashable, Any] | None, trial: Mapping[Hashable, Any]) -> tuple[Measured, Measured]:
    if ratios is None:
        not_yet = NOT_MEASURED if trial["finished"] else NOT_YET_COVERED
        missing = NO_RUN if trial["mode"] == ExecutionMode.GENERATE.value else not_yet
        return missing, missing
    statement, branch = (ratio_or(ratios[f"{what}_coverage"], NOTHING_TO_COVER) for what in ("statement", "branch"))
    return statement, branch


def _score(scored: Mapping[Hashable, Any] | None, trial: Mapping[Hashable, Any]) -> tuple[Measured, ...]:
    if trial["mode"] == ExecutionMode.GENERATE.value:
        return (NO_RUN,) * 3
    if scored is None:
        return (NOT_FINISHED,) * 3
    return int(scored["killed"]), int(scored["counted"]), ratio_or(scored["score"], NO_MUTANTS)


def _columns(unit: Unit, *names: str) -> tuple[Heading, ...]:
    return tuple(Heading(name, unit) for name in names)


def _row(labels: tuple[str, ...], measured: Sequence[Measured]) -> Row:
    return Row(labels, tuple(Comparison(value) for value in measured))


def _table(
    title: str, run: RunFacts, columns: tuple[Heading, ...], rows: Sequence[Row], labels: tuple[str, ...]
) -> Table:
    trials = run.frames.trials
    generators = sorted(
        {f"{name} {v}" for name, v in zip(trials["generator"], trials["generator_version"], strict=True)}
    )
    ways = sorted({f"{mode} with {way} mutants" for mode, way in zip(trials["mode"], trials["approach"], strict=True)})
    ways += sorted(
        {
            f"sequences {policy}" + (", observed after every call" if seen == Observation.EVERY_CALL.value else "")
            for policy, seen in zip(trials["sequences"].dropna(), trials["observed"].dropna(), strict=True)
        }
    )
    of_pytest = " (of suites of pytest: of all functions)" if PYTEST in set(trials["generator"]) else ""
    caption = (
        f"{killed(run.policy, run.frames.oracles)} Coverage is of target and helper methods{of_pytest}. "
        f"Generator {', '.join(generators)}; {', '.join(ways)}; mutascope {', '.join(sorted(set(trials['version'])))}."
    )
    scored = scored_rows(run.frames, run.policy, run.proven)
    caption = " ".join([caption, *_names_of_sets(scored), *mixed_sets(scored)])
    shown = ("subject", *row_labels(run.frames), *labels)
    return Table(title, caption, shown, columns, tuple(rows), compares=False)


def _names_of_sets(rows: Iterable[ScoredRow]) -> list[str]:
    """Return a sentence that names the mutant sets of the subjects; none if there are no rows."""
    names = {f"{row.target} {row.operators} {len(row.killed):,} ({row.mutant_set[:SHORT]})": None for row in rows}
    return [f"Mutant sets: {', '.join(names)}."] if names else []
