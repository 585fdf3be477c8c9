"""A spec's eq_class on the present candidate: its class, and which fields it read (criteria_pruning2011, section 3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

from harness.errors import SpecError
from harness.generators.states.reference.eager import EagerContainers
from harness.generators.states.reference.failure import rep_ok_failure
from harness.generators.states.reference.observed_list import UnobservedRead
from harness.generators.states.reference.precondition import THIS
from harness.generators.states.unchanged import Unchanged, is_sampled
from harness.kernel.inputs.state_space import StateSpace

EqClass = Callable[[Any], Any]

NAME = "eq_class"
_LONGEST = 200
"""Characters of a class's name."""
ASKED_TWICE = 16
"""Valid candidates of which all are asked for twice; of those behind them, only numbers that are a power of two."""


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
    """A class for people: the fields of a named tuple, a text as it is, anything else as Python writes it."""
    names = getattr(type(value), "_fields", None)
    if isinstance(value, str):
        shown = value
    elif isinstance(value, tuple) and names:
        shown = ", ".join(f"{name}={part!r}" for name, part in zip(names, value, strict=True))
    else:
        shown = repr(value)
    shown = " ".join(shown.split())
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}..."


@dataclass(frozen=True)
class Judged:
    """What eq_class said of a valid candidate, and the fields it read to say so."""

    value: Hashable
    fields: frozenset[int]


class Watched(Protocol):
    """The objects of a candidate of which every reachable field has its value, as an Observer has them."""

    objects: list[Any]
    numbers: dict[int, int]
    changed: set[int]
    eager: EagerContainers

    def watch(self) -> set[int]:
        """Begins to collect the fields that are read, as if none of them had been read before, in what is returned."""

    def unwatch(self) -> None:
        """Ends what `watch` has begun."""

    def undo(self) -> None:
        """Takes back what eq_class wrote."""


class Criterion:
    """Executes eq_class on watched objects, which are afterwards as before.

    Args:
        given: fields that are read of each candidate without eq_class having asked.
    """

    def __init__(
        self, eq_class: EqClass, space: StateSpace, module: ModuleType, given: frozenset[int] = frozenset()
    ) -> None:
        self._eq_class = eq_class
        self._space = space
        self._module = module
        self._given = given
        self._count = 0
        self.is_running = False
        """Whether eq_class is being executed, or was given up."""
        self._unchanged = Unchanged(space, module, eq_class, what=NAME)

    def judge(self, watched: Watched, candidate: Callable[[], str], vector: tuple[int, ...]) -> Judged:
        """The class of the present candidate; on a sample of them it is asked twice.

        Raises:
            SpecError: eq_class raises, changes the state, reads nothing of it, gives what has no hash, or
                something else the second time.
        """
        judged = self._judge(watched, candidate, vector)
        if is_sampled(self._count, ASKED_TWICE):
            self._unchanged.look(vector)
            again = self._judge(watched, candidate, vector)
            if again != judged:
                what = "another class" if again.value != judged.value else "other fields"
                gives = "gives" if again.value != judged.value else "reads"
                raise SpecError(
                    f"{NAME} {gives} {what} when it is called again on {candidate()} "
                    f"({class_name(judged.value)}, then {class_name(again.value)}); "
                    "make it hang on the state alone (no random, time, set order or state of its own)"
                )
        self._count += 1
        return judged

    def _judge(self, watched: Watched, candidate: Callable[[], str], vector: tuple[int, ...]) -> Judged:
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
                    what=NAME,
                    wanted="a class",
                ) from error
            finally:
                watched.undo()
        finally:
            watched.unwatch()
        self.is_running = False
        if written:
            self._unchanged.look(vector)
        self._check_hash(value, candidate)
        if not fields - self._given:
            raise SpecError(
                f"{NAME} reads nothing of the state {candidate()}, so that all inputs would be of its class "
                f"{class_name(value)}; let it look at the state"
            )
        return Judged(value, frozenset(fields))

    def _check_hash(self, value: Any, candidate: Callable[[], str]) -> None:
        try:
            hash(value)
        except Exception:
            raise SpecError(
                f"{NAME} returned a {type(value).__name__}, which is not hashable, on {candidate()}; "
                "return a tuple, a text or a number that names the class"
            ) from None
