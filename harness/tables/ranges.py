"""Makes columns with the median, the least and the greatest of several measurements, such as those of several seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from statistics import median
from typing import TypeVar

from harness.tables.cell import Measured, Missing, Unit
from harness.tables.missing import NOT_MEASURED
from harness.tables.table import Column

_Source = TypeVar("_Source")
_Values = Callable[[_Source], "Sequence[int | Fraction] | Missing"]


def median_of(values: Sequence[int | Fraction]) -> int | float | Fraction:
    """Return the median of numbers; of counts, as a whole number wherever it is one."""
    middle = median(values)  # type: ignore[type-var]  # of whole numbers, or of fractions
    return int(middle) if middle == int(middle) else middle


def range_columns(
    name: str, unit: Unit, values: _Values[_Source], missing: Missing = NOT_MEASURED
) -> Iterator[Column[_Source]]:
    """Yield the columns of the median, the least and the greatest (`most`) of the values of a row.

    Args:
        values: reads them from the source of a row; if there are none, the columns show `missing`.
    """
    parts: dict[str, Callable[[Sequence[int | Fraction]], Measured]] = {"median": median_of, "least": min, "most": max}
    for part, of in parts.items():
        yield Column(f"{name}, {part}", unit, partial(_part, values, of), missing=missing)


def _part(
    values: _Values[_Source], of: Callable[[Sequence[int | Fraction]], Measured], source: _Source
) -> Measured | None:
    listed = values(source)
    if isinstance(listed, Missing):
        return listed
    return of(listed) if listed else None
