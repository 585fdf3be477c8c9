"""Symbolic integers: proxies whose comparisons are decided by a run, which so chooses the program's path.

A run decides by constraints on a path, or by concrete values. Python does not regard the proxies as integers, so no
code in C uses one without asking for its number. An operation that needs a number (an index, a hash, a float, a text)
pins the value, which the run notes. `isinstance(value, int)` is true, as the program expects.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

from harness.generators.symbolic.formulas import (
    Coefficients,
    Ranges,
    Slot,
    Unknown,
    combined,
    content,
    difference,
    scaled,
    value,
)
from harness.generators.symbolic.systems import Pair, System

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


_ZERO = "integer division or modulo by zero"
_COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
_UNREFLECTED = ("__repr__", "__reduce__", "__reduce_ex__", "__round__", "__rshift__")


class _Deciding:
    """Holds the run that decides at present."""

    __slots__ = ("run",)
    run: SymbolicRun | ConcreteRun


DECIDING = _Deciding()
"""Code that executes calls on symbolic integers sets its `run` first."""


def _pinning(name: str, reason: str) -> Callable[..., Any]:
    """Return a method that pins its symbolic operands and calls the method of `int`, which needs numbers."""
    method: Callable[..., Any] = getattr(int, name)
    plain = name.strip("_")
    reflected = name not in _UNREFLECTED and plain.startswith("r") and hasattr(operator, plain[1:])

    def pinned(self: Symbolic, *operands: Any) -> Any:
        if len(operands) == 1 and type(operands[0]) is float:
            one, other = (operands[0], self) if reflected else (self, operands[0])
            return _with_float(getattr(operator, plain[1:] if reflected else plain), one, other)
        arguments = [concrete(other, reason) if isinstance_of(other) else other for other in operands]
        return method(concrete(self, reason), *arguments)

    pinned.__name__ = name
    return pinned


def isinstance_of(value: Any) -> bool:
    """Return whether a value is symbolic. `isinstance` cannot decide it, because symbolic values claim to be an int."""
    return type(value) is Integer or type(value) is Linear


class Symbolic:
    """A sum of variables and a constant."""

    __slots__ = ()

    __class__ = property(lambda self: int)

    def parts(self) -> tuple[Coefficients, int]:
        """Return the coefficients and the constant."""
        raise NotImplementedError

    # -- comparing ---------------------------------------------------------------------------

    def __lt__(self, other: Any) -> Any:
        return _at_most(self, other, -1, operator.lt)

    def __le__(self, other: Any) -> Any:
        return _at_most(self, other, 0, operator.le)

    def __gt__(self, other: Any) -> Any:
        return _at_most(other, self, -1, operator.lt)

    def __ge__(self, other: Any) -> Any:
        return _at_most(other, self, 0, operator.le)

    def __eq__(self, other: Any) -> Any:
        return _equal(self, other)

    def __ne__(self, other: Any) -> Any:
        answer = _equal(self, other)
        return answer if answer is NotImplemented else not answer

    def __bool__(self) -> bool:
        return not _equal(self, 0)

    # -- calculating -------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        return _sum(self, other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _sum(self, other, -1)

    def __rsub__(self, other: Any) -> Any:
        return _with_float(operator.sub, other, self) if type(other) is float else _sum(-self, other, 1)

    def __neg__(self) -> Any:
        coefficients, constant = self.parts()
        return number(scaled(coefficients, -1), -constant)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __mul__(self, other: Any) -> Any:
        if isinstance_of(other):
            return _operation("*", self, other)
        if not isinstance(other, int):
            return _with_float(operator.mul, self, other)
        coefficients, constant = self.parts()
        return number(scaled(coefficients, other), constant * other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Any:
        return _divided("//", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return _divided("//", other, self)

    def __mod__(self, other: Any) -> Any:
        return _divided("%", self, other)

    def __rmod__(self, other: Any) -> Any:
        return _divided("%", other, self)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    # -- leaving the subset ------------------------------------------------------------------

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: object) -> Any:
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"'int' object has no attribute {name!r}")
        return getattr(concrete(self, f"int.{name}"), name)


_REASONS = {
    "__index__": "an index or a function in C",
    "__hash__": "a hash",
    "__int__": "int()",
    "__float__": "a float",
    "__complex__": "a complex number",
    "__repr__": "a text",
    "__str__": "a text",
    "__format__": "a text",
    "__reduce__": "a copy by pickle",
    "__reduce_ex__": "a copy by pickle",
    "__round__": "rounding",
    "__trunc__": "rounding",
    "__floor__": "rounding",
    "__ceil__": "rounding",
    "__truediv__": "a float",
    "__rtruediv__": "a float",
    "__pow__": "a power",
    "__rpow__": "a power",
    **dict.fromkeys(
        [f"__{side}{name}__" for name in ("and", "or", "xor", "lshift", "rshift") for side in ("", "r")]
        + ["__invert__"],
        "an operation on bits",
    ),
}
"""The methods that pin, each with its name in a notice."""

for _name, _reason in _REASONS.items():
    if hasattr(int, _name):
        setattr(Symbolic, _name, _pinning(_name, _reason))


def _complex(self: Symbolic) -> complex:
    return complex(concrete(self, "a complex number"))


Symbolic.__complex__ = _complex  # type: ignore[attr-defined]


class Integer(Symbolic):
    """A variable plus a constant; nearly all values in the paper's programs are such, so comparisons try it first."""

    __slots__ = ("added", "variable")

    def __init__(self, variable: int, added: int = 0) -> None:
        self.variable = variable
        self.added = added

    def parts(self) -> tuple[Coefficients, int]:
        return ((self.variable, 1),), self.added


class Linear(Symbolic):
    """Any other sum."""

    __slots__ = ("_coefficients", "_constant")

    def __init__(self, coefficients: Coefficients, constant: int) -> None:
        self._coefficients = coefficients
        self._constant = constant

    def parts(self) -> tuple[Coefficients, int]:
        return self._coefficients, self._constant


def number(coefficients: Coefficients, constant: int) -> Any:
    """Return a sum as the program receives it, which is an int if it has no variable."""
    if not coefficients:
        return constant
    if len(coefficients) == 1 and coefficients[0][1] == 1:
        return Integer(coefficients[0][0], constant)
    return Linear(coefficients, constant)


def slot_of(value: Symbolic) -> Slot:
    """Return a symbolic value as a variable and a constant; a sum gets a variable of its own."""
    coefficients, constant = value.parts()
    if len(coefficients) == 1 and coefficients[0][1] == 1:
        return coefficients[0][0], constant
    return DECIDING.run.defined("+", coefficients), constant


def concrete(value: Any, reason: str) -> int:
    """Return the value that a symbolic value is pinned to."""
    coefficients, constant = value.parts()
    total: int = constant
    for x, weight in coefficients:
        total += weight * DECIDING.run.pinned((x, 0), reason)
    return total


def _with_float(operation: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:
    """Apply an operation to a float and a symbolic operand, which is pinned; return NotImplemented for other operands.

    No value is needed to compare with an infinite float or with NaN.
    """
    operand = other if isinstance_of(one) else one
    if type(operand) is not float:
        return NotImplemented
    is_told = operation in _COMPARISONS and not isfinite(operand)
    numbers = [(0 if is_told else concrete(part, "a float")) if isinstance_of(part) else part for part in (one, other)]
    return operation(*numbers)


def _operand(other: Any) -> tuple[Coefficients, int] | None:
    """Return the coefficients and the constant of an operand, or None if it is no integer."""
    if isinstance_of(other):
        parts: tuple[Coefficients, int] = other.parts()
        return parts
    return ((), int(other)) if isinstance(other, int) else None


def _sum(one: Any, other: Any, factor: int) -> Any:
    parts = _operand(other)
    if parts is None:
        return _with_float(operator.add if factor > 0 else operator.sub, one, other)
    coefficients, constant = one.parts()
    return number(combined(coefficients, parts[0], factor), constant + factor * parts[1])


def _at_most(one: Any, other: Any, by: int, operation: Callable[[Any, Any], Any]) -> Any:
    """Return whether one - other <= by, or what the operation says of a float."""
    kind, other_kind = type(one), type(other)
    if (kind is Integer or kind is int) and (other_kind is Integer or other_kind is int):
        x, added = (one.variable, one.added) if kind is Integer else (0, one)
        y, more = (other.variable, other.added) if other_kind is Integer else (0, other)
        return added - more <= by if x == y else DECIDING.run.at_most(x, y, more - added + by)
    left, right = _operand(one), _operand(other)
    if left is None or right is None:
        return _with_float(operation, one, other)
    coefficients, constant = combined(left[0], right[0], -1), left[1] - right[1] - by
    if not coefficients:
        return constant <= 0
    pair = difference(coefficients)
    if pair is not None:
        x, y, weight = pair
        return DECIDING.run.at_most(x, y, -constant // weight)
    common = content(coefficients)
    reduced = tuple((x, weight // common) for x, weight in coefficients)
    return DECIDING.run.linear("<=", reduced, -(-constant // common))


def _equal(one: Symbolic, other: Any) -> Any:
    kind, other_kind = type(one), type(other)
    if kind is Integer and (other_kind is Integer or other_kind is int):
        x, added = one.variable, one.added
        y, more = (other.variable, other.added) if other_kind is Integer else (0, other)
        return added == more if x == y else DECIDING.run.equal(x, y, more - added)
    left, right = one.parts(), _operand(other)
    if right is None:
        return _with_float(operator.eq, one, other)
    coefficients, constant = combined(left[0], right[0], -1), left[1] - right[1]
    if not coefficients:
        return constant == 0
    common = content(coefficients)
    if constant % common:
        return False
    pair = difference(coefficients)
    if pair is not None:
        x, y, weight = pair
        return DECIDING.run.equal(x, y, -constant // weight)
    return DECIDING.run.linear("==", tuple((x, weight // common) for x, weight in coefficients), constant // common)


def _divided(operation: str, one: Any, other: Any) -> Any:
    if _operand(one) is None or _operand(other) is None:
        return _with_float(operator.floordiv if operation == "//" else operator.mod, one, other)
    if other == 0:
        raise ZeroDivisionError(_ZERO)
    return _operation(operation, one, other)


def _operation(operation: str, one: Any, other: Any) -> Integer:
    slots = tuple(slot_of(part) if isinstance_of(part) else (0, int(part)) for part in (one, other))
    return Integer(DECIDING.run.defined(operation, slots))
