"""Compares pytest suites with mutmut and cosmic-ray: `python -m benchmarks.own_suites` writes results/own_suites_*.md.

Each tool runs the same tests on the same module, with one process for mutants, one tool after the other. Processor
seconds are user and system time of a whole command and all processes below it. The peers have one virtual environment
and ours another, build/peers and build/ours, which this makes: neither has a pytest plug-in that it does not need.
`python -m benchmarks.own_suites search_tree` leaves sortedcontainers out.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import harness
from benchmarks.measuring import largest_below, load_average, machine, markdown_table, seconds_below, write_result
from benchmarks.real_sources import FOLDER as SOURCES
from harness.resources import subject_folder

ROOT = Path(__file__).parent.parent
PEERS = ROOT / "build" / "peers"
OURS = ROOT / "build" / "ours"
PINNED = ("mutmut==3.*", "cosmic-ray==8.*", "pytest")
_NAMES = ("mutmut", "cosmic-ray", "pytest")
_NO_TESTS = 33
"""mutmut's exit status of a mutant that no test reaches."""
"""The tool whose figures the others are divided by."""
SEARCH_TREE = "search_tree"
SCOPE = 4
"""51 trees of keys 1 to 4, each with `add` and `remove` of four keys: 408 cases."""
SORTED_CASE = "sortedcontainers"
SORTED = ("sortedcontainers.sortedlist", "tests/test_coverage_sortedlist.py")
SECONDS = 200.0
"""Wall-clock seconds after which a command is ended: what it has done by then is counted."""
HEADING = (
    "tool",
    "mutants run",
    "CPU s",
    "CPU s again",
    "CPU s / mutant",
    "further mutant",
    "peak MiB",
)
ABOUT = (
    "`python -m benchmarks.own_suites`; one process for mutants each. Every tool is measured in the same way:",
    "CPU seconds (user and system) of the whole command with all below it; `CPU s / mutant` is that divided by the",
    "mutants. `again` is the same command once all mutants have their results, and `further mutant` leaves it out",
    "before it divides; work that mutascope does once (coverage, starting what runs mutants, proofs) stays.",
    "cosmic-ray's `again` is its `init`. Mutants are each tool's own; those that no test reaches are not run, and not",
    "counted. No tool's environment has plug-ins of pytest that it does not need. Python files are compiled",
    "beforehand, as an installer does. A command is ended after",
    f"{SECONDS:.0f} s by the clock, and the mutants that it has finished by then count; `again` is 0 then.",
    "",
    "Machines differ by a factor of two in these seconds. The tools run different mutants, and different numbers of",
    "them, so this page compares no tool with another by seconds for each mutant.",
)
TESTS = '''"""Bounded-exhaustive tests of SearchTree: all trees of keys 1 to 4, each with each call; 408 cases."""

from search_tree import Node, SearchTree

KEYS = range(1, 5)


def shapes(low, high):
    """All search trees of keys from low to high, as (left, key, right) or None."""
    yield None
    for key in range(low, high + 1):
        for left in shapes(low, key - 1):
            for right in shapes(key + 1, high):
                yield left, key, right


def keys_of(shape):
    return [] if shape is None else [*keys_of(shape[0]), shape[1], *keys_of(shape[2])]


def node_of(shape):
    if shape is None:
        return None
    node = Node(shape[1])
    node.left, node.right = node_of(shape[0]), node_of(shape[2])
    return node


def tree_of(shape):
    tree = SearchTree()
    tree.root, tree.size = node_of(shape), len(keys_of(shape))
    return tree


def in_order(node):
    return [] if node is None else [*in_order(node.left), node.info, *in_order(node.right)]


def cases(wanted):
    """Each tree with each key for which `wanted` holds."""
    return [(shape, key) for shape in shapes(1, 4) for key in KEYS if wanted(shape, key)]


def subtrees(shape, key):
    """How many subtrees hang below a key; -1 of one that is absent."""
    if shape is None:
        return -1
    if shape[1] == key:
        return (shape[0] is not None) + (shape[2] is not None)
    return subtrees(shape[0] if key < shape[1] else shape[2], key)


def check(name, wanted, returned, left):
    for shape, key in cases(wanted):
        tree = tree_of(shape)
        assert getattr(tree, name)(key) is returned
        keys = sorted(left(set(keys_of(shape)), key))
        assert in_order(tree.root) == keys
        assert tree.size == len(keys)


def test_add_of_an_absent_key():
    check("add", lambda shape, key: subtrees(shape, key) < 0, True, lambda keys, key: keys | {key})


def test_add_of_a_present_key():
    check("add", lambda shape, key: subtrees(shape, key) >= 0, False, lambda keys, key: keys)


def test_remove_of_an_absent_key():
    check("remove", lambda shape, key: subtrees(shape, key) < 0, False, lambda keys, key: keys)


def test_remove_of_a_key_with_two_subtrees():
    check("remove", lambda shape, key: subtrees(shape, key) == 2, True, lambda keys, key: keys - {key})


def test_remove_of_another_key():
    check("remove", lambda shape, key: subtrees(shape, key) in (0, 1), True, lambda keys, key: keys - {key})
'''


@dataclass(frozen=True)
class Spent:
    """Processor seconds of a command and all below it, and the largest process in KiB."""

    seconds: float
    largest: int


@dataclass(frozen=True)
class Row:
    """A tool's command, the same command again after all work is done, and the number of mutants that it ran."""

    tool: str
    mutants: int
    first: Spent
    again: Spent

    def of_each(self) -> tuple[float, float]:
        """Return a mutant's processor seconds by the whole command, and without what it spends again; 0 without
        mutants.
        """
        without = max(0.0, self.first.seconds - self.again.seconds)
        return (self.first.seconds / self.mutants, without / self.mutants) if self.mutants else (0.0, 0.0)

    def cells(self) -> tuple[str, ...]:
        """Return the cells of the table; `-` for the seconds of each mutant where the tool ran none."""
        of_each = [f"{seconds:.4f}" if self.mutants else "-" for seconds in self.of_each()]
        return (
            self.tool,
            f"{self.mutants:,}",
            f"{self.first.seconds:.2f}",
            f"{self.again.seconds:.2f}",
            *of_each,
            f"{self.first.largest / 1024:.0f}",
        )


@dataclass(frozen=True)
class Case:
    """A project, its module under test with the file of it, and the tests."""

    project: Path
    module: str
    file: str
    tests: str


def spent(command: Sequence[str], folder: Path, seconds: float, more: Mapping[str, str] | None = None) -> Spent:
    """Run a command; after `seconds` of elapsed time, its whole group is told to end."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(more or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )
    end = time.monotonic() + seconds
    signals, largest, seen = 0, 0, 0.0
    while True:
        pid, _, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = 0
            return Spent(max(seen, usage.ru_utime + usage.ru_stime), max(largest, usage.ru_maxrss))
        largest = max(largest, largest_below(process.pid))
        if time.monotonic() > end and signals < 2:
            seen = max(seen, seconds_below(process.pid))  # the usage of wait4 may lack processes that a signal ended
            os.killpg(process.pid, (2, 9)[signals])  # SIGINT first, so that it can end its children; then SIGKILL
            signals, end = signals + 1, time.monotonic() + 30.0
        time.sleep(0.05)


def search_tree_project(folder: Path) -> Case:
    """Make a project of one module and one file of five tests."""
    project = folder / "search_tree"
    (project / "tests").mkdir(parents=True)
    shutil.copyfile(subject_folder(SEARCH_TREE) / "impl.py", project / "search_tree.py")
    (project / "tests" / "test_search_tree.py").write_text(TESTS, encoding="utf-8")
    (project / "setup.cfg").write_text("[tool:pytest]\ntestpaths = tests\npythonpath = .\n", encoding="utf-8")
    return Case(project, "search_tree", "search_tree.py", "tests/test_search_tree.py")


def sorted_project(folder: Path) -> Case:
    """Copy sortedcontainers as it is distributed."""
    module, tests = SORTED
    project = folder / "sortedcontainers"
    source = SOURCES / "python-sortedcontainers-2.4.0"
    shutil.copytree(source, project, ignore=shutil.ignore_patterns("docs"))
    (project / "tox.ini").unlink()  # it names the docs
    (project / "setup.cfg").write_text("[tool:pytest]\npythonpath = .\n", encoding="utf-8")
    return Case(project, module, f"{module.replace('.', '/')}.py", tests)


def ours_through_pytest(case: Case) -> Row:
    """Measure `mutascope run --target`."""
    out = case.project.parent / f"{case.module}-ours"
    command = [str(OURS / "bin" / "mutascope"), "run", "--target", case.module, "--tests", case.tests]
    return _ours("mutascope through pytest", [*command, "--jobs", "1", "--out", str(out)], case, out)


def ours_through_inputs(case: Case, approach: Sequence[str] = ()) -> Row:
    """Measure `mutascope run --subject` on the inputs that correspond to the tests."""
    out = case.project.parent / f"inputs-{len(approach)}"
    command = [str(OURS / "bin" / "mutascope"), "run", "--subject", SEARCH_TREE, "--scope", str(SCOPE), *approach]
    named = " ".join(["mutascope through the inputs", *approach])
    return _ours(named, [*command, "--jobs", "1", "--out", str(out)], case, out)


def _ours(tool: str, command: list[str], case: Case, out: Path) -> Row:
    first = spent(command, case.project, SECONDS)
    run = _count(out / "run.sqlite", "SELECT COUNT(*) FROM mutant_result WHERE executed > 0")
    done = _count(out / "run.sqlite", "SELECT COUNT(*) FROM finish") > 0
    again = spent(command, case.project, SECONDS) if done else Spent(0.0, 0)
    return Row(tool, run, first, again)


def mutmut(case: Case) -> Row:
    """Measure `mutmut run --max-children 1`."""
    config = (
        f"\n[mutmut]\nsource_paths = {case.file}\npytest_add_cli_args_test_selection = {case.tests}\n"
        "also_copy =\n    sortedcontainers\nuse_git_change_detection = false\n"
    )
    with (case.project / "setup.cfg").open("a", encoding="utf-8") as lines:
        lines.write(config)
    command = [str(PEERS / "bin" / "mutmut"), "run", "--max-children", "1"]
    first = spent(command, case.project, SECONDS)
    run = sum(_exit_codes(path) for path in (case.project / "mutants").rglob("*.meta"))
    again = spent(command, case.project, SECONDS) if case.module == SEARCH_TREE else Spent(0.0, 0)
    return Row("mutmut", run, first, again)


def cosmic_ray(case: Case) -> Row:
    """Measure `cosmic-ray exec`, which runs pytest once per mutant; preparing is `init` and `baseline`."""
    config, session = case.project / "cosmic.toml", case.project / "cosmic.sqlite"
    python = PEERS / "bin" / "python"
    config.write_text(
        f'[cosmic-ray]\nmodule-path = "{case.file}"\ntimeout = 60.0\nexcluded-modules = []\n'
        f'test-command = "{python} -m pytest -x -q -p no:cacheprovider {case.tests}"\n'
        '[cosmic-ray.distributor]\nname = "local"\n',
        encoding="utf-8",
    )
    tool = str(PEERS / "bin" / "cosmic-ray")
    prepared = spent([tool, "init", str(config), str(session)], case.project, SECONDS)
    ran = spent([tool, "exec", str(config), str(session)], case.project, SECONDS)
    run = _count(session, "SELECT COUNT(*) FROM work_results")
    largest = max(prepared.largest, ran.largest)
    return Row("cosmic-ray", run, Spent(prepared.seconds + ran.seconds, largest), prepared)


def _exit_codes(path: Path) -> int:
    """Return the number of mutants of a file with an exit status from mutmut, except those without tests."""
    statuses = json.loads(path.read_text(encoding="utf-8")).get("exit_code_by_key", {})
    return sum(code is not None and code != _NO_TESTS for code in statuses.values())


def _count(path: Path, question: str) -> int:
    if not path.exists():
        return 0
    with sqlite3.connect(path) as connection:
        return int(connection.execute(question).fetchone()[0])


def _make_environments() -> list[str]:
    """Make the missing environments of the peers and of ours; return the peers' versions."""
    for folder, tool, requirements in (
        (PEERS, "mutmut", PINNED),
        (OURS, "mutascope", ("--editable", f"{ROOT}[pytest]")),
    ):
        if not (folder / "bin" / tool).exists():
            venv.create(folder, with_pip=True)
            subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", *requirements], check=True)
    listed = subprocess.run(
        [PEERS / "bin" / "python", "-m", "pip", "freeze"], check=True, capture_output=True, encoding="utf-8"
    ).stdout
    return [line for line in listed.splitlines() if line.partition("==")[0].replace("_", "-") in _NAMES]


def _rows(case: Case, tools: Sequence[Callable[[Case], Row]]) -> list[tuple[str, ...]]:
    """Return the table's rows after all tools have run."""
    rows = []
    for tool in tools:
        row = tool(case)
        print(row, file=sys.stderr)
        rows.append(row)
    return [row.cells() for row in rows]


def main() -> None:
    """Measure, and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", default=[SEARCH_TREE, SORTED_CASE])
    cases = parser.parse_args().cases
    compileall.compile_dir(str(Path(harness.__file__).parent), quiet=1)
    about = [f"{machine()} {load_average()} {', '.join(_make_environments())}.", "", *ABOUT]
    with tempfile.TemporaryDirectory(prefix="own-suites-") as name:
        folder = Path(name)
        if SEARCH_TREE in cases:
            tools = [ours_through_inputs, _metamutants, ours_through_pytest, mutmut, cosmic_ray]
            rows = _rows(search_tree_project(folder), tools)
            heading = "# Suites of pytest beside mutmut and cosmic-ray: search_tree, 408 cases in five tests"
            write_result("own_suites_search_tree.md", [heading, "", *about, "", *markdown_table(HEADING, rows)])
        if SORTED_CASE in cases:
            rows = _rows(sorted_project(folder), [ours_through_pytest, mutmut, cosmic_ray])
            heading = f"# Suites of pytest beside mutmut and cosmic-ray: {SORTED[0]}, {SORTED[1]}"
            write_result("own_suites_sortedcontainers.md", [heading, "", *about, "", *markdown_table(HEADING, rows)])


def _metamutants(case: Case) -> Row:
    return ours_through_inputs(case, ["--metamutants"])


if __name__ == "__main__":
    main()
