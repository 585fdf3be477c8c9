"""The size of a suite is limited."""

import pytest
from support.subjects import load_subject

from harness.errors import UsageError
from harness.model.experiment import Trial
from harness.runner.suites import ensure_suite, most_bytes, suite_folder


@pytest.mark.parametrize("limit", ["0", "-1", "much", "nan"])
def test_a_limit_that_is_no_number_is_refused(limit, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_SUITE_GB", limit)
    with pytest.raises(UsageError, match=f"MUTASCOPE_SUITE_GB is '{limit}'; set it to a positive number of gigabytes"):
        most_bytes()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The folder of suites in an empty cache."""
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    return tmp_path / "suites"


@pytest.mark.slow
def test_a_suite_that_becomes_too_large_is_ended_and_leaves_nothing(cache, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_SUITE_GB", "0.002")
    subject, _ = load_subject("sorted_list")
    with pytest.raises(
        UsageError, match=r"scope 9: its files are larger than 0.002 GB \(.* pre-states.*; choose a lower"
    ):
        ensure_suite(subject, Trial("sorted_list", "korat", 9))
    assert [path.name for path in cache.iterdir() if "-9-" in path.name or path.name.startswith("mutascope")] == []


def test_a_suite_that_is_whole_before_anybody_looks_is_too_large_all_the_same(cache, monkeypatch):
    subject, _ = load_subject("search_tree")
    trial = Trial("search_tree", "korat", 2)
    ensure_suite(subject, trial)
    size = sum(path.stat().st_size for path in suite_folder(subject, trial).glob("*.bin"))
    monkeypatch.setenv("MUTASCOPE_CACHE", str(cache / "another"))
    monkeypatch.setenv("MUTASCOPE_SUITE_GB", str(size / 1e9))
    with pytest.raises(
        UsageError, match=r"its files are larger than .* GB \(\d+ candidates, \d+ pre-states, \d+ inputs\)"
    ):
        ensure_suite(subject, trial)
