"""Sets, and dicts without an order, whose members are objects: their order never shows, their references always do."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sweeps import examples

from harness.kernel.naive.equality import equal_values
from harness.kernel.objects import equality
from harness.kernel.objects.equality import NotCanonical, canonical, concrete

RANKS: dict[int, int] = {}
"""By id: hashes, for they decide the order of small sets."""


class Thing:
    """An object that is compared by identity; `kind` and `links` are all its fields."""

    def __init__(self, rank: int, kind: int = 0, links: Any = None) -> None:
        RANKS[id(self)] = rank
        self.kind = kind
        self.links = links

    def __hash__(self) -> int:
        return RANKS[id(self)]


mapped = partial(canonical, ordered=False)
"""Writes dicts without an order, as a spec means them."""


def test_keys_of_the_same_bytes_do_not_hang_on_the_order_of_insertion():
    one, other = float("nan"), math.nan
    assert mapped({one: 1, other: 2}) == mapped({other: 2, one: 1}) != mapped({one: 1, other: 1})
    assert mapped({len: 1, max: 2}) == mapped({max: 2, len: 1})


# -- against the naive witness -------------------------------------------------------------------

SHAPES: dict[str, Callable[[list[Any]], Any]] = {
    "nothing": lambda things: None,
    "one": lambda things: things[0],
    "tuple": tuple,
    "list": list,
    "set": set,
    "frozenset": frozenset,
    "dict": lambda things: {thing: number // 2 for number, thing in enumerate(things)},
    "values": lambda things: dict(enumerate(things)),
    "sets": lambda things: (frozenset(things[:2]), frozenset(things[1:])),
    "pairs": lambda things: {(thing, things[0]) for thing in things},
}

Plan = list[tuple[int, str, list[int]]]
"""Per thing: its kind, the shape of its links, and whom they lead to; the first one is the root's."""


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    count = draw(st.integers(2, 5))
    target = st.integers(0, count - 1)
    links = st.tuples(st.integers(0, 1), st.sampled_from(sorted(SHAPES)), st.lists(target, min_size=1, max_size=4))
    return draw(st.lists(links, min_size=count, max_size=count))


def built(plan: Plan, ranks: Sequence[int]) -> Any:
    objects = [Thing(rank, kind) for rank, (kind, _, _) in zip(ranks, plan, strict=True)]
    for node, (_, shape, targets) in zip(objects, plan, strict=True):
        node.links = SHAPES[shape]([objects[target] for target in targets])
    _, shape, targets = plan[0]
    return SHAPES["set" if shape == "nothing" else shape]([objects[target] for target in targets])


def changed(draw: st.DrawFn, plan: Plan) -> Plan:
    """Draw a plan with the things in another order, and perhaps one link or kind changed."""
    order = [0, *draw(st.permutations(range(1, len(plan))))]
    place = {old: new for new, old in enumerate(order)}
    moved = [(plan[old][0], plan[old][1], [place[target] for target in plan[old][2]]) for old in order]
    if draw(st.booleans()):
        at = draw(st.integers(0, len(plan) - 1))
        _, shape, targets = moved[at]
        position = draw(st.integers(0, len(targets) - 1))
        targets = [*targets[:position], draw(st.integers(0, len(plan) - 1)), *targets[position + 1 :]]
        moved[at] = (draw(st.integers(0, 1)), shape, targets)
    return moved


@given(st.data())
@settings(derandomize=True, max_examples=examples(600), deadline=None)
def test_bytes_are_equal_exactly_for_what_is_alike(data):
    RANKS.clear()
    plan = data.draw(plans())
    other = changed(data.draw, plan)
    ranks = data.draw(st.permutations(range(len(plan))))
    left, right = built(plan, range(len(plan))), built(other, ranks)
    assert (canonical(left) == canonical(right)) == equal_values(left, right, by_identity=False)
    assert (mapped(left) == mapped(right)) == equal_values(left, right, by_identity=False, ordered=False)
    assert (concrete(left) == concrete(right)) == equal_values((left,), (right,), by_identity=True)


# -- symmetry ------------------------------------------------------------------------------------


def friends(count: int, whom: Callable[[int, int], bool]) -> set[Thing]:
    objects = [Thing(rank) for rank in range(count)]
    for number, node in enumerate(objects):
        node.links = {other for place, other in enumerate(objects) if whom(number, place)}
    return set(objects)


def test_many_members_that_are_all_alike_are_no_trouble():
    everybody = canonical(friends(12, lambda a, b: a != b))
    assert everybody == canonical(friends(12, lambda a, b: a != b))
    assert everybody != canonical(friends(12, lambda a, b: a != b and {a, b} != {3, 5}))
    six = canonical(friends(6, lambda a, b: (a - b) % 6 in (1, 5)))
    assert six != canonical(friends(6, lambda a, b: (a - b) % 3 != 0 and a // 3 == b // 3))  # two triangles


def test_members_that_take_too_long_to_be_put_in_order_are_refused(monkeypatch):
    monkeypatch.setattr(equality, "MOST_VISITS", 500)
    with pytest.raises(NotCanonical, match="refer to each other in too many like ways"):
        canonical(friends(5, lambda a, b: a != b))
