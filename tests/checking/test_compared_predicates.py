"""`check` compares dedicated predicates with the plain ones on all states, also on those that no sample has."""

import pytest
from generator_samples import generated_suite
from support.tellers import silent_teller

from harness.checking.process import Checking
from harness.checking.result import CheckRequest, CheckResult, ComparedPredicate
from harness.errors import SpecError
from harness.generators.policies.korat.dedicated import KoratDedicated
from harness.kernel.program.loader import ModuleText

CODE = """
class Triple:
    def __init__(self):
        self.a = self.b = self.c = 0

    def put(self, value):
        self.a = value
"""

SPEC = """
from harness.spec import Finitization, and_, equal, field, is_in, not_

def rep_ok(triple):
    return triple.a >= 0 and triple.b >= 0 and triple.c >= 0

def rep_ok_dedicated(triple):
    return bool(REQUIRED) and rep_ok(triple)

def is_small(triple, value):
    return value <= triple.a

is_small_dedicated = is_small

def finitization(scope):
    f = Finitization("Triple")
    for name in "abc":
        f.set(f"Triple.{name}", range(scope))
    f.method("put", [0])
    return f
"""
MIDDLE = "not_(and_(*(equal(field(triple, name), value) for name, value in zip('abc', (5, 0, 9)))))"
SCOPE = 14


def checking(spec: str, scope: int) -> Checking:
    return Checking(
        CheckRequest(ModuleText("impl", CODE, "impl.py"), spec, "spec.py", scope, ".", "black-box"), silent_teller()
    )


def test_a_state_is_named_that_the_sample_of_a_search_does_not_have(tmp_path):
    spec = SPEC.replace("REQUIRED", MIDDLE)
    header = generated_suite(tmp_path / "suite", spec, CODE, KoratDedicated(), scope=SCOPE)
    assert header.states == SCOPE**3 - 1
    message = r"^spec\.py: rep_ok_dedicated refuses Triple\(a=5, b=0, c=9\), which rep_ok accepts; make both accept"
    with pytest.raises(SpecError, match=message):
        checking(spec, SCOPE).compare()


@pytest.mark.parametrize(
    ("required", "message"),
    [
        ("setattr(triple, 'c', 0) or True", r"rep_ok_dedicated changes the state that it is given, on "),
        ("triple.b >= 0 or triple.c > 9", None),
    ],
)
def test_all_states_are_looked_at(required, message):
    spec = SPEC.replace("REQUIRED", required)
    if message is None:
        assert checking(spec, 3).compare() == [ComparedPredicate("rep_ok_dedicated", "rep_ok", 27)]
        return
    with pytest.raises(SpecError, match=rf"^spec\.py: {message}"):
        checking(spec, 3).compare()


def test_rep_ok_is_compared_if_every_target_has_a_precondition_of_its_own():
    spec = SPEC.replace("REQUIRED", "triple.b == 0").replace('"put", [0]', '"put", range(scope), requires=is_small')
    with pytest.raises(SpecError, match=r"^spec\.py: rep_ok_dedicated refuses Triple\(a=0, b=1, c=0\), which rep_ok"):
        checking(spec, 2).compare()


def test_preconditions_are_compared_and_a_spec_without_dedicated_predicates_has_nothing_to_compare():
    joint = SPEC.replace("REQUIRED", "True").replace('"put", [0]', '"put", range(scope), requires=is_small')
    states = ComparedPredicate("rep_ok_dedicated", "rep_ok", 8)
    assert checking(joint, 2).compare() == [states]
    other = joint.replace("is_small_dedicated = is_small", "is_small_dedicated = lambda t, v: is_in(v, range(t.a + 1))")
    inputs = ComparedPredicate("is_small_dedicated", "is_small", 12)
    assert checking(other, 2).compare() == [states, inputs]
    assert checking(SPEC.replace("rep_ok_dedicated", "another").replace("REQUIRED", "True"), 2).compare() == []


def test_the_text_of_a_check_says_what_was_compared():
    predicates = (ComparedPredicate("rep_ok_dedicated", "rep_ok", 1027), ComparedPredicate("p_dedicated", "p", 2))
    assert CheckResult("triple", 3, "black-box", 0.1, (), predicates).as_text().splitlines()[1:] == [
        "  rep_ok_dedicated: accepts the same 1,027 states as rep_ok",
        "  p_dedicated: accepts the same 2 inputs as p",
    ]
