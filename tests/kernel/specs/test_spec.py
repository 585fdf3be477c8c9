"""A spec that cannot be used is refused in one line that says what to do."""

import pytest

from harness.errors import SpecError
from harness.kernel.specs.spec import load_spec

GOOD = """
from harness.spec import Finitization
def rep_ok(x): return True
def finitization(scope):
    f = Finitization("X")
    f.set("X.value", range(scope))
    f.method("m")
    return f
"""


def test_a_spec_gives_its_functions_and_constants():
    spec = load_spec(
        GOOD + 'title = "A"\nimplementation = "heapq"\nblocked = ("_heapq",)\nhelpers = ["f"]\n', "spec.py"
    )
    assert (spec.title, spec.implementation, spec.blocked, spec.helpers) == ("A", "heapq", ("_heapq",), ("f",))
    assert spec.rep_ok(None) is True
    assert [target.name for target in spec.finitization(2).targets] == ["m"]


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("def rep_ok(x) return", r"spec.py:1: .*correct the spec"),
        ("1 / 0", r"raised ZeroDivisionError: .*line 1 of spec.py"),
        ("def rep_ok(x): return True", "no function finitization"),
        ("def finitization(s): pass\nrep_ok = 1", "rep_ok is 1, not a function"),
    ],
)
def test_a_spec_that_does_not_load_is_refused(source, complaint):
    with pytest.raises(SpecError, match=complaint) as caught:
        load_spec(source, "spec.py")
    assert "\n" not in str(caught.value)


def test_rep_ok_is_missed_where_there_is_a_state_to_ask_it_of():
    source = "from harness.spec import Finitization\ndef finitization(scope):\n    f = Finitization({})\n"
    source += "    f.function('m', range(2))\n    return f\n"
    assert load_spec(source.format(""), "spec.py").finitization(1).targets[0].name == "m"
    with pytest.raises(SpecError, match=r"spec\.py has no function rep_ok; define it"):
        load_spec(source.format("'X'"), "spec.py").finitization(1)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("return None", "returned NoneType, not a Finitization"),
        ("return 1 / 0", "raised ZeroDivisionError"),
        ("return Finitization('X')", "declares no target"),
        ("f = Finitization('X'); f.set('Y.a', 1); return f", "no objects of class 'Y'"),
        ("f = Finitization('X'); f.set('a', 1); return f", "takes 'Class.field'"),
        ("f = Finitization('X'); f.set('X.a', 1, 1); return f", "holds 1 twice"),
        ("f = Finitization('X'); f.set('X.a', object()); return f", "neither None"),
        ("f = Finitization('X'); f.objects('N', -1); return f", "whole number from 0, not -1"),
        ("f = Finitization('X'); f.method('m'); f.method('m'); return f", "declared twice"),
        ("f = Finitization('X'); f.lists(1, lengths=[], elements=[0]); return f", "at least one"),
    ],
)
def test_a_finitization_that_makes_no_sense_is_refused(body, complaint):
    source = (
        f"from harness.spec import Finitization\ndef rep_ok(x): return True\ndef finitization(scope):\n    {body}\n"
    )
    with pytest.raises(SpecError, match=complaint):
        load_spec(source, "spec.py").finitization(1)
