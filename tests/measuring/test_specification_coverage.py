"""Statement and branch coverage of a predicate while Korat searches."""

import pytest
from coverage_samples import NAMES, korat_suite, small_subject, spans
from naive_tracer import NaiveTracer, naive_counts
from support.subjects import load_subject

from harness.errors import SpecError
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.described import preconditions
from harness.measuring.measurement import code_measurement, coverage_by_function, specification_measurement
from harness.model.coverage import CoverageCounts
from harness.mutation.reach import reachable
from harness.runner.subjects import finitization_of
from harness.store.facts import CoverageKind, FunctionCoverage

IMPLEMENTATION = """\
class Pair:
    def __init__(self):
        self.low = 0
        self.high = 0

    def swap(self):
        self.low, self.high = self.high, self.low
"""

SPEC = """\
from harness.spec import Finitization

def rep_ok(pair):
    if pair.low is None:
        return False
    return _ordered(pair)

def _ordered(pair):
    if pair.low > pair.high:
        return False
    return True

def abstraction(pair):
    return (pair.low, pair.high)

def finitization(scope):
    f = Finitization("Pair")
    f.set("Pair.low", range(scope))
    f.set("Pair.high", range(scope))
    f.method("swap")
    return f
"""


def covered(subject, scope):
    measurement = specification_measurement(subject, scope, preconditions(finitization_of(subject, scope)))
    return coverage_by_function({CoverageKind.SPEC: measurement})


def by_name(coverage):
    return {c.function: c.counts for c in coverage}


def test_counts_are_those_done_by_hand_and_only_of_what_rep_ok_reaches(tmp_path):
    subject, _ = small_subject(tmp_path, IMPLEMENTATION, SPEC)
    assert covered(subject, 1) == [
        FunctionCoverage(CoverageKind.SPEC, "rep_ok", CoverageCounts(3, 2, 2, 1)),
        FunctionCoverage(CoverageKind.SPEC, "_ordered", CoverageCounts(3, 2, 2, 1)),
    ]


@pytest.mark.parametrize("scope", [1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_a_naive_tracer_over_the_whole_search_counts_the_same(name, scope):
    subject, spec = load_subject(name)
    module = execute(ModuleText.of(subject))
    finitization = spec.finitization(scope)
    own = {target.requires for target in finitization.targets if target.requires}
    searches = [KoratSearch(StateSpace(finitization), module, spec.rep_ok)]
    searches += [KoratSearch(StateSpace(finitization), module, requires) for requires in own]
    tracer = NaiveTracer(str(subject.spec_path))
    tracer.run(lambda: [list(search) for search in searches])
    extents = reachable(subject.spec_source, ["rep_ok", *(requires.__name__ for requires in own)])
    functions = {function: (e.first_line, e.last_line) for function, e in extents.items()}
    assert by_name(covered(subject, scope)) == naive_counts(subject.spec_source, functions, tracer)


@pytest.mark.slow
def test_a_targets_own_precondition_counts_with_what_it_reaches(tmp_path):
    spec = SPEC.replace('f.method("swap")', 'f.method("swap", requires=lambda pair: _low(pair))')
    spec += "\ndef _low(pair):\n    return pair.low == 0\n"
    subject, _ = small_subject(tmp_path, IMPLEMENTATION, spec)
    assert "_low" not in by_name(covered(subject, 2)), "a lambda has no name to go by"
    subject, _ = small_subject(tmp_path, IMPLEMENTATION, spec.replace("lambda pair: _low(pair)", "_low"))
    assert by_name(covered(subject, 2))["_low"] == CoverageCounts(1, 1, 0, 0)


def test_a_rep_ok_that_raises_is_told_by_the_line_of_the_users_file(tmp_path):
    subject, _ = small_subject(tmp_path, IMPLEMENTATION, SPEC.replace("return True", "return 1 // pair.low"))
    with pytest.raises(SpecError, match=rf"ZeroDivisionError.*{subject.spec_path}:11"):
        covered(subject, 1)


def test_a_rep_ok_defined_elsewhere_is_refused(tmp_path):
    spec = SPEC.replace("def rep_ok", "def _valid") + "\nrep_ok = _valid\n"
    subject, _ = small_subject(tmp_path, IMPLEMENTATION, spec)
    with pytest.raises(SpecError, match="defines no function rep_ok itself"):
        covered(subject, 1)


@pytest.mark.slow
def test_both_kinds_of_coverage_measured_in_one_process_are_those_of_two(tmp_path):
    subject, spec = load_subject("heap_array")
    of_code = code_measurement(subject, korat_suite(subject, spec, 2, tmp_path), 2, spans(subject, spec, 2))
    of_spec = specification_measurement(subject, 2, preconditions(finitization_of(subject, 2)))
    kinds = {CoverageKind.CODE: of_code, CoverageKind.SPEC: of_spec}
    of_two = [function for kind, one in kinds.items() for function in coverage_by_function({kind: one})]
    assert coverage_by_function(kinds) == of_two
    assert {function.kind for function in of_two} == {CoverageKind.CODE, CoverageKind.SPEC}
