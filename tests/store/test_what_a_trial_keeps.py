"""A trial keeps details of its generator, what ended its suite, its seconds, and the facts about a pytest suite."""

import json

import pytest
from support.store_samples import KILLED, MUTANTS, trial

from harness.analysis.frames import load_run
from harness.analysis.frozen import read_frozen, write_frozen
from harness.analysis.measures import summary
from harness.analysis.run_summary import suite_warnings, summary_rows
from harness.model.outcome import OracleName
from harness.model.pytest_suite import PYTEST, Evidence, Flaky, PytestSuite, SuiteRecord, SuiteTest
from harness.model.seconds import EarlierSeconds
from harness.store import RunStore, Timing, export_facts
from harness.store.facts import latest_trials

DETAILS = {"lab.exact": True, "lab.rejected": 3, "lab.share": 0.25, "lab.way": "12"}
"""Of each type, sorted by name."""
SHORT = {"generator": "random:1000", "ended": "nothing new", "notices": ("cut: 1", "pinned: 2")}
REMARKS = ["20 of 1,000 inputs, ended as the last attempts made nothing new", "cut: 1", "pinned: 2"]
ORIGIN = "a machine, 2 jobs, 2026-11-24"
TIMINGS = [Timing("baseline", 0.5), Timing("generate", 0.25, ORIGIN)]


def add(folder, scope=2, **changes):
    """Store a trial, and return its key."""
    with RunStore.open(folder) as store:
        return store.trials.add(trial(store.mutants.add(MUTANTS), scope, **changes))


def stored(folder):
    with RunStore.open_existing(folder) as store:
        return store.trials.all()


def test_details_are_columns_of_the_frames_of_frozen_runs_and_of_the_table_of_a_run(tmp_path):
    run = tmp_path / "run"
    add(run, details=DETAILS)
    add(run, 3)
    frames = load_run(run)
    write_frozen(frames, tmp_path / "frozen")
    for trials in (frames.trials, read_frozen(tmp_path / "frozen").trials):
        assert list(trials.columns[-5:]) == ["version", *DETAILS]
        assert [str(trials[name].dtype) for name in DETAILS] == ["boolean", "Int64", "Float64", "string"]
        assert {name: trials[name][0] for name in DETAILS} == DETAILS
        assert trials[list(DETAILS)].isna().all(axis=1).tolist() == [False, True]
    first, second = summary_rows(run)
    assert list(first)[3:8] == ["inputs", *DETAILS]
    assert ({name: first[name] for name in DETAILS}, second["lab.rejected"]) == (DETAILS, None)
    assert list(summary(frames).columns) == list(first)


def test_the_sum_of_the_extensions_has_the_column_of_before(tmp_path):
    add(tmp_path)
    add(tmp_path, 3, details={"sat.extension": 17})
    assert [one.details for one in stored(tmp_path)] == [{}, {"sat.extension": 17}]
    assert load_run(tmp_path).trials["extension"].fillna(-1).tolist() == [-1, 17]
    facts = [fact for fact in map(json.loads, export_facts(tmp_path).splitlines()) if fact["table"] == "trial"]
    assert sorted(fact.get("extension", -1) for fact in facts) == [-1, 17]
    assert not any("details" in fact for fact in facts)
    assert "extension" not in summary_rows(tmp_path)[0]


def test_each_suite_that_ended_early_is_told_in_a_line_once_for_all_oracles(tmp_path):
    add(tmp_path)
    add(tmp_path, 3, **SHORT)
    add(tmp_path, 3, oracle=OracleName.POSTCONDITION, **SHORT)
    assert list(load_run(tmp_path).trials["ended"].fillna("?")[:2]) == ["?", "nothing new"]
    assert suite_warnings(tmp_path) == [f"Tree random:1000 scope 3: {remark}" for remark in REMARKS]
    add(tmp_path, 4, generator="random:21", seed=5, ended="attempts")
    assert "Tree random:21 scope 4 seed 5: 20 of 21 inputs, ended by the attempts" in suite_warnings(tmp_path)[-1]


@pytest.fixture
def run(tmp_path):
    """A folder with a trial whose suite was made before."""
    key = add(tmp_path)
    with RunStore.open(tmp_path) as store:
        for timing in TIMINGS:
            store.timings.add(key, timing.what, timing.seconds, timing.origin)
        assert store.timings.of(key) == TIMINGS
    return tmp_path


def test_seconds_of_before_are_told_apart_in_frames_and_in_frozen_runs(run, tmp_path):
    frames = load_run(run)
    write_frozen(frames, tmp_path / "frozen")
    for read in (frames, read_frozen(tmp_path / "frozen")):
        by_activity = {what: seconds for (_, what), seconds in read.seconds.items()}
        assert {what: type(seconds) for what, seconds in by_activity.items()} == {
            "baseline": float,
            "generate": EarlierSeconds,
        }
        assert by_activity["generate"].origin == ORIGIN
    whole = sum([*by_activity.values(), 0.25])
    assert (type(whole), whole, whole.origin) == (EarlierSeconds, 1.0, ORIGIN)


def test_runs_without_such_seconds_are_frozen_as_before(run, tmp_path):
    frames = load_run(run)
    frames.timings["origin"] = None
    write_frozen(frames, tmp_path / "frozen")
    assert "origin" not in (tmp_path / "frozen" / "timings.csv").read_text()


def test_a_suite_of_pytest_and_the_evidence_of_its_mutants_are_read_as_they_were_stored(tmp_path):
    suite = PytestSuite("till.core", ("tests",), "/own", Flaky.EXCLUDE, 3, 4, ("_heapq",))
    tests = (SuiteTest("tests/test_a.py::test_b[1]", 7, 12), SuiteTest("tests/test_a.py::test_c", 1))
    record = SuiteRecord(suite, "x = 1\n", tests, {"t": "is skipped"}, {"tests/test_a.py": "5" * 32})
    key, other = add(tmp_path), add(tmp_path, 3)
    with RunStore.open(tmp_path) as store:
        store.suites.add(key, record)
        store.results.add(key, KILLED, evidence=Evidence(KILLED.mutant, 1, None))
    with RunStore.open_existing(tmp_path) as store:
        assert store.suites.of(key) == record
        assert [(one.suite, one == store.trials.find(one.key)) for one in stored(tmp_path)] == [
            ("tests", True),
            ("", True),
        ]
        assert store.suites.of(other) is None
        assert store.results.evidence(key) == [Evidence(KILLED.mutant, 1, None)]


def test_two_suites_of_one_target_are_two_trials_to_be_shown(tmp_path):
    for number, name in enumerate(["unit", "all", "unit"]):
        key = add(tmp_path, generator=PYTEST, suite=name, suite_digest=f"{number}" * 64)
        with RunStore.open(tmp_path) as store:
            store.suites.add(key, SuiteRecord(PytestSuite("tree", ("tests",), "/own", given_name=name), "x = 1\n", ()))
    latest = [(one.suite, one.suite_digest[0]) for one in latest_trials(stored(tmp_path))]
    assert latest == [("unit", "2"), ("all", "1")]
