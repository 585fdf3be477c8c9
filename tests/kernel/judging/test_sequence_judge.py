"""Sequences distinguish mutants from the original at the right call, by its behaviour or by contracts of single calls.

Both paths agree about it.
"""

from pathlib import Path
from tempfile import mkdtemp

import pytest
from support.sequence_bench import SequenceBench, explained, reasons

from harness.errors import BaselineError, SpecError
from harness.kernel.inputs.suites import Call
from harness.kernel.judging.postcondition import Contracts
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.model.outcome import OracleName
from harness.model.sequence import Observation

BOX = """
class Empty(Exception):
    pass

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

    def take(self):
        if not self.held:
            raise Empty("nothing there")
        return self.held.pop()
"""
SPEC = """
from harness.spec import SequenceScope

def rep_ok(box):
    return type(box.held) is list and all(type(value) is int for value in box.held)

def sequences(scope):
    s = SequenceScope("Box")
    s.method("put", range(scope))
    s.method("look")
    s.method("me")
    s.method("move", s.earlier("Box"))
    s.method("fill", s.fixed([0, 1]))
    s.method("take")
    return s
"""
CONTRACTS = (
    SPEC
    + """
def abstraction(box):
    return tuple(box.held)

def post_put(before, after, result, value):
    return sorted(after) == sorted((*before, value))

def post_take(before, after, result, *, raised, program):
    if not before:
        return type(raised) is program.Empty and after == ()
    return raised is None and after + (result,) == before

def post_fill(before, after, result, values, *, arguments_after):
    return len(after) == len(before) + len(values) and arguments_after == [[]]
"""
)
NEW, PUT0, PUT1, LOOK, ME = Call(0, ()), Call(1, (0, 0)), Call(1, (0, 1)), Call(2, (0,)), Call(3, (0,))
MOVE_TO_SECOND, FILL, TAKE = Call(4, (0, 1)), Call(5, (0, 0)), Call(6, (0,))


def judged(
    folder: Path,
    change: tuple[str, str],
    sequence: list[Call],
    oracle: OracleName = OracleName.DIFFERENTIAL,
    spec: str = SPEC,
) -> str:
    """Return the reason by which the changed program is killed, or ""; both paths agree about it."""
    assert change[0] in BOX
    bench = SequenceBench(Path(mkdtemp(dir=folder)), BOX, spec, [sequence], oracle=oracle)
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


@pytest.mark.parametrize(
    ("change", "sequence", "told"),
    [
        (("pass", "..."), [NEW, PUT0, TAKE, TAKE], ""),
        (PUT_LOSES, [NEW, PUT0, PUT1], "postcondition: call 2 of 3, Box.put: the postcondition does not hold"),
        (("self.seen += 1", "self.held.append('')"), [NEW, PUT0, LOOK], "rep_invariant: "),
        (("self.seen += 1", "self.seen += 2"), [NEW, LOOK], ""),  # the original's own exception, and nothing promised
        (("raise Empty(", "return ("), [NEW, TAKE], "postcondition: "),
        (("self.seen += 1", "while True: pass"), [NEW, PUT0, LOOK], "step_limit: "),
        (("self.seen += 1", "raise MemoryError"), [NEW, PUT0, LOOK], "memory_limit: "),
        # what a call leaves of its arguments
        (
            ("while values:\n            self.held.append(values.pop())", "self.held.extend(values)"),
            [NEW, FILL],
            "postcondition: ",
        ),
        # the end is as it should be
        (
            ("self.held.append(value)", "self.held[:] = [value] if len(self.held) > 1 else [*self.held, value, value]"),
            [NEW, PUT0, TAKE],
            "postcondition: ",
        ),
        # an exception of another class, without a postcondition, with one that allows for none, that asks for it
        (("self.seen += 1", "raise KeyError"), [NEW, PUT0, LOOK], "exception: call 3 of 3, Box.look: raised "),
        (("self.held.append(value)", "raise KeyError"), [NEW, PUT0], "exception: call 2 of 2, Box.put: raised "),
        (
            ("return self.held.pop()", "raise KeyError"),
            [NEW, PUT0, TAKE],
            "exception: call 3 of 3, Box.take: raised ",
        ),
        (("raise Empty(", "raise ValueError("), [NEW, TAKE], "exception: call 2 of 2, Box.take: raised "),
    ],
)
def test_what_is_promised_of_each_call_kills_and_nothing_else(change, sequence, told, tmp_path):
    explanation = judged(tmp_path, change, sequence, OracleName.POSTCONDITION, CONTRACTS)
    assert explanation.startswith(told)
    assert bool(explanation) == bool(told)


def test_what_nobody_promises_is_told_by_the_differential_oracle_only(tmp_path):
    for change, sequence in (
        (("self.held.append(value)", "self.held.insert(0, value)"), [NEW, PUT0, PUT1]),
        (("return len(self.held)", "return len(self.held) + 1"), [NEW, PUT0]),
        (("return self.held[0]", "return self.held[-1]"), [NEW, PUT0, PUT1, LOOK]),
    ):
        assert not judged(tmp_path, change, sequence, OracleName.POSTCONDITION, CONTRACTS)
        assert judged(tmp_path, change, sequence, spec=CONTRACTS)


def test_a_postcondition_that_takes_too_many_steps_kills(tmp_path):
    head = "def post_put(before, after, result, value):\n"
    slow = CONTRACTS.replace(head, f"{head}    for _ in range(10000 * (after == before)): pass\n")
    explanation = judged(tmp_path, PUT_LOSES, [NEW, PUT0], OracleName.POSTCONDITION, slow)
    assert explanation == "step_limit: call 2 of 2, Box.put: checking the postcondition takes too many steps"


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ([("return sorted(after) ==", "return sorted(after) !=")], BaselineError, "its postcondition does not hold"),
        (
            [
                ("*, raised, program", "*, program"),
                ("type(raised) is program.Empty and after == ()", "True"),
                ("raised is None and ", ""),
            ],
            BaselineError,
            "it raised Empty, which its postcondition has to ask for",
        ),
        (
            [("return sorted(after) == sorted((*before, value))", "return lambda: False")],
            SpecError,
            "true of every call; return True or False",
        ),
    ],
)
def test_an_original_that_breaks_its_promises_is_refused(tmp_path, changes, error, message):
    spec = CONTRACTS
    for old, new in changes:
        assert old in spec
        spec = spec.replace(old, new)
    with pytest.raises(error, match=message):
        judged(tmp_path, ("pass", "..."), [NEW, PUT0, TAKE, TAKE], OracleName.POSTCONDITION, spec)


def test_postconditions_get_abstract_values_of_the_receivers_own_class_and_copies_of_other_arguments():
    box_class = execute(ModuleText("impl", BOX, "impl.py")).Box
    receiver, other, derived = box_class(), box_class(), type("Derived", (box_class,), {})()
    promise = Contracts(load_spec(CONTRACTS, "spec.py")).of("put", receiver, [other, derived])
    assert (promise.before, promise.arguments[0]) == ((), ())
    assert type(promise.arguments[1]) is type(derived)
    assert promise.arguments[1] is not derived


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
