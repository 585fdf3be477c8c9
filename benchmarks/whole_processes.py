"""Measures processes of `mutascope generate`: `python -m benchmarks.whole_processes`, results/whole_processes.md.

CPU seconds (user and system, of all processes below) include Python's start, the sandbox, the beginning of the search
by the reference engine, and storing the suite. Each subject's finitization is its own with one call on each state, so
that the states are those that the Java tool enumerates; that tool stores none.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.measuring import load_average, machine, markdown_table, spent_by, write_result
from harness.resources import subject_folder

RUNS = 3
JAVA_SECONDS = {
    ("search_tree", 10): 70.4,
    ("heap_array", 9): 6.5,
    ("binomial_heap", 9): 8.2,
    ("fibonacci_heap", 6): 4.2,
}
"""CPU seconds of the Java tool's whole process on equal finitizations, as issue 10 quotes them; not measured here."""
FORMER_SECONDS = {
    ("search_tree", 10): 13.4,
    ("heap_array", 9): 16.2,
    ("binomial_heap", 9): 26.8,
    ("fibonacci_heap", 6): 5.7,
}
"""The CPU seconds of this tool when each state passed through Python, quoted from the same place."""
CALLS = {"search_tree": 'f.method("add", (1,))', "heap_array": 'f.method("extract_max")'}
"""The one call; of the others `extract_min`, or `reverse` of the linked list."""
CASES = [
    *((name, scope, "korat") for name, scope in JAVA_SECONDS),
    ("search_tree", 10, "korat-outcome"),
    ("linked_list", 11, "korat"),
]
HEADING = (
    *("subject", "scope", "generator", "valid", "explored", "newly compiled s", "compiled before s"),
    *("before issue 10 s", "Java s", "Java s / compiled before"),
)
_FINITIZATION = """

import copy

_all_calls = finitization


def finitization(scope):
    f = copy.copy(_all_calls(scope))
    f._targets = []
    {call}
    return f
"""


def rows() -> Iterator[list[str]]:
    """Yield the rows of the table."""
    with tempfile.TemporaryDirectory() as folder:
        for name, scope, generator in CASES:
            subject = with_one_call(name, Path(folder))
            measured = [_measure(subject, scope, generator, Path(folder) / "cache", kept) for kept in (False, True)]
            seconds = [median(one for one, _ in runs) for runs in measured]
            counts = measured[0][0][1]
            java, former = JAVA_SECONDS.get((name, scope)), FORMER_SECONDS.get((name, scope))
            yield [
                name,
                str(scope),
                generator,
                counts["pre_states"],
                counts["candidates"],
                *(f"{value:.2f}" for value in seconds),
                str(former or "-"),
                str(java or "-"),
                f"{java / seconds[1]:.1f}" if java else "-",
            ]


def with_one_call(name: str, folder: Path) -> Path:
    """Make a copy of a subject with one call on each state, in a folder."""
    copy = folder / name
    if not copy.exists():
        shutil.copytree(subject_folder(name), copy)
        spec = copy / "spec.py"
        text = spec.read_text(encoding="utf-8")
        call = CALLS.get(name, 'f.method("reverse")' if name == "linked_list" else 'f.method("extract_min")')
        spec.write_text(text + _FINITIZATION.format(call=call), encoding="utf-8")
    return copy


def _measure(subject: Path, scope: int, generator: str, cache: Path, kept: bool) -> list[tuple[float, dict[str, str]]]:
    measured = []
    for _ in range(RUNS):
        shutil.rmtree(cache / "suites" if kept else cache, ignore_errors=True)
        measured.append(_process(subject, scope, generator, cache))
    return measured


def _process(subject: Path, scope: int, generator: str, cache: Path) -> tuple[float, dict[str, str]]:
    command = [sys.executable, "-m", "harness", "generate", str(subject), "--scope", str(scope)]
    command += ["--generator", generator, "--jobs", "1", "--json"]
    result = spent_by(command, Path.cwd(), {"MUTASCOPE_CACHE": str(cache)})
    return result.seconds, _facts(result.output)


def _facts(text: str) -> dict[str, str]:
    facts = json.loads(text)
    return {name: f"{facts[name]:,}" for name in ("pre_states", "candidates")}


def lines() -> list[str]:
    """Return the lines of the section."""
    return [
        f"CPU seconds of whole processes, the median of {RUNS}: `mutascope generate --jobs 1`, the suite stored,",
        "rep_ok newly compiled, and before. One call on each state, so that the states are those of the Java tool.",
        "Java's seconds, and those of this tool before issue 10, are quoted from that issue, and are of another hour.",
        "",
        *markdown_table(HEADING, rows()),
    ]


def main() -> None:
    """Measure, and write the table."""
    about = ["# Generation: whole processes", "", machine(), load_average(), ""]
    write_result("whole_processes.md", [*about, *lines()])


if __name__ == "__main__":
    main()
