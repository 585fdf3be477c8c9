"""Field-Exhaustive Testing (2016): Tables 1 to 3, comparisons of oracles and options, claims, figures."""

from harness.papers.field_exhaustive2016.dataset import NAME, FieldExhaustiveInputs
from harness.papers.field_exhaustive2016.figures import printed_scores, scores, sizes
from harness.papers.field_exhaustive2016.inputs import paper_inputs
from harness.papers.field_exhaustive2016.tables import TABLES

FIGURES = {"scores": scores, "printed_scores": printed_scores, "sizes": sizes}

__all__ = ["FIGURES", "NAME", "TABLES", "FieldExhaustiveInputs", "paper_inputs"]
