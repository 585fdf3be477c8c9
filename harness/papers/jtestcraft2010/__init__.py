"""JTestCraft (2010): Tables 6.1 and 6.2, claims, generators at equal cost, selections, values, reductions, figures."""

from harness.papers.jtestcraft2010.claims import claims
from harness.papers.jtestcraft2010.figure6_1 import draw_figure6_1, figure6_1_table
from harness.papers.jtestcraft2010.figures import by_calls, by_inputs
from harness.papers.jtestcraft2010.run import NAME, JtestcraftInputs, paper_inputs
from harness.papers.jtestcraft2010.tables import equal, reductions, selections, table6_1, table6_2, values

TABLES = {
    "table6_1": table6_1,
    "table6_2": table6_2,
    "figure6_1": figure6_1_table,
    "claims": claims,
    "equal": equal,
    "selections": selections,
    "values": values,
    "reductions": reductions,
}
FIGURES = {"figure6_1": draw_figure6_1, "inputs": by_inputs, "calls": by_calls}

__all__ = ["FIGURES", "NAME", "TABLES", "JtestcraftInputs", "paper_inputs"]
