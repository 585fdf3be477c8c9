"""Decides the four hypotheses of section 1.1 by rules, the same for measured and printed numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from harness.analysis.measures import held_equivalent, scores
from harness.analysis.percent import percent_text
from harness.measured.sampling import Sign
from harness.model.outcome import Equivalence, ScorePolicy
from harness.papers.exhaustive2003.run import LARGEST_SCOPES, PaperInputs, order
from harness.papers.exhaustive2003.tables import LEAST_DIFFERENCE, SelectionCounts, selections
from harness.store import CoverageKind
from harness.tables.claims import COLUMNS, Claim, ClaimVerdict, Finding, agreement, rules_of
from harness.tables.published import PublishedRow
from harness.tables.table import RowSource, Table

ADEQUATE = Fraction(9, 10)
"""A suite is mutation-adequate that kills more than this: the mark of section 8.2 ("over 90%")."""

SECONDS = 120
"""Generation takes less than two minutes (section 8.4), and so shall checking."""


@dataclass(frozen=True)
class BenchmarkAtScope:
    """The numbers of one benchmark at one scope; None if they are not known.

    `generous` is the score without suspected equivalents. Ratios are exact, times in seconds.
    """

    scope: int
    score: Fraction | None = None
    generous: Fraction | None = None
    statement: Fraction | None = None
    branch: Fraction | None = None
    generate: float | None = None
    check: float | None = None


Curve = Sequence[BenchmarkAtScope]
"""The numbers of one benchmark by ascending scope."""


@dataclass(frozen=True)
class RandomBesideExhaustive:
    """Selections R(s) at the largest scope s sampled, with their sign beside T(s-1); `before` is the score of that."""

    scope: int
    random: Fraction
    sign: Sign
    before: Fraction | None = None


@dataclass(frozen=True)
class Benchmark:
    """The numbers of one benchmark; `largest` is the paper's largest scope of it, None of other subjects."""

    curve: Curve
    largest: int | None
    random: RandomBesideExhaustive | None


def mutation(curve: Curve, largest: int | None) -> Finding:
    """Decide "There is a certain small scope that satisfies mutation-adequacy criterion"; `largest` bounds "small"."""
    small = [at for at in _scored(curve) if largest is None or at.scope <= largest]
    if not small:
        return Finding(ClaimVerdict.OPEN, "no score")
    at = _adequate(small)
    if at is not None:
        return Finding(ClaimVerdict.HOLDS, f"scope {at.scope} kills {percent_text(at.score)} %")
    last = small[-1]
    text = f"scope {last.scope} kills {percent_text(last.score)} %"
    is_final = last.scope == largest or (largest is None and len(small) > 1 and small[-2].score == last.score)
    if not is_final:
        return Finding(ClaimVerdict.OPEN, f"{text}; larger scopes were not run")
    if last.generous is None or last.generous > ADEQUATE:
        return Finding(ClaimVerdict.OPEN, f"{text}; survivors may be equivalent")
    return Finding(ClaimVerdict.FAILS, f"{text}, without suspected equivalents {percent_text(last.generous)} %")


def coverage(curve: Curve) -> Finding:
    """Decide "Mutation-adequacy criterion is stronger than complete code coverage criterion"."""
    measured = [at for at in _scored(curve) if at.statement is not None and at.branch is not None]
    if not measured:
        return Finding(ClaimVerdict.OPEN, "no scope with both coverage and score")
    statements, branches = max(at.statement or 0 for at in measured), max(at.branch or 0 for at in measured)
    complete = next((at for at in measured if (at.statement, at.branch) == (statements, branches)), None)
    if complete is None:
        return Finding(ClaimVerdict.OPEN, "no scope has both the most statement and the most branch coverage")
    last = measured[-1]
    text = (
        f"scope {complete.scope} covers {percent_text(complete.statement)} % of statements, "
        f"{percent_text(complete.branch)} % of branches and kills {percent_text(complete.score)} %"
    )
    if last.scope == complete.scope:
        return Finding(ClaimVerdict.OPEN, f"{text}; no larger scope was run")
    assert complete.score is not None
    assert last.score is not None
    if last.score > complete.score:
        return Finding(ClaimVerdict.HOLDS, f"{text}, scope {last.scope} kills {percent_text(last.score)} %")
    return Finding(ClaimVerdict.FAILS, f"{text}, up to scope {last.scope} no more")


def feasibility(curve: Curve) -> Finding:
    """Decide "Korat can generate inputs and check correctness for the mutation-adequate scope"."""
    at = _adequate(_scored(curve))
    if at is None:
        return Finding(ClaimVerdict.OPEN, "no mutation-adequate scope")
    if at.generate is None or at.check is None:
        return Finding(ClaimVerdict.OPEN, f"scope {at.scope}: not timed")
    outcome = ClaimVerdict.HOLDS if max(at.generate, at.check) < SECONDS else ClaimVerdict.FAILS
    return Finding(outcome, f"scope {at.scope}: generated in {at.generate:.2f} s, checked in {at.check:.2f} s")


def randomness(comparison: RandomBesideExhaustive | None) -> Finding:
    """Decide "Exhaustive test suites are of higher quality than randomly selected test suites" of the same size."""
    if comparison is None:
        return Finding(ClaimVerdict.OPEN, "no selection")
    outcome = {Sign.WORSE: ClaimVerdict.HOLDS, Sign.BETTER: ClaimVerdict.FAILS, Sign.EQUAL: ClaimVerdict.OPEN}[
        comparison.sign
    ]
    text = f"scope {comparison.scope}: random {percent_text(comparison.random)} % {comparison.sign.value} "
    before = "" if comparison.before is None else f" {percent_text(comparison.before)} %"
    return Finding(outcome, f"{text}scope {comparison.scope - 1}{before}")


def _scored(curve: Curve) -> list[BenchmarkAtScope]:
    return [at for at in curve if at.score is not None]


def _adequate(curve: Curve) -> BenchmarkAtScope | None:
    return next((at for at in curve if at.score is not None and at.score > ADEQUATE), None)


RANDOMNESS: Claim[Benchmark] = Claim(
    "randomness",
    "at the largest scope sampled, HOLDS if random selections are expected to kill less (<) than the exhaustive suite "
    "of the scope before, DOES NOT HOLD if they are expected to kill more (>), NOT DECIDABLE if the scores differ by "
    f"less than {float(100 * LEAST_DIFFERENCE)} points (=), the least difference that the paper marks as one",
    lambda of: randomness(of.random),
)
CLAIMS: tuple[Claim[Benchmark], ...] = (
    Claim(
        "mutation",
        "HOLDS if some scope up to the paper's largest kills more than 90 % of the mutants that count; DOES NOT HOLD "
        "if the paper's largest scope (for other subjects the last, where the score no longer grows) kills no more "
        "even with suspected equivalents left out; else NOT DECIDABLE",
        lambda of: mutation(of.curve, of.largest),
    ),
    Claim(
        "coverage",
        "HOLDS if at the first scope with the most statement and branch coverage seen some mutants survive that a "
        "larger scope kills; DOES NOT HOLD if larger scopes kill no more; NOT DECIDABLE if no larger scope was run",
        lambda of: coverage(of.curve),
    ),
    Claim(
        "feasibility",
        f"HOLDS if at the first scope that kills more than 90 % generation and checking each take less than {SECONDS} "
        "s; DOES NOT HOLD if one takes longer; NOT DECIDABLE without such a scope",
        lambda of: feasibility(of.curve),
    ),
    RANDOMNESS,
)
"""The hypotheses, in the order of the table."""


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
        is_printed = dataset.printed("table3" if claim is RANDOMNESS else "table4", keys=2).rows
        for title in sorted({*LARGEST_SCOPES, *measured}, key=order):
            yield claim.case((title,), measured.get(title), printed.get(title) if is_printed else None)


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
