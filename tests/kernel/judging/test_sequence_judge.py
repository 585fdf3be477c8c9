"""Sequences distinguish mutants from the original at the right call, under both policies."""

from pathlib import Path
from tempfile import mkdtemp

import pytest
from support.sequence_bench import SequenceBench, explained, reasons

from harness.kernel.inputs.suites import Call
from harness.model.sequence import Observation

BOX = """
class Box:
    def __init__(self):
        self.held = []
        self.seen = 0

    def put(self, value):
        self.held.append(value)
        return len(self.held)

    def look(self):
        self.seen += 1
        return self.held[0]

    def me(self):
        return self

    def move(self, other):
        other.held.extend(self.held)
        self.held = []

    def fill(self, values):
        while values:
            self.held.append(values.pop())
"""
SPEC = """
from harness.spec import SequenceScope

def rep_ok(box):
    return type(box.held) is list

def sequences(scope):
    s = SequenceScope("Box")
    s.method("put", range(scope))
    s.method("look")
    s.method("me")
    s.method("move", s.earlier("Box"))
    s.method("fill", s.fixed([0, 1]))
    return s
"""
NEW, PUT0, PUT1, LOOK, ME = Call(0, ()), Call(1, (0, 0)), Call(1, (0, 1)), Call(2, (0,)), Call(3, (0,))
MOVE_TO_SECOND, FILL = Call(4, (0, 1)), Call(5, (0, 0))


def judged(folder: Path, change: tuple[str, str], sequence: list[Call], observed: Observation = Observation.END) -> str:
    """Return the reason by which the changed program is killed, or ""; both paths agree about it."""
    assert change[0] in BOX
    bench = SequenceBench(Path(mkdtemp(dir=folder)), BOX, SPEC, [sequence], observed)
    return explained(bench, BOX.replace(*change))


PUT_LOSES = ("self.held.append(value)\n", "pass\n")


@pytest.mark.parametrize(
    ("change", "sequence", "told"),
    [
        (PUT_LOSES, [NEW, PUT0, PUT1, LOOK], "output: call 2 of 4, Box.put: returned another value"),
        (PUT_LOSES, [NEW, LOOK, PUT0], "output: call 3 of 3, Box.put: returned another value"),
        (PUT_LOSES, [NEW], ""),
        (("return self\n", "return Box()\n"), [NEW, ME], "returned another value"),
        (("other.held.extend(self.held)", "pass"), [NEW, NEW, PUT0, MOVE_TO_SECOND], "the post-state differs"),
        (("return self\n", "return None\n"), [NEW, NEW, PUT0, MOVE_TO_SECOND], ""),
        (
            ("while values:\n            self.held.append(values.pop())", "self.held.extend(reversed(values))"),
            [NEW, FILL],
            "the post-state differs",
        ),
        (
            ("self.held.append(value)\n", "self.held.append(value)\n        while value: pass\n"),
            [NEW, PUT0, PUT1, LOOK],
            "step_limit: call 3 of 4, Box.put: more than 1010 steps",
        ),
        (("self.seen = 0", "self.seen = 1"), [NEW], "the post-state differs"),
        (("+= 1", "= 1 - self.seen"), [NEW, PUT0, LOOK, LOOK], "state: call 4 of 4, Box.look: the post-state differs"),
        (("self.seen = 0", "raise KeyError"), [NEW], "raised KeyError"),
        (("return self.held[0]", "return None"), [NEW, LOOK], "did not raise IndexError"),
    ],
    ids=[
        "the first call", "behind one that raises", "before any", "an equal object", "of every object", "no call of it",
        "a list that is given", "steps of each call", "a constructor", "a second call", "a constructor that raises",
        "no exception",
    ],
)  # fmt: skip
def test_a_kill_tells_at_which_call(change, sequence, told, tmp_path):
    explanation = judged(tmp_path, change, sequence)
    assert explanation.endswith(told)
    assert bool(explanation) == bool(told)


def test_states_in_between_are_looked_at_on_request_only(tmp_path):
    undone = ("self.held.append(value)\n", "self.held.append(value)\n        self.seen = 7 if value else 0\n")
    reset = ("self.held = []\n        self.seen = 0", "self.held = []\n        self.seen = 7")
    both = BOX.replace(*undone).replace(*reset)
    for observed, expected in (
        (Observation.END, None),
        (Observation.EVERY_CALL, "state: call 1 of 2, Box: the post-state differs"),
    ):
        bench = SequenceBench(tmp_path / observed.value, BOX, SPEC, [[NEW, PUT0]], observed=observed)
        assert reasons(bench.fast(both)) == [expected]
        ((_, kill),) = bench.naive(both)
        assert (kill is None) == (expected is None)


PARCEL = """
class Other:
    def __init__(self):
        self.seen = 0
        self.value = 0

class Box:
    def __init__(self):
        self.held = None

    def take(self, other):
        other.seen += 1
        self.held = other.value

    def make(self):
        other = Other()
        other.seen = 7
        return other
"""
PARCEL_SPEC = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Box")
    s.constructor()
    s.constructor(name="Other")
    s.method("take", s.earlier("Other"))
    s.method("make")
    s.omit("seen")
    return s
"""


def test_omitted_fields_tell_nothing_wherever_they_are(tmp_path):
    take, make = [NEW, Call(1, ()), Call(2, (0, 1))], [NEW, Call(3, (0,))]
    bench = SequenceBench(tmp_path, PARCEL, PARCEL_SPEC, [take, make])
    for change in (("other.seen += 1", "other.seen += 2"), ("other.seen = 7", "other.seen = 8")):
        assert reasons(bench.fast(PARCEL.replace(*change))) == [None, None]
        assert [kill for _, kill in bench.naive(PARCEL.replace(*change))] == [None, None]
    other_source = PARCEL.replace("self.value = 0", "self.value = 1")
    assert None not in (reasons(bench.fast(other_source))[1], bench.naive(other_source)[1][1])
