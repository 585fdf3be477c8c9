"""Mutants are killed by the spec's contracts of single calls, and by nothing else; both paths agree about it."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp

import pytest
from support.sequence_bench import SequenceBench, reasons

from harness.errors import BaselineError, SpecError
from harness.kernel.inputs.suites import Call
from harness.kernel.judging.contract_checks import Contracts
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
) -> str | None:
    """Return the reason by which the changed program is killed, or None; both paths agree about it."""
    assert change[0] in SHELF
    bench = SequenceBench(Path(mkdtemp(dir=folder)), SHELF, spec, [sequence], oracle=oracle)
    mutant = SHELF.replace(*change)
    facts = bench.fast(mutant)
    ((steps, kill),) = facts
    ((naive_steps, naive_kill),) = bench.naive(mutant)
    assert steps == naive_steps
    assert (None if kill is None else (kill.reason, kill.phase)) == (naive_kill and naive_kill[:2])
    return reasons(facts)[0]


def test_the_original_keeps_its_promises(tmp_path: Path) -> None:
    assert judged(tmp_path, ("pass", "..."), [NEW, PUT0, TAKE, TAKE]) is None


def test_a_postcondition_that_does_not_hold_kills(tmp_path: Path) -> None:
    explanation = judged(tmp_path, ("self.held.append(value)\n", "pass\n"), [NEW, PUT0, PUT1])
    assert explanation == "postcondition: call 2 of 3, Shelf.put: the postcondition does not hold"


def test_what_nobody_promises_is_told_by_the_differential_oracle_only(tmp_path: Path) -> None:
    for change, sequence in (
        (("self.held.append(value)", "self.held.insert(0, value)"), [NEW, PUT0, PUT1]),
        (("return len(self.held)", "return len(self.held) + 1"), [NEW, PUT0]),
        (("return self.held[0]", "return self.held[-1]"), [NEW, PUT0, PUT1, LOOK]),
    ):
        assert judged(tmp_path, change, sequence) is None
        assert judged(tmp_path, change, sequence, OracleName.DIFFERENTIAL) is not None


def test_rep_ok_is_promised_of_every_call(tmp_path: Path) -> None:
    explanation = judged(tmp_path, ("self.seen += 1", "self.held.append('')"), [NEW, PUT0, LOOK])
    assert explanation is not None
    assert explanation.startswith("rep_invariant")


def test_an_exception_of_another_class_than_the_originals_kills(tmp_path: Path) -> None:
    for change, sequence in (
        (("self.seen += 1", "raise KeyError"), [NEW, PUT0, LOOK]),  # without a postcondition
        (("self.held.append(value)", "raise KeyError"), [NEW, PUT0]),  # with one that allows for none
        (("return self.held.pop()", "raise KeyError"), [NEW, PUT0, TAKE]),  # with one that asks for it
        (("raise Empty(", "raise ValueError("), [NEW, TAKE]),
    ):
        explanation = judged(tmp_path, change, sequence)
        assert explanation is not None
        assert explanation.startswith("exception: ")
        assert " raised " in f" {explanation}"


def test_the_originals_own_exception_is_no_fault_where_nothing_is_promised(tmp_path: Path) -> None:
    assert judged(tmp_path, ("self.seen += 1", "self.seen += 2"), [NEW, LOOK]) is None
    explanation = judged(tmp_path, ("raise Empty(", "return ("), [NEW, TAKE])
    assert explanation is not None
    assert explanation.startswith("postcondition: ")


def test_what_takes_too_many_steps_or_too_much_memory_dies(tmp_path: Path) -> None:
    explanation = judged(tmp_path, ("self.seen += 1", "while True: pass"), [NEW, PUT0, LOOK])
    assert explanation is not None
    assert explanation.startswith("step_limit: ")
    explanation = judged(tmp_path, ("self.seen += 1", "raise MemoryError"), [NEW, PUT0, LOOK])
    assert explanation is not None
    assert explanation.startswith("memory_limit: ")


def test_a_postcondition_that_takes_too_many_steps_kills(tmp_path: Path) -> None:
    head = "def post_put(before, after, result, value):\n"
    slow = SPEC.replace(head, f"{head}    for _ in range(10000 * (after == before)): pass\n")
    explanation = judged(tmp_path, ("self.held.append(value)\n", "pass\n"), [NEW, PUT0], spec=slow)
    assert explanation == "step_limit: call 2 of 2, Shelf.put: checking the postcondition takes too many steps"


def test_what_a_call_leaves_of_its_arguments_is_told_on_request(tmp_path: Path) -> None:
    change = ("while values:\n            self.held.append(values.pop())", "self.held.extend(values)")
    explanation = judged(tmp_path, change, [NEW, FILL])
    assert explanation is not None
    assert explanation.startswith("postcondition: ")


def test_a_call_that_breaks_a_promise_kills_though_the_end_is_as_it_should_be(tmp_path: Path) -> None:
    change = ("self.held.append(value)", "self.held[:] = [value] if len(self.held) > 1 else [*self.held, value, value]")
    undone = [NEW, PUT0, TAKE]
    assert judged(tmp_path, change, undone) is not None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("return sorted(after) ==", "return sorted(after) !=", "its postcondition does not hold"),
        ("*, raised, program", "*, program", "it raised Empty, which its postcondition has to ask for"),
    ],
)
def test_an_original_that_breaks_its_promises_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    spec = SPEC.replace(old, new)
    if "raised" in new or "*, program" in new:
        spec = spec.replace("type(raised) is program.Empty and after == ()", "True").replace("raised is None and ", "")
    with pytest.raises(BaselineError, match=message):
        judged(tmp_path, ("pass", "..."), [NEW, PUT0, TAKE, TAKE], spec=spec)


def test_a_postcondition_that_is_true_of_every_call_is_refused(tmp_path: Path) -> None:
    spec = SPEC.replace("return sorted(after) == sorted((*before, value))", "return lambda: False")
    with pytest.raises(SpecError, match="true of every call; return True or False"):
        judged(tmp_path, ("pass", "..."), [NEW, PUT0], spec=spec)


def test_postconditions_get_abstract_values_of_the_receivers_own_class_and_copies_of_other_arguments() -> None:
    shelf_class = execute(ModuleText("impl", SHELF, "impl.py")).Shelf
    receiver, other, derived = shelf_class(), shelf_class(), type("Derived", (shelf_class,), {})()
    promise = Contracts(load_spec(SPEC, "spec.py")).of("put", receiver, [other, derived])
    assert (promise.before, promise.arguments[0]) == ((), ())
    assert type(promise.arguments[1]) is type(derived)
    assert promise.arguments[1] is not derived
