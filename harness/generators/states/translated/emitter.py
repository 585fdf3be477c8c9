"""Defines what a translation consists of: the functions of one predicate, and one C function under construction."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import CodeType, FunctionType
from typing import Any, TypeAlias

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.sources import FunctionNode, function_tree


class _NothingRaised(BaseException):
    """The class whose number means that no exception was raised."""


_CERTAIN_ERRORS: tuple[type[BaseException], ...] = (
    *(_NothingRaised, AttributeError, IndexError, KeyError, TypeError, ZeroDivisionError, AssertionError),
)
"""The exceptions with the numbers NOTHING_RAISED to ASSERTION_ERROR of values.h."""
SMALLEST_INT, LARGEST_INT = -(1 << 59), (1 << 59) - 1
"""Integers of the translation have 60 bits."""


@dataclass(frozen=True)
class FailingPlace:
    """A place in the predicate at which a run may fail, and the construct there."""

    construct: str
    filename: str
    line: int


@dataclass
class TranslatedFunction:
    """A function of the predicate in C.

    `calls` are the numbers of the functions that it calls by name. `may_call` are the numbers of methods that share the
    name of a called method; if one of them is refused, the search fails only when it is reached.
    """

    number: int
    python: FunctionType
    is_generator: bool
    calls: set[int] = field(default_factory=set)
    may_call: set[int] = field(default_factory=set)
    text: str = ""
    refusal: Untranslatable | None = None

    @property
    def name(self) -> str:
        """The function's name in C."""
        return f"f{self.number}_{self.python.__name__}" if self.python.__name__.isidentifier() else f"f{self.number}"


@dataclass(frozen=True)
class Nested:
    """The names that a nested function takes from the function around it: captured variables, and functions."""

    captured: tuple[str, ...] = ()
    functions: dict[str, FunctionType] = field(default_factory=dict)


class TranslationUnit:
    """Numbers the functions, strings and places of a translation, in the order of the source.

    `classes` are the implementation's classes that have objects in the state space, by number. `outcomes` is whether
    outcome pruning is used.
    """

    def __init__(self, classes: Sequence[type], outcomes: bool = False) -> None:
        self.classes = list(classes)
        self.outcomes = outcomes
        self.errors: list[type[BaseException]] = list(_CERTAIN_ERRORS)
        """Exceptions that may be caught, by number: first those of values.h."""
        self.clauses: list[tuple[type[BaseException], ...]] = []
        """What each except clause catches."""
        self.functions: list[TranslatedFunction] = []
        self.places: list[FailingPlace] = []
        self.strings: dict[str, int] = {"": 0}
        self.attributes: dict[str, int] = {}
        self._numbers: dict[FunctionType, TranslatedFunction] = {}
        self.nested: dict[tuple[FunctionType, CodeType], FunctionType] = {}
        """Functions within functions, by the one around and their code."""
        self.surroundings: dict[FunctionType, Nested] = {}
        self.pending: list[TranslatedFunction] = []

    def function(self, python: FunctionType, is_generator: bool = False) -> TranslatedFunction:
        """Return the C function for a Python function, which is translated later if it is new.

        Raises:
            Untranslatable: it is the harness's own, such as a dedicated generator, whose source is not all it does.
        """
        if str(python.__globals__.get("__name__", "")).startswith("harness."):
            raise Untranslatable(f"a call of {python.__qualname__}")
        function = self._numbers.get(python)
        if function is None:
            function = self._numbers[python] = TranslatedFunction(len(self.functions), python, is_generator)
            self.functions.append(function)
            self.pending.append(function)
        return function

    def around(self, python: FunctionType) -> Nested:
        """Return the names that a function takes from the one around it."""
        return self.surroundings.get(python, Nested())

    def error(self, cls: type[BaseException]) -> int:
        """Return the number of an exception."""
        if cls not in self.errors:
            self.errors.append(cls)
        return self.errors.index(cls)

    def string(self, text: str) -> int:
        """Return the number of a string; attribute names are strings, too."""
        return self.strings.setdefault(text, len(self.strings))

    def place(self, construct: str, filename: str, line: int) -> int:
        """Return the number of a place, by which a failing run identifies it."""
        self.places.append(FailingPlace(construct, filename, line))
        return len(self.places) - 1

    def constant(self, value: object) -> str | None:
        """Return None, a truth value, an integer or a string in C; None for other values."""
        if value is None:
            return "PURE(W_NONE)"
        if isinstance(value, bool):
            return "PURE(W_TRUE)" if value else "PURE(W_FALSE)"
        if type(value) is str:
            return f"PURE(WORD(STRING, {self.string(value)}))"
        return self.integer(value) if type(value) is int else None

    def integer(self, value: int) -> str:
        """Return an integer constant in C.

        Raises:
            Untranslatable: it is too large.
        """
        if not SMALLEST_INT <= value <= LARGEST_INT:
            raise Untranslatable(f"the integer {value}")
        return f"V_INT({value}LL)"

    def recursive(self) -> set[int]:
        """Return the numbers of the functions that may call themselves, directly or through others."""
        reach = self._closure({f.number: f.calls | f.may_call for f in self.functions})
        return {number for number, called in reach.items() if number in called}

    @property
    def called(self) -> set[int]:
        """The numbers of the functions that may be called by one of them."""
        return set().union(*(function.calls | function.may_call for function in self.functions))

    def check(self, roots: set[int]) -> None:
        """Check that the functions of these numbers and all functions that they certainly call were translated.

        Raises:
            Untranslatable: one of those functions was refused.
        """
        called = self._closure({f.number: f.calls for f in self.functions})
        certain = roots.union(*(called[root] for root in roots))
        for function in self.functions:
            if function.refusal and function.number in certain:
                raise function.refusal

    def _closure(self, calls: dict[int, set[int]]) -> dict[int, set[int]]:
        reach = {number: set(called) for number, called in calls.items()}
        changed = True
        while changed:
            changed = False
            for called in reach.values():
                more = {further for other in called for further in reach[other]} - called
                called |= more
                changed |= bool(more)
        return reach


def class_attribute(cls: type, name: str) -> Any:
    """Return the attribute `name` of a class or its bases, unbound; MISSING if there is none."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), MISSING)


MISSING: Any = object()


Item: TypeAlias = "str | tuple[Item, ...]"
"""What a loop yields: a value in C, or a tuple of items that need not be made unless it is stored."""

Body: TypeAlias = Callable[[Item], None]
"""Emits a loop's body for an item."""


@dataclass
class Scope:
    """One Python function being translated: where its names live in C, and what leaving it means."""

    python: FunctionType
    tree: FunctionNode
    locals: dict[str, str]
    leave: Callable[[str], None]
    """Emits a return of the given value."""
    give: Callable[[str], None] | None = None
    """Emits a yield of the given value; None outside generators."""
    loops: list[tuple[str, str]] = field(default_factory=list)
    """Labels of the loops around, innermost last: of `break`, of `continue`."""

    functions: dict[str, FunctionType] = field(default_factory=dict)
    """Nested functions that are defined here, or around."""
    tries: list[tuple[str, int]] = field(default_factory=list)
    """The try bodies around, innermost last: the name of what caught before, and how many loops are around it."""

    @property
    def filename(self) -> str:
        """The file that the function is from."""
        return self.python.__code__.co_filename


class Emitter:
    """Holds one C function under construction. Declarations come first, so that jumps skip no initialisation."""

    def __init__(
        self, program: TranslationUnit, function: TranslatedFunction, prefix: str = "", checkpoints: bool = False
    ) -> None:
        self.program = program
        self.function = function
        self.lines: list[str] = []
        self.declared: list[str] = []
        self.scope: Scope
        self.inlined: list[FunctionType] = []
        self.bodies = 0
        self.sites: list[list[str]] = []
        """Declarations of the variables to be saved at each checkpoint."""
        self.live: list[tuple[int, int]] = []
        """Ranges of `declared`: the variables of the statements around, as far as they were translated."""
        self.dead: list[tuple[int, int]] = []
        """Ranges of `declared` within those: of calls in place that are over, their arguments, answered conditions."""
        self.statement_start = 0
        self.checkpoints = checkpoints
        self.has_try = False
        self._prefix = prefix
        self._count = 0

    # -- lines -------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Append a line of C."""
        self.lines.append(text)

    def name(self, kind: str, stem: str = "t") -> str:
        """Declare a variable of C type `kind`, and return its name."""
        self._count += 1
        plain = f"{stem}{self._count}"
        self.declared.append(f"{kind} {plain};")
        return self._prefix + plain

    def temporary(self, value: str, kind: str = "V") -> str:
        """Declare a variable that holds `value`, and return its name."""
        name = self.name(kind)
        self.line(f"{name} = {value};")
        return name

    def label(self) -> str:
        """Return a new label."""
        self._count += 1
        return f"l{self._count}"

    def mark(self, label: str) -> None:
        """Put a label here, unless it is empty."""
        if label:
            self.line(f"{label}: ;")

    def tick(self, node: ast.AST) -> None:
        """Count one round of a loop."""
        self.line(f"TICK({self.place(node, 'a loop')});")

    def checkpoint(self) -> None:
        """Save all variables that may be used again. This happens only in a function that is the root of all calls."""
        if not self.checkpoints:
            return
        saved = set(range(self.live[0][0]))  # the parameters and locals of the root
        saved.update(*(range(start, end) for start, end in self.live))
        saved.difference_update(*(range(start, end) for start, end in self.dead))
        self.sites.append([self.declared[number] for number in sorted(saved)])
        number, root = len(self.sites), self.function.number
        self.line(f"{{ struct Saved{root}_{number} *saved = CHECKPOINT_{root}({number});")
        for declaration in self.sites[-1]:
            name = variable(declaration)
            self.line(f"saved->{name} = {name};")
        self.line("}")
        self.line(f"resume{number}: ;")

    # -- names and places ----------------------------------------------------------------------------

    def place(self, node: ast.AST, construct: str) -> int:
        """Return the number of `node`'s place."""
        return self.program.place(construct, self.scope.filename, getattr(node, "lineno", 0))

    def refuse(self, node: ast.AST, construct: str) -> Untranslatable:
        """Return the refusal of `node`."""
        return Untranslatable(construct, self.scope.filename, getattr(node, "lineno", 0))

    def static(self, node: ast.expr) -> Any:
        """Return the object that a global name, or an attribute of a module or class, stands for; else MISSING."""
        if isinstance(node, ast.Name):
            return MISSING if node.id in self.scope.locals else self._outer(node)
        if isinstance(node, ast.Attribute):
            owner = self.static(node.value)
            if isinstance(owner, type) or type(owner) is type(ast) or _is_member(owner, node.attr):
                return getattr(owner, node.attr, MISSING)
        return MISSING

    def _outer(self, node: ast.Name) -> Any:
        python = self.scope.python
        if node.id in python.__code__.co_freevars:
            cell = (python.__closure__ or ())[python.__code__.co_freevars.index(node.id)]
            try:
                return cell.cell_contents
            except ValueError:
                return MISSING
        return python.__globals__.get(node.id, getattr(builtins, node.id, MISSING))

    # -- scopes ----------------------------------------------------------------------------------------

    def enter(self, python: FunctionType, leave: Callable[[str], None], give: Callable[[str], None] | None) -> Scope:
        """Make a scope for a function and declare its locals. Nothing is assigned to them yet."""
        tree = function_tree(python)
        refusal = unsupported_signature(tree)
        if refusal:
            raise Untranslatable(refusal, python.__code__.co_filename, tree.lineno)
        code = python.__code__
        count, around = code.co_argcount + code.co_kwonlyargcount, self.program.around(python)
        parameters = code.co_varnames[:count]
        # Cells are used by comprehensions and nested functions.
        every = dict.fromkeys((*parameters, *around.captured, *code.co_varnames[count:], *code.co_cellvars))
        names = {name: self.name("V", f"v_{name}_" if name.isascii() else "v") for name in every}
        return Scope(python, tree, names, leave, give, functions=dict(around.functions))


def _is_member(owner: object, name: str) -> bool:
    """Return whether every member of an enumeration has this attribute."""
    return isinstance(owner, Enum) and name in ("value", "name") and name not in vars(type(owner))


def variable(declaration: str) -> str:
    """Return the name that a declaration in C declares."""
    return declaration.rstrip(";").rpartition(" ")[2].lstrip("*")


def unsupported_signature(tree: FunctionNode) -> str:
    """Return why a function's kind or parameters cannot be translated, or an empty text where they can."""
    if tree.args.vararg or tree.args.kwarg:
        return "*args or **kwargs"
    if isinstance(tree, ast.FunctionDef):
        supported = [d for d in tree.decorator_list if isinstance(d, ast.Name) and d.id in ("staticmethod", "property")]
        if len(supported) != len(tree.decorator_list):
            return f"a decorator of {tree.name}"
    return ""
