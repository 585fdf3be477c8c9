"""A list whose length and elements come into being, and are recorded as accessed, when they are read."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, Protocol, SupportsIndex

LENGTH = -1
"""The position of a list's length among its fields; elements count from 0."""


class UnobservedRead(BaseException):
    """Code written in C read an element behind the list's methods. A BaseException, so that it is not swallowed."""


class _Unread:
    """Fills the places of elements nobody has read; whatever touches it fails loudly."""

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
_raw_get = list.__getitem__
_raw_len = list.__len__


class ListObserver(Protocol):
    """What an observed list tells of: reads of positions not read before, and writes."""

    def read_list(self, number: int, position: int) -> None:
        """Must `put` the value of `position` into list `number`."""

    def write_list(self, number: int) -> None:
        """List `number` is about to be changed by the predicate."""


class ObservedList(list[Any]):
    """List number `number` of the state space.

    Its raw content is UNREAD throughout until the length is read, then has that length, with
    UNREAD in place of each element not read. Operations read what they need, or more; element
    `p` of the raw content always stands for field `p`, as operations that would shift elements
    read all of them first.
    """

    __slots__ = ("_longest", "_number", "_observer", "_sized")
    _longest: int
    _number: int
    _observer: ListObserver
    _sized: bool
    __hash__ = None

    def __new__(cls, *arguments: Any) -> Any:
        """`type(values)(...)` in a predicate makes an ordinary list."""
        return list(*arguments)

    @staticmethod
    def of(observer: ListObserver, number: int, longest: int) -> ObservedList:
        """A list nothing of which is read yet."""
        made: ObservedList = list.__new__(ObservedList)
        made._observer, made._number, made._longest = observer, number, longest
        made.erase(LENGTH)
        return made

    # -- for the observer --------------------------------------------------------------------

    def put(self, position: int, value: Any) -> None:
        """Gives a position its value; a length makes every element unread."""
        if position == LENGTH:
            self._sized = True
            list.__setitem__(self, slice(None), [UNREAD] * value)
        else:
            list.__setitem__(self, position, value)

    def erase(self, position: int) -> None:
        """Makes a position unread again."""
        if position == LENGTH:
            self._sized = False
            # Never empty: C code that ignores the methods must stumble, not see an empty list.
            list.__setitem__(self, slice(None), [UNREAD] * max(1, self._longest))
        else:
            list.__setitem__(self, position, UNREAD)

    # -- reading -----------------------------------------------------------------------------

    def _size(self) -> int:
        if not self._sized:
            self._observer.read_list(self._number, LENGTH)
        return _raw_len(self)

    def _at(self, position: int) -> Any:
        item = _raw_get(self, position)
        if item is UNREAD:
            self._observer.read_list(self._number, position)
            item = _raw_get(self, position)
        return item

    def _all(self) -> list[Any]:
        """An ordinary list of all elements."""
        return [self._at(position) for position in range(self._size())]

    def __len__(self) -> int:
        return self._size()

    def __getitem__(self, key: Any) -> Any:
        size = self._size()
        if isinstance(key, slice):
            return [self._at(position) for position in range(*key.indices(size))]
        position = operator.index(key)
        if not -size <= position < size:
            raise IndexError("list index out of range")
        return self._at(position if position >= 0 else position + size)

    def __iter__(self) -> Iterator[Any]:
        position = 0
        while position < self._size():
            yield self._at(position)
            position += 1

    def __reversed__(self) -> Iterator[Any]:
        position = self._size()
        while position > 0:
            position -= 1
            if position < self._size():
                yield self._at(position)

    def __contains__(self, value: object) -> bool:
        return any(item is value or item == value for item in self)

    def index(self, value: Any, start: SupportsIndex = 0, stop: SupportsIndex = 1 << 62, /) -> int:
        """As list.index."""
        return self._all().index(value, start, stop)

    def count(self, value: Any, /) -> int:
        """As list.count."""
        return self._all().count(value)

    def copy(self) -> list[Any]:
        """An ordinary list."""
        return self._all()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list):
            return NotImplemented
        return len(self) == len(other) and all(a is b or a == b for a, b in zip(self, other, strict=False))

    def __ne__(self, other: object) -> bool:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __lt__(self, other: Any) -> bool:
        return self._all().__lt__(_plain(other))

    def __le__(self, other: Any) -> bool:
        return self._all().__le__(_plain(other))

    def __gt__(self, other: Any) -> bool:
        return self._all().__gt__(_plain(other))

    def __ge__(self, other: Any) -> bool:
        return self._all().__ge__(_plain(other))

    def __add__(self, other: Any) -> list[Any]:
        return self._all().__add__(_plain(other))

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
        self._size()
        self._observer.write_list(self._number)
        list.__setitem__(self, key, value)

    def append(self, value: Any, /) -> None:
        """As list.append; reads the length only."""
        self._size()
        self._observer.write_list(self._number)
        list.append(self, value)

    def pop(self, position: SupportsIndex = -1, /) -> Any:
        """As list.pop; the last element is popped without reading the others."""
        if operator.index(position) != -1:
            self._all()
        elif self._size():
            self._at(_raw_len(self) - 1)
        self._observer.write_list(self._number)
        return list.pop(self, position)


def _plain(other: Any) -> Any:
    return other._all() if isinstance(other, ObservedList) else other


def _reads_all_first(name: str) -> Callable[..., Any]:
    operation = getattr(list, name)

    def method(self: ObservedList, *arguments: Any, **options: Any) -> Any:
        self._all()
        self._observer.write_list(self._number)
        return operation(self, *arguments, **options)

    method.__name__ = name
    return method


for _name in ("__delitem__", "__iadd__", "__imul__", "clear", "extend", "insert", "remove", "reverse", "sort"):
    setattr(ObservedList, _name, _reads_all_first(_name))
