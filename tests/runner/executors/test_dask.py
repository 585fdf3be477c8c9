"""A run on workers of Dask finds the facts of a local run, and what is wrong with a cluster is said in one line."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
from e2e.command_line import Place
from support import counter
from support.dask_processes import dask_processes
from support.own_subject import standing_beside
from support.shop import shop

import harness
from harness import api
from harness.command_line.main import main
from harness.errors import UsageError
from harness.kernel.running.fact_validation import lost
from harness.kernel.running.job import HarnessFault, MutantFacts, MutantOrder
from harness.runner.executors.dask_cluster import DaskCluster
from harness.runner.executors.dask_executor import DaskExecutor
from harness.runner.executors.protocol import LOST, Work
from harness.runner.zygotes import after_death, left_of
from harness.sandbox.levels import VARIABLE, held_levels
from harness.store.facts_as_text import export_facts
from harness.store.run_store import RunStore

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
@pytest.mark.parametrize("workers", [2, 3, pytest.param(8, marks=pytest.mark.slow)])
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
@pytest.mark.end_to_end
def test_facts_of_call_sequences_are_those_of_this_machine(tmp_path: Path) -> None:
    with standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC):
        experiment = api.subject_experiment("counter", ["rostra", "random", "css"], [1])
        local = api.run(experiment, tmp_path / "local", jobs=1)
        there = api.run(experiment, tmp_path / "there", jobs=2, executor="dask")
    assert export_facts(there) == export_facts(local)


@needs_dask
@pytest.mark.end_to_end
def test_a_weaker_worker_is_refused_unless_it_is_allowed_and_the_run_names_its_workers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC)
    with dask_processes(tmp_path, 0) as processes, project:
        experiment = api.subject_experiment("counter", "korat", [1])
        processes.start_worker("weak", {VARIABLE: ""})
        with pytest.raises(UsageError, match="the worker weak is refused: it lacks the containment"):
            api.run(experiment, tmp_path / "out", executor="dask", scheduler=processes.address)
        processes.start_worker("strong")
        out = api.run(experiment, tmp_path / "out", 1, "dask", processes.address, allowed_workers=["weak"])
        processes.signal("weak", signal.SIGKILL)
    with RunStore.open(out) as store:
        workers = store.sessions.all()[-1].workers
    assert workers["weak"]["containment"] == []
    assert workers.get("strong", {}).get("containment", [*held_levels()]) == [*held_levels()]


@needs_dask
@pytest.mark.end_to_end
def test_a_worker_of_another_version_is_refused_in_one_line_and_the_others_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    shutil.copytree(Path(harness.__file__).parent, other / "harness", ignore=shutil.ignore_patterns("__pycache__"))
    (other / "harness" / "__init__.py").write_text('__version__ = "9.9"\n', encoding="utf-8")
    with dask_processes(tmp_path, 0) as processes:
        processes.start_worker("old", {"PYTHONPATH": str(other)})
        with pytest.raises(UsageError, match=r"the worker old is refused: mutascope 9\.9, and here "):
            DaskCluster(processes.address).__enter__()
        processes.start_worker("new")
        until = monotonic() + 60
        while True:
            try:
                with DaskCluster(processes.address, allowed=["nosuch"]) as cluster:
                    assert [*cluster.descriptions] == ["new"]
                break
            except UsageError:
                assert monotonic() < until
    printed = capsys.readouterr().err
    assert "the worker old is refused" in printed
    assert "--allow-worker nosuch: no worker has this name; there are new, old" in printed


@needs_dask
@pytest.mark.end_to_end
def test_a_scheduler_without_workers_is_told_at_once_and_a_worker_without_mutascope_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without = tmp_path / "without"
    (without / "harness").mkdir(parents=True)
    (without / "harness" / "__init__.py").write_text("raise ModuleNotFoundError('harness')\n", encoding="utf-8")
    with dask_processes(tmp_path, 0) as processes:
        with pytest.raises(UsageError, match="has no worker; start some with"):
            DaskCluster(processes.address, patience=1).__enter__()
        waiting = f"no worker yet; waiting up to 0.017 minutes for 'dask worker {processes.address}'"
        assert waiting in capsys.readouterr().err
        processes.start_worker("bare", {"PYTHONPATH": str(without)})
        with pytest.raises(UsageError, match=BARE):
            DaskCluster(processes.address, patience=30).__enter__()
    assert capsys.readouterr().err.count("the worker bare is refused") == 1


BARE = r"the worker bare is refused: it left before it told its versions; is mutascope installed there\?"


@needs_dask
@pytest.mark.end_to_end
def test_an_interrupted_run_with_local_workers_ends_soon_with_one_line(tmp_path: Path) -> None:
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


@contextmanager
def lethal(folder: Path) -> Iterator[Callable[[MutantOrder], MutantFacts]]:
    """Open a worker that kills the worker of Dask above it when it runs one mutant."""

    def answer(order: MutantOrder) -> MutantFacts:
        if order.id == "lethal":
            status = Path(f"/proc/{os.getppid()}/stat").read_text(encoding="utf-8")
            os.kill(int(status.rpartition(")")[2].split()[1]), signal.SIGKILL)
            sleep(60)
        return MutantFacts(**vars(lost("by hand")), id=order.id)

    yield answer


@needs_dask
@pytest.mark.end_to_end
def test_a_mutant_that_kills_three_workers_is_a_fault_and_the_others_are_run() -> None:
    orders = [MutantOrder(name, "", 0, 1) for name in ("first", "lethal", "last")]
    pickled = cloudpickle_by_value()
    with pickled, DaskCluster(jobs=1) as cluster, DaskExecutor(cluster, Work(lethal, after_death, left_of)) as executor:
        answers = {order.id: answer for order, answer in executor.run(orders)}
    assert answers["lethal"] == HarnessFault("lethal", LOST)
    assert {name for name, answer in answers.items() if isinstance(answer, MutantFacts)} == {"first", "last"}


@contextmanager
def homeless(folder: Path) -> Iterator[Callable[[MutantOrder], MutantFacts]]:
    """Open a worker whose temporary folder is removed by the first of all orders."""

    def answer(order: MutantOrder) -> MutantFacts:
        with suppress(FileExistsError):
            Path(order.source).touch(exist_ok=False)
            shutil.rmtree(folder.parents[1])
            raise FileNotFoundError(folder)
        return MutantFacts(**vars(lost("by hand")), id=order.id)

    yield answer


@needs_dask
@pytest.mark.end_to_end
def test_a_worker_whose_temporary_folder_is_gone_is_not_used_any_more_and_others_do_its_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    orders = [MutantOrder(name, "", 0, 1, source=str(tmp_path / "removed")) for name in ("a", "b", "c")]
    work = Work(homeless, after_death, left_of)
    with cloudpickle_by_value(), DaskCluster(jobs=2) as cluster, DaskExecutor(cluster, work) as executor:
        answers = {order.id: answer for order, answer in executor.run(orders)}
    assert {name for name, answer in answers.items() if isinstance(answer, MutantFacts)} == {"a", "b", "c"}
    assert capsys.readouterr().err.count("is not used any more: its temporary folder") == 1


@contextmanager
def cloudpickle_by_value() -> Iterator[None]:
    """Send functions of this module as text: workers do not have it."""
    import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


@needs_dask
def test_a_scheduler_that_nobody_reaches_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.runner.executors.dask_connection.CONNECTING", 1.0)
    line = refusal(capsys, "--scheduler", "tcp://127.0.0.1:1", "--out", str(tmp_path / "out"))
    assert "no scheduler of Dask answers there" in line
    assert "dask scheduler" in line


@pytest.mark.end_to_end
def test_a_finished_run_needs_no_scheduler(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with standing_beside(tmp_path, "counter", counter.SOURCE, counter.SPEC):
        experiment = api.subject_experiment("counter", "korat", [1])
        out = api.run(experiment, tmp_path / "out", jobs=1)
        facts = export_facts(out)
        capsys.readouterr()
        assert api.run(experiment, out, 1, "dask", "tcp://127.0.0.1:1") == out
    assert export_facts(out) == facts
    assert "Dask" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "address", ["nonsense", "tcp://127.0.0.1", "http://127.0.0.1:8787/status", "tcp://127.0.0.1:99999", "tcp://:8786"]
)
def test_an_address_that_is_none_is_one_line(address: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = refusal(capsys, "--scheduler", address, "--out", str(tmp_path / "out"))
    assert f"--scheduler {address}: an address has the form tcp://HOST:PORT" in line


@needs_dask
@pytest.mark.parametrize("greeting", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b""], ids=["a web server", "a silent one"])
def test_something_else_than_a_scheduler_is_one_line_soon(
    greeting: bytes, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.runner.executors.dask_connection.CONNECTING", 1.0)
    began = monotonic()
    with answering(greeting) as address:
        line = refusal(capsys, "--scheduler", address, "--out", str(tmp_path / "out"))
    assert f"--scheduler {address}: no scheduler of Dask answers there" in line
    assert "something else answers there; is it the port of the dashboard?" in line
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
@pytest.mark.end_to_end
def test_workers_of_this_machine_are_not_profiled_unless_the_user_has_set_how_often(tmp_path: Path) -> None:
    config = pytest.importorskip("dask.config")
    pytest.importorskip("distributed")  # which sets the defaults

    def profiling() -> tuple[bool, str]:
        return config.get("distributed.worker.profile.enabled"), config.get("distributed.admin.tick.interval")

    before = profiling()
    with DaskCluster(jobs=1) as cluster:
        assert list(cluster.client.run(profiling).values()) == [(False, "1s")]
    assert profiling() == before
    with config.set({"distributed.admin.tick.interval": "5s"}), DaskCluster(jobs=1) as cluster:
        assert list(cluster.client.run(profiling).values()) == [(False, "5s")]


@needs_dask
def test_workers_of_this_machine_that_do_not_start_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(**options: object) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr("distributed.LocalCluster", failing)
    line = refusal(capsys, "--out", str(tmp_path / "out"))
    assert "--executor dask: the workers of this machine cannot be started (Nanny failed to start.)" in line


def test_a_file_of_a_cluster_that_is_missing_or_wrong_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "cluster.toml"
    assert f"{path}: No such file" in refusal(capsys, "--cluster", str(path))
    path.write_text('kind = "slurn"\n', encoding="utf-8")
    assert "slurm" in refusal(capsys, "--cluster", str(path))
    assert "one of them" in refusal(capsys, "--cluster", str(path), "--scheduler", "tcp://127.0.0.1:1")


def test_without_the_extra_one_line_names_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "install mutascope[cluster]" in refusal(capsys, "--out", str(tmp_path / "out"))


def test_a_scheduler_without_the_executor_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "demo", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "--scheduler is for a cluster; give --executor dask with it" in capsys.readouterr().err


@needs_dask
@pytest.mark.end_to_end
@pytest.mark.parametrize(("workers", "matrix"), [(2, False), (3, True), pytest.param(8, False, marks=pytest.mark.slow)])
def test_facts_of_a_pytest_suite_are_those_of_this_machine(tmp_path: Path, workers: int, matrix: bool) -> None:
    experiment = shop(tmp_path / "project", matrix=matrix)
    local = api.run(experiment, tmp_path / "local", jobs=1)
    with dask_processes(tmp_path, workers) as processes:
        there = api.run(experiment, tmp_path / "there", 1, "dask", processes.address)
    assert export_facts(there) == export_facts(local)


@needs_dask
@pytest.mark.end_to_end
def test_a_worker_with_another_plug_in_of_pytest_runs_no_suite(tmp_path: Path) -> None:
    package = tmp_path / "packages" / "loud-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: loud\nVersion: 1.0\n", encoding="utf-8")
    (package / "entry_points.txt").write_text("[pytest11]\nloud = loud\n", encoding="utf-8")
    experiment = shop(tmp_path / "project", matrix=False)
    with dask_processes(tmp_path, 0) as processes:
        processes.start_worker("loud", {"PYTHONPATH": str(package.parent)})
        with pytest.raises(UsageError, match=r"has loud 1\.0, and the machine that started the run none; install the"):
            api.run(experiment, tmp_path / "there", 1, "dask", processes.address)
