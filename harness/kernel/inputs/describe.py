"""Describes inputs and values as short text for people: stable, with cycles by number.

Sequences of calls are written as a person would: `search_tree = SearchTree()`, `search_tree.add(1)`.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.kernel.inputs.suites import Call
from harness.kernel.objects.reading import CONTAINERS, NOT_COMPARED, held_dict, held_fields
from harness.kernel.specs.tokens import Token
from harness.model.literals import value_source
from harness.model.routines import ArgumentDomain, Fixed, Made, Routine, RoutineKind, TokenValue
from harness.model.sequence import SequenceScope

_LONGEST = 300


def show(value: Any) -> str:
    """Return text such as `SearchTree(root=Node(left=None, info=1), size=1)`; an object met again is `<Node 2>`."""
    text = _show(value, {})
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def show_call(root: Any, target: str, arguments: Sequence[Any]) -> str:
    """Return text such as `SearchTree(...).remove(1)`; for a list root `heappush([1, 2], 3)`."""
    argument_texts = [show(argument) for argument in arguments]
    if root is None:
        return f"{target}({', '.join(argument_texts)})"
    if isinstance(root, list):
        return f"{target}({', '.join([show(root), *argument_texts])})"
    return f"{show(root)}.{target}({', '.join(argument_texts)})"


def _show(value: Any, seen: dict[int, int]) -> str:
    if type(value) in NOT_COMPARED:
        return f"<{type(value).__name__}>"
    inside = held_dict(value)
    if isinstance(value, Token) or not (isinstance(value, CONTAINERS) or inside is not None):
        try:
            # A default repr holds an address; type names do not.
            return repr(value) if type(value).__repr__ is not object.__repr__ else f"<{type(value).__name__}>"
        except Exception:
            inside = held_fields(value)  # no message may fail
    if id(value) in seen:
        return f"<{type(value).__name__} {seen[id(value)]}>"
    seen[id(value)] = len(seen) + 1
    held = _show_held(value, seen) if isinstance(value, CONTAINERS) else ""
    if type(value) in (list, tuple, dict, set):
        return held
    fields = [f"{name}={_show(item, seen)}" for name, item in (inside or {}).items()]
    return f"{type(value).__name__}({', '.join([held] * bool(held) + fields)})"


def _show_held(value: Any, seen: dict[int, int]) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_show(key, seen)}: {_show(item, seen)}' for key, item in value.items())}}}"
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(_show(item, seen) for item in value))}}}" if value else "set()"
    inner = ", ".join(_show(item, seen) for item in value)
    return f"({inner}{',' * (len(value) == 1)})" if isinstance(value, tuple) else f"[{inner}]"


_LONGEST_NAME = 200
_qualified_name = vars(type)["__qualname__"].__get__


def exception_name(error: BaseException) -> str:
    """Return the name of an exception's class, past that class's own attributes; of a very long one, the beginning."""
    name: str = _qualified_name(type(error))[:_LONGEST_NAME]
    return name if name.isascii() else name.encode(errors="backslashreplace").decode()


_RESERVED = frozenset({*dir(builtins), *keyword.kwlist, *keyword.softkwlist})


@dataclass(frozen=True)
class WrittenCall:
    """A call as source; `name` is the variable that keeps its result, None if the result is not used again."""

    name: str | None
    expression: str

    def __str__(self) -> str:
        return self.expression if self.name is None else f"{self.name} = {self.expression}"


class CallWriter:
    """Writes sequences of calls of some routines.

    Args:
        root: the class that the sequences are about.
        module: the name before classes and functions, as in `impl.SearchTree()`; empty: none.
        taken: names that no variable may have.
        variable: the name of an object of a class, by the class's.
    """

    def __init__(
        self,
        root: str,
        routines: Sequence[Routine],
        module: str = "",
        reserved_names: Iterable[str] = (),
        variable: Callable[[str], str] | None = None,
    ) -> None:
        self._routines = routines
        self._variable = variable or variable_name
        self._root = self._variable(root)
        self._module = f"{module}." if module else ""
        self._reserved_names = _RESERVED.union(reserved_names)

    def write(self, calls: Sequence[Call], named: Collection[int] = ()) -> list[WrittenCall]:
        """Return the calls in order, as source.

        Args:
            named: numbers of calls whose results get a name, besides those that make objects or are used later.
        """
        used = {number for call in calls for number in call.earlier(self._routines[call.target])}
        names: list[str | None] = []
        written: list[WrittenCall] = []
        for number, call in enumerate(calls):
            routine = self._routines[call.target]
            keeps = number in used or number in named or not routine.has_receiver
            names.append(self._name(routine, names) if keeps else None)
            written.append(WrittenCall(names[-1], self._expression(call, routine, names)))
        return written

    def text(self, calls: Sequence[Call]) -> str:
        """Return the calls on one line."""
        return "; ".join(map(str, self.write(calls)))

    def tokens(self, calls: Sequence[Call]) -> dict[TokenValue, str]:
        """Return the tokens among the arguments, each with the name by which it is written."""
        names_by_token: dict[TokenValue, str] = {}
        for call in calls:
            for parameter, index in values_of(call, self._routines[call.target]):
                value = parameter.value(index) if index < len(parameter.values) else None
                if isinstance(value, TokenValue):
                    names_by_token[value] = self._token(value)
        return names_by_token

    def _expression(self, call: Call, routine: Routine, names: Sequence[str | None]) -> str:
        arguments = [self._argument(parameter, index, names) for parameter, index in values_of(call, routine)]
        first = len(arguments) - len(routine.keywords)
        arguments[first:] = [f"{key}={text}" for key, text in zip(routine.keywords, arguments[first:], strict=True)]
        before = ""
        if routine.kind is RoutineKind.METHOD:
            before = f"{names[call.arguments[0]]}."
        elif routine.name != "list":
            before = self._module
        if routine.kind is RoutineKind.FUNCTION:
            arguments.insert(0, str(names[call.arguments[0]]))
        return f"{before}{routine.name}({', '.join(arguments)})"

    def _argument(self, parameter: ArgumentDomain, index: int, names: Sequence[str | None]) -> str:
        if index >= len(parameter.values):
            return str(names[index - len(parameter.values)])
        value = parameter.value(index)
        if isinstance(value, TokenValue):
            return self._token(value)
        if isinstance(value, Made):
            if self._module and "." not in value.domain.class_name:
                return f"spec.{value.domain.class_name}({self._module[:-1]})"
            return f"{self._module}{value!r}"
        return value_source(value.of if isinstance(value, Fixed) else value)

    def _token(self, value: TokenValue) -> str:
        return self._free(f"{variable_name(value.domain)}{value.index}", ())

    def _name(self, routine: Routine, names: Sequence[str | None]) -> str:
        """Return a variable's name: after the class for an object, `result` for the result of a function or method."""
        own = routine.name.rpartition(".")[2]
        object_name = self._variable(own) if own[:1].isupper() else self._root
        return self._free("result" if routine.has_receiver else object_name, names)

    def _free(self, preferred_name: str, names: Sequence[str | None]) -> str:
        name, number = preferred_name, 1
        while name in self._reserved_names or name in names:
            number += 1
            name = f"{preferred_name}{number}"
        return name


def show_sequence(bounds: SequenceScope, calls: Sequence[Call]) -> str:
    """Return the calls on one line, for messages."""
    return CallWriter(bounds.root, bounds.routines).text(calls)


def values_of(call: Call, routine: Routine) -> list[tuple[ArgumentDomain, int]]:
    """Return the parameters of a call with the indices of their arguments, without the receiver."""
    return list(zip(routine.parameters, call.arguments[routine.has_receiver :], strict=True))


def variable_name(class_name: str) -> str:
    """Return `search_tree` for `SearchTree`, `items` for a list."""
    if class_name == "list":
        return "items"
    own = re.sub(r"\W", "_", class_name.rpartition(".")[2])
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", own).lower().strip("_")
    return name if name.isidentifier() else "value"
