"""A logarithmic scale of figures whose positions are the same on every processor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from math import isfinite
from typing import Any

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
    """Labels ticks between powers of ten: 1, 2 and 5 times these, as 3 and 4 times would overlap in a small figure.

    An axis that would have a single label gets a second one.
    """

    _chosen: Sequence[float] = ()

    def set_locs(self, locs: Any = None) -> None:
        """Choose the ticks that have labels, out of those between the major ones."""
        super().set_locs(locs)
        if not isinstance(self.axis, Axis) or locs is None:
            return
        low, high = sorted(self.axis.get_view_interval())
        powers = [x for x in self.axis.get_majorticklocs() if low <= x <= high]
        inside = [float(x) for x in locs if low <= x <= high]
        few = [x for x in inside if _digit(x) in {"1", "2", "5"}]
        self._chosen = [x for x in few if super(_FewLabels, self).__call__(x)]
        if inside and len(powers) + len(self._chosen) < 2:
            self._sublabels = None  # these decide no more what has a label
            self._chosen = _labelled(powers, few, inside)

    def __call__(self, x: float, pos: int | None = None) -> str:
        if x not in self._chosen:
            return ""
        return super().__call__(x, pos) if _digit(x) else f"{x:g}"


def _digit(x: float) -> str:
    """Return the digit that a number has before zeros, such as 2 of 200; empty for a number with several digits."""
    digit, _, decimals = f"{x:.9e}".partition(".")
    return digit if decimals.startswith("000000000") else ""


def _labelled(powers: Sequence[float], few: Sequence[float], inside: Sequence[float]) -> Sequence[float]:
    """Return the ticks to label beside at most one power of ten: of few ticks if they suffice, else of all inside."""
    if powers:
        return [max(few or inside, key=lambda x: max(x / powers[0], powers[0] / x))]
    return few if len(few) > 1 else [inside[0], inside[-1]]


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
