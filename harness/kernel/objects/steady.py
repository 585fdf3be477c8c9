"""Asks a predicate of a spec about a state, and checks that it only looks at it.

The oracle calls rep_ok on the post-state that it then compares, so a rep_ok that writes would affect the comparison.
One that answers by chance, or by what it was asked before, makes every result depend on that. Searches undo its writes,
and so never notice them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

from harness.errors import SpecError
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.objects.reading import ATOMS, CONTAINERS, contents, held_contents, stored_fields, walked

_AGAIN = 3
"""How often a state is asked about again."""
_ABSENT: Any = object()
_Contents = dict[str, Any]
"""An object's attributes, or a list's elements by position."""


class SteadyPredicate:
    """A predicate of a spec whose answers are checked.

    Args:
        name: its name in messages.
        again: whether states are asked about again.
    """

    def __init__(self, predicate: Callable[[Any], Any], name: str = "rep_ok", *, again: bool = True) -> None:
        self._again = _AGAIN if again else 0
        self._predicate = predicate
        self._name = name
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
        before = _read(state)
        answer = bool(self._predicate(state))  # a condition is evaluated then only
        changed = next(_changes(before, _read(state)), None)
        if changed is not None:
            raise SpecError(
                f"{self._name} changes {changed} of the state that it is given, on {on()}; "
                f"make it read only (work on copies, keep marks in a set of its own)"
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


def _read(root: Any) -> dict[int, tuple[Any, str, _Contents]]:
    """Return each object that is reached, with the name of its kind and its contents, by its id."""
    read = {}
    for value in walked([root], _inner):
        if not _is_leaf(value):
            is_container = isinstance(value, CONTAINERS) and type(value).__module__ in ("builtins", "collections")
            name = f"a {type(value).__name__}" if is_container else type(value).__name__
            held = {f".{field}": part for field, part in stored_fields(value).items()}
            read[id(value)] = value, name, {**held, **_held(value)}
    return read


def _inner(value: Any) -> list[Any]:
    return [] if _is_leaf(value) else [*stored_fields(value).values(), *contents(value)]


def _is_leaf(value: Any) -> bool:
    return type(value) in ATOMS or isinstance(value, type | ModuleType | FunctionType)


def _held(container: Any) -> _Contents:
    """Return the contents of a container by their places in it."""
    held = held_contents(container) or []
    if isinstance(held, dict):
        return {f"[{key!r}]": value for key, value in held.items()}
    if isinstance(container, set):
        return {f"'s {member!r}": True for member in held}
    return {f"[{at}]": value for at, value in enumerate(held)}


def _changes(
    before: dict[int, tuple[Any, str, _Contents]], after: dict[int, tuple[Any, str, _Contents]]
) -> Iterator[str]:
    """Yield the fields that have changed, behind their classes."""
    for number, (_, name, held) in before.items():
        now = after[number][2] if number in after else {}
        for field in {**held, **now}:
            if not _same(held.get(field, _ABSENT), now.get(field, _ABSENT)):
                yield f"{name}{field}"


def _same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and type(one) in ATOMS and repr(one) == repr(other))
