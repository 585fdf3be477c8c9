"""An experiment is written as a job array of SLURM."""

from __future__ import annotations

import pytest

from harness import api


def test_the_script_says_where_the_environment_is_activated() -> None:
    *_, remark, command, folders = api.slurm_script("demo", 3).splitlines()
    assert remark == "# Activate the environment that has mutascope here."
    assert command.startswith("mutascope shard demo ")
    assert folders.startswith("    --out ")


def test_more_tasks_than_slurm_accepts_by_default_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    api.slurm_script("demo", 1000)
    assert capsys.readouterr().err == ""
    assert "--array=1-1001" in api.slurm_script("demo", 1001)
    (line,) = capsys.readouterr().err.splitlines()
    assert "SLURM accepts at most 1-1000 as an array by default (MaxArraySize); ask whether yours takes 1-1001" in line
