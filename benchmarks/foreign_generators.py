"""Compares other test-writing tools with our generators: `python -m benchmarks.foreign_generators DIR [SECONDS]`.

The subject is SearchTree. Each suite is run against the same mutants with a full kill matrix. Inputs of our generators
are judged by the differential oracle and by the public one. pytest tests are judged by their own assertions: those of
the tools, and those that `suite --export code` writes from our inputs. Writes
results/frozen/foreign_generators/suites.csv, from which docs/foreign_generators.md has its tables: the kills of whole
suites, the processor seconds of making them, and the median of random sub-suites of equal numbers of tests. Seconds are
for each tool's search (default: 10). DIR stores suites and runs; after an interruption, the same command continues
there.
"""

from __future__ import annotations

import csv
import json
import os
import random
import resource
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from harness import api, resources
from harness.analysis.kill_matrix import KillMatrix
from harness.model.experiment import Experiment
from harness.model.outcome import OracleName
from harness.model.pytest_suite import GENERATED, OWN_ASSERTIONS
from harness.store.database import FILE_NAME
from harness.store.run_store import RunStore

FILE = Path("results/frozen/foreign_generators/suites.csv")
SIZES = (3, 10, 30, 100)
DRAWS = 200
SEEDS = (0, 1, 2)
INPUTS = (("korat", 3), ("beapi", 3), ("random:1000", 3), ("hypothesis-stateful:100", 3))
"""Generators of inputs, with their scopes; the suites of the last two depend on the seed."""
ORACLES = (OracleName.DIFFERENTIAL, OracleName.PUBLIC)
"""The oracles that judge inputs."""
TOOLS = (("hypothesis-write", "tree_calls", 1), ("crosshair", "tree_calls", 1), ("pynguin", "search_tree", 2))
"""Tools, the module that each writes tests of, and the factor from requested to elapsed seconds.

Pynguin searches by the clock, and waits for its tests to end: on a busy machine it has less of the processor.
"""
CALLS = '''\
"""Calls on trees as functions of plain values, for tools that find values of parameters."""

from __future__ import annotations

from search_tree import SearchTree


def added(first: int, second: int, third: int) -> tuple[bool, bool, bool, int]:
    """Adds three keys to an empty tree: what each call gives, and the size in the end."""
    tree = SearchTree()
    return tree.add(first), tree.add(second), tree.add(third), tree.size


def found(first: int, second: int, third: int, wanted: int) -> bool:
    """Whether a tree of three keys contains another one."""
    tree = SearchTree()
    for info in (first, second, third):
        tree.add(info)
    return tree.contains(wanted)


def removed(first: int, second: int, third: int, fourth: int, wanted: int) -> tuple[bool, int, bool, bool]:
    """Removes a key from a tree of four: what that gives, the size, and whether two of the keys are there still."""
    tree = SearchTree()
    for info in (first, second, third, fourth):
        tree.add(info)
    return tree.remove(wanted), tree.size, tree.contains(first), tree.contains(fourth)
'''


@dataclass(frozen=True)
class Suite:
    """A suite with its kill matrix and the processor seconds that its making took; version of who made it.

    `oracle`: what judged the mutants, by the name that tables show.
    """

    name: str
    version: str
    seed: int
    cpu_seconds: float
    oracle: str
    matrix: KillMatrix


def own_suites(folder: Path) -> Iterator[Suite]:
    """Yield suites of inputs."""
    for generator, scope in INPUTS:
        for seed in SEEDS if ":" in generator else SEEDS[:1]:
            with cached_in(folder / f"cache-{generator}-{seed}"):
                record = once(folder / f"made-{generator}-{seed}.json", partial(generated, generator, scope, seed))
                names = [oracle.value for oracle in ORACLES]
                trial = api.subject_experiment("search_tree", generator, [scope], seed=seed, matrix=True, oracles=names)
                facts = f"{generator}, scope {scope}", record["version"], seed, record["cpu_seconds"]
                for oracle in ORACLES:
                    matrix = matrix_of(trial, folder / f"run-{generator}-{seed}", oracle)
                    yield Suite(*facts, oracle.value, matrix)
                if generator != "korat":  # tests are written from sequences only
                    yield Suite(*facts, OWN_ASSERTIONS, written_tests(folder, generator, scope, seed))


def written_tests(folder: Path, generator: str, scope: int, seed: int) -> KillMatrix:
    """Write tests from a suite of inputs, and run them by pytest; their kill matrix."""
    name = f"test_written_{generator.replace(':', '_').replace('-', '_')}_{seed}.py"
    path = tools_project(folder) / name
    if not path.exists():
        api.write_tests("search_tree", generator, scope, seed, path, select="all", module="search_tree")
    trial = api.pytest_experiment("search_tree", [name], folder=path.parent, matrix=True)
    return matrix_of(trial, folder / f"run-written-{generator}-{seed}")


def generated(generator: str, scope: int, seed: int) -> dict[str, Any]:
    """Make a suite of inputs; return its version, and the processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    new_suite = api.generate("search_tree", generator, scope, seed)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"version": new_suite.header.generator_version, "cpu_seconds": seconds}


def once(file: Path, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the stored result of an earlier call, or make and store it."""
    if not file.exists():
        file.write_text(json.dumps(make()), encoding="utf-8")
    stored: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return stored


def tools_suites(folder: Path, seconds: int) -> Iterator[Suite]:
    """Yield suites of tools, run like existing pytest suites."""
    project = tools_project(folder)
    for tool, target, factor in TOOLS:
        for seed in SEEDS if tool == "pynguin" else SEEDS[:1]:
            tests = project / f"tests_{tool.replace('-', '_')}_{seed}"
            if not (tests / GENERATED).exists():
                api.generate_tests(target, tool, tests, seconds=seconds * factor, seed=seed, folder=project)
            record = json.loads((tests / GENERATED).read_text(encoding="utf-8"))
            trial = api.pytest_experiment("search_tree", [tests.name], folder=project, flaky="exclude", matrix=True)
            matrix = matrix_of(trial, folder / f"run-{tool}-{seed}")
            yield Suite(tool, record["version"], seed, record["cpu_seconds"], OWN_ASSERTIONS, matrix)


def tools_project(folder: Path) -> Path:
    """Fill the folder of the modules that tests are about; its mutants are those that are pinned for the subject."""
    project = folder / "project"
    project.mkdir(exist_ok=True)
    shutil.copy(resources.subject_folder("search_tree") / "impl.py", project / "search_tree.py")
    pinned = project / "mutants" / "modules" / "search_tree"
    shutil.copytree(resources.shipped("mutants") / "search_tree", pinned, dirs_exist_ok=True)
    (project / "tree_calls.py").write_text(CALLS, encoding="utf-8")
    (project / "pyproject.toml").write_text("", encoding="utf-8")
    return project


@contextmanager
def cached_in(folder: Path) -> Iterator[None]:
    """Use another cache, so that suites are made again."""
    before = os.environ.get("MUTASCOPE_CACHE")
    os.environ["MUTASCOPE_CACHE"] = str(folder)
    try:
        yield
    finally:
        del os.environ["MUTASCOPE_CACHE"]
        if before is not None:
            os.environ["MUTASCOPE_CACHE"] = before


def matrix_of(trial: Experiment, folder: Path, oracle: OracleName = OracleName.DIFFERENTIAL) -> KillMatrix:
    """Return the kill matrix of a run under an oracle; make the run unless it exists."""
    for _ in range(2):
        if (folder / FILE_NAME).exists():
            with RunStore.open_existing(folder) as store:
                finished = store.finished.keys()
                for one in store.trials.under(oracle):
                    if one.key in finished:
                        return KillMatrix.load(store, one.key)
        api.run(trial, folder=folder, jobs=1)
    raise AssertionError(f"{folder}: a run that has ended holds no finished trial")


def rows(suites: list[Suite]) -> Iterator[dict[str, object]]:
    """Yield a row per suite, over the one set of mutants.

    Raises:
        ValueError: a suite was run on another set.
    """
    mutants = sorted(suites[0].matrix.mutants)
    if others := [suite.name for suite in suites if sorted(suite.matrix.mutants) != mutants]:
        raise ValueError(f"{', '.join(others)}: run on other mutants than {suites[0].name}; empty the folder")
    for suite in suites:
        yield {
            "suite": suite.name,
            "version": suite.version,
            "seed": suite.seed,
            "oracle": suite.oracle,
            "tests": suite.matrix.inputs,
            "cpu_seconds": f"{suite.cpu_seconds:.1f}",
            "mutants": len(mutants),
            "killed": percent(suite.matrix, mutants)(range(suite.matrix.inputs)),
        } | {f"killed_by_{size}": of_size(suite.matrix, mutants, size) for size in SIZES}


def of_size(matrix: KillMatrix, mutants: list[str], size: int) -> str:
    """Return the median of random sub-suites of so many tests; empty if the suite has fewer."""
    if matrix.inputs < size:
        return ""
    chance = random.Random(0)
    share = percent(matrix, mutants)
    return f"{median(float(share(chance.sample(range(matrix.inputs), size))) for _ in range(DRAWS)):.1f}"


def percent(matrix: KillMatrix, mutants: list[str]) -> Callable[[range | list[int]], str]:
    """Return a function that computes the share of mutants killed by some tests."""
    place: Mapping[str, int] = {mutant: number for number, mutant in enumerate(matrix.mutants)}

    def share(tests: range | list[int]) -> str:
        killed = matrix.killed_by(tests)
        return f"{100 * sum(bool(killed[place[mutant]]) for mutant in mutants) / len(mutants):.1f}"

    return share


def main(folder: Path, seconds: int) -> None:
    """Make all suites, run them, and write the file."""
    folder.mkdir(parents=True, exist_ok=True)
    suites = [*tools_suites(folder, seconds), *own_suites(folder)]
    suite_rows = list(rows(suites))
    FILE.parent.mkdir(parents=True, exist_ok=True)
    with FILE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(suite_rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(suite_rows)
    print(FILE.read_text(encoding="utf-8"), end="")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), int(sys.argv[2]) if sys.argv[2:] else 10)
