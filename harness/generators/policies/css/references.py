"""References to objects that are not chosen yet; a variable of the solver is the number of the object.

jtestcraft2010, section 3.2, calls this heap reasoning, and did not implement it. A reference is decided when the
program first needs to know its object: by `is`, by `isinstance`, or by using it. A reference that is only passed on and
stored stays undecided.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from harness.generators.sequences.replay import reachable
from harness.generators.symbolic import rewriting as runtime
from harness.generators.symbolic.values import DECIDING
from harness.kernel.objects.reading import stored_fields


class ObjectReference:
    """A placeholder for one of several objects.

    Args:
        variable: the variable of the run that decides; its values are the numbers of the objects.
        objects: the possible objects; those of one class are adjacent.
    """

    __slots__ = ("_at", "_objects", "_variable")

    def __init__(self, variable: int, objects: Sequence[Any]) -> None:
        self._variable = variable
        self._objects = objects
        self._at: int | None = None

    def resolved(self) -> Any:
        """Return the object; decide it first if it is undecided."""
        if self._at is None:
            last = len(self._objects) - 1
            self._at = next((at for at in range(last) if DECIDING.run.equal(self._variable, 0, at)), last)
        return self._objects[self._at]

    def is_among(self, holds: Callable[[Any], bool]) -> bool:
        """Return whether the object is one for which `holds` is true, and decide no more than that."""
        numbers = [at for at, one in enumerate(self._objects) if holds(one)]
        if self._at is not None:
            return self._at in numbers
        return any(self._is_within(low, high) for low, high in _rows(numbers))

    def _is_within(self, low: int, high: int) -> bool:
        run, x = DECIDING.run, self._variable
        if low == high:
            return run.equal(x, 0, low)
        is_high_enough = not low or run.at_most(0, x, -low)
        return is_high_enough and (high == len(self._objects) - 1 or run.at_most(x, 0, high))

    def choose(self, values: Sequence[int]) -> int:
        """Choose the object according to the values of all variables, without a decision, and return its number."""
        self._at = values[self._variable]
        return self._at

    # -- special methods that Python calls ------------------------------------------------------

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self.resolved())

    def __eq__(self, other: object) -> Any:
        return self.resolved() == resolved(other)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.resolved(), name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.resolved()(*arguments, **named)


_OPERATORS = (
    *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow"),
    *("lshift", "rshift", "and", "or", "xor"),
)
_ON_ONE: dict[str, Callable[..., Any]] = {
    **{f"__{name}__": getattr(operator, f"__{name}__") for name in ("neg", "pos", "abs", "invert", "index")},
    **{f"__{name}__": getattr(operator, f"__{name}__") for name in ("getitem", "setitem", "delitem", "contains")},
    **{f"__{name}__": getattr(operator, f"__{name}__") for name in ("lt", "le", "gt", "ge")},
    **{f"__{of.__name__}__": of for of in (bool, hash, repr, str, format, len, iter, next, reversed)},
    **{f"__{of.__name__}__": of for of in (int, float, complex, round, divmod)},
}
"""Special methods that take the object first, with further arguments or none."""


def _straight(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Return a special method that applies an operation to the object and the arguments after it."""
    return lambda self, *others: operation(self.resolved(), *map(resolved, others))


def _turned(operation: Callable[..., Any]) -> Callable[..., Any]:
    """Return a special method that applies an operation to another value first and the object second."""
    return lambda self, other: operation(resolved(other), self.resolved())


for _name in _OPERATORS:
    setattr(ObjectReference, f"__{_name}__", _straight(getattr(operator, f"__{_name}__")))
    setattr(ObjectReference, f"__i{_name}__", _straight(getattr(operator, f"__i{_name}__")))
    setattr(ObjectReference, f"__r{_name}__", _turned(getattr(operator, f"__{_name}__")))
for _name, _operation in _ON_ONE.items():
    setattr(ObjectReference, _name, _straight(_operation))


def _rows(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and the last number of each run of consecutive numbers."""
    rows: list[tuple[int, int]] = []
    for number in numbers:
        if rows and rows[-1][1] == number - 1:
            rows[-1] = (rows[-1][0], number)
        else:
            rows.append((number, number))
    return rows


def resolved(value: Any) -> Any:
    """Return a value, or the object of a reference."""
    return value.resolved() if type(value) is ObjectReference else value


def same(one: Any, other: Any) -> bool:
    """Return whether two values are the same object, like `is`."""
    if type(one) is not ObjectReference:
        one, other = other, one
    if type(one) is not ObjectReference or one is other:
        return runtime.same(one, other)
    target = resolved(other)
    return one.is_among(lambda held: held is target)


def is_a(value: Any, classes: Any) -> bool:
    """Return whether a value is an instance of a class, like `isinstance`."""
    if type(value) is ObjectReference:
        return value.is_among(lambda held: isinstance(held, classes))
    return isinstance(value, classes)


def settle(roots: Sequence[Any]) -> None:
    """Replace all references below some objects by their objects, which are all decided or chosen."""
    for value in reachable(list(roots), None):
        kind = type(value)
        if kind is list:
            value[:] = [_settled(one) for one in value]
        elif kind is dict:
            _refill(value, [(_settled(key), _settled(held)) for key, held in value.items()])
        elif kind is set or kind is deque:
            _refill(value, [_settled(one) for one in value])
        elif kind is not ObjectReference:
            for name, held in stored_fields(value).items():
                if type(held) is ObjectReference or type(held) is tuple:
                    object.__setattr__(value, name, _settled(held))


def _refill(container: Any, held: list[Any]) -> None:
    container.clear()
    container.extend(held) if type(container) is deque else container.update(held)


def _settled(value: Any) -> Any:
    if type(value) is ObjectReference:
        return value.resolved()
    return tuple([_settled(one) for one in value]) if type(value) is tuple else value
