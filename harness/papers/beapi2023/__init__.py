"""Efficient Bounded Exhaustive Input Generation from Program APIs (2023): Tables 1 to 3, claims, figures."""

from harness.papers.beapi2023.claims import claims
from harness.papers.beapi2023.figures import explored, seconds
from harness.papers.beapi2023.run import NAME, BeapiInputs, paper_inputs
from harness.papers.beapi2023.tables import table1, table2, table3

TABLES = {one.__name__: one for one in (table1, table2, table3, claims)}
FIGURES = {one.__name__: one for one in (explored, seconds)}

__all__ = ["FIGURES", "NAME", "TABLES", "BeapiInputs", "paper_inputs"]
