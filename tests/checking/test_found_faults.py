"""Checks what a search for faults reports, and what it counts."""

import shutil

import pytest

from harness import api, resources
from harness.checking.fault_search import DetectedFault
from harness.checking.faults import FaultReport
from harness.command_line.main import main

SPEC = """

def fault(state, result, raised, *arguments):
    from harness.programs import Cause, fault_of

    texts = {0: "if out = 1: pass", 1: "out(2)", 2: "out(3)"}
    known = [
        Cause("this or that", lambda program, failure: program > 0),
        Cause("odd", lambda program, failure: program == 2),
    ]
    result = "changed", [("one", "def run(out): out(1)")], [("one", f"def run(out):\\n    {texts[state.size]}")]
    return fault_of(state.size, result, None, known, "harness")
"""


def report(*causes: tuple[str, ...]) -> FaultReport:
    faults = tuple(DetectedFault(each, 1, number, 1, "shown") for number, each in enumerate(causes))
    return FaultReport("one", "One", "korat", 2, 0, len(faults), 0.1, 0.1, faults)


def test_a_cause_counts_alone_whatever_its_name_and_several_count_for_none():
    faults = report(("this or that",), ("this", "that"), ("parse: invalid syntax. Maybe '==' or ':='?",))
    assert faults.distinct == ("this or that", "parse: invalid syntax. Maybe '==' or ':='?")
    text = faults.as_text()
    assert text.count("this or that: 1 input,") == 2
    assert text.count("(counted for none)") == 1


@pytest.fixture
def subject(tmp_path):
    """A copy of a subject whose spec tells a fault by the state's size."""
    folder = tmp_path / "told"
    shutil.copytree(resources.subject_folder("linked_list"), folder)
    spec = folder / "spec.py"
    spec.write_text(spec.read_text() + SPEC)
    return folder


def test_causes_come_out_of_the_sandbox_as_they_went_in(subject, capsys):
    faults = api.faults(str(subject), scope=2)
    causes = {fault.causes for fault in faults.faults}
    (syntax,) = causes - {("this or that",), ("this or that", "odd")}
    assert len(causes) == 3
    assert syntax[0].startswith("parse: ")
    assert " or " in syntax[0]
    assert set(faults.distinct) == {"this or that", *syntax}
    assert main(["faults", str(subject), "--scope", "2"]) == 1
    assert capsys.readouterr().out.count("(counted for none)") == 1


@pytest.mark.parametrize("returned", ["'too long'", "('one',)", "True"])
def test_what_is_no_fault_is_an_error_of_the_spec_in_one_line(subject, returned, capfd):
    spec = subject / "spec.py"
    spec.write_text(f"{spec.read_text()}\n\ndef fault(state, result, raised, *arguments):\n    return {returned}\n")
    assert main(["faults", str(subject), "--scope", "1"]) == 2
    errors = capfd.readouterr().err
    assert "spec.py: fault returned" in errors
    assert "return Fault(" in errors
    assert errors.count("\n") == 1
