"""The tables of field_exhaustive2016 by name, in the order in which they are shown."""

from __future__ import annotations

from harness.papers.field_exhaustive2016.claims_table import claims
from harness.papers.field_exhaustive2016.options import options
from harness.papers.field_exhaustive2016.oracles import oracles
from harness.papers.field_exhaustive2016.table1 import table1
from harness.papers.field_exhaustive2016.table2 import table2
from harness.papers.field_exhaustive2016.table3 import table3

TABLES = {
    "table1": table1,
    "table2": table2,
    "table3": table3,
    "claims": claims,
    "oracles": oracles,
    "options": options,
}
