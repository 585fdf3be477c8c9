"""What exported files of pytest import: it loads the program, makes the objects of cases, and compares outcomes.

Values are equal where they are for the differential oracle.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.kernel.inputs.routines import with_keywords as with_keywords
from harness.kernel.objects.equality import canonical, concrete
from harness.kernel.objects.reading import allocator, factory_object, filler
from harness.kernel.specs.tokens import the_token
from harness.model.domains import ComparedFields
from harness.model.finitization import CONTENTS
from harness.report.exported.literals import Literals, NoLiteral

Token = the_token


@dataclass(frozen=True)
class New:
    """An object to be made without calling __init__."""

    class_name: str
    fields: dict[str, Any]


@dataclass(frozen=True)
class Named:
    """A value that is mentioned again, as Same(name)."""

    name: str
    value: Any


@dataclass(frozen=True)
class Same:
    """The value of that name in the same case."""

    name: str


@dataclass(frozen=True)
class MadeObject:
    """What a function of the spec makes, by the number of its class domain; only its type is compared."""

    number: int


@dataclass(frozen=True)
class Raises:
    """An exception of that type."""

    exception: str


@dataclass(frozen=True)
class Abstract:
    """A structure of the pre-state's class, by its abstract value."""

    value: Any


@dataclass(frozen=True)
class Self:
    """The pre-state's own object."""


def builder(class_name: str) -> Callable[..., New]:
    """Return a function that describes an object of the class by its fields."""
    return lambda **fields: New(class_name, fields)


def load(name: str, path: Path, blocked: Iterable[str] = ()) -> ModuleType:
    """Load a file as a module in which importing any of `blocked` fails; the interpreter's own modules stay."""
    before = {module: sys.modules.get(module) for module in blocked}
    sys.modules.update(dict.fromkeys(before))  # type: ignore[arg-type]
    if package := name.rpartition(".")[0]:
        importlib.import_module(package)
    before[name] = sys.modules.get(name)
    try:
        found: Any = importlib.util.spec_from_file_location(name, path)
        module = sys.modules[name] = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
        return module
    finally:
        for module_name, module_before in before.items():
            if module_before is None:
                sys.modules.pop(module_name, None)
            else:
                sys.modules[module_name] = module_before


@contextmanager
def raises(expected: type[BaseException] | str) -> Iterator[None]:
    """Expect an exception of exactly that type, or type's name, within the block."""
    wanted = getattr(expected, "__qualname__", expected)
    try:
        yield
    except BaseException as error:
        seen = type(error).__qualname__
        if seen == "KeyboardInterrupt" != wanted:
            raise  # by whoever runs the tests
        assert seen == wanted, f"{seen} was raised, not {wanted}"
    else:
        raise AssertionError(f"{wanted} was not raised")


class Cases:
    """Makes and compares the objects of the cases of one file.

    Attributes:
        impl: the implementation, which tests may load afresh.
    """

    def __init__(
        self, impl: ModuleType, spec: ModuleType, scope: int, omitted: str = "", unordered: Iterable[str] = ()
    ) -> None:
        self.impl = impl
        self._spec = spec
        self._scope = scope
        self._omits = ComparedFields(re.compile(omitted) if omitted else None, frozenset(unordered))
        self._abstraction: Callable[[Any], Any] | None = getattr(spec, "abstraction", None)

    def same(self, value: Any, expected: Any, mapping: bool = False) -> bool:
        """Return whether a value is equal to the one described, types and all; dicts of a `mapping` have no order."""
        return self._equal(value, self._build(expected, {}), mapping)

    def same_structure(self, value: Any, expected: Any) -> bool:
        """Compare as `same`; which parts are one and the same object must be alike, too."""
        return concrete(value, omits=self._omits) == concrete(self._build(expected, {}), omits=self._omits)

    def check(self, case: Sequence[Any], call: Callable[..., Any]) -> None:
        """Run one case: the outcome, the representation invariant, the post-state, the arguments afterwards."""
        _, pre_state, arguments, outcome, post_state, *after = case
        made: dict[Any, Any] = {}
        root = self._build(pre_state, made)
        given = [self._build(argument, made) for argument in arguments]
        try:
            returned = call(root, *given)
        except BaseException as error:
            seen: Any = Raises(type(error).__qualname__)
            if seen.exception == "KeyboardInterrupt" != getattr(outcome, "exception", ""):
                raise  # by whoever runs the tests
        else:
            seen = self._view(returned, root)
        assert self.same(seen, outcome), f"the outcome is {self._difference(seen, outcome)}"
        assert root is None or self._spec.rep_ok(root), "the post-state does not satisfy rep_ok"
        if self._abstraction is None:
            assert self.same_structure(root, post_state), f"the post-state is {self._difference(root, post_state)}"
        else:
            abstract = self._abstraction(root)
            is_same = self.same(abstract, post_state, mapping=True)
            assert is_same, f"the post-state is {self._difference(abstract, post_state)}"
        for argument, expected in zip(given, *after, strict=True) if after else ():
            held = self._view(argument, root)
            assert self.same(held, expected), f"an argument afterwards is {self._difference(held, expected)}"

    def _difference(self, value: Any, expected: Any) -> str:
        return f"{self._written(value)}, not {self._written(self._build(expected, {}))}"

    def _written(self, value: Any) -> str:
        """Return a value as the file writes it, past the program's methods; its type if it has no such form."""
        if type(value) is Abstract:
            return f"Abstract({self._written(value.value)})"
        if type(value) in (Raises, Self):
            return repr(value)
        try:
            return Literals(self.impl).write(value)[0]
        except (NoLiteral, RecursionError, ValueError):  # of a foreign class, too deep, or a number too long
            return f"<{type(value).__name__}>"

    def _view(self, value: Any, root: Any) -> Any:
        """Return what is compared of a returned value, or of an argument after the call."""
        if value is root:
            return Self()
        if self._abstraction is not None and type(value) is type(root) and self._spec.rep_ok(value):
            return Abstract(self._abstraction(value))
        return value

    def _equal(self, value: Any, expected: Any, mapping: bool) -> bool:
        if isinstance(value, Abstract) and isinstance(expected, Abstract):
            return self._equal(value.value, expected.value, mapping=True)
        seen, wanted = (canonical(one, self._omits, ordered=not mapping) for one in (value, expected))
        return seen == wanted

    def _build(self, value: Any, made: dict[Any, Any], name: str | None = None) -> Any:
        """Return the value described, fresh; `made` holds what was named before in the same case."""
        if isinstance(value, Named):
            return self._build(value.value, made, value.name)
        if isinstance(value, Same):
            return made[value.name]
        if isinstance(value, MadeObject):
            return factory_object(self._spec.finitization(self._scope).domains[value.number], self.impl)
        if isinstance(value, Abstract):
            return Abstract(self._build(value.value, made))
        if isinstance(value, tuple):
            return tuple(self._build(item, made) for item in value)
        if isinstance(value, New):
            new = made[name] = allocator(attrgetter(value.class_name)(self.impl))()
            for field, held in value.fields.items():
                if field == CONTENTS:
                    filler(type(new))(new, self._build(held, made))
                else:
                    object.__setattr__(new, field, self._build(held, made))
            return new
        return self._container(value, made, name) if isinstance(value, (list, deque, dict, set)) else value

    def _container(self, value: Any, made: dict[Any, Any], name: str | None) -> Any:
        new: Any = deque(maxlen=value.maxlen) if isinstance(value, deque) else type(value)()
        made[name] = new
        if isinstance(value, dict):
            new.update((self._build(key, made), self._build(item, made)) for key, item in value.items())
        elif isinstance(value, set):
            new.update(value)
        else:
            new.extend(self._build(item, made) for item in value)
        return new
