"""Detects that a mutant runs for ever, before its step budget is spent, by a state that recurs with all it can reach.

A call comes to the same place twice, with the same local variables and the same objects below them and the pre-state's
root. This happens in the same frame (a loop) or in a frame that an unfinished one has called (a recursion). Such a call
does everything in between again and again. It will spend whatever budget there is; nothing in a watched module can
catch that. Steps and verdict are then those of having run on. States are compared by their keys: no program can
distinguish object graphs with the same key.
"""

from __future__ import annotations

import dis
import marshal
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from inspect import CO_COROUTINE, CO_GENERATOR
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from harness.kernel.inputs.routines import ABSENT
from harness.kernel.judging.prepared import PreparedInput
from harness.kernel.objects.reading import ATOMS, is_plain
from harness.kernel.program.builtin_effects import BUILTINS, CallEffects, is_exception, named
from harness.kernel.program.code_reading import codes_of, global_loads, handles_exceptions, names_of, operations
from harness.kernel.program.loader import TICK, Look
from harness.kernel.specs.tokens import Token

FIRST_LOOK = 24
"""The number of steps, in addition to twice the original's, after which a call is inspected."""

LOOKS = 24
"""The number of steps in a row at which it is inspected: longer cycles are followed to the end."""

FRUITLESS = 64
"""The number of calls inspected in vain in a row, after which a mutant's calls are not inspected any more."""

LONGEST_KEY = 4096
"""The length of a key in bytes beyond which a step is not compared with others."""

_BY_VALUE = ATOMS - {float}
"""Types whose equal values are the same to a program. Not float, since nan is not equal to itself."""

_FRAMES = 64
_FRAME_COST = 2
"""The cost of a frame on the recursion limit, at most: of one that Python calls from Python it is 1."""

_RECURSION_MARGIN = 300
"""The number of frames that a round may need for code that walks structures, which may be as large as keys."""

_REFUSED = frozenset(dis.opmap[name] for name in ("STORE_GLOBAL", "DELETE_GLOBAL", "IMPORT_NAME", "LOAD_BUILD_CLASS"))
_CALLABLE = named(BUILTINS, has=CallEffects.DEPENDS_ON_CONTENT, lacks=CallEffects.CALLS_BACK)
"""Builtins that a watchable program may call."""

_INNER = ("__", "ag_", "cr_", "gi_", "tb_")
"""The beginnings of names of such attributes."""

_FOR_ITER = dis.opmap["FOR_ITER"]

_Place = tuple[int, int, bytes, bytes]


def is_watchable(module: ModuleType, targets: Iterable[str]) -> bool:
    """Return whether the targets depend on nothing but their variables, and nothing in them catches StepLimit.

    This holds under conditions on the functions that they may call, by name or as operators. These functions call each
    other and the module's classes, which they do not pass on, and use constants and some builtins. They have no `try`,
    `with` or closures, and use no globals that are assigned.
    """
    names = vars(module)
    functions: dict[str, list[FunctionType]] = {}
    classes = [cls for cls in names.values() if isinstance(cls, type) and cls.__module__ == module.__name__]
    for cls in classes:
        if type(cls) is not type or cls.__base__ not in (object, Exception):
            return False
        if not all(name.startswith("__") or _is_member(it, names) for name, it in vars(cls).items()):
            return False
    for holder in (names, *map(vars, classes)):
        for name, value in holder.items():
            # Functions that a decorator has added to a class (`__init__`, `__repr__`) have other globals; so have
            # imported ones, but then no function may name them.
            if isinstance(value, FunctionType) and value.__globals__ is names:
                functions.setdefault(name, []).append(value)
    called = [name.rpartition(".")[2] for name in targets] + [name for name in functions if name.startswith("__")]
    for name in called:  # it grows on the way
        for function in functions.pop(name, ()):
            if not is_closed_function(function):
                return False
            called += [used for used in names_of(function.__code__) if used in functions]
    return True


def _is_member(value: object, names: dict[str, object]) -> bool:
    return value.__globals__ is names if isinstance(value, FunctionType) else type(value) in ATOMS


def is_closed_function(function: FunctionType) -> bool:
    """Return whether a function itself satisfies the conditions of `is_watchable`."""
    names = function.__globals__
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    if function.__closure__ or not ATOMS.issuperset(map(type, defaults)):
        return False
    for code in codes_of(function.__code__):
        if handles_exceptions(code) or ("key",) in code.co_consts:  # it could catch StepLimit, or is called back
            return False
        for name, is_called in global_loads(code):
            if name != TICK and not (_is_known(name, names) and (is_called or type(names.get(name)) in ATOMS)):
                return False  # classes and functions may be called only: handed on, they are places to keep things
        if not _REFUSED.isdisjoint(operations(code)):
            return False
        if any(map(_is_inner_name, code.co_names)) and any(
            instruction.opname != "LOAD_GLOBAL" and instruction.argval in code.co_names
            for instruction in dis.get_instructions(code)
            if isinstance(instruction.argval, str) and _is_inner_name(instruction.argval)
        ):
            return False
    return True


def _is_inner_name(name: str) -> bool:
    """Return whether an attribute of this name may lead out of a program: to a class, a module or a frame."""
    return name.startswith(_INNER) and name != TICK


def _is_known(name: str, names: dict[str, object]) -> bool:
    """Return whether a global is a function or class of the module, a constant, an exception or a known builtin."""
    if name not in names:
        return name in _CALLABLE or is_exception(name)
    value = names[name]
    if isinstance(value, type):
        return value.__module__ == names["__name__"]
    return _is_member(value, names)


class LoopDetector:
    """Inspects one mutant's calls of targets.

    A caller that knows that `is_watchable` holds passes `watchable`: to check it takes longer than most mutants.
    """

    def __init__(self, module: ModuleType, targets: Sequence[str], watchable: bool = False) -> None:
        self._prepared: PreparedInput | None = None
        self._module = module
        self._targets = targets
        self._globals = vars(module)
        self._has_loops: dict[int, bool] = {}
        self._seen: dict[_Place, tuple[FrameType, int]] = {}
        self.looked = 0
        """The steps of the call that were inspected since `forget`."""
        self._fruitless = 0
        self._known_watchable = watchable

    def looking(self, prepared: PreparedInput, expected_steps: int) -> tuple[int, Look]:
        """Return when an input that is about to run is looked at first, and by what."""
        self._prepared = prepared
        return FIRST_LOOK + 2 * expected_steps, self.steps_to_next_look

    @property
    def pays(self) -> bool:
        """Whether a recent inspection has found anything."""
        return self._fruitless < FRUITLESS

    def steps_to_next_look(self, remaining: int) -> int | None:
        """Inspect a step with `remaining` ones to go. Return how many pass before the next look; None if endless."""
        self.looked += 1
        if self.looked == 1 and not self._is_watchable:
            self._fruitless = FRUITLESS
        if self.looked > LOOKS or not self.pays:
            return remaining
        frame = sys._getframe(3)  # that of the function that ticks, past the counter's two
        place = self._place(frame)
        if place is not None:
            earlier, steps = self._seen.get(place, (None, 0))
            if earlier is not None and self._never_returns(frame, earlier, remaining // (steps - remaining) + 1):
                self._fruitless = -1
                return None
            self._seen[place] = frame, remaining
        return 0

    def forget(self) -> None:
        """Forget the observations of a call that has ended."""
        self._fruitless += 1
        self.looked = 0
        self._seen.clear()

    @cached_property
    def _is_watchable(self) -> bool:
        return self._known_watchable or is_watchable(self._module, self._targets)

    def _place(self, frame: FrameType) -> _Place | None:
        code = frame.f_code
        if frame.f_globals is not self._globals or code.co_flags & (CO_GENERATOR | CO_COROUTINE) or self._loops(code):
            return None
        prepared = self._prepared
        assert prepared is not None
        plain: list[tuple[object, ...]] = []
        objects = [prepared.root, *prepared.changeable]
        for name, value in frame.f_locals.items():
            if type(value) in ATOMS:
                plain.append((name, value))
            else:
                plain.append((name,))
                objects.append(value)
        key = graph_key(objects, self._module, _BY_VALUE)
        if not key or len(key) > LONGEST_KEY:
            return None
        return id(code), frame.f_lasti, marshal.dumps(plain, 2), key

    def _loops(self, code: CodeType) -> bool:
        """Return whether the code has `for` loops, whose progress cannot be seen."""
        has_loops = self._has_loops.get(id(code))
        if has_loops is None:
            has_loops = _FOR_ITER in operations(code)
            self._has_loops[id(code)] = has_loops
        return has_loops

    def _never_returns(self, frame: FrameType, earlier: FrameType, rounds: int) -> bool:
        """Return whether it goes on as from `earlier` to `frame`, both at the same place, for so many rounds."""
        distance = 0
        for below in _below(frame):
            if below is earlier:
                break
            # Operators and constructors are called through C, at more cost; others are not the mutant's.
            if below.f_code.co_name.startswith("__") or below.f_globals is not self._globals or distance == _FRAMES:
                return False
            if below.f_code.co_flags & (CO_GENERATOR | CO_COROUTINE):
                return False
            distance += 1
        else:
            return False  # it has returned
        depth = sum(1 for _ in _below(frame)) + rounds * distance * _FRAME_COST
        return distance == 0 or depth + _RECURSION_MARGIN < sys.getrecursionlimit()


def _below(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


LARGEST = 1 << 12
"""The greatest number of objects and values in a state: comparing larger ones takes longer than their calls do."""

SINGLE = frozenset({type(None), bool})
"""Types whose values exist once each, so that `is` distinguishes them no better than their values."""
_SMALL = range(-5, 257)
"""Integers of which the same is true."""
_CONTAINERS = frozenset({list, dict})

_FORMAT = 2
"""The version of marshal's format in which equal values give equal bytes."""


def graph_key(roots: Sequence[Any], module: ModuleType, by_value: frozenset[type] = SINGLE) -> bytes:  # noqa: C901 (a hot loop)
    """Return a key of the object graph below `roots`.

    The graph may contain plain instances of the module's classes, exact lists and dicts, tokens, and values that exist
    once each; of tuples, the empty one. Objects are numbered in order of first visit, with class and content.

    Args:
        by_value: types of values that are distinguished by value alone, besides small integers.

    Returns:
        b"" if the graph contains anything else.
    """
    numbers: dict[int, int] = {}
    values: list[Any] = list(roots)
    description: list[Any] = [len(values)]
    plain: dict[type, bool] = {}
    at = 0
    while at < len(values):
        if len(values) > LARGEST:
            return b""
        value = values[at]
        at += 1
        kind = type(value)
        if kind in by_value or (kind is int and value in _SMALL) or (kind is tuple and not value):
            description.append(value)
            continue
        if value is ABSENT:
            description.append(("absent",))
            continue
        number = numbers.get(id(value))
        if number is not None:
            description.append((number,))
            continue
        numbers[id(value)] = len(numbers)
        if kind in _CONTAINERS and len(value) > LARGEST:
            return b""  # before it is copied, which might take more memory than there is
        if kind is list:
            held = value
            description.append(("list", len(value)))
        elif kind is dict:
            held = [*value, *value.values()]
            description.append(("dict", len(value)))
        elif kind is Token:
            held = ()
            description.append(("token", value.domain, value.index))
        else:
            if kind not in plain:
                # Of two classes with one name, the module has the later one.
                own = kind.__module__ == module.__name__ and vars(module).get(kind.__qualname__) is kind
                plain[kind] = own and is_plain(kind, ())
            if not plain[kind]:
                return b""
            fields = object.__getattribute__(value, "__dict__")
            held = fields.values()
            description.append((kind.__qualname__, *fields))
        values.extend(held)
    return marshal.dumps(description, _FORMAT)
