"""Reads the declarations of an implementation: functions with signatures, classes with fields and methods.

A type profile has the types observed while the original ran. Types of variables, fields and results are sets of type
names, from annotations and the profile.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import Any

from harness.errors import SourceError
from harness.kernel.program.code_reading import own_nodes
from harness.model.subject import Subject

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

WITHIN = ".<locals>."
"""The text between a function's name and the name of a definition within the function."""


class Binding(Enum):
    """The kinds of object that a function is called on."""

    MODULE = "module"
    INSTANCE = "instance"
    CLASS = "class"
    STATIC = "static"
    PROPERTY = "property"


@dataclass(frozen=True)
class Parameter:
    """A parameter after `self`; `keyword_only` ones cannot be passed by position."""

    name: str
    required: bool
    keyword_only: bool
    annotation: ast.expr | None


@dataclass(frozen=True)
class Function:
    """A module function or method. `owner` is the qualified name of its class."""

    name: str
    owner: str | None
    node: FunctionNode
    binding: Binding
    parameters: tuple[Parameter, ...]
    variadic: bool

    @property
    def short_name(self) -> str:
        """The name without the class."""
        return self.node.name

    @property
    def receiver(self) -> str | None:
        """The name of the parameter that holds the object itself, in an instance's method."""
        arguments = [*self.node.args.posonlyargs, *self.node.args.args]
        instance = self.binding in (Binding.INSTANCE, Binding.PROPERTY)
        return arguments[0].arg if instance and arguments else None

    @property
    def constructed(self) -> str | None:
        """The name of the parameter that holds the object, in the method that gives it its fields."""
        return self.receiver if self.short_name == "__init__" else None

    @property
    def special(self) -> bool:
        """A dunder method, called by the language."""
        return self.short_name.startswith("__") and self.short_name.endswith("__")


@dataclass
class Class:
    """A class: bases by name, methods by short name, fields with the annotations that declare them.

    `assigned` maps names to methods that the class body assigns otherwise than by `def`, as in
    `__radd__ = __add__`. In `__add__, __radd__ = _operators(_add)`, the method is `_add`, whose code is specific to
    these names. `inherits_unseen` is True if a base is not written as a plain name, but as `abc.MutableSet` or a call.
    """

    name: str
    bases: tuple[str, ...]
    methods: dict[str, Function] = field(default_factory=dict)
    fields: dict[str, ast.expr | None] = field(default_factory=dict)
    assigned: dict[str, Function] = field(default_factory=dict)
    inherits_unseen: bool = False


@dataclass(frozen=True)
class Program:
    """Functions by qualified name and classes by qualified name, in source order.

    If a name has several definitions, the last one counts; `earlier` has the others.
    """

    tree: ast.Module
    functions: dict[str, Function]
    classes: dict[str, Class]
    earlier: list[Function] = field(default_factory=list)

    def class_called(self, name: str) -> Class | None:
        """Return the class of that qualified name, else the first class whose last name equals `name`."""
        cls = self.classes.get(name)
        if cls is not None:
            return cls
        return next((c for c in self.classes.values() if c.name.rpartition(".")[2] == name), None)

    def lineage(self, name: str) -> Iterator[Class]:
        """Yield the class and its bases within this program, nearest first."""
        work, seen = [name], set[str]()
        while work:
            cls = self.class_called(work.pop(0))
            if cls is not None and cls.name not in seen:
                seen.add(cls.name)
                yield cls
                work.extend(cls.bases)

    def method(self, class_name: str, name: str) -> Function | None:
        """Return the method that an instance of `class_name` has under `name`, inherited ones included."""
        methods = ({**c.assigned, **c.methods}.get(name) for c in self.lineage(class_name))
        return next((function for function in methods if function is not None), None)

    def inherits_from_elsewhere(self, class_name: str) -> bool:
        """Return whether some base of a class of this program is not of this program."""
        lineage = list(self.lineage(class_name))
        bases = {base for found in lineage for base in found.bases} - {"object"}
        return any(found.inherits_unseen for found in lineage) or any(self.class_called(b) is None for b in bases)


def read_program(source: str) -> Program:
    """Return the declarations of `source`.

    Raises:
        SourceError: it does not parse.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise SourceError(f"the implementation does not parse, line {error.lineno}: {error.msg}; correct it") from None
    program = Program(tree, {}, {})
    _read_body(program, tree.body, None)
    return program


def all_definitions(source: str) -> list[tuple[Program, frozenset[str]]]:
    """Return the program, including methods of classes within functions, with the names of all of its functions.

    Further programs follow for earlier definitions of a name, such as a property's getter whose setter has the same
    name. In these, the earlier definitions replace the last ones, and the names are those of the replaced definitions.
    Names are qualified as Python does it.

    Raises:
        SourceError: as `read_program`.
    """
    whole = read_program(source)
    _read_within(whole, whole.tree, "")
    programs = [(whole, frozenset(whole.functions))]
    earlier = whole.earlier
    while earlier:
        chosen = {function.name: function for function in earlier}
        programs.append((replace(whole, functions=whole.functions | chosen), frozenset(chosen)))
        earlier = [function for function in earlier if chosen[function.name] is not function]
    return programs


def _read_within(program: Program, node: ast.AST, prefix: str) -> None:
    """Read the classes within functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FunctionNode):
            _read_within(program, child, f"{prefix}{child.name}{WITHIN}")
        elif isinstance(child, ast.ClassDef):
            if prefix.endswith(WITHIN):
                _read_class(program, child, prefix + child.name)
            _read_within(program, child, f"{prefix}{child.name}.")
        else:
            _read_within(program, child, prefix)


def _read_class(program: Program, node: ast.ClassDef, name: str) -> None:
    bases = tuple(base.id for base in node.bases if isinstance(base, ast.Name))
    program.classes[name] = Class(name, bases, inherits_unseen=len(bases) < len(node.bases))
    _read_body(program, node.body, program.classes[name])


def _read_body(program: Program, body: list[ast.stmt], owner: Class | None) -> None:
    for statement in body:
        if isinstance(statement, FunctionNode):
            function = _function(statement, owner)
            if function.name in program.functions:
                program.earlier.append(program.functions[function.name])
            program.functions[function.name] = function
            if owner is not None:
                owner.methods[statement.name] = function
                _read_fields(owner, statement)
        elif isinstance(statement, ast.ClassDef):
            _read_class(program, statement, statement.name if owner is None else f"{owner.name}.{statement.name}")
        elif isinstance(statement, ast.AnnAssign) and owner is not None and isinstance(statement.target, ast.Name):
            owner.fields[statement.target.id] = statement.annotation
        elif isinstance(statement, ast.Assign) and owner is not None:
            _read_assigned(program, owner, statement)
        else:
            # Definitions under `if` and `try`, as for optional accelerators, count as well.
            for inner in (statement, *getattr(statement, "handlers", ())):
                for block in ("body", "orelse", "finalbody"):
                    _read_body(program, getattr(inner, block, []), owner)


def _read_assigned(program: Program, owner: Class, statement: ast.Assign) -> None:
    """Add the names that a class body assigns to `owner.assigned`, with the last function that the value names."""
    named = [node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)]
    functions = [owner.methods.get(name, program.functions.get(name)) for name in named]
    methods = [function for function in functions if function is not None]
    for target in statement.targets:
        for node in ast.walk(target):
            if methods and isinstance(node, ast.Name):
                owner.assigned[node.id] = methods[-1]


def _read_fields(owner: Class, method: FunctionNode) -> None:
    """Add the fields that a method assigns on its first parameter."""
    positional = [*method.args.posonlyargs, *method.args.args]
    if not positional:
        return
    receiver = positional[0].arg
    for node in ast.walk(method):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == receiver
        ):
            owner.fields.setdefault(node.attr, None)
    for node in ast.walk(method):
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Attribute)
            and isinstance(node.target.value, ast.Name)
            and node.target.value.id == receiver
        ):
            owner.fields[node.target.attr] = node.annotation


def _function(node: FunctionNode, owner: Class | None) -> Function:
    binding = _binding(node, owner)
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = len(arguments.defaults)
    parameters = [
        Parameter(argument.arg, position < len(positional) - defaults, False, argument.annotation)
        for position, argument in enumerate(positional)
    ]
    if binding in (Binding.INSTANCE, Binding.CLASS, Binding.PROPERTY):
        parameters = parameters[1:]
    parameters += [
        Parameter(argument.arg, default is None, True, argument.annotation)
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    ]
    name = node.name if owner is None else f"{owner.name}.{node.name}"
    variadic = arguments.vararg is not None or arguments.kwarg is not None
    return Function(name, None if owner is None else owner.name, node, binding, tuple(parameters), variadic)


def _binding(node: FunctionNode, owner: Class | None) -> Binding:
    if owner is None:
        return Binding.MODULE
    for decorator in node.decorator_list:
        name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
        match name:
            case "staticmethod":
                return Binding.STATIC
            case "classmethod":
                return Binding.CLASS
            case "property" | "cached_property" | "setter" | "getter" | "deleter":
                return Binding.PROPERTY
    return Binding.INSTANCE


Types = frozenset[str]
_Table = Mapping[str, Mapping[str, Types]]


@dataclass(frozen=True)
class TypeProfile:
    """Type names of variables by function, of results by function, and of attributes by class."""

    variables: _Table = field(default_factory=dict)
    returns: Mapping[str, Types] = field(default_factory=dict)
    attributes: _Table = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TypeProfile:
        """Return the profile that `harness.kernel.running.type_profile.profile` returned as JSON."""
        functions: Mapping[str, Any] = data["functions"]
        return cls(
            variables={name: _sets(entry["variables"]) for name, entry in functions.items()},
            returns={name: frozenset(entry["returns"]) for name, entry in functions.items() if entry["returns"]},
            attributes={name: _sets(attributes) for name, attributes in data["classes"].items()},
        )


def _sets(table: Mapping[str, Any]) -> dict[str, Types]:
    return {name: frozenset(kinds) for name, kinds in table.items()}


UNKNOWN: Types = frozenset()
NONE = "NoneType"

_ABSTRACT = frozenset({"object", "type"})


class DeclaredTypes:
    """Types of variables, fields and results of one program; empty where they are unknown."""

    def __init__(self, program: Program, profile: TypeProfile) -> None:
        self.program = program
        self._profile = profile
        self._variables: dict[str, dict[str, Types]] = {}

    def variables(self, function: str) -> Mapping[str, Types]:
        """Return the types of the parameters and locals of `function`: declared types, else observed ones."""
        if function not in self._variables:
            types: dict[str, Types] = dict(self._profile.variables.get(function.partition(WITHIN)[0], {}))
            declared = self.program.functions[function]
            arguments = declared.node.args
            positional = [*arguments.posonlyargs, *arguments.args]
            for argument in (*positional, *arguments.kwonlyargs):
                if argument.annotation is not None:
                    self._declare(types, argument.arg, argument.annotation)
            for star, container in ((arguments.vararg, "tuple"), (arguments.kwarg, "dict")):
                if star is not None:
                    types[star.arg] = frozenset({container})
            for node in own_nodes(declared.node.body):
                if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    self._declare(types, node.target.id, node.annotation)
            if declared.owner and positional and declared.binding in (Binding.INSTANCE, Binding.PROPERTY):
                types[positional[0].arg] = frozenset({declared.owner})
            self._variables[function] = types
        return self._variables[function]

    def fields(self, class_name: str) -> dict[str, Types]:
        """Return the types of the fields of a class, inherited ones included: declared types, else observed ones."""
        fields: dict[str, Types] = {}
        for owner in self.program.lineage(class_name):
            observed = self._profile.attributes.get(owner.name, {})
            for name in (*owner.fields, *observed):
                annotation = owner.fields.get(name)
                types = self.annotated(annotation) if annotation is not None else UNKNOWN
                fields.setdefault(name, types or observed.get(name, UNKNOWN))
        return fields

    def result(self, function: Function) -> Types:
        """Return the types that `function` returns: declared types, else observed ones."""
        declared = self.annotated(function.node.returns) if function.node.returns is not None else UNKNOWN
        return declared or self._profile.returns.get(function.name, UNKNOWN)

    def parameter(self, function: Function, name: str) -> Types:
        """Return the types of a parameter."""
        return self.variables(function.name).get(name, UNKNOWN)

    def annotated(self, annotation: ast.expr) -> Types:
        """Return the types that an annotation names; UNKNOWN if any part is neither builtin nor of the program."""
        match annotation:
            case ast.Constant(value=None):
                return frozenset({NONE})
            case ast.Constant(value=str(text)):
                try:
                    return self.annotated(ast.parse(text, mode="eval").body)
                except SyntaxError:
                    return UNKNOWN
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                sides = self.annotated(left), self.annotated(right)
                return sides[0] | sides[1] if all(sides) else UNKNOWN
            case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
                types = self.annotated(inner)
                return types | {NONE} if types else UNKNOWN
            case ast.Subscript(value=value):
                return self.annotated(value)
            case ast.Name(id=name) | ast.Attribute(attr=name):
                declared = self.program.class_called(name)
                if declared is not None:
                    return frozenset({declared.name})
                is_builtin = isinstance(getattr(builtins, name, None), type) and name not in _ABSTRACT
                return frozenset({name}) if is_builtin else UNKNOWN
        return UNKNOWN

    def attribute(self, receivers: Types, name: str) -> Types:
        """Return the types of an attribute, or property, of objects of some types."""
        types = [self.fields(receiver).get(name, UNKNOWN) for receiver in sorted(receivers - {NONE})]
        properties = [self.program.method(receiver, name) for receiver in sorted(receivers - {NONE})]
        types += [self.result(p) for p in properties if p is not None and p.binding is Binding.PROPERTY]
        return frozenset[str]().union(*types)

    def _declare(self, declared: dict[str, Types], name: str, annotation: ast.expr) -> None:
        types = self.annotated(annotation)
        if types:
            declared[name] = types


DEEPEST = 400
"""Levels of the syntax tree; a sum of so many terms is as deep."""

_FRAMES = 10_000
"""Frames that walking such a tree may take; libcst takes about seven for each level."""


@contextmanager
def room_for(subject: Subject) -> Iterator[None]:
    """Allow the implementation's tree to be walked recursively within the block.

    Raises:
        SourceError: it is nested deeper than DEEPEST; names the line where it is deepest.
    """
    line, depth = deepest(subject.source)
    if depth > DEEPEST:
        raise SourceError(
            f"{subject.source_path}:{line}: expressions or statements are nested {depth} deep, {DEEPEST} at the most "
            "can be mutated; split them"
        )
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@lru_cache(maxsize=16)  # each trial of a subject asks twice
def deepest(source: str) -> tuple[int, int]:
    """Return the first line of the statement in which the tree is deepest, and its depth there.

    The depth is 0 if the source does not parse, because other code reports that error.
    """
    line, most = 1, 0
    try:
        left: list[tuple[ast.AST, int, int]] = [(ast.parse(source), 1, 0)]
    except (SyntaxError, RecursionError, MemoryError):
        return line, most
    while left:
        node, statement, depth = left.pop()
        if isinstance(node, ast.stmt):
            statement = node.lineno
        if depth > most:
            line, most = statement, depth
        left.extend((child, statement, depth + 1) for child in ast.iter_child_nodes(node))
    return line, most
