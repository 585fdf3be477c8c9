"""Efficient Bounded Exhaustive Input Generation from Program APIs (2023): Tables 1 to 3, claims, figures."""

from harness.papers.beapi2023.claims_table import claims
from harness.papers.beapi2023.dataset import NAME, BeapiInputs
from harness.papers.beapi2023.figures import explored, seconds
from harness.papers.beapi2023.inputs import paper_inputs
from harness.papers.beapi2023.table1 import table1
from harness.papers.beapi2023.table2 import table2
from harness.papers.beapi2023.table3 import table3

TABLES = {"table1": table1, "table2": table2, "table3": table3, "claims": claims}
FIGURES = {"explored": explored, "seconds": seconds}

__all__ = ["FIGURES", "NAME", "TABLES", "BeapiInputs", "paper_inputs"]
