"""The coverage of a sub-suite is what its inputs alone execute."""

import pytest
from coverage_samples import code_coverage, korat_suite, spans
from support.subjects import load_subject

from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.sub_suites import sub_suite_coverage
from harness.model.coverage import CoverageCounts


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """HeapArray at scope 2: subject, suite and functions."""
    subject, spec = load_subject("heap_array")
    suite = korat_suite(subject, spec, 2, tmp_path_factory.mktemp("suite"))
    return subject, suite, spans(subject, spec, 2)


@pytest.mark.end_to_end
def test_all_inputs_cover_what_the_suite_covers_in_any_order(measured):
    subject, suite, functions = measured
    inputs = len(SuiteReader(suite))
    whole = sum((found.counts for found in code_coverage(subject, suite, 2, functions)), CoverageCounts())
    everything = list(range(inputs))
    assert sub_suite_coverage(subject, suite, 2, functions, [everything, everything[::-1]]) == [whole, whole]


@pytest.mark.end_to_end
def test_a_sub_suite_inherits_nothing_from_the_one_before(measured):
    subject, suite, functions = measured
    reader = SuiteReader(suite)
    targets = [reader.calls[reader.input(number)[1]].target for number in range(len(reader))]
    one, other = ([number for number, at in enumerate(targets) if at == target] for target in (0, 1))
    both = [*one, *other]
    first, second, third, again = sub_suite_coverage(subject, suite, 2, functions, [one, other, both, one])
    assert first == again != second
    assert 0 < first.branches_executed < third.branches_executed
    assert third.branches == first.branches
    assert max(first.branches_executed, second.branches_executed) <= third.branches_executed
    assert third.branches_executed <= first.branches_executed + second.branches_executed


@pytest.mark.end_to_end
def test_without_a_sub_suite_nothing_is_executed(measured):
    subject, _, functions = measured
    assert sub_suite_coverage(subject, None, 2, functions, []) == []
