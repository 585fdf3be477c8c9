"""Asks a predicate of a spec about a state, and checks that it only looks at it.

The oracle calls rep_ok on the post-state that it then compares, so a rep_ok that writes would affect the comparison.
One that answers by chance, or by what it was asked before, makes every result depend on that. Searches undo its writes,
and so never notice them.
"""

from __future__ import annotations

from collections.abc import Callable
from marshal import dumps
from types import FunctionType, ModuleType
from typing import Any

from harness.errors import SpecError
from harness.kernel.objects.content import values_below
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.objects.reading import ATOMS, CONTAINERS, walked

_AGAIN = 3
"""How often a state is asked about again."""


class SteadyPredicate:
    """A predicate of a spec whose answers are checked.

    Args:
        name: its name in messages.
        again: whether states are asked about again.
    """

    def __init__(self, predicate: Callable[[Any], Any], name: str = "rep_ok", *, again: bool = True) -> None:
        self._again = _AGAIN if again else 0
        self._predicate = predicate
        self._name = f"{predicate.__code__.co_filename}: {name}" if isinstance(predicate, FunctionType) else name
        self._kept: ModuleState | None = None
        if again and isinstance(predicate, FunctionType):
            module = ModuleType(str(predicate.__globals__.get("__name__")))
            module.__dict__["spec"] = predicate  # whose globals are looked at
            self._kept = ModuleState(module)

    def holds(self, state: Any, on: Callable[[], str]) -> bool:
        """Return the answer about a state.

        Args:
            on: describes the state; called for messages.

        Raises:
            SpecError: the predicate changes the state, or gives another answer when it is asked again.
            Exception: what it raises itself.
        """
        before = _structure(state)
        answer = bool(self._predicate(state))  # a condition is evaluated then only
        if _structure(state) != before:
            raise SpecError(
                f"{self._name} changes the state that it is given, on {on()}; make it read only (work on copies, keep "
                "marks in a set of its own)"
            )
        answers = [bool(self._predicate(state)) for _ in range(self._again)]
        if self._kept is not None:
            self._kept.put_back()
            answers.append(bool(self._predicate(state)))
        if not all(again is answer for again in answers):
            raise SpecError(
                f"{self._name} answers {answer}, and {not answer} when it is asked again, of {on()}; "
                "make its answer depend on the state alone (no chance, no clock, no memory of earlier calls)"
            )
        return answer

    def look(self, state: Any, on: Callable[[], str]) -> bool:
        """Ask about a state as `holds` does. Return True if the predicate raises: who needs the answer meets it again.

        Raises:
            SpecError: as `holds`.
        """
        try:
            return self.holds(state, on)
        except SpecError:
            raise
        except Exception:
            return True


def _structure(state: Any) -> object:
    """Return the bytes of a state; of one without, as it is too deep, what each object holds, by order of the walk."""
    try:
        return concrete(state)
    except (NotCanonical, RecursionError):
        objects = [one for one in walked([state], values_below) if type(one) not in ATOMS]
        numbers = {id(one): number for number, one in enumerate(objects)}
        return [_held(one, numbers) for one in objects]


def _held(value: Any, numbers: dict[int, int]) -> object:
    """Return what a value holds, with the number of each object below it; the value itself if it can hold nothing."""
    parts = [dumps(part, 2) if type(part) in ATOMS else numbers[id(part)] for part in values_below(value)]
    if isinstance(value, (set, frozenset)):
        parts.sort(key=repr)
    return (type(value), parts) if parts or issubclass(type(value), CONTAINERS) else value
