"""Specs may state contracts of methods, and mistakes in these are reported."""

from dataclasses import asdict

import pytest
from support.subjects import load_subject
from support.tellers import silent_teller

from harness.checking.check import check
from harness.checking.process import Checking
from harness.checking.result import CheckRequest
from harness.errors import BaselineError, SpecError
from harness.kernel.program.loader import ModuleText

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
