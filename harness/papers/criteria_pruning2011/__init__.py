"""Incorporating Coverage Criteria in Bounded Exhaustive Black Box Test Generation (2011): tables, claims, figures."""

from harness.papers.criteria_pruning2011.claims import claims
from harness.papers.criteria_pruning2011.figures import criteria, explored, live, seconds
from harness.papers.criteria_pruning2011.run import NAME, CriteriaInputs, paper_inputs
from harness.papers.criteria_pruning2011.tables import case_studies, live_mutants
from harness.tables.criteria import criteria_table, scored_suites, sizes_table

TABLES = {
    "case_studies": case_studies,
    "live_mutants": live_mutants,
    "claims": claims,
    "criteria": lambda dataset: criteria_table(scored_suites(dataset.frames), dataset.counted),
    "sizes": lambda dataset: sizes_table(scored_suites(dataset.frames), dataset.counted),
}
FIGURES = {"explored": explored, "seconds": seconds, "live": live, "criteria": criteria}

__all__ = ["FIGURES", "NAME", "TABLES", "CriteriaInputs", "paper_inputs"]
