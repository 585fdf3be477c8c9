"""Writes sequences of calls as a person would: `search_tree = SearchTree()`, `search_tree.add(1)`."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from harness.kernel.inputs.suites import Call
from harness.model.literals import value_source
from harness.model.routines import ArgumentDomain, Fixed, Made, Routine, RoutineKind, TokenValue
from harness.model.sequence import SequenceScope

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
