"""Verdicts of the postcondition oracle on each subject that has postconditions, judged again by the naive path."""

import pytest

from harness import api
from harness.resources import subject_folders

NAMES = [name for name, folder in subject_folders().items() if "\ndef post_" in (folder / "spec.py").read_text()]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_both_paths_judge_postconditions_alike(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(tmp_path / "cache"))
    experiment = api.subject_experiment(name, "korat", [1], oracles=["postcondition"])
    verification = api.verify(api.run(experiment, tmp_path / "run", jobs=1), sample=20, jobs=1)
    assert verification.checked
    assert verification.holds, verification
