"""Field-Exhaustive Testing (2016): Tables 1 to 3, comparisons of oracles and options, claims, figures."""

from harness.papers.field_exhaustive2016.claims import claims
from harness.papers.field_exhaustive2016.figures import printed_scores, scores, sizes
from harness.papers.field_exhaustive2016.run import NAME, FieldExhaustiveInputs, paper_inputs
from harness.papers.field_exhaustive2016.tables import options, oracles, table1, table2, table3

TABLES = {one.__name__: one for one in (table1, table2, table3, claims, oracles, options)}
FIGURES = {one.__name__: one for one in (scores, printed_scores, sizes)}

__all__ = ["FIGURES", "NAME", "TABLES", "FieldExhaustiveInputs", "paper_inputs"]
