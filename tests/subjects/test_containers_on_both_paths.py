"""Containers of packages as installed on the naive path of `verify`, which sees of the original what a run does."""

import pytest
from support.sequence_suites import suite_of
from support.sequence_trials import confirmed, prepared, ran


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ordered_dict", "priority_queue", "sorted_dict"])
def test_verdicts_of_states_with_proxies_locks_and_bound_methods_are_confirmed(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    suite = suite_of(tmp_path / "suite", "beapi", f"containers/{name}", 1)
    trial = prepared(f"containers/{name}", tmp_path, 1, most=6, suite=suite)
    ran(trial, tmp_path / "run")
    assert confirmed(trial, tmp_path / "run")
