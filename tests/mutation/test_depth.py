"""One limit decides whether code is nested too deep."""

from pathlib import Path

import pytest

from harness.errors import SourceError
from harness.model.subject import Subject
from harness.mutation.depth import DEEPEST, deepest, room_for
from harness.mutation.mutate import mutate
from harness.mutation.program import TypeProfile


def subject(source: str) -> Subject:
    return Subject("deep", "Deep", "impl", Path("impl.py"), source, Path("spec.py"), "")


def test_the_deepest_statement_is_named():
    assert deepest("x = 1\ny = -(-\n-1)\n") == (2, 5)
    assert deepest("x = (") == (1, 0)


@pytest.mark.parametrize("expression", ["-" * 60 + "x", "[" * 90 + "x" + "][0]" * 90, "1 + x" + ".y" * 180])
def test_what_is_not_too_deep_is_mutated(expression):
    source = f"def f(x):\n    return {expression}\n"
    with room_for(subject(source)):
        assert mutate(source, {"f"}, TypeProfile())


def test_what_is_too_deep_is_refused():
    source = "\ndef f(x):\n    return " + "not " * DEEPEST + "x\n"
    with (
        pytest.raises(SourceError, match=r"impl\.py:3: expressions or statements are nested"),
        room_for(subject(source)),
    ):
        pass
