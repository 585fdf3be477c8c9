"""Runs an experiment on a cluster of Dask: its workers run shards, whose facts are joined here."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import logging
import os
import shutil
import signal
import sys
import tarfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from harness import resources
from harness.errors import MutascopeError, UsageError
from harness.generators.registry import is_own
from harness.model.experiment import Experiment
from harness.runner.dask_shard import KEYS_FILE, ShardReport, ShardTask, below, extract, perform, versions
from harness.runner.experiment import as_toml
from harness.runner.logs import logging_to, report_line
from harness.runner.merge import join
from harness.runner.progress import progress_bar
from harness.runner.pytest_runs.finished_requests import FinishedRequests, environment_hash
from harness.runner.pytest_runs.project import find_project
from harness.runner.pytest_runs.project_copy import copy_files
from harness.runner.run import describe_subjects, end_failures, refuse_failures
from harness.runner.run_lock import locked
from harness.runner.shards import Shard, refuse_shard
from harness.runner.subjects import load_subject
from harness.runner.trial import shares_of
from harness.sandbox.folders import locked_folder
from harness.sandbox.levels import held_levels
from harness.store.database import FILE_NAME
from harness.store.run_store import RunStore

if TYPE_CHECKING:
    from distributed import Client, Future

SHARDS_EACH = 8
"""Shards for each thread of a worker: so many even out that some of them take longer."""
PARTS = ".shards"
"""The folder within that of the run that has the finished shards of a run that is not finished."""
CONNECTING = 15.0
"""Seconds for a scheduler to answer."""
PATIENCE = 120.0
"""Seconds for a first worker to come."""
_LOOK_SECONDS = 5.0


def run_on_dask(experiment: Experiment, folder: Path, jobs: int, scheduler: str | None = None) -> None:
    """Run an experiment on the workers of a cluster, or the shards that are left of it.

    Args:
        jobs: workers that are started on this machine if there is no scheduler.
        scheduler: its address.

    Raises:
        UsageError: no scheduler or no worker can be used, or it has other versions.
        MutascopeError: as `run_experiment`.
    """
    with locked(folder):
        refuse_shard(folder)
        describe_subjects(experiment)
        archive = _archive(experiment)
        requests = FinishedRequests(folder)
        request = hashlib.sha256(archive + environment_hash().encode()).hexdigest()[:16]
        finished = _finished(folder)
        known = requests.key(request)
        if known is not None and finished.issuperset(known.split()):
            with RunStore.open(folder) as store:
                for key in known.split():
                    store.trials.renew(key)
            return
        with _connected(scheduler, jobs) as client, logging_to(folder):
            parts = _parts(experiment, folder, request, archive, sorted(finished), client)
        with RunStore.open(folder) as store:
            keys, failures = _joined(experiment, parts, store)
        shutil.rmtree(folder / PARTS)
        refuse_failures(experiment, failures, folder, keys)
        requests.add(request, " ".join(keys))


def _finished(folder: Path) -> frozenset[str]:
    if not (folder / FILE_NAME).exists():
        return frozenset()
    with RunStore.open_existing(folder) as store:
        return store.finished.keys()


def _archive(experiment: Experiment) -> bytes:
    """Return an archive of the experiment's file, and of the user's files that its trials need.

    Each lies below its absolute path, so that names which are relative to this folder mean the same elsewhere.
    """
    with locked_folder() as stage:
        below(stage, Path.cwd()).mkdir(parents=True)
        for project in {(one.root, one.chosen): one for one in map(find_project, experiment.suites)}.values():
            copy_files(project.root, project.chosen, project.needed(), below(stage, project.root))
        for path in _files(experiment):
            place = below(stage, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place)
        file = stage / _file_name(experiment)
        file.write_text(as_toml(_relative(experiment), Path("/")), encoding="utf-8")
        os.utime(file, (0, 0))
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as packed:
            packed.add(stage, ".", filter=_of_nobody)
        return content.getvalue()


def _file_name(experiment: Experiment) -> str:
    return f"{experiment.name}.toml"


def _of_nobody(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Leave out whom a file belongs to, and when a folder was copied."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0 if entry.isdir() else entry.mtime
    return entry


def _relative(experiment: Experiment) -> Experiment:
    """Return the experiment with the tests of its suites relative to their folders."""
    suites = [
        replace(suite, tests=tuple(os.path.relpath(Path(suite.folder, test), suite.folder) for test in suite.tests))
        for suite in experiment.suites
    ]
    return replace(experiment, suites=tuple(suites))


def _files(experiment: Experiment) -> Iterator[Path]:
    """Yield the files of subjects, of their pinned mutants, and of generators that are a user's own."""
    folders: list[Path] = []
    for name in {trial.subject for trial in experiment.trials}:
        subject = load_subject(name)
        folders += [subject.spec_path.parent, *resources.mutants_folders(subject)]
        if not subject.installed:
            yield from (subject.source_path, *(Path(file.path) for file in subject.companions if file.source))
    for suite in experiment.suites:  # which may be of several modules
        folders += [folder.parent for folder in resources.mutants_folders(find_project(suite).subject)]
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    for name in {trial.generator for trial in experiment.trials if is_own(trial.generator)}:
        yield Path(name.partition(":")[0]).absolute()


@contextmanager
def _connected(scheduler: str | None, jobs: int) -> Iterator[Client]:
    """Connect to a scheduler, or start one here with its workers; say in one line where it is.

    Raises:
        UsageError: it cannot be reached or started, or there is no worker.
    """
    try:
        from distributed import Client, LocalCluster
        from distributed.utils import LoopRunner
    except ImportError:
        raise UsageError(
            "--executor dask: Dask is not installed beside mutascope; install mutascope[cluster]"
        ) from None
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado"):  # what matters is reported here
            logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as opened:
        try:
            target: Any = scheduler
            if scheduler is None:
                with _without_interrupts():
                    target = opened.enter_context(
                        LocalCluster(
                            n_workers=jobs, threads_per_worker=1, memory_limit=0, dashboard_address=":0",
                            silence_logs=logging.CRITICAL,
                        )
                    )  # fmt: skip
            else:
                kind = LoopRunner().run_sync(_kind, scheduler)  # type: ignore[no-untyped-call]
                if kind != "Scheduler":
                    raise ValueError(f"a {kind}")
            client = opened.enter_context(Client(target, timeout=CONNECTING, set_as_default=False))
        except Exception as error:
            if scheduler is None:
                raise UsageError(
                    f"--executor dask: the workers of this machine cannot be started ({_words(error)}); see whether "
                    "'dask worker' starts one, or use --executor local"
                ) from None
            raise UsageError(
                f"--scheduler {scheduler}: no scheduler of Dask answers there ({_words(error)}); start one with 'dask "
                "scheduler', and give the address that it prints after 'Scheduler at:', as tcp://10.0.0.1:8786"
            ) from None
        address = client.scheduler.address
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise UsageError(
                f"the scheduler {address} has no worker; start some with 'dask worker {address}', and run the same "
                "command again"
            ) from None
        report_line(f"Dask: {client.dashboard_link or address}, {len(client.nthreads())} workers")
        yield client


async def _kind(address: str) -> str:
    """Ask for the class of the server at an address: a client waits for minutes if it is no scheduler."""
    from distributed import Security
    from distributed.comm.core import connect
    from distributed.core import send_recv

    async with asyncio.timeout(CONNECTING):
        comm = await connect(address, CONNECTING, **Security().get_connection_args("client"))  # type: ignore[no-untyped-call]
        try:
            return str((await send_recv(comm, op="identity"))["type"])
        finally:
            comm.abort()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Keep Ctrl-C from the processes that are started within the block. Here, it is heard after the block."""
    ensure_running()  # the process that multiprocessing starts first; to start it unblocks SIGINT in the thread
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _parts(
    experiment: Experiment, folder: Path, request: str, archive: bytes, finished: Sequence[str], client: Client
) -> list[Path]:
    """Have the shards run that are not there; return the folders of all. Each is kept as soon as it is finished."""
    root = folder / PARTS / request
    if not root.exists():
        shutil.rmtree(folder / PARTS, ignore_errors=True)  # of files that were changed since
        count = SHARDS_EACH * sum(client.nthreads().values())
        (folder / PARTS / "new").mkdir(parents=True)
        for shard in _needed_shards(experiment, count):
            (folder / PARTS / "new" / f"{shard.number}-of-{count}").mkdir()
        (folder / PARTS / "new").rename(root)
    parts = sorted(root.iterdir())
    left = [part for part in parts if not any(part.iterdir())]
    programs, levels = versions(with_pytest=bool(experiment.suites)), tuple(held_levels())
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sending large graph")
        files = client.submit(bytes, archive, key=f"mutascope-{uuid4().hex}")
    futures: dict[Future, Path] = {}
    for part in left:
        number = part.name.replace("-of-", "/")
        task = ShardTask(request, number, str(Path.cwd()), _file_name(experiment), tuple(finished), programs, levels)
        futures[client.submit(perform, files, task, key=f"mutascope-{uuid4().hex}")] = part
    printed: set[str] = set()
    with progress_bar(experiment.name, len(parts), len(parts) - len(left)) as advance:
        for future in _finished_futures(futures, client):
            report = _report(future, client)
            for line in report.lines:
                if line not in printed:
                    print(line, file=sys.stderr)
                printed.add(line)
            _keep(report, futures[future])
            advance()
    return parts


def _needed_shards(experiment: Experiment, count: int) -> list[Shard]:
    """Return the shards that have something to do. In a pytest suite, each may have: only its run shows the mutants."""
    shards = [Shard(number, count) for number in range(1, count + 1)]
    try:
        shares = [shares_of(trial, experiment, shards) for trial in experiment.trials]
    except MutascopeError:  # which is of one trial, and its shards report it
        return shards
    return [
        shard
        for place, shard in enumerate(shards)
        if experiment.suites or any(not of_trial[place].is_empty for of_trial in shares)
    ]


def _finished_futures(futures: dict[Future, Path], client: Client) -> Iterator[Future]:
    """Yield tasks that are over. If no worker is left, a line says so, and others may be started."""
    from distributed import wait

    left, is_told = set(futures), False
    while left:
        try:
            wait(left, timeout=_LOOK_SECONDS, return_when="FIRST_COMPLETED")
        except TimeoutError:
            is_alone = client.status == "running" and not client.nthreads()
            if is_alone and not is_told:
                report_line(f"no worker is left; start one with 'dask worker {client.scheduler.address}'")
            is_told = is_alone
        except Exception:  # noqa: S110 (the task that is cancelled tells why)
            pass
        over = {future for future in left if future.done() or client.status != "running"}
        yield from over
        left -= over


def _report(future: Future, client: Client) -> ShardReport:
    """Return the report of a task that is over.

    Raises:
        MutascopeError: there is none.
    """
    from distributed import KilledWorker

    if client.status != "running" or future.cancelled():
        raise MutascopeError(
            f"the scheduler {client.scheduler.address} is gone; start it again with its workers, and run the same "
            "command again, which continues"
        )
    try:
        report: ShardReport = future.result()
    except MutascopeError:
        raise
    except KilledWorker:
        raise MutascopeError("several workers were lost with the same shard; see their logs, and run again") from None
    except Exception as error:
        raise MutascopeError(f"a worker cannot run a shard: {_words(error)}; is mutascope installed there?") from None
    return report


def _keep(report: ShardReport, part: Path) -> None:
    """Write a shard into its folder, as a whole or not at all."""
    with locked_folder(part.parent.parent) as own:
        extract(report.archive, own / "shard")
        (own / "shard").rename(part)


def _joined(experiment: Experiment, parts: Sequence[Path], store: RunStore) -> tuple[list[str], int]:
    """Join the shards in the store of the run; return the keys of all trials, and the number of those that failed."""
    join(parts, store, [suite.folder for suite in experiment.suites])
    keys = list(dict.fromkeys(key for part in parts for key in json.loads((part / KEYS_FILE).read_bytes())))
    for key in keys:
        store.trials.renew(key)
    failed = {place for part in parts for place in _failures(part)}
    for trial in experiment.trials:
        has_failed = (trial.subject, trial.generator, trial.scope, trial.seed) in failed
        end_failures(trial, experiment, store, has_failed=has_failed)
    return keys, len(failed)


def _failures(part: Path) -> Iterator[tuple[str, str, int, int]]:
    with RunStore.open_existing(part, is_shard=True) as store:
        for one in store.failures.all():
            yield one.subject, one.generator, one.scope, one.seed


def _words(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
