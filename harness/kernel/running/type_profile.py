"""Observes the types of variables, attributes and results while the original runs.

The mutator replaces a variable by one of compatible type (exhaustive2003, section 7.1). Java
declares types; where Python code does not, they are observed on a small scope.
"""

from __future__ import annotations

import inspect
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from math import inf
from types import FrameType, ModuleType
from typing import Any

from harness.kernel.objects.reading import held_dict, held_fields, walked
from harness.kernel.running.job import FunctionTypes, ObservedTypes, TypeTable


def type_name(kind: type, module: str) -> str:
    """Return `kind`'s qualified name, with its module in front unless that is `module` or builtins."""
    if kind.__module__ in (module, "builtins"):
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"


MOST_WORK = 5_000_000
"""The approximate number of lines traced and objects visited by one profile; it then ends with its execution."""


def profile(
    executions: Iterable[Callable[[], object]], module: ModuleType, most_of_each: int | None = None
) -> ObservedTypes:
    """Return the types seen in `module` while each of `executions` runs.

    Names of nested functions, lambdas and comprehensions count for the function around them. An Exception of an
    execution is swallowed: programs may reject inputs. After MOST_WORK, which is counted, not timed, no execution is
    begun; an execution that takes more than `most_of_each` is observed no further, and runs on.
    """
    observer = _Observer(module)
    before = sys.gettrace()
    for execution in executions:
        if observer.work > MOST_WORK:
            break
        if most_of_each is not None:
            observer.ends_at = observer.work + most_of_each
        sys.settrace(observer.enter)
        try:
            execution()
        except Exception:  # noqa: S110 - an outcome like others; only types matter here
            pass
        finally:
            sys.settrace(before)
    return observer.result()


class _Observer:
    """Trace functions limited to the frames of one module's file."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module.__name__
        self._file = module.__file__
        self._variables: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._returns: dict[str, set[str]] = defaultdict(set)
        self._attributes: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._raising: set[FrameType] = set()
        self.work = 0
        self.ends_at: float = inf

    def enter(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        if self.work > self.ends_at:
            sys.settrace(None)
            return None
        code = frame.f_code
        if code.co_filename != self._file or not code.co_flags & inspect.CO_OPTIMIZED:
            return None  # another file, or the body of a module or class
        self._see(frame)
        self._walk(frame.f_locals.values())
        return self._local

    def _local(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        if self.work > self.ends_at:
            return None
        self._see(frame)
        if event == "exception":
            self._raising.add(frame)
        elif event == "return":
            self._walk((*frame.f_locals.values(), argument))
            # A frame left by an exception also reports a return, of None, right after it.
            if frame not in self._raising:
                self._return(frame, argument)
            self._raising.discard(frame)
        else:
            self._raising.discard(frame)
        return self._local

    def _see(self, frame: FrameType) -> None:
        self.work += 1
        variables = self._variables[_outermost(frame)]
        for name, value in frame.f_locals.items():
            variables[name].add(type_name(type(value), self._module))

    def _return(self, frame: FrameType, value: Any) -> None:
        code = frame.f_code
        if "<locals>" in code.co_qualname:
            return
        generates = code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR)
        self._returns[code.co_qualname].add("generator" if generates else type_name(type(value), self._module))

    def _walk(self, values: Iterable[Any]) -> None:
        """Record the attributes of every object of the module's classes reachable from `values`."""
        for _ in walked(values, self._inner):
            self.work += 1

    def _inner(self, value: Any) -> Iterable[Any]:
        if isinstance(value, (list, tuple, set, frozenset)):
            return value
        if isinstance(value, dict):
            return value.values()
        if type(value).__module__ != self._module:
            return ()
        fields = _named_fields(value)
        for name, held in fields.items():
            self._attributes[type(value).__qualname__][name].add(type_name(type(held), self._module))
        return fields.values()

    def result(self) -> ObservedTypes:
        functions = {
            name: FunctionTypes(_table(variables), tuple(sorted(self._returns.get(name, ()))))
            for name, variables in sorted(self._variables.items())
        }
        return ObservedTypes(functions, {name: _table(held) for name, held in sorted(self._attributes.items())})


def _table(names: Mapping[str, set[str]]) -> TypeTable:
    return {name: tuple(sorted(kinds)) for name, kinds in sorted(names.items())}


def _outermost(frame: FrameType) -> str:
    return frame.f_code.co_qualname.partition(".<locals>")[0]


def _named_fields(value: Any) -> dict[str, Any]:
    """Return the fields of an object, without slots whose private names Python has changed.

    Python stores a slot `__size` of a class `List` as `_List__size`. No pinned set of mutants has such names.
    """
    named = {*(held_dict(value) or ())}
    for cls in type(value).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        named |= {slots} if isinstance(slots, str) else {*slots}
    return {name: held for name, held in (held_fields(value) or {}).items() if name in named}
