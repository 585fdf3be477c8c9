"""The original is run on sequences; what cannot be a test is refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.sequence_bench import SequenceBench

from harness.errors import BaselineError
from harness.kernel.inputs.suites import Call
from harness.model.sequence import SequencePolicy

SOURCE = """
class Item:
    pass

class Box:
    def __init__(self):
        self.held = []

    def put(self, value):
        self.held.append(value)
        return self.held

    def take(self):
        return self.held.pop()

    def walk(self):
        self.held = {Item(), Item()}
"""
SPEC = """
from harness.spec import SequenceScope

def rep_ok(box):
    return not isinstance(box.held, list) or 1 not in box.held

def few(box, value):
    return len(box.held) < 2

def sequences(scope):
    s = SequenceScope("Box")
    s.method("put", range(scope), requires=few)
    s.method("take")
    s.method("walk")
    return s
"""
NEW, PUT0, PUT1, TAKE, WALK = Call(0, ()), Call(1, (0, 0)), Call(1, (0, 1)), Call(2, (0,)), Call(3, (0,))
ON_MUTANT, SNAPSHOT = SequencePolicy


@pytest.mark.parametrize("policy", SequencePolicy)
@pytest.mark.parametrize(
    ("sequence", "expected"),
    [
        (
            [NEW, PUT0, PUT0, PUT0],
            "input 0, box = Box(); box.put(0); box.put(0); box.put(0): the precondition of call 4 of 4 does not hold; ",
        ),
        ([NEW, TAKE, Call(1, (1, 0))], "result.put(0): call 3 of 3 takes a result that there is not "),
        ([NEW, PUT1], "box.put(1): call 2 of 2: its post-state does not satisfy rep_ok; correct "),
    ],
)
def test_what_is_no_test_is_refused(
    tmp_path: Path, policy: SequencePolicy, sequence: list[Call], expected: str
) -> None:
    with pytest.raises(BaselineError) as raised:
        SequenceBench(tmp_path, SOURCE, SPEC, [sequence], policy)
    assert expected in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_state_that_cannot_be_made_again_is_run_on_the_mutant_only(tmp_path: Path) -> None:
    sequence = [NEW, WALK, Call(3, (0,))]
    SequenceBench(tmp_path / "a", SOURCE, SPEC, [sequence], ON_MUTANT)
    with pytest.raises(BaselineError, match=r"box\.walk\(\): the state before its last call .*--sequences on-mutant"):
        SequenceBench(tmp_path / "b", SOURCE, SPEC, [sequence], SNAPSHOT)
