"""Reasons for missing values that tables of several papers and of runs have in common."""

from __future__ import annotations

from fractions import Fraction

from harness.tables.cell import Measured, Missing

NOT_RUN = Missing("not run")
NOT_MEASURED = Missing("not measured")
NO_MUTANT_RUN = Missing("no mutant was run with it")
NOT_FINISHED = Missing("not finished: mutants are left to run; run the experiment again to resume")
NOTHING_TO_COVER = Missing("nothing to cover")
NO_MUTANTS = Missing("no mutant counts under the policy")


def ratio_or(ratio: Fraction | None, otherwise: Missing) -> Measured:
    """Return the ratio, or the reason why there is none."""
    return otherwise if ratio is None else ratio
