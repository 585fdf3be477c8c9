"""The tables of criteria_pruning2011 by name, in the order in which they are shown."""

from __future__ import annotations

from harness.papers.criteria_pruning2011.case_studies import case_studies
from harness.papers.criteria_pruning2011.claims_table import claims
from harness.papers.criteria_pruning2011.live import live_mutants
from harness.tables.criteria_tables import criteria_table, scored_suites, sizes_table

TABLES = {
    "case_studies": case_studies,
    "live_mutants": live_mutants,
    "claims": claims,
    "criteria": lambda dataset: criteria_table(scored_suites(dataset.frames), dataset.counted),
    "sizes": lambda dataset: sizes_table(scored_suites(dataset.frames), dataset.counted),
}
