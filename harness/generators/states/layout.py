"""Static tables of a state space: the fields that become reachable through values of other fields."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.errors import SpecError
from harness.kernel.inputs.state_space import PLAIN, StateSpace


class Layout:
    """Reachability of a state space's fields.

    `entry[o]` are the fields that reaching object `o` makes reachable: all of an instance's, but only the length of a
    list or deque. `elements[f]` is None unless `f` is such a length. For a length, `elements[f][i]` are the element
    fields below the length of index `i`. `objects[f][i]` is the object that value `i` of field `f` refers to, or PLAIN.

    Raises:
        SpecError: a field domain is empty, so that no state exists at all.
    """

    def __init__(self, space: StateSpace) -> None:
        self.space = space
        self.entry: list[tuple[int, ...]] = []
        self.elements: list[tuple[tuple[int, ...], ...] | None] = [None] * space.width
        self.objects: list[tuple[int, ...]] = [field.domain.objects for field in space.fields]
        for owner in space.objects:
            fields = tuple(range(owner.first, owner.first + len(owner.names)))
            if owner.is_sequence:
                length, below = fields[0], fields[1:]
                self.elements[length] = tuple(below[:size] for size in owner.domain.lengths)
                fields = (length,)
            self.entry.append(fields)
        for field in space.fields:
            if not len(field.domain):
                name = f"{space.objects[field.owner].domain.class_name}.{field.name}"
                raise SpecError(f"the field domain of {name} is empty; give it at least one value in finitization")

    def reachable(self, vector: Sequence[int], starts: Iterable[int] = (0,)) -> tuple[list[int], list[int]]:
        """Return the fields and objects reachable from `starts`, breadth first, fields in declaration order."""
        seen = list(starts)
        seen_objects = set(seen)
        agenda = [field for start in seen for field in self.entry[start]]
        for field in agenda:  # grows while it is walked
            index = vector[field]
            below = self.elements[field]
            if below is not None:
                agenda.extend(below[index])
            other = self.objects[field][index]
            if other != PLAIN and other not in seen_objects:
                seen_objects.add(other)
                seen.append(other)
                agenda.extend(self.entry[other])
        return agenda, seen
