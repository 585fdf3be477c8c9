"""The tables of exhaustive2003 by name, in the order in which they are shown."""

from __future__ import annotations

from harness.papers.exhaustive2003.by_scope import table2, table4
from harness.papers.exhaustive2003.equivalence import equivalence, survivors
from harness.papers.exhaustive2003.hypotheses import hypotheses
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
