"""Coverage as counts that add; ratios are properties (law 7)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class ConditionOutcome:
    """An atomic condition being true or false, or a function being entered (jtestcraft2010, Table 6.1).

    Attributes:
        function: qualified name of the function that it stands in.
        line: of the condition in the source, from 1; that of `def`, of an entry.
        condition: its text; empty for an entry.
        value: which outcome it is; None for an entry.
        of_class: whether the function is a method or constructor of the class under test itself; where the subject
            is no class but functions of a module, of all of these.
    """

    function: str
    line: int
    condition: str
    value: bool | None
    of_class: bool

    def __str__(self) -> str:
        event = "entered" if self.value is None else f"{self.condition} is {self.value}"
        return f"{self.function}, line {self.line}: {event}"


@dataclass(frozen=True)
class CoverageCounts:
    """Executed and executable statements and branches; never mixed with each other.

    A branch is one outcome of a branching statement, as coverage.py counts exits.
    """

    statements: int = 0
    statements_executed: int = 0
    branches: int = 0
    branches_executed: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.statements_executed <= self.statements and 0 <= self.branches_executed <= self.branches):
            raise ValueError(f"executed exceeds executable: {self}")

    def __add__(self, other: CoverageCounts) -> CoverageCounts:
        if not isinstance(other, CoverageCounts):
            return NotImplemented
        return CoverageCounts(
            self.statements + other.statements,
            self.statements_executed + other.statements_executed,
            self.branches + other.branches,
            self.branches_executed + other.branches_executed,
        )

    @property
    def statement_coverage(self) -> Fraction | None:
        """Executed statements / statements; None where there are none."""
        return Fraction(self.statements_executed, self.statements) if self.statements else None

    @property
    def branch_coverage(self) -> Fraction | None:
        """Executed branches / branches; None where there are none."""
        return Fraction(self.branches_executed, self.branches) if self.branches else None

    @property
    def complete(self) -> bool:
        """Nothing coverable is left."""
        return self.statements == self.statements_executed and self.branches == self.branches_executed
