"""The functions, classes and variables of a program, and the effects of these functions with all that they may run.

If the source leaves effects open, more are assumed, never fewer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from harness.generators.influence import effects as known
from harness.generators.influence.effects import ANY_EFFECTS, ELEMENTS, NO_EFFECTS, Effects
from harness.generators.influence.reading import (
    Function,
    Mention,
    MentionReach,
    Names,
    Reading,
    imports_of,
    is_constant,
    read_function,
)
from harness.kernel.program.builtin_effects import ITERATOR_MAKERS, METHODS, is_exception


@dataclass
class ClassText:
    """A class as its source defines it.

    Attributes:
        bases: the names of the base classes, without module and parameters.
        methods: the methods by name; None for an assignment in the class that may define a function without source.
        fields: the fields of a dataclass.
        shared: the fields of the class whose values calls may change.
        is_plain: whether all of its decorators and its metaclass are known.
    """

    name: str
    bases: tuple[str, ...]
    names: Names
    methods: dict[str, list[Function | None]] = field(default_factory=dict)
    fields: list[str] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)
    is_dataclass: bool = False
    is_plain: bool = True


@dataclass
class ProgramText:
    """A program of one module, or of several that are imported by name.

    Attributes:
        functions: the functions of modules, by name, each with the meanings of names in its module.
        classes: all classes by name, including nested ones.
    """

    functions: dict[str, list[tuple[Function, Names]]] = field(default_factory=dict)
    classes: dict[str, list[ClassText]] = field(default_factory=dict)

    def above(self, name: str) -> list[str]:
        """Return the names of a class and of its bases, nearest first, including those of other programs."""
        names = [name]
        for one in names:
            names += [base for cls in self.classes.get(one, ()) for base in cls.bases if base not in names]
        return names

    def family(self, name: str) -> set[str]:
        """Return the names of a class, of those derived from it, and of the bases of all of these."""
        below = [other for other in self.classes if name in self.above(other)]
        return {one for other in (name, *below) for one in self.above(other)}


def program_text(sources: Sequence[tuple[str, str]]) -> ProgramText:
    """Read a program from the dotted name and the source of each of its modules.

    Raises:
        SyntaxError: a source is no Python.
    """
    trees = [ast.parse(source) for _, source in sources]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    own = frozenset(name.rpartition(".")[2] for name, _ in sources)
    classes = frozenset(node.name for node in nodes if isinstance(node, ast.ClassDef))
    functions = frozenset(name for tree in trees for name in _module_functions(tree))
    methods = frozenset(
        name
        for node in nodes
        if isinstance(node, ast.ClassDef)
        for name in (*(one.name for one in node.body if isinstance(one, ast.FunctionDef)), *_assigned(node.body))
    )
    makes_iterators = _makes_iterators(nodes)
    program = ProgramText()
    for tree in trees:
        own_names, foreign = _imported(tree, own)
        here = {name: name for name in (*_module_functions(tree), *(c for c in classes if c in _classes_of(tree)))}
        if any(original == "*" for original in own_names.values()):
            here.update({name: name for name in (*classes, *functions)})
        here.update({name: original for name, original in own_names.items() if original in classes | functions})
        variables = {name: name for name in _variables(tree, nodes)}
        variables.update({name: original for name, original in own_names.items() if name not in here})
        names = Names(here, variables, foreign, classes, functions, methods, makes_iterators)
        for function in _module_functions(tree).values():
            program.functions.setdefault(function.name, []).append((function, names))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                program.classes.setdefault(node.name, []).append(_class_text(node, names))
    return program


def _module_functions(tree: ast.Module) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    return {node.name: node for node in _outer(tree.body) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def _classes_of(tree: ast.Module) -> set[str]:
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _outer(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module or class, including those under `if` and `try`, but none within definitions."""
    for statement in body:
        yield statement
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for name in ("body", "orelse", "finalbody", "handlers"):
                yield from _outer(getattr(statement, name, ()))


def _assigned(body: Iterable[ast.stmt]) -> dict[str, ast.expr | None]:
    """Return the names that a module or class assigns, with their values."""
    values: dict[str, ast.expr | None] = {}
    for statement in _outer(body):
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                for node in ast.walk(target):
                    if isinstance(node, ast.Name):
                        values[node.id] = statement.value if node is target else ast.Name("unpacked", ast.Load())
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            values[statement.target.id] = statement.value
    return values


def _variables(tree: ast.Module, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of a module whose values calls may change."""
    rebound = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    for name, value in _assigned(tree.body).items():
        if name in rebound or not is_constant(value):
            yield name


def _imported(tree: ast.Module, own: frozenset[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return names from modules of the program with their original names, and other names with their modules."""
    ours: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").rpartition(".")[2] in own:
            ours.update({alias.asname or alias.name: alias.name for alias in node.names})
        elif isinstance(node, ast.ImportFrom) and node.level and not node.module:
            ours.update({alias.asname or alias.name: alias.name for alias in node.names if alias.name in own})
    foreign = {
        name: module
        for name, module in imports_of(ast.walk(tree)).items()
        if name not in ours and module.rpartition(".")[2] not in own
    }
    return ours, foreign


def _class_text(node: ast.ClassDef, names: Names) -> ClassText:
    decorators = {_called_name(decorator) for decorator in node.decorator_list}
    text = ClassText(node.name, tuple(_called_name(base) for base in node.bases), names)
    text.is_dataclass = "dataclass" in decorators
    text.is_plain = decorators <= known.SILENT_DECORATORS and not any(
        keyword.arg == "metaclass" and _called_name(keyword.value) != "ABCMeta" for keyword in node.keywords
    )
    for statement in _outer(node.body):
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            text.methods.setdefault(statement.name, []).append(statement)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            text.fields.append(statement.target.id)
    for name, value in _assigned(node.body).items():
        if isinstance(value, ast.Name) and value.id in text.methods:
            text.methods[name] = text.methods[value.id]
        elif isinstance(value, ast.Lambda):
            text.methods.setdefault(name, []).append(value)
        elif isinstance(value, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp):
            text.shared.add(name)
        elif not is_constant(value) and not (text.is_dataclass and name in text.fields):
            text.methods.setdefault(name, []).append(None)
            text.shared.add(name)
    text.shared -= {"__slots__", "__match_args__", "__all__"}
    return text


def _called_name(node: ast.expr) -> str:
    """Return the last name of `a.b.C[...]` or `a.b.C(...)`."""
    if isinstance(node, ast.Call):
        return _called_name(node.func)
    if isinstance(node, ast.Subscript):
        return _called_name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _makes_iterators(nodes: Iterable[ast.AST]) -> bool:
    """Return whether an iterator is made that is not iterated, or passed on, at once."""
    at_once: set[ast.AST] = set()
    iterators: list[ast.AST] = []
    for node in nodes:
        if isinstance(node, ast.For | ast.comprehension):
            at_once.add(node.iter)
        elif isinstance(node, ast.Call):
            at_once.update(node.args)
        if _is_iterator(node):
            iterators.append(node)
    return any(node not in at_once for node in iterators)


def _is_iterator(node: ast.AST) -> bool:
    """Return whether a node makes an iterator, or imports functions that do."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name in ITERATOR_MAKERS
        case ast.ImportFrom(module=name):
            return name == "itertools"
        case ast.Import(names=names):
            return any(alias.name == "itertools" for alias in names)
        case _:
            return isinstance(node, ast.GeneratorExp | ast.Yield | ast.YieldFrom)


_ELEMENTS = Effects(frozenset({ELEMENTS}), frozenset({ELEMENTS}))
_GENERATED = known.COMPARING | known.SHOWING


class _Unit(NamedTuple):
    """A function of the program; `function` is None if the source does not show it."""

    owner: str
    name: str
    function: Function | None
    names: Names


class ProgramEffects:
    """The effects of a program's definitions.

    A name may mean every function that has it. A method that is called on an object of unknown class may be that of
    each class, which covers polymorphism. A method that is called on `self` is searched in the class's family.
    """

    def __init__(self, program: ProgramText) -> None:
        self.program = program
        self._readings: dict[Function, Reading] = {}
        self._functions = [
            _Unit("", name, function, names) for name, found in program.functions.items() for function, names in found
        ]
        self._methods = [
            _Unit(cls.name, name, function, cls.names)
            for cls in self._classes()
            for name, found in cls.methods.items()
            for function in found
        ]
        self._has_mixins = any(known.MIXINS.intersection(cls.bases) for cls in self._classes())
        self._generators: list[_Unit] = []
        self._shared = frozenset(name for cls in self._classes() for name in cls.shared)
        self._shared |= {name for reading in self.readings() for name in reading.shared}
        called = {mention.name for reading in self.readings() for mention in reading.mentions}
        units = [*self._functions, *self._methods]
        self._generators = [unit for unit in units if unit.name in called and _yields(unit.function)]

    def readings(self) -> list[Reading]:
        """Return the reading of each function, without the functions that it runs."""
        return [self._reading(unit) for unit in (*self._functions, *self._methods) if unit.function is not None]

    def of_function(self, name: str) -> Effects:
        """Return the effects of a function of a module, or of one that is imported."""
        return self._whole([unit for unit in self._functions if unit.name == name]) or ANY_EFFECTS

    def of_method(self, class_name: str, name: str) -> Effects:
        """Return the effects of a method called on an object of a class or of one derived from it."""
        family = self.program.family(class_name)
        units = [unit for unit in self._methods if unit.name == name and unit.owner in family]
        whole = self._whole(units)
        if whole is not None:
            return whole
        return _ELEMENTS if name in METHODS and family & known.CONTAINERS else ANY_EFFECTS

    def of_class(self, name: str) -> Effects:
        """Return the effects of making an object of a class."""
        if name not in self.program.classes:
            return NO_EFFECTS if name in known.CONTAINERS else ANY_EFFECTS
        units, generated = self._creation(name)
        return (self._whole(units) or NO_EFFECTS) | generated

    # -- what a mention means --------------------------------------------------------------------

    def _units_of_mention(self, mention: Mention) -> tuple[list[_Unit], Effects]:
        name = mention.name
        if mention.reach is MentionReach.GENERATORS:
            return self._generators, NO_EFFECTS
        if mention.reach is MentionReach.NAMED:
            units, generated = self._creation(name) if name in self.program.classes else ([], NO_EFFECTS)
            return [*units, *(unit for unit in self._functions if unit.name == name)], generated
        named = [unit for unit in self._methods if unit.name == name]
        if mention.reach is MentionReach.OWN:
            family = self.program.family(mention.owner)
            return [unit for unit in named if unit.owner in family] or named, self._generated(name)
        if mention.reach is MentionReach.ABOVE:
            above = self.program.above(mention.owner)[1:]
            return [unit for unit in named if unit.owner in above], NO_EFFECTS
        if name.startswith("__") and self._has_mixins and name not in known.CREATING:
            named = [unit for unit in self._methods if _is_special(unit.name)]
        return named, self._generated(name)

    def _creation(self, name: str) -> tuple[list[_Unit], Effects]:
        above = self.program.above(name)
        units = [unit for unit in self._methods if unit.owner in above and unit.name in known.CREATING]
        texts = [cls for one in above for cls in self.program.classes.get(one, ())]
        written = frozenset(field for cls in texts if cls.is_dataclass for field in cls.fields)
        known_bases = known.SILENT_BASES | known.CONTAINERS | known.MIXINS
        is_known = all(cls.is_plain for cls in texts) and all(
            one in self.program.classes or one in known_bases or is_exception(one) for one in above
        )
        return units, Effects(writes=written) if is_known else ANY_EFFECTS

    def _generated(self, name: str) -> Effects:
        """Return the effects of methods that dataclasses have without source."""
        if name not in _GENERATED:
            return NO_EFFECTS
        return Effects(reads=frozenset(field for cls in self._classes() if cls.is_dataclass for field in cls.fields))

    # -- closing ---------------------------------------------------------------------------------

    def _whole(self, units: Iterable[_Unit]) -> Effects | None:
        """Return the effects of functions and of all functions that they may run, or None for no functions."""
        pending = list(units)
        if not pending:
            return None
        seen = {unit.function for unit in pending}
        total = NO_EFFECTS
        while pending:
            unit = pending.pop()
            if unit.function is None:
                return ANY_EFFECTS
            reading = self._reading(unit)
            total |= reading.effects
            for mention in reading.mentions:
                mentioned, effects = self._units_of_mention(mention)
                total |= effects
                new = [one for one in mentioned if one.function not in seen]
                seen.update(one.function for one in new)
                pending += new
        shared = total.shared | (self._shared & (total.reads | total.writes))
        return Effects(total.writes, total.reads, shared)

    def _reading(self, unit: _Unit) -> Reading:
        assert unit.function is not None
        if unit.function not in self._readings:
            self._readings[unit.function] = read_function(unit.function, unit.names, unit.owner)
        return self._readings[unit.function]

    def _classes(self) -> Iterator[ClassText]:
        for texts in self.program.classes.values():
            yield from texts


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in known.CREATING


def _yields(function: Function | None) -> bool:
    return function is not None and any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))
