"""The store keeps facts, refuses to change them, and gives them back as they were.

Files that are no store, and disks without room, are reported in one line; files are left as they are.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import random
import sqlite3
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.store_samples import COVERAGE, CRASHED, FAULTY, KILLED, MUTANTS, PROVENANCE, RESULTS, SURVIVED, trial

from harness.analysis.frames import load_run
from harness.analysis.frozen import read_frozen, write_frozen
from harness.analysis.measures import summary
from harness.analysis.run_summary import suite_warnings, summary_rows
from harness.errors import StoreError
from harness.model.experiment import Approach, EarlierSeconds, ExecutionMode
from harness.model.outcome import KillReason, OracleName, Phase
from harness.model.pytest_suite import PYTEST, Evidence, Flaky, PytestSuite, SuiteRecord, SuiteTest
from harness.model.sequence import Observation
from harness.store import InstrumentProof, KillRow, RunStore, Timing, database, export_facts, mutant_set_hash
from harness.store.database import APPLICATION_ID, FILE_NAME, SCHEMA_VERSION, reported
from harness.store.facts import KEY, latest_trials

PROOF = InstrumentProof(20, KillReason.EXCEPTION, Phase.CALL, 20, 99)


@pytest.fixture
def store(tmp_path):
    with RunStore.open(tmp_path / "a" / "run") as opened:
        yield opened


@pytest.fixture
def key(store):
    return store.trials.add(trial(store.mutants.add(MUTANTS)))


def fill(store, results=RESULTS, coverage=COVERAGE):
    key = store.trials.add(trial(store.mutants.add(MUTANTS)))
    store.instruments.add(key, PROOF)
    store.coverage.add(key, coverage)
    for result in results:
        store.results.add(key, result, kill_row=KillRow.of_kills(result.mutant, 20, [2, 19]), seconds=random.random())
    store.finished.add(key)
    return key


def test_everything_stored_is_read_back_equal(store):
    store.sessions.add(PROVENANCE)
    key = fill(store)
    store.timings.add(key, "generate", 1.5)
    with RunStore.open_existing(store.folder) as reopened:
        assert reopened.sessions.all() == [PROVENANCE]
        (stored,) = reopened.trials.all()
        assert stored == trial(mutant_set_hash(MUTANTS)) == reopened.trials.find(key)
        assert stored.key == key
        assert reopened.trials.has(key)
        assert reopened.finished.keys() == {key}
        assert reopened.instruments.of(key) == PROOF
        assert reopened.mutants.of(stored.mutant_set) == sorted(MUTANTS, key=lambda m: m.location)
        assert reopened.results.of(key) == sorted(RESULTS, key=lambda r: r.mutant)
        assert reopened.results.finished_mutants(key) == {r.mutant for r in RESULTS}
        assert reopened.coverage.of(key) == COVERAGE
        assert [row.mutant for row in reopened.results.kill_rows(key)] == sorted(r.mutant for r in RESULTS)
        assert Timing("generate", 1.5) in reopened.timings.of(key)


def test_adding_identical_facts_again_changes_nothing(store):
    fill(store)
    before = export_facts(store.folder)
    fill(store)
    assert export_facts(store.folder) == before


def test_the_trial_that_a_run_asked_for_last_is_the_latest(store):
    first = trial(store.mutants.add(MUTANTS))
    versions = [dataclasses.replace(first, source_hash=letter * 64, subject_hash=letter * 64) for letter in "abc"]
    for version in (0, 1, 0, 1, 1, 0, 2, 1):
        store.trials.add(versions[version])
        assert [one.key for one in latest_trials(store.trials.all())] == [versions[version].key]
    other = dataclasses.replace(first, scope=first.scope + 1)
    store.trials.add(other)
    assert {one.key for one in latest_trials(store.trials.all())} == {versions[1].key, other.key}


@pytest.mark.parametrize(
    "other",
    [
        dataclasses.replace(KILLED, steps=18),
        dataclasses.replace(KILLED, reason=KillReason.STATE),
        dataclasses.replace(KILLED, detail=""),
    ],
)
def test_another_result_for_the_same_mutant_is_refused_and_named(store, key, other):
    store.results.add(key, KILLED)
    with pytest.raises(StoreError, match=r"ROR:3:8:<=.*deterministic") as caught:
        store.results.add(key, other, kill_row=KillRow.of_kills(KILLED.mutant, 20, [2]))
    assert "\n" not in str(caught.value)
    assert store.results.of(key) == [KILLED]
    assert store.results.kill_rows(key) == []


def test_another_trial_under_the_same_key_is_refused(store, key):
    with pytest.raises(StoreError, match="original_steps 99 is now 100"):
        store.trials.add(trial(mutant_set_hash(MUTANTS), original_steps=100))


def test_coverage_of_other_branches_than_those_of_the_same_mutants_is_refused(store, key):
    store.coverage.add(key, COVERAGE)
    stored = store.trials.find(key)
    same = store.trials.add(dataclasses.replace(stored, suite_digest="e" * 64))
    other = store.trials.add(dataclasses.replace(stored, suite_digest="f" * 64))
    store.coverage.add(same, COVERAGE)
    fewer = [one for one in COVERAGE if one.function != "Tree.remove"]
    with pytest.raises(StoreError, match="covers other functions, statements or branches than another trial"):
        store.coverage.add(other, fewer)
    assert store.coverage.of(other) == []


def test_an_inconclusive_result_is_tried_again_and_then_forgotten(store, key):
    store.results.add(key, FAULTY)
    store.results.add(key, dataclasses.replace(FAULTY, detail="again"))
    assert [r.detail for r in store.results.of(key)] == ["again"]
    assert store.results.finished_mutants(key) == frozenset()
    store.results.add(key, SURVIVED)
    assert store.results.of(key) == [SURVIVED]


def test_a_trial_with_a_mutant_left_cannot_be_finished(store, key):
    store.results.add(key, KILLED)
    store.results.add(key, CRASHED)
    with pytest.raises(StoreError, match=r"1 mutants have no conclusive result \(VRR:4:0:b"):
        store.finished.add(key)
    assert store.finished.keys() == frozenset()


def test_a_read_only_store_refuses_facts(store, key):
    with RunStore.open_existing(store.folder) as reader, pytest.raises(StoreError, match="readonly"):
        reader.results.add(key, KILLED)


def test_the_file_itself_refuses_updates_and_deletions(store, key):
    store.results.add(key, KILLED)
    with sqlite3.connect(store.path) as raw:
        for statement in ("UPDATE mutant_result SET steps = 1", "DELETE FROM mutant_result", "DELETE FROM trial"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                raw.execute(statement)


def test_the_latest_seconds_count(store, key):
    store.timings.add(key, "baseline", 2.0)
    store.timings.add(key, "baseline", 1.0)
    assert store.timings.of(key) == [Timing("baseline", 1.0)]


def test_exported_facts_depend_on_results_but_not_on_order_seconds_or_machine(tmp_path):
    with RunStore.open(tmp_path / "a") as a, RunStore.open(tmp_path / "b") as b, RunStore.open(tmp_path / "c") as c:
        fill(a)
        b.sessions.add(PROVENANCE)
        fill(b, RESULTS[::-1], COVERAGE[::-1])
        fill(c, [KILLED, CRASHED, dataclasses.replace(SURVIVED, steps=101)])
    text = export_facts(tmp_path / "a")
    assert text == export_facts(tmp_path / "b") != export_facts(tmp_path / "c")
    assert text.count("\n") == 1 + len(MUTANTS) + 1 + 1 + 2 * len(RESULTS) + len(COVERAGE) + 1
    assert "seconds" not in text


CHANGES = {
    "subject": "heap",
    "subject_hash": "2",
    "generator": "random",
    "generator_version": "2",
    "scope": 3,
    "seed": 1,
    "suite_digest": "e",
    "operator_set": "extended",
    "mutant_set": "n",
    "mode": ExecutionMode.MATRIX,
    "approach": Approach.METAMUTANT,
    "concrete": True,
    "sequences": "another",
    "observed": Observation.EVERY_CALL,
    "oracle": OracleName.PUBLIC,
    "version": "0.0.1",
}


def test_whatever_determines_results_changes_the_trial_key():
    keys = {trial("m", **{name: changed}).key for name, changed in CHANGES.items() if name != "mutant_set"}
    assert len({trial("m").key, trial("n").key, *keys}) == len(CHANGES) + 1
    assert set(CHANGES) == set(KEY)


def test_what_a_run_finds_out_changes_no_trial_key():
    findings = {"inputs": 1, "states": 1, "explored": 1, "original_steps": 1, "ended": "inputs", "notices": ("one",)}
    assert {trial("m", **{name: value}).key for name, value in findings.items()} == {trial("m").key}


def test_keys_are_those_of_before_there_were_oracles_and_sequences():
    sources = ["0.1.0", "tree", "1" * 64, "korat", "1"]
    before = [*sources, 2, 0, "d" * 64, "ferastrau", "m", "first-kill", "separate", False]
    assert trial("m", version="0.1.0").key == hashlib.sha256(json.dumps(before).encode()).hexdigest()[:32]


def test_a_mutant_sets_hash_depends_on_every_field_but_not_on_order():
    assert mutant_set_hash(MUTANTS) == mutant_set_hash(MUTANTS[::-1])
    assert mutant_set_hash(MUTANTS) != mutant_set_hash(MUTANTS[:-1])
    changed = [dataclasses.replace(MUTANTS[0], replacement=">"), *MUTANTS[1:]]
    assert mutant_set_hash(MUTANTS) != mutant_set_hash(changed)


@settings(derandomize=True, max_examples=60)
@given(st.integers(1, 70).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)))))
def test_a_kill_rows_bits_are_its_kills(sample):
    inputs, kills = sample
    row = KillRow.of_kills("m", inputs, kills)
    naive = "".join("1" if i in kills else "0" for i in range(inputs))
    assert int.from_bytes(row.bits, "little") == int(naive[::-1], 2)


def test_a_kill_row_of_the_wrong_length_or_with_bits_too_many_is_refused():
    with pytest.raises(ValueError, match="cannot hold"):
        KillRow("m", 9, b"\0")
    with pytest.raises(ValueError, match="beyond"):
        KillRow("m", 9, b"\0\2")


def refused(folder: Path) -> str:
    """Both ways of opening fail with one line, and no byte of the file changes."""
    path = folder / FILE_NAME
    before = path.read_bytes()
    lines = set()
    for opening in (RunStore.open, RunStore.open_existing, export_facts):
        with pytest.raises(StoreError) as caught:
            opening(folder)
        lines.add(str(caught.value))
    assert path.read_bytes() == before
    assert all("\n" not in line and str(path) in line for line in lines)
    return " ".join(sorted(lines))


def test_a_file_that_is_not_sqlite_is_refused(tmp_path):
    (tmp_path / FILE_NAME).write_text("my notes\n" * 1000)
    assert "not SQLite" in refused(tmp_path)


def test_another_programs_database_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / FILE_NAME) as foreign:
        foreign.execute("CREATE TABLE bookmarks (url TEXT)")
    foreign.close()
    assert "another program" in refused(tmp_path)


def test_another_schema_version_is_refused(tmp_path):
    RunStore.open(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as ours:
        ours.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    ours.close()
    assert f"schema version {SCHEMA_VERSION + 1}" in refused(tmp_path)


@pytest.mark.parametrize("keep", [20, 100, 5000, 20000])
def test_a_truncated_store_is_refused(tmp_path, keep):
    with RunStore.open(tmp_path) as store:
        store.trials.add(trial(store.mutants.add(MUTANTS)))
    path = tmp_path / FILE_NAME
    path.write_bytes(path.read_bytes()[:keep])
    assert "left as it is" in refused(tmp_path)


def test_a_folder_without_a_run_is_reported_and_not_created(tmp_path):
    with pytest.raises(StoreError, match="no run is stored there"):
        RunStore.open_existing(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_an_empty_file_left_by_a_kill_becomes_a_store(tmp_path):
    (tmp_path / FILE_NAME).touch()
    RunStore.open(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as raw:
        assert raw.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    raw.close()


def test_a_store_is_read_while_it_is_written(tmp_path):
    with RunStore.open(tmp_path) as store:
        key = store.trials.add(trial(store.mutants.add(MUTANTS)))
        with RunStore.open_existing(tmp_path) as reader:
            store.results.add(key, KILLED)
            assert reader.results.of(key) == [KILLED]


def test_closing_does_not_wait_for_readers(tmp_path):
    store = RunStore.open(tmp_path)
    key = store.trials.add(trial(store.mutants.add(MUTANTS)))
    reader = sqlite3.connect(tmp_path / FILE_NAME)
    reader.execute("BEGIN")
    before = reader.execute("SELECT * FROM trial").fetchall()
    began = time.monotonic()
    store.close()
    assert time.monotonic() - began < 5
    assert reader.execute("SELECT * FROM trial").fetchall() == before != []
    reader.close()
    with RunStore.open_existing(tmp_path) as reader:
        assert reader.trials.has(key)


NO_ROOM = r"run.sqlite: no room on its disk \(.*\); make room: what was finished is kept, the same command goes on"


def test_a_full_database_asks_for_room_and_not_for_another_file(tmp_path):
    connection = sqlite3.connect(tmp_path / "run.sqlite")
    connection.execute("PRAGMA max_page_count = 2")
    connection.execute("CREATE TABLE t (x)")
    with pytest.raises(StoreError, match=NO_ROOM), reported(tmp_path / "run.sqlite"):
        connection.execute("INSERT INTO t VALUES (zeroblob(100000))")
    connection.close()


@pytest.mark.parametrize(("free", "message"), [(0, NO_ROOM), (1 << 20, "disk I/O error; the file was left as it is")])
def test_a_failure_of_the_disk_is_want_of_room_where_there_is_none(free, message, tmp_path, monkeypatch):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    fields = list(os.statvfs(tmp_path))
    fields[1], fields[4] = 1, free
    monkeypatch.setattr(database.os, "statvfs", lambda folder: os.statvfs_result(fields))
    with pytest.raises(StoreError, match=message), reported(tmp_path / "run.sqlite"):
        raise error


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
