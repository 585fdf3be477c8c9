"""While a suite is made, its size is limited, a full disk is told, progress is shown, and pairs are counted."""

import errno
import os
from contextlib import nullcontext
from pathlib import Path

import pytest

from harness import api
from harness.errors import StoreError, UsageError
from harness.generators.requests import GenerationProgress
from harness.model.experiment import ExecutionMode, Experiment, Trial
from harness.runner import suites
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
