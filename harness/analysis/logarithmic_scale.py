"""A logarithmic scale of figures whose positions are the same on every processor."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from math import isfinite

import numpy as np
from matplotlib.axis import Axis
from matplotlib.scale import LogScale
from matplotlib.ticker import LogFormatterSciNotation
from matplotlib.transforms import Transform
from numpy.typing import ArrayLike, NDArray

_BELOW_ALL = -1000.0
"""The position of values without a logarithm, as in Matplotlib: far outside of the axes."""

_CONTEXT = Context(prec=30, traps=[])


class ExactLogScale(LogScale):
    """Matplotlib's scale of base 10, computed with decimals and rounded once.

    NumPy computes logarithms with AVX-512 where a processor has it, and their last bit differs then.
    `axes.set_xscale(ExactLogScale(axes.xaxis))` sets it.
    """

    def get_transform(self) -> Transform:
        """Return the logarithm."""
        return _Elementwise(_logarithm, _power)

    def set_default_locators_and_formatters(self, axis: Axis) -> None:
        """Label powers of ten; where an axis has few, label twice and five times these, too."""
        super().set_default_locators_and_formatters(axis)
        axis.set_minor_formatter(_FewLabels(self.base))


class _FewLabels(LogFormatterSciNotation):
    """Leaves out labels that overlap their neighbours in a small figure, such as 3 and 4 times a power of ten."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return super().__call__(x, pos) if f"{x:.0e}"[0] in "125" else ""


class _Elementwise(Transform):
    """One function for each number of an array, with its inverse function."""

    input_dims = output_dims = 1

    def __init__(self, function: Callable[[float], float], inverse: Callable[[float], float]) -> None:
        super().__init__()
        self._function, self._inverse = function, inverse

    def transform_non_affine(self, values: ArrayLike) -> NDArray[np.float64]:
        """Return an array of the same shape."""
        numbers: NDArray[np.float64] = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
        return np.array([self._function(number) for number in numbers.flat], dtype=float).reshape(numbers.shape)

    def inverted(self) -> Transform:
        """Return the inverse function."""
        return _Elementwise(self._inverse, self._function)


def _logarithm(number: float) -> float:
    if number <= 0:
        return _BELOW_ALL
    return float(_CONTEXT.log10(Decimal(number))) if isfinite(number) else number


def _power(number: float) -> float:
    return float(_CONTEXT.power(Decimal(10), Decimal(number))) if isfinite(number) else number
