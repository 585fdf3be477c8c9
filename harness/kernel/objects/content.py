"""Reads what a value holds besides its fields, so that no two values are compared by their type alone.

This is the one place that decides what has content: for results, fields and elements, at any depth.
"""

from __future__ import annotations

import gc
import re
import weakref
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from copyreg import dispatch_table
from io import IOBase
from itertools import chain, islice
from operator import attrgetter
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CellType,
    CodeType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MappingProxyType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

from harness.errors import SpecError
from harness.kernel.objects.reading import (
    ATOMS,
    CONTAINERS,
    NOT_COMPARED,
    Omits,
    contents,
    held_dict,
    held_fields,
    is_of_c,
    stored_fields,
    walked,
)
from harness.kernel.specs.tokens import Token

MOST_DRAWN = 1000
"""The number of elements up to which the iterator that a call returns is drawn."""

_RUNNING = (CoroutineType, AsyncGeneratorType)
STILL_TO_RUN = (FunctionType, MethodType, BuiltinFunctionType, MethodWrapperType, GeneratorType, *_RUNNING)
"""Types of what a spec returns by mistake: functions that it did not call, and what runs later."""
_COPIED: tuple[type, ...] = (list, tuple, dict)
_OF_CODE = ("co_code", "co_consts", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags", "co_argcount",
          "co_posonlyargcount", "co_kwonlyargcount", "co_exceptiontable")  # fmt: skip

Parts = tuple[Any, ...]


def parts_of(value: Any) -> Parts | None:
    """Return what a value holds besides its fields and elements, without running or consuming it; None if that cannot
    be read (`object()`, a lock, a file, a coroutine).

    Views and proxies hold their mapping, buffers their bytes, matches and patterns their text, bound methods and
    partial functions their parts. A function is its code, defaults and cells; a generator is its code, position and
    variables. Code with a name in its module is that name. All else has the parts that pickle takes.
    """
    if type(value) is object:
        return None
    read = next((read for base, read in _PARTS if issubclass(type(value), base)), _pickled)
    try:
        return read(value)
    except (TypeError, ValueError, NotImplementedError):
        return None  # also a view that was released, a file that was closed


def holds_more(cls: type) -> bool:
    """Return whether instances of a class may hold more than their fields, as a class of C among its bases may."""
    return any(is_of_c(base) and _is_larger(base) for base in cls.__mro__)


def _is_larger(base: type) -> bool:
    attributes = 8 * bool(base.__dictoffset__ > 0) + 8 * bool(base.__weakrefoffset__ > 0)
    return bool(base.__itemsize__) or base.__basicsize__ - attributes > object.__basicsize__


def _code(code: CodeType) -> Parts:
    if "<" not in code.co_qualname:
        return (code.co_qualname,)
    return tuple(getattr(code, name) for name in _OF_CODE)


def _generator(generator: GeneratorType[Any, Any, Any]) -> Parts:
    frame = generator.gi_frame
    if frame is None:
        return ("ended",)
    # The iterators of its loops are on its stack only.
    of_loops = [held for held in gc.get_referents(generator) if is_lazy(type(held))]
    return generator.gi_code, frame.f_lasti < 0, frame.f_lineno, dict(frame.f_locals), of_loops


def _builtin(function: BuiltinFunctionType) -> Parts:
    owner = function.__self__
    return function.__name__, owner.__name__ if isinstance(owner, ModuleType) else owner


def _pickled(value: Any) -> Parts | None:
    try:
        reduced = value.__reduce_ex__(2)
    except (TypeError, ValueError):
        reduced = dispatch_table[type(value)](value) if type(value) in dispatch_table else None
    if not isinstance(reduced, tuple):
        return None if reduced is None else (reduced,)
    has_fields = held_dict(value) is not None
    return tuple(_part(at, part, has_fields) for at, part in enumerate(reduced))


def _part(at: int, part: Any, has_fields: bool) -> Any:
    if at == 2 and has_fields and type(part) is dict:
        return None  # the fields, which are compared by name
    return list(part) if at in (3, 4) and part is not None else part


_PARTS: tuple[tuple[type | tuple[type, ...], Callable[[Any], Parts | None]], ...] = (
    (FunctionType, attrgetter("__code__", "__defaults__", "__kwdefaults__", "__closure__")),
    (CodeType, _code),
    ((CellType, MappingProxyType), lambda holder: tuple(gc.get_referents(holder))),
    (MethodType, attrgetter("__func__", "__self__")),
    (BuiltinFunctionType, _builtin),
    (MethodWrapperType, attrgetter("__name__", "__self__")),
    ((staticmethod, classmethod), lambda method: (method.__func__,)),
    (property, attrgetter("fget", "fset", "fdel")),
    (GeneratorType, _generator),
    (_RUNNING, lambda running: None),
    ((type({}.keys()), type({}.values()), type({}.items())), tuple),
    (memoryview, lambda view: (view.format, view.shape, view.tobytes())),
    (re.Match, attrgetter("re", "string", "regs", "pos", "endpos")),
    (re.Pattern, attrgetter("pattern", "flags")),
    (weakref.ref, lambda reference: (weakref.ref.__call__(reference),)),
)


def is_untold(cls: type, fields: object) -> bool:
    """Return whether values of which nothing can be read have no content either in these fields of theirs."""
    return not fields or is_of_c(cls)


def untold(
    roots: Iterable[Any], omits: Omits | None = None, *, refused: tuple[type, ...] = ()
) -> Counter[tuple[str, str]]:
    """Count the values below `roots` without content, by their place and type: `("Pool.lock", "lock")`.

    The place is the field of an object; elements have that of their container, and the place is "" outside of objects.
    What the spec calls opaque is left out. Instances of `refused` are counted as if they had none.
    """
    places: dict[int, str] = {}
    found: Counter[tuple[str, str]] = Counter()

    def inner(value: Any) -> list[Any]:
        kind = type(value)
        if kind in ATOMS or kind in NOT_COMPARED or isinstance(value, (Token, type, ModuleType)):
            return []
        if isinstance(value, refused):
            found[places[id(value)], kind.__qualname__] += 1
            return []
        fields, held = held_fields(value) or {}, contents(value)
        if omits is not None:
            fields = {name: one for name, one in fields.items() if not omits(name)}
        if not isinstance(value, CONTAINERS) and (held_fields(value) is None or holds_more(kind)):
            parts = parts_of(value)
            if parts is None and is_untold(kind, fields):
                found[places[id(value)], kind.__qualname__] += 1
            held.extend(parts or ())
        for one in held:
            places.setdefault(id(one), places[id(value)])
        for name, one in fields.items():
            places.setdefault(id(one), f"{kind.__qualname__}.{name}")
        return [*held, *fields.values()]

    roots = list(roots)
    places.update(dict.fromkeys(map(id, roots), ""))
    deque(walked(roots, inner), maxlen=0)
    return found


def check_answer(answer: Any, predicate: str, asked: str) -> None:
    """Refuse an answer of a predicate that is true of anything: a function not called, an iterator not run.

    Args:
        predicate: its file and name.
        asked: what it is asked about, as text.

    Raises:
        SpecError: it is such an answer.
    """
    if answer is not True and isinstance(answer, (*STILL_TO_RUN, Iterator)):
        kind = type(answer).__name__
        raise SpecError(f"{predicate} returned a {kind}, which is true of every {asked}; return True or False")


def is_lazy(cls: type) -> bool:
    """Return whether instances make their elements when they are asked, in C: generators, `map`, `zip`, `chain`."""
    return is_of_c(cls) and issubclass(cls, Iterator) and not issubclass(cls, IOBase)


def drawn(returned: Any, *owners: Iterable[Any]) -> Any:
    """Return what a call returned, with each iterator replaced by one over its first elements, which are drawn here.

    Iterators in lists, tuples and dicts are drawn, too, in copies of these. One that is held below `owners` is left
    alone: the program still needs it.
    """
    kind = type(returned)
    if kind in ATOMS or not (kind in _COPIED or is_lazy(kind)):
        return returned
    lazy = {id(one): one for one in walked([returned], _elements) if is_lazy(type(one))}
    if not lazy or not lazy.keys().isdisjoint(map(id, walked(chain(*owners), values_below))):
        return returned
    return _drawn(returned, {})


def _drawn(value: Any, made: dict[int, Any]) -> Any:
    kind = type(value)
    if kind in _COPIED:
        if kind is dict:
            return {key: _drawn(one, made) for key, one in value.items()}
        return kind(_drawn(one, made) for one in value)
    if kind in ATOMS or not is_lazy(kind):
        return value
    if id(value) not in made:
        made[id(value)] = iter([_drawn(one, made) for one in islice(value, MOST_DRAWN)])
    return made[id(value)]


def _elements(value: Any) -> list[Any]:
    return contents(value) if type(value) in _COPIED else []


def values_below(value: Any) -> list[Any]:
    """Return what an object of the program directly holds: its contents, and its fields without their names."""
    if type(value) in ATOMS or isinstance(value, (Token, type, ModuleType)):
        return []
    return [*contents(value), *stored_fields(value).values()]
