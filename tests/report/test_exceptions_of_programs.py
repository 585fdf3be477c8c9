"""A program may raise an exception that derives from BaseException alone: an outcome like any other, everywhere."""

import json

import pytest
from support.exported_suites import outcome
from support.own_subject import standing_beside

from harness import api

SOURCE = """
class Stop(BaseException):
    pass


class Gate:
    def __init__(self):
        self.level = 0

    def rise(self, by):
        if by == 2:
            raise Stop
        self.level = min(self.level + by, 3)
        return self.level
"""
SPEC = """
from harness.programs import Fault
from harness.spec import Finitization, SequenceScope


def rep_ok(gate):
    return 0 <= gate.level <= 3


def post_rise(before, after, returned, by, *, raised):
    return raised is None or by == 2


def fault(gate, returned, raised, by):
    return None if raised is None else Fault(("refused",), "a gate")


def finitization(scope):
    f = Finitization("Gate")
    f.set("Gate.level", range(4))
    f.method("rise", range(3))
    return f


def sequences(scope):
    s = SequenceScope("Gate")
    s.constructor()
    s.method("rise", range(3))
    return s
"""
ORACLES = ("differential", "postcondition")
CALLS = [["Gate"], ["rise", 2], ["rise", 1], ["rise", 2]]


@pytest.fixture
def home(tmp_path):
    with standing_beside(tmp_path, "gate", SOURCE, SPEC):
        (tmp_path / "calls.jsonl").write_text("".join(f"{json.dumps(CALLS[:end])}\n" for end in (2, 3, 4)))
        yield tmp_path


@pytest.mark.slow
def test_it_is_measured_judged_and_verified_and_coverage_counts_it(home):
    experiment = api.subject_experiment("gate", "korat", [2], suites="calls.jsonl", oracles=ORACLES)
    run = api.load(api.run(experiment, home / "run", jobs=1))
    coverage = run.coverage()
    assert list(coverage.loc[coverage["kind"] == "code", "branch_coverage"]) == [1, 1]
    assert api.verify(home / "run", jobs=1).holds


@pytest.mark.slow
@pytest.mark.parametrize(("suite", "raising"), [("korat", 4), ("calls.jsonl", 3)])
def test_exported_tests_expect_it(home, suite, raising):
    file, inputs = api.export_pytest("gate", suite, 2, path=home / "test_gate.py"), len(api.generate("gate", suite, 2))
    assert outcome(file) == (inputs, 0)
    (home / "subjects/gate/impl.py").write_text(SOURCE.replace("class Stop", "class End").replace("e Stop", "e End"))
    assert outcome(file) == (inputs - raising, raising)


@pytest.mark.slow
def test_written_tests_expect_it(home):
    written = api.write_tests("gate", "calls.jsonl", 2, path=home / "test_gate.py")
    assert "with pytest.raises(Stop):" in written.path.read_text()


def test_the_last_call_is_told_with_it(home):
    calls = api.last_calls("gate", api.generate("gate", "calls.jsonl", 2))
    assert [call.raised for call in calls] == ["Stop", "", "Stop"]


@pytest.mark.slow
def test_faults_are_told_of_it_and_a_property_that_allows_it_holds(home):
    (fault,) = api.faults("gate", scope=2).faults
    assert (fault.causes, fault.inputs) == (("refused",), 4)
    assert not api.check("gate", 2).violated
