"""Evaluates a spec's eq_class on candidates, and prunes Korat's search by it (criteria_pruning2011, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.errors import SpecError
from harness.generators.sampled import Sample
from harness.generators.states.read_only_check import Unchanged
from harness.generators.states.reference.failure import rep_ok_failure
from harness.generators.states.reference.observe import StateObserver
from harness.generators.states.reference.observed_list import UnobservedRead
from harness.generators.states.reference.precondition import THIS
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.reference.stack import AccessStack, Completion
from harness.kernel.inputs.state_space import StateSpace

EqClass = Callable[[Any], Any]

NAME = "eq_class"
_LONGEST = 200
"""The most characters of a class's name."""
JUDGED_TWICE = Sample(first=16)
"""The sample of valid candidates that are judged twice."""


@dataclass(frozen=True)
class OfState:
    """A criterion of the pre-state alone, called with a record of pre-state and arguments."""

    eq_class: EqClass

    @property
    def __wrapped__(self) -> EqClass:
        return self.eq_class

    def __call__(self, record: Any) -> Any:
        return self.eq_class(getattr(record, THIS))


def class_name(value: Any) -> str:
    """Return a class as text for people: the fields of a named tuple, a string as it is, anything else by `repr`."""
    names = getattr(type(value), "_fields", None)
    if isinstance(value, str):
        text = value
    elif isinstance(value, tuple) and names:
        text = ", ".join(f"{name}={part!r}" for name, part in zip(names, value, strict=True))
    else:
        text = repr(value)
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


Judged = tuple[Hashable, set[int]]
"""The class that eq_class returned for a valid candidate, and the fields that it read."""


class WatchedCriterion:
    """Executes eq_class on watched objects, which are afterwards as before.

    Args:
        forced_fields: the fields that are read in each candidate even if eq_class does not read them.
    """

    def __init__(
        self, eq_class: EqClass, space: StateSpace, module: ModuleType, forced_fields: frozenset[int] = frozenset()
    ) -> None:
        self._eq_class = eq_class
        self._space = space
        self._module = module
        self._forced_fields = forced_fields
        self._count = 0
        self.is_running = False
        """Whether eq_class is being executed, or was given up."""
        self._unchanged = Unchanged(space, module, eq_class, predicate_name=NAME, again=False)

    def judge(self, watched: StateObserver, candidate: Callable[[], str], vector: tuple[int, ...]) -> Judged:
        """Return the class of the present candidate; a sample of candidates is judged twice.

        Raises:
            SpecError: eq_class raises, changes the state, reads nothing of it, returns a value without a hash, or
                differs the second time.
        """
        value, fields = self._judge(watched, candidate, vector)
        if JUDGED_TWICE.has(self._count):
            self._unchanged.look(vector)
            other, other_fields = self._judge(watched, candidate, vector)
            if (other, other_fields) != (value, fields):
                does = "gives another class" if other != value else "reads other fields"
                raise SpecError(
                    f"{NAME} {does} when it is called again on {candidate()} "
                    f"({class_name(value)}, then {class_name(other)}); "
                    "make it depend on the state alone (no random, time, set order or state of its own)"
                )
        self._count += 1
        return value, fields

    def _judge(self, watched: StateObserver, candidate: Callable[[], str], vector: tuple[int, ...]) -> Judged:
        self.is_running = True
        fields = watched.watch()
        try:
            if watched.eager:
                watched.eager.begin_root()
            try:
                value = self._eq_class(watched.objects[0])
                written = bool(watched.changed)
            except (Exception, UnobservedRead) as error:
                raise rep_ok_failure(
                    error,
                    getattr(self._eq_class, "__wrapped__", self._eq_class),
                    self._space,
                    watched.numbers,
                    self._module,
                    candidate(),
                    predicate_name=NAME,
                    expected_values="a class",
                ) from error
            finally:
                watched.undo()
        finally:
            watched.unwatch()
        self.is_running = False
        if written:
            self._unchanged.look(vector)
        self._check_hash(value, candidate)
        if not fields - self._forced_fields:
            raise SpecError(
                f"{NAME} reads nothing of the state {candidate()}, so that all inputs would be of its class "
                f"{class_name(value)}; let it look at the state"
            )
        return value, fields

    def _check_hash(self, value: Any, candidate: Callable[[], str]) -> None:
        try:
            hash(value)
        except Exception:
            raise SpecError(
                f"{NAME} returned a {type(value).__name__}, which is not hashable, on {candidate()}; "
                "return a tuple, a text or a number that names the class"
            ) from None


@dataclass(frozen=True)
class Pruning:
    """The criterion by which Korat+ prunes.

    Args:
        first_only: yield the first valid vector of each class only.
        forced_fields: the fields that are read in each candidate even if eq_class does not read them.
    """

    eq_class: EqClass
    first_only: bool = False
    forced_fields: frozenset[int] = frozenset()


class KoratPlusSearch(KoratSearch):
    """Searches like KoratSearch, but after a valid candidate it changes the last field that `eq_class` reads.

    The fields on the stack above the last one that eq_class reads are dropped, whatever values they have left. While
    the other fields keep their values, rep_ok and eq_class cannot find another class. If the next candidate of Korat
    would change a field that eq_class reads anyway, dropping those above changes nothing. So this is the paper's extra
    pruning in one step. Every valid candidate is executed, also those that differ only in fields that rep_ok did not
    read, because eq_class decides which of them matter.

    Raises:
        SpecError: as KoratSearch, and as Criterion.judge.
    """

    def __init__(
        self,
        space: StateSpace,
        module: ModuleType,
        rep_ok: Callable[[Any], Any],
        pruning: Pruning,
    ) -> None:
        super().__init__(space, module, rep_ok)
        self.classes: dict[Hashable, tuple[int, ...]] = {}
        """The classes covered, in order, and the first valid vector of each."""
        self._first_only = pruning.first_only
        self._criterion = WatchedCriterion(pruning.eq_class, space, module, pruning.forced_fields)

    @property
    def executing(self) -> str:
        """The function that is executed on the present candidate."""
        return NAME if self._criterion.is_running else super().executing

    def _vectors_of_candidate(
        self, observer: StateObserver, stack: AccessStack, completion: Completion
    ) -> Iterator[tuple[int, ...]]:
        height = len(stack.fields)
        completion.push_reachable(observer.read_field, every=True)
        self.unread.update(stack.fields[height:])
        vector = tuple(stack.vector)
        value, fields = self._criterion.judge(observer, lambda: self.current, vector)
        if self.classes.setdefault(value, vector) is vector or not self._first_only:
            yield vector
        while stack.fields[-1] not in fields:
            observer.drop()
