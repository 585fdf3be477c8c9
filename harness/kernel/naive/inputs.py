"""The naive path's own way from a suite's files to fresh objects: read whole, looked up anew each time."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.kernel.decode import Token
from harness.model.finitization import CallKind, DomainKind, DomainValue, Finitization, Reference, Structures


class Suite:
    """A suite's files, read whole."""

    def __init__(self, folder: Path) -> None:
        header = json.loads((folder / "header.json").read_text())
        self.inputs: int = header["inputs"]
        self._width: int = header["width"]
        self._calls: list[tuple[int, list[int]]] = header["calls"]
        self._structures: dict[str, list[list[int]]] = header["structures"]
        self._states = _numbers(folder / "states.bin", "B" if header["itemsize"] == 1 else "H")
        self._pairs = _numbers(folder / "inputs.bin", "I")

    def input(self, number: int) -> tuple[Sequence[int], int, list[int]]:
        """The candidate vector, the target's position in the finitization and its arguments' indices."""
        state, call = self._pairs[2 * number : 2 * number + 2]
        return self._states[state * self._width : (state + 1) * self._width], *self._calls[call]

    def structure(self, target: int, parameter: int, index: int) -> list[int]:
        """The candidate vector of a structure given as an argument."""
        return self._structures[f"{target}:{parameter}"][index]


def _numbers(path: Path, code: str) -> array[int]:
    numbers = array(code, path.read_bytes())
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class Objects:
    """The objects that one candidate vector describes, made of one module's classes when first asked for."""

    def __init__(self, finitization: Finitization, module: ModuleType, vector: Sequence[int]) -> None:
        self._finitization = finitization
        self._module = module
        self._vector = vector
        self._made: dict[Reference, Any] = {}

    def value(self, value: DomainValue) -> Any:
        """A plain value as it is, an object for a reference: the same one for the same reference."""
        if not isinstance(value, Reference):
            return value
        if value not in self._made:
            self._make(value)
        return self._made[value]

    def _make(self, reference: Reference) -> None:
        domain = self._finitization.domains[reference.domain]
        choices = self._choices(reference)
        if domain.kind is DomainKind.TOKEN:
            texts = domain.elements
            self._made[reference] = texts[reference.index] if texts else Token(domain.class_name, reference.index)
        elif domain.kind is DomainKind.LIST:
            made: list[Any] = []
            self._made[reference] = made
            length, *elements = [value for _, value in choices]
            assert isinstance(length, int)
            for element in elements[:length]:
                made.append(self.value(element))
        else:
            cls = named(self._module, domain.class_name)
            self._made[reference] = cls.__new__(cls)
            for name, value in choices:
                object.__setattr__(self._made[reference], name, self.value(value))

    def _choices(self, reference: Reference) -> list[tuple[str, DomainValue]]:
        """The object's field names and the values that the vector selects from their field domains."""
        position = 0
        for domain in self._finitization.domains:
            fields = self._finitization.fields_of(domain)
            if domain.number == reference.domain:
                position += reference.index * len(fields)
                return [(name, values[self._vector[position + at]]) for at, (name, values) in enumerate(fields)]
            position += domain.size * len(fields)
        raise ValueError(f"{reference} is in no class domain")


def named(module: ModuleType, dotted: str) -> Any:
    """The class or function of that qualified name."""
    found: Any = module
    for part in dotted.split("."):
        found = getattr(found, part)
    return found


@dataclass(frozen=True)
class Case:
    """An input made ready on one module: `call(*passed)` runs the target, `requires` is its own precondition."""

    name: str
    is_function: bool
    root: Any
    arguments: list[Any]
    call: Callable[..., Any]
    passed: list[Any]
    requires: Callable[..., Any] | None


def case(suite: Suite, number: int, finitization: Finitization, module: ModuleType) -> Case:
    """Input `number` with objects of its own."""
    vector, position, indices = suite.input(number)
    objects = Objects(finitization, module, vector)
    root = objects.value(Reference(0, 0))
    target = finitization.targets[position]
    arguments = []
    for at, (parameter, index) in enumerate(zip(target.parameters, indices, strict=True)):
        if isinstance(parameter, Structures):
            others = Objects(parameter.finitization, module, suite.structure(position, at, index))
            arguments.append(others.value(Reference(0, 0)))
        else:
            arguments.append(objects.value(parameter[index]))
    if target.kind is CallKind.FUNCTION:
        function = named(module, target.name)
        return Case(target.name, True, root, arguments, function, [root, *arguments], target.requires)
    return Case(target.name, False, root, arguments, getattr(root, target.name), arguments, target.requires)
