"""A pytest suite judges the mutants of a module in shards as in one run."""

import pytest
from support.own_project import own_project
from support.shards import everything_of, merged_shards
from support.shop import shop

from harness import api
from harness.runner import shards
from harness.store import RunStore


@pytest.fixture(autouse=True)
def few_are_spread(monkeypatch):
    monkeypatch.setattr(shards, "MUTANTS_EACH", 2)


@pytest.mark.slow
@pytest.mark.parametrize("matrix", [False, True])
def test_a_package_has_the_same_facts_in_shards(matrix, tmp_path):
    experiment = shop(tmp_path / "project", matrix=matrix)
    whole = api.run(experiment, tmp_path / "whole", jobs=1)
    merged = merged_shards(experiment, tmp_path / "parts", 3)
    assert merged.missing == ()
    assert everything_of(merged.folder) == everything_of(whole)
    judged = []
    for number in range(1, 4):
        with RunStore.open_existing(tmp_path / "parts" / f"{number}") as store:
            trials = [trial.key for trial in store.trials.all() if trial.subject == "shop.cart"]
            judged += [len(store.results.of(key)) for key in trials]
    assert len(judged) > 1
    assert all(judged)


@pytest.mark.slow
def test_mutants_of_import_time_are_judged_in_shards(tmp_path):
    project = own_project(tmp_path / "project")
    experiment = api.pytest_experiment("till.core", ["tests"], folder=project, flaky="exclude", operators="extended")
    whole = api.run(experiment, tmp_path / "whole", jobs=1)
    merged = merged_shards(experiment, tmp_path / "parts", 7)
    assert everything_of(merged.folder) == everything_of(whole)
