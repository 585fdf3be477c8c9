"""An Evaluation of Exhaustive Testing for Data Structures (2003): Tables 1 to 4, Figures 3 and 9, hypotheses."""

from harness.papers.exhaustive2003.dataset import NAME, PaperInputs
from harness.papers.exhaustive2003.figures import figure3, figure9
from harness.papers.exhaustive2003.inputs import paper_inputs
from harness.papers.exhaustive2003.tables import TABLES

FIGURES = {"figure3": figure3, "figure9": figure9}

__all__ = ["FIGURES", "NAME", "TABLES", "PaperInputs", "paper_inputs"]
