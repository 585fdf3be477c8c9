"""Finds which routines may influence which: return-argument, define-use and store-load pairs of their sources."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from harness.generators.influence import effects as known
from harness.generators.influence.effects import ANY_EFFECTS, ANYTHING, Effects
from harness.generators.influence.program_effects import ProgramEffects, program_text
from harness.generators.influence.reading import Function, MentionReach, receiver_of
from harness.kernel.program.code_reading import own_nodes
from harness.model.routines import Routine, RoutineKind
from harness.model.sequence import SequenceScope

_PLAIN = known.words("None NoReturn Never bool bytes complex float int str")
_UNIONS = known.words("Annotated Final Optional Union")
_NO_OBJECT = (ast.Constant, ast.Compare, ast.JoinedStr)


class ReturnedClasses:
    """The classes that routines return. Declared types are trusted, as the thesis trusts Java's.

    If no type is declared, the values of `return` are read. A value of unknown class may be an object of each class
    that escapes. A class escapes if the program itself makes objects of it, passes on `self` of it, or receives an
    object as an argument.

    Args:
        passed: the names of classes whose objects are passed as arguments.
    """

    def __init__(self, effects: ProgramEffects, passed: Iterable[str]) -> None:
        self._program = effects.program
        self._escaping = {name for name in self._program.classes if self._passes_itself(name)}
        for name in (*passed, *_constructed_classes(effects)):
            self._escaping.update(self._program.family(name))

    def fits(self, classes: frozenset[str], base: str) -> bool:
        """Return whether an object of one of the classes may be of the base class, or of a class derived from it."""
        if ANYTHING in classes and (base not in self._program.classes or base in self._escaping):
            return True
        above = self._program.above
        return any(base in above(name) or name in above(base) for name in classes)

    def of_class(self, name: str) -> frozenset[str]:
        """Return the classes of the objects that calling a class makes; ANYTHING for a name that is not a class."""
        is_class = name in self._program.classes or name in known.CONTAINERS
        return frozenset({name if is_class else ANYTHING})

    def of_function(self, name: str) -> frozenset[str]:
        """Return the classes of the results of a function of a module."""
        return self._of([(function, "") for function, _ in self._program.functions.get(name, ())])

    def of_method(self, class_name: str, name: str) -> frozenset[str]:
        """Return the classes of the results of a method of a class, or of those derived from it."""
        family = sorted(self._program.family(class_name))
        classes = [cls for one in family for cls in self._program.classes.get(one, ())]
        return self._of([(function, cls.name) for cls in classes for function in cls.methods.get(name, ())])

    def _of(self, functions: Iterable[tuple[Function | None, str]]) -> frozenset[str]:
        classes: set[str] = set()
        is_known = False
        for function, owner in functions:
            is_known = True
            classes |= self._one(function, owner)
        return frozenset(classes) if is_known else frozenset({ANYTHING})

    def _one(self, function: Function | None, owner: str) -> set[str]:
        if function is None or isinstance(function, ast.Lambda):
            return {ANYTHING}
        declared = self._declared(function.returns, owner)
        return self._returned(function, owner) if declared is None else declared

    def _declared(self, annotation: ast.expr | None, owner: str) -> set[str] | None:
        """Return the declared classes, or None if the annotation is missing or not understood."""
        if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
            return self._union([annotation.left, annotation.right], owner)
        if isinstance(annotation, ast.Constant):
            if isinstance(annotation.value, str):
                return self._declared(ast.parse(annotation.value, mode="eval").body, owner)
            return set() if annotation.value is None else None
        if isinstance(annotation, ast.Subscript):
            inside = annotation.slice
            if _last_name(annotation.value) in _UNIONS:
                return self._union(inside.elts if isinstance(inside, ast.Tuple) else [inside], owner)
            return self._declared(annotation.value, owner)
        name = _last_name(annotation)
        if name in _PLAIN:
            return set()
        if name == "Self":
            return {owner}
        return {name} if name in self._program.classes or name in known.CONTAINERS else None

    def _union(self, parts: Iterable[ast.expr], owner: str) -> set[str] | None:
        classes: set[str] = set()
        for part in parts:
            declared = self._declared(part, owner)
            if declared is None:
                return None
            classes |= declared
        return classes

    def _returned(self, function: ast.FunctionDef | ast.AsyncFunctionDef, owner: str) -> set[str]:
        nodes = list(own_nodes(function.body))
        if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes):
            return {"generator"}
        receiver = receiver_of(function) if owner else ""
        classes: set[str] = set()
        for node in nodes:
            if isinstance(node, ast.Return) and node.value is not None:
                classes |= self._of_value(node.value, receiver, owner)
        return classes

    def _of_value(self, value: ast.expr, receiver: str, owner: str) -> set[str]:
        if isinstance(value, _NO_OBJECT) or (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)):
            return set()
        if isinstance(value, ast.Name) and value.id == receiver:
            return {owner}
        if isinstance(value, ast.IfExp):
            return self._of_value(value.body, receiver, owner) | self._of_value(value.orelse, receiver, owner)
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            if value.func.id in ("len", "isinstance", "bool", "int", "str", "float", "hash", "id", "any", "all"):
                return set()
            if value.func.id in self._program.classes:
                return {value.func.id}
        return {ANYTHING}

    def _passes_itself(self, name: str) -> bool:
        """Return whether a method of a class uses `self` otherwise than to access an attribute."""
        for one in self._program.above(name):
            for cls in self._program.classes.get(one, ()):
                if any(_has_bare_receiver(function) for found in cls.methods.values() for function in found):
                    return True
        return False


def _constructed_classes(effects: ProgramEffects) -> Iterator[str]:
    """Yield the names of classes that the program's own functions make objects of."""
    for reading in effects.readings():
        for mention in reading.mentions:
            if mention.reach is MentionReach.NAMED and mention.name in effects.program.classes:
                yield mention.name


def _has_bare_receiver(function: Function | None) -> bool:
    if function is None:
        return True
    receiver = receiver_of(function)
    nodes = list(ast.walk(function))
    owners = {id(node.value) for node in nodes if isinstance(node, ast.Attribute) and node.attr != "__class__"}
    return any(isinstance(node, ast.Name) and node.id == receiver and id(node) not in owners for node in nodes)


def _last_name(node: ast.expr | None) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


@dataclass(frozen=True, slots=True)
class RoutineFacts:
    """The facts that the source shows about one routine.

    Attributes:
        effects: the effects of the routine and of the functions that it may run, without reads of locations that no
            routine writes.
        makes: the names of classes that its result may be of, ANYTHING if they are unknown; empty: no object.
        takes: the names of the classes of the receiver, if there is one, and of each parameter that takes objects.
        optional: for the receiver and each of these parameters, whether it also takes values.
    """

    name: str
    effects: Effects
    makes: frozenset[str]
    takes: tuple[tuple[str, ...], ...]
    optional: tuple[bool, ...]


class Influence:
    """The pairs of routines that may influence each other, by their numbers in `SequenceScope.routines`.

    Attributes:
        facts: the facts about each routine.
        passes: for each pair of routines and each object that the second takes, whether the first may make it.
        direct: for each routine, the numbers of those that it may influence directly.
    """

    def __init__(self, facts: Sequence[RoutineFacts], passes: Sequence[Sequence[tuple[bool, ...]]]) -> None:
        self.facts = tuple(facts)
        self.passes = tuple(tuple(row) for row in passes)
        numbers = range(len(self.facts))
        self.direct = tuple(
            frozenset(
                later
                for later in numbers
                if any(self.passes[number][later]) or self.facts[number].effects.feeds(self.facts[later].effects)
            )
            for number in numbers
        )


def influence_of(sources: Sequence[tuple[str, str]], scope: SequenceScope) -> Influence:
    """Return the influence between a scope's routines in a program.

    Args:
        sources: the dotted name and the source of each of its modules; none: nothing is known of any routine.

    Raises:
        SyntaxError: a source is no Python.
    """
    effects = ProgramEffects(program_text(sources))
    routines = scope.routines
    argument_classes = [name for routine in routines for parameter in routine.parameters for name in parameter.earlier]
    results = ReturnedClasses(effects, argument_classes)
    routine_effects = [_effects(effects, scope.root, routine) for routine in routines]
    written = frozenset(location for one in routine_effects for location in one.writes)
    facts = [
        RoutineFacts(
            routine.name,
            one if ANYTHING in written else Effects(one.writes, one.reads & (written | {ANYTHING}), one.shared),
            _makes(results, scope.root, routine),
            *_takes(scope.root, routine),
        )
        for routine, one in zip(routines, routine_effects, strict=True)
    ]
    passes = [
        [tuple(any(results.fits(one.makes, name) for name in classes) for classes in other.takes) for other in facts]
        for one in facts
    ]
    return Influence(facts, passes)


def _effects(effects: ProgramEffects, root: str, routine: Routine) -> Effects:
    if not effects.program.functions and not effects.program.classes:
        return ANY_EFFECTS
    is_function = routine.name in effects.program.functions
    if routine.kind is RoutineKind.METHOD:
        return effects.of_method(root, routine.name)
    if routine.kind is RoutineKind.CONSTRUCTOR and not is_function:
        return effects.of_class(routine.name)
    return effects.of_function(routine.name)


def _makes(results: ReturnedClasses, root: str, routine: Routine) -> frozenset[str]:
    if routine.kind is RoutineKind.METHOD:
        return results.of_method(root, routine.name)
    classes = results.of_function(routine.name)
    if routine.kind is RoutineKind.CONSTRUCTOR and ANYTHING in classes:
        return results.of_class(routine.name)
    return classes


def _takes(root: str, routine: Routine) -> tuple[tuple[tuple[str, ...], ...], tuple[bool, ...]]:
    receiver = [((root,), False)] if routine.has_receiver else []
    parameters = [(parameter.earlier, bool(parameter.values)) for parameter in routine.parameters if parameter.earlier]
    both = [*receiver, *parameters]
    return tuple(classes for classes, _ in both), tuple(optional for _, optional in both)
