"""Remembers which requests a run has finished, so that the same command ends at once where nothing has changed.

A request is a suite with everything that its results can depend on. These are the files of its project, the target, its
pinned mutants and profile, the settings of the run, the installed packages, Python, and Mutascope itself. If one
of them is another, the original runs again, and decides whether the stored trial is still the one that was asked for.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlparse

import harness
from harness import resources
from harness.errors import StoreError
from harness.model.experiment import Experiment
from harness.model.pytest_suite import PytestSuite
from harness.runner.pytest_runs.project import Project

FILE = "finished.json"
"""The file in the folder of a run. Without it, the original runs again."""

NO_TRIAL = ""
"""The key of a request that has no trial, because the target has nothing to mutate."""

_LEFT_OUT = frozenset({"site-packages", "node_modules", "__pycache__", "build", "dist", "results"})


class FinishedRequests:
    """The finished requests in the folder of a run, with the keys of their trials."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE

    def key(self, request: str) -> str | None:
        """Return the key of the trial that a request has led to; None if it is not known."""
        return self._read().get(request)

    def add(self, request: str, key: str) -> None:
        """Remember a request and its finished trial.

        Raises:
            StoreError: the file cannot be written.
        """
        part = self._path.with_suffix(f".part-{os.getpid()}")
        try:
            part.write_text(json.dumps(self._read() | {request: key}, indent=1) + "\n", encoding="utf-8")
            part.replace(self._path)
        except OSError as error:
            raise StoreError(f"{self._path}: cannot be written ({error.strerror}); make room for it") from None

    def _read(self) -> dict[str, str]:
        try:
            stored_keys = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(request): str(key) for request, key in stored_keys.items()} if isinstance(stored_keys, dict) else {}


def request_of(project: Project, files: str, suite: PytestSuite, experiment: Experiment, environment: str) -> str:
    """Return the hash of everything that the results of a suite can depend on.

    Args:
        files: the hash of the project's files but the target.
        environment: as `environment_hash` returns it.
    """
    subject, operators = project.subject, experiment.operators
    folders = [list(_pinned(folder, operators)) for folder in resources.mutants_folders(subject)]
    pinned = [found for found in folders if found]
    parts = [files, subject.source, suite.to_json(), operators, experiment.mode.value, environment, pinned]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _pinned(folder: Path, operators: str) -> Iterator[tuple[str, str]]:
    """Yield the paths and hashes of the files in a subject's folder of mutants that are not of other operator sets."""
    for path in sorted([*folder.glob("*"), *(folder / operators).glob("*")]):
        if path.is_file():
            yield str(path.relative_to(folder)), _file_hash(path)


def environment_hash() -> str:
    """Return the hash of Python, the machine, Mutascope itself and all packages that tests can import."""
    parts = [
        sys.version,
        # The parts of platform.platform(), which would start a process.
        [platform.system(), platform.release(), platform.machine(), *platform.libc_ver()],
        _sources_below(Path(harness.__file__).parent),
        [[str(folder), *_installed(folder)] for folder in map(Path, sys.path) if folder.is_dir()],
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _installed(folder: Path) -> Iterator[str]:
    """Yield the names, versions and lists of files of the distributions in a folder, and the sources of editable ones.

    A list has the hashes of the files. An old distribution may have none.
    """
    for metadata in sorted([*folder.glob("*.dist-info"), *folder.glob("*.egg-info"), *folder.glob("*.egg-link")]):
        yield metadata.name
        yield _file_hash(metadata / "RECORD")
        try:
            origin = json.loads((metadata / "direct_url.json").read_text(encoding="utf-8"))
            if origin.get("dir_info", {}).get("editable"):
                yield _sources_below(Path(unquote(urlparse(origin["url"]).path)))
        except (OSError, ValueError, KeyError, AttributeError):
            continue  # installed from an index, or nothing that can be read


def _file_hash(path: Path) -> str:
    """Return the hash of a file; an empty string if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _sources_below(folder: Path) -> str:
    """Return a hash of the paths, sizes and times of change of the Python files below a folder."""
    digest = hashlib.sha256()
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT and not name.startswith("."))
        for name in sorted(name for name in names if name.endswith((".py", ".j2", ".h", ".so"))):
            path = os.path.join(place, name)
            try:
                status = os.stat(path)
            except OSError:
                continue
            digest.update(os.fsencode(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n"))
    return digest.hexdigest()
