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


def test_rep_ok_is_missed_where_there_is_a_state_to_ask_it_of():
    source = "from harness.spec import Finitization\ndef finitization(scope):\n    f = Finitization({})\n"
    source += "    f.function('m', range(2))\n    return f\n"
    assert load_spec(source.format(""), "spec.py").finitization(1).targets[0].name == "m"
    with pytest.raises(SpecError, match=r"spec\.py has no function rep_ok; define it"):
        load_spec(source.format("'X'"), "spec.py").finitization(1)
