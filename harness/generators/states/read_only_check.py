"""Checks rep_ok on real objects of some of the found states: it accepts them, and does not change them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

from harness.errors import SpecError
from harness.generators.states.describe import describe
from harness.kernel.inputs.decode import DecodedState, Decoder
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.objects.reading import ATOMS, held_contents, stored_fields
from harness.model.finitization import DomainKind

_ABSENT: Any = object()

Contents = dict[str, Any]
"""An object's attributes, or a list's elements by position."""


class Unchanged:
    """Executes `rep_ok` on states that it accepts, and compares their contents before and afterwards.

    The oracle calls rep_ok on the post-state that it then compares, so a rep_ok that writes would affect the
    comparison. Searches undo its writes, and so never notice them.

    Args:
        what: the name of the function, for messages.
    """

    def __init__(
        self, space: StateSpace, module: ModuleType, rep_ok: Callable[[Any], Any], *, predicate_name: str = "rep_ok"
    ) -> None:
        self._predicate_name = predicate_name
        self._space = space
        self._decoder = Decoder(space, module)
        self._rep_ok = rep_ok

    def look(self, vector: Sequence[int]) -> bool:
        """Check a valid state; return False if rep_ok refuses it.

        Raises:
            SpecError: rep_ok changes it.
        """
        state = self._decoder.decode(vector)
        root = state.root
        before = self._contents(state)
        try:
            accepted = bool(self._rep_ok(root))  # a condition is evaluated then only
        except Exception:
            return True  # the search, which saw observed objects, is believed; the baseline looks at real ones as well
        changed = next(_changes(before, self._contents(state)), None)
        if changed is not None:
            name, field = changed
            on = describe(self._space, vector)
            raise SpecError(
                f"{self._predicate_name} changes {name}{field} of the state that it is given, on {on}; "
                f"make it read only (work on copies, keep marks in a set of its own)"
            )
        return accepted

    def _contents(self, state: DecodedState) -> dict[int, tuple[str, Contents]]:
        """Return the class and the contents of each object, by its number."""
        contents = {}
        for owner in self._space.objects:
            obj = state.made(owner.number)
            if obj is not None and owner.domain.kind not in (DomainKind.TOKEN, DomainKind.MADE):
                is_instance = owner.domain.kind is DomainKind.OBJECT
                name = owner.domain.class_name if is_instance else f"a {owner.domain.class_name}"
                held = {f".{field}": value for field, value in stored_fields(obj).items()}
                contents[owner.number] = name, {**held, **_held(obj)}
        return contents


def _held(container: Any) -> Contents:
    """Return the contents of a container by their places in it."""
    held = held_contents(container) or []
    if isinstance(held, dict):
        return {f"[{key!r}]": value for key, value in held.items()}
    if isinstance(container, set):
        return {f"'s {member!r}": True for member in held}
    return {f"[{at}]": value for at, value in enumerate(held)}


def _changes(
    before: dict[int, tuple[str, Contents]], after: dict[int, tuple[str, Contents]]
) -> Iterator[tuple[str, str]]:
    """Yield the classes and fields that have changed."""
    for number, (name, held) in before.items():
        _, now = after[number]
        for field in {**held, **now}:
            if not _same(held.get(field, _ABSENT), now.get(field, _ABSENT)):
                yield name, field


def _same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and type(one) in ATOMS and repr(one) == repr(other))
