"""Runs a small experiment on workers of Dask again and again, with random faults, and compares the facts.

`python -m benchmarks.cluster_faults --runs 50` writes `benchmarks/results/cluster_faults.md`. Each finished run is kept
in the cache folder, so the same command continues after an interruption.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from support import counter  # noqa: E402 (of the tests)
from support.own_subject import standing_beside  # noqa: E402

from benchmarks.cluster_scene import DISK_MB, FAULTS, LIMIT, SILENCE, WORKERS, Scene, enter_namespaces  # noqa: E402
from benchmarks.measuring import load_average, machine, markdown_table, write_result  # noqa: E402
from harness import api  # noqa: E402
from harness.codec.codec import codec_of  # noqa: E402
from harness.errors import MutascopeError  # noqa: E402
from harness.resources import cache_folder  # noqa: E402
from harness.runner.executors.dask_cluster import DaskCluster  # noqa: E402
from harness.runner.executors.dask_executor import DaskWorkforce  # noqa: E402
from harness.runner.provenance import provenance  # noqa: E402
from harness.runner.run import run_experiment  # noqa: E402
from harness.store.connect import FILE_NAME  # noqa: E402
from harness.store.facts_as_text import export_facts  # noqa: E402

SUBJECT, SCOPE = "counter", 2
PATIENCE = 20.0
MOST_COMMANDS = 5
EXPLANATION = (
    f"Each run is `{SUBJECT}` of `tests/support/counter.py`, `korat`, scope {SCOPE}: {{mutants}} mutants on "
    f"{WORKERS} worker processes, with one or "
    "two faults, each after a random number of results (seed {seed}). The scheduler, each worker and the command are "
    f"processes of their own. One worker has a disk of {DISK_MB} MB, a tmpfs, and one has a network namespace, whose "
    f"link is cut. Silent workers are given up after {SILENCE:g} s, where users have 30 s. A run that stops with one "
    "line is continued by the same command. The facts are compared with those of a local run, byte for byte."
)


@dataclass(frozen=True)
class Outcome:
    """The result of a run.

    It has the faults that happened before its end, the commands that it took, and whether the facts are those of a
    local run.
    """

    faults: tuple[str, ...]
    commands: int
    is_equal: bool
    seconds: float
    lines: tuple[str, ...]


OUTCOMES = codec_of(Outcome)


def faults_of(seed: int, runs: int) -> list[tuple[str, ...]]:
    """Return the faults of each run: one or two, each kind about as often as the others."""
    chance = random.Random(seed)
    dealt: list[str] = []
    chosen = []
    for number in range(runs):
        while len(dealt) < 2:
            dealt += [name for name in chance.sample(sorted(FAULTS), len(FAULTS)) if name not in dealt]
        chosen.append(tuple(dealt.pop(0) for _ in range(1 + number % 2)))
    return chosen


def run_with_faults(folder: Path, expected: str, names: tuple[str, ...], chance: random.Random) -> Outcome:
    """Run the experiment with these faults."""
    scene = Scene(folder, chance)
    began = monotonic()
    moments = sorted(chance.uniform(0, expected.count('"table": "mutant_result"')) for _ in names)
    commands, lines = 0, []
    caused: list[str] = []
    errors: list[Exception] = []
    try:
        scene.begin()
        trouble = Thread(target=_cause, args=(scene, folder / "run", zip(names, moments, strict=True), caused, errors))
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
    if errors:
        raise errors[0]
    try:
        is_equal = status == 0 and export_facts(folder / "run") == expected
    except MutascopeError:
        is_equal = False
    return Outcome(tuple(caused), commands, is_equal, monotonic() - began, tuple(lines))


def _cause(
    scene: Scene, run: Path, faults: Iterable[tuple[str, float]], caused: list[str], errors: list[Exception]
) -> None:
    """Cause faults when so many mutants have a result, and append those that happened before the end of the run."""
    try:
        for name, moment in faults:
            while not scene.is_over.wait(0.1) and _results(run) < moment:
                pass
            if not scene.is_over.is_set():
                FAULTS[name](scene)
                caused.append(name)
    except Exception as error:  # a thread of its own: the caller raises it
        errors.append(error)


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
        with ExitStack() as opened:
            cluster = DaskCluster(address, 1, silence=SILENCE, patience=PATIENCE)
            run_experiment(experiment, folder, 1, DaskWorkforce(cluster, 1, opened))
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
    header = ["fault", "runs in which it happened", "same facts", "by one command", "by the same command again"]
    stops = Counter(_without_address(line) for outcome in outcomes for line in outcome.lines)
    lines = [f"* {count} times: {line or 'nothing, as the command was killed'}" for line, count in stops.items()]
    return [*markdown_table(header, rows), "", "Last lines of commands that stopped:", "", *sorted(lines)]


def _without_address(line: str) -> str:
    return re.sub(r"tcp://[0-9.:]+", "ADDRESS", line)


def _stored_outcomes(state: Path, about: dict[str, object]) -> list[Outcome]:
    """Return the outcomes that were kept of an earlier command about the same; forget those of another one."""
    try:
        first, *lines = state.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        first, lines = "", []
    if first != json.dumps(about):
        state.parent.mkdir(parents=True, exist_ok=True)
        state.write_text(json.dumps(about) + "\n", encoding="utf-8")
        return []
    stored = [json.loads(line) for line in lines]
    return [
        Outcome(**{**fields, "faults": tuple(fields["faults"]), "lines": tuple(fields["lines"])}) for fields in stored
    ]


def _page(outcomes: list[Outcome], runs: int, mutants: int, seed: int, load: str) -> list[str]:
    equal = sum(outcome.is_equal for outcome in outcomes)
    minutes = sum(outcome.seconds for outcome in outcomes) / 60
    return [
        "# Runs on a cluster with faults",
        "",
        f"`python -m benchmarks.cluster_faults --runs {runs} --seed {seed}`; {len(outcomes)} were made, "
        f"in {minutes:.0f} minutes",
        "",
        f"{machine()} {load}",
        "",
        EXPLANATION.format(mutants=mutants, seed=seed),
        "",
        f"**{equal} of {len(outcomes)} runs end with the facts of the local run.**",
        "",
        *table_of(outcomes),
    ]


def main() -> int:
    """Run and write the table, or run once on the workers of an address."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=24.0, help="begin no further run after so long")
    parser.add_argument("--address")
    parser.add_argument("folder", nargs="?", type=Path)
    options = parser.parse_args()
    if options.address:
        return run_here(options.address, options.folder)
    enter_namespaces(["-m", "benchmarks.cluster_faults", *sys.argv[1:]])
    load = load_average()
    state = cache_folder() / "cluster_faults.jsonl"
    commit = provenance().git_commit or ""
    if not commit or commit.endswith("-dirty"):
        state.unlink(missing_ok=True)  # the sources may have changed since
    outcomes = _stored_outcomes(state, {"seed": options.seed, "runs": options.runs, "commit": commit})
    until = monotonic() + 60 * options.minutes
    with TemporaryDirectory() as place, standing_beside(Path(place), SUBJECT, counter.SOURCE, counter.SPEC):
        experiment = api.subject_experiment(SUBJECT, "korat", [SCOPE])
        expected = export_facts(api.run(experiment, Path(place, "local"), jobs=2))
        mutants = expected.count('"table": "mutant_result"')
        for number, names in [*enumerate(faults_of(options.seed, options.runs))][len(outcomes) :]:
            if monotonic() > until:
                break
            folder = Path(place, str(number))
            folder.mkdir()
            outcomes.append(run_with_faults(folder, expected, names, random.Random(f"{options.seed} {number}")))
            with state.open("a", encoding="utf-8") as file:
                file.write(OUTCOMES.to_json(outcomes[-1]) + "\n")
            print(f"{number + 1}/{options.runs}", outcomes[-1], file=sys.stderr, flush=True)
            shutil.rmtree(folder, ignore_errors=True)
    write_result("cluster_faults.md", _page(outcomes, options.runs, mutants, options.seed, load))
    return 0 if all(outcome.is_equal for outcome in outcomes) else 1


if __name__ == "__main__":
    os.environ.setdefault("PYTHONPATH", str(TESTS.parent))
    sys.exit(main())
