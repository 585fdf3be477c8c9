"""Efficient Bounded Exhaustive Input Generation from Program APIs (2023): Tables 1 to 3, claims, figures."""

from harness.papers.beapi2023.dataset import NAME, BeapiInputs
from harness.papers.beapi2023.figures import explored, seconds
from harness.papers.beapi2023.inputs import paper_inputs
from harness.papers.beapi2023.tables import TABLES

FIGURES = {"explored": explored, "seconds": seconds}

__all__ = ["FIGURES", "NAME", "TABLES", "BeapiInputs", "paper_inputs"]
