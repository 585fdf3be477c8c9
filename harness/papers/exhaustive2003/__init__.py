"""An Evaluation of Exhaustive Testing for Data Structures (2003): Tables 1 to 4, Figures 3 and 9, hypotheses."""

from harness.papers.exhaustive2003.by_scope import table2, table4
from harness.papers.exhaustive2003.dataset import NAME, PaperInputs
from harness.papers.exhaustive2003.equivalence import equivalence, survivors
from harness.papers.exhaustive2003.figures import figure3, figure9
from harness.papers.exhaustive2003.hypotheses import hypotheses
from harness.papers.exhaustive2003.inputs import paper_inputs
from harness.papers.exhaustive2003.table1 import table1
from harness.papers.exhaustive2003.table3 import table3

TABLES = {
    "table1": table1,
    "table2": table2,
    "table3": table3,
    "table4": table4,
    "hypotheses": hypotheses,
    "equivalence": equivalence,
    "survivors": survivors,
}
FIGURES = {"figure3": figure3, "figure9": figure9}

__all__ = ["FIGURES", "NAME", "TABLES", "PaperInputs", "paper_inputs"]
