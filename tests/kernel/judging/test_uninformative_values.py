"""A value that is equal to any other of its type is found in every place that canonical bytes read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from harness.kernel.judging.uninformative_values import untold
from harness.kernel.objects.equality import canonical


class InDict:
    def __init__(self, held: Any) -> None:
        self.held = held


class InSlot:
    __slots__ = ("held",)

    def __init__(self, held: Any) -> None:
        self.held = held


class InPrivateSlot:
    __slots__ = ("__held",)

    def __init__(self, held: Any) -> None:
        self.__held = held


class InFieldOfList(list[Any]):
    def __init__(self, held: Any) -> None:
        super().__init__([1])
        self.held = held


PLACES: list[Callable[[Any], Any]] = [
    InDict, InSlot, InPrivateSlot, InFieldOfList,
    lambda held: [held], lambda held: (1, {2: held}), lambda held: {3: InSlot(held)}, lambda held: deque([held]),
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_a_function_or_a_generator_is_found_wherever_it_is_held(place: Callable[[Any], Any]) -> None:
    assert untold(place(lambda: 1)) == "function"
    assert untold(place(one for one in "ab")) == "generator"


@pytest.mark.parametrize("place", PLACES)
def test_plain_values_are_told_apart_wherever_they_are_held(place: Callable[[Any], Any]) -> None:
    assert untold(place(1)) is None
    assert canonical(place(1)) != canonical(place(2))
