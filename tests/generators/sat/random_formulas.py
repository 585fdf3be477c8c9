"""Random formulas about any heap, with all operators of the language, and heaps that are unlike each other."""

import operator
from collections.abc import Callable
from random import Random
from typing import Any

from sat.relational_samples import mixed, rings, two_classes

from harness.errors import SpecError
from harness.relational import (
    all_of,
    any_of,
    closure,
    count,
    exists,
    for_all,
    lone,
    no,
    one,
    reflexive_closure,
    some,
    those,
    total,
)
from harness.spec import Finitization

MOST_TRIES = 60
"""How often a part is drawn anew, as the language refuses terms that have no sense for a heap."""


def values_of_all_types() -> Finitization:
    """Objects with values of several types, True beside 1, and integers beside references."""
    f = Finitization("Root")
    objects = f.objects("Thing", 2)
    f.set("Root.top", None, objects)
    f.set("Root.number", None, 0, 3)
    f.set("Thing.value", None, True, 1, "x", 0.5, -2)
    f.set("Thing.next", None, objects, 1)
    return f


def root_among_others() -> Finitization:
    """The root is of a class that other objects are of, too, and one field's name is that of two classes."""
    f = Finitization("Node")
    nodes = f.objects("Node", 2)
    boxes = f.objects("Box", 1)
    f.set("Node.next", None, nodes, boxes)
    f.set("Node.value", 0, 1)
    f.set("Box.value", 1, 2, None)
    f.set("Box.next", None, nodes)
    return f


def leaves_alone() -> Finitization:
    """Objects without references."""
    f = Finitization("Root")
    leaves = f.objects("Leaf", 3)
    f.set("Root.one", None, leaves)
    f.set("Root.two", None, leaves)
    f.set("Root.three", leaves)
    f.set("Leaf.key", range(-1, 2))
    return f


HEAPS: dict[str, Callable[[], Finitization]] = {
    "rings": lambda: rings(2),
    "two classes": two_classes,
    "references both ways": mixed,
    "values of all types": values_of_all_types,
    "root among others": root_among_others,
    "leaves alone": leaves_alone,
}

_CONSTANTS = (True, False, 1, 0, 3, -2, "x", 0.5)
_EITHER = (operator.eq, operator.ne)
_ORDERS = (operator.lt, operator.le, operator.gt, operator.ge)


class FormulaWriter:
    """Writes one random formula.

    Args:
        random: where its choices come from.
        finitization: of the heap that it is about.
        thiz: the root, and `heap` the heap, as an invariant is given them.
    """

    def __init__(self, random: Random, finitization: Finitization, thiz: Any, heap: Any) -> None:
        self._random, self._thiz, self._heap = random, thiz, heap
        domains = finitization.domains
        self._classes = sorted({domain.class_name for domain in domains})
        self._fields = sorted(
            {f"{each.class_name}.{name}" for each in domains for name, _ in finitization.fields_of(each)}
        )
        self._names = sorted({field.partition(".")[2] for field in self._fields})

    def formula(self, depth: int, bound: tuple[Any, ...] = ()) -> Any:
        """A formula with parts within parts, `depth` of them; `bound` are the variables that it may name."""
        less = max(depth - 1, 0)

        def nodes() -> Any:
            return self._nodes(less, bound)

        def edges() -> Any:
            return self._edges(less)

        def number() -> Any:
            return self._number(less, bound)

        def small() -> int:
            return self._random.randint(-3, 4)

        def either(left: Any, right: Any, relations: Any = _EITHER) -> Any:
            return self._random.choice(relations)(left, right)

        def within() -> Any:
            return self.formula(less, bound)

        simple = [
            lambda: self._random.choice((some, no, lone, one))(nodes()),
            lambda: self._random.choice((some, no, lone, one))(edges()),
            lambda: nodes().within(nodes()),
            lambda: nodes().within(self._constant()),
            lambda: edges().within(edges()),
            lambda: either(nodes(), nodes()),
            lambda: either(edges(), edges()),
            lambda: either(nodes(), self._constant()),
            lambda: either(nodes(), None),
            lambda: either(nodes(), number()),
            lambda: either(number(), number()),
            lambda: either(number(), small()),
            lambda: either(nodes(), nodes(), _ORDERS),
            lambda: either(nodes(), number(), _ORDERS),
            lambda: either(number(), nodes(), _ORDERS),
            lambda: either(nodes(), small(), _ORDERS),
            lambda: either(number(), number(), _ORDERS),
            lambda: either(number(), small(), _ORDERS),
        ]
        if depth == 0:
            return self._pick(*simple)
        nested = [
            lambda: ~within(),
            lambda: all_of(within(), within()),
            lambda: any_of(within(), within()),
            lambda: within().implies(within()),
            lambda: either(within(), within()),
            lambda: for_all(nodes(), lambda one_of: self.formula(less, (*bound, one_of))),
            lambda: exists(nodes(), lambda one_of: self.formula(less, (*bound, one_of))),
        ]
        return self._pick(*simple, *nested, *nested)

    def _edges(self, depth: int) -> Any:
        if depth == 0:
            return self._heap[self._random.choice(self._fields)]

        def edges() -> Any:
            return self._edges(depth - 1)

        return self._pick(
            edges,
            lambda: ~edges(),
            lambda: closure(edges()),
            lambda: reflexive_closure(edges()),
            lambda: edges() | edges(),
            lambda: edges() & edges(),
            lambda: edges() - edges(),
            lambda: edges() @ edges(),
        )

    def _nodes(self, depth: int, bound: tuple[Any, ...]) -> Any:
        leaves = [
            lambda: self._thiz,
            lambda: self._heap[self._random.choice(self._classes)],
            lambda: getattr(self._thiz, self._random.choice(self._names)),
        ]
        leaves += [lambda each=each: each for each in (*bound, *bound)]
        if depth == 0:
            return self._pick(*leaves)

        def nodes() -> Any:
            return self._nodes(depth - 1, bound)

        def edges() -> Any:
            return self._edges(depth - 1)

        return self._pick(
            *leaves,
            lambda: nodes() @ edges(),
            lambda: edges() @ nodes(),
            lambda: nodes() @ closure(edges()),
            lambda: reflexive_closure(edges()) @ nodes(),
            lambda: getattr(nodes(), self._random.choice(self._names)),
            lambda: nodes() | nodes(),
            lambda: nodes() & nodes(),
            lambda: nodes() - nodes(),
            lambda: nodes() | self._constant(),
            lambda: nodes() & self._constant(),
            lambda: those(nodes(), lambda one_of: self.formula(depth - 1, (*bound, one_of))),
        )

    def _number(self, depth: int, bound: tuple[Any, ...]) -> Any:
        def nodes() -> Any:
            return self._nodes(depth, bound)

        def few() -> int:
            return self._random.randint(-3, 3)

        simple = [
            lambda: few() + count(nodes()),
            lambda: few() - total(nodes()),
            lambda: -count(nodes()),
            lambda: count(self._edges(depth)),
            lambda: nodes() * few() - count(nodes()),
        ]
        if depth == 0:
            return self._pick(*simple)
        return self._pick(
            *simple,
            lambda: self._number(depth - 1, bound) * few(),
            lambda: self._number(depth - 1, bound) + self._number(depth - 1, bound),
        )

    def _constant(self) -> Any:
        return self._random.choice(_CONSTANTS)

    def _pick(self, *options: Callable[[], Any]) -> Any:
        for _ in range(MOST_TRIES):
            try:
                return self._random.choice(options)()
            except SpecError:  # a term that the language refuses for this heap
                continue
        raise SpecError(f"none of {MOST_TRIES} terms has a sense here")


def random_invariant(seed: int, finitization: Finitization, depth: int) -> Callable[[Any, Any], Any]:
    """An invariant that is the same formula whenever it is asked."""
    return lambda thiz, heap: FormulaWriter(Random(seed), finitization, thiz, heap).formula(depth)
