"""Runs a small experiment on workers of Dask again and again, with random faults, and compares the facts.

`python -m benchmarks.cluster_faults --runs 50` writes `benchmarks/results/cluster_faults.md`.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic, sleep

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from support import counter  # noqa: E402 (of the tests)
from support.dask_processes import DaskProcesses  # noqa: E402
from support.own_subject import standing_beside  # noqa: E402

from benchmarks.measuring import load_average, machine, markdown_table, write_result  # noqa: E402
from harness import api  # noqa: E402
from harness.errors import MutascopeError  # noqa: E402
from harness.runner.executors.dask_cluster import DaskCluster  # noqa: E402
from harness.runner.executors.dask_executor import DaskWorkforce  # noqa: E402
from harness.runner.run import run_experiment  # noqa: E402
from harness.store.connect import FILE_NAME  # noqa: E402
from harness.store.facts_as_text import export_facts  # noqa: E402

SUBJECT, SCOPE = "counter", 2
WORKERS = 3
SILENCE = 5.0
"""Seconds without a sign of life until orders are given to others; a user's run waits longer."""
PATIENCE = 20.0
MOST_COMMANDS = 5
LIMIT = 300.0
EXPLANATION = (
    f"Each run is `{SUBJECT}` of `tests/support/counter.py`, `korat`, scope {SCOPE}: {{mutants}} mutants on "
    f"{WORKERS} worker processes, with one or "
    "two faults, each after a random number of results (seed {seed}). The scheduler, each worker and the command are "
    "processes of their "
    f"own. Silent workers are given up after {SILENCE:g} s, where users have 30 s. A run that stops with one line is "
    "continued by the same command. The facts are compared with those of a local run, byte for byte."
)


class Scene:
    """A scheduler, its workers and the command of one run."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.processes = DaskProcesses(folder)
        self.chance = chance
        self.is_over = Event()
        self.slowing: list[Thread] = []
        self.command: subprocess.Popen[str] | None = None
        self._number = 0

    def begin(self, workers: int) -> None:
        """Start the scheduler and workers."""
        self.processes.start_scheduler(self.port)
        for _ in range(workers):
            self.add_worker()

    def add_worker(self) -> None:
        """Start another worker."""
        self._number += 1
        self.processes.start_worker(f"w{self._number}")

    def settle(self) -> None:
        """Wait until a scheduler and a worker live."""
        until = monotonic() + LIMIT
        while monotonic() < until and not self.is_running:
            sleep(0.1)

    @property
    def is_running(self) -> bool:
        """Whether a scheduler and a worker live."""
        scheduler, workers = self.processes.scheduler, self.processes.workers.values()
        lives = scheduler is not None and scheduler.poll() is None
        return lives and any(worker.poll() is None for worker in workers)

    def living(self) -> str:
        """Return the name of a worker that has not ended."""
        names: list[str] = [name for name, process in self.processes.workers.items() if process.poll() is None]
        return self.chance.choice(names)


def kill_worker(scene: Scene) -> None:
    """Kill a worker; another one comes, as from a batch system."""
    scene.processes.signal(scene.living(), signal.SIGKILL)
    scene.add_worker()


def kill_all_workers(scene: Scene) -> None:
    """Kill all workers; others come."""
    for name in scene.processes.workers:
        scene.processes.signal(name, signal.SIGKILL)
    for _ in range(WORKERS):
        scene.add_worker()


def stop_worker(scene: Scene) -> None:
    """Stop a worker for longer than it is waited for, and continue it."""
    name = scene.living()
    scene.processes.signal(name, signal.SIGSTOP)
    scene.is_over.wait(scene.chance.uniform(1, 4 * SILENCE))
    scene.processes.signal(name, signal.SIGCONT)


def slow_worker(scene: Scene) -> None:
    """Make a worker ten times slower until the run is over: it is stopped for nine tenths of the time."""
    name = scene.living()

    def slow() -> None:
        while not scene.is_over.is_set():
            scene.processes.signal(name, signal.SIGSTOP)
            scene.is_over.wait(0.45)
            scene.processes.signal(name, signal.SIGCONT)
            sleep(0.05)

    scene.slowing.append(Thread(target=slow))
    scene.slowing[-1].start()


def late_worker(scene: Scene) -> None:
    """Start another worker."""
    scene.add_worker()


def restart_scheduler(scene: Scene) -> None:
    """Kill the scheduler, and start it again with workers."""
    scene.processes.signal("scheduler", signal.SIGKILL)
    for name in scene.processes.workers:
        scene.processes.signal(name, signal.SIGKILL)
    sleep(1)
    scene.processes.start_scheduler(scene.port)
    for _ in range(WORKERS):
        scene.add_worker()


def stop_scheduler(scene: Scene) -> None:
    """Stop the scheduler for some seconds."""
    scene.processes.signal("scheduler", signal.SIGSTOP)
    scene.is_over.wait(scene.chance.uniform(1, 10))
    scene.processes.signal("scheduler", signal.SIGCONT)


def kill_command(scene: Scene) -> None:
    """Kill the command itself."""
    if scene.command is not None:
        scene.command.kill()


FAULTS: dict[str, Callable[[Scene], None]] = {
    "worker killed": kill_worker,
    "all workers killed": kill_all_workers,
    "worker stopped": stop_worker,
    "worker ten times slower": slow_worker,
    "worker comes late": late_worker,
    "scheduler killed and started again": restart_scheduler,
    "scheduler stopped": stop_scheduler,
    "command killed": kill_command,
}


@dataclass(frozen=True)
class Outcome:
    """The result of a run: its faults, the commands that it took, and whether the facts are those of a local run."""

    faults: tuple[str, ...]
    commands: int
    is_equal: bool
    seconds: float
    lines: tuple[str, ...]


def run_with_faults(folder: Path, expected: str, chance: random.Random) -> Outcome:
    """Run the experiment with one or two faults."""
    names = tuple(chance.sample(sorted(FAULTS), chance.choice((1, 2))))
    scene = Scene(folder, chance)
    began = monotonic()
    moments = sorted(chance.uniform(0, expected.count('"table": "mutant_result"')) for _ in names)
    commands, lines = 0, []
    try:
        scene.begin(WORKERS)
        trouble = Thread(target=_cause, args=(scene, folder / "run", names, moments))
        trouble.start()
        while commands < MOST_COMMANDS and monotonic() - began < LIMIT:
            commands += 1
            status, line = _command(scene, folder / "run")
            if status == 0:
                break
            lines.append(line)
            scene.settle()
        scene.is_over.set()
        trouble.join()
    finally:
        scene.is_over.set()
        for thread in scene.slowing:
            thread.join()
        scene.processes.stop()
    try:
        is_equal = status == 0 and export_facts(folder / "run") == expected
    except MutascopeError:
        is_equal = False
    return Outcome(names, commands, is_equal, monotonic() - began, tuple(lines))


def _cause(scene: Scene, run: Path, names: tuple[str, ...], moments: list[float]) -> None:
    """Cause faults when so many mutants have a result."""
    for name, moment in zip(names, moments, strict=True):
        while not scene.is_over.wait(0.1) and _results(run) < moment:
            pass
        if not scene.is_over.is_set():
            FAULTS[name](scene)


def _results(run: Path) -> int:
    """Return the number of results that are stored."""
    try:
        with closing(sqlite3.connect(f"file:{run / FILE_NAME}?mode=ro", uri=True)) as store:
            (count,) = store.execute("SELECT count(*) FROM mutant_result").fetchone()
    except sqlite3.Error:
        return -1
    return int(count)


def _command(scene: Scene, run: Path) -> tuple[int, str]:
    """Run the command; return its exit status and its last line."""
    command = [sys.executable, "-m", "benchmarks.cluster_faults", "--address", scene.processes.address, str(run)]
    scene.command = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        _, words = scene.command.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        scene.command.kill()
        _, words = scene.command.communicate()
        words += f"\nno end within {LIMIT:g} s"
    return scene.command.returncode, words.strip().rpartition("\n")[2]


def run_here(address: str, folder: Path) -> int:
    """Run the experiment on the workers of a scheduler, as `mutascope run` does but for the shorter silence."""
    experiment = api.subject_experiment(SUBJECT, "korat", [SCOPE])
    try:
        with DaskCluster(address, 1, silence=SILENCE, patience=PATIENCE) as cluster:
            run_experiment(experiment, folder, 1, DaskWorkforce(cluster, 1))
    except MutascopeError as error:
        print(error, file=sys.stderr)
        return error.exit_status
    return 0


def table_of(outcomes: list[Outcome]) -> list[str]:
    """Return the table by fault, and the lines with which runs stopped."""
    rows = []
    for name in FAULTS:
        matching = [outcome for outcome in outcomes if name in outcome.faults]
        equal = [outcome for outcome in matching if outcome.is_equal]
        at_once = sum(outcome.commands == 1 for outcome in equal)
        rows.append([name, len(matching), len(equal), at_once, len(equal) - at_once])
    header = ["fault", "runs with it", "same facts", "by one command", "by the same command again"]
    stops = Counter(line for outcome in outcomes for line in outcome.lines)
    lines = [
        f"* {count} times: {_without_address(line) or 'nothing, as the command was killed'}"
        for line, count in stops.items()
    ]
    return [*markdown_table(header, rows), "", "Last lines of commands that stopped:", "", *sorted(lines)]


def _without_address(line: str) -> str:
    return re.sub(r"tcp://[0-9.:]+", "ADDRESS", line)


def main() -> int:
    """Run and write the table, or run once on the workers of an address."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no further run after so long")
    parser.add_argument("--address")
    parser.add_argument("folder", nargs="?", type=Path)
    options = parser.parse_args()
    if options.address:
        return run_here(options.address, options.folder)
    load = load_average()
    outcomes: list[Outcome] = []
    until = monotonic() + 60 * options.minutes
    with TemporaryDirectory() as place, standing_beside(Path(place), SUBJECT, counter.SOURCE, counter.SPEC):
        experiment = api.subject_experiment(SUBJECT, "korat", [SCOPE])
        expected = export_facts(api.run(experiment, Path(place, "local"), jobs=2))
        for number in range(options.runs):
            if monotonic() > until:
                break
            folder = Path(place, str(number))
            folder.mkdir()
            outcomes.append(run_with_faults(folder, expected, random.Random(f"{options.seed} {number}")))
            print(f"{number + 1}/{options.runs}", outcomes[-1], file=sys.stderr, flush=True)
            if outcomes[-1].is_equal:
                shutil.rmtree(folder, ignore_errors=True)
    equal = sum(outcome.is_equal for outcome in outcomes)
    mutants = expected.count('"table": "mutant_result"')
    write_result(
        "cluster_faults.md",
        [
            "# Runs on a cluster with faults",
            "",
            f"`python -m benchmarks.cluster_faults --runs {len(outcomes)}`",
            "",
            f"{machine()} {load}",
            "",
            EXPLANATION.format(mutants=mutants, seed=options.seed),
            "",
            f"**{equal} of {len(outcomes)} runs end with the facts of the local run.**",
            "",
            *table_of(outcomes),
        ],
    )
    return 0 if equal == len(outcomes) else 1


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(TESTS.parent))
    sys.exit(main())
