"""The data shared by the translated functions of one predicate: functions, strings, classes and places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

from harness.generators.states.native.untranslatable import Untranslatable


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
