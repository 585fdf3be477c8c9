"""Trials in the mutation-testing report schema: structure, statuses, places in the source."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from support.report_samples import (
    CRASH,
    DUPLICATE,
    EQUIVALENT,
    MEMORY,
    MUTANTS,
    OUTPUT,
    RESULTS,
    STEPS,
    STILLBORN,
    SUBJECT,
    SURVIVOR,
    WALL,
    stored_run,
)  # fmt: skip

from harness.model.outcome import Mutant, MutantResult, Verdict
from harness.report.pages.mutation_report import mutation_report
from harness.report.pages.trials import reported_trials
from harness.store import RunStore

POSITION = {
    "type": "object",
    "required": ["line", "column"],
    "properties": {"line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}},
}
WORDS = ["Killed", "Survived", "NoCoverage", "CompileError", "RuntimeError", "Timeout", "Ignored", "Pending"]
MUTANT = {
    "type": "object",
    "required": ["id", "mutatorName", "location", "status"],
    "properties": {
        "location": {"required": ["start", "end"], "properties": {"start": POSITION, "end": POSITION}},
        "status": {"enum": WORDS},
        "statusReason": {"type": "string"},
        "killedBy": {"type": "array", "items": {"type": "string"}},
        "coveredBy": {"type": "array", "items": {"type": "string"}},
        "testsCompleted": {"type": "integer"},
        "duration": {"type": "number"},
    },
}
TEST = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "location": {"type": "object", "required": ["start"], "properties": {"start": POSITION, "end": POSITION}},
    },
}
REPORT = {
    "type": "object",
    "required": ["schemaVersion", "thresholds", "files"],
    "properties": {
        "schemaVersion": {"const": "2"},
        "thresholds": {"required": ["high", "low"], "additionalProperties": {"type": "integer"}},
        "files": {
            "minProperties": 1,
            "additionalProperties": {
                "required": ["language", "source", "mutants"],
                "properties": {"mutants": {"type": "array", "uniqueItems": True, "items": MUTANT}},
            },
        },
        "testFiles": {
            "additionalProperties": {"required": ["tests"], "properties": {"tests": {"type": "array", "items": TEST}}}
        },
        "framework": {"required": ["name"]},
    },
}


def report_of(folder: Path) -> dict[str, Any]:
    with RunStore.open_existing(folder) as store:
        (reported,) = reported_trials(store)
    return mutation_report(reported)


def mutants_of(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    (file,) = report["files"].values()
    return {mutant["id"]: mutant for mutant in file["mutants"]}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return report_of(stored_run(tmp_path_factory.mktemp("run")))


def test_the_report_has_the_structure_that_viewers_read(report):
    jsonschema.validate(report, REPORT)
    assert list(report["files"]) == ["subjects/search_tree/impl.py"]
    assert len(mutants_of(report)) == len(MUTANTS)
    assert report["config"]["oracle"] == "differential"


@pytest.mark.parametrize(
    ("mutant", "status", "word"),
    [
        (OUTPUT, "Killed", "returned another value"),
        (CRASH, "Killed", "SIGSEGV"),
        (MEMORY, "Killed", "memory_limit"),
        (STEPS, "Timeout", "step_limit"),
        (WALL, "Timeout", "wall_limit"),
        (SURVIVOR, "Survived", "90 inputs"),
        (STILLBORN, "CompileError", "does not compile"),
        (DUPLICATE, "Ignored", OUTPUT.id),
        (EQUIVALENT, "Ignored", "trivially equivalent"),
    ],
    ids=lambda value: value.id if isinstance(value, Mutant) else None,
)
def test_each_mutant_has_its_status_and_reason(report, mutant, status, word):
    entry = mutants_of(report)[mutant.id]
    assert entry["status"] == status
    assert word in entry["statusReason"]


def test_a_harness_fault_and_a_mutant_not_run_yet_are_pending(tmp_path):
    faulty = MutantResult(OUTPUT.id, Verdict.INCONCLUSIVE, 0, None, detail="the worker could not start")
    entries = mutants_of(report_of(stored_run(tmp_path, (2,), results=[faulty], finish=False)))
    assert [entries[mutant.id]["status"] for mutant in (OUTPUT, SURVIVOR)] == ["Pending", "Pending"]
    assert "could not start" in entries[OUTPUT.id]["statusReason"]
    assert "testsCompleted" not in entries[OUTPUT.id]


def test_locations_count_columns_from_one_and_end_behind_the_original(report):
    lines = SUBJECT.source.split("\n")
    for mutant in MUTANTS:
        place = mutants_of(report)[mutant.id]["location"]
        text = lines[place["start"]["line"] - 1]
        assert text[place["start"]["column"] - 1 : place["end"]["column"] - 1] == mutant.original


def test_killing_inputs_are_named_as_tests_and_no_others(report):
    (tests,) = report["testFiles"].values()
    assert [test["id"] for test in tests["tests"]] == ["3", "7"]
    assert mutants_of(report)[CRASH.id]["killedBy"] == ["7"]
    assert "killedBy" not in mutants_of(report)[SURVIVOR.id]


def test_the_largest_finished_scope_is_reported(tmp_path):
    stored_run(tmp_path, (3, 2))
    stored_run(tmp_path, (4,), results=RESULTS[:2], finish=False)
    assert report_of(tmp_path)["config"]["scope"] == 3
