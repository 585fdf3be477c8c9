"""The tables of beapi2023 by name, in the order in which they are shown."""

from __future__ import annotations

from harness.papers.beapi2023.claims_table import claims
from harness.papers.beapi2023.table1 import table1
from harness.papers.beapi2023.table2 import table2
from harness.papers.beapi2023.table3 import table3

TABLES = {"table1": table1, "table2": table2, "table3": table3, "claims": claims}
