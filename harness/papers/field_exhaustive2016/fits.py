"""How numbers grow with scope: as a power of it, or exponentially; both fitted by least squares of logarithms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp

import numpy as np
import numpy.typing as npt

FEWEST_SCOPES = 4
"""Through fewer points both curves go too well to be told apart."""


@dataclass(frozen=True)
class Growth:
    """`exponent` of the fitted scope ** exponent, `base` of the fitted base ** scope, and how far off each is.

    The errors are sums of squared differences of natural logarithms.
    """

    exponent: float
    base: float
    error_of_power: float
    error_of_exponential: float

    @property
    def is_polynomial(self) -> bool:
        """Whether the power of the scope fits better."""
        return self.error_of_power < self.error_of_exponential


def growth(by_scope: Mapping[int, float]) -> Growth | None:
    """The growth of positive numbers by scope; None of fewer than `FEWEST_SCOPES`."""
    if len(by_scope) < FEWEST_SCOPES:
        return None
    scopes = np.array(list(by_scope), dtype=float)
    logarithms = np.log(np.array(list(by_scope.values()), dtype=float))
    exponent, error_of_power = _line(np.log(scopes), logarithms)
    rate, error_of_exponential = _line(scopes, logarithms)
    return Growth(exponent, exp(rate), error_of_power, error_of_exponential)


def _line(across: npt.NDArray[np.float64], up: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The slope of the line of least squares, and the sum of the squares."""
    slope, offset = np.polyfit(across, up, 1)
    return float(slope), float(np.sum((up - slope * across - offset) ** 2))
