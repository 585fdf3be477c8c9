"""Measures Symstra by classes and calls, and z3 alone on the same search: `python -m benchmarks.symbolic [PART...]`.

The parts are `classes`, `long`, `z3` and `long-suite`; by default, all are measured. Each replaces its section in
benchmarks/results/symbolic.md, with the load of the machine. It measures processor seconds of one core (user and
system) and the peak of memory, in a process per row. The search finds all paths and keeps states; the suite also has
each path solved to values, executed on them and written.
"""

from __future__ import annotations

import hashlib
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from support.symbolic_alone import SolverSystem

from benchmarks.measuring import RESULTS, load_average, machine, markdown_table, write_result
from harness.generators.generation import Generation
from harness.generators.policies.symstra.generator import Symstra
from harness.generators.policies.symstra.search import PathSearch
from harness.generators.sequences.generate import generate_sequences
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic import formulas
from harness.generators.symbolic.caller import Caller
from harness.generators.symbolic.hybrid_system import mixed_space
from harness.generators.symbolic.systems import System
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.runner.subjects import load_subject

PRINTED = {
    "jtc_int_stack": 0.67,
    "jtc_ub_stack": 2.33,
    "jtc_bin_search_tree": 251.30,
    "jtc_binomial_heap": 17.53,
    "jtc_linked_list": 0.94,
    "jtc_tree_map": 173.71,
    "jtc_heap_array": 28.50,
}
"""Seconds of Symstra at 8 calls, jtestcraft2010, Table 6.2; the search tree's ended by a limit of time."""
CALLS, LONG_CALLS, Z3_CALLS = 8, 10, 6
TARGET, LONG_TARGET, LONG_MEMORY, Z3_FACTOR = 3.0, 20.0, 512, 20
"""Seconds for all classes; seconds and MB for the search tree at 10 calls; how much faster than z3 alone."""
TREE = "jtc_bin_search_tree"


@dataclass(frozen=True)
class Row:
    """The measurements of one process; `memory` in MB, `digest` of the paths."""

    paths: int
    kept: int
    seconds: float
    memory: float
    digest: str


def _task(name: str, calls: int) -> SequenceTask:
    subject = load_subject(name)
    text = ModuleText.of(subject)
    spec = load_spec(subject.spec_source, str(subject.spec_path))
    return SequenceTask(spec, execute(text), spec.sequences(calls, subject.source), calls, 0, text=text)


def _searched(name: str, calls: int, start: Callable[[], System], digests: bool) -> Row:
    task = _task(name, calls)
    formulas.z3()  # so that no import is timed
    begun = time.process_time()
    search = PathSearch(task, Caller(task), start(), calls + 1)
    paths, digest = 0, hashlib.sha256()
    for path in search.paths():
        paths += path.is_test and path.state.calls != ()
        if digests:
            path_facts = ([call.choice for call in path.calls], path.trace, path.steps, path.outcome.raised)
            digest.update(repr(path_facts).encode())
    return Row(paths, len(search.stored_states), time.process_time() - begun, _memory(), digest.hexdigest())


def _suite(name: str, calls: int) -> Row:
    task = _task(name, calls)
    begun = time.process_time()
    with TemporaryDirectory() as folder:
        header = generate_sequences(
            Symstra(),
            Generation(
                spec=task.spec,
                module=task.module,
                subject=name,
                subject_hash="",
                scope=calls,
                seed=0,
                folder=Path(folder) / "suite",
                text=ModuleText.of(load_subject(name)),
            ),
        )
    return Row(header.inputs - 1, header.distinct or 0, time.process_time() - begun, _memory(), header.digest)


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _measured(name: str, calls: int, what: str) -> Row:
    command = [sys.executable, "-m", "benchmarks.symbolic", "--row", name, str(calls), what]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    return Row(**json.loads(done.stdout))


def _one(name: str, calls: int, what: str) -> Row:
    if what == "suite":
        return _suite(name, calls)
    if what == "z3":
        return _searched(name, calls, SolverSystem, digests=True)
    return _searched(name, calls, lambda: mixed_space().free(0), digests=what == "compared")


def classes() -> list[str]:
    """Measure all classes at 8 calls."""
    rows: list[tuple[object, ...]] = []
    searched = whole = 0.0
    for name, printed in PRINTED.items():
        search, suite = _measured(name, CALLS, "search"), _measured(name, CALLS, "suite")
        assert search.paths == suite.paths
        searched, whole = searched + search.seconds, whole + suite.seconds
        rows.append((name, search.paths, search.kept, f"{search.seconds:.2f}", f"{suite.seconds:.2f}", printed))
    rows.append(("all", "", "", f"{searched:.2f}", f"{whole:.2f}", f"{sum(PRINTED.values()):.2f}"))
    return [
        f"## All classes at {CALLS} calls, at most {TARGET:g} s",
        "",
        *markdown_table(("subject", "paths", "states", "search, s", "suite, s", "printed, s"), rows),
        "",
    ]


def long() -> list[str]:
    """Measure the search tree at 10 calls."""
    return _long("search")


def long_suite() -> list[str]:
    """Measure the search tree at 10 calls with its suite."""
    return _long("suite")


def _long(what: str) -> list[str]:
    row = _measured(TREE, LONG_CALLS, what)
    return [
        f"## {TREE} at {LONG_CALLS} calls, the {what}",
        "",
        f"{TREE} at {LONG_CALLS} calls, {what}: {row.paths:,} paths, {row.kept:,} states, {row.seconds:.1f} s, "
        f"{row.memory:.0f} MB (the search: at most {LONG_TARGET:g} s and {LONG_MEMORY} MB).",
        "",
    ]


def z3() -> list[str]:
    """Measure the same search with z3 alone."""
    rows: list[tuple[object, ...]] = []
    own = of_z3 = 0.0
    for name in PRINTED:
        mine, its = _measured(name, Z3_CALLS, "compared"), _measured(name, Z3_CALLS, "z3")
        assert mine.digest == its.digest, f"{name}: other paths"
        own, of_z3 = own + mine.seconds, of_z3 + its.seconds
        factor = f"{its.seconds / mine.seconds:.0f}"
        rows.append((name, mine.paths, f"{mine.seconds:.3f}", f"{its.seconds:.2f}", factor))
    rows.append(("all", "", f"{own:.3f}", f"{of_z3:.2f}", f"{of_z3 / own:.0f}"))
    return [
        f"## z3 alone at {Z3_CALLS} calls, the same paths in the same order; in all at least {Z3_FACTOR} times slower",
        "",
        *markdown_table(("subject", "paths", "own, s", "z3 alone, s", "factor"), rows),
        "",
    ]


PARTS = {"classes": classes, "long": long, "z3": z3, "long-suite": long_suite}


def main(arguments: list[str]) -> None:
    """Measure the named parts, or all."""
    if arguments[:1] == ["--row"]:
        name, calls, activity = arguments[1:]
        print(json.dumps(asdict(_one(name, int(calls), activity))))
        return
    for part in arguments or PARTS:
        started = load_average()
        title, *lines = PARTS[part]()
        write_result("symbolic.md", _with_section(title, ["", f"{machine()} {started}", *lines]))


def _with_section(title: str, lines: Sequence[str]) -> list[str]:
    """Return the page with a section instead of the one of that title, or at its end."""
    page = RESULTS / "symbolic.md"
    before = page.read_text(encoding="utf-8") if page.exists() else "# Symstra\n"
    first, *sections = before.rstrip("\n").split("\n## ")
    text_of = dict(section.partition("\n")[::2] for section in sections)
    text_of[title.removeprefix("## ")] = "\n".join(lines)
    return [first.rstrip(), "", *("## " + name + "\n" + text.rstrip() + "\n" for name, text in text_of.items())]


if __name__ == "__main__":
    main(sys.argv[1:])
