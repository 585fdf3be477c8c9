"""Statement and branch coverage of an implementation by a suite."""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np
import pytest
from coverage_samples import NAMES, code_coverage, korat_suite, loaded_inputs, small_subject, spans
from naive_tracer import NaiveTracer, naive_counts
from support.subjects import load_subject

from harness.errors import BaselineError, UsageError
from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.code_observation import run_inputs
from harness.measuring.lines import own_lines
from harness.measuring.measurement import measured_branches
from harness.measuring.meter import Meter
from harness.model.coverage import CoverageCounts
from harness.store.facts import CoverageKind, FunctionCoverage

SPEC = """\
from harness.spec import Finitization

def rep_ok(counter):
    return counter.value >= 0

def finitization(scope):
    f = Finitization("Counter")
    f.set("Counter.value", range(-1, scope + 1))
    f.method("run", range(scope + 1))
    return f
"""

IMPLEMENTATION = '''\
class Counter:
    """Counts."""

    def __init__(self):
        self.value = 0

    def run(self, step):
        """Runs."""
        total = 0
        for number in self._numbers(step):
            total += number
        if total > 100:
            self._never(total)
        if step == 1:
            raise ValueError(step)
        return total

    def _numbers(self, step):
        number = 0
        while number < step:
            yield number
            number += 1

    def _never(self, total):
        if total:
            return 1
        return 2
'''


def measured(subject, spec, scope, folder, functions=None):
    suite = korat_suite(subject, spec, scope, folder)
    return code_coverage(subject, suite, scope, functions or spans(subject, spec, scope))


def test_counts_are_those_done_by_hand_with_generators_and_exceptions_and_add_up(tmp_path):
    subject, spec = small_subject(tmp_path, IMPLEMENTATION, SPEC)
    assert measured(subject, spec, 2, tmp_path) == [
        FunctionCoverage(CoverageKind.CODE, "Counter.run", CoverageCounts(8, 7, 6, 5)),
        FunctionCoverage(CoverageKind.CODE, "Counter._numbers", CoverageCounts(4, 4, 2, 2)),
        FunctionCoverage(CoverageKind.CODE, "Counter._never", CoverageCounts(3, 0, 2, 0)),
    ]
    total = reduce(add, (c.counts for c in measured(subject, spec, 2, tmp_path)))
    assert total == CoverageCounts(15, 11, 10, 7)
    assert not total.complete


def test_what_the_module_does_on_import_is_not_the_suites_doing(tmp_path):
    subject, spec = small_subject(tmp_path, IMPLEMENTATION + "\nCounter()._never(1)\n", SPEC)
    assert measured(subject, spec, 1, tmp_path)[-1].counts == CoverageCounts(3, 0, 2, 0)


def program_of(name, scope, folder, meter_folder):
    """Load a subject for tracing in this process: return it, its spans, meter, program and number of inputs."""
    subject, spec = load_subject(name)
    suite = SuiteReader(korat_suite(subject, spec, scope, folder))
    functions = spans(subject, spec, scope)
    meter_folder.mkdir()
    meter = Meter(subject.source, meter_folder, own_lines(subject.source, functions))
    return subject, functions, meter, loaded_inputs(subject, spec, scope, suite, meter.compiled()), len(suite)


@pytest.mark.parametrize("scope", [1, 2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_a_naive_tracer_over_all_inputs_counts_the_same(name, scope, tmp_path):
    subject, functions, meter, program, inputs = program_of(name, scope, tmp_path, tmp_path / "meter")
    counts = meter.measure(run_inputs(program, range(inputs)))
    tracer = NaiveTracer(meter.file)
    tracer.run(lambda: list(run_inputs(program, range(inputs))))
    assert counts == naive_counts(subject.source, functions, tracer)
    assert sum(c.statements_executed for c in counts.values()) > 0


def test_the_sandboxed_measurement_says_the_same_twice_and_leaves_nothing_behind(tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    monkeypatch.setenv("COVERAGE_FILE", str(tmp_path / "empty" / "leak"))
    subject, functions, meter, program, inputs = program_of("search_tree", 3, tmp_path, tmp_path / "meter")
    here = meter.measure(run_inputs(program, range(inputs)))
    for _ in range(2):
        coverage = code_coverage(subject, tmp_path / "search_tree-3", 3, functions)
        assert {c.function: c.counts for c in coverage} == here
    assert list((tmp_path / "empty").iterdir()) == []


def test_each_input_runs_exactly_once_on_a_fresh_pre_state(tmp_path):
    implementation = "runs = []\n\nclass Counter:\n    def run(self, step):\n        self.value += 10\n"
    implementation += "        runs.append((self.value, step))\n        raise KeyboardInterrupt\n"
    subject, spec = small_subject(tmp_path, implementation, SPEC)
    suite = SuiteReader(korat_suite(subject, spec, 2, tmp_path))
    program = loaded_inputs(subject, spec, 2, suite)
    assert list(run_inputs(program, range(len(suite)))) == list(range(9))
    assert program.module.runs == [(10 + value, step) for value in range(3) for step in range(3)]


def test_a_suite_of_zero_inputs_is_refused(tmp_path):
    subject, spec = small_subject(tmp_path, IMPLEMENTATION, SPEC)
    suite = korat_suite(subject, spec, 1, tmp_path, states=0)
    with pytest.raises(UsageError, match="zero inputs tells nothing"):
        code_coverage(subject, suite, 1, spans(subject, spec, 1))


def test_an_original_that_ends_the_process_is_a_clear_error(tmp_path):
    implementation = "import os\n" + IMPLEMENTATION.replace("total = 0", "os._exit(7)")
    subject, spec = small_subject(tmp_path, implementation, SPEC)
    with pytest.raises(BaselineError, match=r"Small: .* code coverage at scope 1 .* exit status 7") as caught:
        measured(subject, spec, 1, tmp_path)
    assert "\n" not in str(caught.value)


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
