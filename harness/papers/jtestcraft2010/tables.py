"""The tables of jtestcraft2010 by name, in the order in which they are shown."""

from __future__ import annotations

from harness.papers.jtestcraft2010.claims_table import claims
from harness.papers.jtestcraft2010.evaluation import equal, reductions, selections, values
from harness.papers.jtestcraft2010.figure6_1 import figure6_1_table
from harness.papers.jtestcraft2010.table6_1 import table6_1
from harness.papers.jtestcraft2010.table6_2 import table6_2

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
