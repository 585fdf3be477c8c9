"""Sequences of calls as test inputs, and the scope that bounds them (beapi2023, section 3.1).

A spec's `sequences(scope)` declares what sequences are made of, in the words of `Finitization`::

    def sequences(scope: int) -> SequenceScope:
        s = SequenceScope("SearchTree")
        s.constructor()
        s.method("add", range(scope))
        s.method("remove", range(scope))
        s.method("merge", s.earlier("SearchTree"))
        s.objects(scope)
        s.omit("mod_count")
        s.unordered("index")
        s.misuse("ValueError", "KeyError")
        return s

A spec without `sequences` gets one that is derived from its finitization: see `SequenceScope.of_finitization`.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any

from harness.errors import SpecError
from harness.model.domains import (
    SEQUENCES,
    ComparedFields,
    DomainKind,
    checked_count,
    checked_name,
)
from harness.model.finitization import CallKind, Finitization, Precondition
from harness.model.literals import is_collection
from harness.model.routines import (
    Earlier,
    Fixed,
    Made,
    Piece,
    Routine,
    RoutineKind,
    TokenValue,
    check_fixed,
    domain_of_parameter,
    domain_of_pieces,
)

DEFAULT_MISUSES = ("ValueError", "LookupError")
"""Python's nearest to IllegalArgumentException and IllegalStateException (beapi2023, section 3.4); LookupError is the
base of IndexError and KeyError."""

DEFAULT_ATTEMPTS = 5_000_000
"""Sequences that a generator executes at the most, where the spec says nothing."""


def class_names(cls: type) -> set[str]:
    """Return the names by which a scope may refer to instances of `cls`: its own, and those of its base classes."""
    return {name for base in cls.__mro__ for name in (base.__name__, base.__qualname__)}


def is_misuse(error: BaseException, misuses: Iterable[str]) -> bool:
    """Return whether an exception, or a class that it derives from, has one of the names that stand for misuse."""
    return not class_names(type(error)).isdisjoint(misuses)


ON_MUTANT = "on-mutant"
"""How sequences are run, in stored facts: all calls run mutated code, as in a unit test."""


class Observation(Enum):
    """When the states of a sequence's objects are looked at; what its calls do is always."""

    END = "end"
    """After the last call."""
    EVERY_CALL = "every-call"
    """After each call."""


class SequenceScope:
    """The parts and bounds of sequences: routines with domains, length, objects, attempts.

    Args:
        root: the class that the sequences are about; "list" for functions on lists, as in `heapq`.
    """

    left_out: tuple[str, ...] = ()
    """The targets of a finitization whose arguments derived sequences cannot make."""

    def __init__(self, root: str) -> None:
        self.root = checked_name("class", root)
        self._routines: list[Routine] = []
        self._objects: dict[str, int] = {}
        self.most_objects: int | None = None
        """The bound on objects of each class, unless `objects` names the class."""
        self.most_elements: int | None = None
        """The bound on elements of each list, deque, set and dict."""
        self.most_calls: int | None = None
        """The bound on calls of a sequence, the constructor's included; None: until nothing new is found."""
        self.most_attempts = DEFAULT_ATTEMPTS
        self.omitted: tuple[str, ...] = ()
        self.unordered_fields: tuple[str, ...] = ()
        self.misuses: tuple[str, ...] = DEFAULT_MISUSES
        self.pinned_builders: tuple[str, ...] | None = None
        self.discards_failures = False

    # -- declaring ---------------------------------------------------------------------------

    def constructor(self, *parameters: Piece, name: str | None = None, **keywords: Piece) -> None:
        """Declare a constructor, with which a sequence may begin: the root's class, or another class or function.

        A scope without a declared one has the root's class. If the text of the implementation is at hand, it is called
        with values of the types that its parameters declare (`harness.kernel.specs.constructors`).
        """
        self._routine(name or self.root, RoutineKind.CONSTRUCTOR, parameters, None, keywords)

    def method(self, name: str, *parameters: Piece, requires: Precondition | None = None, **keywords: Piece) -> None:
        """Declare a method of the root: a domain per parameter, and a precondition `requires(receiver, *arguments)`."""
        self._routine(name, RoutineKind.METHOD, parameters, requires, keywords)

    def function(self, name: str, *parameters: Piece, requires: Precondition | None = None, **keywords: Piece) -> None:
        """Declare a function of the module, called as `name(receiver, *arguments)`, otherwise like `method`."""
        self._routine(name, RoutineKind.FUNCTION, parameters, requires, keywords)

    def earlier(self, class_name: str) -> Earlier:
        """Return a domain: the results of earlier calls that are of that class."""
        return Earlier(checked_name("class", class_name))

    def tokens(self, name: str, count: int) -> list[TokenValue]:
        """Return a domain of `count` interchangeable objects without fields, compared by identity."""
        checked = checked_name("domain of tokens", name)
        return [TokenValue(checked, index) for index in range(checked_count(name, count))]

    def members(self, enumeration: str, *names: str) -> list[Made]:
        """Return a domain: the members with these names of an enumeration of the program."""
        return [Made(domain) for domain in Finitization().members(enumeration, *names)]

    def fixed(self, value: Any) -> Fixed:
        """Return a value that is a list, set or dict; each call gets its own copy."""
        check_fixed(value, value)
        return Fixed(value)

    def objects(self, most: int, class_name: str | None = None) -> None:
        """Bound the objects of a class in a state, the root not counted (default: of each class)."""
        checked_count(class_name or "all", most)
        if class_name is None:
            self.most_objects = most
        else:
            self._objects[checked_name("class", class_name)] = most

    def elements(self, most: int) -> None:
        """Bound the elements of each list, deque, set and dict."""
        self.most_elements = checked_count("element", most)

    def length(self, most: int) -> None:
        """Bound the calls of a sequence, the constructor's included."""
        if type(most) is not int or most < 1:
            raise SpecError(f"length({most!r}): a sequence has at least one call; give a whole number from 1")
        self.most_calls = most

    def attempts(self, most: int) -> None:
        """Bound the sequences that a generator executes."""
        if type(most) is not int or most < 1:
            raise SpecError(f"attempts({most!r}): give a whole number from 1")
        self.most_attempts = most

    def omit(self, *patterns: str) -> None:
        """Leave out fields that do not distinguish states: names, or regular expressions that match a whole name."""
        for pattern in patterns:
            try:
                re.compile(pattern)
            except (re.error, TypeError) as error:
                raise SpecError(f"omit({pattern!r}): not a name or regular expression ({error})") from None
        self.omitted += patterns

    def unordered(self, *fields: str) -> None:
        """Compare the dicts in these fields, and dicts among their values, without the order of their items."""
        self.unordered_fields += tuple(checked_name("field", name) for name in fields)

    def misuse(self, *exceptions: str) -> None:
        """Set the names of the exceptions that report misuse of a routine; classes derived from them count, too.

        They replace ValueError and LookupError. All others are failures.
        """
        self.misuses = tuple(checked_name("exception", name) for name in exceptions)

    def discard_failures(self) -> None:
        """Make generators drop a sequence that ends with a failure, instead of reporting it."""
        self.discards_failures = True

    def builders(self, *names: str) -> None:
        """Pin the routines that, with the constructors, build every state; `mutascope builders` finds them."""
        self.pinned_builders = tuple(names)

    # -- reading -----------------------------------------------------------------------------

    @property
    def routines(self) -> tuple[Routine, ...]:
        """Constructors first, then the others, each in the order of declaration."""
        constructors = [routine for routine in self._routines if not routine.has_receiver]
        if not constructors:
            constructors = [Routine(self.root, RoutineKind.CONSTRUCTOR, ())]
        return (*constructors, *(routine for routine in self._routines if routine.has_receiver))

    @property
    def says_constructor(self) -> bool:
        """Whether a constructor is declared, or there is none of Python code: a list's."""
        return self.root == "list" or any(not routine.has_receiver for routine in self._routines)

    def with_constructors(self, constructors: Iterable[Routine]) -> SequenceScope:
        """Return the same scope, with these constructors before its other routines."""
        return self._with([*constructors, *(routine for routine in self._routines if routine.has_receiver)])

    def most_of(self, class_name: str) -> int | None:
        """Return the bound on objects of a class in one state; None if there is no bound."""
        return self._objects.get(class_name, self.most_objects)

    def omission(self) -> ComparedFields | None:
        """Return what says whether a field is omitted, by its name, or unordered; None if no field is."""
        if not self.omitted and not self.unordered_fields:
            return None
        whole = re.compile("|".join(f"(?:{pattern})" for pattern in self.omitted)) if self.omitted else None
        return ComparedFields(whole, frozenset(self.unordered_fields))

    def checked(self) -> SequenceScope:
        """Return this scope after checking it as a whole.

        Raises:
            SpecError: there is no routine, or a builder is no routine.
        """
        names = {routine.name for routine in self.routines if routine.has_receiver}
        if not names:
            raise SpecError(
                "sequences declare no routine; add at least one with .method(name, ...) or .function(name, ...)"
            )
        for builder in self.pinned_builders or ():
            if builder not in names:
                raise SpecError(f"builder {builder!r} is no routine; the routines are {', '.join(sorted(names))}")
        return self

    def restricted(self, names: Iterable[str]) -> SequenceScope:
        """Return the same scope with all constructors, but only the named ones of the other routines."""
        chosen = set(names)
        return self._with([routine for routine in self.routines if not routine.has_receiver or routine.name in chosen])

    def extended(self, outside: Mapping[str, Sequence[str]]) -> SequenceScope:
        """Return the same scope with further values of parameters, for a suite that goes beyond the bounds.

        Args:
            outside: literals of the values by `routine:parameter`, the positions of both (`SuiteHeader.outside`).
        """
        if not outside:
            return self
        routines = list(self.routines)
        for place, literals in outside.items():
            target, position = map(int, place.split(":"))
            parameters = list(routines[target].parameters)
            values = [Fixed(value) if is_collection(value) else value for value in map(literal_eval, literals)]
            parameters[position] = replace(parameters[position], values=(*parameters[position].values, *values))
            routines[target] = replace(routines[target], parameters=tuple(parameters))
        return self._with(routines)

    def requiring(self, instead: Callable[[Precondition], Precondition]) -> SequenceScope:
        """Return the same scope, with each precondition replaced by `instead` of it."""
        return self._with(
            [
                routine if routine.requires is None else replace(routine, requires=instead(routine.requires))
                for routine in self.routines
            ]
        )

    @classmethod
    def of_parts(cls, routines: Iterable[Routine], fields: Mapping[str, Any]) -> SequenceScope:
        """Return the scope with these parts, which are known already; nothing is checked."""
        scope = cls.__new__(cls)
        vars(scope).update(fields)
        scope._routines = list(routines)
        scope._objects = dict(fields["_objects"])
        return scope

    @classmethod
    def of_finitization(cls, bounds: Finitization, scope: int) -> SequenceScope:
        """Return the scope of a spec that declares no sequences.

        The constructor is the root's class without arguments, the routines are the targets. Arguments that are
        objects or whole structures are results of earlier calls; lists, deques, sets and dicts have plain values. A
        target that takes others is named in `left_out`. There are at most `scope` objects of each class, and as many
        elements as the longest list of the finitization has (`scope`, where it has none).

        Raises:
            SpecError: there is no pre-state, and so nothing that calls could change.
        """
        root = bounds.domains[0]
        if root.kind is DomainKind.NOTHING:
            raise SpecError("the finitization has no root, so a sequence of calls has nothing to be about")
        sequences = cls(root.class_name)
        sequences.objects(scope)
        lengths = [
            max(domain.lengths) if domain.kind in SEQUENCES else len(domain.keys)
            for domain in bounds.domains
            if domain.kind in SEQUENCES or domain.kind in (DomainKind.SET, DomainKind.DICT)
        ]
        sequences.elements(max(lengths, default=scope))
        sequences.unordered_fields = bounds.unordered_fields
        for target in bounds.targets:
            kind = RoutineKind.METHOD if target.kind is CallKind.METHOD else RoutineKind.FUNCTION
            parameters = [domain_of_parameter(parameter, bounds) for parameter in target.parameters]
            domains = tuple(parameter for parameter in parameters if parameter is not None)
            if len(domains) == len(parameters):
                sequences._routines.append(Routine(target.name, kind, domains, target.keywords, target.requires))
            else:
                sequences.left_out += (target.name,)
        return sequences

    # -- helpers -----------------------------------------------------------------------------

    def _routine(
        self,
        name: str,
        kind: RoutineKind,
        parameters: tuple[Piece, ...],
        requires: Precondition | None,
        keywords: Mapping[str, Piece],
    ) -> None:
        checked_name(kind.value, name)
        if any(routine.name == name and routine.has_receiver for routine in self._routines) and (
            kind is not RoutineKind.CONSTRUCTOR
        ):
            raise SpecError(f"{kind.value}({name!r}) is declared twice; give all values of a parameter at once")
        if requires is not None and not callable(requires):
            raise SpecError(f"{kind.value}({name!r}): requires is {requires!r}, not a function")
        domains = [
            domain_of_pieces(f"{name}, parameter {position}", piece)
            for position, piece in enumerate((*parameters, *keywords.values()), start=1)
        ]
        self._routines.append(Routine(name, kind, tuple(domains), tuple(keywords), requires))

    def _with(self, routines: list[Routine]) -> SequenceScope:
        return SequenceScope.of_parts(routines, vars(self))
