"""The four hypotheses of section 1.1, found on the run and, by the same rules, on the printed numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from harness.analysis.measures import coverage_ratios, scores
from harness.measured.sampling import Sign
from harness.model.mutant import Equivalence
from harness.model.published import PublishedValue
from harness.model.score import ScorePolicy
from harness.papers.exhaustive2003.claims import (
    RULES,
    AtScope,
    Curve,
    RandomBesideExhaustive,
    coverage,
    feasibility,
    mutation,
    randomness,
)
from harness.papers.exhaustive2003.given import (
    LARGEST_SCOPES,
    NAME,
    NOT_RUN,
    PaperInputs,
    columns_of,
    compared_row,
    held_equivalent,
    order,
    trials_of,
)
from harness.papers.exhaustive2003.table3 import Selections, selections
from harness.papers.findings import Finding
from harness.papers.published import PublishedTable
from harness.papers.tables import Column, ComparisonTable, Measured, Row, Unit
from harness.store import CoverageKind

_COLUMNS = ((Column("outcome", Unit.TEXT), "outcome"), (Column("numbers", Unit.TEXT), "numbers"))

Claims = Mapping[str, Callable[[str], Finding]]
"""By hypothesis, from a benchmark's title to what is found."""


def hypotheses(given: PaperInputs) -> ComparisonTable:
    """Per hypothesis and benchmark: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the numbers behind it."""
    measured, printed = measured_claims(given), _printed_claims(given)
    run = set(trials_of(given.frames)["title"])
    rows: list[Row] = []
    for hypothesis in RULES:
        for title in sorted({*LARGEST_SCOPES, *run}, key=order):
            cells: list[Measured] = [NOT_RUN, NOT_RUN]
            if title in run:
                finding = measured[hypothesis](title)
                cells = [finding.outcome.value, finding.evidence]
            published = _published(hypothesis, title, printed) if title in LARGEST_SCOPES else {}
            rows.append(compared_row((hypothesis, title), title, cells, _COLUMNS, published))
    rules = "; ".join(f"{hypothesis}: {rule}" for hypothesis, rule in RULES.items())
    caption = (
        f"{given.counted} Rules: {rules}. Published: the same rules on the numbers printed in "
        "Tables 3 and 4. The paper itself claims all four: mutation for all benchmarks (survivors that were inspected "
        "were equivalent), coverage for all, feasibility for all, randomness as often true rather than always."
    )
    return ComparisonTable(
        "The four hypotheses (section 1.1)", caption, ("hypothesis", "benchmark"), columns_of(_COLUMNS), tuple(rows)
    )


def measured_claims(given: PaperInputs) -> Claims:
    """The claims on the run's numbers."""
    curves = measured_curves(given)
    sampled = {found.title: found for found in selections(given) if found.counted}  # the largest scope comes last
    return {
        "mutation": lambda title: mutation(curves[title], LARGEST_SCOPES.get(title)),
        "coverage": lambda title: coverage(curves[title]),
        "feasibility": lambda title: feasibility(curves[title]),
        "randomness": lambda title: randomness(_beside(sampled[title]) if title in sampled else None),
    }


def measured_curves(given: PaperInputs) -> dict[str, Curve]:
    """By benchmark, what the run says of each scope."""
    frames = given.frames
    suspected = held_equivalent(given.arguments, {Equivalence.PROVEN, Equivalence.SUSPECTED})
    survivors = {s: mutants - _killed(given, s) for s, mutants in suspected.items()}
    scored = scores(frames, given.policy, given.proven).set_index("trial")["score"].to_dict()
    generous = scores(frames, ScorePolicy.WITHOUT_PROVEN, survivors).set_index("trial")["score"].to_dict()
    ratios = coverage_ratios(frames)
    code = ratios[ratios["kind"] == CoverageKind.CODE.value].set_index("trial")
    covered = {what: code[f"{what}_coverage"].to_dict() for what in ("statement", "branch")}
    seconds = frames.seconds
    curves: dict[str, list[AtScope]] = {}
    for trial in trials_of(frames).to_dict("records"):
        key = trial["trial"]
        curves.setdefault(trial["title"], []).append(
            AtScope(
                int(trial["scope"]),
                scored.get(key),
                generous.get(key),
                covered["statement"].get(key),
                covered["branch"].get(key),
                seconds.get((key, "generate")),
                seconds.get((key, "baseline")),
            )
        )
    return dict(curves)


def _killed(given: PaperInputs, subject: str) -> frozenset[str]:
    """Mutants that some trial of the run killed: a suspicion of these was wrong."""
    frames = given.frames
    mine = frames.trials.loc[frames.trials["subject"] == subject, "trial"]
    results = frames.results
    return frozenset(results.loc[results["trial"].isin(mine) & results["reason"].notna(), "mutant"])


def _beside(found: Selections) -> RandomBesideExhaustive:
    versus = found.versus_before
    return RandomBesideExhaustive(
        found.scope,
        found.mean,
        versus.sign,
        found.ratio(found.before),
        found.ratio(found.whole),
        f"; of {versus.seeds} seeds {versus.below} worse, {versus.equal} equal, {versus.above} better",
    )


def _printed_claims(given: PaperInputs) -> Claims:
    """The claims on the printed numbers; those whose table is not there are left out."""
    table3, table4 = given.printed("table3", keys=2), given.printed("table4", keys=2)
    claims: dict[str, Callable[[str], Finding]] = {}
    if table4:
        claims["mutation"] = lambda title: mutation(_printed_curve(table4, title), LARGEST_SCOPES[title])
        claims["coverage"] = lambda title: coverage(_printed_curve(table4, title))
        claims["feasibility"] = lambda title: feasibility(_printed_curve(table4, title))
    if table3:
        claims["randomness"] = lambda title: randomness(_printed_selection(table3, title))
    return claims


def _printed_curve(table: PublishedTable, title: str) -> Curve:
    def number(scope: int, column: str) -> Any:
        cell = table.get((f"{title} {scope}", column))
        return None if cell is None else cell.value

    def ratio(scope: int, column: str) -> Fraction | None:
        cell = table.get((f"{title} {scope}", column))
        return None if cell is None else Fraction(Decimal(cell.printed)) / 100

    return [
        AtScope(
            scope,
            score=ratio(scope, "mutants_killed_pct"),
            statement=ratio(scope, "code_statement_pct"),
            branch=ratio(scope, "code_branch_pct"),
            generate=number(scope, "gen_seconds"),
            check=number(scope, "check_seconds"),
        )
        for scope in range(1, LARGEST_SCOPES[title] + 1)
    ]


def _printed_selection(table: PublishedTable, title: str) -> RandomBesideExhaustive:
    scope = LARGEST_SCOPES[title]
    killed = table[f"{title} {scope}", "random_mutants_killed_pct"]
    sign = table[f"{title} {scope}", "versus_exhaustive_scope_minus_1"]
    return RandomBesideExhaustive(scope, Fraction(Decimal(killed.printed)) / 100, Sign(sign.printed))


def _published(hypothesis: str, title: str, claims: Claims) -> dict[tuple[str, str], PublishedValue]:
    if hypothesis not in claims:
        return {}
    finding = claims[hypothesis](title)
    texts = {"outcome": finding.outcome.value, "numbers": finding.evidence}
    return {(title, name): PublishedValue(NAME, hypothesis, title, name, text) for name, text in texts.items()}
