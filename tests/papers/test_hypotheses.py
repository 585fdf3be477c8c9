"""The four hypotheses: each rule on numbers made for it, then the table from a made-up run."""

import dataclasses
from fractions import Fraction
from pathlib import Path

import pytest
from support.run_samples import growing_run, result_rows

from harness.analysis.frames import checked_frame
from harness.measured.sampling import Sign
from harness.model.outcome import Equivalence, EquivalenceArgument
from harness.papers.exhaustive2003 import TABLES, PaperInputs
from harness.papers.exhaustive2003.claims import (
    BenchmarkAtScope,
    ClaimVerdict,
    RandomBesideExhaustive,
    coverage,
    feasibility,
    mutation,
    randomness,
)

PUBLISHED = Path(__file__).parents[2] / "results" / "published"
HOLDS, FAILS, OPEN = ClaimVerdict.HOLDS, ClaimVerdict.FAILS, ClaimVerdict.OPEN


def at(scope, score=None, **ratios):
    percents = {k: Fraction(v, 100) if k in ("generous", "statement", "branch") else v for k, v in ratios.items()}
    return BenchmarkAtScope(scope, None if score is None else Fraction(score, 100), **percents)


@pytest.mark.parametrize(
    ("curve", "largest", "outcome", "phrase"),
    [
        ([at(1, 50), at(2, 91), at(3, 95)], 7, HOLDS, "scope 2 kills 91.00 %"),
        ([at(1, 50), at(2, 90)], 2, OPEN, "survivors may be equivalent"),
        ([at(1, 50), at(2, 90, generous=95)], 2, OPEN, "survivors may be equivalent"),
        ([at(1, 50), at(2, 80, generous=90)], 2, FAILS, "without suspected equivalents 90.00 %"),
        ([at(1, 50), at(2, 80, generous=80)], 3, OPEN, "larger scopes were not run"),
        ([at(1, 50), at(2, 80), at(3, 95)], 2, OPEN, "survivors may be equivalent"),
        ([at(1, 80, generous=80), at(2, 80, generous=80)], None, FAILS, "scope 2 kills 80.00 %"),
        ([at(1, 70, generous=70), at(2, 80, generous=80)], None, OPEN, "larger scopes were not run"),
        ([at(1)], 7, OPEN, "no score"),
    ],
)
def test_mutation_asks_for_a_small_scope_that_kills_more_than_nine_tenths(curve, largest, outcome, phrase):
    finding = mutation(curve, largest)
    assert finding.outcome is outcome
    assert phrase in finding.evidence


@pytest.mark.parametrize(
    ("curve", "outcome", "phrase"),
    [
        ([at(1, 50, statement=90, branch=80), at(2, 60, statement=90, branch=80)], HOLDS, "scope 2 kills 60.00 %"),
        ([at(1, 60, statement=90, branch=80), at(2, 60, statement=90, branch=80)], FAILS, "up to scope 2 no more"),
        ([at(1, 50, statement=90, branch=70), at(2, 60, statement=90, branch=80)], OPEN, "no larger scope was run"),
        ([at(1, 50), at(2, 60)], OPEN, "no scope with both"),
        ([at(1, 50, statement=90, branch=70), at(2, statement=90, branch=80)], OPEN, "scope 1 covers"),
    ],
)
def test_coverage_asks_for_kills_beyond_complete_coverage(curve, outcome, phrase):
    finding = coverage(curve)
    assert finding.outcome is outcome
    assert phrase in finding.evidence


@pytest.mark.parametrize(
    ("curve", "outcome"),
    [
        ([at(1, 50), at(2, 95, generate=119.0, check=119.0), at(3, 99, generate=500.0, check=1.0)], HOLDS),
        ([at(2, 95, generate=121.0, check=1.0)], FAILS),
        ([at(2, 95, generate=1.0, check=121.0)], FAILS),
        ([at(2, 95, generate=1.0)], OPEN),
        ([at(2, 85, generate=1.0, check=1.0)], OPEN),
    ],
)
def test_feasibility_asks_for_the_time_at_the_adequate_scope(curve, outcome):
    assert feasibility(curve).outcome is outcome


@pytest.mark.parametrize(("sign", "outcome"), [(Sign.WORSE, HOLDS), (Sign.BETTER, FAILS), (Sign.EQUAL, OPEN)])
def test_randomness_follows_the_sign(sign, outcome):
    finding = randomness(RandomBesideExhaustive(5, Fraction(9, 10), sign, Fraction(8, 10)))
    assert finding.outcome is outcome
    assert f"scope 5: random 90.00 % {sign.value} scope 4 80.00 %" in finding.evidence


def test_randomness_needs_selections():
    assert randomness(None).outcome is OPEN


@pytest.fixture
def dataset():
    return PaperInputs(growing_run({"search_tree": "SearchTree", "heapq": "heapq"}), PUBLISHED)


def outcomes(table):
    return {row.labels: tuple(cell.measured_text(c.unit) for c, cell in zip(table.columns, row.cells, strict=True))
            for row in table.rows}  # fmt: skip


def test_the_table_has_every_claim_for_every_benchmark(dataset):
    rows = [
        {"trial": "heapq-7", "size": 5, "killed_before": 9, "expected": 8.0, "seed": n, "killed": 8} for n in range(6)
    ]
    table = TABLES["hypotheses"](
        dataclasses.replace(dataset, frames=dataclasses.replace(dataset.frames, samples=checked_frame("samples", rows)))
    )
    assert len(table.rows) == 4 * 11
    outcome_of = outcomes(table)
    assert outcome_of["mutation", "SearchTree"] == ("HOLDS", "scope 6 kills 97.50 %")
    assert outcome_of["coverage", "SearchTree"][0] == "HOLDS"
    assert outcome_of["feasibility", "SearchTree"][0] == "HOLDS"
    assert outcome_of["randomness", "SearchTree"] == ("NOT DECIDABLE", "no selection")
    assert outcome_of["randomness", "heapq"][0] == "HOLDS"
    assert "randomness 0, 0, 7, 3. " in table.caption  # seven benchmarks have a sign other than = in print
    assert table.footnotes == {"not run": 1}


def test_the_printed_numbers_are_judged_by_the_same_rules(dataset):
    table = TABLES["hypotheses"](dataset)
    published = {row.labels: row.cells[0].published_text for row in table.rows}
    assert published["mutation", "AVTree"] == "HOLDS"
    assert published["mutation", "TreeMap"] == "NOT DECIDABLE"
    assert published["coverage", "LinkedList"] == "HOLDS"
    assert published["feasibility", "FibonacciHeap"] == "NOT DECIDABLE"
    signs = {title: published["randomness", title] for title in ("AVTree", "HashSet", "DisjSet")}
    assert signs == {"AVTree": "DOES NOT HOLD", "HashSet": "HOLDS", "DisjSet": "NOT DECIDABLE"}
    assert published["mutation", "heapq"] == ""


def test_a_suspicion_that_a_larger_scope_refuted_counts_for_nothing(dataset):
    suspected = EquivalenceArgument("m000", Equivalence.SUSPECTED, "it seemed so")
    with_suspicion = dataclasses.replace(dataset, arguments={"search_tree": {"m000": suspected}})
    assert result_rows("x", 1, 0)[0]["mutant"] == "m000"
    assert outcomes(TABLES["hypotheses"](with_suspicion)) == outcomes(TABLES["hypotheses"](dataset))
