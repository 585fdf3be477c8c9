"""Fits the growth of numbers with scope, as a power of it and as an exponential, by least squares of logarithms.

The arithmetic is that of `decimal`, which is the same on every processor. Sums of floats are computed in an order that
suits the processor, so their last digits differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

FEWEST_SCOPES = 4
"""The least number of points: both curves fit fewer points too well to be distinguished."""
DIGITS = 12
"""Digits behind the point in which equal numbers agree, as logarithms are not exact."""
_PRECISION = 50


@dataclass(frozen=True)
class FittedGrowth:
    """`exponent` of the fitted scope ** exponent, `base` of the fitted base ** scope, and how far off each is.

    The errors are sums of squared differences of natural logarithms. All are rounded to `DIGITS`.
    """

    exponent: Decimal
    base: Decimal
    error_of_power: Decimal
    error_of_exponential: Decimal

    @property
    def is_polynomial(self) -> bool:
        """Whether the power of the scope fits better."""
        return self.error_of_power < self.error_of_exponential

    @property
    def is_exponential(self) -> bool:
        """Whether the exponential fits better; neither does of numbers that do not grow at all."""
        return self.error_of_exponential < self.error_of_power


def growth(by_scope: Mapping[int, float]) -> FittedGrowth | None:
    """Return the growth of positive numbers by scope; None for fewer than `FEWEST_SCOPES`."""
    if len(by_scope) < FEWEST_SCOPES:
        return None
    with localcontext(prec=_PRECISION):
        scopes = [Decimal(scope) for scope in by_scope]
        logarithms = [Decimal(number).ln() for number in by_scope.values()]
        exponent, error_of_power = _line([scope.ln() for scope in scopes], logarithms)
        rate, error_of_exponential = _line(scopes, logarithms)
        fitted = (exponent, rate.exp(), error_of_power, error_of_exponential)
        return FittedGrowth(*(round(number, DIGITS) for number in fitted))


def _line(across: Sequence[Decimal], up: Sequence[Decimal]) -> tuple[Decimal, Decimal]:
    """Return the slope of the line of least squares, and the sum of the squares."""
    middle_across, middle_up = sum(across) / Decimal(len(across)), sum(up) / Decimal(len(up))
    points = [(x - middle_across, y - middle_up) for x, y in zip(across, up, strict=True)]
    slope = sum((x * y for x, y in points), Decimal(0)) / sum((x * x for x, _ in points), Decimal(0))
    return slope, sum(((y - slope * x) ** 2 for x, y in points), Decimal(0))
