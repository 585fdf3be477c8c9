"""Smaller scopes of a suite predict its size, which is limited."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, factorial
from pathlib import Path

import pytest
from support.subjects import load_subject

from harness.errors import UsageError
from harness.model.experiment import Trial
from harness.runner.suite_size import expected_bytes, most_bytes, size_text
from harness.runner.suites import ensure_suite, suite_folder


def sorted_lists(scope: int) -> int:
    """Return the number of inputs of `sorted_list`."""
    lists: int = sum(scope**length for length in range(scope + 1))
    return lists + 2 * scope * comb(2 * scope, scope) + comb(3 * scope - 1, scope - 1)


def search_trees(scope: int) -> int:
    """Return the number of inputs of `search_tree`."""
    trees = sum(comb(scope, nodes) * comb(2 * nodes, nodes) // (nodes + 1) for nodes in range(scope + 1))
    return 2 * scope * trees


FAMILIES: dict[str, Callable[[int], int]] = {
    "powers": lambda scope: 4**scope,
    "permutations": factorial,
    "arrays": lambda scope: scope**scope,
    "multisets": lambda scope: comb(2 * scope, scope),
    "cubes": lambda scope: scope**3,
    "search trees": search_trees,
    "sorted lists": sorted_lists,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_size_is_expected_within_a_factor_of_about_two_one_and_two_scopes_ahead(family: str) -> None:
    size = FAMILIES[family]
    quotients = [
        (expected_bytes({smaller: size(smaller) for smaller in range(1, last + 1)}, scope) or 0) / size(scope)
        for scope in range(6, 13)
        for last in (scope - 1, scope - 2)
    ]
    assert 0.45 < min(quotients) <= max(quotients) < 1.1


@pytest.mark.parametrize(
    ("smaller", "scope"),
    [
        ({}, 3),
        ({2: 10, 3: 100}, 4),
        ({1: 1, 3: 100, 4: 1000}, 5),
        ({1: 1, 2: 10, 3: 100}, 6),
        ({1: 1, 2: 2, 3: 200}, 4),
        ({1: 1, 2: 100, 3: 100}, 4),
    ],
)
def test_nothing_is_expected_from_few_scopes_scopes_far_below_or_growth_that_changes(
    smaller: dict[int, int], scope: int
) -> None:
    assert expected_bytes(smaller, scope) is None


def test_progress_shows_the_expected_size_until_it_is_exceeded() -> None:
    assert size_text(500_000_000, 1.44e10) == "0.50 GB of about 14"
    assert size_text(500_000_000, 4e8) == size_text(500_000_000, None) == "0.50 GB"


@pytest.mark.parametrize("limit", ["0", "-1", "much", "nan"])
def test_a_limit_that_is_no_number_is_refused(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUTASCOPE_SUITE_GB", limit)
    with pytest.raises(UsageError, match=f"MUTASCOPE_SUITE_GB is '{limit}'; set it to a positive number of gigabytes"):
        most_bytes()


def test_a_suite_may_take_a_gigabyte_if_nothing_else_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MUTASCOPE_SUITE_GB", raising=False)
    assert most_bytes() == 1_000_000_000


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of suites in an empty cache."""
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path))
    return tmp_path / "suites"


@pytest.mark.end_to_end
def test_a_suite_that_becomes_too_large_is_ended_and_leaves_nothing(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUTASCOPE_SUITE_GB", "0.002")
    subject, _ = load_subject("sorted_list")
    with pytest.raises(
        UsageError, match=r"scope 9: its files are larger than 0.002 GB \(.* pre-states.*; choose a lower"
    ):
        ensure_suite(subject, Trial("sorted_list", "korat", 9))
    assert [path.name for path in cache.iterdir() if "-9-" in path.name or path.name.startswith("mutascope")] == []


@pytest.mark.end_to_end
@pytest.mark.usefixtures("cache")
def test_the_limit_tells_what_smaller_scopes_take_and_what_is_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    subject, _ = load_subject("sorted_list")
    for scope in (3, 4, 5):
        ensure_suite(subject, Trial("sorted_list", "korat", scope))
    monkeypatch.setenv("MUTASCOPE_SUITE_GB", "0.00001")
    with pytest.raises(UsageError, match=r"; about 0\.0014 GB are expected, as scope 5 takes 0\.00011; choose"):
        ensure_suite(subject, Trial("sorted_list", "korat", 6))


@pytest.mark.end_to_end
def test_a_suite_that_is_whole_before_anybody_looks_is_too_large_all_the_same(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
