"""A precondition narrows the valid states, whichever generator makes them; only one of any state replaces rep_ok."""

from pathlib import Path

import pytest
from generator_samples import generated_suite

from harness.errors import SpecError
from harness.generators.registry import find_generator
from harness.kernel.inputs.suites import SuiteReader
from harness.model.finitization import Finitization

OFFICE = """
class Helper:
    def __init__(self, chief, grade):
        self.chief = chief
        self.grade = grade


class Chief:
    def __init__(self):
        self.helper = None
        self.deputy = None


class Office:
    def __init__(self):
        self.chief = None

    def found(self): ...
    def hire(self, grade): ...
    def promote(self): ...
    def swap(self): ...
"""
OFFICE_SPEC = """
from harness.spec import Finitization
from harness.relational import all_of, closure, for_all, reflexive_closure


def rep_ok(office):
    met = []
    chief = office.chief
    while chief is not None:
        if any(chief is other for other in met):
            return False
        met.append(chief)
        if chief.helper is not None and chief.helper.chief is not chief:
            return False
        chief = chief.deputy
    return True


def finitization(scope):
    f = Finitization("Office")
    chiefs = f.objects("Chief", scope)
    helpers = f.objects("Helper", scope)
    f.set("Office.chief", None, chiefs)
    f.set("Chief.helper", None, helpers)
    f.set("Chief.deputy", None, chiefs)
    f.set("Helper.chief", chiefs)
    f.set("Helper.grade", range(scope))
    f.method("found")
    f.method("hire", range(scope))
    f.method("promote")
    f.method("swap", requires=has_two)
    return f


def has_two(office):
    return office.chief is not None and office.chief.deputy is not None


def invariant(thiz, heap):
    chiefs = thiz.chief @ reflexive_closure(heap.deputy)
    return all_of(
        for_all(chiefs, lambda c: ~c.within(c @ closure(heap.deputy))),
        for_all(chiefs, lambda c: for_all(c.helper, lambda h: h @ heap["Helper.chief"] == c)),
    )
"""

STATES_AND_INPUTS = {
    1: (3, {"found": 3, "hire": 3, "promote": 3}),
    2: (13, {"found": 13, "hire": 26, "promote": 13, "swap": 9}),
}
"""Valid states and inputs of an office, by scope."""


def inputs_of(folder: Path, name: str, spec: str, scope: int) -> tuple[int, dict[str, int]]:
    """Return how many states a suite has, and how many inputs of each target."""
    header = generated_suite(folder, spec, OFFICE, find_generator(name), scope=scope)
    suite = SuiteReader(folder)
    counts: dict[str, int] = {}
    for number in range(len(suite)):
        target = header.targets[suite.calls[suite.input(number)[1]].target]
        counts[target] = counts.get(target, 0) + 1
    return header.states, counts


@pytest.mark.parametrize("scope", STATES_AND_INPUTS)
@pytest.mark.parametrize("generator", ["korat", "brute-force", "sat-exhaustive", "hypothesis"])
def test_targets_get_the_valid_states_for_which_the_precondition_is_true(tmp_path, generator, scope):
    assert inputs_of(tmp_path / "suite", generator, OFFICE_SPEC, scope) == STATES_AND_INPUTS[scope]


def test_any_true_value_of_a_precondition_counts(tmp_path):
    spec = OFFICE_SPEC.replace("is not None and office.chief.deputy is not None", "and office.chief.deputy")
    assert inputs_of(tmp_path / "suite", "korat", spec, 2) == STATES_AND_INPUTS[2]


@pytest.mark.parametrize("generator", ["korat", "brute-force"])
def test_a_precondition_of_any_state_takes_states_that_are_not_valid(tmp_path, generator):
    spec = OFFICE_SPEC.replace("requires=has_two", "requires=has_two, any_state=True")
    assert inputs_of(tmp_path / "suite", generator, spec, 2)[1]["swap"] == 126


def test_any_state_needs_a_precondition():
    with pytest.raises(SpecError, match="target 'sort': any_state=True needs requires"):
        Finitization("List").method("sort", any_state=True)
