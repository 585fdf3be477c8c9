"""Exported suites judge mutants as their inputs do."""

import re
import shutil
from pathlib import Path

import pytest
from support.subjects import load_subject

from harness import api, resources
from harness.model.experiment import Experiment, Trial
from harness.model.outcome import KillReason, Mutant, MutantResult, Verdict
from harness.report.exported.pytest_suite import export_pytest
from harness.runner.run import run_experiment
from harness.runner.suites import ensure_suite
from harness.store import RunStore

BY_ASSERT_OR_RAISE = {KillReason.ASSERTION, KillReason.EXCEPTION}
REASONS = {
    KillReason.OUTPUT: BY_ASSERT_OR_RAISE,
    KillReason.STATE: BY_ASSERT_OR_RAISE,
    KillReason.REP_INVARIANT: BY_ASSERT_OR_RAISE,
    KillReason.EXCEPTION: BY_ASSERT_OR_RAISE,
    KillReason.STEP_LIMIT: {KillReason.STEP_LIMIT},
}
"""What a test says of the input that it was written from: it has nothing but `assert` and what is raised."""
DEEP = 900
"""About so many steps an endless recursion takes to Python's own limit, which comes before that of steps in a test."""


def run_of(experiment: Experiment, out: Path) -> tuple[dict[str, Mutant], dict[str, MutantResult], list[str]]:
    """Mutants and results by id, and the node ids of the tests, if it is a suite of pytest."""
    run_experiment(experiment, out, 2)
    with RunStore.open_existing(out) as store:
        (trial,) = store.trials.all()
        mutants = {mutant.id: mutant for mutant in store.mutants.of(trial.mutant_set)}
        record = store.suites.of(trial.key)
        nodes = [] if record is None else [test.node_id for test in record.tests]
        return mutants, {result.mutant: result for result in store.results.of(trial.key)}, nodes


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["korat", "beapi", "random"])
@pytest.mark.parametrize(("subject", "scope"), [("search_tree", 3), ("heap_array", 2)])
def test_an_exported_suite_gives_each_mutant_the_verdict_that_its_inputs_gave(tmp_path, subject, scope, generator):
    shutil.copytree(resources.subject_folder(subject), tmp_path / subject)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    loaded, _ = load_subject(str(tmp_path / subject))
    suite = ensure_suite(loaded, Trial(str(tmp_path / subject), generator, scope))
    export_pytest(loaded, suite, tmp_path / "tests" / "test_exported.py")
    experiment = api.pytest_experiment(f"{subject}.impl", ["tests"], folder=tmp_path)
    _, by_tests, nodes = run_of(experiment, tmp_path / "by_tests")
    of_inputs = api.subject_experiment(str(tmp_path / subject), generator, [scope])
    mutants, by_inputs, _ = run_of(of_inputs, tmp_path / "by_inputs")

    assert len(nodes) == len(suite)
    common = by_inputs.keys() & by_tests.keys()
    assert {name: by_tests[name].verdict for name in common} == {name: by_inputs[name].verdict for name in common}
    # Types are seen by the suite itself, so of code that it does not reach fewer mutants are made.
    assert all(by_inputs[name].executed == 0 for name in by_inputs.keys() - common), mutants
    killed = [name for name in common if by_inputs[name].verdict is Verdict.KILLED]
    by_same_input = [name for name in killed if number_of(nodes, by_tests[name]) == by_inputs[name].input]
    assert len(common) > 50
    assert by_same_input
    for name in by_same_input:
        result, reason = by_tests[name], by_inputs[name].reason
        too_deep = reason is KillReason.STEP_LIMIT and result.reason in BY_ASSERT_OR_RAISE and result.steps > DEEP
        assert too_deep or result.reason in REASONS[reason], name


def number_of(nodes: list[str], result: MutantResult) -> int:
    """Return the input from which the test was written that killed a mutant."""
    assert result.input is not None
    match = re.search(r"(\d+)\]?$", nodes[result.input])
    return int(match[1])
