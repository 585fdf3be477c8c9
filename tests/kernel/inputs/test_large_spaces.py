"""State spaces of many objects."""

from typing import Any

import pytest
from support.search_trees import trees

from harness.kernel.inputs import state_space
from harness.kernel.inputs.state_space import StateSpace


def test_the_values_of_a_class_are_read_once_however_many_objects_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    finitization = trees(30)
    declared = sum(len(values) for domain in finitization.domains for _, values in finitization.fields_of(domain))
    read: list[object] = []
    plain = state_space._told_apart

    def counted(value: Any) -> object:
        read.append(value)
        return plain(value)

    monkeypatch.setattr(state_space, "_told_apart", counted)
    made = StateSpace(finitization)
    assert len(read) == declared
    assert len({id(field.domain) for field in made.fields if field.name in ("left", "right")}) == 1
