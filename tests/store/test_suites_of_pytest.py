"""Stores the facts about pytest suites."""

from __future__ import annotations

from support.store_samples import KILLED, MUTANTS, trial

from harness.model.pytest_suite import PYTEST, Evidence, Flaky, PytestSuite, SuiteRecord, SuiteTest
from harness.store import RunStore
from harness.store.facts import latest_trials


def test_a_suite_and_the_evidence_of_its_mutants_are_read_as_they_were_stored(tmp_path):
    suite = PytestSuite("till.core", ("tests",), "/own", Flaky.EXCLUDE, 3, 4, ("_heapq",))
    record = SuiteRecord(
        suite,
        "x = 1\n",
        (
            SuiteTest("tests/test_a.py::test_b[1]", 7, 12),
            SuiteTest("tests/test_a.py::test_c", 1),
        ),
        {"t": "is skipped"},
        {"tests/test_a.py": "5" * 32},
    )
    with RunStore.open(tmp_path) as store:
        mutant_set = store.mutants.add(MUTANTS)
        key = store.trials.add(trial(mutant_set))
        other = store.trials.add(trial(mutant_set, 3))
        store.suites.add(key, record)
        store.results.add(key, KILLED, evidence=Evidence(KILLED.mutant, 1, None))
    with RunStore.open_existing(tmp_path) as store:
        assert store.suites.of(key) == record
        assert (
            {one.suite for one in store.trials.all() if one.key == key} == {store.trials.find(key).suite} == {"tests"}
        )
        assert store.trials.find(other).suite == ""
        assert store.suites.of(other) is None
        assert store.results.evidence(key) == [Evidence(KILLED.mutant, 1, None)]


def test_two_suites_of_one_target_are_two_trials_to_be_shown(tmp_path):
    with RunStore.open(tmp_path) as store:
        mutant_set = store.mutants.add(MUTANTS)
        for number, name in enumerate(["unit", "all", "unit"]):
            key = store.trials.add(trial(mutant_set, generator=PYTEST, suite=name, suite_digest=f"{number}" * 64))
            store.suites.add(key, SuiteRecord(PytestSuite("tree", ("tests",), "/own", given_name=name), "x = 1\n", ()))
        latest = [(one.suite, one.suite_digest[0]) for one in latest_trials(store.trials.all())]
    assert latest == [("unit", "2"), ("all", "1")]
