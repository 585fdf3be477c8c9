"""Mutants are killed by results and exceptions of calls and observers, and by nothing else; both paths agree."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.sequence_bench import SequenceBench, reasons

from harness.errors import BaselineError, SpecError
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.judging.oracle import Rule, SequenceRule
from harness.kernel.judging.prepared import PreparedInput, PreparedSequence
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec, load_spec
from harness.model.outcome import OracleName

TALLY = """
class Tally:
    def __init__(self):
        self.marks = []

    def mark(self, value):
        self.marks.append(value)

    def undo(self):
        if not self.marks:
            raise IndexError
        return self.marks.pop()

    def total(self):
        return sum(self.marks)
"""
SPEC = """
from harness.spec import SequenceScope

observers = ["total"]

def rep_ok(tally):
    return len(tally.marks) < 3

def abstraction(tally):
    return tuple(tally.marks)

def sequences(scope):
    s = SequenceScope("Tally")
    s.method("mark", range(scope))
    s.method("undo")
    s.method("total")
    return s
"""
NEW, MARK0, MARK1, UNDO, TOTAL = Call(0, ()), Call(1, (0, 0)), Call(1, (0, 1)), Call(2, (0,)), Call(3, (0,))
SEQUENCES = [(NEW, MARK1), (NEW, MARK1, UNDO), (NEW, UNDO), (NEW, MARK0, MARK1, TOTAL)]
LOST = TALLY.replace("self.marks.append(value)", "pass")
REVERSED = TALLY.replace("self.marks.append(value)", "self.marks.insert(0, value)")
BLIND = TALLY.replace("sum(self.marks)", "0")
OTHER_ERROR = TALLY.replace("raise IndexError", "raise KeyError")


def judged(folder: Path, mutant: str, oracle: OracleName) -> list[str | None]:
    """Return the reasons of the fast path, after checking that they equal those of the naive one."""
    bench = SequenceBench(folder, TALLY, SPEC, SEQUENCES, oracle=oracle)
    fast, naive = bench.fast(mutant), bench.naive(mutant)
    assert [(steps, kill and (kill.reason, kill.phase, kill.detail)) for steps, kill in fast] == naive
    return [reason and reason.split(":")[0] for reason in reasons(fast)]


THERE = [None, None, None, None]
RAISES = [None, None, "exception", None]


@pytest.mark.parametrize(
    ("mutant", "differential", "public", "observers"),
    [
        (
            LOST,
            ["state", "exception", None, "output"],
            [None, "exception", None, "output"],
            ["state", "exception", None, "output"],
        ),
        (REVERSED, [None, None, None, "state"], THERE, THERE),
        (BLIND, [None, None, None, "output"], [None, None, None, "output"], ["state", None, None, "output"]),
        (OTHER_ERROR, RAISES, RAISES, RAISES),
        (TALLY, THERE, THERE, THERE),
    ],
    ids=["lost", "reversed", "blind", "other-error", "original"],
)
@pytest.mark.parametrize("oracle", [OracleName.DIFFERENTIAL, OracleName.PUBLIC, OracleName.OBSERVERS])
def test_what_each_oracle_sees(tmp_path, oracle, mutant, differential, public, observers):
    expected = {
        OracleName.DIFFERENTIAL: differential, OracleName.PUBLIC: public, OracleName.OBSERVERS: observers
    }[oracle]  # fmt: skip
    assert judged(tmp_path, mutant, oracle) == expected


def test_no_state_has_to_satisfy_rep_ok(tmp_path):
    refusing = SPEC.replace("len(tally.marks) < 3", "False")
    with pytest.raises(BaselineError, match="rep_ok"):
        SequenceBench(tmp_path, TALLY, refusing, SEQUENCES)
    bench = SequenceBench(tmp_path / "public", TALLY, refusing, SEQUENCES, oracle=OracleName.PUBLIC)
    assert reasons(bench.fast(TALLY)) == [None] * len(SEQUENCES)


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("[]", "there is no observer to ask"),
        ('["undo"]', "the observer 'undo' changes the object"),
        ('["size"]', "the observer 'size' is no method of Tally"),
        ('"total"', "not a list of names"),
    ],
)
def test_what_is_no_observer_is_refused(tmp_path, named, message):
    spec = SPEC.replace('["total"]', named)
    with pytest.raises(SpecError, match=message):
        SequenceBench(tmp_path, TALLY, spec, SEQUENCES, oracle=OracleName.OBSERVERS)


BOX = """
class Box:
    def __init__(self):
        self.content = 0
        self._cache = 0

    def put(self, other):
        return other


class Large(Box):
    pass


class Hidden(dict):
    def items(self):
        return ()


class Label:
    def __init__(self):
        self.text = ""
"""
BOX_SPEC = """
from harness.spec import SequenceScope


def rep_ok(box):
    return box.content >= 0


def abstraction(box):
    return box.content


def sequences(scope):
    s = SequenceScope("Box")
    s.constructor()
    s.method("put", range(2))
    s.omit("_.*")
    return s
"""


class Readers:
    """Both rules, on one program: a call of `put` on a box that a constructor made."""

    def __init__(self, spec: str = BOX_SPEC, concrete: bool = False) -> None:
        self.module: ModuleType = execute(ModuleText("impl", BOX, "impl.py"))
        self.spec: Spec = load_spec(spec, "spec.py")
        self.states = Rule(self.spec, concrete)
        self.sequences = SequenceRule(self.spec, concrete, self.spec.sequences(1, BOX).omission())
        self.box = self.module.Box()
        self.on_state = PreparedInput(self.box.put, (0,), self.box, (0,))
        routines = Routines(self.module, self.spec.sequences(1, BOX))
        self.in_sequence = PreparedSequence(routines, [Call(0, ()), Call(1, (0, 0))], [self.box])
        self.in_sequence.invoke()

    def values(self, value: Any) -> tuple[bytes, bytes]:
        return self.states.value(value, self.on_state), self.sequences.value(value, self.in_sequence)

    def later(self, **fields: Any) -> tuple[bool, bool]:
        """Return whether each rule distinguishes a state with other fields from this one."""
        before = self.states.state(self.on_state), self.sequences.state(self.in_sequence)
        vars(self.box).update(fields)
        after = self.states.state(self.on_state), self.sequences.state(self.in_sequence)
        return before[0] != after[0], before[1] != after[1]


@pytest.fixture
def readers():
    return Readers()


def test_the_root_is_self_and_objects_of_a_sequence_have_the_number_of_their_call(readers):
    assert readers.values(readers.box) == (b"self", b"call 0")


def test_a_structure_has_the_class_of_the_root_or_in_sequences_one_that_derives_from_it(readers):
    box, large = readers.module.Box(), readers.module.Large()
    assert [told[:8] for told in readers.values(box)] == [b"abstract", b"abstract"]
    of_state, of_sequence = readers.values(large)
    assert (of_state[:8] == b"abstract", of_sequence[:8]) == (False, b"abstract")


def test_a_structure_that_breaks_rep_ok_is_told_by_its_fields(readers):
    broken = readers.module.Box()
    broken.content = -1
    of_state, of_sequence = readers.values(broken)
    assert (of_state[:7], of_sequence[:7]) == (b"invalid", b"invalid")


def test_rep_ok_is_asked_of_any_root_of_a_state_and_of_structures_in_sequences(readers):
    readers.in_sequence.root = readers.on_state.root = readers.module.Label()
    with pytest.raises(AttributeError, match="content"):
        readers.states.holds(readers.on_state)
    assert readers.sequences.holds(readers.in_sequence) is True


def test_items_that_a_subclass_of_dict_does_not_list_are_read_in_sequences_alone():
    readers = Readers(BOX_SPEC.replace("def abstraction", "def unused"))
    vars(readers.box)["content"] = 0
    assert readers.later(content=readers.module.Hidden()) == (True, True)
    assert readers.later(content=readers.module.Hidden({1: 2})) == (False, True)


@pytest.mark.parametrize(("concrete", "is_killed"), [(False, False), (True, True)])
def test_structure_is_compared_beside_the_abstraction_on_request(concrete, is_killed):
    assert Readers(concrete=concrete).later(other=1) == (is_killed, is_killed)


def test_a_state_without_a_root_has_no_structures(readers):
    assert readers.states.structures(PreparedInput(len, ((),), None, ((),))) == []
    assert readers.states.structures(readers.on_state) == [readers.box]


def test_the_structures_of_a_sequence_begin_with_the_root(readers):
    sequence = readers.in_sequence
    other = readers.module.Large()
    sequence.objects = {0: other, 1: readers.module.Label(), 2: readers.box}
    assert readers.sequences.structures(sequence) == [readers.box, other]


def test_reading_a_structure_that_a_call_returned_may_have_run_the_program(readers):
    assert readers.sequences.is_apart
    readers.values(3)
    readers.values(readers.box)
    assert readers.sequences.is_apart
    readers.values(readers.module.Box())
    assert not readers.sequences.is_apart
    assert not readers.states.is_apart
