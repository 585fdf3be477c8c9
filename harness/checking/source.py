"""Writes counterexamples as Python programs that anyone can run and that end with the error."""

from __future__ import annotations

import os
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.checking.inputs import CONTAINERS, held_in, objects_below
from harness.checking.result import CheckRequest
from harness.checking.sequences import SequenceStep
from harness.kernel.inputs.describe import variable_name
from harness.kernel.objects.reading import NOT_COMPARED, allocator, held_contents, stored_fields, takes_program
from harness.kernel.specs.contracts import Property
from harness.kernel.specs.spec import Spec
from harness.kernel.specs.tokens import Token
from harness.model.finitization import CallKind, Target
from harness.model.literals import displayed
from harness.model.routines import Routine, RoutineKind

_WIDTH = 110


class CounterexampleSource:
    """Statements that make objects and check a property on them; each object gets a name."""

    def __init__(self, request: CheckRequest, spec: Spec) -> None:
        self._request = request
        self._checked_spec = spec
        named = spec.implementation  # a file, relative to the spec's folder, or an installed module
        self._file = named if named.endswith(".py") else None
        self._module = Path(named).stem if self._file else request.implementation.name
        self._spec = Path(request.spec_filename).stem
        self._names: dict[int, str] = {}
        self._tokens: dict[tuple[str, int], str] = {}
        self._used = {"collections", "copy", "sys", "before", "result", "raised", self._module, self._spec}
        self._keep: list[Any] = []
        self._imports = {"sys"}
        self.lines: list[str] = []

    def build(self, values: Sequence[Any]) -> None:
        """Make the objects below `values` without calls of the implementation."""
        objects = list(objects_below(values))
        for value in objects:
            self._name(value)
        for value in objects:
            self.lines.append(f"{self._names[id(value)]} = {self._shell(value)}")
        for value in objects:
            name, kind = self._names[id(value)], type(value)
            if kind in NOT_COMPARED:
                continue
            if kind not in CONTAINERS:
                self._assign(value)
            if isinstance(value, CONTAINERS) and (kind not in CONTAINERS or self._is_shared_early(value)):
                self._fill(name, value)

    def construct(self, steps: Sequence[SequenceStep], returned_objects: Mapping[int, Any]) -> None:
        """Write a sequence of calls, of which the first makes the object that the others are made on.

        Args:
            returned_objects: the objects that calls return, by the number of the call.
        """
        first, *later_steps = steps
        passed = self._passed(first.routine.keywords, first.arguments)
        makes = "[]" if first.routine.name == "list" else f"{self._module}.{first.routine.name}({passed})"
        receiver = self._name(returned_objects[0]) if 0 in returned_objects else self._free(first.routine.name)
        self.lines.append(f"{receiver} = {makes}")
        for number, step in enumerate(later_steps, start=1):
            call = self._call(step.routine, receiver, step.arguments)
            self.lines.append(
                f"{self._name(returned_objects[number])} = {call}" if number in returned_objects else call
            )

    def check(self, checked: Property, target: Target, this: Any, arguments: Sequence[Any]) -> None:
        """Check the property, with an AssertionError (or the call's own error) if it does not hold."""
        name = self.write(this)
        expressions = [self.write(argument) for argument in arguments]
        state = [name] * (this is not None)
        if checked.axiom is not None:
            extra_arguments = [f"program={self._module}"] * bool(checked.extras)
            call = f"{self._spec}.{checked.name}({', '.join([*state, *expressions, *extra_arguments])})"
            self.lines.append(f'assert {call}, "the axiom does not hold"')
            return
        post = checked.postcondition
        call = self._call(target, name, arguments)
        if post is None:
            self.lines += ["try:", f"    {call}", "except Exception as error:  # of the spec's misuses, it may be one"]
            self.lines.append(
                "    names = {name for cls in type(error).__mro__ for name in (cls.__name__, cls.__qualname__)}"
            )
            self.lines += [
                f"    if names.isdisjoint({self._checked_spec.misuses(self._request.scope)!r}):",
                "        raise",
            ]
        else:
            self._check_call(checked, call, this, arguments)
        if state:
            self.lines.append(f'assert {self._spec}.rep_ok({name}), "the post-state does not satisfy rep_ok"')
        if post is not None:
            views = [
                f"{argument}_before" if self._is_kept(value) else argument
                for value, argument in zip(arguments, expressions, strict=True)
            ]
            extras = {
                "raised": "raised",
                "arguments_after": f"[{', '.join(self._view(value, this) for value in arguments)}]",
                "program": self._module,
            }
            extra_arguments = [f"{extra}={extras[extra]}" for extra in sorted(checked.extras)]
            judged = ", ".join([*["before", self._view(this, this)] * bool(state), "result", *views, *extra_arguments])
            self.lines.append(f'assert {self._spec}.{post.__name__}({judged}), "the postcondition does not hold"')

    def _check_call(self, checked: Property, call: str, this: Any, arguments: Sequence[Any]) -> None:
        if this is not None:
            self.lines.append(f"before = {self._view(this, this, copied=True)}")
        for argument in arguments:
            if self._is_kept(argument):
                self.lines.append(f"{self.write(argument)}_before = {self._view(argument, this, copied=True)}")
        if "raised" in checked.extras:
            self.lines += [
                "result = raised = None",
                "try:",
                f"    result = {call}",
                "except Exception as error:",
                "    raised = error",
            ]
        else:
            self.lines.append(f"result = {call}")

    def text(self) -> str:
        """Return the whole program."""
        folders = [self._request.folder]
        if self._file and (other := os.path.normpath(Path(folders[0], self._file).parent)) != folders[0]:
            folders.insert(0, other)
        blocked = self._request.implementation.blocked
        head = [*(f"import {module}" for module in sorted(self._imports)), ""]
        head += [f"sys.path.insert(0, {folder!r})" for folder in folders]
        head += [f"sys.modules[{name!r}] = None  # else it replaces Python code" for name in blocked]
        head += [f"sys.modules.pop({self._module!r}, None)"] * bool(blocked)
        return "\n".join([*head, f"import {self._module}", f"import {self._spec}", "", *self.lines]) + "\n"

    def write(self, value: Any) -> str:
        """Return an expression for a value whose objects have names."""
        if isinstance(value, Token):
            return self._token(value)
        return self._names.get(id(value)) or self._literal(value)

    def _view(self, value: Any, this: Any, copied: bool = False) -> str:
        name = self.write(value)
        if self._checked_spec.abstraction is not None and type(value) is type(this):
            return f"{self._spec}.abstraction({name})"
        if not copied or not self._is_kept(value):
            return name
        self._imports.add("copy")
        return f"copy.deepcopy({name})"

    def _is_kept(self, value: Any) -> bool:
        return id(value) in self._names and not isinstance(value, Token)

    def _call(self, target: Target | Routine, name: str, arguments: Sequence[Any]) -> str:
        passed = self._passed(target.keywords, arguments)
        if target.kind in (CallKind.FUNCTION, RoutineKind.FUNCTION):
            state = "" if name == "None" else name
            return f"{self._module}.{target.name}({', '.join(filter(None, [state, passed]))})"
        return f"{name}.{target.name}({passed})"

    def _passed(self, keywords: Sequence[str], arguments: Sequence[Any]) -> str:
        written = [self.write(argument) for argument in arguments]
        first = len(written) - len(keywords)
        written[first:] = [f"{key}={text}" for key, text in zip(keywords, written[first:], strict=True)]
        return ", ".join(written)

    def _assign(self, value: Any) -> None:
        name, contents = self._names[id(value)], stored_fields(value)
        if any("__setattr__" in vars(cls) for cls in type(value).__mro__[:-1]):
            for field, item in contents.items():
                self.lines.append(f"object.__setattr__({name}, {field!r}, {self.write(item)})")
            return
        left = ", ".join(f"{name}.{field}" for field in contents)
        line = f"{left} = {', '.join(map(self.write, contents.values()))}"
        if len(line) <= _WIDTH:
            self.lines += [line] * bool(contents)
        else:
            self.lines += [f"{name}.{field} = {self.write(item)}" for field, item in contents.items()]

    def _shell(self, value: Any) -> str:
        """Return the expression that makes an object, or a container. The container is empty if it holds objects, which
        may be made later.
        """
        kind = type(value)
        if kind in NOT_COMPARED:
            domain = NOT_COMPARED[kind]
            program_argument = self._module if domain.factory and takes_program(domain.factory) else ""
            bounds = f"{self._spec}.finitization({self._request.scope})"
            return f"{bounds}.domains[{domain.number}].factory({program_argument})"
        if kind in CONTAINERS:
            return self._literal(_emptied(value) if self._is_shared_early(value) else value)
        name = f"{self._module}.{kind.__qualname__}"
        new = allocator(kind).func
        if new == kind.__new__:
            return f"{name}.__new__({name})"
        return f"{getattr(new, '__self__', object).__name__}.__new__({name})"  # its own wants arguments

    def _fill(self, name: str, value: Any) -> None:
        """Fill a container with its contents, by methods of built-in classes."""
        base = next(cls for cls in type(value).__mro__ if cls in CONTAINERS)
        contents = held_contents(value)
        held = self._literal(set(contents or ()) if base is set else contents)
        method = "extend" if base in (list, deque) else "update"
        if type(value) is list:
            self.lines.append(f"{name}[:] = {held}")
        elif type(value) is base:
            self.lines.append(f"{name}.{method}({held})")
        elif contents:
            where = "collections." * (base.__module__ == "collections")
            self.lines.append(f"{where}{base.__name__}.{method}({name}, {held})")
            self._imports.update(["collections"] * bool(where))

    def _literal(self, value: Any) -> str:
        kind = type(value)
        if kind in (deque, OrderedDict):
            self._imports.add("collections")
            held = self._literal(list(value) if kind is deque else dict(value))
            bound = f", {value.maxlen}" if kind is deque and value.maxlen is not None else ""
            return f"collections.{kind.__name__}({held}{bound})"
        return displayed(value, self.write) or repr(value)

    def _is_shared_early(self, value: Any) -> bool:
        """Return whether a container holds objects, which may be made after it."""
        return any(id(item) in self._names and not isinstance(item, Token) for item in held_in(value))

    def _token(self, token: Token) -> str:
        key = token.domain, token.index
        if key not in self._tokens:
            self._tokens[key] = self._free(token.domain)
            self.lines.append(f"{self._tokens[key]} = object()")
        return self._tokens[key]

    def _name(self, value: Any) -> str:
        self._keep.append(value)
        self._names[id(value)] = self._free("list" if type(value) in CONTAINERS else type(value).__name__)
        return self._names[id(value)]

    def _free(self, class_name: str) -> str:
        number = 1
        while (name := f"{variable_name(class_name)}{number}") in self._used:
            number += 1
        self._used.add(name)
        return name


def _emptied(value: Any) -> Any:
    return deque(maxlen=value.maxlen) if type(value) is deque else type(value)()
