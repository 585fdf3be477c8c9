"""A run on workers of Dask finds the facts of a local run, and what is wrong with a cluster is said in one line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from support import counter
from support.dask_processes import dask_processes
from support.own_subject import standing_beside

from harness import api
from harness.command_line.main import main
from harness.store.export import export_facts

needs_dask = pytest.mark.skipif(
    not any((Path(entry) / "distributed").is_dir() for entry in sys.path if entry),
    reason="the extra `cluster` is not installed",
)


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the one line that a refused command prints."""
    assert main(["run", "--subject", "search_tree", "--scope", "2", "--executor", "dask", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


EXPERIMENTS: dict[str, dict[str, Any]] = {
    "states": {"generators": "korat", "scopes": [2], "oracles": ["differential", "postcondition"]},
    "rows": {"generators": "korat", "scopes": [2], "matrix": True, "metamutants": True},
}


@needs_dask
@pytest.mark.end_to_end
@pytest.mark.parametrize("workers", [2, 3])
def test_facts_of_a_cluster_are_those_of_this_machine(tmp_path: Path, workers: int) -> None:
    with (
        dask_processes(tmp_path, workers) as processes,
        standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC),
    ):
        for name, options in EXPERIMENTS.items():
            experiment = api.subject_experiment("counter", **options)
            local = api.run(experiment, tmp_path / f"{name}-local", jobs=1)
            there = api.run(
                experiment, tmp_path / f"{name}-there", jobs=1, executor="dask", scheduler=processes.address
            )
            assert export_facts(there) == export_facts(local)


@needs_dask
def test_a_scheduler_that_nobody_reaches_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = refusal(capsys, "--scheduler", "tcp://127.0.0.1:1", "--out", str(tmp_path / "out"))
    assert "no scheduler of Dask answers there" in line
    assert "dask scheduler" in line


@needs_dask
def test_an_address_that_is_none_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = refusal(capsys, "--scheduler", "nowhere", "--out", str(tmp_path / "out"))
    assert "--scheduler nowhere: no scheduler of Dask answers there" in line


def test_without_the_extra_one_line_names_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "install mutascope[cluster]" in refusal(capsys, "--out", str(tmp_path / "out"))


def test_a_scheduler_without_the_executor_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "demo", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "--scheduler is for a cluster; give --executor dask with it" in capsys.readouterr().err
