"""Incorporating Coverage Criteria in Bounded Exhaustive Black Box Test Generation (2011): tables, claims, figures."""

from harness.papers.criteria_pruning2011.dataset import NAME, CriteriaInputs
from harness.papers.criteria_pruning2011.figures import criteria, explored, live, seconds
from harness.papers.criteria_pruning2011.inputs import paper_inputs
from harness.papers.criteria_pruning2011.tables import TABLES

FIGURES = {"explored": explored, "seconds": seconds, "live": live, "criteria": criteria}

__all__ = ["FIGURES", "NAME", "TABLES", "CriteriaInputs", "paper_inputs"]
