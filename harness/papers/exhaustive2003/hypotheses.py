"""Decides the four hypotheses of section 1.1 for the run and, by the same rules, for the printed numbers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from harness.analysis.measures import held_equivalent, scores
from harness.measured.sampling import Sign
from harness.model.mutant import Equivalence
from harness.model.score import ScorePolicy
from harness.papers.exhaustive2003.claims import (
    CLAIMS,
    RANDOMNESS,
    Benchmark,
    BenchmarkAtScope,
    Curve,
    RandomBesideExhaustive,
)
from harness.papers.exhaustive2003.dataset import LARGEST_SCOPES, NAME, PaperInputs, order
from harness.papers.exhaustive2003.table3 import SelectionCounts, selections
from harness.store import CoverageKind
from harness.tables.claims import COLUMNS, Finding, agreement, rules_of
from harness.tables.published import PublishedRow
from harness.tables.table import RowSource, Table


def hypotheses(dataset: PaperInputs) -> Table:
    """Return a row per hypothesis and benchmark: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the underlying numbers."""
    cases = list(_cases(dataset))
    caption = (
        f"{dataset.counted} Rules: {rules_of(CLAIMS)}. Published: the same rules on the numbers printed in "
        f"Tables 3 and 4. {agreement(cases)} The paper itself claims all four: mutation for all benchmarks (survivors "
        "that were inspected were equivalent), coverage for all, feasibility for all, randomness as often true rather "
        "than always."
    )
    title = "The four hypotheses (section 1.1)"
    return Table.of(title, caption, ("hypothesis", "benchmark"), COLUMNS, cases)


def _cases(dataset: PaperInputs) -> Iterator[RowSource[Finding]]:
    measured, printed = _measured(dataset), _printed(dataset)
    for claim in CLAIMS:
        is_printed = dataset.printed("table3" if claim is RANDOMNESS else "table4", keys=2)
        for title in sorted({*LARGEST_SCOPES, *measured}, key=order):
            yield claim.case(NAME, (title,), measured.get(title), printed.get(title) if is_printed else None)


def _measured(dataset: PaperInputs) -> dict[str, Benchmark]:
    """Return the numbers of the run by benchmark."""
    sampled = {
        selection.title: _random_comparison(selection) for selection in selections(dataset) if selection.counted
    }  # the largest scope is last
    return {
        title: Benchmark(curve, LARGEST_SCOPES.get(title), sampled.get(title))
        for title, curve in measured_curves(dataset).items()
    }


def measured_curves(dataset: PaperInputs) -> dict[str, Curve]:
    """Return, by benchmark, the run's numbers at each scope."""
    frames = dataset.frames
    suspected = held_equivalent(dataset.arguments, {Equivalence.PROVEN, Equivalence.SUSPECTED})
    survivors = {s: mutants - _killed(dataset, s) for s, mutants in suspected.items()}
    scored = scores(frames, dataset.policy, dataset.proven).set_index("trial")["score"].to_dict()
    generous = scores(frames, ScorePolicy.WITHOUT_PROVEN, survivors).set_index("trial")["score"].to_dict()
    curves: dict[str, list[BenchmarkAtScope]] = {}
    for suite in dataset.suites:
        code = suite.coverage(CoverageKind.CODE) or {}
        curves.setdefault(suite.title, []).append(
            BenchmarkAtScope(
                suite.scope,
                scored.get(suite.trial),
                generous.get(suite.trial),
                code.get("statement_coverage"),
                code.get("branch_coverage"),
                suite.elapsed,
                suite.testing,
            )
        )
    return dict(curves)


def _killed(dataset: PaperInputs, subject: str) -> frozenset[str]:
    """Return the mutants that some trial of the run killed; if they were suspected equivalents, this was wrong."""
    frames = dataset.frames
    mine = frames.trials.loc[frames.trials["subject"] == subject, "trial"]
    results = frames.results
    return frozenset(results.loc[results["trial"].isin(mine) & results["reason"].notna(), "mutant"])


def _random_comparison(selection: SelectionCounts) -> RandomBesideExhaustive:
    sign, before = selection.sign(selection.before), selection.ratio(selection.before)
    return RandomBesideExhaustive(selection.scope, selection.random, sign, before)


def _printed(dataset: PaperInputs) -> dict[str, Benchmark]:
    """Return the printed numbers by benchmark."""
    table3, table4 = dataset.printed("table3", keys=2), dataset.printed("table4", keys=2)
    return {
        title: Benchmark(
            [_printed_at(table4.row(title, scope), scope) for scope in range(1, largest + 1)],
            largest,
            _printed_selection(table3.row(title, largest), largest),
        )
        for title, largest in LARGEST_SCOPES.items()
    }


def _printed_at(row: PublishedRow, scope: int) -> BenchmarkAtScope:
    return BenchmarkAtScope(
        scope,
        score=_ratio(row, "mutants_killed_pct"),
        statement=_ratio(row, "code_statement_pct"),
        branch=_ratio(row, "code_branch_pct"),
        generate=row.value("gen_seconds"),
        check=row.value("check_seconds"),
    )


def _printed_selection(row: PublishedRow, scope: int) -> RandomBesideExhaustive | None:
    killed, sign = _ratio(row, "random_mutants_killed_pct"), row.get("versus_exhaustive_scope_minus_1")
    return None if killed is None or sign is None else RandomBesideExhaustive(scope, killed, Sign(sign.printed))


def _ratio(row: PublishedRow, column: str) -> Fraction | None:
    percent = row.exact(column)
    return None if percent is None else Fraction(percent) / 100
