"""Compares Korat's engines: `python -m benchmarks.generation [SUBJECT...]` writes benchmarks/results/generation.md.

For each subject and scope, it counts executions of rep_ok, and measures CPU seconds and rates. These are the best of
some runs, without compiling and without delivering vectors as Python tuples. The engines are the reference engine, the
compiled engine, and the compiled engine with outcome pruning. All three must give the same valid vectors, by sha256.
"""

from __future__ import annotations

import hashlib
import platform
import struct
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

from benchmarks import whole_processes
from benchmarks.measuring import write_result
from harness.generators.states.native.build import compiler
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import CompiledSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.resources import subject_folders
from harness.runner.subjects import load_subject

RUNS = 3
LARGEST_FOR_REFERENCE = 600_000
"""Candidates; the reference engine's rate hardly changes with the scope."""

SCOPES = {
    "search_tree": (6, 7, 8, 9),
    "heap_array": (6, 7),
    "binomial_heap": (6, 7),
    "fibonacci_heap": (4, 5),
    "disj_set": (4, 5),
    "sorted_list": (7, 8, 9),
    "linked_list": (8, 9),
    "hash_set": (4, 5),
    "tree_map": (6, 7),
    "heapq": (6, 7),
}

JAVA_RATES = {
    "search_tree": 4.1,
    "heap_array": 15.0,
    "binomial_heap": 2.2,
    "fibonacci_heap": 3.2,
    "disj_set": 5.6,
    "sorted_list": 3.3,
    "linked_list": 1.7,
}
"""Steady million candidates per second of the original Java Korat, quoted (issue 4); not measured here."""
JAVA_CANDIDATES = {
    ("search_tree", 6): 61_950,
    ("search_tree", 7): 471_708,
    ("search_tree", 9): 27_996_730,
    ("heap_array", 6): 64_533,
    ("heap_array", 7): 519_968,
    ("binomial_heap", 6): 42_815,
    ("binomial_heap", 7): 261_788,
}
"""The candidates that Java's Korat explores for the same valid set, quoted (issues 2 and 4).

For other cases, the reference engine's number is used. The vectors that it accepts without an execution are added, as
Java executes repOk for each vector.
"""


@dataclass(frozen=True)
class Measured:
    """One engine's run: executions of rep_ok, CPU seconds, valid vectors and their sha256."""

    explored: int
    seconds: float
    valid: int
    digest: str
    unexecuted: int = 0

    @property
    def shown(self) -> str:
        """Executions, seconds and rate, as table cells."""
        return f"{self.explored:,} | {self.seconds:.4f} | {self.explored / self.seconds / 1e6:.2f}"


def _reference(search: KoratSearch) -> Measured:
    started = time.process_time()
    vectors = list(search)
    seconds = time.process_time() - started
    row = struct.Struct(f"={search.space.width}H")
    return Measured(search.explored, seconds, len(vectors), _digest(row.pack(*vector) for vector in vectors))


def _compiled(search: CompiledSearch) -> Measured:
    seconds = []
    for _ in range(RUNS):
        started = time.process_time()
        with search.begin() as running:
            vectors = sum(len(block) for block in running.blocks())
        seconds.append(time.process_time() - started)
    with search.begin() as running:
        digest = _digest(block.data for block in running.blocks())
        unexecuted = running.unexecuted
    return Measured(search.explored, min(seconds), vectors, digest, unexecuted)


def _digest(parts: Iterator[bytes | memoryview]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def measure(name: str, scope: int, folder: Path) -> tuple[str, dict[str, float]]:
    """Return a row of the table, and by how many times each compiled engine is faster than Java.

    Raises:
        SystemExit: the engines' valid vectors differ.
    """
    subject = load_subject(name)
    spec = load_spec(subject.spec_source, str(subject.spec_path))
    module = execute(ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked))
    space = StateSpace(spec.finitization(scope))
    plain = _compiled(CompiledSearch(space, module, spec.rep_ok, folder))
    pruned = _compiled(CompiledSearch(space, module, spec.rep_ok, folder, outcomes=True))
    reference = None
    if plain.explored <= LARGEST_FOR_REFERENCE:
        reference = _reference(KoratSearch(space, module, spec.rep_ok))
        if (reference.digest, reference.explored) != (plain.digest, plain.explored):
            raise SystemExit(f"{name} {scope}: the compiled engine differs from the reference engine")
    if pruned.digest != plain.digest:
        raise SystemExit(f"{name} {scope}: outcome pruning changes the valid vectors")
    ratios = {}
    java = "- | - | - | - | -"
    if name in JAVA_RATES:
        candidates = JAVA_CANDIDATES.get((name, scope), plain.explored + plain.unexecuted)
        seconds = candidates / JAVA_RATES[name] / 1e6
        ratios = {"compiled": seconds / plain.seconds, "outcome": seconds / pruned.seconds}
        mark = "" if (name, scope) in JAVA_CANDIDATES else "*"
        java = (
            f"{candidates:,}{mark} | {JAVA_RATES[name]} | {seconds:.4f} | "
            f"{ratios['compiled']:.1f} | {ratios['outcome']:.1f}"
        )
    slow = "- | -"
    if reference is not None:
        slow = f"{reference.seconds:.2f} | {reference.explored / reference.seconds / 1e6:.3f}"
    cells = [name, str(scope), f"{plain.valid:,}", plain.digest[:12], slow, plain.shown, pruned.shown, java]
    return f"| {' | '.join(cells)} |", ratios


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "unknown processor")


def main(chosen: list[str]) -> None:
    """Measure the existing subjects and write the table."""
    rows = []
    largest: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in [name for name in SCOPES if name in subject_folders() and (not chosen or name in chosen)]:
            for scope in SCOPES[name]:
                row, ratios = measure(name, scope, Path(folder))
                print(row, flush=True)
                rows.append(row)
                if ratios:
                    largest[name] = ratios
    lines = [
        "# Generation: reference engine, compiled engine, outcome pruning, and the Java original",
        "",
        f"{platform.system()} on {_processor()}, one core; Python {platform.python_version()}; "
        f"{compiler()[1].splitlines()[0]}. CPU seconds, for the search alone: not for compiling (about half a second "
        "per predicate, once) nor for making Python tuples. Rates are million executions of rep_ok per second. "
        "All engines' valid vectors are equal (sha256 over them in order, its first digits shown).",
        "",
        "Java's rates and candidates are quoted from the issues, not measured here; its seconds are the quotient. "
        "Where its candidates are not known (*), the reference engine's number stands for them, and the vectors that "
        "it finds without executing rep_ok, since Java executes it for each.",
        "",
        "| subject | scope | valid | sha256 | reference s | M/s | explored | compiled s | M/s "
        "| explored with outcomes | s | M/s "
        "| Java candidates | Java M/s | Java s | Java s / compiled s | / outcomes s |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
        *rows,
        "",
        "At the largest scope of each subject with a Java figure:",
        "",
    ]
    for engine in ("compiled", "outcome"):
        values = [ratios[engine] for ratios in largest.values()]
        if values:
            mean = exp(sum(map(log, values)) / len(values))
            lines.append(f"- {engine}: {mean:.1f} times shorter in the geometric mean, {min(values):.1f} at least.")
    lines += [
        "",
        *([] if chosen else whole_processes.lines()),
    ]
    write_result("generation.md", lines, keep=not chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
