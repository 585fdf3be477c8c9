"""The branches of a sub-suite are those that its inputs execute, as coverage.py counts them."""

import numpy as np
import pytest
from coverage_samples import code_coverage, korat_suite, spans
from support.subjects import load_subject

from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.measurement import measured_branches
from harness.model.coverage import CoverageCounts


@pytest.mark.parametrize("name", ["heap_array", "tree_map"])
def test_all_inputs_execute_the_branches_that_the_suite_covers_and_no_input_all_of_them(name, tmp_path):
    subject, spec = load_subject(name)
    suite, functions = korat_suite(subject, spec, 2, tmp_path), spans(subject, spec, 2)
    whole = sum((found.counts for found in code_coverage(subject, suite, 2, functions)), CoverageCounts())
    branches, rows = measured_branches(subject, SuiteReader(suite), functions)
    executed = np.frombuffer(rows, dtype=np.uint8).reshape(len(SuiteReader(suite)), -1)
    assert branches == whole.branches
    assert np.bitwise_count(np.bitwise_or.reduce(executed)).sum() == whole.branches_executed
    assert 0 < np.bitwise_count(executed).sum(axis=1).max() < whole.branches_executed
    assert len({bytes(row) for row in executed}) > 5
