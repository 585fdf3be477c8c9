"""A file describes a cluster of a batch system; its options reach the class of Dask that starts the workers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from harness.errors import UsageError
from harness.runner.executors.cluster_file import ClusterFile

SLURM = """
kind = "slurm"
workers = 20
[options]
queue = "normal"
cores = 1
memory = "2GB"
walltime = "01:00:00"
"""


class Started:
    """Stands for a class of a package that is not installed."""

    def __init__(self, **options: Any) -> None:
        if "wrong" in options:
            raise TypeError("unexpected keyword 'wrong'")
        self.options = options
        self.workers = 0

    def scale(self, workers: int) -> None:
        self.workers = workers


@pytest.fixture
def described(tmp_path: Path) -> Callable[[str], ClusterFile]:
    def read(text: str) -> ClusterFile:
        path = tmp_path / "cluster.toml"
        path.write_text(text, encoding="utf-8")
        return ClusterFile.read(path)

    return read


@pytest.mark.parametrize(
    ("kind", "module", "name"),
    [
        ("slurm", "dask_jobqueue", "SLURMCluster"),
        ("pbs", "dask_jobqueue", "PBSCluster"),
        ("kubernetes", "dask_kubernetes.operator", "KubeCluster"),
    ],
)
def test_each_kind_starts_workers_by_the_class_of_its_package(
    described: Callable[[str], ClusterFile], monkeypatch: pytest.MonkeyPatch, kind: str, module: str, name: str
) -> None:
    stand_in = ModuleType(module)
    setattr(stand_in, name, Started)
    monkeypatch.setitem(sys.modules, module.partition(".")[0], ModuleType(module.partition(".")[0]))
    monkeypatch.setitem(sys.modules, module, stand_in)
    started = described(f'kind = "{kind}"\nworkers = 3\n[options]\nname = "muta"\n').start()
    assert (started.options, started.workers) == ({"name": "muta"}, 3)
    with pytest.raises(UsageError, match=f"{name} of .* cannot be started: unexpected keyword 'wrong'"):
        described(f'kind = "{kind}"\n[options]\nwrong = 1\n').start()


def test_the_job_script_of_slurm_has_the_options(described: Callable[[str], ClusterFile]) -> None:
    jobqueue = pytest.importorskip("dask_jobqueue", reason="dask-jobqueue is not installed")
    options = described(SLURM).options
    with jobqueue.SLURMCluster(**options, scheduler_options={"dashboard": False}) as cluster:
        script = cluster.job_script()
    assert "#SBATCH -p normal" in script
    assert "#SBATCH -t 01:00:00" in script


def test_a_package_that_is_missing_is_named(
    described: Callable[[str], ClusterFile], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "dask_jobqueue", None)
    with pytest.raises(UsageError, match=r"cluster.toml: slurm needs the package dask-jobqueue; install it"):
        described(SLURM).start()


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("kind = ", "not TOML"),
        ('kind = "slurn"', "kind 'slurn'.*slurm"),
        ("workers = 3", "kind ''"),
        ('kind = "pbs"\nworkers = 0', "workers is a whole number from 1"),
        ('kind = "pbs"\nworkers = "3"', "workers is a whole number"),
        ('kind = "pbs"\nnodes = 3', "unknown field 'nodes'"),
        ('kind = "pbs"\noptions = 3', "options a table"),
    ],
)
def test_what_is_no_description_is_refused(described: Callable[[str], ClusterFile], text: str, refusal: str) -> None:
    with pytest.raises(UsageError, match=refusal):
        described(text)
