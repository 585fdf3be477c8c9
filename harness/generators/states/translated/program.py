"""What the translated functions of one predicate share: functions, strings, classes and places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

from harness.generators.states.native.untranslatable import Untranslatable


class _NothingRaised(BaseException):
    """Has the number that means no exception."""


_CERTAIN_ERRORS: tuple[type[BaseException], ...] = (
    *(_NothingRaised, AttributeError, IndexError, KeyError, TypeError, ZeroDivisionError, AssertionError),
)
"""NOTHING_RAISED to ASSERTION_ERROR of values.h."""
SMALLEST_INT, LARGEST_INT = -(1 << 59), (1 << 59) - 1
"""Integers of the translation have 60 bits."""


@dataclass(frozen=True)
class Place:
    """Where in the predicate a run may fail, and at what."""

    construct: str
    filename: str
    line: int


@dataclass
class Function:
    """A function of the predicate in C.

    `calls` are the numbers of those it calls by name, `may_call` of methods that share the name of a
    call's: where such a one is refused, the search fails only when it is reached.
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
        """Its name in C."""
        return f"f{self.number}_{self.python.__name__}" if self.python.__name__.isidentifier() else f"f{self.number}"


@dataclass(frozen=True)
class Nested:
    """What a function within a function takes from around: names whose values it is handed, and functions."""

    captured: tuple[str, ...] = ()
    functions: dict[str, FunctionType] = field(default_factory=dict)


class Program:
    """Numbers what is met during translation; all numbering follows the order of the source.

    `classes` are the implementation's classes that have objects in the state space, by number.
    `outcomes` tells of outcome pruning.
    """

    def __init__(self, classes: Sequence[type], outcomes: bool = False) -> None:
        self.classes = list(classes)
        self.outcomes = outcomes
        self.errors: list[type[BaseException]] = list(_CERTAIN_ERRORS)
        """Exceptions that may be caught, by number: first those of values.h."""
        self.clauses: list[tuple[type[BaseException], ...]] = []
        """What each except clause catches."""
        self.functions: list[Function] = []
        self.places: list[Place] = []
        self.strings: dict[str, int] = {"": 0}
        self.attributes: dict[str, int] = {}
        self._numbers: dict[FunctionType, Function] = {}
        self.nested: dict[tuple[FunctionType, CodeType], FunctionType] = {}
        """Functions within functions, by the one around and their code."""
        self.surroundings: dict[FunctionType, Nested] = {}
        self.pending: list[Function] = []

    def function(self, python: FunctionType, is_generator: bool = False) -> Function:
        """The C function for a Python one, translated later where it is new.

        Raises:
            Untranslatable: it is the harness's own, as a dedicated generator, which does more than its text says.
        """
        if str(python.__globals__.get("__name__", "")).startswith("harness."):
            raise Untranslatable(f"a call of {python.__qualname__}")
        found = self._numbers.get(python)
        if found is None:
            found = self._numbers[python] = Function(len(self.functions), python, is_generator)
            self.functions.append(found)
            self.pending.append(found)
        return found

    def around(self, python: FunctionType) -> Nested:
        """What a function takes from the one around it."""
        return self.surroundings.get(python, Nested())

    def error(self, cls: type[BaseException]) -> int:
        """The number of an exception."""
        if cls not in self.errors:
            self.errors.append(cls)
        return self.errors.index(cls)

    def string(self, text: str) -> int:
        """The number of a string; attribute names are strings, too."""
        return self.strings.setdefault(text, len(self.strings))

    def place(self, construct: str, filename: str, line: int) -> int:
        """The number of a place, to be named when a run fails there."""
        self.places.append(Place(construct, filename, line))
        return len(self.places) - 1

    def integer(self, value: int) -> str:
        """An integer constant in C.

        Raises:
            Untranslatable: it is too large.
        """
        if not SMALLEST_INT <= value <= LARGEST_INT:
            raise Untranslatable(f"the integer {value}")
        return f"V_INT({value}LL)"

    def recursive(self) -> set[int]:
        """Numbers of the functions that may call themselves, through others or not."""
        reach = self._closure({f.number: f.calls | f.may_call for f in self.functions})
        return {number for number, called in reach.items() if number in called}

    @property
    def called(self) -> set[int]:
        """Numbers of the functions that may be called by one of them."""
        return set().union(*(function.calls | function.may_call for function in self.functions))

    def check(self, roots: set[int]) -> None:
        """Makes sure of what the functions of these numbers certainly call.

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
    """What a class or its bases hold under `name`, unbound; MISSING where nothing."""
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), MISSING)


MISSING: Any = object()
