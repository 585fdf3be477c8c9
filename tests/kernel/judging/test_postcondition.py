"""Mutants are killed by the spec's contracts of single calls, and by nothing else; both paths agree about it."""

from pathlib import Path
from tempfile import mkdtemp

import pytest
from support.sequence_bench import SequenceBench, explained

from harness.errors import BaselineError, SpecError
from harness.kernel.inputs.suites import Call
from harness.kernel.judging.postcondition import Contracts
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.model.outcome import OracleName

SHELF = """
class Empty(Exception):
    pass

class Shelf:
    def __init__(self):
        self.held = []
        self.seen = 0

    def put(self, value):
        self.held.append(value)
        return len(self.held)

    def take(self):
        if not self.held:
            raise Empty("nothing there")
        return self.held.pop()

    def look(self):
        self.seen += 1
        return self.held[0]

    def fill(self, values):
        while values:
            self.held.append(values.pop())
"""
SPEC = """
from harness.spec import SequenceScope

def rep_ok(shelf):
    return type(shelf.held) is list and all(type(value) is int for value in shelf.held)

def abstraction(shelf):
    return tuple(shelf.held)

def post_put(before, after, result, value):
    return sorted(after) == sorted((*before, value))

def post_take(before, after, result, *, raised, program):
    if not before:
        return type(raised) is program.Empty and after == ()
    return raised is None and after + (result,) == before

def post_fill(before, after, result, values, *, arguments_after):
    return len(after) == len(before) + len(values) and arguments_after == [[]]

def sequences(scope):
    s = SequenceScope("Shelf")
    s.method("put", range(scope))
    s.method("take")
    s.method("look")
    s.method("fill", s.fixed([0, 1]))
    return s
"""
NEW, PUT0, PUT1, TAKE, LOOK, FILL = (
    Call(0, ()), Call(1, (0, 0)), Call(1, (0, 1)), Call(2, (0,)), Call(3, (0,)), Call(4, (0, 0)),
)  # fmt: skip


def judged(
    folder: Path,
    change: tuple[str, str],
    sequence: list[Call],
    oracle: OracleName = OracleName.POSTCONDITION,
    spec: str = SPEC,
) -> str:
    """Return the reason by which the changed program is killed, or ""; both paths agree about it."""
    assert change[0] in SHELF
    bench = SequenceBench(Path(mkdtemp(dir=folder)), SHELF, spec, [sequence], oracle=oracle)
    return explained(bench, SHELF.replace(*change))


LOSES = ("self.held.append(value)\n", "pass\n")


@pytest.mark.parametrize(
    ("change", "sequence", "told"),
    [
        (("pass", "..."), [NEW, PUT0, TAKE, TAKE], ""),
        (LOSES, [NEW, PUT0, PUT1], "postcondition: call 2 of 3, Shelf.put: the postcondition does not hold"),
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
        (("self.seen += 1", "raise KeyError"), [NEW, PUT0, LOOK], "exception: call 3 of 3, Shelf.look: raised "),
        (("self.held.append(value)", "raise KeyError"), [NEW, PUT0], "exception: call 2 of 2, Shelf.put: raised "),
        (
            ("return self.held.pop()", "raise KeyError"),
            [NEW, PUT0, TAKE],
            "exception: call 3 of 3, Shelf.take: raised ",
        ),
        (("raise Empty(", "raise ValueError("), [NEW, TAKE], "exception: call 2 of 2, Shelf.take: raised "),
    ],
)
def test_what_is_promised_of_each_call_kills_and_nothing_else(change, sequence, told, tmp_path):
    explanation = judged(tmp_path, change, sequence)
    assert explanation.startswith(told)
    assert bool(explanation) == bool(told)


def test_what_nobody_promises_is_told_by_the_differential_oracle_only(tmp_path):
    for change, sequence in (
        (("self.held.append(value)", "self.held.insert(0, value)"), [NEW, PUT0, PUT1]),
        (("return len(self.held)", "return len(self.held) + 1"), [NEW, PUT0]),
        (("return self.held[0]", "return self.held[-1]"), [NEW, PUT0, PUT1, LOOK]),
    ):
        assert not judged(tmp_path, change, sequence)
        assert judged(tmp_path, change, sequence, OracleName.DIFFERENTIAL)


def test_a_postcondition_that_takes_too_many_steps_kills(tmp_path):
    head = "def post_put(before, after, result, value):\n"
    slow = SPEC.replace(head, f"{head}    for _ in range(10000 * (after == before)): pass\n")
    explanation = judged(tmp_path, LOSES, [NEW, PUT0], spec=slow)
    assert explanation == "step_limit: call 2 of 2, Shelf.put: checking the postcondition takes too many steps"


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
    spec = SPEC
    for old, new in changes:
        assert old in spec
        spec = spec.replace(old, new)
    with pytest.raises(error, match=message):
        judged(tmp_path, ("pass", "..."), [NEW, PUT0, TAKE, TAKE], spec=spec)


def test_postconditions_get_abstract_values_of_the_receivers_own_class_and_copies_of_other_arguments():
    shelf_class = execute(ModuleText("impl", SHELF, "impl.py")).Shelf
    receiver, other, derived = shelf_class(), shelf_class(), type("Derived", (shelf_class,), {})()
    promise = Contracts(load_spec(SPEC, "spec.py")).of("put", receiver, [other, derived])
    assert (promise.before, promise.arguments[0]) == ((), ())
    assert type(promise.arguments[1]) is type(derived)
    assert promise.arguments[1] is not derived
