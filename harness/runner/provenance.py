"""Describes the machine of a run, and the versions of its programs; and where and when a suite is made."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import harness
from harness.kernel.inputs.suites import SuiteHeader
from harness.model.experiment import Provenance
from harness.resources import without_folders
from harness.sandbox.levels import held_levels

_PACKAGES = ("coverage", "libcst", "matplotlib", "multiprocessing-logging", "pandas")


def provenance(started: datetime | None = None) -> Provenance:
    """Return the provenance of an invocation on this machine. The commit is that of the checkout that contains the
    package, if any.

    Args:
        started: when the invocation began (UTC; default: now).
    """
    from importlib import metadata  # imports much of the standard library

    return Provenance(
        mutascope=harness.__version__,
        python=sys.version.split()[0],
        platform=platform.platform(),
        machine=processor(),
        cpus=os.cpu_count() or 1,
        git_commit=_commit(Path(harness.__file__).parents[1]),
        arguments=tuple(map(without_folders, sys.argv[1:])),
        packages={name: metadata.version(name) for name in _PACKAGES},
        started=(started or datetime.now(UTC)).isoformat(timespec="seconds"),
        containment=held_levels(),
    )


def processor() -> str:
    """Return the name that the processor of this machine reports."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # not Linux
    return platform.processor() or platform.machine()


def _commit(folder: Path) -> str | None:
    if not (folder / ".git").exists():
        return None
    try:
        process = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return process.stdout.strip()


NOT_RECORDED = "a machine and a time that are not recorded"


@dataclass(frozen=True)
class MakingRecord:
    """A machine and the moment (UTC, ISO 8601) at which something begins to be made there."""

    machine: str
    began: str

    @classmethod
    def now(cls) -> MakingRecord:
        """Return the present moment on this machine."""
        return cls(processor(), datetime.now(UTC).isoformat(timespec="microseconds"))

    def origin_of(self, header: SuiteHeader) -> str | None:
        """Return where, how and when a suite was made; None if that was here, and since then."""
        if header.machine == self.machine and header.began >= self.began:
            return None
        if not header.began:
            return NOT_RECORDED
        engines = f"{' and '.join(header.engines)} engine{'s' * (len(header.engines) > 1)}" if header.engines else ""
        return ", ".join(filter(None, (header.machine, engines, header.began.partition("T")[0])))
