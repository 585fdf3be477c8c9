"""Builders are found in the sandbox, and errors there are reported in one line."""

from pathlib import Path

import pytest
from support.own_subject import write_subject

from harness.errors import SpecError
from harness.runner.builders import builders_of
from harness.runner.subjects import load_subject

SPEC = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Box")
    s.method("put", range(scope))
    s.method("turn", range(scope))
    return s
"""
IMPLEMENTATION = """
class Box:
    def __init__(self):
        self.held = 0
    def put(self, value):
        self.held = value
    def turn(self, value):
        {body}
"""


def _subject(folder: Path, body: str) -> str:
    return write_subject(folder / "box", IMPLEMENTATION.format(body=body), SPEC)


def test_builders_are_found_in_the_sandbox(tmp_path):
    search = builders_of(load_subject(_subject(tmp_path, "return -value")), 3)
    assert (search.builders, search.structures, search.line) == (("put",), 3, 's.builders("put")')


@pytest.mark.slow
def test_a_call_that_does_not_return_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CANDIDATE_SECONDS", "0.5")
    subject = load_subject(_subject(tmp_path, "while value == 1: pass"))
    with pytest.raises(SpecError, match=r"impl.py: box = Box\(\); box.turn\(1\) did not return within 0.5 s"):
        builders_of(subject, 3)


def test_a_failure_is_told_with_its_sequence(tmp_path):
    subject = load_subject(_subject(tmp_path, "raise TypeError('no')"))
    with pytest.raises(
        SpecError, match=r"impl.py: a failure: box = Box\(\); box.turn\(0\) raised TypeError: no; correct"
    ):
        builders_of(subject, 3)
