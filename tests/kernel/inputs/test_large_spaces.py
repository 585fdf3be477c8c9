"""State spaces of many objects."""

from __future__ import annotations

import sys
from collections import Counter

from support.search_trees import trees

from harness.kernel.inputs.state_space import StateSpace


def calls_of(nodes: int) -> int:
    """Count the calls of functions that make the space of trees of so many nodes."""
    finitization, events = trees(nodes), Counter[str]()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, _: events.update([event]))
    try:
        StateSpace(finitization)
    finally:
        sys.setprofile(before)
    return events["call"]


def test_the_values_of_a_class_are_read_once_however_many_objects_it_has() -> None:
    assert calls_of(60) < 3 * calls_of(30)
    fields = StateSpace(trees(30)).fields
    assert len({id(field.domain) for field in fields if field.name in ("left", "right")}) == 1
