"""A list whose length and elements are created, and recorded as accessed, when they are read."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, SupportsIndex

if TYPE_CHECKING:
    from harness.generators.states.reference.observe import StateObserver

LENGTH = -1
"""The position of a list's length among its fields; elements count from 0."""


class UnobservedRead(BaseException):
    """Code in C read an element without the list's methods. As a BaseException, it is not swallowed."""


class _Unread:
    """Fills the places of unread elements; any operation on it raises an error."""

    __slots__ = ()

    def _fail(self, *_: object) -> NoReturn:
        raise UnobservedRead(
            "rep_ok passed a list to a function written in C that reads its elements unobserved; "
            "pass list(values), a copy, instead"
        )

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _fail
    __hash__ = __bool__ = __len__ = __iter__ = __repr__ = __call__ = __getattr__ = __getitem__ = _fail
    __int__ = __float__ = __index__ = __neg__ = _fail
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _fail


UNREAD: Any = _Unread()


class ObservedList(list[Any]):
    """List number `number` of the state space.

    Its elements are in `cells`, UNREAD if not read. Element `p` always corresponds to field `p`, as operations that
    would shift elements read all of them first. Operations read the elements that they need, or more. The list's own
    raw content is UNREAD throughout, and never empty, so that C code that ignores the methods fails.
    """

    __slots__ = ("_first", "_number", "_observer", "cells", "is_sized")
    _first: int
    _number: int
    _observer: StateObserver
    cells: list[Any]
    is_sized: bool
    """Whether the length is read."""
    __hash__ = None

    def __new__(cls, *arguments: Any) -> Any:
        """Make an ordinary list, for `type(values)(...)` in a predicate."""
        return list(*arguments)

    @staticmethod
    def of(observer: StateObserver, number: int, first: int, longest: int) -> ObservedList:
        """Return an unread list; `first` is the field of its length, and the fields of its elements follow."""
        values: ObservedList = list.__new__(ObservedList)
        values._observer, values._number, values._first = observer, number, first
        values.cells = []
        list.extend(values, [UNREAD] * max(1, longest))
        values.unsize()
        return values

    # -- for the observer --------------------------------------------------------------------

    def size(self, length: int) -> None:
        """Give the list a length, and no elements that are read."""
        self.cells[:] = [UNREAD] * length
        self.is_sized = True

    def unsize(self) -> None:
        """Make the length unread again."""
        self.cells.clear()
        self.is_sized = False

    # -- reading -----------------------------------------------------------------------------

    def _sized(self) -> list[Any]:
        """Return the cells, after reading the length."""
        if not self.is_sized:
            self._observer.read_field(self._first)
        return self.cells

    def _at(self, position: int) -> Any:
        item = self.cells[position]
        if item is UNREAD:
            self._observer.read_field(self._first + 1 + position)
            item = self.cells[position]
        return item

    def _all(self) -> list[Any]:
        """Return an ordinary list of all elements."""
        return [self._at(position) for position in range(len(self._sized()))]

    def __len__(self) -> int:
        return len(self._sized())

    def __getitem__(self, key: Any) -> Any:
        cells = self._sized()
        item = cells[key]
        if item is UNREAD:
            position = operator.index(key)
            return self._at(position if position >= 0 else position + len(cells))
        if isinstance(key, slice):
            return [self._at(position) for position in range(*key.indices(len(cells)))]
        return item

    def __iter__(self) -> Iterator[Any]:
        position = 0
        while position < len(self._sized()):
            yield self._at(position)
            position += 1

    def __reversed__(self) -> Iterator[Any]:
        position = len(self._sized())
        while position > 0:
            position -= 1
            if position < len(self._sized()):
                yield self._at(position)

    def __contains__(self, value: object) -> bool:
        return any(item is value or item == value for item in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list):
            return NotImplemented
        return len(self) == len(other) and all(a is b or a == b for a, b in zip(self, other, strict=False))

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __radd__(self, other: Any) -> list[Any]:
        return list(other + self._all())

    def __mul__(self, times: SupportsIndex) -> list[Any]:
        return self._all() * times

    __rmul__ = __mul__

    @reprlib.recursive_repr("[...]")
    def __repr__(self) -> str:
        return repr(self._all())

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return list, (), None, iter(self)

    # -- writing -----------------------------------------------------------------------------

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice):
            self._all()
        cells = self._sized()
        self._observer.write_object(self._number)
        cells[key] = value

    def append(self, value: Any, /) -> None:
        """Append like list.append, but read the length only."""
        cells = self._sized()
        self._observer.write_object(self._number)
        cells.append(value)

    def pop(self, position: SupportsIndex = -1, /) -> Any:
        """Pop like list.pop; the last element is popped without reading the others."""
        cells = self._sized()
        if operator.index(position) != -1:
            self._all()
        elif cells:
            self._at(len(cells) - 1)
        self._observer.write_object(self._number)
        return cells.pop(position)


def _plain(other: Any) -> Any:
    return other._all() if isinstance(other, ObservedList) else other


def _reads_all(name: str) -> Callable[..., Any]:
    operation = getattr(list, name)
    return lambda self, *arguments: operation(self._all(), *map(_plain, arguments))


def _reads_all_first(name: str) -> Callable[..., Any]:
    operation = getattr(list, name)

    def method(self: ObservedList, *arguments: Any, **options: Any) -> Any:
        self._all()
        self._observer.write_object(self._number)
        result = operation(self.cells, *[self.cells if a is self else a for a in arguments], **options)
        return self if result is self.cells else result

    method.__name__ = name
    return method


for _name in ("__lt__", "__le__", "__gt__", "__ge__", "__add__", "index", "count", "copy"):
    setattr(ObservedList, _name, _reads_all(_name))
for _name in ("__delitem__", "__iadd__", "__imul__", "clear", "extend", "insert", "remove", "reverse", "sort"):
    setattr(ObservedList, _name, _reads_all_first(_name))
