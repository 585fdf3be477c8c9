"""The stack of accessed fields and its backtracking, with isomorphism breaking (exhaustive2003, Figure 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from harness.generators.states.layout import Layout
from harness.kernel.inputs.state_space import PLAIN, FieldDomain, StateSpace

Narrowed = Callable[[], Sequence[int] | None]
"""A function that returns, by index, whether each value of a field is worth trying; None for all. Results may change
while the field is on the stack.
"""


class AccessStack:
    """The present state and the fields accessed on it, in order of first access.

    `vector` is the state (0 for every field not on the stack), `fields` the stack from its bottom, and `on[f]` is
    whether field `f` is on it. `rests[k]` are the values still to be tried of the field at position `k`. They are
    determined when it is pushed, as they depend on the fields below.

    The figure's `m` (the largest class domain index among deeper fields with the same class domain) is cached.
    `_maxima[c]` is the largest index of class domain `c` anywhere below the top of the stack. `_before[k]` is its value
    before position `k - 1` was counted. The root counts as index 0 of its class domain.
    """

    def __init__(self, space: StateSpace) -> None:
        self.vector = [0] * space.width
        self.fields: list[int] = []
        self.rests: list[Iterator[int]] = []
        self.on = bytearray(space.width)
        self._maxima = [PLAIN] * len(space.finitization.domains)
        self._maxima[0] = 0
        self._before: list[tuple[int, int] | None] = []
        self._classes = [field.domain.classes for field in space.fields]
        self._indices = [field.domain.indices for field in space.fields]
        self._all = [range(1, len(field.domain)) for field in space.fields]
        functions = {id(field.domain): _choices(field.domain) for field in space.fields}
        self._choices = [functions[id(field.domain)] for field in space.fields]

    def push(self, field: int) -> None:
        """Push a field that is not on the stack, with its first value."""
        self.rests.append(iter(self._push_field(field)))

    def push_narrowed(self, field: int, narrowed: Narrowed) -> None:
        """Push a field like `push`, with the first value worth trying (the very first if none is); others are skipped,
        too.

        Objects that are not on the stack yet must all be worth trying or none of them. Otherwise isomorphism breaking
        would try the wrong one.
        """

        def is_worth(index: int) -> bool:
            worth = narrowed()
            return worth is None or bool(worth[index])

        values = filter(is_worth, (0, *self._push_field(field)))
        self.vector[field] = next(values, 0)
        self.rests.append(values)

    def step(self) -> bool:
        """Give the topmost field its next value; return False if there is none."""
        for index in self.rests[-1]:
            self.vector[self.fields[-1]] = index
            return True
        return False

    def pop(self) -> int:
        """Remove the topmost field, and return it."""
        field = self.fields.pop()
        self.rests.pop()
        self.vector[field] = 0
        self.on[field] = 0
        before = self._before.pop()
        if before is not None:
            self._maxima[before[0]] = before[1]
        return field

    def _push_field(self, field: int) -> Sequence[int]:
        """Put a field on top, with its first value; return the other values to be tried.

        The value of the field that was on top is counted in the maxima, because it will not change before this one.
        """
        before = None
        if self.fields:
            top = self.fields[-1]
            if self._choices[top] is not None:
                before = self._count(top)
        self._before.append(before)
        self.fields.append(field)
        self.on[field] = 1
        choices = self._choices[field]
        return self._all[field] if choices is None else choices(self._maxima)

    def _count(self, field: int) -> tuple[int, int] | None:
        """Count a value in the maxima; return its class domain and the maximum before."""
        index = self.vector[field]
        domain = self._classes[field][index]
        if domain == PLAIN:
            return None
        before = self._maxima[domain]
        self._maxima[domain] = max(before, self._indices[field][index])
        return domain, before


class DrawnStack(AccessStack):
    """A stack that tries the values of a field in the order in which they are drawn, each when it is needed."""

    def __init__(self, space: StateSpace, draw: Callable[[int], int]) -> None:
        super().__init__(space)
        self._draw = draw

    def push(self, field: int) -> None:
        """Push a field that is not on the stack, with the first value drawn."""
        values = self._drawn([0, *self._push_field(field)])
        self.vector[field] = next(values)
        self.rests.append(values)

    def _drawn(self, left: list[int]) -> Iterator[int]:
        while left:
            yield left.pop(self._draw(len(left)) if left[1:] else 0)


def _choices(domain: FieldDomain) -> Callable[[Sequence[int]], Sequence[int]] | None:
    """Return a function from the maxima of the class domains below to the values of a field tried after the first.

    The result is None if all values are always tried. Of the objects that are not on the stack yet only the first is
    tried: another one would give an isomorphic state.
    """
    kinds = sorted({kind for kind in domain.classes if kind != PLAIN})
    if not kinds:
        return None
    ends = run_ends(domain)
    values_of_key: dict[tuple[int, ...], Sequence[int]] = {}

    def chosen(maxima: Sequence[int]) -> Sequence[int]:
        key = tuple([maxima[kind] for kind in kinds])
        values = values_of_key.get(key)
        if values is None:
            values = []
            index = 0
            while index < len(domain):
                values.append(index)
                kind = domain.classes[index]
                index = 1 + (ends[index] if kind != PLAIN and domain.indices[index] > maxima[kind] else index)
            values_of_key[key] = values = values[1:]
        return values

    return chosen


def run_ends(domain: FieldDomain) -> tuple[int, ...]:
    """Return, for each value, the last position of the run of its class domain; its own position if it is plain."""
    ends = list(range(len(domain)))
    for index in reversed(range(len(domain) - 1)):
        if domain.classes[index] != PLAIN and domain.classes[index] == domain.classes[index + 1]:
            ends[index] = ends[index + 1]
    return tuple(ends)


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
