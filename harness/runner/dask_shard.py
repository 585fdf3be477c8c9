"""A shard of an experiment as a task of Dask: a worker unpacks the user's files and runs the shard in a process."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from harness.errors import FailedTrialsError, MutascopeError, UsageError
from harness.interruption import interruptible
from harness.kernel.process.confinement import end_with_parent
from harness.model.pytest_suite import PYTEST
from harness.resources import cache_folder
from harness.runner.experiment import parse_experiment
from harness.runner.provenance import provenance
from harness.runner.run import run_shard
from harness.runner.shards import Shard
from harness.sandbox.levels import held_levels
from harness.store.database import FILE_NAME
from harness.store.tables import SHARD_FILE

KEYS_FILE = "keys.json"
"""The file of a shard's folder that lists the keys of its trials, those included that were finished before."""
_REPORTED = (FILE_NAME, SHARD_FILE, KEYS_FILE)
_LOOK_SECONDS = 0.5
_NAME = "mutascope: "


@dataclass(frozen=True)
class ShardTask:
    """What a worker is to run, and with which programs.

    Attributes:
        request: identifies the experiment with all files; a worker that is asked again continues.
        shard: such as `3/16`.
        folder: where the run was started. The archive has each file below its absolute path.
        file: the name of the experiment's file, which lies beside these.
        finished: keys of trials that are finished already.
        versions: of the programs that facts depend on, by name.
        levels: of containment.
    """

    request: str
    shard: str
    folder: str
    file: str
    finished: tuple[str, ...]
    versions: Mapping[str, str]
    levels: tuple[str, ...]


@dataclass(frozen=True)
class ShardReport:
    """What a worker has found: an archive of the shard's folder, and the lines that the shard has printed."""

    archive: bytes
    lines: tuple[str, ...]


def versions(with_pytest: bool) -> dict[str, str]:
    """Return the versions of the programs here that facts depend on, those of pytest and its plug-ins on demand."""
    here = provenance()
    versions = {"mutascope": here.mutascope, "Python": here.python, "commit": here.git_commit or "unknown"}
    if with_pytest:
        plug_ins = {entry.dist for entry in metadata.entry_points(group="pytest11") if entry.dist}
        versions |= {PYTEST: metadata.version(PYTEST), **{one.name: one.version for one in plug_ins}}
    return versions


def perform(archive: bytes, task: ShardTask) -> ShardReport:
    """Run a shard, or continue it if this machine has begun it.

    Raises:
        UsageError: the worker has other versions, or fewer levels of containment.
        MutascopeError: as the shard.
    """
    place = cache_folder() / "shards" / f"{task.request}-{task.shard.replace('/', '-of-')}"
    root, out = place / "files", place / "shard"
    _compare(task)
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    extract(archive, root)
    lines, status = _lines_of_process(root, task, out)
    if status:
        raise MutascopeError(f"{lines[-1].removeprefix(_NAME) if lines else status} (on {os.uname().nodename})")
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as packed:
        for name in _REPORTED:
            packed.add(out / name, name)
    shutil.rmtree(place)
    return ShardReport(content.getvalue(), tuple(lines))


def extract(archive: bytes, folder: Path) -> None:
    """Write all files of an archive of the user's own into a folder."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extraction_filter = getattr(tarfile, "fully_trusted_filter", None)  # since Python 3.11.4
        packed.extractall(folder)  # noqa: S202


def below(root: Path, path: Path) -> Path:
    """Return the place of an absolute path below a root."""
    return root / path.relative_to("/")


def _compare(task: ShardTask) -> None:
    own = versions(PYTEST in task.versions)
    differing = [
        f"{name} {own.get(name, 'none')} in place of {task.versions.get(name, 'none')}"
        for name in sorted({*own, *task.versions})
        if own.get(name) != task.versions.get(name)
    ]
    missing = [level for level in task.levels if level not in held_levels()]
    differing += [f"no containment by {', '.join(missing)}"] * bool(missing)
    if differing:
        raise UsageError(
            f"the worker on {os.uname().nodename} has {'; '.join(differing)}; install there what this machine has, and "
            "run the same command again"
        )


def _lines_of_process(root: Path, task: ShardTask, out: Path) -> tuple[list[str], int]:
    """Run the shard in a process, which ends with this one; return what it prints, and its exit status."""
    arguments = [str(root / task.file), task.shard, str(out), *task.finished]
    with open(out.parent / "printed.txt", "w+", encoding="utf-8", errors="replace") as printed:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "harness.runner.dask_shard", *arguments],
            cwd=below(root, Path(task.folder)),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            start_new_session=True,
        )
        try:
            while not _is_cancelled():
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_LOOK_SECONDS)
                    break
        finally:
            process.terminate()
            process.wait()
        printed.seek(0)
        return printed.read().replace(str(root), "").splitlines(), process.returncode


def _is_cancelled() -> bool:
    """Return whether nobody waits for this task any more."""
    from distributed import get_worker

    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    return task is None or task.state == "cancelled"


def main(file: Path, shard: str, out: Path, finished: tuple[str, ...]) -> str:
    """Run a shard in this process; return what went wrong, or an empty text."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # a local worker blocks it; a program may send it
    end_with_parent(signal.SIGTERM)
    experiment = parse_experiment(file.stem, tomllib.loads(file.read_text(encoding="utf-8")), file)
    try:
        with interruptible():
            keys = run_shard(experiment, Shard.of_text(shard), out, 1, finished).keys
    except FailedTrialsError as failed:
        keys = failed.keys
    except MutascopeError as error:
        return f"{_NAME}{error}"
    (out / KEYS_FILE).write_text(json.dumps(keys), encoding="utf-8")
    return ""


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), tuple(sys.argv[4:])) or 0)
