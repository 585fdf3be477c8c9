"""Percentages for people: rounding never makes 0 or 100 of what is neither (law 7)."""

from __future__ import annotations

import math
from fractions import Fraction


def percent(ratio: Fraction | None, digits: int = 2) -> float | None:
    """`ratio` in percent, rounded half up to `digits`; None (an empty denominator) stays None.

    Raises:
        ValueError: the ratio is not between 0 and 1.
    """
    if ratio is None:
        return None
    if not 0 <= ratio <= 1:
        raise ValueError(f"{ratio} is no part of a whole")
    unit = int(10**digits)
    rounded = math.floor(ratio * 100 * unit + Fraction(1, 2))
    if 0 < ratio < 1:
        rounded = min(max(rounded, 1), 100 * unit - 1)
    return rounded / unit


def percent_text(ratio: Fraction | None, digits: int = 2) -> str:
    """As `percent`, with all digits (`99.26`); a hyphen for None."""
    value = percent(ratio, digits)
    return "-" if value is None else f"{value:.{digits}f}"
