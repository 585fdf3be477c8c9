"""Options of candidate sequence search are read and told as they stand in its name."""

from __future__ import annotations

import pytest

from harness.errors import UsageError
from harness.generators.influence.protocol import PartialOrder, Switches
from harness.generators.policies.css.options import HeapMode, Options


@pytest.mark.parametrize(
    "text",
    [
        "",
        "values=spread",
        "data_flow=no",
        "partial_order=printed,grouped=no",
        "influence=no,heap=reasoning,paths=5,solver=9,length=4",
    ],
)
def test_options_are_told_as_they_are_read(text: str) -> None:
    options = Options.read("css", text) if text else Options()
    assert str(options) == text


def test_each_option_is_what_it_says() -> None:
    options = Options.read(
        "css", "length=3,solver=8,paths=7,heap=reasoning,influence=no,grouped=no,partial_order=no,data_flow=no"
    )
    assert options == Options(False, PartialOrder.NO, False, False, HeapMode.REASONING, 7, 8, 3)
    assert options.switches() == Switches(False, PartialOrder.NO, False)
    assert Options.read("css", "influence=yes") == Options()


@pytest.mark.parametrize(
    "text", ["", "speed=9", "paths=0", "paths=-1", "paths=٣", "heap=no", "values=low", "paths=2,paths=3", "5"]
)
def test_what_is_no_option_is_told_in_one_line(text: str) -> None:
    with pytest.raises(UsageError, match="; behind the colon stand, in any order, data_flow=no") as error:
        Options.read("css", text)
    assert "\n" not in str(error.value)
