"""Reads a file that describes a cluster of SLURM, PBS or Kubernetes, and starts workers of Dask there.

The options are those of the classes in `dask-jobqueue` and `dask-kubernetes`, to which they are passed as they are.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.runner.experiment_fields import only, typed

_CLASSES = {
    "slurm": ("dask_jobqueue", "SLURMCluster", "dask-jobqueue"),
    "pbs": ("dask_jobqueue", "PBSCluster", "dask-jobqueue"),
    "kubernetes": ("dask_kubernetes.operator", "KubeCluster", "dask-kubernetes"),
}
"""The module, the class and the package of each kind."""


@dataclass(frozen=True)
class ClusterFile:
    """The description of a cluster: its kind, the number of workers, and options of the class that starts them."""

    path: Path
    kind: str
    workers: int
    options: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> ClusterFile:
        """Read a file such as `kind = "slurm"`, `workers = 20` and a table `[options]`.

        Raises:
            UsageError: there is no such file, or it is no such description.
        """
        try:
            fields = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise UsageError(f"{path}: {error.strerror}; give the file that describes the cluster") from None
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{path}: not TOML ({error}); correct the file") from None
        only(fields, {"kind", "workers", "options"}, path, "the cluster")
        kind = typed(fields, "kind", str, "", path, "the cluster")
        if kind not in _CLASSES:
            raise UsageError(f"{path}: kind {kind!r}: {suggestion(kind, sorted(_CLASSES))}")
        workers = typed(fields, "workers", int, 1, path, "the cluster")
        options = fields.get("options", {})
        if workers < 1 or not isinstance(options, dict):
            raise UsageError(f"{path}: workers is a whole number from 1, and options a table; correct the file")
        return cls(path, kind, workers, options)

    def start(self) -> Any:
        """Start a scheduler here and request the workers; return the cluster of Dask, to be closed.

        Raises:
            UsageError: its package is not installed, or it does not take the options.
        """
        module, name, package = _CLASSES[self.kind]
        try:
            make = getattr(import_module(module), name)
        except ImportError:
            raise UsageError(f"{self.path}: {self.kind} needs the package {package}; install it") from None
        try:
            cluster = make(**self.options)
            cluster.scale(self.workers)
        except Exception as error:
            words = " ".join(str(error).split())
            raise UsageError(f"{self.path}: {name} of {package} cannot be started: {words}") from None
        return cluster
