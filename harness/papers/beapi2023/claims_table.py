"""Tabulates the paper's conclusions by class, from measured and printed numbers, by the same rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from harness.papers.beapi2023.claims import (
    CLAIMED,
    CLAIMS,
    MEASURES,
    OF_CONFIGURATIONS,
    OF_FLAWS,
    OF_METHODS,
    OF_PAIRS,
    Configurations,
    Optimized,
    Pair,
    saved_by_builders,
)
from harness.papers.beapi2023.dataset import (
    BEAPI,
    CONFIGURATIONS,
    KORAT,
    NAME,
    WITH_SUITES,
    BeapiInputs,
    GenerationNumbers,
    printed_generation,
    subject_of,
)
from harness.papers.beapi2023.table2 import configurations
from harness.papers.beapi2023.table3 import flaw_findings
from harness.tables.cell import Missing
from harness.tables.claims import COLUMNS, ClaimVerdict, Finding, rules_of
from harness.tables.published import PublishedTable
from harness.tables.table import RowSource, Table

NOTHING_RUN = Missing("nothing was run of a subject that stands for it")

_Class = tuple[str, str]
"""The names of a benchmark and of a class of it."""


def claims(dataset: BeapiInputs) -> Table:
    """Return a row per claim and class: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the underlying numbers."""
    cases = [*_cases(dataset)]
    decided = {case.labels[0] for case in cases}
    rules = rules_of(claim for claim in CLAIMS if claim.name in decided)
    caption = (
        f"Published: the same rules on the printed numbers. {MEASURES}. Rules: {rules}. {CLAIMED} Seconds are of a "
        "compiled search (Korat) and of calls in Python (BEAPI) here, of Java "
        f"in the paper; in RQ1 {WITH_SUITES}, in RQ2 {dataset.clocked}."
    )
    labels = ("claim", "benchmark", "class", "our subject")
    return Table.of("What the paper concludes (section 4)", caption, labels, COLUMNS, cases)


def _cases(dataset: BeapiInputs) -> Iterator[RowSource[Finding]]:
    pairs = _printed_pairs(dataset.printed("table1", keys=3))
    for of_pairs in OF_PAIRS:
        for title, printed in pairs.items():
            subject = _subject_run(dataset, title)
            measured = (
                {at: _pair(dataset, subject, at) for at in dataset.scopes(subject, KORAT, BEAPI)} if subject else None
            )
            yield of_pairs.case(NAME, _labels(title), measured, printed, NOTHING_RUN)
    optimized = _printed_configurations(dataset.printed("table2", keys=3))
    for claim in OF_CONFIGURATIONS:
        for title, by_scope in optimized.items():
            subject = _subject_run(dataset, title)
            measured_configurations = Configurations(_by_scope(dataset, subject), gave_up=False) if subject else None
            yield claim.case(
                NAME, _labels(title), measured_configurations, Configurations(by_scope, gave_up=True), NOTHING_RUN
            )
    yield _of_methods(dataset, optimized)
    for flaw, finding, cell in flaw_findings(dataset):
        as_printed = Finding(ClaimVerdict.HOLDS, f"{cell.printed}: {flaw.flaw}")
        yield OF_FLAWS.case(NAME, (flaw.benchmark, flaw.class_name, flaw.subject), finding, as_printed)


def _labels(title: _Class) -> tuple[str, str, str]:
    return (*title, subject_of(*title) or "")


def _of_methods(dataset: BeapiInputs, optimized: Mapping[_Class, Mapping[int, Optimized]]) -> RowSource[Finding]:
    """Return one row on all classes with many methods, or a few."""
    printed = {title: saved_by_builders(by_scope) for title, by_scope in optimized.items()}
    measured = {
        title: saved_by_builders(_by_scope(dataset, subject)) for title in printed if (subject := subject_of(*title))
    }
    factors = measured if any(measured.values()) else None
    return OF_METHODS.case(NAME, ("ROOPS, Real World", "all", ""), factors, printed, NOTHING_RUN)


def _subject_run(dataset: BeapiInputs, title: _Class) -> str | None:
    """Return the subject that stands for a class, if Korat or BEAPI was run on it."""
    subject = subject_of(*title)
    return subject if subject and dataset.scopes(subject, KORAT, BEAPI) else None


def _by_scope(dataset: BeapiInputs, subject: str) -> dict[int, Optimized]:
    ways = (generator for generator, _ in CONFIGURATIONS.values())
    return {scope: _optimized(configurations(dataset, subject, scope)) for scope in dataset.scopes(subject, *ways)}


def _pair(dataset: BeapiInputs, subject: str, scope: int) -> Pair:
    return dataset.generations.get((subject, KORAT, scope)), dataset.generations.get((subject, BEAPI, scope))


def _optimized(generations: Mapping[str, GenerationNumbers]) -> Optimized:
    return Optimized(generations.get("SM/BLD"), generations.get("SM"), generations.get("BLD"))


def _printed_pairs(table: PublishedTable) -> dict[_Class, dict[int, Pair]]:
    pairs: dict[_Class, dict[int, Pair]] = {}
    for row in table.rows:
        benchmark, name, scope = row.key
        pair = (printed_generation(row, KORAT), printed_generation(row, BEAPI))
        pairs.setdefault((benchmark, name), {})[int(scope)] = pair
    return pairs


def _printed_configurations(table: PublishedTable) -> dict[_Class, dict[int, Optimized]]:
    by_class: dict[_Class, dict[int, Optimized]] = {}
    for row in table.rows:
        benchmark, name, scope = row.key
        generations = {
            name: GenerationNumbers(None, None, Fraction(seconds))
            for name, (_, column) in CONFIGURATIONS.items()
            if (seconds := row.exact(column)) is not None
        }
        by_class.setdefault((benchmark, name), {})[int(scope)] = _optimized(generations)
    return by_class
