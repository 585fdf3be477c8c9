"""Runs decide comparisons of symbolic integers during calls, by constraints on a path or by concrete values."""

from __future__ import annotations

from collections.abc import Sequence

from harness.generators.symbolic.systems import Pair, System
from harness.generators.symbolic.terms import Coefficients, Ranges, Slot, Unknown, value

MOST_FORKS = 500
"""The number of forks of one call on one path beyond which the path counts as endless."""


class Abandoned(BaseException):
    """Ends the execution. It is a BaseException, so that no `except Exception` swallows it."""


class PathLimit(Abandoned):
    """The path continues at a fork whose answer the solver does not know."""


class EndlessPath(Abandoned):
    """The path has forked too often, or exhausted the stack."""


class SymbolicRun:
    """An execution along a path: its first forks take the forced answers, and each later fork the answer yes.

    Args:
        system: the constraints at the beginning.
        forced: the answers at the first forks.
        ranges: the ranges that the values of the variables of `system` should be in.

    Attributes:
        system: the constraints so far.
        trace: all answers in order, including those that followed from earlier ones: 1 for yes, 0 for no.
        forks: the answers at forks, where both answers were possible.
        notices: the reasons why values were pinned.
    """

    __slots__ = ("_forced", "_ranges", "forks", "notices", "system", "trace")

    def __init__(self, system: System, forced: bytes, ranges: Ranges = ()) -> None:
        self.system = system
        self._forced = forced
        self._ranges = ranges
        self.trace = bytearray()
        self.forks = bytearray()
        self.notices: list[str] = []

    def at_most(self, x: int, y: int, c: int) -> bool:
        """Return whether x - y <= c, for two different variables; 0 is the number zero."""
        return self._answer(self.system.at_most(x, y, c))

    def equal(self, x: int, y: int, d: int) -> bool:
        """Return whether x - y = d."""
        return self._answer(self.system.equal(x, y, d))

    def linear(self, relation: str, coefficients: Coefficients, constant: int) -> bool:
        """Return whether a sum is (`relation`) "<=" or "==" zero."""
        return self._answer(self.system.linear(relation, coefficients, constant))

    def defined(self, operation: str, parts: tuple[Slot, ...]) -> int:
        """Return the variable for the result of an operation; see `System.defined`."""
        self.system, variable = self.system.defined(operation, parts)
        return variable

    def pinned(self, slot: Slot, reason: str) -> int:
        """Return a value that the slot has from now on."""
        x, added = slot
        solution = self.system.solution(self._ranges)
        if not isinstance(solution, tuple):
            solution = self.system.solution()
        if not isinstance(solution, tuple):
            raise PathLimit
        chosen = solution[x - 1] if x else 0
        yes, no = self.system.equal(x, 0, chosen)
        if no is not None:
            if not isinstance(yes, System):
                raise PathLimit
            self.notices.append(reason)
            self.system = yes
        return chosen + added

    def _answer(self, pair: Pair) -> bool:
        if None not in pair:
            return self._fork(pair)
        self.trace.append(int(pair[1] is None))
        return pair[1] is None

    def _fork(self, pair: Pair) -> bool:
        at = len(self.forks)
        if at >= MOST_FORKS:
            raise EndlessPath
        answer = self._forced[at] if at < len(self._forced) else 1
        self.forks.append(answer)
        self.trace.append(answer)
        chosen = pair[0] if answer else pair[1]
        if isinstance(chosen, Unknown):
            raise PathLimit
        assert chosen is not None
        self.system = chosen
        return answer == 1

    def sibling_paths(self) -> list[bytes]:
        """Return the forced answers for the paths that leave this one after the forced forks, the last fork last."""
        forks = self.forks
        return [bytes(forks[:at]) + b"\0" for at in range(len(self._forced), len(forks)) if forks[at]]


class ConcreteRun:
    """An execution on concrete values, which answer what a `SymbolicRun` is asked.

    Args:
        values: the values of the variables 1, 2, ...; more may be added as calls are made.
    """

    def __init__(self, values: Sequence[int] = ()) -> None:
        self.values = [0, *values]
        self.trace = bytearray()
        self._defined: dict[tuple[str, tuple[Slot, ...]], int] = {}

    def add(self, value: int) -> int:
        """Add a variable with this value, and return its number."""
        self.values.append(value)
        return len(self.values) - 1

    def at_most(self, x: int, y: int, c: int) -> bool:
        answer = self.values[x] - self.values[y] <= c
        self.trace.append(answer)
        return answer

    def equal(self, x: int, y: int, d: int) -> bool:
        answer = self.values[x] - self.values[y] == d
        self.trace.append(answer)
        return answer

    def linear(self, relation: str, coefficients: Coefficients, constant: int) -> bool:
        total = value(coefficients, self.values) + constant
        answer = total <= 0 if relation == "<=" else total == 0
        self.trace.append(answer)
        return answer

    def defined(self, operation: str, parts: tuple[Slot, ...]) -> int:
        if (operation, parts) not in self._defined:
            self._defined[operation, parts] = self.add(self._result(operation, parts))
        return self._defined[operation, parts]

    def pinned(self, slot: Slot, reason: str) -> int:
        return self.values[slot[0]] + slot[1]

    def _result(self, operation: str, parts: tuple[Slot, ...]) -> int:
        if operation == "+":
            return sum(weight * self.values[x] if x else weight for x, weight in parts)
        a, b = (self.values[x] + added for x, added in parts)
        return a * b if operation == "*" else a // b if operation == "//" else a % b
