"""Judgement from facts: scores under a policy, coverage ratios, break-downs, saturation (laws 1 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pandas as pd

from harness.analysis.frames import RunFrames, detail_columns
from harness.analysis.mutant_sets import SHORT, ScoredRow
from harness.analysis.percent import percent
from harness.analysis.titles import labels_apart, row_name, titles_apart
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.model.mutant import MutantStatus
from harness.model.outcome import Verdict
from harness.model.own_suite import PYTEST, shown_oracle
from harness.model.score import ScorePolicy
from harness.model.sequence import Observation
from harness.store import CoverageKind

TRIAL = ["trial", "subject", "title", "generator", "suite", "scope", "seed", "inputs", "operator_set", "mutant_set"]
"""Columns of a trial that every frame made here carries."""

Proven = Mapping[str, frozenset[str]]
"""By subject, the ids of its mutants proven equivalent."""

NONE_PROVEN: Proven = {}


def scores(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> pd.DataFrame:
    """One row per finished trial: TRIAL, `oracle`, `killed`, `counted`, `score`, `score_pct`, `policy`.

    `score` is a Fraction, or None.

    Raises:
        StoreError: a killed mutant is said to be proven equivalent.
    """
    return _ratios(frames, counted(frames, policy, proven), [], policy)


def by_operator(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> pd.DataFrame:
    """As `scores`, for each mutation operator of a finished trial."""
    return _ratios(frames, counted(frames, policy, proven), ["operator"], policy)


def by_function(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> pd.DataFrame:
    """As `scores`, for each mutated function of a finished trial."""
    return _ratios(frames, counted(frames, policy, proven), ["function"], policy)


def by_reason(frames: RunFrames) -> pd.DataFrame:
    """Kills of finished trials by `reason` and `phase`: TRIAL and `kills`; only pairs that occur."""
    killed = _of_finished(frames, frames.results[frames.results["verdict"] == Verdict.KILLED.value])
    keys = ["trial", "reason", "phase"]
    counted = killed.groupby(keys, observed=True, sort=True).size().rename("kills").reset_index()
    return frames.trials[TRIAL].merge(counted, on="trial", how="inner")


def first_kill(frames: RunFrames) -> pd.DataFrame:
    """Killed mutants of finished trials with the first killing `input` and its `position` in the suite, in (0, 1].

    Mutants that die before any input (while loading) have no input and are left out.
    """
    killed = _of_finished(frames, frames.results[frames.results["input"].notna()])
    found = frames.trials[TRIAL].merge(killed[["trial", "mutant", "input"]], on="trial", how="inner")
    found["position"] = (found["input"].astype("int64") + 1) / found["inputs"]
    return found


def coverage_ratios(frames: RunFrames) -> pd.DataFrame:
    """One row per trial and kind that was measured: TRIAL, `kind`, counts summed over functions, ratios.

    `statement_coverage` and `branch_coverage` are Fractions (None where there is nothing to
    cover), `statement_pct` and `branch_pct` the same in percent.
    """
    counts = ["statements", "statements_executed", "branches", "branches_executed"]
    sums = frames.coverage.groupby(["trial", "kind"], observed=True, sort=True)[counts].sum().reset_index()
    found = frames.trials[TRIAL].merge(sums, on="trial", how="inner")
    for what, whole in (("statement", "statements"), ("branch", "branches")):
        ratios = [_ratio(part, of) for part, of in zip(found[f"{whole}_executed"], found[whole], strict=True)]
        found[f"{what}_coverage"] = pd.Series(ratios, dtype=object)
        found[f"{what}_pct"] = _percents(ratios)
    return found


def saturation(scores: pd.DataFrame, ratios: pd.DataFrame) -> pd.DataFrame:
    """Per subject, suite, operator set and seed, the scopes from which more scope brings nothing, of those run.

    `score_from` is the first scope from which the score stays the same; NA while it still changed
    at the last scope run, or with one scope only: then nothing shows that it is saturated.
    `statement_from` and `branch_from` are the first scopes with the most code coverage seen;
    `statement_most` and `branch_most` say how much that is.
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
        for what in ("statement", "branch"):
            curve = _curve(mine, f"{what}_coverage")
            row[f"{what}_most"] = max(curve.values(), default=None)
            row[f"{what}_from"] = min((s for s, r in curve.items() if r == row[f"{what}_most"]), default=None)
        rows.append(row)
    whole = ["last_scope", "score_from", "statement_from", "branch_from"]
    columns = [*keys, *whole, "statement_most", "branch_most"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(whole, "Int64"))


def summary(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> pd.DataFrame:
    """One row per trial for people: percentages as numbers, missing where not measured or not finished.

    Where some inputs are sequences, a column says how those were run; where seeds differ, one gives them, and where a
    subject has several suites, one gives their names. Each detail that a generator tells has a column.
    """
    code = coverage_ratios(frames)
    code = code[code["kind"] == CoverageKind.CODE.value]
    scored = scores(frames, policy, proven)
    found = frames.trials[["trial", "title", *row_labels(frames), "inputs", *detail_columns(frames.trials)]]
    titles = titles_apart(dict(zip(frames.trials["subject"], frames.trials["title"], strict=True)))
    found["title"] = frames.trials["subject"].map(titles).to_numpy()
    found = found.merge(code[["trial", "statement_pct", "branch_pct"]], on="trial", how="left")
    found = found.merge(scored[["trial", "killed", "counted", "score_pct"]], on="trial", how="left")
    found["operator_set"] = frames.trials["operator_set"].to_numpy()
    found["mutant_set"] = frames.trials["mutant_set"].str[:SHORT].to_numpy()
    if frames.trials["sequences"].notna().any():
        every_call = frames.trials["observed"] == Observation.EVERY_CALL.value
        run = frames.trials["sequences"] + every_call.map({True: ", every call", False: ""})
        found["sequences"] = run.fillna("").to_numpy()
    found["oracle"] = _oracles(frames.trials)
    found = found.astype({"killed": "Int64", "counted": "Int64"})
    generated = (frames.trials["mode"] == ExecutionMode.GENERATE.value).to_numpy()
    found.loc[generated, ["killed", "counted", "mutant_set"]] = pd.NA
    found["policy"] = policy.value
    return found.drop(columns="trial").rename(columns={"title": "subject"})


def scored_rows(
    frames: RunFrames, policy: ScorePolicy = ScorePolicy.ALL_VIABLE, proven: Proven = NONE_PROVEN
) -> list[ScoredRow]:
    """Return the finished trials with the mutants that count; none of a frozen run, which has not kept its sets."""
    titles = titles_apart(dict(zip(frames.trials["subject"], frames.trials["title"], strict=True)))
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


def row_labels(frames: RunFrames) -> tuple[str, ...]:
    """Return what distinguishes rows of one subject: suites and seeds only where there are several."""
    trials = frames.trials
    return labels_apart(zip(trials["subject"], trials["suite"], strict=True), trials["seed"])


def _of_finished(frames: RunFrames, rows: pd.DataFrame) -> pd.DataFrame:
    finished = frames.trials.loc[frames.trials["finished"], "trial"]
    return rows[rows["trial"].isin(finished)]


def counted(frames: RunFrames, policy: ScorePolicy, proven: Proven) -> pd.DataFrame:
    """Results of finished trials that count under the policy, with a boolean column `killed`.

    An argument for equivalence is about inputs that the spec allows. A suite of pytest calls the module with others, so
    no mutant is left out of its score.

    Raises:
        StoreError: a killed mutant is said to be proven equivalent.
    """
    results = _of_finished(frames, frames.results)
    viable = (results["status"] == MutantStatus.VIABLE.value) & (results["verdict"] != Verdict.STILLBORN.value)
    results = results[viable].merge(frames.trials[["trial", "subject", "generator"]], on="trial", how="left")
    killed = results["verdict"] == Verdict.KILLED.value
    named = zip(results["subject"], results["generator"], results["mutant"], strict=True)
    found = [generator != PYTEST and mutant in proven.get(subject, ()) for subject, generator, mutant in named]
    is_proven = pd.Series(found, index=results.index, dtype=bool)
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
    found = trials.merge(sums, on="trial", how="inner" if keys else "left")
    found = found.fillna({"killed": 0, "counted": 0}).astype({"killed": "int64", "counted": "int64"})
    ratios = [_ratio(part, of) for part, of in zip(found["killed"], found["counted"], strict=True)]
    found["score"] = pd.Series(ratios, dtype=object)
    found["score_pct"] = _percents(ratios)
    found["policy"] = policy.value
    return found


def _oracles(trials: pd.DataFrame) -> list[str]:
    return [shown_oracle(*pair) for pair in zip(trials["generator"], trials["oracle"], strict=True)]


def _ratio(part: int, whole: int) -> Fraction | None:
    return Fraction(int(part), int(whole)) if whole else None


def _percents(ratios: list[Fraction | None]) -> pd.Series[float]:
    return pd.Series([percent(ratio) for ratio in ratios], dtype="float64")


def _curve(rows: pd.DataFrame, column: str) -> dict[int, Fraction]:
    """Scope to ratio, in the order of scopes; of several trials at a scope, the last."""
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
