"""Contracts of methods and mistakes in them are reported, and checks find the shortest sequences to a structure."""

import shutil
from dataclasses import asdict

import pytest
from support.subjects import load_subject
from support.tellers import silent_teller

from harness import api, resources
from harness.checking.check import check
from harness.checking.fault_search import DetectedFault
from harness.checking.faults import FaultReport
from harness.checking.judge import CallChecker
from harness.checking.process import Checking
from harness.checking.result import CheckRequest
from harness.checking.sequences import Sequences, SequenceStep
from harness.command_line.main import main
from harness.errors import BaselineError, SpecError
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.objects.equality import concrete
from harness.kernel.program.loader import ModuleText, execute_with_ticks, step_counter

CODE = """
class Box:
    def __init__(self):
        self.value = 0

    def put(self, value):
        if value == 2:
            raise ValueError("no room")
        self.value = value

    def swap(self, other):
        self.value, other.value = other.value, self.value
"""

SPEC = """
from harness.spec import Finitization, Structures, axiom


def rep_ok(box):
    return 0 <= box.value <= 2


def boxes(scope):
    f = Finitization("Box")
    f.set("Box.value", range(scope + 1))
    return f


def finitization(scope):
    f = boxes(scope)
    f.method("put", range(scope + 1))
    f.method("swap", Structures(boxes(scope), rep_ok))
    return f
"""
ABSTRACT = "\ndef abstraction(box):\n    return box.value\n"


def run(spec: str, mode: str = "black-box", scope: int = 2, code: str = CODE) -> dict[str, dict]:
    job = CheckRequest(ModuleText("impl", code, "box/impl.py"), SPEC + spec, "box/spec.py", scope, "box", mode)
    return {found.name: asdict(found) for found in Checking(job, silent_teller()).run()}


def violation(result: dict) -> str | None:
    return result["counterexample"] and result["counterexample"]["violation"]


def test_an_exception_is_a_failure_unless_the_postcondition_asks_for_it():
    strict = run(ABSTRACT + "def post_put(before, after, result, value):\n    return True\n")
    assert violation(strict["put"]) == "it raised ValueError: no room"
    aware = run(
        ABSTRACT + "def post_put(before, after, result, value, *, raised):\n"
        "    return after == before and isinstance(raised, ValueError) if value == 2 else after == value\n"
    )
    assert violation(aware["put"]) is None


@pytest.mark.parametrize("mode", ["black-box", "white-box"])
@pytest.mark.parametrize("abstraction", [ABSTRACT, ""])
def test_a_postcondition_gets_states_and_arguments_as_they_were_and_are(mode, abstraction):
    value = "" if abstraction else ".value"
    results = run(
        abstraction + "def post_swap(before, after, result, other, *, arguments_after):\n"
        f"    return before{value} == arguments_after[0]{value} and other{value} == after{value}\n",
        mode,
    )
    assert results["swap"]["kind"] == "postcondition"
    assert violation(results["swap"]) is None


def test_a_program_without_abstraction_copies_what_it_compares():
    results = run("def post_swap(before, after, result, other):\n    return before.value != 1 or other.value != 2\n")
    source = results["swap"]["counterexample"]["source"]
    assert "before = copy.deepcopy(box1)\nbox2_before = copy.deepcopy(box2)\n" in source
    assert "spec.post_swap(before, box1, result, box2_before)" in source


@pytest.mark.parametrize(
    ("wrong", "start"),
    [
        ("def post_put(before, after, result, value):\n    return 1 / 0\n", "the postcondition raised ZeroDivision"),
        ("@axiom('swap')\ndef same(box, other):\n    return box.value == other.value\n", "the axiom does not hold"),
        ("@axiom('put')\ndef lasting(box, value):\n    box.put(value)\n    return True\n", "the axiom raised Value"),
        ("@axiom('put')\ndef endless(box, value):\n    while True:\n        pass\n", "it does not end within"),
    ],
)
def test_what_is_wrong_is_told_in_a_few_words(wrong, start):
    results = run(ABSTRACT + wrong)
    assert any((violation(each) or "").startswith(start) for each in results.values())


def test_an_axiom_may_ask_for_the_program():
    results = run("@axiom('put')\ndef made_empty(box, value, *, program):\n    return program.Box().value == value\n")
    assert results["made_empty"]["failing"] == 6
    assert "assert spec.made_empty(box1, 1, program=impl)" in results["made_empty"]["counterexample"]["source"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("def post_push(before, after, result):\n    pass\n", "post_push is about 'push', .* there are put, swap"),
        ("@axiom('pop')\ndef rule(box):\n    pass\n", "rule is about 'pop', which is no target"),
        ("def post_put(before, after, result, value, *, error):\n    pass\n", "asks for error, .* may ask for raised"),
        ("@axiom('put')\ndef rule(box, value, *, raised):\n    pass\n", "rule asks for raised"),
    ],
)
def test_a_contract_that_fits_nothing_is_refused(wrong, message):
    with pytest.raises(SpecError, match=message):
        run(wrong)


def test_a_process_that_the_code_ends_is_told(tmp_path):
    (tmp_path / "impl.py").write_text(CODE.replace("raise ValueError", "import os; os._exit(3)"))
    (tmp_path / "spec.py").write_text(SPEC)
    with pytest.raises(BaselineError, match="ended with exit status 3"):
        check(load_subject(str(tmp_path))[0], 2)


def sequences(name: str, scope: int):
    subject, spec = load_subject(name)
    counter = step_counter()
    text = ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked)
    module = execute_with_ticks(text, counter)
    finitization = spec.finitization(scope)
    judge = CallChecker(spec, module, counter)
    space = StateSpace(finitization)
    states = [Decoder(space, module).decode(vector).root for vector in KoratSearch(space, module, spec.rep_ok)]
    return Sequences(spec, module, spec.sequences(scope, subject.source), judge), states


def find(source: Sequences, accepts) -> tuple[SequenceStep, ...] | None:
    """Return the first sequence to an accepted state."""
    return next((source.steps(visited.calls) for visited in source.visit() if accepts(visited.root)), None)


def written(steps) -> list[str]:
    """Return the calls after the one that makes the object, as text."""
    assert not steps[0].routine.has_receiver
    return [f"{step.routine.name}{step.arguments}" for step in steps[1:]]


def test_every_search_tree_is_built_by_adding_its_keys():
    source, trees = sequences("search_tree", 3)
    for tree in trees:
        expected = concrete(tree)
        steps = find(source, lambda root, wanted=expected: concrete(root) == wanted)
        assert len(steps) == tree.size + 1
        assert all(step.routine.name == "add" for step in steps[1:])


def test_the_first_of_the_shortest_sequences_is_found():
    source, _ = sequences("search_tree", 3)
    assert written(find(source, lambda root: root.size == 2)) == ["add(1,)", "add(2,)"]
    assert written(find(source, lambda root: root.root is None)) == []


def test_functions_build_lists():
    source, _ = sequences("heapq", 2)
    assert written(find(source, lambda root: root == [1, 2])) == ["heappush(1,)", "heappush(2,)"]


@pytest.mark.parametrize("state", [7, 8])
def test_what_no_call_leads_to_is_not_found(state, monkeypatch):
    source, _ = sequences("search_tree", 2)
    monkeypatch.setattr("harness.checking.sequences.MOST_STATES", state)
    assert find(source, lambda root: root.size == 3) is None


def test_tokens_are_arguments_and_objects_are_not():
    source, _ = sequences("linked_list", 1)
    steps = find(source, lambda root: root.size == 1 and root.header.next.element is not None)
    assert written(steps) == ["add(<object 0>,)"]
    source, _ = sequences("sorted_list", 2)
    assert written(find(source, lambda root: root.size == 2)) == ["insert(1,)", "insert(1,)"]


SPEC_OF_SEQUENCES = """

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
    spec.write_text(spec.read_text() + SPEC_OF_SEQUENCES)
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
