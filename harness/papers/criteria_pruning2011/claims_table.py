"""Tabulates the paper's conclusions by case study, from measured and printed numbers, by the same rules."""

from __future__ import annotations

from collections.abc import Iterator

from harness.analysis.mutant_mixes import OF_2005
from harness.papers.criteria_pruning2011.claims import A_TENTH, CLAIMED, CLAIMS, OF_LIVE, OF_SUITES, PRUNING, Live
from harness.papers.criteria_pruning2011.dataset import KORAT, KORAT_PLUS, NAME, SUBJECTS, CriteriaInputs
from harness.papers.criteria_pruning2011.live import WAYS
from harness.tables.claims import COLUMNS, Finding, rules_of
from harness.tables.criteria_tables import scored_suites
from harness.tables.table import RowSource, Table


def claims(dataset: CriteriaInputs) -> Table:
    """Return a row per claim and case study: HOLDS, DOES NOT HOLD or NOT DECIDABLE, with the underlying numbers."""
    caption = (
        f"Published: the same rules on the printed numbers. Rules: {rules_of(CLAIMS)}. {CLAIMED} Live mutants are "
        f"those of the paper's operators. {dataset.counted}"
    )
    return Table.of("What the paper concludes", caption, ("claim", "case study"), COLUMNS, _cases(dataset))


def _cases(dataset: CriteriaInputs) -> Iterator[RowSource[Finding]]:
    for title, explored in _printed_explored(dataset).items():
        yield PRUNING.case(NAME, (title,), _explored(dataset, title), explored)
    for claim in OF_LIVE:
        for title, live in _printed_live(dataset).items():
            yield claim.case(NAME, (title,), _live(dataset, title), live)
    for title in SUBJECTS:
        yield A_TENTH.case(NAME, (title,), dataset.searches(title))
    suites = [suite for suite in scored_suites(dataset.frames, OF_2005) if suite.generator == KORAT]
    for of_suite in OF_SUITES:
        for suite in suites:
            yield of_suite.case(NAME, (suite.title,), suite)


def _explored(dataset: CriteriaInputs, title: str) -> dict[str, tuple[int, int]]:
    explored = {}
    for scope in dataset.scopes_of(title):
        korat, plus = (dataset.suite(title, generator, scope) for generator in (KORAT, KORAT_PLUS))
        if korat is not None and plus is not None:
            explored[str(scope)] = korat.explored, plus.explored
    return explored


def _live(dataset: CriteriaInputs, title: str) -> dict[int, Live]:
    live_of = {}
    for scope in dataset.scopes_of(title):
        counts = [dataset.live(title, scope, generator, OF_2005) for generator in WAYS]
        known_counts = [count for count in counts if count is not None]
        if len(known_counts) == len(counts):
            live_of[scope] = Live(*known_counts)
    return live_of


def _printed_explored(dataset: CriteriaInputs) -> dict[str, dict[str, tuple[int, int]]]:
    """Return the printed counts of explored candidates by case study and our scope."""
    by_title: dict[str, dict[str, tuple[int, int]]] = {}
    for row in dataset.printed("case_studies", 2).rows:
        title, printed_scope = row.key
        of_title = by_title.setdefault(title, {})
        korat, plus = row.exact("korat_explored"), row.exact("koratplus_explored")
        if korat is not None and plus is not None:
            of_title[str(dataset.scopes[title, printed_scope])] = int(korat), int(plus)
    return by_title


def _printed_live(dataset: CriteriaInputs) -> dict[str, dict[int, Live]]:
    by_title: dict[str, dict[int, Live]] = {}
    for row in dataset.printed("live_mutants", 3).rows:
        title, _, printed_scope = row.key
        counts = [int(row[column].printed) for _, column in WAYS.values()]
        by_title.setdefault(title, {})[dataset.scopes[title, printed_scope]] = Live(*counts)
    return by_title
