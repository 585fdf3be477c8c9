"""The effects found in the source of a function, and the meanings of its names."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

from harness.generators.influence import effects as known
from harness.generators.influence.effects import ANYTHING, Effects

_UNCHANGING = known.words(
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
