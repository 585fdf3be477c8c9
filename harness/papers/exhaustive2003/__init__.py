"""An Evaluation of Exhaustive Testing for Data Structures (2003): Tables 1 to 4, Figures 3 and 9, hypotheses."""

from harness.papers.exhaustive2003.claims import hypotheses
from harness.papers.exhaustive2003.figures import figure3, figure9
from harness.papers.exhaustive2003.run import NAME, PaperInputs, paper_inputs
from harness.papers.exhaustive2003.tables import equivalence, survivors, table1, table2, table3, table4

TABLES = {one.__name__: one for one in (table1, table2, table3, table4, hypotheses, equivalence, survivors)}
FIGURES = {one.__name__: one for one in (figure3, figure9)}

__all__ = ["FIGURES", "NAME", "TABLES", "PaperInputs", "paper_inputs"]
