"""A run on workers of Dask finds the facts of a local run, and what is wrong with a cluster is said in one line."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
from e2e.command_line import Place
from support import counter, pile
from support.own_subject import standing_beside
from support.shop import shop

import harness
from harness import api
from harness.command_line.main import main
from harness.errors import MutascopeError, UsageError
from harness.runner import dask_run
from harness.sandbox.levels import VARIABLE
from harness.store.run_store import RunStore, export_facts

_STARTING_SECONDS = 120.0


class DaskProcesses:
    """A scheduler and its workers, which the caller starts, stops and kills."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.address = ""

    def start_scheduler(self) -> None:
        """Start the scheduler, and wait for its address."""
        address_file = self._folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(address_file)
        )
        until = monotonic() + _STARTING_SECONDS
        while monotonic() < until:
            with suppress(OSError, ValueError):
                self.address = json.loads(address_file.read_text(encoding="utf-8"))["address"]
                return
            sleep(0.05)
        raise TimeoutError("the scheduler does not start")

    def start_worker(self, name: str, variables: Mapping[str, str] | None = None) -> None:
        """Start a worker of one thread."""
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        self.workers[name] = self._start(
            "worker", self.address, "--name", name, "--nthreads", "1", "--no-nanny", "--no-dashboard",
            "--memory-limit", "0", "--local-directory", str(folder), variables=variables,
        )  # fmt: skip

    def kill(self, name: str) -> None:
        """Kill a worker, or the scheduler."""
        process = self.scheduler if name == "scheduler" else self.workers[name]
        assert process is not None
        process.kill()
        process.wait()

    def stop(self) -> None:
        """End all of them."""
        processes = [*self.workers.values(), *([self.scheduler] if self.scheduler else [])]
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, kind: str, *arguments: str, variables: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        with (self._folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", f"distributed.cli.dask_{kind}", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **(variables or {})},
            )


@contextmanager
def dask_processes(folder: Path, workers: int) -> Iterator[DaskProcesses]:
    """Start a scheduler and so many workers, named w1, w2 and so on; end them after the block."""
    processes = DaskProcesses(folder)
    try:
        processes.start_scheduler()
        for number in range(1, workers + 1):
            processes.start_worker(f"w{number}")
        yield processes
    finally:
        processes.stop()


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
    "sequences": {"generators": ["rostra", "random", "css"], "scopes": [1]},
    "rows": {"generators": "korat", "scopes": [2], "matrix": True, "metamutants": True},
}


@pytest.mark.slow
@needs_dask
def test_facts_of_a_cluster_are_those_of_this_machine(tmp_path):
    with (
        dask_processes(tmp_path, 2) as processes,
        standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC),
    ):
        for name, options in EXPERIMENTS.items():
            experiment = api.subject_experiment("counter", **options)
            local = api.run(experiment, tmp_path / f"{name}-local", jobs=1)
            there = api.run(
                experiment, tmp_path / f"{name}-there", jobs=1, executor="dask", scheduler=processes.address
            )
            assert export_facts(there) == export_facts(local)


@pytest.mark.slow
@needs_dask
def test_a_run_that_has_other_facts_already_is_completed(tmp_path):
    with standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC):
        out = api.run(api.subject_experiment("counter", "korat", [1]), tmp_path / "out", jobs=1)
        with RunStore.open_existing(out) as store:
            (first,) = store.finished.keys()
            timings = len(store.timings.of(first))
        both = api.subject_experiment("counter", "korat", [1, 2])
        api.run(both, out, jobs=1, executor="dask")
        assert export_facts(out) == export_facts(api.run(both, tmp_path / "local", jobs=1))
    with RunStore.open_existing(out) as store:
        assert len(store.timings.of(first)) == timings


@pytest.mark.slow
@needs_dask
def test_a_finished_run_needs_no_scheduler_until_a_file_is_changed(tmp_path):
    with standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC):
        experiment = api.subject_experiment("counter", "korat", [1])
        with dask_processes(tmp_path, 1) as processes:
            out = api.run(experiment, tmp_path / "out", 1, "dask", processes.address)
        facts = export_facts(out)
        api.run(experiment, out, 1, "dask", processes.address)
        assert export_facts(out) == facts
        (tmp_path / "subjects/counter/impl.py").write_text(f"{counter.SOURCE}\n# edited\n", encoding="utf-8")
        with pytest.raises(UsageError, match="no scheduler of Dask answers there"):
            api.run(experiment, out, 1, "dask", processes.address)


@pytest.mark.slow
@needs_dask
def test_a_shard_whose_worker_is_killed_is_run_by_another_one(tmp_path):
    cache = tmp_path / "cache"
    with (
        standing_beside(tmp_path, "pile", pile.SOURCE, pile.SPEC),
        dask_processes(tmp_path, 1) as processes,
    ):
        experiment = api.subject_experiment("pile", "korat", [1])

        def kill() -> None:
            while not list(cache.glob("shards/*/shard/run.sqlite")):
                sleep(0.05)
            processes.start_worker("w2")
            processes.kill("w1")

        Thread(target=kill, daemon=True).start()
        there = api.run(experiment, tmp_path / "there", 1, "dask", processes.address)
        assert processes.workers["w1"].poll() is not None
        assert export_facts(there) == export_facts(api.run(experiment, tmp_path / "local", jobs=1))
    assert not list(cache.glob("shards/*"))
    assert not (there / dask_run.PARTS).exists()


@pytest.mark.slow
@needs_dask
def test_shards_that_are_finished_are_not_run_again_after_the_scheduler_is_gone(tmp_path):
    with standing_beside(tmp_path, "pile", pile.SOURCE, pile.SPEC):
        experiment = api.subject_experiment("pile", "korat", [1])
        with dask_processes(tmp_path, 1) as processes:

            def kill() -> None:
                finished: list[Path] = []
                while not finished:
                    with suppress(FileNotFoundError):  # a folder that has just got its name
                        finished = list((tmp_path / "there").glob(f"{dask_run.PARTS}/*/*-of-*/run.sqlite"))
                    sleep(0.02)
                processes.kill("scheduler")

            Thread(target=kill, daemon=True).start()
            with pytest.raises(MutascopeError, match=r"the scheduler .* is gone"):
                api.run(experiment, tmp_path / "there", 1, "dask", processes.address)
        kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "there").glob(f"{dask_run.PARTS}/*/*/run.sqlite")}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dask_run.shutil, "rmtree", lambda *arguments, **options: None)
            there = api.run(experiment, tmp_path / "there", jobs=1, executor="dask")
        assert kept
        assert {path: path.stat().st_mtime_ns for path in kept} == kept
        assert export_facts(there) == export_facts(api.run(experiment, tmp_path / "local", jobs=1))


@pytest.mark.slow
@needs_dask
def test_a_worker_with_another_version_or_less_containment_ends_the_run_in_one_line(tmp_path):
    other = tmp_path / "other"
    shutil.copytree(Path(harness.__file__).parent, other / "harness", ignore=shutil.ignore_patterns("__pycache__"))
    (other / "harness" / "__init__.py").write_text('__version__ = "9.9"\n', encoding="utf-8")
    project = standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC)
    with dask_processes(tmp_path, 0) as processes, project:
        processes.start_worker("old", {"PYTHONPATH": str(other), VARIABLE: ""})
        with pytest.raises(UsageError, match=r"has .*; mutascope 9\.9 in place of .*; no containment by ") as raised:
            api.run(api.subject_experiment("counter", "korat", [1]), tmp_path / "out", 1, "dask", processes.address)
    assert "\n" not in str(raised.value)


@pytest.mark.slow
@needs_dask
def test_a_scheduler_without_workers_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(dask_run, "PATIENCE", 1.0)
    project = standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC)
    with dask_processes(tmp_path, 0) as processes, project, pytest.raises(UsageError, match="has no worker; start"):
        api.run(api.subject_experiment("counter", "korat", [1]), tmp_path / "out", 1, "dask", processes.address)


@pytest.mark.slow
@needs_dask
def test_an_interrupted_run_with_local_workers_ends_soon_with_one_line(tmp_path):
    options = ["--generator", "korat", "--scope", "3", "--jobs", "2", "--out", "run", "--executor", "dask"]
    place = Place(tmp_path)
    process = place.start("run", "--subject", "av_tree", *options)
    assert process.stderr is not None
    while "Dask: " not in process.stderr.readline():
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    began = monotonic()
    result = place.finish(process)
    assert result.err == "mutascope: interrupted; what was finished is kept, the same command goes on\n"
    assert result.status == 130
    assert monotonic() - began < 60
    assert place.processes() == []


@needs_dask
@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "nonsense", "tcp://127.0.0.1", "http://127.0.0.1:8787/status"]
)
def test_an_address_that_is_none_is_one_line(address, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(dask_run, "CONNECTING", 1.0)
    line = refusal(capsys, "--scheduler", address, "--out", str(tmp_path / "out"))
    assert f"--scheduler {address}: no scheduler of Dask answers there" in line
    assert "dask scheduler" in line
    assert not (tmp_path / "out").exists()


@needs_dask
@pytest.mark.parametrize("greeting", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b""], ids=["a web server", "a silent one"])
def test_something_else_than_a_scheduler_is_one_line_soon(greeting, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(dask_run, "CONNECTING", 1.0)
    began = monotonic()
    with answering(greeting) as address:
        line = refusal(capsys, "--scheduler", address, "--out", str(tmp_path / "out"))
    assert f"--scheduler {address}: no scheduler of Dask answers there" in line
    assert monotonic() - began < 30


@contextmanager
def answering(greeting: bytes) -> Iterator[str]:
    """Listen at an address, and answer who connects with these bytes; the connection stays."""
    with socket.create_server(("127.0.0.1", 0)) as server, ExitStack() as connections:

        def answer() -> None:
            with suppress(OSError):
                while True:
                    connection = connections.enter_context(server.accept()[0])
                    connection.sendall(greeting)

        Thread(target=answer, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


@needs_dask
def test_workers_of_this_machine_that_do_not_start_are_one_line(capsys, tmp_path, monkeypatch):
    def failing(**options: object) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr("distributed.LocalCluster", failing)
    line = refusal(capsys, "--out", str(tmp_path / "out"))
    assert "--executor dask: the workers of this machine cannot be started (Nanny failed to start.)" in line


def test_without_the_extra_one_line_names_it(capsys, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "install mutascope[cluster]" in refusal(capsys, "--out", str(tmp_path / "out"))


def test_a_scheduler_without_the_executor_is_one_line(capsys):
    assert main(["run", "demo", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "--scheduler goes with --executor dask" in capsys.readouterr().err


@pytest.mark.slow
@needs_dask
@pytest.mark.parametrize(("workers", "matrix"), [(1, True), (2, False)])
def test_facts_of_a_pytest_suite_are_those_of_this_machine(tmp_path, workers, matrix):
    experiment = shop(tmp_path / "project", matrix=matrix)
    local = api.run(experiment, tmp_path / "local", jobs=1)
    with dask_processes(tmp_path, workers) as processes:
        there = api.run(experiment, tmp_path / "there", 1, "dask", processes.address)
    assert export_facts(there) == export_facts(local)
