"""Defines the interface of a system of constraints on integers, for all of its implementations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeAlias

from harness.generators.symbolic.terms import Coefficients, Slot


class Unknown:
    """The answer of a solver that has reached its limit."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()

Range: TypeAlias = tuple[int, int] | None
"""The least and the largest value; None means any value."""
Ranges: TypeAlias = tuple[Range, ...]
"""The ranges of the variables 1, 2, ..., as far as they have one."""
Solution: TypeAlias = tuple[int, ...] | None | Unknown


class RowConstraints(ABC):
    """Constraints on a row of values; `is_exact` states that each row that satisfies them is part of a solution."""

    __slots__ = ()
    is_exact: bool

    @abstractmethod
    def entails(self, other: RowConstraints) -> bool:
        """Return whether these facts imply the other facts, on as many values; False if the solver does not know."""


class System(ABC):
    """Constraints on variables 1, 2, ...; immutable. 0 stands for the number zero.

    A decision is a pair: the system if the answer is yes, and the system if it is no. None stands for an answer that no
    solution gives, and UNKNOWN for one about which the solver does not know whether a solution gives it.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of variables."""

    @abstractmethod
    def at_most(self, x: int, y: int, c: int) -> Pair:
        """Decide whether x - y <= c."""

    @abstractmethod
    def equal(self, x: int, y: int, d: int) -> Pair:
        """Decide whether x - y = d."""

    @abstractmethod
    def linear(self, relation: str, coefficients: Coefficients, constant: int) -> Pair:
        """Decide whether the sum of the products and the constant is (`relation`) "<=" or "==" zero."""

    @abstractmethod
    def defined(self, operation: str, parts: tuple[Slot, ...]) -> Defined:
        """Return the system extended by the result of an operation on parts, and the variable that is this result.

        Args:
            operation: "*", "//" or "%" of two slots; "+" of weighted variables, the constant as the weight of 0.
        """

    @abstractmethod
    def extended(self, count: int) -> System:
        """Return the system with more variables after the others."""

    @abstractmethod
    def solution(self, ranges: Ranges = ()) -> Solution:
        """Return a value for each variable, within its range if it has one, or None if there is no solution."""

    @abstractmethod
    def order(self) -> tuple[int, ...]:
        """Return the variables in an order that makes systems equal, if possible, that differ only in names."""

    @abstractmethod
    def permuted(self, order: Sequence[int]) -> System:
        """Return the system whose first variable is the first of `order`, and so on."""

    @abstractmethod
    def projected(self, slots: tuple[Slot, ...]) -> RowConstraints:
        """Return the facts on the values of these slots only."""


Answer: TypeAlias = System | None | Unknown
Pair: TypeAlias = tuple[Answer, Answer]
Defined: TypeAlias = tuple[System, int] | Unknown
