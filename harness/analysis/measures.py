"""Computes scores under a policy, coverage ratios, break-downs, saturation and costs of oracles from stored facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pandas as pd

from harness.analysis.frames import RunFrames, detail_columns, records
from harness.analysis.mutant_sets import SHORT, ScoredRow
from harness.analysis.percent import percent
from harness.analysis.titles import labels_apart, row_name, summary_labels, titles_apart
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import (
    Equivalence,
    EquivalenceArgument,
    MutantStatus,
    MutationScore,
    OracleName,
    ScorePolicy,
    Verdict,
)
from harness.model.pytest_suite import PYTEST, oracle_label
from harness.model.sequence import Observation
from harness.store import CoverageKind
from harness.store.facts import EXECUTED, SETTINGS, SOURCES, SUITE

TRIAL = ["trial", "subject", "title", "generator", "suite", "scope", "seed", "inputs", "operator_set", "mutant_set"]
"""Columns of a trial that every frame made here carries."""

Proven = Mapping[str, frozenset[str]]
"""The ids of the mutants proven equivalent, by subject."""

NONE_PROVEN: Proven = {}


def held_equivalent(
    arguments: Mapping[str, Mapping[str, EquivalenceArgument]],
    kinds: Collection[Equivalence] = (Equivalence.PROVEN,),
) -> Proven:
    """Return by subject the mutants that are held to be equivalent in one of these ways.

    Args:
        arguments: by subject and mutant.
    """
    return {
        subject: frozenset(mutant for mutant, argument in of_mutants.items() if argument.equivalence in kinds)
        for subject, of_mutants in arguments.items()
    }


def scores(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> pd.DataFrame:
    """Return one row per finished trial: TRIAL, `oracle`, `killed`, `counted`, `score`, `score_pct`, `policy`.

    `score` is a Fraction, or None.

    Raises:
        StoreError: a killed mutant is said to be proven equivalent.
    """
    return _ratios(frames, counted(frames, policy, proven), [], policy)


def scores_by(
    column: str, frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> pd.DataFrame:
    """Return the rows of `scores` for each mutation `operator`, or mutated `function`, of a finished trial."""
    return _ratios(frames, counted(frames, policy, proven), [column], policy)


def by_reason(frames: RunFrames) -> pd.DataFrame:
    """Return kills of finished trials by `reason` and `phase`: TRIAL and `kills`; only pairs that occur."""
    killed = _of_finished(frames, frames.results[frames.results["verdict"] == Verdict.KILLED.value])
    keys = ["trial", "reason", "phase"]
    counted = killed.groupby(keys, observed=True, sort=True).size().rename("kills").reset_index()
    return frames.trials[TRIAL].merge(counted, on="trial", how="inner")


def coverage_ratios(frames: RunFrames) -> pd.DataFrame:
    """Return one row per trial and measured kind: TRIAL, `kind`, counts summed over functions, ratios.

    `statement_coverage` and `branch_coverage` are Fractions (None if there is nothing to cover); `statement_pct` and
    `branch_pct` are the same in percent.
    """
    counts = ["statements", "statements_executed", "branches", "branches_executed"]
    sums = frames.coverage.groupby(["trial", "kind"], observed=True, sort=True)[counts].sum().reset_index()
    ratios_of_trials = frames.trials[TRIAL].merge(sums, on="trial", how="inner")
    for prefix, whole in (("statement", "statements"), ("branch", "branches")):
        ratios = [
            _ratio(part, of)
            for part, of in zip(ratios_of_trials[f"{whole}_executed"], ratios_of_trials[whole], strict=True)
        ]
        ratios_of_trials[f"{prefix}_coverage"] = pd.Series(ratios, dtype=object)
        ratios_of_trials[f"{prefix}_pct"] = _percents(ratios)
    return ratios_of_trials


def saturation(scores: pd.DataFrame, ratios: pd.DataFrame) -> pd.DataFrame:
    """Return, per subject, suite, operator set and seed, the scopes after which larger scopes bring nothing more.

    Only scopes that were run count. `score_from` is the first scope from which the score stays the same. It is NA if
    the score still changed at the last scope, or if there is only one: then nothing shows that it is saturated.
    `statement_from` and `branch_from` are the first scopes with the highest code coverage seen, which `statement_most`
    and `branch_most` contain.
    """
    code = ratios[ratios["kind"] == CoverageKind.CODE.value]
    keys = ["subject", "generator", "suite", "operator_set", "seed"]
    rows = []
    for values, group in scores.groupby(keys, sort=False):
        curve = _curve(group, "score")
        row: dict[str, Any] = dict(zip(keys, values, strict=True))
        row["last_scope"] = max(curve, default=None)
        row["score_from"] = _stays_from(curve)
        mine = code[(code[keys] == list(values)).all(axis=1)]
        for unit in ("statement", "branch"):
            curve = _curve(mine, f"{unit}_coverage")
            row[f"{unit}_most"] = max(curve.values(), default=None)
            row[f"{unit}_from"] = min((s for s, r in curve.items() if r == row[f"{unit}_most"]), default=None)
        rows.append(row)
    whole = ["last_scope", "score_from", "statement_from", "branch_from"]
    columns = [*keys, *whole, "statement_most", "branch_most"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(whole, "Int64"))


def summary(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> pd.DataFrame:
    """Return one row per trial for people: percentages as numbers, missing if not measured or not finished.

    If some inputs are sequences, a column says how those were run. If seeds differ, a column has them, and if a subject
    has several suites, a column has their names. If all are pytest suites, there is no column of scopes. Each detail
    that a generator reports has a column.
    """
    code = coverage_ratios(frames)
    code = code[code["kind"] == CoverageKind.CODE.value]
    scored = scores(frames, policy, proven)
    table = frames.trials[
        ["trial", "title", *summary_labels(row_labels(frames)), "inputs", *detail_columns(frames.trials)]
    ]
    table["title"] = frames.trials["subject"].map(titles_of(frames)).to_numpy()
    table = table.merge(code[["trial", "statement_pct", "branch_pct"]], on="trial", how="left")
    table = table.merge(scored[["trial", "killed", "counted", "score_pct"]], on="trial", how="left")
    table["operator_set"] = frames.trials["operator_set"].to_numpy()
    table["mutant_set"] = frames.trials["mutant_set"].str[:SHORT].to_numpy()
    if frames.trials["sequences"].notna().any():
        every_call = frames.trials["observed"] == Observation.EVERY_CALL.value
        run = frames.trials["sequences"] + every_call.map({True: ", every call", False: ""})
        table["sequences"] = run.fillna("").to_numpy()
    table["oracle"] = _oracles(frames.trials)
    table = table.astype({"killed": "Int64", "counted": "Int64"})
    generated = (frames.trials["mode"] == ExecutionMode.GENERATE.value).to_numpy()
    table.loc[generated, ["killed", "counted", "mutant_set"]] = pd.NA
    table["policy"] = policy.value
    return table.drop(columns="trial").rename(columns={"title": "subject"})


def scored_rows(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> list[ScoredRow]:
    """Return the finished trials with the mutants that count; none of a frozen run, which has not kept its sets."""
    titles = titles_of(frames)
    of_trial = {
        str(key): dict(zip(rows["mutant"], rows["killed"].astype(bool), strict=True))
        for key, rows in counted(frames, policy, proven).groupby("trial")
    }
    labels = row_labels(frames)
    return [
        ScoredRow(
            titles[trial["subject"]],
            row_name(trial, labels),
            trial["operator_set"],
            trial["mutant_set"],
            trial["source_hash"],
            of_trial[trial["trial"]],
        )
        for trial in frames.trials.to_dict("records")
        if trial["trial"] in of_trial and not pd.isna(trial["mutant_set"])
    ]


def titles_of(frames: RunFrames) -> dict[str, str]:
    """Return the title of each subject, those of failed trials included, with its name if another one has the title."""
    named = pd.concat([frame[["subject", "title"]] for frame in (frames.trials, frames.failures)])
    return titles_apart(dict(zip(named["subject"], named["title"], strict=True)))


def row_labels(frames: RunFrames) -> tuple[str, ...]:
    """Return what distinguishes rows of one subject, as `labels_apart` says."""
    return labels_apart(records(frames.trials), records(frames.failures))


def _of_finished(frames: RunFrames, rows: pd.DataFrame) -> pd.DataFrame:
    finished = frames.trials.loc[frames.trials["finished"], "trial"]
    return rows[rows["trial"].isin(finished)]


def counted(frames: RunFrames, policy: ScorePolicy, proven: Proven) -> pd.DataFrame:
    """Return the results of finished trials that count under the policy, with a boolean column `killed`.

    An argument for equivalence concerns inputs that the spec allows. A pytest suite calls the module with other inputs,
    so no mutant is left out of its score.

    Raises:
        StoreError: an argument calls a killed mutant equivalent.
    """
    results = _of_finished(frames, frames.results)
    viable = (results["status"] == MutantStatus.VIABLE.value) & (results["verdict"] != Verdict.STILLBORN.value)
    results = results[viable].merge(frames.trials[["trial", "subject", "generator"]], on="trial", how="left")
    killed = results["verdict"] == Verdict.KILLED.value
    named = zip(results["subject"], results["generator"], results["mutant"], strict=True)
    flags = [generator != PYTEST and mutant in proven.get(subject, ()) for subject, generator, mutant in named]
    is_proven = pd.Series(flags, index=results.index, dtype=bool)
    contradicted = results[killed & is_proven]
    if len(contradicted):
        name = contradicted["mutant"].iloc[0]
        raise StoreError(f"{name} was killed, so it cannot be equivalent; correct its argument")
    counts = results.assign(killed=killed)
    return counts[~is_proven] if policy is ScorePolicy.WITHOUT_PROVEN else counts


def _ratios(frames: RunFrames, counted: pd.DataFrame, keys: list[str], policy: ScorePolicy) -> pd.DataFrame:
    grouped = counted.groupby(["trial", *keys], observed=True, sort=True)["killed"]
    sums = grouped.agg(killed="sum", counted="count").reset_index()
    finished = frames.trials[frames.trials["finished"]]
    trials = finished[TRIAL].assign(oracle=_oracles(finished))
    table = trials.merge(sums, on="trial", how="inner" if keys else "left")
    table = table.fillna({"killed": 0, "counted": 0}).astype({"killed": "int64", "counted": "int64"})
    ratios = [_ratio(part, of) for part, of in zip(table["killed"], table["counted"], strict=True)]
    table["score"] = pd.Series(ratios, dtype=object)
    table["score_pct"] = _percents(ratios)
    table["policy"] = policy.value
    return table


def _oracles(trials: pd.DataFrame) -> list[str]:
    return [oracle_label(*pair) for pair in zip(trials["generator"], trials["oracle"], strict=True)]


def _ratio(part: int, whole: int) -> Fraction | None:
    return Fraction(int(part), int(whole)) if whole else None


def _percents(ratios: list[Fraction | None]) -> pd.Series[float]:
    return pd.Series([percent(ratio) for ratio in ratios], dtype="float64")


def _curve(rows: pd.DataFrame, column: str) -> dict[int, Fraction]:
    """Return ratios by scope, in the order of scopes; of several trials at a scope, the last."""
    curve = {int(s): r for s, r in zip(rows["scope"], rows[column], strict=True) if isinstance(r, Fraction)}
    return dict(sorted(curve.items()))


def _stays_from(curve: dict[int, Fraction]) -> int | None:
    if not curve:
        return None
    scopes = list(curve)
    first = len(scopes) - 1
    while first > 0 and curve[scopes[first - 1]] == curve[scopes[-1]]:
        first -= 1
    return scopes[first] if first < len(scopes) - 1 else None


_SAME = [name for name in (*SUITE, *SETTINGS, *EXECUTED, *SOURCES, "inputs") if name != "oracle"]
"""The facts in which two trials agree that differ only in their oracle."""


@dataclass(frozen=True)
class OracleCost:
    """One trial under the differential oracle and under another one.

    `missed` counts the mutants that only the differential oracle kills, by its reason. `only_other` are those that only
    the other oracle kills. The postcondition oracle does so by a call before the last one of a sequence, since the
    differential oracle does not compare the states there.
    """

    trial: Mapping[str, Any]
    oracle: OracleName
    differential: MutationScore
    other: MutationScore
    missed: Mapping[str, int]
    only_other: int

    @property
    def reasons(self) -> str:
        """The reasons of the kills by the differential oracle alone."""
        return ", ".join(f"{reason} {count}" for reason, count in sorted(self.missed.items()))


def oracle_costs(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> list[OracleCost]:
    """Return the finished trials of a run that the differential oracle and another one judged, in the order of the run.

    Args:
        frames: the run's frames under every oracle (`Run.all_frames`).

    Raises:
        StoreError: an argument calls a killed mutant equivalent.
    """
    results = counted(frames, policy, proven)
    by_oracle: dict[tuple[str, ...], dict[str, dict[str, Any]]] = {}
    for trial in records(frames.trials[frames.trials["finished"]]):
        by_oracle.setdefault(tuple(str(trial[name]) for name in _SAME), {})[trial["oracle"]] = trial
    return [
        _cost(trials[OracleName.DIFFERENTIAL.value], trials[oracle.value], oracle, results, policy)
        for trials in by_oracle.values()
        for oracle in OracleName
        if oracle is not OracleName.DIFFERENTIAL and {OracleName.DIFFERENTIAL.value, oracle.value} <= trials.keys()
    ]


def _cost(
    trial: Mapping[str, Any],
    other_trial: Mapping[str, Any],
    oracle: OracleName,
    results: pd.DataFrame,
    policy: ScorePolicy,
) -> OracleCost:
    compared, other = (results[results["trial"] == one["trial"]].set_index("mutant") for one in (trial, other_trial))
    killed, other_kills = compared["killed"], other["killed"].reindex(compared.index, fill_value=False).astype(bool)
    return OracleCost(
        trial,
        oracle,
        MutationScore(int(killed.sum()), len(compared), policy),
        MutationScore(int(other_kills.sum()), len(other), policy),
        Counter(map(str, compared[killed & ~other_kills]["reason"])),
        int((other_kills & ~killed).sum()),
    )
