"""Evaluates conditions on fields from left to right, and announces to a search which values can satisfy them.

A condition is evaluated when its truth is needed (`if`, `not`, `bool`). Outside of a search, this is only a check.
Within one, each field that the search has not given a value yet is announced together with a test of its values. Values
that fail the test make the condition false, whatever the fields read later hold. The search draws the conclusions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any, Protocol, TypeAlias

LENGTH = -1
"""The name of a list's length among its fields; elements are named by their positions."""

ATOMS = frozenset({type(None), bool, int, float, str})
"""Types whose values are compared without any code of the program."""

UNKNOWN: Any = object()
"""The value of a field that has not been read."""


Possible: TypeAlias = Callable[[Any], bool]
"""A test of a field's values: values that fail it make the present condition false. It reads nothing."""

Offer: TypeAlias = Callable[[Any, str | int], Possible | None]
"""A function that returns the test of a field's values by its owner and name; None if nothing is known of it."""


class ConditionSearch(Protocol):
    """The interface of a search that executes a predicate, for conditions."""

    def decide(self, evaluate: Callable[[bool], bool]) -> bool:
        """Evaluate the outermost condition; the argument says whether fields may be narrowed."""

    def is_unread(self, owner: Any, name: str | int) -> bool:
        """Return whether this is a field of the state space without a value yet."""

    def announce(self, offer: Offer | None) -> None:
        """Until the next announcement, offer the fields that are given a value first."""


_search: ConditionSearch | None = None


def listen(search: ConditionSearch | None) -> ConditionSearch | None:
    """Report conditions to `search` from now on (None: to nobody). Return the search before."""
    global _search
    former, _search = _search, search
    return former


class Field:
    """A field of an object, or an element or the length of a list, which is not read yet."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Any, name: str | int) -> None:
        self.owner = owner
        self.name = name

    def read(self) -> Any:
        """Return the field's value."""
        if isinstance(self.name, str):
            return getattr(self.owner, self.name)
        return len(self.owner) if self.name == LENGTH else self.owner[self.name]

    def is_same(self, other: Field) -> bool:
        """Return whether both mean one field."""
        return self.owner is other.owner and self.name == other.name


class Knowledge:
    """The facts of one evaluation: values read, outcomes of checks, and a value that is assumed for a moment."""

    def __init__(self, search: ConditionSearch | None) -> None:
        self._search = search
        self._outcomes: dict[int, bool] = {}
        self._assumed: tuple[Field, Any] | None = None

    @property
    def assumes(self) -> bool:
        """Whether a field is assumed to have some value, so that nothing may be read on the way."""
        return self._assumed is not None

    def value(self, operand: Any) -> Any:
        """Return an operand's value; UNKNOWN for a field that the search has not given a value."""
        if not isinstance(operand, Field):
            return operand
        if self._assumed is not None and operand.is_same(self._assumed[0]):
            return self._assumed[1]
        if self._search is not None and self._search.is_unread(operand.owner, operand.name):
            return UNKNOWN
        return operand.read()

    def outcome(self, check: Procedure) -> bool | None:
        """Return the outcome of a check, or None if it has not been run."""
        return self._outcomes.get(id(check))

    def record(self, check: Procedure, outcome: bool) -> None:
        """Keep the outcome of a check."""
        self._outcomes[id(check)] = outcome

    def possible(self, condition: Condition, field: Field, value: Any) -> bool:
        """Return whether `condition` may still hold if `field` has that value."""
        self._assumed = field, value
        try:
            return condition.outcome(self) is not False
        except Exception:
            return True  # the predicate itself is to meet it
        finally:
            self._assumed = None

    def requires(self, condition: Condition, check: Procedure) -> bool:
        """Return whether `condition` cannot hold unless `check` does."""
        self._outcomes[id(check)] = False
        try:
            return condition.outcome(self) is False
        except Exception:
            return False
        finally:
            del self._outcomes[id(check)]


class Condition:
    """A condition that holds or does not; `bool(condition)` evaluates it.

    It is no abstract base class: `isinstance` of those is slow, and is called at every step.
    """

    __slots__ = ()

    @property
    def sole_field(self) -> Field | None:
        """The condition's field, if it depends on only one field and runs no procedure."""
        raise NotImplementedError

    def test(self, value: Any) -> bool:
        """Return whether the condition holds if its sole field has that value."""
        raise NotImplementedError

    def is_inert(self, value: Any) -> bool:
        """Return whether testing the value of its sole field executes no code of the program under test."""
        raise NotImplementedError

    def offer(self, owner: Any, name: str | int) -> Possible | None:
        """Return a test of the values of its sole field that can make it true (an Offer)."""
        sole = self.sole_field
        if sole is None or owner is not sole.owner or name != sole.name:
            return None
        test, is_inert = self.test, self.is_inert
        inert_otherwise = is_inert(None)

        def possible(value: Any) -> bool:
            try:
                if inert_otherwise if type(value) in ATOMS else is_inert(value):
                    return test(value)
            except Exception:
                return True  # the predicate itself is to meet it
            return True

        return possible

    def outcome(self, knowledge: Knowledge) -> bool | None:
        """Return whether it holds, or None if that depends on an unknown; reads no unknown field."""
        raise NotImplementedError

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """Return the field or check to evaluate next; called only while `outcome` is None."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        if _search is None:
            return Evaluation(None, False).holds(self)
        return _search.decide(partial(evaluate, self, _search))


class Procedure(Condition):
    """A check that reads fields while it runs; the next field may depend on the values that it has read."""

    __slots__ = ()
    sole_field = None

    def run(self, evaluation: Evaluation) -> bool:
        """Return whether the check succeeds; it fails as soon as a condition that it evaluates does not hold."""
        raise NotImplementedError

    def outcome(self, knowledge: Knowledge) -> bool | None:
        """Return only the outcome of a run."""
        return knowledge.outcome(self)

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """Return the check itself."""
        return self


class Evaluation:
    """One evaluation of a condition; with `narrowing`, any part that does not hold makes the whole false."""

    __slots__ = ("_narrowing", "_search")

    def __init__(self, search: ConditionSearch | None, narrowing: bool) -> None:
        self._search = search
        self._narrowing = narrowing

    @contextmanager
    def announced(self, offer: Offer) -> Iterator[None]:
        """Within the block, promise that the check fails unless the values of fields pass the tests of `offer`."""
        if not self._narrowing or self._search is None:
            yield
            return
        self._search.announce(offer)
        try:
            yield
        finally:
            self._search.announce(None)

    def holds(self, condition: Condition | bool) -> bool:
        """Return whether a condition (or plain truth value) holds."""
        if not isinstance(condition, Condition):
            return bool(condition)
        sole = condition.sole_field
        if sole is None:
            return condition.run(self) if isinstance(condition, Procedure) else self._find_out(condition)
        search = self._search
        if not self._narrowing or search is None:
            return condition.test(sole.read())
        return condition.test(_read(search, sole, condition.offer))

    def _find_out(self, condition: Condition) -> bool:
        search = self._search
        knowledge = Knowledge(search)
        while (known := condition.outcome(knowledge)) is None:
            unknown = condition.first_unknown(knowledge)
            if isinstance(unknown, Procedure):
                narrowing = self._narrowing and knowledge.requires(condition, unknown)
                knowledge.record(unknown, unknown.run(Evaluation(search, narrowing)))
            elif self._narrowing and search is not None:
                _read(search, unknown, partial(_of_field, unknown, partial(knowledge.possible, condition, unknown)))
            else:
                unknown.read()
        return known


def evaluate(condition: Condition, search: ConditionSearch, narrowing: bool) -> bool:
    """Return whether a condition holds, and announce the fields that it reads to `search`."""
    return Evaluation(search, narrowing).holds(condition)


def _read(search: ConditionSearch, field: Field, offer: Offer) -> Any:
    search.announce(offer)
    try:
        return field.read()
    finally:
        search.announce(None)


def _of_field(field: Field, possible: Possible, owner: Any, name: str | int) -> Possible | None:
    return possible if owner is field.owner and name == field.name else None


Operand: TypeAlias = Any
"""A value, or a Field that stands for its value."""


def field(owner: Any, name: str | int) -> Field:
    """Return the field `name` of an object, or the element at position `name`, from 0, of a list; not read yet."""
    if isinstance(name, int) and name < 0:
        raise ValueError(f"elements of a list are numbered from 0, not {name}")
    return Field(owner, name)


def length(items: list[Any]) -> Field:
    """Return the length of a list; not read yet."""
    return Field(items, LENGTH)


def is_in(operand: Operand, values: Iterable[Any]) -> Condition:
    """Return the condition that the operand is (or equals) one of `values`."""
    return _IsIn(operand, values)


def equal(left: Operand, right: Operand) -> Condition:
    """Return the condition `left == right`."""
    return _Equal(left, right)


def less(left: Operand, right: Operand) -> Condition:
    """Return the condition `left < right`; `less(b, a)` is greater, `not_(less(b, a))` less or equal."""
    return _Less(left, right)


def instance_of(operand: Operand, *classes: type | str) -> Condition:
    """Return the condition that the operand is an instance of one of `classes`, given as types or names (`"Node"`)."""
    return _InstanceOf(operand, classes)


def not_(condition: Condition) -> Condition:
    """Return the condition that `condition` does not hold."""
    return _Not(condition)


def and_(*conditions: Condition) -> Condition:
    """Return the condition that all `conditions` hold."""
    return _Several(False, conditions)


def or_(*conditions: Condition) -> Condition:
    """Return the condition that one of `conditions` holds."""
    return _Several(True, conditions)


class Basic(Condition):
    """A condition on the values of its operands."""

    __slots__ = ("_at", "_operands", "sole_field")
    sole_field: Field | None

    def __init__(self, *operands: Operand) -> None:
        self._operands = operands
        self._at = 0
        self.sole_field = None
        for position, operand in enumerate(operands):
            if isinstance(operand, Field):
                if self.sole_field is not None:
                    self.sole_field = None
                    break
                self._at, self.sole_field = position, operand

    def _holds(self, values: list[Any]) -> bool:
        """Return whether the condition holds for these values of the operands."""
        raise NotImplementedError

    def _is_inert(self, values: list[Any]) -> bool:
        return all(map(_inert, values))

    def test(self, value: Any) -> bool:
        return self._holds(self._with(value))

    def is_inert(self, value: Any) -> bool:
        return self._is_inert(self._with(value))

    def _with(self, value: Any) -> list[Any]:
        values = list(self._operands)
        values[self._at] = value
        return values

    def outcome(self, knowledge: Knowledge) -> bool | None:
        """Return None if an operand is unknown, or if comparing an assumed one could run the program's own code."""
        values = [knowledge.value(operand) for operand in self._operands]
        if any(value is UNKNOWN for value in values):
            return None
        if knowledge.assumes and not self._is_inert(values):
            return None
        return self._holds(values)

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """Return the first unknown operand."""
        unknown_operand = next(operand for operand in self._operands if knowledge.value(operand) is UNKNOWN)
        assert isinstance(unknown_operand, Field)
        return unknown_operand


class _Equal(Basic):
    __slots__ = ()

    def test(self, value: Any) -> bool:
        left, right = self._operands
        return bool(left == value if self._at else value == right)

    def _holds(self, values: list[Any]) -> bool:
        return bool(values[0] == values[1])


class _Less(Basic):
    __slots__ = ()

    def test(self, value: Any) -> bool:
        left, right = self._operands
        return bool(left < value if self._at else value < right)

    def _holds(self, values: list[Any]) -> bool:
        return bool(values[0] < values[1])


class _IsIn(Basic):
    __slots__ = ("_are_inert", "_values")

    def __init__(self, operand: Operand, values: Iterable[Any]) -> None:
        super().__init__(operand)
        self._values = tuple(values)
        self._are_inert: bool | None = None

    def _holds(self, values: list[Any]) -> bool:
        return values[0] in self._values

    def _is_inert(self, values: list[Any]) -> bool:
        if self._are_inert is None:
            self._are_inert = all(map(_inert, self._values))
        return self._are_inert and all(map(_inert, values))


class _InstanceOf(Basic):
    __slots__ = ("_names",)

    def __init__(self, operand: Operand, classes: tuple[type | str, ...]) -> None:
        super().__init__(operand)
        self._names = classes

    def _holds(self, values: list[Any]) -> bool:
        classes = type(values[0]).__mro__
        return any(name in (cls, cls.__name__, cls.__qualname__) for cls in classes for name in self._names)

    def _is_inert(self, values: list[Any]) -> bool:
        return True


class _Not(Condition):
    __slots__ = ("_inner",)

    def __init__(self, inner: Condition) -> None:
        self._inner = inner

    @property
    def sole_field(self) -> Field | None:
        return self._inner.sole_field

    def test(self, value: Any) -> bool:
        return not self._inner.test(value)

    def is_inert(self, value: Any) -> bool:
        return self._inner.is_inert(value)

    def outcome(self, knowledge: Knowledge) -> bool | None:
        inner = self._inner.outcome(knowledge)
        return None if inner is None else not inner

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        return self._inner.first_unknown(knowledge)


class _Several(Condition):
    """Conditions of which the first to be `decisive` decides; if none is, the whole is the opposite."""

    __slots__ = ("_decisive", "_parts", "sole_field")

    def __init__(self, decisive: bool, parts: tuple[Condition, ...]) -> None:
        self._decisive = decisive
        self._parts = parts
        fields = [part.sole_field for part in parts]
        first = fields[0] if fields else None
        same = all(first is not None and field is not None and first.is_same(field) for field in fields)
        self.sole_field: Field | None = first if same else None

    def test(self, value: Any) -> bool:
        for part in self._parts:
            if part.test(value) is self._decisive:
                return self._decisive
        return not self._decisive

    def is_inert(self, value: Any) -> bool:
        return all(part.is_inert(value) for part in self._parts)

    def outcome(self, knowledge: Knowledge) -> bool | None:
        unknown = False
        for part in self._parts:
            try:
                part_outcome = part.outcome(knowledge)
            except Exception:
                if not unknown:
                    raise
                part_outcome = None  # the part is for the case that the ones before did not decide
            if part_outcome is self._decisive:
                return self._decisive
            unknown = unknown or part_outcome is None
        return None if unknown else not self._decisive

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        return next(part for part in self._parts if part.outcome(knowledge) is None).first_unknown(knowledge)


_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__gt__")


def _inert(value: Any) -> bool:
    """Return whether comparing the value executes no code of the program: it is plain, or compared by identity."""
    kind = type(value)
    return kind in ATOMS or _is_told_by_identity(kind)  # type: ignore[arg-type]  # a metaclass may have no hash


@lru_cache(maxsize=64)
def _is_told_by_identity(kind: type) -> bool:
    """Return whether a class compares as `object` does; called for every value of every field."""
    return all(getattr(kind, name) is getattr(object, name) for name in _COMPARISONS)
