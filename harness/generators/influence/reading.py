"""Finds the locations that the body of one function reads and writes, and the functions that it may run."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeAlias

from harness.generators.influence import effects
from harness.generators.influence.effects import ANYTHING, ELEMENTS, Effects
from harness.kernel.program.builtin_effects import METHODS, REFLECTIVE_BUILTINS, CallEffects, named

_UNCHANGING = effects.words(
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


_CALLBACKS = frozenset({"key", "default_factory", "func", "function"})
"""The parameters of Python's own functions that take functions."""
_BY_NAME = named(REFLECTIVE_BUILTINS, CallEffects.TAKES_FIELD_NAME)
_READING_BY_NAME = named(REFLECTIVE_BUILTINS, CallEffects.TAKES_FIELD_NAME | CallEffects.READS_FIELDS)
_OPERATORS = {
    "div": "truediv",
    "mult": "mul",
    "bitand": "and",
    "bitor": "or",
    "bitxor": "xor",
    "matmult": "matmul",
}
"""The parts of special methods' names, for nodes whose name differs from them."""
_WITHOUT_DEFAULTS = frozenset({"ChainMap", "Counter", "OrderedDict", "UserDict", "UserList", "deque", "namedtuple"})
"""The classes of the module `collections` other than defaultdict."""

_ITERATED: dict[type[ast.AST], str] = {
    ast.For: "iter",
    ast.comprehension: "iter",
    ast.Starred: "value",
    ast.YieldFrom: "value",
}
_TESTED: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.If, ast.While, ast.IfExp, ast.Assert), "test"),
    ast.BoolOp: "values",
    ast.comprehension: "ifs",
}
_READING: dict[type[ast.AST], frozenset[str]] = {
    ast.FormattedValue: effects.SHOWING,
    ast.MatchSequence: effects.ITERATING,
    ast.MatchMapping: effects.COMPARING,
}
"""The parts of nodes that are iterated or tested, and the special methods of nodes that read elements."""


def read_function(function: Function, names: Names, owner: str = "") -> Reading:
    """Return the effects of a function and of all functions within it; `owner` is its class, if it is a method."""
    reader = _Reader(function, names, owner)
    if any(not is_constant(default) for default in (*function.args.defaults, *function.args.kw_defaults)):
        reader.reading.shared.add("default values")  # all calls share them
    if isinstance(function, ast.Lambda):
        reader.visit(function.body)
        reader.visit(function.args)
    else:
        reader.visit_FunctionDef(function)
    return reader.reading


class _Reader(ast.NodeVisitor):
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
        self.reads_elements(*effects.ITERATING)
        if self.names.makes_iterators and not isinstance(over, ast.Call):
            self.changes_elements()
        self.mention(MentionReach.GENERATORS)

    def does(self, does: CallEffects | None) -> None:
        """Add the effects of a call of a function outside of the program, which may do anything if they are None."""
        if does is None:
            self.reading.anything()
        elif does & (CallEffects.READS | CallEffects.CHANGES):
            if CallEffects.CHANGES in does:
                self.changes_elements()
            self.reads_elements(*effects.COMPARING, *effects.ITERATING, *effects.SHOWING)
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

    # -- definitions ---------------------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self._decorator(decorator, node.name)
        self.visit(node.args)
        self.visit_all(node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def _decorator(self, decorator: ast.expr, decorated: str) -> None:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name == "cached_property":
            self.reading.writes.add(decorated)
        elif name in self.names.defined:
            self.mention(MentionReach.NAMED, self.names.defined[name])
        elif name not in effects.SILENT_DECORATORS:
            self.reading.anything()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.visit_all([*node.bases, *node.body])

    def visit_arguments(self, node: ast.arguments) -> None:
        """Visit the defaults, but no annotations."""
        self.visit_all([*node.defaults, *(value for value in node.kw_defaults if value is not None)])

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        if node.value is not None:
            self.visit(node.value)

    def generic_visit(self, node: ast.AST) -> None:
        kind = type(node)
        if kind in _ITERATED:
            self.iterates(getattr(node, _ITERATED[kind]))
        if kind in _TESTED:
            tested = getattr(node, _TESTED[kind])
            for test in tested if isinstance(tested, list) else [tested]:
                self._truth(test)
        if kind in _READING:
            self.reads_elements(*_READING[kind])
        super().generic_visit(node)

    # -- names and elements ----------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> None:
        name = node.id
        if name in self.local or name in self.inner:
            return
        is_foreign = name in self.imports and effects.of_module(self.imports[name]) is None
        if name in self.names.variables or name in self.globals or is_foreign:
            at = self._variable(name)
            (self.reading.reads if isinstance(node.ctx, ast.Load) else self.reading.writes).add(at)
            self.reading.shared.add(at)
        elif name in self.names.defined:
            self.mention(MentionReach.NAMED, self.names.defined[name])

    def _variable(self, name: str) -> str:
        return f"variable {self.names.variables.get(name, name)}"

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.reads_elements("__getitem__", "__setitem__", "__delitem__", "__missing__", *effects.COMPARING)
        if self._has_defaults() or not isinstance(node.ctx, ast.Load):
            self.changes_elements()
        self.generic_visit(node)

    def _has_defaults(self) -> bool:
        """Return whether the module can make a defaultdict, which adds a key when it is read."""
        names = {name for name, module in self.imports.items() if module == "collections" or name == "collections"}
        return not names <= _WITHOUT_DEFAULTS

    def visit_Assign(self, node: ast.Assign) -> None:
        unpacks = any(isinstance(target, ast.Tuple | ast.List) for target in node.targets)
        if unpacks and not isinstance(node.value, ast.Tuple | ast.List):
            self.iterates(node.value)
        self.generic_visit(node)

    # -- operations ------------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            if isinstance(operator, ast.In | ast.NotIn):
                self.special(*effects.COMPARING)
                self.iterates(right)
            elif not isinstance(operator, ast.Is | ast.IsNot):
                self.special(*effects.COMPARING)
                if not isinstance(left, ast.Constant) and not isinstance(right, ast.Constant):
                    self.reads_elements()
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._arithmetic(node.op)
        is_new = isinstance(node.op, ast.Mult) and (_is_display(node.left) or _is_display(node.right))
        if not (is_new or _is_number(node.left) or _is_number(node.right)):
            self.reads_elements()
        if isinstance(node.op, ast.Mod) and not _is_number(node.right):
            self.special(*effects.SHOWING)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._arithmetic(node.op)
        if not _is_number(node.value) or isinstance(node.op, ast.Mult):
            self.changes_elements()  # lists and sets are changed in place
        target = node.target
        if isinstance(target, ast.Attribute):
            self.reading.reads.add(target.attr)
        elif isinstance(target, ast.Name) and target.id not in self.local:
            self.reading.reads.add(self._variable(target.id))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._truth(node.operand)
        self.special("__neg__", "__pos__", "__invert__")
        self.generic_visit(node)

    def _arithmetic(self, operator: ast.operator) -> None:
        node_name = type(operator).__name__.lower()
        name = _OPERATORS.get(node_name, node_name)
        self.special(f"__{name}__", f"__r{name}__", f"__i{name}__")

    # -- tests and loops -------------------------------------------------------------------------

    def _truth(self, test: ast.expr) -> None:
        """Add that a truth test may read elements, because a collection is true if it is not empty."""
        if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
            self.reads_elements(*effects.TRUTH)

    def visit_With(self, node: ast.With) -> None:
        self.special("__enter__", "__exit__")
        self.generic_visit(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        self.reading.reads.update(node.kwd_attrs)
        if node.patterns:
            self.reading.anything()
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        """Visit the body without the class of exceptions, because no object of it is made."""
        self.visit_all(node.body)

    # -- calls and attributes --------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Name):
            self._call_of_name(called.id, node)
        elif isinstance(called, ast.Attribute):
            self._call_of_attribute(called)
        else:
            self.reading.anything()
            self.visit(called)
        asks_class = isinstance(called, ast.Name) and called.id in ("isinstance", "issubclass")
        self.visit_all(node.args[:1] if asks_class else node.args)
        for keyword in node.keywords:
            if keyword.arg in _CALLBACKS:
                self._callback(keyword.value)
            elif keyword.arg is None:
                self.iterates(keyword.value)
            self.visit(keyword.value)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        is_read = isinstance(node.ctx, ast.Load)
        (self.reading.reads if is_read else self.reading.writes).add(node.attr)
        self._mention_attribute(node)
        if not is_read and self._is_common(node.value):
            self.reading.shared.add(node.attr)
        if node.attr == "__dict__" or (node.attr == "__class__" and not is_read):
            self.reading.anything()
        self.visit(node.value)

    def _mention_attribute(self, node: ast.Attribute) -> None:
        """Mention a method, a property, or a definition in a module of the program."""
        if self._is_receiver(node.value):
            self.mention(MentionReach.OWN, node.attr)
        elif _is_super(node.value):
            self.mention(MentionReach.ABOVE, node.attr)
        else:
            self.mention(MentionReach.METHOD, node.attr)
            if isinstance(node.value, ast.Name):
                self.mention(MentionReach.NAMED, node.attr)

    def _call_of_name(self, name: str, node: ast.Call) -> None:
        if name in self.inner:
            return
        if name == "cls" == self.receiver:
            self.mention(MentionReach.NAMED, self.owner)
        elif name in self.methods_in_locals:
            for attribute in self.methods_in_locals[name]:
                self._call_of_method(attribute, is_own=False)
        elif name in self.local or name in self.names.variables:
            self.reading.anything()
        elif name in self.names.defined:
            self.mention(MentionReach.NAMED, self.names.defined[name])
        elif name in self.imports:
            self.does(effects.of_module(self.imports[name]))
        elif name in _BY_NAME:
            self._field_by_name(name, node)
        else:
            self.does(effects.of_builtin(name))
            if name in ("map", "filter") and node.args:
                self._callback(node.args[0])

    def _field_by_name(self, called: str, node: ast.Call) -> None:
        name = node.args[1] if len(node.args) > 1 else None
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            (self.reading.reads if called in _READING_BY_NAME else self.reading.writes).add(name.value)
            self.mention(MentionReach.METHOD, name.value)
        else:
            self.reading.anything()

    def _call_of_attribute(self, called: ast.Attribute) -> None:
        base, name = called.value, called.attr
        module = self._module(base)
        if module:
            self.does(effects.of_module(module))
            return
        self._mention_attribute(called)
        self.visit(base)
        if name not in effects.CREATING:
            self._call_of_method(name, self._is_receiver(base))

    def _call_of_method(self, name: str, is_own: bool) -> None:
        does = METHODS.get(name)
        is_known = name in self.names.methods or name in self.names.functions or name in self.names.classes
        if is_known and (does is None or is_own):
            return  # of the program alone; else a collection may have a method of that name, too
        self.does(does)

    def _module(self, base: ast.expr) -> str:
        """Return the dotted name of a module that is not the program's; an empty name for other expressions."""
        if isinstance(base, ast.Attribute):
            within = self._module(base.value)
            return f"{within}.{base.attr}" if within else ""
        if isinstance(base, ast.Name) and base.id not in self.local:
            return self.imports.get(base.id, "")
        return ""

    def _callback(self, argument: ast.expr) -> None:
        """Mention a function that is passed to one of Python's own; one whose source is not available does anything."""
        if isinstance(argument, ast.Lambda | ast.Constant):
            return
        name = argument.id if isinstance(argument, ast.Name) and argument.id not in self.local else ""
        if name in self.names.defined or name in self.inner:
            return
        self.does(effects.of_builtin(name))

    def _is_receiver(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self.receiver

    def _is_common(self, node: ast.expr) -> bool:
        """Return whether all calls share the object of an expression: a class, a function or a module."""
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id == "type"
        if isinstance(node, ast.Attribute):
            return node.attr == "__class__" or self._is_common(node.value)
        return isinstance(node, ast.Name) and (node.id not in self.local or node.id == "cls")


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


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _is_display(node: ast.expr) -> bool:
    """Return whether the node is a list or tuple display: `[None] * 5` reads no other object."""
    return isinstance(node, ast.List | ast.Tuple)
