"""Collects the effects found in the source of a function, and the meanings of its names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

from harness.generators.influence import library_effects
from harness.generators.influence.effects import ANYTHING, ELEMENTS, Effects
from harness.generators.influence.library_effects import CallEffect

_UNCHANGING = library_effects.words(
    "NewType ParamSpec TypeVar bool bytes compile complex float frozenset getLogger int namedtuple object range str "
    "tuple"
)
"""Functions and classes, of builtins and others, whose values nothing changes."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class MentionReach(Enum):
    """The functions of the program among which a mentioned function is searched."""

    NAMED = "functions and classes"
    METHOD = "methods of all classes"
    OWN = "methods of the class, of those above and of those below it"
    ABOVE = "methods of the classes above it"
    GENERATORS = "functions that yield"


class Mention(NamedTuple):
    """A mention of functions that may be run; `owner` is the class that contains the mention."""

    reach: MentionReach
    name: str = ""
    owner: str = ""


@dataclass(frozen=True)
class Names:
    """The meanings of names in a module.

    Attributes:
        defined: functions and classes of the program that can be named here, with the name of their definition.
        variables: the variables of the module, and of the program's modules that it imports from, with the name of
            their definition, without constants that are never assigned again.
        imports: the dotted names of modules outside of the program, by the names that imports from them have here.
        classes: the names of all classes of the program, as `functions` and `methods` are of those, in all modules.
        makes_iterators: whether the program makes iterators, which iterating may change.
    """

    defined: Mapping[str, str]
    variables: Mapping[str, str]
    imports: Mapping[str, str]
    classes: frozenset[str]
    functions: frozenset[str]
    methods: frozenset[str]
    makes_iterators: bool = False


@dataclass
class Reading:
    """The effects found in one function, without those of the functions that it mentions."""

    writes: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    mentions: set[Mention] = field(default_factory=set)

    @property
    def effects(self) -> Effects:
        """The effects, as a value."""
        return Effects(frozenset(self.writes), frozenset(self.reads), frozenset(self.shared))

    def anything(self) -> None:
        """Add all effects, because the source does not show which the function has."""
        for locations in (self.writes, self.reads, self.shared):
            locations.add(ANYTHING)


def receiver_of(method: Function) -> str:
    """Return the name of the parameter that takes the object, or the class, of a method; "" if none does."""
    positional = [*method.args.posonlyargs, *method.args.args]
    decorators = {getattr(decorator, "id", "") for decorator in getattr(method, "decorator_list", ())}
    return positional[0].arg if positional and "staticmethod" not in decorators else ""


class Finder(ast.NodeVisitor):
    """Collects the effects; the meanings of names in the function are determined from its whole source."""

    def __init__(self, function: Function, names: Names, owner: str) -> None:
        self.reading = Reading()
        self.names = names
        self.owner = owner
        self.receiver = receiver_of(function) if owner else ""
        nodes = list(ast.walk(function))
        self.globals = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        self.inner = {
            node.name
            for node in nodes
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node is not function
        }
        stored = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
        passed = {node.arg for node in nodes if isinstance(node, ast.arg)}
        self.local = (stored | passed) - self.globals
        self.imports = {**names.imports, **imports_of(nodes)}
        self.methods_in_locals = _methods_in_locals(nodes, passed)

    def reads_elements(self, *special: str) -> None:
        """Add that elements are read, and that the special methods of those names may be run."""
        self.reading.reads.add(ELEMENTS)
        self.special(*special)

    def changes_elements(self) -> None:
        """Add that elements are read and changed."""
        self.reading.writes.add(ELEMENTS)
        self.reading.reads.add(ELEMENTS)

    def iterates(self, over: ast.expr) -> None:
        """Add that a collection is iterated, or an iterator, which is used up."""
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range":
            return
        self.reads_elements(*library_effects.ITERATING)
        if self.names.makes_iterators and not isinstance(over, ast.Call):
            self.changes_elements()
        self.mention(MentionReach.GENERATORS)

    def does(self, does: CallEffect) -> None:
        """Add the effects of a call of a function outside of the program."""
        if does is CallEffect.ANYTHING:
            self.reading.anything()
        elif does is not CallEffect.NOTHING:
            if does is CallEffect.CHANGES:
                self.changes_elements()
            self.reads_elements(*library_effects.COMPARING, *library_effects.ITERATING, *library_effects.SHOWING)
            self.mention(MentionReach.GENERATORS)

    def special(self, *names: str) -> None:
        """Add that special methods may be run."""
        for name in names:
            self.mention(MentionReach.METHOD, name)

    def mention(self, reach: MentionReach, name: str = "") -> None:
        """Add that functions may be run."""
        self.reading.mentions.add(Mention(reach, name, self.owner))

    def visit_all(self, nodes: Iterable[ast.AST]) -> None:
        """Visit nodes one after the other."""
        for node in nodes:
            self.visit(node)


def _methods_in_locals(nodes: Iterable[ast.AST], passed: set[str]) -> dict[str, set[str]]:
    """Return the local names that are assigned only attributes (`push = self.push`), with the attributes' names."""
    attributes_by_name: dict[str, set[str]] = {}
    explained: set[ast.AST] = set()
    other_names: set[str] = set(passed)
    stores: list[ast.Name] = []
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stores.append(node)
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            for name, value in _pairs(target, node.value):
                if isinstance(name, ast.Name) and isinstance(value, ast.Attribute):
                    attributes_by_name.setdefault(name.id, set()).add(value.attr)
                    explained.add(name)
    other_names |= {store.id for store in stores if store not in explained}
    return {name: attributes for name, attributes in attributes_by_name.items() if name not in other_names}


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def imports_of(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Return the dotted name of the module for each name that imports bind."""
    modules: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                modules[alias.asname or alias.name.partition(".")[0]] = alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                modules[alias.asname or alias.name] = "." * node.level + (node.module or "")
    return modules


def is_constant(node: ast.expr | None) -> bool:
    """Return whether a value is one that nothing changes."""
    if isinstance(node, ast.Tuple):
        return all(is_constant(element) for element in node.elts)
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return called in _UNCHANGING
    inner = (ast.operator, ast.unaryop, ast.Constant, ast.BinOp, ast.UnaryOp)
    return node is None or all(isinstance(one, inner) for one in ast.walk(node))
