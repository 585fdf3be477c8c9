"""The original is run on states and on sequences; what cannot be a test is refused in one line."""

import re
from pathlib import Path

import pytest
from support.own_subject import write_subject
from support.sequence_bench import SequenceBench
from support.subjects import load_subject

from harness.errors import BaselineError
from harness.kernel.inputs.suites import Call, SuiteReader
from harness.kernel.judging.baseline import Baseline
from harness.kernel.program.loader import ModuleText, execute_with_ticks, step_counter
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_job import JudgedSuite
from harness.kernel.specs.spec import load_spec
from harness.model.experiment import Trial
from harness.runner.suites import ensure_suite

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


@pytest.mark.parametrize(
    ("sequence", "expected"),
    [
        (
            [NEW, PUT0, PUT0, PUT0],
            "input 0, box = Box(); box.put(0); box.put(0); box.put(0): the precondition of call 4 of 4 does not hold; ",
        ),
        ([NEW, TAKE, Call(1, (1, 0))], "result.put(0): call 3 of 3 takes a result that there is not "),
        ([NEW, PUT1], "box.put(1): call 2 of 2, Box.put: its post-state does not satisfy rep_ok; correct "),
    ],
)
def test_what_is_no_test_is_refused(tmp_path, sequence, expected):
    with pytest.raises(BaselineError) as raised:
        SequenceBench(tmp_path, SOURCE, SPEC, [sequence])
    assert expected in str(raised.value)
    assert "\n" not in str(raised.value)


CELL = """
class Cell:
    def put(self, value):
        self.value = value
"""
CELL_SPEC = """
from harness.spec import Finitization

def rep_ok(cell):
    return cell.value != INVALID

def may_put(cell, value):
    return value != REFUSED

def finitization(scope):
    f = Finitization("Cell")
    f.set("Cell.value", range(3))
    f.method("put", range(2), requires=OWN)
    return f
"""


@pytest.fixture(scope="module")
def states(tmp_path_factory):
    """All values of a cell, each with a call of `put` that needs nothing."""
    name = write_subject(tmp_path_factory.mktemp("subjects") / "cell", CELL, cell_spec())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUTASCOPE_CACHE", str(Path(name).parent / "cache"))
        return ensure_suite(load_subject(name)[0], Trial(name, "korat", 2))


def cell_spec(invalid: int = 9, refused: int = 9, own: str = "None") -> str:
    """Return a spec in which a value is invalid, or in which the precondition of `put` refuses an argument."""
    return CELL_SPEC.replace("INVALID", str(invalid)).replace("REFUSED", str(refused)).replace("OWN", own)


def observed(suite: SuiteReader, spec: str) -> Baseline:
    """Return the outcomes of all inputs of the suite under another spec."""
    counter, text, baseline = step_counter(), ModuleText("impl", CELL, "impl.py"), Baseline()
    counter.start(1 << 60)
    job = RunJob(text, spec, "spec.py", 2, str(suite.folder))
    judged = JudgedSuite(job, suite, load_spec(spec, "spec.py", counter), counter)
    judged.observe(execute_with_ticks(text, counter), range(len(suite)), baseline, lambda number: None)
    return baseline


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (cell_spec(invalid=2), "input 4, Cell(value=2).put(0): the pre-state does not satisfy rep_ok; the suite was "),
        (cell_spec(refused=1, own="may_put"), "input 1, Cell(value=0).put(1): the precondition does not hold; the "),
        (cell_spec(invalid=2, own="may_put"), "the pre-state does not satisfy rep_ok"),
        # a failure of the original tells whether the state before it was valid
        (cell_spec(invalid=1), "Cell(value=0).put(1) from a valid state: its post-state"),
        (cell_spec(invalid=0, own="may_put, any_state=True"), "from a state that rep_ok rejects: its post-state"),
    ],
)
def test_a_state_of_another_spec_is_refused(states, spec, expected):
    with pytest.raises(BaselineError, match=re.escape(expected)):
        observed(states, spec)


RAISES = "    return {9: True}[value]"


def test_what_a_precondition_raises_is_its_own_error(states, tmp_path):
    raising = cell_spec(own="may_put").replace("    return value != 9", RAISES)
    with pytest.raises(KeyError, match=r"^0$"):
        observed(states, raising)
    with pytest.raises(KeyError, match=r"^0$"):
        SequenceBench(tmp_path, SOURCE, SPEC.replace("    return len(box.held) < 2", RAISES), [[NEW, PUT0]])


def test_a_precondition_of_any_state_stands_for_rep_ok(states):
    assert len(observed(states, cell_spec(invalid=2, own="may_put, any_state=True"))) == 6
