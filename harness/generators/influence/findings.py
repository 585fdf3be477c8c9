"""What is found in the text of a function, and what its names mean."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

from harness.generators.influence import known_calls
from harness.generators.influence.effects import ANYTHING, ELEMENTS, Effects
from harness.generators.influence.known_calls import Does

_UNCHANGING = known_calls.words(
    "NewType ParamSpec TypeVar bool bytes compile complex float frozenset getLogger int namedtuple object range str "
    "tuple"
)
"""What is called, of builtins and others, for values that nothing changes."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Reach(Enum):
    """Among which functions of the program a mentioned one is sought."""

    NAMED = "functions and classes"
    METHOD = "methods of all classes"
    OWN = "methods of the class, of those above and of those below it"
    ABOVE = "methods of the classes above it"
    GENERATORS = "functions that yield"


class Mention(NamedTuple):
    """Functions that may be run; `owner` is the class where the mention stands."""

    reach: Reach
    name: str = ""
    owner: str = ""


@dataclass(frozen=True)
class Names:
    """What names mean in a module.

    Attributes:
        defined: functions and classes of the program that can be named here, with the name of their definition.
        variables: of the module, and of those of the program that it imports from, with the name of their definition;
            those left out that are constants which nothing assigns anew.
        imports: what comes of modules that are not the program's: their dotted name by the name that it has here.
        classes: of the program, and `functions`, `methods`: names of all of them, in whatever module.
        makes_iterators: whether the program makes any, so that to go through one may change it.
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
    """What was found in one function, without what the functions do that it mentions."""

    writes: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    mentions: set[Mention] = field(default_factory=set)

    @property
    def effects(self) -> Effects:
        """As a value."""
        return Effects(frozenset(self.writes), frozenset(self.reads), frozenset(self.shared))

    def anything(self) -> None:
        """It does what the text does not tell."""
        for found in (self.writes, self.reads, self.shared):
            found.add(ANYTHING)


class Finder(ast.NodeVisitor):
    """Keeps what is found; what names mean in the function is known from its whole text."""

    def __init__(self, function: Function, names: Names, owner: str) -> None:
        self.found = Reading()
        self.names = names
        self.owner = owner
        given = [*function.args.posonlyargs, *function.args.args]
        self.receiver = given[0].arg if owner and given else ""
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
        """Elements are read, and the special methods of those names may be run."""
        self.found.reads.add(ELEMENTS)
        self.special(*special)

    def changes_elements(self) -> None:
        """Elements are read and changed."""
        self.found.writes.add(ELEMENTS)
        self.found.reads.add(ELEMENTS)

    def iterates(self, over: ast.expr) -> None:
        """It goes through a collection, or an iterator, which is used up."""
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id == "range":
            return
        self.reads_elements(*known_calls.ITERATING)
        if self.names.makes_iterators and not isinstance(over, ast.Call):
            self.changes_elements()
        self.mention(Reach.GENERATORS)

    def does(self, does: Does) -> None:
        """A call of what is not the program's."""
        if does is Does.ANYTHING:
            self.found.anything()
        elif does is not Does.NOTHING:
            if does is Does.CHANGES:
                self.changes_elements()
            self.reads_elements(*known_calls.COMPARING, *known_calls.ITERATING, *known_calls.SHOWING)
            self.mention(Reach.GENERATORS)

    def special(self, *names: str) -> None:
        """Special methods may be run."""
        for name in names:
            self.mention(Reach.METHOD, name)

    def mention(self, reach: Reach, name: str = "") -> None:
        """Functions may be run."""
        self.found.mentions.add(Mention(reach, name, self.owner))

    def visit_all(self, nodes: Iterable[ast.AST]) -> None:
        """Visits one after the other."""
        for node in nodes:
            self.visit(node)


def _methods_in_locals(nodes: Iterable[ast.AST], passed: set[str]) -> dict[str, set[str]]:
    """Local names that are given nothing but attributes, as in `push = self.push`, with the names of these."""
    given: dict[str, set[str]] = {}
    explained: set[ast.AST] = set()
    others: set[str] = set(passed)
    stores: list[ast.Name] = []
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stores.append(node)
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            for name, value in _pairs(target, node.value):
                if isinstance(name, ast.Name) and isinstance(value, ast.Attribute):
                    given.setdefault(name.id, set()).add(value.attr)
                    explained.add(name)
    others |= {store.id for store in stores if store not in explained}
    return {name: attributes for name, attributes in given.items() if name not in others}


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def imports_of(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Of imports: the dotted name of the module by the name that it, or what is taken from it, has here."""
    found: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                found[alias.asname or alias.name] = "." * node.level + (node.module or "")
    return found


def is_constant(node: ast.expr | None) -> bool:
    """Whether a value is one that nothing changes."""
    if isinstance(node, ast.Tuple):
        return all(is_constant(element) for element in node.elts)
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return called in _UNCHANGING
    inner = (ast.operator, ast.unaryop, ast.Constant, ast.BinOp, ast.UnaryOp)
    return node is None or all(isinstance(one, inner) for one in ast.walk(node))
