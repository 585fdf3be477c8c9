"""What a system of constraints on integers is, whatever decides it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TypeAlias

from harness.generators.symbolic.terms import Coefficients, Slot


class Unknown:
    """What a solver says that has come to its limit."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = Unknown()

Range: TypeAlias = tuple[int, int] | None
"""The least and the largest value; None: any."""
Ranges: TypeAlias = tuple[Range, ...]
"""Of the variables 1, 2, ..., as far as they are told."""
Solution: TypeAlias = tuple[int, ...] | None | Unknown


class Facts(ABC):
    """What holds of some values in a row; `is_exact` tells whether each row of which it holds is one of a solution."""

    __slots__ = ()
    is_exact: bool

    @abstractmethod
    def entails(self, other: Facts) -> bool:
        """Whether the other facts, of as many values, hold wherever these do; False where the solver does not know."""


class System(ABC):
    """Constraints on variables 1, 2, ...; immutable. 0 stands for the number zero.

    A decision is a pair: the system where the answer is yes, and where it is no. None stands for an answer that no
    solution gives, UNKNOWN for one of which the solver does not know it.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def size(self) -> int:
        """How many variables there are."""

    @abstractmethod
    def at_most(self, x: int, y: int, c: int) -> Pair:
        """Whether x - y <= c."""

    @abstractmethod
    def equal(self, x: int, y: int, d: int) -> Pair:
        """Whether x - y = d."""

    @abstractmethod
    def linear(self, relation: str, coefficients: Coefficients, constant: int) -> Pair:
        """Whether the sum of the products and the constant is (`relation`) "<=" or "==" zero."""

    @abstractmethod
    def defined(self, operation: str, parts: tuple[Slot, ...]) -> Defined:
        """The variable that an operation on parts gives, and the system with it.

        Args:
            operation: "*", "//" or "%" of two slots; "+" of weighted variables, the constant as the weight of 0.
        """

    @abstractmethod
    def extended(self, count: int) -> System:
        """With more variables behind the others."""

    @abstractmethod
    def solution(self, ranges: Ranges = ()) -> Solution:
        """A value for each variable, those of which a range is told within it; None where there is none."""

    @abstractmethod
    def order(self) -> tuple[int, ...]:
        """The variables in the order by which systems that differ in names alone become the same, as far as may be."""

    @abstractmethod
    def permuted(self, order: Sequence[int]) -> System:
        """The system whose first variable is the first of `order`, and so on."""

    @abstractmethod
    def projected(self, slots: tuple[Slot, ...]) -> Facts:
        """What holds of the values of slots alone."""


Answer: TypeAlias = System | None | Unknown
Pair: TypeAlias = tuple[Answer, Answer]
Defined: TypeAlias = tuple[System, int] | Unknown
