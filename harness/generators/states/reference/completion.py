"""Completes valid states: fields that the predicate did not read take all their values."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from harness.generators.states.layout import Layout
from harness.generators.states.reference.stack import AccessStack
from harness.kernel.inputs.state_space import PLAIN


class Completion:
    """The reachable fields of the present candidate that are not on the stack.

    They are breadth first from the root, in declaration order, and enumerated without objects, because no code reads
    them.
    """

    def __init__(self, layout: Layout, stack: AccessStack) -> None:
        self._layout = layout
        self._stack = stack
        entry, space = layout.entry, layout.space
        self._is_inert = [
            layout.elements[field.number] is None
            and not any(entry[other] for other in field.domain.objects if other != PLAIN)
            for field in space.fields
        ]
        """By field: whether no other field's being reachable depends on its value."""
        self._is_fixed = [self._is_inert[field.number] and field.domain.objects == (PLAIN,) for field in space.fields]

    def push_reachable(self, push: Callable[[int], object], *, every: bool = False) -> None:
        """Call `push` for each reachable field that is not on the stack.

        Unless `every` is set, a plain field with one value is skipped, because it changes nothing.
        """
        on, layout, vector, is_fixed = self._stack.on, self._layout, self._stack.vector, self._is_fixed
        seen = {0}
        agenda = list(layout.entry[0])
        for field in agenda:  # grows while it is walked
            if is_fixed[field] and not every:
                continue
            if not on[field]:
                push(field)
            index = vector[field]
            below = layout.elements[field]
            if below is not None:
                agenda.extend(below[index])
            other = layout.objects[field][index]
            if other != PLAIN and other not in seen:
                seen.add(other)
                agenda.extend(layout.entry[other])

    def vectors(self, height: int) -> Iterator[tuple[int, ...]]:
        """Yield all combinations of the values of fields pushed above `height`, as candidate vectors; pop them."""
        stack = self._stack
        fields, vector, rests = stack.fields, stack.vector, stack.rests
        while True:
            yield tuple(vector)
            if len(fields) == height:
                return
            field = fields[-1]
            if self._is_inert[field]:
                for index in rests[-1]:
                    vector[field] = index
                    yield tuple(vector)
            popped = []
            while not stack.step():
                popped.append(stack.pop())
                if len(fields) == height:
                    return
            if self._is_inert[fields[-1]] and all(self._is_inert[field] for field in popped):
                for field in reversed(popped):
                    stack.push(field)
            else:
                self.push_reachable(stack.push)
