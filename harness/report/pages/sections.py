"""Builds the parts of the page as plain rows, already judged, counted and rounded, which the template prints."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median
from typing import Any

import pandas as pd
from markupsafe import Markup

from harness.analysis.frames import RunFrames
from harness.analysis.measures import (
    Proven,
    by_reason,
    coverage_ratios,
    held_equivalent,
    saturation,
    scores,
    scores_by,
    titles_of,
)
from harness.analysis.percent import percent_text
from harness.analysis.tool_policies import TOOL_POLICIES, count_outcomes, unseen_by_pytest
from harness.model.experiment import ExecutionMode
from harness.model.outcome import KillReason, ScorePolicy
from harness.model.pytest_suite import PYTEST, oracle_label
from harness.report.pages.source_view import MutantRow, SourceLine, StatusMark, mutant_rows, source_lines
from harness.report.pages.trials import ReportedTrial
from harness.store.facts import NOT_OF_SEED


@dataclass(frozen=True)
class BarShare:
    """A named part of a whole; `percent` is text, `width` a number for a bar."""

    name: str
    part: int
    whole: int

    @property
    def percent(self) -> str:
        """The percentage with two decimals, never 0 or 100 by rounding; a hyphen if the whole is 0."""
        return percent_text(self._ratio)

    @property
    def width(self) -> float:
        """Percent for a bar's width."""
        return round(float(self._ratio or 0) * 100, 2)

    @property
    def _ratio(self) -> Fraction | None:
        return Fraction(self.part, self.whole) if self.whole else None


@dataclass(frozen=True)
class SeedRange:
    """The scores of several seeds of one generator at one scope under one policy; `row` is that of the first one."""

    row: dict[str, Any]
    policy: str
    ratios: tuple[Fraction, ...]

    @property
    def texts(self) -> tuple[str, str, str]:
        """The median, the least and the most, in percent."""
        return percent_text(median(self.ratios)), percent_text(min(self.ratios)), percent_text(max(self.ratios))


@dataclass(frozen=True)
class SoleKills:
    """Tests by name with how many mutants each alone kills, most first; `idle` kill no mutant."""

    __test__ = False  # it is no class of tests

    by_test: list[tuple[str, int]]
    idle: int


@dataclass(frozen=True)
class TrialSection:
    """Everything that the page says of one subject, generator, suite and seed."""

    reported: ReportedTrial
    score: BarShare | None
    """None for a trial that is not finished, as nothing is scored before it is, or that runs no mutant."""
    oracle: str
    marks: list[tuple[StatusMark, int]]
    reasons: list[BarShare]
    operators: list[BarShare]
    functions: list[BarShare]
    rules: list[BarShare]
    """The mutants that each tool's rule counts as detected; empty for a trial without a score."""
    survivors: list[MutantRow]
    lines: list[SourceLine]
    saturation: str
    tests: SoleKills | None
    """The tests that kill mutants alone; None for inputs that were not run as a full matrix, or are too many."""
    data: Markup
    """The data that the page's script shows."""


def proven_mutants(reported: Iterable[ReportedTrial]) -> Proven:
    """Return, by subject, the mutants proven equivalent on the inputs that its spec allows."""
    return held_equivalent({one.trial.subject: one.arguments for one in reported if not one.is_pytest})


def trial_section(frames: RunFrames, reported: ReportedTrial, policy: ScorePolicy, proven: Proven) -> TrialSection:
    """Return the section of one trial of the run."""
    key = reported.trial.key
    mutants = mutant_rows(reported)
    marks = [shown.mark for shown in mutants]
    scored = _of_trial(scores(frames, policy, proven), key) if reported.trial.mode.runs_mutants else pd.DataFrame()
    kills = _of_trial(by_reason(frames), key)
    total = int(kills["kills"].sum())
    names = [f"{reason} ({phase})" for reason, phase in zip(kills["reason"], kills["phase"], strict=True)]
    score = [BarShare(policy.value, int(row["killed"]), int(row["counted"])) for row in scored.to_dict("records")]
    return TrialSection(
        reported=reported,
        score=score[0] if score else None,
        oracle=oracle_label(reported.trial.generator, reported.trial.oracle.value),
        marks=[(mark, marks.count(mark)) for mark in StatusMark if mark in marks],
        reasons=sorted(
            (BarShare(name, int(n), total) for name, n in zip(names, kills["kills"], strict=True)),
            key=lambda share: (-share.part, share.name),
        ),
        operators=_shares(_of_trial(scores_by("operator", frames, policy, proven), key), "operator"),
        functions=_shares(_of_trial(scores_by("function", frames, policy, proven), key), "function"),
        rules=_rules(reported) if score else [],
        survivors=[shown for shown in mutants if shown.mark in (StatusMark.SURVIVED, StatusMark.UNREACHED)],
        lines=source_lines(reported, mutants),
        saturation="" if reported.is_pytest else _saturation(frames, reported, policy, proven),
        tests=_tests_alone(reported),
        data=as_script(explorer_data(reported, mutants)),
    )


def summary_rows(frames: RunFrames, policies: Iterable[ScorePolicy], proven: Proven) -> list[dict[str, Any]]:
    """Return one row per trial, including unfinished ones.

    `scores` has a BarShare for each policy, or None where there is no score, and `without_score` says why.
    """
    code = coverage_ratios(frames)
    code = code[code["kind"] == "code"].set_index("trial")
    scored = [scores(frames, policy, proven).set_index("trial") for policy in policies]
    titles, rows = titles_of(frames), []
    for trial in frames.trials.to_dict("records"):
        key = trial["trial"]
        sized = trial["generator"] != PYTEST  # such suites know no scope, and no states
        of_states = sized and pd.isna(trial["sequences"])
        covered = code.loc[key] if key in code.index else None
        runs_mutants = ExecutionMode(trial["mode"]).runs_mutants
        rows.append(
            {
                "subject": titles[trial["subject"]],
                "not_of_seed": tuple(str(trial[name]) for name in NOT_OF_SEED),
                "generator": trial["generator"],
                "suite": trial["suite"],
                "operator_set": trial["operator_set"],
                "scope": trial["scope"] if sized else None,
                "seed": trial["seed"],
                "inputs": trial["inputs"],
                "states": trial["states"] if of_states else None,
                "explored": trial["explored"] if of_states else None,
                "statement": _coverage(covered, "statements"),
                "branch": _coverage(covered, "branches"),
                "scores": [
                    BarShare("", int(frame.loc[key, "killed"]), int(frame.loc[key, "counted"]))
                    if runs_mutants and key in frame.index
                    else None
                    for frame in scored
                ],
                "without_score": "not finished" if runs_mutants else "no mutant is run",
            }
        )
    return rows


def seed_ranges(rows: Iterable[dict[str, Any]], policies: Sequence[ScorePolicy]) -> list[SeedRange]:
    """Return the scores of generators with several seeds at one scope; `rows` are those of `summary_rows`.

    The trials of a range differ in their seeds alone: they are of one subject, and run in one mode on the same mutants.
    """
    groups: dict[tuple[tuple[str, ...], str], list[tuple[dict[str, Any], Fraction]]] = {}
    for row in rows:
        for policy, share in zip(policies, row["scores"], strict=True):
            if share is not None and share.whole:
                key = row["not_of_seed"], policy.value
                groups.setdefault(key, []).append((row, Fraction(share.part, share.whole)))
    return [
        SeedRange(scored[0][0], policy, tuple(ratio for _, ratio in scored))
        for (_, policy), scored in groups.items()
        if len(scored) > 1
    ]


def wall_limit_kills(reported: Iterable[ReportedTrial]) -> list[str]:
    """Return the mutants that only the wall clock killed, as `SearchTree: id`, with suite and seed if there are
    several.
    """
    return [
        f"{one.label if one.is_one_of_several else one.title}: {result.mutant}"
        for one in reported
        for result in one.results.values()
        if result.reason is KillReason.WALL_LIMIT
    ]


def kills_unseen_by_pytest(reported: Iterable[ReportedTrial]) -> list[str]:
    """Return a line for each kind of kill in a pytest suite that plain pytest may not notice."""
    return [
        f"{one.label if one.has_other_seeds else one.title}: {said}"
        for one in reported
        if one.is_pytest
        for said in unseen_by_pytest(one.results.values())
    ]


def _rules(reported: ReportedTrial) -> list[BarShare]:
    counts = count_outcomes(
        reported.mutants, reported.results, proven_mutants([reported]).get(reported.trial.subject, frozenset())
    )
    return [BarShare(policy.tool, *policy.counted(counts)) for policy in TOOL_POLICIES]


def _tests_alone(reported: ReportedTrial) -> SoleKills | None:
    killers = reported.killers
    did = killers.by_test()
    if not did or not (killers.complete or reported.is_pytest):
        return None
    names = [test.node_id for test in reported.tests] or [f"input {number}" for number in range(killers.tests)]
    sole_killers = [(name, one.sole_kills) for name, one in zip(names, did, strict=True) if one.sole_kills]
    return SoleKills(sorted(sole_killers, key=lambda pair: (-pair[1], pair[0])), sum(one.kills == 0 for one in did))


def _of_trial(rows: pd.DataFrame, key: str) -> pd.DataFrame:
    return rows[rows["trial"] == key]


def _shares(rows: pd.DataFrame, column: str) -> list[BarShare]:
    return [
        BarShare(str(name), int(killed), int(counted))
        for name, killed, counted in zip(rows[column], rows["killed"], rows["counted"], strict=True)
    ]


def _coverage(counts: Any, unit: str) -> BarShare | None:
    if counts is None:
        return None
    return BarShare(unit, int(counts[f"{unit}_executed"]), int(counts[unit]))


def _saturation(frames: RunFrames, reported: ReportedTrial, policy: ScorePolicy, proven: Proven) -> str:
    """Return a sentence on the scopes from which more scope brought the trial's seed nothing."""
    scopes = saturation(scores(frames, policy, proven), coverage_ratios(frames))
    keys = ["subject", "generator", "suite", "operator_set", "seed"]
    mine = (scopes[keys] == [getattr(reported.trial, key) for key in keys]).all(axis=1)
    if not mine.any():
        return ""
    row = scopes[mine].iloc[0]
    if not pd.isna(row["score_from"]):
        sentence = f"The score stays the same from scope {row['score_from']} on, up to scope {row['last_scope']}"
    else:
        sentence = f"Nothing shows that the score is saturated at scope {row['last_scope']}, the largest one scored"
    parts = [
        f"{what} coverage reaches its most, {percent_text(row[f'{what}_most'])} %, at scope {row[f'{what}_from']}"
        for what in ("statement", "branch")
        if not pd.isna(row[f"{what}_from"])
    ]
    return "; ".join([sentence, *parts]) + "."


MUTANT_FIELDS = (
    *("id", "line", "operator", "function", "mark", "before", "original", "replacement", "after"),
    *("reason", "killers", "count", "reached", "first"),
)
"""The order of the fields of a mutant in the data; the script reads them by it."""


def explorer_data(reported: ReportedTrial, mutants: Sequence[MutantRow]) -> dict[str, Any]:
    """Return the data of a trial, which can be written as JSON.

    `fields` names the values of each mutant. `mark` is the position of a member in `StatusMark`; the sets `killers` and
    `reached` are empty if unknown. A set of tests is base64 of bytes: test `i` is bit `i % 8` of byte `i // 8`. `count`
    is the number of tests that kill the mutant, null in a run up to first kills. `first` is the killing test that its
    result names.
    """
    return {
        "slug": reported.slug,
        "label": reported.label,
        "file": reported.file_name,
        "unit": "test" if reported.is_pytest else "input",
        "complete": reported.killers.complete,
        "hasSource": reported.source is not None,
        "fields": MUTANT_FIELDS,
        "mutants": [_mutant(reported, row) for row in mutants],
        "testFields": ("name", "kills", "alone", "reached"),
        "tests": _tests(reported),
    }


def as_script(data: Any) -> Markup:
    """Return JSON that may be within a script element: no text in it can end that element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (no markup is left in it)


def _mutant(reported: ReportedTrial, row: MutantRow) -> list[Any]:
    mutant, change, killers = row.mutant, row.change, reported.killers
    result = reported.results.get(mutant.id)
    return [
        mutant.id,
        mutant.location.line,
        mutant.operator,
        mutant.function,
        list(StatusMark).index(row.mark),
        *(change.before, change.original, change.replacement, change.after),
        row.reason,
        _packed(killers.kills.get(mutant.id, 0)) if killers.complete else "",
        killers.counts.get(mutant.id),
        _packed(killers.reached.get(mutant.id, 0)),
        result.input if result else None,
    ]


def _packed(tests: int) -> str:
    """Encode a set of tests without the zeros after its last test."""
    return base64.b64encode(tests.to_bytes((tests.bit_length() + 7) // 8, "little")).decode()


def _tests(reported: ReportedTrial) -> list[list[Any]]:
    """Return all tests of a pytest suite, or all inputs if they are few enough (`MOST_TESTS`)."""
    kills_of_tests = reported.killers.by_test()
    names = [test.node_id for test in reported.tests] or [f"input {number}" for number in range(len(kills_of_tests))]
    if not kills_of_tests:
        return [[name, None, None, None] for name in names]
    return [[name, one.kills, one.sole_kills, one.reached] for name, one in zip(names, kills_of_tests, strict=True)]
