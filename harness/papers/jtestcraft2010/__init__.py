"""JTestCraft (2010): Tables 6.1 and 6.2, claims, generators at equal cost, selections, values, reductions, figures."""

from harness.papers.jtestcraft2010.dataset import NAME, JtestcraftInputs
from harness.papers.jtestcraft2010.figure6_1 import draw_figure6_1
from harness.papers.jtestcraft2010.figures import by_calls, by_inputs
from harness.papers.jtestcraft2010.inputs import paper_inputs
from harness.papers.jtestcraft2010.tables import TABLES

FIGURES = {"figure6_1": draw_figure6_1, "inputs": by_inputs, "calls": by_calls}

__all__ = ["FIGURES", "NAME", "TABLES", "JtestcraftInputs", "paper_inputs"]
