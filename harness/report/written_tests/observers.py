"""Finds and evaluates observers of an object, and finds out which of them change it.

They are expressions about its attributes, its calls with at most one value, and its parts.
"""

from __future__ import annotations

import inspect
import operator
import resource
import time
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType, FunctionType, MemberDescriptorType
from typing import Any

from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.reading import Omits, held_dict, held_fields
from harness.kernel.program.loader import CallEnd
from harness.kernel.specs.tokens import Token
from harness.report.written_tests.source import plain_source

MOST_LOOKS = 5
"""Looks in a row that find a call standing still before it is taken for one that waits for ever."""
_STILL_SECONDS = 0.01
"""Processor seconds between two looks that a look itself takes, without other work."""


class Waits(CallEnd):
    """The call waits."""


class Standstill:
    """Ends calls that wait, in the code that runs within `watched`.

    Python handles a signal between two instructions, or within a function in C that waits. A call counts as waiting if
    signals find it at the same instruction repeatedly, after it gave up the processor and used almost no time. A call
    that computes loses the processor only to other processes, however busy the machine is.
    """

    def __init__(self) -> None:
        self._is_watched = False
        self._at: tuple[int, int] | None = None
        self._spent = 0.0
        self._given_up = 0
        self._looks = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Make `look` raise Waits within the block if the program waits."""
        self._is_watched, self._looks = True, 0
        try:
            yield
        finally:
            self._is_watched = False

    def look(self, frame: FrameType | None) -> None:
        """Check where the program is. A signal handler calls this repeatedly.

        Raises:
            Waits: the program has made no progress.
        """
        if not self._is_watched or frame is None:
            return
        at, spent = (id(frame), frame.f_lasti), time.thread_time()
        given_up = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
        is_still = at == self._at and given_up > self._given_up and spent - self._spent < _STILL_SECONDS
        self._at, self._spent, self._given_up = at, spent, given_up
        self._looks = self._looks + 1 if is_still else 0
        if self._looks >= MOST_LOOKS:
            self._looks = 0
            raise Waits


_CONTAINERS = (list, dict, set, tuple, frozenset)
_OF_ANY_NUMBER = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_OBJECT = "{object}"


@dataclass(frozen=True)
class Observer:
    """An expression about an object, and the function that reads its value; two are equal if their expressions are.

    Attributes:
        text: the expression, with `{object}` in place of the object.
        read: returns the value for an object.
        family: the same text for all values that one method is called with.
        always: whether the value is asserted even if it is the same in all tests, as a part of a call's result.
    """

    text: str
    read: Callable[[Any], Any] = field(compare=False)
    family: str = field(default="", compare=False)
    always: bool = field(default=False, compare=False)

    def of(self, variable: str) -> str:
        """Return the expression about the object in a variable."""
        return self.text.replace(_OBJECT, variable)

    def within(self, outer: Observer) -> Observer:
        """Return the observer that reads this one of the value of `outer`."""
        text = self.of(outer.text)
        return replace(self, text=text, family=text, read=lambda held: self.read(outer.read(held)))


def _observer(expression: str, read: Callable[[Any], Any], family: str = "", *, always: bool = False) -> Observer:
    return Observer(expression, read, family or expression, always)


_ITSELF = _observer(_OBJECT, lambda held: held)

REPR = _observer("repr({object})", repr)
"""The observer that is used if an object has no other."""


def observers_of(held: Any, module: str, values: Mapping[str, Any]) -> list[Observer]:
    """Return the observers of an object that need no knowledge of its implementation; none for a foreign class.

    It is not known yet whether an observer changes the object.

    Args:
        module: the name of the module whose classes count as its own.
        values: the values that methods are called with, by source.
    """
    cls = type(held)
    if cls in _CONTAINERS:
        return [_ITSELF]
    if cls.__module__ != module:
        return []
    observers = []
    if isinstance(held, dict):
        observers.append(_observer("list({object}.items())", lambda one: list(one.items())))
    elif isinstance(held, (list, set)) or own_method(cls, "__iter__", module):
        observers.append(_observer("list({object})", list))
    if own_method(cls, "__len__", module):
        observers.append(_observer("len({object})", len))
    if own_method(cls, "__contains__", module):
        observers += [
            _observer(f"{source} in {{object}}", _contains(value), "{value} in {object}")
            for source, value in values.items()
        ]
    observers += [_observer(f"{{object}}.{name}", operator.attrgetter(name)) for name in _attributes(held, cls, module)]
    methods = _methods(cls, module)
    for name, arguments in methods.items():
        if arguments == 0:
            observers += [_observer(f"{{object}}.{name}()", operator.methodcaller(name)), _items(name)]
    return observers + [
        _observer(f"{{object}}.{name}({source})", operator.methodcaller(name, value), f"{{object}}.{name}({{value}})")
        for name, arguments in methods.items()
        if arguments == 1
        for source, value in values.items()
    ]


def parts_of(held: Any, module: str, is_leaf: Callable[[Any], bool]) -> list[Observer]:
    """Return the observers of the parts of a list, tuple, dict or set, down to objects of the module's own classes.

    Parts are read by their place (`pair[1].title`). Items of sets have no place, so only their number is read.

    Args:
        is_leaf: whether a part is compared as a whole.
    """
    sized = type(held) in (list, dict, set, frozenset)
    observers = [_observer("len({object})", len, always=True)] if sized else []
    for place, part in _places(held):
        inner = [_ITSELF]
        if not is_leaf(part):
            own = [] if type(part) in _CONTAINERS else observers_of(part, module, {})
            inner = [*own, *parts_of(part, module, is_leaf)]
        observers += [replace(one.within(place), always=True) for one in inner]
    return observers


def own_method(cls: type, name: str, module: str) -> bool:
    """Return whether a class of the module defines the method."""
    return any(name in vars(base) for base in cls.__mro__ if base.__module__ == module)


def _places(held: Any) -> Iterable[tuple[Observer, Any]]:
    """Yield an observer for each item with an index or a plain key, and for each field of a named tuple, with it."""
    if isinstance(held, tuple) and hasattr(held, "_fields"):
        yield from (
            (_observer(f"{{object}}.{name}", operator.attrgetter(name)), getattr(held, name)) for name in held._fields
        )
    elif type(held) in (list, tuple, dict):
        for key, item in held.items() if isinstance(held, dict) else enumerate(held):
            source = plain_source(key, {})
            if source is not None:
                yield _observer(f"{{object}}[{source}]", operator.itemgetter(key)), item


def _attributes(held: Any, cls: type, module: str) -> list[str]:
    """Return the public names of an object's attributes and of the properties of its class."""
    names = dict.fromkeys(held_dict(held) or {})
    for base in cls.__mro__:
        if base.__module__ == module:
            kinds = (MemberDescriptorType, property)
            names |= dict.fromkeys(name for name, member in vars(base).items() if isinstance(member, kinds))
    names |= dict.fromkeys(held_fields(held) or {})  # slots in classes of other modules as well
    return [name for name in names if isinstance(name, str) and not name.startswith("_")]


def _methods(cls: type, module: str) -> dict[str, int]:
    """Return the public methods of the object's own classes, each with the number of arguments that it needs."""
    methods: dict[str, int] = {}
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items() if base.__module__ == module else ():
            methods.pop(name, None)
            if isinstance(member, FunctionType) and not (name.startswith("_") or inspect.iscoroutinefunction(member)):
                parameters = list(inspect.signature(member).parameters.values())[1:]
                needed = [one for one in parameters if one.default is one.empty and one.kind not in _OF_ANY_NUMBER]
                if all(one.kind is not one.KEYWORD_ONLY for one in needed):
                    methods[name] = len(needed)
    return methods


def _items(name: str) -> Observer:
    """Return an observer of the items of a method's result; it reads only the class of a result that has none."""
    call = operator.methodcaller(name)

    def read(held: Any) -> Any:
        result = call(held)
        return list(result) if isinstance(result, (Iterator, KeysView, ValuesView, ItemsView)) else result.__class__

    return _observer(f"list({{object}}.{name}())", read)


def _contains(value: Any) -> Callable[[Any], bool]:
    return lambda held: value in held


NOT_PLAIN = ""
"""Stands for the source of what cannot be written as a plain value."""


@dataclass(frozen=True)
class ObjectObservations:
    """The plain values of an object's observers at the end of a test, as source."""

    variable: str
    class_name: str
    values: dict[Observer, str]


class Asker:
    """Evaluates observers of a module's objects.

    Args:
        module: the name of the module.
        omits: the fields that do not belong to the state of an object.
        standstill: detects observers that wait.
    """

    def __init__(self, module: str, omits: Omits | None, standstill: Standstill) -> None:
        self._module = module
        self._omits = omits
        self._standstill = standstill
        self.waiting: set[str] = set()
        """Families of observers that once waited for ever; they are among `changing`, and are not called again."""
        self.changing: set[str] = set()
        """Families of observers that changed an object, or gave two successive values for it."""

    def observe(
        self, variable: str, held: Any, values: Mapping[str, Any], tokens: dict[Token, str], named: Mapping[int, str]
    ) -> ObjectObservations:
        """Return the observations of an object, or of the objects in a collection.

        Args:
            variable: the name of the object's variable.
            values: the values that observers are called with, by source.
            named: variables of the test, by the identities of their objects.
        """
        sources: dict[Observer, str | None] = {}
        for observer in self.observers(held, values, tokens, named):
            sources[observer], value = self._observed(observer, held, tokens, named)
            if sources[observer] == NOT_PLAIN and not observer.always and observer.family not in self.changing:
                for part in self._parts(value, tokens, named):
                    inner = replace(part.within(observer), always=False)
                    sources[inner], _ = self._observed(inner, held, tokens, named)
        if not any(sources.values()) and own_method(type(held), "__repr__", self._module):
            sources[REPR], _ = self._observed(REPR, held, tokens, named)
        plain = {observer: source for observer, source in sources.items() if source}
        return ObjectObservations(variable, type(held).__name__, plain)

    def observers(
        self, held: Any, values: Mapping[str, Any], tokens: dict[Token, str], named: Mapping[int, str]
    ) -> list[Observer]:
        """Return the observers of an object, or of those items of a collection that cannot be written as source."""
        if plain_source(held, tokens) is not None:
            return observers_of(held, self._module, values)
        own = observers_of(held, self._module, values) if type(held).__module__ == self._module else []
        return [*own, *self._parts(held, tokens, named)]

    def _parts(self, held: Any, tokens: dict[Token, str], named: Mapping[int, str]) -> list[Observer]:
        return parts_of(held, self._module, lambda one: id(one) in named or plain_source(one, tokens) is not None)

    def _observed(
        self, observer: Observer, held: Any, tokens: dict[Token, str], named: Mapping[int, str]
    ) -> tuple[str | None, Any]:
        """Return an observer's value as source, or None if it raises, and the value.

        Record the observer if it changes the object.
        """
        if observer.family in self.changing or any(family in observer.family for family in self.waiting):
            return None, None
        state = state_of(held, self._omits)
        try:
            with self._standstill.watched():
                values = [observer.read(held), observer.read(held)]
        except Waits:
            self.waiting.add(observer.family)
            self.changing.add(observer.family)
            return None, None
        except BaseException:
            values = []
        names = {number: name for number, name in named.items() if number != id(held)}
        sources = [names.get(id(value)) or plain_source(value, tokens) or NOT_PLAIN for value in values]
        is_unchanged = "(" not in observer.text if state is None else state_of(held, self._omits) == state
        if not is_unchanged or sources[:1] != sources[1:]:
            self.changing.add(observer.family)
        if not sources:
            return None, None
        return NOT_PLAIN if " at 0x" in sources[0] else sources[0], values[0]


def state_of(held: Any, omits: Omits | None) -> bytes | None:
    """Return the canonical form of an object; None if it has none."""
    try:
        return concrete(held, omits=omits, past_methods=True)
    except (NotCanonical, RecursionError):
        return None
