"""What a store keeps of suites of pytest."""

from __future__ import annotations

from store_samples import KILLED, MUTANTS, trial

from harness.model.own_suite import Evidence, Flaky, OwnSuite, SuiteRecord, SuiteTest
from harness.store import RunStore


def test_a_suite_and_the_evidence_of_its_mutants_are_read_as_they_were_stored(tmp_path):
    suite = OwnSuite("till.core", ("tests",), "/own", Flaky.EXCLUDE, 3, 4, ("_heapq",))
    record = SuiteRecord(
        suite,
        "x = 1\n",
        (
            SuiteTest("tests/test_a.py::test_b[1]", 7, 12),
            SuiteTest("tests/test_a.py::test_c", 1),
        ),
        {"t": "is skipped"},
    )
    with RunStore.open(tmp_path) as store:
        mutant_set = store.add_mutants(MUTANTS)
        key = store.add_trial(trial(mutant_set))
        other = store.add_trial(trial(mutant_set, 3))
        store.add_suite(key, record)
        store.add_result(key, KILLED, evidence=Evidence(KILLED.mutant, 1, None))
    with RunStore.open_existing(tmp_path) as store:
        assert store.suite(key) == record
        assert store.suite(other) is None
        assert store.evidence(key) == [Evidence(KILLED.mutant, 1, None)]
