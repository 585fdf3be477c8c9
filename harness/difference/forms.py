"""Writes structures of an API and of an invariant in one canonical form, so that they can be compared."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from typing import Any

from harness.errors import SpecError
from harness.generators.sequences.matching import is_counted, reachable
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.reading import stored_fields
from harness.model.sequence import SequenceScope

_FORMAT = 2
"""The version of marshal's format that `concrete` writes."""


class Forms:
    """Canonical forms of structures, without the fields that a scope omits, whatever its bounds."""

    def __init__(self, scope: SequenceScope) -> None:
        self._omits: Callable[[str], bool] | None = scope.omission()

    def form(self, root: Any) -> bytes:
        """Return a form that is equal for two structures exactly if they are isomorphic; tokens are interchangeable.

        Raises:
            SpecError: it has none.
        """
        try:
            return _renumbered(concrete(root, omits=self._omits))
        except (NotCanonical, RecursionError) as error:
            raise SpecError(
                f"a {type(root).__qualname__} has a state that cannot be compared with others ({error}); leave out "
                "what does not tell states apart by s.omit(field) in sequences"
            ) from None

    def objects(self, root: Any) -> int:
        """Return the number of objects with fields in a structure, including the root."""
        return sum(map(is_counted, reachable(root, self._omits)))

    def fields(self, root: Any) -> set[str]:
        """Return the names of the fields of a structure's objects, as `Class.field`, without omitted ones."""
        return {
            f"{type(value).__qualname__}.{name}"
            for value in reachable(root, self._omits)
            if is_counted(value)
            for name in stored_fields(value, self._omits)
        }


def _renumbered(form: bytes) -> bytes:
    """Return the form with tokens, which are interchangeable, numbered in the order of their first occurrence."""
    if b"token" not in form:
        return form
    numbers: dict[tuple[str, int], int] = {}
    used: dict[str, int] = {}

    def walk(tree: Any) -> Any:
        if type(tree) is not tuple:
            return tree
        if len(tree) == 3 and tree[0] == "token":
            _, domain, index = tree
            if (domain, index) not in numbers:
                numbers[domain, index] = used[domain] = used.get(domain, -1) + 1
            return ("token", domain, numbers[domain, index])
        return tuple(map(walk, tree))

    return marshal.dumps(walk(marshal.loads(form)), _FORMAT)  # noqa: S302 (written by `concrete`)
