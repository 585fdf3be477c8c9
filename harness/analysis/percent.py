"""Round numbers for people, exactly; no other percentage is rounded to 0 or to 100 (law 7).

A quotient of counts is a Fraction until it is printed. As a float it may lie on the other side of a half.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction


def rounded(value: Fraction | int, digits: int = 2) -> Decimal:
    """Round to so many digits behind the point; halves go away from zero, as in `percent`."""
    value = Fraction(value)
    units = (2 * abs(value.numerator) * 10**digits + value.denominator) // (2 * value.denominator)
    return Decimal(units if value > 0 else -units).scaleb(-digits)


def exact_percent(ratio: Fraction | None, digits: int = 2) -> Decimal | None:
    """Return `ratio` in percent, rounded half up to `digits`; None (an empty denominator) stays None.

    Raises:
        ValueError: the ratio is not between 0 and 1.
    """
    if ratio is None:
        return None
    if not 0 <= ratio <= 1:
        raise ValueError(f"{ratio} is no part of a whole")
    value = rounded(100 * ratio, digits)
    least = Decimal(1).scaleb(-digits)
    return min(max(value, least), 100 - least) if 0 < ratio < 1 else value


def percent(ratio: Fraction | None, digits: int = 2) -> float | None:
    """Return the float that is nearest to `exact_percent`."""
    value = exact_percent(ratio, digits)
    return None if value is None else float(value)


def percent_text(ratio: Fraction | None, digits: int = 2) -> str:
    """Write `exact_percent` with all digits (`99.26`); a hyphen for None."""
    value = exact_percent(ratio, digits)
    return "-" if value is None else f"{value:f}"
