"""It is known what the spec's functions read, unless they may read more than the state."""

from __future__ import annotations

import pytest
from support.counter import SPEC

from harness.kernel.judging.spec_reading import names_read
from harness.kernel.specs.spec import load_spec

REP_OK = "return counter.value >= 0"


def test_the_names_of_attributes_are_those_of_rep_ok_and_of_what_it_calls() -> None:
    helped = SPEC.replace("def rep_ok", "def positive(counter):\n    return counter.size >= 0\n\ndef rep_ok")
    names = names_read(load_spec(helped.replace(REP_OK, f"{REP_OK} and positive(counter)"), "spec.py"))
    assert names is not None
    assert {"value", "size"} <= names


@pytest.mark.parametrize(
    "answer",
    [
        "return getattr(counter, 'val' + 'ue') >= 0",
        "return id(counter) > 0",
        "global seen; seen = counter; return True",
        "counter.seen = True; return True",
        "import random; return random.random() < 2",
        "return [lambda: counter][0]().value in CACHE",
    ],
)
def test_a_spec_that_may_read_more_than_the_state_reads_nothing_that_is_known(answer: str) -> None:
    text = SPEC.replace(REP_OK, answer.replace("; ", "\n    "))
    assert names_read(load_spec(f"CACHE = set()\n{text}", "spec.py")) is None
