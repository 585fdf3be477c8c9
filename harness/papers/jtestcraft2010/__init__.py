"""JTestCraft (2010): Tables 6.1 and 6.2, claims, generators at equal cost, selections, values, reductions, figures."""

from harness.papers.jtestcraft2010 import figures
from harness.papers.jtestcraft2010.claims import claims
from harness.papers.jtestcraft2010.run import NAME, JtestcraftInputs, paper_inputs
from harness.papers.jtestcraft2010.tables import equal, figure6_1, reductions, selections, table6_1, table6_2, values

TABLES = {one.__name__: one for one in (table6_1, table6_2, figure6_1, claims, equal, selections, values, reductions)}
FIGURES = {one.__name__: one for one in (figures.figure6_1, figures.inputs, figures.calls)}

__all__ = ["FIGURES", "NAME", "TABLES", "JtestcraftInputs", "paper_inputs"]
