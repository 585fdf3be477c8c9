"""While a suite is made, its size is limited and its progress shown; its seconds say where and when it was made."""

import errno
import json
import os
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from harness import api
from harness.errors import StoreError, UsageError
from harness.generators.requests import GenerationProgress
from harness.kernel.inputs.suites import Call, SuiteHeader, SuiteReader, SuiteWriter, note_making
from harness.model.experiment import EarlierSeconds, ExecutionMode, Experiment, Trial
from harness.report.states.suite_summary import suite_facts, suite_text
from harness.runner import suites
from harness.runner.provenance import NOT_RECORDED, MakingRecord
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite, most_bytes, suite_folder


@pytest.mark.parametrize("limit", ["0", "-1", "much", "nan"])
def test_a_limit_that_is_no_number_is_refused(limit, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_SUITE_GB", limit)
    with pytest.raises(UsageError, match=f"MUTASCOPE_SUITE_GB is '{limit}'; set it to a positive number of gigabytes"):
        most_bytes()


def test_a_suite_may_take_a_gigabyte_if_nothing_else_is_said(monkeypatch):
    monkeypatch.delenv("MUTASCOPE_SUITE_GB", raising=False)
    assert most_bytes() == 1_000_000_000


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The folder of suites in an empty cache."""
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    return tmp_path / "suites"


@pytest.mark.slow
def test_a_suite_that_becomes_too_large_is_ended_and_leaves_nothing(cache, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_SUITE_GB", "0.002")
    subject = load_subject("sorted_list")
    with pytest.raises(
        UsageError, match=r"scope 9: its files are larger than 0.002 GB \(.* pre-states.*; choose a lower"
    ):
        ensure_suite(subject, Trial("sorted_list", "korat", 9))
    assert [path.name for path in cache.iterdir() if "-9-" in path.name or path.name.startswith("mutascope")] == []


def test_a_suite_that_is_whole_before_anybody_looks_is_too_large_all_the_same(cache, monkeypatch):
    subject = load_subject("search_tree")
    trial = Trial("search_tree", "korat", 2)
    ensure_suite(subject, trial)
    size = sum(path.stat().st_size for path in suite_folder(subject, trial).glob("*.bin"))
    monkeypatch.setenv("MUTASCOPE_CACHE", str(cache / "another"))
    monkeypatch.setenv("MUTASCOPE_SUITE_GB", str(size / 1e9))
    with pytest.raises(
        UsageError, match=r"its files are larger than .* GB \(\d+ candidates, \d+ pre-states, \d+ inputs\)"
    ):
        ensure_suite(subject, trial)


def test_a_full_disk_of_the_cache_is_told_with_its_folder(tmp_path, monkeypatch):
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    subject = load_subject("search_tree")
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr(Path, "write_text", full)
    message = f"^{tmp_path}/suites: no room for the suite of korat at scope 2 .* make room, or set MUTASCOPE_CACHE"
    with pytest.raises(StoreError, match=message):
        ensure_suite(subject, Trial("search_tree", "korat", 2))


LOADING = "searching for impossible references: 3 of 9 looked at"


def loading(question, on_interim):
    """Is at something long before anything is explored."""
    on_interim(GenerationProgress(0), LOADING)
    on_interim(GenerationProgress(2), LOADING)
    raise KeyboardInterrupt


def test_a_generation_shows_what_it_is_at_until_something_is_explored(monkeypatch, tmp_path):
    lines = []
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    monkeypatch.setattr(suites, "hear", loading)
    monkeypatch.setattr(suites, "progress_count", lambda what: nullcontext(lines.append))
    with pytest.raises(KeyboardInterrupt):
        ensure_suite(load_subject("field_search_tree"), Trial("field_search_tree", "sat-exhaustive", 3, 0))
    assert lines == [LOADING, "2 candidates, 0 pre-states, 0 inputs, 0.00 GB"]


@pytest.mark.slow
def test_a_run_keeps_the_sum_of_the_extensions_of_field_exhaustive_suites_alone(tmp_path):
    ways = ("korat", "field-exhaustive", "field-exhaustive:fields=references")
    trials = tuple(Trial("field_sorted_list", way, 2) for way in ways)
    folder = api.run(Experiment("extensions", trials, ExecutionMode.GENERATE), tmp_path / "run", jobs=1)
    extensions = api.load(folder).frames.trials.set_index("generator")["extension"]
    header = api.generate("field_sorted_list", "field-exhaustive", 2).header
    assert extensions["field-exhaustive"] == header.details["sat.extension"] >= header.valid > 0
    assert 0 < extensions["field-exhaustive:fields=references"] < extensions["field-exhaustive"]
    assert extensions.isna()["korat"]


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
