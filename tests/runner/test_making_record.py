"""Seconds of a suite that a run did not make itself are told apart, with where, how and when it was made."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness import api
from harness.kernel.inputs.suites import Call, SuiteHeader, SuiteReader, SuiteWriter, note_making
from harness.model.experiment import EarlierSeconds, ExecutionMode, Experiment, Trial
from harness.report.states.suite_summary import suite_facts, suite_text
from harness.runner.provenance import NOT_RECORDED, MakingRecord

BEGAN = MakingRecord("a processor", "2026-11-24T12:00:00.000000+00:00")
HEADER = SuiteHeader("counter", "0", "korat", "1", 2, 0, width=1, itemsize=1, targets=["add"])
MAKING = {"machine": "a processor", "began": "2026-11-24T12:00:00.000001+00:00"}


def suite(folder: Path) -> Path:
    with SuiteWriter(folder, replace(HEADER)) as writer:
        writer.add_input(writer.add_state([1]), Call(0, ()))
        writer.close()
    return folder


@pytest.mark.parametrize(
    ("other", "origin"),
    [
        ({}, None),
        ({"machine": "another"}, "another, 2026-11-24"),
        ({"began": "2026-11-23T12:00:00+00:00"}, "a processor, 2026-11-23"),
        ({"machine": "another", "engines": ["reference"]}, "another, reference engine, 2026-11-24"),
        ({"machine": "another", "engines": ["a", "b"]}, "another, a and b engines, 2026-11-24"),
        ({"machine": "", "began": ""}, NOT_RECORDED),
    ],
)
def test_a_suite_is_of_this_run_if_the_machine_is_the_same_and_it_was_made_after_the_beginning(other, origin):
    assert BEGAN.origin_of(replace(HEADER, **(MAKING | other))) == origin


def test_where_a_suite_was_made_changes_neither_its_digest_nor_its_inputs(tmp_path):
    folder = suite(tmp_path / "suite")
    before = SuiteReader(folder).header
    files = {name: (folder / name).read_bytes() for name in ("states.bin", "inputs.bin")}
    note_making(folder, "a processor", "now")
    noted = SuiteReader(folder)
    noted.check()
    assert (noted.header.machine, noted.header.began) == ("a processor", "now")
    assert noted.header.digest == before.digest
    assert {name: (folder / name).read_bytes() for name in files} == files


def test_a_cached_suite_without_these_fields_is_read(tmp_path):
    header = suite(tmp_path / "suite") / "header.json"
    fields = json.loads(header.read_text())
    for name in MAKING:
        del fields[name]
    header.write_text(json.dumps(fields))
    assert BEGAN.origin_of(SuiteReader(header.parent).header) == NOT_RECORDED


def test_generate_says_what_the_seconds_of_a_cached_suite_are_of(tmp_path):
    reader = SuiteReader(suite(tmp_path / "suite"))
    assert "seconds: of when the suite was made: a machine" in suite_text("counter", reader, "a machine")
    assert "of when" not in suite_text("counter", reader)
    assert suite_facts("counter", reader.header, "a machine")["origin"] == "a machine"
    assert "origin" not in suite_facts("counter", reader.header)


@pytest.mark.slow
def test_a_run_marks_the_seconds_of_suites_that_another_run_made(tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    seconds = []
    for jobs in (1, 2, 2):
        trials = (Trial("search_tree", "korat", 2),)
        experiment = Experiment("x", trials, ExecutionMode.GENERATE)
        seconds.append(api.load(api.run(experiment, tmp_path / str(len(seconds)), jobs=jobs)).frames.seconds)
    kinds = [{type(value) for value in found.values()} for found in seconds]
    assert kinds == [{float}, {EarlierSeconds}, {EarlierSeconds}]
    assert [list(found.values()) for found in seconds[1:]] == [list(seconds[0].values())] * 2
    (origin,) = {value.origin for found in seconds[1:] for value in found.values()}
    assert ", reference engine, 20" in origin
