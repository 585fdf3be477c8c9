"""The paragraph on the set-up of a run has its counts and versions."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.report_samples import stored_run

from harness import api
from harness.errors import UsageError


def test_a_run_of_generators_is_described_with_counts_and_versions(tmp_path: Path) -> None:
    stored_run(tmp_path)
    for seed in (0, 1, 2):
        stored_run(tmp_path, scopes=(2,), generator="random", generator_version="2", seed=seed, inputs=1500)
    text = api.describe(tmp_path)
    assert text.startswith(
        "The generator korat (version 1) was evaluated on SearchTree at scopes 2 and 3; the generator random "
        "(version 2, seeds 0 to 2) was evaluated on SearchTree at scope 2. The operator set ferastrau gives 6 mutants "
        "of SearchTree (set "
    )
    assert "The mutation score is killed / all viable mutants." in text
    assert "5 suites with 90 to 1,500 inputs (4,680 in all) were run." in text
    assert "Each mutant runs the inputs in the order of the suite until one kills it; each one is in a module" in text
    assert text.endswith(
        "The run used Mutascope 0.1.0, Python 3.11, pandas 2, on Linux with 2 processor cores (machine)."
    )


def test_generators_with_the_same_scopes_are_in_one_clause_and_a_file_of_calls_is_no_generator(tmp_path: Path) -> None:
    for generator in ("korat", "random", "cases.jsonl"):
        stored_run(tmp_path, scopes=(2,), generator=generator)
    assert api.describe(tmp_path).startswith(
        "The generators korat (version 1) and random (version 1, seed 0) were evaluated on SearchTree at scope 2; the "
        "suite of calls cases.jsonl (version 1) was evaluated on SearchTree at scope 2. "
    )


def test_trials_without_an_end_and_several_modes_are_named(tmp_path: Path) -> None:
    stored_run(tmp_path, scopes=(2,))
    stored_run(tmp_path, scopes=(3,), finish=False)
    assert "1 trial of 2 did not finish, and have no score." in api.describe(tmp_path)


def test_a_description_for_latex_is_escaped(tmp_path: Path) -> None:
    stored_run(tmp_path, operator_set="my_set", generator="random:50%")
    assert r"my\_set" in api.describe(tmp_path, form="latex")
    with pytest.raises(UsageError, match="no form 'html' for a description; there are text, latex"):
        api.describe(tmp_path, form="html")
