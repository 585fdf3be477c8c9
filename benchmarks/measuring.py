"""Helpers of all benchmarks: the machine's name, processor seconds, Markdown tables and the folder of results."""

from __future__ import annotations

import os
import platform
import resource
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def machine() -> str:
    """Return the processor, cores, memory, system and Python, in one line."""
    cores = os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)
    return (
        f"Machine: {_processor()}, {cores} cores, {memory:.0f} GiB, {platform.system()} {platform.release()}, "
        f"{platform.python_implementation()} {platform.python_version()}."
    )


def load_average() -> str:
    """Return a line on the load of the machine by other processes, on which elapsed seconds depend."""
    return f"Load average at the start: {os.getloadavg()[0]:.1f}."


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


@dataclass(frozen=True)
class CommandResult:
    """Processor seconds (user and system) of all processes of a command, and its output."""

    seconds: float
    output: str


def spent_by(command: Sequence[str], folder: Path, more: Mapping[str, str]) -> CommandResult:
    """Run a command in a folder, with more variables in its environment.

    Raises:
        CalledProcessError: the command fails.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, **more}
    process = subprocess.run(
        command, check=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return CommandResult(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, process.stdout)


def seconds_below(process: int) -> float:
    """Return the processor seconds (user and system) of a process and all below it, including ended ones.

    From /proc, hence on Linux only; the system counts in hundredths.
    """
    return sum(ticks for _, ticks in _below(process)) / os.sysconf("SC_CLK_TCK")


def _below(process: int) -> Iterator[tuple[int, int]]:
    """Yield a process and all below it, each with processor time, in 1/100 s, of itself and its ended children."""
    children: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue  # the process has ended since
        number = int(stat.parent.name)
        ticks[number] = sum(map(int, fields[11:15]))
        children.setdefault(int(fields[1]), []).append(number)
    work = [process]
    while work:
        number = work.pop()
        yield number, ticks.get(number, 0)
        work += children.get(number, [])


def markdown_table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table."""
    return [
        f"| {' | '.join(heading)} |",
        f"|{'---|' * len(heading)}",
        *(f"| {' | '.join(map(str, row))} |" for row in rows),
    ]


_DEFAULT = "the default operator set of each subject"
_NONE = "none are run"
MUTANT_SETS = {
    "audit": f"{_DEFAULT}, and of modules with pytest suites",
    "execution": _DEFAULT,
    "generation": _NONE,
    "matrix": _DEFAULT,
    "sequences": _NONE,
    "whole_processes": _NONE,
}
"""The mutants of each benchmark, for the line of its page that says how the page was made."""
ORIGIN_START = "Made by `python -m benchmarks."


def origin(arguments: Sequence[str]) -> str:
    """Return two lines: the command with the commit of its sources and the day, and the mutants that it runs.

    Args:
        arguments: those of the process, as `sys.argv` has them: the file of the benchmark first.
    """
    file = Path(arguments[0]).resolve().relative_to(RESULTS.parent).with_suffix("")
    module = ".".join(file.parts).removesuffix(".__main__")
    commit = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"], cwd=RESULTS.parent, check=True, capture_output=True, text=True
    ).stdout.strip()
    command = shlex.join([module, *arguments[1:]])
    return f"{ORIGIN_START}{command}` at commit {commit} on {date.today()}.\nMutants: {MUTANT_SETS[module]}."


def page_text(lines: Sequence[str]) -> str:
    """Return a page with its origin below the title, instead of that of an earlier run."""
    title, *later_lines = lines
    if len(later_lines) > 1 and later_lines[1].startswith(ORIGIN_START):
        del later_lines[:3]
    return "\n".join([title, "", origin(sys.argv), *later_lines]).rstrip() + "\n"


def write_result(name: str, lines: Sequence[str], keep: bool = True) -> None:
    """Print a page with its origin; with `keep`, it replaces `benchmarks/results/<name>`."""
    text = page_text(lines)
    print(text)
    if keep:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / name).write_text(text, encoding="utf-8")
